// SPDX-License-Identifier: Apache-2.0
// How the parts of a phantom emit and move during a scan: the field "time" of its description.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "recon/phantom/activity_curve.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// The course of a phantom. A part is a set of shapes with one curve. Time goes in steps of about 20 ms; in
/// each of them the phantom stands still, in one of a few states whose shifts differ by a mm, and its curves
/// go straight. Immutable; share between threads.
class PhantomCourse {
  public:
    struct Part {
        std::string name;       ///< the curve's, "constant" where a shape has none
        ActivityCurve emitted;  ///< as it decays
    };

    /// Reads the field "time" of a description; `shapes` are those that were read from it. Throws BadInput
    /// that begins with `source`.
    PhantomCourse(const nlohmann::json& root, std::vector<PhantomShape> shapes, const std::string& source);
    /// Reads what the description of a phantom says; nothing where it stands still and is constant.
    [[nodiscard]] static std::optional<PhantomCourse> of(const Phantom& phantom);

    [[nodiscard]] double duration_s() const { return steps_.edge_s(steps_.count); }
    [[nodiscard]] const std::string& nuclide() const { return nuclide_; }  ///< one of petNuclides()
    /// Decays of the whole scan, where whoever simulated it wrote them down; 0: not known.
    [[nodiscard]] double decays() const { return decays_; }
    [[nodiscard]] const TimeSteps& steps() const { return steps_; }
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] std::size_t partOf(std::size_t shape) const { return partOf_[shape]; }
    /// What drives tissue at the edges of steps, without decay; empty where there is no such input.
    [[nodiscard]] const std::vector<double>& input() const { return input_; }
    [[nodiscard]] std::size_t states() const { return shifts_.size(); }
    [[nodiscard]] std::size_t stateOf(std::size_t step) const { return stateOf_[step]; }

    /// Integral of what a part emits in each state between two times: value x s.
    [[nodiscard]] std::vector<double> emittedIn(std::size_t part, double begin_s, double end_s) const;
    /// The phantom in a state, with one part that emits: its shapes have their factors as activity, others
    /// none.
    [[nodiscard]] Phantom phantomOf(std::size_t part, std::size_t state) const;
    /// The phantom in a state, its parts as active as `byPart` says.
    [[nodiscard]] Phantom phantomOf(const std::vector<double>& byPart, std::size_t state) const;
    /// Activities of the shapes: the mean over the scan of what they emit.
    [[nodiscard]] std::vector<double> meanActivities() const;

  private:
    void readParts(const nlohmann::json& time, const nlohmann::json& shapes, const std::string& source);
    void readStates(const nlohmann::json& time, const std::string& source);

    std::vector<PhantomShape> shapes_;  ///< activity is a factor of the curve
    std::string name_;
    std::string nuclide_;
    double decays_ = 0;
    TimeSteps steps_;
    std::vector<double> input_;
    std::vector<Part> parts_;
    std::vector<std::size_t> partOf_;  ///< by shape
    std::vector<double> moves_;        ///< by shape: share of a state's shift
    std::vector<Vec3> shifts_;         ///< by state, mm
    std::vector<std::uint32_t> stateOf_;
};

/// The description of a phantom that has a course, with the decays of a whole scan of it.
[[nodiscard]] std::string withDecays(const std::string& description, double decays);

/// Relative emissions of shapes: activity times what later shapes leave of their volume, which is counted on
/// 96^3 points of the box around a shape that others may cut into; of a point its activity.
[[nodiscard]] double emissionsOf(const Phantom& phantom);

}  // namespace tof
