// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/direction_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/target_clones.h"

namespace tof {

namespace {

constexpr double kLeastAcrossStep_mm = 1.5;
constexpr double kMostAcrossStep_mm = 2.5;
constexpr double kAcrossStepPerSigma = 0.9;
constexpr double kLeastAlongStep_mm = 2;
constexpr double kStepsPerSigma = 8;  ///< along: lines between samples are off by 0.2 % of a point's peak
constexpr double kMostAlongStep_mm = 4;
constexpr double kReach = 4;                   ///< standard deviations that a Gaussian is followed to
constexpr double kTailReach = 3;               ///< and that of its tails
constexpr double kGauss = 0.2886751345948129;  ///< half the distance of Gauss's two points of a unit interval
constexpr double kVoxelPart_mm = 4;
constexpr std::size_t kVector = 16;
constexpr double kMargin = 1e-3;  ///< share of a sample: what single precision may be off in a column

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

/// Tails of a blur: a share of it that is so many times as wide.
struct Tails {
    double share = 0;
    double width = 1;

    /// How far a blur of that standard deviation is followed.
    [[nodiscard]] double reach(double sigma) const {
        return sigma * std::max(kReach, share > 0 ? kTailReach * width : 0.0);
    }
};

/// erf() from a table, by cubics that have its values and slopes: right to 1e-10.
class ErrorFunction {
  public:
    ErrorFunction() {
        for (std::size_t i = 0; i <= kSteps; ++i) {
            const double x = static_cast<double>(i) / kPerUnit;
            nodes_[i] = {std::erf(x), 2 / std::sqrt(kPi) * std::exp(-x * x) / kPerUnit};
        }
    }

    [[nodiscard]] double operator()(double x) const {
        const double at = std::abs(x) * kPerUnit;
        if (!(at < static_cast<double>(kSteps))) {
            return std::copysign(1.0, x);
        }
        const auto below = static_cast<std::size_t>(at);
        const double f = at - static_cast<double>(below);
        const Node& a = nodes_[below];
        const Node& b = nodes_[below + 1];
        const double rise = b.value - a.value;
        const double bend = f * (1 - f) * ((1 - f) * (a.slope - rise) - f * (b.slope - rise));
        return std::copysign(a.value + f * rise + bend, x);
    }

