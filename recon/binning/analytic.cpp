// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/analytic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/binning.h"
#include "recon/binning/samples.h"
#include "recon/phantom/attenuation.h"
#include "recon/simulate/poisson.h"

namespace tof {

namespace {

constexpr double kAcrossStep_mm = 1.5;
constexpr double kAlongStep_mm = 2;
constexpr double kReach = 4;                   ///< standard deviations that a Gaussian is followed to
constexpr double kGauss = 0.2886751345948129;  ///< of a unit interval: the two points of Gauss's rule
constexpr double kAzimuthPart_rad = 4.6 * kRadPerDeg;
constexpr double kTiltPart_rad = 6.8 * kRadPerDeg;
constexpr double kVoxelPart_mm = 4;
constexpr double kForever = std::numeric_limits<double>::infinity();

/// The phantom's activity in place of its attenuation: whatever finds pieces of one finds those of the other.
Phantom activityAsAttenuation(const Phantom& phantom) {
    Phantom copy = phantom;
    for (PhantomShape& shape : copy.shapes) {
        shape.mu_per_mm = shape.activity;
    }
    copy.attenuation = phantom.emission;
    return copy;
}

/// The box around all that emits, points included.
Box emittingBox(const Phantom& phantom) {
    if (phantom.emission) {
        return latticeBox(phantom.emission->lattice);
    }
    Box box{{kForever, kForever, kForever}, {-kForever, -kForever, -kForever}};
    for (const PhantomShape& shape : phantom.shapes) {
        if (!(shape.activity > 0)) {
            continue;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], shape.centre[axis] - shape.halfExtent()[axis]);
            box.high[axis] = std::max(box.high[axis], shape.centre[axis] + shape.halfExtent()[axis]);
        }
    }
    if (!(box.low.x <= box.high.x)) {
        throw WrongUse("phantom '{}' emits nothing", phantom.name);
    }
    return box;
}

/// Where a box lies along a direction: least and greatest coordinate.
Interval extent(const Box& box, Vec3 axis) {
    Interval all{0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = box.low[k] * axis[k];
        const double b = box.high[k] * axis[k];
        all.begin += std::min(a, b);
        all.end += std::max(a, b);
    }
    return all;
}

/// Samples at whole multiples of the step that hold an interval.
Samples samplesOver(Interval part, double step) {
    const double first = std::floor(part.begin / step) * step;
    const auto count = static_cast<std::size_t>(std::ceil((part.end - first) / step)) + 1;
    return {std::max<std::size_t>(count, 2), first, step};
}

