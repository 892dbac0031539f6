// SPDX-License-Identifier: Apache-2.0
// What a scanner is made of besides crystals: covers, end shields, the bed.
#include "recon/scanner/surroundings.h"

#include <fmt/format.h>

#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/recorded_share.h"
#include "recon/simulate/surrounding_solids.h"
#include "tests/support/phantoms.h"

namespace surroundings_test {

using namespace tof;

namespace {

constexpr double kInner_mm = 300;
constexpr double kOuter_mm = 310;

/// A scanner of 60 mm along z with the given list of surroundings.
Scanner scannerWith(const std::string& surroundings) {
    return Scanner::fromJson(R"({"name": "mine", "modules": {"count": 20, "face_to_face_mm": 800,
        "crystals": [28, 14], "pitch_mm": [4.3, 4.3]}, "crystal_mm": [4, 4, 20], "attenuation_per_mm": 0.08,
        "acceptance_deg": 20, "fov_diameter_mm": 600,
        "detection": {"material": "LSO", "energy_resolution": 0.1, "window_kev": [435, 650],
                      "coincidence_ns": 2}, "surroundings": )" +
                                 surroundings + "}",
                             "mine.json");
}

std::string tube(const std::string& part, double mu_per_mm, double z0, double z1) {
    return nlohmann::json{{"part", part},
                          {"material", "PMMA"},
                          {"mu_per_mm", mu_per_mm},
                          {"radius_mm", {kInner_mm, kOuter_mm}},
                          {"z_mm", {z0, z1}}}
        .dump();
}

constexpr const char* kBed =
    R"({"part": "bed", "material": "PMMA", "mu_per_mm": 0.002, "width_mm": 500, "thickness_mm": 33,
        "z_mm": [-1000, 1000]})";

SimulationSettings asked(std::uint64_t events, const std::string& physics) {
    SimulationSettings settings;
    settings.events = events;
    settings.physics = Physics::fromText(physics);
    return settings;
}

/// Trues a decay of a short line in air on the axis.
double truesPerDecay(const Scanner& scanner, const std::string& physics, double* deviation) {
    SimulationReport report;
    const EventList events =
        simulate(scanner, test::airCylinder(1, 10), asked(20000, physics), ThreadPool(2), {}, &report);
    *deviation = std::sqrt(static_cast<double>(report.trues)) / events.decays;
    return static_cast<double>(report.trues) / events.decays;
}

/// How many of `n` photons from a place in a direction pass a medium.
double passing(const MediumView& medium, const Real3& at, const Real3& direction, int n) {
    int passed = 0;
    for (int i = 0; i < n; ++i) {
        RandomStream random(1, RandomUse::Photons, static_cast<std::uint64_t>(i));
        Photon photon;
        photon.at = at;
        photon.direction = direction;
        passed += flyInPhantom(medium, photon, Compton::Absorbs, PhotonAim::Crystals, ComptonCut(), random) ==
                          FlightEnd::Escaped
                      ? 1
                      : 0;
    }
    return static_cast<double>(passed) / n;
}

}  // namespace

class SurroundingsTest : public QObject {
    Q_OBJECT
  private slots:
    void tubesLetThroughWhatTheirChordsSay_data();
    void tubesLetThroughWhatTheirChordsSay();
    void coversTakeTruesByTheirThickness();
    void shieldsStopWhatComesFromBeyondTheEnds();
    void recordedSharesKnowCovers();
    void theBedLiesUnderThePhantomAndInItsDescription();
    void nothingLiesOnTheBedWhereNothingAttenuates();
    void wrongSurroundingsNameTheirField_data();
    void wrongSurroundingsNameTheirField();
};

void SurroundingsTest::tubesLetThroughWhatTheirChordsSay_data() {
    QTest::addColumn<double>("y");
    QTest::addColumn<double>("z");
    QTest::addColumn<double>("tilt");
    QTest::addColumn<double>("chord_mm");
    const double tilted = std::atan(0.5);
    QTest::newRow("from the axis") << 0.0 << 0.0 << 0.0 << kOuter_mm - kInner_mm;
    QTest::newRow("past the hole") << 305.0 << 0.0 << 0.0 << std::sqrt(310.0 * 310 - 305.0 * 305);
    QTest::newRow("tilted") << 0.0 << -150.0 << tilted << (kOuter_mm - kInner_mm) / std::cos(tilted);
    QTest::newRow("out through the end")
        << 0.0 << -150.0 + 97.0 << tilted << 6.0 / std::cos(tilted);  // 300 to 306 mm from the axis
    QTest::newRow("beside it") << 0.0 << 120.0 << 0.0 << 0.0;
}

void SurroundingsTest::tubesLetThroughWhatTheirChordsSay() {
    QFETCH(double, y);
    QFETCH(double, z);
    QFETCH(double, tilt);
    QFETCH(double, chord_mm);
    constexpr double kMu = 0.05;
    constexpr int kPhotons = 40000;
    const Scanner scanner = scannerWith(fmt::format("[{}]", tube("cover", kMu, -100, 100)));
    const Phantom air;
    const PhantomMedium medium(air, tubesAround(scanner, Physics()));

    const double share =
        passing(medium.view(), Vec3{0, y, z}, Vec3{std::cos(tilt), 0, std::sin(tilt)}, kPhotons);

    const double expected = std::exp(-kMu * chord_mm);
    const double deviation = std::sqrt(expected * (1 - expected) / kPhotons);
    QVERIFY2(std::abs(share - expected) <= 4 * deviation + 1e-4,
             qPrintable(QString("%1, expected %2").arg(share).arg(expected)));
}

