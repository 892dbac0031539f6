// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/point_response.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "recon/base/constants.h"
#include "recon/systems/histo/reference.h"

namespace point_response_test {

using namespace tof;

namespace {

const Lattice kLattice = Lattice::centred({22, 18, 9}, {4.0, 4.0, 5.0});
const View kView{31.5 * kRadPerDeg, 6.67 * kRadPerDeg};

KernelSpec narrow(bool asymmetric) {
    KernelSpec spec;
    spec.tof_ps = 100;
    spec.radial.form = WidthKnots{{0, 5}, {40, 12}};
    spec.cutoff = 2;
    if (asymmetric) {
        spec.asymmetry = Asymmetry{};
    }
    return spec;
}

}  // namespace

class PointResponseTest : public QObject {
    Q_OBJECT

  private slots:
    void pointsAgreeWithTheWholeLattice_data() {
        QTest::addColumn<bool>("asymmetric");
        QTest::newRow("symmetric") << false;
        QTest::newRow("asymmetric") << true;
    }

    /// The definition over all voxels and over the sources alone are the same sums.
    void pointsAgreeWithTheWholeLattice() {
        QFETCH(bool, asymmetric);
        const KernelTables tables = buildKernelTables(narrow(asymmetric), kLattice, kView);
        const std::vector<VoxelIndex> points{{11, 9, 4}, {2, 15, 0}, {21, 0, 8}, {11, 9, 4}};
        const Volume image = pointImage(kLattice, points);

        const Volume forward = forwardOfPoints(tables, kLattice, points);
        const Volume back = backOfPoints(tables, kLattice, points);

        const auto wholeForward = referenceForward(tables, kLattice, image.data);
        const auto wholeBack = referenceBack(tables, kLattice, image.data);
        for (std::size_t i = 0; i < kLattice.voxels(); ++i) {
            // One rounding to float of sums in double of values below 2.
            QVERIFY(std::abs(static_cast<double>(forward.data[i]) - wholeForward[i]) <= 1.2e-7);
            QVERIFY(std::abs(static_cast<double>(back.data[i]) - wholeBack[i]) <= 1.2e-7);
        }
    }

    void aSourceOutsideGoesToTheNearestVoxel() {
        const VoxelIndex inside = nearestVoxel(kLattice, {-41.0, 3.0, 0.4});
        const VoxelIndex outside = nearestVoxel(kLattice, {1000, -1000, std::nan("")});

        QCOMPARE(inside, (VoxelIndex{0, 9, 4}));
        QCOMPARE(outside, (VoxelIndex{21, 0, 0}));
    }

    void quickPointsAgreeWithTheDefinition_data() { pointsAgreeWithTheWholeLattice_data(); }

    /// Four additions of floats, each off by 2^-25 of a sum that is no larger than the largest value, and
    /// values that the table rounds by as much.
    void quickPointsAgreeWithTheDefinition() {
        QFETCH(bool, asymmetric);
        const KernelTables tables = buildKernelTables(narrow(asymmetric), kLattice, kView);
        const auto outline = std::make_shared<const KernelOutline>(narrow(asymmetric), kLattice, kView);
        const std::vector<VoxelIndex> points{{11, 9, 4}, {2, 15, 0}, {21, 0, 8}, {11, 9, 4}};
        QuickPoints quick(outline, kLattice);

        const Volume forward = quick.forward(points);
        const Volume back = quick.back(points);

        const auto agree = [](const Volume& a, const Volume& b) {
            const float peak = *std::max_element(b.data.begin(), b.data.end());
            float worst = 0;
            for (std::size_t i = 0; i < a.data.size(); ++i) {
                worst = std::max(worst, std::abs(a.data[i] - b.data[i]));
            }
            return peak > 0 && worst <= 8 * 0x1p-25F * peak;
        };
        QVERIFY(agree(forward, forwardOfPoints(tables, kLattice, points)));
        QVERIFY(agree(back, backOfPoints(tables, kLattice, points)));
    }

