// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/scatter.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/corrections/energy_acceptance.h"
#include "recon/corrections/multiple_scatter.h"
#include "recon/corrections/single_scatter.h"
#include "recon/phantom/attenuation.h"

namespace tof {

namespace {

constexpr double kLeastMu_perMm = 0.001;
constexpr double kAcrossStep_mm = 6;  ///< of lines that views are interpolated from
constexpr double kViewStep_mm = 12;   ///< of them along the axis, and of places along them

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
    constexpr int kSteps = 2000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double cosine = -1 + 2 * (i + 0.5) / kSteps;
        sum += comptonShape(cosine, 1 / (2 - cosine)) * 2.0 / kSteps;
    }
    return 2 * kPi * sum;
}

/// All rays of the points, to every detector.
void traceRays(ScatterProblem& problem, const std::vector<ScatterPoint>& points, const CoarseRing& ring,
               const Volume& activity, const Volume& attenuation, const ThreadPool& pool) {
    const ScatterTables& tables = problem.tables;
    const std::size_t detectors = problem.detectors;
    const auto samples = static_cast<std::size_t>(tables.samples);
    const double perVolume = 1 / (activity.lattice.spacing_mm[0] * activity.lattice.spacing_mm[1] *
                                  activity.lattice.spacing_mm[2]);
    const double mu = atEnergy(tables.crystal, static_cast<Real>(kElectron_keV));
    for (const ScatterPoint& point : points) {
        problem.strengths.push_back(point.strength);
    }
    problem.rays.resize(points.size() * detectors);
    problem.activity.assign(points.size() * detectors * samples, 0.0F);
    pool.forRange(points.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            for (std::size_t i = 0; i < detectors; ++i) {
                const std::size_t at = p * detectors + i;
                const Vec3 way = ring.at(i) - points[p].at;
                ScatterRay& ray = problem.rays[at];
                const double length = norm(way);
                ray.direction = (1 / length) * way;
                ray.length = static_cast<float>(length);
                ray.path = static_cast<float>(
                    lineIntegral(attenuation, points[p].at, ray.direction, 50, {0, length}));
                ray.cosine = static_cast<float>(dot(ray.direction, ring.outward(i)));
                ray.area =
                    static_cast<float>(slabResponse(static_cast<double>(ray.cosine), mu, tables.depth_mm));
                float* const along = problem.activity.data() + at * samples;
                for (std::size_t k = 0; k < samples; ++k) {
                    const double l = (static_cast<double>(k) + 0.5) * tables.step_mm;
                    if (l < length) {
                        along[k] = static_cast<float>(perVolume *
                                                      valueAt(activity, points[p].at + l * ray.direction));
                    }
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
    const double distance = std::abs(first.x * line.y - first.y * line.x) / std::hypot(line.x, line.y);
    float* const values = scatter.values(pair);
    for (std::size_t k = 0; k < scatter.along().count; ++k) {
        const Vec3 place = first + (0.5 * norm(line) + scatter.along().at(k)) * d;
        values[k] *= static_cast<float>(1 + more.over(place, distance));
    }
}

}  // namespace

LineFunction singleScatter(const Scanner& scanner, const Volume& activity, const Volume& attenuation,
                           const ScatterSettings& settings, const ThreadPool& pool,
                           const std::function<void(double)>& progress) {
    const EnergyAcceptance acceptance(scanner);
    const CoarseRing ring = CoarseRing::of(scanner, settings.detectorStep_mm, settings.rowStep_mm);
    const CrossSections& water = crossSections(Material::Water);
    const CrossSections& crystal = crossSections(scanner.detection->material);
    ScatterTables tables;
    tables.acceptance = acceptance.values().data();
    tables.energies = static_cast<std::int32_t>(acceptance.values().size());
    tables.least_keV = acceptance.least_keV();
    tables.perStep_keV = 1 / acceptance.step_keV();
    tables.water = water.total_perMm.data();
    tables.perWater511 = 1 / atEnergy(tables.water, static_cast<Real>(kElectron_keV));
    tables.crystal = crystal.total_perMm.data();
    tables.depth_mm = scanner.crystalSize_mm[2];
    tables.perCrossSection = 1 / integralOverSphere();
    tables.step_mm = settings.raySteps_mm;
    const double farthest = std::min(reachOf(activity.lattice), 2 * ring.radius_mm);
    tables.samples = static_cast<std::int32_t>(std::ceil(farthest / tables.step_mm));

    const double reach = ring.radius_mm + 4 * scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs;
    LineFunction result(ring, Samples{static_cast<std::size_t>(std::ceil(2 * reach / tables.step_mm)) + 1,
                                      -reach, tables.step_mm});
    ScatterProblem problem;
    problem.tables = tables;
    problem.detectors = ring.size();
    problem.first_mm = result.along().first;
    problem.places = static_cast<std::int32_t>(result.along().count);
    traceRays(problem, scatterPoints(attenuation, settings.pointStep_mm), ring, activity, attenuation, pool);
    const std::vector<std::size_t> of = pairsWithin(problem, result, scanner);
    ScatterSums sums;
    if (settings.sum) {
        settings.sum(problem, sums, progress);
    } else {
        addUpScatter(problem, sums, pool, progress);
    }
    for (std::size_t i = 0; i < of.size(); ++i) {
        const auto from = sums.values.begin() + static_cast<std::ptrdiff_t>(i * result.along().count);
        std::copy(from, from + problem.places, result.values(of[i]));
    }
    if (settings.pairs > 0) {
        const MultipleScatter more(scanner, acceptance, ring, activity, attenuation, settings.pairs, pool);
        for (const std::size_t i : of) {
            addMultiple(result, i, more);
        }
    }
    result.blur(scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs);
    return result;
}

std::vector<float> scatterOfViews(const LineFunction& scatter, const HistoData& data,
                                  const ThreadPool& pool) {
    const Lattice& lattice = data.lattice;
    const Box box = latticeBox(lattice);
    const double volume = lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
    std::vector<float> add(data.views.size() * data.voxels());
    pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
        const ViewAxes axes = data.views[view].axes();
        std::array<Samples, 3> grid;
        std::size_t k = 0;
        for (const Vec3 axis : {axes.r, axes.a, axes.u}) {
            double half = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                half += std::max(std::abs(box.low[i] * axis[i]), std::abs(box.high[i] * axis[i]));
            }
            grid[k] = Samples::covering(half, k == 0 ? kAcrossStep_mm : kViewStep_mm);
            ++k;
        }
        std::vector<float> values(grid[0].count * grid[1].count * grid[2].count);
        for (std::size_t s = 0; s < grid[0].count; ++s) {
            for (std::size_t a = 0; a < grid[1].count; ++a) {
                const LineFunction::OnLine line(scatter, grid[0].at(s) * axes.r + grid[1].at(a) * axes.a,
                                                axes.u);
                for (std::size_t u = 0; u < grid[2].count; ++u) {
                    values[(s * grid[1].count + a) * grid[2].count + u] =
                        static_cast<float>(line.at(grid[2].at(u)));
                }
            }
        }
        std::size_t i = view * data.voxels();
        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = lattice.centre(x, y, z);
            const Between s = grid[0].locate(dot(p, axes.r));
            const Between a = grid[1].locate(dot(p, axes.a));
            const Between u = grid[2].locate(dot(p, axes.u));
            const auto along = [&](std::size_t ds, std::size_t da) {
                const float* const v =
                    values.data() + ((s.index + ds) * grid[1].count + a.index + da) * grid[2].count + u.index;
                return (1 - u.weight) * v[0] + u.weight * v[1];
            };
            const float value = (1 - s.weight) * ((1 - a.weight) * along(0, 0) + a.weight * along(0, 1)) +
                                s.weight * ((1 - a.weight) * along(1, 0) + a.weight * along(1, 1));
            const float mult = data.mult.empty() ? 1.0F : data.mult[i];
            add[i++] = static_cast<float>(volume) * mult * value;
        });
    });
    return add;
}

}  // namespace tof
