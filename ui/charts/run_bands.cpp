// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/run_bands.h"

#include <QPainter>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "ui/desk/roi_model.h"
#include "ui/desk/roi_quantity.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

std::optional<RunBands::Band> bandIn(const nlohmann::json& row, const char* key) {
    const auto band = savedIn<nlohmann::json>(row, key);
    const double mean = savedIn(band, "mean", std::nan(""));
    const double sd = savedIn(band, "sd", std::nan(""));
    return std::isfinite(mean) && std::isfinite(sd) ? std::optional(RunBands::Band{mean, sd}) : std::nullopt;
}

}  // namespace

RunBands RunBands::fromJson(const std::string& text) {
    RunBands bands;
    const nlohmann::json root = parsedJson(text);
    bands.replicates = savedIn(root, "replicates", 0);
    for (const nlohmann::json& row : savedIn<std::vector<nlohmann::json>>(root, "iterations")) {
        auto& of = bands.iterations[savedIn(row, "iteration", 0)];
        for (const char* key : {"crc", "noise", "nsr"}) {
            if (const auto band = bandIn(row, key)) {
                of[key] = *band;
            }
        }
        for (const nlohmann::json& roi : savedIn<std::vector<nlohmann::json>>(row, "rois")) {
            if (const auto band = bandIn(roi, "mean")) {
                of["roi " + savedIn<std::string>(roi, "name")] = *band;
            }
        }
    }
    return bands;
}

std::optional<RunBands::Band> RunBands::find(int iteration, const std::string& key) const {
    const auto row = iterations.find(iteration);
    if (row == iterations.end()) {
        return std::nullopt;
    }
    const auto band = row->second.find(key);
    return band != row->second.end() ? std::optional(band->second) : std::nullopt;
}

const RunBands& BandReader::of(const RunItem& item) {
    static const RunBands kNone;
    if (item.isVolume() || isActive(item.state()) || item.file().isEmpty() || item.bands() == nullptr) {
        return kNone;
    }
    Known& known = known_[item.id()];
    if (known.text != item.bands()) {
        known = {item.bands(), RunBands::fromJson(*item.bands())};
    }
    return known.bands;
}

void BandReader::forgetOthers(RunList& runs) {
    std::erase_if(known_, [&runs](const auto& known) { return runs.find(known.first) == nullptr; });
}

namespace {

/// What a curve of a kind shows of one run: its bands, in their unit.
struct ShownBands {
    int runId = 0;
    const RunBands& bands;
    DisplayUnit unit;  ///< that of an ROI's values
};

std::optional<BandPoint> bandAt(const RoiModel& rois, const CurveKind& kind, const ShownBands& run,
                                int iteration) {
    using Of = CurveKind::Of;
    const auto at = [&](double x, const std::optional<RunBands::Band>& band,
                        const std::function<double(double)>& shown) -> std::optional<BandPoint> {
        if (!band) {
            return std::nullopt;
        }
        const double reach = kBandSigmas * band->sd;
        return BandPoint{run.runId, iteration, x, shown(band->mean - reach), shown(band->mean + reach)};
    };
    const RunBands& bands = run.bands;
    const auto percent = [](double share) { return 100 * share; };
    switch (kind.of) {
        case Of::CrcNoise: {
            const auto noise = bands.find(iteration, "noise");
            return noise ? at(100 * noise->mean, bands.find(iteration, "crc"), percent) : std::nullopt;
        }
        case Of::Crc: return at(iteration, bands.find(iteration, "crc"), percent);
        case Of::Noise: return at(iteration, bands.find(iteration, "noise"), percent);
        case Of::Nsr: return at(iteration, bands.find(iteration, "nsr"), percent);
        case Of::Objective:
        case Of::AucNoise:                  // an observer tells its own
        case Of::Auc: return std::nullopt;  // likewise
        case Of::Roi: break;
    }
    const Roi* roi = rois.selectedRoi();
    if (roi == nullptr || kind.quantity != RoiQuantity::Kind::Mean) {
        return std::nullopt;
    }
    return at(iteration, bands.find(iteration, "roi " + roi->name),
              [&](double value) { return exportedRoiValue(kind.quantity, value, run.unit); });
}

}  // namespace

std::vector<BandPoint> bandsOf(RunList& runs, const RoiModel& rois, Screen& screen, const CurveKind& kind,
                               BandReader& reader) {
    std::vector<BandPoint> all;
    reader.forgetOthers(runs);
    for (const auto& item : runs.items()) {
        const RunBands& bands = reader.of(*item);
        if (bands.iterations.empty()) {
            continue;
        }
        // The unit of an image depends on all runs: it is asked for once and not by every point.
        const ShownBands run{item->id(), bands,
                             kind.of == CurveKind::Of::Roi ? screen.unitOf(*item) : DisplayUnit()};
        for (const Figures& figures : item->figures()) {
            if (const auto band = bandAt(rois, kind, run, figures.iteration)) {
                all.push_back(*band);
            }
        }
    }
    return all;
}

void paintBand(QPainter& painter, const Plot& plot, std::span<const BandPoint> band, const QColor& colour) {
    QPolygonF outline;
    QPolygonF back;
    for (const BandPoint& point : band) {
        outline << plot.at(point.x, point.high);
        back.prepend(plot.at(point.x, point.low));
    }
    if (outline.isEmpty()) {
        return;
    }
    outline += back;
    QColor fill = colour;
    fill.setAlphaF(0.22F);
    QColor edge = colour;
    edge.setAlphaF(0.5F);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(fill);
    painter.drawPolygon(outline);
}

}  // namespace tof::ui
