// SPDX-License-Identifier: Apache-2.0
// Every exit code of CONTRIBUTING.md, and the one sentence that goes with it.
#include <sys/resource.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/settings/settings.h"
#include "tests/cli/cli_process.h"
#include "tests/support/small_data.h"

namespace exit_codes_test {

using namespace tof;
using namespace tof::test;

class ExitCodesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        Volume image(Lattice::centred({16, 14, 8}, {4, 4, 4}), 1.0F);
        writeVolume(path("image.h5").toStdString(), image);
        writeData(path("data.h5").toStdString(), *smallData(KernelSpec::preset("variant1")));
        QVERIFY(QDir().mkdir(path("folder.h5")));
        write("garbage.h5", QByteArray(5000, 'x'));
        write("empty.h5", QByteArray());
        QFile whole(path("data.h5"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        write("truncated.h5", bytes.left(bytes.size() / 2));
        write("kernel.json", R"({"tof_ps": 400, "axial_mm": 5.8, "radial_mm": -3})");
        write("typo.json", R"({"tof_ps": 400, "axial_mm": 5.8, "radial_m": 5.8})");
        write("broken.json", R"({"tof_ps": 400,)");
        RunSettings gone;
        gone.set("kernel", "gone.json");
        Checkpoint checkpoint;
        checkpoint.settingsJson = R"({"settings":)" + gone.toJson() + "}";
        checkpoint.iteration = 1;
        checkpoint.image = std::make_shared<const Volume>(image);
        writeCheckpoint(path("gone.h5.ckpt").toStdString(), checkpoint);
    }

    void wrongUseExits2_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("part");
        QTest::newRow("no command") << QStringList{} << "no command";
        QTest::newRow("unknown command") << QStringList{"recon"} << "no command 'recon'";
        QTest::newRow("near miss") << QStringList{"simulat"} << "did you mean 'simulate'?";
        QTest::newRow("unknown option") << QStringList{"reconstruct", "d", "--out", "o", "--iteration", "3"}
                                        << "did you mean '--iterations'?";
        QTest::newRow("unknown setting value")
            << QStringList{"reconstruct", path("data.h5"), "--out", path("o.h5"), "--algorithm", "ramlah"}
            << "did you mean 'ramla'?";
        QTest::newRow("setting out of range")
            << QStringList{"reconstruct", path("data.h5"), "--out", path("o.h5"), "--iterations", "0"}
            << "iterations";
        QTest::newRow("unknown engine")
            << QStringList{"project", "--op", "forward", "--engine", "gpu", path("image.h5"), path("o.h5")}
            << "gpu";
        QTest::newRow("unknown kernel") << QStringList{"kernel", "varient1"} << "varient1";
        QTest::newRow("unknown kernel is told before data are read")
            << QStringList{"reconstruct", path("garbage.h5"), "--out", path("o.h5"), "--kernel", "varient1"}
            << "no kernel preset or file 'varient1', did you mean 'variant1'?";
        for (const char* option : {"--like", "--resume"}) {
            QTest::addRow("a kernel that is gone is told before data are read, %s", option)
                << (QStringList{"reconstruct", path("garbage.h5"), "--out", path("gone.h5"), option} +
                    (option == QString("--like") ? QStringList{path("gone.h5.ckpt")} : QStringList()))
                << "no kernel preset or file 'gone.json'";
        }
        QTest::newRow("output missing") << QStringList{"reconstruct", path("data.h5")} << "--out is missing";
        QTest::newRow("events missing")
            << QStringList{"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "o.h5"}
            << "--events is missing";
        QTest::newRow("unknown scanner") << QStringList{"simulate", "--scanner", "lbr3", "--phantom",
                                                        "spheres",  "--events",  "10",   path("o.h5")}
                                         << "lbr3";
        QTest::newRow("unknown phantom") << QStringList{"simulate", "--scanner", "labr3-ideal", "--phantom",
                                                        "sphere5",  "--events",  "10",          path("o.h5")}
                                         << "sphere5";
        QTest::newRow("views") << QStringList{"bin", "l.h5", path("o.h5"), "--views", "40"}
                               << "--views is '40'";
        QTest::newRow("unknown form")
            << QStringList{"bin", "l.h5", path("o.h5"), "--to", "lines"} << "must be one of histo";
        QTest::newRow("input is output")
            << QStringList{"convert", path("image.h5"), path("image.h5")} << "both input and output";
        QTest::newRow("output format") << QStringList{"convert", path("image.h5"), path("o.dcm")} << "o.dcm";
        QTest::newRow("too many subsets")
            << QStringList{"reconstruct", path("data.h5"), "--out",     path("o.h5"),
                           "--engine",    "cpu",           "--subsets", "99"}
            << "99 subsets";
        QTest::newRow("csv and json")
            << QStringList{"analyze", path("image.h5"), "--rois", "auto", "--csv", "--json"}
            << "exclude each other";
    }

    void wrongUseExits2() {
        QFETCH(QStringList, words);
        QFETCH(QString, part);

        const Said said = cli(words);

        QVERIFY2(said.code == 2, said.all());
        QVERIFY2(said.err.contains(part), said.all());
        QVERIFY2(words.contains("--json") || isOneSentence(said), said.all());
    }

    void badInputExits3_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("named");
        for (const char* file : {"garbage.h5", "empty.h5", "truncated.h5", "absent.h5", "."}) {
            const QString in = path(file);
            const QString name = QString::fromLatin1(file);
            const auto row = [&](const char* command, const QStringList& words) {
                QTest::newRow(qPrintable(QString(command) + " " + name))
                    << words << (name == "." ? path("") : name);
            };
            row("info", {"info", in});
            row("convert", {"convert", in, path("o.nii")});
            row("bin", {"bin", in, path("o.h5")});
            row("project", {"project", "--op", "back", "--engine", "cpu", in, path("o.h5")});
            row("reconstruct", {"reconstruct", in, "--out", path("o.h5"), "--engine", "cpu"});
            row("analyze", {"analyze", in, "--rois", "auto"});
            row("rois", {"analyze", path("image.h5"), "--rois", in});
        }
        const auto kernel = [&](const char* file) { return QStringList{"kernel", path(file)}; };
        QTest::newRow("kernel value") << kernel("kernel.json") << "radial_mm";
        QTest::newRow("kernel field") << kernel("typo.json") << "did you mean 'radial_mm'?";
        QTest::newRow("kernel syntax") << kernel("broken.json") << "broken.json";
        QTest::newRow("kernel is read before data")
            << QStringList{"reconstruct", path("garbage.h5"), "--out",
                           path("o.h5"),  "--kernel",         path("kernel.json")}
            << "kernel.json";
        QTest::newRow("data as list") << QStringList{"bin", path("data.h5"), path("o.h5")} << "data.h5";
        QTest::newRow("image as data")
            << QStringList{"reconstruct", path("image.h5"), "--out", path("o.h5"), "--engine", "cpu"}
            << "image.h5";
        QTest::newRow("nothing to resume")
            << QStringList{"reconstruct", path("data.h5"), "--out",   path("o.h5"),
                           "--engine",    "cpu",           "--resume"}
            << "o.h5.ckpt";
        QTest::newRow("no phantom for ROIs")
            << QStringList{"analyze", path("image.h5"), "--rois", "auto"} << "--phantom";
    }

