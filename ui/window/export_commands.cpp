// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QMimeData>
#include <QSaveFile>
#include <QStackedWidget>

#include "recon/base/error.h"
#include "ui/kit/picture_file.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::saveText(const QString& title, const QString& name, const QString& text) {
    const QString csv = tr("CSV (*.csv)");
    const QString filter = name.endsWith(".tsv") ? tr("Tab separated (*.tsv)") + ";;" + csv : csv;
    const QString file = QFileDialog::getSaveFileName(this, title, name, filter);
    if (file.isEmpty()) {
        return;
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(tableFor(file, text).toUtf8()) < 0 || !out.commit()) {
        workspace_.messages().add(Severity::Error,
                                  tr("%1: cannot be written: %2").arg(file, out.errorString()));
    }
}

QWidget& MainWindow::picturesWidget() {
    QWidget* page = centre_->currentWidget();
    return page == viewer_ ? *viewer_->pictures() : page == matched_ ? *matched_->pictures() : *page;
}

QString MainWindow::shownName() {
    const auto text = [](const RunItem* item) {
        const QString what = item != nullptr && !item->isVolume() ? item->shownText() : QString();
        return item == nullptr ? QString()
                               : item->label() + " " + item->name() + (what.isEmpty() ? "" : ", " + what);
    };
    const QWidget* page = centre_->currentWidget();
    QString name = page == compare_   ? text(compare_->model().a()) + " - " + text(compare_->model().b())
                   : page == data_    ? workspace_.studyName() + ", " + data_->shownText()
                   : page == matched_ ? workspace_.studyName() + ", matched noise"
                   : page == lab_     ? QString("kernel lab")
                                      : text(workspace_.runs().selected());
    // What file systems take.
    for (QChar& c : name) {
        c = QString("/\\:*?\"<>|").contains(c) || c.unicode() < 32 ? QChar('_') : c;
    }
    return name.isEmpty() ? "slices" : name;
}

void MainWindow::savePictures() {
    const QString file = QFileDialog::getSaveFileName(this, tr("Save pictures"), shownName() + ".png",
                                                      tr("PNG (*.png);;PDF (*.pdf)"));
    if (file.isEmpty()) {
        return;
    }
    bool ok = false;
    const double scale = QInputDialog::getDouble(
        this, tr("Save pictures"), tr("Pixels for each one on the screen"), 2, 0.25, 16, 2, &ok);
    if (ok) {
        try {
            writePicture(picturesWidget(), file, scale);
        } catch (const Error& fault) {
            workspace_.messages().add(Severity::Error, fault.what());
        }
    }
}

void MainWindow::copyRoiTable() {
    auto* copied = new QMimeData;
    copied->setText(figures_->roiTable());
    if (const RoiModel& rois = workspace_.roiModel(); rois.selectedRoi() != nullptr) {
        copied->setData(kRoisMime, rois.toJson(rois.selected()).toUtf8());
    }
    QApplication::clipboard()->setMimeData(copied);
}

void MainWindow::addExportCommands() {
    const auto noImage = [this] {
        RunItem* item = workspace_.runs().selected();
        return item != nullptr && item->volume() != nullptr ? QString() : tr("There is no image yet");
    };
    // Data and the kernel lab have pictures before there is a reconstruction.
    const auto noPicture = [this, noImage] {
        const QWidget* page = centre_->currentWidget();
        return page == data_ || page == lab_ ? QString() : noImage();
    };
    commands_->add({.id = "export.picture",
                    .menu = "Tools",
                    .text = tr("Copy pictures"),
                    .help = tr("Puts the pictures, as seen, on the clipboard"),
                    .icon = "camera",
                    .keys = {QKeySequence(Qt::Key_F12)},
                    .run = [this] { QApplication::clipboard()->setPixmap(picturesWidget().grab()); },
                    .whyNot = noPicture,
                    .separatorBefore = true});
    commands_->add({.id = "export.picture-file",
                    .menu = "Tools",
                    .text = tr("Save pictures"),
                    .help = tr("Writes the pictures, as seen, to a PNG or PDF file, at any resolution"),
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F12)},
                    .run = [this] { savePictures(); },
                    .whyNot = noPicture});
    commands_->add(
        {.id = "export.curve",
         .menu = "Curves",
         .text = tr("Export curves"),
         .help = tr("Writes the points of all runs (CSV) or the chart (PNG, SVG, PDF), with the definitions"),
         .icon = "export",
         .run =
             [this] {
                 const QString file = QFileDialog::getSaveFileName(
                     this, tr("Export curves"), figures_->chart()->kind().id() + ".svg",
                     tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;CSV (*.csv)"));
                 if (!file.isEmpty()) {
                     carefully(tr("Exporting curves"), [&] { figures_->chart()->save(file); });
                 }
             },
         .whyNot =
             [this] {
                 return figures_->chart()->points().empty() ? tr("There are no points yet") : QString();
             }});
    commands_->add(
        {.id = "export.rois",
         .menu = "Tools",
         .text = tr("Copy ROI table"),
         .help = tr("Puts the table on the clipboard, tab separated, with decimal points"),
         .icon = "copy",
         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
         .run = [this] { copyRoiTable(); },
         .whyNot = [this] { return workspace_.rois().rois.empty() ? tr("There are no ROIs") : QString(); }});
    commands_->add({.id = "export.profile",
                    .menu = "Tools",
                    .text = tr("Export profile"),
                    .help = tr("Writes the profile of all runs to a CSV file"),
                    .icon = "export",
                    .run =
                        [this] {
                            const bool comparing = centre_->currentWidget() == compare_;
                            saveText(tr("Export profile"), shownName() + ", profile.csv",
                                     comparing ? compare_->profile()->toCsv() : viewer_->profile()->toCsv());
                        },
                    .whyNot = noImage});
}

}  // namespace tof::ui
