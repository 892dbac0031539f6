// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/charts/axes.h"
#include "ui/charts/curve_kind.h"
#include "ui/desk/run_item.h"

namespace tof::ui {

class RoiModel;
class RunList;
class Screen;

/// What bootstrap replicates of a run say of its figures, by iteration.
struct RunBands {
    struct Band {
        double mean = 0;
        double sd = 0;  ///< n - 1
    };
    int replicates = 0;
    /// "crc", "noise", "nsr", or "roi NAME" for the mean of an ROI.
    std::map<int, std::map<std::string, Band>> iterations;

    /// Reads `/replicates/bands` of run files; nothing of a text that is none.
    [[nodiscard]] static RunBands fromJson(const std::string& text);
    [[nodiscard]] std::optional<Band> find(int iteration, const std::string& key) const;
};

/// Standard deviations from the mean within which 95 of 100 replicates lie, if they are normal.
inline constexpr double kBandSigmas = 1.96;

/// Bands of runs as their items have them, each text read once: no file is opened while a chart is painted.
class BandReader {
  public:
    /// The bands of a run that has ended and has a file; else none.
    [[nodiscard]] const RunBands& of(const RunItem& item);
    /// Forgets runs that are gone.
    void forgetOthers(RunList& runs);

  private:
    struct Known {
        std::shared_ptr<const std::string> text;
        RunBands bands;
    };
    std::map<int, Known> known_;  ///< by run
};

/// What 95 of 100 replicates of a run lie within, about their mean, at one iterate.
struct BandPoint {
    int runId = 0;
    int iteration = 0;
    double x = 0;
    double low = 0;
    double high = 0;
};
/// The bands of all runs that have replicates, in the axes of a curve. Quantities of an ROI other than its
/// mean have none.
[[nodiscard]] std::vector<BandPoint> bandsOf(RunList& runs, const RoiModel& rois, Screen& screen,
                                             const CurveKind& kind, BandReader& reader);
/// Paints the band of one run, behind its curve.
void paintBand(QPainter& painter, const Plot& plot, std::span<const BandPoint> band, const QColor& colour);

/// Points in one stretch per run: those of a run stand beside each other.
template <typename Point>
[[nodiscard]] std::vector<std::span<const Point>> byRun(const std::vector<Point>& points) {
    std::vector<std::span<const Point>> runs;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= points.size(); ++i) {
        if (i == points.size() || points[i].runId != points[begin].runId) {
            runs.push_back(std::span(points).subspan(begin, i - begin));
            begin = i;
        }
    }
    return runs;
}

}  // namespace tof::ui
