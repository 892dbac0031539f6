// SPDX-License-Identifier: Apache-2.0
// recon/ is the science alone: it compiles without Qt, VTK and CUDA, and every header stands on its own.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

namespace {

/// A compile command of build/compile_commands.json, as a list of words.
struct CompileCommand {
    QString file;
    QStringList words;
};

QList<CompileCommand> reconCommands() {
    QFile file(QStringLiteral(TOF_BINARY_DIR "/compile_commands.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QList<CompileCommand> commands;
    const QString prefix = QStringLiteral(TOF_SOURCE_DIR "/recon/");
    for (const auto& entry : QJsonDocument::fromJson(file.readAll()).array()) {
        const QString path = entry.toObject()["file"].toString();
        if (path.startsWith(prefix)) {
            commands.append({path, QProcess::splitCommand(entry.toObject()["command"].toString())});
        }
    }
    return commands;
}

/// The command with its output, its input and a compiler cache taken away.
QStringList bareCommand(const CompileCommand& command) {
    QStringList words;
    for (int i = 0; i < command.words.size(); ++i) {
        const QString& word = command.words[i];
        if (word == "-o" || word == "-MF" || word == "-MT") {
            ++i;
        } else if (word != "-c" && word != "-MD" && word != command.file && !word.endsWith("/ccache")) {
            words.append(word);
        }
    }
    return words;
}

struct Outcome {
    bool ok;
    QString said;
};

Outcome run(const QStringList& words) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(words.first(), words.mid(1));
    const bool ended = process.waitForFinished(120000);
    return {ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
            QString::fromUtf8(process.readAll())};
}

/// Runs every command, two at a time; what the failing ones said.
QStringList failures(const QList<QStringList>& commands) {
    QList<QStringList> said(2);
    const auto worker = [&](int first) {
        for (int i = first; i < commands.size(); i += 2) {
            const Outcome outcome = run(commands[i]);
            if (!outcome.ok) {
                said[first].append(commands[i].last() + ": " + outcome.said);
            }
        }
    };
    std::thread other(worker, 1);
    worker(0);
    other.join();
    return said[0] + said[1];
}

QStringList filesUnder(const QString& folder, const QStringList& patterns) {
    QStringList files;
    QDirIterator it(QStringLiteral(TOF_SOURCE_DIR "/") + folder, patterns, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        files.append(it.next());
    }
    files.sort();
    return files;
}

/// The project files a source includes: "recon/base/error.h", ...
QStringList projectIncludes(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*\"([^\"]+)\""),
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = include.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();) {
        found.append(it.next().captured(1));
    }
    return found;
}

}  // namespace

class LayeringTest : public QObject {
    Q_OBJECT

  private slots:
    void everySourceOfReconIsCompiled() {
        QStringList compiled;
        for (const CompileCommand& command : reconCommands()) {
            compiled.append(command.file);
        }

        for (const QString& source : filesUnder("recon", {"*.cpp"})) {
            QVERIFY2(compiled.contains(source), qPrintable(source + " is in no target; run cmake again"));
        }
    }

    void noSourceOfReconReachesQtVtkOrCuda() {
        const QList<CompileCommand> commands = reconCommands();
        QVERIFY(!commands.isEmpty());
        static const QRegularExpression foreign(QStringLiteral("/(qt[56]?|vtk[-0-9.]*|cuda[-0-9.]*)/"),
                                                QRegularExpression::CaseInsensitiveOption);

        for (const CompileCommand& command : commands) {
            // -M prints every file the source depends on, system headers included.
            const Outcome outcome = run(bareCommand(command) + QStringList{"-M", command.file});

            QVERIFY2(outcome.ok, qPrintable(outcome.said));
            QVERIFY2(outcome.said.contains(".h"), qPrintable(command.file));
            const auto match = foreign.match(outcome.said);
            QVERIFY2(!match.hasMatch(), qPrintable(command.file + " reaches " + match.captured()));
        }
    }

