// SPDX-License-Identifier: Apache-2.0
// Any algorithm with its defaults, at any number of events: the image is finite and holds them.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/binning/line_binning.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/rings.h"

namespace few_counts_test {

using namespace tof;
using namespace tof::fixtures;
using namespace tof::test;

namespace {

const Lattice kImage = Lattice::centred({12, 12, 6}, {24, 24, 24});

EventList scan(const Scanner& scanner, int events) {
    const Phantom phantom = Phantom::fromJson(
        R"({"name":"t","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":120,"length_mm":150,)"
        R"("activity":1},{"kind":"sphere","centre_mm":[50,20,0],"radius_mm":24,"activity":4}]})",
        "test");
    SimulationSettings settings;
    settings.events = static_cast<std::uint64_t>(events);
    settings.seed = 7;
    settings.physics = Physics::fromText("none");
    return simulate(scanner, phantom, settings, ThreadPool(2), {});
}

/// Pairs of crystals at random.
EventList pairsOfRings(int events) {
    EventList list;
    std::mt19937 random(3);
    for (int i = 0; i < events; ++i) {
        list.crystals.push_back(
            {static_cast<std::uint32_t>(random() % 480), static_cast<std::uint32_t>(random() % 480)});
        list.dt_ps.push_back(static_cast<float>(random() % 401) - 200.0F);
    }
    return list;
}

/// Found once: they do not depend on the events.
const std::vector<float>& multOf(const Scanner& scanner, const BinningSettings& settings) {
    static const std::vector<float> mult = [&] {
        HistoData empty = depositEvents({}, scanner, settings, ThreadPool(2), {});
        computeMult(empty, scanner, nullptr, ThreadPool(2), {});
        return empty.mult;
    }();
    return mult;
}

std::shared_ptr<const Measurement> measured(const QString& form, int events) {
    if (form != "histo") {
        const auto rings = std::make_shared<const Michelogram>(fiveRings(form == "list" ? 1 : 3, 5));
        const EventList list = pairsOfRings(events);
        if (form == "list") {
            return std::make_shared<const LineMeasurement>(listLines(list, nullptr, rings, kInFiveRings));
        }
        return std::make_shared<const SinogramMeasurement>(binEvents(list, nullptr, rings, kInFiveRings));
    }
    const Scanner scanner = Scanner::find("labr3-ideal");
    BinningSettings settings;
    settings.tilts = 1;
    settings.lattice = kImage;
    HistoData data = depositEvents(scan(scanner, events), scanner, settings, ThreadPool(2), {});
    data.mult = multOf(scanner, settings);
    data.hash = "few";
    return std::make_shared<const HistoMeasurement>(std::make_shared<const HistoData>(std::move(data)));
}

}  // namespace

class FewCountsTest : public QObject {
    Q_OBJECT

  private slots:
    void defaultsKeepTheTotal_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("events");
        for (const Algorithm* const row : algorithms()) {
            const std::string& algorithm = row->name;
            if (row->anatomy == UsesAnatomy::Always) {
                continue;  // it has no default
            }
            for (const int events : {1, 100, 10'000, 1'000'000}) {
                QTest::addRow("histo, %s, %d events", algorithm.c_str(), events)
                    << "histo" << QString::fromStdString(algorithm) << events;
            }
            for (const int events : {200, 20'000}) {  // some lie on no line
                // The first takes a minute, and the others need bins.
                if (algorithm != "lbfgsb" && row->residuals == Residuals::OfProjector) {
                    QTest::addRow("list, %s, %d events", algorithm.c_str(), events)
                        << "list" << QString::fromStdString(algorithm) << events;
                }
            }
        }
        QTest::addRow("sinograms, osem, 20000 events") << "sinograms"
                                                       << "osem" << 20'000;
    }

    void defaultsKeepTheTotal() {
        QFETCH(QString, form);
        QFETCH(QString, algorithm);
        QFETCH(int, events);
        const double total = totalOf(form, algorithm.toStdString(), events);
        // Expectation maximisation of all data keeps the counts in every update, so that its total is what
        // the counts say; where an object ends up among the sensitivities moves it by a few per cent.
        const double expected = totalOf(form, "mlem", events);
        QVERIFY2(std::isfinite(total) && total > 0, qPrintable(QString::number(total)));
        const double off = std::abs(total / expected - 1);
        QVERIFY2(off < 0.03 + 3 / std::sqrt(events), qPrintable(QString::number(total / expected)));
    }

    void listsAreRefusedByWhatNeedsBins() {
        for (const char* const algorithm : {"negml", "aml"}) {
            QVERIFY_EXCEPTION_THROWN((void)totalOf("list", algorithm, 200), WrongUse);
        }
    }

  private:
    double totalOf(const QString& form, const std::string& algorithm, int events) {
        const auto key = std::make_tuple(form, algorithm, events);
        if (const auto known = totals_.find(key); known != totals_.end()) {
            return known->second;
        }
        ReconstructRequest request;
        std::shared_ptr<const Measurement>& data = data_[{form, events}];
        request.data = data ? data : data = measured(form, events);
        request.settings.set("engine", "cpu");
        request.settings.set("kernel", "invariant");
        request.settings.set("algorithm", algorithm);
        JobListener listener;
        const Volume image = *reconstruct(request, makeEngineRegistry(), listener).image;
        return totals_[key] = std::accumulate(image.data.begin(), image.data.end(), 0.0);
    }

    std::map<std::pair<QString, int>, std::shared_ptr<const Measurement>> data_;
    std::map<std::tuple<QString, std::string, int>, double> totals_;
};

QTEST_GUILESS_MAIN(FewCountsTest)

}  // namespace few_counts_test
#include "few_counts_test.moc"
