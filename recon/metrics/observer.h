// SPDX-License-Identifier: Apache-2.0
// Model observers: how well a signal is told from its absence by images, beside what it looks like.
#pragma once

#include <span>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof {

enum class ChannelKind {
    LaguerreGauss,    ///< Gallas and Barrett, J. Opt. Soc. Am. A 20 (2003) 1725
    DenseDifferences  ///< ten differences of Gaussians: Abbey and Barrett, J. Opt. Soc. Am. A 18 (2001) 473
};

struct ChannelSettings {
    ChannelKind kind = ChannelKind::LaguerreGauss;
    int count = 6;         ///< Laguerre-Gauss has so many, at least 1
    double width_mm = 20;  ///< Laguerre-Gauss: its Gaussian is exp(-pi r^2 / width^2); > 0
};

/// Channels of the slice nearest to a point: what an observer sees of an image there. Immutable.
class ChannelBank {
  public:
    /// Channels about `centre_mm`, which may lie between voxel centres. Throws WrongUse for settings out of
    /// range.
    ChannelBank(const ChannelSettings& settings, const Lattice& lattice, Vec3 centre_mm);
    [[nodiscard]] std::size_t channels() const { return channels_; }
    /// A value for each channel, about a place so many voxels further along x and y; what lies outside the
    /// lattice counts as 0.
    [[nodiscard]] std::vector<double> responses(const Volume& image, int alongX = 0, int alongY = 0) const;

  private:
    struct Tap {
        int x;
        int y;
    };
    std::size_t channels_;
    VoxelIndex home_;
    std::vector<Tap> taps_;
    std::vector<double> weights_;  ///< by tap, of each its channels
};

/// A linear observer: w = (K + noise diag K)^-1 difference, and the variance that internal noise,
/// w^T (noise diag K) w, adds to each rating.
struct HotellingObserver {
    std::vector<double> weights;
    double snr = 0;  ///< its ratings have it, internal noise included: sqrt(difference^T w)
    double internalVariance = 0;
};

/// `covariance`: the channels' by rows, positive definite. `internalNoise`: its variance over that of a
/// channel, >= 0. Throws BadInput for a covariance that has no inverse.
[[nodiscard]] HotellingObserver hotellingObserver(std::span<const double> difference,
                                                  std::span<const double> covariance, double internalNoise);

/// What an observer says of images with and without the signal.
struct Ratings {
    struct One {
        double value = 0;
        double internalVariance = 0;
        bool found = true;  ///< with the signal: the place that it names is the signal's
    };
    std::vector<One> present;
    std::vector<One> absent;
};

/// Channels of an image at the places at which a signal is looked for; the first one is where it is, or
/// would be.
using SearchedImage = std::vector<std::vector<double>>;

/// Rates each image by an observer that learned from all others (leave one out); means over images without
/// the signal are subtracted place by place. The rating is the largest of all places, and found where it is
/// one of `near` (by place, 1: near enough to the signal). With one place this is the channelized Hotelling
/// observer. Throws BadInput unless there are more images of each kind than channels, one at least.
[[nodiscard]] Ratings rateByOthers(std::span<const SearchedImage> present,
                                   std::span<const SearchedImage> absent, std::span<const char> near,
                                   double internalNoise);

/// How often an image with the signal is rated above one without it and, where it is looked for, its place
/// is found: the area under the ROC or LROC curve.
struct TaskFigures {
    double area = 0;
    double sd = 0;   ///< by DeLong et al., Biometrics 44 (1988) 837
    double snr = 0;  ///< difference of the mean ratings over the root of their mean variance; NaN: no spread
    [[nodiscard]] double low() const;   ///< lower end of the interval of 95 %, 0 at least
    [[nodiscard]] double high() const;  ///< upper end, 1 at most
};

/// Equal ratings count half. Internal noise enters as the mean over it, so no random number is drawn.
[[nodiscard]] TaskFigures taskFigures(const Ratings& ratings);

}  // namespace tof