    void anOutlineGivesTheRowsOfTheTable() {
        const KernelTables tables = buildKernelTables(narrow(true), kLattice, kView);
        const KernelOutline outline(narrow(true), kLattice, kView);

        QCOMPARE(outline.taps().size(), tables.taps.size());
        QVERIFY(outline.taps() == tables.taps);
        QCOMPARE(outline.ids(), tables.ids);
        QCOMPARE(outline.rows(), tables.rows);
        for (const int id : {0, tables.radialIds, tables.rows - 1}) {
            const auto row = tables.row(id);
            QVERIFY(std::equal(row.begin(), row.end(), outline.row(id).begin()));
        }
    }

    /// A Gaussian sampled much finer than its width keeps its FWHM; a cut at 5 sigma takes < 1e-4 of its
    /// second moment.
    void momentsOfAFineGaussianAreItsWidths() {
        KernelSpec spec;
        spec.tof_ps = 60;
        spec.axial_mm = 8;
        spec.radial.form = WidthKnots{{0, 7}};
        spec.cutoff = 5;
        const std::array<double, 3> fine{0.75, 0.75, 0.75};
        const KernelTables tables = buildKernelTables(spec, Lattice::centred({8, 8, 8}, fine), {});

        const KernelMoments moments = kernelMoments(tables, fine, {}, 0);

        QVERIFY(std::abs(moments.sum - 1) < 1e-5);
        QVERIFY(std::abs(moments.fwhm_mm[0] - 60 * kMmPerPs) < 2e-3 * 60 * kMmPerPs);
        QVERIFY(std::abs(moments.fwhm_mm[1] - 7) < 2e-3 * 7);
        QVERIFY(std::abs(moments.fwhm_mm[2] - 8) < 2e-3 * 8);
    }

    void theKernelsVolumeHoldsItsRow() {
        const KernelTables tables = buildKernelTables(narrow(false), kLattice, kView);

        const Volume volume = kernelVolume(tables, kLattice.spacing_mm, 3);

        const VoxelIndex middle = nearestVoxel(volume.lattice, {0, 0, 0});
        double sum = 0;
        for (const float v : volume.data) {
            sum += static_cast<double>(v);
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
        const auto row = tables.row(3);
        QCOMPARE(volume.at(middle[0], middle[1], middle[2]), *std::max_element(row.begin(), row.end()));
    }

    void theWidthOfAMeasuredProfileIsThatOfItsGaussian() {
        MeasuredProfile profile{0, {}, {}};
        for (int k = -8; k <= 8; ++k) {
            profile.q_mm.push_back(0.5 * k);
            profile.w.push_back(std::exp(-0.5 * (0.5 * k - 0.3) * (0.5 * k - 0.3)));
            profile.sd.push_back(0.01);
        }
        const Estimate smooth = measuredFwhm(profile);
        // Straight pieces of half a sigma add a sixth of their square to the variance: 2 % of the width.
        QVERIFY(std::abs(smooth.value / kFwhmPerSigma - 1) < 0.04);

        // Errors move the variance as half the sum of their squares, knot by knot.
        double squares = 0;
        for (int k = -8; k <= 8; ++k) {
            const double d = 0.5 * k - 0.3;
            const double step = std::abs(k) == 8 ? 0.25 : 0.5;  // half a piece at the ends
            squares += std::pow(0.01 * step * (d * d - 1) / std::sqrt(2 * kPi) / 2, 2);
        }
        QVERIFY2(std::abs(smooth.sd / (kFwhmPerSigma * std::sqrt(squares)) - 1) < 0.15,
                 qPrintable(QString("%1").arg(smooth.sd)));

        // The spike that crossings of half the largest knot took for the peak: 0.9 mm wide.
        profile.w[8] *= 1.8;
        QVERIFY(std::abs(measuredFwhm(profile).value / smooth.value - 1) < 0.2);

        // The variance of a triangle is a sixth of its half base's square; nothing is known of its error.
        const Estimate triangle = measuredFwhm({0, {-6, 0, 6}, {0, 3, 0}});
        QVERIFY(std::abs(triangle.value - kFwhmPerSigma * std::sqrt(6.0)) < 1e-12);
        QCOMPARE(triangle.sd, 0.0);
    }
};

QTEST_APPLESS_MAIN(PointResponseTest)

}  // namespace point_response_test
#include "point_response_test.moc"
