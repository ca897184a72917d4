// SPDX-License-Identifier: Apache-2.0
#include "host_session.hpp"

namespace evenly::instances {
EVENLY_INSTANTIATE_SESSION(open_host_session, complex<double>);
}  // namespace evenly::instances
