// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>

#include "ui/desk/run_list.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/run_commands.h"

namespace tof::ui {

QString ComparePage::whyNoPicture() const {
    return whyNoImage(models_.runs);
}

QString ComparePage::shownName() {
    return shownNameOf(model_.a()) + " - " + shownNameOf(model_.b());
}

void ComparePage::addCommands(CommandRegistry& commands) {
    const auto notComparing = [this] { return isInFront() ? QString() : tr("Open the Compare page first"); };
    const std::tuple<CompareMode, QString, QString, Qt::Key> modes[] = {
        {CompareMode::SideBySide, tr("Columns"), tr("Both images and their difference beside each other"),
         Qt::Key_5},
        {CompareMode::Swipe, tr("Swipe"),
         tr("The first image left and the second right of a divider that can be dragged"), Qt::Key_6},
        {CompareMode::Checkerboard, tr("Checkerboard"), tr("Both images in alternating squares"), Qt::Key_7}};
    for (const auto& [mode, text, help, key] : modes) {
        commands.add({.id = "compare." + modeName(mode),
                      .menu = "View",
                      .text = text,
                      .help = help,
                      .keys = {QKeySequence(key)},
                      .run = [this, m = mode] { model_.setMode(m); },
                      .whyNot = notComparing,
                      .checked = [this, m = mode] { return model_.mode() == m; }});
    }
    commands.add("View", {{.id = "compare.swap",
                           .text = tr("Swap the two images"),
                           .help = tr("The difference changes its sign"),
                           .icon = "swap",
                           .keys = {QKeySequence(Qt::SHIFT | Qt::Key_D)},
                           .run = [this] { model_.swap(); },
                           .whyNot = notComparing},
                          {.id = "compare.auto",
                           .text = tr("Auto limit"),
                           .brief = tr("Auto"),
                           .help = tr("Limit of the difference at the 99.9th percentile of its size"),
                           .keys = {QKeySequence(Qt::Key_Equal)},
                           .run = [this] { model_.setAutoLimit(); },
                           .whyNot = notComparing,
                           .checked = [this] { return model_.autoLimit(); }},
                          {.id = "compare.relative",
                           .text = tr("Difference in per cent"),
                           .brief = tr("%"),
                           .help = tr("Limit, colour bar and figures of the difference in per cent of the "
                                      "second image's largest value"),
                           .keys = {QKeySequence(Qt::Key_Percent)},
                           .run = [this] { model_.setRelative(!model_.relative()); },
                           .whyNot = notComparing,
                           .checked = [this] { return model_.relative(); }}});
    commands.add({.id = "export.compare",
                  .menu = "Tools",
                  .text = tr("Copy difference figures"),
                  .help = tr("Puts the numbers under the comparison on the clipboard"),
                  .icon = "copy",
                  .run = [this] { QApplication::clipboard()->setText(figuresText()); },
                  .whyNot = notComparing});
    connect(&model_, &CompareModel::changed, this, &Page::commandsChanged);
}

}  // namespace tof::ui
