// SPDX-License-Identifier: Apache-2.0
#include "recon/work/simulated_study.h"

#include <filesystem>

#include "recon/io/hdf5/data_io.h"
#include "recon/study/study.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// A file that goes with its owner.
struct PassingFile {
    explicit PassingFile(std::string name) : path(std::move(name)) {}
    ~PassingFile() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;
    std::string path;
};

}  // namespace

void createSimulatedStudy(const std::string& folder, const SimulateRequest& request,
                          const BinRequest& binning, const ThreadPool& pool, WorkProgress& progress) {
    SimulatedScan scan = simulateScan(request, pool, progress);
    std::error_code ignored;  // Study::create() says what cannot be written
    fs::create_directories(fs::absolute(folder, ignored).parent_path(), ignored);
    const PassingFile data(folder + ".data.h5");
    if (const auto* const sinograms = std::get_if<SinogramData>(&scan.data)) {
        writeSinogramData(data.path, *sinograms);
    } else {
        auto& events = std::get<EventList>(scan.data);
        const Scanner scanner = Scanner::fromJson(events.scannerJson, "scanner of the list-mode");
        if (PanelGeometry::of(scanner)) {
            writePanelData(data.path, binPanelLines(events, scanner, binning, pool, progress));
        } else {
            writeData(data.path, binHistoImages(std::move(events), scanner, binning, pool, progress));
        }
    }
    static_cast<void>(Study::create(folder, data.path));
}

}  // namespace tof
