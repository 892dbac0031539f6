// SPDX-License-Identifier: Apache-2.0
// NEGML and AML: their formulas, their limits, and what they make of few counts.
#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/toy_system.h"

namespace modified_poisson_test {

using namespace tof;
using namespace tof::test;

namespace {

using Matrix = std::vector<std::vector<double>>;
using Doubles = std::vector<double>;

constexpr std::size_t kVoxels = 40;
constexpr std::size_t kBins = 40;  // of a part
constexpr std::size_t kParts = 4;

/// Four parts, which blur a row of voxels by Gaussians of their own.
Matrix blurs() {
    Matrix matrix;
    for (std::size_t part = 0; part < kParts; ++part) {
        const double sigma = 0.6 + 0.3 * static_cast<double>(part);
        for (std::size_t bin = 0; bin < kBins; ++bin) {
            Doubles row;
            for (std::size_t voxel = 0; voxel < kVoxels; ++voxel) {
                const double d = static_cast<double>(bin) - static_cast<double>(voxel);
                row.push_back(std::exp(-d * d / (2 * sigma * sigma)) / (2.5066 * sigma));
            }
            matrix.push_back(row);
        }
    }
    return matrix;
}

std::vector<float> multOf(std::size_t size) {
    std::vector<float> mult;
    for (std::size_t i = 0; i < size; ++i) {
        mult.push_back(i % 7 == 3 ? 0.0F : 0.5F + 0.1F * static_cast<float>(i % 5));
    }
    return mult;
}

Doubles projected(const Matrix& matrix, const Doubles& x) {
    Doubles p;
    for (const Doubles& row : matrix) {
        p.push_back(std::inner_product(x.begin(), x.end(), row.begin(), 0.0));
    }
    return p;
}

std::vector<float> floats(const Doubles& values) {
    return {values.begin(), values.end()};
}

struct Problem {
    Matrix matrix = blurs();
    std::vector<float> y;
    std::vector<float> mult;
    std::vector<float> add;
};

AlgorithmSettings settingsOf(const Algorithm& algorithm, int iterations, int subsets = 1) {
    AlgorithmSettings settings;
    settings.algorithm = &algorithm;
    settings.iterations = iterations;
    settings.subsets = subsets;
    return settings;
}

std::vector<float> run(const Problem& problem, const AlgorithmSettings& settings) {
    const auto space = std::make_shared<HostSpace>(1);
    ToyProjector projector(problem.matrix, kBins, space);
    ToySource source(problem.y, problem.mult, problem.add, kBins);
    RecordingControl control;
    Reconstruction reconstruction(projector, source, projector.lattice(), settings, {0, 1, 2, 3}, control);
    reconstruction.run(control);
    return control.iterates.back().image->data;
}

/// The formulas of model.md as loops in double.
Doubles byFormula(const Problem& problem, const AlgorithmSettings& settings) {
    const auto at = [](const std::vector<float>& values, std::size_t i, double without) {
        return values.empty() ? without : static_cast<double>(values[i]);
    };
    const std::size_t bins = problem.matrix.size();
    double sensitivity = 0;
    double counts = 0;
    for (std::size_t i = 0; i < bins; ++i) {
        counts += static_cast<double>(problem.y[i]) - at(problem.add, i, 0);
        sensitivity +=
            at(problem.mult, i, 1) * std::accumulate(problem.matrix[i].begin(), problem.matrix[i].end(), 0.0);
    }
    Doubles x(kVoxels, counts / sensitivity);
    const double bound = settings.lowerBound * counts / sensitivity;
    const auto blocks = static_cast<std::size_t>(settings.subsets);
    for (int k = 0; k < settings.iterations; ++k) {
        for (std::size_t block = 0; block < blocks; ++block) {
            const Doubles p = projected(problem.matrix, x);
            const Doubles even = projected(problem.matrix, Doubles(kVoxels, 1.0));
            Doubles up(kVoxels, 0.0);
            Doubles down(kVoxels, 0.0);
            for (std::size_t i = 0; i < bins; ++i) {
                if ((i / kBins) % blocks != block) {
                    continue;
                }
                const double mult = at(problem.mult, i, 1);
                const double e = mult * p[i] + at(problem.add, i, 0);
                const bool negml = settings.algorithm == &tof::negml();
                const double variance = negml ? std::max(e, settings.psi) : e + bound * mult * even[i];
                for (std::size_t v = 0; v < kVoxels && mult > 0; ++v) {
                    const double weight = problem.matrix[i][v] * mult;
                    up[v] += weight * (static_cast<double>(problem.y[i]) - e) / variance;
                    down[v] += weight * (negml ? mult * even[i] / variance : 1);
                }
            }
            for (std::size_t v = 0; v < kVoxels; ++v) {
                x[v] += (settings.algorithm == &tof::negml() ? 1 : x[v] + bound) * up[v] / down[v];
            }
        }
    }
    return x;
}

double worst(const std::vector<float>& a, const Doubles& b, double scale) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]) / scale);
    }
    return largest;
}

}  // namespace

class ModifiedPoissonTest : public QObject {
    Q_OBJECT

