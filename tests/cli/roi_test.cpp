// SPDX-License-Identifier: Apache-2.0
// ROIs through the real program: made, converted and measured without a window.
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/io/format_table.h"
#include "recon/metrics/figures_of_merit.h"
#include "tests/cli/cli_process.h"

namespace roi_test {

using namespace tof;
using namespace tof::test;

class RoiCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        // Two balls of 20 and 10 on 1.
        Volume volume(Lattice::centred({60, 60, 20}, {3, 3, 3}), 1.0F);
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            const auto x = static_cast<double>(i % 60);
            const auto y = static_cast<double>(i / 60 % 60);
            const auto z = static_cast<double>(i / 3600);
            const Vec3 p = volume.lattice.centre(x, y, z);
            volume.data[i] = norm(p - Vec3{40, 0, 0}) <= 12    ? 20.0F
                             : norm(p - Vec3{-40, 0, 0}) <= 12 ? 10.0F
                                                               : 1.0F;
            inside_ += volume.data[i] == 20.0F ? 1 : 0;
        }
        writeVolume(path("balls.h5").toStdString(), volume);
    }

    void aThresholdMakesASphereThatAnalyzeMeasures() {
        const Said made = cli({"rois", path("ball.json"), "--image", path("balls.h5"), "--threshold", "41",
                               "--at", "35,3,0", "--within", "30", "--json"});
        QVERIFY2(made.code == 0, made.all());
        QCOMPARE(made.json()["rois"].toInt(), 1);
        const Said said = cli({"analyze", path("balls.h5"), "--rois", path("ball.json"), "--json"});
        QVERIFY2(said.code == 0, said.all());

        const QJsonObject roi =
            said.json()["iterations"].toArray()[0].toObject()["rois"].toArray()[0].toObject();

        // The sphere has the volume of the voxels found; at its rim it takes in a little of the 1 around.
        QVERIFY(std::abs(roi["volume_mm3"].toDouble() / (27.0 * inside_) - 1) < 0.02);
        QCOMPARE(roi["max"].toDouble(), 20.0);
        QVERIFY(roi["mean"].toDouble() > 17 && roi["mean"].toDouble() < 20);
    }

    void contoursTakeTheVoxelsAboveTheirLevel_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("voxels");
        const QStringList suv{"--units", "Bq/ml", "--weight", "70", "--dose", "0.07", "--within", "20"};
        QTest::newRow("41 %") << QStringList{"--contour", "41"} << inside_;
        // 70 kg and 70 kBq are 1 SUV for a Bq/ml, so that the ball of 10 is above 4 as above 2.5.
        QTest::newRow("SUV 2.5") << QStringList{"--contour", "suv-2.5"} + suv << inside_;
        // The warm ball: 1.5 x 10 + 2 x 0 is between both balls.
        QTest::newRow("PERCIST") << QStringList{"--contour",       "percist",     "--from",
                                                path("warm.json"), "--reference", "warm"}
                                 << inside_;
    }
    void contoursTakeTheVoxelsAboveTheirLevel() {
        QFETCH(QStringList, words);
        QFETCH(int, voxels);
        QFile warm(path("warm.json"));
        QVERIFY(warm.open(QIODevice::WriteOnly));
        warm.write(R"([{"name":"warm","shape":"sphere","centre_mm":[-40,0,0],"radius_mm":6}])");
        warm.close();

        const Said made = cli(
            QStringList{"rois", path("contour.json"), "--image", path("balls.h5"), "--at", "35,3,0"} + words);
        QVERIFY2(made.code == 0, made.all());
        const QJsonArray rois = cli({"analyze", path("balls.h5"), "--rois", path("contour.json"), "--json"})
                                    .json()["iterations"]
                                    .toArray()[0]
                                    .toObject()["rois"]
                                    .toArray();

        const QJsonObject contour = rois[rois.size() - 1].toObject();
        QCOMPARE(contour["volume_mm3"].toDouble(), 27.0 * voxels);
        QCOMPARE(contour["min"].toDouble(), 20.0);
    }

    void contoursSayWhatTheyLack_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no dose") << QStringList{"--contour", "suv-2.5"} << 2 << "body weight and dose";
        QTest::newRow("no liver") << QStringList{"--contour", "percist"} << 2 << "call it 'liver'";
        QTest::newRow("too high") << QStringList{"--contour", "suv-4", "--units", "Bq/ml",
                                                 "--weight",  "70",    "--dose",  "7"}
                                  << 3 << "below the level";
        QTest::newRow("a ball") << QStringList{"--paint", "1,2,3,0"} << 2 << "a radius";
    }
    void contoursSayWhatTheyLack() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);

        const Said said = cli(
            QStringList{"rois", path("none.json"), "--image", path("balls.h5"), "--at", "35,3,0"} + words);

        QVERIFY2(said.code == code, said.all());
        QVERIFY2(said.err.contains(says), said.all());
    }

    void aBrushPaintsAndErases() {
        const Said said = cli({"rois", path("painted.json"), "--image", path("balls.h5"), "--paint",
                               "40,0,0,9;52,0,0,9", "--erase", "40,0,0,5", "--brush", "tumour"});
        QVERIFY2(said.code == 0, said.all());
        const QJsonObject roi = cli({"analyze", path("balls.h5"), "--rois", path("painted.json"), "--json"})
                                    .json()["iterations"]
                                    .toArray()[0]
                                    .toObject()["rois"]
                                    .toArray()[0]
                                    .toObject();

        int voxels = 0;
        const Lattice lattice = Lattice::centred({60, 60, 20}, {3, 3, 3});
        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = lattice.centre(x, y, z);
            const bool painted = norm(p - Vec3{40, 0, 0}) <= 9 || norm(p - Vec3{52, 0, 0}) <= 9;
            voxels += painted && norm(p - Vec3{40, 0, 0}) > 5 ? 1 : 0;
        });
        QCOMPARE(roi["volume_mm3"].toDouble(), 27.0 * voxels);
        QCOMPARE(roi["name"].toString(), QString("tumour"));
    }

    void labelMapsComeAndGo() {
        QVERIFY2(cli({"rois", path("voxels.json"), "--image", path("balls.h5"), "--threshold", "50", "--at",
                      "40,0,0", "--kind", "voxels"})
                         .code == 0,
                 "threshold");
        QVERIFY2(cli({"rois", path("map.nii.gz"), "--from", path("voxels.json"), "--image", path("balls.h5")})
                         .code == 0,
                 "label map");
        const Volume map = readVolume(path("map.nii.gz").toStdString());
        int labelled = 0;
        for (const float v : map.data) {
            labelled += v == 1.0F ? 1 : 0;
        }
        QCOMPARE(labelled, inside_);

        const Said said = cli({"analyze", path("balls.h5"), "--rois", path("map.nii.gz"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonObject roi =
            said.json()["iterations"].toArray()[0].toObject()["rois"].toArray()[0].toObject();
        // The table beside the map keeps the name.
        QCOMPARE(roi["name"].toString(), QString("region 1"));
        QCOMPARE(roi["mean"].toDouble(), 20.0);
        QCOMPARE(roi["sd"].toDouble(), 0.0);
        QCOMPARE(roi["voxels"].toDouble(), static_cast<double>(inside_));
    }

    void aRingIsMadeOfOneRoi() {
        QVERIFY(cli({"rois", path("phantom.json"), "--phantom", "spheres"}).code == 0);

        const Said said = cli({"rois", path("ring.json"), "--from", path("phantom.json"), "--ring-of",
                               "sphere 1", "--copies", "4", "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["rois"].toInt(), 13 + 3);
        QFile file(path("ring.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const RoiSet set = roiSetFromJson(file.readAll().toStdString(), "ring.json");
        QCOMPARE(set.trueRatio, 6.0);
        const Vec3 first = set.rois[0].centre;
        const Vec3 opposite = set.rois[14].centre;  // the second of three copies: half a turn on
        QVERIFY(std::abs(first.x + opposite.x) < 1e-9 && std::abs(first.y + opposite.y) < 1e-9);
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("names");
        QTest::newRow("no image") << QStringList{"--threshold", "41"} << "--image";
        QTest::newRow("point") << QStringList{"--at", "1,2"} << "--at";
        QTest::newRow("ring") << QStringList{"--ring-of", "nobody"} << "nobody";
    }

    void mistakesAreNamed() {
        QFETCH(QStringList, words);
        QFETCH(QString, names);

        const Said said = cli(QStringList{"rois", path("never.json")} + words);

        QCOMPARE(said.code, 2);
        QVERIFY2(QString(said.all()).contains(names), said.all());
        QVERIFY(!QFile::exists(path("never.json")));
    }

  private:
    QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
    int inside_ = 0;
};

QTEST_GUILESS_MAIN(RoiCliTest)

}  // namespace roi_test
#include "roi_test.moc"
