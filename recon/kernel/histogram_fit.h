// SPDX-License-Identifier: Apache-2.0
// Peaks in histograms of counts, fitted by maximum likelihood.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tof {

/// Counts in equal bins of [low, low + width x bins).
struct Histogram {
    double low = 0;
    double width = 1;
    std::vector<double> counts;

    /// `bins` equal bins of [-half, half].
    [[nodiscard]] static Histogram symmetric(double half, std::size_t bins);
    /// Counts a value; one outside is left out.
    void add(double value);
    /// Adds the counts of a histogram with the same bins.
    void add(const Histogram& other);
    [[nodiscard]] double edge(std::size_t bin) const { return low + static_cast<double>(bin) * width; }
    [[nodiscard]] double centre(std::size_t bin) const { return edge(bin) + 0.5 * width; }
    [[nodiscard]] double total() const;
};

/// A parameter of a fit: where it starts and where it must stay.
struct FitParameter {
    double start = 0;
    double low = 0;
    double high = 0;
};

struct FitResult {
    std::vector<double> value;
    /// One standard deviation each, from the curvature of the likelihood; widened by sqrt(chi-square per
    /// degree of freedom) where the model misses the counts by more than their scatter. 0 at a bound.
    std::vector<double> sd;
    double logLikelihood = 0;  ///< but for a term of the counts alone
    bool converged = false;
};

/// Fills the expected counts of all bins for given parameters.
using ExpectedCounts = std::function<void(std::span<const double> parameters, std::span<double> expected)>;

/// The parameters that make Poisson counts most likely, by damped Fisher scoring with numerical derivatives.
[[nodiscard]] FitResult fitCounts(std::span<const double> counts, const ExpectedCounts& model,
                                  std::span<const FitParameter> parameters);

/// The share of a Gaussian of standard deviation `sigma` about `centre` between two values.
[[nodiscard]] double gaussianShare(double from, double to, double centre, double sigma);

/// A number and its standard deviation.
struct Estimate {
    double value = 0;
    double sd = 0;
};

/// A Gaussian on a flat background.
struct PeakFit {
    Estimate events;  ///< in the peak, those beyond the histogram included
    Estimate centre;
    Estimate fwhm;
    double background = 0;  ///< counts per unit
    bool converged = false;
};

/// Fits a Gaussian, integrated over each bin, on a flat background.
[[nodiscard]] PeakFit fitPeak(const Histogram& histogram);

/// Solves the symmetric positive definite system a x = b in place, `a` by rows; false when it is singular.
[[nodiscard]] bool solveSymmetric(std::vector<double>& a, std::vector<double>& b);

}  // namespace tof
