// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/ring_data.h"

namespace tof {

/// Reads sinograms as writeRingData() wrote them. Throws BadInput.
[[nodiscard]] RingData readRingData(const std::string& path);

/// HDF5: `/sinogram/counts` [slot][sinogram][radial][time bin] with the attributes `michelogram` (JSON) and
/// `image_size`, `spacing_mm`, `origin_mm` of the image; `/corrections/mult`, `/corrections/add` of the same
/// sizes. Written aside, flushed and renamed; whole counts that fit as uint16. Throws CannotWrite.
void writeRingData(const std::string& path, const RingData& data);

/// 64-bit hash of michelogram, lattice and arrays, 16 hexadecimal digits: equal content, equal hash.
[[nodiscard]] std::string ringDataHash(const RingData& data);
/// The same of the michelogram and mult alone: what a sensitivity is made from.
[[nodiscard]] std::string ringMultHash(const RingData& data);

/// True when a file holds sinograms as readRingData() reads them. Throws BadInput when it cannot be opened.
[[nodiscard]] bool isRingData(const std::string& path);

/// Lines of response as writeRingList() wrote them. Throws BadInput.
[[nodiscard]] RingListData readRingList(const std::string& path);

/// HDF5 as docs/formats.md has it: `/lors/crystal` uint32 [line][2], `/lors/dt_ps` with time of flight,
/// `/lors/counts` where lines have counts, `/lors/points` where they do not end in the crystals of rings;
/// `/corrections/mult`, `/corrections/add` per line, the attenuation as volume `/corrections/attenuation` in
/// 1/mm; `/possible` for what list-mode could have recorded. Written aside, flushed and renamed. Throws
/// CannotWrite.
void writeRingList(const std::string& path, const RingListData& data);

/// 64-bit hash of lines, points, corrections, scanner and image, 16 hexadecimal digits.
[[nodiscard]] std::string ringListHash(const RingListData& data);

/// True when a file holds list-mode as readRingList() reads it. Throws BadInput when it cannot be opened.
[[nodiscard]] bool isRingList(const std::string& path);

}  // namespace tof
