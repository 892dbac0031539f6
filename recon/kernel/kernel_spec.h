// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tof {

/// (|s|, FWHM) in mm, |s| ascending from 0: joined by straight lines and constant beyond the last.
using WidthKnots = std::vector<std::pair<double, double>>;

/// FWHM centre_mm + slope |s| + quadratic_mm (|s| / quadratic_radius_mm)^2, without limit.
struct WidthFormula {
    double centre_mm = 5.8;
    double slope = 0;         ///< mm of FWHM per mm of |s|
    double quadratic_mm = 0;  ///< FWHM added at quadratic_radius_mm
    double quadratic_radius_mm = 288;

    [[nodiscard]] bool operator==(const WidthFormula&) const = default;
};

/// FWHM of the radial resolution against |s|, both mm: either points or a formula, as the JSON form has it.
struct RadialWidth {
    std::variant<WidthKnots, WidthFormula> form = WidthKnots{{0.0, 5.8}};

    /// The points, or null for a formula.
    [[nodiscard]] const WidthKnots* knots() const { return std::get_if<WidthKnots>(&form); }
    [[nodiscard]] double at(double s_mm) const;
    [[nodiscard]] bool invariant() const;
    [[nodiscard]] bool operator==(const RadialWidth&) const = default;
};

/// Two Gaussians in Q (docs/model.md section 2): the second `ratio` times as wide, moved towards the FOV
/// centre by `shift` sigmas of the first (away from it where negative). `weight` is the share of the first
/// one's area, 0..1. Ratio and shift may change with |s| along a straight line.
struct Asymmetry {
    double ratio = 2;  ///< at |s| = 0; 0.1..10 at every |s|, further values count as these
    double shift = 1;  ///< at |s| = 0, -10..10
    double weight = 0.5;
    double ratio_slope = 0;  ///< change per mm of |s|, -1..1
    double shift_slope = 0;  ///< sigma per mm of |s|, -1..1
    /// Where the mean of both lies, mm towards the FOV centre, -100..100; none: the first lies at 0.
    std::optional<double> centre_mm = std::nullopt;
    double centre_slope = 0;  ///< mm per mm of |s|, -1..1; used with centre_mm

    /// Something of it depends on |s|.
    [[nodiscard]] bool changes() const { return ratio_slope != 0 || shift_slope != 0 || centre_slope != 0; }
    [[nodiscard]] double ratioAt(double s_mm) const;
    [[nodiscard]] double shiftAt(double s_mm) const;
    /// Where the first Gaussian of standard deviation `sigma` lies, mm towards the FOV centre.
    [[nodiscard]] double firstAt(double s_mm, double sigma) const;

    [[nodiscard]] bool operator==(const Asymmetry&) const = default;
};

/// A measured radial profile at distance s: w at positions q (mm, ascending, q > 0 towards the FOV centre),
/// linear in q, zero outside.
struct MeasuredProfile {
    double s_mm = 0;
    std::vector<double> q_mm;
    std::vector<double> w;
    std::vector<double> sd = {};  ///< standard deviation of every w; empty: not known

    [[nodiscard]] bool operator==(const MeasuredProfile&) const = default;
};

/// Where a kernel is evaluated: at the centres of voxels, or averaged over a source voxel filled evenly and
/// over the target voxel.
enum class KernelSampling { Centre, Voxel };

/// Description of an SR kernel (docs/model.md section 2), free of lattice and view.
struct KernelSpec {
    std::string name;       ///< preset name, or empty
    double tof_ps = 400;    ///< FWHM of the coincidence time difference, > 0
    double axial_mm = 5.8;  ///< FWHM along a, > 0
    RadialWidth radial;     ///< FWHM along r against |s|
    std::optional<Asymmetry> asymmetry;
    std::vector<MeasuredProfile>
        measured;           ///< empty, or ascending in s; then radial and asymmetry are unused
    double cutoff = 3;      ///< k: support is k sigma in every direction, 0.5..8
    double id_step_mm = 2;  ///< eps: width of a kernel-id bin in |s|, > 0
    /// A measured kernel is Voxel in the JSON form unless it says otherwise, any other is Centre.
    KernelSampling sampling = KernelSampling::Centre;

    /// Whether it is this kernel under this name.
    [[nodiscard]] bool operator==(const KernelSpec&) const = default;

    /// The kernel differs between the two sides of the centre line, so ids carry the sign of s.
    [[nodiscard]] bool sided() const { return asymmetry.has_value() || !measured.empty(); }
    /// One kernel serves every voxel: the only kind a Fourier engine can apply.
    [[nodiscard]] bool invariant() const { return !sided() && radial.invariant(); }
    [[nodiscard]] double sigmaTof_mm() const;
    [[nodiscard]] double sigmaAxial_mm() const;

    /// Throws BadInput naming the field and its valid range; `source`, when given, names the file before it.
    void validate(const std::string& source = {}) const;

    /// The kernel in the JSON form of docs/kernels.md.
    [[nodiscard]] nlohmann::ordered_json json() const;
    [[nodiscard]] std::string toJson() const;
    /// Reads that form; unknown keys are refused with a suggestion. `source` names the file in messages.
    [[nodiscard]] static KernelSpec fromJson(const std::string& text, const std::string& source);
    /// A preset by name; throws WrongUse listing the names.
    [[nodiscard]] static KernelSpec preset(const std::string& name);
    [[nodiscard]] static std::vector<std::string> presetNames();
    /// What a person who names a kernel means: JSON text, a JSON file, or a preset. Throws WrongUse listing
    /// the presets, BadInput for a kernel that cannot be used; `source` is what messages call the JSON text.
    [[nodiscard]] static KernelSpec parse(const std::string& text, const std::string& source = "kernel");
};

}  // namespace tof
