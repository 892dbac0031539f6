// SPDX-License-Identifier: Apache-2.0
// What is remembered of a session: in the study, and of the program as a whole.
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include "recon/base/error.h"
#include "ui/desk/workspace.h"

namespace tof::ui {

QJsonObject binningToJson(const ListBinning& binning) {
    return {{"azimuths", binning.azimuths},
            {"tilts", binning.tilts},
            {"voxel_mm", binning.voxel_mm},
            {"partial", binning.partial}};
}

std::optional<ListBinning> binningFromJson(const QJsonValue& saved) {
    const QJsonObject o = saved.toObject();
    const ListBinning binning{o["azimuths"].toInt(), o["tilts"].toInt(), o["voxel_mm"].toDouble(),
                              o["partial"].toBool()};
    const bool whole = binning.azimuths > 0 && binning.tilts > 0 && binning.voxel_mm > 0;
    return whole ? std::optional(binning) : std::nullopt;
}

QByteArray Workspace::studyState() const {
    return QJsonDocument(lastSession()).toJson(QJsonDocument::Compact);
}

void Workspace::autosave() {
    if (writesStudy() && measurement_ && studyState() != savedState_) {
        saveStudy();
    }
}

QJsonObject Workspace::lastSession() const {
    const auto parsed = [](const std::string& text) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    };
    QJsonObject o{{"files", QJsonArray::fromStringList(openFiles_)},
                  {"settings", parsed(settings_.toJson())},
                  {"rois", parsed(roisToJson(rois_.set().rois))},
                  {"true_ratio", rois_.set().trueRatio},
                  {"session", session_.toJson()}};
    if (dataBinning_) {
        o["binning"] = binningToJson(*dataBinning_);
    }
    return o;
}

void Workspace::openLastSession(const QJsonObject& saved) {
    QStringList files;
    for (const QJsonValue& value : saved["files"].toArray()) {
        if (QFileInfo::exists(value.toString())) {
            files << value.toString();
        } else {
            messages_.add(Severity::Warning, tr("%1: is not there any more").arg(value.toString()));
        }
    }
    if (files.isEmpty()) {
        return;
    }
    for (const QString& file : files) {
        const auto binning = file == files.front() ? binningFromJson(saved["binning"]) : std::nullopt;
        openOne(file, binning ? binning : listBinning_);
    }
    // Behind the files in the queue: what was asked for before is there when this comes to its turn.
    tasks_.add(
        tr("Restoring the session"), [](TaskControl&) {},
        [this, saved] {
            const auto text = [](const QJsonValue& value) {
                return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact).toStdString();
            };
            try {
                setSettings(RunSettings::fromJson(text(saved["settings"]), "last session"));
                RoiSet rois{roisFromJson(text(saved["rois"]), "last session"),
                            saved["true_ratio"].toDouble()};
                if (!rois.rois.empty()) {
                    rois_.reset(std::move(rois));
                }
            } catch (const Error& fault) {
                messages_.add(Severity::Warning, tr("Of the last session: %1").arg(fault.what()));
            }
            restoring_ = saved["session"].toObject();
            session_.restore(restoring_);
            Q_EMIT studyChanged();
        });
}

}  // namespace tof::ui
