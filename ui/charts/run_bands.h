// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
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

/// Bands of runs, each file read once.
class BandReader {
  public:
    /// The bands of a run that has ended and has a file; else none. A file that cannot be read has none.
    [[nodiscard]] const RunBands& of(const RunItem& item);
    /// Forgets runs that are gone.
    void forgetOthers(RunList& runs);

  private:
    struct Known {
        QString file;
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
void paintBand(QPainter& painter, const Plot& plot, const std::vector<BandPoint>& bands, int runId,
               const QColor& colour);

}  // namespace tof::ui
