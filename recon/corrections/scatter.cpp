// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/scatter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/cropped_volume.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/corrections/energy_acceptance.h"
#include "recon/corrections/interpolation_loops.h"
#include "recon/corrections/multiple_scatter.h"
#include "recon/corrections/single_scatter.h"
#include "recon/phantom/attenuation.h"

namespace tof {

namespace {

constexpr double kLeastMu_perMm = 0.001;
constexpr double kAcrossStep_mm = 6;  ///< distance of the lines that views are interpolated from
constexpr std::size_t kPairsAtATime = 64;
constexpr double kViewStep_mm = 12;  ///< distance of those along the axis, and of places along them

/// A volume's value at a point: linear between voxel centres, the outermost ones hold up to the faces, zero
/// beyond.
double valueAt(const Volume& volume, Vec3 p) {
    const Lattice& lattice = volume.lattice;
    const Vec3 c = lattice.continuousIndex(p);
    std::array<int, 3> below{};
    std::array<double, 3> share{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double last = lattice.size[k] - 1;
        if (c[k] < -0.5 || c[k] > last + 0.5) {
            return 0;
        }
        const double at = std::clamp(c[k], 0.0, last);
        below[k] = std::min(static_cast<int>(at), std::max(lattice.size[k] - 2, 0));
        share[k] = at - below[k];
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        VoxelIndex at = below;
        for (std::size_t k = 0; k < 3; ++k) {
            const bool upper = ((corner >> k) & 1) != 0;
            weight *= upper ? share[k] : 1 - share[k];
            at[k] += upper && lattice.size[k] > 1 ? 1 : 0;
        }
        sum += weight > 0 ? weight * static_cast<double>(volume.at(at)) : 0.0;
    }
    return sum;
}

struct ScatterPoint {
    Vec3 at;
    double strength;  ///< volume times Compton coefficient, mm2
};

/// Cells of the attenuation with their mean, as points at its centre of mass.
std::vector<ScatterPoint> scatterPoints(const Volume& attenuation, double step_mm) {
    const Lattice& lattice = attenuation.lattice;
    std::array<int, 3> perCell{};
    std::array<int, 3> cells{};
    for (std::size_t k = 0; k < 3; ++k) {
        perCell[k] = std::max(1, static_cast<int>(std::lround(step_mm / lattice.spacing_mm[k])));
        cells[k] = (lattice.size[k] + perCell[k] - 1) / perCell[k];
    }
    struct Sum {
        double mu = 0;
        double strength = 0;
        Vec3 moment;
    };
    std::vector<Sum> sums(static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
                          static_cast<std::size_t>(cells[2]));
    const double volume = lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
    lattice.forEachVoxel([&](int x, int y, int z) {
        const auto mu = static_cast<double>(attenuation.at(x, y, z));
        if (mu < kLeastMu_perMm) {
            return;
        }
        Sum& sum = sums[(static_cast<std::size_t>(z / perCell[2]) * static_cast<std::size_t>(cells[1]) +
                         static_cast<std::size_t>(y / perCell[1])) *
                            static_cast<std::size_t>(cells[0]) +
                        static_cast<std::size_t>(x / perCell[0])];
        const CrossSections& tables = crossSections(bodyMaterial(mu));
        sum.mu += mu;
        sum.strength +=
            mu * static_cast<double>(atEnergy(tables.comptonShare.data(), static_cast<Real>(kElectron_keV))) *
            volume;
        sum.moment = sum.moment + mu * lattice.centre(x, y, z);
    });
    std::vector<ScatterPoint> points;
    for (const Sum& sum : sums) {
        if (sum.mu > 0) {
            points.push_back({(1 / sum.mu) * sum.moment, sum.strength});
        }
    }
    return points;
}

/// How far anything of a volume lies from a point of it, at most.
double reachOf(const Lattice& lattice) {
    const Box box = latticeBox(lattice);
    return norm(box.high - box.low);
}

double integralOverSphere() {
    constexpr int kCosines = 2000;
    double sum = 0;
    for (int i = 0; i < kCosines; ++i) {
        const double cosine = -1 + 2 * (i + 0.5) / kCosines;
        sum += comptonShape(cosine, 1 / (2 - cosine)) * 2.0 / kCosines;
    }
    return 2 * kPi * sum;
}

/// All rays of the points, to every detector, without the activity on them.
void traceRays(ScatterProblem& problem, const std::vector<ScatterPoint>& points, const CoarseRing& ring,
               const Volume& attenuation, const ThreadPool& pool) {
    const ScatterTables& tables = problem.tables;
    const std::size_t detectors = problem.detectors;
    const double mu = atEnergy(tables.crystal, static_cast<Real>(kElectron_keV));
    for (const ScatterPoint& point : points) {
        problem.strengths.push_back(point.strength);
    }
    problem.rays.resize(points.size() * detectors);
    pool.forRange(points.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            for (std::size_t i = 0; i < detectors; ++i) {
                const Vec3 way = ring.at(i) - points[p].at;
                ScatterRay& ray = problem.rays[p * detectors + i];
                const double length = norm(way);
                ray.direction = (1 / length) * way;
                ray.length = static_cast<float>(length);
                ray.path = static_cast<float>(
                    lineIntegral(attenuation, points[p].at, ray.direction, 50, {0, length}));
                ray.cosine = static_cast<float>(dot(ray.direction, ring.outward(i)));
                ray.area =
                    static_cast<float>(slabResponse(static_cast<double>(ray.cosine), mu, tables.depth_mm));
            }
        }
    });
}

