// expect: to_csr would drop imaginary parts: ask for a complex value type
// SPDX-License-Identifier: Apache-2.0
//
// A complex matrix asked for as a real one.
#include <evenly/sparse/convert.hpp>

void use() { evenly::to_csr<double>(evenly::coo<evenly::complex<double>>{}); }
