// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/crystal_response.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kSlopeStep = 0.08;
constexpr double kSteepest = 2.5;
constexpr double kSamePlace_mm = 0.05;
constexpr double kOpaque_perMm = 10;
/// More tables than these are made with a third of the slopes and one ray a face.
constexpr std::size_t kMostFineTables = 512;
constexpr std::uint32_t kAcross = 1;  ///< mirrored transaxially
constexpr std::uint32_t kAlong = 2;   ///< mirrored axially

/// A gap between crystals as beams see it.
struct Gap {
    double closed;  ///< slope from which on none sees through it: its width over its depth
    double spread;  ///< mean deviation of a pair's lines from their slope, all between two crystals' faces
};

/// From -`most` to `most` in even steps, and in between where gaps open to the beam. The lines of a pair
/// along them see part of a gap: the slope of their mean deviation stands for 0.
std::vector<double> slopesUpTo(double most, double step, Gap gap) {
    const int steps = std::max(1, static_cast<int>(std::ceil(most / step)));
    const double even = std::max(most, 1e-6) / steps;
    std::vector<double> right;
    if (gap.spread < gap.closed && gap.closed < 0.9 * even) {
        right = {gap.spread, gap.closed};
    }
    std::vector<double> all;
    if (right.empty()) {
        all.push_back(0);
    }
    for (int i = 1; i <= steps; ++i) {
        right.push_back(i * even);
    }
    all.insert(all.end(), right.begin(), right.end());
    std::transform(right.begin(), right.end(), std::back_inserter(all), std::negate<>());
    std::sort(all.begin(), all.end());
    return all;
}

// ---- which modules a turn of the scanner brings upon each other ----

