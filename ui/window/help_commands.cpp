// SPDX-License-Identifier: Apache-2.0
#include "ui/window/help_commands.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>

#include "recon/seam/engine.h"
#include "recon/settings/version.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"
#include "ui/window/diagnostics.h"
#include "ui/window/dialogs.h"
#include "ui/window/manual.h"
#include "ui/window/palette.h"
#include "ui/window/tour.h"
#include "viz/surface.h"

namespace tof::ui {

namespace {

void showAbout(QWidget& window) {
    QMessageBox::about(&window, Text::tr("About Tofscope"),
                       Text::tr("Tofscope %1\nTime-of-flight PET reconstruction workbench.\n"
                                "Apache License 2.0")
                           .arg(kVersion));
}

void copyDiagnostics(const EngineRegistry& engines, const SettingsModel& settings, Messages& messages,
                     const Log& log) {
    QGuiApplication::clipboard()->setText(
        diagnosticsText(engines, settings.current(), viz::surfaceDriver(), log));
    messages.add(Severity::Note, Text::tr("The diagnostics are on the clipboard."));
}

}  // namespace

void addHelpCommands(CommandRegistry& commands, const EngineRegistry& engines, const SettingsModel& settings,
                     Messages& messages, std::shared_ptr<const Log> log, QWidget& window) {
    commands.add(
        "Help",
        {{.id = "help.palette",
          .text = Text::tr("Command palette"),
          .help = Text::tr("Type what you want to do; Enter does it"),
          .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
          .run = [&commands, &window] { (new Palette(commands, &window))->show(); }},
         {.id = "help.keys",
          .text = Text::tr("All keys"),
          .help = Text::tr("Every command that has a key, and what the mouse does"),
          .icon = "help",
          .keys = {QKeySequence(Qt::Key_H), QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)},
          .run = [&commands, &window] { makeCheatSheet(commands, &window)->show(); }},
         {.id = "help.manual",
          .text = Text::tr("Manual"),
          .help = Text::tr("Tutorials, how-to pages, method and reference, with a search"),
          .run = [&window] { makeManual("index.md", &window)->show(); }},
         {.id = "help.glossary",
          .text = Text::tr("Glossary"),
          .help = Text::tr("What the words mean that the window uses"),
          .run = [&window] { makeManual("model.md#5-words", &window)->show(); }},
         {.id = "help.journeys",
          .text = Text::tr("Walkthroughs"),
          .help = Text::tr("Five pieces of work from the first click to the result"),
          .run = [&window] { makeManual("journeys.md", &window)->show(); }},
         {.id = "help.tour",
          .text = Text::tr("Guided tour"),
          .help =
              Text::tr("Points at the controls one after the other and says what they are for; Esc ends it"),
          .run = [tour = new Tour(commands, window)] { tour->begin(); }},
         {.id = "help.messages",
          .text = Text::tr("Messages"),
          .help = Text::tr("Notes, warnings and errors of this session, with a report to copy"),
          .icon = "message",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_M)},
          .run = [&engines, &settings, &messages,
                  &window] { makeMessageCentre(engines, settings, messages, &window)->show(); }},
         {.id = "help.diagnostics",
          .text = Text::tr("Copy diagnostics"),
          .help = Text::tr(
              "Versions, engines, settings and the end of the log, without names of files or patients"),
          .run = [&engines, &settings, &messages,
                  log = std::move(log)] { copyDiagnostics(engines, settings, messages, *log); }},
         {.id = "help.about",
          .text = Text::tr("About Tofscope"),
          .help = Text::tr("Version and licence"),
          .run = [&window] { showAbout(window); }}});
}

}  // namespace tof::ui
