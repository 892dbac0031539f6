// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/data/data_hash.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/recorded_share.h"
#include "recon/work/list_scanner.h"

namespace tof {

namespace {

Volume attenuationOf(const HistoData& data, const std::string& source, const CorrectRequest& request,
                     WorkProgress& progress) {
    if (!request.mu.empty()) {
        AttenuationMap map = readAttenuationMap(request.mu, request.muUnits);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (data.phantom.empty()) {
        throw WrongUse("{}: names no phantom, and scatter needs to know what attenuates; give --mu FILE",
                       source);
    }
    return Phantom::fromNameOrText(data.phantom, source, readVolume)
        .wholeAttenuation(data.lattice, 2 * kAttenuationSpacing_mm);
}

/// Without what was scattered or came together by chance, where the list says so.
EventList truesOf(EventList events) {
    if (events.kind.empty()) {
        return events;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events.kind[i] == EventKind::True) {
            events.crystals[kept++] = events.crystals[i];
        }
    }
    events.crystals.resize(kept);
    return events;
}

using Json = nlohmann::ordered_json;

constexpr const char* kAttenuation = "attenuation";
constexpr const char* kGeometry = "geometry";
constexpr const char* kEfficiencies = "efficiencies";
constexpr const char* kDelayeds = "randoms-delayeds";
constexpr const char* kSingles = "randoms-singles";
constexpr const char* kDeadTime = "dead-time";
constexpr const char* kScatter = "scatter";

/// randomsThatPartnersLeave() of a scan of so many prompts with so many randoms among them.
double partnersLeave(const std::vector<double>& rates, const Scanner& scanner, std::uint64_t prompts,
                     double randoms, double duration_s, double busyPerRecorded) {
    const double coincidences = std::max(0.0, static_cast<double>(prompts) - randoms) / duration_s;
    return randomsThatPartnersLeave(rates, scanner, coincidences, busyPerRecorded);
}

/// A key of what goes into a part.
class PartKey {
  public:
    /// `what` names the part and how it is found: other arithmetic, other keys.
    PartKey(const char* what, ContentHash model) : hash_(model) { text(what); }
    PartKey& text(const std::string& words) {
        hash_.add(words.data(), words.size());
        return *this;
    }
    template <class T>
    PartKey& values(const std::vector<T>& all) {
        hash_.add(all.data(), all.size() * sizeof(T));
        return *this;
    }
    template <class T>
    PartKey& value(const T& one) {
        static_assert(std::is_arithmetic_v<T>);
        hash_.add(&one, sizeof(one));
        return *this;
    }
    [[nodiscard]] std::string result() const { return hashText(hash_); }

  private:
    ContentHash hash_;
};

/// The parts of one data set: looks them up, finds them, and puts them together.
class PartsOfViews {
  public:
    PartsOfViews(HistoData& data, const std::string& source, const CorrectRequest& request,
                 const ThreadPool& pool, WorkProgress& progress, CorrectionParts& own,
                 const CorrectionParts* found)
        : data_(data),
          source_(source),
          request_(request),
          pool_(pool),
          progress_(progress),
          own_(own),
          found_(found),
          scanner_(Scanner::fromJson(data.scannerJson, source)) {}

    CorrectResult run() {
        CorrectResult result;
        takeFactors();
        if (!request_.norm.empty()) {
            progress_.stage("efficiencies");
            findEfficiencies();
        }
        if (!request_.delayeds.empty()) {
            progress_.stage("randoms");
            findDelayeds();
        }
        if (!request_.singles.empty()) {
            progress_.stage("randoms");
            findSingles();
        }
        switchRandoms();
        switchPart(kEfficiencies, request_.switches.efficiencies, "--norm LIST");
        switchPart(kDeadTime, request_.switches.deadTime, "--singles FILE");
        const CorrectionPart* const before = own_.find(kScatter);
        if (request_.switches.scatter.value_or(request_.scatter || (before != nullptr && before->on))) {
            findScatterPart();
        }
        switchPart(kScatter, request_.switches.scatter, "");
        compose();
        tell(result);
        return result;
    }

  private:
    [[nodiscard]] PartKey key(const char* what) const {
        PartKey key(what, hashOfViews(data_));
        return key.text(data_.scannerJson);
    }

