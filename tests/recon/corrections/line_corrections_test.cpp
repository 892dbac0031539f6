// SPDX-License-Identifier: Apache-2.0
// Randoms and scatter of sinograms and of list-mode as lines, against what the simulator says of its events.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/cpu_line_projector.h"
#include "tests/support/block_ring.h"
#include "tests/support/event_lists.h"
#include "tests/support/full_run.h"
#include "tests/support/phantoms.h"

namespace line_corrections_test {

using namespace tof;

namespace {

/// Bins of blockRing(): 20 azimuths, three segments of seven ring differences; 11 bins of time, or one.
std::shared_ptr<const Michelogram> bins(bool times) {
    MichelogramSpec spec;
    spec.scanner = {"blocks", 16, 320, 263, 6, kPi / 320};
    spec.segments = segmentsOfSpan(16, 7, 10);
    spec.radialBins = 113;
    spec.mashing = 8;
    if (times) {
        spec.tof = {11, 200, 300};
    }
    return std::make_shared<const Michelogram>(spec);
}

constexpr double kRadius_mm = 90;
constexpr double kLength_mm = 80;

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Sums of bins by the distance from the middle, eight radial bins each (0), or by the time bin (1).
std::vector<double> marginal(const Michelogram& m, const std::vector<float>& values, int which) {
    std::vector<double> sums(which == 0 ? 8 : static_cast<std::size_t>(m.timeBins()), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t time = i % static_cast<std::size_t>(m.timeBins());
        const auto radial = static_cast<int>(i / static_cast<std::size_t>(m.timeBins()) %
                                             static_cast<std::size_t>(m.radialBins()));
        const auto away = static_cast<std::size_t>(std::abs(radial - m.radialBins() / 2) / 8);
        sums[which == 0 ? std::min<std::size_t>(away, 7) : time] += static_cast<double>(values[i]);
    }
    return sums;
}

}  // namespace

class LineCorrectionsTest : public QObject {
    Q_OBJECT

    Scanner scanner_ = test::blockRing();
    Phantom phantom_ = test::waterCylinder(kRadius_mm, kLength_mm);
    EventList events_;
    CrystalSingles singles_;
    Lattice lattice_ = Lattice::centred({30, 30, 12}, {8, 8, 8});
    Volume mu_;

    [[nodiscard]] SinogramData sinograms(bool times) const {
        SinogramData data = binEvents(events_, &scanner_, bins(times), lattice_);
        weighPairs(data, scanner_, ThreadPool(2));
        applyAttenuation(data, mu_, ThreadPool(2), [](double) {});
        return data;
    }
    [[nodiscard]] std::vector<float> counted(EventKind kind, bool times) const {
        return binEvents(test::ofKind(events_, kind), &scanner_, bins(times), lattice_).counts;
    }

  private slots:
    void initTestCase() {
        SimulationSettings settings;
        settings.events = 60000;
        settings.seed = 8;
        settings.activity_MBq = 60;
        settings.physics = Physics::fromText("randoms,scatter,energy,crystals");
        SimulationHooks hooks;
        hooks.singles = &singles_;
        SimulationReport report;
        events_ = simulateWith(scanner_, phantom_, settings, ThreadPool(2), hooks, &report);
        mu_ = phantom_.wholeAttenuation(lattice_, 4);
        qInfo("%llu trues, %llu scattered, %llu random", static_cast<unsigned long long>(report.trues),
              static_cast<unsigned long long>(report.scattered),
              static_cast<unsigned long long>(report.randoms));
        QVERIFY(report.randoms > 3000);
        QVERIFY(report.scattered > 8000);
    }

    void sinogramsExpectTheirRandoms_data() {
        QTest::addColumn<bool>("times");
        QTest::newRow("times of flight") << true;
        QTest::newRow("without") << false;
    }
    void sinogramsExpectTheirRandoms() {
        // 1 % and three standard deviations of the counting; marginals within 5 % of the largest and four of
        // their own.
        QFETCH(bool, times);
        const SinogramData data = sinograms(times);
        const std::vector<float> seen = counted(EventKind::Random, times);
        const std::vector<float> add = randomsOfBins(ratesOfSingles(singles_, scanner_), scanner_, data,
                                                     events_.duration_s, ThreadPool(2));
        const double found = sum(seen);
        qInfo("randoms over simulated %.4f +- %.4f", sum(add) / found, 1 / std::sqrt(found));
        QVERIFY2(std::abs(sum(add) / found - 1) < 0.01 + 3 / std::sqrt(found),
                 qPrintable(QString::number(sum(add) / found)));
        for (const int which : {0, 1}) {
            const std::vector<double> a = marginal(*data.michelogram, seen, which);
            const std::vector<double> b = marginal(*data.michelogram, add, which);
            const double most = *std::max_element(a.begin(), a.end());
            for (std::size_t i = 0; i < a.size(); ++i) {
                QVERIFY2(std::abs(a[i] - b[i]) < 0.05 * most + 4 * std::sqrt(b[i] + 1),
                         qPrintable(QString("%1 %2: %3 of %4").arg(which).arg(i).arg(b[i]).arg(a[i])));
            }
        }
    }

