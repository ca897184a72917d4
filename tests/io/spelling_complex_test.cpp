// SPDX-License-Identifier: Apache-2.0
//
// The fast parser agrees with the plain one on every spelling of complex files.
#include "random_matrix_market.hpp"

namespace {

using namespace random_market;

TEST(matrix_market_spelling, agrees_with_a_plain_parser_for_complex_types) {
  check_all_spellings<complex<double>, std::int64_t>();
  check_all_spellings<complex<float>, std::int32_t>();
}

}  // namespace
