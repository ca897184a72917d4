// SPDX-License-Identifier: Apache-2.0
//
// Adds the emulated grid to <evenly/evenly.hpp>: the executor `simt`, for tests, teaching and debugging.
#pragma once

#include <evenly/exec/simt.hpp>
