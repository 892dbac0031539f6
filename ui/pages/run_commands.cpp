// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_commands.h"

#include <QInputDialog>
#include <QLineEdit>

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "ui/desk/image_kind.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/tasks.h"
#include "ui/kit/messages.h"
#include "ui/kit/questions.h"
#include "ui/kit/text.h"
#include "ui/pages/settings_dialog.h"
#include "ui/pages/sweep_dialog.h"
#include "ui/pages/undo_steps.h"

namespace tof::ui {

namespace {

constexpr double kAskAfterSeconds = 60;

}  // namespace

QString whyNoImage(RunList& runs) {
    return runs.image() != nullptr ? QString() : Text::tr("There is no image yet");
}

QString whyNoFrames(RunList& runs) {
    const RunItem* item = runs.onScreen();
    return item != nullptr && item->dynamic() != nullptr ? QString()
                                                         : Text::tr("The image on screen has no frames");
}

QString shownNameOf(const RunItem* item) {
    const QString what = item != nullptr && !item->isVolume() ? item->shownText() : QString();
    return item == nullptr ? QString()
                           : item->label() + " " + item->name() + (what.isEmpty() ? "" : ", " + what);
}

RunCommands::RunCommands(CommandRegistry& commands, const RunModels& models, const Questions& questions,
                         QWidget& window)
    : QObject(&window), models_(models), questions_(questions), window_(window) {
    const auto follow = [&](const auto* model, auto signal) {
        connect(model, signal, &commands, &CommandRegistry::refresh);
    };
    follow(&models_.runs, &RunList::changed);
    follow(&models_.runs, &RunList::settled);
    follow(&models_.study, &OpenStudy::changed);
    follow(&models_.settings, &SettingsModel::edited);
    follow(&models_.live, &LiveTuning::changed);
    follow(&models_.tasks, &TaskQueue::changed);
    addDriving(commands);
    addChoosing(commands);
    addMaking(commands);
    addQueue(commands);
}

void RunCommands::addDriving(CommandRegistry& commands) {
    const auto noRun = [this] {
        return models_.queue.active() == nullptr ? tr("No run is going on") : QString();
    };
    // A simulation, binning or opening stands where a run would: the same keys hold and end it.
    const auto nothing = [this] {
        return models_.queue.active() == nullptr && !models_.tasks.busy() ? tr("Nothing is going on")
                                                                          : QString();
    };
    const auto notPaused = [this] {
        RunItem* item = models_.queue.active();
        return item != nullptr && item->state() == RunState::Paused ? QString()
                                                                    : tr("Pause the run first (F6)");
    };
    commands.add(
        "Run",
        {{.id = "run.start",
          .text = tr("Run"),
          .help =
              tr("Reconstructs the open data with the settings at the left, beside the runs that are there"),
          .icon = "run",
          .keys = {QKeySequence(Qt::Key_F5)},
          .run = [this] { models_.queue.start(); },
          .whyNot = [this] { return models_.queue.whyNoRun(); }},
         {.id = "run.live",
          .text = tr("Live tuning"),
          .help = tr("Reconstructs the open data for a few iterations at every change of a setting"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_L)},
          .run = [this] { models_.live.setOn(!models_.live.on()); },
          .checked = [this] { return models_.live.on(); }},
         {.id = "run.pause",
          .text = tr("Pause"),
          .help = tr("Stops at the next block boundary; again goes on. Without a run: what is being "
                     "simulated, binned or opened"),
          .icon = "pause",
          .keys = {QKeySequence(Qt::Key_F6)},
          .run =
              [this] {
                  if (models_.queue.active() != nullptr) {
                      models_.queue.driver().togglePause();
                  } else {
                      models_.tasks.togglePause();
                  }
              },
          .whyNot = nothing,
          .checked =
              [this] {
                  RunItem* item = models_.queue.active();
                  return item == nullptr ? models_.tasks.paused()
                                         : item != nullptr && (item->state() == RunState::Paused ||
                                                               item->order() == RunOrder::Pause);
              }},
         {.id = "run.step",
          .text = tr("Step"),
          .help = tr("Does one block and pauses again"),
          .icon = "step",
          .keys = {QKeySequence(Qt::Key_F7)},
          .run = [this] { models_.queue.driver().stepBlock(); },
          .whyNot = notPaused},
         {.id = "run.step-iteration",
          .text = tr("Step to the end of the iteration"),
          .help = tr("Finishes the iteration and pauses again"),
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F7)},
          .run = [this] { models_.queue.driver().stepIteration(); },
          .whyNot = notPaused},
         {.id = "run.finish",
          .text = tr("Finish now"),
          .help = tr("Ends the run and keeps its last whole iterate; or the list that is followed, and keeps "
                     "its counts"),
          .icon = "finish",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_F5)},
          .run =
              [this] {
                  if (models_.queue.active() != nullptr) {
                      models_.queue.driver().finish();
                  } else {
                      models_.tasks.finishCurrent();
                  }
              },
          .whyNot = [this, noRun] { return models_.tasks.finishable() ? QString() : noRun(); }},
         {.id = "run.cancel",
          .text = tr("Cancel"),
          .help = tr("Ends the run and writes nothing of it; those that wait stay, and are not started. "
                     "Without a run: ends what is being simulated, binned or opened"),
          .icon = "cancel",
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
          .run =
              [this] {
                  if (models_.queue.active() != nullptr) {
                      cancelActive();
                  } else {
                      models_.tasks.cancelCurrent();
                  }
              },
          .whyNot = nothing}});
}

