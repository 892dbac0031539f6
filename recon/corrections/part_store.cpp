// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/part_store.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/large_array.h"

namespace tof {

namespace {

/// Other arithmetic of any part, another number.
constexpr int kArithmetic = 4;

constexpr std::initializer_list<PartName> kOfAdd{PartName::Delayeds, PartName::Singles, PartName::Scatter};
constexpr std::initializer_list<PartName> kOfCrystals{PartName::Efficiencies, PartName::DeadTime};

/// Combines each value with the other's at its place, by all threads.
template <class Operation>
void combine(std::vector<float>& values, const std::vector<float>& others, Operation operation,
             const ThreadPool& pool) {
    constexpr std::size_t kValuesAtATime = std::size_t{1} << 18U;
    pool.forRange(values.size(), kValuesAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            values[i] = operation(values[i], others[i]);
        }
    });
}

}  // namespace

void PartStore::belongTo(const std::string& form, const ContentHash& base, const std::string& model) {
    form_ = form;
    base_ = base;
    model_ = model;
}

PartKey PartStore::key(PartName name) const {
    return PartKey(base_, pool_).text(partText(name)).value(kArithmetic).text(form_).text(model_);
}

void PartStore::put(CorrectionPart part) {
    if (CorrectionPart* const old = own_.find(part.name)) {
        *old = std::move(part);
    } else {
        own_.list.push_back(std::move(part));
    }
}

void PartStore::findOrTake(PartName name, const std::string& key, std::size_t size, const Find& find) {
    for (const CorrectionParts* from : {static_cast<const CorrectionParts*>(&own_), &found_}) {
        const CorrectionPart* const part = from->find(name);
        if (part != nullptr && part->key == key && part->values.size() == size) {
            if (from == &found_) {
                put(*part);
            }
            own_.find(name)->on = true;
            progress_.note(Remark::Data,
                           source_ + ": " + partText(name) + " is kept from before, of the same content");
            return;
        }
    }
    PartFigures figures;
    std::vector<float> values = find(figures);
    put({name, key, true, std::move(figures), std::move(values)});
}

void PartStore::keepCrystals(PartName name, const std::vector<double>& factors) {
    own_.find(name)->crystals.assign(factors.begin(), factors.end());
}

void PartStore::keepGiven(PartName name, const std::string& key, const std::vector<float>& values) {
    if (find(name) == nullptr) {
        put({name, key, true, {}, largeCopy(values, pool_)});
    }
}

void PartStore::keepGiven(PartName name, const std::string& key, const Volume& volume) {
    if (find(name) == nullptr) {
        put({name, key, true, {}, volume.data, volume.lattice});
    }
}

void PartStore::take(PartName name, const std::string& key, const Volume& volume,
                     const PartFigures& figures) {
    findOrTake(name, key, volume.data.size(), [&](PartFigures& told) {
        told = figures;
        return volume.data;
    });
    own_.find(name)->lattice = volume.lattice;
}

void PartStore::turn(PartName name, const std::optional<bool>& wanted, const std::string& remedy) {
    CorrectionPart* const part = own_.find(name);
    if (wanted && part == nullptr && *wanted) {
        throw WrongUse("{}: holds no {} that could be switched on; give {}", source_, partText(name), remedy);
    }
    if (wanted && part != nullptr) {
        part->on = *wanted;
    }
}

void PartStore::turnRandoms(const std::optional<RandomsBy>& wanted) {
    if (!wanted) {
        return;
    }
    turn(PartName::Delayeds, *wanted == RandomsBy::Delayeds, "--delayeds LIST");
    turn(PartName::Singles, *wanted == RandomsBy::Singles, "--singles FILE");
}

const CorrectionPart* PartStore::taken(PartName name) const {
    const CorrectionPart* const part = find(name);
    return part != nullptr && part->on ? part : nullptr;
}

const CorrectionPart* PartStore::knownRandoms() const {
    const CorrectionPart* known = nullptr;
    for (const PartName name : {PartName::Singles, PartName::Delayeds}) {
        const CorrectionPart* const part = find(name);
        if (part != nullptr && (known == nullptr || part->on)) {
            known = part;
        }
    }
    return known;
}

std::vector<float> PartStore::add(std::size_t size) const {
    std::vector<float> add = largeArray<float>(size, pool_);
    for (const PartName name : kOfAdd) {
        if (const CorrectionPart* const part = taken(name)) {
            combine(add, part->values, std::plus<>(), pool_);
        }
    }
    return add;
}

bool PartStore::knowsAdd() const {
    return std::any_of(kOfAdd.begin(), kOfAdd.end(), [this](PartName name) { return find(name) != nullptr; });
}

std::vector<float> PartStore::valuesOf(const CorrectionPart* part) const {
    return part != nullptr ? largeCopy(part->values, pool_) : std::vector<float>();
}

std::vector<float> PartStore::timesFactors(const CorrectionPart* of, Factors which) const {
    std::vector<float> values = valuesOf(of);
    for (const PartName name : kOfCrystals) {
        const CorrectionPart* const part = find(name);
        if (part != nullptr && (which == Factors::Known || part->on)) {
            values.resize(part->values.size(), 1.0F);
            combine(values, part->values, std::multiplies<>(), pool_);
        }
    }
    return values;
}

std::vector<float> PartStore::crystalsTaken() const {
    std::vector<float> factors;
    for (const PartName name : kOfCrystals) {
        if (const CorrectionPart* const part = taken(name); part != nullptr && !part->crystals.empty()) {
            factors.resize(part->crystals.size(), 1.0F);
            combine(factors, part->crystals, std::multiplies<>(), pool_);
        }
    }
    return factors;
}

std::string PartStore::knownKeys(std::initializer_list<PartName> names) const {
    std::string keys;
    for (const PartName name : names) {
        const CorrectionPart* const part = find(name);
        keys += (part != nullptr ? part->key : "") + ";";
    }
    const CorrectionPart* const randoms = knownRandoms();
    return keys + (randoms != nullptr ? randoms->key : "");
}

CorrectResult PartStore::result() const {
    CorrectResult result;
    for (const CorrectionPart& part : own_.list) {
        if (!part.on) {
            continue;
        }
        const PartFigures& figures = part.figures;
        result.efficiencySd = figures.efficiencySd.value_or(result.efficiencySd);
        result.randoms = figures.randoms.value_or(result.randoms);
        result.scatter = figures.scatter.value_or(result.scatter);
        result.single = figures.singleScatter.value_or(result.single);
        result.scale = figures.scatterScale.value_or(result.scale);
    }
    return result;
}

}  // namespace tof