    /// A part of this key that is known already, put among the data's own and switched on.
    bool take(const char* name, const std::string& key) {
        if (CorrectionPart* const part = own_.find(name); part != nullptr && part->key == key) {
            part->on = true;
            said(name);
            return true;
        }
        const CorrectionPart* const other = found_ != nullptr ? found_->find(name) : nullptr;
        if (other == nullptr || other->key != key || other->values.size() != data_.counts.size()) {
            return false;
        }
        put(*other);
        own_.find(name)->on = true;
        said(name);
        return true;
    }
    void said(const std::string& name) {
        progress_.note(Remark::Data, source_ + ": " + name + " is kept from before, of the same content");
    }
    void put(CorrectionPart part) {
        if (CorrectionPart* const old = own_.find(part.name)) {
            *old = std::move(part);
        } else {
            own_.list.push_back(std::move(part));
        }
    }
    void put(const char* name, const std::string& key, const Json& figures, std::vector<float> values) {
        put({name, key, true, figures.dump(), std::move(values)});
    }

    /// mult and att as they are without efficiencies and switches.
    void takeFactors() {
        if (own_.find(kGeometry) == nullptr && !data_.mult.empty()) {
            put(kGeometry, PartKey(kGeometry, hashOfViews(data_)).values(data_.mult).result(), Json::object(),
                data_.mult);
        }
        if (own_.find(kAttenuation) == nullptr && !data_.att.empty()) {
            put(kAttenuation, PartKey(kAttenuation, hashOfViews(data_)).values(data_.att).result(),
                Json::object(), data_.att);
        }
        switchPart(kAttenuation, request_.switches.attenuation, "a file of 'bin' with --mu");
    }

    void switchPart(const char* name, const std::optional<bool>& wanted, const std::string& remedy) {
        CorrectionPart* const part = own_.find(name);
        if (!wanted) {
            return;
        }
        if (part == nullptr && *wanted) {
            throw WrongUse("{}: holds no {} that could be switched on; give {}", source_, name, remedy);
        }
        if (part != nullptr) {
            part->on = *wanted;
        }
    }

    void switchRandoms() {
        const std::optional<RandomsBy> wanted =
            request_.switches.randoms    ? request_.switches.randoms
            : !request_.singles.empty()  ? std::optional(RandomsBy::Singles)
            : !request_.delayeds.empty() ? std::optional(RandomsBy::Delayeds)
                                         : std::nullopt;
        if (wanted) {
            const bool off = *wanted == RandomsBy::Off;
            for (const auto& [name, by, option] :
                 {std::tuple{kDelayeds, RandomsBy::Delayeds, "--delayeds LIST"},
                  {kSingles, RandomsBy::Singles, "--singles FILE"}}) {
                if (off && own_.find(name) == nullptr) {
                    continue;
                }
                switchPart(name, *wanted == by, option);
            }
        }
    }

    /// Randoms that scatter is found beside: those that are on, else any that are known.
    [[nodiscard]] const CorrectionPart* knownRandoms() const {
        const CorrectionPart* known = nullptr;
        for (const char* const name : {kSingles, kDelayeds}) {
            const CorrectionPart* const part = own_.find(name);
            if (part != nullptr && (known == nullptr || part->on)) {
                known = part;
            }
        }
        return known;
    }

    void findEfficiencies() {
        const EventList events = truesOf(recognise(request_.norm).readEvents({}).events);
        if (events.phantom.empty()) {
            throw WrongUse(
                "{}: does not say what was measured; a normalisation needs a list that names its phantom",
                request_.norm);
        }
        const std::string key =
            this->key("efficiencies 1").values(events.crystals).text(events.phantom).result();
        if (take(kEfficiencies, key)) {
            return;
        }
        const Phantom phantom = Phantom::fromNameOrText(events.phantom, request_.norm, readVolume);
        const std::vector<double> found = crystalEfficiencies(events, scanner_, phantom, pool_);
        double squares = 0;
        for (const double efficiency : found) {
            squares += (efficiency - 1) * (efficiency - 1);
        }
        put(kEfficiencies, key,
            {{"norm", request_.norm},
             {"efficiency_sd", std::sqrt(squares / static_cast<double>(found.size()))}},
            efficienciesOfViews(data_, scanner_, found, pool_));
    }

    void findDelayeds() {
        const EventList delayeds = recognise(request_.delayeds).readEvents({}).events;
        const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : data_.duration_s;
        const std::string key = this->key("randoms-delayeds 1")
                                    .values(delayeds.crystals)
                                    .values(delayeds.dt_ps)
                                    .value(duration_s)
                                    .value(data_.kept + data_.outside)
                                    .result();
        if (take(kDelayeds, key)) {
            return;
        }
        const std::vector<double> rates = ratesOfDelayeds(delayeds, scanner_, duration_s, pool_);
        const double left =
            partnersLeave(rates, scanner_, data_.kept + data_.outside, static_cast<double>(delayeds.size()),
                          duration_s, 1 / recordedShare(scanner_, Detector(scanner_)));
        const double total = left * eventsKept(delayeds, scanner_, data_.lattice, pool_);
        put(kDelayeds, key, {{"delayeds", request_.delayeds}, {"randoms", total}},
            randomsOfViews(rates, scanner_, data_, total, pool_));
    }

