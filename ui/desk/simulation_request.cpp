// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/simulation_request.h"

#include <QStringList>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/work/simulated_study.h"
#include "ui/desk/list_binning.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/engineering.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

using namespace row_words;
using AskedRow = RequestRow<SimulationRequest>;
using Timing = std::vector<std::array<double, 2>>;

/// The share of each stage in the time of the whole.
std::vector<std::pair<std::string, double>> simulationStages(const SimulationRequest& request, bool rings) {
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

std::string timingText(const SimulationRequest& request) {
    QStringList parts;
    for (const auto& [rate, ps] : request.timingByRate.value_or(Timing())) {
        parts << engineeringText(rate) + ": " + engineeringText(ps);
    }
    return parts.isEmpty() ? "1 M: 375, 20 M: 430" : parts.join(", ").toStdString();
}

Timing timingFrom(const std::string& text) {
    Timing table;
    for (const QString& pair : QString::fromStdString(text).split(',')) {
        const QStringList two = pair.split(':');
        const auto rate = engineeringNumber(two.value(0).trimmed());
        const auto ps = engineeringNumber(two.value(1).trimmed());
        if (two.size() != 2 || !rate || !ps || !(*rate >= 0) || !(*ps > 0 && *ps <= 1e5) ||
            (!table.empty() && *rate <= table.back()[0])) {
            throw WrongUse("'{}' is no time resolution by rate", text);
        }
        table.push_back({*rate, *ps});
    }
    return table;
}

/// They go with the switches of time.
std::vector<AskedRow> timingRows() {
    const auto timed = [](const SimulationRequest& request) {
        return request.timingByRate && !request.timingByRate->empty();
    };
    return {
        AskedRow::made(
            [timed](const SimulationRequest& request) { return timed(request) ? "on" : "off"; },
            [](SimulationRequest& request, const std::string& text) {
                request.timingByRate = text == "on" ? timingFrom(timingText(request)) : Timing();
            },
            "timing-by-rate", OptionKind::Switch,
            Help{toTranslate(
                "Word", "Time resolution in ps that grows with the singles per second of the whole scanner")},
            Tick{toTranslate("Word", "Time resolution by rate")}, Shown::Window),
        AskedRow::made(
            timingText,
            [](SimulationRequest& request, const std::string& text) {
                request.timingByRate = timingFrom(text);
            },
            "timing", Label{toTranslate("Word", "FWHM by rate")},
            Help{toTranslate("Word", "Singles per second: FWHM in ps, ..., straight between them")},
            Refused{toTranslate("Word", "Rates that grow, each with its ps: \"1 M: 375, 20 M: 430\"")},
            Shown::Window, timed)};
}

std::vector<AskedRow> studyRows() {
    return {
        AskedRow::of(
            &SimulationRequest::replicates, "replicates", Label{toTranslate("Word", "Replicates")},
            Limits{1, 100},
            Help{toTranslate(
                "Word", "So many studies of seeds in a row: their spread is the noise, their mean the bias")},
            Group{kObjectGroup}),
        AskedRow::made([](const SimulationRequest& request) { return request.folder.toStdString(); },
                       [](SimulationRequest& request, const std::string& text) {
                           request.folder = QString::fromStdString(text);
                       },
                       "folder", Label{toTranslate("Word", "Study folder")},
                       Help{toTranslate("Word", "Chooses where the study is made")},
                       Filter{toTranslate("Word", "Studies (*.tofstudy)")}, Group{kObjectGroup},
                       TextRole::NewFile),
        AskedRow::of(
            &SimulationRequest::correctRandoms, "correct.randoms", Label{toTranslate("Word", "Corrections")},
            Help{toTranslate(
                "Word",
                "Expected randoms go with the data, found from the delayed window as a scanner does")},
            Tick{toTranslate("Word", "randoms, from delayed coincidences")}),
        AskedRow::of(
            &SimulationRequest::correctScatter, "correct.scatter",
            Help{toTranslate(
                "Word",
                "Expected scatter goes with the data, by single scatter simulation with times of flight")},
            Tick{toTranslate("Word", "scatter, from the data's own image")})};
}

}  // namespace

SimulationRequest::SimulationRequest() {
    scanner = "labr3-ideal";
    phantom = "spheres";
    settings.events = 2000000;
}

QString whyNoSimulator(const EngineRegistry& engines, const std::string& engine) {
    try {
        static_cast<void>(slicesBy(engines, engine));
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
    return stem + "-seed" + QString::number(settings.seed + static_cast<std::uint64_t>(replicate)) + ending;
}

std::vector<BoundRow> simulationRequestRows(SimulationRequest& request) {
    std::vector<BoundRow> all;
    bindRows(all, simulationRows(), request);
    const auto isTime = [](const BoundRow& row) { return row.key == "physics.dead-time"; };
    const auto time = std::find_if(all.begin(), all.end(), isTime);
    std::vector<BoundRow> timing;
    bindRows(timing, timingRows(), request);
    all.insert(time + 1, timing.begin(), timing.end());
    bindRows(all, studyRows(), request);
    std::erase_if(all, [](const BoundRow& row) { return row.shown == Shown::Command; });
    return all;
}

void simulateStudy(const SimulationRequest& request, int replicate, const EngineRegistry& engines,
                   TaskControl& control) {
    SimulationOrder scan = request;
    scan.settings.seed += static_cast<std::uint64_t>(replicate);
    scan.lattice = usualRingLattice();
    scan.slices = slicesBy(engines, request.engine);
    StudyRecipe recipe;
    recipe.binning = ListBinning().requestFor({});
    recipe.randoms = request.correctRandoms;
    recipe.scatter = request.correctScatter;
    recipe.background = request.background;
    if (request.analytic) {
        recipe.analytic = scan.analyticSettings(recipe.binning.lattice.value_or(usualLattice()));
    }
    TaskProgress progress(control, simulationStages(request, MichelogramSpec::describes(scan.scanner)));
    createSimulatedStudy(request.folderOf(replicate).toStdString(), scan, recipe,
                         progress.pool(0, Priority::Background), progress);
}

}  // namespace tof::ui
