// SPDX-License-Identifier: Apache-2.0
#include "ui/window/frame_images_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/frames/frame_list.h"
#include "recon/work/frame_rows.h"
#include "recon/work/joint_frames.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// Says at its row what cannot be; the first such field.
QWidget* check(RequestForm& form, const FramesAsked& asked, const FramedCounts& frames) {
    QWidget* const first = form.check();
    if (first != nullptr) {
        return first;
    }
    const auto count = static_cast<int>(frames.frames.size());
    std::string at = "only";
    if (asked.only == "sum") {
        form.setFault(at, Text::tr("The image of the sum alone is what Run makes"));
        return form.field(at);
    }
    try {
        const std::vector<int> numbers = frameNumbers(at, asked.only, count);
        at = "temporal-gates";
        if (asked.temporal.prior != nullptr) {
            static_cast<void>(framePairs(frames, numbers, asked.temporal.gates));
        }
    } catch (const WrongUse&) {
        form.setFault(at, at == "only" ? Text::tr("Give numbers from 1 to %1, as 3-10 or 1,4-6").arg(count)
                                       : Text::tr("Each gate has one frame: say which gates are compared"));
        return form.field(at);
    }
    return nullptr;
}

}  // namespace

std::optional<FramesAsked> askForFrames(QWidget* parent, const Measurement& data,
                                        const std::string& algorithm) {
    const FramedCounts& frames = *data.frames();
    FramesAsked asked;
    QDialog dialog(parent);
    dialog.setObjectName("frames.dialog");
    dialog.setWindowTitle(Text::tr("Make images of frames"));
    auto* form = new RequestForm("frames", boundRows(frameRows(), asked));
    if (algorithm != "osem" && algorithm != "mlem") {
        form->setWhyNot("temporal-prior", Text::tr("Choose OSEM or MLEM at the left to join frames"));
    }
    if (frames.gates == 0) {
        form->setWhyNot("temporal-gates", Text::tr("The data have no gates"), RequestForm::Unusable::Hidden);
    }
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(form);
    column->addWidget(makeAnswers(dialog, Text::tr("Choose file..."),
                                  [form, &asked, &frames] { return check(*form, asked, frames); }));
    dialog.setMinimumWidth(460);
    if (dialog.exec() != QDialog::Accepted) {
        return std::nullopt;
    }
    return asked;
}

}  // namespace tof::ui
