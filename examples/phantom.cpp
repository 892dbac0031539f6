// SPDX-License-Identifier: Apache-2.0
// A phantom of one's own: hot spheres on a helix in a warm cylinder, simulated in a scanner to a list of
// events.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "program.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/monte_carlo.h"

namespace {

constexpr int kSpheres = 9;
constexpr double kRadius_mm = 60;
constexpr double kRise_mm = 12;

/// A shape as resources/phantoms have them: mm, 1/mm, relative emissions per volume.
nlohmann::json shape(const char* kind, const std::string& name, const char* role, double radius_mm,
                     double activity) {
    return {{"kind", kind},           {"name", name},         {"role", role},       {"centre_mm", {0, 0, 0}},
            {"radius_mm", radius_mm}, {"activity", activity}, {"mu_per_mm", 0.0096}};
}

/// The spheres come last because later shapes replace earlier ones where they overlap.
tof::Phantom helix() {
    nlohmann::json body = shape("cylinder", "body", "background", 100, 1);
    body["length_mm"] = 160;
    nlohmann::json shapes = {body};
    for (int i = 0; i < kSpheres; ++i) {
        const double angle = 2 * std::numbers::pi * i / kSpheres;
        nlohmann::json sphere = shape("sphere", "sphere " + std::to_string(i + 1), "sphere", 6 + i, 5);
        sphere["centre_mm"] = {kRadius_mm * std::cos(angle), kRadius_mm * std::sin(angle),
                               kRise_mm * (i - kSpheres / 2)};
        shapes.push_back(sphere);
    }
    return tof::Phantom::fromJson(nlohmann::json{{"name", "helix"}, {"shapes", shapes}}.dump(), "helix");
}

std::string simulateHelix(const std::vector<std::string>& words) {
    tof::SimulationSettings settings;
    settings.events = std::stoull(words[2]);
    const tof::Scanner scanner = tof::Scanner::find(words[1]);
    const tof::EventList list = tof::simulate(scanner, helix(), settings, tof::ThreadPool(), {});
    tof::writeEvents(words[0], list);
    return std::to_string(list.size()) + " events in " + words[0];
}

}  // namespace

int main(int argc, char** argv) {
    return runProgram(argc, argv, 3, "phantom OUT.h5 SCANNER EVENTS", simulateHelix);
}
