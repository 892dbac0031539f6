// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/detector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr int kAzimuthBins = 512;
constexpr double kSameCoordinate_mm =
    0.02;  ///< coordinates closer than this are one: files round to a few digits

struct Frame {
    Vec3 transaxial;
    Vec3 axial;
    Vec3 outward;
};

Frame frameOf(Vec3 outward) {
    const Vec3 flat{-outward.y, outward.x, 0};
    const double length = norm(flat);
    // A detector that faces along z has no transaxial direction of its own: any will do.
    const Vec3 transaxial = length > 1e-6 ? (1 / length) * flat : Vec3{1, 0, 0};
    return {transaxial, cross(outward, transaxial), outward};
}

long rounded(double value, double step) {
    return std::lround(value / step);
}

/// Sorted positions with those closer than kSameCoordinate_mm taken as one.
std::vector<double> distinct(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::vector<double> result;
    for (const double v : values) {
        if (result.empty() || v - result.back() > kSameCoordinate_mm) {
            result.push_back(v);
        }
    }
    return result;
}

std::size_t indexOf(const std::vector<double>& sorted, double value) {
    const auto after = std::upper_bound(sorted.begin(), sorted.end(), value + kSameCoordinate_mm);
    return static_cast<std::size_t>(after - sorted.begin()) - 1;
}

/// Runs of evenly spaced positions: [begin, end) pairs. The pitch is the smallest spacing; a wider one is a
/// gap.
std::vector<std::pair<std::size_t, std::size_t>> evenRuns(const std::vector<double>& positions) {
    double pitch = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < positions.size(); ++i) {
        pitch = std::min(pitch, positions[i] - positions[i - 1]);
    }
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= positions.size(); ++i) {
        if (i == positions.size() || positions[i] - positions[i - 1] > pitch + 2 * kSameCoordinate_mm) {
            runs.emplace_back(begin, i);
            begin = i;
        }
    }
    return runs;
}

double pitchOf(const std::vector<double>& positions, std::pair<std::size_t, std::size_t> run, double single) {
    const std::size_t n = run.second - run.first;
    return n > 1 ? (positions[run.second - 1] - positions[run.first]) / static_cast<double>(n - 1) : single;
}

/// Crystals of one plane as modules: every full block of a regular grid, what is left crystal by crystal.
class PlaneGrouping {
  public:
    PlaneGrouping(const Scanner& scanner, const std::vector<std::uint32_t>& ids)
        : scanner_(scanner), ids_(ids), frame_(frameOf(scanner.crystals[ids.front()].outward)) {}

    void appendTo(std::vector<DetectorModule>& modules) const {
        std::vector<double> t;
        std::vector<double> a;
        for (const std::uint32_t id : ids_) {
            t.push_back(dot(scanner_.crystals[id].front, frame_.transaxial));
            a.push_back(dot(scanner_.crystals[id].front, frame_.axial));
        }
        const std::vector<double> columns = distinct(t);
        const std::vector<double> rows = distinct(a);
        std::vector<std::int64_t> grid(columns.size() * rows.size(), -1);
        if (grid.size() > 16 * ids_.size() + 4096) {  // scattered crystals, no grid
            appendSingles(modules, ids_);
            return;
        }
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            grid[indexOf(rows, a[i]) * columns.size() + indexOf(columns, t[i])] = ids_[i];
        }
        for (const auto& rowRun : evenRuns(rows)) {
            for (const auto& columnRun : evenRuns(columns)) {
                appendBlock(modules, grid, columns, rows, columnRun, rowRun);
            }
        }
    }

  private:
    using Run = std::pair<std::size_t, std::size_t>;

    void appendBlock(std::vector<DetectorModule>& modules, const std::vector<std::int64_t>& grid,
                     const std::vector<double>& columns, const std::vector<double>& rows, Run columnRun,
                     Run rowRun) const {
        std::vector<std::uint32_t> ids;
        for (std::size_t row = rowRun.first; row < rowRun.second; ++row) {
            for (std::size_t column = columnRun.first; column < columnRun.second; ++column) {
                const std::int64_t id = grid[row * columns.size() + column];
                if (id >= 0) {
                    ids.push_back(static_cast<std::uint32_t>(id));
                }
            }
        }
        const std::array<std::size_t, 2> count{columnRun.second - columnRun.first,
                                               rowRun.second - rowRun.first};
        const auto& size = scanner_.crystalSize_mm;
        const std::array<double, 2> pitch{pitchOf(columns, columnRun, size[0]),
                                          pitchOf(rows, rowRun, size[1])};
        const bool fits =
            pitch[0] >= size[0] - kSameCoordinate_mm && pitch[1] >= size[1] - kSameCoordinate_mm;
        if (ids.size() != count[0] * count[1] || !fits) {
            appendSingles(modules, ids);
            return;
        }
        DetectorModule module;
        for (const std::uint32_t id : ids) {
            module.centre =
                module.centre + (1.0 / static_cast<double>(ids.size())) * scanner_.crystals[id].front;
        }
        module.axes = {frame_.transaxial, frame_.axial, frame_.outward};
        module.count = {static_cast<int>(count[0]), static_cast<int>(count[1])};
        module.pitch = pitch;
        module.crystal = size;
        module.ids = std::move(ids);
        modules.push_back(std::move(module));
    }

    void appendSingles(std::vector<DetectorModule>& modules, const std::vector<std::uint32_t>& ids) const {
        for (const std::uint32_t id : ids) {
            DetectorModule module;
            module.centre = scanner_.crystals[id].front;
            const Frame frame = frameOf(scanner_.crystals[id].outward);
            module.axes = {frame.transaxial, frame.axial, frame.outward};
            module.crystal = scanner_.crystalSize_mm;
            module.pitch = {module.crystal[0], module.crystal[1]};
            module.ids = {id};
            modules.push_back(std::move(module));
        }
    }

    const Scanner& scanner_;
    const std::vector<std::uint32_t>& ids_;
    Frame frame_;
};

