// SPDX-License-Identifier: Apache-2.0
// The one table of what can be asked of a simulation.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/request_row.h"
#include "recon/work/simulate.h"

namespace tof {

/// A simulation as it is asked for, by a command or in the window.
struct SimulationOrder : SimulateRequest {
    std::string engine = "cpu";  ///< or "cuda": where photons of scans in time are followed
    std::string delayedsFile{};  ///< where the coincidences of the delayed window are written; empty: nowhere
    std::string singlesFile{};   ///< where the crystals' singles are written; empty: nowhere
    std::optional<std::array<int, 2>> bin{};  ///< azimuths and tilts of histo-images in place of a list
    std::optional<Lattice> image{};  ///< that of rings and of histo-images; none: the usual one of either
    bool analytic = false;           ///< expected counts from chords instead of events
    bool background = false;  ///< analytic: scatter, and randoms at the activity, among the counts and in add
    AnalyticSettings chords{};  ///< analytic: views and response, the rest follows from the order
    int threads = 0;            ///< 0: every core

    /// The settings of an analytic one.
    [[nodiscard]] AnalyticSettings analyticSettings(const Lattice& usual) const;
};

/// Groups of rows: what is simulated, and how.
inline constexpr const char* kObjectGroup = "object";
inline constexpr const char* kPhysicsGroup = "physics";

[[nodiscard]] const std::vector<RequestRow<SimulationOrder>>& simulationRows();

/// What a built-in scanner or phantom, or a JSON description, says of itself in a sentence; or empty.
[[nodiscard]] std::string aboutScanner(const std::string& name);
[[nodiscard]] std::string aboutPhantom(const std::string& name);

}  // namespace tof
