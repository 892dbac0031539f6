// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/line_data.h"

namespace tof {

/// Reads sinograms as writeSinogramData() wrote them. Throws BadInput.
[[nodiscard]] SinogramData readSinogramData(const std::string& path);

/// HDF5: `/sinogram/counts` [slot][sinogram][radial][time bin] with the attributes `michelogram` (JSON) and
/// `image_size`, `spacing_mm`, `origin_mm` of the image; `/corrections/mult`, `/corrections/add` of the same
/// sizes. Written aside, flushed and renamed; whole counts that fit as uint16. Throws CannotWrite.
void writeSinogramData(const std::string& path, const SinogramData& data);

/// 64-bit hash of michelogram, lattice and arrays, 16 hexadecimal digits: equal content, equal hash.
[[nodiscard]] std::string ringDataHash(const SinogramData& data);
/// The same of the michelogram and mult alone: what a sensitivity is made from.
[[nodiscard]] std::string ringMultHash(const SinogramData& data);

/// True when a file holds sinograms as readSinogramData() reads them. Throws BadInput when it cannot be
/// opened.
[[nodiscard]] bool isSinogramData(const std::string& path);

/// Lines of response as writeLineData() wrote them. Throws BadInput.
[[nodiscard]] LineData readLineData(const std::string& path);

/// HDF5 as docs/formats.md has it: `/lors/crystal` uint32 [line][2], `/lors/dt_ps` with time of flight,
/// `/lors/counts` where lines have counts, `/lors/points` where they do not end in the crystals of rings;
/// `/corrections/mult`, `/corrections/add` per line, the attenuation as volume `/corrections/attenuation` in
/// 1/mm; `/possible` for what list-mode could have recorded. Written aside, flushed and renamed. Throws
/// CannotWrite.
void writeLineData(const std::string& path, const LineData& data);

/// 64-bit hash of lines, points, corrections, scanner and image, 16 hexadecimal digits.
[[nodiscard]] std::string ringListHash(const LineData& data);

/// True when a file holds list-mode as readLineData() reads it. Throws BadInput when it cannot be opened.
[[nodiscard]] bool isLineData(const std::string& path);

}  // namespace tof
