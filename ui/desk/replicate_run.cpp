// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/replicate_run.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <algorithm>
#include <memory>

#include "recon/io/hdf5/run_io.h"
#include "recon/work/reconstruct.h"
#include "recon/work/replicates.h"
#include "ui/desk/desk.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// The run and its replicates as one task: the run counts as one of them.
class ReplicateListener : public JobListener {
  public:
    ReplicateListener(TaskControl& control, int replicates) : control_(control), all_(1.0 + replicates) {}

    void preparing(const std::string& what) override {
        control_.checkpoint();
        resampling_ = resampling_ || what == "replicates";
    }
    void checkpoint() override { control_.checkpoint(); }
    void progress(const RunProgress& now) override {
        // Of the run: which iteration; of the replicates: how many there are.
        const double inside = resampling_ ? now.iteration
                                          : (now.iteration - 1 +
                                             static_cast<double>(now.block) /
                                                 static_cast<double>(std::max<std::size_t>(1, now.blocks))) /
                                                std::max(1, now.iterations);
        control_.report(std::min(1.0, (resampling_ ? 1 : 0) / all_ + inside / all_));
    }

  private:
    TaskControl& control_;
    double all_;
    bool resampling_ = false;
};

struct Made {
    std::shared_ptr<Volume> mean;
    std::shared_ptr<Volume> sd;
};

/// A name that no file has: "replicates.h5", "replicates-2.h5".
QString freeFile(const QString& folder) {
    QString file = folder + "/replicates.h5";
    for (int i = 2; QFileInfo::exists(file); ++i) {
        file = folder + QString("/replicates-%1.h5").arg(i);
    }
    return file;
}

}  // namespace

QString whyNoReplicates(Desk& desk) {
    const QString why = desk.queue().whyNoRun();
    if (!why.isEmpty()) {
        return why;
    }
    return desk.study().histo() == nullptr
               ? Text::tr("Counts of histo-images alone are resampled; open list-mode as histo-images")
               : QString();
}

void runWithReplicates(Desk& desk, int replicates) {
    ReconstructRequest request{desk.study().measurement(), desk.settings().current()};
    request.rois = desk.rois().set();
    request.replicates = replicates;
    request.priority = Priority::Background;
    // Of data without a folder: gone with the last task that knows of it, which is the program's end.
    std::shared_ptr<QTemporaryDir> aside;
    QString folder;
    if (desk.study().writes()) {
        folder = QString::fromStdString(desk.study().folder()->folder());
    } else {
        aside = std::make_shared<QTemporaryDir>();
        folder = aside->path();
        QObject::connect(&desk, &QObject::destroyed, [aside] {});
    }
    const QString file = freeFile(folder);
    request.files.runFile = file.toStdString();
    const auto made = std::make_shared<Made>();
    desk.tasks().add(
        Text::tr("Reconstructing %1 replicates").arg(replicates),
        [request, made, replicates, &engines = desk.engines()](TaskControl& control) {
            ReplicateListener listener(control, replicates);
            const ReconstructResult result = reconstruct(request, engines, listener);
            const auto read = [&](ReplicateImage which) {
                return std::make_shared<Volume>(
                    readReplicates(request.files.runFile, result.lastIteration, which));
            };
            made->mean = read(ReplicateImage::Mean);
            made->sd = read(ReplicateImage::Sd);
        },
        [&desk, made, file, replicates] {
            desk.open({file});
            desk.runs().addVolume(Text::tr("mean of %1 replicates").arg(replicates), made->mean);
            desk.runs().addVolume(Text::tr("SD of %1 replicates").arg(replicates), made->sd);
        });
    desk.tasks().markWork();
}

}  // namespace tof::ui