Vec3 turned(Vec3 p, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

/// Modules by where they are.
class ModulePlaces {
  public:
    explicit ModulePlaces(const std::vector<DetectorModule>& modules) : modules_(modules) {
        for (std::uint32_t m = 0; m < modules.size(); ++m) {
            cells_[keyOf(modules[m].centre)].push_back(m);
        }
    }

    /// The module that `module` lies upon after a turn; all modules' number when there is none.
    [[nodiscard]] std::uint32_t upon(const DetectorModule& module, double angle) const {
        const Vec3 centre = turned(module.centre, angle);
        const Key middle = keyOf(centre);
        for (long dx = -1; dx <= 1; ++dx) {
            for (long dy = -1; dy <= 1; ++dy) {
                for (long dz = -1; dz <= 1; ++dz) {
                    const auto cell = cells_.find({middle[0] + dx, middle[1] + dy, middle[2] + dz});
                    if (cell == cells_.end()) {
                        continue;
                    }
                    for (const std::uint32_t other : cell->second) {
                        if (same(module, modules_[other], centre, angle)) {
                            return other;
                        }
                    }
                }
            }
        }
        return static_cast<std::uint32_t>(modules_.size());
    }

  private:
    using Key = std::array<long, 3>;
    static Key keyOf(Vec3 p) { return {std::lround(p.x), std::lround(p.y), std::lround(p.z)}; }

    static bool same(const DetectorModule& a, const DetectorModule& b, Vec3 centre, double angle) {
        constexpr double kSameDirection = 1e-3;
        bool alike = norm(b.centre - centre) < kSamePlace_mm && a.count == b.count;
        for (std::size_t k = 0; k < 3; ++k) {
            alike = alike && norm(turned(a.axes[k], angle) - b.axes[k]) < kSameDirection;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            alike = alike && std::abs(a.pitch[k] - b.pitch[k]) < kSamePlace_mm;
        }
        return alike;
    }

    const std::vector<DetectorModule>& modules_;
    std::map<Key, std::vector<std::uint32_t>> cells_;
};

/// A module's image in a mirror. Its transaxial or axial axis points back, as a module's own does.
struct Mirror {
    bool axial;     ///< z becomes height - z; else y becomes -y
    double height;  ///< mm

    [[nodiscard]] DetectorModule of(DetectorModule module) const {
        const auto turnBack = [this](Vec3& v, double origin) {
            axial ? v.z = origin - v.z : v.y = origin - v.y;
        };
        turnBack(module.centre, axial ? height : 0);
        for (Vec3& axis : module.axes) {
            turnBack(axis, 0);
        }
        Vec3& reversed = module.axes[axial ? 1 : 0];
        reversed = -reversed;
        return module;
    }
};

/// For every module the one that its image in `mirror`, turned by `angle`, lies upon; empty where one lies
/// upon none.
std::vector<std::uint32_t> partners(const std::vector<DetectorModule>& modules, const ModulePlaces& places,
                                    Mirror mirror, double angle) {
    std::vector<std::uint32_t> found(modules.size());
    std::transform(modules.begin(), modules.end(), found.begin(),
                   [&](const DetectorModule& module) { return places.upon(mirror.of(module), angle); });
    return std::find(found.begin(), found.end(), modules.size()) == found.end()
               ? found
               : std::vector<std::uint32_t>();
}

/// For every module its partners in the mirrors between both ends of the scanner and between the sides of its
/// first module.
std::array<std::vector<std::uint32_t>, 2> partnersOf(const std::vector<DetectorModule>& modules) {
    const ModulePlaces places(modules);
    const auto [low, high] = std::minmax_element(
        modules.begin(), modules.end(),
        [](const DetectorModule& a, const DetectorModule& b) { return a.centre.z < b.centre.z; });
    const Vec3 first = modules.front().centre;
    return {partners(modules, places, {false, 0}, 2 * std::atan2(first.y, first.x)),
            partners(modules, places, {true, low->centre.z + high->centre.z}, 0)};
}

/// For every module the one that stands for it: the first of those that turns by 1/n bring upon each other,
/// with the largest n for which every module meets another.
std::vector<std::uint32_t> representatives(const std::vector<DetectorModule>& modules) {
    std::vector<std::uint32_t> stands(modules.size());
    std::iota(stands.begin(), stands.end(), 0U);
    const auto level = [&](const DetectorModule& m) {
        return std::abs(m.centre.z - modules.front().centre.z) < kSamePlace_mm;
    };
    const auto inLevel = static_cast<int>(std::count_if(modules.begin(), modules.end(), level));
    const ModulePlaces places(modules);
    for (int n = inLevel; n > 1; --n) {
        if (inLevel % n != 0) {
            continue;
        }
        std::vector<std::uint32_t> next(modules.size());
        std::transform(modules.begin(), modules.end(), next.begin(),
                       [&](const DetectorModule& m) { return places.upon(m, 2 * kPi / n); });
        if (std::find(next.begin(), next.end(), modules.size()) != next.end()) {
            continue;
        }
        for (std::uint32_t m = 0; m < modules.size(); ++m) {
            for (std::uint32_t at = next[m]; at != m; at = next[at]) {
                stands[m] = std::min(stands[m], at);
            }
        }
        return stands;
    }
    return stands;
}

// ---- the area of one crystal in one beam ----

/// Points with weights that integrate over [0, length], smooth but for a kink at `kink` (anywhere).
struct Node {
    double at;
    double weight;
};
using Nodes = std::vector<Node>;

/// Gauss and Legendre's rule of three points (Abramowitz and Stegun, table 25.4), or of one, on either side
/// of the kink.
Nodes nodesOf(double length, double kink, bool fine) {
    constexpr double kOuter = 0.7745966692414834;
    const bool split = fine && kink > 0.02 * length && kink < 0.98 * length;
    Nodes nodes;
    const auto add = [&](double from, double to) {
        const double half = 0.5 * (to - from);
        const double middle = 0.5 * (to + from);
        if (!fine) {
            nodes.push_back({middle, 2 * half});
            return;
        }
        nodes.push_back({middle - kOuter * half, 5 * half / 9});
        nodes.push_back({middle, 8 * half / 9});
        nodes.push_back({middle + kOuter * half, 5 * half / 9});
    };
    add(0, split ? kink : length);
    if (split) {
        add(kink, length);
    }
    return nodes;
}

/// A crystal in a parallel beam, seen through the faces on which the beam falls.
class CrystalInBeam {
  public:
    CrystalInBeam(const Scanner& scanner, const Detector& detector, std::uint32_t crystal,
                  const std::array<Vec3, 3>& axes, std::array<double, 2> slopes)
        : detector_(detector),
          front_(scanner.crystals[crystal].front),
          axes_(axes),
          half_{0.5 * scanner.crystalSize_mm[0], 0.5 * scanner.crystalSize_mm[1]},
          depth_(scanner.crystalSize_mm[2]),
          mu_(scanner.attenuation_per_mm > 0 ? scanner.attenuation_per_mm : kOpaque_perMm),
          slopes_(slopes),
          shaded_(scanner.facesKnown),
          d_(normalized(slopes[0] * axes[0] + slopes[1] * axes[1] + axes[2])) {}

    /// mm2; `fine`: with rays on either side of where the far end of the way changes from one face to
    /// another, else one ray a face.
    [[nodiscard]] double area(bool fine) const {
        double sum = 0;
        for (const Node& t : roomBefore(0, depth_, fine)) {
            for (const Node& a : roomBefore(1, depth_, fine)) {
                sum += t.weight * a.weight * detected({placeWith(0, t.at), placeWith(1, a.at)}, 0);
            }
        }
        for (std::size_t side = 0; side < 2; ++side) {
            const double slope = std::abs(slopes_[side]);
            if (slope == 0) {
                continue;
            }
            const std::size_t other = 1 - side;
            const double through = std::min(depth_, 2 * half_[side] / slope);
            for (const Node& room : roomBefore(other, through, fine)) {
                for (const Node& z : nodesOf(depth_, depth_ - 2 * half_[side] / slope, fine)) {
                    std::array<double, 2> across{};
                    across[side] = placeWith(side, 2 * half_[side]);
                    across[other] = placeWith(other, room.at);
                    sum += slope * room.weight * z.weight * detected(across, z.at);
                }
            }
        }
        return sum * dot(d_, axes_[2]);
    }

  private:
    /// Ways that a photon has along an axis until it leaves through that side; those that leave it in `depth`
    /// apart from the others.
    [[nodiscard]] Nodes roomBefore(std::size_t axis, double depth, bool fine) const {
        return nodesOf(2 * half_[axis], std::abs(slopes_[axis]) * depth, fine);
    }
    /// The place on an axis that leaves so much room.
    [[nodiscard]] double placeWith(std::size_t axis, double room) const {
        return slopes_[axis] > 0 ? half_[axis] - room : room - half_[axis];
    }

    /// Probability that a photon which reaches the crystal's surface there is detected in it.
    [[nodiscard]] double detected(std::array<double, 2> across, double depth) const {
        const Vec3 at = front_ + across[0] * axes_[0] + across[1] * axes_[1] + depth * axes_[2];
        const double before = shaded_ ? materialBefore(at) : 0;
        return std::exp(-mu_ * before) * (1 - std::exp(-mu_ * lengthInside(across, depth)));
    }

    [[nodiscard]] double lengthInside(std::array<double, 2> across, double depth) const {
        double inDepth = depth_ - depth;
        for (std::size_t k = 0; k < 2; ++k) {
            if (slopes_[k] != 0) {
                const double room = slopes_[k] > 0 ? half_[k] - across[k] : half_[k] + across[k];
                inDepth = std::min(inDepth, room / std::abs(slopes_[k]));
            }
        }
        return inDepth / dot(d_, axes_[2]);
    }

    /// Crystal material that the photon has crossed when it comes to `at`, mm.
    [[nodiscard]] double materialBefore(Vec3 at) const {
        const double flat = d_.x * d_.x + d_.y * d_.y;
        // From where the ray is nearest to the axis, which is inside of all material for lines of the field.
        const double way = flat > 0 ? (at.x * d_.x + at.y * d_.y) / flat : 0;
        const Vec3 start = at - way * d_;
        Passages found;
        detector_.passages(start, d_, found);
        double sum = 0;
        for (std::size_t i = 0; i < found.size; ++i) {
            ModulePassage passage = found.list[i];
            passage.leave = std::min(passage.leave, way);
            if (passage.enter < passage.leave) {
                sum += Detector::walk(passage, start, d_, std::numeric_limits<double>::infinity()).material;
            }
        }
        return sum;
    }

    const Detector& detector_;
    Vec3 front_;
    std::array<Vec3, 3> axes_;
    std::array<double, 2> half_;
    double depth_;
    double mu_;
    std::array<double, 2> slopes_;
    bool shaded_;  ///< by other crystals; where sizes are not known, nobody knows by how much
    Vec3 d_;
};

/// Rows at the end of a module whose surroundings differ from those of its middle.
int endRows(const DetectorModule& module, const Detector& detector, double axialSlope) {
    const double inner = detector.innerRadius();
    const double outer = detector.outerRadius();
    // Along the longest way of a line of the field between inner and outer radius.
    const double rise = axialSlope * std::sqrt(outer * outer - inner * inner);
    return static_cast<int>(std::ceil(rise / module.pitch[1])) + 1;
}

// ---- which crystals see the same ----

class AlikeCrystals {
  public:
    using Key = std::array<std::uint32_t, 3>;  ///< module, row, column

    AlikeCrystals(const Detector& detector, double axialSlope)
        : modules_(detector.modules()),
          stands_(representatives(modules_)),
          partners_(partnersOf(modules_)),
          sharesRows_(detector.commonAxialRange().has_value()) {
        std::transform(modules_.begin(), modules_.end(), std::back_inserter(ends_), [&](const auto& module) {
            return static_cast<std::uint32_t>(endRows(module, detector, axialSlope));
        });
    }

    /// The crystal that stands for all that see the same in mirrors and after turns, and which mirrors lead
    /// to it: kAcross, kAlong or both.
    [[nodiscard]] std::pair<Key, std::uint32_t> standsFor(std::uint32_t module, std::uint32_t column,
                                                          std::uint32_t row) const {
        const auto columns = static_cast<std::uint32_t>(modules_[module].count[0]);
        const auto rows = static_cast<std::uint32_t>(modules_[module].count[1]);
        std::pair least{keyOf(module, column, row), 0U};
        for (std::uint32_t mirrors = 1; mirrors <= (kAcross | kAlong); ++mirrors) {
            const bool across = (mirrors & kAcross) != 0;
            const bool along = (mirrors & kAlong) != 0;
            if ((across && partners_[0].empty()) || (along && partners_[1].empty())) {
                continue;
            }
            const std::uint32_t beside = across ? partners_[0][module] : module;
            const Key image = keyOf(along ? partners_[1][beside] : beside,
                                    across ? columns - 1 - column : column, along ? rows - 1 - row : row);
            least = std::min(least, {image, mirrors});
        }
        return least;
    }

  private:
    /// Rows in the middle of tall modules are alike.
    [[nodiscard]] Key keyOf(std::uint32_t module, std::uint32_t column, std::uint32_t row) const {
        const auto rows = static_cast<std::uint32_t>(modules_[module].count[1]);
        const std::uint32_t ends = ends_[module];
        const bool inMiddle = sharesRows_ && row >= ends && row + ends < rows;
        return {stands_[module], inMiddle ? ends : row, column};
    }

    const std::vector<DetectorModule>& modules_;
    std::vector<std::uint32_t> stands_;
    std::array<std::vector<std::uint32_t>, 2> partners_;
    bool sharesRows_;
    std::vector<std::uint32_t> ends_;
};

}  // namespace

