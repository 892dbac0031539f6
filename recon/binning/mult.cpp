// SPDX-License-Identifier: Apache-2.0
// The factors mult and att of docs/model.md section 3; docs/simulation.md gives the formulas.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/binning.h"
#include "recon/binning/cell_edges.h"
#include "recon/binning/detector_response.h"
#include "recon/binning/line_survival.h"
#include "recon/binning/mixed_voxels.h"
#include "recon/binning/samples.h"
#include "recon/simulate/recorded_share.h"

namespace tof {

namespace {

// Directions: gaps between modules cast shadows a few mm wide, and 2.25 degrees move a line by 18 mm at the
// ring, so azimuth needs many; the response has a kink at tilt 0, which an even number of tilts steps over.
constexpr std::size_t kAzimuthsPerStep = 12;
constexpr double kAzimuthStep_deg = 4.6;
constexpr std::size_t kTiltsPerStep = 4;
constexpr double kTiltStep_deg = 6.8;
constexpr double kRadialStep_mm = 2;
constexpr std::size_t kFiner = 2;  // survival falls by half on the last 4 mm of a body
constexpr double kAlongStep_mm = 64;
constexpr double kHeightStep_mm = 2;  ///< at most; a body may end within a slice

/// How many directions cover a cell `width` wide.
std::size_t directions(double width_rad, double step_deg, std::size_t perStep) {
    return perStep * static_cast<std::size_t>(std::ceil(width_rad / (step_deg * kRadPerDeg)));
}

/// Share of a tilt that lies in the zone at an edge; tilts are counted from that edge.
float zoneShare(std::size_t tilt, std::size_t tilts) {
    const double zone = CellEdges::kZone * static_cast<double>(tilts);
    return static_cast<float>(std::clamp(zone - static_cast<double>(tilt), 0.0, 1.0));
}

/// Places in a cell from -1/2 to 1/2, a different one for each i of n, all equally spaced, neighbours far
/// apart.
double scattered(std::size_t i, std::size_t n) {
    const std::size_t place = i % 2 == 0 ? n / 2 + i / 2 : i / 2;
    return (static_cast<double>(place) + 0.5) / static_cast<double>(n) - 0.5;
}

/// A transverse direction and the radial one beside it.
struct Heading {
    explicit Heading(double azimuth)
        : along{std::cos(azimuth), std::sin(azimuth), 0}, radial{-along.y, along.x, 0} {}
    Vec3 along;
    Vec3 radial;
};

/// The smallest part of a volume that holds all that is not zero; empty when nothing is.
std::optional<Volume> cropped(const Volume& volume) {
    VoxelIndex low = volume.lattice.size;
    VoxelIndex high{-1, -1, -1};
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        if (volume.at(x, y, z) != 0) {
            const VoxelIndex at{x, y, z};
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], at[k]);
                high[k] = std::max(high[k], at[k]);
            }
        }
    });
    if (high[0] < 0) {
        return std::nullopt;
    }
    Lattice part = volume.lattice;
    part.origin_mm = volume.lattice.centre(low);
    part.size = {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
    Volume result(part);
    part.forEachVoxel(
        [&](int x, int y, int z) { result.at(x, y, z) = volume.at(x + low[0], y + low[1], z + low[2]); });
    return result;
}

