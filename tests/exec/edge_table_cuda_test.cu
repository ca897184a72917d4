// SPDX-License-Identifier: Apache-2.0
//
// The contract's edge table on cuda, with the rows that only cuda has: a failed call surfaces with its name.
#include "edge_table.hpp"
#include "gpu.hpp"

namespace tests {

// EdgeTable's fixture takes any executor that can be made from nothing; this one is skipped where there is no GPU.
template <>
class EdgeTable<evenly::cuda> : public Gpu {
 public:
  evenly::cuda run{};
};
INSTANTIATE_TYPED_TEST_SUITE_P(cuda, EdgeTable, evenly::cuda);

}  // namespace tests