CrystalResponse::CrystalResponse(const Scanner& scanner, const Detector& detector, const ThreadPool& pool)
    : places_(scanner.crystals.size()) {
    for (const DetectorModule& module : detector.modules()) {
        axes_.push_back(module.axes);
    }
    chooseSlopes(scanner, detector, kSlopeStep);
    shareTables(detector);
    if (tables() > kMostFineTables) {
        fine_ = false;
        chooseSlopes(scanner, detector, 3 * kSlopeStep);
    }
    values_.resize(tables() * slopes_[0].size() * slopes_[1].size());
    pool.forRange(tables(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t table = begin; table < end; ++table) {
            fill(scanner, detector, table);
        }
    });
}

std::size_t CrystalResponse::tables() const {
    return first_.size();
}

void CrystalResponse::chooseSlopes(const Scanner& scanner, const Detector& detector, double step) {
    double across = 0;
    double nearest = std::numeric_limits<double>::infinity();
    double zLow = 0;
    double zHigh = 0;
    for (const Crystal& crystal : scanner.crystals) {
        const double radius = std::hypot(crystal.front.x, crystal.front.y);
        const Vec3 radial{crystal.front.x / radius, crystal.front.y / radius, 0};
        const double tilted = std::acos(std::clamp(dot(radial, crystal.outward), -1.0, 1.0));
        across = std::max(across, std::asin(std::min(1.0, scanner.fovRadius_mm / radius)) + tilted);
        nearest = std::min(nearest, radius);
        zLow = std::min(zLow, crystal.front.z);
        zHigh = std::max(zHigh, crystal.front.z);
    }
    const double steepest = std::tan(std::min(across, std::atan(kSteepest)));
    const double field = std::min(scanner.fovRadius_mm, 0.99 * nearest);
    const double chord = 2 * std::sqrt(nearest * nearest - field * field);
    const double tilt =
        std::min(std::tan(std::min(scanner.acceptance_rad, 0.49 * kPi)), (zHigh - zLow) / chord);
    const double axial = std::min(tilt * std::sqrt(1 + steepest * steepest), kSteepest);
    const DetectorModule& module = detector.modules().front();
    const auto gap = [&](std::size_t k) {
        // Two faces a pitch wide see each other under slopes that a triangle describes; a third is its mean
        // deviation.
        const double open = scanner.facesKnown ? module.pitch[k] - scanner.crystalSize_mm[k] : 0;
        return Gap{open / scanner.crystalSize_mm[2], module.pitch[k] / (3 * 2 * nearest)};
    };
    slopes_ = {slopesUpTo(steepest, step, gap(0)), slopesUpTo(axial, step, gap(1))};
}

