// SPDX-License-Identifier: Apache-2.0
#include "recon/base/large_array.h"
#include "recon/forms/histo/histo_form.h"

#include <algorithm>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/sum.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/data_in.h"
#include "recon/simulate/recorded_share.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

// ---- what can be corrected ----

const HistoData& viewsOf(const Measurement& data) {
    return DataIn<HistoData, HistoMeasurement>::of(data);
}

/// Whether something moved in ways that the data do not say.
bool hidesPoses(const HistoData& data) {
    return !data.motion.empty() && data.poses.empty();
}

const char* whyNoViews(const Measurement& data) {
    if (hidesPoses(viewsOf(data))) {
        return toTranslate("Word",
                           "The events were moved back into one pose by poses that the file does not hold; "
                           "bin the list again");
    }
    return data.scannerJson().empty()
               ? toTranslate("Word", "The data do not say which scanner they are of; bin the list again")
               : nullptr;
}

std::shared_ptr<const Scanner> scannerOfViews(const Measurement& data) {
    return data.scannerJson().scanner("the open data");
}

const char* whyNoSurvival(const PartQuestion& about) {
    const bool there = !viewsOf(about.data).att.empty() || about.parts.find(PartName::Attenuation) != nullptr;
    return there ? nullptr
                 : toTranslate("Word", "Binned without attenuation, or not apart; bin the list again");
}

PartGiven givenViewSurvival(const PartQuestion& about) {
    return viewsOf(about.data).att.empty() ? PartGiven::Not : PartGiven::Values;
}

/// Whether frames have efficiencies of their own poses.
bool framesHaveFactors(const HistoData& data) {
    return data.frames != nullptr && data.frames->moved();
}

const char* whyNoViewFactors(const PartQuestion& about) {
    return viewsOf(about.data).mult.empty()
               ? toTranslate("Word", "The data have no factors; bin the list again")
               : nullptr;
}

const char* whyNoLosses(const PartQuestion& about) {
    const char* const why = whyNoViewFactors(about);
    return why != nullptr ? why : whyNoRandoms(about);
}

// ---- how it is found ----

void beginViews(PartFlow& flow) {
    const HistoData& data = flow.data<HistoData>();
    if (hidesPoses(data)) {
        throw WrongUse(
            "{}: its events were moved back into one pose by poses that the file does not hold; bin the list "
            "again",
            flow.source());
    }
    if (data.scannerJson.empty()) {
        throw WrongUse("{}: does not say which scanner it is of; bin the list again", flow.source());
    }
    flow.setScanner(data.scannerJson.scanner(flow.source()));
    PartStore& parts = flow.parts();
    ContentHash base = hashOfViews(data);
    base.add(data.poses.data(), data.poses.size() * sizeof(WeighedPose));
    parts.belongTo(framesHaveFactors(data) ? "views by crystals" : "views", base, data.scannerJson);
    for (const auto& [name, values] :
         {std::pair(PartName::Geometry, &data.mult), std::pair(PartName::Attenuation, &data.att)}) {
        if (!values->empty()) {
            parts.keepGiven(name, parts.key(name).values(*values).result(), *values);
        }
    }
}

/// The factors that have been spread last, where frames take means of their own of them.
struct SpreadCrystals {
    std::vector<double> factors{};
};

std::vector<float> spreadOverViews(PartFlow& flow, const std::vector<double>& factors) {
    const HistoData& data = flow.data<HistoData>();
    if (framesHaveFactors(data)) {
        flow.kept<SpreadCrystals>().factors = factors;
    }
    return efficienciesOfViews(data, flow.scanner(), factors, flow.pool());
}

/// Keeps factors of crystals that were found beside the part that they made.
void keepSpread(PartFlow& flow, PartName name) {
    std::vector<double>& factors = flow.kept<SpreadCrystals>().factors;
    if (!factors.empty()) {
        flow.parts().keepCrystals(name, factors);
        factors.clear();
    }
}

void findViewEfficiencies(PartFlow& flow) {
    flow.findEfficiencies();
    keepSpread(flow, PartName::Efficiencies);
}

void findViewDeadTime(PartFlow& flow) {
    flow.findDeadTime();
    keepSpread(flow, PartName::DeadTime);
}

/// Randoms of a scan as its lists or counters tell them.
struct ViewRandoms {
    std::vector<double> rates{};
    double total = 0;    ///< on the lattice, if dead blocks took none
    double randoms = 0;  ///< those of the whole scan
    double duration_s = 0;
    double busyPerRecorded = 1;
};

/// What dead blocks leave of randoms on the lattice.
std::vector<float> randomsLeft(PartFlow& flow, const ViewRandoms& found, PartFigures& figures) {
    const HistoData& data = flow.data<HistoData>();
    const auto prompts = static_cast<double>(data.kept + data.outside);
    const DecayPairs pairs{std::max(0.0, prompts - found.randoms) / found.duration_s, found.busyPerRecorded};
    std::vector<float> left =
        randomsLeftOfViews(found.rates, flow.scanner(), data, found.total, pairs, flow.pool());
    figures.randoms = sumOf(left, flow.pool());
    return left;
}

