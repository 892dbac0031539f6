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
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/recorded_share.h"
#include "recon/work/correct_shared.h"
#include "recon/work/list_scanner.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// randomsThatPartnersLeave() of a scan of so many prompts with so many randoms among them.
double partnersLeave(const std::vector<double>& rates, const Scanner& scanner, std::uint64_t prompts,
                     double randoms, double duration_s, double busyPerRecorded) {
    const double coincidences = std::max(0.0, static_cast<double>(prompts) - randoms) / duration_s;
    return randomsThatPartnersLeave(rates, scanner, coincidences, busyPerRecorded);
}

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
        const EventList events = readNormalisation(request_.norm);
        const std::string key =
            this->key("efficiencies 1").values(events.crystals).text(events.phantom).result();
        if (take(kEfficiencies, key)) {
            return;
        }
        const Phantom phantom = Phantom::fromNameOrText(events.phantom, request_.norm, readVolume);
        const std::vector<double> found = crystalEfficiencies(events, scanner_, phantom, pool_);
        put(kEfficiencies, key, {{"norm", request_.norm}, {"efficiency_sd", deviationOf(found)}},
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
        const Volume mu =
            attenuationOf(request_.mu, request_.muUnits, data_.phantom, data_.lattice, source_, progress_);
        const CorrectionPart* const randoms = knownRandoms();
        const CorrectionPart* const attenuation = own_.find(kAttenuation);
        const ScatterCorrection& how = request_.scatterSettings;
        PartKey key = this->key("scatter 2");
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
            .value(how.simulation.pairs);
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