/// The activity on all rays.
void sampleActivity(ScatterProblem& problem, const std::vector<ScatterPoint>& points, const Volume& activity,
                    const ThreadPool& pool) {
    const std::size_t detectors = problem.detectors;
    const auto samples = static_cast<std::size_t>(problem.tables.samples);
    const double perVolume = 1 / (activity.lattice.spacing_mm[0] * activity.lattice.spacing_mm[1] *
                                  activity.lattice.spacing_mm[2]);
    problem.activity = largeArray<float>(points.size() * detectors * samples, pool);
    pool.forRange(points.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t ray = begin * detectors; ray < end * detectors; ++ray) {
            const Vec3 from = points[ray / detectors].at;
            const auto& [direction, length] =
                std::pair(problem.rays[ray].direction, static_cast<double>(problem.rays[ray].length));
            float* const along = problem.activity.data() + ray * samples;
            for (std::size_t k = 0; k < samples; ++k) {
                const double l = (static_cast<double>(k) + 0.5) * problem.tables.step_mm;
                if (l < length) {
                    along[k] = static_cast<float>(perVolume * valueAt(activity, from + l * direction));
                }
            }
        }
    });
}

/// The pairs that data can need, and which of the function's they are.
std::vector<std::size_t> pairsWithin(ScatterProblem& problem, const LineFunction& function,
                                     const Scanner& scanner) {
    const CoarseRing& ring = function.ring();
    const double steepest = std::tan(scanner.acceptance_rad) + 2 * ring.heights.step / ring.radius_mm;
    const double widest =
        scanner.fovRadius_mm + 2 * 2 * kPi * ring.radius_mm / static_cast<double>(ring.azimuths);
    const double mu = atEnergy(problem.tables.crystal, static_cast<Real>(kElectron_keV));
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < function.pairs(); ++i) {
        const auto [one, two] = function.pair(i);
        const Vec3 line = ring.at(two) - ring.at(one);
        const double distance = norm(line);
        const double across = std::hypot(line.x, line.y);
        const double s = std::sqrt(std::max(0.0, ring.radius_mm * ring.radius_mm - 0.25 * across * across));
        if (s > widest || std::abs(line.z) > steepest * across) {
            continue;
        }
        const Vec3 d = (1 / distance) * line;
        const double direct = slabResponse(dot(d, ring.outward(two)), mu, problem.tables.depth_mm) *
                              slabResponse(-dot(d, ring.outward(one)), mu, problem.tables.depth_mm);
        problem.pairs.push_back({one, two, distance, direct});
        of.push_back(i);
    }
    return of;
}

