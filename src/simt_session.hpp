// SPDX-License-Identifier: Apache-2.0
//
// Sessions on the emulated grid; each .cpp that includes this instantiates one value type.
#pragma once

#include "session_on.hpp"

#include <evenly/simt.hpp>

namespace evenly::instances {

template <class T, class Offset>
std::unique_ptr<spmv_session> open_simt_session(csr_of<T, Offset> const& A, std::vector<T> const& x,
                                                session_options const& options) {
  return std::make_unique<session_on<simt, T, Offset>>(simt(simt::options{.seed = options.seed}), A, x);
}

}  // namespace evenly::instances
