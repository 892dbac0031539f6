// SPDX-License-Identifier: Apache-2.0
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/settings/settings.h"
#include "tests/support/toy_system.h"

namespace algorithm_test {

using namespace tof;
using namespace tof::test;

namespace {

using Matrix = std::vector<std::vector<double>>;

/// Six bins in three parts of two, three voxels.
const Matrix kMatrix{{1, 0, 0}, {0.5, 0.5, 0}, {0, 1, 0}, {0.25, 0.5, 0.25}, {0, 0.5, 0.5}, {0, 0, 1}};
const std::vector<float> kCounts{4, 5, 7, 6, 3, 1};
const std::vector<float> kMult{0.5F, 1.0F, 0.8F, 0.0F, 0.6F, 0.9F};
const std::vector<float> kAdd{0.1F, 0.2F, 0.0F, 0.4F, 0.3F, 0.1F};

/// Sum over the rows of a block of a_rc mult_r q_r.
std::vector<double> backDouble(const std::vector<std::size_t>& rows, const std::vector<double>& q) {
    std::vector<double> out(3, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            out[c] += kMatrix[rows[i]][c] * static_cast<double>(kMult[rows[i]]) * q[i];
        }
    }
    return out;
}

std::vector<std::size_t> rowsOf(const std::vector<std::size_t>& parts) {
    std::vector<std::size_t> rows;
    for (const std::size_t part : parts) {
        rows.push_back(2 * part);
        rows.push_back(2 * part + 1);
    }
    return rows;
}

/// The formulas of docs/model.md section 3 as plain loops in double.
std::vector<double> expectedImage(const AlgorithmSettings& settings, int iterations) {
    const std::vector<std::size_t> order{0, 1, 2};
    const auto blocks = makeBlocks(settings, order);
    std::vector<double> ones(6, 1.0);
    const std::vector<double> s = backDouble(rowsOf(order), ones);
    double counts = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        counts += static_cast<double>(kCounts[i]) - static_cast<double>(kAdd[i]);
    }
    std::vector<double> x(3, counts / (s[0] + s[1] + s[2]));
    for (int k = 0; k < iterations; ++k) {
        const double lambda = settings.relaxation / (1 + settings.gamma * k);
        for (const auto& block : blocks) {
            const auto rows = rowsOf(block);
            const bool minusOne = settings.algorithm == &ramla();
            std::vector<double> q;
            for (const std::size_t r : rows) {
                const double f = std::inner_product(x.begin(), x.end(), kMatrix[r].begin(), 0.0);
                const double mult = static_cast<double>(kMult[r]);
                const double e = mult * f + static_cast<double>(kAdd[r]);
                q.push_back((mult == 0 ? 0 : static_cast<double>(kCounts[r]) / e) - (minusOne ? 1 : 0));
            }
            const auto c = backDouble(rows, q);
            const auto sb = backDouble(rows, ones);
            for (std::size_t v = 0; v < 3; ++v) {
                if (minusOne) {
                    x[v] *= std::max(1 + lambda * c[v] / (s[v] / static_cast<double>(blocks.size())), 0.1);
                } else if (sb[v] > 0) {
                    x[v] *= c[v] / sb[v];
                }
            }
        }
    }
    return x;
}

struct Bench {
    explicit Bench(const AlgorithmSettings& settings, std::vector<float> mult = kMult,
                   std::vector<float> add = kAdd, const Matrix& matrix = kMatrix)
        : space(std::make_shared<CountingSpace>(2)),
          projector(matrix, 2, space),
          source(kCounts, std::move(mult), std::move(add), 2),
          reconstruction(projector, source, projector.lattice(), settings, {0, 1, 2}, control) {}

    std::shared_ptr<CountingSpace> space;
    ToyProjector projector;
    ToySource source;
    RecordingControl control;
    Reconstruction reconstruction;
};

AlgorithmSettings settingsFor(const Algorithm& algorithm, int iterations, int subsets = 0) {
    AlgorithmSettings settings;
    settings.algorithm = &algorithm;
    settings.iterations = iterations;
    settings.subsets = subsets;
    settings.relaxation = 0.5;
    settings.gamma = 0.25;
    return settings;
}

double difference(const std::vector<float>& a, const std::vector<double>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(a[i]) - b[i]) / std::abs(b[i]));
    }
    return worst;
}

}  // namespace

class AlgorithmTest : public QObject {
    Q_OBJECT