/// Single scatter of a pair becomes all scatter.
void addMultiple(LineFunction& scatter, std::size_t pair, const MultipleScatter& more) {
    const auto [one, two] = scatter.pair(pair);
    const Vec3 first = scatter.ring().at(one);
    const Vec3 line = scatter.ring().at(two) - first;
    const Vec3 d = normalized(line);
    const double half = 0.5 * norm(line);
    const double distance = std::abs(first.x * line.y - first.y * line.x) / std::hypot(line.x, line.y);
    float* const values = scatter.values(pair);
    for (std::size_t k = 0; k < scatter.along().count; ++k) {
        if (values[k] != 0.0F) {
            const Vec3 place = first + (half + scatter.along().at(k)) * d;
            values[k] *= static_cast<float>(1 + more.over(place, distance));
        }
    }
}

/// Scatter of a view at points of its axes, which voxels are interpolated from.
class ViewScatter {
  public:
    ViewScatter(const LineFunction& scatter, const Lattice& lattice, const View& view, const Pose& pose)
        : axes_(view.axes()) {
        const Box box = latticeBox(lattice);
        const std::array<Vec3, 3> directions = {axes_.r, axes_.a, axes_.u};
        for (std::size_t k = 0; k < 3; ++k) {
            double half = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                half += std::max(std::abs(box.low[i] * directions[k][i]),
                                 std::abs(box.high[i] * directions[k][i]));
            }
            grid_[k] = Samples::covering(half, k == 0 ? kAcrossStep_mm : kViewStep_mm);
        }
        values_.resize(grid_[0].count * grid_[1].count * grid_[2].count);
        float* row = values_.data();
        for (std::size_t s = 0; s < grid_[0].count; ++s) {
            for (std::size_t a = 0; a < grid_[1].count; ++a, row += grid_[2].count) {
                const Vec3 foot = grid_[0].at(s) * axes_.r + grid_[1].at(a) * axes_.a;
                LineFunction::OnLine(scatter, pose.moved(foot), pose.turned(axes_.u)).fill(grid_[2], row);
            }
        }
    }

    /// Adds it at every voxel's centre, times `factors`.
    void addTo(const std::vector<float>& factors, const Lattice& lattice, float* out) const {
        const SampleGrid grid{values_.data(), {grid_[0].count, grid_[1].count, grid_[2].count}};
        const Vec3 across{lattice.spacing_mm[0], 0, 0};
        const std::array<double, 3> step = {dot(across, axes_.r) / grid_[0].step,
                                            dot(across, axes_.a) / grid_[1].step,
                                            dot(across, axes_.u) / grid_[2].step};
        const auto columns = static_cast<std::size_t>(lattice.size[0]);
        std::size_t row = 0;
        for (int z = 0; z < lattice.size[2]; ++z) {
            for (int y = 0; y < lattice.size[1]; ++y, row += columns) {
                const Vec3 p = lattice.centre(0, y, z);
                addBetweenPoints(grid,
                                 {(dot(p, axes_.r) - grid_[0].first) / grid_[0].step,
                                  (dot(p, axes_.a) - grid_[1].first) / grid_[1].step,
                                  (dot(p, axes_.u) - grid_[2].first) / grid_[2].step},
                                 step, factors.data() + row, out + row, columns);
            }
        }
    }

  private:
    ViewAxes axes_;
    std::array<Samples, 3> grid_;
    std::vector<float> values_;  ///< [s][a][u]
};