void RunCommands::addChoosing(CommandRegistry& commands) {
    const auto noIterates = [this] {
        RunItem* item = models_.runs.selected();
        return item != nullptr && !item->iterates().empty() &&
                       (!item->isVolume() || item->dynamic() != nullptr)
                   ? QString()
                   : tr("There is no iterate yet");
    };
    commands.add(
        "Run",
        {{.id = "run.previous-iterate",
          .text = tr("Previous iterate"),
          .help = tr("Shows the iterate before the one on screen, or the frame"),
          .keys = {QKeySequence(Qt::Key_Left)},
          .scope = KeyScope::Pictures,
          .run = [this] { models_.runs.stepIterate(-1); },
          .whyNot = noIterates,
          .separatorBefore = true},
         {.id = "run.next-iterate",
          .text = tr("Next iterate"),
          .help = tr("Shows the next iterate, or frame; past a run's last one the picture follows it again"),
          .keys = {QKeySequence(Qt::Key_Right)},
          .scope = KeyScope::Pictures,
          .run = [this] { models_.runs.stepIterate(1); },
          .whyNot = noIterates},
         {.id = "run.previous",
          .text = tr("Previous run"),
          .help = tr("Selects the run above"),
          .keys = {QKeySequence(Qt::Key_PageUp)},
          .scope = KeyScope::Pictures,
          .run = [this] { models_.runs.selectNext(-1); }},
         {.id = "run.next",
          .text = tr("Next run"),
          .help = tr("Selects the run below"),
          .keys = {QKeySequence(Qt::Key_PageDown)},
          .scope = KeyScope::Pictures,
          .run = [this] { models_.runs.selectNext(1); }}});
}

void RunCommands::addMaking(CommandRegistry& commands) {
    commands.add(
        "Run",
        {{.id = "run.continue",
          .text = tr("Continue"),
          .help = tr("Goes on with a run that has ended, for more iterations, or that was interrupted"),
          .keys = {QKeySequence(Qt::Key_F8)},
          .run = [this] { continueSelected(); },
          .whyNot =
              [this] {
                  RunItem* item = models_.runs.selected();
                  return item == nullptr ? tr("No run is selected") : models_.queue.whyNotContinue(*item);
              },
          .separatorBefore = true},
         {.id = "run.keep-image",
          .text = tr("Keep image beside the runs"),
          .help = tr(
              "Puts the iterate on screen into the list as a volume of its own, to be compared with others"),
          .run =
              [this] {
                  const RunItem& item = *models_.runs.onScreen();
                  models_.runs.addVolume(
                      item.isVolume() ? item.shownText() : item.name() + ", " + item.shownText(),
                      item.volume());
              },
          .whyNot =
              [this] { return models_.runs.image() != nullptr ? QString() : tr("No image is on screen"); }},
         {.id = "run.show-prior",
          .text = tr("Show the prior"),
          .help =
              tr("Puts images of the selected run's prior into the list: where it pulls, and its strength"),
          .run = [this] { showPrior(); },
          .whyNot = [this] { return whyNoPrior(); }},
         {.id = "run.anatomy",
          .text = tr("Anatomy of the next run"),
          .help = tr(
              "The selected image says which neighbours the prior of the next run takes for alike: a CT, an "
              "MR or labels on the lattice of the reconstruction; again takes it away"),
          .run = [this] { useAsAnatomy(); },
          .whyNot = [this] { return whyNoAnatomy(); },
          .checked =
              [this] {
                  const RunItem* item = models_.runs.selected();
                  return item != nullptr && !item->file().isEmpty() && anatomy() == item->file();
              }},
         {.id = "run.duplicate",
          .text = tr("Duplicate with changes"),
          .help = tr("Queues a run with the settings of the selected one and what you change of them"),
          .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
          .run = [this] { duplicateSelected(); },
          .whyNot =
              [this] {
                  const QString why = models_.queue.whyNoRun();
                  RunItem* item = models_.runs.selected();
                  return !why.isEmpty()     ? why
                         : item == nullptr  ? tr("No run is selected")
                         : item->isVolume() ? tr("A volume has no settings")
                                            : QString();
              }}});
}

