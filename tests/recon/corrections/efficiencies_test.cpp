// SPDX-License-Identifier: Apache-2.0
// Efficiencies of crystals from a normalisation whose crystals were thinned by hand.
#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/event_lists.h"
#include "tests/support/phantoms.h"

namespace efficiencies_test {

using namespace tof;
using test::airCylinder;

namespace {

constexpr std::uint32_t kPerModule = 27 * 60;

/// What crystals are made to record: all but those of module 3, and the lower third of module 8.
double madeEfficiency(std::uint32_t crystal) {
    const std::uint32_t module = crystal / kPerModule;
    return module == 3 ? 0.7 : module == 8 && crystal % kPerModule < 20 * 27 ? 0.8 : 1.0;
}

EventList thinned(const EventList& events, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    return test::eventsThat(events, [&](std::size_t i) {
        const auto [one, two] = events.crystals[i];
        return uniform(engine) < madeEfficiency(one) * madeEfficiency(two);
    });
}

double meanOf(const std::vector<double>& efficiencies, std::uint32_t first, std::uint32_t last) {
    return std::accumulate(efficiencies.begin() + first, efficiencies.begin() + last, 0.0) / (last - first);
}

}  // namespace

class EfficienciesTest : public QObject {
    Q_OBJECT
  private slots:
    void madeEfficienciesAreFound() {
        // 500,000 events: 40,000 ends in a module, 0.5 %; 13,000 in the third of one, 0.9 %. 1 % for groups
        // in place of crystals.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom source = airCylinder(270, 250);
        const EventList norm =
            thinned(simulate(scanner, source, {.events = 500000, .seed = 8}, ThreadPool(2), {}), 1);

        const std::vector<double> found = crystalEfficiencies(norm, scanner, source, ThreadPool(2));

        const double ordinary = meanOf(found, 12 * kPerModule, 20 * kPerModule);
        const double three = meanOf(found, 3 * kPerModule, 4 * kPerModule) / ordinary;
        const double third = meanOf(found, 8 * kPerModule, 8 * kPerModule + 540) / ordinary;
        const double rest = meanOf(found, 8 * kPerModule + 540, 9 * kPerModule) / ordinary;
        QVERIFY2(std::abs(three / 0.7 - 1) < 0.03, qPrintable(QString::number(three)));
        QVERIFY2(std::abs(third / 0.8 - 1) < 0.04, qPrintable(QString::number(third)));
        QVERIFY2(std::abs(rest - 1) < 0.03, qPrintable(QString::number(rest)));
    }

    void multWithThemFitsTheData() {
        // Counts of every view against mult times emissions: far off without the efficiencies, as chance has
        // it with them.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom object = airCylinder(120, 120);
        const EventList events =
            thinned(simulate(scanner, object, {.events = 200000, .seed = 9}, ThreadPool(2), {}), 2);
        BinningSettings settings;
        settings.azimuths = 20;
        settings.tilts = 1;
        settings.lattice = Lattice::centred({40, 40, 16}, {12, 12, 12});
        HistoData data = depositEvents(events, scanner, settings, ThreadPool(2), {});
        computeMult(data, scanner, nullptr, ThreadPool(2), {});
        Volume emission = object.emissionOn(settings.lattice);
        std::vector<double> made(scanner.crystals.size());
        for (std::uint32_t c = 0; c < made.size(); ++c) {
            made[c] = madeEfficiency(c);
        }
        const auto chi2 = [&] {
            std::vector<double> seen(data.views.size(), 0.0);
            std::vector<double> expected(data.views.size(), 0.0);
            for (std::size_t i = 0; i < data.counts.size(); ++i) {
                seen[i / data.voxels()] += static_cast<double>(data.counts[i]);
                expected[i / data.voxels()] +=
                    static_cast<double>(data.mult[i]) * static_cast<double>(emission.data[i % data.voxels()]);
            }
            const double scale = std::accumulate(seen.begin(), seen.end(), 0.0) /
                                 std::accumulate(expected.begin(), expected.end(), 0.0);
            double sum = 0;
            for (std::size_t v = 0; v < seen.size(); ++v) {
                const double off = seen[v] - scale * expected[v];
                sum += off * off / (scale * expected[v]);
            }
            return sum;
        };

        const double without = chi2();
        applyEfficiencies(data, scanner, made, ThreadPool(2));
        const double with = chi2();

        QVERIFY2(without > 200, qPrintable(QString::number(without)));
        QVERIFY2(with < 43.8, qPrintable(QString::number(with)));  // 19 degrees of freedom, p = 1e-3
    }

    void nothingIsSaidOfNothing() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(crystalEfficiencies({}, scanner, airCylinder(100, 100), ThreadPool(1))),
            WrongUse);
        HistoData none;
        QVERIFY_EXCEPTION_THROWN(applyEfficiencies(none, scanner, {1.0}, ThreadPool(1)), WrongUse);
    }
};

QTEST_GUILESS_MAIN(EfficienciesTest)

}  // namespace efficiencies_test
#include "efficiencies_test.moc"