    void badInputExits3() {
        QFETCH(QStringList, words);
        QFETCH(QString, named);

        const Said said = cli(words);

        QVERIFY2(said.code == 3, said.all());
        QVERIFY2(isOneSentence(said), said.all());
        QVERIFY2(said.err.contains(named), said.all());
        QVERIFY(!QFile::exists(path("o.h5")) && !QFile::exists(path("o.nii")));
    }

    void aMissingDeviceExits4() {
        for (const auto& entry : cli({"devices", "--json"}).json()["engines"].toArray()) {
            const QJsonObject engine = entry.toObject();
            if (engine["name"].toString() == "cuda" && engine["available"].toBool()) {
                QSKIP("this machine has a CUDA device");
            }
        }

        const Said said = cli(
            {"reconstruct", path("data.h5"), "--out", path("o.h5"), "--engine", "cuda", "--iterations", "1"});

        QVERIFY2(said.code == 4, said.all());
        QVERIFY2(isOneSentence(said), said.all());
        QVERIFY2(said.err.contains("cuda"), said.all());
    }

    void anEngineThatCannotExits4() {
        const Said said = cli({"project", "--op", "forward", "--engine", "cpu", "--strategy",
                               "texture-reduce", path("image.h5"), path("o.h5")});

        QVERIFY2(said.code == 4, said.all());
        QVERIFY2(isOneSentence(said), said.all());
    }

