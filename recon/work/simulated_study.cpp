// SPDX-License-Identifier: Apache-2.0
#include "recon/work/simulated_study.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "recon/base/error.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/forms/panel/panel_lines.h"
#include "recon/io/bytes/passing_file.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/study/study.h"
#include "recon/work/correct.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// Corrections are those of a scan: there are no events of others.
void requireEvents(const StudyRecipe& recipe, const std::string& what) {
    if (recipe.randoms || recipe.scatter) {
        throw WrongUse("{} have no events to correct by; leave the corrections out", what);
    }
}

HistoData histoImages(SimulatedScan scan, const Scanner& scanner, const std::string& file,
                      const StudyRecipe& recipe, const ThreadPool& pool, WorkProgress& progress) {
    BinRequest binning = recipe.binning;
    binning.atPoints = !recipe.randoms && !recipe.scatter;  // what is only written
    HistoData data =
        binHistoImages(std::move(std::get<EventList>(scan.data)), scanner, binning, pool, progress);
    if (!recipe.randoms && !recipe.scatter) {
        return data;
    }
    CorrectRequest request;
    if (recipe.randoms) {
        request.delayeds = "the simulated delayeds";
        request.delayedList = std::make_shared<const EventList>(std::move(*scan.delayeds));
    }
    request.scatter = recipe.scatter;
    PartedCorrections corrected{"histo", std::move(data), {}};
    static_cast<void>(correctData(corrected, file, request, pool, progress, {}));
    return std::get<HistoData>(std::move(corrected.data));
}

HistoData expectedImages(const SimulateRequest& request, const StudyRecipe& recipe, const ThreadPool& pool,
                         WorkProgress& progress) {
    const SimulationSettings& scan = request.settings;
    HistoData data = simulateAnalytic(request.scanner, request.phantom, *recipe.analytic, pool, progress,
                                      recipe.background ? std::optional(scan.activity_MBq) : std::nullopt);
    data.duration_s = scan.duration_s > 0 ? scan.duration_s : data.decays / (1e6 * scan.activity_MBq);
    return data;
}

void writeScan(const std::string& file, const SimulateRequest& request, const StudyRecipe& recipe,
               const ThreadPool& pool, WorkProgress& progress) {
    const Destination to{file, [&progress] { progress.heed(); }};
    if (recipe.analytic) {
        requireEvents(recipe, "expected data");
        writeData(to, expectedImages(request, recipe, pool, progress));
        return;
    }
    SimulatedScan scan = simulateScan(request, pool, progress);
    if (const auto* const sinograms = std::get_if<SinogramData>(&scan.data)) {
        requireEvents(recipe, "sinograms of rings");
        writeSinogramData(to, *sinograms);
        return;
    }
    const auto& events = std::get<EventList>(scan.data);
    const std::shared_ptr<const Scanner> known = events.scannerJson.scanner("scanner of the list-mode");
    const Scanner& scanner = *known;
    if (PanelGeometry::of(scanner)) {
        requireEvents(recipe, "lines of panels");
        writePanelData(to, binPanelLines(events, scanner, recipe.binning, pool, progress));
    } else {
        writeData(to, histoImages(std::move(scan), scanner, file, recipe, pool, progress));
    }
}

}  // namespace

void createSimulatedStudy(const std::string& folder, const SimulateRequest& request,
                          const StudyRecipe& recipe, const ThreadPool& pool, WorkProgress& progress) {
    SimulateRequest wanted = request;
    wanted.delayeds = request.delayeds || recipe.randoms;
    std::error_code ignored;  // Study::take() says what cannot be written
    const fs::path parent = fs::absolute(folder, ignored).parent_path();
    fs::create_directories(parent, ignored);
    const PassingFile data(folder + ".data.h5");
    writeScan(data.path, wanted, recipe, pool, progress);
    static_cast<void>(Study::take(folder, data.path));
}

}  // namespace tof
