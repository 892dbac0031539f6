// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/kinetics_task.h"

#include <QStringList>
#include <memory>
#include <utility>
#include <vector>

#include "recon/work/kinetics.h"
#include "ui/desk/desk.h"
#include "ui/desk/made_files.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/text.h"

namespace tof::ui {

void fitKineticsOf(Desk& desk, const RunItem& item, const KineticsWish& wish) {
    std::vector<KeptImage> frames;
    for (const int frame : item.iterates()) {
        frames.push_back(item.kept(frame));
    }
    struct Made {
        QStringList files;
        QStringList notes;
    };
    const auto made = std::make_shared<Made>();
    const std::string source = (item.file().isEmpty() ? item.name() : item.file()).toStdString();
    desk.tasks().add(
        Text::tr("Fitting %1").arg(QString::fromStdString(wish.model)),
        [made, wish, source, frames = std::move(frames), info = *item.dynamic(),
         rois = desk.rois().rois()](TaskControl& control) {
            TaskProgress progress(control, {{"fitting " + wish.model, 1}});
            DynamicImage image;
            static_cast<DynamicInfo&>(image) = info;
            for (const KeptImage& frame : frames) {
                image.values.push_back(frame.get([&control] { control.checkpoint(); })->data);
            }
            const ThreadPool pool = progress.pool(0, Priority::Background);
            const KineticsResult result = fitKinetics(image, source, wish, rois, pool, progress);
            const Destination to(wish.folder, [&control] { control.checkpoint(); });
            for (const std::string& file : writeKinetics(to, ".nii.gz", result, wish, source)) {
                made->files << QString::fromStdString(wish.folder + "/" + file);
            }
            made->notes = progress.notes();
        },
        [made, &desk] {
            for (const QString& note : made->notes) {
                desk.messages().add(Severity::Warning, note);
            }
            openMade(desk, made->files, Text::tr("Make parametric image"));
        });
    desk.tasks().markWork();
}

}  // namespace tof::ui
