// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/panel_binning.h"

#include <algorithm>

#include "recon/base/error.h"
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

PanelData binPanel(const EventList& events, const Scanner& scanner) {
    PanelData data;
    data.geometry = geometryOf(scanner);
    data.lattice = data.geometry.lattice();
    data.scannerJson = scanner.toJson();
    data.counts.assign(data.geometry.lors(), 0.0F);
    const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
    for (const auto& [one, two] : events.crystals) {
        const std::optional<PanelLor> lor = panelLor(data.geometry, one, two);
        if (!lor) {
            ++data.rejected;
            continue;
        }
        const auto c = static_cast<std::size_t>(lor->orientation().index(data.geometry));
        ++data.kept;
        data.counts[starts[c] + static_cast<std::size_t>(lor->inClass(data.geometry))] += 1;
    }
    data.phantom = events.phantom;
    copyScanTotals(scanTotals(events), data);
    data.calibration = events.calibration;
    return data;
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
