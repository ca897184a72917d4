// SPDX-License-Identifier: Apache-2.0
//
// Damaged texts are read or refused as the plain parser does, never anything else.
#include "random_matrix_market.hpp"

namespace {

using namespace random_market;

TEST(matrix_market_property, damage_is_read_or_refused_as_the_plain_parser_does) {
  EXPECT_TRUE(rc::check("damage never crashes", [](std::uint64_t seed) {
    random_engine random(seed);
    for (int i = 0; i < 10; ++i) {
      auto text = text_maker(random)();
      for (std::size_t k = 1 + up_to(random, 3); k > 0 && !text.empty(); --k) {
        const std::size_t at = random() % text.size();
        switch (random() % 5) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, 1 + up_to(random, 8));
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), up_to(random, 30)));
            break;
          case 3:
            text.resize(at);
            break;
          default:
            text[at] = " \t\n\r%.-+e0129"[random() % 13];
            break;
        }
      }
      check_agrees<double, std::int32_t>(text, static_cast<unsigned>(2 + random() % 7));
      check_agrees<complex<double>, std::int32_t>(text, static_cast<unsigned>(2 + random() % 7));
      check_agrees<std::int64_t, std::int64_t>(text, 3);
    }
  }));
}

}  // namespace
