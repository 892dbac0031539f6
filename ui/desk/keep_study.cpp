// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/keep_study.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "recon/work/kept_study.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// Every run that has ended with an image.
std::vector<HeldRun> heldRuns(Desk& desk) {
    std::vector<HeldRun> runs;
    for (const auto& item : desk.runs().items()) {
        if (item->isVolume() || item->images().empty()) {
            continue;
        }
        HeldRun run;
        run.name = item->label().toStdString();
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
    const auto opened = [&desk, folder] { desk.open({folder}); };
    const QString title = Text::tr("Saving %1").arg(QFileInfo(folder).fileName());
    if (const Study* open = desk.study().folder()) {
        desk.sessions().saveStudy();
        desk.tasks().add(
            title,
            [study = *open, folder](TaskControl&) {
                static_cast<void>(copyStudy(study, folder.toStdString()));
            },
            opened);
        return;
    }
    desk.tasks().add(
        title,
        [folder, data = desk.study().measurement(), runs = heldRuns(desk), rois = desk.rois().set(),
         settings = desk.settings().current(), view = desk.sessions().parts().toJson().dump()](TaskControl&) {
            Study study = keepAsStudy(folder.toStdString(), *data, runs);
            study.rois = rois;
            study.settings = settings;
            study.viewJson = view;
            study.save();
        },
        opened);
}

}  // namespace tof::ui
