// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/open_study.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/save_file.h"
#include "ui/pages/data_page.h"
#include "ui/pages/data_scanner.h"

namespace tof::ui {

QString DataPage::shownName() {
    return models_.study.name() + ", " + shownText();
}

void DataPage::addCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return isInFront() ? QString() : tr("Open the Data page first"); };
    const std::tuple<DataQuantity, QString, QString> quantities[] = {
        {DataQuantity::Counts, tr("Counts"), tr("Events of this view by most likely point")},
        {DataQuantity::Expected, tr("Expected"),
         tr("mult x forward(att x image on screen) + add, with the run's kernel")},
        {DataQuantity::Residual, tr("Residual"), tr("Counts minus expected")},
        {DataQuantity::Weighted, tr("Weighted"),
         tr("Residual in units of its Poisson SD, the root of what is expected")},
        {DataQuantity::Mult, tr("Mult"),
         tr("Probability that an emission that flies in this view's cell is recorded")},
        {DataQuantity::Add, tr("Add"), tr("Scatter and randoms expected in this view")},
        {DataQuantity::Att, tr("Att"), tr("Share of pairs that survive on their way through the object")}};
    for (const auto& [quantity, text, help] : quantities) {
        commands.add({.id = "data." + QString::fromStdString(quantityName(quantity)),
                      .menu = "View",
                      .text = text,
                      .help = help,
                      .run = [this, q = quantity] { model_.setQuantity(q); },
                      .whyNot =
                          [this, q = quantity, notShown] {
                              const QString why = notShown();
                              return why.isEmpty() ? model_.whyNot(q) : why;
                          },
                      .checked = [this, q = quantity] { return model_.quantity() == q; }});
    }
    commands.add({.id = "data.auto",
                  .menu = "View",
                  .text = tr("Auto range of the data"),
                  .brief = tr("Auto"),
                  .help = tr("Display range from the view on screen; symmetric about 0 for differences"),
                  .run = [this] { model_.resetRange(); },
                  .whyNot = notShown,
                  .checked = [this] { return model_.autoRange(); }});
    const std::tuple<const char*, QString, int, int, int> steps[] = {
        {"data.next-azimuth", tr("Next azimuth"), 0, 1, 0},
        {"data.previous-azimuth", tr("Previous azimuth"), 0, -1, 0},
        {"data.next-tilt", tr("Next tilt"), Qt::Key_BraceRight, 0, 1},
        {"data.previous-tilt", tr("Previous tilt"), Qt::Key_BraceLeft, 0, -1}};
    for (const auto& [id, text, key, azimuth, tilt] : steps) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .help = tr("The next view of the data; azimuths start over at 180 degrees"),
                      .keys = key != 0 ? QList<QKeySequence>{QKeySequence(key)} : QList<QKeySequence>{},
                      .run =
                          [this, a = azimuth, t = tilt] {
                              model_.stepFirst(a);
                              model_.stepSecond(t);
                          },
                      .whyNot = notShown});
    }
    commands.add({.id = "export.views",
                  .menu = "Tools",
                  .text = tr("Export counts by view"),
                  .help = tr("Writes azimuth, tilt and counts of every view to a CSV file"),
                  .icon = "export",
                  .run =
                      [this] {
                          saveTextAs(*this, messages_, tr("Export counts by view"), "views.csv",
                                     chart_->toCsv());
                      },
                  .whyNot = notShown});
    findChild<DataScanner*>()->addCommand(commands, *this);
    connect(&model_, &DataModel::changed, this, &Page::commandsChanged);
}

}  // namespace tof::ui
