// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <numeric>

#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
#include "tests/recon/projector_fixtures.h"

namespace kernel_tables_test {

using namespace tof;

namespace {

Lattice cube(int side, double spacing) {
    return Lattice::centred({side, side, side}, {spacing, spacing, spacing});
}

}  // namespace

class KernelTablesTest : public QObject {
    Q_OBJECT

  private slots:
    void idsOfBoundaryVoxels_data();
    void idsOfBoundaryVoxels();
    void sidesAndCentreLineHaveTheirOwnRows();
    void everyRowSumsToOne_data();
    void everyRowSumsToOne();
    void tapsAreTheOffsetsInsideTheEllipsoid_data();
    void tapsAreTheOffsetsInsideTheEllipsoid();
    void asymmetricSupportCoversBothGaussians();
    void valuesFollowTheGaussian();
    void widthsAreEvaluatedAtBinCentres();
    void mirrorRowsAreReflections();
    void centreLineRowIsTheMeanOfBothSides();
    void asymmetricKernelLeansTowardsTheCentre();
    void measuredProfileIsInterpolated();
    void twoGaussiansFollowTheirLines();
    void invariantRowsAreEqual();
    void absurdLatticesAreRefused_data();
    void absurdLatticesAreRefused();
};

void KernelTablesTest::idsOfBoundaryVoxels_data() {
    QTest::addColumn<double>("azimuth");
    QTest::newRow("0 degrees") << 0.0;
    QTest::newRow("90 degrees") << 90.0;
}

void KernelTablesTest::idsOfBoundaryVoxels() {
    QFETCH(double, azimuth);
    // 4 mm voxels with centres at +-2, +-6, ... and ids of 2 mm: |s| = 2 + 4 n lies on the boundary of id 1 +
    // 2 n and must go up, on both sides alike.
    const Lattice grid = Lattice::centred({144, 144, 1}, {4, 4, 4});

    const KernelTables tables =
        buildKernelTables(KernelSpec::preset("variant1"), grid, {azimuth * kRadPerDeg, 0});

    for (int k = 0; k < 72; ++k) {
        for (const int index : {72 + k, 71 - k}) {
            const std::size_t voxel = azimuth == 0 ? grid.index(10, index, 0) : grid.index(index, 10, 0);
            QCOMPARE(tables.ids[voxel], 2 * k + 1);
        }
    }
    QCOMPARE(tables.radialIds, 144);
    QCOMPARE(tables.rows, 144);
}

void KernelTablesTest::sidesAndCentreLineHaveTheirOwnRows() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.asymmetry = Asymmetry{};
    const Lattice grid = Lattice::centred({3, 3, 1}, {4, 4, 4});

    const KernelTables tables = buildKernelTables(spec, grid, {0, 0});  // s = y: -4, 0, 4 mm, so ids 0..2

    QCOMPARE(tables.radialIds, 3);
    QCOMPARE(tables.rows, 7);
    QCOMPARE(tables.ids[grid.index(1, 0, 0)], 3 + 2);
    QCOMPARE(tables.ids[grid.index(1, 1, 0)], 6);
    QCOMPARE(tables.ids[grid.index(1, 2, 0)], 2);
}

void KernelTablesTest::everyRowSumsToOne_data() {
    QTest::addColumn<QString>("family");
    for (const auto& [name, spec] : fixtures::kernelFamilies()) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void KernelTablesTest::everyRowSumsToOne() {
    QFETCH(QString, family);
    const auto families = fixtures::kernelFamilies();
    const auto it = std::find_if(families.begin(), families.end(),
                                 [&](const auto& f) { return f.first == family.toStdString(); });
    const Lattice grid = Lattice::centred({40, 33, 12}, {4, 3.5, 5});

    for (const View& view : fixtures::obliqueViews()) {
        const KernelTables tables = buildKernelTables(it->second, grid, view);
        for (int row = 0; row < tables.rows; ++row) {
            const auto values = tables.row(row);
            const double sum = std::accumulate(values.begin(), values.end(), 0.0);
            // Each value is rounded to float: the sum is off by at most 2^-24 of itself.
            QVERIFY2(std::abs(sum - 1) < 6e-8, qPrintable(QString("row %1: %2").arg(row).arg(sum - 1)));
        }
    }
}

void KernelTablesTest::tapsAreTheOffsetsInsideTheEllipsoid_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<double>("tilt");
    QTest::newRow("along x") << 0.0 << 0.0;
    QTest::newRow("along y") << 90.0 << 0.0;
    QTest::newRow("diagonal") << 45.0 << 0.0;
    QTest::newRow("tilted") << 31.5 << -20.0 / 3;
}

