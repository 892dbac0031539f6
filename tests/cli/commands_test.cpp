// SPDX-License-Identifier: Apache-2.0
// Commands that need no data: help, version, devices, kernel, project, info, convert.
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/io/format_table.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/settings/settings.h"
#include "recon/settings/version.h"
#include "recon/work/follow.h"
#include "tests/cli/cli_process.h"

namespace commands_test {

using namespace tof;
using namespace tof::test;

namespace {

const QStringList kCommands{"simulate", "bin",    "correct",  "project", "reconstruct", "runs", "analyze",
                            "rois",     "tac",    "kinetics", "kernel",  "bench",       "info", "convert",
                            "devices",  "manual", "truth",    "figure",  "register",    "list"};

}  // namespace

class CommandsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        // One voxel on, well inside: what a projection makes of it is the kernel itself.
        Volume point(Lattice::centred({41, 37, 21}, {4, 4, 4}));
        point.at(20, 18, 10) = 1.0F;
        writeVolume(path("point.h5").toStdString(), point);
    }

    void versionIsTheProjects() {
        QCOMPARE(cli({"--version"}).out, QStringLiteral("tofscope-cli %1\n").arg(kVersion));
        QCOMPARE(cli({"--version", "--json"}).json()["version"].toString(), QString(kVersion));
    }

    void helpListsEveryCommand() {
        const Said said = cli({"--help"});

        QCOMPARE(said.code, 0);
        for (const QString& command : kCommands) {
            QVERIFY2(said.out.contains(QRegularExpression("\n  " + command + "  +[A-Z]")),
                     qPrintable(command));
        }
        QVERIFY(said.out.contains("Exit codes"));
    }

    void everyCommandHasHelp_data() {
        QTest::addColumn<QString>("command");
        for (const QString& command : kCommands) {
            QTest::newRow(qPrintable(command)) << command;
        }
    }

    void everyCommandHasHelp() {
        QFETCH(QString, command);

        const Said said = cli({command, "--help"});

        QCOMPARE(said.code, 0);
        QVERIFY(said.out.contains("Usage: tofscope-cli " + command));
        QVERIFY(said.err.isEmpty());
    }

    void optionsOfReconstructAreTheSettingsTable() {
        QStringList expected{
            "--help",           "--out",     "--start",  "--save-every",     "--checkpoint-every",
            "--resume",         "--like",    "--queued", "--replicates",     "--only",
            "--frames-from",    "--dynamic", "--direct", "--direct-input",   "--direct-start",
            "--direct-updates", "--fields",  "--beds",   "--temporal-prior", "--temporal-beta",
            "--temporal-gates", "--follow"};
        for (const auto& row : followRows()) {
            if (row.shown != Shown::Window) {
                expected.append("--" + QString::fromStdString(row.key));
            }
        }
        for (const SettingInfo& info : settingsTable()) {
            expected.append("--" + QString::fromStdString(info.key));
        }
        expected.sort();

        const QString help = cli({"reconstruct", "--help"}).out;

        QStringList found;
        static const QRegularExpression option("^ +(?:-h,)?(--[a-z-]+)", QRegularExpression::MultilineOption);
        for (auto it = option.globalMatch(help); it.hasNext();) {
            found.append(it.next().captured(1));
        }
        found.sort();
        QCOMPARE(found, expected);
    }

    void devicesNamesEveryEngineOrSaysWhyNot() {
        const Said said = cli({"devices", "--json"});

        QCOMPARE(said.code, 0);
        QStringList names;
        for (const auto& entry : said.json()["engines"].toArray()) {
            const QJsonObject engine = entry.toObject();
            names.append(engine["name"].toString());
            const bool there = engine["available"].toBool();
            QVERIFY(there ? !engine["device"].toString().isEmpty() : engine["why"].toString().size() > 20);
        }
        QCOMPARE(names, (QStringList{"cpu", "fftw", "cuda", "cufft"}));
        QVERIFY(said.json()["engines"].toArray()[0].toObject()["available"].toBool());
        const QString text = cli({"devices"}).out;
        for (const QString& name : names) {
            QVERIFY(text.contains(name));
        }
    }

    void kernelPrintsTheTablesOfTheLibrary() {
        const KernelSpec spec = KernelSpec::preset("variant1");
        const Lattice lattice = Lattice::centred({20, 18, 9}, {4, 5, 6});
        const KernelTables tables =
            buildKernelTables(spec, lattice, View{30 * std::acos(-1.0) / 180, 5 * std::acos(-1.0) / 180});

        const Said said = cli({"kernel", "variant1", "--azimuth", "30", "--tilt", "5", "--grid", "20x18x9",
                               "--voxel", "4x5x6", "--json"});

        QCOMPARE(said.code, 0);
        const QJsonObject form = said.json();
        const QJsonArray taps = form["taps"].toArray();
        QCOMPARE(static_cast<std::size_t>(taps.size()), tables.taps.size());
        const QJsonArray ids = form["ids"].toArray();
        QCOMPARE(static_cast<std::size_t>(ids.size()), tables.ids.size());
        const QJsonArray values = form["values"].toArray();
        QCOMPARE(static_cast<int>(values.size()), tables.rows);
        for (int i = 0; i < taps.size(); ++i) {
            const KernelTap& tap = tables.taps[static_cast<std::size_t>(i)];
            QCOMPARE(taps[i].toArray(), (QJsonArray{tap.x, tap.y, tap.z}));
        }
        for (int row = 0; row < tables.rows; ++row) {
            const QJsonArray printed = values[row].toArray();
            const auto exact = tables.row(row);
            double sum = 0;
            for (int i = 0; i < printed.size(); ++i) {
                sum += printed[i].toDouble();
                QCOMPARE(static_cast<float>(printed[i].toDouble()), exact[static_cast<std::size_t>(i)]);
            }
            // Every value was rounded to float once: half an ulp of at most 1 each.
            QVERIFY(std::abs(sum - 1) < 6e-8 * static_cast<double>(printed.size()));
        }
        const QJsonArray widths = form["widths"].toArray();
        QCOMPARE(static_cast<int>(widths.size()), tables.radialIds);
        // docs/model.md section 2: 4.8 mm at the centre rising to 5.8 at 75 mm, taken at the middle of the
        // id's bin.
        QVERIFY(std::abs(widths[0].toObject()["radial_fwhm_mm"].toDouble() - (4.8 + 1.0 / 75)) < 1e-9);
    }

    void kernelTableForPeopleHasARowPerId() {
        const Said said = cli({"kernel", "invariant", "--grid", "16x16x8"});

        QCOMPARE(said.code, 0);
        QVERIFY(said.out.contains("mSR "));
        QVERIFY(said.out.contains("LORmap"));
        QVERIFY(said.out.contains("5.8000"));
    }

    void forwardOfAPointIsTheKernel() {
        const QString out = path("forward.h5");

        const Said said = cli({"project", "--op", "forward", "--engine", "cpu", "--kernel", "variant1",
                               "--azimuth", "20", "--tilt", "-5", path("point.h5"), out});

        QVERIFY2(said.code == 0, said.all());
        const Volume image = readVolume(out.toStdString());
        const double degree = std::acos(-1.0) / 180;
        const KernelTables tables =
            buildKernelTables(KernelSpec::preset("variant1"), image.lattice, View{20 * degree, -5 * degree});
        const auto row = tables.row(tables.ids[18 * 41 + 20]);
        const float peak = *std::max_element(row.begin(), row.end());
        Volume expected(image.lattice);
        for (std::size_t i = 0; i < tables.taps.size(); ++i) {
            const KernelTap& tap = tables.taps[i];
            const int x = 20 + tap.x;
            const int y = 18 + tap.y;
            const int z = 10 + tap.z;
            if (image.lattice.contains(x, y, z)) {
                expected.at(x, y, z) = row[i];
            }
        }
        for (std::size_t i = 0; i < image.data.size(); ++i) {
            // Design: engines agree with the definition to 2e-5 of the maximum.
            QVERIFY(std::abs(image.data[i] - expected.data[i]) <= 2e-5F * peak);
        }
    }

    void projectionsAreAdjoint() {
        const Lattice lattice = Lattice::centred({17, 13, 7}, {4, 4, 5});
        Volume x(lattice);
        Volume y(lattice);
        for (std::size_t i = 0; i < x.data.size(); ++i) {
            x.data[i] = static_cast<float>((i * 7919) % 101) / 101.0F;
            y.data[i] = static_cast<float>((i * 104729) % 97) / 97.0F;
        }
        writeVolume(path("x.h5").toStdString(), x);
        writeVolume(path("y.h5").toStdString(), y);
        const QStringList common{"--kernel", "variant2", "--azimuth", "70", "--tilt", "6", "--engine", "cpu"};

        const Said forward = cli(QStringList{"project", "--op", "forward"} + common +
                                 QStringList{path("x.h5"), path("fx.h5")});
        const Said back = cli(QStringList{"project", "--op", "back", "--json"} + common +
                              QStringList{path("y.h5"), path("by.h5")});

        QVERIFY2(forward.code == 0, forward.all());
        QVERIFY2(back.code == 0, back.all());
        QCOMPARE(back.json()["engine"].toString(), QStringLiteral("cpu"));
        const Volume fx = readVolume(path("fx.h5").toStdString());
        const Volume by = readVolume(path("by.h5").toStdString());
        const double left = std::inner_product(fx.data.begin(), fx.data.end(), y.data.begin(), 0.0);
        const double right = std::inner_product(x.data.begin(), x.data.end(), by.data.begin(), 0.0);
        QVERIFY(std::abs(left - right) <= 1e-5 * std::abs(left));
    }

    void aNameThatIsNotUtf8GoesThroughJson() {
        // Linux names are bytes; 0xff begins no UTF-8 character. Qt could not remove the file by its name.
        const QString script =
            R"(out=$(printf '%s/copy\377.h5' "$2"); "$0" convert "$1" "$out" --json; code=$?; rm "$out"; exit $code)";
        QProcess shell;
        shell.start("sh", {"-c", script, kProgram, path("point.h5"), folder_.path()});
        const Said said = finish(shell);
        QVERIFY2(said.code == 0, said.all());
        QVERIFY2(said.json()["output"].toString().endsWith(QStringLiteral("copy\uFFFD.h5")), said.all());
    }

    void convertKeepsEveryVoxel_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("NIfTI") << "copy.nii";
        QTest::newRow("compressed NIfTI") << "copy.nii.gz";
        QTest::newRow("Interfile") << "copy.hv";
        QTest::newRow("HDF5") << "copy.h5";
    }

    void convertKeepsEveryVoxel() {
        QFETCH(QString, name);
        const QString there = path(name);
        const QString back = path("back-" + name + ".h5");

        const Said first = cli({"convert", path("point.h5"), there});
        const Said second = cli({"convert", there, back});

        QVERIFY2(first.code == 0, first.all());
        QVERIFY2(second.code == 0, second.all());
        const Volume original = readVolume(path("point.h5").toStdString());
        const Volume copy = readVolume(back.toStdString());
        QCOMPARE(copy.lattice.size, original.lattice.size);
        QVERIFY(copy.data == original.data);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // NIfTI and Interfile keep spacings as float or as decimal text.
            QVERIFY(std::abs(copy.lattice.spacing_mm[axis] - 4) < 1e-5);
        }
        QVERIFY(std::abs(copy.lattice.origin_mm.x + 80) < 1e-4);
    }

    void infoSaysWhatAVolumeIs() {
        const Said said = cli({"info", path("point.h5"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["kind"].toString(), QStringLiteral("volume"));
        const Said text = cli({"info", path("point.h5")});
        QVERIFY(text.out.contains("kind: volume"));
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(CommandsTest)

}  // namespace commands_test
#include "commands_test.moc"
