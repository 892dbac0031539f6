// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/export_commands.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QMimeData>

#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/save_file.h"
#include "ui/pages/run_commands.h"
#include "ui/pictures/solid_pane.h"
#include "ui/rois/roi_actions.h"
#include "ui/rois/roi_table.h"

namespace tof::ui {

ExportCommands::ExportCommands(const Workbench& bench) : QObject(&bench.window), Workbench(bench) {
    const auto noImage = [this] { return whyNoImage(runs); };
    const auto noPicture = [this] { return pages.inFront().whyNoPicture(); };
    commands.add("Tools",
                 {{.id = "export.picture",
                   .text = tr("Copy pictures"),
                   .help = tr("Puts the pictures, as seen, on the clipboard"),
                   .icon = "camera",
                   .keys = {QKeySequence(Qt::Key_F12)},
                   .run = [this] { QApplication::clipboard()->setPixmap(pages.inFront().pictures().grab()); },
                   .whyNot = noPicture,
                   .separatorBefore = true},
                  {.id = "export.picture-file",
                   .text = tr("Save pictures..."),
                   .help = tr("Writes the pictures, as seen, to a PNG or PDF file, at any resolution"),
                   .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F12)},
                   .run = [this] { savePictures(pages.inFront().pictures(), shownName()); },
                   .whyNot = noPicture}});
    commands.add(
        {.id = "export.curve",
         .menu = "Curves",
         .text = tr("Export curves..."),
         .help = tr(
             "Writes the points of all runs (CSV, TSV) or the chart (PNG, SVG, PDF), with the definitions"),
         .icon = "export",
         .run = [this] { exportCurve(); },
         .whyNot =
             [this] {
                 return figures.chart()->points().empty() ? tr("There are no points yet") : QString();
             }});
    commands.add("Tools",
                 {{.id = "export.rois",
                   .text = tr("Copy ROI table"),
                   .help = tr("Puts the table on the clipboard, tab separated, with decimal points"),
                   .icon = "copy",
                   .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                   .run = [this] { copyRoiTable(); },
                   .whyNot = [this] { return rois.rois().empty() ? tr("There are no ROIs") : QString(); }},
                  {.id = "export.profile",
                   .text = tr("Export profile..."),
                   .help = tr("Writes the profile of all runs to a CSV file"),
                   .icon = "export",
                   .run = [this] { exportProfile(); },
                   .whyNot = noImage},
                  {.id = "export.pane",
                   .text = tr("Export the pane below the pictures..."),
                   .help = tr("Writes what the pane below the pictures shows: profile, histogram, ROIs or "
                              "curves against time as a table, 3-D as a picture"),
                   .icon = "export",
                   .run = [this] { exportPane(); },
                   .whyNot = noImage}});
}

void ExportCommands::exportProfile() {
    saveTextAs(window, messages, tr("Export profile"), shownName() + ", profile.csv",
               provenance() + pages.inFront().profileCsv());
}

QString ExportCommands::provenance() const {
    QString text = exportTitle(study);
    for (const auto& item : runs.items()) {
        if (item->volume() != nullptr) {
            text += "# " + exportRun(*item) + "; " + item->shownText() + "; values in " +
                    screen.unitOf(*item).name + "\n";
        }
    }
    return text;
}

void ExportCommands::exportPane() {
    switch (view.chart()) {
        case ChartKind::Rois: commands.trigger("roi.save-table"); return;
        case ChartKind::Profile: exportProfile(); return;
        case ChartKind::Histogram:
            saveTextAs(window, messages, tr("Export histogram"), shownName() + ", histogram.csv",
                       provenance() + pages.inFront().profileCsv());
            return;
        case ChartKind::Time:
            saveTextAs(window, messages, tr("Export curves against time"), shownName() + ", time.tsv",
                       provenance() + viewer.timeChart()->toTsv());
            return;
        case ChartKind::Solid: break;
    }
    if (QWidget* pane = pages.inFront().findChild<SolidPane*>()) {
        savePictures(*pane, shownName() + ", 3-D");
    }
}

QString ExportCommands::shownName() {
    QString name = pages.inFront().shownName();
    // What file systems take.
    for (QChar& c : name) {
        c = QString("/\\:*?\"<>|").contains(c) || c.unicode() < 32 ? QChar('_') : c;
    }
    return name.isEmpty() ? "slices" : name;
}

void ExportCommands::savePictures(QWidget& pictures, const QString& name) {
    const QString file = QFileDialog::getSaveFileName(&window, tr("Save pictures"), name + ".png",
                                                      tr("PNG (*.png);;PDF (*.pdf)"));
    if (file.isEmpty()) {
        return;
    }
    bool ok = false;
    const double scale = QInputDialog::getDouble(
        &window, tr("Save pictures"), tr("Pixels for each one on the screen"), 2, 0.25, 16, 2, &ok);
    if (ok) {
        try {
            writePicture(pictures, file, scale);
            messages.written(file);
        } catch (const Error& fault) {
            messages.add(Severity::Error, fault.what());
        }
    }
}

void ExportCommands::exportCurve() {
    const QString file =
        QFileDialog::getSaveFileName(&window, tr("Export curves"), figures.chart()->kind().id() + ".svg",
                                     tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;CSV (*.csv);;TSV (*.tsv)"));
    if (!file.isEmpty()) {
        messages.guard(tr("Exporting curves"), [&] {
            figures.chart()->save(file);
            messages.written(file);
        });
    }
}

void ExportCommands::copyRoiTable() {
    auto* copied = new QMimeData;
    copied->setText(figures.roiTable());
    if (rois.selectedRoi() != nullptr) {
        copied->setData(kRoisMime, rois.toJson(rois.selected()).toUtf8());
    }
    QApplication::clipboard()->setMimeData(copied);
}

}  // namespace tof::ui