void KernelTablesTest::tapsAreTheOffsetsInsideTheEllipsoid() {
    QFETCH(double, azimuth);
    QFETCH(double, tilt);
    const KernelSpec spec = KernelSpec::preset("invariant");
    const Lattice grid = cube(8, 4);
    const View view{azimuth * kRadPerDeg, tilt * kRadPerDeg};
    // sigma = FWHM / 2.354820045; half-axes are three sigmas: 76.38 mm along the line, 7.389 mm across.
    const double along = 3 * 400 * 0.149896229 / 2.354820045;
    const double across = 3 * 5.8 / 2.354820045;
    const double c = azimuth == 90 ? 0 : std::cos(view.phi);
    const double s = std::sin(view.phi);
    std::vector<KernelTap> expected;
    for (int z = -8; z <= 8; ++z) {
        for (int y = -22; y <= 22; ++y) {
            for (int x = -22; x <= 22; ++x) {
                const double inPlane = 4 * (x * c + y * s);
                const double T = inPlane * std::cos(view.theta) + 4 * z * std::sin(view.theta);
                const double Q = 4 * (y * c - x * s);
                const double A = 4 * z * std::cos(view.theta) - inPlane * std::sin(view.theta);
                const double distance =
                    T * T / (along * along) + Q * Q / (across * across) + A * A / (across * across);
                if (distance <= 1) {
                    expected.push_back({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                                        static_cast<std::int16_t>(z)});
                }
            }
        }
    }

    const KernelTables tables = buildKernelTables(spec, grid, view);

    QCOMPARE(tables.taps.size(), expected.size());
    QVERIFY(tables.taps == expected);  // in order of z, y, x
}

void KernelTablesTest::asymmetricSupportCoversBothGaussians() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.asymmetry = Asymmetry{2, 1, 0.5};

    const KernelTables tables = buildKernelTables(spec, cube(8, 4), {0, 0});

    // k ratio sigma + shift sigma = 7 sigma = 7 * 5.8 / 2.354820045 = 17.241 mm: four voxels of 4 mm, not
    // five.
    const auto [low, high] =
        std::minmax_element(tables.taps.begin(), tables.taps.end(), [](auto a, auto b) { return a.y < b.y; });
    QCOMPARE(int(low->y), -4);
    QCOMPARE(int(high->y), 4);
    QVERIFY(std::abs(tables.support.radial - 17.2412) < 1e-4);
}

void KernelTablesTest::valuesFollowTheGaussian() {
    const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), cube(8, 4), {0, 0});
    const auto value = [&](KernelTap tap) {
        const auto it = std::find(tables.taps.begin(), tables.taps.end(), tap);
        return static_cast<double>(tables.row(0)[static_cast<std::size_t>(it - tables.taps.begin())]);
    };
    const double sigma = 5.8 / 2.354820045;
    const double sigmaTof = 400 * 0.149896229 / 2.354820045;

    const double across = value({0, 1, 0}) / value({0, 0, 0});
    const double axial = value({0, 0, -1}) / value({0, 0, 0});
    const double along = value({5, 0, 0}) / value({0, 0, 0});

    QVERIFY(std::abs(across - std::exp(-8 / (sigma * sigma))) < 1e-6);
    QVERIFY(std::abs(axial - across) < 1e-6);
    QVERIFY(std::abs(along - std::exp(-200 / (sigmaTof * sigmaTof))) < 1e-6);
}