  private slots:
    void iteratesFollowTheFormulas_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::newRow("ramla, a part per block") << "ramla" << 0;
        QTest::newRow("ramla, one block") << "ramla" << 1;
        QTest::newRow("osem, a part per block") << "osem" << 3;
        QTest::newRow("osem, two blocks") << "osem" << 2;
        QTest::newRow("mlem") << "mlem" << 0;
    }
    void iteratesFollowTheFormulas() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        const AlgorithmSettings settings = settingsFor(algorithmNamed(algorithm.toStdString()), 4, subsets);
        Bench bench(settings);

        QCOMPARE(bench.reconstruction.run(bench.control), 4);

        for (int k = 1; k <= 4; ++k) {
            // 4 passes of 3 blocks of some 10 float roundings each: well within 1e-5.
            QVERIFY(difference(bench.control.iterates[static_cast<std::size_t>(k - 1)].image->data,
                               expectedImage(settings, k)) < 1e-5);
        }
    }

    void voxelsThatNoLineSeesAreZero_data() { iteratesFollowTheFormulas_data(); }
    void voxelsThatNoLineSeesAreZero() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        const AlgorithmSettings settings = settingsFor(algorithmNamed(algorithm.toStdString()), 2, subsets);
        Matrix matrix = kMatrix;
        for (std::vector<double>& row : matrix) {
            row.push_back(0);
        }
        Bench bench(settings, kMult, kAdd, matrix);

        bench.reconstruction.run(bench.control);

        for (int k = 1; k <= 2; ++k) {
            std::vector<float> image = bench.control.iterates[static_cast<std::size_t>(k - 1)].image->data;
            QCOMPARE(image.back(), 0.0F);
            image.pop_back();
            QVERIFY(difference(image, expectedImage(settings, k)) < 1e-5);
        }
    }

    void theTableSaysWhatThereIs() {
        QCOMPARE(algorithmNames(), (std::vector<std::string>{"ramla", "osem", "mlem", "bsrem", "svrg", "osl",
                                                             "lbfgsb", "kem", "negml", "aml", "analytic"}));
        for (const Algorithm* algorithm : algorithms()) {
            QCOMPARE(&algorithmNamed(algorithm->name), algorithm);
            for (const std::string& key : algorithm->settings) {
                QCOMPARE(settingInfo(key).key, key);
            }
        }
        QVERIFY_EXCEPTION_THROWN((void)algorithmNamed("art"), WrongUse);
    }

    void aPauseIsNoWork() {
        class Pausing : public RecordingControl {
          public:
            void checkpoint() override {
                QElapsedTimer clock;
                clock.start();
                QTest::qSleep(100);
                paused_s += static_cast<double>(clock.nsecsElapsed()) * 1e-9;
            }
            double paused_s = 0;
        };
        const AlgorithmSettings settings = settingsFor(mlem(), 1);
        Bench bench(settings);
        Pausing control;
        QElapsedTimer clock;
        clock.start();

        QCOMPARE(bench.reconstruction.run(control), 1);

        // What is counted as work is no more than what is left when the pauses are taken off.
        const double passed_s = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        QVERIFY(control.paused_s >= 0.1);
        QVERIFY(control.iterates.front().seconds <= passed_s - control.paused_s);
    }

    void mlemConservesCounts() {
        // With add = 0 and full data, the sum of s x equals the sum of y after every MLEM step.
        Bench bench(settingsFor(mlem(), 5), std::vector<float>(6, 1.0F), {});

        bench.reconstruction.run(bench.control);

        const std::vector<float> s = bench.reconstruction.sensitivity();
        for (const Iterate& iterate : bench.control.iterates) {
            double total = 0;
            for (std::size_t v = 0; v < 3; ++v) {
                total += static_cast<double>(s[v]) * static_cast<double>(iterate.image->data[v]);
            }
            QVERIFY(std::abs(total / 26 - 1) < 1e-6);
        }
    }

    void nothingIsAllocatedOrCopiedInsideABlock() {
        Bench bench(settingsFor(ramla(), 3));
        const int allocated = bench.space->allocations;
        const int uploads = bench.space->uploads;

        bench.reconstruction.run(bench.control);

        QCOMPARE(bench.space->allocations, allocated);
        QCOMPARE(bench.space->uploads - uploads, 3);  // lambda, once an iteration
        QCOMPARE(bench.space->downloads, 3);          // the iterates
        QCOMPARE(bench.space->snapshots, 0);          // nobody looked
        QCOMPARE(bench.space->sequences, 3);
    }

    void snapshotsAreOfferedOnlyWhenWanted() {
        Bench bench(settingsFor(ramla(), 2));
        bench.control.viewer = true;

        bench.reconstruction.run(bench.control);

        QCOMPARE(bench.control.offered, 4);  // two of the three blocks; the third ends in the iterate itself
        QCOMPARE(bench.control.steps.size(), std::size_t{6});
        QCOMPARE(bench.control.steps[4].iteration, 2);
        QCOMPARE(bench.control.steps[4].block, std::size_t{2});
    }

    void cancelActsWithinOneBlock() {
        Bench bench(settingsFor(ramla(), 5));
        bench.control.cancelAtBlock = 4;

        QVERIFY_EXCEPTION_THROWN(bench.reconstruction.run(bench.control), Cancelled);

        QCOMPARE(bench.control.steps.size(), std::size_t{4});
        QCOMPARE(bench.control.iterates.size(), std::size_t{1});
    }

    void finishKeepsTheLastWholeIterate() {
        Bench bench(settingsFor(ramla(), 5));
        bench.control.finishAtBlock = 5;

        const int last = bench.reconstruction.run(bench.control);

        QCOMPARE(last, 1);
        QCOMPARE(bench.reconstruction.image().data, bench.control.iterates.back().image->data);
    }

    void continuingEqualsOneLongRun() {
        Bench whole(settingsFor(ramla(), 6));
        whole.reconstruction.run(whole.control);
        Bench first(settingsFor(ramla(), 2));
        first.reconstruction.run(first.control);
        Bench second(settingsFor(ramla(), 6));

        second.reconstruction.startFrom(first.control.iterates.back().image->data, 2);
        second.reconstruction.run(second.control);

        QCOMPARE(second.control.iterates.size(), std::size_t{4});
        QCOMPARE(second.control.iterates.back().image->data,
                 whole.control.iterates.back().image->data);  // every bit
    }

    void listModeRamlaSubtractsTheSensitivityItself() {
        // With every bin observed, sum over events of mult/e minus s_b is the binned update with y = 1.
        const AlgorithmSettings settings = settingsFor(ramla(), 3);
        const auto space = std::make_shared<CountingSpace>(2);
        ToyProjector projector(kMatrix, 2, space);
        ToySource binned(std::vector<float>(6, 1.0F), {}, {}, 2);
        ToySource listed(std::vector<float>(6, 1.0F), {}, {}, 2);
        listed.setListMode();
        RecordingControl a;
        RecordingControl b;
        Reconstruction(projector, binned, projector.lattice(), settings, {0, 1, 2}, a).run(a);
        Reconstruction(projector, listed, projector.lattice(), settings, {0, 1, 2}, b).run(b);

        for (std::size_t v = 0; v < 3; ++v) {
            QVERIFY(std::abs(a.iterates.back().image->data[v] / b.iterates.back().image->data[v] - 1.0F) <
                    1e-5F);
        }
    }

    void voxelsNothingSeesStayAsTheyAre() {
        const Matrix blind{{1, 0}, {0.5, 0}};
        const auto space = std::make_shared<CountingSpace>(1);
        ToyProjector projector(blind, 1, space);
        ToySource source({3, 2}, {}, {}, 1);
        RecordingControl control;
        Reconstruction reconstruction(projector, source, projector.lattice(), settingsFor(ramla(), 4), {0, 1},
                                      control);
        const float start = reconstruction.image().data[1];

        reconstruction.run(control);

        QCOMPARE(control.iterates.back().image->data[1], start);
        QVERIFY(control.iterates.back().image->data[0] != start);
    }

    void badSettingsAndStartImagesAreRefused() {
        QVERIFY_EXCEPTION_THROWN(Bench(settingsFor(ramla(), 0)), WrongUse);
        QVERIFY_EXCEPTION_THROWN(Bench(settingsFor(osem(), 1, 4)), WrongUse);
        Bench bench(settingsFor(ramla(), 1));
        QVERIFY_EXCEPTION_THROWN(bench.reconstruction.startFrom(std::vector<float>{1, 2}, 0), BadInput);
        QVERIFY_EXCEPTION_THROWN(bench.reconstruction.startFrom(std::vector<float>{1, -2, 3}, 0), BadInput);
    }

    void memoryLimitIsKeptWithTheNumbers() {
        HostSpace space(1, Priority::Normal, 1024 * 1024);
        const Array first = space.allocate(200'000);
        try {
            const Array second = space.allocate(200'000);
            QFAIL("allocated beyond the limit");
        } catch (const Unavailable& reason) {
            QVERIFY(QString(reason.what()).contains("MiB"));
        }
    }

    void sumsDoNotDependOnThreads() {
        std::vector<float> values(300'000);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = std::sin(static_cast<float>(i)) * 1e3F;
        }
        HostSpace one(1);
        HostSpace four(4);
        QCOMPARE(one.sum({values.data(), values.size()}), four.sum({values.data(), values.size()}));
    }
};

QTEST_APPLESS_MAIN(AlgorithmTest)

}  // namespace algorithm_test
#include "algorithm_test.moc"
