// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/session.h"

#include <algorithm>

#include "recon/base/error.h"
#include "ui/desk/run_list.h"

namespace tof::ui {

void Session::add(Part part) {
    if (std::any_of(parts_.begin(), parts_.end(), [&](const Part& other) { return other.key == part.key; })) {
        throw InternalError("two parts of the session called " + part.key.toStdString());
    }
    parts_.push_back(std::move(part));
}

void Session::freeze(const QString& key) {
    for (Part& part : parts_) {
        if (part.key == key) {
            part.save = [state = part.save()] { return state; };
            part.restore = [](const QJsonObject&) {};
        }
    }
}

QJsonObject Session::toJson() const {
    QJsonObject o;
    for (const Part& part : parts_) {
        o[part.key] = part.save();
    }
    return o;
}

void Session::restore(const QJsonObject& saved) const {
    const bool viewAlone = saved.contains("cursor_mm");
    for (const Part& part : parts_) {
        if (viewAlone && part.key == "view") {
            part.restore(saved);
        } else if (saved.contains(part.key)) {
            part.restore(saved[part.key].toObject());
        }
    }
}

QJsonObject runsToJson(const RunList& runs) {
    QJsonObject each;
    QString selected;
    for (const auto& item : runs.items()) {
        QJsonObject o{{"shown", item->shown()}};
        if (item->renamed()) {
            o["name"] = item->name();
        }
        each[item->label()] = o;
        selected = item->id() == runs.selectedId() ? item->label() : selected;
    }
    return {{"selected", selected}, {"each", each}};
}

void runsFromJson(RunList& runs, const QJsonObject& saved) {
    const QJsonObject each = saved["each"].toObject();
    for (const auto& item : runs.items()) {
        const QJsonObject o = each[item->label()].toObject();
        runs.rename(item->id(), o["name"].toString());
        runs.showIterate(item->id(), o["shown"].toInt(item->shown()));
        if (item->label() == saved["selected"].toString()) {
            runs.select(item->id());
        }
    }
}

}  // namespace tof::ui
