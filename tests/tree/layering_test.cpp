// SPDX-License-Identifier: Apache-2.0
// recon/ is the science alone: it compiles without Qt, VTK and CUDA, and every header stands on its own. In
// the whole tree arrows point downwards and nothing goes round in circles (floors.txt).
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <thread>
#include <vector>

#include "tests/support/places.h"

namespace layering_test {

using tof::test::inBuild;
using tof::test::inTree;

namespace {

/// A compile command of build/units/compile_commands.json, as a list of words.
struct CompileCommand {
    QString file;
    QStringList words;
};

QList<CompileCommand> reconCommands() {
    QFile file(inBuild("units/compile_commands.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QList<CompileCommand> commands;
    const QString prefix = inTree("recon/");
    for (const auto& entry : QJsonDocument::fromJson(file.readAll()).array()) {
        const QString path = entry.toObject()["file"].toString();
        if (path.startsWith(prefix)) {
            commands.append({path, QProcess::splitCommand(entry.toObject()["command"].toString())});
        }
    }
    return commands;
}

/// The command with its output and its input taken away.
QStringList bareCommand(const CompileCommand& command) {
    QStringList words;
    for (int i = 0; i < command.words.size(); ++i) {
        const QString& word = command.words[i];
        if (word == "-o" || word == "-MF" || word == "-MT") {
            ++i;
        } else if (word != "-c" && word != "-MD" && word != command.file) {
            words.append(word);
        }
    }
    return words;
}

struct Outcome {
    bool ok = false;
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

/// Runs every command, two at a time: what each said, in their order.
QList<Outcome> outcomes(const QList<QStringList>& commands) {
    std::vector<Outcome> said(static_cast<std::size_t>(commands.size()));
    const auto worker = [&](int first) {
        for (int i = first; i < commands.size(); i += 2) {
            said[static_cast<std::size_t>(i)] = run(commands[i]);
        }
    };
    std::thread other(worker, 1);
    worker(0);
    other.join();
    return {said.begin(), said.end()};
}

QStringList filesUnder(const QString& folder, const QStringList& patterns) {
    QStringList files;
    QDirIterator it(inTree(folder), patterns, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        files.append(it.next());
    }
    files.sort();
    return files;
}

#define kPlan "tests/tree/floors.txt"

/// Who includes whom; every node is a key.
using Graph = QHash<QString, QSet<QString>>;

QStringList sorted(const QSet<QString>& set) {
    QStringList list = set.values();
    list.sort();
    return list;
}

QString withoutTree(const QString& path) {
    return path.mid(static_cast<int>(inTree("").size()));
}

/// What the files of recon/ include, by which headers are checked that stand on their own.
///
/// A header does where its own words compile after all that it includes, itself or by others, and after
/// nothing else, provided that all of those stand on their own. So one compilation proves several: each
/// header of ours that it reaches while nothing is known but what that header includes.
class Includes {
  public:
    /// In their order: those of ours by their path in the tree.
    QStringList of(const QString& file) {
        const auto known = direct_.constFind(file);
        return known != direct_.constEnd() ? *known : *direct_.insert(file, read(file));
    }
    /// All that a file includes, and what those do.
    QSet<QString> all(const QString& file) {
        if (const auto known = all_.constFind(file); known != all_.constEnd()) {
            return *known;
        }
        QSet<QString> found;
        for (const QString& include : of(file)) {
            found.insert(include);
            found.unite(all(include));
        }
        return *all_.insert(file, found);
    }
    /// Whether all includes of a file come before its own words.
    [[nodiscard]] bool comeFirst(const QString& file) const { return !later_.contains(file); }

    /// Includes a header as a compiler does that knows others. Notes in `proven` what this proves.
    void pass(const QString& header, QSet<QString>& known, QSet<QString>& proven) {
        if (known.contains(header)) {
            return;
        }
        if (stands(header, known)) {
            proven.insert(header);
        }
        for (const QString& include : of(header)) {
            pass(include, known, proven);
        }
        known.insert(header);
    }
    /// Whether a header includes all that is known.
    [[nodiscard]] bool stands(const QString& header, const QSet<QString>& known) {
        return known.size() <= all(header).size() && all(header).contains(known);
    }

  private:
    QStringList read(const QString& name) {
        QFile file(inTree(name));
        if (!name.contains('/') || !file.open(QIODevice::ReadOnly)) {
            return {};
        }
        static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*[\"<]([^\">]+)"));
        static const QRegularExpression noWords(QStringLiteral("^\\s*(//.*|#pragma once)?$"));
        QStringList found;
        bool words = false;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (const auto match = include.match(line); match.hasMatch()) {
                found.append(match.captured(1));
                if (words) {
                    later_.insert(name);
                }
            } else {
                words = words || !noWords.match(line).hasMatch();
            }
        }
        return found;
    }

    QHash<QString, QStringList> direct_;
    QHash<QString, QSet<QString>> all_;
    QSet<QString> later_;
};

/// Headers that compiled alone when the sources did: what each includes first, and what that begins with.
QSet<QString> provenBySources(const QList<CompileCommand>& commands, Includes& includes) {
    QSet<QString> proven;
    for (const CompileCommand& command : commands) {
        QSet<QString> known;
        for (const QString& include : includes.of(withoutTree(command.file))) {
            includes.pass(include, known, proven);
        }
    }
    return proven;
}

/// Headers of which each list is compiled as one, so that all of `wanted` are proven. A list begins with
/// small headers that its last one includes.
QList<QStringList> compilations(const QStringList& wanted, QSet<QString> proven, Includes& includes) {
    const auto fewerIncludes = [&](const QString& one, const QString& other) {
        return includes.all(one).size() < includes.all(other).size();
    };
    QStringList ascending = wanted;
    std::stable_sort(ascending.begin(), ascending.end(), fewerIncludes);
    QList<QStringList> lists;
    for (auto header = ascending.crbegin(); header != ascending.crend(); ++header) {
        if (proven.contains(*header)) {
            continue;
        }
        QSet<QString> known;
        QStringList list;
        for (const QString& first : ascending) {
            if (includes.all(*header).contains(first) && !proven.contains(first) && !known.contains(first) &&
                includes.stands(first, known)) {
                includes.pass(first, known, proven);
                list.append(first);
            }
        }
        includes.pass(*header, known, proven);
        lists.append(list << *header);
    }
    return lists;
}

QString folderOf(const QString& file) {
    return file.section('/', 0, -2);
}
/// A header and its source are one.
QString unitOf(const QString& file) {
    return file.section('.', 0, 0);
}
QString roomOf(const QString& folder) {
    return folder.section('/', 0, 0);
}

QStringList sourcesUnder(const QStringList& rooms) {
    QStringList files;
    for (const QString& room : rooms) {
        for (const QString& file : filesUnder(room, {"*.cpp", "*.h", "*.cu", "*.cuh"})) {
            files.append(withoutTree(file));
        }
    }
    return files;
}
QStringList productFiles() {
    return sourcesUnder({"recon", "gpu", "viz", "ui", "app"});
}
QStringList testFiles() {
    return sourcesUnder({"tests"});
}

/// The files of the tree that a source includes: "recon/base/error.h", ...
QStringList projectIncludes(const QString& file) {
    QFile source(inTree(file));
    if (!source.open(QIODevice::ReadOnly)) {
        return {};
    }
    static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*\"([^\"]+)\""),
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto it = include.globalMatch(QString::fromUtf8(source.readAll())); it.hasNext();) {
        const QString path = it.next().captured(1);
        if (QFile::exists(inTree(path))) {
            found.append(path);
        }
    }
    return found;
}

Graph arrows(const QStringList& files, QString (*nodeOf)(const QString&)) {
    Graph graph;
    for (const QString& file : files) {
        QSet<QString>& needs = graph[nodeOf(file)];
        for (const QString& include : projectIncludes(file)) {
            if (nodeOf(include) != nodeOf(file)) {
                needs.insert(nodeOf(include));
            }
        }
    }
    return graph;
}

/// An include from one folder into another.
QString witness(const QString& from, const QString& to) {
    for (const QString& file : productFiles()) {
        for (const QString& include : projectIncludes(file)) {
            if (folderOf(file) == from && folderOf(include) == to) {
                return file + " -> " + include;
            }
        }
    }
    return {};
}

QSet<QString> reachable(const Graph& graph, const QString& from) {
    QSet<QString> seen;
    QStringList ahead = graph[from].values();
    while (!ahead.isEmpty()) {
        const QString node = ahead.takeLast();
        if (!seen.contains(node)) {
            seen.insert(node);
            ahead += graph[node].values();
        }
    }
    return seen;
}

/// The sets, of two nodes at least, that all reach each other.
QList<QSet<QString>> circles(const Graph& graph) {
    QHash<QString, QSet<QString>> reach;
    for (const QString& node : graph.keys()) {
        reach[node] = reachable(graph, node);
    }
    QList<QSet<QString>> found;
    QSet<QString> placed;
    for (const QString& node : graph.keys()) {
        if (placed.contains(node) || !reach[node].contains(node)) {
            continue;
        }
        QSet<QString> circle{node};
        for (const QString& other : reach[node]) {
            if (reach[other].contains(node)) {
                circle.insert(other);
            }
        }
        placed += circle;
        found.append(circle);
    }
    return found;
}

/// What kPlan says.
struct Plan {
    QHash<QString, QStringList> rooms;  ///< the rooms that a room may include
    QHash<QString, int> floorOf;        ///< by folder; 0 is the lowest
    QList<QSet<QString>> excused;       ///< circles that are being taken out

