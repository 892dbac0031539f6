// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/data/line_data.h"
#include "recon/systems/measurement_of.h"

namespace tof {

/// Sinograms of a ring scanner: a part is a group of azimuths; a view is a segment in a time bin, the time
/// bins one after the other. x of a view is the radial coordinate in mm, y the azimuth from 0 to 180 degrees
/// over as many mm as the image is high, z the middle of the planes in mm.
class SinogramMeasurement : public MeasurementOf<SinogramData> {
  public:
    using MeasurementOf::MeasurementOf;

    [[nodiscard]] std::string kind() const override { return "sinograms"; }
    [[nodiscard]] std::string system() const override;
    [[nodiscard]] ScannerText scannerJson() const override;
    [[nodiscard]] EventTally events() const override;
    [[nodiscard]] std::string units() const override;

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override;
    [[nodiscard]] SystemModel model(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<const Measurement> onLattice(const Lattice& lattice) const override;
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& settings) const override;
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override;

    /// Whole parts where every block has some for every rank, else azimuths of each part.
    [[nodiscard]] RankShare share(const RankRequest& request) const override;

    [[nodiscard]] ViewLayout layout() const override;
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Radial; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override;
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override;
    [[nodiscard]] Volume expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const override;
    [[nodiscard]] std::vector<double> viewTotals() const override;

  private:
    struct Place {
        std::size_t segment = 0;
        int timeBin = 0;
    };
    /// Throws WrongUse for a view that is not there.
    [[nodiscard]] Place placeOf(std::size_t view) const;
};

}  // namespace tof
