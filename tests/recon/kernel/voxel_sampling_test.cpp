// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <map>
#include <numeric>
#include <random>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/kernel/point_response.h"
#include "recon/systems/histo/spectrum.h"
#include "tests/recon/projector_fixtures.h"

namespace voxel_sampling_test {

using namespace tof;

namespace {

double normOf(const Quadrature& q) {
    return std::accumulate(q.weight.begin(), q.weight.end(), 0.0);
}

/// The triangle of half-width `side` in `cells` equal pieces on either side, each by Gauss-Legendre.
Quadrature fineTriangle(double side, int cells, int order) {
    Quadrature rule;
    const auto density = [side](double d) { return (1 - std::abs(d) / side) / side; };
    for (int i = -cells; i < cells; ++i) {
        addLegendre(rule, i * side / cells, (i + 1) * side / cells, order, density);
    }
    return rule;
}

/// The definition: the kernel's density averaged over displacements with a triangle in x, y and z.
/// Unnormalised.
double definition(const KernelSpec& spec, const Lattice& grid, const View& view, int row, int radialIds,
                  const KernelTap& tap) {
    const ViewAxes axes = view.axes();
    // The kinks of measured profiles lie anywhere: small pieces, which leave 1e-5.
    const int cells = spec.measured.empty() ? 1 : 30;
    const int order = spec.measured.empty() ? 24 : 2;
    const Quadrature x = fineTriangle(grid.spacing_mm[0], cells, order);
    const Quadrature y = fineTriangle(grid.spacing_mm[1], cells, order);
    const Quadrature z = fineTriangle(grid.spacing_mm[2], 1, 14);
    const RadialArrays arrays(spec, radialIds);
    const RadialModel model = arrays.model();
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            const Vec3 level{tap.x * grid.spacing_mm[0] + x.at[i], tap.y * grid.spacing_mm[1] + y.at[j], 0};
            double column = 0;
            for (std::size_t k = 0; k < z.size(); ++k) {
                const Vec3 m{level.x, level.y, tap.z * grid.spacing_mm[2] + z.at[k]};
                column += z.weight[k] * gaussianAt(dot(m, axes.u), spec.sigmaTof_mm()) *
                          gaussianAt(dot(m, axes.a), spec.sigmaAxial_mm());
            }
            sum += x.weight[i] * y.weight[j] * column * radialFactor(model, row, dot(level, axes.r));
        }
    }
    return sum;
}

KernelSpec voxel(KernelSpec spec) {
    spec.sampling = KernelSampling::Voxel;
    return spec;
}

KernelSpec withWidths(double tof_ps, double radial_mm, double axial_mm) {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.tof_ps = tof_ps;
    spec.radial = {WidthKnots{{0.0, radial_mm}}};
    spec.axial_mm = axial_mm;
    return voxel(spec);
}

/// A profile of straight pieces like those that are measured: a little narrower than a voxel, and lopsided.
KernelSpec measured() {
    KernelSpec spec = withWidths(400, 5.8, 3.1);
    MeasuredProfile profile{0, {}, {}};
    for (int k = 0; k < 17; ++k) {
        const double q = -4.8 + 0.6 * k;
        profile.q_mm.push_back(q);
        profile.w.push_back(std::exp(-0.5 * q * q / 1.44) * (1 + 0.05 * q));
    }
    spec.measured = {profile, profile};
    spec.measured[1].s_mm = 60;
    spec.measured[1].w[9] *= 1.2;
    spec.measured[1].w[0] = 0.1;  // a step at the end of a profile
    return spec;
}

}  // namespace

class VoxelSamplingTest : public QObject {
    Q_OBJECT

  private slots:
    void gaussRulesHaveTheMoments();
    void valuesAreTheKernelAveragedOverTwoVoxels_data();
    void valuesAreTheKernelAveragedOverTwoVoxels();
    void aFilledVoxelShowsUpAsItsProjection_data();
    void aFilledVoxelShowsUpAsItsProjection();
    void aPointOnATriangleIsTheLimitOfNarrowKernels();
    void supportHoldsTheVoxel();
    void mirrorRowsAreReflections();
    void untiltedColumnsAreTheMiddleOneTimesTheGain();
    void analyticSpectrumIsTheGaussiansTimesTheVoxels();
    void widthsFarBelowTheVoxelAreRefused();
};

