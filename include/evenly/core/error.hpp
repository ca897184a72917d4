// SPDX-License-Identifier: Apache-2.0
//
// One family of exceptions. Every message says what is wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace evenly {

/// Base of all errors that evenly throws.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Arguments that contradict each other or the contract (shapes, aliasing, a size that does not fit its index type).
struct argument_error : error {
  using error::error;
};

/// A file or a structure that breaks its format's rules; the message starts with `file:line:column:` where a file is meant.
struct input_error : error {
  using error::error;
};

/// A CUDA call or launch that failed, or a device that is not there; the message starts with the call's name.
struct device_error : error {
  using error::error;
};

}  // namespace evenly
