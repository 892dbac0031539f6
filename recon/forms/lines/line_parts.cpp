// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/lines/line_form.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/binning/binning.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/random_rates.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/forms/form/data_in.h"
#include "recon/motion/pose_shares.h"
#include "recon/systems/lines/line_measurement.h"

namespace tof {

namespace {

/// What is kept between the rows.
struct LineWork {
    std::vector<RandomRates> rates{};
    std::optional<ListExpectations> lines{};  ///< none: nothing is expected of the events
};

// ---- what can be corrected ----

const LineData& linesOf(const Measurement& data) {
    return DataIn<LineData, LineMeasurement>::of(data);
}

const char* whyNoLines(const Measurement& data) {
    const LineData& lines = linesOf(data);
    return !lines.possible.scanner || !lines.possible.mult.empty() || !lines.counts.empty()
               ? toTranslate("Word", "No list of events between the crystals of a scanner that it names")
               : nullptr;
}

PartGiven givenAttenuation(const PartQuestion& about) {
    return linesOf(about.data).attenuation ? PartGiven::Mixed : PartGiven::Not;
}

PartGiven givenEfficiencies(const PartQuestion& about) {
    const bool given =
        !linesOf(about.data).possible.efficiencies.empty() && about.parts.find(PartName::DeadTime) == nullptr;
    return given ? PartGiven::Values : PartGiven::Not;
}

/// Why the events cannot be expected one by one.
const char* whyNoExpectation(const PartQuestion& about) {
    const LineData& data = linesOf(about.data);
    return data.michelogram || data.events->tof.count == 0 || !data.absolute
               ? toTranslate("Word", "Of lists with times of flight and without rings alone")
               : nullptr;
}

const char* whyNoRandomsOfEvents(const PartQuestion& about) {
    const char* const why = whyNoExpectation(about);
    return why != nullptr ? why : whyNoRandoms(about);
}

const char* whyNoScatterOfEvents(const PartQuestion& about) {
    const char* const why = whyNoExpectation(about);
    return why != nullptr ? why : whyNoScatter(about);
}

// ---- how it is found ----

/// Whether more than attenuation is asked for.
bool asksForMore(const CorrectRequest& request) {
    const PartSwitches& switches = request.switches;
    return !request.norm.empty() || !request.delayeds.empty() || !request.singles.empty() ||
           request.scatter || switches.efficiencies || switches.deadTime || switches.randoms ||
           switches.scatter;
}

/// Survival of lists is computed along their lines; all else belongs to the crystals of a scanner.
void requireCorrectable(const LineData& data, const std::string& source, const CorrectRequest& request) {
    if (!data.counts.empty()) {
        throw WrongUse(
            "{}: are lines with counts, whose mult holds all that is known of them; correct the data that "
            "they were made from",
            source);
    }
    if (!data.possible.mult.empty()) {
        throw WrongUse(
            "{}: what its lines expect came from --corrections, survival and efficiencies in one number that "
            "cannot be parted; bin the list --to lors without --corrections and correct that, or correct the "
            "sinograms and bin the list with them again",
            source);
    }
    if (data.possible.scanner) {
        return;
    }
    if (asksForMore(request)) {
        throw WrongUse(
            "{}: is no list of events between the crystals of a scanner that it names, whose efficiencies, "
            "randoms and scatter could be found; bin the list --to lors again with its scanner",
            source);
    }
    if (!data.add.empty()) {
        throw WrongUse(
            "{}: its events' mult came with their add, survival included; bin the list again with --mu FILE "
            "or "
            "none",
            source);
    }
}

void beginLines(PartFlow& flow) {
    const LineData& data = flow.data<LineData>();
    requireCorrectable(data, flow.source(), flow.request());
    flow.setScanner(data.possible.scanner);
    PartStore& parts = flow.parts();
    parts.belongTo("lines", {}, flow.hasScanner() ? flow.scanner().toJson() : data.scannerJson());
    if (data.attenuation) {
        parts.keepGiven(PartName::Attenuation,
                        parts.key(PartName::Attenuation).volume(*data.attenuation).result(),
                        *data.attenuation);
    }
    const std::vector<float>& given = data.possible.efficiencies;
    if (flow.hasScanner() && !given.empty() && parts.find(PartName::DeadTime) == nullptr) {
        parts.keepGiven(PartName::Efficiencies, parts.key(PartName::Efficiencies).values(given).result(),
                        given);
    }
}

/// Throws BadInput where a file says otherwise.
Volume volumeOf(const CorrectionPart& part, const std::string& source) {
    if (!part.lattice) {
        throw BadInput("{}: its part '{}' is no volume; make the file again", source, partText(part.name));
    }
    Volume volume;
    volume.lattice = *part.lattice;
    volume.data = part.values;
    volume.units = "1/mm";
    return volume;
}

void findLineAttenuation(PartFlow& flow) {
    const LineData& data = flow.data<LineData>();
    const std::string& file = flow.request().mu;
    const bool wanted = flow.request().switches.attenuation.value_or(false);
    if (!wanted || (file.empty() && flow.parts().find(PartName::Attenuation) != nullptr)) {
        return;
    }
    const Volume mu = flow.attenuation(data.phantom, data.lattice, kWholeVoxels_mm);
    PartFigures figures;
    figures.from = file.empty() ? "phantom" : file;
    flow.parts().take(PartName::Attenuation, flow.parts().key(PartName::Attenuation).volume(mu).result(), mu,
                      figures);
}

PartKey eventsKey(PartFlow& flow, PartName name) {
    const LineData& data = flow.data<LineData>();
    PartKey key = flow.parts().key(name).values(data.events->pairs).values(data.events->dt_ps);
    return data.possible.poses.empty() ? key : key.values(data.possible.poses).values(data.events->points);
}

void findLineRandoms(PartFlow& flow) {
    if (!flow.hasScanner()) {
        return;
    }
    const LineData& data = flow.data<LineData>();
    LineWork& work = flow.kept<LineWork>();
    const std::size_t events = data.events->pairs.size();
    // Singles may say no more than how long blocks were alive: not all lists can have randoms.
    if (flow.request().switches.randoms != RandomsBy::Off || flow.wantsScatter()) {
        work.rates = randomRates(flow.request(), flow.singles(), flow.scanner(), {data.duration_s, events},
                                 flow.pool());
    }
    if (!work.rates.empty() || flow.wantsScatter() || flow.parts().knowsAdd() || !data.add.empty()) {
        work.lines.emplace(data, flow.pool());
    }
    for (const RandomRates& rates : work.rates) {
        flow.progress().stage("randoms");
        const std::string key =
            eventsKey(flow, rates.name).values(rates.rates).value(rates.duration_s).result();
        flow.parts().findOrTake(rates.name, key, events, [&](PartFigures& figures) {
            figures.from = rates.from;
            figures.randoms = work.lines->allRandoms(rates.rates, rates.duration_s);
            return work.lines->randoms(rates.rates, rates.duration_s);
        });
    }
}

/// Rates of the randoms that are known, which events alone do not tell; null: none are known.
const RandomRates* knownRates(PartFlow& flow) {
    const CorrectionPart* const known = flow.parts().knownRandoms();
    if (known == nullptr) {
        return nullptr;
    }
    const std::vector<RandomRates>& all = flow.kept<LineWork>().rates;
    const auto rates =
        std::find_if(all.begin(), all.end(), [&](const RandomRates& one) { return known->name == one.name; });
    if (rates == all.end()) {
        throw WrongUse(
            "{}: scatter is found beside randoms, of which the events keep their own share alone; give "
            "{} again",
            flow.source(), known->name == PartName::Singles ? "--singles FILE" : "--delayeds LIST");
    }
    return &*rates;
}

/// What scatters: of a list that names nothing what is known to attenuate its lines.
Volume scattererOf(PartFlow& flow) {
    const LineData& data = flow.data<LineData>();
    const CorrectionPart* const known = flow.parts().find(PartName::Attenuation);
    return known != nullptr && flow.request().mu.empty() && data.phantom.empty()
               ? volumeOf(*known, flow.source())
               : flow.attenuation(data.phantom, data.lattice, kScatterSpacing_mm);
}

/// Few directions and voxels of about `voxel_mm` over the list's image.
BinningSettings coarseViews(const LineData& data, double voxel_mm) {
    const Box box = latticeBox(data.lattice);
    BinningSettings coarse;
    coarse.azimuths = 20;
    coarse.tilts = 3;
    coarse.lattice = data.lattice;
    for (std::size_t k = 0; k < 3; ++k) {
        const double length = box.high[k] - box.low[k];
        coarse.lattice.size[k] = std::max(1, static_cast<int>(std::lround(length / voxel_mm)));
        coarse.lattice.spacing_mm[k] = length / coarse.lattice.size[k];
    }
    coarse.lattice = Lattice::centred(coarse.lattice.size, coarse.lattice.spacing_mm);
    return coarse;
}

/// Histo-images of a list on coarse voxels with all that is known of them, whose image scatters.
HistoData viewsThatScatter(PartFlow& flow, const Volume& mu, const RandomRates* randoms) {
    const Scanner& scanner = flow.scanner();
    const LineData& data = flow.data<LineData>();
    const ListExpectations& lines = *flow.kept<LineWork>().lines;
    BinningSettings coarse = coarseViews(data, flow.request().scatterSettings.voxel_mm);
    const std::vector<WeighedPose> poses = lines.poses();
    if (!poses.empty()) {
        coarse.motion = std::make_shared<const RigidMotion>(motionOver(poses));
    }
    HistoData views = depositEvents(lines.events(), scanner, coarse, flow.pool(), {});
    views.poses = poses;
    computeMult(views, scanner, &mu, flow.pool(), {});
    const std::vector<float>& efficiencies = data.possible.efficiencies;
    if (!efficiencies.empty()) {
        applyEfficiencies(views, scanner, {efficiencies.begin(), efficiencies.end()}, flow.pool());
    }
    if (randoms != nullptr) {
        const double total =
            randomsKept(randoms->rates, scanner, views.lattice, randoms->duration_s, flow.pool(), poses);
        views.add = randomsOfViews(randoms->rates, scanner, views, total, flow.pool());
    }
    return views;
}

void findLineScatter(PartFlow& flow) {
    if (!flow.hasScanner() || !flow.wantsScatter()) {
        return;
    }
    LineData& data = flow.data<LineData>();
    PartStore& parts = flow.parts();
    const Volume mu = scattererOf(flow);
    // With all factors and randoms that are known, so that switching one changes no other part.
    data.possible.efficiencies = parts.timesFactors(nullptr, PartStore::Factors::Known);
    const ScatterCorrection& how = flow.request().scatterSettings;
    const std::string key = eventsKey(flow, PartName::Scatter)
                                .volume(mu)
                                .text(parts.knownKeys({PartName::Efficiencies, PartName::DeadTime}))
                                .of(how)
                                .result();
    parts.findOrTake(PartName::Scatter, key, data.events->pairs.size(), [&](PartFigures& figures) {
        const HistoData views = viewsThatScatter(flow, mu, knownRates(flow));
        const ScatterFound found =
            findScatter(views, flow.scanner(), mu, how, flow.pool(), flow.progress().begin("scatter"));
        figures = figuresOf(found);
        return flow.kept<LineWork>().lines->scatter(*found.lines);
    });
}

void composeLines(PartFlow& flow) {
    LineData& data = flow.data<LineData>();
    const PartStore& parts = flow.parts();
    const CorrectionPart* const attenuation = parts.taken(PartName::Attenuation);
    data.attenuation =
        attenuation != nullptr ? std::optional(volumeOf(*attenuation, flow.source())) : std::nullopt;
    if (!flow.hasScanner()) {
        return;
    }
    data.possible.efficiencies = parts.timesFactors(nullptr, PartStore::Factors::TurnedOn);
    if (parts.knowsAdd()) {
        const CorrectResult result = parts.result();
        data.add = parts.add(data.events->pairs.size());
        data.possible.totalAdd = result.randoms + result.scatter;
    }
    if (const auto& lines = flow.kept<LineWork>().lines) {
        data.mult = lines->mult();
    }
}

}  // namespace

FormCorrections lineCorrections() {
    FormCorrections form;
    form.parts = {
        {PartName::Attenuation, PartNeed::Attenuation, nullptr, givenAttenuation, findLineAttenuation},
        {PartName::Efficiencies, PartNeed::Normalisation, nullptr, givenEfficiencies, findEfficiencies},
        {PartName::Delayeds, PartNeed::Delayeds, whyNoRandomsOfEvents, nullptr, findLineRandoms},
        {PartName::Singles, PartNeed::Singles, whyNoRandomsOfEvents, nullptr, nullptr},
        {PartName::DeadTime, PartNeed::Singles, whyNoRandoms, nullptr, findDeadTime},
        {PartName::Scatter, PartNeed::Attenuation, whyNoScatterOfEvents, nullptr, findLineScatter}};
    form.whyNone = whyNoLines;
    form.shown = PartsShown::InSum;
    form.holdsAdd = [](const Measurement& data) { return !linesOf(data).add.empty(); };
    form.sumOfAdd = [](const Measurement& data) { return linesOf(data).possible.totalAdd; };
    form.scanner = [](const Measurement& data) { return linesOf(data).possible.scanner; };
    form.values = [](PartFlow& flow) { return flow.scanner().crystals.size(); };
    form.spread = [](PartFlow& /*flow*/, const std::vector<double>& factors) {
        return std::vector<float>(factors.begin(), factors.end());
    };
    form.begin = beginLines;
    form.compose = composeLines;
    return form;
}

}  // namespace tof