/// What a view sees of a voxel's volume, mm3, in a share of the time.
std::vector<float> volumesOf(const HistoData& data, std::size_t view, double share) {
    const auto& h = data.lattice.spacing_mm;
    const auto volume = static_cast<float>(share * h[0] * h[1] * h[2]);
    const std::size_t voxels = data.voxels();
    std::vector<float> factors(voxels, 1.0F);
    if (!data.mult.empty()) {
        std::copy_n(data.mult.begin() + static_cast<std::ptrdiff_t>(view * voxels), voxels, factors.begin());
    } else if (data.multGrid) {
        const FactorGrid& mult = *data.multGrid;
        mult.expand(data.lattice, data.views[view], mult.shares[view],
                    mult.values.data() + mult.tables[view] * mult.tableSize(),
                    mult.inVoxels.data() + view * mult.voxels.size(), factors.data());
    }
    for (float& factor : factors) {
        factor *= volume;
    }
    return factors;
}

}  // namespace

struct ScatterEstimate::Parts {
    Parts(const Scanner& of, const Volume& attenuates, const Lattice& activity, const ScatterSettings& how,
          const ThreadPool& threads)
        : scanner(of),
          attenuation(attenuates),
          lattice(activity),
          settings(how),
          pool(threads),
          acceptance(of, threads),
          ring(CoarseRing::of(of, how.detectorStep_mm, how.rowStep_mm)),
          points(scatterPoints(attenuates, how.pointStep_mm)) {
        const CrossSections& water = crossSections(Material::Water);
        const CrossSections& crystal = crossSections(of.detection->material);
        ScatterTables& tables = problem.tables;
        tables.acceptance = acceptance.values().data();
        tables.energies = static_cast<std::int32_t>(acceptance.values().size());
        tables.least_keV = acceptance.least_keV();
        tables.perStep_keV = 1 / acceptance.step_keV();
        tables.water = water.total_perMm.data();
        tables.perWater511 = 1 / atEnergy(tables.water, static_cast<Real>(kElectron_keV));
        tables.crystal = crystal.total_perMm.data();
        tables.depth_mm = of.crystalSize_mm[2];
        tables.perCrossSection = 1 / integralOverSphere();
        tables.step_mm = how.raySteps_mm;
        const double farthest = std::min(reachOf(activity), 2 * ring.radius_mm);
        tables.samples = static_cast<std::int32_t>(std::ceil(farthest / tables.step_mm));
        const double reach = ring.radius_mm + 4 * of.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs;
        along = {static_cast<std::size_t>(std::ceil(2 * reach / tables.step_mm)) + 1, -reach, tables.step_mm};
        problem.detectors = ring.size();
        problem.first_mm = along.first;
        problem.places = static_cast<std::int32_t>(along.count);
        traceRays(problem, points, ring, cropped(attenuates).value_or(attenuates), pool);
    }

    const Scanner& scanner;
    Volume attenuation;
    Lattice lattice;  ///< activities lie on it
    ScatterSettings settings;
    const ThreadPool& pool;
    EnergyAcceptance acceptance;
    CoarseRing ring;
    std::vector<ScatterPoint> points;
    Samples along;
    ScatterProblem problem;
    std::vector<std::size_t> pairs;  ///< those of the problem among a function's; found with the first
};

ScatterEstimate::ScatterEstimate(const Scanner& scanner, const Volume& attenuation, const Lattice& activity,
                                 const ScatterSettings& settings, const ThreadPool& pool)
    : parts_(std::make_unique<Parts>(scanner, attenuation, activity, settings, pool)) {}

ScatterEstimate::ScatterEstimate(ScatterEstimate&&) noexcept = default;
ScatterEstimate::~ScatterEstimate() = default;

