// SPDX-License-Identifier: Apache-2.0
// What measurements of plain data in host memory say alike.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recon/systems/measurement.h"

namespace tof {

/// A measurement that keeps HistoData, SinogramData or LineData.
template <typename Data>
class MeasurementOf : public Measurement {
  public:
    explicit MeasurementOf(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
    explicit MeasurementOf(Data data) : data_(std::make_shared<const Data>(std::move(data))) {}
    [[nodiscard]] const std::shared_ptr<const Data>& data() const { return data_; }

    [[nodiscard]] const Lattice& lattice() const override { return data_->lattice; }
    [[nodiscard]] const std::string& hash() const override { return data_->hash; }
    [[nodiscard]] const std::string& phantom() const override { return data_->phantom; }
    [[nodiscard]] double duration_s() const override { return data_->duration_s; }
    [[nodiscard]] std::size_t memoryBytes() const override {
        return (data_->counts.size() + data_->mult.size() + data_->add.size()) * sizeof(float);
    }
    [[nodiscard]] bool shows(DataQuantity quantity) const override {
        return (quantity != DataQuantity::Mult || !data_->mult.empty()) &&
               (quantity != DataQuantity::Add || !data_->add.empty());
    }

  protected:
    /// Counts, mult or add. Throws WrongUse for a quantity that needs an expectation.
    [[nodiscard]] const std::vector<float>& measured(DataQuantity quantity) const {
        requireMeasured(quantity);
        return quantity == DataQuantity::Counts ? data_->counts
               : quantity == DataQuantity::Mult ? data_->mult
                                                : data_->add;
    }

    const std::shared_ptr<const Data> data_;
};

}  // namespace tof
