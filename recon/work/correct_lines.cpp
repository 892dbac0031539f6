// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/work/correct_shared.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Rates of singles of a request, with the part's name, and a key of what they come from.
struct RatesFound {
    const char* name = nullptr;
    std::vector<double> rates;
    std::vector<double> alive;  ///< shares of time; of singles
    Json from;
};

std::optional<RatesFound> ratesOf(const CorrectRequest& request, const Scanner& scanner, double scan_s,
                                  const ThreadPool& pool) {
    const bool singles = !request.singles.empty() && request.switches.randoms != RandomsBy::Delayeds;
    if (singles) {
        const CrystalSingles counted = readSingles(request.singles);
        return RatesFound{kSingles,
                          ratesOfSingles(counted, scanner),
                          aliveShares(counted, scanner),
                          {{"singles", request.singles}}};
    }
    if (request.delayeds.empty()) {
        return std::nullopt;
    }
    const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
    const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : scan_s;
    return RatesFound{kDelayeds,
                      ratesOfDelayeds(delayeds, scanner, duration_s, pool),
                      {},
                      {{"delayeds", request.delayeds}}};
}

bool isFactor(const std::string& name) {
    return name == kGeometry || name == kAttenuation || name == kEfficiencies || name == kDeadTime;
}

/// Parts of sinograms and lines: counts that go into add, and factors of mult. Found, or taken from before.
class AddParts {
  public:
    AddParts(const std::string& source, std::string model, WorkProgress& progress, CorrectionParts& own,
             const CorrectionParts* found)
        : source_(source), model_(std::move(model)), progress_(progress), own_(own), found_(found) {}

    [[nodiscard]] PartKey key(const char* what) const {
        PartKey key(what, ContentHash());
        return key.text(model_);
    }

    void findOrTake(const char* name, const std::string& key, std::size_t size,
                    const std::function<CorrectionPart()>& find) {
        for (const CorrectionParts* from : {static_cast<const CorrectionParts*>(&own_), found_}) {
            const CorrectionPart* const part = from != nullptr ? from->find(name) : nullptr;
            if (part != nullptr && part->key == key && part->values.size() == size) {
                CorrectionPart taken = *part;
                taken.on = true;
                put(std::move(taken));
                progress_.note(Remark::Data,
                               source_ + ": " + name + " is kept from before, of the same content");
                return;
            }
        }
        CorrectionPart made = find();
        made.name = name;
        made.key = key;
        made.on = true;
        put(std::move(made));
    }

    void turn(const char* name, const std::optional<bool>& wanted, const char* option) {
        CorrectionPart* const part = own_.find(name);
        if (wanted && part == nullptr && *wanted) {
            throw WrongUse("{}: holds no {} that could be switched on; give {}", source_, name, option);
        }
        if (wanted && part != nullptr) {
            part->on = *wanted;
        }
    }

    [[nodiscard]] std::vector<float> sum(std::size_t size) const {
        std::vector<float> add(size, 0.0F);
        for (const CorrectionPart& part : own_.list) {
            if (part.on && part.values.size() == size && !isFactor(part.name)) {
                std::transform(add.begin(), add.end(), part.values.begin(), add.begin(), std::plus<>());
            }
        }
        return add;
    }

    /// mult with the factors that are on, or with all of them; survival is in the geometry's. `given` where
    /// no factor was ever asked for.
    [[nodiscard]] std::vector<float> mult(const std::vector<float>& given, bool all) const {
        const CorrectionPart* const geometry = own_.find(kGeometry);
        if (geometry == nullptr) {
            return given;
        }
        std::vector<float> mult = geometry->values;
        for (const char* const name : {kEfficiencies, kDeadTime}) {
            const CorrectionPart* const part = own_.find(name);
            if (part != nullptr && (all || part->on)) {
                std::transform(mult.begin(), mult.end(), part->values.begin(), mult.begin(),
                               std::multiplies<>());
            }
        }
        const CorrectionPart* const survival = own_.find(kAttenuation);
        if (survival != nullptr && !all && !survival->on) {
            std::transform(mult.begin(), mult.end(), survival->values.begin(), mult.begin(),
                           [](float own, float left) { return left > 0 ? own / left : own; });
        }
        return mult;
    }

    [[nodiscard]] CorrectionParts& own() { return own_; }
    [[nodiscard]] CorrectResult result() const {
        CorrectResult result;
        for (const CorrectionPart& part : own_.list) {
            const Json figures = Json::parse(part.figures.empty() ? "{}" : part.figures);
            if (part.on) {
                result.efficiencySd = figures.value("efficiency_sd", result.efficiencySd);
                result.randoms = figures.value("randoms", result.randoms);
                result.scatter = figures.value("scatter", result.scatter);
                result.single = figures.value("single_scatter", result.single);
                result.scale = figures.value("scatter_scale", result.scale);
            }
        }
        return result;
    }