QString RunCommands::whyNoPrior() const {
    const RunItem* item = models_.runs.selected();
    if (item == nullptr || item->isVolume()) {
        return tr("No run is selected");
    }
    if (algorithmNamed(item->settings().algorithmName).prior == UsesPrior::No || item->settings().beta == 0) {
        return tr("The run has no prior");
    }
    return item->file().isEmpty() || isActive(item->state()) ? tr("The run has to end first") : QString();
}

void RunCommands::showPrior() {
    const RunItem& item = *models_.runs.selected();
    struct Stored {
        std::shared_ptr<const Volume> pull;
        std::shared_ptr<const Volume> kappa;
    };
    const auto stored = std::make_shared<Stored>();
    models_.tasks.add(
        tr("Show the prior"),
        [stored, file = item.file().toStdString()](TaskControl& control) {
            const auto read = [&](StoredPrior which) {
                return std::make_shared<const Volume>(
                    readPrior(file, which, [&control] { control.checkpoint(); }));
            };
            *stored = {read(StoredPrior::Pull), read(StoredPrior::Kappa)};
        },
        [this, stored, label = item.label()] {
            models_.runs.addVolume(tr("pull of the prior of %1").arg(label), stored->pull, {},
                                   ImageKind::Pull);
            models_.runs.addVolume(tr("strength of the prior of %1").arg(label), stored->kappa, {},
                                   ImageKind::Kappa);
        });
}

QString RunCommands::anatomy() const {
    return QString::fromStdString(models_.settings.current().anatomy);
}

QString RunCommands::whyNoAnatomy() const {
    const RunItem* item = models_.runs.selected();
    if (item == nullptr || !item->isVolume()) {
        return tr("No image is selected that was opened");
    }
    if (item->file().isEmpty()) {
        return tr("The image is in no file: export it, and open that");
    }
    const UsesAnatomy uses = algorithmNamed(models_.settings.current().algorithmName).anatomy;
    return uses == UsesAnatomy::No ? tr("The algorithm of the next run goes by no anatomy") : QString();
}

void RunCommands::useAsAnatomy() {
    const QString& file = models_.runs.selected()->file();
    const QString next = anatomy() == file ? QString() : file;
    setSetting(models_.settings, models_.undo, "anatomy", next.toStdString());
}

void RunCommands::sweep() {
    SweepDialog dialog(models_.settings.current(), models_.settings.kernels(),
                       models_.study.measurement()->system(), &window_);
    if (dialog.exec() != QDialog::Accepted) {
        return;
    }
    for (const RunSettings& settings : dialog.runs()) {
        models_.queue.start(settings);
    }
}

void RunCommands::runReplicates() {
    bool wanted = false;
    const int replicates =
        QInputDialog::getInt(&window_, tr("Run with replicates"),
                             tr("Reconstructions of resampled counts, beside that of the counts themselves"),
                             20, 2, 1000, 1, &wanted);
    if (wanted) {
        models_.queue.start(models_.settings.current(), replicates);
    }
}

