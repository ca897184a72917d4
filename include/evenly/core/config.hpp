// SPDX-License-Identifier: Apache-2.0
//
// The few macros of evenly, all here, all empty where there is no CUDA compiler.
#pragma once

#if defined(__CUDACC__)
/// A function that a host thread and a CUDA thread may both call.
#define EVENLY_HD __host__ __device__
#define EVENLY_DEVICE __device__
#else
#define EVENLY_HD
#define EVENLY_DEVICE
#endif

#if defined(__CUDA_ARCH__)
#define EVENLY_UNROLL _Pragma("unroll")
#define EVENLY_ROLLED _Pragma("unroll 1")  // a rare path must not cost the common one its registers
#else
#define EVENLY_UNROLL
#define EVENLY_ROLLED
#endif

#define EVENLY_VERSION "0.1.0"
