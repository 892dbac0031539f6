// SPDX-License-Identifier: Apache-2.0
// The factors mult and att of docs/model.md section 3; docs/simulation.md gives the formulas.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/binning.h"
#include "recon/binning/cell_recording.h"
#include "recon/binning/line_survival.h"
#include "recon/binning/mixed_voxels.h"
#include "recon/binning/samples.h"

namespace tof {

namespace {

constexpr double kRadialStep_mm = 2;
constexpr std::size_t kFiner = 2;  // survival falls by half on the last 4 mm of a body
constexpr double kAlongStep_mm = 64;
constexpr double kHeightStep_mm = 2;  ///< at most; a body may end within a slice

/// Places in a cell from -1/2 to 1/2, a different one for each i of n, all equally spaced, neighbours far
/// apart.
double scattered(std::size_t i, std::size_t n) {
    const std::size_t place = i % 2 == 0 ? n / 2 + i / 2 : i / 2;
    return (static_cast<double>(place) + 0.5) / static_cast<double>(n) - 0.5;
}

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

/// Rounds to 12 bits behind the leading one, 1.2e-4 at most: less than any count tells of a factor, and files
/// of such numbers are a tenth as long.
void round(float* values, std::size_t count) {
    constexpr std::uint32_t kDropped = 11;
    std::transform(values, values + count, values, [](float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value) + (1U << (kDropped - 1));
        return std::bit_cast<float>(bits >> kDropped << kDropped);
    });
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
        recording_ =
            std::make_unique<CellRecording>(scanner, faces, detector_, grid, coarse_, heights_, pool);
    }

    /// False where mu is zero everywhere, too.
    [[nodiscard]] bool attenuates() const { return attenuation_.has_value(); }

    /// What views share that differ by a turn which leaves the scanner as it is.
    struct Shared {
        std::vector<float> recorded;  ///< CellRecording::table
        std::vector<float> sums;      ///< of it over the lines through grid points, [along][radial][part]
    };

    /// The views that share, each list in ascending order.
    [[nodiscard]] std::vector<std::vector<std::size_t>> alike() const {
        std::map<std::size_t, std::vector<std::size_t>> lists;
        for (std::size_t view = 0; view < grid_.count(); ++view) {
            lists[recording_->firstLike(view)].push_back(view);
        }
        std::vector<std::vector<std::size_t>> result;
        std::transform(lists.begin(), lists.end(), std::back_inserter(result),
                       [](auto& list) { return std::move(list.second); });
        return result;
    }

    [[nodiscard]] Shared shared(std::size_t view) const {
        Shared result{recording_->table(view),
                      std::vector<float>(along_.count * radial_.count * parts_, 0.0F)};
        std::vector<Turn> turns = turnsOf();
        for (std::size_t tilt = 0; tilt < recording_->tilts(); ++tilt) {
            refine(result, tilt, turns);
            add(turns, recording_->tangent(view, tilt), result.sums);
        }
        return result;
    }

    /// `shared`: that of one of the views like this one; `att` is null where nothing attenuates.
    void fill(std::size_t view, const Shared& shared, float* mult, float* att) const {
        const auto lines = static_cast<float>(recording_->tilts() * recording_->azimuths());
        const float share = static_cast<float>(grid_.solidAngleFraction(view)) / lines;
        std::vector<float> slices = meanOfParts(shared.sums);
        std::transform(slices.begin(), slices.end(), slices.begin(), [share](float v) { return v * share; });
        toVoxels(view, slices, mult);
        if (att != nullptr) {
            const std::vector<float> ofParts = survivalAt(view, shared);
            toVoxels(view, meanOfParts(ofParts), att);
            toMixedVoxels(view, ofParts, att);
        }
    }

  private:
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

