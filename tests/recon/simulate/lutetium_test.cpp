// SPDX-License-Identifier: Apache-2.0
// Decays of the crystals' own lutetium.
#include "recon/simulate/lutetium.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/slice_resolver.h"
#include "tests/support/phantoms.h"

namespace lutetium_test {

using namespace tof;

namespace {

constexpr double kLength_ps = 1e10;
constexpr double kWholeCascade_keV = 597;  // energy of the level that betas lead to

/// LSO without a window and with exact energies, so that nothing is lost where it is read out.
Scanner openScanner() {
    return Scanner::fromJson(R"({"name": "open", "modules": {"count": 20, "face_to_face_mm": 400,
        "crystals": [15, 20], "pitch_mm": [4, 4]}, "crystal_mm": [4, 4, 20], "attenuation_per_mm": 0.0819,
        "acceptance_deg": 20, "fov_diameter_mm": 300,
        "detection": {"material": "LSO", "energy_resolution": 0, "window_kev": [0, 2000], "block": [1, 1],
                      "coincidence_ns": 2}})",
                             "test");
}

struct Background {
    Scanner scanner = openScanner();
    Phantom phantom;
    PairModel model;
    LutetiumDecays decays;
    std::vector<TimedPhoton> photons;

    explicit Background(const Phantom& what)
        : phantom(what),
          model(scanner, phantom, Physics(), ThreadPool()),
          decays(scanner, model, 5, kLength_ps) {
        decays.add(3, photons);
    }
};

/// Energies of each decay.
std::map<std::uint32_t, double> energies(const std::vector<TimedPhoton>& photons) {
    std::map<std::uint32_t, double> sums;
    for (const TimedPhoton& photon : photons) {
        sums[photon.decay] += static_cast<double>(photon.energy_keV);
    }
    return sums;
}

}  // namespace

class LutetiumTest : public QObject {
    Q_OBJECT
  private slots:
    void thereAreAsManyDecaysAsLutetiumHas();
    void betasHaveThePublishedMean();
    void whatOneDecayLeavesIsTheCascadeAtMost();
    void photonsOf307And202keVReachOtherCrystals();
    void bodiesStopPhotonsAcrossTheBore();
    void slicesAreTheirIndexAlone();
    void theSwitchTakesItsSinglesAway();
};

void LutetiumTest::thereAreAsManyDecaysAsLutetiumHas() {
    const Background background(test::airCylinder(1, 10));
    const double volume_cm3 = 20 * 15 * 20 * 0.4 * 0.4 * 2.0;

    // Measured: about 300 counts a second and cm3 of LSO (Yamamoto et al. 2005 and others, some per cent
    // apart).
    QVERIFY(std::abs(lutetiumPerCm3(Material::Lso) - 294) < 3);
    QCOMPARE(lutetiumPerCm3(Material::Bgo), 0.0);
    const double expected = lutetiumPerCm3(Material::Lso) * volume_cm3 * 1e-12 * kLength_ps;
    const auto found = static_cast<double>(energies(background.photons).size());
    QVERIFY2(std::abs(found - expected) < 4 * std::sqrt(expected),
             qPrintable(QString("%1, expected %2").arg(found).arg(expected)));
}

void LutetiumTest::betasHaveThePublishedMean() {
    const Background background(test::airCylinder(1, 10));
    double mean = 0;
    constexpr int kPoints = 10000;
    for (int i = 0; i < kPoints; ++i) {
        mean += background.decays.beta_keV((i + 0.5) / kPoints) / kPoints;
    }
    // 182 keV (NuDat 3). The transition is a forbidden one, but its mean is that of the allowed shape.
    QVERIFY2(std::abs(mean - 182) < 1, qPrintable(QString::number(mean)));
    QVERIFY(background.decays.beta_keV(1) <= 593);
}

void LutetiumTest::whatOneDecayLeavesIsTheCascadeAtMost() {
    const Background background(test::airCylinder(1, 10));
    double largest = 0;
    double mean = 0;
    const auto sums = energies(background.photons);
    for (const auto& [decay, energy] : sums) {
        largest = std::max(largest, energy);
        mean += energy / static_cast<double>(sums.size());
    }
    QVERIFY2(largest <= kWholeCascade_keV + 593 + 1, qPrintable(QString::number(largest)));
    QVERIFY2(mean > 182 && mean < kWholeCascade_keV + 182, qPrintable(QString::number(mean)));
}

