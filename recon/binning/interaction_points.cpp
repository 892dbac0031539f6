// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/interaction_points.h"

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

constexpr int kRaysPerPitch = 12;
constexpr int kDepthsPerRay = 32;

bool alike(const DetectorModule& a, const DetectorModule& b) {
    constexpr double kSame_mm = 0.005;
    const auto same = [](double x, double y) { return std::abs(x - y) < kSame_mm; };
    return a.count == b.count && std::equal(a.pitch.begin(), a.pitch.end(), b.pitch.begin(), same) &&
           std::equal(a.crystal.begin(), a.crystal.end(), b.crystal.begin(), same);
}

}  // namespace

InteractionPoints::InteractionPoints(const Scanner& scanner, const ThreadPool& pool) {
    if (!(scanner.attenuation_per_mm > 0)) {
        places_.resize(scanner.crystals.size());
        for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
            places_[c].reference = scanner.reference(c);
        }
        axes_.resize(1);  // without an outward direction: at() stops there
        return;
    }
    const Detector detector(scanner);
    place(scanner, detector);
    const std::size_t kinds = representatives_.size();
    pool.forRange(kinds * kSlopes, 1, [&](std::size_t task, std::size_t) {
        const std::size_t kind = task / kSlopes;
        const std::size_t slope = task % kSlopes;
        const std::vector<Shift> shifts = shiftsOf(scanner, detector, representatives_[kind], slopeAt(slope));
        for (std::size_t column = 0; column < shifts.size(); ++column) {
            shifts_[(firstRow_[kind] + column) * kSlopes + slope] = shifts[column];
        }
    });
}

/// Finds the kinds of modules and each crystal's row of the table.
void InteractionPoints::place(const Scanner& scanner, const Detector& detector) {
    const std::vector<DetectorModule>& modules = detector.modules();
    places_.resize(scanner.crystals.size());
    std::size_t rows = 0;
    for (std::size_t m = 0; m < modules.size(); ++m) {
        const auto known = std::find_if(representatives_.begin(), representatives_.end(),
                                        [&](std::size_t r) { return alike(modules[r], modules[m]); });
        const auto kind = static_cast<std::size_t>(known - representatives_.begin());
        const auto columns = static_cast<std::size_t>(modules[m].count[0]);
        axes_.push_back({modules[m].axes[0], modules[m].axes[2]});
        if (known == representatives_.end()) {
            representatives_.push_back(m);
            firstRow_.push_back(rows);
            rows += columns;
        }
        for (std::size_t i = 0; i < modules[m].ids.size(); ++i) {
            const std::uint32_t c = modules[m].ids[i];
            places_[c] = {scanner.reference(c), static_cast<std::uint32_t>(m),
                          static_cast<std::uint32_t>(firstRow_[kind] + i % columns)};
        }
    }
    shifts_.resize(rows * kSlopes);
}

/// One shift per transaxial place in the module. Rays of one slope cross its middle row; each gives the
/// depths at which equal shares of its photons interact.
std::vector<InteractionPoints::Shift> InteractionPoints::shiftsOf(const Scanner& scanner,
                                                                  const Detector& detector, std::size_t index,
                                                                  double slope) const {
    struct Sum {
        double weight = 0;
        Vec3 point;
    };
    const DetectorModule& module = detector.modules()[index];
    const auto columns = static_cast<std::size_t>(module.count[0]);
    const std::size_t firstRow = places_[module.ids.front()].row;
    const Vec3 middle = scanner.crystals[module.ids[module.ids.size() / 2]].front;
    const Vec3 row = module.centre + dot(middle - module.centre, module.axes[1]) * module.axes[1];
    const Vec3 d = normalized(slope * module.axes[0] + module.axes[2]);
    const double mu = scanner.attenuation_per_mm;
    const double step = module.pitch[0] / kRaysPerPitch;
    const double reach = module.half(0) + std::abs(slope) * module.crystal[2];
    const auto rays = static_cast<int>(std::ceil(2 * reach / step));
    // Rays begin well inside the ring, so that they meet a neighbour's corner on their way.
    const double before = 0.25 * detector.innerRadius();
    std::vector<Sum> sums(columns);
    for (int ray = 0; ray < rays; ++ray) {
        const double across = (ray + 0.5 - 0.5 * rays) * step;
        const Vec3 start = row + across * module.axes[0] - before * d;
        Passages passed;
        detector.passages(start, d, passed);
        const double interacts = -std::expm1(-mu * Detector::material(passed, start, d));
        for (int k = 0; k < kDepthsPerRay && interacts > 0; ++k) {
            const double share = (k + 0.5) / kDepthsPerRay * interacts;
            const auto hit = Detector::follow(passed, start, d, -std::log1p(-share) / mu);
            if (hit && places_[hit->crystal].module == index) {
                const Place& at = places_[hit->crystal];
                Sum& sum = sums[at.row - firstRow];
                sum.weight += interacts;
                sum.point = sum.point + interacts * (start + hit->distance * d - at.reference);
            }
        }
    }
    // The scanner's own mean depth is kept for photons met head-on, whatever it was set to.
    const double headOn = meanInteractionDepth(mu, module.crystal[2]) - scanner.meanDepth_mm;
    std::vector<Shift> shifts(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        if (sums[c].weight > 0) {
            const Vec3 mean = (1 / sums[c].weight) * sums[c].point;
            shifts[c] = {static_cast<float>(dot(mean, module.axes[0])),
                         static_cast<float>(dot(mean, module.axes[2]) - headOn)};
        }
    }
    return shifts;
}

double InteractionPoints::farthest() const {
    double most = 0;
    for (const Shift& shift : shifts_) {
        most = std::max(most,
                        std::hypot(static_cast<double>(shift.transaxial), static_cast<double>(shift.inward)));
    }
    return most;
}

}  // namespace tof
