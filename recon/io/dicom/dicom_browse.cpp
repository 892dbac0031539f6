// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_browse.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/io/dicom/dicom_folder.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

constexpr std::size_t kMostFiles = 100000;

DicomSeriesRow rowOf(const DicomSlice& slice) {
    DicomSeriesRow row;
    row.uid = slice.seriesUid;
    row.patient = slice.patient;
    row.visit = slice.visit;
    row.modality = slice.modality;
    row.number = slice.seriesNumber;
    row.description = slice.description;
    row.moment_s = slice.seriesStart_s ? slice.seriesStart_s : slice.acquisition_s;
    row.columns = slice.columns;
    row.rows = slice.rows;
    row.columnSpacing_mm = slice.columnSpacing_mm;
    row.rowSpacing_mm = slice.rowSpacing_mm;
    return row;
}

}  // namespace

DicomFolderRows dicomRowsIn(const std::string& folder, const std::function<void()>& heed) {
    DicomFolderRows found;
    for (const std::string& file : dicomFilesIn(folder, kMostFiles)) {
        heed();
        std::vector<DicomSlice> slices;
        try {
            slices = readDicomSlices(file);
        } catch (const BadInput&) {
            ++found.damaged;
            continue;
        }
        const DicomSlice& first = slices.front();
        if (!first.other.empty()) {
            ++found.others;
            continue;
        }
        auto row = std::find_if(found.series.begin(), found.series.end(),
                                [&](const DicomSeriesRow& each) { return each.uid == first.seriesUid; });
        if (row == found.series.end()) {
            row = found.series.insert(found.series.end(), rowOf(first));
        }
        row->images += static_cast<int>(slices.size());
    }
    const auto numberOf = [](const DicomSeriesRow& row) { return numberFrom<int>(row.number).value_or(0); };
    std::stable_sort(found.series.begin(), found.series.end(),
                     [&](const auto& a, const auto& b) { return numberOf(a) < numberOf(b); });
    return found;
}

}  // namespace tof
