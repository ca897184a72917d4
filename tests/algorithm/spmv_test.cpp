// SPDX-License-Identifier: Apache-2.0
//
// y = alpha A x + beta y on host and simt, every schedule, against a long double reference with the bound of the contract.
#include "spmv_suite.hpp"

#include <evenly/exec/host.hpp>
#include <evenly/simt.hpp>

#include <gtest/gtest.h>

namespace {

template <class Schedule>
class Spmv : public ::testing::Test {
 public:
  evenly::host host{{.threads = 2}};
  evenly::simt simt{{.threads = 64}};
};
TYPED_TEST_SUITE(Spmv, tests::all_schedules, tests::schedule_names);

TYPED_TEST(Spmv, is_within_its_bound_on_host_for_every_alpha_and_beta) {
  for (auto const& schedule : tests::some_options_of<TypeParam>(3))
    tests::multiplies_right<double, double>(this->host, schedule);
}
TYPED_TEST(Spmv, is_within_its_bound_on_simt_for_every_alpha_and_beta) {
  tests::multiplies_right<float, float>(this->simt, tests::options_of<TypeParam>().front());
}

// Refusals, by their words.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (evenly::argument_error const& error) { return error.what(); }
  return "no refusal";
}

struct small_problem {
  evenly::csr<float> A{{1, 2, 3}, {0, 2, 3}, {0, 2, 1}, {2, 3}};
  std::vector<float> x{1, 2, 3}, y{0, 0};
  evenly::host run{{.threads = 1}};
  evenly::view<float> all_x() { return {x.data(), 3}; }
  evenly::view<float> all_y() { return {y.data(), 2}; }
};
bool says(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

TEST(Spmv, multiplies_what_one_checks_by_hand) {
  small_problem p;
  evenly::spmv(p.run, p.A.view(), p.all_x(), p.all_y(), evenly::merge_path{});
  EXPECT_EQ(p.y, (std::vector<float>{1 * 1 + 2 * 3, 3 * 2}));
  evenly::spmv(p.run, p.A.view(), evenly::view<float const>(p.all_x()), p.all_y(), evenly::thread_mapped{},
               {.alpha = 2, .beta = -1});
  EXPECT_EQ(p.y, (std::vector<float>{7, 6}));
}

TEST(Spmv, refuses_an_x_of_another_size) {
  small_problem p;
  auto const text = refusal(
      [&] { evenly::spmv(p.run, p.A.view(), evenly::view<float>(p.x.data(), 2), p.all_y(), evenly::merge_path{}); });
  EXPECT_TRUE(says(text, "x has 2 elements, A has 3 columns")) << text;
}
TEST(Spmv, refuses_a_y_of_another_size) {
  small_problem p;
  auto const text = refusal(
      [&] { evenly::spmv(p.run, p.A.view(), p.all_x(), evenly::view<float>(p.y.data(), 1), evenly::merge_path{}); });
  EXPECT_TRUE(says(text, "y has 1 elements, A has 2 rows")) << text;
}

TEST(Spmv, accumulates_narrow_values_in_the_type_of_y) {
  evenly::csr<float> A{std::vector<float>(30'000, 1.0f), {0, 30'000}, std::vector<int>(30'000, 0), {1, 1}};
  std::vector<double> const x{1 + 1e-9};
  std::vector<double> y{0};
  evenly::spmv(evenly::host(), A.view(), evenly::view<double const>(x.data(), 1), evenly::view<double>(y.data(), 1),
               evenly::merge_path{});
  EXPECT_NEAR(y[0], 30'000 * (1 + 1e-9), 1e-6);
  EXPECT_NE(y[0], 30'000);
}

}  // namespace
