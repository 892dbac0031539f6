// SPDX-License-Identifier: Apache-2.0
#include "recon/register/mutual_information.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "recon/base/error.h"
#include "recon/base/interpolated.h"
#include "recon/metrics/image_math.h"

namespace tof {

namespace {

constexpr int kBins = MutualInformation::kBins;
constexpr double kTail = 0.001;
constexpr std::size_t kGrain = 4096;  ///< points of a partial histogram
constexpr std::size_t kSpline = 4;    ///< bins that a cubic B-spline covers
constexpr int kRoom = 2;              ///< bins beyond the ends, which splines reach into
/// Histogram of pairs, [fixed][moving].
using Joint = std::array<double, static_cast<std::size_t>(kBins) * kBins>;

/// Values that bins lie between.
struct Ends {
    double low = 0;
    double high = 1;
};

Ends endsOf(const Volume& image, const char* which) {
    const Ends ends{percentileOf(image, kTail), percentileOf(image, 1 - kTail)};
    constexpr double kRounding = 1e-5;
    if (!(ends.high - ends.low > kRounding * std::max(std::abs(ends.low), std::abs(ends.high)))) {
        throw BadInput("the {} image has one value everywhere; it cannot tell where it belongs", which);
    }
    return ends;
}

/// The value of an image at a point and its gradient per mm; nothing outside of its outermost centres.
struct Sampled {
    double value = 0;
    Vec3 gradient;
};

std::optional<Sampled> sampledAt(const Volume& image, Vec3 mm) {
    const Lattice& lattice = image.lattice;
    const Vec3 at = lattice.continuousIndex(mm);
    std::array<std::size_t, 3> lower{};
    std::array<double, 3> share{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(at[axis] >= 0 && at[axis] <= lattice.size[axis] - 1) || lattice.size[axis] < 2) {
            return std::nullopt;
        }
        const int below = std::min(static_cast<int>(at[axis]), lattice.size[axis] - 2);
        lower[axis] = static_cast<std::size_t>(below);
        share[axis] = at[axis] - below;
    }
    const auto row = static_cast<std::size_t>(lattice.size[0]);
    const std::size_t layer = row * static_cast<std::size_t>(lattice.size[1]);
    const float* v = image.data.data() + lower[2] * layer + lower[1] * row + lower[0];
    const auto [x, y, z] = share;
    const auto mix = [](double a, double b, double s) { return a + s * (b - a); };
    const std::array<double, 8> c{v[0],     v[1],         v[row],         v[row + 1],
                                  v[layer], v[layer + 1], v[layer + row], v[layer + row + 1]};
    const double y0z0 = mix(c[0], c[1], x);
    const double y1z0 = mix(c[2], c[3], x);
    const double y0z1 = mix(c[4], c[5], x);
    const double y1z1 = mix(c[6], c[7], x);
    const double z0 = mix(y0z0, y1z0, y);
    const double z1 = mix(y0z1, y1z1, y);
    const auto& edge = lattice.spacing_mm;
    const double dx = mix(mix(c[1] - c[0], c[3] - c[2], y), mix(c[5] - c[4], c[7] - c[6], y), z);
    return Sampled{mix(z0, z1, z),
                   {dx / edge[0], mix(y1z0 - y0z0, y1z1 - y0z1, z) / edge[1], (z1 - z0) / edge[2]}};
}

/// The cubic B-spline about each of the four bins near a place, and its slope there.
struct Weights {
    std::size_t first = 0;
    std::array<double, kSpline> value{};
    std::array<double, kSpline> slope{};
};

Weights weightsAt(double place) {
    const double below = std::floor(place);
    const double t = place - below;
    const double u = 1 - t;
    return {static_cast<std::size_t>(below) - 1,
            {u * u * u / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * u * u + 3 * u * u * u) / 6,
             t * t * t / 6},
            {-u * u / 2, (-4 * t + 3 * t * t) / 2, (4 * u - 3 * u * u) / 2, t * t / 2}};
}

/// Logarithms of how much more often pairs come together than by chance, as the gradient takes them, and
/// the information.
struct Told {
    double information = 0;
    Joint log{};
};

Told toldBy(const Joint& joint, double total) {
    Told told;
    std::array<double, kBins> fixed{};
    std::array<double, kBins> moving{};
    for (std::size_t f = 0; f < kBins; ++f) {
        for (std::size_t m = 0; m < kBins; ++m) {
            fixed[f] += joint[f * kBins + m] / total;
            moving[m] += joint[f * kBins + m] / total;
        }
    }
    for (std::size_t f = 0; f < kBins; ++f) {
        for (std::size_t m = 0; m < kBins; ++m) {
            const double pair = joint[f * kBins + m] / total;
            if (pair > 0) {
                told.information += pair * std::log(pair / (fixed[f] * moving[m]));
                told.log[f * kBins + m] = std::log(pair / moving[m]);
            }
        }
    }
    return told;
}

}  // namespace

