// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recon/scanner/scanner_text.h"

namespace tof {

/// What a coincidence is, where the truth is known.
enum class EventKind : std::uint8_t { True = 0, Scattered = 1, Random = 2 };

/// List-mode of crystal pairs (docs/model.md section 1, docs/formats.md). crystals[i] and dt_ps[i] belong
/// together; kind is empty or as long, and so are scatters, energy_keV, mult, add and time_ms. dt = t1 - t2
/// in ps: positive means the emission was nearer crystal 2; empty where no times were measured.
struct EventList {
    std::vector<std::array<std::uint32_t, 2>> crystals;
    std::vector<float> dt_ps;
    std::vector<EventKind> kind;
    /// How often both photons of a simulated event were scattered in the phantom, 255 at most; empty: not
    /// known.
    std::vector<std::uint8_t> scatters;
    std::vector<std::array<float, 2>> energy_keV;  ///< as measured at crystals 1 and 2; empty: not known
    /// Probability that an emission along the event's line is recorded, as the file states it; empty: 1.
    std::vector<float> mult;
    /// Expected scatter and randoms of the event's pair: per ps of dt, or where there is none all; empty: 0.
    std::vector<float> add;

    /// When the event happened, ms since the start of the scan, as the file states it; as long as crystals,
    /// or empty: unknown.
    std::vector<std::uint32_t> time_ms;

    ScannerText scannerJson;  ///< description of the scanner
    std::string phantom;      ///< name or JSON of what was simulated, may be empty
    std::uint64_t seed = 0;
    double duration_s = 0;
    double decays = 0;   ///< annihilations of which these are the recorded ones; 0: not known
    double singles = 0;  ///< photons of those decays that were detected without their partner; 0: not known
    double sphereShare = 0;  ///< share of all directions that a simulation drew from; 0: not known
    double calibration =
        1;  ///< factor that the file states from reconstructed to physical units; not applied

    [[nodiscard]] std::size_t size() const { return crystals.size(); }
};

}  // namespace tof
