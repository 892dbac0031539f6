// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/measured_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/radial_model.h"

namespace tof {

namespace {

constexpr std::size_t kBins = 400;
constexpr std::size_t kMostBands = 400;
constexpr double kReachInSigmas = 4;  // a measured profile ends there: beyond it a Gaussian holds 6e-5
constexpr double kLeastSpread = 1e-9;
// The kernel's cut-off: 3 sigma in three dimensions leave out 2.9 %, which summing to one puts into the
// peak; 3.5 leave out 0.7 %.
constexpr double kCutoff = 3.5;

void check(const char* what, double value, double low, double high) {
    if (!(value >= low && value <= high)) {
        throw WrongUse(fmt::format("{} is {:g}; it must lie between {:g} and {:g}", what, value, low, high));
    }
}

/// To so many parts of a unit: digits far below the errors only fill files and fields.
double rounded(double value, double parts) {
    return std::round(value * parts) / parts;
}
constexpr double kPartsOfWidth = 1e4;  // mm
constexpr double kPartsOfTof = 1e2;    // ps
constexpr double kPartsOfRadius = 1e3;
constexpr double kPartsOfWeight = 1e7;

/// Adds a width; the first one also counts for the centre.
void addKnot(WidthKnots& knots, double s_mm, double fwhm_mm) {
    const double s = rounded(s_mm, kPartsOfRadius);
    const double width = rounded(fwhm_mm, kPartsOfWidth);
    if (knots.empty()) {
        knots.emplace_back(0, width);
    }
    if (s > 0) {
        knots.emplace_back(s, width);
    }
}

/// The axes of a line; the sense of u is the direction's.
std::optional<ViewAxes> lineAxes(Vec3 direction) {
    const double transverse = std::hypot(direction.x, direction.y);
    if (!(transverse > 0)) {
        return std::nullopt;  // along the scanner's axis: no azimuth
    }
    const double c = direction.x / transverse;
    const double s = direction.y / transverse;
    const Vec3 u = normalized(direction);
    const double level = std::hypot(u.x, u.y);
    return ViewAxes{u, {-s, c, 0}, {-u.z * c, -u.z * s, level}};
}

/// Mean and skewness of the counts above a flat background, within four standard deviations of the peak.
void fillMoments(RadiusBand& band, const Histogram& radial) {
    const double reach = kReachInSigmas * band.radial.fwhm.value / kFwhmPerSigma;
    const double floor = band.radial.background * radial.width;
    double mass = 0;
    double counts = 0;
    std::array<double, 4> raw{};
    for (std::size_t i = 0; i < radial.counts.size(); ++i) {
        const double q = radial.centre(i);
        if (std::abs(q - band.radial.centre.value) <= reach) {
            const double above = radial.counts[i] - floor;
            counts += radial.counts[i];
            mass += above;
            raw[1] += above * q;
            raw[2] += above * q * q;
            raw[3] += above * q * q * q;
        }
    }
    if (!(mass > 0)) {
        return;
    }
    const double mean = raw[1] / mass;
    const double variance = raw[2] / mass - mean * mean;
    const double third = raw[3] / mass - 3 * mean * raw[2] / mass + 2 * mean * mean * mean;
    if (variance > kLeastSpread) {
        const double effective = mass * mass / std::max(counts, 1.0);  // the background's scatter counts, too
        band.mean = {mean, std::sqrt(variance / effective)};
        band.skewness = {third / std::pow(variance, 1.5), std::sqrt(6 / effective)};
    }
}

/// A function that is linear between equal knots, fitted to a histogram by least squares.
class KnotFit {
  public:
    KnotFit(const Histogram& histogram, double floor, std::size_t knots, double step)
        : histogram_(histogram),
          floor_(floor),
          n_(knots),
          step_(step),
          reach_(0.5 * step * (static_cast<double>(n_) - 1)) {}

    /// Counts per bin at every knot, the floor taken off. Throws WrongUse where bins are too few.
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> matrix = normal([](double) { return 1.0; });
        std::vector<double> side(n_, 0);
        forEachBin([&](std::size_t k, double upper, double counts) {
            side[k] += (1 - upper) * (counts - floor_);
            side[k + 1] += upper * (counts - floor_);
        });
        if (!solveSymmetric(matrix, side)) {
            throw WrongUse(fmt::format("{} knots are more than {} bins of {:.3g} mm can hold; take fewer", n_,
                                       static_cast<int>(2 * reach_ / histogram_.width), histogram_.width));
        }
        return side;
    }

