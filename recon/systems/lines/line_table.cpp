// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/large_array.h"

namespace tof {

namespace {

constexpr std::size_t kLinesOfATable = std::size_t{1} << 16U;

/// Shifts of the rays through the planes of an image between sinograms `apart`, the weight of each by how
/// often it comes. Throws WrongUse where the planes do not fit.
std::vector<double> shiftsOfPlanes(double apart, double plane) {
    constexpr double kFits = 1e-3;
    constexpr long kMost = 64;
    const long count = std::max(1L, std::lround(apart / plane));
    if (count > kMost || (apart > plane && std::abs(apart / plane - static_cast<double>(count)) > kFits)) {
        throw WrongUse(
            fmt::format("a ray per plane needs image planes that fit the rings: {:g} mm between sinograms "
                        "are {:g} planes of {:g} mm; choose another z voxel size or a number of rays",
                        apart, apart / plane, plane));
    }
    std::vector<double> shifts;
    const bool even = count % 2 == 0;
    for (long k = -(count / 2); k <= count / 2; ++k) {
        const bool end = 2 * std::abs(k) == count;
        shifts.insert(shifts.end(), even && !end ? 2 : 1, static_cast<double>(k) * plane);
    }
    return shifts;
}

}  // namespace

LineTable::LineTable(const LineModel& model, const ThreadPool& pool)
    : radialRays_(model.radialRays), axialRays_(model.axialRays) {
    if (radialRays_ < 1 || radialRays_ > 16 || axialRays_ < LineModel::kRayPerPlane || axialRays_ > 16) {
        throw WrongUse(fmt::format("{} x {} rays per bin: choose 1 to 16 each", radialRays_, axialRays_));
    }
    if (const auto* events = std::get_if<std::shared_ptr<const LineEvents>>(&model.lines)) {
        events_ = *events;
        if (rays() != 1) {
            throw WrongUse("several rays per bin need sinograms; list-mode events have one ray each");
        }
        if (events_->tof.count > 0) {
            timeBins_ = largeArray<int>(events_->dt_ps.size(), pool);
            pool.forRange(timeBins_.size(), kLinesOfATable, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    timeBins_[i] = events_->tof.bin(static_cast<double>(events_->dt_ps[i]));
                }
            });
        }
        return;
    }
    michelogram_ = std::get<std::shared_ptr<const Michelogram>>(model.lines);
    const Michelogram& m = *michelogram_;
    placeAxialRays(model);
    for (int slot = 0; slot < m.angles(); ++slot) {
        for (int radial = 0; radial < m.radialBins(); ++radial) {
            for (int i = 0; i < radialRays_; ++i) {
                transverse_.push_back(m.line(m.angleOfSlot(slot), radial, (i + 0.5) / radialRays_ - 0.5));
            }
        }
    }
}

void LineTable::placeAxialRays(const LineModel& model) {
    const Michelogram& m = *michelogram_;
    const double spacing = m.scanner().ringSpacing_mm;
    if (axialRays_ != LineModel::kRayPerPlane) {
        for (std::size_t s = 0; s < m.sinograms().size(); ++s) {
            for (int i = 0; i < axialRays_; ++i) {
                axialShifts_.push_back(((i + 0.5) / axialRays_ - 0.5) * spacing);
            }
        }
        return;
    }
    const double plane = model.lattice.spacing_mm[2];
    std::vector<std::vector<double>> shifts;  // per segment
    for (const RingSegment& segment : m.spec().segments) {
        // Ring differences of both parities put sinograms half a ring apart.
        const double apart = segment.minDifference < segment.maxDifference ? 0.5 * spacing : spacing;
        shifts.push_back(shiftsOfPlanes(apart, plane));
        axialRays_ = std::lcm(std::max(axialRays_, 1), static_cast<int>(shifts.back().size()));
    }
    for (const Sinogram& sinogram : m.sinograms()) {
        const std::vector<double>& own = shifts[static_cast<std::size_t>(sinogram.segment)];
        for (const double shift : own) {
            axialShifts_.insert(axialShifts_.end(), static_cast<std::size_t>(axialRays_) / own.size(), shift);
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
