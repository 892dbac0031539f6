// SPDX-License-Identifier: Apache-2.0
#include "recon/data/line_data.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/json_text.h"
#include "recon/data/framed_counts.h"

namespace tof {

namespace {

double square(double x) {
    return x * x;
}

}  // namespace

bool PossibleLines::accepts(Vec3 one, Vec3 two) const {
    const double across = square(two.x - one.x) + square(two.y - one.y);
    // A hair less than the radius: pairs in one flat module, on which nothing can be measured, lie on it.
    if (!(square(one.x * two.y - one.y * two.x) < square(0.9999 * radius_mm) * across)) {
        return false;
    }
    const double rise = square(two.z - one.z);
    return acceptance_rad >= kEveryTilt_rad || rise <= square(std::sin(acceptance_rad)) * (across + rise);
}

namespace {

double voxelVolume(const Lattice& lattice) {
    return lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
}

void scale(std::vector<float>& values, double factor) {
    std::transform(values.begin(), values.end(), values.begin(),
                   [factor](float v) { return static_cast<float>(factor * static_cast<double>(v)); });
}

}  // namespace

void fitVoxels(SinogramData& data, const Lattice& to) {
    if (data.absolute) {
        scale(data.mult, voxelVolume(data.lattice) / voxelVolume(to));
    }
    data.lattice = to;
}

void fitVoxels(LineData& data, const Lattice& to) {
    if (data.absolute) {
        const double factor = voxelVolume(data.lattice) / voxelVolume(to);
        scale(data.mult, factor);
        scale(data.possible.mult, factor);
    }
    data.lattice = to;
}

std::string LineData::scannerJson() const {
    if (michelogram) {
        return michelogram->spec().toJson();
    }
    return jsonText(nlohmann::ordered_json{{"kind", "lines"}, {"name", scanner}, {"crystals", crystals()}});
}

Lattice defaultLattice(const std::vector<Vec3>& points, double radius_mm) {
    constexpr int kAcross = 100;
    double low = 0;
    double high = 0;
    for (const Vec3& p : points) {
        low = std::min(low, p.z);
        high = std::max(high, p.z);
    }
    const double edge = 2 * radius_mm / kAcross;
    const int planes = std::clamp(static_cast<int>(std::ceil(2 * std::max(-low, high) / edge)) | 1, 1, 1001);
    return Lattice::centred({kAcross, kAcross, planes}, {edge, edge, edge});
}

LineData someLines(const LineData& list, std::span<const std::uint32_t> which) {
    LineData some = list;
    auto lines = std::make_shared<LineEvents>();
    lines->points = list.events->points;
    lines->tof = list.events->tof;
    const auto choose = [&](const auto& all, auto& out) {
        out.clear();
        out.reserve(all.empty() ? 0 : which.size());
        for (std::size_t i = 0; !all.empty() && i < which.size(); ++i) {
            out.push_back(all[which[i]]);
        }
    };
    choose(list.events->pairs, lines->pairs);
    choose(list.events->dt_ps, lines->dt_ps);
    choose(list.mult, some.mult);
    choose(list.add, some.add);
    lines->eventsPerPart = usualPartSize(which.size());
    some.events = std::move(lines);
    return some;
}

void keepFramed(LineData& list) {
    auto frames = std::make_shared<FramedCounts>(*list.frames);
    std::vector<std::uint32_t> numbers(list.events->pairs.size(), kNoCell);
    for (const FrameCounts& frame : frames->frames) {
        for (const std::uint32_t line : frame.voxels) {
            numbers[line] = 0;
        }
    }
    std::vector<std::uint32_t> stay;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != kNoCell) {
            numbers[i] = static_cast<std::uint32_t>(stay.size());
            stay.push_back(static_cast<std::uint32_t>(i));
        }
    }
    if (stay.size() == numbers.size()) {
        return;
    }
    for (FrameCounts& frame : frames->frames) {
        std::transform(frame.voxels.begin(), frame.voxels.end(), frame.voxels.begin(),
                       [&](std::uint32_t line) { return numbers[line]; });
    }
    list = someLines(list, stay);
    list.frames = std::move(frames);
}

}  // namespace tof
