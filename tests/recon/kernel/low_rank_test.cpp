// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "recon/base/error.h"
#include "recon/kernel/low_rank.h"
#include "tests/recon/projector_fixtures.h"

namespace low_rank_test {

using namespace tof;

namespace {

/// Largest |sum of the terms - table|, each row over its own maximum.
double errorAgainst(const KernelTables& tables, const LowRankView& view, std::size_t rank) {
    double worst = 0;
    for (int row = 0; row < tables.rows; ++row) {
        const auto exact = tables.row(row);
        double peak = 0;
        double difference = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < rank; ++k) {
                sum += static_cast<double>(view.shares[k * view.rows + static_cast<std::size_t>(row)]) *
                       static_cast<double>(view.values[k * view.taps.size() + i]);
            }
            peak = std::max(peak, static_cast<double>(exact[i]));
            difference = std::max(difference, std::abs(sum - static_cast<double>(exact[i])));
        }
        worst = std::max(worst, difference / peak);
    }
    return worst;
}

}  // namespace

class LowRankTest : public QObject {
    Q_OBJECT

  private slots:
    void sumsOfTermsAreTheTable_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("odd");
        const auto families = fixtures::kernelFamilies();
        for (std::size_t i = 0; i < families.size(); ++i) {
            QTest::addRow("%s", families[i].first.c_str()) << static_cast<int>(i) << false;
            QTest::addRow("%s, anisotropic", families[i].first.c_str()) << static_cast<int>(i) << true;
        }
    }
    void sumsOfTermsAreTheTable() {
        QFETCH(int, family);
        QFETCH(bool, odd);
        const KernelSpec spec = fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second;
        const Lattice lattice =
            odd ? Lattice::centred({26, 37, 19}, {3.3, 5.1, 2.7}) : Lattice::centred({40, 40, 12}, {4, 4, 4});
        const std::vector<View> views = fixtures::obliqueViews();

        const LowRankKernel kernel(spec, lattice, views, 2e-5, ThreadPool());

        QVERIFY2(kernel.error() <= 2e-5, kernel.text().c_str());
        for (std::size_t v = 0; v < views.size(); ++v) {
            const KernelTables tables = buildKernelTables(spec, lattice, views[v]);
            QVERIFY(kernel.views()[v].taps == tables.taps);
            QVERIFY(kernel.views()[v].ids == tables.ids);
            const double error = errorAgainst(tables, kernel.views()[v], kernel.rank());
            // The products' factors are single precision; they cancel by no more than the rank.
            QVERIFY2(error <= kernel.views()[v].error + 1e-6, qPrintable(QString::number(error)));
        }
    }

    void anInvariantKernelIsOneTerm() {
        const LowRankKernel kernel(KernelSpec::preset("invariant"), Lattice::centred({30, 30, 8}, {4, 4, 4}),
                                   fixtures::obliqueViews(), 2e-5, ThreadPool());
        QCOMPARE(kernel.rank(), std::size_t{1});
        QCOMPARE(kernel.evenTerms(), std::size_t{1});
    }

    void ranksAreThoseOfTheSingularValues_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<double>("error");
        QTest::addColumn<int>("rank");
        // Ranks that a singular value decomposition of the profiles gives (numpy), and one more at most.
        QTest::newRow("variant1") << "variant1" << 2e-5 << 7;
        QTest::newRow("variant1, coarse") << "variant1" << 1e-3 << 5;
        QTest::newRow("ha-test") << "ha-test" << 2e-5 << 14;
    }
    void ranksAreThoseOfTheSingularValues() {
        QFETCH(QString, preset);
        QFETCH(double, error);
        QFETCH(int, rank);
        const LowRankKernel kernel(KernelSpec::preset(preset.toStdString()),
                                   Lattice::centred({144, 144, 48}, {4, 4, 4}), {{0.4, 0}}, error,
                                   ThreadPool());
        QVERIFY2(static_cast<int>(kernel.rank()) <= rank, kernel.text().c_str());
        QVERIFY2(static_cast<int>(kernel.rank()) >= rank - 2, kernel.text().c_str());
    }

    void fewerTermsForALargerError() {
        const auto rank = [](double error) {
            return LowRankKernel(KernelSpec::preset("ha-test"), Lattice::centred({64, 64, 8}, {4, 4, 4}),
                                 {{0.4, 0.1}}, error, ThreadPool())
                .rank();
        };
        QVERIFY(rank(1e-2) < rank(1e-4));
        QVERIFY(rank(1e-4) < rank(1e-6));
    }

    void oppositeTapsOfTermsMatch() {
        KernelSpec spec = KernelSpec::preset("variant1");
        spec.asymmetry = Asymmetry{};
        const LowRankKernel kernel(spec, Lattice::centred({40, 40, 12}, {4, 4, 4}), {{0.4, 0.1}}, 2e-5,
                                   ThreadPool());
        const LowRankView& view = kernel.views()[0];
        QVERIFY(kernel.evenTerms() > 0 && kernel.evenTerms() < kernel.rank());
        // Taps are in order of z, y, x and their set is symmetric.
        for (std::size_t k = 0; k < kernel.rank(); ++k) {
            const float sign = k < kernel.evenTerms() ? 1.0F : -1.0F;
            const float* const values = view.values.data() + k * view.taps.size();
            for (std::size_t i = 0; i < view.taps.size(); ++i) {
                QVERIFY(std::abs(values[i] - sign * values[view.taps.size() - 1 - i]) <=
                        1e-6F * std::abs(values[i]) + 1e-9F);
            }
        }
    }
};

QTEST_APPLESS_MAIN(LowRankTest)

}  // namespace low_rank_test
#include "low_rank_test.moc"
