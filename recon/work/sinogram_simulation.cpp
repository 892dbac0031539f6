// SPDX-License-Identifier: Apache-2.0
#include "recon/work/sinogram_simulation.h"

#include <fmt/format.h>

#include <span>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

namespace {

std::vector<float> forwardAll(const LineModel& model, const std::vector<float>& image, const Engine& engine,
                              const EngineOptions& options, const std::function<void(double)>& progress) {
    const std::shared_ptr<Space> space = engine.makeSpace(options);
    const std::unique_ptr<Projector> projector = requireProjector(engine, model, space, options);
    Array x = space->allocate(image.size());
    Array p = space->allocate(projector->dataSize(0));
    space->upload(image, x.view());
    std::vector<float> expected(p.size() * projector->parts());
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        progress(static_cast<double>(part) / static_cast<double>(projector->parts()));
        projector->forward(part, x.view(), p.view());
        space->download(p.view(), std::span(expected).subspan(part * p.size(), p.size()));
    }
    return expected;
}

}  // namespace

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
        forwardAll(model, phantom.emissionOn(what.lattice).data, engine, options, progress);
    const ThreadPool pool(options.threads);
    if (what.attenuate) {
        data.counts.resize(expected.size());
        applyAttenuation(data, phantom.attenuationOn(what.lattice), pool, [](double) {});
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] *= data.mult[i];
        }
    }
    double sum = 0;
    for (const float value : expected) {
        sum += static_cast<double>(value);
    }
    if (!(sum > 0)) {
        throw WrongUse(fmt::format("phantom '{}' emits nothing that the scanner sees on {}", phantom.name,
                                   what.lattice.text()));
    }
    data.counts = poissonCounts(expected, what.counts / sum, what.seed, pool);
    double total = 0;
    for (const float count : data.counts) {
        total += static_cast<double>(count);
    }
    data.kept = static_cast<std::uint64_t>(total);
    progress(1.0);
    return data;
}

}  // namespace tof