    /// Their standard deviations: of Poisson counts, widened where straight pieces miss the counts by more
    /// than their scatter; never below one count on a knot's stretch.
    [[nodiscard]] std::vector<double> deviations(const std::vector<double>& values) const {
        const std::vector<double> matrix = normal([](double) { return 1.0; });
        const std::vector<double> scatter =
            normal([this](double counts) { return std::max(counts, floor_); });
        const double widening = misfit(values);
        std::vector<double> result(n_);
        for (std::size_t k = 0; k < n_; ++k) {
            std::vector<double> work = matrix;
            std::vector<double> column(n_, 0);
            column[k] = 1;
            double variance = 0;
            if (solveSymmetric(work, column)) {
                for (std::size_t i = 0; i < n_; ++i) {
                    for (std::size_t j = 0; j < n_; ++j) {
                        variance += column[i] * scatter[i * n_ + j] * column[j];
                    }
                }
            }
            result[k] = std::max(widening * std::sqrt(variance), histogram_.width / step_);
        }
        return result;
    }

  private:
    /// Calls visit(k, upper, counts) for every bin, `upper` of the way from knot k to the next.
    template <typename Visit>
    void forEachBin(const Visit& visit) const {
        for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
            const double at = (histogram_.centre(i) + reach_) / step_;
            if (at >= 0 && at < static_cast<double>(n_ - 1)) {
                const auto k = static_cast<std::size_t>(at);
                visit(k, at - static_cast<double>(k), histogram_.counts[i]);
            }
        }
    }

    /// The matrix of the normal equations with a weight per bin.
    template <typename Weight>
    [[nodiscard]] std::vector<double> normal(const Weight& weight) const {
        std::vector<double> matrix(n_ * n_, 0);
        forEachBin([&](std::size_t k, double upper, double counts) {
            const double w = weight(counts);
            matrix[k * n_ + k] += w * (1 - upper) * (1 - upper);
            matrix[k * n_ + k + 1] += w * (1 - upper) * upper;
            matrix[(k + 1) * n_ + k] += w * (1 - upper) * upper;
            matrix[(k + 1) * n_ + k + 1] += w * upper * upper;
        });
        return matrix;
    }

    /// Root of chi-square per degree of freedom, at least 1.
    [[nodiscard]] double misfit(const std::vector<double>& values) const {
        double chi2 = 0;
        double bins = 0;
        forEachBin([&](std::size_t k, double upper, double counts) {
            const double expected = floor_ + (1 - upper) * values[k] + upper * values[k + 1];
            if (expected >= 1) {
                chi2 += (counts - expected) * (counts - expected) / expected;
                bins += 1;
            }
        });
        const double freedom = bins - static_cast<double>(n_);
        return freedom > 0 ? std::sqrt(std::max(chi2 / freedom, 1.0)) : 1;
    }

    const Histogram& histogram_;
    double floor_;  ///< counts per bin that are no part of the peak
    std::size_t n_;
    double step_;
    double reach_;
};

/// A profile that is linear between equal knots, without its background; never negative, of integral 1.
MeasuredProfile profileOf(const RadiusBand& band, const Histogram& radial, int knots, double window_mm) {
    const double sigma = band.radial.fwhm.value / kFwhmPerSigma;
    const auto n = static_cast<std::size_t>(knots);
    const double widest = std::min(window_mm, kReachInSigmas * sigma + std::abs(band.radial.centre.value));
    const double step = std::floor(2 * widest / static_cast<double>(n - 1) * kPartsOfWidth) / kPartsOfWidth;
    const double reach = 0.5 * step * static_cast<double>(n - 1);
    const KnotFit fit(radial, band.radial.background * radial.width, n, step);
    const std::vector<double> values = fit.values();
    MeasuredProfile profile;
    profile.s_mm = rounded(band.s_mm, kPartsOfRadius);
    profile.sd = fit.deviations(values);
    double area = 0;
    for (std::size_t k = 0; k < n; ++k) {
        profile.q_mm.push_back(rounded(-reach + static_cast<double>(k) * step, 2 * kPartsOfWidth));
        profile.w.push_back(std::max(values[k], 0.0));
        area += profile.w.back() * (k == 0 || k + 1 == n ? 0.5 : 1.0) * step;
    }
    for (std::size_t k = 0; k < n; ++k) {
        profile.w[k] = rounded(profile.w[k] / area, kPartsOfWeight);
        profile.sd[k] = rounded(profile.sd[k] / area, kPartsOfWeight);
    }
    return profile;
}

