// SPDX-License-Identifier: Apache-2.0
#include "ui/window/file_commands.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <algorithm>

#include "recon/io/bytes/named_file.h"
#include "recon/io/format_table.h"
#include "ui/desk/cursor_link.h"
#include "ui/desk/desk.h"
#include "ui/desk/keep_study.h"
#include "ui/desk/layers.h"
#include "ui/desk/run_rescue.h"
#include "ui/desk/session_keeper.h"
#include "ui/kit/questions.h"
#include "ui/pages/run_commands.h"
#include "ui/pages/stop_question.h"
#include "ui/pictures/series_dialog.h"
#include "ui/window/binning_dialog.h"
#include "ui/window/browse_dialog.h"
#include "ui/window/dialogs.h"
#include "ui/window/open_dialog.h"
#include "ui/window/simulation_dialog.h"

namespace tof::ui {

FileCommands::FileCommands(CommandRegistry& commands, Desk& desk, const Questions& questions,
                           const StopQuestion& stopping, SessionKeeper& keeper, RunRescue& rescue,
                           QWidget& window)
    : QObject(&window),
      desk_(desk),
      questions_(questions),
      stopping_(stopping),
      keeper_(keeper),
      rescue_(rescue),
      window_(window),
      link_(*new CursorLink(desk.view(), &window)) {
    const bool asks = questions.asking() != Asking::Never;
    if (asks) {
        desk_.setListBinning(std::nullopt);
    }
    desk_.setAskForSeries(asks);
    desk_.setAskBeforeReplacing(asks);
    if (asks) {
        connect(&desk_.tasks(), &TaskQueue::failed, this, &FileCommands::askOutside, Qt::QueuedConnection);
    }
    // Not from within the queue that found it: a dialog has an event loop of its own.
    connect(&desk_, &Desk::listFound, this, &FileCommands::binList, Qt::QueuedConnection);
    connect(&desk_, &Desk::seriesFound, this, &FileCommands::chooseSeries, Qt::QueuedConnection);
    connect(&desk_, &Desk::replacing, this, &FileCommands::replace, Qt::QueuedConnection);
    addOpening(commands);
    addKeeping(commands);
    connect(&link_, &CursorLink::changed, &commands, &CommandRegistry::refresh);
}

void FileCommands::addOpening(CommandRegistry& commands) {
    commands.add(
        "File",
        {{.id = "file.open",
          .text = tr("Open..."),
          .brief = QChar(0x2009) + tr("Open"),
          .help = tr("Opens a study folder, data, list-mode, run or volume"),
          .icon = "open",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_O)},
          .run = [this] { open(); }},
         {.id = "file.open-study",
          .text = tr("Open folder..."),
          .help = tr("Opens a study, NAME.tofstudy, or a folder of DICOM files"),
          .run = [this] { openStudy(); }},
         {.id = "file.browse",
          .text = tr("Browse a folder..."),
          .help = tr(
              "Series of DICOM and studies in a folder and below it, with pictures; several open as layers"),
          .run = [this] { browseFolder(); }},
         {.id = "file.beside",
          .text = tr("Open beside..."),
          .help = tr("Opens another study in a window of its own, whose cursor goes with this one's"),
          .run = [this] { openBeside(); }},
         {.id = "file.unlink",
          .text = tr("Cursor goes with the windows beside"),
          .help = tr("Off, this window's cursor is its own again"),
          .run = [this] { link_.leave(); },
          .whyNot =
              [this] { return link_.name().isEmpty() ? tr("No window is beside this one") : QString(); },
          .checked = [this] { return !link_.name().isEmpty(); }},
         {.id = "file.simulate",
          .text = tr("New simulated study..."),
          .brief = QChar(0x2009) + tr("New simulated study"),
          .help = tr("Simulates a phantom in a scanner, once or for several seeds, and opens it as a study"),
          .icon = "simulate",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_N)},
          .run = [this] { simulate(); }},
         {.id = "file.demo",
          .text = tr("Open the demo study"),
          .help = tr("Opens the demo study; it is simulated at the first use"),
          .icon = "flask",
          .run = [this] { desk_.openDemo(); }}});
}

void FileCommands::addKeeping(CommandRegistry& commands) {
    commands.add(
        "File",
        {{.id = "file.save-image",
          .text = tr("Save image as..."),
          .help = tr("Writes the volume on screen as HDF5, NIfTI or Interfile"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_S)},
          .run = [this] { saveImage(); },
          .whyNot = [this] { return whyNoImage(desk_.runs()); },
          .separatorBefore = true},
         {.id = "file.save-study",
          .text = tr("Save study as..."),
          .help = tr("Makes a study of the open data with their runs, ROIs and settings, or copies the open "
                     "study, and opens it"),
          .run = [this] { saveStudy(); },
          .whyNot = [this] { return whyNotKeepStudy(desk_); }},
         {.id = "file.close",
          .text = tr("Close study"),
          .help = tr("Closes what is open; its view and settings are kept in the study"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_W)},
          .run =
              [this] {
                  if (stopping_.mayStop(tr("Close study"))) {
                      desk_.close();
                  }
              },
          .whyNot = [this] { return desk_.isEmpty() ? tr("Nothing is open") : QString(); }},
         {.id = "file.reopen",
          .text = tr("Reopen last session"),
          .help = tr("Opens the files of the session before this one and puts everything back as it was"),
          .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
          .run = [this] { desk_.openLastSession(keeper_.before()); },
          .whyNot =
              [this] {
                  return keeper_.before().empty() ? tr("No earlier session is remembered") : QString();
              }},
         {.id = "file.recover",
          .text = tr("Recover runs"),
          .help = tr("Opens the data of runs that an earlier session has left, and puts the runs beside what "
                     "is there"),
          .run = [this] { rescue_.recover(); },
          .whyNot = [this] { return rescue_.whyNot(); }},
         {.id = "file.discard",
          .text = tr("Discard what was left"),
          .help = tr("Deletes the runs that an earlier session has left, for good"),
          .run =
              [this] {
                  if (questions_.confirm(tr("Discard what was left"), rescue_.summary(), tr("Discard"))) {
                      rescue_.discard();
                  }
              },
          .whyNot = [this] { return rescue_.whyNot(); }},
         {.id = "file.quit",
          .text = tr("Quit"),
          .help = tr("Closes the window; a running reconstruction is stopped"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
          .run = [this] { window_.close(); },
          .separatorBefore = true}});
}

