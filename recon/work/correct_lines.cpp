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
#include "recon/simulate/recorded_share.h"
#include "recon/work/part_store.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Rates of singles of a request, less what partners of their randoms keep from being recorded.
struct RatesFound {
    const char* name = nullptr;  ///< of the part
    std::vector<double> rates;   ///< 2 tau s_i s_j are the randoms that are recorded
    double duration_s = 0;
    Json from;
};

/// What is known of a scan as a whole.
struct Scan {
    double duration_s = 0;
    std::uint64_t prompts = 0;
};

void scaleRates(RatesFound& found, const Scanner& scanner, const Scan& scan, double randoms,
                double busyPerRecorded) {
    const double left =
        partnersLeave(found.rates, scanner, scan.prompts, randoms, found.duration_s, busyPerRecorded);
    for (double& rate : found.rates) {
        rate *= std::sqrt(left);
    }
}

RatesFound ratesBySingles(const CorrectRequest& request, const Scanner& scanner, const Scan& scan) {
    const CrystalSingles singles = readSingles(request.singles);
    RatesFound found{kSingles,
                     ratesOfSingles(singles, scanner),
                     scan.duration_s > 0 ? scan.duration_s : singles.duration_s,
                     {{"singles", request.singles}}};
    const double randoms = randomsAccepted(found.rates, scanner, found.duration_s);
    scaleRates(found, scanner, scan, randoms, busyPerRecorded(singles));
    return found;
}

RatesFound ratesByDelayeds(const CorrectRequest& request, const Scanner& scanner, const Scan& scan,
                           const ThreadPool& pool) {
    const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
    const double took_s = delayeds.duration_s > 0 ? delayeds.duration_s : scan.duration_s;
    RatesFound found{kDelayeds,
                     ratesOfDelayeds(delayeds, scanner, took_s, pool),
                     scan.duration_s > 0 ? scan.duration_s : took_s,
                     {{"delayeds", request.delayeds}}};
    const double randoms = static_cast<double>(delayeds.size()) * found.duration_s / took_s;
    scaleRates(found, scanner, scan, randoms, 1 / recordedShare(scanner, Detector(scanner)));
    return found;
}

std::vector<RatesFound> ratesOf(const CorrectRequest& request, const Scanner& scanner, const Scan& scan,
                                const ThreadPool& pool) {
    std::vector<RatesFound> all;
    if (!request.delayeds.empty()) {
        all.push_back(ratesByDelayeds(request, scanner, scan, pool));
    }
    if (!request.singles.empty()) {
        all.push_back(ratesBySingles(request, scanner, scan));
    }
    return all;
}

void turnAll(PartStore& parts, const PartSwitches& switches) {
    parts.turn(kScatter, switches.scatter, "--scatter on");
    parts.turn(kEfficiencies, switches.efficiencies, "--norm LIST");
    parts.turn(kDeadTime, switches.deadTime, "--singles FILE");
    parts.turn(kAttenuation, switches.attenuation, "--mu FILE");
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
        // As 'bin' put it in.
        const Volume mu = attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice,
                                        kWholeVoxels_mm, source, progress);
        const std::string key = parts.key("survival of bins 2").values(mu.data).result();
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

/// Throws BadInput where a file says otherwise.
Volume volumeOf(const CorrectionPart& part, const std::string& source) {
    if (!part.lattice) {
        throw BadInput("{}: its part '{}' is no volume; make the file again", source, part.name);
    }
    Volume volume;
    volume.lattice = *part.lattice;
    volume.data = part.values;
    volume.units = "1/mm";
    return volume;
}

/// What attenuates a list: as it came, found, switched.
void findAttenuation(LineData& data, const std::string& source, const CorrectRequest& request,
                     WorkProgress& progress, PartStore& parts) {
    const auto keyOf = [&](const Volume& mu) {
        const Lattice& on = mu.lattice;
        PartKey key = parts.key("attenuation of lines 1");
        key.values(mu.data).value(on.origin_mm.x).value(on.origin_mm.y).value(on.origin_mm.z);
        for (std::size_t k = 0; k < 3; ++k) {
            key.value(on.size[k]).value(on.spacing_mm[k]);
        }
        return key.result();
    };
    if (data.attenuation) {
        parts.keepGiven(kAttenuation, keyOf(*data.attenuation), *data.attenuation);
    }
    const std::optional<bool>& wanted = request.switches.attenuation;
    if (wanted.value_or(false) && (!request.mu.empty() || parts.find(kAttenuation) == nullptr)) {
        const Volume mu = attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice,
                                        kWholeVoxels_mm, source, progress);
        parts.take(kAttenuation, keyOf(mu), mu, {{"mu", request.mu.empty() ? "phantom" : request.mu}});
    }
    parts.turn(kAttenuation, wanted, "--mu FILE");
    const CorrectionPart* const taken = parts.taken(kAttenuation);
    data.attenuation = taken != nullptr ? std::optional(volumeOf(*taken, source)) : std::nullopt;
}

