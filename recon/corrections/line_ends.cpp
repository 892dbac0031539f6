// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/line_ends.h"

#include <algorithm>
#include <limits>

#include "recon/base/box.h"

namespace tof {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kGrazing = 1e-3;  ///< least cosine of the incidence
constexpr double kRounding_mm = 1e-6;

/// Where a line meets a module as one sees it along the module's axial axis.
struct Meeting {
    Interval inside;  ///< where the line is within the module's width and depth, from its point on
    double distance_mm = 0;
    double area_mm2 = 0;
    int column = 0;
};

double slotOf(const DetectorModule& module, double place, std::size_t axis) {
    return place / module.pitch[axis] + 0.5 * static_cast<double>(module.count[axis]);
}

bool isSlot(const DetectorModule& module, double slot, std::size_t axis) {
    return slot >= 0 && slot < static_cast<double>(module.count[axis]);
}

std::optional<Meeting> meet(const DetectorModule& module, double depth, Vec3 p, Vec3 d) {
    const double cosine = dot(d, module.axes[2]);
    if (!(cosine > kGrazing)) {
        return std::nullopt;
    }
    const Vec3 q = p - module.centre;
    const Interval wide =
        insideSlab(dot(q, module.axes[0]), dot(d, module.axes[0]), -module.half(0), module.half(0));
    const Interval deep = insideSlab(dot(q, module.axes[2]), cosine, 0, module.crystal[2]);
    const Interval inside = overlap(Interval{0, kForever}, overlap(wide, deep));
    const double distance = (depth - dot(q, module.axes[2])) / cosine;
    const double slot = slotOf(module, dot(p + distance * d - module.centre, module.axes[0]), 0);
    if (!(inside.begin < inside.end) || !isSlot(module, slot, 0)) {
        return std::nullopt;
    }
    return Meeting{inside, distance, module.pitch[0] * module.pitch[1] * cosine, static_cast<int>(slot)};
}

/// The part inside the module's height, too, of a line that is at `q` along its axial axis and rises by
/// `speed`.
Interval within(const DetectorModule& module, const Meeting& meeting, double q, double speed) {
    return overlap(meeting.inside, insideSlab(q, speed, -module.half(1), module.half(1)));
}

std::uint32_t crystalAt(const DetectorModule& module, int column, double slot) {
    return module.ids[static_cast<std::size_t>(slot) * static_cast<std::size_t>(module.count[0]) +
                      static_cast<std::size_t>(column)];
}

/// How far a module reaches along a direction from the middle of its box.
double reachOf(const DetectorModule& module, Vec3 direction) {
    return std::abs(module.half(0) * dot(module.axes[0], direction)) +
           std::abs(module.half(1) * dot(module.axes[1], direction)) +
           std::abs(0.5 * module.crystal[2] * dot(module.axes[2], direction));
}

bool standsUpright(const DetectorModule& module) {
    return module.axes[0].z == 0 && module.axes[2].z == 0;
}

}  // namespace

LineEnds::LineEnds(const Scanner& scanner)
    : detector_(scanner),
      meanDepth_(scanner.meanDepth_mm),
      fovRadius_(scanner.fovRadius_mm),
      upright_(std::all_of(modules().begin(), modules().end(), standsUpright)) {}

ParallelLines::ParallelLines(const LineEnds& ends, Vec3 d) : ends_(ends), towards_{d, -d} {
    const double across = std::hypot(d.x, d.y);
    if (!(across > 0) || !(ends.fovRadius_mm() > 0)) {
        return;
    }
    const Vec3 flat{d.x / across, d.y / across, 0};
    radial_ = {-flat.y, flat.x, 0};
    perBin_ = kBins / (2 * ends.fovRadius_mm());
    for (const DetectorModule& module : ends.modules()) {
        const Vec3 middle = module.centre + 0.5 * module.crystal[2] * module.axes[2];
        const double at = dot(middle, radial_);
        const double reach = reachOf(module, radial_) + kRounding_mm;
        if (std::abs(at) > reach + ends.fovRadius_mm()) {
            continue;
        }
        const double ahead = dot(middle, flat);
        const double deep = reachOf(module, flat);
        for (std::size_t side = 0; side < 2; ++side) {
            if ((side == 0 ? ahead : -ahead) > -deep) {
                for (std::size_t bin = binOf(at - reach); bin <= binOf(at + reach); ++bin) {
                    modules_[side][bin].push_back(&module);
                }
            }
        }
    }
}