/// Weights of a Gaussian at whole steps from -reach to reach, sum 1.
std::vector<float> gaussian(double sigma, double step) {
    const auto reach = static_cast<int>(std::ceil(kReach * sigma / step));
    std::vector<double> weights;
    for (int i = -reach; i <= reach; ++i) {
        // The share of a step: exact for what varies little along it, and 1 for sigma 0.
        const auto upTo = [&](double edge) {
            return sigma > 0 ? std::erf(edge * step / (std::sqrt(2.0) * sigma)) : (edge > 0 ? 1.0 : -1.0);
        };
        weights.push_back(upTo(i + 0.5) - upTo(i - 0.5));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<float> shares;
    std::transform(weights.begin(), weights.end(), std::back_inserter(shares),
                   [sum](double w) { return static_cast<float>(w / sum); });
    return shares;
}

/// What survives of the activity along every line of one direction, blurred: per mm3 at points (s, a, u).
class DirectionField {
  public:
    DirectionField(const Phantom& phantom, const PairAttenuation& activity, const PairAttenuation& survival,
                   const LineResponse& response, const Box& box, const Lattice& lattice,
                   const View& direction)
        : axes_(direction.axes()) {
        const Box image = latticeBox(lattice);
        double widest = 0;
        const Interval emits = extent(box, axes_.r);
        for (double s = emits.begin; s <= emits.end; s += kAcrossStep_mm) {
            widest = std::max(widest, response.radial(std::abs(s)));
        }
        const auto grown = [&](Vec3 axis, double sigma) {
            const Interval part = extent(box, axis);
            const Interval whole = extent(image, axis);
            // What lies further from the image than the blur reaches is not seen.
            return overlap({part.begin - kReach * sigma, part.end + kReach * sigma},
                           {whole.begin - kReach * sigma, whole.end + kReach * sigma});
        };
        const Interval s = grown(axes_.r, widest);
        const Interval a = grown(axes_.a, response.axial);
        const Interval u = grown(axes_.u, response.along);
        if (!(s.begin < s.end) || !(a.begin < a.end) || !(u.begin < u.end)) {
            return;
        }
        s_ = samplesOver(s, kAcrossStep_mm);
        a_ = samplesOver(a, kAcrossStep_mm);
        u_ = samplesOver(u, kAlongStep_mm);
        values_.assign(s_.count * a_.count * u_.count, 0.0F);
        const std::vector<float> along = gaussian(response.along, u_.step);
        for (std::size_t i = 0; i < s_.count; ++i) {
            for (std::size_t j = 0; j < a_.count; ++j) {
                addLine(activity, survival, along, i, j);
            }
        }
        for (const PhantomShape& shape : phantom.shapes) {
            if (shape.kind == PhantomShape::Kind::Point && shape.activity > 0 && !phantom.emission) {
                addPoint(shape, survival, response.along);
            }
        }
        blurAxially(gaussian(response.axial, a_.step));
        blurRadially(response);
    }

    /// Per mm3 at a point; zero where nothing comes to.
    [[nodiscard]] double at(Vec3 p) const {
        const double s = (dot(p, axes_.r) - s_.first) / s_.step;
        const double a = (dot(p, axes_.a) - a_.first) / a_.step;
        const double u = (dot(p, axes_.u) - u_.first) / u_.step;
        if (values_.empty() || !(s >= 0 && a >= 0 && u >= 0) || s >= static_cast<double>(s_.count - 1) ||
            a >= static_cast<double>(a_.count - 1) || u >= static_cast<double>(u_.count - 1)) {
            return 0;
        }
        const auto i = static_cast<std::size_t>(s);
        const auto j = static_cast<std::size_t>(a);
        const auto k = static_cast<std::size_t>(u);
        const double ws = s - static_cast<double>(i);
        const double wa = a - static_cast<double>(j);
        const double wu = u - static_cast<double>(k);
        const auto between = [&](std::size_t x, std::size_t y) {
            const float* const v = values_.data() + (x * a_.count + y) * u_.count + k;
            return (1 - wu) * static_cast<double>(v[0]) + wu * static_cast<double>(v[1]);
        };
        return (1 - ws) * ((1 - wa) * between(i, j) + wa * between(i, j + 1)) +
               ws * ((1 - wa) * between(i + 1, j) + wa * between(i + 1, j + 1));
    }

  private:
    [[nodiscard]] float* line(std::size_t i, std::size_t j) {
        return values_.data() + (i * a_.count + j) * u_.count;
    }

    void addLine(const PairAttenuation& activity, const PairAttenuation& survival,
                 const std::vector<float>& along, std::size_t i, std::size_t j) {
        const Vec3 foot = s_.at(i) * axes_.r + a_.at(j) * axes_.a;
        const std::vector<AttenuationPiece> pieces = activity.pieces(foot, axes_.u);
        if (pieces.empty()) {
            return;
        }
        const auto left = static_cast<float>(std::exp(-survival.along(foot, axes_.u, 50)));
        // Shares of the steps around each sample, then the Gaussian over them.
        const auto reach = static_cast<std::ptrdiff_t>(along.size() / 2);
        const auto count = static_cast<std::ptrdiff_t>(u_.count);
        std::vector<float> filled(u_.count + along.size(), 0.0F);  // from -reach - 1 on
        const double low = u_.first - (static_cast<double>(reach) + 0.5) * u_.step;
        for (const AttenuationPiece& piece : pieces) {
            const double begin = (piece.begin - low) / u_.step;
            const double end = (piece.end - low) / u_.step;
            const auto first = static_cast<std::ptrdiff_t>(std::max(std::floor(begin), 0.0));
            const auto last =
                std::min(static_cast<std::ptrdiff_t>(std::floor(std::max(end, -1.0))), count + 2 * reach - 1);
            for (std::ptrdiff_t k = first; k <= last; ++k) {
                const double part =
                    std::min(end, static_cast<double>(k + 1)) - std::max(begin, static_cast<double>(k));
                filled[static_cast<std::size_t>(k)] += static_cast<float>(piece.mu_per_mm * part);
            }
        }
        float* const out = line(i, j);
        for (std::size_t t = 0; t < along.size(); ++t) {
            const float weight = left * along[t];
            const float* const from = filled.data() + t;
            for (std::size_t k = 0; k < u_.count; ++k) {
                out[k] += weight * from[k];
            }
        }
    }

    void addPoint(const PhantomShape& point, const PairAttenuation& survival, double sigma) {
        const double left =
            point.activity * std::exp(-survival.along(point.centre, axes_.u, 50)) / (s_.step * a_.step);
        const double at = dot(point.centre, axes_.u);
        const double s = (dot(point.centre, axes_.r) - s_.first) / s_.step;
        const double a = (dot(point.centre, axes_.a) - a_.first) / a_.step;
        for (const double ds : {0.0, 1.0}) {
            for (const double da : {0.0, 1.0}) {
                const double i = std::floor(s) + ds;
                const double j = std::floor(a) + da;
                if (!(i >= 0 && j >= 0) || i >= static_cast<double>(s_.count) ||
                    j >= static_cast<double>(a_.count)) {
                    continue;
                }
                const double weight = left * (1 - std::abs(s - i)) * (1 - std::abs(a - j));
                float* const out = line(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
                for (std::size_t k = 0; k < u_.count; ++k) {
                    const double width = std::max(sigma, 0.5 * u_.step);
                    const double d = (u_.at(k) - at) / width;
                    out[k] +=
                        static_cast<float>(weight * std::exp(-0.5 * d * d) / (std::sqrt(2 * kPi) * width));
                }
            }
        }
    }

    /// Row `from` of `count` values, times the weight, on row `to`.
    static void add(const float* from, float weight, float* to, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            to[k] += weight * from[k];
        }
    }

    void blurAxially(const std::vector<float>& weights) {
        const auto reach = static_cast<std::ptrdiff_t>(weights.size() / 2);
        std::vector<float> sheet(a_.count * u_.count);
        for (std::size_t i = 0; i < s_.count; ++i) {
            std::copy_n(line(i, 0), sheet.size(), sheet.begin());
            std::fill_n(line(i, 0), sheet.size(), 0.0F);
            for (std::ptrdiff_t j = 0; j < static_cast<std::ptrdiff_t>(a_.count); ++j) {
                for (std::ptrdiff_t t = -reach; t <= reach; ++t) {
                    if (j + t >= 0 && j + t < static_cast<std::ptrdiff_t>(a_.count)) {
                        add(sheet.data() + static_cast<std::size_t>(j) * u_.count,
                            weights[static_cast<std::size_t>(t + reach)],
                            line(i, static_cast<std::size_t>(j + t)), u_.count);
                    }
                }
            }
        }
    }

    /// Every source line spreads with the width where it lies.
    void blurRadially(const LineResponse& response) {
        const std::size_t sheet = a_.count * u_.count;
        const std::vector<float> sources = values_;
        std::fill(values_.begin(), values_.end(), 0.0F);
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(s_.count); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const std::vector<float> weights = gaussian(response.radial(std::abs(s_.at(at))), s_.step);
            const auto reach = static_cast<std::ptrdiff_t>(weights.size() / 2);
            for (std::ptrdiff_t t = -reach; t <= reach; ++t) {
                if (i + t >= 0 && i + t < static_cast<std::ptrdiff_t>(s_.count)) {
                    add(sources.data() + at * sheet, weights[static_cast<std::size_t>(t + reach)],
                        line(static_cast<std::size_t>(i + t), 0), sheet);
                }
            }
        }
    }

    ViewAxes axes_;
    Samples s_;
    Samples a_;
    Samples u_;
    std::vector<float> values_;  ///< [s][a][u]
};

