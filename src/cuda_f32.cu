// SPDX-License-Identifier: Apache-2.0
#include "cuda_session.cuh"

namespace evenly::instances {
EVENLY_INSTANTIATE_SESSION(open_cuda_session, float);
}  // namespace evenly::instances
