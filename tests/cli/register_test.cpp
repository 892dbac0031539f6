// SPDX-License-Identifier: Apache-2.0
// Images laid onto each other, turned and reoriented through the real program.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/io/format_table.h"
#include "recon/register/rigid_place.h"
#include "recon/register/transform_file.h"
#include "tests/cli/cli_process.h"

namespace register_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Three blobs of sigma 14 mm where a motion takes them, as one image shows them and as another one does.
Volume blobs(const Pose& place, double contrast) {
    Volume out(Lattice::centred({50, 50, 40}, {4, 4, 4}));
    const std::array<Vec3, 3> middles{Vec3{40, 10, -20}, Vec3{-30, 35, 15}, Vec3{5, -45, 30}};
    out.lattice.forEachVoxel([&](int x, int y, int z) {
        double value = 0;
        for (const Vec3& middle : middles) {
            const Vec3 d = out.lattice.centre(x, y, z) - place.moved(middle);
            value += std::exp(-dot(d, d) / (2 * 14 * 14));
        }
        out.at(x, y, z) = static_cast<float>(contrast * value * value + 1);
    });
    return out;
}

Vec3 vectorOf(const QJsonValue& list) {
    const QJsonArray numbers = list.toArray();
    return {numbers[0].toDouble(), numbers[1].toDouble(), numbers[2].toDouble()};
}

}  // namespace

class RegisterCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        away_ = poseOf({{9, -6, 4}, {3, -4, 6}}, {});
        writeVolume(path("fixed.h5").toStdString(), blobs(Pose(), 50));
        writeVolume(path("moving.h5").toStdString(), blobs(away_, -20));
    }

    void anImageIsLaidOntoAnotherOne() {
        const Said said = cli({"register", path("moving.h5"), "--to", path("fixed.h5"), "--out",
                               path("back.tfm"), "--resampled", path("back.nii.gz"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        const Pose left = readTransform(path("back.tfm").toStdString()).after(away_);
        QVERIFY2(norm(left.shift) < 0.5 && angle_deg(left) < 0.5, said.all());
        const Volume laid = readVolume(path("back.nii.gz").toStdString());
        QCOMPARE(laid.lattice.size, (std::array<int, 3>{50, 50, 40}));
        // Where the fixed image is brightest the other one is darkest, with -20 in the place of 50; h^2/8 of
        // the second derivative along each axis, 3 x 2 x 20 x 16/8/196, is 1.2.
        const VoxelIndex at = laid.lattice.voxelAt({40, 10, -20});
        const float bright = readVolume(path("fixed.h5").toStdString()).at(at);
        QVERIFY(std::abs(laid.at(at) - (1 - 0.4F * (bright - 1))) < 1.2F);
        QVERIFY(said.json()["covered"].toDouble() > 0.7);
    }

    void aPlaceByHandIsWrittenAsItWasSaid() {
        const Said said =
            cli({"register", path("moving.h5"), "--to", path("fixed.h5"), "--by", "hand", "--shift", "-9,6,4",
                 "--turn", "0,0,-5", "--out", path("hand.json"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        QVERIFY(norm(vectorOf(said.json()["shift_mm"]) - Vec3{-9, 6, 4}) < 1e-9);
        QVERIFY(norm(vectorOf(said.json()["turn_deg"]) - Vec3{0, 0, -5}) < 1e-9);
        QVERIFY(readTransform(path("hand.json").toStdString())
                    .distance(poseOf({{-9, 6, 4}, {0, 0, -5}}, {}), 100) < 1e-9);
    }

    void convertPutsAnImageElsewhere() {
        const Said carried = cli({"convert", path("moving.h5"), path("carried.h5"), "--transform",
                                  path("hand.json"), "--onto", path("fixed.h5")});
        const Said byHand = cli({"convert", path("moving.h5"), path("by-hand.h5"), "--shift", "-9,6,4",
                                 "--turn", "0,0,-5", "--onto", path("fixed.h5")});
        const Said turned = cli({"convert", path("moving.h5"), path("turned.h5"), "--axes", "SLP"});

        QVERIFY2(carried.code == 0 && byHand.code == 0 && turned.code == 0, turned.all());
        QCOMPARE(readVolume(path("carried.h5").toStdString()).data,
                 readVolume(path("by-hand.h5").toStdString()).data);
        const Volume before = readVolume(path("moving.h5").toStdString());
        const Volume after = readVolume(path("turned.h5").toStdString());
        QCOMPARE(after.lattice.size, (std::array<int, 3>{50, 40, 50}));
        QCOMPARE(after.at(7, 3, 11), before.at(11, 7, 3));  // x runs to S, y to L, z to P
    }

    void whatMakesNoSenseIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const QStringList both{"register", path("moving.h5"), "--to", path("fixed.h5")};
        QTest::newRow("nothing kept") << both << 2 << "nothing would be kept";
        QTest::newRow("ending") << both + QStringList{"--out", path("x.mat")} << 2 << "written as .tfm";
        QTest::newRow("itself") << both + QStringList{"--resampled", path("fixed.h5")} << 2 << "fixed.h5";
        QTest::newRow("far") << both + QStringList{"--out", path("x.tfm"), "--shift", "900,0,0"} << 3
                             << "nearer by hand";
        QTest::newRow("axes") << QStringList{"convert", path("moving.h5"), path("x.h5"), "--axes", "LLS"} << 2
                              << "three letters";
        QTest::newRow("no transform")
            << QStringList{"convert", path("moving.h5"), path("x.h5"), "--transform", path("none.tfm")} << 3
            << "none.tfm";
    }
    void whatMakesNoSenseIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);

        const Said said = cli(words);

        QVERIFY2(said.code == code, said.all());
        QVERIFY2(said.err.contains(says), said.all());
        QVERIFY(!QFile::exists(path("x.tfm")) && !QFile::exists(path("x.h5")));
    }

  private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
    Pose away_;
};

QTEST_GUILESS_MAIN(RegisterCliTest)

}  // namespace register_test
#include "register_test.moc"
