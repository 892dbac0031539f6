// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/sessions.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <utility>

#include "recon/base/error.h"

namespace tof::ui {

namespace {

QJsonObject objectOf(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

std::string textOf(const QJsonValue& value) {
    return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact).toStdString();
}

}  // namespace

Sessions::Sessions(const RunContext& context, RunQueue& queue) : context_(context), queue_(queue) {
    connect(&queue_, &RunQueue::changed, this, &Sessions::saveQueue);
}

void Sessions::saveStudy() {
    const OpenStudy& open = context_.study;
    if (!open.writes() || open.measurement() == nullptr) {
        return;  // what is restored with the data is not there yet
    }
    Study& study = *context_.study.folder();
    study.settings = context_.settings.current();
    study.viewJson = textOf(parts_.toJson());
    study.rois = context_.rois.set();
    study.queue = queue_.toKeep();
    saved_ = last();
    try {
        study.save();
    } catch (const CannotWrite& fault) {
        context_.messages.add(
            Severity::Warning,
            tr("The study's view and settings were not saved: %1").arg(QString(fault.what())));
    }
}

void Sessions::autosave() {
    if (context_.study.writes() && context_.study.measurement() != nullptr && last() != saved_) {
        saveStudy();
    }
}

void Sessions::saveQueue() {
    if (context_.study.writes() && queue_.toKeep() != context_.study.folder()->queue) {
        saveStudy();
    }
}

QJsonObject Sessions::last() const {
    const RoiSet& rois = context_.rois.set();
    QJsonObject o{{"files", QJsonArray::fromStringList(context_.study.files())},
                  {"settings", objectOf(context_.settings.current().toJson())},
                  {"rois", objectOf(roisToJson(rois.rois))},
                  {"true_ratio", rois.trueRatio},
                  {"session", parts_.toJson()}};
    if (context_.study.binning()) {
        o["binning"] = binningToJson(*context_.study.binning());
    }
    return o;
}

void Sessions::restoreLast(const QJsonObject& saved) {
    try {
        context_.settings.setAll(RunSettings::fromJson(textOf(saved["settings"]), "last session"));
        RoiSet rois{roisFromJson(textOf(saved["rois"]), "last session"), saved["true_ratio"].toDouble()};
        if (!rois.rois.empty()) {
            context_.rois.reset(std::move(rois));
        }
    } catch (const Error& fault) {
        context_.messages.add(Severity::Warning, tr("Of the last session: %1").arg(fault.what()));
    }
    restore(saved["session"].toObject());
}

void Sessions::restore(const QJsonObject& session) {
    restoring_ = session;
    parts_.restore(session);
}

void Sessions::restoreRest(Rest rest) {
    QJsonObject saved = std::exchange(restoring_, {});
    if (rest == Rest::OfData) {
        const QString page = saved["window"].toObject()["page"].toString();
        saved = {{"data", saved["data"]}};
        if (page == "page.data") {
            saved["window"] = QJsonObject{{"page", page}};
        }
    }
    parts_.restore(saved);
}

}  // namespace tof::ui
