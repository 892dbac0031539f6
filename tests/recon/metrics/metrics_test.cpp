// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/point_response.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/phantom/phantom.h"

namespace metrics_test {

using namespace tof;

namespace {

Roi circle(Vec3 centre, double radius) {
    Roi roi;
    roi.name = "circle";
    roi.centre = centre;
    roi.radius_mm = radius;
    return roi;
}

Lattice lattice() {
    return Lattice::centred({144, 144, 48}, {4, 4, 4});
}

}  // namespace

class MetricsTest : public QObject {
    Q_OBJECT

  private slots:
    void areaOfCircleInRectangleIsExact() {
        const double r = 3;
        // Whole disk, quarter, half, nothing, everything inside.
        QVERIFY(std::abs(circleRectangleArea(r, -4, -4, 4, 4) - kPi * 9) < 1e-12);
        QVERIFY(std::abs(circleRectangleArea(r, 0, 0, 4, 4) - kPi * 9 / 4) < 1e-12);
        QVERIFY(std::abs(circleRectangleArea(r, -9, 0, 9, 9) - kPi * 9 / 2) < 1e-12);
        QVERIFY(std::abs(circleRectangleArea(r, 3, 3, 5, 5)) < 1e-12);
        QVERIFY(std::abs(circleRectangleArea(r, -1, -1, 1, 1) - 4) < 1e-12);
        // Segment beyond x = 1.5: r^2 (alpha - sin alpha cos alpha) with cos alpha = 1/2.
        const double alpha = kPi / 3;
        const double segment = 9 * (alpha - std::sin(alpha) * std::cos(alpha));
        QVERIFY(std::abs(circleRectangleArea(r, 1.5, -9, 9, 9) - segment) < 1e-12);
    }

    void circleOfTheSphereHasItsArea() {
        double outside = 1;
        const auto voxels = roiVoxels(circle({75, 0, 2}, 5), lattice(), &outside);

        double area = 0;
        for (const auto& v : voxels) {
            // z = +2 mm is the centre of slice 24.
            QCOMPARE(v.index / std::size_t{144 * 144}, std::size_t{24});
            area += 16 * v.fraction;
        }
        QVERIFY(std::abs(area - kPi * 25) < 1e-9);
        QCOMPARE(outside, 0.0);
    }

    void annulusHasTheDifferenceOfTwoDisks() {
        Roi roi = circle({75, 0, 2}, 20);
        roi.shape = Roi::Shape::Annulus;
        roi.innerRadius_mm = 12;

        double area = 0;
        for (const auto& v : roiVoxels(roi, lattice())) {
            area += 16 * v.fraction;
        }
        QVERIFY(std::abs(area - kPi * (400 - 144)) < 1e-9);
    }

    void partOutsideTheImageIsExcludedAndSaid() {
        // Centred on the outer edge of the first pixel row: half of the disk lies outside.
        const RoiStatistics s = roiStatistics(circle({0, -288, 2}, 20), Volume(lattice(), 3.0F));

        QVERIFY(std::abs(s.outsideFraction - 0.5) < 1e-9);
        QVERIFY(std::abs(s.mean - 3) < 1e-12);
        QVERIFY(std::abs(s.volume_mm3 - 4 * kPi * 200) < 1e-6);
    }

    void meanInLinearRampIsTheValueAtTheCentre() {
        Volume ramp(lattice());
        for (int z = 0; z < 48; ++z) {
            for (int y = 0; y < 144; ++y) {
                for (int x = 0; x < 144; ++x) {
                    ramp.at(x, y, z) = static_cast<float>(ramp.lattice.centre(x, y, z).x);
                }
            }
        }
        // A disk symmetric about a pixel centre has that pixel's value as its mean.
        const RoiStatistics s = roiStatistics(circle({10, 6, 2}, 25), ramp);
        QVERIFY(std::abs(s.mean - 10) < 1e-5);
        // Variance of a disk along one axis is r^2/4; pixels add at most their own 16/12 to 156.
        QVERIFY(std::abs(s.sd / 12.5 - 1) < 0.02);
    }