/// All bands at once: ratio, shift and the place of the mean along straight lines in |s|, and per band the
/// events, the first Gaussian's width and the background.
class AsymmetricFit {
  public:
    AsymmetricFit(const std::vector<RadiusBand>& bands, const std::vector<PointOffsets::Band>& histograms)
        : bands_(bands), bins_(histograms.front().radial.counts.size()) {
        for (std::size_t i = 0; i < bands.size(); ++i) {
            if (bands[i].used) {
                used_.push_back(i);
                histograms_.push_back(&histograms[i].radial);
                counts_.insert(counts_.end(), histograms[i].radial.counts.begin(),
                               histograms[i].radial.counts.end());
            }
        }
    }

    /// Replaces the one Gaussian of `result` by two, or says in its note why not.
    void fill(KernelMeasurement& result) const {
        const ExpectedCounts model = [this](std::span<const double> p, std::span<double> expected) {
            expect(p, expected);
        };
        // From a narrow Gaussian with a wide one beside it on the side of the longer tail, and from two of
        // nearly one width, as flat-topped profiles have them.
        const double side = skewness() < 0 ? -1 : 1;
        const FitResult tailed = fitCounts(counts_, model, startFrom(2, 0.5 * side));
        const FitResult flat = fitCounts(counts_, model, startFrom(1.2, 1.2 * side));
        const FitResult& fit = flat.logLikelihood > tailed.logLikelihood + 1 ? flat : tailed;
        const auto along = [&](std::size_t i) {
            return LineEstimate{{fit.value[i], fit.sd[i]},
                                {fit.value[i + 1] / kSlopeUnit_mm, fit.sd[i + 1] / kSlopeUnit_mm}};
        };
        const TwoGaussians found{along(kRatio), along(kShift), along(kCentre)};
        if (!fit.converged || !determined(found)) {
            result.note = fmt::format(
                "the profiles do not tell two Gaussians from one (ratio {:.2f} +- {:.2f}, shift {:.2f} +- "
                "{:.2f}), "
                "so one per radius was written: profiles of --fit measured say more",
                fit.value[kRatio], fit.sd[kRatio], fit.value[kShift], fit.sd[kShift]);
            return;
        }
        result.twoGaussians = found;
        result.kernel.asymmetry = formOf(found);
        WidthKnots knots;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            addKnot(knots, bands_[used_[i]].s_mm, fit.value[kOfBand * i + kWidth] * kFwhmPerSigma);
        }
        result.kernel.radial.form = knots;
    }

  private:
    // Places of the parameters: lines first, each value and slope, then per band.
    static constexpr std::size_t kRatio = 0;
    static constexpr std::size_t kShift = 2;
    static constexpr std::size_t kCentre = 4;
    static constexpr std::size_t kEvents = 6;
    static constexpr std::size_t kWidth = 7;
    static constexpr std::size_t kFloor = 8;
    static constexpr std::size_t kOfBand = 3;
    static constexpr double kSlopeUnit_mm = 100;  // keeps slopes of the size of the values
    static constexpr double kLeastRange_mm = 50;  // the least range of |s| that a slope can be seen in
    static constexpr double kMostRatio = 10;
    static constexpr double kMostShift = 5;

    [[nodiscard]] double sOf(std::size_t i) const { return bands_[used_[i]].s_mm; }

    [[nodiscard]] double skewness() const {
        double sum = 0;
        for (const std::size_t i : used_) {
            sum += bands_[i].skewness.value * bands_[i].radial.events.value;
        }
        return sum;
    }

    [[nodiscard]] std::vector<FitParameter> startFrom(double ratio, double shift) const {
        const double range = sOf(used_.size() - 1) - sOf(0);
        const double steepest = range < kLeastRange_mm ? 0 : 5;
        std::vector<FitParameter> parameters{{ratio, 0.1, kMostRatio},
                                             {0, -steepest, steepest},
                                             {shift, -kMostShift, kMostShift},
                                             {0, -steepest, steepest},
                                             {0, -20, 20},
                                             {0, -steepest, steepest}};
        // The widths that give the mixture of equal weights the variance of the one Gaussian.
        const double variance = 0.5 * (1 + ratio * ratio) + 0.25 * shift * shift;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const RadiusBand& band = bands_[used_[i]];
            const double window = -histograms_[i]->low;
            parameters.push_back({band.radial.events.value, 0, 1e18});
            parameters.push_back(
                {band.radial.fwhm.value / kFwhmPerSigma / std::sqrt(variance), 1e-3, window});
            parameters.push_back({band.radial.background * histograms_[i]->width, 0, 1e18});
        }
        return parameters;
    }

    /// False where an error is of the size of what can be, or a number has run into its bound.
    [[nodiscard]] static bool determined(const TwoGaussians& found) {
        const Estimate ratio = found.ratio.atCentre;
        const Estimate shift = found.shift.atCentre;
        const bool inside = ratio.value > 0.11 && ratio.value < 0.99 * kMostRatio &&
                            std::abs(shift.value) < 0.99 * kMostShift && ratio.sd > 0 && shift.sd > 0;
        const bool two = std::abs(ratio.value - 1) > ratio.sd || std::abs(shift.value) > shift.sd;
        return inside && two && ratio.sd < 0.5 * ratio.value && shift.sd < 1;
    }

    [[nodiscard]] static Asymmetry formOf(const TwoGaussians& found) {
        constexpr double kPartsOfSlope = 1e7;
        Asymmetry form;
        form.ratio = rounded(found.ratio.atCentre.value, kPartsOfWidth);
        form.shift = rounded(found.shift.atCentre.value, kPartsOfWidth);
        form.weight = 0.5;
        form.ratio_slope = rounded(found.ratio.slope.value, kPartsOfSlope);
        form.shift_slope = rounded(found.shift.slope.value, kPartsOfSlope);
        form.centre_mm = rounded(found.centre.atCentre.value, kPartsOfWidth);
        form.centre_slope = rounded(found.centre.slope.value, kPartsOfSlope);
        return form;
    }

    void expect(std::span<const double> p, std::span<double> expected) const {
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const Histogram& h = *histograms_[i];
            const double* const band = p.data() + kOfBand * i;
            const double s = sOf(i) / kSlopeUnit_mm;
            const double sigma = band[kWidth];
            const double ratio = asymmetryRatio(p[kRatio], p[kRatio + 1], s);
            const double apart = (p[kShift] + p[kShift + 1] * s) * sigma;
            const double first = p[kCentre] + p[kCentre + 1] * s - 0.5 * apart;
            for (std::size_t k = 0; k < bins_; ++k) {
                const double one = gaussianShare(h.edge(k), h.edge(k + 1), first, sigma);
                const double other = gaussianShare(h.edge(k), h.edge(k + 1), first + apart, ratio * sigma);
                expected[i * bins_ + k] = band[kFloor] + band[kEvents] * 0.5 * (one + other);
            }
        }
    }

    const std::vector<RadiusBand>& bands_;
    std::size_t bins_;
    std::vector<std::size_t> used_;
    std::vector<const Histogram*> histograms_;
    std::vector<double> counts_;
};

