// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/session.h"

#include <algorithm>

#include "recon/base/error.h"
#include "ui/desk/run_list.h"
#include "ui/kit/json.h"

namespace tof::ui {

void Session::add(Part part) {
    if (std::any_of(parts_.begin(), parts_.end(), [&](const Part& other) { return other.key == part.key; })) {
        throw InternalError("two parts of the session called " + part.key);
    }
    parts_.push_back(std::move(part));
}

void Session::freeze(const std::string& key) {
    for (Part& part : parts_) {
        if (part.key == key) {
            part.save = [state = part.save()] { return state; };
            part.restore = [](const nlohmann::json&) {};
            part.clear = nullptr;
        }
    }
}

nlohmann::json Session::toJson() const {
    nlohmann::json o = nlohmann::json::object();
    for (const Part& part : parts_) {
        o[part.key] = part.save();
    }
    return o;
}

void Session::clear() const {
    for (const Part& part : parts_) {
        if (part.clear) {
            part.clear();
        }
    }
}

void Session::restore(const nlohmann::json& saved) const {
    for (const Part& part : parts_) {
        if (saved.contains(part.key)) {
            part.restore(saved[part.key]);
        }
    }
}

nlohmann::json runsToJson(const RunList& runs) {
    nlohmann::json each = nlohmann::json::object();
    QString selected;
    for (const auto& item : runs.items()) {
        nlohmann::json o = nlohmann::json::object();
        if (item->dynamic() == nullptr) {  // frames are kept with the image (MadeImages)
            o["shown"] = item->shown();
        }
        if (item->renamed()) {
            o["name"] = item->name();
        }
        each[item->label().toStdString()] = o;
        selected = item->id() == runs.selectedId() ? item->label() : selected;
    }
    return {{"selected", selected}, {"each", each}};
}

void runsFromJson(RunList& runs, const nlohmann::json& saved) {
    const nlohmann::json each = savedIn(saved, "each");
    for (const auto& item : runs.items()) {
        const nlohmann::json o = savedIn(each, item->label().toStdString());
        runs.rename(item->id(), savedIn<QString>(o, "name"));
        if (item->dynamic() == nullptr) {
            runs.showIterate(item->id(), savedIn(o, "shown", item->shown()));
        }
        if (item->label() == savedIn<QString>(saved, "selected")) {
            runs.select(item->id());
        }
    }
}

}  // namespace tof::ui