void VoxelSamplingTest::gaussRulesHaveTheMoments() {
    // The triangle on [-1, 1]: even moments 2 / ((n + 1)(n + 2)), odd ones 0.
    Quadrature fine;
    const auto density = [](double d) { return 1 - std::abs(d); };
    addLegendre(fine, -1, 0, 12, density);
    addLegendre(fine, 0, 1, 12, density);

    for (int order = 1; order <= 10; ++order) {
        const Quadrature rule = gaussRule(fine, order);
        QVERIFY(std::abs(normOf(rule) - 1) < 1e-13);
        for (int n = 1; n < 2 * order; ++n) {
            double moment = 0;
            for (std::size_t i = 0; i < rule.size(); ++i) {
                moment += rule.weight[i] * std::pow(rule.at[i], n);
            }
            QVERIFY(std::abs(moment - (n % 2 == 1 ? 0 : 2.0 / ((n + 1) * (n + 2)))) < 1e-13);
        }
    }
}

void VoxelSamplingTest::valuesAreTheKernelAveragedOverTwoVoxels_data() {
    QTest::addColumn<QString>("kernel");
    const auto row = [](const char* name, const KernelSpec& spec) {
        QTest::newRow(name) << QString::fromStdString(spec.toJson());
    };
    row("invariant", voxel(KernelSpec::preset("invariant")));
    row("variant1", voxel(KernelSpec::preset("variant1")));
    row("narrower than a voxel", withWidths(400, 2.4, 2.4));
    row("far narrower than a voxel", withWidths(400, 1.2, 1.5));
    row("time of flight of a few voxels", withWidths(80, 4, 4));
    row("time of flight of a voxel", withWidths(30, 4, 4));
    KernelSpec asymmetric = withWidths(400, 2.8, 3.1);
    asymmetric.asymmetry = Asymmetry{2, 1, 0.5};
    row("asymmetric", asymmetric);
    row("measured", measured());
}

void VoxelSamplingTest::valuesAreTheKernelAveragedOverTwoVoxels() {
    QFETCH(QString, kernel);
    const KernelSpec spec = KernelSpec::fromJson(kernel.toStdString(), "test");
    const Lattice grid = Lattice::centred({21, 19, 5}, {4, 4.5, 3.6});
    double worst = 0;

    for (const View& view : {View{0, 0}, View{2.25 * kRadPerDeg, 0.1}, View{27 * kRadPerDeg, 0},
                             View{112.5 * kRadPerDeg, -0.15}, View{45 * kRadPerDeg, 0.12}}) {
        const KernelTables tables = buildKernelTables(spec, grid, view);
        const int row = tables.rows / 3;
        const auto values = tables.row(row);
        const float peak = *std::max_element(values.begin(), values.end());
        double scale = 0;  // the definition's value at the offset (0, 0, 0) over the table's
        for (std::size_t t = 0; t < tables.taps.size(); ++t) {
            if (tables.taps[t] == KernelTap{0, 0, 0}) {
                scale = definition(spec, grid, view, row, tables.radialIds, tables.taps[t]) / values[t];
            }
        }
        for (std::size_t t = 0; t < tables.taps.size(); t += 1 + tables.taps.size() / 12) {
            const double expected =
                definition(spec, grid, view, row, tables.radialIds, tables.taps[t]) / scale;
            worst = std::max(worst, std::abs(values[t] - expected) / peak);
        }
    }

    QVERIFY2(worst < 1e-4, qPrintable(QString::number(worst)));
}

void VoxelSamplingTest::aFilledVoxelShowsUpAsItsProjection_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<double>("tilt");
    QTest::newRow("along x") << 0.0 << 0.0;
    QTest::newRow("oblique") << 31.5 << 6.67;
    QTest::newRow("diagonal") << 135.0 << -6.67;
}

