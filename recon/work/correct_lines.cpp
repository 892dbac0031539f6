// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/work/part_store.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Rates of singles of a request, with the part's name, and a key of what they come from.
struct RatesFound {
    const char* name = nullptr;
    std::vector<double> rates;
    Json from;
};

std::optional<RatesFound> ratesOf(const CorrectRequest& request, const Scanner& scanner, double scan_s,
                                  const ThreadPool& pool) {
    const bool singles = !request.singles.empty() && request.switches.randoms != RandomsBy::Delayeds;
    if (singles) {
        return RatesFound{
            kSingles, ratesOfSingles(readSingles(request.singles), scanner), {{"singles", request.singles}}};
    }
    if (request.delayeds.empty()) {
        return std::nullopt;
    }
    const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
    const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : scan_s;
    return RatesFound{
        kDelayeds, ratesOfDelayeds(delayeds, scanner, duration_s, pool), {{"delayeds", request.delayeds}}};
}

void turnAll(PartStore& parts, const PartSwitches& switches) {
    parts.turn(kScatter, switches.scatter, "--scatter on");
    parts.turn(kEfficiencies, switches.efficiencies, "--norm LIST");
    parts.turn(kDeadTime, switches.deadTime, "--singles FILE");
    parts.turn(kAttenuation, switches.attenuation, "--mu FILE");
    parts.turnRandoms(switches.randoms);
}

CrystalSingles singlesOf(const CorrectRequest& request) {
    return request.singles.empty() ? CrystalSingles() : readSingles(request.singles);
}

/// Efficiencies, dead time and survival of sinograms, as far as they are asked for.
void findFactors(const SinogramData& data, const Scanner& scanner, const std::string& source,
                 const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                 PartStore& parts) {
    const CrystalSingles singles = singlesOf(request);
    const bool survival = request.switches.attenuation && parts.find(kAttenuation) == nullptr;
    if (request.norm.empty() && singles.busy.empty() && !survival) {
        return;
    }
    if (data.mult.empty()) {
        throw WrongUse("{}: has no mult that factors could go into; bin the list again", source);
    }
    const std::size_t n = data.counts.size();
    parts.keepGiven(kGeometry, parts.key("geometry of bins 1").values(data.mult).result(), data.mult);
    if (survival) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        const std::string key = parts.key("survival of bins 1").values(mu.data).result();
        parts.findOrTake(kAttenuation, key, n, [&](Json& /*figures*/) {
            const std::vector<float> lines = survivalOfBins(data, mu, pool);
            const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
            std::vector<float> values(n);
            for (std::size_t i = 0; i < n; ++i) {
                values[i] = lines[i / timeBins];
            }
            return values;
        });
    }
    const auto ofBins = [&](const std::vector<double>& factors) {
        return efficienciesOfBins(factors, scanner, data, pool);
    };
    parts.findEfficiencies(request, scanner, " of bins 1", n, pool, ofBins);
    parts.findDeadTime(singles, scanner, " of bins 1", n, ofBins);
}

/// mult of sinograms with the factors that are on, or with all of them; survival is in the geometry's.
/// `given` where no factor was ever asked for.
std::vector<float> multOf(const PartStore& parts, const std::vector<float>& given, bool all) {
    const CorrectionPart* const geometry = parts.find(kGeometry);
    if (geometry == nullptr) {
        return given;
    }
    std::vector<float> mult = parts.timesFactors(geometry->values, all);
    const CorrectionPart* const survival = parts.find(kAttenuation);
    if (survival != nullptr && !all && !survival->on) {
        std::transform(mult.begin(), mult.end(), survival->values.begin(), mult.begin(),
                       [](float own, float left) { return left > 0 ? own / left : own; });
    }
    return mult;
}

/// The lines that a list could have recorded must be those of a scanner's crystals, to which factors belong.
const Scanner& scannerOf(const LineData& data, const std::string& source) {
    if (!data.possible.scanner || !data.possible.mult.empty() || !data.counts.empty()) {
        throw WrongUse(
            "{}: is no list of events between the crystals of a scanner that it names, whose efficiencies, "
            "randoms and scatter could be found; bin the list --to lors without --corrections",
            source);
    }
    return *data.possible.scanner;
}

/// Efficiencies and dead time of a list's crystals, as far as they are asked for.
void findFactors(const LineData& data, const std::string& source, const CorrectRequest& request,
                 const ThreadPool& pool, PartStore& parts) {
    if (request.switches.attenuation) {
        throw WrongUse(
            "{}: the attenuation of list-mode is what 'bin' was given; bin the list with --mu FILE or none",
            source);
    }
    const Scanner& scanner = *data.possible.scanner;
    const std::size_t n = scanner.crystals.size();
    const std::vector<float>& given = data.possible.efficiencies;
    if (!given.empty() && parts.find(kDeadTime) == nullptr) {
        parts.keepGiven(kEfficiencies, parts.key("given efficiencies 1").values(given).result(), given);
    }
    const auto ofCrystals = [](const std::vector<double>& factors) {
        return std::vector<float>(factors.begin(), factors.end());
    };
    parts.findEfficiencies(request, scanner, " of crystals 1", n, pool, ofCrystals);
    parts.findDeadTime(singlesOf(request), scanner, " of crystals 1", n, ofCrystals);
}