    [[nodiscard]] bool excuses(const QSet<QString>& nodes) const {
        return std::any_of(excused.begin(), excused.end(),
                           [&](const QSet<QString>& circle) { return circle.contains(nodes); });
    }
};

Plan readPlan() {
    QFile file(inTree(kPlan));
    Plan plan;
    if (!file.open(QIODevice::ReadOnly)) {
        return plan;
    }
    int floor = 0;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        QStringList words = line.section('#', 0, 0).split(' ', Qt::SkipEmptyParts);
        const QString kind = words.isEmpty() ? QString() : words.takeFirst();
        if (kind == "room") {
            plan.rooms[words.takeFirst().remove(':')] = words;
        } else if (kind == "floor") {
            for (const QString& folder : words) {
                plan.floorOf[folder] = floor;
            }
            ++floor;
        } else if (kind == "circle") {
            plan.excused.append(QSet<QString>(words.begin(), words.end()));
        }
    }
    return plan;
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

    /// The build keeps what every object was made of, system headers included.
    void noSourceOfReconReachesQtVtkOrCuda() {
        static const QRegularExpression foreign(QStringLiteral("/(qt[56]?|vtk[-0-9.]*|cuda[-0-9.]*)/"),
                                                QRegularExpression::CaseInsensitiveOption);
        const Outcome kept = run({"ninja", "-C", inBuild(""), "-t", "deps"});
        QVERIFY2(kept.ok, qPrintable(kept.said));

        QString object;
        QHash<QString, int> headers;
        for (const QString& line : kept.said.split('\n')) {
            if (!line.startsWith(' ')) {
                object = line.startsWith("recon/") && line.endsWith("(VALID)") ? line.section(':', 0, 0) : "";
            } else if (!object.isEmpty()) {
                ++headers[object];
                const auto match = foreign.match(line);
                QVERIFY2(!match.hasMatch(), qPrintable(object + " reaches " + line.trimmed()));
            }
        }
        QVERIFY(headers.size() > 50);
        for (auto it = headers.begin(); it != headers.end(); ++it) {
            QVERIFY2(it.value() > 1, qPrintable(it.key() + " has no headers, so nothing is known of it"));
        }
    }

