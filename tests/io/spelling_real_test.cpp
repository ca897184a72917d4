// SPDX-License-Identifier: Apache-2.0
//
// The fast parser agrees with the plain one on every spelling of real and integer files.
#include "random_matrix_market.hpp"

namespace {

using namespace random_market;

TEST(matrix_market_spelling, agrees_with_a_plain_parser_for_real_types) {
  check_all_spellings<double, std::int32_t>();
  check_all_spellings<float, std::int64_t>();
}

TEST(matrix_market_spelling, agrees_with_a_plain_parser_for_integers) {
  check_all_spellings<std::int64_t, std::int32_t>();
}

}  // namespace
