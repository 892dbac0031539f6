// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/kinetics/kinetic_model.h"

namespace tof {

namespace {

const char* const kPerMin = "1/min";
const char* const kPerVolume = "ml/cm3";

std::vector<KineticModel> allModels() {
    const auto logan = [](InputKind input) {
        return [input](const KineticSetUp& setUp) { return makeLoganFit(setUp, input); };
    };
    const auto basis = [](InputKind input) {
        return [input](const KineticSetUp& setUp) { return makeBasisFit(setUp, input); };
    };
    return {
        {"patlak",
         toTranslate("Word", "Patlak, plasma"),
         "Irreversible uptake: a line over late frames (Patlak 1983)",
         InputKind::Plasma,
         FitKind::LateFrames,
         {{"Ki", kPerMin, "net rate of influx, ml of plasma per cm3 and minute"},
          {"Vb", kPerVolume, "intercept: volume of blood and of what exchanges quickly"}},
         makePatlakFit},
        {"patlak-reference",
         toTranslate("Word", "Patlak, reference region"),
         "Irreversible uptake against a region without trapping: a line over late frames (Patlak 1985)",
         InputKind::Reference,
         FitKind::LateFrames,
         {{"Kr", kPerMin, "rate of influx relative to the reference"},
          {"V0", "1", "intercept: volume that exchanges quickly, relative to the reference"}},
         makePatlakFit},
        {"logan",
         toTranslate("Word", "Logan, plasma"),
         "Reversible binding: volume of distribution from a line over late frames (Logan 1990)",
         InputKind::Plasma,
         FitKind::LateFrames,
         {{"VT", kPerVolume, "total volume of distribution"}, {"intercept", "min", "intercept of the line"}},
         logan(InputKind::Plasma)},
        {"logan-reference",
         toTranslate("Word", "Logan, reference region"),
         "Reversible binding against a reference region: a line over late frames (Logan 1996)",
         InputKind::Reference,
         FitKind::LateFrames,
         {{"DVR", "1", "ratio of volumes of distribution"}, {"BP", "1", "binding potential, DVR - 1"}},
         logan(InputKind::Reference)},
        {"srtm",
         toTranslate("Word", "SRTM, reference region"),
         "Simplified reference tissue model by basis functions (Gunn 1997)",
         InputKind::Reference,
         FitKind::AllFrames,
         {{"R1", "1", "delivery relative to the reference"},
          {"k2", kPerMin, "rate of efflux"},
          {"BP", "1", "binding potential"}},
         basis(InputKind::Reference)},
        {"one-tissue",
         toTranslate("Word", "One tissue, plasma"),
         "One tissue compartment with blood volume by basis functions (Koeppe 1985)",
         InputKind::Plasma,
         FitKind::AllFrames,
         {{"K1", kPerMin, "rate of influx, ml of plasma per cm3 of tissue and minute"},
          {"k2", kPerMin, "rate of efflux"},
          {"VT", kPerVolume, "volume of distribution, K1/k2"},
          {"Vb", kPerVolume, "fraction of blood"}},
         basis(InputKind::Plasma)}};
}

}  // namespace

const std::vector<KineticModel>& kineticModels() {
    static const std::vector<KineticModel> all = allModels();
    return all;
}

std::vector<std::string> kineticModelNames() {
    return namesOf(kineticModels(), &KineticModel::name);
}

const KineticModel& kineticModel(const std::string& name) {
    const std::vector<KineticModel>& all = kineticModels();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const KineticModel& model) { return model.name == name; });
    if (found == all.end()) {
        throw WrongUse("there is no kinetic model '{}'; choose one of: {}", name,
                       fmt::join(kineticModelNames(), ", "));
    }
    return *found;
}

}  // namespace tof