    void weightedStandardDeviationIsTheSampleOne() {
        const Lattice grid = Lattice::centred({4, 1, 1}, {1, 1, 1});
        const std::vector<float> image{1, 2, 4, 9};
        const std::vector<WeightedVoxel> all{{0, 1.0}, {1, 1.0}, {2, 1.0}, {3, 1.0}};

        const RoiStatistics s = roiStatistics(all, grid, image.data());

        QCOMPARE(s.mean, 4.0);
        QVERIFY(std::abs(s.sd - std::sqrt((9 + 4 + 0 + 25) / 3.0)) < 1e-12);
        QCOMPARE(s.minimum, 1.0);
        QCOMPARE(s.maximum, 9.0);
    }

    void solidsHaveTheirVolumes_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<double>("expected");
        QTest::newRow("sphere") << static_cast<int>(Roi::Shape::Sphere) << 4.0 / 3 * kPi * 27000;
        QTest::newRow("cylinder") << static_cast<int>(Roi::Shape::Cylinder) << kPi * 900 * 40;
        QTest::newRow("box") << static_cast<int>(Roi::Shape::Box) << 50.0 * 60 * 40;
    }
    void solidsHaveTheirVolumes() {
        QFETCH(int, shape);
        QFETCH(double, expected);
        Roi roi = circle({4, -4, 8}, 30);
        roi.shape = static_cast<Roi::Shape>(shape);
        roi.size_mm = {50, 60, 40};

        const RoiStatistics s = roiStatistics(roi, Volume(lattice(), 1.0F));

        QVERIFY(std::abs(s.volume_mm3 / expected - 1) < 0.01);  // sample points 0.8 mm apart
    }

    void crcAndNoiseFollowTheirDefinitions() {
        // A disk of 6 on a background of 2, true ratio 4: CRC = ((6-2)/2)/3 = 2/3.
        Volume image(lattice(), 2.0F);
        for (int z = 0; z < 48; ++z) {
            for (int y = 0; y < 144; ++y) {
                for (int x = 0; x < 144; ++x) {
                    const Vec3 p = image.lattice.centre(x, y, z);
                    if (std::hypot(p.x - 75, p.y) < 11.9) {
                        image.at(x, y, z) = 6;
                    }
                }
            }
        }
        RoiSet set;
        set.trueRatio = 4;
        Roi target = circle({75, 0, 2}, 5);
        target.role = Roi::Role::Sphere;
        target.group = 1;
        Roi annulus = target;
        annulus.shape = Roi::Shape::Annulus;
        annulus.role = Roi::Role::Background;
        annulus.innerRadius_mm = 15;
        annulus.radius_mm = 23;
        Roi uniform = circle({0, 0, 2}, 25);
        uniform.role = Roi::Role::Uniform;
        set.rois = {target, annulus, uniform};

        const Figures f = FigureEvaluator(set, image.lattice).evaluate(3, image.data.data());

        QCOMPARE(f.iteration, 3);
        QVERIFY(std::abs(f.crc - 2.0 / 3) < 1e-9);
        QVERIFY(std::isnan(f.crcSd));  // one sphere has no spread
        QVERIFY(std::abs(f.noise) < 1e-9);
        QVERIFY(f.rois[0].hasCrc && !f.rois[1].hasCrc);
    }

    void missingRolesGiveNoFigure() {
        RoiSet set;
        set.rois = {circle({0, 0, 2}, 25)};
        const Volume image(lattice(), 1.0F);

        const Figures f = FigureEvaluator(set, image.lattice).evaluate(1, image.data.data());

        QVERIFY(std::isnan(f.crc) && std::isnan(f.noise) && std::isnan(f.nsr));
        QVERIFY(figuresToJson({f}).find("\"crc\": null") != std::string::npos);
    }

