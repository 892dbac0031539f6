// SPDX-License-Identifier: Apache-2.0
// What tests must know about sanitizers. Include in one source of a program only.
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

}  // namespace tof

#ifdef TOF_SANITIZED
/// The HDF5 library loses some memory when it refuses a damaged file; that is not ours to mend.
extern "C" __attribute__((visibility("default"))) const char*
__lsan_default_suppressions() {  // NOLINT: the sanitizer's name
    return "leak:libhdf5\n";
}
#endif
