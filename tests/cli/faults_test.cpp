// SPDX-License-Identifier: Apache-2.0
// Every call of a command that changes its folder fails, or is the last one before the program is killed:
// what stood there is whole, or what comes is, and the command says which.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <set>

#include "recon/base/lattice.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"
#include "tests/support/places.h"
#include "tests/support/sanitizers.h"
#include "tests/support/small_data.h"

namespace faults_test {

using namespace tof;
using namespace tof::test;

namespace {

using Contents = std::map<QString, QByteArray>;

}  // namespace

class FaultsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        Volume volume = smallImage();
        writeVolume(path("old.h5").toStdString(), volume);
        for (float& value : volume.data) {
            value += 1;
        }
        writeVolume(path("new.h5").toStdString(), volume);
        for (const int seconds : {10, 20}) {
            DynamicImage moving;
            moving.lattice = volume.lattice;
            moving.units = "Bq/ml";
            moving.frames = {{0, double(seconds)}, {double(seconds), double(seconds)}};
            moving.values = {volume.data,
                             std::vector<float>(volume.data.size(), static_cast<float>(seconds))};
            writeDynamicImage(path(QString("frames%1.h5").arg(seconds)).toStdString(), moving);
        }
        writeData(path("data.h5").toStdString(), *smallData(KernelSpec::preset("invariant")));
        for (const char* const seed : {"1", "2"}) {
            const QString list = path(QString("list%1.h5").arg(seed));
            QCOMPARE(cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "points", "--events", "200",
                          "--seed", seed, list})
                         .code,
                     0);
        }
    }

    void outputsAreWholeOrSaidNotToBe_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("fault");
        const auto rows = [](const char* name, const QStringList& words, const char* before,
                             const char* after, const char* header) {
            for (const char* const fault : {"KILL", kErrors}) {
                QTest::addRow("%s, %s", name, fault)
                    << words << QString(before) << QString(after) << QString(header) << QString(fault);
            }
        };
        rows("HDF5", {"convert", "IN", "OUT/o.h5"}, "old.h5", "new.h5", "o.h5");
        rows("Interfile", {"convert", "IN", "OUT/o.hv"}, "old.h5", "new.h5", "o.hv");
        rows("NIfTI", {"convert", "IN", "OUT/o.nii"}, "old.h5", "new.h5", "o.nii");
        rows("NIfTI with a sidecar", {"convert", "IN", "OUT/o.nii"}, "frames10.h5", "frames20.h5", "o.json");
        rows("CASToR", {"convert", "IN", "OUT/o.cdh"}, "list1.h5", "list2.h5", "o.cdh");
    }
    void outputsAreWholeOrSaidNotToBe() {
        QFETCH(const QStringList, words);
        QFETCH(const QString, before);
        QFETCH(const QString, input);
        QFETCH(const QString, header);
        QFETCH(const QString, fault);
        std::set<Contents> mended;
        const auto with = [&](const QString& from) {
            QStringList all = words;
            all.replaceInStrings("IN", path(from)).replaceInStrings("OUT", path("out"));
            return all;
        };
        const Contents old = made(with(before));
        const Contents fresh = made(with(input));
        QVERIFY(old != fresh && old.count(header) == 1);
        put(old);
        const int places = count(with(input));
        QVERIFY2(places >= 4, qPrintable(QString::number(places)));
        for (int at = 1; at <= places; at = after(at, places)) {
            for (const QString& one : faultsAt(fault, at)) {
                put(old);

                const Said said = failing(with(input), at, one);

                const Contents there = contents();
                const QByteArray where =
                    QString("%1 at %2 of %3: ").arg(one).arg(at).arg(places).toUtf8() + said.all();
                const bool isOld = holds(there, old);
                const bool isNew = holds(there, fresh);
                QVERIFY2(isOld || isNew || there.count(header) == 0, where);
                QVERIFY2(said.code != 0 || isNew, where);
                if (one != "KILL") {
                    QVERIFY2(said.code == 0 || (said.code == 5 && said.err.count('\n') == 1), where);
                }
                if (mended.insert(there).second) {
                    QCOMPARE(cli(with(input)).code, 0);
                    QVERIFY2(contents() == fresh, where);  // and nothing is left beside
                }
            }
        }
    }

    /// A run of a study: what is there afterwards is a run that can be read, or none.
    void aRunIsWholeOrNotThere() {
        const QStringList words{"reconstruct", path("data.h5"), "--out",        path("out/r.h5"),
                                "--engine",    "cpu",           "--iterations", "3"};
        put({});
        const int places = count(words);
        QVERIFY(places >= 4);
        std::set<Contents> gone;  // what commands have gone on from
        for (int at = 1; at <= places; at = after(at, places)) {
            for (const char* const fault : {"KILL", "ENOSPC"}) {
                put({});

                const Said said = failing(words, at, fault);

                const QByteArray where = QString("%1 at %2: ").arg(fault).arg(at).toUtf8() + said.all();
                const bool there = QFile::exists(path("out/r.h5"));
                QVERIFY2(said.code != 0 || there, where);
                if (!gone.insert(contents()).second) {
                    continue;
                }
                QVERIFY2(!there || cli({"info", path("out/r.h5")}).code == 0, where);
                const bool resumes = QFile::exists(path("out/r.h5.ckpt"));
                QCOMPARE(cli(words + (resumes ? QStringList{"--resume"} : QStringList())).code, 0);
                QCOMPARE(QDir(path("out")).entryList(QDir::Files), QStringList{"r.h5"});
            }
        }
    }

    /// The journal fits, the checkpoint does not: a run goes on from both, so neither stays.
    void withoutRoomForItsCheckpointARunLeavesNothing() {
        QProcess process;
        process.start("bash", {"-c", QString("ulimit -f 8; exec %1 reconstruct %2 --out %3 --engine cpu "
                                             "--iterations 2 --save-every 2 --checkpoint-every 0")
                                         .arg(kProgram, path("data.h5"), path("full.h5"))});
        const Said said = finish(process);
        QCOMPARE(said.code, 5);
        QVERIFY2(said.err.contains("full.h5.ckpt: cannot be written"), said.all());
        QCOMPARE(QDir(folder_.path()).entryList({"full.h5*"}, QDir::Files), QStringList());
    }

    void aDriverThatFailsIsSaid_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("crashes in a thread of its own") << "crash";
        QTest::newRow("ends the program") << "exit";
    }
    void aDriverThatFailsIsSaid() {
        if (kSanitized) {
            QSKIP("the sanitizer handles crashes itself");
        }
        QFETCH(QString, how);
        QProcess process;
        QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
        around.insert("LD_PRELOAD", inBuild("tests/faults/libnvidia-fault.so"));
        around.insert("TOFSCOPE_DRIVER_FAULT", how);
        process.setProcessEnvironment(around);
        process.start(kProgram, {"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                                 "100000000", path("long.h5")});

        const Said said = finish(process);

        QCOMPARE(said.code, 4);
        QVERIFY2(said.err.contains("driver") && said.err.count('\n') == 1, said.all());
        QVERIFY(!QFile::exists(path("long.h5")));
    }

    /// tests/campaign/allocations has more commands and places.
    void aFailedAllocationIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("simulate") << QStringList{"simulate", "--scanner", "labr3-ideal", "--phantom",
                                                 "points",   "--events",  "200",         "OUT/o.h5"};
        QTest::newRow("HDF5") << QStringList{"convert", "IN", "OUT/o.h5"};
        QTest::newRow("Interfile") << QStringList{"convert", "IN", "OUT/o.hv"};
        QTest::newRow("NIfTI") << QStringList{"convert", "IN", "OUT/o.nii.gz"};
        QTest::newRow("reconstruct") << QStringList{"reconstruct", "DATA", "--out",        "OUT/o.h5",
                                                    "--engine",    "cpu",  "--iterations", "2"};
    }
    void aFailedAllocationIsSaid() {
        if (kSanitized) {
            QSKIP("the sanitizer's allocator is not the one that fails");
        }
        QFETCH(QStringList, words);
        words.replaceInStrings("IN", path("new.h5")).replaceInStrings("DATA", path("data.h5"));
        words.replaceInStrings("OUT", path("out"));
        const Contents before{{"o.h5", "h5"}, {"o.hv", "hv"}, {"o.v", "v"}, {"o.nii.gz", "nii"}};
        put(before);
        QCOMPARE(failing(words, 0, "ONE", kMemoryFaults).code, 0);
        QFile counted(path("count"));
        QVERIFY(counted.open(QFile::ReadOnly));
        const int places = counted.readAll().trimmed().toInt();
        QVERIFY(places > 1000);
        int refused = 0;
        for (int turn = 0; turn < kPlaces; ++turn) {
            const int at = 1 + static_cast<int>(qint64{places} * turn / kPlaces);
            put(before);

            const Said said = failing(words, at, turn % 2 == 0 ? "FROM" : "ONE", kMemoryFaults);

            const QByteArray where = QString("%1 of %2: ").arg(at).arg(places).toUtf8() + said.all();
            // Libraries may call it a file that cannot be read or written.
            QVERIFY2((QList<int>{0, 3, 4, 5}.contains(said.code)), where);
            refused += said.code == 4 ? 1 : 0;
            QVERIFY2(said.code == 0 || (said.err.contains("memory") && said.err.count('\n') == 1), where);
            QVERIFY2(said.code == 0 || holds(contents(), before), where);
        }
        QVERIFY(refused > 0);
    }

  private:
    static constexpr const char* kCallFaults = "libtofscope_faults.so";
    static constexpr const char* kMemoryFaults = "libtofscope_memory_faults.so";
    static constexpr int kPlaces = 6;
    static constexpr const char* kErrors = "EIO or ENOSPC";

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    [[nodiscard]] Contents contents() const {
        Contents all;
        for (const QString& name : QDir(path("out")).entryList(QDir::Files)) {
            QFile file(path("out/" + name));
            all[name] = file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
        }
        return all;
    }
    void put(const Contents& files) {
        QDir(path("out")).removeRecursively();
        QDir().mkpath(path("out"));
        for (const auto& [name, bytes] : files) {
            QFile file(path("out/" + name));
            QVERIFY(file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size());
        }
    }
    [[nodiscard]] static bool holds(const Contents& there, const Contents& wanted) {
        return std::all_of(wanted.begin(), wanted.end(), [&](const auto& file) {
            const auto found = there.find(file.first);
            return found != there.end() && found->second == file.second;
        });
    }
    /// Errors come in turns, the full disk at places with even numbers; or each of them at each place.
    [[nodiscard]] static QStringList faultsAt(const QString& fault, int at) {
        if (fault != kErrors) {
            return {fault};
        }
        if (qEnvironmentVariableIsSet("TOFSCOPE_FULL")) {
            return {"EIO", "ENOSPC"};
        }
        return {at % 2 == 0 ? "ENOSPC" : "EIO"};
    }
    /// What a command writes where nothing stood.
    Contents made(const QStringList& words) {
        put({});
        const Said said = cli(words);
        if (said.code != 0) {
            qWarning("%s", said.all().constData());
        }
        return contents();
    }
    Said failing(const QStringList& words, int at, const QString& fault,
                 const char* library = kCallFaults) const {
        QProcess process;
        QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
        // A sanitizer's runtime asks to be the first library.
        around.insert("ASAN_OPTIONS", "verify_asan_link_order=0:" + around.value("ASAN_OPTIONS"));
        around.insert("LD_PRELOAD", inBuild("tests/faults/") + library);
        around.insert("TOFSCOPE_FAULT_FOLDER", path("out"));
        around.insert("TOFSCOPE_FAULT_AT", QString::number(at));
        around.insert("TOFSCOPE_FAULT_ERROR", fault);
        around.insert("TOFSCOPE_FAULT_COUNT", at == 0 ? path("count") : "/dev/null");
        process.setProcessEnvironment(around);
        process.start(kProgram, words);
        return finish(process);
    }
    /// The place that is tried next: a few at the beginning, and all of the last ones, where names change.
    static int after(int at, int places) {
        constexpr int kLast = 8;
        const bool all = qEnvironmentVariableIsSet("TOFSCOPE_FULL") || at + kLast > places;
        return at + (all ? 1 : std::min(std::max(1, places / 4), places - kLast + 1 - at));
    }
    /// How many calls of the command change the folder.
    int count(const QStringList& words) {
        QFile::remove(path("count"));
        const Said said = failing(words, 0, "EIO");
        if (said.code != 0) {
            qWarning("%s", said.all().constData());
        }
        return static_cast<int>(QFileInfo(path("count")).size());
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(FaultsTest)

}  // namespace faults_test
#include "faults_test.moc"
