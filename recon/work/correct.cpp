// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/error.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/simulate/recorded_share.h"
#include "recon/work/part_store.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Corrections of histo-images: finds the parts of one data set and puts them together.
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
          parts_(source, hashOfViews(data), data.scannerJson, progress, own, found),
          scanner_(Scanner::fromJson(data.scannerJson, source)) {}

    CorrectResult run() {
        takeFactors();
        const auto ofViews = [this](const std::vector<double>& factors) {
            return efficienciesOfViews(data_, scanner_, factors, pool_);
        };
        parts_.findEfficiencies(request_, scanner_, " 1", data_.counts.size(), pool_, ofViews);
        if (!request_.delayeds.empty()) {
            progress_.stage("randoms");
            findDelayeds();
        }
        if (!request_.singles.empty()) {
            progress_.stage("randoms");
            const CrystalSingles singles = readSingles(request_.singles);
            parts_.findDeadTime(singles, scanner_, " 1", data_.counts.size(), ofViews);
            findSingles(singles);
        }
        parts_.turnRandoms(wantedRandoms(request_));
        parts_.turn(kEfficiencies, request_.switches.efficiencies, "--norm LIST");
        parts_.turn(kDeadTime, request_.switches.deadTime, "--singles FILE");
        const bool before = parts_.taken(kScatter) != nullptr;
        if (request_.switches.scatter.value_or(request_.scatter || before)) {
            findScatterPart();
        }
        parts_.turn(kScatter, request_.switches.scatter, "");
        compose();
        return parts_.result();
    }

  private:
    /// mult and att as they are without efficiencies and switches.
    void takeFactors() {
        for (const auto& [name, values] :
             {std::pair(kGeometry, &data_.mult), std::pair(kAttenuation, &data_.att)}) {
            if (!values->empty()) {
                parts_.keepGiven(name, PartKey(name, hashOfViews(data_)).values(*values).result(), *values);
            }
        }
        parts_.turn(kAttenuation, request_.switches.attenuation, "a file of 'bin' with --mu");
    }

    void findDelayeds() {
        const EventList delayeds = recognise(request_.delayeds).readEvents({}).events;
        const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : data_.duration_s;
        const std::string key = parts_.key("randoms-delayeds 2")
                                    .values(delayeds.crystals)
                                    .values(delayeds.dt_ps)
                                    .value(duration_s)
                                    .value(data_.kept + data_.outside)
                                    .values(data_.counts)
                                    .result();
        parts_.findOrTake(kDelayeds, key, data_.counts.size(), [&](Json& figures) {
            const std::vector<double> rates = ratesOfDelayeds(delayeds, scanner_, duration_s, pool_);
            const double total = eventsKept(delayeds, scanner_, data_.lattice, pool_);
            figures = {{"delayeds", request_.delayeds}};
            return randomsLeft(rates, total, static_cast<double>(delayeds.size()), duration_s,
                               1 / recordedShare(scanner_, Detector(scanner_)), figures);
        });
    }

    void findSingles(const CrystalSingles& singles) {
        const double duration_s = data_.duration_s > 0 ? data_.duration_s : singles.duration_s;
        const std::string key = parts_.key("randoms-singles 2")
                                    .values(singles.recorded)
                                    .values(singles.busy)
                                    .value(singles.duration_s)
                                    .value(duration_s)
                                    .value(data_.kept + data_.outside)
                                    .values(data_.counts)
                                    .result();
        parts_.findOrTake(kSingles, key, data_.counts.size(), [&](Json& figures) {
            const std::vector<double> rates = ratesOfSingles(singles, scanner_);
            const double total = randomsKept(rates, scanner_, data_.lattice, duration_s, pool_);
            figures = {{"singles", request_.singles}};
            return randomsLeft(rates, total, randomsAccepted(rates, scanner_, duration_s), duration_s,
                               busyPerRecorded(singles), figures);
        });
    }

    /// What dead blocks leave of `total` randoms on the lattice, where the scan has `randoms` in all.
    std::vector<float> randomsLeft(const std::vector<double>& rates, double total, double randoms,
                                   double duration_s, double busyShare, Json& figures) const {
        const auto prompts = static_cast<double>(data_.kept + data_.outside);
        const DecayPairs pairs{std::max(0.0, prompts - randoms) / duration_s, busyShare};
        std::vector<float> left = randomsLeftOfViews(rates, scanner_, data_, total, pairs, pool_);
        figures["randoms"] = std::accumulate(left.begin(), left.end(), 0.0);
        return left;
    }

    void findScatterPart() {
        if (CorrectionPart* const before = parts_.find(kScatter);
            before != nullptr && request_.mu.empty() && data_.phantom.empty()) {
            before->on = true;  // what attenuates was known when it was found
            return;
        }
        const Volume mu = attenuationOf(request_.mu, request_.muUnits, data_.phantom, data_.lattice,
                                        kScatterSpacing_mm, source_, progress_);
        const CorrectionPart* const randoms = parts_.knownRandoms();
        const CorrectionPart* const attenuation = parts_.find(kAttenuation);
        const ScatterCorrection& how = request_.scatterSettings;
        PartKey key = parts_.key("scatter 2");
        key.values(data_.counts).values(mu.data);
        for (const char* const name : {kGeometry, kEfficiencies, kDeadTime, kAttenuation}) {
            const CorrectionPart* const part = parts_.find(name);
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
        parts_.findOrTake(kScatter, key.result(), data_.counts.size(), [&](Json& figures) {
            data_.mult = mult(true);
            data_.att = attenuation != nullptr ? attenuation->values : std::vector<float>();
            data_.add = randoms != nullptr ? randoms->values : std::vector<float>(data_.counts.size(), 0.0F);
            ScatterFound found = findScatter(data_, scanner_, mu, how, pool_, progress_.begin("scatter"));
            figures = figuresOf(found);
            return std::move(found.scatter);
        });
    }

    /// mult with those factors that are on, or with all.
    [[nodiscard]] std::vector<float> mult(bool all) const {
        const CorrectionPart* const geometry = parts_.find(kGeometry);
        return parts_.timesFactors(geometry != nullptr ? geometry->values : std::vector<float>(), all);
    }

    /// What a reconstruction takes.
    void compose() {
        data_.mult = mult(false);
        const CorrectionPart* const attenuation = parts_.taken(kAttenuation);
        data_.att = attenuation != nullptr ? attenuation->values : std::vector<float>();
        if (parts_.knowsAdd()) {
            data_.add = parts_.add(data_.counts.size());
        }
    }

    HistoData& data_;
    const std::string& source_;
    const CorrectRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
    PartStore parts_;
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