/// What a point sees of the moving image.
struct MutualInformation::Seen {
    Weights weights;
    Vec3 gradient;  ///< in the fixed image's axes
    bool inside = false;
};

MutualInformation::MutualInformation(const Volume& fixed, const Volume& moving, std::size_t points)
    : moving_(moving) {
    const Ends of = endsOf(fixed, "fixed");
    const Ends to = endsOf(moving, "moving");
    low_ = to.low;
    binsPerUnit_ = (kBins - 2 * kRoom - 1) / (to.high - to.low);
    // Multiples of powers of the root of x^4 = x + 1 fill a cube evenly, and on no lattice.
    constexpr double kRoot = 1.2207440846057596;
    const Lattice& lattice = fixed.lattice;
    points_.reserve(points);
    for (std::size_t i = 1; i <= points; ++i) {
        Vec3 index;
        double step = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            step /= kRoot;
            double whole = 0;
            index[axis] = (lattice.size[axis] - 1) * std::modf(0.5 + static_cast<double>(i) * step, &whole);
        }
        const Vec3 mm = lattice.centre(index.x, index.y, index.z);
        const double share = (interpolated(fixed, mm) - of.low) / (of.high - of.low);
        points_.push_back({mm, std::clamp(static_cast<int>(share * kBins), 0, kBins - 1)});
        middle_ = middle_ + mm;
    }
    middle_ = (1.0 / static_cast<double>(points)) * middle_;
    double squares = 0;
    for (const Point& point : points_) {
        squares += dot(point.mm - middle_, point.mm - middle_);
    }
    reach_mm_ = std::max(1.0, std::sqrt(squares / static_cast<double>(points)));
    seen_ = std::make_unique<std::vector<Seen>>(points);
}

MutualInformation::~MutualInformation() = default;

/// What is found at the points of a chunk.
struct MutualInformation::Part {
    Joint joint{};
    double inside = 0;
    Vec3 byShift;
    Vec3 byTurn;
};

MutualInformation::Seen MutualInformation::look(const Pose& place, const Pose& back, Vec3 mm) const {
    const std::optional<Sampled> sampled = sampledAt(moving_, back.moved(mm));
    if (!sampled) {
        return {};
    }
    constexpr double kFirst = kRoom;
    constexpr double kLast = kBins - kRoom - 1;
    const double bin = kFirst + (sampled->value - low_) * binsPerUnit_;
    const bool within = bin > kFirst && bin < kLast;
    return {weightsAt(std::clamp(bin, kFirst, kLast)), within ? place.turned(sampled->gradient) : Vec3{},
            true};
}

MutualInformation::Value MutualInformation::at(const Pose& place, const ThreadPool& pool) const {
    const Pose back = place.inverse();
    std::vector<Part> parts((points_.size() + kGrain - 1) / kGrain);
    std::vector<Seen>& seen = *seen_;
    pool.forRange(points_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        Part& part = parts[begin / kGrain];
        for (std::size_t i = begin; i < end; ++i) {
            seen[i] = look(place, back, points_[i].mm);
            double* row = part.joint.data() + static_cast<std::size_t>(points_[i].bin) * kBins;
            for (std::size_t k = 0; seen[i].inside && k < kSpline; ++k) {
                row[seen[i].weights.first + k] += seen[i].weights.value[k];
            }
            part.inside += seen[i].inside ? 1 : 0;
        }
    });
    Joint joint{};
    double inside = 0;
    for (const Part& part : parts) {
        std::transform(joint.begin(), joint.end(), part.joint.begin(), joint.begin(), std::plus<>());
        inside += part.inside;
    }
    if (inside == 0) {
        return {};
    }
    const Told told = toldBy(joint, inside);
    pool.forRange(points_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        Part& part = parts[begin / kGrain];
        for (std::size_t i = begin; i < end; ++i) {
            const double* log = told.log.data() + static_cast<std::size_t>(points_[i].bin) * kBins;
            double slope = 0;
            for (std::size_t k = 0; seen[i].inside && k < kSpline; ++k) {
                slope += seen[i].weights.slope[k] * log[seen[i].weights.first + k];
            }
            // Where the moved image goes by d, the value here becomes that from -d.
            const Vec3 push = -(slope * binsPerUnit_ / inside) * seen[i].gradient;
            part.byShift = part.byShift + push;
            part.byTurn = part.byTurn + cross(points_[i].mm - middle_, push);
        }
    });
    Value value{told.information, {}, {}, inside / static_cast<double>(points_.size())};
    for (const Part& part : parts) {
        value.byShift = value.byShift + part.byShift;
        value.byTurn = value.byTurn + part.byTurn;
    }
    return value;
}

}  // namespace tof
