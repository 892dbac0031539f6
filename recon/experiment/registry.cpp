// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/experiment/papers.h"

namespace tof {

namespace {

using EngineOrWhyNot = std::variant<std::shared_ptr<const Engine>, Unsupported>;

}  // namespace

const Experiment& findExperiment(const std::string& name) {
    for (const Experiment& experiment : experiments()) {
        if (experiment.name == name) {
            return experiment;
        }
    }
    const std::vector<std::string> names = namesOf(experiments(), &Experiment::name);
    throw WrongUse("no experiment '{}'{}; there are {}", name, suggestion(name, names),
                   fmt::join(names, ", "));
}

ExperimentReport runExperiment(const Experiment& experiment, const ExperimentContext& context) {
    if (!context.dataFile.empty() && experiment.ownData.empty()) {
        throw WrongUse("experiment '{}' takes no data of one's own", experiment.name);
    }
    const auto needed = experiment.needs.empty() ? EngineOrWhyNot() : context.engines.find(experiment.needs);
    return withProvenance(context, [&] {
        ExperimentReport report;
        if (const auto* const absent = std::get_if<Unsupported>(&needed)) {
            report.skipped = fmt::format("it needs the engine '{}': {}", experiment.needs, absent->why);
            return report;
        }
        return experiment.run(context);
    });
}

ExperimentReport withProvenance(const ExperimentContext& context,
                                const std::function<ExperimentReport()>& make) {
    const auto start = std::chrono::steady_clock::now();
    ExperimentReport report = make();
    report.made = provenanceHere(context.engines);
    report.made.size = context.pick("tiny", "quick", "full");
    report.made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace tof
