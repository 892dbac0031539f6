// SPDX-License-Identifier: Apache-2.0
#include "ui/application.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QLocale>
#include <QPalette>
#include <QTextStream>
#include <clocale>
#include <cstdio>
#include <optional>

#include "recon/base/error.h"
#include "recon/settings/version.h"
#include "ui/desk/desk.h"
#include "ui/kit/preferences.h"
#include "ui/kit/text.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/preference_commands.h"
#include "ui/window/script.h"
#include "viz/surface.h"

namespace tof::ui {

namespace {

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
}

bool offscreen() {
    return qEnvironmentVariable("QT_QPA_PLATFORM").startsWith("offscreen");
}

/// A machine without any font still shows words: the portable archive carries one. Whether a machine has
/// fonts cannot be asked: Qt lists its generic families even where nothing stands behind them.
void takeCarriedFonts() {
    const QDir fonts(QCoreApplication::applicationDirPath() + "/../share/tofscope/fonts");
    for (const QString& font : fonts.entryList({"*.ttf"})) {
        QFontDatabase::addApplicationFont(fonts.filePath(font));
    }
}

/// Tells the log of every command that is chosen.
void logCommands(const CommandRegistry& commands, const std::shared_ptr<Log>& log) {
    for (const auto& command : commands.all()) {
        QObject::connect(
            commands.action(command->id), &QAction::triggered, &commands,
            [log, id = command->id.toStdString()] { log->write(LogLevel::Info, "command " + id); });
    }
}

/// Tells the log of runs, of what is opened, and of what cannot be done.
void logWork(Desk& desk, const std::shared_ptr<Log>& log) {
    desk.queue().driver().setLog(log);
    desk.live().setLog(log);
    QObject::connect(&desk, &Desk::opened, &desk, [log](const QString& path) {
        log->write(LogLevel::Info, "opened " + withoutNames({path.toStdString()}, {}));
    });
    QObject::connect(&desk.tasks(), &TaskQueue::failed, &desk,
                     [log](const QString& /*title*/, const QString& sentence, ErrorKind /*kind*/) {
                         log->write(LogLevel::Error, withoutNames(sentence.toStdString()));
                     });
}

/// Takes --renderer. Throws Unavailable where OpenGL is asked for by name and there is none.
void chooseSurfaces(const QString& renderer) {
    if (renderer == "cpu") {
        qputenv("TOFSCOPE_NO_OPENGL", "1");
    } else if (renderer == "opengl") {
        static_cast<void>(viz::makeSurfaceRenderer());
    }
}

std::vector<WingOption> optionsOf(const std::vector<Wing>& wings) {
    std::vector<WingOption> all;
    for (const Wing& wing : wings) {
        all.insert(all.end(), wing.options.begin(), wing.options.end());
    }
    return all;
}

void printLine(const QString& text) {
    QTextStream out(stdout);
    out << text << "\n";
}

/// What Qt takes from the environment alone, and before anything is made. Throws Unavailable without a
/// display.
void prepareEnvironment(const CommandLine& line, const Preferences& preferences) {
    const bool chosen = qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    if (!hasDisplay() && !chosen && !line.batch()) {
        throw Unavailable("no display: start a desktop session, or add --screenshot OUT.png for a picture");
    }
    if (!hasDisplay() && !chosen) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QString scale = line.preferences.value("scale", preferences.text("scale", "system"));
    if (scale.toDouble() > 0 && !qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) {
        qputenv("QT_SCALE_FACTOR", scale.toUtf8());
    }
}

/// Throws WrongUse where --language names one that there is no translation for.
void chooseLanguage(QCoreApplication& application, const CommandLine& line, const Preferences& preferences) {
    const QString language = line.language.isEmpty() ? preferences.text("language", "system") : line.language;
    const QStringList folders = translationFolders();
    if (!installTranslation(application, language == "system" ? QString() : language, folders) &&
        !line.language.isEmpty() && QLocale(line.language).language() != QLocale::English) {
        throw WrongUse("--language '" + line.language.toStdString() +
                       "': there is no translation; there are " +
                       (QStringList{"en"} + languages(folders)).join(", ").toStdString());
    }
}

/// Ends the program after a script, and says which runs go with it.
void leave(Desk& desk) {
    desk.shutdown();
    const QStringList lost = desk.unsavedRuns();
    if (!lost.isEmpty() && desk.study().hasFolder()) {
        std::fprintf(stderr, "tofscope: the study is left as it was, without run %s; --save keeps it\n",
                     qPrintable(lost.join(", ")));
    }
    QCoreApplication::exit();
}

}  // namespace

