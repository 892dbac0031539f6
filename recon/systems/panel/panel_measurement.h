// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "recon/data/panel_data.h"
#include "recon/systems/measurement_of.h"
#include "recon/systems/panel/panel_model.h"

namespace tof {

/// The lines of two panels. A part is a subset of classes, drawn once; a view is a class with its signs, a
/// picture of its shifts in the middle between the heads: x one voxel as thick as the image, y and z those of
/// the lines' middles.
class PanelMeasurement : public MeasurementOf<PanelData> {
  public:
    using MeasurementOf::MeasurementOf;

    [[nodiscard]] std::string kind() const override { return "panel"; }
    [[nodiscard]] std::string system() const override { return PanelModel::kSystem; }
    [[nodiscard]] ScannerText scannerJson() const override { return data_->scannerJson; }
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::string units() const override { return kEmissionsPerVoxel; }

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    /// The matrix comes from the cache directory, or is made, by the engine where it can, and put there.
    void prepare(const RunSettings& settings, const SetUp& setUp) const override;
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;

    void countsOfFrame(std::size_t frame, const ThreadPool& pool, std::vector<float>& counts) const override;

    /// Classes of each part.
    [[nodiscard]] RankShare share(const RankRequest& request) const override;

    [[nodiscard]] ViewLayout layout() const override;
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Image; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override;
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    /// Before there is a matrix the one kernel that the view needs is made.
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  private:
    /// What a view shows of the first layers: a class, one combination of signs, and its first line of all.
    struct Place {
        PanelClass orientation;
        int sign = 0;
        std::size_t first = 0;
    };
    /// Throws WrongUse for a view that is not there.
    [[nodiscard]] Place placeOf(std::size_t view) const;
    /// The data in the order of `parts`.
    [[nodiscard]] std::shared_ptr<DataSource> sourceOf(const PanelParts& parts, const RunSettings& settings,
                                                       const SourcePlace& place) const;
    [[nodiscard]] Volume picture(const Place& place, const float* values) const;
    /// The matrix, or null before it is there.
    [[nodiscard]] std::shared_ptr<const PanelMatrix> kept() const;
    /// The first one that is kept is the one.
    std::shared_ptr<const PanelMatrix> keep(PanelMatrix matrix) const;
    [[nodiscard]] const std::shared_ptr<const PanelParts>& parts() const;
    [[nodiscard]] const std::vector<std::size_t>& starts() const;

    mutable std::mutex matrixMutex_;
    mutable std::shared_ptr<const PanelMatrix> matrix_;
    mutable std::once_flag partsMade_;
    mutable std::shared_ptr<const PanelParts> parts_;
    mutable std::once_flag startsMade_;
    mutable std::vector<std::size_t> starts_;
};

}  // namespace tof
