// SPDX-License-Identifier: Apache-2.0
#include "recon/work/part_store.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <utility>

#include "recon/base/error.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

constexpr std::initializer_list<const char*> kOfAdd{kDelayeds, kSingles, kScatter};
constexpr std::initializer_list<const char*> kOfCrystals{kEfficiencies, kDeadTime};

}  // namespace

PartKey PartStore::key(const char* what) const {
    PartKey key(what, base_);
    return key.text(model_);
}

void PartStore::put(CorrectionPart part) {
    if (CorrectionPart* const old = own_.find(part.name)) {
        *old = std::move(part);
    } else {
        own_.list.push_back(std::move(part));
    }
}

void PartStore::findOrTake(const char* name, const std::string& key, std::size_t size, const Find& find) {
    for (const CorrectionParts* from : {static_cast<const CorrectionParts*>(&own_), found_}) {
        const CorrectionPart* const part = from != nullptr ? from->find(name) : nullptr;
        if (part != nullptr && part->key == key && part->values.size() == size) {
            if (from == found_) {
                put(*part);
            }
            own_.find(name)->on = true;
            progress_.note(Remark::Data, source_ + ": " + name + " is kept from before, of the same content");
            return;
        }
    }
    nlohmann::ordered_json figures = nlohmann::ordered_json::object();
    std::vector<float> values = find(figures);
    put({name, key, true, figures.dump(), std::move(values)});
}

void PartStore::keepGiven(const char* name, const std::string& key, const std::vector<float>& values) {
    if (find(name) == nullptr) {
        put({name, key, true, "{}", values});
    }
}

void PartStore::keepGiven(const char* name, const std::string& key, const Volume& volume) {
    if (find(name) == nullptr) {
        put({name, key, true, "{}", volume.data, volume.lattice});
    }
}

void PartStore::take(const char* name, const std::string& key, const Volume& volume,
                     const nlohmann::ordered_json& figures) {
    findOrTake(name, key, volume.data.size(), [&](nlohmann::ordered_json& told) {
        told = figures;
        return volume.data;
    });
    own_.find(name)->lattice = volume.lattice;
}

void PartStore::findEfficiencies(const CorrectRequest& request, const Scanner& scanner,
                                 const std::string& form, std::size_t size, const ThreadPool& pool,
                                 const OfCrystals& spread) {
    if (request.norm.empty()) {
        return;
    }
    progress_.stage("efficiencies");
    const EventList events = readNormalisation(request.norm);
    const std::string key =
        this->key(("efficiencies" + form).c_str()).values(events.crystals).text(events.phantom).result();
    findOrTake(kEfficiencies, key, size, [&](nlohmann::ordered_json& figures) {
        const Phantom phantom = Phantom::fromNameOrText(events.phantom, request.norm, readVolume);
        const std::vector<double> found = crystalEfficiencies(events, scanner, phantom, pool);
        figures = {{"norm", request.norm}, {"efficiency_sd", deviationOf(found)}};
        return spread(found);
    });
}

void PartStore::findDeadTime(const CrystalSingles& singles, const Scanner& scanner, const std::string& form,
                             std::size_t size, const OfCrystals& spread) {
    if (singles.busy.empty()) {
        return;
    }
    const std::string key =
        this->key(("dead-time" + form).c_str()).values(singles.busy).value(singles.duration_s).result();
    findOrTake(kDeadTime, key, size, [&](nlohmann::ordered_json& figures) {
        const std::vector<double> alive = aliveShares(singles, scanner);
        const double sum = std::accumulate(alive.begin(), alive.end(), 0.0);
        figures = {{"alive", sum / static_cast<double>(alive.size())}};
        return spread(alive);
    });
}

void PartStore::turn(const char* name, const std::optional<bool>& wanted, const std::string& remedy) {
    CorrectionPart* const part = own_.find(name);
    if (wanted && part == nullptr && *wanted) {
        throw WrongUse("{}: holds no {} that could be switched on; give {}", source_, name, remedy);
    }
    if (wanted && part != nullptr) {
        part->on = *wanted;
    }
}

void PartStore::turnRandoms(const std::optional<RandomsBy>& wanted) {
    if (!wanted) {
        return;
    }
    for (const auto& [name, by, option] : {std::tuple{kDelayeds, RandomsBy::Delayeds, "--delayeds LIST"},
                                           {kSingles, RandomsBy::Singles, "--singles FILE"}}) {
        turn(name, *wanted == by, option);
    }
}

const CorrectionPart* PartStore::taken(const char* name) const {
    const CorrectionPart* const part = find(name);
    return part != nullptr && part->on ? part : nullptr;
}

const CorrectionPart* PartStore::knownRandoms() const {
    const CorrectionPart* known = nullptr;
    for (const char* const name : {kSingles, kDelayeds}) {
        const CorrectionPart* const part = find(name);
        if (part != nullptr && (known == nullptr || part->on)) {
            known = part;
        }
    }
    return known;
}

std::vector<float> PartStore::add(std::size_t size) const {
    std::vector<float> add(size, 0.0F);
    for (const char* const name : kOfAdd) {
        if (const CorrectionPart* const part = taken(name)) {
            std::transform(add.begin(), add.end(), part->values.begin(), add.begin(), std::plus<>());
        }
    }
    return add;
}

bool PartStore::knowsAdd() const {
    return std::any_of(kOfAdd.begin(), kOfAdd.end(),
                       [this](const char* name) { return find(name) != nullptr; });
}

std::vector<float> PartStore::timesFactors(std::vector<float> values, bool all) const {
    for (const char* const name : kOfCrystals) {
        const CorrectionPart* const part = find(name);
        if (part != nullptr && (all || part->on)) {
            values.resize(part->values.size(), 1.0F);
            std::transform(values.begin(), values.end(), part->values.begin(), values.begin(),
                           std::multiplies<>());
        }
    }
    return values;
}

std::string PartStore::factorKeys() const {
    std::string keys;
    for (const char* const name : kOfCrystals) {
        const CorrectionPart* const part = find(name);
        keys += (part != nullptr ? part->key : "") + ";";
    }
    return keys;
}

CorrectResult PartStore::result() const {
    CorrectResult result;
    for (const CorrectionPart& part : own_.list) {
        if (!part.on) {
            continue;
        }
        const auto figures = nlohmann::ordered_json::parse(part.figures.empty() ? "{}" : part.figures);
        result.efficiencySd = figures.value("efficiency_sd", result.efficiencySd);
        result.randoms = figures.value("randoms", result.randoms);
        result.scatter = figures.value("scatter", result.scatter);
        result.single = figures.value("single_scatter", result.single);
        result.scale = figures.value("scatter_scale", result.scale);
    }
    return result;
}

nlohmann::ordered_json figuresOf(const ScatterFound& found) {
    return {{"scatter", found.total}, {"single_scatter", found.single}, {"scatter_scale", found.scale}};
}

}  // namespace tof
