// SPDX-License-Identifier: Apache-2.0
#include "ui/application.h"

#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>
#include <clocale>
#include <cstdio>

#include "recon/core/error.h"
#include "recon/run/version.h"
#include "ui/responsiveness.h"
#include "ui/script.h"

namespace tof::ui {

namespace {

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
}

bool offscreen() {
    return qEnvironmentVariable("QT_QPA_PLATFORM").startsWith("offscreen");
}

void printLine(const QString& text) {
    QTextStream out(stdout);
    out << text << "\n";
}

/// Reconstructs the open data again and again for so many seconds and prints the gaps.
void measure(Workspace& workspace, MainWindow& window, double seconds, bool dragRoi) {
    auto* gaps = new LoopGaps(&window);
    auto* drag = new RoiDragProbe(*window.viewer().pane(Plane::Transverse), workspace, &window);
    const RunItem* before = workspace.runs().selected();
    if (workspace.startRun() == 0) {
        throw WrongUse("--measure-responsiveness: " + workspace.whyNoRun().toStdString());
    }
    QObject::connect(&workspace.runs(), &RunList::changed, &window, [&workspace] {
        if (workspace.activeRun() == nullptr && !workspace.busy()) {
            workspace.startRun();
        }
    });
    if (dragRoi) {
        window.commands().trigger("page.slices");
        // Once there is an image to measure in.
        auto* begin = new QTimer(&window);
        QObject::connect(begin, &QTimer::timeout, &window, [begin, drag, before, &workspace] {
            // An image that was there is better than waiting for the first one of the run.
            if (before != nullptr && before->volume() != nullptr) {
                workspace.runs().select(before->id);
            }
            RunItem* item = workspace.runs().selected();
            if (item != nullptr && item->volume() != nullptr) {
                begin->stop();
                drag->start();
            }
        });
        begin->start(50);
    }
    gaps->start();
    QTimer::singleShot(static_cast<int>(seconds * 1000), &window, [gaps, drag, dragRoi, &window] {
        gaps->stop();
        drag->stop();
        const LoopGaps::Summary s = gaps->summary();
        QJsonObject o{{"seconds", s.seconds},
                      {"turns", static_cast<double>(s.turns)},
                      {"median_ms", s.medianMs},
                      {"p99_ms", s.p99Ms},
                      {"max_ms", s.maxMs},
                      {"renderer", window.viewer().pane(Plane::Transverse)->rendererDescription()},
                      {"width", window.width()},
                      {"height", window.height()}};
        if (dragRoi) {
            const RoiDragProbe::Summary d = drag->summary();
            o["roi_drag"] = QJsonObject{{"moves", static_cast<double>(d.moves)},
                                        {"median_ms", d.medianMs},
                                        {"p95_ms", d.p95Ms},
                                        {"max_ms", d.maxMs},
                                        {"cpu_median_ms", d.cpuMedianMs},
                                        {"cpu_p95_ms", d.cpuP95Ms}};
        }
        printLine(QString::fromUtf8(QJsonDocument(o).toJson(QJsonDocument::Compact)));
        QCoreApplication::exit(0);
    });
}

}  // namespace

int runDesktop(int argc, char** argv, const EngineRegistry& engines) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    CommandLine line = CommandLine::parse(arguments);
    if (line.help || line.version) {
        printLine(line.help ? helpText() : QString("tofscope ") + kVersion);
        return 0;
    }
    const bool batch = line.screenshot || line.measureSeconds > 0;
    if (batch && !hasDisplay() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    if (line.screenshot && offscreen()) {
        line.actions.push_back({"exit", {}});
    }
    if (!hasDisplay() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        throw Unavailable("no display: start a desktop session, or add --screenshot OUT.png for a picture");
    }
    QCoreApplication::setApplicationName("tofscope");
    QCoreApplication::setApplicationVersion(kVersion);
    int none = 1;
    QApplication application(none, argv);
    // Qt sets the locale of the user; numbers in files have decimal points everywhere.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());

    Preferences preferences(line.remember ? Preferences::defaultFile() : QString());
    const QString theme = line.theme.isEmpty() ? preferences.text("theme", "dark") : line.theme;
    const ThemeKind kind = theme == "light" ? ThemeKind::Light : ThemeKind::Dark;
    applyTheme(application, kind);
    Workspace workspace(engines, Threading::Threaded);
    workspace.view().proposeColourMap(kind == ThemeKind::Dark ? "grey" : "inverse-grey");
    MainWindow window(workspace, preferences, {line.renderer, !batch});
    if (line.size.isValid()) {
        window.setMinimumSize(1, 1);
        window.resize(line.size);
    }
    window.show();

    Script script(window, workspace, line.actions);
    int code = 0;
    QObject::connect(&script, &Script::finished, &application, [&](bool exit) {
        if (!script.fault().isEmpty()) {
            std::fprintf(stderr, "tofscope: %s\n", script.fault().toUtf8().constData());
            code = static_cast<int>(ExitCode::BadInput);
            exit = exit || batch;
        }
        if (exit) {
            workspace.shutdown();
            QCoreApplication::exit(code);
        } else if (line.measureSeconds > 0) {
            measure(workspace, window, line.measureSeconds, line.dragRoi);
        }
    });
    script.start();
    const int result = QApplication::exec();
    workspace.shutdown();
    return result;
}

}  // namespace tof::ui