void runDesktop(int argc, char** argv, const EngineRegistry& engines, const std::vector<Wing>& wings,
                const std::shared_ptr<Log>& log) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    const std::vector<WingOption> options = optionsOf(wings);
    CommandLine line = CommandLine::parse(arguments, options);
    if (line.help || line.version) {
        printLine(line.help ? helpText(options) : QString("tofscope ") + kVersion);
        return;
    }
    const bool batch = line.batch();
    Preferences preferences(line.remember ? Preferences::defaultFile() : QString());
    prepareEnvironment(line, preferences);
    if (line.screenshot && offscreen()) {
        line.actions.push_back({"exit", {}});
    }
    QCoreApplication::setApplicationName("tofscope");
    QCoreApplication::setApplicationVersion(kVersion);
    int none = 1;
    QApplication application(none, argv);
    takeCarriedFonts();
    // Qt sets the locale of the user; numbers in files have decimal points everywhere.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    chooseLanguage(application, line, preferences);
    for (auto it = line.preferences.begin(); it != line.preferences.end(); ++it) {
        preferences.override(it.key(), it.value());
    }
    const ThemeKind system = QApplication::palette().color(QPalette::Window).lightness() < 128
                                 ? ThemeKind::Dark
                                 : ThemeKind::Light;
    applyTheme(application, preferredTheme(preferences, system));
    chooseSurfaces(line.renderer);
    Desk desk(engines, Threading::Threaded);
    desk.setStudyWrites(batch && !line.save ? StudyWrites::Nothing : StudyWrites::Kept);
    MainWindow window(desk, preferences, {!batch, system, log, wings});
    if (!line.remember) {
        // Such a start, too, finds the kernels that its user has kept.
        desk.settings().setKernelFolder(Preferences(Preferences::defaultFile()).kernelFolder());
    }
    if (line.size.isValid()) {
        window.setMinimumSize(1, 1);
        window.resize(line.size);
    }
    window.show();
    log->write(LogLevel::Info, std::string("version ") + kVersion + ": a window with Qt " + qVersion());
    logCommands(window.commands(), log);
    logWork(desk, log);

    Script script(window, desk, line.actions);
    if (batch && line.save) {
        // Nobody waits hours for a run that cannot be kept.
        QObject::connect(&desk, &Desk::heldElsewhere, &script,
                         [&](const QString& sentence) { script.fail(sentence, ErrorKind::CannotWrite); });
    }
    std::optional<Error> failure;
    const auto fail = [&failure](const Error& fault) {
        failure = fault;
        QCoreApplication::exit();
    };
    QObject::connect(&script, &Script::finished, &application, [&] {
        bool exit = script.exits();
        if (script.fault() && (exit || batch)) {
            exit = true;
            failure = script.fault();
        } else if (script.fault()) {
            std::fprintf(stderr, "tofscope: %s\n", script.fault()->what());
            desk.messages().add(Severity::Error, script.fault()->what());
        }
        if (exit) {
            leave(desk);
        }
        for (const Wing& wing : wings) {
            if (!exit && wing.start) {
                wing.start(line.ofWings, desk, window, fail);
            }
        }
    });
    script.start();
    QApplication::exec();
    desk.shutdown();
    if (failure) {
        throw Error(*failure);
    }
}

}  // namespace tof::ui
