// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// Version of the programs. It stands here alone: CMakeLists.txt reads it for the packages, and a test holds
/// the changelog, CITATION.cff and the metadata of the desktop to it.
inline constexpr const char* kVersion = "0.2.0";
/// When that version was released, as year, month and day.
inline constexpr const char* kReleaseDate = "2026-11-27";

}  // namespace tof
