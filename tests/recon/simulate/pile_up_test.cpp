// SPDX-License-Identifier: Apache-2.0
// What pile-up leaves of photons with a partner, by the spectra of blocks.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/simulate/pile_up_survival.h"

namespace pile_up_test {

using namespace tof;

namespace {

constexpr std::array<double, 2> kWindow_keV{425, 650};
constexpr double kBin_keV = 8;
constexpr std::size_t kBins = 128;

BlockSpectra emptySpectra() {
    return {kBin_keV, std::vector<double>(kBins, 0.0), std::vector<double>(kBins, 0.0)};
}

/// Photopeaks over a Compton floor that fills a share of them.
BlockSpectra bgoLike() {
    BlockSpectra spectra = emptySpectra();
    for (std::size_t i = 0; i < kBins; ++i) {
        const double energy = (static_cast<double>(i) + 0.5) * kBin_keV;
        const double peak = std::exp(-0.5 * std::pow((energy - 511) / 37, 2));
        spectra.deposits[i] = peak + (energy > 50 && energy < 450 ? 0.7 : 0.0);
        spectra.partners[i] = peak + (energy > 50 && energy < 350 ? 0.1 : 0.0);
    }
    return spectra;
}

}  // namespace

class PileUpTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingIsLostWithoutOthers() {
        QCOMPARE(pileUpSurvival(bgoLike(), kWindow_keV, {900e3, 300e3, nullptr}, 0), 1.0);
        QCOMPARE(pileUpSurvival({}, kWindow_keV, {900e3, 300e3, nullptr}, 1e6), 1.0);
        QCOMPARE(pileUpSurvival(bgoLike(), kWindow_keV, {}, 1e6), 1.0);
    }

    /// Twice 511 keV is above the window, so those stay to whose block nothing comes.
    void equalPhotonsLeaveTogether() {
        BlockSpectra spectra = emptySpectra();
        spectra.deposits[63] = 7;
        spectra.partners[63] = 3;

        const double left = pileUpSurvival(spectra, kWindow_keV, {900e3, 0, nullptr}, 4e5);

        QVERIFY(std::abs(left - std::exp(-4e5 * 900e-9)) < 1e-12);
    }

    /// Photons of 300 keV enter the window with one other of 200 keV, not with two; those of 511 keV leave it
    /// with one.
    void photonsAreCarriedIn() {
        BlockSpectra spectra = emptySpectra();
        spectra.deposits[24] = 1;  // 196 keV, by even bins 24.5: it adds 24 or 25 bins
        spectra.partners[38] = 1;  // 304 to 312 keV; 496 to 512 with one, above 680 with two
        spectra.partners[63] = 4;
        const double mean = 0.3;

        const double left = pileUpSurvival(spectra, kWindow_keV, {900e3, 0, nullptr}, mean / 900e-9);

        const double none = std::exp(-mean);
        QVERIFY(std::abs(left - (none + mean * none / 4)) < 1e-12);
    }

    /// An independent loop over photons, with the light of BGO.
    void manyPhotonsAgree_data() {
        QTest::addColumn<double>("mean");
        QTest::newRow("few") << 0.1;
        QTest::newRow("many") << 0.9;
    }
    void manyPhotonsAgree() {
        QFETCH(double, mean);
        constexpr int kPhotons = 400'000;
        const BlockSpectra spectra = bgoLike();
        std::mt19937_64 random(11);
        std::discrete_distribution<int> partner(spectra.partners.begin(), spectra.partners.end());
        std::discrete_distribution<int> deposit(spectra.deposits.begin(), spectra.deposits.end());
        std::uniform_real_distribution<double> even(0, 1);
        std::poisson_distribution<int> number(mean);
        const auto holds = [](double energy) {
            return energy >= kWindow_keV[0] && energy <= kWindow_keV[1] ? 1 : 0;
        };
        int alone = 0;
        int kept = 0;
        for (int i = 0; i < kPhotons; ++i) {
            double energy = (partner(random) + even(random)) * kBin_keV;
            alone += holds(energy);
            for (int n = number(random); n > 0; --n) {
                const double left_ns = 900 * even(random);
                const double light = (1 - std::exp(-left_ns / 300)) / (1 - std::exp(-3.0));
                energy += light * (deposit(random) + even(random)) * kBin_keV;
            }
            kept += holds(energy);
        }

        const double found = pileUpSurvival(spectra, kWindow_keV, {900e3, 300e3, nullptr}, mean / 900e-9);

        const double expected = static_cast<double>(kept) / alone;
        // Losses and gains are Poisson numbers: the former are all but `kept` and the gains, of which there
        // are fewer than of photons below the window. Bins are a fifth of the peak's standard deviation:
        // within 1e-3.
        const double changed = alone - kept + 2.0 * (kPhotons - alone);
        const double sd = std::sqrt(changed) / alone;
        QVERIFY2(std::abs(found - expected) < 3 * sd, qPrintable(QString::number(found - expected)));
    }
};

QTEST_GUILESS_MAIN(PileUpTest)

}  // namespace pile_up_test
#include "pile_up_test.moc"