    void everyHeaderOfReconCompilesAlone() {
        const QList<CompileCommand> commands = reconCommands();
        QVERIFY(!commands.isEmpty());
        const QStringList headers = filesUnder("recon", {"*.h"});
        QVERIFY(headers.size() > 20);
        QHash<QString, QStringList> byFolder;
        for (const CompileCommand& command : commands) {
            byFolder.insert(QFileInfo(command.file).path(), bareCommand(command));
        }
        const QString anyFolder = byFolder.keys().first();

        QList<QStringList> checks;
        for (const QString& header : headers) {
            const QStringList flags = byFolder.value(QFileInfo(header).path(), byFolder[anyFolder]);
            checks.append(flags +
                          QStringList{"-O0", "-fsyntax-only", "-x", "c++", "-include", header, "/dev/null"});
        }

        const QStringList said = failures(checks);
        QVERIFY2(said.isEmpty(), qPrintable(said.join("\n")));
    }

    void arrowsPointDownwards_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QStringList>("allowed");
        QTest::newRow("recon") << "recon" << QStringList{"recon/"};
        QTest::newRow("gpu") << "gpu" << QStringList{"gpu/", "recon/"};
        QTest::newRow("viz") << "viz" << QStringList{"viz/", "recon/"};
        QTest::newRow("ui") << "ui" << QStringList{"ui/", "viz/", "recon/"};
        QTest::newRow("app") << "app" << QStringList{"app/", "ui/", "viz/", "gpu/", "recon/"};
    }

    void arrowsPointDownwards() {
        QFETCH(QString, folder);
        QFETCH(QStringList, allowed);

        for (const QString& source : filesUnder(folder, {"*.cpp", "*.h", "*.cu", "*.cuh"})) {
            for (const QString& include : projectIncludes(source)) {
                const bool inTree = QFile::exists(QStringLiteral(TOF_SOURCE_DIR "/") + include);
                const bool fine =
                    !inTree || std::any_of(allowed.begin(), allowed.end(),
                                           [&](const QString& a) { return include.startsWith(a); });
                QVERIFY2(fine, qPrintable(source + " includes " + include));
            }
        }
    }

    /// recon/'s folders form layers too: no two of them need each other.
    void foldersOfReconHaveNoCycle() {
        QHash<QString, QSet<QString>> needs;
        const int prefix = static_cast<int>(QStringLiteral(TOF_SOURCE_DIR "/recon/").size());
        for (const QString& source : filesUnder("recon", {"*.cpp", "*.h"})) {
            const QString folder = source.mid(prefix).section('/', 0, 0);
            needs[folder];
            for (const QString& include : projectIncludes(source)) {
                const QString other = include.section('/', 1, 1);
                if (include.startsWith("recon/") && other != folder) {
                    needs[folder].insert(other);
                }
            }
        }

        // Take away folders that need nothing that is left; a cycle is what cannot be taken away.
        for (bool taken = true; taken;) {
            taken = false;
            for (const QString& folder : needs.keys()) {
                if (needs[folder].isEmpty()) {
                    needs.remove(folder);
                    for (QSet<QString>& set : needs) {
                        set.remove(folder);
                    }
                    taken = true;
                }
            }
        }

        QVERIFY2(needs.isEmpty(), qPrintable("cycle among " + needs.keys().join(", ")));
    }

    void noProgramLoadsQt5_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("forbidden");
        QTest::newRow("tofscope") << "tofscope"
                                  << "libQt5";
        QTest::newRow("tofscope-cli") << "tofscope-cli"
                                      << "libQt|libvtk|libcuda|libcufft|libfftw";
    }

    void noProgramLoadsQt5() {
        QFETCH(QString, program);
        QFETCH(QString, forbidden);
        const QString path = QStringLiteral(TOF_BINARY_DIR "/bin/") + program;
        if (!QFile::exists(path)) {
            QSKIP("this program is not part of this build");
        }

        const Outcome outcome = run({"ldd", path});

        QVERIFY2(outcome.ok, qPrintable(outcome.said));
        const auto match = QRegularExpression(forbidden).match(outcome.said);
        QVERIFY2(!match.hasMatch(), qPrintable(program + " loads " + match.captured()));
    }
};

QTEST_GUILESS_MAIN(LayeringTest)
#include "layering_test.moc"