void KernelTablesTest::widthsAreEvaluatedAtBinCentres() {
    const KernelSpec spec = KernelSpec::preset("variant1");

    // Line (0, 4.8) to (75, 5.8), then to (288, 10), constant beyond; at (id + 0.5) 2 mm.
    QVERIFY(std::abs(radialFwhm(spec, 0) - (4.8 + 1.0 / 75)) < 1e-12);
    QVERIFY(std::abs(radialFwhm(spec, 37) - 5.8) < 1e-12);
    QVERIFY(std::abs(radialFwhm(spec, 90) - (5.8 + 4.2 * (181 - 75) / 213)) < 1e-12);
    QCOMPARE(radialFwhm(spec, 200), 10.0);
}

void KernelTablesTest::mirrorRowsAreReflections() {
    KernelSpec spec = KernelSpec::preset("variant1");
    spec.asymmetry = Asymmetry{};
    const Lattice grid = cube(21, 4);

    const KernelTables tables = buildKernelTables(spec, grid, {35 * kRadPerDeg, 0.1});

    // Taps are in order of z, y, x and symmetric about 0, so the reflected tap is the one counted from the
    // end.
    for (int id = 0; id < tables.radialIds; ++id) {
        const auto left = tables.row(id);
        const auto right = tables.row(tables.radialIds + id);
        for (std::size_t i = 0; i < left.size(); ++i) {
            QVERIFY(std::abs(left[i] - right[left.size() - 1 - i]) <= 2e-7F * left[i]);
        }
    }
}

void KernelTablesTest::centreLineRowIsTheMeanOfBothSides() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.asymmetry = Asymmetry{};

    const KernelTables tables = buildKernelTables(spec, cube(5, 4), {0, 0});

    const auto mean = tables.row(2 * tables.radialIds);
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const float expected = 0.5F * (tables.row(0)[i] + tables.row(tables.radialIds)[i]);
        QVERIFY(std::abs(mean[i] - expected) <= 2e-7F * expected);
    }
}

void KernelTablesTest::asymmetricKernelLeansTowardsTheCentre() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.radial.form = WidthKnots{{0, 20}};
    spec.asymmetry = Asymmetry{2, 1, 0.5};
    spec.cutoff = 8;

    const KernelTables tables = buildKernelTables(spec, cube(9, 2), {0, 0});  // s = y

    // Means of the two Gaussians: 0 and one sigma towards the centre, weighted alike: half a sigma, 4.247 mm.
    for (const auto& [row, sign] : {std::pair{3, -1.0}, std::pair{tables.radialIds + 3, 1.0}}) {
        double mean = 0;
        for (std::size_t i = 0; i < tables.taps.size(); ++i) {
            mean += 2.0 * tables.taps[i].y * static_cast<double>(tables.row(row)[i]);
        }
        QVERIFY2(std::abs(mean - sign * 0.5 * 20 / 2.354820045) < 1e-3, qPrintable(QString::number(mean)));
    }
}

void KernelTablesTest::measuredProfileIsInterpolated() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.measured = {{0, {-4, 0, 4}, {0, 1, 0}}, {100, {-4, 0, 8}, {0, 2, 0}}};

    // Row of radial id 25, bin centre 51 mm, s > 0: the centre is at -r, so Q = -2 mm is q = +2 mm.
    const double centre = kernelValue(spec, 25, 60, 0, 0, 0);
    const double inwards = kernelValue(spec, 25, 60, 0, -2, 0);
    const double outwards = kernelValue(spec, 25, 60, 0, 2, 0);
    const double beyond = kernelValue(spec, 25, 60, 0, -8.001, 0);
    const double otherSide = kernelValue(spec, 60 + 25, 60, 0, 2, 0);

    QVERIFY(std::abs(centre - (0.49 * 1 + 0.51 * 2)) < 1e-12);
    QVERIFY(std::abs(inwards - (0.49 * 0.5 + 0.51 * 1.5)) < 1e-12);
    QVERIFY(std::abs(outwards - (0.49 * 0.5 + 0.51 * 1.0)) < 1e-12);
    QCOMPARE(beyond, 0.0);
    QVERIFY(std::abs(otherSide - inwards) < 1e-12);
}

