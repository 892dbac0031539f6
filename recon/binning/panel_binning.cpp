// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/panel_binning.h"

#include <algorithm>
#include <array>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/data/scan_totals.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/recorded_share.h"
#include "recon/systems/lines/all_lines.h"

namespace tof {

namespace {

PanelGeometry geometryOf(const Scanner& scanner) {
    std::optional<PanelGeometry> geometry = PanelGeometry::of(scanner);
    if (!geometry) {
        throw WrongUse(
            "scanner '{}' is no pair of panels along x; bin its events --to histo, sinogram or lors",
            scanner.name);
    }
    geometry->efficiency = recordedShare(scanner, Detector(scanner));
    return *geometry;
}

}  // namespace

void countPanel(const EventList& events, PanelData& data, std::vector<std::uint32_t>* cells) {
    const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
    for (const auto& [one, two] : events.crystals) {
        const std::optional<PanelLor> lor = panelLor(data.geometry, one, two);
        std::size_t line = kNoCell;
        if (lor) {
            const auto c = static_cast<std::size_t>(lor->orientation().index(data.geometry));
            line = starts[c] + static_cast<std::size_t>(lor->inClass(data.geometry));
            data.counts[line] += 1;
        }
        ++(lor ? data.kept : data.rejected);
        if (cells != nullptr) {
            cells->push_back(static_cast<std::uint32_t>(line));
        }
    }
}

PanelData binPanel(const EventList& events, const Scanner& scanner, std::vector<std::uint32_t>* cells) {
    PanelData data;
    data.geometry = geometryOf(scanner);
    data.lattice = data.geometry.lattice();
    data.scannerJson = scanner.toJson();
    data.counts.assign(data.geometry.lors(), 0.0F);
    countPanel(events, data, cells);
    data.phantom = events.phantom;
    copyScanTotals(scanTotals(events), data);
    data.calibration = events.calibration;
    return data;
}

namespace {

/// Calls visit(line, lor) for every line in the order of the data.
template <typename Visit>
void forEachLine(const PanelGeometry& g, const Visit& visit) {
    std::size_t line = 0;
    for (int c = 0; c < g.classes(); ++c) {
        const PanelClass orientation = PanelClass::at(g, c);
        for (int i = 0; i < orientation.lors(g); ++i) {
            visit(line++, PanelLor::at(g, orientation, i));
        }
    }
}

/// The randoms' mean of every line, from what each crystal had of the delayeds.
void addMeans(PanelData& data, const std::vector<PanelLor>& delayeds) {
    const PanelGeometry& g = data.geometry;
    const auto number = [&](int layer, int y, int z) {
        return static_cast<std::size_t>((layer * g.crystals[1] + z) * g.crystals[0] + y);
    };
    std::array<std::vector<double>, 2> ofCrystal;
    ofCrystal.fill(std::vector<double>(static_cast<std::size_t>(g.headCrystals() * g.layers), 0.0));
    for (const PanelLor& lor : delayeds) {
        ofCrystal[0][number(lor.layer0, lor.y0, lor.z0)] += 1;
        ofCrystal[1][number(lor.layer1, lor.y1, lor.z1)] += 1;
    }
    data.add.resize(data.counts.size(), 0.0F);
    const double all = std::max(1.0, static_cast<double>(delayeds.size()));
    forEachLine(g, [&](std::size_t line, const PanelLor& lor) {
        data.add[line] += static_cast<float>(ofCrystal[0][number(lor.layer0, lor.y0, lor.z0)] *
                                             ofCrystal[1][number(lor.layer1, lor.y1, lor.z1)] / all);
    });
}

}  // namespace

PanelRandomsTally correctRandoms(PanelData& data, const EventList& delayeds, PanelRandoms how) {
    const PanelGeometry& g = data.geometry;
    const auto crystals = static_cast<std::uint32_t>(2 * g.headCrystals() * g.layers);
    std::vector<PanelLor> lors;
    lors.reserve(delayeds.size());
    for (const auto& [one, two] : delayeds.crystals) {
        if (one >= crystals || two >= crystals) {
            throw WrongUse("a delayed coincidence names crystal {}, but the panels have {}",
                           std::max(one, two), crystals);
        }
        if (const std::optional<PanelLor> lor = panelLor(g, one, two)) {
            lors.push_back(*lor);
        }
    }
    PanelRandomsTally tally;
    tally.delayeds = static_cast<double>(lors.size());
    if (how == PanelRandoms::Add) {
        addMeans(data, lors);
        return tally;
    }
    const std::vector<std::size_t> starts = panelClassStarts(g);
    for (const PanelLor& lor : lors) {
        data.counts[starts[static_cast<std::size_t>(lor.orientation().index(g))] +
                    static_cast<std::size_t>(lor.inClass(g))] -= 1;
    }
    for (float& count : data.counts) {
        if (count < 0.0F) {
            tally.clippedLines += 1;
            tally.clippedCounts -= static_cast<double>(count);
            count = 0.0F;
        }
    }
    return tally;
}

void attenuatePanel(PanelData& data, const Scanner& scanner, const Volume& mu, const ThreadPool& pool,
                    const std::function<void(double)>& progress) {
    constexpr std::size_t kLinesAtOnce = std::size_t{1} << 20U;
    const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
    data.mult.resize(data.counts.size(), 1.0F);
    LineEvents lines;
    lines.points = referencePoints(scanner);
    std::size_t first = 0;
    const auto flush = [&](std::size_t end) {
        const std::vector<float> survive = attenuationOf(lines, mu, pool);
        for (std::size_t i = first; i < end; ++i) {
            data.mult[i] *= survive[i - first];
        }
        first = end;
        lines.pairs.clear();
        progress(static_cast<double>(end) / static_cast<double>(data.mult.size()));
    };
    for (int c = 0; c < data.geometry.classes(); ++c) {
        const PanelClass orientation = PanelClass::at(data.geometry, c);
        for (int i = 0; i < orientation.lors(data.geometry); ++i) {
            lines.pairs.push_back(panelCrystals(data.geometry, PanelLor::at(data.geometry, orientation, i)));
        }
        const std::size_t end = starts[static_cast<std::size_t>(c) + 1];
        if (lines.pairs.size() >= kLinesAtOnce || end == data.mult.size()) {
            flush(end);
        }
    }
}

}  // namespace tof