/// What scatters: of a list that names nothing what is known to attenuate its lines.
Volume scattererOf(const LineData& data, const std::string& source, const CorrectRequest& request,
                   WorkProgress& progress, const PartStore& parts) {
    const CorrectionPart* const known = parts.find(kAttenuation);
    return known != nullptr && request.mu.empty() && data.phantom.empty()
               ? volumeOf(*known, source)
               : attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, kScatterSpacing_mm,
                               source, progress);
}

/// Efficiencies and dead time of a list's crystals, as far as they are asked for.
void findFactors(const LineData& data, const CorrectRequest& request, const ThreadPool& pool,
                 PartStore& parts) {
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
                           const RatesFound* randoms, double voxel_mm, const ThreadPool& pool) {
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
    if (randoms != nullptr) {
        const double total = randomsKept(randoms->rates, scanner, views.lattice, randoms->duration_s, pool);
        views.add = randomsOfViews(randoms->rates, scanner, views, total, pool);
    }
    return views;
}

/// Corrections of list-mode: finds the parts of one list and puts them together.
class PartsOfLines {
  public:
    PartsOfLines(LineData& data, const std::string& source, const CorrectRequest& request,
                 const ThreadPool& pool, WorkProgress& progress, CorrectionParts& own,
                 const CorrectionParts* found)
        : data_(data),
          source_(source),
          request_(request),
          pool_(pool),
          progress_(progress),
          parts_(source, {}, data.possible.scanner ? data.possible.scanner->toJson() : data.scannerJson(),
                 progress, own, found) {}

    CorrectResult run() {
        findAttenuation(data_, source_, request_, progress_, parts_);
        if (!data_.possible.scanner) {
            return parts_.result();
        }
        findFactors(data_, request_, pool_, parts_);
        if (!needless()) {
            rates_ = ratesOf(request_, *data_.possible.scanner,
                             {data_.duration_s, data_.events->pairs.size()}, pool_);
        }
        if (!rates_.empty() || scatters() || parts_.knowsAdd() || !data_.add.empty()) {
            lines_.emplace(data_, pool_);
        }
        findRandoms();
        parts_.turnRandoms(wantedRandoms(request_));
        if (scatters()) {
            findScatterPart();
        }
        turnAll(parts_, request_.switches);
        compose();
        return parts_.result();
    }

  private:
    [[nodiscard]] bool scatters() const { return request_.switches.scatter.value_or(request_.scatter); }
    /// Of singles that say no more than how long blocks were alive no randoms are made: not all lists can
    /// have them.
    [[nodiscard]] bool needless() const { return request_.switches.randoms == RandomsBy::Off && !scatters(); }
    [[nodiscard]] PartKey eventsKey(const char* what) const {
        PartKey key = parts_.key(what);
        key.values(data_.events->pairs).values(data_.events->dt_ps);
        return key;
    }

    void findRandoms() {
        for (const RatesFound& rates : rates_) {
            progress_.stage("randoms");
            const std::string key =
                eventsKey("randoms of lines 1").values(rates.rates).value(rates.duration_s).result();
            parts_.findOrTake(rates.name, key, data_.events->pairs.size(), [&](Json& figures) {
                figures = rates.from;
                figures["randoms"] = lines_->allRandoms(rates.rates, rates.duration_s);
                return lines_->randoms(rates.rates, rates.duration_s);
            });
        }
    }

    /// Rates of the randoms that are known, which events alone do not tell; null: none are known.
    [[nodiscard]] const RatesFound* knownRates() const {
        const CorrectionPart* const known = parts_.knownRandoms();
        if (known == nullptr) {
            return nullptr;
        }
        const auto rates = std::find_if(rates_.begin(), rates_.end(),
                                        [&](const RatesFound& one) { return known->name == one.name; });
        if (rates == rates_.end()) {
            throw WrongUse(
                "{}: scatter is found beside randoms, of which the events keep their own share alone; give "
                "{} again",
                source_, known->name == kSingles ? "--singles FILE" : "--delayeds LIST");
        }
        return &*rates;
    }

