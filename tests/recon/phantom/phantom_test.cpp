// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/phantom/attenuation.h"
#include "recon/phantom/brain_phantom.h"
#include "recon/phantom/phantom.h"

namespace phantom_test {

using namespace tof;

namespace {

PhantomShape cylinder(double radius, double length, double activity, double mu) {
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Cylinder;
    shape.radius_mm = radius;
    shape.size_mm.z = length;
    shape.activity = activity;
    shape.mu_per_mm = mu;
    return shape;
}

PhantomShape sphere(Vec3 centre, double radius, double activity, double mu) {
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Sphere;
    shape.centre = centre;
    shape.radius_mm = radius;
    shape.activity = activity;
    shape.mu_per_mm = mu;
    return shape;
}

double sum(const Volume& volume) {
    return std::accumulate(volume.data.begin(), volume.data.end(), 0.0);
}

}  // namespace

class PhantomTest : public QObject {
    Q_OBJECT

  private slots:
    void dataNameTheirPhantomOrDescribeIt() {
        const std::string text =
            R"({"name": "one", "shapes": [{"kind": "point", "centre_mm": [9, -7, 1], "activity": 32}]})";

        QCOMPARE(Phantom::fromNameOrText("spheres", "data").shapes.size(), std::size_t{7});
        QCOMPARE(Phantom::fromNameOrText(text, "data").name, std::string("one"));
        try {
            static_cast<void>(Phantom::fromNameOrText("{", "the data"));
            QFAIL("accepted");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).startsWith("the data"), fault.what());
        }
    }

    void spheresIsThePhantomOfTheContract() {
        const Phantom phantom = Phantom::find("spheres");

        QCOMPARE(phantom.shapes.size(), std::size_t{7});
        const PhantomShape& water = phantom.shapes[0];
        QCOMPARE(water.radius_mm, 175.0);
        QCOMPARE(water.size_mm.z, 180.0);
        QCOMPARE(water.mu_per_mm, 0.0096);
        for (int k = 0; k < 6; ++k) {
            const PhantomShape& hot = phantom.shapes[static_cast<std::size_t>(k) + 1];
            const Vec3 expected{75 * std::cos(k * kPi / 3), 75 * std::sin(k * kPi / 3), 2};
            QVERIFY(norm(hot.centre - expected) < 1e-5);
            QCOMPARE(hot.radius_mm, 5.0);
            QCOMPARE(hot.activity / water.activity, 6.0);
            QCOMPARE(hot.role, std::string("sphere"));
        }
    }

    void volumesOfShapesAreSampledExactlyEnough() {
        Phantom phantom;
        phantom.shapes = {cylinder(60, 80, 1, 0.01), sphere({10, 5, 3}, 20, 4, 0.02)};
        const Lattice lattice = Lattice::centred({40, 40, 30}, {4, 4, 4});

        const Volume emission = phantom.emissionOn(lattice);
        const Volume mu = phantom.attenuationOn(lattice, 4);

        const double water = kPi * 60 * 60 * 80;
        const double hot = 4.0 / 3 * kPi * 20 * 20 * 20;
        // 64 points per border voxel: far below a per cent of the volume.
        QVERIFY(std::abs(sum(emission) * 64 / (water + 3 * hot) - 1) < 2e-3);
        QVERIFY(std::abs(sum(mu) * 64 / (0.01 * (water + hot)) - 1) < 2e-3);
        QCOMPARE(emission.at(22, 20, 15), 4.0F);
        QCOMPARE(emission.at(0, 0, 0), 0.0F);
    }

    /// Beside the definition, point by point, to the bit.
    void voxelsAreMeansOfTheirPoints() {
        PhantomShape box;
        box.kind = PhantomShape::Kind::Box;
        box.centre = {-12, 4, -5};
        box.size_mm = {31, 17, 23};
        box.mu_per_mm = 0.031;
        Phantom phantom;
        phantom.shapes = {cylinder(31, 44, 1, 0.0096), sphere({13, 5, 3}, 15, 4, 0.02), box,
                          sphere({-7, 2, 1}, 6, 1, 0.013)};
        Lattice lattice = Lattice::centred({17, 16, 15}, {4.3, 4.1, 4.7});
        lattice.origin_mm.x += 1.7;
        constexpr int kPoints = 5;

        const Volume mu = phantom.attenuationOn(lattice, kPoints);

        const auto valueAt = [&](Vec3 p) {
            double value = 0;
            for (const PhantomShape& shape : phantom.shapes) {
                value = shape.contains(p) ? shape.mu_per_mm : value;
            }
            return value;
        };
        lattice.forEachVoxel([&](int x, int y, int z) {
            double sum = 0;
            double least = 1;
            double most = 0;
            for (int point = 0; point < kPoints * kPoints * kPoints; ++point) {
                const auto at = [&](int i) { return (i % kPoints + 0.5) / kPoints - 0.5; };
                const double value = valueAt(lattice.centre(x + at(point), y + at(point / kPoints),
                                                            z + at(point / kPoints / kPoints)));
                sum += value;
                least = std::min(least, value);
                most = std::max(most, value);
            }
            const double mean = least == most ? most : sum / (kPoints * kPoints * kPoints);
            QVERIFY(mu.at(x, y, z) == static_cast<float>(mean));
        });
    }

    void pointPutsItsActivityIntoItsVoxel() {
        const Phantom phantom = Phantom::fromJson(
            R"({"name": "p", "shapes": [{"kind": "point", "centre_mm": [9, -7, 1], "activity": 32}]})",
            "test");
        const Lattice lattice = Lattice::centred({9, 9, 9}, {4, 4, 2});

        const Volume emission = phantom.emissionOn(lattice);

        QCOMPARE(emission.at(6, 2, 5), 1.0F);  // 32 emissions in 32 mm3
        QCOMPARE(sum(emission), 1.0);
    }

    void laterShapesReplaceEarlierOnesAlongALine() {
        Phantom phantom;
        phantom.shapes = {cylinder(100, 200, 1, 0.01), sphere({20, 0, 0}, 30, 1, 0.03),
                          sphere({20, 0, 0}, 10, 1, 0)};
        const PairAttenuation attenuation(phantom);

        // Along x: 200 mm of water, 60 of them replaced by the shell, 20 of those by nothing.
        const double expected = 140 * 0.01 + 40 * 0.03;
        QVERIFY(std::abs(attenuation.along({-37, 0, 0}, {1, 0, 0}, 1e9) - expected) < 1e-12);
        QVERIFY(std::abs(attenuation.along({50, 0, 0}, {-1, 0, 0}, 1e9) - expected) < 1e-12);
        QCOMPARE(attenuation.along({0, 101, 0}, {1, 0, 0}, 1e9), 0.0);
    }

    void hotSpheresInWaterChangeNoChord_data() {
        QTest::addColumn<double>("tilt");
        QTest::newRow("flat") << 0.0;
        QTest::newRow("tilted") << 0.15;
        QTest::newRow("steep: through the end caps") << 1.3;
    }
    void hotSpheresInWaterChangeNoChord() {
        QFETCH(double, tilt);
        const Phantom spheres = Phantom::find("spheres");
        const PairAttenuation attenuation(spheres);
        const Vec3 d{std::cos(tilt), 0, std::sin(tilt)};

        // Through the centre: the nearer of wall and cap decides.
        const double chord = 2 * std::min(175 / std::cos(tilt), tilt > 0 ? 90 / std::sin(tilt) : 1e9);
        QVERIFY(std::abs(attenuation.along({0, 0, 0}, d, 1e9) - 0.0096 * chord) < 1e-12);
    }

    void siddonSumsExactLengths() {
        Volume volume(Lattice::centred({5, 4, 3}, {2, 3, 5}), 0.0F);
        std::iota(volume.data.begin(), volume.data.end(), 1.0F);

        // Along x through row y = 1, z = 2 : every voxel 2 mm.
        const Vec3 c = volume.lattice.centre(0, 1, 2);
        double expected = 0;
        for (int x = 0; x < 5; ++x) {
            expected += 2.0 * static_cast<double>(volume.at(x, 1, 2));
        }
        QVERIFY(std::abs(lineIntegral(volume, {33, c.y, c.z}, {-1, 0, 0}, 1e9) - expected) < 1e-9);
        QCOMPARE(lineIntegral(volume, {0, 100, 0}, {1, 0, 0}, 1e9), 0.0);
    }

    void siddonOfAConstantIsTheChordOfTheBox_data() {
        QTest::addColumn<double>("azimuth");
        QTest::addColumn<double>("tilt");
        for (int i = 0; i < 12; ++i) {
            QTest::addRow("%d", i) << 0.1 + i * 0.55 << (i % 3 - 1) * 0.4;
        }
    }
    void siddonOfAConstantIsTheChordOfTheBox() {
        QFETCH(double, azimuth);
        QFETCH(double, tilt);
        const Volume volume(Lattice::centred({31, 17, 9}, {2, 3, 5}), 1.0F);
        const Vec3 d{std::cos(tilt) * std::cos(azimuth), std::cos(tilt) * std::sin(azimuth), std::sin(tilt)};

        // Through the centre of the box: twice the distance to the first face.
        const double half =
            std::min({31 / std::abs(d.x), 25.5 / std::abs(d.y), d.z != 0 ? 22.5 / std::abs(d.z) : 1e9});
        QVERIFY(std::abs(lineIntegral(volume, 13.0 * d, d, 1e9) - 2 * half) < 1e-9);
    }

    void volumeFilesComeThroughTheReader() {
        QTemporaryDir folder;
        const std::string emission = folder.filePath("e.hv").toStdString();
        const std::string mu = folder.filePath("m.hv").toStdString();
        std::ofstream{emission} << "x";
        std::ofstream{mu} << "x";
        const auto reader = [&](const std::string& path) {
            return Volume(Lattice::centred({2, 2, 2}, {1, 1, 1}), path == mu ? 0.096F : 7.0F);
        };

        const Phantom phantom = Phantom::find(emission + "," + mu, reader);

        QCOMPARE(phantom.emission->data[0], 7.0F);
        QVERIFY(std::abs(static_cast<double>(phantom.attenuation->data[0]) - 0.0096) < 1e-8);  // 1/cm to 1/mm
        QVERIFY(!Phantom::find(emission, reader).attenuation.has_value());
        QVERIFY_EXCEPTION_THROWN((void)Phantom::find(emission), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)Phantom::find(emission + ",nowhere.hv", reader), WrongUse);
        QVERIFY(Phantom::isOfVolumes(emission + "," + mu) && Phantom::isOfVolumes(emission));
        for (const char* other :
             {"spheres", "small-derenzo", "{}", "nothing", "nowhere.hv", "nowhere.json"}) {
            QVERIFY2(!Phantom::isOfVolumes(other), other);
        }
    }

    void badDescriptionsAreRefused_data() {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("names");
        QTest::newRow("kind") << R"({"kind": "spere", "centre_mm": [0,0,0]})"
                              << "did you mean 'sphere'";
        QTest::newRow("centre") << R"({"kind": "point", "centre_mm": [0,0]})"
                                << "centre_mm";
        QTest::newRow("radius") << R"({"kind": "sphere", "centre_mm": [0,0,0]})"
                                << "radius_mm";
        QTest::newRow("negative") << R"({"kind": "sphere", "centre_mm": [0,0,0], "radius_mm": -1})"
                                  << "radius_mm";
        QTest::newRow("role") << R"({"kind": "point", "centre_mm": [0,0,0], "role": "hot"})"
                              << "role";
        QTest::newRow("unknown") << R"({"kind": "point", "centre_mm": [0,0,0], "colour": 1})"
                                 << "colour";
    }
    void badDescriptionsAreRefused() {
        QFETCH(QString, shape);
        QFETCH(QString, names);
        const QString text = R"({"name": "x", "shapes": [)" + shape + "]}";
        try {
            (void)Phantom::fromJson(text.toStdString(), "bad.json");
            QFAIL("accepted");
        } catch (const BadInput& error) {
            QVERIFY2(QString(error.what()).contains(names), error.what());
            QVERIFY2(QString(error.what()).contains("bad.json, shape 0"), error.what());
        }
    }

    void wholeAttenuationHoldsABodyLargerThanTheImage_data() {
        QTest::addColumn<double>("spacing");
        QTest::addColumn<double>("voxel");
        QTest::newRow("voxels of the image") << std::numeric_limits<double>::infinity() << 4.0;
        QTest::newRow("parts of them") << 1.5 << 4.0 / 3;
    }
    void wholeAttenuationHoldsABodyLargerThanTheImage() {
        QFETCH(double, spacing);
        QFETCH(double, voxel);
        const Phantom phantom = Phantom::find("spheres");
        const Lattice image = Lattice::centred({25, 24, 12}, {4, 4, 4});  // 100 mm of a 350 mm cylinder

        const Volume mu = phantom.wholeAttenuation(image, spacing);

        // Its faces are faces of the image's voxels, or cut them evenly.
        QCOMPARE(mu.lattice.spacing_mm[0], voxel);
        const auto faces = [&](double origin, double other) {
            return (origin - 0.5 * voxel - other + 2) / voxel;
        };
        const double x = faces(mu.lattice.origin_mm.x, image.origin_mm.x);
        const double z = faces(mu.lattice.origin_mm.z, image.origin_mm.z);
        QVERIFY(std::abs(x - std::round(x)) < 1e-9 && std::abs(z - std::round(z)) < 1e-9);
        // The chord through the centre is the cylinder's diameter, but for a voxel of surface.
        double chord = 0;
        const auto row = static_cast<int>(std::lround(-mu.lattice.origin_mm.y / voxel));
        const auto slice = static_cast<int>(std::lround(-mu.lattice.origin_mm.z / voxel));
        for (int i = 0; i < mu.lattice.size[0]; ++i) {
            chord += voxel * static_cast<double>(mu.at(i, row, slice)) / 0.0096;
        }
        QVERIFY2(std::abs(chord - 350) < voxel, qPrintable(QString::number(chord)));
    }

    void aBrainHasTwoEqualHalvesInASkull() {
        const Phantom brain = Phantom::find("brain");
        const Volume& uptake = *brain.emission;
        const Volume& mu = *brain.attenuation;
        const auto [nx, ny, nz] = uptake.lattice.size;
        std::map<float, int> voxels;
        int water = 0;
        int bone = 0;
        bool alike = true;
        for (int z = 0; z < nz; ++z) {
            for (int y = 0; y < ny; ++y) {
                for (int x = 0; x < nx; ++x) {
                    const float here = uptake.at(x, y, z);
                    const float attenuates = mu.at(x, y, z);
                    alike = alike && here == uptake.at(nx - 1 - x, y, z);
                    ++voxels[here];
                    water += attenuates == 0.0096F ? 1 : 0;
                    bone += attenuates == 0.0143F ? 1 : 0;
                    // Bone emits nothing, nor does air.
                    QVERIFY(attenuates == 0.0096F || here == 0);
                }
            }
        }
        QVERIFY(alike);
        QCOMPARE(voxels.size(), std::size_t{4});  // nothing, scalp, white, grey
        // Volumes of the ellipsoids: those of the head and of the shell that is bone, to a voxel of surface.
        constexpr double kVoxels = 4 * kPi / 3 / 8;
        QVERIFY(std::abs((water + bone) / (kVoxels * 78 * 98 * 100) - 1) < 0.01);
        QVERIFY(std::abs(bone / (kVoxels * (72.0 * 92 * 94 - 66.0 * 86 * 86)) - 1) < 0.02);
        // Grey and white matter of people are 1.1 to 1.6 to 1; here both halves are cortex and what is below.
        const double ratio = static_cast<double>(voxels[BrainUptake::kGrey]) / voxels[BrainUptake::kWhite];
        QVERIFY2(ratio > 0.5 && ratio < 1.6, qPrintable(QString::number(ratio)));
    }

    void unknownPhantomListsTheBuiltInOnes() {
        QVERIFY_EXCEPTION_THROWN((void)Phantom::find("sphere"), WrongUse);
    }
};

QTEST_GUILESS_MAIN(PhantomTest)

}  // namespace phantom_test
#include "phantom_test.moc"