    void figuresSurviveJson() {
        RoiSet set;
        Roi target = circle({0, 0, 2}, 8);
        target.name = "target";
        set.rois = {target};
        const Volume image(lattice(), 1.5F);
        Figures f = FigureEvaluator(set, image.lattice).evaluate(7, image.data.data());
        f.nsr = 0.125;
        f.rois[0].hasContrastRecovery = true;
        f.rois[0].contrastRecovery = 0.75;

        const std::vector<Figures> back = figuresFromJson(figuresToJson({f}));

        QCOMPARE(back.size(), std::size_t{1});
        QCOMPARE(figuresToJson(back), figuresToJson({f}));
        QVERIFY(std::isnan(back[0].crc));
        QCOMPARE(back[0].rois[0].statistics.mean, 1.5);
        for (const char* other : {"", "{", "[]", R"({"iterations": 3})", R"({"iterations": {}})"}) {
            QVERIFY2(figuresFromJson(other).empty(), other);
        }
    }

    void roisSurviveJson() {
        Roi polygon;
        polygon.name = "p";
        polygon.shape = Roi::Shape::Polygon;
        polygon.role = Roi::Role::Uniform;
        polygon.plane = Plane::Coronal;
        polygon.vertices = {{0, 1, 2}, {3, 1, 2}, {3, 1, 9}};

        const auto back = roisFromJson(roisToJson({circle({1, 2, 3}, 4), polygon}), "test");

        QCOMPARE(back.size(), std::size_t{2});
        QCOMPARE(back[0].radius_mm, 4.0);
        QCOMPARE(back[0].centre.y, 2.0);
        QCOMPARE(back[1].vertices.size(), std::size_t{3});
        QVERIFY(back[1].plane == Plane::Coronal && back[1].role == Roi::Role::Uniform);
    }

    void roisOfTheSpheresPhantomFollowThePaper() {
        const RoiSet set = autoRois("spheres");
        QCOMPARE(set.rois.size(), std::size_t{13});
        QCOMPARE(set.trueRatio, 6.0);
        const Roi& annulus = set.rois[6];
        QCOMPARE(annulus.innerRadius_mm, 12.0);  // (10 + 14) / 2
        QCOMPARE(annulus.radius_mm, 20.0);       // 8 mm thick
        QCOMPARE(set.rois[12].radius_mm, 25.0);
        QCOMPARE(set.rois[12].centre.z, 2.0);
        QVERIFY(autoRois("FDG.hv,CTAC.hv").rois.empty());
    }

    void theTruthOfSpheresOnCoarseVoxelsRecoversLessThanAll() {
        // Circles of 10 mm in voxels of 4 mm mix spheres with water: 0.7128 by exact chords through the
        // spheres along z, 60 x 60 of them in each voxel. 20^3 points in a voxel are right to 0.001.
        const FigureEvaluator evaluator(autoRois("spheres"), lattice());
        const Volume flat(lattice(), 1.0F);
        Lattice slice = lattice();  // that of the spheres' centres
        slice.origin_mm = slice.centre(0, 0, 24);
        slice.size[2] = 1;
        const Volume truth = Phantom::find("spheres").emissionOn(slice, 20);

        const Figures own = FigureEvaluator(autoRois("spheres"), slice).evaluate(1, truth.data.data());
        const Figures other = evaluator.evaluate(2, flat.data.data());

        QVERIFY2(std::abs(own.trueCrc - 0.7128) < 0.001, qPrintable(QString::number(own.trueCrc, 'f', 5)));
        QVERIFY(std::abs(own.trueCrc - own.crc) < 1e-6);
        QCOMPARE(other.trueCrc, own.trueCrc);  // it is the phantom's, whatever the image
        QVERIFY(std::abs(own.rois[0].trueCrc - own.rois[0].crc) < 1e-6);
        QVERIFY(std::isnan(own.rois[6].trueCrc));  // a background has none
        QVERIFY(own.overshoot > 0.5 && own.overshoot <= 1 + 1e-3);
        QVERIFY(std::abs(other.overshoot - 1.0 / 6) < 1e-6);
    }

