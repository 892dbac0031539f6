// SPDX-License-Identifier: Apache-2.0
#include "recon/work/sinogram_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

SinogramData simulateSinograms(const SinogramSimulation& what, const Phantom& phantom, const Engine& engine,
                               const EngineOptions& options, const std::function<void(double)>& progress) {
    SinogramData data;
    data.lattice = what.lattice;
    data.michelogram = std::make_shared<const Michelogram>(what.scanner);
    data.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    LineModel model;
    model.lattice = what.lattice;
    model.lines = data.michelogram;
    std::vector<float> expected =
        forwardAll(engine, model, options, phantom.emissionOn(what.lattice).data, progress);
    const ThreadPool pool(options.threads);
    if (what.attenuate) {
        data.counts.resize(expected.size());
        applyAttenuation(data, phantom.attenuationOn(what.lattice), pool, [](double) {});
        std::transform(expected.begin(), expected.end(), data.mult.begin(), expected.begin(),
                       std::multiplies<>());
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    if (!(sum > 0)) {
        throw WrongUse(fmt::format("phantom '{}' emits nothing that the scanner sees on {}", phantom.name,
                                   what.lattice.text()));
    }
    data.counts = poissonCounts(expected, what.counts / sum, what.seed, pool);
    data.kept = static_cast<std::uint64_t>(std::accumulate(data.counts.begin(), data.counts.end(), 0.0));
    progress(1.0);
    return data;
}

}  // namespace tof
