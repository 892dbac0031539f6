// SPDX-License-Identifier: Apache-2.0
// How fast a card follows photons (docs/measurements/simulation.md): scans in time whose events are taken
// from the card and dropped, so that no file is waited for. A short scan comes first, and its time is taken
// off. usage: photon_speed [ROW[,ROW] [MILLIONS]]   ROW: a name of rows(), or all
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/simulate/cuda_simulator.h"
#include "recon/base/error.h"
#include "recon/bench/stopwatch.h"
#include "recon/data/event_part.h"
#include "recon/simulate/monte_carlo.h"

namespace {

using namespace tof;

/// What an ideal detector is to other programs: whatever crosses a cylinder of 930 x 258 mm is recorded, here
/// by BGO of 150 mm without gaps.
constexpr const char* kIdeal = R"({"name": "ideal", "modules": {"count": 48, "face_to_face_mm": 930,
    "crystals": [15, 64], "pitch_mm": [4.0628, 4.03125]}, "crystal_mm": [4.0628, 4.03125, 150],
    "attenuation_per_mm": 0.0917, "acceptance_deg": 20, "fov_diameter_mm": 900, "timing_fwhm_ps": 400,
    "detection": {"material": "BGO", "energy_resolution": 0.003, "window_kev": [350, 600],
                  "position": "first", "coincidence_ns": 4, "dead_time_ns": 0}})";
constexpr const char* kWater = R"({"name": "water", "shapes": [{"kind": "cylinder", "centre_mm": [0, 0, 0],
    "radius_mm": 100, "length_mm": 200, "activity": 1, "material": "water"}]})";

struct Row {
    std::string name;
    Scanner scanner;
    Phantom phantom;
    std::string physics;
    double activity_MBq;
};

/// A phantom's activity and coefficients on voxels of 4 mm.
Phantom onVoxels(const Phantom& solids) {
    const Lattice lattice = Lattice::centred({128, 128, 80}, {4, 4, 4});
    Phantom voxels;
    voxels.name = solids.name + " on voxels";
    voxels.emission = solids.emissionOn(lattice);
    voxels.attenuation = solids.attenuationOn(lattice);
    return voxels;
}

std::vector<Row> rows() {
    const Scanner ideal = Scanner::fromJson(kIdeal, "ideal");
    const Phantom water = Phantom::fromJson(kWater, "water");
    const Phantom spheres = Phantom::find("spheres");
    const std::string matched = "acollinearity,scatter,energy,randoms";
    return {{"ideal", ideal, water, matched, 0.1},
            {"ideal-voxels", ideal, onVoxels(water), matched, 0.1},
            {"labr3-water", Scanner::find("labr3"), water, "all", 100},
            {"labr3", Scanner::find("labr3"), spheres, "all", 100},
            {"labr3-voxels", Scanner::find("labr3"), onVoxels(spheres), "all", 100},
            {"ge-ste-blocks", Scanner::find("ge-ste-blocks"), spheres, "all", 100},
            {"clinical-214ps", Scanner::find("clinical-214ps"), spheres, "all", 100},
            {"vereos", Scanner::find("vereos"), spheres, "all", 100},
            {"vereos-bare", Scanner::find("vereos"), spheres, "no-covers,no-shields,no-bed", 100},
            {"quadra", Scanner::find("quadra"), spheres, "all", 100}};
}

struct Made {
    double seconds = 0;
    SimulationReport report;
};

Made make(const Row& row, std::uint64_t events) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = 3;
    settings.activity_MBq = row.activity_MBq;
    settings.physics = Physics::fromText(row.physics);
    SimulationHooks hooks;
    hooks.slices = cudaSlices();
    hooks.take = clearEvents;
    Made made;
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(simulateWith(row.scanner, row.phantom, settings, ThreadPool(0), hooks, &made.report));
    made.seconds = secondsSince(begin);
    return made;
}

void measure(const Row& row, std::uint64_t events) {
    const Made few = make(row, events / 4);
    const Made all = make(row, events);
    const double seconds = all.seconds - few.seconds;
    const double made = static_cast<double>(events - events / 4);
    const double started = static_cast<double>(all.report.started - few.report.started);
    std::printf("%-16s %6.2f s in all, %6.1f million coincidences/s, %6.3f thousand million decays/s\n",
                row.name.c_str(), all.seconds, made / seconds * 1e-6, started / seconds * 1e-9);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string wanted = argc > 1 ? argv[1] : "all";
        const double millions = argc > 2 ? std::atof(argv[2]) : 40;
        for (const Row& row : rows()) {
            if (wanted == "all" || ("," + wanted + ",").find("," + row.name + ",") != std::string::npos) {
                measure(row, static_cast<std::uint64_t>(millions * 1e6));
            }
        }
        return 0;
    } catch (const Error& e) {
        std::fprintf(stderr, "photon_speed: %s\n", e.what());
        return 1;
    }
}