/// Points of Gauss's rule of two in each of the equal parts, none wider than `part`, of an interval from -1/2
/// to 1/2 that is `width` wide.
std::vector<double> pointsIn(double width, double part) {
    const int parts = std::max(1, static_cast<int>(std::ceil(width / part - 1e-9)));
    std::vector<double> points;
    for (int i = 0; i < parts; ++i) {
        for (const double g : {-kGauss, kGauss}) {
            points.push_back((i + 0.5 + g) / parts - 0.5);
        }
    }
    return points;
}

/// Directions that stand for a cell, evenly over its azimuths and the sines of its tilts.
std::vector<View> directionsOf(const ViewGrid& grid, const View& centre) {
    const double half = grid.acceptance() / grid.tilts();
    const double low = std::sin(centre.theta - half);
    const double high = std::sin(centre.theta + half);
    const double width = kPi / grid.azimuths();
    std::vector<View> views;
    for (const double p : pointsIn(width, kAzimuthPart_rad)) {
        for (const double t : pointsIn(2 * half, kTiltPart_rad)) {
            views.push_back({centre.phi + p * width, std::asin(0.5 * (low + high) + t * (high - low))});
        }
    }
    return views;
}

/// Adds the field's mean over every voxel.
void addMeans(const DirectionField& field, const Lattice& lattice, float weight, float* out) {
    std::array<std::vector<double>, 3> within;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        within[axis] = pointsIn(lattice.spacing_mm[axis], kVoxelPart_mm);
    }
    const auto points = static_cast<double>(within[0].size() * within[1].size() * within[2].size());
    std::size_t i = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        double sum = 0;
        for (const double dz : within[2]) {
            for (const double dy : within[1]) {
                for (const double dx : within[0]) {
                    sum += field.at(lattice.centre(x + dx, y + dy, z + dz));
                }
            }
        }
        out[i++] += weight * static_cast<float>(sum / points);
    });
}

}  // namespace