void VoxelSamplingTest::aFilledVoxelShowsUpAsItsProjection() {
    // What measure-kernel finds for the ideal detectors of labr3 near the axis: narrower than a voxel.
    QFETCH(double, azimuth);
    QFETCH(double, tilt);
    KernelSpec spec = withWidths(409, 2.94, 3.1);
    spec.cutoff = 3.5;
    const Lattice grid = Lattice::centred({5, 5, 5}, {4, 4, 4});
    const View view{azimuth * kRadPerDeg, tilt * kRadPerDeg};
    const ViewAxes axes = view.axes();
    const KernelTables tables = buildKernelTables(spec, grid, view);
    const VoxelIndex middle{2, 2, 2};
    const Volume projected = forwardOfPoints(tables, grid, std::span(&middle, 1));
    constexpr int kEvents = 1'000'000;
    const double sigma[] = {spec.sigmaTof_mm(), 2.94 / kFwhmPerSigma, spec.sigmaAxial_mm()};
    std::mt19937_64 engine(7);
    const auto uniform = [&] { return static_cast<double>(engine() >> 11U) * 0x1p-53; };
    const auto gaussian = [&] {
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * kPi * uniform());
    };

    std::vector<double> counts(grid.voxels());
    for (int i = 0; i < kEvents; ++i) {
        const Vec3 from{4 * uniform() - 2, 4 * uniform() - 2, 4 * uniform() - 2};
        const Vec3 at = from + (sigma[0] * gaussian()) * axes.u + (sigma[1] * gaussian()) * axes.r +
                        (sigma[2] * gaussian()) * axes.a;
        const Vec3 index = grid.continuousIndex(at);
        const int x = static_cast<int>(std::floor(index.x + 0.5));
        const int y = static_cast<int>(std::floor(index.y + 0.5));
        const int z = static_cast<int>(std::floor(index.z + 0.5));
        if (grid.contains(x, y, z)) {
            counts[grid.index(x, y, z)] += 1;
        }
    }

    const double peak = kEvents * static_cast<double>(projected.at(2, 2, 2));
    double worst = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = kEvents * static_cast<double>(projected.data[i]);
        // Poisson's scatter of a million is 0.8 % of the peak in the peak; three of it besides the bar of 2
        // %.
        const double off = std::abs(counts[i] - expected);
        worst = std::max(worst, off / peak);
        QVERIFY2(off <= 0.02 * peak && off <= 0.01 * peak + 4 * std::sqrt(expected),
                 qPrintable(QString("voxel %1: %2, not %3").arg(i).arg(counts[i]).arg(expected)));
    }
    qInfo("largest difference %.2f %% of the peak", 100 * worst);
}

void VoxelSamplingTest::aPointOnATriangleIsTheLimitOfNarrowKernels() {
    // What is filled evenly and not blurred leaves 1/6, 2/3, 1/6 of a triangle's integrals ... of two boxes
    // at whole offsets: 1 at the voxel itself, 0 beside it; a Gaussian of sigma moves sigma sqrt(2 / pi) /
    // side of the peak into the neighbours.
    const KernelSpec spec = withWidths(400, 0.8, 5.8);
    const Lattice grid = Lattice::centred({9, 9, 5}, {4, 4, 4});
    const KernelTables tables = buildKernelTables(spec, grid, {0, 0});
    const auto values = tables.row(0);
    std::map<int, double> at;
    for (std::size_t t = 0; t < tables.taps.size(); ++t) {
        if (tables.taps[t].x == 0 && tables.taps[t].z == 0) {
            at[tables.taps[t].y] = values[t];
        }
    }

    const double moved = 0.8 / kFwhmPerSigma * std::sqrt(2 / kPi) / 4;
    QVERIFY(std::abs(at[1] / at[0] - 0.5 * moved / (1 - moved)) < 1e-4);
    QVERIFY(std::abs(at[-1] - at[1]) < 1e-7);
}

void VoxelSamplingTest::supportHoldsTheVoxel() {
    const KernelSpec spec = withWidths(400, 2.4, 2.4);
    const Lattice grid = Lattice::centred({9, 9, 5}, {4, 5, 3});
    const View view{30 * kRadPerDeg, 0.1};

    const KernelFrame frame = makeKernelFrame(spec, grid, view);

    const auto half = [&](double sigma, Vec3 e) {
        return 3 * std::sqrt(sigma * sigma + (16 * e.x * e.x + 25 * e.y * e.y + 9 * e.z * e.z) / 6);
    };
    QVERIFY(std::abs(frame.support.tof - half(spec.sigmaTof_mm(), frame.axes.u)) < 1e-9);
    QVERIFY(std::abs(frame.support.radial - half(2.4 / kFwhmPerSigma, frame.axes.r)) < 1e-9);
    QVERIFY(std::abs(frame.support.axial - half(spec.sigmaAxial_mm(), frame.axes.a)) < 1e-9);
}

