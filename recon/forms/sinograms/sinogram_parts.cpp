// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/sinograms/sinogram_form.h"

#include <algorithm>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/sum.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/random_rates.h"
#include "recon/forms/form/data_in.h"
#include "recon/systems/lines/sinogram_measurement.h"

namespace tof {

namespace {

// ---- what can be corrected ----

const SinogramData& sinogramsOf(const Measurement& data) {
    return DataIn<SinogramData, SinogramMeasurement>::of(data);
}

RingsOfData ringsOf(const Measurement& data) {
    const RingScanner& rings = sinogramsOf(data).michelogram->scanner();
    return {rings.name, static_cast<std::size_t>(rings.rings) *
                            (static_cast<std::size_t>(rings.crystalsPerRing) - rings.gapPlaces.size())};
}

const char* whyNoBinFactors(const PartQuestion& about) {
    return sinogramsOf(about.data).mult.empty()
               ? toTranslate("Word", "The data have no factors; bin the list again")
               : nullptr;
}

const char* whyNoScatterOfBins(const PartQuestion& about) {
    const char* const why = whyNoBinFactors(about);
    return why != nullptr || sinogramsOf(about.data).absolute
               ? why
               : toTranslate("Word", "The factors of the data say no probabilities");
}

const char* whyNoBinEfficiencies(const PartQuestion& about) {
    const char* const why = whyNoBinFactors(about);
    return why != nullptr || sinogramsOf(about.data).normalisation.empty()
               ? why
               : toTranslate("Word", "The factors of the data hold a normalisation already");
}

PartGiven givenBinEfficiencies(const PartQuestion& about) {
    return sinogramsOf(about.data).normalisation.empty() ? PartGiven::Not : PartGiven::Mixed;
}

PartGiven givenBinSurvival(const PartQuestion& about) {
    return sinogramsOf(about.data).mult.empty() ? PartGiven::Not : PartGiven::Mixed;
}

// ---- how it is found ----

/// Whether survival is switched that the data hold within mult alone.
bool wantsSurvival(PartFlow& flow) {
    return flow.request().switches.attenuation && flow.parts().find(PartName::Attenuation) == nullptr;
}

/// Efficiencies of crystals go into mult once.
void requireNoNormalisation(const SinogramData& data, PartFlow& flow) {
    if (flow.request().norm.empty()) {
        return;
    }
    if (!data.normalisation.empty()) {
        throw WrongUse(
            "{}: its factors hold the efficiencies of {} already, which --norm would count twice; leave "
            "--norm out, or bin the data without a normalisation",
            flow.source(), data.normalisation);
    }
    if (!data.absolute && flow.parts().find(PartName::Geometry) == nullptr) {
        flow.progress().note(Remark::Data, flow.source() +
                                               ": its factors do not say what is in them; efficiencies "
                                               "among them are counted twice with --norm");
    }
}

/// The scanner that the request names. Survival alone needs none.
void takeScanner(PartFlow& flow) {
    const CorrectRequest& request = flow.request();
    if (request.detecting != nullptr) {
        flow.setScanner(request.detecting);
    } else if (!request.scanner.empty()) {
        flow.setScanner(std::make_shared<const Scanner>(Scanner::find(request.scanner)));
    } else if (flow.wantsScatter() || !request.norm.empty() || !request.delayeds.empty() ||
               !request.singles.empty()) {
        throw WrongUse(
            "{}: sinograms do not say how their crystals detect; give --scanner, as ge-ste-blocks of "
            "ge-ste",
            flow.source());
    }
}

void beginBins(PartFlow& flow) {
    const CorrectRequest& request = flow.request();
    takeScanner(flow);
    const SinogramData& data = flow.data<SinogramData>();
    PartStore& parts = flow.parts();
    parts.belongTo("bins", {},
                   data.michelogram->spec().toJson() + (flow.hasScanner() ? flow.scanner().toJson() : ""));
    if (request.norm.empty() && flow.singles().busy.empty() && !wantsSurvival(flow)) {
        return;
    }
    requireNoNormalisation(data, flow);
    if (data.mult.empty()) {
        throw WrongUse("{}: has no mult that factors could go into; bin the list again", flow.source());
    }
    parts.keepGiven(PartName::Geometry, parts.key(PartName::Geometry).values(data.mult).result(), data.mult);
}

/// Survival as 'bin' put it in.
void findBinSurvival(PartFlow& flow) {
    if (!wantsSurvival(flow)) {
        return;
    }
    const SinogramData& data = flow.data<SinogramData>();
    const std::size_t n = data.counts.size();
    const Volume mu = flow.attenuation(data.phantom, data.lattice, kWholeVoxels_mm);
    const std::string key = flow.parts().key(PartName::Attenuation).volume(mu).result();
    flow.parts().findOrTake(PartName::Attenuation, key, n, [&](PartFigures& /*figures*/) {
        const std::vector<float> lines = survivalOfBins(data, mu, flow.pool());
        const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
        std::vector<float> values(n);
        for (std::size_t i = 0; i < n; ++i) {
            values[i] = lines[i / timeBins];
        }
        return values;
    });
}

std::vector<float> spreadOverBins(PartFlow& flow, const std::vector<double>& factors) {
    return efficienciesOfBins(factors, flow.scanner(), flow.data<SinogramData>(), flow.pool());
}

/// mult with factors that are on, or all that are known; survival is in the geometry's. What the data have
/// where no factor was ever asked for.
std::vector<float> multOfBins(const PartStore& parts, const SinogramData& data, PartStore::Factors which) {
    const CorrectionPart* const geometry = parts.find(PartName::Geometry);
    if (geometry == nullptr) {
        return data.mult;
    }
    std::vector<float> mult = parts.timesFactors(geometry, which);
    const CorrectionPart* const survival = parts.find(PartName::Attenuation);
    if (survival != nullptr && which == PartStore::Factors::TurnedOn && !survival->on) {
        std::transform(mult.begin(), mult.end(), survival->values.begin(), mult.begin(),
                       [](float own, float left) { return left > 0 ? own / left : own; });
    }
    return mult;
}

void findBinRandoms(PartFlow& flow) {
    if (!flow.hasScanner()) {
        return;
    }
    const SinogramData& data = flow.data<SinogramData>();
    for (const RandomRates& rates : randomRates(flow.request(), flow.singles(), flow.scanner(),
                                                {data.duration_s, data.kept + data.rejected}, flow.pool())) {
        flow.progress().stage("randoms");
        const std::string key =
            flow.parts().key(rates.name).values(rates.rates).value(rates.duration_s).result();
        flow.parts().findOrTake(rates.name, key, data.counts.size(), [&](PartFigures& figures) {
            std::vector<float> values =
                randomsOfBins(rates.rates, flow.scanner(), data, rates.duration_s, flow.pool());
            figures.from = rates.from;
            figures.randoms = sumOf(values, flow.pool());
            return values;
        });
    }
}

void findBinScatter(PartFlow& flow) {
    if (!flow.wantsScatter()) {
        return;
    }
    PartStore& parts = flow.parts();
    const SinogramData& data = flow.data<SinogramData>();
    const Volume mu = flow.attenuation(data.phantom, data.lattice, kScatterSpacing_mm);
    const CorrectionPart* const randoms = parts.knownRandoms();
    const ScatterCorrection& how = flow.request().scatterSettings;
    SinogramData known = data;
    known.mult = multOfBins(parts, data, PartStore::Factors::Known);
    known.add = randoms != nullptr ? randoms->values : std::vector<float>(data.counts.size(), 0.0F);
    const std::string key = parts.key(PartName::Scatter)
                                .values(data.counts)
                                .values(known.mult)
                                .values(known.add)
                                .volume(mu)
                                .of(how)
                                .result();
    parts.findOrTake(PartName::Scatter, key, data.counts.size(), [&](PartFigures& figures) {
        ScatterFound found =
            findScatter(known, flow.scanner(), mu, how, flow.pool(), flow.progress().begin("scatter"));
        figures = figuresOf(found);
        return std::move(found.scatter);
    });
}

void composeBins(PartFlow& flow) {
    SinogramData& data = flow.data<SinogramData>();
    if (flow.parts().knowsAdd()) {
        data.add = flow.parts().add(data.counts.size());
    }
    data.mult = multOfBins(flow.parts(), data, PartStore::Factors::TurnedOn);
}

}  // namespace

FormCorrections sinogramCorrections() {
    FormCorrections form;
    form.parts = {
        {PartName::Attenuation, PartNeed::Attenuation, whyNoBinFactors, givenBinSurvival, findBinSurvival},
        {PartName::Efficiencies, PartNeed::Normalisation, whyNoBinEfficiencies, givenBinEfficiencies,
         findEfficiencies},
        {PartName::Delayeds, PartNeed::Delayeds, whyNoRandoms, nullptr, findBinRandoms},
        {PartName::Singles, PartNeed::Singles, whyNoRandoms, nullptr, nullptr},
        {PartName::DeadTime, PartNeed::Singles, whyNoBinFactors, nullptr, findDeadTime},
        {PartName::Scatter, PartNeed::Attenuation, whyNoScatterOfBins, nullptr, findBinScatter}};
    form.holdsAdd = [](const Measurement& data) { return !sinogramsOf(data).add.empty(); };
    form.rings = ringsOf;
    form.values = [](PartFlow& flow) { return flow.data<SinogramData>().counts.size(); };
    form.spread = spreadOverBins;
    form.begin = beginBins;
    form.compose = composeBins;
    return form;
}

}  // namespace tof
