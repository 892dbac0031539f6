// SPDX-License-Identifier: Apache-2.0
// ROIs as a volume of whole numbers, with a table of what they mean beside it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/io/bytes/destination.h"
#include "recon/metrics/roi.h"

namespace tof {

/// The table of a label map: the same name with the ending .tsv.
[[nodiscard]] std::string labelTablePath(const std::string& path);

/// Writes labelsOfRois() as a volume (16-bit whole numbers in NIfTI) and, beside it, a table of tab-separated
/// columns "index name role group true_ratio colour", a row per ROI, as BIDS has for segmentations. Shapes
/// are lost. Throws WrongUse for more than 32767 ROIs, CannotWrite.
void writeLabelMap(const Destination& to, const std::vector<Roi>& rois, const Lattice& lattice);

/// One region per label of a volume, with name, role and looks of its row when there is a table beside it
/// with the columns `index` and `name` at least. Throws BadInput, and what `heed` does (recognise()).
[[nodiscard]] std::vector<Roi> readLabelMap(const std::string& path, std::function<void()> heed = {});

}  // namespace tof
