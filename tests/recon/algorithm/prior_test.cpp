// SPDX-License-Identifier: Apache-2.0
// An algorithm with a prior is a row and an update of its own, and runs as those of the product do.
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/prior/bowsher.h"
#include "recon/seam/image_filter.h"
#include "tests/support/one_step_late.h"
#include "tests/support/toy_system.h"

namespace prior_test {

using namespace tof;
using namespace tof::test;

namespace {

const Lattice kLattice = Lattice::centred({3, 4, 2}, {4, 4, 2.5});
constexpr std::size_t kRows = 12;
constexpr std::size_t kRowsPerPart = 3;

/// Each row a line of some width through the box.
std::vector<std::vector<double>> lines() {
    std::vector<std::vector<double>> matrix(kRows, std::vector<double>(kLattice.voxels()));
    for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kLattice.voxels(); ++v) {
            matrix[r][v] = (7 * v + 5 * r) % 4 == 0 ? 1.0 : 0.25;
        }
    }
    return matrix;
}

std::vector<float> counts() {
    std::vector<float> y(kRows);
    for (std::size_t r = 0; r < kRows; ++r) {
        y[r] = 20.0F + static_cast<float>((r * r) % 11);
    }
    return y;
}

/// One-step-late EM as plain loops in double.
std::vector<double> expectedImage(int iterations, const std::vector<std::vector<std::size_t>>& blocks,
                                  double strength) {
    const auto matrix = lines();
    const auto y = counts();
    double total = 0;
    double sensitivity = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
        total += static_cast<double>(y[r]);
        sensitivity += std::accumulate(matrix[r].begin(), matrix[r].end(), 0.0);
    }
    std::vector<double> x(kLattice.voxels(), total / sensitivity);
    for (int k = 0; k < iterations; ++k) {
        for (const auto& block : blocks) {
            std::vector<double> c(x.size(), 0.0);
            std::vector<double> divisor = x;  // the gradient of strength x^2 / 2 at x
            for (double& value : divisor) {
                value *= strength / static_cast<double>(blocks.size());
            }
            for (const std::size_t part : block) {
                for (std::size_t r = part * kRowsPerPart; r < (part + 1) * kRowsPerPart; ++r) {
                    const double e = std::inner_product(x.begin(), x.end(), matrix[r].begin(), 0.0);
                    for (std::size_t v = 0; v < x.size(); ++v) {
                        c[v] += matrix[r][v] * static_cast<double>(y[r]) / e;
                        divisor[v] += matrix[r][v];
                    }
                }
            }
            for (std::size_t v = 0; v < x.size(); ++v) {
                x[v] *= c[v] / divisor[v];
            }
        }
    }
    return x;
}

}  // namespace

class PriorTest : public QObject {
    Q_OBJECT

  private slots:
    void iteratesFollowTheFormula_data() {
        QTest::addColumn<int>("subsets");
        QTest::newRow("one block") << 1;
        QTest::newRow("two blocks") << 2;
        QTest::newRow("a part per block") << 0;
    }
    void iteratesFollowTheFormula() {
        QFETCH(int, subsets);
        constexpr double kStrength = 0.05;
        const Algorithm algorithm = oneStepLate(kStrength);
        AlgorithmSettings settings;
        settings.algorithm = &algorithm;
        settings.iterations = 5;
        settings.subsets = subsets;
        const auto space = std::make_shared<CountingSpace>(2);
        ToyProjector projector(lines(), kRowsPerPart, space);
        ToySource source(counts(), {}, {}, kRowsPerPart);
        RecordingControl control;
        Reconstruction reconstruction(projector, source, kLattice, settings, {0, 1, 2, 3}, control);
        const int allocated = space->allocations;

        QCOMPARE(reconstruction.run(control), 5);

        QCOMPARE(space->allocations, allocated);
        const auto blocks = makeBlocks(settings, std::vector<std::size_t>{0, 1, 2, 3});
        const std::vector<double> expected = expectedImage(5, blocks, kStrength);
        const std::vector<double> without = expectedImage(5, blocks, 0);
        double changed = 0;
        for (std::size_t v = 0; v < expected.size(); ++v) {
            // 5 passes of up to 4 blocks of some 30 float roundings each.
            const auto value = static_cast<double>(control.iterates.back().image->data[v]);
            QVERIFY2(std::abs(value / expected[v] - 1) < 2e-5,
                     qPrintable(QString("%1: %2 and %3").arg(v).arg(value).arg(expected[v])));
            changed = std::max(changed, std::abs(without[v] / expected[v] - 1));
        }
        QVERIFY(changed > 1e-2);  // the prior does something
    }

    void anAlgorithmSaysItsMemory_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        for (const std::string& name : algorithmNames()) {
            for (const int subsets : {0, 1, 2}) {
                QTest::addRow("%s, %d", name.c_str(), subsets) << QString::fromStdString(name) << subsets;
            }
        }
        QTest::newRow("with a prior") << "prior" << 2;
    }
    void anAlgorithmSaysItsMemory() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        const Algorithm prior = oneStepLate(0.05);
        AlgorithmSettings settings;
        settings.algorithm = algorithm == "prior" ? &prior : &algorithmNamed(algorithm.toStdString());
        settings.subsets = subsets;
        if (settings.algorithm->anatomy == UsesAnatomy::Always) {
            const Volume body(kLattice);
            settings.chosen =
                std::make_shared<const std::vector<float>>(bowsherChoice({&body}, 9, ThreadPool(1)));
        }
        const auto space = std::make_shared<CountingSpace>(1);
        ToyProjector projector(lines(), kRowsPerPart, space);
        ToySource source(counts(), {}, {}, kRowsPerPart);
        RecordingControl control;

        const Reconstruction reconstruction(projector, source, kLattice, settings, {0, 1, 2, 3}, control);

        // RAMLA's lambda is one number more. A filter's grid, its transform and half as many factors are told
        // as nine images; sides that are rounded up make them more in so small a field.
        std::size_t rounded = 0;
        if (algorithm == "analytic") {
            const auto [x, y, z] = filterGrid(kLattice.size);
            rounded = static_cast<std::size_t>((x + 3 * (x / 2 + 1)) * y * z) - 9 * kLattice.voxels();
        }
        const std::size_t bytes = space->floats * sizeof(float);
        const std::size_t said = workingBytes(projector, settings) + rounded * sizeof(float);
        QVERIFY2(bytes >= said && bytes <= said + sizeof(float),
                 qPrintable(QString("%1 and %2").arg(bytes).arg(said)));
    }
};

QTEST_APPLESS_MAIN(PriorTest)

}  // namespace prior_test
#include "prior_test.moc"
