// SPDX-License-Identifier: Apache-2.0
#include "recon/data/framed_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"
#include "recon/physics/nuclide.h"

namespace tof {

void FrameCounts::requireFit(std::size_t counts, std::size_t cellsPerPart) const {
    if (firsts.empty() || counts != (firsts.size() - 1) * cellsPerPart || voxels.size() != firsts.back()) {
        throw InternalError("a frame does not fit its parts");
    }
}

void FrameCounts::expandPart(std::size_t part, std::span<float> counts) const {
    std::fill(counts.begin(), counts.end(), 0.0F);
    for (std::uint64_t i = firsts[part]; i < firsts[part + 1]; ++i) {
        counts[voxels[i]] += 1.0F;
    }
}

void FrameCounts::expandInto(std::span<float> counts, std::size_t cellsPerPart) const {
    requireFit(counts.size(), cellsPerPart);
    for (std::size_t part = 0; part + 1 < firsts.size(); ++part) {
        expandPart(part, counts.subspan(part * cellsPerPart, cellsPerPart));
    }
}

void FrameCounts::expandInto(std::span<float> counts, std::size_t cellsPerPart,
                             const ThreadPool& pool) const {
    requireFit(counts.size(), cellsPerPart);
    pool.forRange(firsts.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            expandPart(part, counts.subspan(part * cellsPerPart, cellsPerPart));
        }
    });
}

std::span<const std::uint32_t> FramedCounts::cellsOf(std::size_t frame,
                                                     std::vector<std::uint32_t>& room) const {
    if (stored == nullptr) {
        return frames.at(frame).voxels;
    }
    room = stored->read(frame);
    return room;
}

double FramedCounts::addShareOf(std::size_t frame) const {
    const FrameCounts& one = frames.at(frame);
    const std::uint64_t all = one.addShare < 0 ? kept() : 0;
    return all > 0 ? static_cast<double>(one.kept) / static_cast<double>(all) : std::max(0.0, one.addShare);
}

double FramedCounts::moreRandomsOf(std::size_t frame) const {
    const double share = frames.at(frame).randomsShare;
    return randoms != nullptr && share >= 0 ? share - addShareOf(frame) : 0;
}

std::size_t FramedCounts::alikeTo(std::size_t frame) const {
    constexpr double kAlike = 1e-6;
    const std::vector<double>& own = frames.at(frame).moved.shares;
    const auto found = std::find_if(frames.begin(), frames.end(), [&](const FrameCounts& other) {
        const std::vector<double>& shares = other.moved.shares;
        return std::equal(shares.begin(), shares.end(), own.begin(), own.end(),
                          [](double a, double b) { return std::abs(a - b) < kAlike; });
    });
    return static_cast<std::size_t>(found - frames.begin());
}

std::uint64_t FramedCounts::kept() const {
    return std::accumulate(frames.begin(), frames.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const FrameCounts& one) { return sum + one.kept; });
}

std::shared_ptr<const FramedCounts> withAddShares(FramedCounts frames, const std::vector<double>& parts) {
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    for (std::size_t i = 0; all > 0 && i < frames.frames.size(); ++i) {
        frames.frames[i].addShare = i < parts.size() ? parts[i] / all : 0.0;
    }
    return std::make_shared<const FramedCounts>(std::move(frames));
}

double FramedCounts::halfLife_s() const {
    return nuclide.empty() ? 0.0 : petNuclide(nuclide).halfLife_s;
}

double FramedCounts::decayFactorOf(std::size_t frame) const {
    if (nuclide.empty()) {
        return 1.0;
    }
    const FrameCounts& one = frames.at(frame);
    return one.gatedDecay > 0 ? one.gatedDecay : decayFactor(one.time, halfLife_s());
}

double FramedCounts::perSecond(std::size_t frame) const {
    const FrameCounts& one = frames.at(frame);
    return decayFactorOf(frame) / (one.measured_s() * one.live);
}

double FramedCounts::concentrationPerEmission(std::size_t frame, double voxel_mm3) const {
    constexpr double kMm3PerMl = 1000;
    const double perMlAndS = kMm3PerMl / voxel_mm3 * perSecond(frame);
    return nuclide.empty() ? perMlAndS : perMlAndS / petNuclide(nuclide).branching;
}

}  // namespace tof
