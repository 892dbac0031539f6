// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/frame_images.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <memory>

#include "recon/base/error.h"
#include "recon/work/dynamic_run.h"
#include "recon/work/reconstruct.h"
#include "ui/desk/desk.h"
#include "ui/desk/made_files.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// A run as a task: the sum is the first part of it, its frames the others.
class TaskListener : public JobListener {
  public:
    TaskListener(TaskControl& control, int frames) : control_(control), parts_(1.0 + frames) {}

    void checkpoint() override { control_.checkpoint(); }
    void progress(const RunProgress& at) override {
        const double done = at.iteration - 1 + static_cast<double>(at.block) / static_cast<double>(at.blocks);
        if (!frames_) {
            control_.report(done / at.iterations / parts_);
        }
    }
    void shareReady(const std::string& what, double share) override {
        if (what == "frames") {
            frames_ = true;
            control_.report((1 + share * (parts_ - 1)) / parts_);
        }
    }
    [[nodiscard]] ImagesAre images() const override { return ImagesAre::NotWanted; }

  private:
    TaskControl& control_;
    double parts_;
    bool frames_ = false;  ///< the sum is made
};

}  // namespace

QString whyNoFrameImages(const Desk& desk) {
    const auto& data = desk.study().measurement();
    return data == nullptr          ? Text::tr("Open data first")
           : frameCount(*data) == 0 ? Text::tr("The data are not cut by time: Tools > Time > Make frames")
                                    : QString();
}

void makeFrameImages(Desk& desk, const FramesAsked& frames, const QString& file) {
    ReconstructRequest request;
    request.data = desk.study().measurement();
    request.settings = desk.settings().current();
    request.frames = frames;
    request.priority = Priority::Background;
    const auto note = std::make_shared<std::string>();
    desk.tasks().add(
        Text::tr("Images of %n frames", "", frameCount(*request.data)),
        [note, request, file, &engines = desk.engines()](TaskControl& control) mutable {
            const QTemporaryDir folder(QFileInfo(file).absolutePath() + "/.frames-XXXXXX");
            if (!folder.isValid()) {
                throw CannotWrite(Text::tr("%1: cannot be written; choose another folder")
                                      .arg(QFileInfo(file).absolutePath())
                                      .toStdString());
            }
            request.files.runFile = folder.filePath("run.h5").toStdString();
            TaskListener listener(control, frameCount(*request.data));
            static_cast<void>(reconstruct(request, engines, listener));
            *note = writeDynamicRun(request.files.runFile,
                                    {file.toStdString(), [&control] { control.checkpoint(); }});
        },
        [note, file, &desk] {
            if (!note->empty()) {
                desk.messages().add(Severity::Warning, QString::fromStdString(*note));
            }
            openMade(desk, {file}, Text::tr("Make images of frames"));
        });
    desk.tasks().markWork();
}

}  // namespace tof::ui