void CrystalResponse::shareTables(const Detector& detector) {
    const std::vector<DetectorModule>& modules = detector.modules();
    const AlikeCrystals alike(detector, slopes_[1].back());
    std::map<AlikeCrystals::Key, Place> known;
    for (std::uint32_t m = 0; m < modules.size(); ++m) {
        const auto columns = static_cast<std::uint32_t>(modules[m].count[0]);
        for (std::uint32_t i = 0; i < modules[m].ids.size(); ++i) {
            const auto [key, flips] = alike.standsFor(m, i % columns, i / columns);
            const auto next = static_cast<std::uint32_t>(first_.size());
            const auto [entry, isNew] = known.try_emplace(key, Place{m, next, flips});
            if (isNew) {
                first_.push_back(modules[m].ids[i]);
            }
            places_[modules[m].ids[i]] = {m, entry->second.table, flips ^ entry->second.flips};
        }
    }
}

void CrystalResponse::fill(const Scanner& scanner, const Detector& detector, std::size_t table) {
    const std::uint32_t crystal = first_[table];
    float* out = values_.data() + table * slopes_[0].size() * slopes_[1].size();
    for (std::size_t t = 0; t < slopes_[0].size(); ++t) {
        for (std::size_t a = 0; a < slopes_[1].size(); ++a) {
            const CrystalInBeam beam(scanner, detector, crystal, axes_[places_[crystal].module],
                                     {slopes_[0][t], slopes_[1][a]});
            *out++ = static_cast<float>(beam.area(fine_));
        }
    }
}

