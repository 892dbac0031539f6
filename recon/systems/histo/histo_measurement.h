// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/data/histo_data.h"
#include "recon/systems/measurement.h"

namespace tof {

/// Histo-images of DIRECT: a part and a view is the histo-image of one direction; views lie by azimuth and
/// tilt.
class HistoMeasurement : public Measurement {
  public:
    explicit HistoMeasurement(std::shared_ptr<const HistoData> data) : data_(std::move(data)) {}
    explicit HistoMeasurement(HistoData data)
        : HistoMeasurement(std::make_shared<const HistoData>(std::move(data))) {}
    [[nodiscard]] const std::shared_ptr<const HistoData>& data() const { return data_; }

    [[nodiscard]] std::string kind() const override { return "histo-images"; }
    [[nodiscard]] std::string system() const override;
    [[nodiscard]] const Lattice& lattice() const override { return data_->lattice; }
    [[nodiscard]] const std::string& hash() const override { return data_->hash; }
    [[nodiscard]] const std::string& phantom() const override { return data_->phantom; }
    [[nodiscard]] std::string scannerJson() const override { return data_->scannerJson; }
    [[nodiscard]] double duration_s() const override { return data_->duration_s; }
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::size_t memoryBytes() const override;

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;

    [[nodiscard]] ViewLayout layout() const override;
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Image; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override;
    [[nodiscard]] bool shows(DataQuantity quantity) const override;
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  private:
    /// Of one view; null where `array` is empty. Throws WrongUse for a view that is not there.
    [[nodiscard]] const float* valuesOf(std::size_t view, const std::vector<float>& array) const;

    std::shared_ptr<const HistoData> data_;
};

/// The histo-images where that is what was measured, else null; null for null.
[[nodiscard]] std::shared_ptr<const HistoData> histoData(const Measurement* measurement);

}  // namespace tof