    void findScatterPart() {
        const Volume mu = scattererOf(data_, source_, request_, progress_, parts_);
        // With all factors and randoms that are known, so that switching one changes no other part.
        data_.possible.efficiencies = parts_.timesFactors({}, true);
        const CorrectionPart* const randoms = parts_.knownRandoms();
        const ScatterCorrection& how = request_.scatterSettings;
        const std::string key = eventsKey("scatter of lines 3")
                                    .values(mu.data)
                                    .text(randoms != nullptr ? randoms->key : "")
                                    .text(parts_.factorKeys())
                                    .value(how.rounds)
                                    .value(static_cast<int>(how.fitTails))
                                    .result();
        parts_.findOrTake(kScatter, key, data_.events->pairs.size(), [&](Json& figures) {
            const HistoData views = viewsThatScatter(data_, *lines_, mu, knownRates(), how.voxel_mm, pool_);
            const ScatterFound scatter =
                findScatter(views, lines_->scanner(), mu, how, pool_, progress_.begin("scatter"));
            figures = figuresOf(scatter);
            return lines_->scatter(*scatter.lines);
        });
    }

    /// What a reconstruction takes.
    void compose() {
        data_.possible.efficiencies = parts_.timesFactors({}, false);
        if (parts_.knowsAdd()) {
            const CorrectResult result = parts_.result();
            data_.add = parts_.add(data_.events->pairs.size());
            data_.possible.totalAdd = result.randoms + result.scatter;
        }
        if (lines_) {
            data_.mult = lines_->mult();
        }
    }

    LineData& data_;
    const std::string& source_;
    const CorrectRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
    PartStore parts_;
    std::vector<RatesFound> rates_;
    std::optional<ListExpectations> lines_;
};

}  // namespace

CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                      const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                      CorrectionParts* kept, const CorrectionParts* found) {
    CorrectionParts none;
    PartStore parts(source, {}, data.michelogram->spec().toJson() + scanner.toJson(), progress,
                    kept != nullptr ? *kept : none, found);
    const std::size_t n = data.counts.size();
    findFactors(data, scanner, source, request, pool, progress, parts);
    for (const RatesFound& rates :
         ratesOf(request, scanner, {data.duration_s, data.kept + data.rejected}, pool)) {
        progress.stage("randoms");
        const std::string key =
            parts.key("randoms of bins 2").values(rates.rates).value(rates.duration_s).result();
        parts.findOrTake(rates.name, key, n, [&](Json& figures) {
            std::vector<float> values = randomsOfBins(rates.rates, scanner, data, rates.duration_s, pool);
            figures = rates.from;
            figures["randoms"] = std::accumulate(values.begin(), values.end(), 0.0);
            return values;
        });
    }
    parts.turnRandoms(wantedRandoms(request));
    if (request.switches.scatter.value_or(request.scatter)) {
        const Volume mu = attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice,
                                        kScatterSpacing_mm, source, progress);
        const CorrectionPart* const randoms = parts.knownRandoms();
        SinogramData known = data;
        known.mult = multOf(parts, data.mult, true);
        known.add = randoms != nullptr ? randoms->values : std::vector<float>(n, 0.0F);
        const std::string key = parts.key("scatter of bins 2")
                                    .values(data.counts)
                                    .values(known.mult)
                                    .values(known.add)
                                    .values(mu.data)
                                    .value(request.scatterSettings.rounds)
                                    .value(static_cast<int>(request.scatterSettings.fitTails))
                                    .result();
        parts.findOrTake(kScatter, key, n, [&](Json& figures) {
            ScatterFound scatter =
                findScatter(known, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
            figures = figuresOf(scatter);
            return std::move(scatter.scatter);
        });
    }
    turnAll(parts, request.switches);
    if (parts.knowsAdd()) {
        data.add = parts.add(n);
    }
    data.mult = multOf(parts, data.mult, false);
    return parts.result();
}

CorrectResult correct(LineData& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, CorrectionParts* kept,
                      const CorrectionParts* found) {
    requireCorrectable(data, source, request);
    CorrectionParts none;
    return PartsOfLines(data, source, request, pool, progress, kept != nullptr ? *kept : none, found).run();
}

}  // namespace tof