void LutetiumTest::photonsOf307And202keVReachOtherCrystals() {
    const Background background(test::airCylinder(1, 10));
    std::map<int, int> counts;
    for (const TimedPhoton& photon : background.photons) {
        ++counts[static_cast<int>(photon.energy_keV + 0.5F)];
    }
    // Full energies stand out of the continuum beside them: exact energies fall into one keV.
    for (const int line : {307, 202, 88}) {
        const int beside = (counts[line - 4] + counts[line - 3] + counts[line + 3] + counts[line + 4]) / 4;
        QVERIFY2(counts[line] > 4 * beside + 10,
                 qPrintable(QString("%1 keV: %2, beside %3").arg(line).arg(counts[line]).arg(beside)));
    }
    QVERIFY(counts[307] > counts[88]);
}

void LutetiumTest::bodiesStopPhotonsAcrossTheBore() {
    const Background air(test::airCylinder(1, 10));
    Phantom lead = test::cylinder(190, 200, 2);
    lead.shapes[0].material = Material::Bgo;
    const Background stopped(lead);
    const auto across = [](const Background& background) {
        std::map<std::uint32_t, std::vector<Vec3>> places;
        for (const TimedPhoton& photon : background.photons) {
            places[photon.decay].push_back(background.scanner.reference(photon.crystal));
        }
        int pairs = 0;
        for (const auto& [decay, of] : places) {
            pairs += of.size() > 1 && std::hypot(of[0].x - of[1].x, of[0].y - of[1].y) > 200 ? 1 : 0;
        }
        return pairs;
    };
    QVERIFY2(across(air) > 40, qPrintable(QString::number(across(air))));
    QVERIFY2(across(stopped) < across(air) / 10, qPrintable(QString::number(across(stopped))));
}

void LutetiumTest::slicesAreTheirIndexAlone() {
    const Background one(test::airCylinder(1, 10));
    std::vector<TimedPhoton> again;
    one.decays.add(3, again);
    std::vector<TimedPhoton> other;
    one.decays.add(4, other);

    QCOMPARE(again.size(), one.photons.size());
    QVERIFY(std::equal(again.begin(), again.end(), one.photons.begin(), [](const auto& a, const auto& b) {
        return a.time_ps == b.time_ps && a.crystal == b.crystal && a.energy_keV == b.energy_keV;
    }));
    QVERIFY(!other.empty() && other.front().time_ps != again.front().time_ps);
}

void LutetiumTest::theSwitchTakesItsSinglesAway() {
    const Scanner scanner = openScanner();
    const Phantom phantom = test::airCylinder(1, 10);
    const auto simulated = [&](const char* physics) {
        SimulationSettings settings;
        settings.events = 20000;
        settings.activity_MBq = 1;
        settings.physics = Physics::fromText(physics);
        SimulationReport report;
        static_cast<void>(simulate(scanner, phantom, settings, ThreadPool(2), {}, &report));
        return report;
    };
    const auto singlesPerSecond = [](const SimulationReport& report) {
        const double slices = std::ceil(static_cast<double>(report.started) / kDecaysPerSlice);
        return static_cast<double>(report.singles) / (slices * kDecaysPerSlice / 0.969e6);
    };

    const SimulationReport with = simulated("scatter,crystals,energy,randoms,lutetium");
    const SimulationReport without = simulated("scatter,crystals,energy,randoms");

    QCOMPARE(with.started, with.accounted());
    const double more = singlesPerSecond(with) - singlesPerSecond(without);
    // Every decay is a single in one block at least, in two or three often.
    const double decays = lutetiumPerCm3(Material::Lso) * 20 * 15 * 20 * 0.4 * 0.4 * 2.0;
    QVERIFY2(more > decays && more < 3.5 * decays, qPrintable(QString("%1 of %2").arg(more).arg(decays)));
}

QTEST_GUILESS_MAIN(LutetiumTest)

}  // namespace lutetium_test
#include "lutetium_test.moc"