    void findSingles() {
        const CrystalSingles singles = readSingles(request_.singles);
        const double duration_s = data_.duration_s > 0 ? data_.duration_s : singles.duration_s;
        if (!singles.busy.empty()) {
            findDeadTime(singles);
        }
        const std::string key = this->key("randoms-singles 1")
                                    .values(singles.recorded)
                                    .values(singles.busy)
                                    .value(singles.duration_s)
                                    .value(duration_s)
                                    .value(data_.kept + data_.outside)
                                    .result();
        if (take(kSingles, key)) {
            return;
        }
        const std::vector<double> rates = ratesOfSingles(singles, scanner_);
        const double before = randomsKept(rates, scanner_, data_.lattice, duration_s, pool_);
        const double recorded = std::accumulate(singles.recorded.begin(), singles.recorded.end(), 0.0);
        const double busy = std::accumulate(singles.busy.begin(), singles.busy.end(), 0.0);
        const double total = before * partnersLeave(rates, scanner_, data_.kept + data_.outside, before,
                                                    duration_s, busy > 0 ? busy / recorded : 1);
        put(kSingles, key, {{"singles", request_.singles}, {"randoms", total}},
            randomsOfViews(rates, scanner_, data_, total, pool_));
    }

    void findDeadTime(const CrystalSingles& singles) {
        const std::string key =
            this->key("dead-time 1").values(singles.busy).value(singles.duration_s).result();
        if (take(kDeadTime, key)) {
            return;
        }
        const std::vector<double> alive = aliveShares(singles, scanner_);
        const double sum = std::accumulate(alive.begin(), alive.end(), 0.0);
        put(kDeadTime, key, {{"alive", sum / static_cast<double>(alive.size())}},
            efficienciesOfViews(data_, scanner_, alive, pool_));
    }

    void findScatterPart() {
        if (const CorrectionPart* const before = own_.find(kScatter);
            before != nullptr && request_.mu.empty() && data_.phantom.empty()) {
            own_.find(kScatter)->on = true;  // what attenuates was known when it was found
            return;
        }
        const Volume mu = attenuationOf(data_, source_, request_, progress_);
        const CorrectionPart* const randoms = knownRandoms();
        const CorrectionPart* const attenuation = own_.find(kAttenuation);
        const ScatterCorrection& how = request_.scatterSettings;
        PartKey key = this->key("scatter 1");
        key.values(data_.counts).values(mu.data);
        for (const char* const name : {kGeometry, kEfficiencies, kDeadTime, kAttenuation}) {
            const CorrectionPart* const part = own_.find(name);
            key.text(part != nullptr ? part->key : "");
        }
        key.text(randoms != nullptr ? randoms->key : "")
            .value(how.rounds)
            .value(how.voxel_mm)
            .value(static_cast<int>(how.fitTails))
            .value(how.extension_mm)
            .value(how.simulation.detectorStep_mm)
            .value(how.simulation.rowStep_mm)
            .value(how.simulation.pointStep_mm)
            .value(how.simulation.raySteps_mm)
            .value(static_cast<int>(how.simulation.twice));
        if (take(kScatter, key.result())) {
            return;
        }
        setMult([](const CorrectionPart& /*part*/) { return true; });
        data_.att = attenuation != nullptr ? attenuation->values : std::vector<float>();
        data_.add = randoms != nullptr ? randoms->values : std::vector<float>(data_.counts.size(), 0.0F);
        ScatterFound found = findScatter(data_, scanner_, mu, how, pool_, progress_.begin("scatter"));
        put(kScatter, key.result(),
            {{"scatter", found.total}, {"single_scatter", found.single}, {"scatter_scale", found.scale}},
            std::move(found.scatter));
    }

    /// mult without and with those factors that `takes` likes.
    template <class Takes>
    void setMult(const Takes& takes) {
        const CorrectionPart* const geometry = own_.find(kGeometry);
        data_.mult = geometry != nullptr ? geometry->values : std::vector<float>();
        for (const char* const name : {kEfficiencies, kDeadTime}) {
            const CorrectionPart* const part = own_.find(name);
            if (part != nullptr && takes(*part)) {
                data_.mult.resize(data_.counts.size(), 1.0F);
                std::transform(data_.mult.begin(), data_.mult.end(), part->values.begin(), data_.mult.begin(),
                               std::multiplies<>());
            }
        }
    }