LineResponse responseOf(const Scanner& scanner) {
    const auto [across, along, depth] = scanner.crystalSize_mm;
    const double mu = scanner.attenuation_per_mm;
    double depthVariance = 0;
    if (mu > 0) {
        const double left = std::exp(-mu * depth);
        depthVariance = 1 / (mu * mu) - depth * depth * left / ((1 - left) * (1 - left));
    }
    double radius = 0;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 at = scanner.reference(c);
        radius = std::max(radius, std::hypot(at.x, at.y));
    }
    const double time = scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs;
    // Each end: the true place in the crystal, and the place that it is given: two even distributions. The
    // line has the mean of both ends.
    const double face = across * across / 12;
    LineResponse response;
    response.axial = std::sqrt(along * along / 12);
    response.along = std::sqrt(time * time + 0.5 * depthVariance);
    response.radial = [=](double s) {
        const double slant = std::min(s / radius, 1.0);
        return std::sqrt(face + 0.5 * depthVariance * slant * slant);
    };
    return response;
}

LineResponse responseOf(const KernelSpec& kernel) {
    if (kernel.sided()) {
        throw WrongUse("expected data are blurred by symmetric kernels; '{}' has two sides or was measured",
                       kernel.name);
    }
    LineResponse response;
    response.along = kernel.sigmaTof_mm();
    response.axial = kernel.sigmaAxial_mm();
    response.radial = [width = kernel.radial](double s) { return width.at(s) / kFwhmPerSigma; };
    return response;
}

