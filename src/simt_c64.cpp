// SPDX-License-Identifier: Apache-2.0
#include "session_on.hpp"

#if EVENLY_HAS_SIMT
#include "simt_session.hpp"

namespace evenly::instances {
EVENLY_INSTANTIATE_SESSION(open_simt_session, complex<float>);
}  // namespace evenly::instances
#endif
