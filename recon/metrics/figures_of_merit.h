// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/metrics/peak.h"
#include "recon/metrics/roi.h"

namespace tof {

struct Phantom;

/// The target ROIs and the numbers that turn them into CRC (docs/model.md section 4).
struct RoiSet {
    std::vector<Roi> rois;
    double trueRatio = 0;  ///< activity ratio of spheres to background; 0 when unknown (then no CRC)
    /// What was measured, where that is known: the figures of its activity stand beside the measured ones.
    std::shared_ptr<const Phantom> truth{};
    /// trueActivity() of the truth on a lattice, where it was sampled already: taken by an evaluator on that
    /// lattice.
    std::shared_ptr<const Volume> activity{};
};

/// A phantom's activity on a lattice, finely sampled about its spheres, where the usual sampling leaves the
/// voxels wrong by some per cent of the contrast.
[[nodiscard]] Volume trueActivity(const Phantom& phantom, const Lattice& lattice,
                                  const ThreadPool& pool = ThreadPool());

/// One row of the table. A sphere's background is the mean over the ROIs of role Background with its group
/// number, or over those without any group when there are none.
struct RoiFigures {
    std::string name;
    RoiStatistics statistics;
    double crc = 0;       ///< ((p_s - p_b)/p_b)/(true ratio - 1), p_b the sphere's background
    bool hasCrc = false;  ///< a sphere with a background and a known true ratio
    /// (p_s/p_u - 1)/(true ratio - 1), p_u the mean over the ROIs of role Uniform; for a cold sphere (true
    /// ratio 0) that is 1 - p_s/p_u.
    double contrastRecovery = 0;
    bool hasContrastRecovery = false;
    /// CRC of the true activity by the same ROIs on the same lattice: what a perfect reconstruction would
    /// have, for voxels and circles mix a sphere with what is around it. NaN: the truth is not known.
    double trueCrc = std::numeric_limits<double>::quiet_NaN();
    /// What a hot sphere of the truth rings: the largest value within 10 mm of its edge over its true value,
    /// which is the true ratio times the mean of its background. Above 1 where edges ring, and where noise
    /// does. NaN: not known.
    double overshoot = std::numeric_limits<double>::quiet_NaN();
    /// Largest mean over a sphere of 1 cm3 whose centre lies in the ROI (recon/metrics/peak.h): SUVpeak where
    /// values are SUV. NaN: no such sphere lies in the image.
    double peak = std::numeric_limits<double>::quiet_NaN();
};

/// Figures of one image; fractions, not per cent; NaN where a role is missing.
struct Figures {
    int iteration = 0;
    double crc = 0;    ///< mean over spheres of ((p_s - p_b)/p_b)/(ratio - 1)
    double crcSd = 0;  ///< SD (n-1) over spheres
    double noise = 0;  ///< SD (n-1) / mean in the `uniform` ROI at the centre (the first of role Uniform)
    double nsr = 0;    ///< mean over all `uniform` ROIs of SD/mean
    double trueCrc = std::numeric_limits<double>::quiet_NaN();    ///< mean over spheres
    double overshoot = std::numeric_limits<double>::quiet_NaN();  ///< mean over hot spheres
    std::vector<RoiFigures> rois;
};

/// {"true_ratio": ..., "rois": [...]}, the ratio left out while unknown: what `analyze --rois FILE` reads.
[[nodiscard]] std::string roiSetToJson(const RoiSet& set);
/// Also reads a bare list of ROIs. Throws BadInput.
[[nodiscard]] RoiSet roiSetFromJson(const std::string& text, const std::string& source);

/// Prepared ROI voxels for one lattice; evaluating an image costs microseconds. Immutable; share between
/// threads.
class FigureEvaluator {
  public:
    /// A truth whose activity on this lattice is not in the set is sampled, which takes tens of ms on
    /// 144 x 144 x 48 voxels and seconds on 440 x 440 x 350.
    FigureEvaluator(RoiSet set, const Lattice& lattice, const ThreadPool& pool = ThreadPool());
    /// An evaluator of another set: voxels of ROIs whose extent `before` has, too, are taken over, so that
    /// one edited ROI costs no more than itself.
    FigureEvaluator(RoiSet set, const FigureEvaluator& before);
    [[nodiscard]] const RoiSet& set() const { return set_; }
    [[nodiscard]] const Lattice& lattice() const { return lattice_; }
    [[nodiscard]] Figures evaluate(int iteration, const float* image) const;

  private:
    struct Prepared {
        std::shared_ptr<const std::vector<WeightedVoxel>> voxels;
        double outside = 0;
    };
    /// The truth's figures for these ROIs and this lattice.
    struct Truth;
    [[nodiscard]] Prepared prepare(const Roi& roi) const;
    /// `activity`: the truth on the lattice where it is there already, or null.
    void prepareTruth(std::shared_ptr<const Volume> activity, const ThreadPool& pool = ThreadPool());
    [[nodiscard]] Figures measure(int iteration, const float* image) const;
    /// The mean of a sphere's background; NaN where it has none.
    [[nodiscard]] double backgroundOf(const Roi& sphere, const std::vector<RoiFigures>& measured) const;
    [[nodiscard]] double trueRatioOf(const Roi& sphere) const {
        return sphere.trueRatio.value_or(set_.trueRatio);
    }

    RoiSet set_;
    Lattice lattice_;
    PeakSphere peakSphere_;
    std::vector<Prepared> prepared_;
    std::shared_ptr<const Truth> truth_;  ///< null: not known
};

/// ROIs placed from a phantom description: a circle of the sphere's diameter in the slice through its centre,
/// an annulus of inner diameter sphere + 14 mm and 8 mm thick around it, and a circle of 50 mm diameter at
/// the centre of the same slice (paper 000, section 6.1) or, where that holds more than background, nearby.
/// An annulus that would come nearer than 3 mm to something that is not background ends there instead. The
/// set's truth is the phantom.
[[nodiscard]] RoiSet autoRois(const std::string& phantomNameOrJson);

/// An object with a row for each iterate, as run files and checkpoints keep it and commands print it.
[[nodiscard]] nlohmann::ordered_json figuresJson(const std::vector<Figures>& figures);
/// `analyze --json` and `--csv` forms.
[[nodiscard]] std::string figuresToJson(const std::vector<Figures>& figures);
/// Reads the text of figuresJson; NaN where a number is missing, and nothing
/// for a text that is not of that form.
[[nodiscard]] std::vector<Figures> figuresFromJson(const std::string& text);
/// A figure with four decimals; "-" where it is not known.
[[nodiscard]] std::string figureText(double value);
[[nodiscard]] std::string figuresToCsv(const std::vector<Figures>& figures);

}  // namespace tof
