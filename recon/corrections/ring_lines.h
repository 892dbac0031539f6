// SPDX-License-Identifier: Apache-2.0
// A scanner as a smooth cylinder of few detectors: what scatter estimates are sampled on.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/base/vec3.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Detectors evenly on a cylinder through a scanner's reference points, azimuth fastest. Plain data.
struct CoarseRing {
    double radius_mm = 0;
    std::size_t azimuths = 0;
    Samples heights;

    /// About `step_mm` apart in rows `rowStep_mm` apart, at least 24 around and 5 along: straight lines
    /// between three rows of a short ring took 2 % off its scatter.
    [[nodiscard]] static CoarseRing of(const Scanner& scanner, double step_mm, double rowStep_mm);
    [[nodiscard]] std::size_t size() const { return azimuths * heights.count; }
    [[nodiscard]] Vec3 at(std::size_t detector) const;
    /// Pointing away from the axis.
    [[nodiscard]] Vec3 outward(std::size_t detector) const;
};

/// A function of lines and of the place along them, kept for pairs of coarse detectors and evenly spaced
/// places: the distance in mm from the middle between both towards the second.
class LineFunction {
  public:
    LineFunction(const CoarseRing& ring, const Samples& along);

    [[nodiscard]] const CoarseRing& ring() const { return ring_; }
    [[nodiscard]] const Samples& along() const { return along_; }
    /// Unordered pairs; those at one azimuth are no lines and stay zero.
    [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }
    [[nodiscard]] std::array<std::uint32_t, 2> pair(std::size_t index) const { return pairs_[index]; }
    [[nodiscard]] float* values(std::size_t pair) { return values_.data() + pair * along_.count; }
    /// Convolves every pair's values with a Gaussian along the line.
    void blur(double sigma_mm, const ThreadPool& pool);
    void scale(double factor);
    /// For the line through `foot` along the unit vector `d` at `u` mm from the foot: cubic (Catmull-Rom)
    /// between the detectors around both ends, linear between rows and between places: beside the object the
    /// function falls to a third within one detector, where straight lines lie a quarter too high. 0 for
    /// lines that miss the ring's cylinder, never negative.
    [[nodiscard]] double at(Vec3 foot, Vec3 d, double u) const;

    /// Many places on one line: its corners are found once.
    class OnLine {
      public:
        OnLine(const LineFunction& function, Vec3 foot, Vec3 d);
        [[nodiscard]] double at(double u) const;
        /// Fills in every sample of u, in single precision: the corners' values are added up first.
        void fill(const Samples& places, float* out) const;

      private:
        struct Corner {
            const float* values;
            double weight;
            bool turned;  ///< the pair is kept the other way round
        };
        const LineFunction& function_;
        std::array<Corner, 64> corners_{};
        std::size_t count_ = 0;
        double middle_ = 0;  ///< middle of the line's ends, from the foot
    };

  private:
    [[nodiscard]] std::size_t indexOf(std::size_t one, std::size_t two) const;

    CoarseRing ring_;
    Samples along_;
    std::vector<std::array<std::uint32_t, 2>> pairs_;
    std::vector<float> values_;  ///< [pair][place]
};

}  // namespace tof