  private slots:
    void iteratesFollowTheFormulas_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<bool>("factors");
        for (const char* const name : {"negml", "aml"}) {
            for (const int subsets : {1, 2, 4}) {
                QTest::addRow("%s, %d blocks", name, subsets) << name << subsets << true;
            }
            QTest::addRow("%s without mult and add", name) << name << 2 << false;
        }
    }
    void iteratesFollowTheFormulas() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        QFETCH(bool, factors);
        std::mt19937 random(2);
        std::poisson_distribution<int> counts(3);
        Problem problem;
        for (std::size_t i = 0; i < kParts * kBins; ++i) {
            problem.y.push_back(static_cast<float>(counts(random)));
        }
        if (factors) {
            problem.mult = multOf(kParts * kBins);
            problem.add.assign(kParts * kBins, 0.5F);
        }
        AlgorithmSettings settings = settingsOf(algorithmNamed(algorithm.toStdString()), 6, subsets);
        settings.psi = 2.5;  // below some of what is expected and above some
        settings.lowerBound = 2;
        // Six iterations of some 100 float roundings each.
        const double off = worst(run(problem, settings), byFormula(problem, settings), 3);
        QVERIFY2(off < 3e-5, qPrintable(QString::number(off)));
    }

    void manyCountsHaveTheLimitOfMlem_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::newRow("negml") << "negml";
        QTest::newRow("aml") << "aml";
    }
    /// Counts that fit an image have it for their limit, whatever the weights; where the image is positive it
    /// is that of MLEM, too.
    void manyCountsHaveTheLimitOfMlem() {
        QFETCH(QString, algorithm);
        Doubles truth;
        for (std::size_t v = 0; v < kVoxels; ++v) {
            truth.push_back(1e4 * (1.5 + std::sin(0.35 * static_cast<double>(v))));
        }
        Problem problem;
        problem.y = floats(projected(problem.matrix, truth));
        const AlgorithmSettings settings = settingsOf(algorithmNamed(algorithm.toStdString()), 400, 4);
        const double off = worst(run(problem, settings), truth, 1e4);
        QVERIFY2(off < 0.01, qPrintable(QString::number(off)));
        const std::vector<float> em = run(problem, settingsOf(osem(), 400, 4));
        QVERIFY(worst(em, truth, 1e4) < 0.01);
    }

    void valuesMayBeNegative_data() { manyCountsHaveTheLimitOfMlem_data(); }
    void valuesMayBeNegative() {
        QFETCH(QString, algorithm);
        Doubles truth(kVoxels, 1.0);
        std::fill(truth.begin() + 15, truth.begin() + 25, -0.5);
        Problem problem;
        Doubles y = projected(problem.matrix, truth);
        for (double& value : y) {
            value += 2;
        }
        problem.y = floats(y);
        problem.add.assign(y.size(), 2.0F);
        const std::vector<float> image =
            run(problem, settingsOf(algorithmNamed(algorithm.toStdString()), 400, 4));
        QVERIFY2(std::abs(image[20] + 0.5F) < 0.02F, qPrintable(QString::number(image[20])));
        QVERIFY(run(problem, settingsOf(osem(), 100, 4))[20] >= 0);
    }

    void listsAndNumbersThatMeanNothingAreRefused() {
        const auto space = std::make_shared<HostSpace>(1);
        ToyProjector projector(blurs(), kBins, space);
        ToySource source(std::vector<float>(kParts * kBins, 1.0F), {}, {}, kBins);
        RecordingControl control;
        const auto make = [&](const AlgorithmSettings& settings) {
            return Reconstruction(projector, source, projector.lattice(), settings, {0, 1, 2, 3}, control);
        };
        AlgorithmSettings settings = settingsOf(negml(), 1);
        settings.psi = 0;
        QVERIFY_EXCEPTION_THROWN((void)make(settings), WrongUse);
        settings.psi = 1;
        Reconstruction goesOn = make(settings);
        goesOn.startFrom(std::vector<float>(kVoxels, -1.0F), 0);  // as its own checkpoints may hold
        QVERIFY_EXCEPTION_THROWN(goesOn.startFrom(std::vector<float>(kVoxels, NAN), 0), BadInput);
        source.setListMode();
        QVERIFY_EXCEPTION_THROWN((void)make(settings), InternalError);
    }

    /// What is allocated is what workingBytes() told before.
    void memoryIsWhatWasTold() {
        for (const Algorithm* const algorithm : {&negml(), &aml()}) {
            const auto space = std::make_shared<CountingSpace>(1);
            ToyProjector projector(blurs(), kBins, space);
            ToySource source(std::vector<float>(kParts * kBins, 1.0F), {}, {}, kBins);
            RecordingControl control;
            const AlgorithmSettings settings = settingsOf(*algorithm, 2, 2);
            Reconstruction reconstruction(projector, source, projector.lattice(), settings, {0, 1, 2, 3},
                                          control);
            const std::size_t told = workingBytes(projector, settings) / sizeof(float);
            QVERIFY(space->floats <= told);
            // No more is told than one image in vain (att of the even image).
            QVERIFY(told - space->floats <= kVoxels);
            const int allocations = space->allocations;
            reconstruction.run(control);
            QCOMPARE(space->allocations, allocations);
        }
    }
};

QTEST_APPLESS_MAIN(ModifiedPoissonTest)

}  // namespace modified_poisson_test
#include "modified_poisson_test.moc"