/// Fills the factors of one view after the other; what is shared does not change.
///
/// A line is known by its direction, its signed distance s from the axis and its height z0 where it passes
/// the axis. For each direction of a cell tables over (s, z0) say how likely a pair on that line
/// survives and how likely it is then recorded. A voxel's mult is the mean of the latter over directions of
/// the line through it, its att the mean of the former weighted with the latter: the product is the mean of
/// the product. Where nothing is recorded, whose events blur may still carry to where it is, all directions
/// weigh the same. Factors are taken at grid points (along, s) of every slice, or of the equal parts it is
/// looked at in, then interpolated to the voxels. The att of a voxel that matter fills in part is the mean
/// over that part.
class MultBuilder {
  public:
    MultBuilder(const Lattice& lattice, const ViewGrid& grid, const Scanner& scanner, const FaceSpread& faces,
                const Volume* attenuation, const ThreadPool& pool)
        : lattice_(lattice),
          grid_(grid),
          detector_(scanner),
          efficiency_(detector_, scanner.attenuation_per_mm, recordedShare(scanner, detector_)),
          axialRange_(detector_.commonAxialRange()),
          attenuation_(attenuation != nullptr ? cropped(*attenuation) : std::nullopt) {
        const Vec3 first = lattice.centre(0, 0, 0);
        const Vec3 last = lattice.centre(lattice.size[0] - 1, lattice.size[1] - 1, lattice.size[2] - 1);
        const double x = std::max(std::abs(first.x), std::abs(last.x));
        const double y = std::max(std::abs(first.y), std::abs(last.y));
        // Lines through points further out than the crystals are none of the scanner's.
        radius_ = std::max(1.0, std::min(std::hypot(x, y), detector_.innerRadius() - 1));
        coarse_ = Samples::covering(radius_, kRadialStep_mm);
        radial_ = coarse_.split(kFiner);
        along_ = Samples::covering(radius_, kAlongStep_mm);
        // Heights are the centres of the slices' parts, and reach as far below and above as tilted lines
        // through the lattice do.
        perSlice_ = static_cast<std::size_t>(std::ceil(lattice.spacing_mm[2] / kHeightStep_mm));
        parts_ = static_cast<std::size_t>(lattice.size[2]) * perSlice_;
        const double step = lattice.spacing_mm[2] / static_cast<double>(perSlice_);
        lowest_ = first.z + MixedVoxels::offset(0, perSlice_) * lattice.spacing_mm[2];
        below_ = static_cast<std::size_t>(std::ceil(radius_ * std::tan(grid.acceptance()) / step)) + 1;
        heights_ = {parts_ + 2 * below_, lowest_ - static_cast<double>(below_) * step, step};
        if (attenuation_) {
            mixed_.emplace(lattice, *attenuation_, perSlice_);
            lines_.emplace(*attenuation_, heights_, std::tan(grid.acceptance()));
        }
        azimuths_ = directions(kPi / grid.azimuths(), kAzimuthStep_deg, kAzimuthsPerStep);
        tilts_ = directions(2 * grid.acceptance() / grid.tilts(), kTiltStep_deg, kTiltsPerStep);
        edges_ = std::make_unique<CellEdges>(scanner, faces, detector_, grid, coarse_, pool);
    }

    /// False where mu is zero everywhere, too.
    [[nodiscard]] bool attenuates() const { return attenuation_.has_value(); }

    /// `att` is null where nothing attenuates.
    void fill(std::size_t view, float* mult, float* att) const {
        const OnGrid onGrid = sampled(view);
        toVoxels(view, onGrid.mult, mult);
        if (att != nullptr) {
            toVoxels(view, onGrid.att, att);
            toMixedVoxels(view, onGrid.attOfParts, att);
        }
    }

  private:
    /// Values at the grid points [along][radial][slice] of a view.
    struct OnGrid {
        std::vector<float> mult;
        std::vector<float> att;         ///< empty where nothing attenuates
        std::vector<float> attOfParts;  ///< of the parts of slices, [along][radial][part]
    };

    void toVoxels(std::size_t view, const std::vector<float>& onGrid, float* volume) const {
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        const auto columns = static_cast<std::size_t>(lattice_.size[0]);
        const auto rows = static_cast<std::size_t>(lattice_.size[1]);
        const Heading heading(grid_.view(view).phi);
        std::vector<float> row(slices * columns);
        for (std::size_t y = 0; y < rows; ++y) {
            for (std::size_t x = 0; x < columns; ++x) {
                const Vec3 p = lattice_.centre(static_cast<double>(x), static_cast<double>(y), 0);
                interpolate(onGrid, heading, p, row.data() + x, columns);
            }
            for (std::size_t z = 0; z < slices; ++z) {
                std::copy_n(row.data() + z * columns, columns, volume + (z * rows + y) * columns);
            }
        }
    }

