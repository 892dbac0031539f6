// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "recon/data/line_data.h"
#include "recon/sources/line_histogram.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/measurement_of.h"

namespace tof {

/// Lines of response, one per event or with counts: a part is a stretch of time, or chosen at random.
///
/// Views are lines of one tilt by where they pass the axis: x is the distance s in mm along r of the line's
/// azimuth (docs/model.md section 1), y that azimuth from 0 to 180 degrees over as many mm as the image is
/// high, z the height there in mm. Tilts are the middles of classes of equal slope between those of the
/// steepest lines through the centre, which also take what is steeper; one for one ring. Events, or the
/// counts of lines; lines beyond the image's extent are left out of views (not of their totals), those along
/// the axis too.
class LineMeasurement : public MeasurementOf<LineData> {
  public:
    using MeasurementOf::MeasurementOf;

    [[nodiscard]] std::string kind() const override;
    [[nodiscard]] std::string system() const override;
    [[nodiscard]] ScannerText scannerJson() const override;
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::string units() const override;
    [[nodiscard]] std::size_t memoryBytes() const override;

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    void prepare(const RunSettings& settings, const SetUp& setUp) const override;
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<const Measurement> onLattice(const Lattice& lattice) const override;
    /// List-mode in parts as large as usual, of 10^5 events at least; lattices so large that every part's
    /// image costs as much as its events do with fewer parts.
    [[nodiscard]] std::shared_ptr<const Measurement> inBlocks(std::size_t blocks) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;

    [[nodiscard]] bool framesStandAlone() const override { return true; }
    /// In as many parts as the list, each a stretch of the frame's time.
    [[nodiscard]] std::shared_ptr<const Measurement> frameAlone(std::size_t frame) const override;

    /// Lines of each part.
    [[nodiscard]] RankShare share(const RankRequest& request) const override;

    [[nodiscard]] ViewLayout layout() const override;
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Radial; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override;
    [[nodiscard]] bool shows(DataQuantity quantity) const override;
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  private:
    [[nodiscard]] bool hasCounts() const { return !data_->counts.empty(); }
    /// The lines with counts in parts; made when it is first asked for.
    [[nodiscard]] std::shared_ptr<const LineHistogram> histogram() const;
    [[nodiscard]] std::shared_ptr<const LineEvents> lines() const;
    /// F^T mult, which several ranks make together, over all lines that list-mode could have recorded.
    [[nodiscard]] std::vector<float> sensitivity(const RunSettings& settings, const SourcePlace& place) const;

    /// The scanner's point spread, made when it is first asked for; parts of a list share it.
    struct KeptSpread {
        std::once_flag made;
        std::shared_ptr<const PointSpread> spread;
    };
    /// Null where the settings do not ask for it.
    [[nodiscard]] std::shared_ptr<const PointSpread> spread(
        const RunSettings& settings, const std::function<void(double)>& progress) const;
    /// Without the lines.
    [[nodiscard]] LineModel modelOn(const Lattice& lattice, const RunSettings& settings) const;
    /// Other data of the same scanner.
    [[nodiscard]] std::shared_ptr<const LineMeasurement> ofThisScanner(LineData data) const;

    std::shared_ptr<KeptSpread> spread_ = std::make_shared<KeptSpread>();
    mutable std::once_flag histogramMade_;
    mutable std::shared_ptr<const LineHistogram> histogram_;
};

}  // namespace tof
