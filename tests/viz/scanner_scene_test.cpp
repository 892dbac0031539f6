// SPDX-License-Identifier: Apache-2.0
// A scanner as pictures need it: modules, crystals, the line nearest to a direction.
#include "viz/scanner_scene.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/phantom/panel_phantoms.h"

namespace scanner_scene_test {

using namespace tof;
using namespace tof::viz;

class ScannerSceneTest : public QObject {
    Q_OBJECT

  private slots:
    void modulesAreThoseOfTheDescription_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("modules");
        QTest::addColumn<int>("across");
        QTest::addColumn<int>("along");
        QTest::newRow("ring of flat modules") << "labr3-ideal" << 24 << 27 << 60;
        QTest::newRow("blocks") << "ge-ste-blocks" << 70 << 8 << 24;
        QTest::newRow("panels") << "hrrt-panel" << 2 << 104 << 72;
    }
    void modulesAreThoseOfTheDescription() {
        QFETCH(QString, name);
        QFETCH(int, modules);
        QFETCH(int, across);
        QFETCH(int, along);
        const Scanner scanner = Scanner::find(name.toStdString());
        const ScannerScene scene = ScannerScene::of(scanner);

        QCOMPARE(static_cast<int>(scene.modules.size()), modules);
        QCOMPARE(scene.crystals.size(), scanner.crystals.size());
        for (const SceneModule& module : scene.modules) {
            QCOMPARE(module.crystals[0], across);
            QCOMPARE(module.crystals[1], along);
            // The corners lie in the plane of the faces, around its middle.
            for (const Vec3& corner : module.front) {
                QVERIFY(std::abs(dot(corner - module.centre(), module.outward)) < 1e-6);
            }
            QVERIFY(dot(module.centre(), module.outward) > 0);
        }
        QVERIFY(scene.radius_mm > norm(scanner.crystals.front().front));
    }

    void ringsAreCutIntoBlocks() {
        const RingScanner rings = MichelogramSpec::find("ge-ste").scanner;
        const ScannerScene scene = ScannerScene::of(rings);
        QCOMPARE(static_cast<int>(scene.modules.size()), rings.crystalsPerRing / 8);
        QCOMPARE(scene.modules.front().crystals[1], rings.rings);
    }

    void theNearestLineGoesThroughThePoint() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ScannerScene scene = ScannerScene::of(scanner);
        const Vec3 point{40, -25, 10};
        const Vec3 direction = normalized({std::cos(0.7), std::sin(0.7), 0.05});
        const auto line = scene.nearestLine(point, direction);
        QVERIFY(line.has_value());
        // Half the pitch of crystals in both directions of a face is as far as one can be from a centre; a
        // gap between modules adds half of it.
        for (const std::size_t crystal : *line) {
            const Vec3 to = scene.crystals[crystal] - point;
            QVERIFY(norm(to - dot(to, direction) * direction) < 0.5 * (4.3 + 6.6) * std::sqrt(2.0));
        }
        QVERIFY(dot(scene.crystals[(*line)[0]] - point, direction) < 0);
        QVERIFY(dot(scene.crystals[(*line)[1]] - point, direction) > 0);
        QVERIFY(!ScannerScene().nearestLine(point, direction));
    }

    void voxelPhantomsBecomeDots() {
        ScannerScene scene = ScannerScene::of(Scanner::find("small-panel"));
        scene.place(PhantomOutline(computedPhantom("small-derenzo")));
        QVERIFY(scene.phantom.voxels.size() > 100 && scene.phantom.voxels.size() <= 6000);
        for (const Vec3& voxel : scene.phantom.voxels) {
            QVERIFY(std::abs(voxel.x) <= 4.5);  // rods of 8 mm along x, and half a voxel
        }
        scene.place(PhantomOutline(Phantom::find("spheres")));
        QVERIFY(scene.phantom.voxels.empty() && scene.phantom.shapes.size() >= 7);
    }

    void anOutlineReachesAsFarAsThePhantom() {
        Phantom shapes;
        shapes.shapes.resize(2);
        shapes.shapes[0].kind = PhantomShape::Kind::Box;
        shapes.shapes[0].centre = {-30, 0, 5};
        shapes.shapes[0].size_mm = {6, 8, 100};
        shapes.shapes[1].radius_mm = 20;  // a sphere
        shapes.shapes[1].centre = {0, 12, 0};
        const PhantomOutline outline(shapes);
        QCOMPARE(outline.alongX_mm, 33.0);
        QCOMPARE(outline.fromAxis_mm, 35.0);  // the box's corner lies within 30 + hypot(3, 4)

        Phantom image;
        image.emission = Volume(Lattice::centred({200, 200, 3}, {2, 2, 2}), 0.0F);
        Volume& volume = *image.emission;
        volume.data[volume.lattice.index(0, 7, 1)] = 0.1F;  // emits, and is too faint to be drawn
        volume.data[volume.lattice.index(7, 7, 2)] = -3;
        for (int x = 80; x < 120; ++x) {
            for (int y = 0; y < 200; ++y) {
                volume.data[volume.lattice.index(x, y, 1)] = 1;
            }
        }
        int planes = 0;
        const PhantomOutline dots(image, [&planes] { ++planes; });
        QCOMPARE(dots.voxels.size(), std::size_t{6000});  // of 8000
        QVERIFY(std::all_of(dots.voxels.begin(), dots.voxels.end(),
                            [](Vec3 p) { return std::abs(p.x) < 40 && p.z == 0; }));
        QCOMPARE(dots.alongX_mm, 199.0);
        QVERIFY(std::abs(dots.fromAxis_mm - std::hypot(199.0, 185.0)) < 1e-9);
        QCOMPARE(planes, 2 * 3);  // once for what is there, once for what is drawn
        QVERIFY_EXCEPTION_THROWN(PhantomOutline(image, [] { throw Cancelled(); }), Cancelled);
    }
};

QTEST_MAIN(ScannerSceneTest)

}  // namespace scanner_scene_test
#include "scanner_scene_test.moc"
