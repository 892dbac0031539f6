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
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/cropped_volume.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/binning/binning.h"
#include "recon/binning/cell_recording.h"
#include "recon/binning/column_loops.h"
#include "recon/binning/line_survival.h"
#include "recon/binning/mixed_voxels.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/rank_range.h"

namespace tof {

namespace {

constexpr double kRadialStep_mm = 2;
constexpr std::size_t kFiner = 2;  // survival falls by half on the last 4 mm of a body
constexpr double kAlongStep_mm = 64;
/// Directions of a tilt whose survival is that of one azimuth, in bodies that have structure; in others all
/// are. It divides their number.
constexpr std::size_t kTogether = 3;
constexpr double kHeightStep_mm = 2;  ///< at most; a body may end within a slice
/// Acceptances from which on voxels are interpolated along lines: these rise by 49 mm from point to point.
constexpr double kSteep_rad = 37.5 * kRadPerDeg;

/// Places in a cell from -1/2 to 1/2, a different one for each i of n, all equally spaced, neighbours far
/// apart.
double scattered(std::size_t i, std::size_t n) {
    const std::size_t place = i % 2 == 0 ? n / 2 + i / 2 : i / 2;
    return (static_cast<double>(place) + 0.5) / static_cast<double>(n) - 0.5;
}

/// How far from the scanner's axis a volume that is not zero reaches, mm.
double reachOf(const Volume& volume) {
    const Lattice& lattice = volume.lattice;
    double reach2 = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        if (volume.at(x, y, z) != 0) {
            const Vec3 p = lattice.centre(x, y, z);
            const double farX = std::abs(p.x) + 0.5 * lattice.spacing_mm[0];
            const double farY = std::abs(p.y) + 0.5 * lattice.spacing_mm[1];
            reach2 = std::max(reach2, farX * farX + farY * farY);
        }
    });
    return std::sqrt(reach2);
}

/// Rounds to 12 bits behind the leading one, 1.2e-4 at most: less than any count tells of a factor, and files
/// of such numbers are a tenth as long.
float rounded(float value) {
    constexpr std::uint32_t kDropped = 11;
    // Weights of interpolation may be a rounding below zero.
    const auto bits = std::bit_cast<std::uint32_t>(std::max(value, 0.0F)) + (1U << (kDropped - 1));
    return std::bit_cast<float>(bits >> kDropped << kDropped);
}