    void everyHeaderOfReconCompilesAlone() {
        const QList<CompileCommand> commands = reconCommands();
        QVERIFY(!commands.isEmpty());
        QStringList headers;
        for (const QString& header : filesUnder("recon", {"*.h"})) {
            headers.append(withoutTree(header));
        }
        QVERIFY(headers.size() > 20);
        Includes includes;
        const QSet<QString> proven = provenBySources(commands, includes);
        const QList<QStringList> lists = compilations(headers, proven, includes);
        for (const QString& header : headers) {
            QVERIFY2(includes.comeFirst(header),
                     qPrintable(header + " includes something after its own words"));
        }
        QHash<QString, QStringList> byFolder;
        for (const CompileCommand& command : commands) {
            byFolder.insert(QFileInfo(command.file).path(), bareCommand(command));
        }
        const QString anyFolder = byFolder.keys().first();

        // Compiled to an object, which a compiler cache keeps, of a source without a line.
        const QString cache = QStandardPaths::findExecutable("ccache");
        const QTemporaryDir objects;
        QFile source(inBuild("headers_alone.cpp"));
        QVERIFY(objects.isValid() && source.open(QIODevice::WriteOnly));
        QList<QStringList> checks;
        for (const QStringList& list : lists) {
            QStringList words = byFolder.value(inTree(folderOf(list.last())), byFolder[anyFolder]);
            if (!cache.isEmpty()) {
                words.prepend(cache);
            }
            words += {"-O0", "-c", "-o", objects.filePath(QString("%1.o").arg(checks.size()))};
            for (const QString& header : list) {
                words += {"-include", inTree(header)};
            }
            checks.append(words << source.fileName());
        }

        const QList<Outcome> answers = outcomes(checks);
        QVERIFY(!answers.isEmpty());
        for (int i = 0; i < answers.size(); ++i) {
            QVERIFY2(answers[i].ok, qPrintable(lists[i].join(' ') + ": " + answers[i].said));
        }
    }

    void everyFolderStandsOnAFloor() {
        const Plan plan = readPlan();
        const Graph folders = arrows(productFiles(), folderOf);

        for (const QString& folder : folders.keys()) {
            QVERIFY2(plan.floorOf.contains(folder), qPrintable(folder + " has no floor in " kPlan));
        }
        for (const QString& folder : plan.floorOf.keys()) {
            QVERIFY2(folders.contains(folder), qPrintable(folder + " of " kPlan " holds no source"));
        }
    }

