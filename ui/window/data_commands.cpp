// SPDX-License-Identifier: Apache-2.0
#include <QFileDialog>
#include <QStackedWidget>

#include "ui/main_window.h"

namespace tof::ui {

void MainWindow::addDataCommands() {
    const auto notShown = [this] {
        return centre_->currentWidget() == data_ ? QString() : QString("Open the Data page first");
    };
    commands_->add({.id = "page.data",
                    .menu = "View",
                    .text = "Data",
                    .help = "The measured data by view, and what the image makes expected of them",
                    .icon = "data",
                    .keys = {QKeySequence(Qt::Key_M)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(
                                centre_->currentWidget() == data_ ? static_cast<QWidget*>(viewer_) : data_);
                            refresh();
                        },
                    .whyNot =
                        [this] {
                            const bool lines = workspace_.jobData() && workspace_.data() == nullptr;
                            return lines
                                       ? QString("The open data are sinograms; this page shows histo-images")
                                       : data_->model().whyNot(DataQuantity::Counts);
                        },
                    .checked = [this] { return centre_->currentWidget() == data_; }});
    const std::tuple<DataQuantity, const char*, const char*> quantities[] = {
        {DataQuantity::Counts, "Counts", "Events of this view by most likely point"},
        {DataQuantity::Expected, "Expected", "mult x forward(image on screen) + add, with the run's kernel"},
        {DataQuantity::Residual, "Residual", "Counts minus expected"},
        {DataQuantity::Weighted, "Weighted",
         "Residual in units of its Poisson SD, the root of what is expected"},
        {DataQuantity::Mult, "Mult",
         "Probability that an emission that flies in this view's cell is recorded"},
        {DataQuantity::Add, "Add", "Scatter and randoms expected in this view"}};
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
                    .text = "Auto range of the data",
                    .brief = "Auto",
                    .help = "Display range from the view on screen; symmetric about 0 for differences",
                    .run = [this] { data_->model().resetRange(); },
                    .whyNot = notShown,
                    .checked = [this] { return data_->model().autoRange(); }});
    const std::tuple<const char*, const char*, int, int, int> steps[] = {
        {"data.next-azimuth", "Next azimuth", Qt::Key_BracketRight, 1, 0},
        {"data.previous-azimuth", "Previous azimuth", Qt::Key_BracketLeft, -1, 0},
        {"data.next-tilt", "Next tilt", Qt::Key_BraceRight, 0, 1},
        {"data.previous-tilt", "Previous tilt", Qt::Key_BraceLeft, 0, -1}};
    for (const auto& [id, text, key, azimuth, tilt] : steps) {
        commands_->add({.id = id,
                        .menu = "View",
                        .text = text,
                        .help = "The next view of the data; azimuths start over at 180 degrees",
                        .keys = {QKeySequence(key)},
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
         .text = "Export counts by view",
         .help = "Writes azimuth, tilt and counts of every view to a CSV file",
         .icon = "export",
         .run = [this] { saveText("Export counts by view", "views.csv", data_->chart()->toCsv()); },
         .whyNot = notShown});
}

}  // namespace tof::ui