RadiusBand bandOf(const PointOffsets::Band& from, std::size_t index, const PointMeasureSettings& settings) {
    RadiusBand band;
    band.from_mm = static_cast<double>(index) * settings.band_mm;
    band.to_mm = band.from_mm + settings.band_mm;
    band.events = from.events;
    band.s_mm = from.events > 0 ? from.sum_s / from.events : 0.5 * (band.from_mm + band.to_mm);
    if (from.events < settings.leastEvents) {
        return band;
    }
    band.radial = fitPeak(from.radial);
    band.axial = fitPeak(from.axial);
    band.tof = fitPeak(from.tof);
    band.used = band.radial.events.value >= settings.leastEvents && band.radial.converged;
    fillMoments(band, from.radial);
    return band;
}

void requireRoom(const char* what, const PeakFit& peak, double window_mm, const char* remedy) {
    if (!peak.converged || !(peak.fwhm.value > 0) || peak.fwhm.value > window_mm) {
        throw BadInput(
            fmt::format("the {} width comes out as {:.3g} mm FWHM, too wide for a window of +-{:g} "
                        "mm; widen it by {}",
                        what, peak.fwhm.value, window_mm, remedy));
    }
}

}  // namespace

PointOffsets::PointOffsets(std::vector<Vec3> sources_mm, const PointMeasureSettings& settings)
    : sources_(std::move(sources_mm)), settings_(settings) {
    check("the window", settings.window_mm, 1, 500);
    check("the window along the line", settings.tofWindow_mm, 1, 2000);
    check("the width of a radius band", settings.band_mm, 1, 1000);
    check("the number of knots", settings.knots, 5, 101);
    check("the least number of events", settings.leastEvents, 100, 1e12);
    if (sources_.empty()) {
        throw WrongUse("a kernel is measured from at least one point source");
    }
    double farthest = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        farthest = std::max(farthest, std::hypot(sources_[i].x, sources_[i].y));
        for (std::size_t j = 0; j < i; ++j) {
            if (norm(sources_[i] - sources_[j]) < 2 * settings.window_mm) {
                throw WrongUse(
                    fmt::format("point sources {} and {} are {:.3g} mm apart, less than two "
                                "windows of {:g} mm; narrow the window",
                                j + 1, i + 1, norm(sources_[i] - sources_[j]), settings.window_mm));
            }
        }
    }
    const double bands = std::floor(farthest / settings.band_mm) + 1;
    if (!(bands <= static_cast<double>(kMostBands))) {
        throw WrongUse(fmt::format("sources out to {:g} mm make more than {} bands of {:g} mm", farthest,
                                   kMostBands, settings.band_mm));
    }
    const Band empty{0, 0, Histogram::symmetric(settings.window_mm, kBins),
                     Histogram::symmetric(settings.window_mm, kBins),
                     Histogram::symmetric(settings.tofWindow_mm, kBins)};
    bands_.assign(static_cast<std::size_t>(bands), empty);
    meetings_.resize(sources_.size());
}