double totalActivity(const Phantom& phantom) {
    if (phantom.emission) {
        const auto& h = phantom.emission->lattice.spacing_mm;
        return std::accumulate(phantom.emission->data.begin(), phantom.emission->data.end(), 0.0) * h[0] *
               h[1] * h[2];
    }
    constexpr double kStep_mm = 0.5;
    const Phantom activity = activityAsAttenuation(phantom);
    const PairAttenuation chords(activity);
    const Box box = emittingBox(phantom);
    double sum = 0;
    for (double y = box.low.y + 0.5 * kStep_mm; y < box.high.y; y += kStep_mm) {
        for (double x = box.low.x + 0.5 * kStep_mm; x < box.high.x; x += kStep_mm) {
            sum += chords.along({x, y, 0}, {0, 0, 1}, kForever);
        }
    }
    sum *= kStep_mm * kStep_mm;
    for (const PhantomShape& shape : phantom.shapes) {
        sum += shape.kind == PhantomShape::Kind::Point ? shape.activity : 0;
    }
    return sum;
}

HistoData analyticData(const Scanner& scanner, const Phantom& phantom, const AnalyticSettings& settings,
                       const Volume* attenuation, const ThreadPool& pool,
                       const std::function<void(double)>& progress) {
    const Box box = emittingBox(phantom);
    BinningSettings binning;
    binning.azimuths = settings.azimuths;
    binning.tilts = settings.tilts;
    binning.lattice = settings.lattice;
    binning.seed = settings.seed;
    HistoData data = depositEvents({}, scanner, binning, pool, {});
    computeMult(data, scanner, attenuation, pool, [&](double share) {
        if (progress) {
            progress(0.3 * share);
        }
    });
    const LineResponse response = settings.response ? responseOf(*settings.response) : responseOf(scanner);
    const Phantom emitting = activityAsAttenuation(phantom);
    const PairAttenuation activity(emitting);
    const PairAttenuation survival(phantom);
    const ViewGrid grid(settings.azimuths, settings.tilts, scanner.acceptance_rad);
    const std::size_t voxels = data.voxels();
    const auto& h = settings.lattice.spacing_mm;
    const auto perView = static_cast<std::size_t>(std::max(pool.threads(), 1));
    for (std::size_t first = 0; first < data.views.size(); first += perView) {
        const std::size_t n = std::min(perView, data.views.size() - first);
        pool.forRange(n, 1, [&](std::size_t i, std::size_t) {
            float* const counts = data.counts.data() + (first + i) * voxels;
            const std::vector<View> directions = directionsOf(grid, data.views[first + i]);
            const double weight = h[0] * h[1] * h[2] / static_cast<double>(directions.size());
            for (const View& direction : directions) {
                const DirectionField field(phantom, activity, survival, response, box, settings.lattice,
                                           direction);
                addMeans(field, settings.lattice, static_cast<float>(weight), counts);
            }
            const float* const mult = data.mult.data() + (first + i) * voxels;
            std::transform(counts, counts + voxels, mult, counts, std::multiplies<>());
        });
        if (progress) {
            progress(0.3 + 0.7 * static_cast<double>(first + n) / static_cast<double>(data.views.size()));
        }
    }
    const double seen = std::accumulate(data.counts.begin(), data.counts.end(), 0.0);
    if (!(seen > 0)) {
        throw WrongUse("scanner '{}' sees nothing of phantom '{}' on this lattice", scanner.name,
                       phantom.name);
    }
    const double scale = settings.counts / seen;
    if (settings.noiseFree) {
        for (float& count : data.counts) {
            count = static_cast<float>(scale * static_cast<double>(count));
        }
    } else {
        data.counts = poissonCounts(data.counts, scale, settings.seed, pool);
    }
    data.kept = static_cast<std::uint64_t>(
        std::llround(std::accumulate(data.counts.begin(), data.counts.end(), 0.0)));
    data.decays = scale * totalActivity(phantom);
    data.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    return data;
}

}  // namespace tof