/// Fills the factors of one view after the other; what is shared does not change.
///
/// A line is known by its direction, its signed distance s from the axis and its height z0 where it passes
/// the axis. For each direction of a cell tables over (s, z0) say how likely a pair on that line
/// survives and how likely it is then recorded. A voxel's mult is the mean of the latter over directions of
/// the line through it, its att the mean of the former weighted with the latter: the product is the mean of
/// the product. Where nothing is recorded, whose events blur may still carry to where it is, all directions
/// weigh the same. Factors are taken at grid points (along, s) of every slice, or of the equal parts it is
/// looked at in, from which voxels are interpolated. The att of a voxel that matter fills in part is the mean
/// over that part.
class FactorBuilder {
  public:
    FactorBuilder(const Lattice& lattice, const ViewGrid& grid, const Scanner& scanner,
                  const FaceSpread& faces, const Volume* attenuation, const ThreadPool& pool,
                  const FactorShare& share, const std::vector<WeighedPose>& poses)
        : lattice_(lattice),
          grid_(grid),
          pool_(pool),
          share_(share),
          loops_(ColumnLoops::best()),
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
        recording_ =
            std::make_unique<CellRecording>(scanner, faces, detector_, grid, coarse_, heights_, pool, poses);
        widestTurn_ = 0;
        for (std::size_t k = 0; k < recording_->azimuths(); ++k) {
            widestTurn_ = std::max(widestTurn_, std::abs(recording_->turn(k)));
        }
        if (attenuation_) {
            matter_ = reachOf(*attenuation_);
        }
        makeGrids();
    }

    /// False where mu is zero everywhere, too.
    [[nodiscard]] bool attenuates() const { return attenuation_.has_value(); }

    /// `viewDone` is called once for each view, by any thread.
    void fill(const std::function<void()>& viewDone) {
        // As many lists at a time as there are threads: what views share is several MB for each list.
        const RankRange mine = rangeOf(alike_.size(), share_.rank, share_.size);
        const auto atATime = std::min(static_cast<std::size_t>(pool_.threads()), mine.size());
        std::vector<Shared> shared(atATime);
        for (std::size_t first = mine.begin; first < mine.end; first += atATime) {
            fillShared(first, std::min(atATime, mine.end - first), shared);
            std::vector<std::pair<std::size_t, std::size_t>> views;  // and the list each is of
            for (std::size_t i = 0; i < atATime && first + i < mine.end; ++i) {
                for (const std::size_t view : alike_[first + i]) {
                    views.emplace_back(view, i);
                }
            }
            pool_.forRange(views.size(), 1, [&](std::size_t i, std::size_t) {
                if (attenuates()) {
                    fillAtt(views[i].first, shared[views[i].second]);
                }
                viewDone();
            });
        }
    }

    [[nodiscard]] std::shared_ptr<const FactorGrid> mult() const { return mult_; }
    /// Null where nothing attenuates.
    [[nodiscard]] std::shared_ptr<const FactorGrid> att() const { return att_; }

  private:
    /// What views share that differ by a turn which leaves the scanner as it is.
    struct Shared {
        std::vector<float> recorded;  ///< CellRecording::fill, [tilt][azimuth][coarse][height]
        std::vector<float> sums;  ///< sums of it over the lines through grid points, [radial][along][part]
    };

    /// One of the directions of a cell of one tilt, and what lines along it are worth, [radial][height].
    struct Turn {
        double cosine = 1;  ///< cosine of the angle from the cell's azimuth
        double sine = 0;
        const float* values = nullptr;
    };

    enum class Points { All, NearMatter };

    /// Room in which a thread works.
    struct Room {
        std::vector<float> weighed;   ///< [azimuth][radial][height]
        std::vector<float> straight;  ///< [radial][height]
        std::vector<float> att;       ///< [radial][along][part]
        std::vector<float> survived;  ///< as `sums`
        std::vector<ShiftedColumn> columns;
    };
    [[nodiscard]] std::unique_ptr<Room> takeRoom() const {
        const std::lock_guard lock(mutex_);
        if (rooms_.empty()) {
            return std::make_unique<Room>();
        }
        std::unique_ptr<Room> room = std::move(rooms_.back());
        rooms_.pop_back();
        return room;
    }
    void giveBack(std::unique_ptr<Room> room) const {
        const std::lock_guard lock(mutex_);
        rooms_.push_back(std::move(room));
    }

    void makeGrids() {
        const auto slices = static_cast<std::size_t>(lattice_.size[2]);
        const bool steep = grid_.acceptance() > kSteep_rad;
        std::map<std::size_t, std::vector<std::size_t>> lists;
        for (std::size_t view = 0; view < grid_.count(); ++view) {
            lists[recording_->firstLike(view)].push_back(view);
        }
        std::transform(lists.begin(), lists.end(), std::back_inserter(alike_),
                       [](auto& list) { return std::move(list.second); });
        mult_ = std::make_shared<FactorGrid>();
        *mult_ = {along_, radial_, detector_.innerRadius(), slices, steep, {}, {}, {}, {}, {}};
        mult_->tables.resize(grid_.count());
        const auto lines = static_cast<float>(recording_->tilts() * recording_->azimuths());
        for (std::size_t list = 0; list < alike_.size(); ++list) {
            for (const std::size_t view : alike_[list]) {
                mult_->tables[view] = static_cast<std::uint32_t>(list);
            }
        }
        for (std::size_t view = 0; view < grid_.count(); ++view) {
            mult_->shares.push_back(static_cast<float>(grid_.solidAngleFraction(view)) / lines);
        }
        mult_->values = largeArray<float>(alike_.size() * mult_->tableSize(), pool_);
        if (!attenuation_) {
            return;
        }
        mixed_.emplace(lattice_, *attenuation_, perSlice_, pool_);
        lines_.emplace(*attenuation_, heights_, std::tan(grid_.acceptance()), pool_);
        structured_ = hasStructure();
        att_ = std::make_shared<FactorGrid>();
        *att_ = {along_, radial_, detector_.innerRadius(), slices, steep, {}, {}, {}, {}, {}};
        att_->shares.assign(grid_.count(), 1.0F);
        for (std::size_t view = 0; view < grid_.count(); ++view) {
            att_->tables.push_back(static_cast<std::uint32_t>(view));
        }
        att_->values = largeArray<float>(grid_.count() * att_->tableSize(), pool_);
        for (const MixedVoxels::Voxel& at : mixed_->voxels()) {
            att_->voxels.push_back(static_cast<std::uint32_t>(lattice_.index(at.x, at.y, at.z)));
        }
        att_->inVoxels = largeArray<float>(grid_.count() * att_->voxels.size(), pool_);
    }

    /// What the views of each of the lists [first, first + lists) share, and their table of mult.
    void fillShared(std::size_t first, std::size_t lists, std::vector<Shared>& shared) {
        const std::size_t tilts = recording_->tilts();
        const std::size_t ofTilt = recording_->azimuths() * coarse_.count * heights_.count;
        for (std::size_t i = 0; i < lists; ++i) {
            if (shared[i].recorded.empty()) {
                shared[i].recorded = largeArray<float>(tilts * ofTilt, pool_);
                shared[i].sums = largeArray<float>(along_.count * radial_.count * parts_, pool_);
            } else {
                std::fill(shared[i].sums.begin(), shared[i].sums.end(), 0.0F);
            }
        }
        pool_.forRange(lists * tilts, 1, [&](std::size_t task, std::size_t) {
            const std::size_t i = task / tilts;
            const std::size_t tilt = task % tilts;
            recording_->fill(alike_[first + i].front(), tilt, shared[i].recorded.data() + tilt * ofTilt);
        });
        constexpr std::size_t kRows = 64;
        const std::size_t parts = (radial_.count + kRows - 1) / kRows;
        pool_.forRange(lists * parts, 1, [&](std::size_t task, std::size_t) {
            const std::size_t i = task / parts;
            const std::size_t from = task % parts * kRows;
            const std::size_t to = std::min(radial_.count, from + kRows);
            const std::size_t view = alike_[first + i].front();
            std::unique_ptr<Room> room = takeRoom();
            for (std::size_t tilt = 0; tilt < tilts; ++tilt) {
                add(coarse_, turnsOf(shared[i].recorded.data() + tilt * ofTilt, coarse_),
                    recording_->tangent(view, tilt), from, to, Points::All, room->columns,
                    shared[i].sums.data());
            }
            giveBack(std::move(room));
            toTable(shared[i].sums.data(), from, to, mult_->values.data() + (first + i) * mult_->tableSize());
        });
    }

    /// The directions of a cell of one tilt: `values` has [azimuth][radial][height].
    [[nodiscard]] std::vector<Turn> turnsOf(const float* values, const Samples& radial) const {
        std::vector<Turn> turns(recording_->azimuths());
        for (std::size_t k = 0; k < turns.size(); ++k) {
            const double angle = recording_->turn(k);
            turns[k] = {std::cos(angle), std::sin(angle), values + k * radial.count * heights_.count};
        }
        return turns;
    }

    /// Rounded means over the parts of slices, from [radial][along][part] to [along][radial][slice], of the
    /// distances [from, to).
    void toTable(const float* parts, std::size_t from, std::size_t to, float* table) const {
        const std::size_t slices = parts_ / perSlice_;
        for (std::size_t s = from; s < to; ++s) {
            for (std::size_t u = 0; u < along_.count; ++u) {
                const float* at = parts + (s * along_.count + u) * parts_;
                float* const out = table + (u * radial_.count + s) * slices;
                for (std::size_t z = 0; z < slices; ++z) {
                    float mean = 0;
                    for (std::size_t k = 0; k < perSlice_; ++k) {
                        mean += *at++ / static_cast<float>(perSlice_);
                    }
                    out[z] = rounded(mean);
                }
            }
        }
    }

    /// att of a view, at grid points and in mixed voxels.
    void fillAtt(std::size_t view, const Shared& shared) {
        std::unique_ptr<Room> room = takeRoom();
        survivalAt(view, shared, *room);
        toTable(room->att.data(), 0, radial_.count, att_->values.data() + view * att_->tableSize());
        toMixedVoxels(view, room->att.data(), att_->inVoxels.data() + view * att_->voxels.size());
        giveBack(std::move(room));
    }

    /// att at the grid points of a view, into room.att.
    void survivalAt(std::size_t view, const Shared& shared, Room& room) const {
        const double width = kPi / grid_.azimuths();
        const std::size_t tilts = recording_->tilts();
        const std::size_t azimuths = recording_->azimuths();
        const std::size_t table = radial_.count * heights_.count;
        room.weighed.resize(azimuths * table);
        room.straight.resize(table);
        room.att.assign(shared.sums.size(), 0.0F);
        room.survived.assign(shared.sums.size(), 0.0F);
        // Directions of a tilt that share what survives.
        const std::size_t together = structured_ ? kTogether : azimuths;
        const std::size_t headings = azimuths / together;
        for (std::size_t tilt = 0; tilt < tilts; ++tilt) {
            const double tangent = recording_->tangent(view, tilt);
            for (std::size_t i = 0; i < headings; ++i) {
                // Azimuths of tilts differ, or a whole row of lines would run along the attenuation's own
                // rows.
                const auto parts = static_cast<double>(headings);
                const double place =
                    (static_cast<double>(i) + 0.5) / parts - 0.5 + scattered(tilt, tilts) / parts;
                surviveAlong(grid_.view(view).phi + width * place, tangent, room);
                const std::size_t coarse = coarse_.count * heights_.count;
                const auto [from, to] = weighed();
                for (std::size_t k = i * together; k < (i + 1) * together; ++k) {
                    weigh(shared.recorded.data() + (tilt * azimuths + k) * coarse, room.straight, from, to,
                          room.weighed.data() + k * table);
                }
                add(radial_, {{1, 0, room.straight.data()}}, tangent, 0, radial_.count, Points::NearMatter,
                    room.columns, room.survived.data());
            }
            add(radial_, turnsOf(room.weighed.data(), radial_), tangent, 0, radial_.count, Points::NearMatter,
                room.columns, room.att.data());
        }
        for (std::size_t point = 0; point < radial_.count * along_.count; ++point) {
            float* const att = room.att.data() + point * parts_;
            if (farFromMatter(along_.at(point % along_.count), radial_.at(point / along_.count))) {
                std::fill_n(att, parts_, 1.0F);
                continue;
            }
            const float* const recorded = shared.sums.data() + point * parts_;
            const float* const survived = room.survived.data() + point * parts_;
            for (std::size_t z = 0; z < parts_; ++z) {
                att[z] = recorded[z] > 0 ? att[z] / recorded[z]
                                         : survived[z] / static_cast<float>(tilts * headings);
            }
        }
    }

    /// What is left of pairs on the lines of one azimuth and tilt, into room.straight.
    void surviveAlong(double azimuth, double tangent, Room& room) const {
        const Heading heading(azimuth);
        for (std::size_t s = 0; s < radial_.count; ++s) {
            lines_->along(radial_.at(s) * heading.radial, heading.along, tangent, room.columns,
                          room.straight.data() + s * heights_.count);
        }
    }

    /// Whether what survives changes within a cell's azimuths, at the same distance from the axis: by more
    /// than a per cent (RMS over lines through matter) when turned by half of its width.
    [[nodiscard]] bool hasStructure() const {
        constexpr std::size_t kAzimuths = 16;
        constexpr double kMost = 0.01;
        const double turn = 0.5 * kPi / grid_.azimuths();
        std::array<double, kAzimuths> squares{};
        std::array<double, kAzimuths> lines{};
        pool_.forRange(kAzimuths, 1, [&](std::size_t i, std::size_t) {
            std::unique_ptr<Room> room = takeRoom();
            room->straight.resize(radial_.count * heights_.count);
            // Not along the attenuation's own rows.
            const double azimuth = (static_cast<double>(i) + 0.3) * kPi / kAzimuths;
            surviveAlong(azimuth, 0, *room);
            const std::vector<float> first = room->straight;
            surviveAlong(azimuth + turn, 0, *room);
            for (std::size_t k = 0; k < first.size(); ++k) {
                const double one = static_cast<double>(first[k]);
                const double two = static_cast<double>(room->straight[k]);
                if (one < 1 || two < 1) {
                    squares[i] += std::pow(2 * (one - two) / (one + two), 2);
                    lines[i] += 1;
                }
            }
            giveBack(std::move(room));
        });
        const double all = std::accumulate(lines.begin(), lines.end(), 0.0);
        return std::accumulate(squares.begin(), squares.end(), 0.0) > kMost * kMost * all;
    }

    /// True where no direction of a cell has a line through the grid point that may meet matter: all
    /// survives.
    [[nodiscard]] bool farFromMatter(double along, double across) const {
        const double nearest =
            std::abs(across) * std::cos(widestTurn_) - std::abs(along) * std::sin(widestTurn_);
        return nearest - radial_.step > matter_;
    }

    /// The distances [from, to) whose lines pass grid points near matter.
    [[nodiscard]] std::array<std::size_t, 2> weighed() const {
        const double aside = (radius_ + kAlongStep_mm) * std::sin(widestTurn_);
        const double furthest =
            (matter_ + radial_.step + aside) / std::cos(widestTurn_) + aside + 2 * radial_.step;
        return {radial_.locate(-furthest).index, std::min(radial_.locate(furthest).index + 2, radial_.count)};
    }

    /// What is recorded of lines, [coarse][height], times what survives on them, [radial][height], at the
    /// distances [from, to).
    void weigh(const float* recorded, const std::vector<float>& survival, std::size_t from, std::size_t to,
               float* out) const {
        for (std::size_t s = from; s < to; ++s) {
            const float* low = recorded + s / kFiner * heights_.count;
            const float* high = s % kFiner == 0 ? low : low + heights_.count;
            const float weight = static_cast<float>(s % kFiner) / static_cast<float>(kFiner);
            const std::size_t at = s * heights_.count;
            loops_.blend(low, high, weight, survival.data() + at, heights_.count, out + at);
        }
    }

    /// Adds, at the grid points of the distances [from, to), the values of the lines through them along these
    /// directions; `sums` are [radial][along][part]. `radial`: of the directions' values.
    void add(const Samples& radial, const std::vector<Turn>& turns, double tangent, std::size_t from,
             std::size_t to, Points points, std::vector<ShiftedColumn>& columns, float* sums) const {
        const double reach = radius_ + kAlongStep_mm;
        for (std::size_t s = from; s < to; ++s) {
            pool_.heed();
            const double across = radial_.at(s);
            for (std::size_t u = 0; u < along_.count; ++u) {
                const double along = along_.at(u);
                if (along * along + across * across > reach * reach ||
                    (points == Points::NearMatter && farFromMatter(along, across))) {
                    continue;
                }
                columns.clear();
                for (const Turn& turn : turns) {
                    addLine(radial, turn, along, across, tangent, columns);
                }
                loops_.add(columns.data(), columns.size(), parts_, sums + (s * along_.count + u) * parts_);
            }
        }
    }

    void addLine(const Samples& radial, const Turn& turn, double along, double across, double tangent,
                 std::vector<ShiftedColumn>& columns) const {
        const Between column = radial.locate(across * turn.cosine - along * turn.sine);
        const double drop = (along * turn.cosine + across * turn.sine) * tangent;
        const Between lowest = heights_.locate(lowest_ - drop);
        const std::size_t start = std::min(lowest.index, 2 * below_ - 1);
        const float* const low = turn.values + column.index * heights_.count + start;
        const float both = column.weight * lowest.weight;
        columns.push_back({low, 1 - column.weight - (lowest.weight - both), lowest.weight - both});
        columns.push_back({low + heights_.count, column.weight - both, both});
    }

    /// `parts`: att at grid points, [radial][along][part].
    void toMixedVoxels(std::size_t view, const float* parts, float* out) const {
        const Heading heading(grid_.view(view).phi);
        const std::size_t across = mixed_->across();
        for (std::size_t i = 0; i < mixed_->voxels().size(); ++i) {
            const MixedVoxels::Voxel& at = mixed_->voxels()[i];
            const std::size_t lowest = static_cast<std::size_t>(at.z) * perSlice_;
            double mean = 0;
            for (std::size_t y = 0; y < across; ++y) {
                for (std::size_t x = 0; x < across; ++x) {
                    const Vec3 p = lattice_.centre(at.x + MixedVoxels::offset(x, across),
                                                   at.y + MixedVoxels::offset(y, across), 0);
                    const Between u = along_.locate(p.x * heading.along.x + p.y * heading.along.y);
                    const Between s = radial_.locate(p.x * heading.radial.x + p.y * heading.radial.y);
                    const float* const near = parts + (s.index * along_.count + u.index) * parts_ + lowest;
                    const float* const next = near + along_.count * parts_;
                    const float* share = mixed_->shares(i) + y * across + x;
                    for (std::size_t z = 0; z < perSlice_; ++z) {
                        const float a = near[z] + s.weight * (next[z] - near[z]);
                        const float b = near[parts_ + z] + s.weight * (next[parts_ + z] - near[parts_ + z]);
                        mean += static_cast<double>(share[z * across * across]) *
                                static_cast<double>(a + u.weight * (b - a));
                    }
                }
            }
            out[i] = rounded(static_cast<float>(mean));
        }
    }

    const Lattice& lattice_;
    const ViewGrid& grid_;
    const ThreadPool& pool_;
    FactorShare share_;
    ColumnLoops loops_;
    Detector detector_;
    std::optional<Volume> attenuation_;
    std::unique_ptr<CellRecording> recording_;
    double radius_ = 0;
    double matter_ = 0;      ///< how far from the axis it reaches, mm
    double widestTurn_ = 0;  ///< widest turn of a cell's directions from its azimuth, radians
    Samples coarse_;         ///< distances from the axis at which pairs are followed to the crystals
    Samples radial_;         ///< those of the tables, kFiner times as dense
    Samples along_;
    Samples heights_;
    std::optional<LineSurvival> lines_;            ///< where matter attenuates
    std::optional<MixedVoxels> mixed_;             ///< where matter attenuates
    bool structured_ = false;                      ///< hasStructure
    std::size_t perSlice_ = 1;                     ///< parts a slice is looked at in
    std::size_t parts_ = 0;                        ///< parts of all slices
    double lowest_ = 0;                            ///< height of the first part, mm
    std::size_t below_ = 0;                        ///< heights below it
    std::vector<std::vector<std::size_t>> alike_;  ///< views that share, each list in ascending order
    std::shared_ptr<FactorGrid> mult_;
    std::shared_ptr<FactorGrid> att_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Room>> rooms_;  ///< that nobody works in
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

