// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// The lines of a LineModel, tabulated so that every engine uses the same numbers to the last bit.
class LineTable {
  public:
    /// Throws WrongUse for a model out of range.
    explicit LineTable(const LineModel& model, const ThreadPool& pool = ThreadPool(1));

    [[nodiscard]] std::size_t parts() const;
    [[nodiscard]] std::size_t partSize(std::size_t part) const;
    [[nodiscard]] std::size_t largestPart() const;
    [[nodiscard]] const TofBins& tof() const;
    [[nodiscard]] std::size_t memoryBytes() const;

    /// The michelogram, or null for a list.
    [[nodiscard]] const Michelogram* michelogram() const { return michelogram_.get(); }
    [[nodiscard]] const LineEvents* events() const { return events_.get(); }
    /// Rays per bin.
    [[nodiscard]] int rays() const { return radialRays_ * axialRays_; }
    [[nodiscard]] int radialRays() const { return radialRays_; }

    /// Transverse ends [slot][radial][radial ray]; empty for a list.
    [[nodiscard]] const std::vector<TransverseLine>& transverse() const { return transverse_; }
    /// Axial shifts [sinogram][axial ray], mm. A ray that counts more than others comes several times.
    [[nodiscard]] const std::vector<double>& axialShifts() const { return axialShifts_; }
    /// Time bin of every event; empty without time of flight and for a michelogram.
    [[nodiscard]] const std::vector<int>& eventTimeBins() const { return timeBins_; }

    /// Calls ray(one, two, timeBin, datum) for data [begin, end) of a part, all rays of a datum in turn.
    template <class Body>
    void forEachRay(std::size_t part, std::size_t begin, std::size_t end, Body&& body) const;

  private:
    void placeAxialRays(const LineModel& model);

    std::shared_ptr<const Michelogram> michelogram_;
    std::shared_ptr<const LineEvents> events_;
    int radialRays_ = 1;
    int axialRays_ = 1;
    std::vector<TransverseLine> transverse_;
    std::vector<double> axialShifts_;
    std::vector<int> timeBins_;
};

template <class Body>
void LineTable::forEachRay(std::size_t part, std::size_t begin, std::size_t end, Body&& body) const {
    if (events_ != nullptr) {
        const std::size_t first = events_->firstOf(part);
        for (std::size_t datum = begin; datum < end; ++datum) {
            const auto [c1, c2] = events_->pairs[first + datum];
            body(events_->points[c1], events_->points[c2], timeBins_.empty() ? 0 : timeBins_[first + datum],
                 datum);
        }
        return;
    }
    const Michelogram& m = *michelogram_;
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    const auto radialRays = static_cast<std::size_t>(radialRays_);
    const std::size_t slotOfPart = part * static_cast<std::size_t>(m.spec().anglesPerPart);
    for (std::size_t datum = begin; datum < end; ++datum) {
        const std::size_t line = datum / timeBins;
        const std::size_t row = line / radialBins;
        const std::size_t slot = slotOfPart + row / m.sinograms().size();
        const Sinogram& plane = m.sinograms()[row % m.sinograms().size()];
        const auto axialRays = static_cast<std::size_t>(axialRays_);
        const double* const shifts = axialShifts_.data() + row % m.sinograms().size() * axialRays;
        const TransverseLine* const transverse =
            transverse_.data() + (slot * radialBins + line % radialBins) * radialRays;
        for (std::size_t r = 0; r < radialRays; ++r) {
            const TransverseLine& t = transverse[r];
            for (std::size_t a = 0; a < axialRays; ++a) {
                body(Vec3{t.x1, t.y1, plane.z1_mm + shifts[a]}, Vec3{t.x2, t.y2, plane.z2_mm + shifts[a]},
                     static_cast<int>(datum % timeBins), datum);
            }
        }
    }
}

}  // namespace tof
