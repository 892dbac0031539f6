// SPDX-License-Identifier: Apache-2.0
// What back projection without atomics loses on this card, for the bins of the GE Discovery STE, and what
// that does to one back projection: prints JSON that docs/measurements/lines.md quotes. usage:
// gpu_lost_updates OUT.json
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gpu/cuda_engine.h"
#include "gpu/published/published.h"
#include "recon/base/error.h"
#include "recon/seam/engine.h"
#include "recon/systems/lines/line_model.h"
#include "tests/gpu/probes/lost_updates.h"

using namespace tof;
using nlohmann::json;

namespace {

/// F^T 1 over all bins.
std::vector<float> sensitivity(const Engine& engine, const LineModel& model, const char* strategy) {
    EngineOptions options;
    options.strategy = strategy;
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(engine, model, space, options);
    Array ones = space->allocate(projector->dataSize(0));
    Array image = space->allocate(projector->imageSize());
    space->fill(ones.view(), 1.0F);
    space->fill(image.view(), 0.0F);
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        projector->back(part, ones.view(), image.view(), Write::Add);
    }
    std::vector<float> host(image.size());
    space->download(image.view(), host);
    return host;
}

/// Mean and SD over the voxels seen of what is left of the true value, in per cent.
json compared(const std::vector<float>& found, const std::vector<float>& truth) {
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (truth[i] > 0) {
            const double left = 100.0 * static_cast<double>(found[i]) / static_cast<double>(truth[i]);
            n += 1;
            sum += left;
            squares += left * left;
        }
    }
    const double mean = sum / n;
    return {{"voxels", n},
            {"left_mean_per_cent", mean},
            {"left_sd_per_cent", std::sqrt(std::max(squares / n - mean * mean, 0.0))}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: gpu_lost_updates OUT.json\n");
        return 2;
    }
    try {
        json out;
        const auto cuda = loadCudaEngine(publishedStrategies());
        out["device"] = cuda->device().name;
        for (const int size : {128, 256}) {
            const MichelogramSpec spec = MichelogramSpec::find("ge-ste");
            LineModel model;
            model.lattice = Lattice::centred({size, size, 47},
                                             {700.0 / size, 700.0 / size, 0.5 * spec.scanner.ringSpacing_mm});
            model.lines = std::make_shared<const Michelogram>(spec);
            const LostUpdates lost = countLostUpdates(model, cuda->makeSpace({}));
            const std::vector<float> truth = sensitivity(*cuda, model, "siddon");
            json entry{{"shape", model.lattice.size}, {"updates", lost.updates}, {"lost", lost.lost}};
            entry["racy"] = compared(sensitivity(*cuda, model, "siddon-racy"), truth);
            entry["atomics"] = compared(sensitivity(*cuda, model, "siddon-atomics"), truth);
            std::printf("%s\n", entry.dump().c_str());
            out["grids"].push_back(entry);
        }
        std::ofstream(argv[1]) << out.dump(1) << "\n";
    } catch (const Error& error) {
        std::printf("FAILED: %s\n", error.what());
        return 4;
    }
    return 0;
}