void KernelTablesTest::twoGaussiansFollowTheirLines() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.asymmetry = Asymmetry{2, 0.5, 0.5, 0.01, -0.02, 1, 0.1};
    const double sigma = 5.8 / kFwhmPerSigma;
    // Id 25 of 2 mm: |s| = 51 mm. Ratio 2.51, shift -0.52, mean 6.1 mm towards the centre, at -r for s > 0.
    const double apart = -0.52 * sigma;
    const double first = 6.1 - 0.5 * apart;
    for (const double q : {-9.0, -3.0, 0.0, 4.0}) {
        const double expected =
            0.5 * gaussianAt(q - first, sigma) + 0.5 / 2.51 * gaussianAt(q - first - apart, 2.51 * sigma);
        QVERIFY(std::abs(kernelValue(spec, 25, 60, 0, -q, 0) - expected) < 1e-12);
    }
    // Rows differ although the widths do not.
    const KernelTables tables = buildKernelTables(spec, cube(9, 4), {0, 0});
    QVERIFY(tables.row(0)[3] != tables.row(1)[3]);
    // The support holds both wherever they are: no value at its edge is above that of the cut-off.
    const double reach = makeKernelFrame(spec, cube(9, 4), {0, 0}).support.radial;
    const double s = (tables.radialIds - 0.5) * 2;
    QVERIFY(reach >= 3 * (2 + 0.01 * s) * sigma);
}

void KernelTablesTest::invariantRowsAreEqual() {
    for (const char* name : {"invariant", "ha-fig7-asymmetric"}) {
        const KernelTables tables = buildKernelTables(KernelSpec::preset(name), cube(12, 8), {0.3, 0});
        for (int id = 1; id < tables.radialIds; ++id) {
            QVERIFY(std::equal(tables.row(id).begin(), tables.row(id).end(), tables.row(0).begin()));
        }
    }
}

void KernelTablesTest::absurdLatticesAreRefused_data() {
    QTest::addColumn<double>("dx");
    QTest::addColumn<double>("dy");
    QTest::addColumn<double>("dz");
    QTest::addColumn<double>("idStep");
    QTest::newRow("offsets beyond 16 bits") << 1e-3 << 4.0 << 4.0 << 2.0;
    QTest::newRow("a support too large to search") << 4.0 << 0.01 << 0.01 << 2.0;
    QTest::newRow("too many taps") << 0.1 << 0.1 << 0.1 << 2.0;
    QTest::newRow("too many ids") << 1e9 << 1e9 << 4.0 << 0.01;
    QTest::newRow("spacing without bound") << 1e300 << 1e300 << 1e300 << 2.0;
    QTest::newRow("spacing next to nothing") << 1e-300 << 1e-300 << 1e-300 << 2.0;
    QTest::newRow("a table too large") << 0.5 << 0.5 << 0.5 << 0.01;
}

void KernelTablesTest::absurdLatticesAreRefused() {
    QFETCH(double, dx);
    QFETCH(double, dy);
    QFETCH(double, dz);
    QFETCH(double, idStep);
    KernelSpec spec = KernelSpec::preset("variant1");
    spec.id_step_mm = idStep;
    const Lattice grid = Lattice::centred({200, 200, 4}, {dx, dy, dz});

    QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(buildKernelTables(spec, grid, {0.4, 0.1})));
}

QTEST_APPLESS_MAIN(KernelTablesTest)

}  // namespace kernel_tables_test
#include "kernel_tables_test.moc"