void VoxelSamplingTest::mirrorRowsAreReflections() {
    for (const View& view : fixtures::obliqueViews()) {
        const KernelTables tables =
            buildKernelTables(measured(), Lattice::centred({15, 14, 5}, {4, 4, 4}), view);
        const int ids = tables.radialIds;
        for (int id = 0; id < ids; ++id) {
            const auto one = tables.row(id);
            const auto other = tables.row(ids + id);
            for (std::size_t t = 0; t < tables.taps.size(); ++t) {
                const KernelTap tap = tables.taps[t];
                const auto mirror =
                    std::find(tables.taps.begin(), tables.taps.end(),
                              KernelTap{static_cast<std::int16_t>(-tap.x), static_cast<std::int16_t>(-tap.y),
                                        static_cast<std::int16_t>(-tap.z)});
                const auto m = static_cast<std::size_t>(mirror - tables.taps.begin());
                QVERIFY(std::abs(one[t] - other[m]) < 1e-7);
            }
        }
    }
}

void VoxelSamplingTest::untiltedColumnsAreTheMiddleOneTimesTheGain() {
    const KernelSpec spec = withWidths(400, 3, 3.1);
    const Lattice grid = Lattice::centred({9, 9, 5}, {4, 4, 4});
    const KernelTables tables = buildKernelTables(spec, grid, {0.4, 0});
    const auto values = tables.row(0);
    std::map<std::pair<int, int>, double> middle;
    for (std::size_t t = 0; t < tables.taps.size(); ++t) {
        if (tables.taps[t].z == 0) {
            middle[{tables.taps[t].x, tables.taps[t].y}] = values[t];
        }
    }

    for (std::size_t t = 0; t < tables.taps.size(); ++t) {
        const KernelTap& tap = tables.taps[t];
        const double expected = middle.at({tap.x, tap.y}) * axialGain(spec, grid, std::abs(tap.z));
        QVERIFY(std::abs(values[t] - expected) <= 1.2e-7 * expected);
    }
    // A Gaussian integrated over two voxels has a closed form in error functions.
    const double sigma = spec.sigmaAxial_mm();
    const auto ramp = [&](double x) {  // the second integral of the density
        return 0.5 * x * std::erf(x / (sigma * std::sqrt(2.0))) +
               sigma * sigma * gaussianAt(x, sigma) / (sigma * std::sqrt(2 * kPi));
    };
    const auto shared = [&](double x) { return ramp(x + 4) - 2 * ramp(x) + ramp(x - 4); };
    QVERIFY(std::abs(axialGain(spec, grid, 1) - shared(4) / shared(0)) < 1e-5);
}

void VoxelSamplingTest::analyticSpectrumIsTheGaussiansTimesTheVoxels() {
    const KernelSpec centre = KernelSpec::preset("invariant");
    const Lattice grid = Lattice::centred({12, 10, 6}, {4, 5, 3});
    const View view{0.3, 0.1};
    const std::array<int, 3> size{12, 10, 6};

    const AnalyticSpectrum plain(centre, grid, view, size);
    const AnalyticSpectrum held(voxel(centre), grid, view, size);

    const auto sinc2 = [](int k, int n) {  // k cycles over n voxels
        const double x = kPi * (2 * k > n ? k - n : k) / n;
        return x == 0 ? 1.0 : std::sin(x) * std::sin(x) / (x * x);
    };
    for (const auto& [kx, ky, kz] :
         {std::array{0, 0, 0}, std::array{1, 0, 0}, std::array{6, 3, 2}, std::array{11, 9, 5}}) {
        const double expected = plain.at(kx, ky, kz) * sinc2(kx, 12) * sinc2(ky, 10) * sinc2(kz, 6);
        QVERIFY(std::abs(held.at(kx, ky, kz) - expected) < 1e-12);
    }
}

void VoxelSamplingTest::widthsFarBelowTheVoxelAreRefused() {
    const Lattice grid = Lattice::centred({9, 9, 5}, {4, 4, 4});
    const KernelSpec spec = withWidths(400, 0.05, 5);
    try {
        static_cast<void>(buildKernelTables(spec, grid, {0.4, 0}));
        QFAIL("not refused");
    } catch (const BadInput& reason) {
        QVERIFY2(QString(reason.what()).contains("sampling"), reason.what());
        QVERIFY2(QString(reason.what()).contains("along the radius"), reason.what());
    }
}

QTEST_GUILESS_MAIN(VoxelSamplingTest)

}  // namespace voxel_sampling_test
#include "voxel_sampling_test.moc"