std::vector<DetectorModule> groupModules(const Scanner& scanner) {
    using Key = std::tuple<long, long, long, long>;
    std::map<Key, std::vector<std::uint32_t>> planes;
    for (std::uint32_t id = 0; id < scanner.crystals.size(); ++id) {
        const Crystal& c = scanner.crystals[id];
        constexpr double kSameDirection = 1e-4;
        planes[{rounded(c.outward.x, kSameDirection), rounded(c.outward.y, kSameDirection),
                rounded(c.outward.z, kSameDirection), rounded(dot(c.front, c.outward), kSameCoordinate_mm)}]
            .push_back(id);
    }
    std::vector<DetectorModule> modules;
    for (const auto& plane : planes) {
        PlaneGrouping(scanner, plane.second).appendTo(modules);
    }
    return modules;
}

std::array<Vec3, 8> corners(const DetectorModule& module) {
    std::array<Vec3, 8> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double t = ((i & 1U) != 0 ? 1 : -1) * module.half(0);
        const double a = ((i & 2U) != 0 ? 1 : -1) * module.half(1);
        const double depth = (i & 4U) != 0 ? module.crystal[2] : 0;
        result[i] = module.centre + t * module.axes[0] + a * module.axes[1] + depth * module.axes[2];
    }
    return result;
}

/// Transverse distance from the axis to a segment.
double distanceToSegment(Vec3 a, Vec3 b) {
    const Vec3 d{b.x - a.x, b.y - a.y, 0};
    const double length2 = dot(d, d);
    const double t = length2 > 0 ? std::clamp(-(a.x * d.x + a.y * d.y) / length2, 0.0, 1.0) : 0.0;
    return std::hypot(a.x + t * d.x, a.y + t * d.y);
}

/// Bin of a transverse direction. Bins are even in y/(|x| + |y|), which grows with the azimuth as the angle
/// itself does and costs no trigonometry.
int azimuthBin(double x, double y) {
    const double ratio = y / (std::abs(x) + std::abs(y));
    const double quarters = x >= 0 ? (ratio >= 0 ? ratio : 4 + ratio) : 2 - ratio;
    return std::min(static_cast<int>(quarters * 0.25 * kAzimuthBins), kAzimuthBins - 1);
}

/// Narrows [enter, leave] to where p + t d stays between low and high; `perD` is 1/d.
void clip(double p, double d, double perD, double low, double high, double& enter, double& leave) {
    if (d == 0) {
        if (p < low || p > high) {
            leave = -std::numeric_limits<double>::infinity();
        }
        return;
    }
    const double a = (low - p) * perD;
    const double b = (high - p) * perD;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
}

