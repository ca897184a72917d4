// SPDX-License-Identifier: Apache-2.0
//
// Row "any CUDA call or launch that fails" of the contract's edge table: an error with the call's name, at the latest at
// the next synchronising call. The last test breaks the context, so it stays last.
#include "device_vector.hpp"
#include "gpu.hpp"

#include <string>

namespace {

class EdgeTableErrors : public tests::Gpu {
 protected:
  evenly::cuda run;
};

template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (evenly::device_error const& error) { return error.what(); }
  return "no device_error";
}

struct does_nothing {
  template <class Worker>
  EVENLY_HD void operator()(Worker const&) const {}
};
struct stores_at {
  int* place;
  template <class Worker>
  EVENLY_HD void operator()(Worker const& me) const {
    place[me.thread()] = 1;
  }
};

TEST_F(EdgeTableErrors, a_launch_that_fails_names_the_call) {
  auto const text = failure([&] { run.launch({.blocks = 1, .threads = 2048}, does_nothing{}); });
  EXPECT_EQ(text.rfind("cudaLaunchKernel: ", 0), 0u) << text;
  run.launch({.blocks = 1, .threads = 32}, does_nothing{});  // and the next one is judged by itself
  run.wait();
}
TEST_F(EdgeTableErrors, an_allocation_that_fails_names_the_call) {
  auto const text = failure([&] { run.allocate(std::size_t{1} << 50); });
  EXPECT_EQ(text.rfind("cudaMallocAsync: ", 0), 0u) << text;
  run.wait();
}
TEST_F(EdgeTableErrors, scratch_that_no_block_has_names_the_call) {
  auto const text =
      failure([&] { run.launch({.blocks = 1, .threads = 32, .scratch_bytes = std::size_t{1} << 20}, does_nothing{}); });
  EXPECT_EQ(text.rfind("cudaFuncSetAttribute", 0), 0u) << text;
  run.wait();
}
TEST_F(EdgeTableErrors, a_launch_of_no_blocks_is_no_launch) {
  run.launch({.blocks = 0, .threads = 32}, does_nothing{});
  run.launch({.blocks = 1, .threads = 0}, does_nothing{});
  run.wait();
}
TEST_F(EdgeTableErrors, z_a_fault_inside_a_kernel_surfaces_at_the_next_wait) {
  run.launch({.blocks = 1, .threads = 32}, stores_at{reinterpret_cast<int*>(std::uintptr_t{64})});
  auto const text = failure([&] { run.wait(); });
  EXPECT_EQ(text.rfind("cudaStreamSynchronize: ", 0), 0u) << text;
}

}  // namespace