std::optional<std::array<LineEnd, 2>> ParallelLines::of(Vec3 p) const {
    if (!withinFov(p)) {
        return std::nullopt;
    }
    const std::optional<LineEnd> one = end(p, 0);
    const std::optional<LineEnd> two = one ? end(p, 1) : std::nullopt;
    return two ? std::optional(std::array{*one, *two}) : std::nullopt;
}

bool ParallelLines::ofColumn(Vec3 foot, const Samples& heights, LineColumn& column) const {
    if (!withinFov(foot)) {
        return false;
    }
    for (std::size_t side = 0; side < 2; ++side) {
        column.ends[side].assign(heights.count, LineEnd{});
        if (ends_.upright()) {
            sideOfColumn(foot, heights, side, column);
            continue;
        }
        for (std::size_t z = 0; z < heights.count; ++z) {
            column.ends[side][z] = end({foot.x, foot.y, heights.at(z)}, side).value_or(LineEnd{});
        }
    }
    return true;
}

bool ParallelLines::withinFov(Vec3 p) const {
    return perBin_ > 0 && fromAxis(p, towards_[0]) <= ends_.fovRadius_mm();
}

std::size_t ParallelLines::binOf(double radial) const {
    const double bin = (radial + ends_.fovRadius_mm()) * perBin_;
    return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(kBins - 1)));
}

const ParallelLines::Modules& ParallelLines::near(Vec3 p, std::size_t side) const {
    return modules_[side][binOf(dot(p, radial_))];
}

void ParallelLines::sideOfColumn(Vec3 foot, const Samples& heights, std::size_t side,
                                 LineColumn& column) const {
    const Vec3 d = towards_[side];
    column.enter.assign(heights.count, kForever);
    for (const DetectorModule* const module : near(foot, side)) {
        const std::optional<Meeting> meeting = meet(*module, ends_.meanDepth_mm(), foot, d);
        if (!meeting) {
            continue;
        }
        const double up = module->axes[1].z;
        const double climb = meeting->distance_mm * d.z;
        for (std::size_t z = 0; z < heights.count; ++z) {
            const double height = heights.at(z);
            const Interval inside = within(*module, *meeting, (height - module->centre.z) * up, d.z * up);
            const double slot = slotOf(*module, (height + climb - module->centre.z) * up, 1);
            if (inside.begin < inside.end && inside.begin < column.enter[z] && isSlot(*module, slot, 1)) {
                column.enter[z] = inside.begin;
                column.ends[side][z] = {crystalAt(*module, meeting->column, slot), meeting->distance_mm,
                                        meeting->area_mm2};
            }
        }
    }
}

std::optional<LineEnd> ParallelLines::end(Vec3 p, std::size_t side) const {
    const Vec3 d = towards_[side];
    double enter = kForever;
    std::optional<LineEnd> nearest;
    for (const DetectorModule* const module : near(p, side)) {
        const std::optional<Meeting> meeting = meet(*module, ends_.meanDepth_mm(), p, d);
        if (!meeting) {
            continue;
        }
        const Vec3& axial = module->axes[1];
        const Interval inside = within(*module, *meeting, dot(p - module->centre, axial), dot(d, axial));
        const double slot = slotOf(*module, dot(p + meeting->distance_mm * d - module->centre, axial), 1);
        if (inside.begin < inside.end && inside.begin < enter && isSlot(*module, slot, 1)) {
            enter = inside.begin;
            nearest =
                LineEnd{crystalAt(*module, meeting->column, slot), meeting->distance_mm, meeting->area_mm2};
        }
    }
    return nearest;
}

}  // namespace tof
