// SPDX-License-Identifier: Apache-2.0
#include "recon/work/browse.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/io/dicom/dicom_browse.h"
#include "recon/io/format_table.h"
#include "recon/study/study.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 12;

BrowsedItem itemOf(const DicomSeriesRow& row, const std::string& folder) {
    BrowsedItem item{folder};
    item.choice.series = row.uid;
    item.patient = row.patient;
    item.visit = row.visit;
    item.kind = row.modality;
    item.name = row.description.empty() ? fs::path(folder).filename().string() : row.description;
    if (row.moment_s) {
        item.when = fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(*row.moment_s)));
    }
    item.size = fmt::format("{} x {} x {}, {:.3g} x {:.3g} mm", row.columns, row.rows, row.images,
                            row.columnSpacing_mm, row.rowSpacing_mm);
    return item;
}

BrowsedItem itemOf(const Study& study) {
    BrowsedItem item{study.folder()};
    item.kind = "study";
    item.name = study.name();
    const std::size_t runs = study.runs().size();
    item.size = fmt::format("{} {}", runs, runs == 1 ? "run" : "runs");
    return item;
}

/// Folders in a folder, by name.
std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
            folders.push_back(entry.path());
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

void look(const fs::path& folder, int depth, Browsed& browsed, WorkProgress& progress) {
    progress.heed();
    std::error_code ignored;
    if (fs::exists(folder / "study.json", ignored)) {
        try {
            browsed.items.push_back(itemOf(Study::open(folder.string(), Study::Data::ComeLater)));
        } catch (const BadInput&) {
            ++browsed.damaged;
        }
        return;
    }
    const DicomFolderRows rows = dicomRowsIn(folder.string(), [&] { progress.heed(); });
    for (const DicomSeriesRow& row : rows.series) {
        browsed.items.push_back(itemOf(row, folder.string()));
    }
    browsed.damaged += rows.damaged;
    browsed.others += rows.others;
    for (const fs::path& below : depth < kDeepest ? foldersIn(folder) : std::vector<fs::path>{}) {
        look(below, depth + 1, browsed, progress);
    }
}

}  // namespace

Browsed browse(const std::string& folder, WorkProgress& progress) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw BadInput("{}: is no folder that can be read; give one with series of DICOM or studies", folder);
    }
    Browsed browsed;
    look(folder, 0, browsed, progress);
    return browsed;
}

Volume imageOf(const BrowsedItem& item, const std::function<void()>& heed) {
    if (item.kind != "study") {
        const RecognisedFile file = recognise(item.path, heed);
        try {
            return file.readVolumeResult(item.choice).volume;
        } catch (const BadInput&) {  // several frames
            VolumeReadOptions first = item.choice;
            first.frame = 1;
            return file.readVolumeResult(first).volume;
        }
    }
    const Study study = Study::open(item.path, Study::Data::ComeLater);
    const std::vector<std::string> runs = study.runs();
    if (runs.empty()) {
        throw BadInput("{}: has no run, so there is no picture of it yet", item.path);
    }
    return readVolume(study.runFile(runs.front()), heed);
}

std::string leftOut(const Browsed& browsed) {
    if (browsed.damaged + browsed.others == 0) {
        return {};
    }
    return fmt::format("left out: {} that cannot be read, {} of DICOM that are no images of PET or CT",
                       browsed.damaged, browsed.others);
}

}  // namespace tof
