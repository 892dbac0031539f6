// SPDX-License-Identifier: Apache-2.0
// Products of what both crystals of a line have, over the directions of a view's cell. Internal to
// recon/corrections.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/lattice.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/corrections/interpolation_loops.h"
#include "recon/scanner/detector.h"

namespace tof {

inline constexpr int kGroupAcross = 3;  ///< crystals of a group
inline constexpr int kGroupAlong = 4;

/// Distance of a line from the scanner's axis.
[[nodiscard]] inline double fromAxis(Vec3 p, Vec3 d) {
    const double across = std::hypot(d.x, d.y);
    return across > 0 ? std::abs(p.x * d.y - p.y * d.x) / across : 0.0;
}

[[nodiscard]] inline bool accepts(const Scanner& scanner, Vec3 one, Vec3 two) {
    const Vec3 line = two - one;
    return std::abs(line.z) <= std::sin(scanner.acceptance_rad) * norm(line) &&
           fromAxis(one, line) <= scanner.fovRadius_mm;
}

/// Crystals that are taken as one.
struct CrystalGroups {
    std::vector<std::uint32_t> of;  ///< by crystal
    std::vector<double> crystals;   ///< in each
    std::vector<Vec3> places;       ///< mean reference points
};

[[nodiscard]] inline CrystalGroups groupsOf(const Scanner& scanner) {
    const Detector detector(scanner);
    CrystalGroups groups;
    groups.of.resize(scanner.crystals.size());
    for (const DetectorModule& module : detector.modules()) {
        const int columns = (module.count[0] + kGroupAcross - 1) / kGroupAcross;
        const int rows = (module.count[1] + kGroupAlong - 1) / kGroupAlong;
        const std::size_t first = groups.crystals.size();
        groups.crystals.resize(first + static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
        groups.places.resize(groups.crystals.size());
        for (int row = 0; row < module.count[1]; ++row) {
            for (int column = 0; column < module.count[0]; ++column) {
                const std::uint32_t crystal =
                    module.ids[static_cast<std::size_t>(row) * static_cast<std::size_t>(module.count[0]) +
                               static_cast<std::size_t>(column)];
                const std::size_t group =
                    first + static_cast<std::size_t>(row / kGroupAlong) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column / kGroupAcross);
                groups.of[crystal] = static_cast<std::uint32_t>(group);
                groups.crystals[group] += 1;
                groups.places[group] = groups.places[group] + scanner.reference(crystal);
            }
        }
    }
    for (std::size_t g = 0; g < groups.places.size(); ++g) {
        groups.places[g] = (1 / groups.crystals[g]) * groups.places[g];
    }
    return groups;
}

/// A crystal that a line ends in.
struct LineEnd {
    std::uint32_t crystal = 0;
    double distance_mm = 0;  ///< to its mean depth
    double area_mm2 = 0;     ///< of the crystal's cell across the line
};

/// The crystals that lines of a scanner end in.
class LineEnds {
  public:
    explicit LineEnds(const Scanner& scanner) : scanner_(scanner), detector_(scanner) {}

    /// Both ends of the line through `p` along the unit vector `d`; nothing of a line beyond the field of
    /// view, or without crystals at one end. `room` is for whatever a line passes.
    [[nodiscard]] std::optional<std::array<LineEnd, 2>> of(Vec3 p, Vec3 d, Passages& room) const {
        if (fromAxis(p, d) > scanner_.fovRadius_mm) {
            return std::nullopt;
        }
        const std::optional<LineEnd> one = end(p, d, room);
        const std::optional<LineEnd> two = one ? end(p, -d, room) : std::nullopt;
        return two ? std::optional(std::array{*one, *two}) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<LineEnd> end(Vec3 p, Vec3 d, Passages& found) const {
        detector_.passages(p, d, found);
        for (std::size_t i = 0; i < found.size; ++i) {
            const DetectorModule& module = *found.list[i].module;
            const double cosine = dot(d, module.axes[2]);
            if (!(cosine > 1e-3)) {
                continue;
            }
            const double t = (dot(module.centre - p, module.axes[2]) + scanner_.meanDepth_mm) / cosine;
            const Vec3 q = p + t * d - module.centre;
            std::array<int, 2> cell{};
            bool inside = true;
            for (std::size_t k = 0; k < 2; ++k) {
                const double place =
                    dot(q, module.axes[k]) / module.pitch[k] + 0.5 * static_cast<double>(module.count[k]);
                cell[k] = static_cast<int>(std::floor(place));
                inside = inside && cell[k] >= 0 && cell[k] < module.count[k];
            }
            if (inside) {
                const std::uint32_t crystal =
                    module.ids[static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(module.count[0]) +
                               static_cast<std::size_t>(cell[0])];
                return LineEnd{crystal, t, module.pitch[0] * module.pitch[1] * cosine};
            }
        }
        return std::nullopt;
    }

    const Scanner& scanner_;
    Detector detector_;
};

/// Rates of singles over lines: what the density of randoms is made of.
class LineRates {
  public:
    /// Share of the pairs of two crystals that counts.
    using PairShare = std::function<double(std::uint32_t, std::uint32_t)>;