LineFunction ScatterEstimate::of(const Volume& activity, const std::function<void(double)>& progress) {
    Parts& parts = *parts_;
    if (!(activity.lattice == parts.lattice)) {
        throw InternalError("an activity of {} for scatter that was prepared for {}", activity.lattice.text(),
                            parts.lattice.text());
    }
    LineFunction result(parts.ring, parts.along);
    ScatterProblem& problem = parts.problem;
    if (problem.pairs.empty()) {
        parts.pairs = pairsWithin(problem, result, parts.scanner);
    }
    sampleActivity(problem, parts.points, activity, parts.pool);
    ScatterSums sums;
    if (parts.settings.sum) {
        parts.settings.sum(problem, sums, progress);
    } else {
        addUpScatter(problem, sums, parts.pool, progress);
    }
    problem.activity = {};  // by far the largest: estimates of many poses have no room for all
    std::optional<MultipleScatter> more;
    if (parts.settings.pairs > 0) {
        more.emplace(parts.scanner, parts.acceptance, parts.ring, activity, parts.attenuation,
                     parts.settings.pairs, parts.pool);
    }
    parts.pool.forRange(parts.pairs.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto from = sums.values.begin() + static_cast<std::ptrdiff_t>(i * parts.along.count);
            std::copy(from, from + problem.places, result.values(parts.pairs[i]));
            if (more) {
                addMultiple(result, parts.pairs[i], *more);
            }
        }
    });
    result.blur(parts.scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs, parts.pool);
    return result;
}

LineFunction singleScatter(const Scanner& scanner, const Volume& activity, const Volume& attenuation,
                           const ScatterSettings& settings, const ThreadPool& pool,
                           const std::function<void(double)>& progress) {
    return ScatterEstimate(scanner, attenuation, activity.lattice, settings, pool).of(activity, progress);
}

std::vector<float> scatterOfViews(const LineFunction& scatter, const HistoData& data,
                                  const ThreadPool& pool) {
    std::vector<float> add = largeArray<float>(data.views.size() * data.voxels(), pool);
    addScatterOfViews(scatter, data, pool, add);
    return add;
}

void addScatterOfViews(const LineFunction& scatter, const HistoData& data, const ThreadPool& pool,
                       std::vector<float>& add, const WeighedPose& at) {
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        const ViewScatter values(scatter, data.lattice, data.views[view], at.pose);
        values.addTo(volumesOf(data, view, at.weight), data.lattice, add.data() + view * data.voxels());
    });
}

std::vector<float> scatterOfViews(const std::vector<PosedScatter>& scatter, const HistoData& data,
                                  const ThreadPool& pool) {
    std::vector<float> add = largeArray<float>(data.views.size() * data.voxels(), pool);
    for (const PosedScatter& one : scatter) {
        addScatterOfViews(one.lines, data, pool, add, one.at);
    }
    return add;
}

Lattice movedLattice(const Lattice& of, const Pose& pose) {
    if (pose == Pose()) {
        return of;
    }
    const Box box = latticeBox(of);
    Vec3 low = pose.moved(box.low);
    Vec3 high = low;
    for (int corner = 1; corner < 8; ++corner) {
        const auto side = [&](int k) { return ((corner >> k) & 1) != 0 ? box.high : box.low; };
        const Vec3 p = pose.moved({side(0).x, side(1).y, side(2).z});
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    Lattice lattice = of;
    for (std::size_t k = 0; k < 3; ++k) {
        const double step = lattice.spacing_mm[k];
        lattice.size[k] = std::max(1, static_cast<int>(std::ceil((high[k] - low[k]) / step)));
        lattice.origin_mm[k] = 0.5 * (low[k] + high[k] - step * (lattice.size[k] - 1));
    }
    return lattice;
}

Volume movedVolume(const Volume& volume, const Pose& pose) {
    if (pose == Pose()) {
        return volume;
    }
    const Lattice lattice = movedLattice(volume.lattice, pose);
    Volume moved(lattice);
    moved.units = volume.units;
    const Pose back = pose.inverse();
    std::size_t i = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        moved.data[i++] = static_cast<float>(valueAt(volume, back.moved(lattice.centre(x, y, z))));
    });
    return moved;
}

}  // namespace tof
