// SPDX-License-Identifier: Apache-2.0
// What tests must know about sanitizers.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TOF_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TOF_SANITIZED 1
#endif

namespace tof {

/// True when a sanitizer needs terabytes of address space, so that a limit on it makes no sense.
#ifdef TOF_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How many times longer a test waits, or lets something take, when a sanitizer watches it.
inline constexpr int kSlower = kSanitized ? 15 : 1;

}  // namespace tof