    void overshootIsTheLargestValueNearTheEdgeOverTheTrueOne() {
        const FigureEvaluator evaluator(autoRois("spheres"), lattice());
        Volume image(lattice(), 2.0F);
        // Sphere 1 lies at (75, 0, 2), its edge at 5 mm: 12.2 mm away counts, 20.1 mm does not.
        const VoxelIndex near = nearestVoxel(image.lattice, {74, 2, 14});
        const VoxelIndex far = nearestVoxel(image.lattice, {74, 2, 22});
        image.data[image.lattice.index(near)] = 18;
        const Figures inside = evaluator.evaluate(1, image.data.data());
        image = Volume(lattice(), 2.0F);
        image.data[image.lattice.index(far)] = 18;
        const Figures outside = evaluator.evaluate(1, image.data.data());

        // True value: 6 times a background of 2.
        QVERIFY(std::abs(inside.rois[0].overshoot - 1.5) < 1e-6);
        QVERIFY(std::abs(inside.rois[1].overshoot - 1.0 / 6) < 1e-6);
        QVERIFY(std::abs(inside.overshoot - (1.5 + 5.0 / 6) / 6) < 1e-6);
        QVERIFY(std::abs(outside.rois[0].overshoot - 1.0 / 6) < 1e-6);
    }

    void withoutATruthItsColumnsAreAbsent() {
        RoiSet set = autoRois("spheres");
        set.truth = nullptr;
        const Volume image(lattice(), 1.0F);
        const Figures unknown = FigureEvaluator(set, lattice()).evaluate(1, image.data.data());
        const Figures known = FigureEvaluator(autoRois("spheres"), lattice()).evaluate(1, image.data.data());

        QVERIFY(std::isnan(unknown.trueCrc) && std::isnan(unknown.overshoot));
        for (const char* key : {"true_crc", "overshoot"}) {
            QVERIFY(figuresToJson({unknown}).find(key) == std::string::npos);
            QVERIFY(figuresToCsv({unknown}).find(key) == std::string::npos);
            QVERIFY(figuresToJson({known}).find(key) != std::string::npos);
            QVERIFY(figuresToCsv({known}).find(key) != std::string::npos);
        }
        QCOMPARE(figuresToJson(figuresFromJson(figuresToJson({known}))), figuresToJson({known}));
    }

    void backgroundsHoldNothingButBackground_data() {
        QTest::addColumn<QString>("phantom");
        QTest::newRow("spheres") << "spheres";
        QTest::newRow("nema-iq: the lung insert lies beside the largest sphere") << "nema-iq";
    }
    void backgroundsHoldNothingButBackground() {
        QFETCH(QString, phantom);
        const RoiSet set = autoRois(phantom.toStdString());
        const Lattice fine = Lattice::centred({288, 288, 5}, {2, 2, 4});
        const Volume truth = Phantom::find(phantom.toStdString()).emissionOn(fine);

        const Figures figures = FigureEvaluator(set, fine).evaluate(1, truth.data.data());

        int backgrounds = 0;
        for (std::size_t i = 0; i < set.rois.size(); ++i) {
            if (set.rois[i].role == Roi::Role::Background) {
                // Exactly: not one pixel of it holds a part of anything else.
                QCOMPARE(figures.rois[i].statistics.minimum, 1.0);
                QVERIFY(set.rois[i].radius_mm - set.rois[i].innerRadius_mm > 3.5);
                ++backgrounds;
            }
        }
        QCOMPARE(backgrounds, 6);
    }

    void badRoisAreRefusedByName_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("names");
        QTest::newRow("shape") << R"([{"shape":"cirle","centre_mm":[0,0,0],"radius_mm":1}])"
                               << "shape";
        QTest::newRow("radius") << R"([{"shape":"circle","centre_mm":[0,0,0]}])"
                                << "radius_mm";
        QTest::newRow("centre") << R"([{"shape":"circle","centre_mm":[0,0],"radius_mm":1}])"
                                << "centre_mm";
        QTest::newRow("key") << R"([{"shape":"circle","center_mm":[0,0,0],"radius_mm":1}])"
                             << "did you mean";
        QTest::newRow("list") << R"("x")"
                              << "list";
    }
    void badRoisAreRefusedByName() {
        QFETCH(QString, json);
        QFETCH(QString, names);
        try {
            static_cast<void>(roisFromJson(json.toStdString(), "rois.json"));
            QFAIL("accepted");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains(names), fault.what());
            QVERIFY(QString(fault.what()).contains("rois.json"));
        }
    }
};

QTEST_APPLESS_MAIN(MetricsTest)

}  // namespace metrics_test
#include "metrics_test.moc"