    void sinogramsExpectTheirScatter_data() { sinogramsExpectTheirRandoms_data(); }
    void sinogramsExpectTheirScatter() {
        // From the sinograms alone, randoms in add: 5 % of all, 10 % of the largest in each marginal.
        QFETCH(bool, times);
        SinogramData data = sinograms(times);
        data.add = randomsOfBins(ratesOfSingles(singles_, scanner_), scanner_, data, events_.duration_s,
                                 ThreadPool(2));
        ScatterCorrection how;
        how.simulation.detectorStep_mm = 40;
        how.simulation.rowStep_mm = 40;
        how.simulation.pairs = test::fullRun() ? kScatteredPairs : 1U << 20U;
        const ScatterFound scatter = findScatter(data, scanner_, mu_, how, ThreadPool(2), {});
        const std::vector<float> seen = counted(EventKind::Scattered, times);
        const double found = sum(seen);
        qInfo("scatter over simulated %.4f (tails times %.3f)", scatter.total / found, scatter.scale);
        QVERIFY2(std::abs(scatter.total / found - 1) < 0.05,
                 qPrintable(QString::number(scatter.total / found)));
        for (const int which : {0, 1}) {
            const std::vector<double> a = marginal(*data.michelogram, seen, which);
            const std::vector<double> b = marginal(*data.michelogram, scatter.scatter, which);
            const double most = *std::max_element(a.begin(), a.end());
            for (std::size_t i = 0; i < a.size(); ++i) {
                QVERIFY2(std::abs(a[i] - b[i]) < 0.1 * most,
                         qPrintable(QString("%1 %2: %3 of %4").arg(which).arg(i).arg(b[i]).arg(a[i])));
            }
        }
    }

    void eventsExpectWhatTheyAre() {
        // What a line expects of its kinds is how likely its event is of each: with the true activity the
        // chances of all events add up to the numbers of scattered and random ones. 1 % of counting and 5 %
        // of the scatter; 1 % and counting of the randoms.
        LineData data = listLines(events_, scanner_, timeBinsFor(scanner_), lattice_);
        data.attenuation = mu_;
        const ThreadPool pool(2);
        const ListExpectations lines(data, pool);
        const std::vector<double> rates = ratesOfSingles(singles_, scanner_);
        const std::vector<float> randoms = lines.randoms(rates, events_.duration_s);
        Volume activity = phantom_.emissionOn(lattice_);
        const double emitted = sum(activity.data);
        for (float& value : activity.data) {
            value *= static_cast<float>(events_.decays / emitted);
        }
        ScatterSettings how{.pairs = 1U << 21U};
        how.rowStep_mm = 40;
        const std::vector<float> scatter =
            lines.scatter({{{}, singleScatter(scanner_, activity, mu_, how, ThreadPool(2), {})}});
        LineModel model;
        model.lattice = lattice_;
        model.lines = data.events;
        const auto space = std::make_shared<HostSpace>(2);
        CpuLineProjector projector(model, space);
        Array x = space->allocate(activity.data.size());
        space->upload(activity.data, x.view());
        const std::vector<float> mult = lines.mult();
        double scattered = 0;
        double random = 0;
        std::size_t i = 0;
        for (std::size_t part = 0; part < projector.parts(); ++part) {
            std::vector<float> trues(projector.dataSize(part));
            Array made = space->allocate(trues.size());
            projector.forward(part, x.view(), made.view());
            space->download(made.view(), trues);
            for (const float value : trues) {
                const auto expected = static_cast<double>(mult[i] * value + scatter[i] + randoms[i]);
                if (expected > 0) {
                    scattered += static_cast<double>(scatter[i]) / expected;
                    random += static_cast<double>(randoms[i]) / expected;
                }
                ++i;
            }
        }
        const auto trueScattered =
            static_cast<double>(std::count(events_.kind.begin(), events_.kind.end(), EventKind::Scattered));
        const auto trueRandom =
            static_cast<double>(std::count(events_.kind.begin(), events_.kind.end(), EventKind::Random));
        qInfo("of %zu events: scattered over simulated %.4f, random %.4f, all randoms %.4f", i,
              scattered / trueScattered, random / trueRandom,
              lines.allRandoms(rates, events_.duration_s) / trueRandom);
        QVERIFY2(std::abs(scattered / trueScattered - 1) < 0.05 + 3 / std::sqrt(trueScattered),
                 qPrintable(QString::number(scattered / trueScattered)));
        QVERIFY2(std::abs(random / trueRandom - 1) < 0.03 + 3 / std::sqrt(trueRandom),
                 qPrintable(QString::number(random / trueRandom)));
        const double all = lines.allRandoms(rates, events_.duration_s) / trueRandom;
        QVERIFY2(std::abs(all - 1) < 0.02 + 3 / std::sqrt(trueRandom), qPrintable(QString::number(all)));
    }

    void whatCannotBeIsSaid() {
        LineData rings = listLines(events_, &scanner_, bins(true), lattice_);
        QVERIFY_EXCEPTION_THROWN(ListExpectations(rings, ThreadPool(1)), WrongUse);
        SinogramData relative = sinograms(false);
        relative.absolute = false;
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(findScatter(relative, scanner_, mu_, {}, ThreadPool(1), {})), WrongUse);
    }
};

QTEST_GUILESS_MAIN(LineCorrectionsTest)

}  // namespace line_corrections_test
#include "line_corrections_test.moc"