void findViewDelayeds(PartFlow& flow) {
    const std::string& file = flow.request().delayeds;
    if (file.empty()) {
        return;
    }
    flow.progress().stage("randoms");
    const HistoData& data = flow.data<HistoData>();
    const Scanner& scanner = flow.scanner();
    const auto list = delayedsOf(flow.request(), flow.pool());
    const EventList& delayeds = *list;
    const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : data.duration_s;
    const std::string key = flow.parts()
                                .key(PartName::Delayeds)
                                .values(delayeds.crystals)
                                .values(delayeds.dt_ps)
                                .value(duration_s)
                                .value(data.kept + data.outside)
                                .values(data.counts)
                                .result();
    flow.parts().findOrTake(PartName::Delayeds, key, data.counts.size(), [&](PartFigures& figures) {
        ViewRandoms found{ratesOfDelayeds(delayeds, scanner, duration_s, flow.pool())};
        found.total = eventsKept(delayeds, scanner, data.lattice, flow.pool(), data.poses);
        found.randoms = static_cast<double>(delayeds.size());
        found.duration_s = duration_s;
        found.busyPerRecorded = 1 / recordedShare(scanner, Detector(scanner));
        figures.from = file;
        return randomsLeft(flow, found, figures);
    });
}

void findViewSingles(PartFlow& flow) {
    const std::string& file = flow.request().singles;
    if (file.empty()) {
        return;
    }
    flow.progress().stage("randoms");
    const HistoData& data = flow.data<HistoData>();
    const Scanner& scanner = flow.scanner();
    const CrystalSingles& singles = flow.singles();
    const double duration_s = data.duration_s > 0 ? data.duration_s : singles.duration_s;
    const std::string key = flow.parts()
                                .key(PartName::Singles)
                                .values(singles.recorded)
                                .values(singles.busy)
                                .value(singles.duration_s)
                                .value(duration_s)
                                .value(data.kept + data.outside)
                                .values(data.counts)
                                .result();
    flow.parts().findOrTake(PartName::Singles, key, data.counts.size(), [&](PartFigures& figures) {
        ViewRandoms found{ratesOfSingles(singles, scanner)};
        found.total = randomsKept(found.rates, scanner, data.lattice, duration_s, flow.pool(), data.poses);
        found.randoms = randomsAccepted(found.rates, scanner, duration_s);
        found.duration_s = duration_s;
        found.busyPerRecorded = busyPerRecorded(singles);
        figures.from = file;
        return randomsLeft(flow, found, figures);
    });
}

std::vector<float> multOfViews(const PartStore& parts, PartStore::Factors which) {
    return parts.timesFactors(parts.find(PartName::Geometry), which);
}

void findViewScatter(PartFlow& flow) {
    PartStore& parts = flow.parts();
    HistoData& data = flow.data<HistoData>();
    const bool before = parts.taken(PartName::Scatter) != nullptr;
    if (!flow.request().switches.scatter.value_or(flow.request().scatter || before)) {
        return;
    }
    if (parts.find(PartName::Scatter) != nullptr && flow.request().mu.empty() && data.phantom.empty()) {
        parts.turn(PartName::Scatter, true, {});  // what attenuates was known when it was found
        return;
    }
    const Volume mu = flow.attenuation(data.phantom, data.lattice, kScatterSpacing_mm);
    const ScatterCorrection& how = flow.request().scatterSettings;
    const std::string key = parts.key(PartName::Scatter)
                                .values(data.counts)
                                .volume(mu)
                                .text(parts.knownKeys({PartName::Geometry, PartName::Efficiencies,
                                                       PartName::DeadTime, PartName::Attenuation}))
                                .of(how)
                                .result();
    parts.findOrTake(PartName::Scatter, key, data.counts.size(), [&](PartFigures& figures) {
        const CorrectionPart* const randoms = parts.knownRandoms();
        data.mult = multOfViews(parts, PartStore::Factors::Known);
        data.att = parts.valuesOf(parts.find(PartName::Attenuation));
        data.add =
            randoms != nullptr ? parts.valuesOf(randoms) : largeArray<float>(data.counts.size(), flow.pool());
        ScatterFound found =
            findScatter(data, flow.scanner(), mu, how, flow.pool(), flow.progress().begin("scatter"));
        figures = figuresOf(found);
        return std::move(found.scatter);
    });
}

void composeViews(PartFlow& flow) {
    HistoData& data = flow.data<HistoData>();
    const PartStore& parts = flow.parts();
    data.mult = multOfViews(parts, PartStore::Factors::TurnedOn);
    data.att = parts.valuesOf(parts.taken(PartName::Attenuation));
    if (framesHaveFactors(data)) {
        auto frames = std::make_shared<FramedCounts>(*data.frames);
        frames->crystals = parts.crystalsTaken();
        data.frames = std::move(frames);
    }
    if (parts.knowsAdd()) {
        data.add = parts.add(data.counts.size());
    }
}

}  // namespace

FormCorrections histoCorrections() {
    FormCorrections form;
    form.parts = {
        {PartName::Attenuation, PartNeed::Binning, whyNoSurvival, givenViewSurvival, nullptr},
        {PartName::Efficiencies, PartNeed::Normalisation, whyNoViewFactors, nullptr, findViewEfficiencies},
        {PartName::Delayeds, PartNeed::Delayeds, whyNoRandoms, nullptr, findViewDelayeds},
        {PartName::Singles, PartNeed::Singles, whyNoRandoms, nullptr, findViewSingles},
        {PartName::DeadTime, PartNeed::Singles, whyNoLosses, nullptr, findViewDeadTime},
        {PartName::Scatter, PartNeed::Attenuation, whyNoScatter, nullptr, findViewScatter,
         PartAgain::AsItWas}};
    form.whyNone = whyNoViews;
    form.holdsAdd = [](const Measurement& data) { return !viewsOf(data).add.empty(); };
    form.scanner = scannerOfViews;
    form.values = [](PartFlow& flow) { return flow.data<HistoData>().counts.size(); };
    form.spread = spreadOverViews;
    form.begin = beginViews;
    form.compose = composeViews;
    return form;
}

}  // namespace tof
