// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/peak.h"

#include <QTest>
#include <cmath>
#include <functional>

#include "recon/metrics/figures_of_merit.h"

namespace peak_test {

using namespace tof;

namespace {

Roi sphereAt(Vec3 centre, double radius_mm) {
    Roi roi;
    roi.shape = Roi::Shape::Sphere;
    roi.centre = centre;
    roi.radius_mm = radius_mm;
    return roi;
}

Volume made(const Lattice& lattice, const std::function<double(Vec3)>& value) {
    Volume volume(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        volume.at(x, y, z) = static_cast<float>(value(lattice.centre(x, y, z)));
    });
    return volume;
}

std::optional<Peak> peakOf(const Roi& roi, const Volume& volume) {
    return PeakSphere(volume.lattice).hottest(roiVoxels(roi, volume.lattice), volume.data.data());
}

}  // namespace

class PeakTest : public QObject {
    Q_OBJECT
  private slots:
    void aConstantIsItsOwnPeak() {
        const Volume volume = made(Lattice::centred({24, 24, 24}, {4, 3, 2.5}), [](Vec3) { return 2.5; });
        QVERIFY(std::abs(peakOf(sphereAt({}, 10), volume)->mean - 2.5) < 1e-6);
    }

    /// A ramp's mean over a sphere is the value at its centre: the voxel of the ROI furthest up.
    void aRampIsHottestAtTheEdgeOfTheRoi() {
        const Lattice lattice = Lattice::centred({30, 30, 30}, {3, 3, 3});
        const Volume volume = made(lattice, [](Vec3 p) { return 10 + p.x; });
        const auto peak = peakOf(sphereAt({}, 12), volume);
        double furthest = 0;
        for (const WeightedVoxel& v : roiVoxels(sphereAt({}, 12), lattice)) {
            if (v.fraction >= 0.5) {
                furthest = std::max(furthest, lattice.centre(lattice.voxel(v.index)).x);
            }
        }
        QCOMPARE(peak->centre_mm.x, furthest);
        QVERIFY(std::abs(peak->mean - (10 + furthest)) < 1e-5);
    }

    /// A hot ball of exactly 1 ml in 1 mm voxels: the sphere on it has the ball's value, to what sampling
    /// both by voxels leaves; one voxel alone is shared out over 1000 mm3.
    void theSphereHasOneMillilitre() {
        const Lattice lattice = Lattice::centred({41, 41, 41}, {1, 1, 1});
        const double radius = std::cbrt(750 / std::acos(-1.0));
        const Volume ball = made(lattice, [&](Vec3 p) {
            return norm(p - Vec3{3, -2, 1}) <= radius ? 8.0 : 0.0;
        });
        const auto peak = peakOf(sphereAt({}, 12), ball);
        QVERIFY(norm(peak->centre_mm - Vec3{3, -2, 1}) < 1e-9);
        QVERIFY(peak->mean > 0.93 * 8 && peak->mean <= 8);
        Volume point(lattice);
        point.at(20, 20, 20) = 1000;
        QVERIFY(std::abs(peakOf(sphereAt({}, 5), point)->mean - 1) < 0.01);  // 5^3 points a voxel
    }

    void aSphereThatLeavesTheImageDoesNotCount() {
        const Volume volume = made(Lattice::centred({9, 9, 2}, {4, 4, 4}), [](Vec3) { return 1.0; });
        QVERIFY(!peakOf(sphereAt({}, 8), volume));  // 8 mm of slices hold no sphere of 12.4 mm
        const FigureEvaluator evaluator(RoiSet{{sphereAt({}, 8)}, 0}, volume.lattice);
        QVERIFY(std::isnan(evaluator.evaluate(1, volume.data.data()).rois[0].peak));
    }

    /// Spheres side by side are summed together; each one alone has the same bits.
    void aSphereAmongOthersHasTheMeanOfOneAlone() {
        std::uint32_t state = 99;
        const Volume volume = made(Lattice::centred({31, 17, 15}, {2.3, 3, 3.1}), [&](Vec3) {
            state = state * 1664525U + 1013904223U;
            return static_cast<double>(state >> 8U) / 1e5;
        });
        const PeakSphere spheres(volume.lattice);
        for (const double radius : {3.0, 9.0, 20.0}) {
            const auto voxels = roiVoxels(sphereAt({2, -1, 0}, radius), volume.lattice);
            std::optional<Peak> alone;
            for (const WeightedVoxel& voxel : voxels) {
                const auto peak = spheres.hottest({voxel}, volume.data.data());
                if (voxel.fraction >= 0.5 && peak && (!alone || peak->mean > alone->mean)) {
                    alone = peak;
                }
            }
            const auto found = spheres.hottest(voxels, volume.data.data());
            QVERIFY(alone && found->mean == alone->mean && found->centre_mm == alone->centre_mm);
        }
    }

    void figuresKeepIt() {
        const Volume volume = made(Lattice::centred({24, 24, 24}, {4, 4, 4}), [](Vec3 p) { return 9 + p.z; });
        const FigureEvaluator evaluator(RoiSet{{sphereAt({}, 10)}, 0}, volume.lattice);
        const Figures figures = evaluator.evaluate(1, volume.data.data());
        QCOMPARE(figures.rois[0].peak, peakOf(sphereAt({}, 10), volume)->mean);
        QCOMPARE(figuresFromJson(figuresToJson({figures}))[0].rois[0].peak, figures.rois[0].peak);
    }
};

QTEST_APPLESS_MAIN(PeakTest)

}  // namespace peak_test
#include "peak_test.moc"
