// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/simulation_request.h"

#include <QFile>
#include <QTemporaryDir>

#include "recon/base/error.h"
#include "recon/work/simulated_study.h"
#include "ui/desk/list_binning.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// The share of each stage in the time of the whole.
std::vector<std::pair<std::string, double>> stages(const SimulationRequest& request, bool rings) {
    if (rings) {
        return {{"project", 1}};
    }
    if (request.analytic && request.background) {
        return {{"attenuation", 0.05}, {"chords", 0.6}, {"randoms", 0.1}, {"scatter", 0.25}};
    }
    if (request.analytic) {
        return {{"attenuation", 0.1}, {"chords", 0.9}};
    }
    if (request.correctScatter) {
        return {{"simulate", 0.5}, {"deposit", 0.1}, {"corrections", 0.15}, {"scatter", 0.25}};
    }
    return {{"simulate", 0.6}, {"deposit", 0.16}, {"corrections", 0.24}};
}

/// The scanner's description with another time resolution, in a file.
std::string withTiming(const std::string& scanner, const std::vector<std::array<double, 2>>& timing,
                       const QTemporaryDir& folder) {
    Scanner changed = Scanner::find(scanner);
    if (!changed.detection) {
        throw WrongUse("'{}' does not say how it detects: its time resolution is the same at any rate",
                       scanner);
    }
    changed.detection->timingByRate = timing;
    QFile file(folder.filePath("scanner.json"));
    const std::string text = changed.toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0) {
        throw CannotWrite("{}: {}", file.fileName().toStdString(), file.errorString().toStdString());
    }
    return file.fileName().toStdString();
}

}  // namespace

QString whyNoSimulator(const SimulatorChoice& choice, const std::string& engine) {
    if (!choice) {
        return Text::tr("This program was made without simulators of its own");
    }
    try {
        static_cast<void>(choice(engine));
        return {};
    } catch (const Error& fault) {
        return QString::fromUtf8(fault.what());
    }
}

QString SimulationRequest::folderOf(int replicate) const {
    if (replicates <= 1) {
        return folder;
    }
    const QString ending = ".tofstudy";
    const QString stem = folder.endsWith(ending) ? folder.chopped(ending.size()) : folder;
    return stem + "-seed" + QString::number(seed + static_cast<std::uint64_t>(replicate)) + ending;
}

void simulateStudy(const SimulationRequest& request, int replicate, const SimulatorChoice& simulators,
                   TaskControl& control) {
    SimulateRequest scan;
    const QTemporaryDir folder;
    scan.scanner = request.scanner.toStdString();
    const bool rings = MichelogramSpec::describes(scan.scanner);
    if (request.timingByRate) {
        scan.scanner = withTiming(scan.scanner, *request.timingByRate, folder);
    }
    scan.phantom = request.phantom.toStdString();
    scan.settings.events = request.events;
    scan.settings.seed = request.seed + static_cast<std::uint64_t>(replicate);
    scan.settings.activity_MBq = request.activity_MBq;
    scan.settings.physics = request.physics;
    scan.lattice = usualRingLattice();
    scan.attenuate = request.attenuate;
    scan.blur_mm = request.blur_mm;
    scan.noiseFree = request.noiseFree;
    if (request.engine != "cpu" && !simulators) {
        throw Unavailable("'{}' simulates nothing in this program", request.engine);
    }
    if (simulators) {
        scan.slices = simulators(request.engine);
    }
    StudyRecipe recipe;
    recipe.binning = ListBinning().requestFor({});
    recipe.randoms = request.correctRandoms;
    recipe.scatter = request.correctScatter;
    recipe.background = request.background;
    if (request.analytic) {
        AnalyticSettings& chords = recipe.analytic.emplace();
        chords.azimuths = recipe.binning.azimuths;
        chords.tilts = recipe.binning.tilts;
        chords.lattice = recipe.binning.lattice.value_or(usualLattice());
        chords.counts = static_cast<double>(request.events);
        chords.seed = scan.settings.seed;
        chords.noiseFree = request.noiseFree;
    }
    TaskProgress progress(control, stages(request, rings));
    createSimulatedStudy(request.folderOf(replicate).toStdString(), scan, recipe,
                         ThreadPool(0, Priority::Background), progress);
}

}  // namespace tof::ui
