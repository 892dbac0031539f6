// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/uptakes.h"

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

QString Uptakes::keyOf(const RunItem& item) {
    return item.units() == kEmissionsPerVoxel ? QString() : item.uptakeOf();
}

const Uptakes::Entry* Uptakes::of(const RunItem& item) const {
    const auto it = entries_.find(keyOf(item));
    return it != entries_.end() ? &it->second : nullptr;
}

void Uptakes::found(const RunItem& item, const Uptake& uptake) {
    if (uptakeFault(uptake).empty()) {
        entries_.try_emplace(keyOf(item), Entry{uptake, true});
        Q_EMIT changed();
    }
}

void Uptakes::set(const RunItem& item, const Entry& entry) {
    if (const std::string fault = uptakeFault(entry.uptake); !fault.empty()) {
        throw WrongUse(fault);
    }
    Entries after = entries_;
    after[keyOf(item)] = entry;
    if (after != entries_) {
        undo_.push(new UndoStep<Entries>(tr("SUV of %1").arg(item.label()), entries_, std::move(after),
                                         [this](const Entries& entries) { restore(entries); }));
    }
}

void Uptakes::restore(const Entries& entries) {
    entries_ = entries;
    Q_EMIT changed();
}

void Uptakes::clear() {
    restore({});
}

nlohmann::json Uptakes::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [key, entry] : entries_) {
        list.push_back({{"image", key},
                        {"shown", entry.shown},
                        {"weight_kg", entry.uptake.weight_kg},
                        {"dose_Bq", entry.uptake.dose_Bq},
                        {"half_life_s", entry.uptake.halfLife_s},
                        {"waited_s", entry.uptake.waited_s},
                        {"branching", entry.uptake.branching}});
    }
    return list;
}

void Uptakes::fromJson(const nlohmann::json& saved) {
    if (!saved.is_array()) {
        return;
    }
    Entries entries;
    for (const nlohmann::json& o : saved) {
        Entry entry;
        entry.shown = savedIn(o, "shown", true);
        entry.uptake = {savedIn(o, "weight_kg", 0.0), savedIn(o, "dose_Bq", 0.0),
                        savedIn(o, "half_life_s", entry.uptake.halfLife_s), savedIn(o, "waited_s", 0.0)};
        entry.uptake.branching = savedIn(o, "branching", positronsPerDecay(entry.uptake.halfLife_s));
        if (uptakeFault(entry.uptake).empty()) {
            entries[savedIn(o, "image", QString())] = entry;
        }
    }
    restore(entries);
}

}  // namespace tof::ui