/// Modules that a ray was tried with.
class SeenModules {
  public:
    /// Whether `number` is one of them; it is from now on.
    [[nodiscard]] bool knows(std::uint32_t number, const Passages& found, const DetectorModule& module) {
        const auto last = seen_.begin() + static_cast<std::ptrdiff_t>(size_);
        if (std::find(seen_.begin(), last, number) != last) {
            return true;
        }
        if (size_ < seen_.size()) {
            seen_[size_++] = number;
            return false;
        }
        // Without room for more, those that were passed are known all the same.
        const auto known = found.list.begin() + static_cast<std::ptrdiff_t>(found.size);
        return std::any_of(found.list.begin(), known, [&](const auto& f) { return f.module == &module; });
    }

  private:
    std::array<std::uint32_t, 24> seen_{};
    std::size_t size_ = 0;
};

/// The part of a ray inside a module's box; empty when enter >= leave.
ModulePassage passageThrough(const DetectorModule& module, Vec3 p, Vec3 d) {
    const Vec3 q = p - module.centre;
    ModulePassage passage{&module, 0, std::numeric_limits<double>::infinity()};
    const std::array<double, 3> low{-module.half(0), -module.half(1), 0};
    const std::array<double, 3> high{module.half(0), module.half(1), module.crystal[2]};
    for (std::size_t k = 0; k < 3; ++k) {
        const double speed = dot(d, module.axes[k]);
        clip(dot(q, module.axes[k]), speed, 1 / speed, low[k], high[k], passage.enter, passage.leave);
    }
    return passage;
}

/// How far a module's parts lie from its centre, mm: what a turn of its axes moves most.
double reachOf(const DetectorModule& module) {
    return norm({module.half(0), module.half(1), module.crystal[2]});
}

}  // namespace

Detector::Detector(const Scanner& scanner) : modules_(groupModules(scanner)) {
    if (modules_.empty()) {
        throw BadInput("scanner '{}' has no crystals", scanner.name);
    }
    inner_ = std::numeric_limits<double>::infinity();
    for (const DetectorModule& module : modules_) {
        const auto c = corners(module);
        for (std::size_t i = 0; i < c.size(); ++i) {
            outer_ = std::max(outer_, std::hypot(c[i].x, c[i].y));
            for (std::size_t j = 0; j < i; ++j) {
                inner_ = std::min(inner_, distanceToSegment(c[i], c[j]));
            }
        }
    }
    if (!(inner_ > 0)) {
        throw BadInput("scanner '{}': a crystal lies across the scanner's axis", scanner.name);
    }
    buildBins();
}

void Detector::buildBins() {
    double zHigh = -std::numeric_limits<double>::infinity();
    zLow_ = std::numeric_limits<double>::infinity();
    double tallest = 0;
    for (const DetectorModule& module : modules_) {
        tallest = std::max(tallest, 2 * module.half(1));
        for (const Vec3& c : corners(module)) {
            zLow_ = std::min(zLow_, c.z);
            zHigh = std::max(zHigh, c.z);
        }
    }
    zBins_ = std::clamp(static_cast<int>((zHigh - zLow_) / std::max(tallest, 16.0)), 1, 1024);
    zStep_ = (zHigh - zLow_) / zBins_;
    bins_.assign(static_cast<std::size_t>(kAzimuthBins) * static_cast<std::size_t>(zBins_), {});
    for (std::uint32_t m = 0; m < modules_.size(); ++m) {
        const DetectorModule& module = modules_[m];
        const double middle = std::atan2(module.centre.y, module.centre.x);
        double low = 0;
        double high = 0;
        int first = azimuthBin(module.centre.x, module.centre.y);
        int last = first;
        double bottom = std::numeric_limits<double>::infinity();
        double top = -bottom;
        for (const Vec3& c : corners(module)) {
            const double offset = std::remainder(std::atan2(c.y, c.x) - middle, 2 * kPi);
            if (offset < low) {
                low = offset;
                first = azimuthBin(c.x, c.y);
            }
            if (offset > high) {
                high = offset;
                last = azimuthBin(c.x, c.y);
            }
            bottom = std::min(bottom, c.z);
            top = std::max(top, c.z);
        }
        const int span = (last - first + kAzimuthBins) % kAzimuthBins;
        for (int k = 0; k <= span; ++k) {
            for (int z = axialBin(bottom); z <= axialBin(top); ++z) {
                bins_[bin((first + k) % kAzimuthBins, z)].push_back(m);
            }
        }
    }
}

