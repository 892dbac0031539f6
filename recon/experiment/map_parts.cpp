// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/map_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/constants.h"
#include "recon/binning/analytic.h"
#include "recon/binning/binning.h"
#include "recon/phantom/phantom.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

constexpr std::uint64_t kSeed = 1;

}  // namespace

std::string smallAndLargeSpheres() {
    std::string shapes =
        R"({"kind":"cylinder","name":"water","role":"background","centre_mm":[0,0,0],"radius_mm":120,)"
        R"("length_mm":120,"activity":1,"mu_per_mm":0.0096})";
    for (int k = 0; k < 6; ++k) {
        const double angle = 2 * kPi * k / 6;
        shapes += fmt::format(
            R"(,{{"kind":"sphere","name":"{} {}","role":"sphere","centre_mm":[{:.3f},{:.3f},2],"radius_mm":{},)"
            R"("activity":4,"mu_per_mm":0.0096}})",
            k % 2 == 0 ? "small" : "large", k / 2 + 1, 70 * std::cos(angle), 70 * std::sin(angle),
            k % 2 == 0 ? 5 : 11);
    }
    return fmt::format(R"({{"name":"small and large spheres","shapes":[{}]}})", shapes);
}

std::shared_ptr<const Measurement> mapData(const ExperimentContext& context, const std::string& phantomJson,
                                           double counts, double from, double to) {
    const Phantom phantom = Phantom::fromJson(phantomJson, "map");
    AnalyticSettings how;
    const int edge = context.pick(36, 72, 72);
    const double voxel_mm = context.pick(8.0, 4.0, 4.0);
    how.lattice = Lattice::centred({edge, edge, context.pick(6, 12, 24)}, {voxel_mm, voxel_mm, voxel_mm});
    how.azimuths = context.pick(8, 20, 40);
    how.tilts = 1;
    how.counts = counts > 0 ? counts : 1e8;
    how.noiseFree = counts <= 0;
    how.seed = kSeed;
    how.response = KernelSpec::preset("invariant");
    Scanner scanner = Scanner::find("labr3-ideal");
    scanner.acceptance_rad = 2 * kRadPerDeg;
    const ThreadPool pool(context.threads);
    const Volume attenuation = phantom.wholeAttenuation(how.lattice, 2 * kAttenuationSpacing_mm);
    HistoData data = analyticData(scanner, phantom, how, &attenuation, pool, [&](double share) {
        context.progress("data", from + (to - from) * share);
    });
    return std::make_shared<HistoMeasurement>(std::make_shared<const HistoData>(std::move(data)));
}

RunSettings mapSettings(const ExperimentContext& context, const std::string& algorithm, int iterations,
                        double beta) {
    RunSettings settings = settingsOf(algorithm, context.engine, iterations);
    settings.set("kernel", "invariant");
    settings.subsets = context.pick(4, 5, 10);
    settings.beta = beta;
    return settings;
}

}  // namespace tof
