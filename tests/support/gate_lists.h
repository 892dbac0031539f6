// SPDX-License-Identifier: Apache-2.0
// Coincidences of a point as GATE would write them, with the truth beside them.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "recon/scanner/scanner.h"
#include "tests/support/root_writer.h"

namespace tof::test {

inline const char* const kGateScanner =
    R"({"name": "small ring", "modules": {"count": 24, "face_to_face_mm": 300,
    "first_angle_deg": 7, "crystals": [9, 8], "pitch_mm": [4, 4.2]}, "crystal_mm": [3.9, 4.1, 12],
    "acceptance_deg": 30, "fov_diameter_mm": 200, "timing_fwhm_ps": 100})";

struct GateTruth {
    std::vector<std::array<std::uint32_t, 2>> crystals;
    std::vector<double> dt_ps;
    std::array<std::vector<float>, 2> x, y, z, energy;
    std::array<std::vector<double>, 2> time;
    std::array<std::vector<std::int32_t>, 2> event, compton, rayleigh;
    std::array<std::uint64_t, 3> kinds{};
};

/// `n` pairs of crystals whose line passes `point` by at most 2 mm, met at places all over their boxes; the
/// times are those of light from the point. Every fifth event is scattered, every seventh random.
inline GateTruth gatePoint(const Scanner& scanner, Vec3 point, std::size_t n) {
    constexpr double kLight_mm_s = 299792458e3;
    GateTruth truth;
    std::mt19937 random(11);
    std::uniform_int_distribution<std::uint32_t> any(0,
                                                     static_cast<std::uint32_t>(scanner.crystals.size() - 1));
    std::uniform_real_distribution<double> part(-0.49, 0.49);
    while (truth.crystals.size() < n) {
        const std::array<std::uint32_t, 2> pair{any(random), any(random)};
        const Vec3 a = scanner.reference(pair[0]);
        const Vec3 along = scanner.reference(pair[1]) - a;
        if (norm(along) < 200 || norm(cross(point - a, along)) > 2 * norm(along)) {
            continue;
        }
        const std::size_t i = truth.crystals.size();
        const double start = 2 + 1e-3 * static_cast<double>(i);
        std::array<double, 2> flight{};
        for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
            const Crystal& crystal = scanner.crystals[pair[p]];
            const Vec3 across{-crystal.outward.y, crystal.outward.x, 0};
            const Vec3 place = crystal.front +
                               (0.5 + part(random)) * scanner.crystalSize_mm[2] * crystal.outward +
                               part(random) * scanner.crystalSize_mm[0] * across +
                               Vec3{0, 0, part(random) * scanner.crystalSize_mm[1]};
            truth.x[p].push_back(static_cast<float>(place.x));
            truth.y[p].push_back(static_cast<float>(place.y));
            truth.z[p].push_back(static_cast<float>(place.z));
            flight[p] = norm(place - point) / kLight_mm_s;
            truth.time[p].push_back(start + flight[p]);
            truth.energy[p].push_back(p == 0 ? 0.5F : 0.25F);
            truth.event[p].push_back(static_cast<std::int32_t>(i) + (p == 1 && i % 7 == 0 ? 1 : 0));
            truth.compton[p].push_back(p == 1 && i % 5 == 0 ? 2 : 0);
            truth.rayleigh[p].push_back(p == 0 && i % 5 == 0 ? 1 : 0);
        }
        ++truth.kinds[i % 7 == 0 ? 2 : i % 5 == 0 ? 1 : 0];
        truth.crystals.push_back(pair);
        truth.dt_ps.push_back(1e12 * (flight[0] - flight[1]));
    }
    return truth;
}

inline std::vector<RootColumn> gate9Columns(const GateTruth& truth) {
    std::vector<RootColumn> columns;
    columns.emplace_back("runID", 'I', std::vector<std::int32_t>(truth.crystals.size(), 0));
    for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
        const std::string photon = p == 0 ? "1" : "2";
        columns.emplace_back("eventID" + photon, 'I', truth.event[p]);
        columns.emplace_back("time" + photon, 'D', truth.time[p]);
        columns.emplace_back("energy" + photon, 'F', truth.energy[p]);
        columns.emplace_back("globalPosX" + photon, 'F', truth.x[p]);
        columns.emplace_back("globalPosY" + photon, 'F', truth.y[p]);
        columns.emplace_back("globalPosZ" + photon, 'F', truth.z[p]);
        columns.emplace_back("comptonPhantom" + photon, 'I', truth.compton[p]);
        columns.emplace_back("RayleighPhantom" + photon, 'I', truth.rayleigh[p]);
    }
    return columns;
}

}  // namespace tof::test
