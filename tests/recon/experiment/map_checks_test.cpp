// SPDX-License-Identifier: Apache-2.0
// Priors judged in the quick size: every check holds; and PETRIC's rule by itself.
#include <QTest>

#include "recon/base/error.h"
#include "recon/experiment/petric_rule.h"
#include "tests/recon/experiment/quick_checks.h"

namespace map_checks_test {

using namespace tof;
using namespace tof::test;

class MapChecksTest : public QObject {
    Q_OBJECT

  private slots:
    void checksOfTheQuickSize_data() {
        QTest::addColumn<QString>("experiment");
        QTest::newRow("map") << "map";
        QTest::newRow("petric") << "petric";
    }
    void checksOfTheQuickSize() {
        QFETCH(QString, experiment);
        checkQuick(experiment.toStdString(), nullptr);
    }

    void distancesCountInTheBackground() {
        Volume reference(Lattice::centred({16, 16, 4}, {4, 4, 4}));
        std::fill(reference.data.begin(), reference.data.end(), 2.0F);
        Roi background;
        background.role = Roi::Role::Uniform;
        background.shape = Roi::Shape::Box;
        background.size_mm = {16, 16, 8};
        Roi sphere = background;
        sphere.role = Roi::Role::Sphere;
        sphere.centre = {20, 20, 0};
        const PetricRule rule(reference, {{background, sphere}});
        Volume image = reference;
        // 2 % in the background alone: 16 x 16 x 8 mm of it are 32 of 1024 voxels, all of them object.
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = image.lattice.centre(x, y, z);
            if (std::abs(p.x) < 8 && std::abs(p.y) < 8 && std::abs(p.z) < 4) {
                image.at(x, y, z) = 2.04F;
            }
        });

        const PetricDistance found = rule.distance(image);

        QVERIFY(std::abs(found.voi - 0.02) < 1e-6);
        QVERIFY(std::abs(found.background - 0.02) < 1e-6);
        QVERIFY(std::abs(found.object - 0.02 * std::sqrt(32.0 / 1024)) < 1e-6);
        QVERIFY(!PetricRule::passes(found) && PetricRule::passes(rule.distance(reference)));
        QVERIFY_EXCEPTION_THROWN(PetricRule(reference, {{sphere}}), WrongUse);
    }

    void tenInARowHaveToPass() {
        const PetricDistance good{0.005, 0.01, 0.01};
        const PetricDistance bad{0.0051, 0, 0};
        std::vector<PetricDistance> way(9, good);
        QCOMPARE(PetricRule::firstOfTen(way), -1);
        way.push_back(bad);
        way.insert(way.end(), 10, good);
        QCOMPARE(PetricRule::firstOfTen(way), 10);
        QCOMPARE(PetricRule::firstOfTen({}), -1);
    }
};

QTEST_APPLESS_MAIN(MapChecksTest)

}  // namespace map_checks_test
#include "map_checks_test.moc"