void PointOffsets::add(Vec3 point, Vec3 direction) {
    ++events_;
    const auto axes = lineAxes(direction);
    if (!axes) {
        return;
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Vec3 away = point - sources_[i];
        const Vec3 offset{dot(away, axes->u), dot(away, axes->r), dot(away, axes->a)};
        const bool near = std::abs(offset.x) < settings_.tofWindow_mm &&
                          std::abs(offset.y) < settings_.window_mm &&
                          std::abs(offset.z) < settings_.window_mm;
        if (near && alone(i, *axes)) {
            count(i, point, *axes, offset);
            return;  // a second source within reach would have made it ambiguous
        }
        if (near) {
            ++ambiguous_;
            return;
        }
    }
}

bool PointOffsets::alone(std::size_t source, const ViewAxes& axes) const {
    for (std::size_t j = 0; j < sources_.size(); ++j) {
        const Vec3 apart = sources_[j] - sources_[source];
        if (j != source && std::abs(dot(apart, axes.r)) < 2 * settings_.window_mm &&
            std::abs(dot(apart, axes.a)) < 2 * settings_.window_mm &&
            std::abs(dot(apart, axes.u)) < 2 * settings_.tofWindow_mm) {
            return false;
        }
    }
    return true;
}

void PointOffsets::count(std::size_t source, Vec3 point, const ViewAxes& axes, Vec3 offset) {
    ++used_;
    const double s = dot(sources_[source], axes.r);
    const auto index = std::min(static_cast<std::size_t>(std::abs(s) / settings_.band_mm), bands_.size() - 1);
    Band& band = bands_[index];
    band.sum_s += std::abs(s);
    band.events += 1;
    band.radial.add(s < 0 ? offset.y : -offset.y);  // the centre lies at -r for s > 0
    band.axial.add(offset.z);
    band.tof.add(offset.x);
    // Across the line: projection on r and a. Relative to the source, so that nothing cancels.
    Meeting& meeting = meetings_[source];
    const Vec3 away = point - sources_[source];
    const Vec3 across = dot(away, axes.r) * axes.r + dot(away, axes.a) * axes.a;
    const std::array<double, 3> r{axes.r.x, axes.r.y, axes.r.z};
    const std::array<double, 3> a{axes.a.x, axes.a.y, axes.a.z};
    const std::array<double, 3> side{across.x, across.y, across.z};
    for (std::size_t i = 0; i < 3; ++i) {
        meeting.side[i] += side[i];
        for (std::size_t j = 0; j < 3; ++j) {
            meeting.matrix[3 * i + j] += r[i] * r[j] + a[i] * a[j];
        }
    }
}

