// SPDX-License-Identifier: Apache-2.0
// An SR kernel from where the events of point sources showed up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/base/view.h"
#include "recon/kernel/histogram_fit.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// What the radial widths are described by.
enum class RadialFit {
    Measured,   ///< a profile per radius band
    Variant,    ///< one Gaussian per radius band
    Asymmetric  ///< the two Gaussians of equal weight of docs/model.md section 2: ratio, shift and mean
                ///< each follow a straight line in |s|
};

struct PointMeasureSettings {
    RadialFit fit = RadialFit::Measured;
    double window_mm = 20;      ///< events farther from a source along r or a are not looked at, 1..500
    double tofWindow_mm = 102;  ///< and along u, 1..2000
    double band_mm = 24;        ///< |s| that one radius band spans, 1..1000
    int knots = 17;             ///< knots of a measured profile, 5..101
    double leastEvents = 1000;  ///< bands with fewer in their radial peak are left out
};

/// What the events of one range of |s| say; offsets in mm, radial ones positive towards the centre.
struct RadiusBand {
    double from_mm = 0;
    double to_mm = 0;
    double s_mm = 0;  ///< mean |s| of its events
    double events = 0;
    PeakFit radial;
    PeakFit axial;
    PeakFit tof;
    Estimate mean;      ///< mean of the radial offsets, without the background
    Estimate skewness;  ///< skewness of the radial offsets: positive with the longer tail towards the centre
    bool used = false;  ///< it has enough events and its widths lie inside the windows
};

/// Offsets of events from known sources, along the axes of their lines and by |s| of the source.
///
/// The axes are those of each event's own line, not of the view that it is binned into: a view's would add
/// the distance along the line times the angle between both, which in the sum of all views is no blur across.
///
/// An event counts for every source whose window it lies in, unless another source lies so close to its line
/// that the event may be from there: which directions are kept does not depend on the offsets, so crosstalk
/// between sources is left out without bending the profiles. Not for use by two threads; merge instead.
class PointOffsets {
  public:
    /// Throws WrongUse for settings out of range, no source, or two sources too close to tell apart.
    PointOffsets(std::vector<Vec3> sources_mm, const PointMeasureSettings& settings);

    /// An event by its most likely point and the direction of its line (any length, either sense).
    void add(Vec3 point, Vec3 direction);
    /// Adds what another one with the same sources and settings has.
    void add(const PointOffsets& other);

    [[nodiscard]] const std::vector<Vec3>& sources() const { return sources_; }
    [[nodiscard]] const PointMeasureSettings& settings() const { return settings_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }        ///< that were added
    [[nodiscard]] std::uint64_t used() const { return used_; }            ///< offsets in the windows
    [[nodiscard]] std::uint64_t ambiguous() const { return ambiguous_; }  ///< left out for another source

    /// Where the lines counted for each source meet: the point with the least squared distance from them.
    [[nodiscard]] std::vector<Vec3> meetingPoints() const;

    struct Band {
        double sum_s = 0;
        double events = 0;
        Histogram radial;
        Histogram axial;
        Histogram tof;
    };
    [[nodiscard]] const std::vector<Band>& bands() const { return bands_; }

  private:
    void count(std::size_t source, Vec3 point, const ViewAxes& axes, Vec3 offset);
    [[nodiscard]] bool alone(std::size_t source, const ViewAxes& axes) const;

    /// Normal equations of a meeting point: the sum of the projections across the lines, and of them times
    /// the points.
    struct Meeting {
        std::array<double, 9> matrix{};
        std::array<double, 3> side{};
    };

    std::vector<Vec3> sources_;
    PointMeasureSettings settings_;
    std::vector<Band> bands_;
    std::vector<Meeting> meetings_;
    std::uint64_t events_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t ambiguous_ = 0;
};

/// A number that changes with |s| along a straight line.
struct LineEstimate {
    Estimate atCentre;  ///< at |s| = 0
    Estimate slope;  ///< per mm of |s|; 0 without error where one band, or less than 50 mm of |s|, was used
};

/// What RadialFit::Asymmetric found.
struct TwoGaussians {
    LineEstimate ratio;
    LineEstimate shift;
    LineEstimate centre;  ///< centre of the mean, mm towards the FOV centre
};

struct KernelMeasurement {
    /// KernelSampling::Voxel: what was measured is the response to points. Profiles have their SDs.
    KernelSpec kernel;
    PeakFit tof;    ///< over all bands, mm
    PeakFit axial;  ///< over all bands, mm
    std::vector<RadiusBand> bands;
    /// It is none where the profiles do not tell two Gaussians from one: the kernel then has one, and `note`
    /// says so.
    std::optional<TwoGaussians> twoGaussians;
    std::string note;  ///< what to know about the result, one sentence, or empty
};

/// Fits the kernel: TOF and axial widths from all bands together, radial profiles or widths per band, flat
/// backgrounds beside the peaks taken off. Profiles are those of points, without the voxel. Throws BadInput
/// when no band has enough events, or the windows are too narrow for what they hold.
[[nodiscard]] KernelMeasurement measuredKernel(const PointOffsets& offsets);

}  // namespace tof
