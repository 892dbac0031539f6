// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Compiles a function of plain loops for several instruction sets, chosen when the program is loaded;
/// nothing is fused, so all give the same bits. The choice is made before the thread sanitizer is there.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TOF_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TOF_CLONES
#endif

/// Bytes of vectors in such functions. GCC 12 takes apart, number by number, what a vector compares or
/// chooses where it is wider than the processor's registers, and most have 32 bytes.
/// Who calls such a function gives it vectors that are `alignas` of this: for a caller that is compiled for
/// older processors such a type has 16, and the function takes 32 for granted.
inline constexpr unsigned kClonedVectorBytes = 32;

/// Makes what a function calls a part of it, so that it is compiled for those sets too.
#if defined(__GNUC__)
#define TOF_FLATTENED __attribute__((flatten))
#else
#define TOF_FLATTENED
#endif