    /// Of all pairs, or of a share of them. Keeps references.
    LineRates(const std::vector<double>& rates, const Scanner& scanner, PairShare share = nullptr)
        : rates_(rates), ends_(scanner), share_(std::move(share)) {}

    /// Pairs per mm2 across the line and steradian, up to a factor that all lines share.
    /// `room` is for whatever a line passes.
    [[nodiscard]] double at(Vec3 p, Vec3 d, Passages& room) const {
        const auto ends = ends_.of(p, d, room);
        if (!ends) {
            return 0;
        }
        const auto& [one, two] = *ends;
        const double length = one.distance_mm + two.distance_mm;
        const double left = share_ ? share_(one.crystal, two.crystal) : 1.0;
        return density(one) * density(two) * length * length * left;
    }

  private:
    /// Singles per mm2 of the face, over the cosine of the incidence.
    [[nodiscard]] double density(const LineEnd& end) const { return rates_[end.crystal] / end.area_mm2; }

    const std::vector<double>& rates_;
    LineEnds ends_;
    PairShare share_;
};

/// How many azimuths and tilts views divide their directions into.
struct ViewCells {
    std::size_t azimuths = 1;
    std::size_t tilts = 1;

    explicit ViewCells(const std::vector<View>& views) {
        std::vector<double> seen;
        for (const View& view : views) {
            if (std::none_of(seen.begin(), seen.end(),
                             [&](double t) { return std::abs(t - view.theta) < 1e-9; })) {
                seen.push_back(view.theta);
            }
        }
        tilts = std::max<std::size_t>(seen.size(), 1);
        azimuths = std::max<std::size_t>(views.size() / tilts, 1);
    }
};

/// Places in [-1/2, 1/2]: the middles of equal parts.
[[nodiscard]] inline double middleOf(std::size_t i, std::size_t n) {
    return (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5;
}

/// Directions all over a view's cell. Every tilt has azimuths of its own between those of the others: few
/// that are the same in all views meet the gaps between modules in step (6 made waves of 4 % across the
/// lines).
inline constexpr std::size_t kCellAzimuths = 8;
inline constexpr std::size_t kCellTilts = 3;
inline constexpr std::size_t kCellDirections = kCellAzimuths * kCellTilts;

/// Sines of the lowest and the highest tilt of a view's cell.
[[nodiscard]] inline std::array<double, 2> sinesOf(const View& view, const ViewCells& cells,
                                                   double acceptance_rad) {
    const double half = acceptance_rad / static_cast<double>(cells.tilts);
    return {std::sin(view.theta - half), std::sin(view.theta + half)};
}

/// Calls visit(azimuth less the view's, sine of the tilt) for every direction of a view's cell.
template <class Visit>
void forDirectionsOf(const View& view, const ViewCells& cells, double acceptance_rad, const Visit& visit) {
    const auto [low, high] = sinesOf(view, cells, acceptance_rad);
    for (std::size_t i = 0; i < kCellDirections; ++i) {
        visit(middleOf(i, kCellDirections) * kPi / static_cast<double>(cells.azimuths),
              0.5 * (low + high) + middleOf(i % kCellTilts, kCellTilts) * (high - low));
    }
}

/// A view's density over its cell's directions, put on voxels; up to the common factor.
class ViewDensity {
  public:
    ViewDensity(const LineRates& rates, const Lattice& lattice, const std::vector<View>& views,
                double acceptance_rad)
        : rates_(rates), lattice_(lattice), acceptance_(acceptance_rad), cells_(views) {
        const Box box = latticeBox(lattice);
        radius_ = std::hypot(std::max(std::abs(box.low.x), std::abs(box.high.x)),
                             std::max(std::abs(box.low.y), std::abs(box.high.y)));
        across_ = Samples::covering(radius_, kLineStep_mm);
        along_ = Samples::covering(radius_, kAlongStep_mm);
        const double reach = radius_ * std::tan(acceptance_rad);
        const double half = 0.5 * (box.high.z - box.low.z) + reach;
        heights_ = Samples::covering(half, kLineStep_mm);
        heights_.first += 0.5 * (box.high.z + box.low.z);
    }

    void fill(const View& view, float* out) const {
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        std::vector<float> onGrid(along_.count * across_.count * slices, 0.0F);
        std::vector<float> table(across_.count * heights_.count);
        forDirectionsOf(view, cells_, acceptance_, [&](double turn, double sine) {
            tabulate(view.phi + turn, sine, table);
            addTable(turn, sine / std::sqrt(1 - sine * sine), table, onGrid);
        });
        const auto [low, high] = sinesOf(view, cells_, acceptance_);
        const auto weight = static_cast<float>((high - low) / kCellDirections);
        toVoxels(view, onGrid, weight, out);
    }

  private:
    static constexpr double kLineStep_mm = 4;
    static constexpr double kAlongStep_mm = 64;

    void tabulate(double azimuth, double sine, std::vector<float>& table) const {
        const double cosine = std::sqrt(1 - sine * sine);
        const Vec3 d{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        const Vec3 radial{-std::sin(azimuth), std::cos(azimuth), 0};
        Passages room;
        for (std::size_t s = 0; s < across_.count; ++s) {
            for (std::size_t z = 0; z < heights_.count; ++z) {
                Vec3 foot = across_.at(s) * radial;
                foot.z = heights_.at(z);
                table[s * heights_.count + z] = static_cast<float>(rates_.at(foot, d, room));
            }
        }
    }

    /// The lines through every point of the grid, in a direction turned from the view's.
    void addTable(double turn, double tangent, const std::vector<float>& table,
                  std::vector<float>& onGrid) const {
        const double c = std::cos(turn);
        const double n = std::sin(turn);
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        for (std::size_t u = 0; u < along_.count; ++u) {
            for (std::size_t s = 0; s < across_.count; ++s) {
                const double x = along_.at(u);
                const double y = across_.at(s);
                const Between at = across_.locate(y * c - x * n);
                const double climb = tangent * (x * c + y * n);
                float* const out = onGrid.data() + (u * across_.count + s) * slices;
                const float* const lower = table.data() + at.index * heights_.count;
                const double bottom = lattice_.centre(0, 0, 0).z - climb - heights_.first;
                addBetweenRows(lower, lower + heights_.count, at.weight, heights_.count,
                               bottom / heights_.step, lattice_.spacing_mm[2] / heights_.step, out, slices);
            }
        }
    }

    void toVoxels(const View& view, const std::vector<float>& onGrid, float weight, float* out) const {
        const double c = std::cos(view.phi);
        const double n = std::sin(view.phi);
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        const auto columns = static_cast<std::size_t>(lattice_.size[0]);
        const auto rows = static_cast<std::size_t>(lattice_.size[1]);
        std::vector<float> row(columns * slices);  // [x][z]
        for (std::size_t y = 0; y < rows; ++y) {
            for (std::size_t x = 0; x < columns; ++x) {
                const Vec3 p = lattice_.centre(static_cast<double>(x), static_cast<double>(y), 0);
                const Between u = along_.locate(p.x * c + p.y * n);
                const Between s = across_.locate(-p.x * n + p.y * c);
                const float* const a = onGrid.data() + (u.index * across_.count + s.index) * slices;
                const float* const b = a + slices;
                const float* const e = a + across_.count * slices;
                const float* const f = e + slices;
                float* const column = row.data() + x * slices;
                for (std::size_t z = 0; z < slices; ++z) {
                    column[z] = weight * ((1 - u.weight) * ((1 - s.weight) * a[z] + s.weight * b[z]) +
                                          u.weight * ((1 - s.weight) * e[z] + s.weight * f[z]));
                }
            }
            for (std::size_t z = 0; z < slices; ++z) {
                float* const to = out + (z * rows + y) * columns;
                for (std::size_t x = 0; x < columns; ++x) {
                    to[x] = row[x * slices + z];
                }
            }
        }
    }

    const LineRates& rates_;
    const Lattice& lattice_;
    double acceptance_;
    ViewCells cells_;
    double radius_ = 0;
    Samples across_;
    Samples along_;
    Samples heights_;
};

}  // namespace tof
