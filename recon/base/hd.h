// SPDX-License-Identifier: Apache-2.0
// TOF_HD marks arithmetic that host and device share: one formula, two compilers.
#pragma once

#if defined(__CUDACC__)
#define TOF_HD __host__ __device__
#else
#define TOF_HD
#endif
