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

ExportCommands::ExportCommands(CommandRegistry& commands, const PictureModels& models, Screen& screen,
                               Messages& messages, PageStack& pages, FiguresPanel& figures, QWidget& window)
    : QObject(&window),
      models_(models),
      screen_(screen),
      messages_(messages),
      pages_(pages),
      figures_(figures),
      window_(window) {
    const auto noImage = [this] { return whyNoImage(models_.runs); };
    const auto noPicture = [this] { return pages_.inFront().whyNoPicture(); };
    commands.add(
        "Tools",
        {{.id = "export.picture",
          .text = tr("Copy pictures"),
          .help = tr("Puts the pictures, as seen, on the clipboard"),
          .icon = "camera",
          .keys = {QKeySequence(Qt::Key_F12)},
          .run = [this] { QApplication::clipboard()->setPixmap(pages_.inFront().pictures().grab()); },
          .whyNot = noPicture,
          .separatorBefore = true},
         {.id = "export.picture-file",
          .text = tr("Save pictures..."),
          .help = tr("Writes the pictures, as seen, to a PNG or PDF file, at any resolution"),
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F12)},
          .run = [this] { savePictures(pages_.inFront().pictures(), shownName()); },
          .whyNot = noPicture}});
    commands.add(
        {.id = "export.curve",
         .menu = "Curves",
         .text = tr("Export curves..."),
         .help = tr("Writes the points of all runs (CSV) or the chart (PNG, SVG, PDF), with the definitions"),
         .icon = "export",
         .run = [this] { exportCurve(); },
         .whyNot =
             [this] {
                 return figures_.chart()->points().empty() ? tr("There are no points yet") : QString();
             }});
    commands.add(
        "Tools",
        {{.id = "export.rois",
          .text = tr("Copy ROI table"),
          .help = tr("Puts the table on the clipboard, tab separated, with decimal points"),
          .icon = "copy",
          .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
          .run = [this] { copyRoiTable(); },
          .whyNot = [this] { return models_.rois.rois().empty() ? tr("There are no ROIs") : QString(); }},
         {.id = "export.profile",
          .text = tr("Export profile..."),
          .help = tr("Writes the profile of all runs to a CSV file"),
          .icon = "export",
          .run = [this] { exportProfile(); },
          .whyNot = noImage},
         {.id = "export.pane",
          .text = tr("Export the pane below the pictures..."),
          .help = tr("Writes what the pane below the pictures shows: profile, histogram or table of ROIs as "
                     "a table, "
                     "3-D as a picture"),
          .icon = "export",
          .run = [this, &commands] { exportPane(commands); },
          .whyNot = noImage}});
}

void ExportCommands::exportProfile() {
    saveTextAs(window_, messages_, tr("Export profile"), shownName() + ", profile.csv",
               provenance() + pages_.inFront().profileCsv());
}

QString ExportCommands::provenance() const {
    QString text = exportTitle(models_.study);
    for (const auto& item : models_.runs.items()) {
        if (item->volume() != nullptr) {
            text += "# " + exportRun(*item) + "; " + item->shownText() + "; values in " +
                    screen_.unitOf(*item).name + "\n";
        }
    }
    return text;
}

void ExportCommands::exportPane(const CommandRegistry& commands) {
    switch (models_.view.chart()) {
        case ChartKind::Rois: commands.trigger("roi.save-table"); return;
        case ChartKind::Profile: exportProfile(); return;
        case ChartKind::Histogram:
            saveTextAs(window_, messages_, tr("Export histogram"), shownName() + ", histogram.csv",
                       provenance() + pages_.inFront().profileCsv());
            return;
        case ChartKind::Solid: break;
    }
    if (QWidget* pane = pages_.inFront().findChild<SolidPane*>()) {
        savePictures(*pane, shownName() + ", 3-D");
    }
}

QString ExportCommands::shownName() {
    QString name = pages_.inFront().shownName();
    // What file systems take.
    for (QChar& c : name) {
        c = QString("/\\:*?\"<>|").contains(c) || c.unicode() < 32 ? QChar('_') : c;
    }
    return name.isEmpty() ? "slices" : name;
}

void ExportCommands::savePictures(QWidget& pictures, const QString& name) {
    const QString file = QFileDialog::getSaveFileName(&window_, tr("Save pictures"), name + ".png",
                                                      tr("PNG (*.png);;PDF (*.pdf)"));
    if (file.isEmpty()) {
        return;
    }
    bool ok = false;
    const double scale = QInputDialog::getDouble(
        &window_, tr("Save pictures"), tr("Pixels for each one on the screen"), 2, 0.25, 16, 2, &ok);
    if (ok) {
        try {
            writePicture(pictures, file, scale);
            messages_.written(file);
        } catch (const Error& fault) {
            messages_.add(Severity::Error, fault.what());
        }
    }
}

void ExportCommands::exportCurve() {
    const QString file =
        QFileDialog::getSaveFileName(&window_, tr("Export curves"), figures_.chart()->kind().id() + ".svg",
                                     tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;CSV (*.csv)"));
    if (!file.isEmpty()) {
        messages_.guard(tr("Exporting curves"), [&] {
            figures_.chart()->save(file);
            messages_.written(file);
        });
    }
}

void ExportCommands::copyRoiTable() {
    auto* copied = new QMimeData;
    copied->setText(figures_.roiTable());
    if (const RoiModel& rois = models_.rois; rois.selectedRoi() != nullptr) {
        copied->setData(kRoisMime, rois.toJson(rois.selected()).toUtf8());
    }
    QApplication::clipboard()->setMimeData(copied);
}

}  // namespace tof::ui
