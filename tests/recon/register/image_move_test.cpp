// SPDX-License-Identifier: Apache-2.0
// Images with other axes, and straightened ones.
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/register/image_move.h"
#include "recon/register/moved_image.h"

namespace image_move_test {

using namespace tof;

namespace {

Volume numbered(const Lattice& lattice) {
    Volume image(lattice);
    for (std::size_t i = 0; i < image.data.size(); ++i) {
        image.data[i] = static_cast<float>(i);
    }
    return image;
}

/// A rod with a ball at one end, along a direction.
Volume rodAlong(Vec3 direction, double length_mm) {
    Volume image(Lattice::centred({64, 64, 64}, {3, 3, 3}));
    const Vec3 u = normalized(direction);
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        const double along = dot(p, u);
        image.at(x, y, z) = std::abs(along) < length_mm / 2 && norm(p - along * u) < 15 ? 10.0F : 0.0F;
    });
    return image;
}

}  // namespace

class ImageMoveTest : public QObject {
    Q_OBJECT

  private slots:
    void everyVoxelGoesWhereItsAxesRun_data() {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<bool>("mirror");
        QTest::newRow("as told") << "LPS" << false;
        QTest::newRow("neurologist's") << "RAS" << false;
        QTest::newRow("mirrored") << "RPS" << true;
        QTest::newRow("turned over") << "SLP" << false;
        QTest::newRow("permuted") << "PLS" << true;
        QTest::newRow("all of it") << "IAR" << false;
        QTest::newRow("small letters") << "lai" << false;
    }
    void everyVoxelGoesWhereItsAxesRun() {
        QFETCH(QString, letters);
        QFETCH(bool, mirror);
        Lattice lattice = Lattice::centred({4, 5, 6}, {1, 2, 3});
        lattice.origin_mm = {10, -20, 5};
        const Volume image = numbered(lattice);

        const TrueAxes axes = TrueAxes::fromText("--axes", letters.toStdString());
        const Volume out = reoriented(image, axes);

        QCOMPARE(axes.mirror(), mirror);
        QCOMPARE(QString::fromStdString(axes.text()), letters.toUpper());
        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = lattice.centre(x, y, z);
            Vec3 there;  // where the letters say that this point is
            for (std::size_t k = 0; k < 3; ++k) {
                const char letter = letters.toUpper().toStdString()[k];
                const double value = p[k];
                there.x += letter == 'L' ? value : letter == 'R' ? -value : 0;
                there.y += letter == 'P' ? value : letter == 'A' ? -value : 0;
                there.z += letter == 'S' ? value : letter == 'I' ? -value : 0;
            }
            QCOMPARE(out.at(out.lattice.voxelAt(there)), image.at(x, y, z));
            QVERIFY(norm(out.lattice.centre(out.lattice.voxelAt(there)) - there) < 1e-9);
        });
    }

    void lettersThatNameNoAxesAreRefused() {
        for (const char* text : {"", "LP", "LPSS", "LRS", "XYZ", "LPL"}) {
            QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(TrueAxes::fromText("--axes", text)));
        }
    }

    void aLeaningRodIsStraightened() {
        const Volume leaning = rodAlong({0.2, -0.3, 1}, 150);

        const Pose turn = straightening(leaning);

        const Vec3 along = turn.turned(normalized({0.2, -0.3, 1}));
        // Voxels of 3 mm at the ends of 150 mm: well below a degree.
        QVERIFY2(std::abs(along.z) > std::cos(0.01), qPrintable(QString::number(along.z)));
        const Vec3 across = straightening(rodAlong({-1, 0.1, 0.2}, 150)).turned(normalized({-1, 0.1, 0.2}));
        QVERIFY(std::abs(across.x) > std::cos(0.01));
    }

    void whatHasNoLongAxisIsNotStraightened() {
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(straightening(rodAlong({0, 0, 1}, 26))));
        QVERIFY_THROWS_EXCEPTION(
            BadInput, static_cast<void>(straightening(Volume(Lattice::centred({8, 8, 8}, {1, 1, 1})))));
    }

    void noStepsLeaveEveryValue() {
        const Volume image = numbered(Lattice::centred({4, 5, 6}, {1, 2, 3}));

        const Volume same = moved(image, {}, ThreadPool(1));

        QVERIFY(ImageMove().isNone());
        QCOMPARE(same.data, image.data);
        QCOMPARE(same.lattice, image.lattice);
    }

    void labelsStayWhole() {
        Volume labels = numbered(Lattice::centred({8, 8, 8}, {2, 2, 2}));
        labels.units = "label";
        ImageMove move;
        move.by = {{0.7, 0.3, 0}, {0, 0, 12}};

        for (const float value : moved(labels, move, ThreadPool(1)).data) {
            QCOMPARE(value, std::round(value));
        }
    }

    void stepsComeInTheirOrder() {
        const Lattice lattice = Lattice::centred({20, 20, 20}, {2, 2, 2});
        Volume image(lattice);
        image.at(15, 10, 10) = 1;  // x = 11, y = z = 1
        ImageMove move;
        move.axes = TrueAxes::fromText("--axes", "PLS");            // x = 1, y = 11
        move.by = {{4, 0, 0}, {0, 0, 90}};                          // x = -11 + 4, y = 1
        move.place = Pose{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 6}};  // z = 7
        move.onto = Lattice::centred({30, 30, 30}, {2, 2, 2});

        const Volume out = moved(image, move, ThreadPool(1));

        QVERIFY(std::abs(out.at(out.lattice.voxelAt({-7, 1, 7})) - 1) < 1e-6);
    }
};

QTEST_APPLESS_MAIN(ImageMoveTest)

}  // namespace image_move_test
#include "image_move_test.moc"
