// SPDX-License-Identifier: Apache-2.0
//
// Inside a stream capture a pass allocates nothing, waits for nothing and touches no other stream; the graph can be
// replayed with new contents. Row "inside a CUDA graph capture" of the contract's edge table.
#include "gpu.hpp"
#include "matrices.hpp"
#include "schedules.hpp"

#include <evenly/algorithm/spmv.hpp>

#include <vector>

namespace {

template <class Schedule>
class EdgeTableGraph : public tests::Gpu {};
TYPED_TEST_SUITE(EdgeTableGraph, tests::all_schedules, tests::schedule_names);

/// Free memory of the pool that executors allocate from: unchanged if nothing was allocated.
std::uint64_t used_memory() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t used = 0;
  evenly::detail::cuda_try(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
  evenly::detail::cuda_try(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
                           "cudaMemPoolGetAttribute");
  return used;
}

TYPED_TEST(EdgeTableGraph, a_captured_pass_is_replayed_with_new_contents) {
  tests::stream const mine;
  evenly::cuda const run(mine);
  auto const sizes = tests::detail::joined(
      {tests::detail::power_law(9000), {50'000, 0, 1}, tests::detail::repeated(1000, {3, 0, 60})});
  auto A = tests::random_matrix<float>(sizes, 5000);
  auto const x = tests::random_vector<float>(5000);
  for (auto const& schedule : tests::some_options_of<TypeParam>(4)) {
    tests::device_matrix<float, int, int, evenly::cuda> const there(run, A);
    tests::device_vector<float, evenly::cuda> x_there(run, x);
    tests::device_vector<float, evenly::cuda> y(run, sizes.size()), direct(run, sizes.size());
    auto const plan = evenly::make_plan(run, there.view(), schedule, sizeof(float));
    run.wait();
    std::uint64_t const before = used_memory();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    evenly::detail::cuda_try(cudaStreamBeginCapture(mine, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    evenly::spmv(plan, tests::view_of(x_there), tests::view_of(y), {.alpha = 2.5f});
    evenly::detail::cuda_try(cudaStreamEndCapture(mine, &graph), "cudaStreamEndCapture");
    evenly::detail::cuda_try(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
    EXPECT_EQ(used_memory(), before) << tests::show(schedule) << " allocates while it is captured";
    for (int round = 1; round <= 3; ++round) {
      auto const changed = tests::random_vector<float>(5000, 100 * round);
      run.copy_to(x_there.data(), changed.data(), changed.size() * sizeof(float));
      y.resize(sizes.size());
      direct.resize(sizes.size());
      evenly::detail::cuda_try(cudaGraphLaunch(replay, mine), "cudaGraphLaunch");
      run.wait();
      auto const replayed = y.to_host();
      EXPECT_EQ(tests::is_product(A, changed, {}, replayed, 2.5f, 0.0f), "")
          << tests::show(schedule) << ", replay " << round;
      evenly::spmv(plan, tests::view_of(x_there), tests::view_of(direct), {.alpha = 2.5f});
      run.wait();
      EXPECT_EQ(direct.to_host(), replayed)
          << tests::show(schedule) << ": a replay has other bits than a launch, replay " << round;
    }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
  }
}

TYPED_TEST(EdgeTableGraph, a_replay_reads_alpha_and_beta_anew_where_they_lie_in_memory) {
  tests::stream const mine;
  evenly::cuda const run(mine);
  auto const sizes = tests::detail::joined({tests::detail::power_law(3000), {20'000, 0, 1}});
  auto const A = tests::random_matrix<float>(sizes, 2000);
  auto const x = tests::random_vector<float>(2000), old_y = tests::random_vector<float>(sizes.size(), 7);
  for (auto const& schedule : tests::some_options_of<TypeParam>(4)) {
    tests::device_matrix<float, int, int, evenly::cuda> const there(run, A);
    tests::device_vector<float, evenly::cuda> const x_there(run, x);
    tests::device_vector<float, evenly::cuda> y(run, sizes.size()), scalars(run, 2);
    auto const plan = evenly::make_plan(run, there.view(), schedule, sizeof(float));
    run.wait();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    evenly::detail::cuda_try(cudaStreamBeginCapture(mine, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    evenly::spmv(plan, tests::view_of(x_there), tests::view_of(y),
                 evenly::spmv_device_options<float>{.alpha = scalars.data(), .beta = scalars.data() + 1});
    evenly::detail::cuda_try(cudaStreamEndCapture(mine, &graph), "cudaStreamEndCapture");
    evenly::detail::cuda_try(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
    for (float alpha : {1.0f, 0.0f, 2.5f})
      for (float beta : {0.0f, -1.0f}) {
        float const both[] = {alpha, beta};
        run.copy_to(scalars.data(), both, sizeof both);
        run.copy_to(y.data(), old_y.data(), old_y.size() * sizeof(float));
        evenly::detail::cuda_try(cudaGraphLaunch(replay, mine), "cudaGraphLaunch");
        run.wait();
        EXPECT_EQ(tests::is_product(A, x, old_y, y.to_host(), alpha, beta), "")
            << tests::show(schedule) << ", alpha " << alpha << ", beta " << beta;
      }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
  }
}

}  // namespace
