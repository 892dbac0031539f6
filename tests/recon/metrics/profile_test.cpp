// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/profile.h"

#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/error.h"

namespace profile_test {

using namespace tof;

class ProfileTest : public QObject {
    Q_OBJECT

  private slots:
    void profileIsTheRowOfVoxelsThroughAPoint_data() {
        QTest::addColumn<int>("axis");
        QTest::newRow("x") << 0;
        QTest::newRow("y") << 1;
        QTest::newRow("z") << 2;
    }

    void profileIsTheRowOfVoxelsThroughAPoint() {
        QFETCH(int, axis);
        Volume volume(Lattice::centred({5, 6, 7}, {1, 2, 3}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>(i);
        }

        const Profile profile = profileAlong(volume, axis, volume.lattice.centre(1.2, 3.4, 4.9));

        const std::size_t n = static_cast<std::size_t>(volume.lattice.size[static_cast<std::size_t>(axis)]);
        QCOMPARE(profile.value.size(), n);
        for (int i = 0; i < static_cast<int>(n); ++i) {
            const float expected = volume.at(axis == 0 ? i : 1, axis == 1 ? i : 3, axis == 2 ? i : 5);
            QCOMPARE(profile.value[static_cast<std::size_t>(i)], static_cast<double>(expected));
        }
        QCOMPARE(profile.position_mm[1] - profile.position_mm[0],
                 volume.lattice.spacing_mm[static_cast<std::size_t>(axis)]);
    }

    void pointOutsideHasNoProfile() {
        const Volume volume(Lattice::centred({5, 6, 7}, {1, 2, 3}));

        QVERIFY(profileAlong(volume, 0, {0, 0, 100}).value.empty());
    }

    void aLineThroughALinearRampReadsTheRamp() {
        // Trilinear interpolation is exact for a linear function.
        Volume volume(Lattice::centred({9, 11, 7}, {2, 3, 4}));
        for (int z = 0; z < 7; ++z) {
            for (int y = 0; y < 11; ++y) {
                for (int x = 0; x < 9; ++x) {
                    const Vec3 c = volume.lattice.centre(x, y, z);
                    volume.data[volume.lattice.index(x, y, z)] =
                        static_cast<float>(1 + 2 * c.x - c.y + 0.5 * c.z);
                }
            }
        }
        const Vec3 a{-6, 10, -8};
        const Vec3 b{5, -9, 11};

        const Profile profile = profileBetween(volume, a, b);

        const double length = norm(b - a);
        QCOMPARE(profile.position_mm.front(), 0.0);
        QVERIFY(std::abs(profile.position_mm.back() - length) < 1e-12);
        QVERIFY(profile.position_mm[1] <= 1.0);
        for (std::size_t i = 0; i < profile.value.size(); ++i) {
            const Vec3 p = a + (profile.position_mm[i] / length) * (b - a);
            QVERIFY(std::abs(profile.value[i] - (1 + 2 * p.x - p.y + 0.5 * p.z)) < 1e-4);
        }
    }

    void aLineThroughAGaussianHasItsWidth() {
        const double fwhm = 12;
        const double sigma = fwhm / (2 * std::sqrt(2 * std::log(2.0)));
        Volume volume(Lattice::centred({41, 41, 41}, {1, 1, 1}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            const auto n = static_cast<int>(i);
            const Vec3 c = volume.lattice.centre(n % 41, n / 41 % 41, n / 1681);
            volume.data[i] = static_cast<float>(100 * std::exp(-dot(c, c) / (2 * sigma * sigma)));
        }

        const Profile profile = profileBetween(volume, {-15, -15, -9}, {15, 15, 9});

        const auto peak = peakAcross(profile).peak;
        QVERIFY(peak.has_value());
        const std::optional<double> width = peak->width_mm();
        // Interpolation over h = 1 mm adds h^2/4 (three axes, h^2/12 each) to sigma^2 at most: 26.0 to 26.2.
        QVERIFY2(std::abs(*width - fwhm) < 0.1, qPrintable(QString::number(*width)));
    }

    void outsideTheLatticeALineReadsZero() {
        Volume volume(Lattice::centred({3, 3, 3}, {1, 1, 1}));
        std::fill(volume.data.begin(), volume.data.end(), 7.0F);

        const Profile profile = profileBetween(volume, {-10, 0, 0}, {10, 0, 0});

        QCOMPARE(profile.value.front(), 0.0);
        QCOMPARE(profile.value.back(), 0.0);
        QCOMPARE(profile.value[profile.value.size() / 2], 7.0);
    }

    void widthOfATriangleIsHalfItsBase() {
        Profile profile;
        for (int i = -40; i <= 40; ++i) {
            profile.position_mm.push_back(i);
            profile.value.push_back(5 + 8 * std::max(0.0, 1 - std::abs(i) / 6.0));
        }

        // Straight flanks, so that linear interpolation is exact: half the height at +-3.
        for (const PeakSearch& found : {peakNear(profile, 1, 4), peakAcross(profile)}) {
            QVERIFY(found.standsOut && found.peak.has_value());
            QVERIFY(std::abs(found.peak->width_mm() - 6.0) < 1e-12);
            QVERIFY(std::abs(found.peak->left_mm + 3.0) < 1e-12);
            QCOMPARE(found.peak->base, 5.0);
            QCOMPARE(found.peak->top, 13.0);
            QCOMPARE(found.peak->noise, 0.0);
        }
    }

    void onlyWhatStandsOutOfTheNoiseIsAPeak() {
        Profile profile;
        for (int i = 0; i < 60; ++i) {
            profile.position_mm.push_back(i);
            profile.value.push_back(0.0096);
        }
        QVERIFY(!peakNear(profile, 30, 12).standsOut);  // constant
        profile.value[30] = 0.0096 * (1 + 1e-7);        // a float's rounding
        QVERIFY(!peakNear(profile, 30, 12).standsOut);

        // 9, 10 and 11 in turn: a median distance of 1, an SD of 1/0.6745. 13 is no peak, 16 is one.
        for (int i = 0; i < 60; ++i) {
            profile.value[static_cast<std::size_t>(i)] = 9 + i % 3;
        }
        profile.value[30] = 13;
        QVERIFY(!peakNear(profile, 30, 5).standsOut);
        profile.value[30] = 16;
        QVERIFY(peakNear(profile, 30, 5).standsOut);

        // A short line over a smooth peak: its flanks are no noise.
        const Profile line{{0, 1, 2, 3, 4, 5, 6}, {0, 0.2, 0.7, 1, 0.7, 0.2, 0}};
        QVERIFY(peakAcross(line).standsOut);
        QVERIFY(!peakAcross({}).standsOut);
        QVERIFY(!peakNear({}, 0, 1).standsOut);
    }

    /// As at places of an image without a sphere: normal noise, of neighbours alike as images have it, in a
    /// body that ends inside the profile.
    void noiseInABodyHasHardlyEverAWidth() {
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        constexpr int kVoxels = 144;
        constexpr double kVoxel_mm = 4;
        int widths = 0;
        int places = 0;
        for (int trial = 0; trial < 200; ++trial) {
            Profile profile;
            double noise = 0;
            for (int i = 0; i < kVoxels; ++i) {
                const double x = (i - 0.5 * (kVoxels - 1)) * kVoxel_mm;
                noise = 0.5 * noise + normal(random);
                profile.position_mm.push_back(x);
                profile.value.push_back(std::abs(x) < 200 ? 10 + 1.5 * noise : 0);
            }
            for (double at = -180; at <= 180; at += 30) {
                widths += peakNear(profile, at, 12).peak ? 1 : 0;
                ++places;
            }
        }
        QVERIFY2(widths < 0.05 * places, qPrintable(QString("%1 of %2").arg(widths).arg(places)));
    }

    /// Spheres of 10 to 37 mm in a warm body, blurred by 6 mm.
    void aSphereInABodyHasItsWidth() {
        for (const double diameter : {10.0, 22.0, 37.0}) {
            for (const double voxel : {2.0, 4.0}) {
                Profile profile;
                for (double x = -250; x <= 250; x += voxel) {
                    const double sigma = 6 / 2.3548;
                    const auto edge = [&](double at) {
                        return 0.5 * std::erfc(at / (sigma * std::sqrt(2.0)));
                    };
                    const double sphere = edge(std::abs(x - 60) - diameter / 2);
                    profile.position_mm.push_back(x);
                    profile.value.push_back((std::abs(x) < 200 ? 1 : 0) + 3 * sphere);
                }
                const PeakSearch found = peakNear(profile, 60, 12);
                QVERIFY(found.peak.has_value());
                QVERIFY2(
                    std::abs(found.peak->width_mm() - diameter) < 0.5 * voxel,
                    qPrintable(QString("%1 %2 %3").arg(diameter).arg(voxel).arg(found.peak->width_mm())));
                QVERIFY(std::abs(found.peak->base - 1) < 0.01);
            }
        }
    }

    void peakThatReachesTheEdgeHasNoWidth() {
        const Profile profile{{0, 1, 2, 3}, {9, 8, 2, 1}};

        QVERIFY(!peakNear(profile, 0, 1).peak);
        QVERIFY(!peakAcross(profile).peak);
    }

    void differenceFiguresFollowTheirDefinitions() {
        Volume a(Lattice::centred({10, 10, 10}, {2, 2, 2}), 4.0F);
        Volume b = a;
        b.at(2, 3, 4) = 1.0F;

        const DifferenceFigures f = compareVolumes(a, b);

        QCOMPARE(f.largest, 3.0);
        QCOMPARE(f.where_mm.y, a.lattice.centre(2, 3, 4).y);
        QCOMPARE(f.mean, 3.0 / 1000);
        QVERIFY(std::abs(f.rms - 3.0 / std::sqrt(1000.0)) < 1e-12);
        QVERIFY(std::abs(f.relativeRms - 3.0 / std::sqrt(999.0 * 16 + 1)) < 1e-12);
        QVERIFY(!f.identical);
        QVERIFY(compareVolumes(a, a).identical);
        QCOMPARE(differenceOf(a, b).at(2, 3, 4), 3.0F);
    }

    void differentLatticesAreRefused() {
        const Volume a(Lattice::centred({4, 4, 4}, {1, 1, 1}));
        const Volume b(Lattice::centred({4, 4, 4}, {1, 1, 2}));

        QVERIFY_EXCEPTION_THROWN(static_cast<void>(compareVolumes(a, b)), WrongUse);
    }

    void histogramCountsHalfOpenBins() {
        const std::vector<float> values{0.0F, 0.5F, 1.0F, 1.5F, 2.0F, -1.0F, NAN};

        const auto counts = histogram(values, 0, 2, 2);

        QCOMPARE(counts, (std::vector<std::size_t>{2, 2}));
    }
};

QTEST_GUILESS_MAIN(ProfileTest)

}  // namespace profile_test
#include "profile_test.moc"