    void arrowsPointDownwards() {
        const Plan plan = readPlan();
        const Graph folders = arrows(productFiles(), folderOf);
        QVERIFY(folders.size() > 30);

        QStringList faults;
        for (auto from = folders.begin(); from != folders.end(); ++from) {
            for (const QString& to : from.value()) {
                const QString room = roomOf(from.key());
                const bool roomFine = room == roomOf(to) || plan.rooms[room].contains(roomOf(to));
                const bool down = plan.floorOf.value(to) < plan.floorOf.value(from.key());
                if (!roomFine || (!down && !plan.excuses({from.key(), to}))) {
                    faults.append(from.key() + " includes " + to + ": " + witness(from.key(), to));
                }
            }
        }

        QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
    }

    void noCircle_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<bool>("byFolder");
        QTest::newRow("folders") << productFiles() << true;
        QTest::newRow("headers with their sources") << productFiles() << false;
        QTest::newRow("folders, tests included") << productFiles() + testFiles() << true;
        QTest::newRow("files, tests included") << productFiles() + testFiles() << false;
    }

    void noCircle() {
        QFETCH(QStringList, files);
        QFETCH(bool, byFolder);
        const Plan plan = readPlan();

        for (const QSet<QString>& circle : circles(arrows(files, byFolder ? folderOf : unitOf))) {
            QVERIFY2(plan.excuses(circle), qPrintable("a circle: " + sorted(circle).join(' ')));
        }
    }

    void excusedCirclesAreStillThere() {
        const Plan plan = readPlan();
        QSet<QString> inCircles;
        for (const auto& by : {folderOf, unitOf}) {
            for (const QSet<QString>& circle : circles(arrows(productFiles(), by))) {
                inCircles += circle;
            }
        }

        for (const QSet<QString>& excused : plan.excused) {
            const QSet<QString> gone = excused - inCircles;
            QVERIFY2(gone.isEmpty(), qPrintable("in no circle any more, take it out of " kPlan ": " +
                                                sorted(gone).join(' ')));
        }
    }

    void findsCircles_data() {
        QTest::addColumn<Graph>("graph");
        QTest::addColumn<QList<QStringList>>("expected");
        QTest::newRow("chain") << Graph{{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}} << QList<QStringList>{};
        QTest::newRow("two") << Graph{{"a", {"b"}}, {"b", {"a", "c"}}, {"c", {}}}
                             << QList<QStringList>{{"a", "b"}};
        QTest::newRow("long way round, and what hangs on it")
            << Graph{{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}, {"d", {"a"}}}
            << QList<QStringList>{{"a", "b", "c"}};
        QTest::newRow("two circles joined by an arrow")
            << Graph{{"a", {"b"}}, {"b", {"a", "c"}}, {"c", {"d"}}, {"d", {"c"}}}
            << QList<QStringList>{{"a", "b"}, {"c", "d"}};
    }

    void findsCircles() {
        QFETCH(Graph, graph);
        QFETCH(QList<QStringList>, expected);

        QList<QStringList> found;
        for (const QSet<QString>& circle : circles(graph)) {
            found.append(sorted(circle));
        }
        std::sort(found.begin(), found.end());

        QCOMPARE(found, expected);
    }

    /// tests/recon/io tests recon/io; tests/cli tests app/cli.
    void testsHaveTheRoomsOfTheTree() {
        const QSet<QString> folders = [] {
            QSet<QString> all;
            for (const QString& file : productFiles()) {
                for (QString folder = folderOf(file); !folder.isEmpty(); folder = folderOf(folder)) {
                    all.insert(folder);
                }
            }
            return all;
        }();

        for (const QString& file : testFiles().filter("_test.cpp")) {
            const QString folder = folderOf(file);
            const QString tested = folder == "tests/cli" ? QStringLiteral("app/cli") : folder.section('/', 1);
            QVERIFY2(folder == "tests/tree" || folders.contains(tested),
                     qPrintable(file + " tests no room: there is no " + tested));
        }
    }

    void noProgramLoadsWhatItOpensWhenItIsAskedFor_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("forbidden");
        QTest::newRow("tofscope") << "tofscope"
                                  << "libQt5|libmpi|libopen-rte|libpmix|libnccl";
        QTest::newRow("tofscope-cli")
            << "tofscope-cli"
            << "libQt|libvtk|libcuda|libcufft|libfftw|libmpi|libopen-rte|libpmix|libnccl";
    }

    void noProgramLoadsWhatItOpensWhenItIsAskedFor() {
        QFETCH(QString, program);
        QFETCH(QString, forbidden);
        const QString path = inBuild("bin/") + program;
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

}  // namespace layering_test
#include "layering_test.moc"
