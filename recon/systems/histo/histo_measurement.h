// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "recon/data/histo_data.h"
#include "recon/systems/histo/histo_share.h"
#include "recon/systems/measurement_of.h"

namespace tof {

/// Histo-images of DIRECT: a part and a view is the histo-image of one direction; views lie by azimuth and
/// tilt.
class HistoMeasurement : public MeasurementOf<HistoData> {
  public:
    using MeasurementOf::MeasurementOf;
    /// Data whose hash another thread may still be taking; `data->hash` is not looked at.
    HistoMeasurement(std::shared_ptr<const HistoData> data, std::shared_future<std::string> hash)
        : MeasurementOf(std::move(data)), hash_(std::move(hash)) {}

    /// Waits for it.
    [[nodiscard]] const std::string& hash() const override {
        return hash_.valid() ? hash_.get() : data_->hash;
    }
    [[nodiscard]] std::string kind() const override { return "histo-images"; }
    [[nodiscard]] std::string system() const override;
    [[nodiscard]] ScannerText scannerJson() const override { return data_->scannerJson; }
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::string units() const override { return kEmissionsPerVoxel; }

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    [[nodiscard]] bool modelsAtOnce() const override { return true; }
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;

    [[nodiscard]] bool framesStandAlone() const override;
    [[nodiscard]] std::shared_ptr<const Measurement> frameAlone(std::size_t frame) const override;

    /// Whole views where every block has some for every rank, else slabs of the image.
    [[nodiscard]] RankShare share(const RankRequest& request) const override;

    [[nodiscard]] ViewLayout layout() const override;
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Image; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override;
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  protected:
    /// Those data, for what measures more of them.
    HistoMeasurement(const HistoMeasurement& of) : MeasurementOf(of.data_), hash_(of.hash_) {}

    /// What frameAlone() measures. Its mult is that of the frame's poses, without what `correct` has found of
    /// crystals.
    [[nodiscard]] virtual HistoData dataOfFrame(std::size_t frame, const ThreadPool& pool) const;

  private:
    /// att image of a view.
    [[nodiscard]] Volume attenuated(Volume image, std::size_t view) const;
    /// Throws WrongUse for a view that is not there.
    void requireView(std::size_t view) const;

    const std::shared_future<std::string> hash_;  ///< not valid where the data have theirs
};

/// A share with its arrays, as HistoMeasurement::share() gives it.
[[nodiscard]] RankShare shareOf(HistoShare share);

/// The histo-images where that is what was measured, else null; null for null.
[[nodiscard]] std::shared_ptr<const HistoData> histoData(const Measurement* measurement);

}  // namespace tof
