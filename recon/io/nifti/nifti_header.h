// SPDX-License-Identifier: Apache-2.0
// Headers of NIfTI-1 and NIfTI-2. Internal to recon/io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "recon/io/bytes/raw_numbers.h"

namespace tof {

inline constexpr std::size_t kNifti1Bytes = 348;
inline constexpr std::size_t kNifti2Bytes = 540;

/// Byte offsets of NIfTI-1 fields (nifti1.h of the NIfTI working group).
namespace nifti1 {
enum Field : std::size_t {
    kDim = 40,
    kIntentCode = 68,
    kDatatype = 70,
    kBitpix = 72,
    kPixdim = 76,
    kVoxOffset = 108,
    kSlope = 112,
    kIntercept = 116,
    kXyztUnits = 123,
    kDescription = 148,
    kQformCode = 252,
    kSformCode = 254,
    kQuaternion = 256,
    kQoffset = 268,
    kSrow = 280,
    kMagic = 344
};
}  // namespace nifti1

/// The fields that are used, whichever version they come from.
struct NiftiHeader {
    std::string path;
    std::size_t bytes = 0;  ///< bytes of the header itself
    bool singleFile = true;
    ByteOrder order = ByteOrder::Little;
    std::array<std::int64_t, 8> dim{};
    int intent = 0;
    int datatype = 0;
    std::array<double, 8> pixdim{};
    double voxOffset = 0;
    double slope = 0;
    double intercept = 0;
    unsigned units = 0;
    std::string description;
    int qformCode = 0;
    int sformCode = 0;
    std::array<double, 3> quaternion{};
    std::array<double, 3> qoffset{};
    std::array<double, 12> srow{};
};

/// True when the first bytes of a file (gzip undone) are a NIfTI-1, NIfTI-2 or Analyze header.
[[nodiscard]] bool isNiftiStart(const std::byte* bytes, std::size_t count);

/// Reads the header from the start of `file`. Throws BadInput, of Analyze files too.
[[nodiscard]] NiftiHeader readNiftiHeader(const std::string& path, ByteReader& file);

}  // namespace tof