    /// What a reconstruction takes.
    void compose() {
        const auto taken = [&](const char* name) {
            const CorrectionPart* const part = own_.find(name);
            return part != nullptr && part->on ? part : nullptr;
        };
        setMult([](const CorrectionPart& part) { return part.on; });
        const CorrectionPart* const attenuation = taken(kAttenuation);
        data_.att = attenuation != nullptr ? attenuation->values : std::vector<float>();
        bool any = false;
        std::vector<float> add(data_.counts.size(), 0.0F);
        for (const char* const name : {kDelayeds, kSingles, kScatter}) {
            any = any || own_.find(name) != nullptr;
            if (const CorrectionPart* const part = taken(name)) {
                std::transform(add.begin(), add.end(), part->values.begin(), add.begin(), std::plus<>());
            }
        }
        if (any) {
            data_.add = std::move(add);
        }
    }

    void tell(CorrectResult& result) const {
        for (const CorrectionPart& part : own_.list) {
            const Json figures = Json::parse(part.figures);
            if (!part.on || figures.empty()) {
                continue;
            }
            result.efficiencySd = figures.value("efficiency_sd", result.efficiencySd);
            result.randoms = figures.value("randoms", result.randoms);
            result.scatter = figures.value("scatter", result.scatter);
            result.single = figures.value("single_scatter", result.single);
            result.scale = figures.value("scatter_scale", result.scale);
        }
    }

    HistoData& data_;
    const std::string& source_;
    const CorrectRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
    CorrectionParts& own_;
    const CorrectionParts* found_;
    Scanner scanner_;
};

}  // namespace

CorrectResult correct(HistoData& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, CorrectionParts* parts,
                      const CorrectionParts* found) {
    if (data.scannerJson.empty()) {
        throw WrongUse("{}: does not say which scanner it is of; bin the list again", source);
    }
    CorrectionParts none;
    return PartsOfViews(data, source, request, pool, progress, parts != nullptr ? *parts : none, found).run();
}

namespace {

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

/// Parts of sinograms and lines: counts that go into add. Found, or taken from before.
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
            if (part.on && part.values.size() == size && part.name != kGeometry) {
                std::transform(add.begin(), add.end(), part.values.begin(), add.begin(), std::plus<>());
            }
        }
        return add;
    }

    [[nodiscard]] CorrectionParts& own() { return own_; }
    [[nodiscard]] CorrectResult result() const {
        CorrectResult result;
        for (const CorrectionPart& part : own_.list) {
            const Json figures = Json::parse(part.figures.empty() ? "{}" : part.figures);
            if (part.on) {
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

Volume attenuationOf(const std::string& phantom, const Lattice& lattice, const std::string& source,
                     const CorrectRequest& request, WorkProgress& progress) {
    HistoData about;
    about.phantom = phantom;
    about.lattice = lattice;
    return attenuationOf(about, source, request, progress);
}

void refuseFactors(const CorrectRequest& request, const std::string& source) {
    const PartSwitches& switches = request.switches;
    if (!request.norm.empty() || switches.attenuation || switches.efficiencies || switches.deadTime) {
        throw WrongUse(
            "{}: of sinograms and lines randoms and scatter are corrected; attenuation is in their mult as "
            "'bin' "
            "made it, efficiencies are those of histo-images",
            source);
    }
}

}  // namespace

CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                      const CorrectRequest& request, const ThreadPool& pool, WorkProgress& progress,
                      CorrectionParts* kept, const CorrectionParts* found) {
    refuseFactors(request, source);
    CorrectionParts none;
    AddParts parts(source, data.michelogram->spec().toJson() + scanner.toJson(), progress,
                   kept != nullptr ? *kept : none, found);
    const std::size_t n = data.counts.size();
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
        const Volume mu = attenuationOf(data.phantom, data.lattice, source, request, progress);
        SinogramData randoms = data;
        randoms.add = parts.sum(n);
        if (const CorrectionPart* const old = parts.own().find(kScatter); old != nullptr && old->on) {
            std::transform(randoms.add.begin(), randoms.add.end(), old->values.begin(), randoms.add.begin(),
                           [](float all, float own) { return std::max(0.0F, all - own); });
        }
        const std::string key = parts.key("scatter of bins 1")
                                    .values(data.counts)
                                    .values(data.mult)
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
        const Volume mu = attenuationOf(data.phantom, data.lattice, source, request, progress);
        const std::string key = eventsKey("scatter of lines 1")
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

PanelRandomsTally correct(PanelData& data, const std::string& source, const CorrectRequest& request,
                          WorkProgress& progress) {
    if (!request.norm.empty() || request.scatter) {
        throw WrongUse("{}: of two panels only randoms are corrected; leave --norm and --scatter out",
                       source);
    }
    progress.stage("randoms");
    const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
    if (request.panelRandoms == PanelRandoms::Add) {
        data.add.clear();
    }
    return correctRandoms(data, delayeds, request.panelRandoms);
}

}  // namespace tof
