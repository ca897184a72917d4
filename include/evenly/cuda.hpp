// SPDX-License-Identifier: Apache-2.0
//
// evenly with the CUDA executor; for .cu files. nvcc needs --extended-lambda for lambdas as bodies.
#pragma once

#include <evenly/evenly.hpp>
#include <evenly/exec/cuda.hpp>
#include <evenly/exec/cuda_worker.hpp>
