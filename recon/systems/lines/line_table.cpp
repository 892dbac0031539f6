// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "recon/base/error.h"

namespace tof {

LineTable::LineTable(const LineModel& model) : radialRays_(model.radialRays), axialRays_(model.axialRays) {
    if (radialRays_ < 1 || radialRays_ > 16 || axialRays_ < 1 || axialRays_ > 16) {
        throw WrongUse(fmt::format("{} x {} rays per bin: choose 1 to 16 each", radialRays_, axialRays_));
    }
    if (const auto* events = std::get_if<std::shared_ptr<const LineEvents>>(&model.lines)) {
        events_ = *events;
        if (rays() > 1) {
            throw WrongUse("several rays per bin need sinograms; list-mode events have one ray each");
        }
        if (events_->tof.count > 0) {
            timeBins_.reserve(events_->dt_ps.size());
            std::transform(events_->dt_ps.begin(), events_->dt_ps.end(), std::back_inserter(timeBins_),
                           [&](float dt) { return events_->tof.bin(static_cast<double>(dt)); });
        }
        return;
    }
    michelogram_ = std::get<std::shared_ptr<const Michelogram>>(model.lines);
    const Michelogram& m = *michelogram_;
    for (int i = 0; i < axialRays_; ++i) {
        axialShifts_.push_back(((i + 0.5) / axialRays_ - 0.5) * m.scanner().ringSpacing_mm);
    }
    for (int slot = 0; slot < m.angles(); ++slot) {
        for (int radial = 0; radial < m.radialBins(); ++radial) {
            for (int i = 0; i < radialRays_; ++i) {
                transverse_.push_back(m.line(m.angleOfSlot(slot), radial, (i + 0.5) / radialRays_ - 0.5));
            }
        }
    }
}

std::size_t LineTable::parts() const {
    return events_ ? events_->parts() : michelogram_->parts();
}

std::size_t LineTable::partSize(std::size_t part) const {
    return events_ ? events_->partSize(part) : michelogram_->partSize();
}

std::size_t LineTable::largestPart() const {
    return parts() == 0 ? 0 : partSize(0);
}

const TofBins& LineTable::tof() const {
    return events_ ? events_->tof : michelogram_->spec().tof;
}

std::size_t LineTable::memoryBytes() const {
    return transverse_.size() * sizeof(TransverseLine) + timeBins_.size() * sizeof(int);
}

}  // namespace tof