    void tooLittleMemoryExits4() {
        const Said said = cli({"reconstruct", path("data.h5"), "--out", path("o.h5"), "--engine", "cpu",
                               "--memory-limit", "0.00001"});

        QVERIFY2(said.code == 4, said.all());
        QVERIFY2(isOneSentence(said), said.all());
    }

    void anUnwritableOutputExits5_data() {
        QTest::addColumn<QString>("output");
        QTest::newRow("no such folder") << path("absent/o.h5");
        QTest::newRow("a folder") << path("folder.h5");
        QTest::newRow("a file as folder") << path("image.h5/o.h5");
    }

    void anUnwritableOutputExits5() {
        QFETCH(QString, output);
        const QList<QStringList> commands{
            {"project", "--op", "forward", "--engine", "cpu", path("image.h5"), output},
            {"convert", path("image.h5"), output},
            {"reconstruct", path("data.h5"), "--out", output, "--engine", "cpu", "--iterations", "1"},
            {"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events", "10", output},
            {"bin", path("data.h5"), output}};

        for (const QStringList& words : commands) {
            const Said said = cli(words);

            QVERIFY2(said.code == 5, said.all());
            QVERIFY2(isOneSentence(said), said.all());
        }
    }

    void aFullDiskExits5AndLeavesTheOldFileWhole_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("HDF5") << "kept.h5";
        QTest::newRow("NIfTI") << "kept.nii";
    }

    void aFullDiskExits5AndLeavesTheOldFileWhole() {
        QFETCH(QString, name);
        QVERIFY(cli({"convert", path("image.h5"), path(name)}).code == 0);
        const QByteArray before = read(name);

        // Files may not grow beyond 2 KiB, as on a disk that fills up half-way.
        const Said said =
            cli({"project", "--op", "forward", "--engine", "cpu", path("image.h5"), path(name)}, [] {
                const rlimit limit{2048, 2048};
                ::setrlimit(RLIMIT_FSIZE, &limit);
                ::signal(SIGXFSZ, SIG_IGN);
            });

        QVERIFY2(said.code == 5, said.all());
        QVERIFY2(isOneSentence(said), said.all());
        QVERIFY(read(name) == before);
        QVERIFY(QDir(folder_.path()).entryList({name + "?*"}).isEmpty());
    }

    void aClosedStandardOutputExits5() {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(kProgram, {"kernel", "invariant", "--grid", "8x8x8"});
        const Said said = finish(process);

        QVERIFY2(said.code == 5, said.all());
    }

    void errorsAreJsonWhenAskedFor_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::newRow("wrong use") << QStringList{"--json", "nothing"} << 2;
        QTest::newRow("unknown option") << QStringList{"info", "--json", "--jsn"} << 2;
        QTest::newRow("bad input") << QStringList{"info", path("garbage.h5"), "--json"} << 3;
        QTest::newRow("unavailable") << QStringList{"project",   "--op",   "forward",
                                                    "--engine",  "cpu",    "--strategy",
                                                    "unheard",   "--json", path("image.h5"),
                                                    path("o.h5")}
                                     << 4;
        QTest::newRow("cannot write")
            << QStringList{"convert", path("image.h5"), path("absent/o.nii"), "--json"} << 5;
    }

    void errorsAreJsonWhenAskedFor() {
        QFETCH(QStringList, words);
        QFETCH(int, code);

        const Said said = cli(words);

        QVERIFY2(said.code == code, said.all());
        QCOMPARE(said.error()["code"].toInt(), code);
        QVERIFY2(said.error()["message"].toString().size() > 10, said.all());
        QVERIFY2(!said.error()["kind"].toString().isEmpty(), said.all());
        QVERIFY(said.out.isEmpty());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    void write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    [[nodiscard]] QByteArray read(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(ExitCodesTest)

}  // namespace exit_codes_test
#include "exit_codes_test.moc"
