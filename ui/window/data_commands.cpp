// SPDX-License-Identifier: Apache-2.0
#include <QFileDialog>
#include <QStackedWidget>

#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::addDataCommands() {
    const auto notShown = [this] {
        return centre_->currentWidget() == data_ ? QString() : tr("Open the Data page first");
    };
    commands_->add({.id = "page.data",
                    .menu = "View",
                    .text = tr("Data"),
                    .help = tr("The measured data by view, and what the image makes expected of them"),
                    .icon = "data",
                    .keys = {QKeySequence(Qt::Key_M)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(
                                centre_->currentWidget() == data_ ? static_cast<QWidget*>(viewer_) : data_);
                            refresh();
                        },
                    .whyNot = [this] { return data_->model().whyNot(DataQuantity::Counts); },
                    .checked = [this] { return centre_->currentWidget() == data_; }});
    const std::tuple<DataQuantity, QString, QString> quantities[] = {
        {DataQuantity::Counts, tr("Counts"), tr("Events of this view by most likely point")},
        {DataQuantity::Expected, tr("Expected"),
         tr("mult x forward(image on screen) + add, with the run's kernel")},
        {DataQuantity::Residual, tr("Residual"), tr("Counts minus expected")},
        {DataQuantity::Weighted, tr("Weighted"),
         tr("Residual in units of its Poisson SD, the root of what is expected")},
        {DataQuantity::Mult, tr("Mult"),
         tr("Probability that an emission that flies in this view's cell is recorded")},
        {DataQuantity::Add, tr("Add"), tr("Scatter and randoms expected in this view")}};
    for (const auto& [quantity, text, help] : quantities) {
        commands_->add({.id = "data." + QString::fromStdString(quantityName(quantity)),
                        .menu = "View",
                        .text = text,
                        .help = help,
                        .run = [this, q = quantity] { data_->model().setQuantity(q); },
                        .whyNot =
                            [this, q = quantity, notShown] {
                                const QString why = notShown();
                                return why.isEmpty() ? data_->model().whyNot(q) : why;
                            },
                        .checked = [this, q = quantity] { return data_->model().quantity() == q; }});
    }
    commands_->add({.id = "data.auto",
                    .menu = "View",
                    .text = tr("Auto range of the data"),
                    .brief = tr("Auto"),
                    .help = tr("Display range from the view on screen; symmetric about 0 for differences"),
                    .run = [this] { data_->model().resetRange(); },
                    .whyNot = notShown,
                    .checked = [this] { return data_->model().autoRange(); }});
    const std::tuple<const char*, QString, int, int, int> steps[] = {
        {"data.next-azimuth", tr("Next azimuth"), 0, 1, 0},
        {"data.previous-azimuth", tr("Previous azimuth"), 0, -1, 0},
        {"data.next-tilt", tr("Next tilt"), Qt::Key_BraceRight, 0, 1},
        {"data.previous-tilt", tr("Previous tilt"), Qt::Key_BraceLeft, 0, -1}};
    for (const auto& [id, text, key, azimuth, tilt] : steps) {
        commands_->add({.id = id,
                        .menu = "View",
                        .text = text,
                        .help = tr("The next view of the data; azimuths start over at 180 degrees"),
                        .keys = key != 0 ? QList<QKeySequence>{QKeySequence(key)} : QList<QKeySequence>{},
                        .run =
                            [this, a = azimuth, t = tilt] {
                                data_->model().stepAzimuth(a);
                                data_->model().stepTilt(t);
                            },
                        .whyNot = notShown});
    }
    commands_->add(
        {.id = "export.views",
         .menu = "Tools",
         .text = tr("Export counts by view"),
         .help = tr("Writes azimuth, tilt and counts of every view to a CSV file"),
         .icon = "export",
         .run = [this] { saveText(tr("Export counts by view"), "views.csv", data_->chart()->toCsv()); },
         .whyNot = notShown});
}

}  // namespace tof::ui