  private:
    void put(CorrectionPart part) {
        if (CorrectionPart* const old = own_.find(part.name)) {
            *old = std::move(part);
        } else {
            own_.list.push_back(std::move(part));
        }
    }

    const std::string& source_;
    std::string model_;
    WorkProgress& progress_;
    CorrectionParts& own_;
    const CorrectionParts* found_;
};

void turnAll(AddParts& parts, const PartSwitches& switches) {
    parts.turn(kScatter, switches.scatter, "--scatter on");
    parts.turn(kEfficiencies, switches.efficiencies, "--norm LIST");
    parts.turn(kDeadTime, switches.deadTime, "--singles FILE");
    parts.turn(kAttenuation, switches.attenuation, "--mu FILE");
    if (switches.randoms) {
        for (const auto& [name, by, option] : {std::tuple{kDelayeds, RandomsBy::Delayeds, "--delayeds LIST"},
                                               {kSingles, RandomsBy::Singles, "--singles FILE"}}) {
            if (*switches.randoms == by || parts.own().find(name) != nullptr) {
                parts.turn(name, *switches.randoms == by, option);
            }
        }
    }
}

Json figuresOf(const ScatterFound& found) {
    return {{"scatter", found.total}, {"single_scatter", found.single}, {"scatter_scale", found.scale}};
}

void refuseFactors(const CorrectRequest& request, const std::string& source) {
    const PartSwitches& switches = request.switches;
    if (!request.norm.empty() || switches.attenuation || switches.efficiencies || switches.deadTime) {
        throw WrongUse(
            "{}: of lines randoms and scatter are corrected; attenuation is in their mult as 'bin' made it, "
            "efficiencies and dead time are those of histo-images and sinograms; bin the list --to sinogram",
            source);
    }
}

/// Efficiencies, dead time and survival of sinograms, as far as they are asked for.
void findFactors(const SinogramData& data, const Scanner& scanner, const std::string& source,
                 const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                 AddParts& parts) {
    const CrystalSingles singles = request.singles.empty() ? CrystalSingles() : readSingles(request.singles);
    const bool survival = request.switches.attenuation && parts.own().find(kAttenuation) == nullptr;
    if (request.norm.empty() && singles.busy.empty() && !survival) {
        return;
    }
    if (data.mult.empty()) {
        throw WrongUse("{}: has no mult that factors could go into; bin the list again", source);
    }
    const std::size_t n = data.counts.size();
    if (parts.own().find(kGeometry) == nullptr) {
        parts.findOrTake(kGeometry, parts.key("geometry of bins 1").values(data.mult).result(), n, [&] {
            CorrectionPart part;
            part.figures = "{}";
            part.values = data.mult;
            return part;
        });
    }
    if (survival) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        parts.findOrTake(kAttenuation, parts.key("survival of bins 1").values(mu.data).result(), n, [&] {
            CorrectionPart part;
            part.figures = "{}";
            const std::vector<float> lines = survivalOfBins(data, mu, pool);
            const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
            part.values.resize(n);
            for (std::size_t i = 0; i < n; ++i) {
                part.values[i] = lines[i / timeBins];
            }
            return part;
        });
    }
    if (!request.norm.empty()) {
        progress.stage("efficiencies");
        const EventList events = readNormalisation(request.norm);
        const std::string key =
            parts.key("efficiencies of bins 1").values(events.crystals).text(events.phantom).result();
        parts.findOrTake(kEfficiencies, key, n, [&] {
            const Phantom phantom = Phantom::fromNameOrText(events.phantom, request.norm, readVolume);
            const std::vector<double> found = crystalEfficiencies(events, scanner, phantom, pool);
            CorrectionPart part;
            part.values = efficienciesOfBins(found, scanner, data, pool);
            part.figures = Json{{"norm", request.norm}, {"efficiency_sd", deviationOf(found)}}.dump();
            return part;
        });
    }
    if (!singles.busy.empty()) {
        const std::string key =
            parts.key("dead-time of bins 1").values(singles.busy).value(singles.duration_s).result();
        parts.findOrTake(kDeadTime, key, n, [&] {
            const std::vector<double> alive = aliveShares(singles, scanner);
            CorrectionPart part;
            part.values = efficienciesOfBins(alive, scanner, data, pool);
            const double sum = std::accumulate(alive.begin(), alive.end(), 0.0);
            part.figures = Json{{"alive", sum / static_cast<double>(alive.size())}}.dump();
            return part;
        });
    }
}

}  // namespace

CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                      const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                      CorrectionParts* kept, const CorrectionParts* found) {
    CorrectionParts none;
    AddParts parts(source, data.michelogram->spec().toJson() + scanner.toJson(), progress,
                   kept != nullptr ? *kept : none, found);
    const std::size_t n = data.counts.size();
    findFactors(data, scanner, source, request, pool, progress, parts);
    if (const auto rates = ratesOf(request, scanner, data.duration_s, pool)) {
        progress.stage("randoms");
        const std::string key =
            parts.key("randoms of bins 1").values(rates->rates).value(data.duration_s).result();
        parts.findOrTake(rates->name, key, n, [&] {
            CorrectionPart part;
            part.values = randomsOfBins(rates->rates, scanner, data, data.duration_s, pool);
            Json about = rates->from;
            about["randoms"] = std::accumulate(part.values.begin(), part.values.end(), 0.0);
            part.figures = about.dump();
            return part;
        });
    }
    turnAll(parts, {std::nullopt, std::nullopt, std::nullopt, request.switches.randoms, std::nullopt});
    if (request.switches.scatter.value_or(request.scatter)) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        SinogramData randoms = data;
        randoms.mult = parts.mult(data.mult, true);
        randoms.add = parts.sum(n);
        if (const CorrectionPart* const old = parts.own().find(kScatter); old != nullptr && old->on) {
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
        parts.findOrTake(kScatter, key, n, [&] {
            ScatterFound scatter =
                findScatter(randoms, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
            CorrectionPart part;
            part.figures = figuresOf(scatter).dump();
            part.values = std::move(scatter.scatter);
            return part;
        });
    }
    turnAll(parts, request.switches);
    data.add = parts.sum(n);
    data.mult = parts.mult(data.mult, false);
    return parts.result();
}

CorrectResult correct(LineData& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, CorrectionParts* kept,
                      const CorrectionParts* found) {
    refuseFactors(request, source);
    const ListExpectations lines(data, pool);
    const Scanner& scanner = lines.scanner();
    CorrectionParts none;
    AddParts parts(source, scanner.toJson(), progress, kept != nullptr ? *kept : none, found);
    const std::size_t n = data.events->pairs.size();
    const auto eventsKey = [&](const char* what) {
        return parts.key(what).values(data.events->pairs).values(data.events->dt_ps);
    };
    const auto rates = ratesOf(request, scanner, data.duration_s, pool);
    if (rates) {
        progress.stage("randoms");
        const std::string key =
            eventsKey("randoms of lines 1").values(rates->rates).value(data.duration_s).result();
        parts.findOrTake(rates->name, key, n, [&] {
            CorrectionPart part;
            part.values = lines.randoms(rates->rates, data.duration_s);
            Json about = rates->from;
            about["randoms"] = lines.allRandoms(rates->rates, data.duration_s);
            part.figures = about.dump();
            return part;
        });
    }
    turnAll(parts, {std::nullopt, std::nullopt, std::nullopt, request.switches.randoms, std::nullopt});
    if (request.switches.scatter.value_or(request.scatter)) {
        const Volume mu =
            attenuationOf(request.mu, request.muUnits, data.phantom, data.lattice, source, progress);
        const std::string key = eventsKey("scatter of lines 2")
                                    .values(mu.data)
                                    .values(rates ? rates->rates : std::vector<double>())
                                    .value(request.scatterSettings.rounds)
                                    .value(static_cast<int>(request.scatterSettings.fitTails))
                                    .result();
        parts.findOrTake(kScatter, key, n, [&] {
            // The image that scatters is made of histo-images of the same events.
            const Box box = latticeBox(data.lattice);
            BinningSettings coarse;
            coarse.azimuths = 20;
            coarse.tilts = 3;
            coarse.lattice = data.lattice;
            for (std::size_t k = 0; k < 3; ++k) {
                const double length = box.high[k] - box.low[k];
                coarse.lattice.size[k] =
                    std::max(1, static_cast<int>(std::lround(length / request.scatterSettings.voxel_mm)));
                coarse.lattice.spacing_mm[k] = length / coarse.lattice.size[k];
            }
            coarse.lattice = Lattice::centred(coarse.lattice.size, coarse.lattice.spacing_mm);
            HistoData views = depositEvents(lines.events(), scanner, coarse, pool, {});
            computeMult(views, scanner, &mu, pool, {});
            if (rates) {
                views.add = randomsOfViews(
                    rates->rates, scanner, views,
                    randomsKept(rates->rates, scanner, views.lattice, data.duration_s, pool), pool);
            }
            const ScatterFound scatter =
                findScatter(views, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
            CorrectionPart part;
            part.figures = figuresOf(scatter).dump();
            part.values = lines.scatter(*scatter.lines);
            return part;
        });
    }
    turnAll(parts, request.switches);
    data.add = parts.sum(n);
    data.mult = lines.mult();
    const CorrectResult result = parts.result();
    data.possible.totalAdd = result.randoms + result.scatter;
    return result;
}

}  // namespace tof
