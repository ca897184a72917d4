// SPDX-License-Identifier: Apache-2.0
//
// Converted plans on a GPU: the suite, the same bits from run to run, and a captured graph replayed with another x.
#include "gpu.hpp"
#include "reorder_suite.hpp"

#include <evenly/exec/cuda_scan.hpp>
#include <evenly/exec/cuda_sort.hpp>

namespace {

using ReorderCuda = tests::Gpu;

TEST_F(ReorderCuda, is_within_its_bound_on_every_matrix_in_f32) {
  tests::converts_all_right<float, std::int32_t, std::int32_t>(evenly::cuda(), tests::structures());
}
TEST_F(ReorderCuda, is_within_its_bound_on_every_matrix_in_f64_with_64_bit_offsets) {
  tests::converts_all_right<double, std::int64_t, std::int32_t>(evenly::cuda(), tests::structures());
}
TEST_F(ReorderCuda, is_within_its_bound_on_random_matrices_in_c128) {
  std::vector<tests::structure> random;
  for (std::int64_t seed = 1; seed <= 100; ++seed) random.push_back(tests::random_structure(seed));
  tests::converts_all_right<evenly::complex<double>, std::int32_t, std::int32_t>(evenly::cuda(), random);
}

TEST_F(ReorderCuda, x_may_be_aligned_to_its_elements_only) {
  auto const from = tests::random_structure(31);
  auto const A = tests::matrix_of<evenly::complex<float>>(from);
  evenly::cuda const run;
  tests::device_matrix<evenly::complex<float>, std::int32_t, std::int32_t, evenly::cuda> const there(run, A);
  auto const x = tests::random_vector<evenly::complex<float>>(A.shape.columns);
  std::vector<float> shifted{0};  // one float before the first element
  for (auto const z : x) shifted.insert(shifted.end(), {z.re, z.im});
  tests::device_vector<float, evenly::cuda> const x_there(run, shifted);
  tests::device_vector<evenly::complex<float>, evenly::cuda> y(run, static_cast<std::size_t>(A.shape.rows));
  auto const plan =
      evenly::make_spmv_plan(run, there.view(), evenly::two_way{.rows_per_block = 16, .columns_per_tile = 33});
  evenly::spmv(plan,
               evenly::view<evenly::complex<float> const>(
                   reinterpret_cast<evenly::complex<float> const*>(x_there.data() + 1), A.shape.columns),
               tests::view_of(y));
  run.wait();
  EXPECT_EQ(tests::is_product(A, x, y.to_host(), y.to_host(), evenly::complex<float>{1}, evenly::complex<float>{}), "");
}

TEST_F(ReorderCuda, bits_are_the_same_from_run_to_run) {
  for (std::int64_t matrix = 40; matrix < 44; ++matrix) {
    auto const from = tests::random_structure(matrix);
    tests::each_conversion([&](std::string const& name, auto const& conversion) {
      auto const expected = tests::product_by<float>(evenly::cuda(), from, conversion);
      for (int again = 0; again < 10; ++again)
        ASSERT_TRUE(tests::same_numbers(tests::product_by<float>(evenly::cuda(), from, conversion), expected))
            << name << ", " << from.name;
    });
  }
}

TEST_F(ReorderCuda, a_captured_product_can_be_replayed_with_another_x) {
  tests::stream const stream;
  evenly::cuda const run(stream);
  auto const from = tests::random_structure(51);
  auto const A = tests::matrix_of<float>(from);
  tests::device_matrix<float, std::int32_t, std::int32_t, evenly::cuda> const there(run, A);
  tests::device_vector<float, evenly::cuda> x(run, static_cast<std::size_t>(A.shape.columns)),
      y(run, static_cast<std::size_t>(A.shape.rows));
  tests::each_conversion([&](std::string const& name, auto const& conversion) {
    auto const plan = evenly::make_spmv_plan(run, there.view(), conversion);
    run.wait();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    evenly::detail::cuda_try(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                             "cudaStreamBeginCapture");
    evenly::spmv(plan, tests::view_of(x), tests::view_of(y));
    evenly::detail::cuda_try(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    evenly::detail::cuda_try(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
      auto const here = tests::random_vector<float>(A.shape.columns, seed);
      x.assign(here);
      y.resize(y.size());  // poisoned
      evenly::detail::cuda_try(cudaGraphLaunch(replay, stream), "cudaGraphLaunch");
      run.wait();
      EXPECT_EQ(tests::is_product(A, here, y.to_host(), y.to_host(), 1.0f, 0.0f), "") << name << ", replay " << seed;
    }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
  });
}

}  // namespace
