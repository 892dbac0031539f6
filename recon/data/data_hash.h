// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/content_hash.h"
#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/data/panel_data.h"

namespace tof {

/// 64-bit hash of a data set's content, 16 hexadecimal digits: equal content, equal hash, however it is
/// stored. Of histo-images: lattice, views, counts, mult and add; of sinograms: michelogram, lattice and
/// arrays; of lines: lines, points, corrections, scanner and image. Readers put it into the data's `hash`.
[[nodiscard]] std::string dataHash(const HistoData& data);
/// Where the hash of histo-images begins: lattice and views. The hashes of the views of counts, mult, add and
/// (if there is one) att follow.
[[nodiscard]] ContentHash hashOfViews(const HistoData& data);
/// Adds the frames of data that are cut by time, unless null; they come last.
void addFrames(ContentHash& hash, const FramedCounts* frames);
[[nodiscard]] std::string dataHash(const SinogramData& data);
[[nodiscard]] std::string dataHash(const LineData& data);
[[nodiscard]] std::string dataHash(const PanelData& data);

/// The hash of the michelogram, lattice and mult alone: what a sensitivity is made from.
[[nodiscard]] std::string multHash(const SinogramData& data);
/// The hash of scanner, image and mult.
[[nodiscard]] std::string multHash(const PanelData& data);

}  // namespace tof