  private:
    static constexpr std::size_t kPerUnit = 128;
    static constexpr std::size_t kSteps = 6 * kPerUnit;  ///< beyond, erf is 1 to the last digit
    struct Node {
        double value;
        double slope;  ///< slope of a step
    };
    std::array<Node, kSteps + 1> nodes_{};
};

/// Weights of a Gaussian, meant over `offsets` of its centre, at whole steps from -reach to reach; sum 1.
std::vector<float> gaussian(double sigma, double step, const std::vector<double>& offsets,
                            const Tails& tails = Tails()) {
    static const ErrorFunction erf;
    const double farthest = std::abs(*std::max_element(
        offsets.begin(), offsets.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    // Straight lines between samples widen by the variance of a triangle of one step.
    const double width = std::sqrt(std::max(sigma * sigma - step * step / 6, 0.09 * step * step));
    const auto reach = static_cast<int>(std::ceil((tails.reach(width) + farthest) / step));
    const double perWidth = 1 / (std::sqrt(2.0) * width);
    const auto upTo = [&](double edge) {
        const double core = erf(edge * perWidth);
        return tails.share > 0 ? (1 - tails.share) * core + tails.share * erf(edge * perWidth / tails.width)
                               : core;
    };
    // The share of a step: exact for what varies little along it.
    const auto below = [&](double edge) {
        return std::accumulate(offsets.begin(), offsets.end(), 0.0,
                               [&](double sum, double offset) { return sum + upTo(edge - offset); });
    };
    std::vector<double> weights;
    double last = below((-reach - 0.5) * step);
    for (int i = -reach; i <= reach; ++i) {
        const double next = below((i + 0.5) * step);
        weights.push_back(next - last);
        last = next;
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<float> shares;
    std::transform(weights.begin(), weights.end(), std::back_inserter(shares),
                   [sum](double w) { return static_cast<float>(w / sum); });
    return shares;
}

/// out[k] += weight * ((1 - part) * table[k] + part * table[k + 1]); what a cumulated Gaussian adds.
TOF_CLONES void addBetween(const float* table, float part, float weight, float* out, std::size_t count) {
    const float low = weight * (1 - part);
    const float high = weight * part;
    for (std::size_t k = 0; k < count; ++k) {
        out[k] += low * table[k] + high * table[k + 1];
    }
}

TOF_CLONES void addConstant(float value, float* out, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        out[k] += value;
    }
}

/// to[k] = sum over rows of weights[row] * from[row * pitch + k].
TOF_CLONES void sumRows(const float* __restrict from, std::size_t pitch, const float* weights,
                        std::size_t rows, float* __restrict to, std::size_t count) {
    std::fill_n(to, count, 0.0F);
    std::size_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const float* const w = weights + row;
        const float* const a = from + row * pitch;
        const float* const b = a + pitch;
        const float* const c = b + pitch;
        const float* const d = c + pitch;
        for (std::size_t k = 0; k < count; ++k) {
            to[k] += (w[0] * a[k] + w[1] * b[k]) + (w[2] * c[k] + w[3] * d[k]);
        }
    }
    for (; row < rows; ++row) {
        const float weight = weights[row];
        const float* const values = from + row * pitch;
        for (std::size_t k = 0; k < count; ++k) {
            to[k] += weight * values[k];
        }
    }
}

/// Places and steps in a field, in samples.
struct FieldRow {
    float a;
    float u;
    float da;
    float du;
};

/// Adds to out[k] the value at (a, u) + k (da, du), linear between samples, of the sheets `low` and
/// low + `next`, [u][a], in the shares 1 - part and part, times `weight`. All places lie within the sheets.
TOF_CLONES void addBetweenSheets(const float* __restrict low, std::size_t next, std::size_t pitch, float part,
                                 FieldRow at, float weight, float* __restrict out, std::size_t count) {
    const float* __restrict const high = low + next;
    const auto steps = static_cast<int>(count);
    const auto row = static_cast<int>(pitch);
    for (int n = 0; n < steps; ++n) {
        const float a = at.a + static_cast<float>(n) * at.da;
        const float u = at.u + static_cast<float>(n) * at.du;
        const auto j = static_cast<int>(a);
        const auto k = static_cast<int>(u);
        const float wa = a - static_cast<float>(j);
        const float wu = u - static_cast<float>(k);
        const int i = k * row + j;
        const float one = (1 - part) * low[i] + part * high[i];
        const float two = (1 - part) * low[i + 1] + part * high[i + 1];
        const float three = (1 - part) * low[i + row] + part * high[i + row];
        const float four = (1 - part) * low[i + row + 1] + part * high[i + row + 1];
        const float near = (1 - wa) * one + wa * two;
        const float far = (1 - wa) * three + wa * four;
        out[n] += weight * ((1 - wu) * near + wu * far);
    }
}

/// A Gaussian by steps, summed up: the blur of an edge at any place is a row of it.
class BlurredEdge {
  public:
    explicit BlurredEdge(const std::vector<float>& weights) : length_(weights.size()) {
        // From all of it down to nothing, with a value more at either end.
        std::vector<double> sums(length_ + 1, 0.0);
        for (std::size_t i = 0; i < length_; ++i) {
            sums[i + 1] = sums[i] + static_cast<double>(weights[i]);
        }
        falling_.push_back(static_cast<float>(sums.back()));
        for (std::size_t i = sums.size(); i-- > 0;) {
            falling_.push_back(static_cast<float>(sums[i]));
        }
        falling_.push_back(0);
    }

    /// Adds `weight` times what of each sample k lies below the place `edge`, in steps from half the
    /// weights' length before the first sample.
    void add(double edge, float weight, float* out, std::size_t count) const {
        const double whole = std::floor(edge);
        const auto length = static_cast<double>(length_);
        const auto n = static_cast<double>(count);
        const auto full = static_cast<std::size_t>(std::clamp(whole - length, 0.0, n));
        const auto end = static_cast<std::size_t>(std::clamp(whole + 1, 0.0, n));
        addConstant(weight, out, full);
        if (full < end) {
            // At sample k, whole - k steps of the Gaussian are below, and a part of the next.
            const auto first = static_cast<std::size_t>(length - whole + static_cast<double>(full));
            addBetween(falling_.data() + first, static_cast<float>(1 - (edge - whole)), weight, out + full,
                       end - full);
        }
    }

  private:
    std::size_t length_;
    std::vector<float> falling_;
};

Vec3 halfVoxel(const Lattice& lattice) {
    return {0.5 * lattice.spacing_mm[0], 0.5 * lattice.spacing_mm[1], 0.5 * lattice.spacing_mm[2]};
}

/// Places of a voxel's points along an axis. Their distributions along the three axes of a direction are
/// uncorrelated in a cube, so each axis is blurred by its own.
std::vector<double> offsetsWithin(const Lattice& lattice, Vec3 axis) {
    std::vector<double> offsets{0};
    for (std::size_t k = 0; k < 3; ++k) {
        if (std::abs(lattice.spacing_mm[k] * axis[k]) < 1e-9) {
            continue;  // all points of that row at one place
        }
        std::vector<double> all;
        for (const double part : gaussPoints(lattice.spacing_mm[k], kVoxelPart_mm)) {
            for (const double offset : offsets) {
                all.push_back(offset + part * lattice.spacing_mm[k] * axis[k]);
            }
        }
        offsets = std::move(all);
    }
    return offsets;
}

double place(const Samples& samples, Vec3 axis, Vec3 p) {
    return (dot(p, axis) - samples.first) / samples.step;
}

/// Slices of a column, whole numbers; none where the first is above the last.
struct Within {
    double first;
    double last;
};
/// Those of `slices` where the place `at` + slice * `step` lies between the first and the last sample.
Within within(double at, double step, std::size_t count, Within slices) {
    const double low = kMargin;
    const double high = static_cast<double>(count - 1) - kMargin;
    if (std::abs(step) < 1e-12) {
        return at >= low && at <= high ? slices : Within{1, 0};
    }
    const double one = (low - at) / step;
    const double two = (high - at) / step;
    return {std::max(slices.first, std::ceil(std::min(one, two))),
            std::min(slices.last, std::floor(std::max(one, two)))};
}

/// Rows of a symmetric blur's weights around `at` that lie within [begin, end).
struct Rows {
    std::size_t first;  ///< the first of the values
    std::size_t skip;   ///< weights that are skipped
    std::size_t count;
};
Rows rowsAround(std::size_t at, std::size_t weights, std::size_t begin, std::size_t end) {
    const std::size_t reach = weights / 2;
    const std::size_t first = std::max(begin, at > reach ? at - reach : 0);
    const std::size_t last = std::min(end, at + reach + 1);
    return first < last ? Rows{first, first + reach - at, last - first} : Rows{begin, 0, 0};
}

}  // namespace

std::vector<double> gaussPoints(double width, double part) {
    const int parts = std::max(1, static_cast<int>(std::ceil(width / part - 1e-9)));
    std::vector<double> points;
    for (int i = 0; i < parts; ++i) {
        for (const double g : {-kGauss, kGauss}) {
            points.push_back((i + 0.5 + g) / parts - 0.5);
        }
    }
    return points;
}

void DirectionField::Filled::add(std::size_t at) {
    first = end == 0 ? at : std::min(first, at);
    end = std::max(end, at + 1);
}

DirectionField::DirectionField(const SurvivingActivity& activity, const LineResponse& response,
                               const Lattice& lattice, const View& direction, Room& room)
    : room_(room),
      axes_(direction.axes()),
      withinS_(offsetsWithin(lattice, axes_.r)),
      withinA_(offsetsWithin(lattice, axes_.a)),
      withinU_(offsetsWithin(lattice, axes_.u)) {
    sample(activity, response, lattice);
    if (s_.count == 0) {
        return;
    }
    addLines(activity, response);
    if (sheets_.end == 0) {
        return;
    }
    blurAxially(gaussian(response.axial, a_.step, withinA_, {response.tailShare, response.tailWidth}));
    blurRadially(response);
}

void DirectionField::sample(const SurvivingActivity& activity, const LineResponse& response,
                            const Lattice& lattice) {
    const Box image = latticeBox(lattice);
    double widest = 0;
    const Interval lines = extent(activity.across(), axes_.r);
    for (double s = lines.begin; s <= lines.end; s += kLeastAcrossStep_mm) {
        widest = std::max(widest, response.radial(std::abs(s)));
    }
    const auto grown = [&](const Box& box, Vec3 axis, double blur) {
        const Interval part = extent(box, axis);
        const Interval whole = extent(image, axis);
        const double reach = blur + norm(halfVoxel(lattice));
        // What lies further from the image than the blur reaches is not seen.
        return overlap({part.begin - reach, part.end + reach}, {whole.begin - reach, whole.end + reach});
    };
    const Tails tails{response.tailShare, response.tailWidth};
    const Interval s = grown(activity.across(), axes_.r, tails.reach(widest));
    const Interval a = grown(activity.across(), axes_.a, tails.reach(response.axial));
    const Interval u = grown(activity.along(), axes_.u, Tails().reach(response.along));
    if (!(s.begin < s.end) || !(a.begin < a.end) || !(u.begin < u.end)) {
        return;
    }
    const auto stepFor = [](double sigma) {
        return std::clamp(kAcrossStepPerSigma * sigma, kLeastAcrossStep_mm, kMostAcrossStep_mm);
    };
    s_ = samplesOver(s, stepFor(response.radial(0)));
    a_ = samplesOver(a, stepFor(response.axial));
    u_ = samplesOver(u, std::clamp(response.along / kStepsPerSigma, kLeastAlongStep_mm, kMostAlongStep_mm));
    // Whole vectors: further samples cost less than what is left over.
    u_.count = (u_.count + kVector - 1) / kVector * kVector;
}

void DirectionField::addLines(const SurvivingActivity& activity, const LineResponse& response) {
    room_.values.assign(s_.count * a_.count * u_.count, 0.0F);
    const std::vector<float> along = gaussian(response.along, u_.step, withinU_);
    const BlurredEdge edge(along);
    const double before = 0.5 * static_cast<double>(along.size()) * u_.step;
    filled_.assign(s_.count, {});
    for (std::size_t i = 0; i < s_.count; ++i) {
        for (std::size_t j = 0; j < a_.count; ++j) {
            const Vec3 foot = s_.at(i) * axes_.r + a_.at(j) * axes_.a;
            for (const SurvivingPiece& piece : activity.pieces(foot, axes_.u)) {
                float* const out = line(i, j);
                edge.add((piece.end - u_.first + before) / u_.step, piece.activity, out, u_.count);
                edge.add((piece.begin - u_.first + before) / u_.step, -piece.activity, out, u_.count);
                filled_[i].add(j);
            }
        }
    }
    for (const SurvivingActivity::Point& point : activity.points()) {
        addPoint(activity, point, response.along);
    }
    for (std::size_t i = 0; i < s_.count; ++i) {
        if (filled_[i].end > 0) {
            sheets_.add(i);
        }
    }
}

void DirectionField::addPoint(const SurvivingActivity& activity, const SurvivingActivity::Point& point,
                              double sigma) {
    const double left = point.activity * activity.survivalOf(point.at, axes_.u) / (s_.step * a_.step);
    const double at = dot(point.at, axes_.u);
    const double share = 1 / static_cast<double>(withinU_.size());
    const double s = (dot(point.at, axes_.r) - s_.first) / s_.step;
    const double a = (dot(point.at, axes_.a) - a_.first) / a_.step;
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
            filled_[static_cast<std::size_t>(i)].add(static_cast<std::size_t>(j));
            for (std::size_t k = 0; k < u_.count; ++k) {
                const double width = std::max(sigma, 0.5 * u_.step);
                for (const double offset : withinU_) {
                    const double d = (u_.at(k) - at - offset) / width;
                    out[k] += static_cast<float>(share * weight * std::exp(-0.5 * d * d) /
                                                 (std::sqrt(2 * kPi) * width));
                }
            }
        }
    }
}