void FileCommands::open() {
    OpenDialog dialog(&window_);
    if (dialog.exec() == QDialog::Accepted) {
        desk_.open(dialog.paths());
    }
}

void FileCommands::simulate() {
    SimulationDialog dialog(desk_.threading(), whyNoSimulator(desk_.engines(), "cuda"), &window_);
    if (dialog.exec() == QDialog::Accepted) {
        desk_.simulate(dialog.request());
    }
}

void FileCommands::openStudy() {
    const QString folder = QFileDialog::getExistingDirectory(&window_, tr("Open folder"));
    if (!folder.isEmpty()) {
        desk_.open({folder});
    }
}

void FileCommands::browseFolder() {
    BrowseDialog dialog(browsed_, desk_.threading(), &window_);
    if (dialog.exec() != QDialog::Accepted) {
        return;
    }
    browsed_ = dialog.folder();
    const std::vector<BrowsedItem> chosen = dialog.chosen();
    for (const BrowsedItem& item : chosen) {
        const QString path = QString::fromStdString(item.path);
        if (item.kind == "study") {
            desk_.open({path});
        } else {
            desk_.openSeries(path, item.choice, QString::fromStdString(item.name));
        }
    }
    if (std::any_of(chosen.begin(), chosen.end(), [](const auto& item) { return item.kind == "CT"; }) &&
        chosen.size() > 1) {
        desk_.tasks().then([this] { layCtUnder(); });
    }
}

/// What was opened last becomes a stack: the newest CT lies under the newest other image.
void FileCommands::layCtUnder() {
    const auto& items = desk_.runs().items();
    const auto newest = [&](bool ct) {
        return std::find_if(items.rbegin(), items.rend(), [ct](const auto& item) {
            return item->isVolume() && (item->units() == "HU") == ct;
        });
    };
    const auto under = newest(true);
    const auto over = newest(false);
    if (under != items.rend() && over != items.rend() &&
        desk_.layers().whyNotPin((*under)->label()).isEmpty()) {
        desk_.layers().pin((*under)->label());
        desk_.runs().select((*over)->id());
    }
}

void FileCommands::openBeside() {
    OpenDialog dialog(&window_);
    if (dialog.exec() != QDialog::Accepted) {
        return;
    }
    desk_.messages().guard(tr("Open beside"), [&] {
        if (link_.name().isEmpty()) {
            link_.join(QString::number(QCoreApplication::applicationPid()));
        }
        const QString program = QCoreApplication::applicationFilePath();
        // It joins once its study is there: the cursor of this window is the one that stays.
        if (!QProcess::startDetached(program,
                                     dialog.paths() + QStringList{"--wait", "--link", link_.name()})) {
            throw Unavailable(program.toStdString() + " did not start");
        }
    });
}

void FileCommands::askOutside(const QString& /*title*/, const QString& sentence) {
    const std::optional<LeadsOutside> refused = takeRefusal(sentence.toStdString());
    if (refused &&
        QMessageBox::question(
            &window_, tr("File of another folder"),
            tr("%1 names the file '%2', which lies outside its folder. May it be read? Say yes only if you "
               "trust where the header came from, and open it again.")
                .arg(QString::fromStdString(refused->header), QString::fromStdString(refused->named)),
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes) {
        allowOutside(refused->header);
    }
}

void FileCommands::binList(const QString& path, const ListBinning& usual, const QString& missing) {
    if (const auto binning = askForBinning(&window_, path, usual, missing)) {
        desk_.openList(path, *binning);
    }
}

void FileCommands::chooseSeries(const QString& path, const std::vector<VolumeSeries>& series) {
    SeriesDialog dialog(path, series, &window_);
    if (dialog.exec() == QDialog::Accepted) {
        for (const SeriesDialog::Choice& choice : dialog.choices()) {
            desk_.openSeries(path, choice.options, choice.name);
        }
    }
}

void FileCommands::replace(const QString& path) {
    if (stopping_.mayStop(tr("Open %1").arg(QFileInfo(path).fileName()))) {
        desk_.replaceNow();
    } else {
        desk_.keepWhatIsOpen();
    }
}

void FileCommands::saveStudy() {
    const QString folder = QFileDialog::getSaveFileName(&window_, tr("Save study as"), desk_.study().name(),
                                                        tr("Studies (*.tofstudy)"));
    if (!folder.isEmpty()) {
        keepStudy(desk_, folder);
    }
}

void FileCommands::saveImage() {
    const auto volume = desk_.runs().image();
    const QString file = QFileDialog::getSaveFileName(
        &window_, tr("Save image as"), QString(),
        tr("HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv);;DICOM series (*.dicom)"));
    if (!file.isEmpty()) {
        desk_.tasks().add(
            tr("Writing %1").arg(QFileInfo(file).fileName()),
            [volume, file](TaskControl& control) {
                writeVolume({file.toStdString(), [&control] { control.checkpoint(); }}, *volume);
            },
            [this, file] { desk_.messages().written(file); });
    }
}

}  // namespace tof::ui
