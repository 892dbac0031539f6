// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/sessions.h"

#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "ui/kit/json.h"

namespace tof::ui {

Sessions::Sessions(const RunContext& context, RunQueue& queue) : context_(context), queue_(queue) {
    connect(&queue_, &RunQueue::changed, this, &Sessions::saveQueue);
}

void Sessions::saveStudy() {
    Study* const store = context_.study.storeNow();
    if (store == nullptr || context_.study.measurement() == nullptr) {
        return;  // what is restored with the data is not there yet
    }
    Study& study = *store;
    study.settings = context_.settings.current();
    study.viewJson = jsonText(parts_.toJson());
    study.rois = context_.rois.set();
    study.queue = queue_.toKeep();
    saved_ = jsonText(lastButRois());
    savedRois_ = context_.rois.revision();
    try {
        study.save();
    } catch (const CannotWrite& fault) {
        context_.messages.add(
            Severity::Warning,
            tr("The study's view and settings were not saved: %1").arg(QString(fault.what())));
    }
}

void Sessions::autosave() {
    if (context_.study.storeNow() != nullptr &&
        (savedRois_ != context_.rois.revision() || jsonText(lastButRois()) != saved_)) {
        saveStudy();
    }
}

void Sessions::saveQueue() {
    const std::vector<QueuedRun> queue = queue_.toKeep();
    if (context_.study.measurement() == nullptr || (queue.empty() && context_.study.storeNow() == nullptr)) {
        return;
    }
    try {
        if (queue != context_.study.store().queue) {
            saveStudy();
        }
    } catch (const CannotWrite&) {
        return;  // the run that wants to begin says so
    }
}

std::string Sessions::last() const {
    return last(nlohmann::json::object());
}

std::string Sessions::last(nlohmann::json further) const {
    further.update(lastButRois());
    std::string text = jsonText(further);
    text.pop_back();  // its closing brace
    return text + ",\"rois\":" + roisText() + "}";
}

const std::string& Sessions::roisText() const {
    if (printedRois_ != context_.rois.revision()) {
        roisText_ = roisToJson(context_.rois.rois());
        printedRois_ = context_.rois.revision();
    }
    return roisText_;
}

nlohmann::json Sessions::lastButRois() const {
    nlohmann::json o{{"files", context_.study.files()},
                     {"settings", context_.settings.current().json()},
                     {"true_ratio", context_.rois.set().trueRatio},
                     {"session", parts_.toJson()}};
    if (context_.study.binning()) {
        o["binning"] = binningToJson(*context_.study.binning());
    }
    return o;
}

void Sessions::restoreLast(const nlohmann::json& saved) {
    const auto part = [&](const char* key) { return savedIn(saved, key, nlohmann::json::object()); };
    try {
        context_.settings.setAll(RunSettings::fromJson(part("settings"), "last session"));
        RoiSet rois{roisFromJson(jsonText(part("rois")), "last session"), savedIn(saved, "true_ratio", 0.0)};
        if (!rois.rois.empty()) {
            context_.rois.reset(std::move(rois));
        }
    } catch (const Error& fault) {
        context_.messages.add(Severity::Warning, tr("Of the last session: %1").arg(fault.what()));
    }
    restore(savedIn(saved, "session"));
}

void Sessions::restore(const nlohmann::json& session) {
    restoring_ = jsonText(session);
    parts_.restore(session);
}

void Sessions::restoreRest(Rest rest) {
    nlohmann::json saved = parsedJson(std::exchange(restoring_, {}));
    if (rest == Rest::OfData) {
        const std::string page = savedIn<std::string>(savedIn(saved, "window"), "page");
        saved = {{"data", savedIn(saved, "data")}};
        if (page == "page.data") {
            saved["window"] = {{"page", page}};
        }
    }
    parts_.restore(saved);
}

}  // namespace tof::ui