    /// att at the grid points [along][radial][part] of a view.
    [[nodiscard]] std::vector<float> survivalAt(std::size_t view, const Shared& shared) const {
        const double width = kPi / grid_.azimuths();
        const std::size_t tilts = recording_->tilts();
        std::vector<float> att(shared.sums.size(), 0.0F);
        std::vector<float> survived(att.size(), 0.0F);
        std::vector<Turn> turns = turnsOf();
        Turn straight{0, std::vector<float>(radial_.count * heights_.count)};
        for (std::size_t tilt = 0; tilt < tilts; ++tilt) {
            const double tangent = recording_->tangent(view, tilt);
            // What is left after attenuation changes slowly with azimuth at the same s and z0: one for
            // each tilt is enough. They differ, or a whole row of lines would run along the attenuation's
            // own rows.
            fillSurvival(Heading(grid_.view(view).phi + width * scattered(tilt, tilts)), tangent,
                         straight.values);
            refine(shared, tilt, turns);
            for (Turn& turn : turns) {
                std::transform(turn.values.begin(), turn.values.end(), straight.values.begin(),
                               turn.values.begin(), std::multiplies<>());
            }
            add(turns, tangent, att);
            add({&straight, 1}, tangent, survived);
        }
        for (std::size_t i = 0; i < att.size(); ++i) {
            const float recorded = shared.sums[i];
            att[i] = recorded > 0 ? att[i] / recorded : survived[i] / static_cast<float>(tilts);
        }
        return att;
    }

    /// exp(-integral of mu) of the lines along one direction, [radial][height].
    void fillSurvival(const Heading& heading, double tangent, std::vector<float>& survival) const {
        for (std::size_t s = 0; s < radial_.count; ++s) {
            lines_->along(radial_.at(s) * heading.radial, heading.along, tangent,
                          survival.data() + s * heights_.count);
        }
    }

    /// One of the directions of a cell of one tilt, and what lines along it are worth, [radial][height].
    struct Turn {
        double angle = 0;  ///< from the cell's azimuth, radians
        std::vector<float> values;
    };

    [[nodiscard]] std::vector<Turn> turnsOf() const {
        std::vector<Turn> turns(recording_->azimuths());
        for (std::size_t k = 0; k < turns.size(); ++k) {
            turns[k] = {recording_->turn(k), std::vector<float>(radial_.count * heights_.count)};
        }
        return turns;
    }

    /// What is recorded of the lines of one tilt, from [coarse][height] to [radial][height].
    void refine(const Shared& shared, std::size_t tilt, std::vector<Turn>& turns) const {
        const std::size_t size = coarse_.count * heights_.count;
        for (std::size_t k = 0; k < turns.size(); ++k) {
            const float* coarse = shared.recorded.data() + (tilt * turns.size() + k) * size;
            for (std::size_t s = 0; s < radial_.count; ++s) {
                const float* low = coarse + s / kFiner * heights_.count;
                const float* high = s % kFiner == 0 ? low : low + heights_.count;
                const float weight = static_cast<float>(s % kFiner) / static_cast<float>(kFiner);
                std::transform(low, low + heights_.count, high, turns[k].values.data() + s * heights_.count,
                               [weight](float a, float b) { return a + weight * (b - a); });
            }
        }
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
    std::optional<Volume> attenuation_;
    std::unique_ptr<CellRecording> recording_;
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
    const auto fill = [&](std::size_t view, const MultBuilder::Shared& shared) {
        float* const mult = data.mult.data() + view * data.voxels();
        float* const att = data.att.empty() ? nullptr : data.att.data() + view * data.voxels();
        builder.fill(view, shared, mult, att);
        round(mult, data.voxels());
        if (att != nullptr) {
            round(att, data.voxels());
        }
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) {
            progress(static_cast<double>(done) / static_cast<double>(data.views.size()));
        }
    };
    // As many lists at a time as there are threads: what views share is several MB for each list.
    const std::vector<std::vector<std::size_t>> alike = builder.alike();
    const auto atATime = static_cast<std::size_t>(pool.threads());
    for (std::size_t first = 0; first < alike.size(); first += atATime) {
        const std::size_t lists = std::min(atATime, alike.size() - first);
        std::vector<MultBuilder::Shared> shared(lists);
        pool.forRange(lists, 1, [&](std::size_t i, std::size_t) {
            shared[i] = builder.shared(alike[first + i].front());
        });
        std::vector<std::pair<std::size_t, std::size_t>> views;  // and the list each is of
        for (std::size_t i = 0; i < lists; ++i) {
            for (const std::size_t view : alike[first + i]) {
                views.emplace_back(view, i);
            }
        }
        pool.forRange(views.size(), 1,
                      [&](std::size_t i, std::size_t) { fill(views[i].first, shared[views[i].second]); });
    }
}

}  // namespace tof