    void toMixedVoxels(std::size_t view, const std::vector<float>& onGrid, float* volume) const {
        const Heading heading(grid_.view(view).phi);
        const std::size_t across = mixed_->across();
        const auto columns = static_cast<std::size_t>(lattice_.size[0]);
        const auto rows = static_cast<std::size_t>(lattice_.size[1]);
        for (std::size_t i = 0; i < mixed_->voxels().size(); ++i) {
            const MixedVoxels::Voxel& at = mixed_->voxels()[i];
            const auto slice = static_cast<std::size_t>(at.z);
            double mean = 0;
            for (std::size_t y = 0; y < across; ++y) {
                for (std::size_t x = 0; x < across; ++x) {
                    const Vec3 p = lattice_.centre(at.x + MixedVoxels::offset(x, across),
                                                   at.y + MixedVoxels::offset(y, across), 0);
                    const Corners corners(*this, onGrid, heading, p, parts_);
                    const float* share = mixed_->shares(i) + y * across + x;
                    for (std::size_t z = 0; z < perSlice_; ++z) {
                        mean += static_cast<double>(share[z * across * across]) *
                                static_cast<double>(corners.at(slice * perSlice_ + z));
                    }
                }
            }
            volume[(slice * rows + static_cast<std::size_t>(at.y)) * columns +
                   static_cast<std::size_t>(at.x)] = static_cast<float>(mean);
        }
    }

