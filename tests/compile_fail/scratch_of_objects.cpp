// expect: scratch holds bytes
// SPDX-License-Identifier: Apache-2.0
//
// Scratch is memory without constructors.
#include <evenly/simt.hpp>

#include <string>

void use(evenly::simt_worker me) { me.scratch<std::string>(3); }
