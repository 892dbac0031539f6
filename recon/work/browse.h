// SPDX-License-Identifier: Apache-2.0
// What there is to open in a folder and below it: series of DICOM, and studies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/base/work_progress.h"
#include "recon/io/format/format.h"

namespace tof {

/// Something that can be opened.
struct BrowsedItem {
    std::string path;            ///< folder of the series, or of the study
    VolumeReadOptions choice{};  ///< which series of the folder
    std::string patient{};       ///< name and number of DICOM, to be shown only where that is asked for
    std::string visit{};         ///< alike for what belongs to one visit; empty for studies
    std::string kind{};          ///< "PT", "CT", "study"
    std::string name{};          ///< description of the series, name of the study
    std::string when{};          ///< "2026-11-22 12:00", local time; empty: not stated
    std::string size{};          ///< "168 x 168 x 109, 4.07 x 4.07 mm", or "3 runs"
};

/// Items by path and number, and what was left out.
struct Browsed {
    std::vector<BrowsedItem> items;
    int damaged = 0;  ///< files of DICOM that cannot be read
    int others = 0;   ///< files of DICOM that are no images of PET or CT
};

/// Looks through a folder and what lies below it, links not followed, to 12 folders deep. Throws BadInput for
/// what is no folder, Cancelled from `progress`.
[[nodiscard]] Browsed browse(const std::string& folder, WorkProgress& progress);

/// The image that stands for an item: its first frame, or the last iterate of a study's first run. Throws
/// BadInput where there is none, and what `heed` throws.
[[nodiscard]] Volume imageOf(const BrowsedItem& item, const std::function<void()>& heed);

/// One sentence of what was left out; empty for nothing.
[[nodiscard]] std::string leftOut(const Browsed& browsed);

}  // namespace tof