void SurroundingsTest::coversTakeTruesByTheirThickness() {
    const Scanner scanner = scannerWith(fmt::format("[{}]", tube("cover", 0.02, -200, 200)));
    const char* const kWith = "scatter,covers,crystals,energy";
    const char* const kWithout = "scatter,crystals,energy";
    double with = 0;
    double without = 0;

    const double share = truesPerDecay(scanner, kWith, &with) / truesPerDecay(scanner, kWithout, &without);

    // Two photons through 10 mm each, met within 4 degrees of head-on.
    const double expected = std::exp(-2 * 0.02 * (kOuter_mm - kInner_mm));
    QVERIFY2(std::abs(share - expected) < expected * 4 * std::sqrt(2.0 / 20000) + 0.002,
             qPrintable(QString("%1, expected %2").arg(share).arg(expected)));
}

void SurroundingsTest::shieldsStopWhatComesFromBeyondTheEnds() {
    const std::string lead = tube("shield", 1.0, 31, 130) + "," + tube("shield", 1.0, -130, -31);
    const Scanner scanner = scannerWith(fmt::format("[{}]", lead));
    Phantom far = test::airCylinder(1, 1);
    far.shapes[0].centre = {0, 0,
                            200};  // its ways to crystals, 28 degrees steep, cross the shield's inner face
    const PhantomMedium medium(far, tubesAround(scanner, Physics()));
    const PhantomMedium open(far, tubesAround(scanner, Physics::fromText("no-shields")));
    const Vec3 way = (1 / std::hypot(400.0, 200.0)) * Vec3{400, 0, -200};

    QVERIFY(passing(medium.view(), Vec3{0, 0, 200}, way, 1000) < 1e-3);
    QCOMPARE(passing(open.view(), Vec3{0, 0, 200}, way, 1000), 1.0);
}

void SurroundingsTest::recordedSharesKnowCovers() {
    const Scanner with = scannerWith(fmt::format("[{}]", tube("cover", 0.02, -200, 200)));
    const Scanner without = scannerWith("[]");

    const double share = recordedShare(with, Detector(with)) / recordedShare(without, Detector(without));

    // Photons from the centre, within 4 degrees of head-on; 16,000 or so are recorded.
    const double expected = std::exp(-0.02 * (kOuter_mm - kInner_mm));
    QVERIFY2(std::abs(share - expected) < 0.02,
             qPrintable(QString("%1, expected %2").arg(share).arg(expected)));
}

void SurroundingsTest::theBedLiesUnderThePhantomAndInItsDescription() {
    const Scanner scanner = scannerWith(fmt::format("[{}]", kBed));
    const Phantom phantom = Phantom::fromJson(
        R"({"name": "ball", "shapes": [{"kind": "sphere", "centre_mm": [0, 20, 0], "radius_mm": 80,
            "activity": 1, "mu_per_mm": 0.0096}]})",
        "test");

    const Phantom lying = onBed(phantom, scanner, Physics());
    const Phantom again = Phantom::fromJson(lying.description, "described");

    QCOMPARE(lying.shapes.size(), std::size_t{2});
    for (const Phantom& one : {lying, again}) {
        QCOMPARE(one.shapes[0].centre.y - one.shapes[0].halfExtent().y, 100.0);
        QCOMPARE(one.shapes[0].size_mm.y, 33.0);
        QCOMPARE(one.shapes[0].mu_per_mm, 0.002);
        QCOMPARE(one.shapes[0].activity, 0.0);
    }
    QCOMPARE(onBed(phantom, scanner, Physics::fromText("no-bed")).shapes.size(), std::size_t{1});
}

void SurroundingsTest::nothingLiesOnTheBedWhereNothingAttenuates() {
    const Scanner scanner = scannerWith(fmt::format("[{}]", kBed));

    const Phantom line = onBed(test::airCylinder(1, 700), scanner, Physics());

    QCOMPARE(line.shapes.size(), std::size_t{1});
}

void SurroundingsTest::wrongSurroundingsNameTheirField_data() {
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("named");
    QTest::newRow("no list") << R"({"part": "bed"})"
                             << "'surroundings' must be a list";
    QTest::newRow("part") << R"([{"part": "roof"}])"
                          << "'part' is 'roof'";
    QTest::newRow("material") << R"([{"part": "cover", "material": "air"}])"
                              << "'material'";
    QTest::newRow("span") << R"([{"part": "cover", "material": "PMMA", "mu_per_mm": 0.01, "z_mm": [2, 1]}])"
                          << "'z_mm' must be a list of 2 ascending numbers";
    QTest::newRow("beyond the crystals")
        << R"([{"part": "cover", "material": "PMMA", "mu_per_mm": 0.01, "z_mm": [0, 1], "radius_mm": [390, 401]}])"
        << "'radius_mm' ends at 401";
    QTest::newRow("a bed that is a tube")
        << R"([{"part": "bed", "material": "PMMA", "mu_per_mm": 0.01, "z_mm": [0, 1], "radius_mm": [1, 2]}])"
        << "a bed has no 'radius_mm'";
}

void SurroundingsTest::wrongSurroundingsNameTheirField() {
    QFETCH(QString, list);
    QFETCH(QString, named);
    try {
        static_cast<void>(scannerWith(list.toStdString()));
        QFAIL("was taken");
    } catch (const BadInput& fault) {
        QVERIFY2(QString(fault.what()).contains(named), fault.what());
        QVERIFY2(QString(fault.what()).contains("mine.json"), fault.what());
    }
}

QTEST_GUILESS_MAIN(SurroundingsTest)

}  // namespace surroundings_test
#include "surroundings_test.moc"