/// Turns sheets from [a][u] to [u][a].
void DirectionField::blurAxially(const std::vector<float>& weights) {
    room_.sheet.resize(sheetSize());
    for (std::size_t i = sheets_.first; i < sheets_.end; ++i) {
        float* const own = line(i, 0);
        for (std::size_t j = 0; j < a_.count; ++j) {
            const Rows rows = rowsAround(j, weights.size(), filled_[i].first, filled_[i].end);
            sumRows(own + rows.first * u_.count, u_.count, weights.data() + rows.skip, rows.count,
                    room_.sheet.data() + j * u_.count, u_.count);
        }
        for (std::size_t u = 0; u < u_.count; u += kVector) {
            for (std::size_t j = 0; j < a_.count; ++j) {
                const float* const from = room_.sheet.data() + j * u_.count + u;
                for (std::size_t k = 0; k < kVector; ++k) {
                    own[(u + k) * a_.count + j] = from[k];
                }
            }
        }
    }
}

/// Every source line spreads with the width where it lies: what comes to a line has its sources' weights.
void DirectionField::blurRadially(const LineResponse& response) {
    constexpr std::size_t kTogether = 1024;  // values of a sheet: sums stay in the cache
    std::vector<std::vector<float>> spread(s_.count);
    std::size_t reach = 0;
    for (std::size_t i = sheets_.first; i < sheets_.end; ++i) {
        spread[i] = gaussian(response.radial(std::abs(s_.at(i))), s_.step, withinS_,
                             {response.tailShare, response.tailWidth});
        reach = std::max(reach, spread[i].size() / 2);
    }
    std::swap(room_.values, room_.sources);
    room_.values.resize(room_.sources.size());
    const std::size_t sheet = sheetSize();
    std::vector<float> weights;
    for (std::size_t i = 0; i < s_.count; ++i) {
        const Rows rows = rowsAround(i, 2 * reach + 1, sheets_.first, sheets_.end);
        weights.clear();
        for (std::size_t from = rows.first; from < rows.first + rows.count; ++from) {
            const auto t = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(from) +
                           static_cast<std::ptrdiff_t>(spread[from].size() / 2);
            const bool reached = t >= 0 && t < static_cast<std::ptrdiff_t>(spread[from].size());
            weights.push_back(reached ? spread[from][static_cast<std::size_t>(t)] : 0.0F);
        }
        for (std::size_t k = 0; k < sheet; k += kTogether) {
            sumRows(room_.sources.data() + rows.first * sheet + k, sheet, weights.data(), rows.count,
                    room_.values.data() + i * sheet + k, std::min(kTogether, sheet - k));
        }
    }
}

