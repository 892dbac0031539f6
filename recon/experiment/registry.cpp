// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/experiment/papers.h"

namespace tof {

namespace {

using EngineOrWhyNot = std::variant<std::shared_ptr<const Engine>, Unsupported>;

}  // namespace

const std::vector<Experiment>& earlierExperiments() {
    static const std::string kSame = "the same";
    static const std::vector<Experiment> kAll{
        {"time-by-width", "paper 000, Fig. 4",
         "Time of a projection against the kernel's width, in space and by Fourier transform",
         "the paper's kernels on its lattice, 3 runs each", "15 runs each", runTimeByWidth},
        {"fourier", "paper 000, Fig. 5",
         "Three points through a wide invariant kernel, in space and by Fourier transform",
         "the paper's lattice and kernel", kSame, runFourier},
        {"cutoff", "paper 000, Fig. 5 and section 4.1",
         "What a kernel loses where it is cut: mass, and the step at its edge", "seven cut-offs", kSame,
         runCutoff},
        {"variant", "paper 000, Fig. 6", "Three points forward and back through a spatially variant kernel",
         "the paper's lattice and kernel", kSame, runVariant},
        {"asymmetric", "paper 000, Fig. 7",
         "Three points forward and back through symmetric and asymmetric, invariant and variant kernels",
         "the paper's lattice and kernels", kSame, runAsymmetric},
        {"widths", "paper 000, Fig. 8 and Table III",
         "Radial resolution against the distance from the centre", "every preset of the paper's scanner",
         kSame, runWidths},
        {"stages", "paper 000, Tables III and IV",
         "Time of an iteration by stage for invariant and variant kernels",
         "10 x 3 of the 40 x 3 views, 2 iterations", "40 x 3 views, 20 iterations", runStages},
        {"crc-noise", "paper 000, Figs. 9 and 10",
         "Contrast recovery against noise for invariant and variant kernels, and images at matched noise",
         "2 million events, 112 x 112 x 24 voxels, 20 x 3 views, 8 iterations",
         "430 million events, 144 x 144 x 48 voxels, 40 x 3 views, 26 iterations", runCrcNoise},
        {"ring-mlem", "paper 003, Fig. 7 and Table 5",
         "A uniform cylinder by MLEM from sinograms of a ring scanner: noise against iterations",
         "3 of the 24 rings of ge-ste, 128 x 128 pixels, 12 iterations",
         "ge-ste, 256 x 256 x 47 voxels, 40 iterations", runRingMlem},
    };
    return kAll;
}

const Experiment& findExperiment(const std::string& name) {
    std::vector<std::string> names;
    for (const auto* const table : {&experiments(), &earlierExperiments()}) {
        for (const Experiment& experiment : *table) {
            if (experiment.name == name) {
                return experiment;
            }
            names.push_back(experiment.name);
        }
    }
    throw WrongUse("no experiment '{}'{}; there are {}", name, suggestion(name, names),
                   fmt::join(names, ", "));
}

ExperimentReport runExperiment(const Experiment& experiment, const ExperimentContext& context) {
    if (!context.dataFile.empty() && experiment.ownData.empty()) {
        throw WrongUse("experiment '{}' takes no data of one's own", experiment.name);
    }
    const auto start = std::chrono::steady_clock::now();
    ExperimentReport report;
    const auto needed = experiment.needs.empty() ? EngineOrWhyNot() : context.engines.find(experiment.needs);
    if (const auto* const absent = std::get_if<Unsupported>(&needed)) {
        report.skipped = fmt::format("it needs the engine '{}': {}", experiment.needs, absent->why);
    } else {
        report = experiment.run(context);
    }
    report.made = provenanceHere(context.engines);
    report.made.size = context.pick("tiny", "quick", "full");
    report.made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace tof
