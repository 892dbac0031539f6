// SPDX-License-Identifier: Apache-2.0
#include "ui/window/follow_commands.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "ui/desk/follow_task.h"
#include "ui/kit/request_form.h"

namespace tof::ui {

namespace {

/// What is missing, said at its row; the first such field, or what `form` finds itself.
QWidget* check(RequestForm& form, const FollowWish& wish) {
    QWidget* first = form.check();
    const std::pair<const char*, bool> missing[] = {{"list", wish.bin.input.empty()},
                                                    {"counts", wish.counts.empty()}};
    for (const auto& [key, none] : missing) {
        if (!form.hasFault(key)) {
            form.setFault(key, none ? FollowCommands::tr("A name is needed") : QString());
        }
        first = first == nullptr && none ? form.field(key) : first;
    }
    return first;
}

}  // namespace

FollowCommands::FollowCommands(CommandRegistry& commands, Desk& desk, QWidget& window)
    : QObject(&window), desk_(desk), window_(window) {
    commands.add(
        "Run",
        {{.id = "run.follow",
          .text = tr("Follow..."),
          .help = tr("Counts the events of a list while it is still being written, and shows an "
                     "image of those so far; when it ends, its data are opened and "
                     "reconstructed"),
          .run = [this] { ask(); },
          .whyNot = [this] { return desk_.tasks().busy() ? tr("Something else is going on") : QString(); },
          .separatorBefore = true}});
}

void FollowCommands::ask() {
    FollowWish wish;
    QDialog dialog(&window_);
    dialog.setObjectName("follow.dialog");
    dialog.setWindowTitle(tr("Follow a list"));
    auto* form = new RequestForm("follow", followWishRows(wish));
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(form);
    column->addWidget(makeAnswers(dialog, tr("Follow"), [&] { return check(*form, wish); }));
    dialog.setMinimumWidth(460);
    if (dialog.exec() == QDialog::Accepted) {
        followList(desk_, wish);
    }
}

}  // namespace tof::ui