void PointOffsets::add(const PointOffsets& other) {
    events_ += other.events_;
    used_ += other.used_;
    ambiguous_ += other.ambiguous_;
    for (std::size_t i = 0; i < bands_.size(); ++i) {
        bands_[i].sum_s += other.bands_[i].sum_s;
        bands_[i].events += other.bands_[i].events;
        bands_[i].radial.add(other.bands_[i].radial);
        bands_[i].axial.add(other.bands_[i].axial);
        bands_[i].tof.add(other.bands_[i].tof);
    }
    for (std::size_t i = 0; i < meetings_.size(); ++i) {
        for (std::size_t k = 0; k < meetings_[i].matrix.size(); ++k) {
            meetings_[i].matrix[k] += other.meetings_[i].matrix[k];
        }
        for (std::size_t k = 0; k < meetings_[i].side.size(); ++k) {
            meetings_[i].side[k] += other.meetings_[i].side[k];
        }
    }
}

std::vector<Vec3> PointOffsets::meetingPoints() const {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        std::vector<double> matrix(meetings_[i].matrix.begin(), meetings_[i].matrix.end());
        std::vector<double> side(meetings_[i].side.begin(), meetings_[i].side.end());
        const bool known = solveSymmetric(matrix, side);
        points.push_back(known ? sources_[i] + Vec3{side[0], side[1], side[2]} : sources_[i]);
    }
    return points;
}

KernelMeasurement measuredKernel(const PointOffsets& offsets) {
    const PointMeasureSettings& settings = offsets.settings();
    KernelMeasurement result;
    Histogram tof = Histogram::symmetric(settings.tofWindow_mm, kBins);
    Histogram axial = Histogram::symmetric(settings.window_mm, kBins);
    for (std::size_t i = 0; i < offsets.bands().size(); ++i) {
        const PointOffsets::Band& from = offsets.bands()[i];
        tof.add(from.tof);
        axial.add(from.axial);
        result.bands.push_back(bandOf(from, i, settings));
    }
    const auto used = std::count_if(result.bands.begin(), result.bands.end(),
                                    [](const RadiusBand& band) { return band.used; });
    if (used == 0) {
        throw BadInput(fmt::format(
            "too few events: of {}, {} lie in the windows of {} point sources ({} more were left out because "
            "another source lies on their line), and no radius band of {:g} mm has {:g}; take more events, "
            "wider bands or fewer least events",
            offsets.events(), offsets.used(), offsets.sources().size(), offsets.ambiguous(), settings.band_mm,
            settings.leastEvents));
    }
    result.tof = fitPeak(tof);
    result.axial = fitPeak(axial);
    requireRoom("time-of-flight", result.tof, settings.tofWindow_mm, "--tof-window");
    requireRoom("axial", result.axial, settings.window_mm, "--window");
    KernelSpec& kernel = result.kernel;
    kernel.tof_ps = rounded(result.tof.fwhm.value / kMmPerPs, kPartsOfTof);
    kernel.axial_mm = rounded(result.axial.fwhm.value, kPartsOfWidth);
    WidthKnots knots;
    for (std::size_t i = 0; i < result.bands.size(); ++i) {
        const RadiusBand& band = result.bands[i];
        if (!band.used) {
            continue;
        }
        requireRoom("radial", band.radial, settings.window_mm, "--window");
        addKnot(knots, band.s_mm, band.radial.fwhm.value);
        if (settings.fit == RadialFit::Measured) {
            kernel.measured.push_back(
                profileOf(band, offsets.bands()[i].radial, settings.knots, settings.window_mm));
        }
    }
    kernel.radial.form = knots;
    kernel.sampling = KernelSampling::Voxel;
    kernel.cutoff = kCutoff;
    if (settings.fit == RadialFit::Asymmetric) {
        AsymmetricFit(result.bands, offsets.bands()).fill(result);
    }
    kernel.validate();
    return result;
}

}  // namespace tof
