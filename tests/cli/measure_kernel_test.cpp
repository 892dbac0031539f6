// SPDX-License-Identifier: Apache-2.0
// From list-mode of point sources to a kernel that reconstructs, through the real program.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/kernel/kernel_spec.h"
#include "tests/cli/cli_process.h"

namespace measure_kernel_test {

using namespace tof;
using namespace tof::test;

class MeasureKernelTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        const Said said = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "points", "--events",
                               "200000", "--seed", "9", path("points.h5")});
        QVERIFY2(said.code == 0, said.all());
    }

    void aKernelGoesFromPointSourcesIntoAReconstruction() {
        const QString kernel = path("kernel.json");

        const Said measured = cli({"measure-kernel", path("points.h5"), kernel, "--json"});

        QVERIFY2(measured.code == 0, measured.all());
        const QJsonObject form = measured.json();
        QCOMPARE(form["sources_mm"].toArray().size(), 39);
        QCOMPARE(form["events"].toInt(), 200000);  // the scanner's simulation records accepted lines alone
        QVERIFY(form["used"].toInt() + form["ambiguous"].toInt() > 0.98 * 200000);
        const KernelSpec spec = KernelSpec::parse(kernel.toStdString());
        QCOMPARE(static_cast<int>(spec.measured.size()), form["bands"].toArray().size());
        // 400 ps and the depth of interaction, which adds at most the 30 mm of a crystal, evenly: 8.7 mm of
        // sigma and 21 ps of FWHM.
        QVERIFY(spec.tof_ps > 398 && spec.tof_ps < 421);
        const Said shown = cli({"kernel", kernel});
        QVERIFY2(shown.code == 0 && shown.out.contains("measured"), shown.all());

        QVERIFY(cli({"bin", path("points.h5"), path("data.h5"), "--views", "6x1", "--grid", "36x36x12",
                     "--voxel", "16"})
                    .code == 0);
        const Said run = cli({"reconstruct", path("data.h5"), "--out", path("run.h5"), "--kernel", kernel,
                              "--engine", "cpu", "--iterations", "1", "--json"});
        QVERIFY2(run.code == 0, run.all());
    }

    void everyFitWritesAKernelOfItsKind_data() {
        QTest::addColumn<QString>("fit");
        QTest::newRow("measured") << "measured";
        QTest::newRow("variant") << "variant";
        QTest::newRow("asymmetric") << "asymmetric";
    }

    void everyFitWritesAKernelOfItsKind() {
        QFETCH(QString, fit);
        const QString kernel = path(fit + ".json");

        const Said said =
            cli({"measure-kernel", path("points.h5"), kernel, "--fit", fit, "--refine", "--band", "60"});

        QVERIFY2(said.code == 0 && said.out.contains("radial FWHM mm"), said.all());
        const KernelSpec spec = KernelSpec::parse(kernel.toStdString());
        QCOMPARE(!spec.measured.empty(), fit == "measured");
        // The ideal detectors of labr3 have no tails, so two Gaussians may be one too many.
        QVERIFY(fit == "asymmetric"
                    ? spec.asymmetry.has_value() || said.all().contains("do not tell two Gaussians from one")
                    : !spec.asymmetry.has_value());
        QVERIFY(spec.sampling == KernelSampling::Voxel);
        for (const MeasuredProfile& profile : spec.measured) {
            QCOMPARE(profile.sd.size(), profile.w.size());
            QVERIFY(std::all_of(profile.sd.begin(), profile.sd.end(), [](double sd) { return sd > 0; }));
        }
        QVERIFY(!spec.invariant());
        QVERIFY(spec.radial.at(268) > spec.radial.at(0));  // crystals are met at a slant far from the axis
    }

    void pointsAreTakenFromTextPhantomOrList() {
        QFile phantom(path("two.json"));
        QVERIFY(phantom.open(QIODevice::WriteOnly));
        phantom.write(R"({"name": "two", "shapes": [
            {"kind": "point", "centre_mm": [84.6, 30.7, 91.3], "activity": 1},
            {"kind": "point", "centre_mm": [60.6, 66.5, -88.7], "activity": 1}]})");
        phantom.close();
        const auto sources = [&](const QString& points) {
            const Said said = cli({"measure-kernel", path("points.h5"), path("p.json"), "--points", points,
                                   "--least-events", "500", "--json"});
            return said.json()["sources_mm"].toArray();
        };

        const QJsonArray expected{QJsonArray{84.6, 30.7, 91.3}, QJsonArray{60.6, 66.5, -88.7}};
        QCOMPARE(sources("84.6,30.7,91.3;60.6,66.5,-88.7"), expected);
        QCOMPARE(sources(path("two.json")), expected);
        QCOMPARE(sources("points").size(), 39);
    }

    void whatCannotBeMeasuredIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("too few") << QStringList{"--least-events", "1e6"} << 3 << "too few events";
        QTest::newRow("outside") << QStringList{"--points", "0,300,0"} << 3 << "outside the field of view";
        QTest::newRow("no points") << QStringList{"--points", "spheres"} << 3 << "no point sources";
        QTest::newRow("half a point") << QStringList{"--points", "0,300"} << 2 << "--points";
        QTest::newRow("unknown fit") << QStringList{"--fit", "measure"} << 2 << "measured";
        QTest::newRow("too wide") << QStringList{"--window", "60"} << 2 << "narrow the window";
    }

    void whatCannotBeMeasuredIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);

        const Said said = cli(QStringList{"measure-kernel", path("points.h5"), path("none.json")} + words);

        QCOMPARE(said.code, code);
        QVERIFY2(isOneSentence(said) && said.err.contains(says), said.all());
        QVERIFY(!QFile::exists(path("none.json")));
    }

    void listsThatDoNotSayWhereTheirSourcesAreAreRefused() {
        EventList events = readEvents(path("points.h5").toStdString()).events;
        events.phantom.clear();
        writeEvents(path("nowhere.h5").toStdString(), events);

        const Said nowhere = cli({"measure-kernel", path("nowhere.h5"), path("none.json")});

        QCOMPARE(nowhere.code, 3);
        QVERIFY2(isOneSentence(nowhere) && nowhere.err.contains("--points"), nowhere.all());
    }

    void listsThatDoNotDescribeTheirScannerAreToldIt() {
        EventList events = readEvents(path("points.h5").toStdString()).events;
        events.scannerJson.clear();
        writeEvents(path("bare.h5").toStdString(), events);

        const Said bare = cli({"measure-kernel", path("bare.h5"), path("bare.json")});
        const Said told =
            cli({"measure-kernel", path("bare.h5"), path("bare.json"), "--scanner", "labr3-ideal"});

        QCOMPARE(bare.code, 3);
        QVERIFY2(isOneSentence(bare) && bare.err.contains("--scanner"), bare.all());
        QVERIFY2(told.code == 0, told.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(MeasureKernelTest)

}  // namespace measure_kernel_test
#include "measure_kernel_test.moc"