    /// Sums over the parts of each slice, divided by their number.
    [[nodiscard]] std::vector<float> meanOfParts(const std::vector<float>& parts) const {
        std::vector<float> slices(parts.size() / perSlice_, 0.0F);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            slices[i / perSlice_] += parts[i] / static_cast<float>(perSlice_);
        }
        return slices;
    }

    [[nodiscard]] OnGrid sampled(std::size_t view) const {
        const View centre = grid_.view(view);
        const double half = grid_.acceptance() / grid_.tilts();
        const double sinLow = std::sin(centre.theta - half);
        const double sinHigh = std::sin(centre.theta + half);
        const double width = kPi / grid_.azimuths();
        const std::size_t points = along_.count * radial_.count * parts_;
        std::vector<float> mult(points, 0.0F);
        std::vector<float> att(attenuation_ ? points : 0, 0.0F);
        std::vector<float> survived(att.size(), 0.0F);
        std::vector<Turn> turns = turnsOf(width);
        Turn straight{0, std::vector<float>(radial_.count * heights_.count)};
        for (Turn& turn : turns) {
            turn.values.resize(straight.values.size());
        }
        std::vector<float> onCoarse(coarse_.count * heights_.count);
        for (std::size_t tilt = 0; tilt < tilts_; ++tilt) {
            const double sine =
                sinLow + (static_cast<double>(tilt) + 0.5) / static_cast<double>(tilts_) * (sinHigh - sinLow);
            const double tangent = sine / std::sqrt(1 - sine * sine);
            for (std::size_t k = 0; k < azimuths_; ++k) {
                fillRecorded(Heading(centre.phi + turns[k].angle), tangent, onCoarse);
                weighEdges(view, tilt, k, onCoarse);
                refine(onCoarse, turns[k].values);
            }
            add(turns, tangent, mult);
            if (attenuation_) {
                // What is left after attenuation changes slowly with azimuth at the same s and z0: one for
                // each tilt is enough. They differ, or a whole row of lines would run along the attenuation's
                // own rows.
                fillSurvival(Heading(centre.phi + width * scattered(tilt, tilts_)), tangent, straight.values);
                for (Turn& turn : turns) {
                    std::transform(turn.values.begin(), turn.values.end(), straight.values.begin(),
                                   turn.values.begin(), std::multiplies<>());
                }
                add(turns, tangent, att);
                add({&straight, 1}, tangent, survived);
            }
        }
        const auto all = static_cast<float>(tilts_ * azimuths_);
        for (std::size_t i = 0; i < att.size(); ++i) {
            att[i] = mult[i] > 0 ? att[i] / mult[i] : survived[i] / static_cast<float>(tilts_);
        }
        const auto share = static_cast<float>(grid_.solidAngleFraction(view)) / all;
        for (float& value : mult) {
            value *= share;
        }
        return {meanOfParts(mult), meanOfParts(att), att};
    }

    [[nodiscard]] static Vec3 directionOf(const Heading& heading, double tangent) {
        const double cosine = 1 / std::sqrt(1 + tangent * tangent);
        return {cosine * heading.along.x, cosine * heading.along.y, cosine * tangent};
    }

    [[nodiscard]] Vec3 footOf(const Heading& heading, std::size_t s, std::size_t height) const {
        const double at = coarse_.at(s);
        return {at * heading.radial.x, at * heading.radial.y, heights_.at(height)};
    }

    /// exp(-integral of mu) of the lines along one direction, [radial][height].
    void fillSurvival(const Heading& heading, double tangent, std::vector<float>& survival) const {
        for (std::size_t s = 0; s < radial_.count; ++s) {
            lines_->along(radial_.at(s) * heading.radial, heading.along, tangent,
                          survival.data() + s * heights_.count);
        }
    }

    /// Where on its height a line meets the detectors: away from their axial ends all heights are alike.
    enum class Height { Outside, Within, AtAnEnd };

    [[nodiscard]] Height classify(double s, double z0, double tangent) const {
        if (!axialRange_) {
            return Height::AtAnEnd;
        }
        const double inner = detector_.innerRadius();
        const double outer = detector_.outerRadius();
        const double near = std::abs(tangent) * std::sqrt(std::max(0.0, inner * inner - s * s));
        const double far = std::abs(tangent) * std::sqrt(outer * outer - s * s);
        if (z0 + near > (*axialRange_)[1] || z0 - near < (*axialRange_)[0]) {
            return Height::Outside;
        }
        return z0 + far <= (*axialRange_)[1] && z0 - far >= (*axialRange_)[0] ? Height::Within
                                                                              : Height::AtAnEnd;
    }

    /// Probability that a pair on a line along one direction is recorded if it survives, [coarse][height].
    void fillRecorded(const Heading& heading, double tangent, std::vector<float>& recorded) const {
        const Vec3 d = directionOf(heading, tangent);
        for (std::size_t s = 0; s < coarse_.count; ++s) {
            std::optional<double> within;
            for (std::size_t z = 0; z < heights_.count; ++z) {
                const Height height = classify(coarse_.at(s), heights_.at(z), tangent);
                double efficiency = 0;
                if (height == Height::AtAnEnd || (height == Height::Within && !within)) {
                    efficiency = efficiency_.along(footOf(heading, s, z), d);
                }
                if (height == Height::Within) {
                    within = within.value_or(efficiency);
                    efficiency = *within;
                }
                recorded[s * heights_.count + z] = static_cast<float>(efficiency);
            }
        }
    }

    /// Applies the factors of the cell's edges to the directions next to them.
    void weighEdges(std::size_t view, std::size_t tilt, std::size_t azimuth,
                    std::vector<float>& recorded) const {
        using Side = CellEdges::Side;
        const auto azimuths = static_cast<std::size_t>(grid_.azimuths());
        const std::size_t zone = azimuths_ / static_cast<std::size_t>(std::lround(1 / CellEdges::kZone));
        const std::size_t cell = view % azimuths;
        const std::size_t interval = view / azimuths;
        const std::array<float, 2> tiltShare{zoneShare(tilt, tilts_), zoneShare(tilts_ - 1 - tilt, tilts_)};
        for (std::size_t s = 0; s < coarse_.count; ++s) {
            float factor = 1;
            if (azimuth < zone) {
                factor *= edges_->azimuth(cell, Side::Lower, s);
            } else if (azimuth >= azimuths_ - zone) {
                factor *= edges_->azimuth(cell, Side::Upper, s);
            }
            factor *= 1 + tiltShare[0] * (edges_->tilt(cell, interval, Side::Lower, s) - 1);
            factor *= 1 + tiltShare[1] * (edges_->tilt(cell, interval, Side::Upper, s) - 1);
            float* column = recorded.data() + s * heights_.count;
            std::transform(column, column + heights_.count, column, [factor](float v) { return v * factor; });
        }
    }

    /// [coarse][height] to [radial][height].
    void refine(const std::vector<float>& coarse, std::vector<float>& fine) const {
        for (std::size_t s = 0; s < radial_.count; ++s) {
            const float* low = coarse.data() + s / kFiner * heights_.count;
            const float* high = s % kFiner == 0 ? low : low + heights_.count;
            const float weight = static_cast<float>(s % kFiner) / static_cast<float>(kFiner);
            std::transform(low, low + heights_.count, high, fine.data() + s * heights_.count,
                           [weight](float a, float b) { return a + weight * (b - a); });
        }
    }

    /// Directions of a cell of one tilt, and what lines along one of them are worth, [radial][height].
    struct Turn {
        double angle = 0;  ///< from the cell's azimuth, radians
        std::vector<float> values;
    };

    [[nodiscard]] std::vector<Turn> turnsOf(double width) const {
        std::vector<Turn> turns(azimuths_);
        for (std::size_t k = 0; k < azimuths_; ++k) {
            turns[k].angle = ((static_cast<double>(k) + 0.5) / static_cast<double>(azimuths_) - 0.5) * width;
        }
        return turns;
    }

    /// Adds, at every grid point of the view, the values of the lines through it along these directions.
    void add(std::span<const Turn> turns, double tangent, std::vector<float>& sums) const {
        const double reach = radius_ + kAlongStep_mm;
        for (std::size_t u = 0; u < along_.count; ++u) {
            for (std::size_t s = 0; s < radial_.count; ++s) {
                if (std::hypot(along_.at(u), radial_.at(s)) > reach) {
                    continue;
                }
                float* out = sums.data() + (u * radial_.count + s) * parts_;
                for (const Turn& turn : turns) {
                    addLine(turn, along_.at(u), radial_.at(s), tangent, out);
                }
            }
        }
    }

    void addLine(const Turn& turn, double along, double across, double tangent, float* out) const {
        const double cosine = std::cos(turn.angle);
        const double sine = std::sin(turn.angle);
        const Between column = radial_.locate(across * cosine - along * sine);
        const double drop = (along * cosine + across * sine) * tangent;
        const Between lowest = heights_.locate(lowest_ - drop);
        const std::size_t start = std::min(lowest.index, 2 * below_ - 1);
        const float* low = turn.values.data() + column.index * heights_.count + start;
        const float* high = low + heights_.count;
        const float w11 = column.weight * lowest.weight;
        const float w10 = column.weight - w11;
        const float w01 = lowest.weight - w11;
        const float w00 = 1 - column.weight - w01;
        for (std::size_t z = 0; z < parts_; ++z) {
            out[z] += w00 * low[z] + w01 * low[z + 1] + w10 * high[z] + w11 * high[z + 1];
        }
    }

    /// Writes the factors of the column of voxels above `p`, `stride` apart.
    void interpolate(const std::vector<float>& onGrid, const Heading& heading, Vec3 p, float* out,
                     std::size_t stride) const {
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        if (std::hypot(p.x, p.y) >= detector_.innerRadius()) {
            for (std::size_t z = 0; z < slices; ++z) {
                out[z * stride] = 0;
            }
            return;
        }
        const Corners corners(*this, onGrid, heading, p, slices);
        for (std::size_t z = 0; z < slices; ++z) {
            out[z * stride] = corners.at(z);
        }
    }

    /// The four columns of grid points around a point, `heights` long each.
    class Corners {
      public:
        Corners(const MultBuilder& builder, const std::vector<float>& onGrid, const Heading& heading, Vec3 p,
                std::size_t heights)
            : u_(builder.along_.locate(p.x * heading.along.x + p.y * heading.along.y)),
              s_(builder.radial_.locate(p.x * heading.radial.x + p.y * heading.radial.y)),
              heights_(heights),
              near_(onGrid.data() + (u_.index * builder.radial_.count + s_.index) * heights),
              far_(near_ + builder.radial_.count * heights) {}
        [[nodiscard]] float at(std::size_t z) const {
            const float a = near_[z] + s_.weight * (near_[z + heights_] - near_[z]);
            const float b = far_[z] + s_.weight * (far_[z + heights_] - far_[z]);
            return a + u_.weight * (b - a);
        }

      private:
        Between u_;
        Between s_;
        std::size_t heights_;
        const float* near_;
        const float* far_;
    };

    const Lattice& lattice_;
    const ViewGrid& grid_;
    Detector detector_;
    PairEfficiency efficiency_;
    std::optional<std::array<double, 2>> axialRange_;
    std::optional<Volume> attenuation_;
    std::unique_ptr<CellEdges> edges_;
    double radius_ = 0;
    Samples coarse_;  ///< distances from the axis at which pairs are followed to the crystals
    Samples radial_;  ///< those of the tables, kFiner times as dense
    Samples along_;
    Samples heights_;
    std::optional<LineSurvival> lines_;  ///< where matter attenuates
    std::optional<MixedVoxels> mixed_;   ///< where matter attenuates
    std::size_t perSlice_ = 1;           ///< parts a slice is looked at in
    std::size_t parts_ = 0;              ///< of all slices
    double lowest_ = 0;                  ///< height of the first part, mm
    std::size_t below_ = 0;              ///< heights below it
    std::size_t azimuths_ = 0;           ///< directions per cell
    std::size_t tilts_ = 0;
};