void DirectionField::addTo(const Lattice& lattice, float weight, float* out) const {
    if (sheets_.end == 0) {
        return;
    }
    const auto slices = static_cast<std::size_t>(lattice.size[2]);
    const double up = lattice.spacing_mm[2];
    // r has no part along z: a column of voxels lies in one sheet.
    const double da = axes_.a.z * up / a_.step;
    const double du = axes_.u.z * up / u_.step;
    for (int y = 0; y < lattice.size[1]; ++y) {
        for (int x = 0; x < lattice.size[0]; ++x, out += slices) {
            const Vec3 p = lattice.centre(x, y, 0);
            const double s = place(s_, axes_.r, p);
            if (!(s >= 0) || s >= static_cast<double>(s_.count - 1)) {
                continue;
            }
            const double a = place(a_, axes_.a, p);
            const double u = place(u_, axes_.u, p);
            const Within rows =
                within(u, du, u_.count, within(a, da, a_.count, {0, static_cast<double>(slices - 1)}));
            if (rows.first > rows.last) {
                continue;
            }
            const auto i = static_cast<std::size_t>(s);
            const auto first = static_cast<std::size_t>(rows.first);
            addBetweenSheets(
                room_.values.data() + i * sheetSize(), sheetSize(), a_.count,
                static_cast<float>(s - static_cast<double>(i)),
                {static_cast<float>(a + rows.first * da), static_cast<float>(u + rows.first * du),
                 static_cast<float>(da), static_cast<float>(du)},
                weight, out + first, static_cast<std::size_t>(rows.last - rows.first) + 1);
        }
    }
}

}  // namespace tof