void RunCommands::addQueue(CommandRegistry& commands) {
    commands.add(
        "Run",
        {{.id = "run.sweep",
          .text = tr("Sweep..."),
          .help = tr("Fills the queue with a run for each of several kernels, relaxations and iterations"),
          .run = [this] { sweep(); },
          .whyNot = [this] { return models_.queue.whyNoRun(); },
          .separatorBefore = true},
         {.id = "run.replicates",
          .text = tr("Run with replicates..."),
          .help = tr("Reconstructs resamplings of the counts, too: bands on the curves, mean and SD images"),
          .run = [this] { runReplicates(); },
          .whyNot = [this] { return models_.queue.whyNoReplicates(); }},
         {.id = "run.start-queue",
          .text = tr("Start queue"),
          .help = tr("Begins with the runs that wait to be started, in their order"),
          .icon = "run",
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
          .run = [this] { models_.queue.release(); },
          .whyNot = [this] { return models_.queue.whyNotRelease(); }},
         {.id = "run.clear-queue",
          .text = tr("Clear queue"),
          .help = tr("Takes every run that waits out of the queue"),
          .run = [this] { clearQueue(); },
          .whyNot = [this] { return models_.queue.waiting().empty() ? tr("No run waits") : QString(); }},
         {.id = "run.earlier",
          .text = tr("Earlier in the queue"),
          .help = tr("The selected run waits for one run less"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_Up)},
          .run = [this] { moveSelectedInQueue(-1); },
          .whyNot = [this] { return whyNotMoveInQueue(-1); }},
         {.id = "run.later",
          .text = tr("Later in the queue"),
          .help = tr("The selected run waits for one run more"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_Down)},
          .run = [this] { moveSelectedInQueue(1); },
          .whyNot = [this] { return whyNotMoveInQueue(1); }},
         {.id = "run.rename",
          .text = tr("Rename"),
          .help = tr("Gives the selected run or volume another name; its letter stays"),
          .keys = {QKeySequence(Qt::Key_F2)},
          .run = [this] { renameSelected(); },
          .whyNot =
              [this] { return models_.runs.selected() == nullptr ? tr("No run is selected") : QString(); }},
         {.id = "run.remove",
          .text = tr("Delete run"),
          .help = tr("Removes the selected run from the list, and its file from the study; Undo brings it "
                     "back until the study is closed"),
          .icon = "delete",
          .run =
              [this] {
                  deleteRun(models_.queue, models_.undo, models_.messages, models_.runs.selected()->id());
              },
          .whyNot =
              [this] {
                  RunItem* item = models_.runs.selected();
                  return item == nullptr           ? tr("No run is selected")
                         : isActive(item->state()) ? tr("Cancel the run first")
                                                   : QString();
              }}});
}

void RunCommands::duplicateSelected() {
    RunItem* item = models_.runs.selected();
    const auto settings = askForSettings(&window_, tr("Duplicate run %1").arg(item->label()),
                                         item->settings(), models_.study.measurement()->system());
    if (settings) {
        models_.queue.start(*settings);
    }
}

void RunCommands::renameSelected() {
    RunItem* item = models_.runs.selected();
    const int id = item->id();  // the row may go while the dialog is there
    bool ok = false;
    const QString name = QInputDialog::getText(&window_, tr("Rename %1").arg(item->label()), tr("Name"),
                                               QLineEdit::Normal, item->name(), &ok);
    if (ok) {
        renameRun(models_.runs, models_.undo, id, name);
    }
}

void RunCommands::cancelActive() {
    const RunItem* item = models_.queue.active();
    const int id = item->id();
    const bool work = item->workSeconds() > kAskAfterSeconds;
    if (work &&
        !questions_.confirm(tr("Cancel run %1").arg(item->label()),
                            tr("Give up %1 of work? \"Finish now\" would keep the last whole iterate.")
                                .arg(durationText(item->workSeconds())),
                            tr("Cancel the run"))) {
        return;
    }
    item = models_.queue.active();
    if (item != nullptr && item->id() == id) {  // it may have ended meanwhile
        models_.queue.cancel();
    }
}

void RunCommands::clearQueue() {
    QStringList letters;
    for (const RunItem* item : models_.queue.waiting()) {
        letters << item->label();
    }
    if (questions_.confirm(tr("Clear queue"),
                           tr("Take out of the queue: %1? What a run had before it was to go on stays.")
                               .arg(letters.join(", ")),
                           tr("Clear"))) {
        models_.queue.clear();
    }
}

void RunCommands::moveSelectedInQueue(int step) {
    const RunItem* item = models_.runs.selected();
    models_.queue.move(item->id(), item->turn() - 1 + step);
}

QString RunCommands::whyNotMoveInQueue(int step) {
    const RunItem* item = models_.runs.selected();
    if (item == nullptr || item->state() != RunState::Queued) {
        return tr("The selected run does not wait");
    }
    const int place = item->turn() + step;
    if (place < 1) {
        return tr("It is the next one");
    }
    return place > static_cast<int>(models_.queue.waiting().size()) ? tr("It is the last one") : QString();
}

void RunCommands::continueSelected() {
    RunItem* item = models_.runs.selected();
    const int id = item->id();
    int more = 0;
    if (item->state() != RunState::Interrupted) {
        bool ok = false;
        const int last = item->iterates().back();
        more =
            QInputDialog::getInt(&window_, tr("Continue run %1").arg(item->label()),
                                 tr("Iterations beyond the %1 there are").arg(last), last, 1, 9999, 1, &ok);
        if (!ok) {
            return;
        }
    }
    try {
        models_.queue.continueRun(id, more);
    } catch (const WrongUse& fault) {
        models_.messages.add(Severity::Error, fault.what());
    }
}

}  // namespace tof::ui