/// The regular cells that `views` are the centres of.
ViewGrid gridOf(const std::vector<View>& views, double acceptance_rad) {
    std::set<double> azimuths;
    for (const View& view : views) {
        azimuths.insert(view.phi);
    }
    const std::size_t tilts = azimuths.empty() ? 0 : views.size() / azimuths.size();
    const ViewGrid grid(static_cast<int>(azimuths.size()), static_cast<int>(tilts), acceptance_rad);
    const std::vector<View> expected = grid.views();
    const bool same = std::equal(
        views.begin(), views.end(), expected.begin(), expected.end(), [](const View& a, const View& b) {
            return std::abs(a.phi - b.phi) < 1e-9 && std::abs(a.theta - b.theta) < 1e-9;
        });
    if (!same) {
        throw WrongUse(
            "the views are not the regular cells of this scanner's acceptance; bin the list again");
    }
    return grid;
}

}  // namespace

void computeMult(HistoData& data, const Scanner& scanner, const Volume* attenuation, const ThreadPool& pool,
                 const std::function<void(double)>& progress) {
    const ViewGrid grid = gridOf(data.views, scanner.acceptance_rad);
    const EndPoints rule = data.deposit == nameOf(EndPoints::Face) ? EndPoints::Face : EndPoints::Centre;
    const FaceSpread faces(scanner, rule, data.depositSeed);
    const MultBuilder builder(data.lattice, grid, scanner, faces, attenuation, pool);
    data.mult.resize(data.views.size() * data.voxels());
    data.att.resize(builder.attenuates() ? data.mult.size() : 0);
    std::mutex mutex;
    std::size_t done = 0;
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        const std::size_t begin = view * data.voxels();
        builder.fill(view, data.mult.data() + begin, data.att.empty() ? nullptr : data.att.data() + begin);
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) {
            progress(static_cast<double>(done) / static_cast<double>(data.views.size()));
        }
    });
}

}  // namespace tof
