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
/// centre by `shift` sigmas of the first. `weight` is the share of the first one's area, 0..1.
struct Asymmetry {
    double ratio = 2;
    double shift = 1;
    double weight = 0.5;

    [[nodiscard]] bool operator==(const Asymmetry&) const = default;
};

/// A measured radial profile at distance s: w at positions q (mm, ascending, q > 0 towards the FOV centre),
/// linear in q, zero outside.
struct MeasuredProfile {
    double s_mm = 0;
    std::vector<double> q_mm;
    std::vector<double> w;

    [[nodiscard]] bool operator==(const MeasuredProfile&) const = default;
};

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

    /// The same kernel under the same name.
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
