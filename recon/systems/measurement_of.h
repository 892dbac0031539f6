// SPDX-License-Identifier: Apache-2.0
// What measurements of plain data in host memory say alike.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A measurement that keeps HistoData, SinogramData, LineData or PanelData.
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
    [[nodiscard]] ScanTotals totals() const override { return scanTotals(*data_); }
    [[nodiscard]] std::size_t memoryBytes() const override {
        return (data_->counts.size() + data_->mult.size() + data_->add.size() + att().size()) * sizeof(float);
    }
    [[nodiscard]] std::shared_ptr<const FramedCounts> frames() const override { return data_->frames; }
    void countsOfFrame(std::size_t frame, const ThreadPool& pool, std::vector<float>& counts) const override {
        const FrameCounts& one = data_->frames->frames.at(frame);
        counts.resize(data_->counts.size());
        one.expandInto(counts, counts.size() / (one.firsts.size() - 1), pool);
    }
    [[nodiscard]] bool shows(DataQuantity quantity) const override {
        switch (quantity) {
            case DataQuantity::Mult: return !data_->mult.empty();
            case DataQuantity::Add: return !data_->add.empty();
            case DataQuantity::Att: return !att().empty();
            default: return true;
        }
    }

  protected:
    /// Counts, mult, add or att. Throws WrongUse for a quantity that needs an expectation.
    [[nodiscard]] std::span<const float> measured(DataQuantity quantity) const {
        requireMeasured(quantity);
        switch (quantity) {
            case DataQuantity::Mult: return data_->mult;
            case DataQuantity::Add: return data_->add;
            case DataQuantity::Att: return att();
            default: return data_->counts;
        }
    }

    const std::shared_ptr<const Data> data_;

  private:
    /// Where these data keep attenuation apart.
    [[nodiscard]] std::span<const float> att() const {
        if constexpr (requires { data_->att; }) {
            return data_->att;
        } else {
            return {};
        }
    }
};

}  // namespace tof