int Detector::axialBin(double z) const {
    return std::clamp(static_cast<int>(std::floor((z - zLow_) / zStep_)), 0, zBins_ - 1);
}

std::size_t Detector::bin(int azimuth, int axial) const {
    return static_cast<std::size_t>(azimuth) * static_cast<std::size_t>(zBins_) +
           static_cast<std::size_t>(axial);
}

std::optional<std::array<double, 2>> Detector::commonAxialRange() const {
    const auto range = [](const DetectorModule& module) {
        return std::array{module.centre.z - module.half(1), module.centre.z + module.half(1)};
    };
    const auto first = range(modules_.front());
    const bool shared = std::all_of(modules_.begin(), modules_.end(), [&](const DetectorModule& module) {
        const auto own = range(module);
        return std::abs(module.axes[2].z) * reachOf(module) < kSameCoordinate_mm &&
               std::abs(own[0] - first[0]) < kSameCoordinate_mm &&
               std::abs(own[1] - first[1]) < kSameCoordinate_mm;
    });
    return shared ? std::optional(first) : std::nullopt;
}

bool Detector::sameTurned(double angle) const {
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const auto turned = [&](Vec3 v) {
        return Vec3{cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z};
    };
    // By place, so that each module is compared with few.
    const auto placeOf = [](Vec3 p, int dx, int dy, int dz) {
        return std::tuple{rounded(p.x, 1) + dx, rounded(p.y, 1) + dy, rounded(p.z, 1) + dz};
    };
    std::multimap<std::tuple<long, long, long>, const DetectorModule*> places;
    for (const DetectorModule& module : modules_) {
        places.emplace(placeOf(module.centre, 0, 0, 0), &module);
    }
    const auto alike = [&](const DetectorModule& a, const DetectorModule& b) {
        return norm(turned(a.centre) - b.centre) < kSameCoordinate_mm && a.count == b.count &&
               norm(turned(a.axes[2]) - b.axes[2]) * reachOf(a) < kSameCoordinate_mm &&
               std::abs(a.half(0) - b.half(0)) < kSameCoordinate_mm &&
               std::abs(a.half(1) - b.half(1)) < kSameCoordinate_mm;
    };
    return std::all_of(modules_.begin(), modules_.end(), [&](const DetectorModule& module) {
        for (int i = 0; i < 27; ++i) {
            const auto [from, to] =
                places.equal_range(placeOf(turned(module.centre), i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
            if (std::any_of(from, to, [&](const auto& place) { return alike(module, *place.second); })) {
                return true;
            }
        }
        return false;
    });
}

std::size_t Detector::period(double angle, std::size_t most) const {
    std::size_t n = 1;
    while (n < most && !sameTurned(static_cast<double>(n) * angle)) {
        ++n;
    }
    return n;
}

void Detector::passages(Vec3 p, Vec3 d, Passages& found) const {
    found.size = 0;
    const double a = d.x * d.x + d.y * d.y;
    const double b = p.x * d.x + p.y * d.y;
    const double r2 = p.x * p.x + p.y * p.y;
    const double outside = b * b - a * (r2 - outer_ * outer_);
    if (a <= 0 || outside <= 0) {
        return;
    }
    const double inside = std::max(0.0, b * b - a * (r2 - inner_ * inner_));
    const double tIn = std::max(0.0, (-b + std::sqrt(inside)) / a);
    const double tOut = (-b + std::sqrt(outside)) / a;
    const Vec3 in = p + tIn * d;
    const Vec3 out = p + tOut * d;
    const double zBottom = std::min(in.z, out.z);
    const double zTop = std::max(in.z, out.z);
    if (zTop < zLow_ || zBottom > zLow_ + zStep_ * zBins_) {
        return;
    }
    const int from = azimuthBin(in.x, in.y);
    const int way =
        (azimuthBin(out.x, out.y) - from + 3 * kAzimuthBins / 2) % kAzimuthBins - kAzimuthBins / 2;
    const int step = way < 0 ? -1 : 1;
    const int lowest = axialBin(zBottom);
    const int highest = axialBin(zTop);
    SeenModules seen;  // a module lies in several bins
    for (int k = 0; k <= std::abs(way); ++k) {
        const int azimuth = (from + k * step + kAzimuthBins) % kAzimuthBins;
        for (int z = lowest; z <= highest; ++z) {
            for (const std::uint32_t m : bins_[bin(azimuth, z)]) {
                const DetectorModule& module = modules_[m];
                if (seen.knows(m, found, module)) {
                    continue;
                }
                const ModulePassage passage = passageThrough(module, p, d);
                if (passage.enter < passage.leave && found.size < Passages::kMax) {
                    found.list[found.size++] = passage;
                }
            }
        }
    }
    std::sort(found.list.begin(), found.list.begin() + static_cast<std::ptrdiff_t>(found.size),
              [](const ModulePassage& x, const ModulePassage& y) { return x.enter < y.enter; });
}

Detector::Walk Detector::walk(const ModulePassage& passage, Vec3 p, Vec3 d, double limit) {
    const DetectorModule& module = *passage.module;
    const Vec3 q = p - module.centre;
    std::array<double, 2> start{};
    std::array<double, 2> speed{};
    std::array<double, 2> perSpeed{};
    std::array<int, 2> cell{};
    for (std::size_t k = 0; k < 2; ++k) {
        // In units of mm from the lower edge of the first cell; a cell is one pitch wide, its crystal in its
        // middle.
        start[k] = dot(q, module.axes[k]) + 0.5 * module.count[k] * module.pitch[k];
        speed[k] = dot(d, module.axes[k]);
        perSpeed[k] = 1 / speed[k];
        const double at = start[k] + speed[k] * passage.enter;
        cell[k] = std::clamp(static_cast<int>(std::floor(at / module.pitch[k])), 0, module.count[k] - 1);
    }
    Walk result;
    double t = passage.enter;
    while (t < passage.leave) {
        double next = passage.leave;
        std::size_t crossed = 2;
        double enter = t;
        double leave = passage.leave;
        for (std::size_t k = 0; k < 2; ++k) {
            const double edge = cell[k] * module.pitch[k];
            const double middle = edge + 0.5 * module.pitch[k];
            clip(start[k], speed[k], perSpeed[k], middle - 0.5 * module.crystal[k],
                 middle + 0.5 * module.crystal[k], enter, leave);
            if (speed[k] != 0) {
                const double boundary =
                    ((speed[k] > 0 ? edge + module.pitch[k] : edge) - start[k]) * perSpeed[k];
                if (boundary < next) {
                    next = boundary;
                    crossed = k;
                }
            }
        }
        const double length = std::max(0.0, std::min(leave, next) - enter);
        if (result.material + length >= limit) {
            result.distance = enter + (limit - result.material);
            result.material = limit;
            result.crystal =
                module.ids[static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(module.count[0]) +
                           static_cast<std::size_t>(cell[0])];
            result.stopped = true;
            return result;
        }
        result.material += length;
        if (crossed == 2) {
            break;
        }
        cell[crossed] += speed[crossed] > 0 ? 1 : -1;
        if (cell[crossed] < 0 || cell[crossed] >= module.count[crossed]) {
            break;
        }
        t = std::max(t, next);
    }
    return result;
}

double Detector::material(Vec3 p, Vec3 d) const {
    Passages found;
    passages(p, d, found);
    return material(found, p, d);
}

double Detector::material(const Passages& passed, Vec3 p, Vec3 d) {
    double sum = 0;
    for (std::size_t i = 0; i < passed.size; ++i) {
        sum += walk(passed.list[i], p, d, std::numeric_limits<double>::infinity()).material;
    }
    return sum;
}

std::optional<DetectorHit> Detector::follow(Vec3 p, Vec3 d, double path_mm) const {
    Passages found;
    passages(p, d, found);
    return follow(found, p, d, path_mm);
}

std::optional<DetectorHit> Detector::follow(const Passages& passed, Vec3 p, Vec3 d, double path_mm) {
    double left = path_mm;
    for (std::size_t i = 0; i < passed.size; ++i) {
        const Walk step = walk(passed.list[i], p, d, left);
        if (step.stopped) {
            return DetectorHit{step.crystal, step.distance};
        }
        left -= step.material;
    }
    return std::nullopt;
}

}  // namespace tof
