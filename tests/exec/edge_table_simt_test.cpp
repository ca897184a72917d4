// SPDX-License-Identifier: Apache-2.0
//
// The contract's edge table on simt.
#include "edge_table.hpp"

#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace tests {
INSTANTIATE_TYPED_TEST_SUITE_P(simt, EdgeTable, evenly::simt);
}
