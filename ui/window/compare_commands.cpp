// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QStackedWidget>

#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::addCompareCommands() {
    const auto notComparing = [this] {
        return centre_->currentWidget() == compare_ ? QString() : tr("Open the Compare page first");
    };
    commands_->add({.id = "page.slices",
                    .menu = "View",
                    .text = tr("Slices"),
                    .help = tr("One image in three planes"),
                    .icon = "slices",
                    .run = [this] { centre_->setCurrentWidget(viewer_); },
                    .checked = [this] { return centre_->currentWidget() == viewer_; },
                    .separatorBefore = true});
    commands_->add({.id = "page.compare",
                    .menu = "View",
                    .text = tr("Compare"),
                    .help = tr("Two images and their difference, in three planes"),
                    .icon = "compare",
                    .keys = {QKeySequence(Qt::Key_D)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(centre_->currentWidget() == compare_
                                                          ? static_cast<QWidget*>(viewer_)
                                                          : compare_);
                            refresh();
                        },
                    .whyNot = [this] { return compare_->model().whyNot(); },
                    .checked = [this] { return centre_->currentWidget() == compare_; }});
    const std::tuple<CompareMode, QString, QString, Qt::Key> modes[] = {
        {CompareMode::SideBySide, tr("Columns"), tr("A, B and their difference beside each other"),
         Qt::Key_5},
        {CompareMode::Swipe, tr("Swipe"), tr("A left and B right of a divider that can be dragged"),
         Qt::Key_6},
        {CompareMode::Checkerboard, tr("Checkerboard"), tr("A and B in alternating squares"), Qt::Key_7}};
    for (const auto& [mode, text, help, key] : modes) {
        commands_->add({.id = "compare." + modeName(mode),
                        .menu = "View",
                        .text = text,
                        .help = help,
                        .keys = {QKeySequence(key)},
                        .run = [this, m = mode] { compare_->model().setMode(m); },
                        .whyNot = notComparing,
                        .checked = [this, m = mode] { return compare_->model().mode() == m; }});
    }
    commands_->add({.id = "compare.swap",
                    .menu = "View",
                    .text = tr("Swap A and B"),
                    .help = tr("The difference changes its sign"),
                    .icon = "swap",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_D)},
                    .run = [this] { compare_->model().swap(); },
                    .whyNot = notComparing});
    commands_->add({.id = "compare.auto",
                    .menu = "View",
                    .text = tr("Auto limit"),
                    .brief = tr("Auto"),
                    .help = tr("Limit of the difference at the 99.9th percentile of its size"),
                    .keys = {QKeySequence(Qt::Key_Equal)},
                    .run = [this] { compare_->model().setAutoLimit(); },
                    .whyNot = notComparing,
                    .checked = [this] { return compare_->model().autoLimit(); }});
    commands_->add(
        {.id = "compare.relative",
         .menu = "View",
         .text = tr("Difference in per cent of B"),
         .brief = tr("% of B"),
         .help = tr("Limit, colour bar and figures of the difference in per cent of B's largest value"),
         .keys = {QKeySequence(Qt::Key_Percent)},
         .run = [this] { compare_->model().setRelative(!compare_->model().relative()); },
         .whyNot = notComparing,
         .checked = [this] { return compare_->model().relative(); }});
    commands_->add({.id = "export.compare",
                    .menu = "Tools",
                    .text = tr("Copy difference figures"),
                    .help = tr("Puts the numbers under the comparison on the clipboard"),
                    .icon = "copy",
                    .run = [this] { QApplication::clipboard()->setText(compare_->figuresText()); },
                    .whyNot = notComparing});
}

}  // namespace tof::ui