void computeFactors(HistoData& data, const Scanner& scanner, const Volume* attenuation,
                    const ThreadPool& pool, const std::function<void(double)>& progress,
                    const FactorShare& share, const std::vector<WeighedPose>& poses) {
    const ViewGrid grid = gridOf(data.views, scanner.acceptance_rad);
    const EndPoints rule = data.deposit == nameOf(EndPoints::Face) ? EndPoints::Face : EndPoints::Centre;
    const FaceSpread faces(scanner, rule, data.depositSeed);
    FactorBuilder builder(data.lattice, grid, scanner, faces, attenuation, pool, share, poses);
    std::mutex mutex;
    std::size_t done = 0;
    builder.fill([&] {
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) {
            progress(std::min(1.0, static_cast<double>(done * static_cast<std::size_t>(share.size)) /
                                       static_cast<double>(data.views.size())));
        }
    });
    data.mult.clear();
    data.att.clear();
    data.multGrid = builder.mult();
    data.attGrid = builder.att();
}

void computeMult(HistoData& data, const Scanner& scanner, const Volume* attenuation, const ThreadPool& pool,
                 const std::function<void(double)>& progress) {
    computeFactors(data, scanner, attenuation, pool, progress, {}, data.poses);
    data.expandFactors(pool);
}

}  // namespace tof