/// Histo-images of a list on coarse voxels with all that is known of them, whose image scatters.
HistoData viewsThatScatter(const LineData& data, const ListExpectations& lines, const Volume& mu,
                           const std::vector<double>* rates, double voxel_mm, const ThreadPool& pool) {
    const Scanner& scanner = lines.scanner();
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
    HistoData views = depositEvents(lines.events(), scanner, coarse, pool, {});
    computeMult(views, scanner, &mu, pool, {});
    const std::vector<float>& efficiencies = data.possible.efficiencies;
    if (!efficiencies.empty()) {
        applyEfficiencies(views, scanner, {efficiencies.begin(), efficiencies.end()}, pool);
    }
    if (rates != nullptr) {
        views.add = randomsOfViews(*rates, scanner, views,
                                   randomsKept(*rates, scanner, views.lattice, data.duration_s, pool), pool);
    }
    return views;
}

}  // namespace

CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                      const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                      CorrectionParts* kept, const CorrectionParts* found) {
    CorrectionParts none;
    PartStore parts(source, {}, data.michelogram->spec().toJson() + scanner.toJson(), progress,
                    kept != nullptr ? *kept : none, found);
    const std::size_t n = data.counts.size();
    findFactors(data, scanner, source, request, pool, progress, parts);
    if (const auto rates = ratesOf(request, scanner, data.duration_s, pool)) {
        progress.stage("randoms");
        const std::string key =
            parts.key("randoms of bins 1").values(rates->rates).value(data.duration_s).result();
        parts.findOrTake(rates->name, key, n, [&](Json& figures) {
            std::vector<float> values = randomsOfBins(rates->rates, scanner, data, data.duration_s, pool);
            figures = rates->from;
            figures["randoms"] = std::accumulate(values.begin(), values.end(), 0.0);
            return values;
        });
    }
    parts.turnRandoms(request.switches.randoms);
    if (request.switches.scatter.value_or(request.scatter)) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        SinogramData randoms = data;
        randoms.mult = multOf(parts, data.mult, true);
        randoms.add = parts.add(n);
        if (const CorrectionPart* const old = parts.taken(kScatter)) {
            std::transform(randoms.add.begin(), randoms.add.end(), old->values.begin(), randoms.add.begin(),
                           [](float all, float own) { return std::max(0.0F, all - own); });
        }
        const std::string key = parts.key("scatter of bins 2")
                                    .values(data.counts)
                                    .values(randoms.mult)
                                    .values(randoms.add)
                                    .values(mu.data)
                                    .value(request.scatterSettings.rounds)
                                    .value(static_cast<int>(request.scatterSettings.fitTails))
                                    .result();
        parts.findOrTake(kScatter, key, n, [&](Json& figures) {
            ScatterFound scatter =
                findScatter(randoms, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
            figures = figuresOf(scatter);
            return std::move(scatter.scatter);
        });
    }
    turnAll(parts, request.switches);
    data.add = parts.add(n);
    data.mult = multOf(parts, data.mult, false);
    return parts.result();
}

CorrectResult correct(LineData& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, CorrectionParts* kept,
                      const CorrectionParts* found) {
    const Scanner& scanner = scannerOf(data, source);
    CorrectionParts none;
    PartStore parts(source, {}, scanner.toJson(), progress, kept != nullptr ? *kept : none, found);
    const std::size_t n = data.events->pairs.size();
    findFactors(data, source, request, pool, parts);
    const bool scatters = request.switches.scatter.value_or(request.scatter);
    // Of singles that say no more than how long blocks were alive no randoms are made: not all lists can have
    // them.
    const bool needless = request.switches.randoms == RandomsBy::Off && !scatters;
    const auto rates = needless ? std::nullopt : ratesOf(request, scanner, data.duration_s, pool);
    std::optional<ListExpectations> lines;
    if (rates || scatters || parts.knowsAdd() || !data.add.empty()) {
        lines.emplace(data, pool);
    }
    const auto eventsKey = [&](const char* what) {
        return parts.key(what).values(data.events->pairs).values(data.events->dt_ps);
    };
    if (rates) {
        progress.stage("randoms");
        const std::string key =
            eventsKey("randoms of lines 1").values(rates->rates).value(data.duration_s).result();
        parts.findOrTake(rates->name, key, n, [&](Json& figures) {
            figures = rates->from;
            figures["randoms"] = lines->allRandoms(rates->rates, data.duration_s);
            return lines->randoms(rates->rates, data.duration_s);
        });
    }
    parts.turnRandoms(request.switches.randoms);
    if (scatters) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        PartKey key = eventsKey("scatter of lines 2");
        key.values(mu.data)
            .values(rates ? rates->rates : std::vector<double>())
            .value(request.scatterSettings.rounds)
            .value(static_cast<int>(request.scatterSettings.fitTails));
        // With all factors that are known, so that switching one changes no other part.
        data.possible.efficiencies = parts.timesFactors({}, true);
        if (!data.possible.efficiencies.empty()) {
            key.text(parts.factorKeys());
        }
        parts.findOrTake(kScatter, key.result(), n, [&](Json& figures) {
            const HistoData views = viewsThatScatter(data, *lines, mu, rates ? &rates->rates : nullptr,
                                                     request.scatterSettings.voxel_mm, pool);
            const ScatterFound scatter =
                findScatter(views, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
            figures = figuresOf(scatter);
            return lines->scatter(*scatter.lines);
        });
    }
    turnAll(parts, request.switches);
    data.possible.efficiencies = parts.timesFactors({}, false);
    const CorrectResult result = parts.result();
    if (parts.knowsAdd()) {
        data.add = parts.add(n);
        data.possible.totalAdd = result.randoms + result.scatter;
    }
    if (lines) {
        data.mult = lines->mult();
    }
    return result;
}

}  // namespace tof