double CrystalResponse::area(std::uint32_t crystal, Vec3 direction) const {
    const Place place = places_[crystal];
    const std::array<Vec3, 3>& axes = axes_[place.module];
    const double outward = dot(direction, axes[2]);
    if (!(outward > 0)) {
        return 0;
    }
    const auto locate = [](double slope, const Slopes& slopes) {
        const double within = std::clamp(slope, slopes.front(), slopes.back());
        const auto above = std::upper_bound(slopes.begin() + 1, slopes.end() - 1, within);
        const auto index = static_cast<std::size_t>(above - slopes.begin()) - 1;
        return std::pair{index, (within - slopes[index]) / (slopes[index + 1] - slopes[index])};
    };
    const double across = dot(direction, axes[0]) / outward;
    const double along = dot(direction, axes[1]) / outward;
    const auto [t, wt] = locate((place.flips & kAcross) != 0 ? -across : across, slopes_[0]);
    const auto [a, wa] = locate((place.flips & kAlong) != 0 ? -along : along, slopes_[1]);
    const std::size_t columns = slopes_[1].size();
    const float* const low = values_.data() + (place.table * slopes_[0].size() + t) * columns + a;
    const float* const high = low + columns;
    return (1 - wt) * ((1 - wa) * static_cast<double>(low[0]) + wa * static_cast<double>(low[1])) +
           wt * ((1 - wa) * static_cast<double>(high[0]) + wa * static_cast<double>(high[1]));
}

PairFactors::PairFactors(const Scanner& scanner, const ThreadPool& pool, std::vector<double> recorded)
    : detector_(scanner),
      response_(scanner, detector_, pool),
      points_(referencePoints(scanner)),
      recorded_(std::move(recorded)),
      sinAcceptance_(std::sin(std::min(scanner.acceptance_rad, 0.5 * kPi))) {}

double PairFactors::of(std::uint32_t crystal1, std::uint32_t crystal2) const {
    const Vec3 line = points_[crystal2] - points_[crystal1];
    const double distance = norm(line);
    if (!(distance > 0) || std::abs(line.z) > sinAcceptance_ * distance) {
        return 0;
    }
    const Vec3 d = (1 / distance) * line;
    const double recorded = recorded_.empty() ? 1.0 : recorded_[crystal1] * recorded_[crystal2];
    return recorded * response_.area(crystal1, -d) * response_.area(crystal2, d) /
           (2 * kPi * distance * distance);
}

bool knowsEfficiencies(const Scanner& scanner) {
    return scanner.attenuation_per_mm > 0;
}

}  // namespace tof
