// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/algorithm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "recon/base/built_in.h"
#include "recon/base/error.h"

namespace tof {

const std::vector<const Algorithm*>& algorithms() {
    static const std::vector<const Algorithm*> table{&ramla(), &osem(), &mlem(),    &bsrem(),
                                                     &svrg(),  &osl(),  &lbfgsb(),  &kem(),
                                                     &negml(), &aml(),  &analytic()};
    return table;
}

std::vector<std::string> algorithmNames() {
    return namesOf(algorithms(), &Algorithm::name);
}

void requirePrior(const AlgorithmSettings& settings) {
    const Algorithm& algorithm = *settings.algorithm;
    if (algorithm.anatomy != UsesAnatomy::No) {
        requireUsable(settings);
    }
    if (algorithm.prior == UsesPrior::No) {
        return;
    }
    if (!(settings.step > 0) || !(settings.stepDecay >= 0) ||
        !std::isfinite(settings.step + settings.stepDecay)) {
        throw WrongUse("the step must be positive and its decay not negative");
    }
    if (algorithm.prior == UsesPrior::AsObjective && settings.prior->kind == PriorKind::OneStepLate) {
        throw WrongUse(
            "prior '{}' is no objective that '{}' could make largest; take algorithm osl or another prior",
            settings.prior->name, algorithm.name);
    }
}

const Algorithm& algorithmNamed(const std::string& name) {
    for (const Algorithm* algorithm : algorithms()) {
        if (algorithm->name == name) {
            return *algorithm;
        }
    }
    throw WrongUse("no algorithm '{}'; algorithms: {}", name, fmt::join(algorithmNames(), ", "));
}

}  // namespace tof
