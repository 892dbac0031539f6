// SPDX-License-Identifier: Apache-2.0
// What series of DICOM a folder holds, by their headers alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tof {

/// A series as a list shows it.
struct DicomSeriesRow {
    std::string uid;       ///< for VolumeReadOptions::series
    std::string patient;   ///< name and number, both perhaps empty
    std::string visit;     ///< UID that all series of one visit have
    std::string modality;  ///< PT or CT
    std::string number;
    std::string description;
    std::optional<double> moment_s;  ///< when it was acquired, s since 1970, local time
    int columns = 0;
    int rows = 0;
    double columnSpacing_mm = 0;
    double rowSpacing_mm = 0;
    int images = 0;
};

/// What is in one folder, those below left out.
struct DicomFolderRows {
    std::vector<DicomSeriesRow> series;  ///< in the order of their numbers
    int damaged = 0;                     ///< files that cannot be read
    int others = 0;                      ///< files that are no images of PET or CT
};

/// Series of PET and CT directly in a folder. Calls `heed` for every file, and lets what it throws pass.
[[nodiscard]] DicomFolderRows dicomRowsIn(const std::string& folder, const std::function<void()>& heed);

}  // namespace tof
