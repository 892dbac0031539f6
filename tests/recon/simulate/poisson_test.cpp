// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/poisson.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

namespace poisson_test {

using namespace tof;

class PoissonTest : public QObject {
    Q_OBJECT
  private slots:
    void everyCountIsAsFrequentAsItsProbability_data() {
        QTest::addColumn<double>("mean");
        for (const double mean : {0.02, 0.7, 3.6, 17.0, 63.5, 64.5, 200.0}) {
            QTest::addRow("%g", mean) << mean;
        }
    }
    void everyCountIsAsFrequentAsItsProbability() {
        QFETCH(double, mean);
        constexpr std::size_t kBins = 400000;
        const std::vector<float> expected(kBins, 1.0F);

        const std::vector<float> counts = poissonCounts(expected, mean, 11, ThreadPool(2));

        std::vector<double> seen(1000, 0.0);
        for (const float count : counts) {
            seen[std::min<std::size_t>(static_cast<std::size_t>(count), 999)] += 1;
        }
        double chi2 = 0;
        double freedom = 0;
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const auto n = static_cast<double>(k);
            const double model = kBins * std::exp(n * std::log(mean) - mean - std::lgamma(n + 1));
            if (model > 20) {
                chi2 += (seen[k] - model) * (seen[k] - model) / model;
                freedom += 1;
            }
        }
        // A chi squared of n has the variance 2 n; one in 300,000 is five of its sigma off.
        QVERIFY2(chi2 - freedom < 5 * std::sqrt(2 * freedom) + 5,
                 qPrintable(QString("%1 of %2").arg(chi2).arg(freedom)));
    }

    void aBinIsDrawnAloneWhateverItsNeighboursAre() {
        std::vector<float> calm(1000, 2.5F);
        std::vector<float> wild = calm;
        for (std::size_t i = 0; i < wild.size(); i += 3) {
            wild[i] = i % 2 == 0 ? 500.0F : 2e4F;  // in pieces, and by a normal deviate
        }

        const std::vector<float> alone = poissonCounts(calm, 1, 3, ThreadPool(1));
        const std::vector<float> beside = poissonCounts(wild, 1, 3, ThreadPool(2));

        for (std::size_t i = 0; i < calm.size(); ++i) {
            QVERIFY(i % 3 == 0 ? beside[i] > 100 : beside[i] == alone[i]);
        }
        // Nor does it matter which bins a chunk of lanes begins with.
        const std::vector<float> fewer = poissonCounts(std::span(calm).first(5), 1, 3, ThreadPool(1));
        QVERIFY(std::equal(fewer.begin(), fewer.end(), alone.begin()));
        // They may be where their means were.
        poissonInto(wild, 1, 3, RandomUse::Counts, 0, ThreadPool(2), wild);
        QCOMPARE(wild, beside);
    }

    void nothingIsCountedWhereNothingIsExpected() {
        const std::vector<float> expected{0.0F, -3.0F, std::nanf(""), 5.0F};

        const std::vector<float> counts = poissonCounts(expected, 1, 1, ThreadPool(1));

        QCOMPARE(counts[0], 0.0F);
        QCOMPARE(counts[1], 0.0F);
        QCOMPARE(counts[2], 0.0F);
    }
};

QTEST_GUILESS_MAIN(PoissonTest)

}  // namespace poisson_test
#include "poisson_test.moc"
