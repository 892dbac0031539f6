// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/keep_study.h"

#include <QFileInfo>

#include "recon/base/error.h"
#include "recon/work/kept_study.h"
#include "ui/desk/desk.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// Every run with an image that is not in the folder where runs of what is open go.
std::vector<HeldRun> heldRuns(Desk& desk) {
    const OpenStudy& study = desk.study();
    std::vector<HeldRun> runs;
    for (const auto& item : desk.runs().items()) {
        const bool inDraft = study.isInDraft(item->file()) ||
                             study.isInDraft(QString::fromStdString(study.checkpointOf(item->label())));
        if (item->isVolume() || inDraft || item->iterates().empty()) {
            continue;
        }
        HeldRun run;
        run.name = item->label().toStdString();
        run.file = item->imagesOnDisk().empty() ? std::string() : item->file().toStdString();
        run.description = item->checkpoint(item->lastIterate(), item->dataHash()).settingsJson;
        run.timing = item->timing();
        run.images = item->images();
        run.figures = item->figures();
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace

QString whyNotKeepStudy(Desk& desk) {
    if (desk.study().measurement() == nullptr) {
        return Text::tr("No data are open");
    }
    return desk.queue().active() != nullptr ? Text::tr("Cancel or finish the run first") : QString();
}

void keepStudy(Desk& desk, const QString& name) {
    const QString folder = name.endsWith(".tofstudy") ? name : name + ".tofstudy";
    const QString title = Text::tr("Saving %1").arg(QFileInfo(folder).fileName());
    if (const Study* open = desk.study().folder()) {
        desk.sessions().saveStudy();
        desk.tasks().add(
            title,
            [study = *open, folder](TaskControl& control) {
                static_cast<void>(
                    copyStudy(study, folder.toStdString(), [&control] { control.checkpoint(); }));
            },
            [&desk, folder] { desk.open({folder}); });
        desk.tasks().markWork();
        return;
    }
    try {
        const Study& draft = desk.store();
        desk.sessions().saveStudy();
        desk.tasks().add(
            title,
            [folder, draft, data = desk.study().measurement(), runs = heldRuns(desk)](TaskControl& control) {
                static_cast<void>(keepDraft(draft, folder.toStdString(), *data, runs,
                                            [&control] { control.checkpoint(); }));
            },
            [&desk, folder, saved = draft.allRuns()] { desk.openSaved(folder, saved); });
        desk.tasks().markWork();
    } catch (const CannotWrite& fault) {
        desk.messages().add(Severity::Error, fault.what());
    }
}

}  // namespace tof::ui
