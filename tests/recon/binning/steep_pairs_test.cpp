// SPDX-License-Identifier: Apache-2.0
// mult of pairs that fly steeply to the transverse plane, against rays followed here and simulated counts.
#include <QTest>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/binning/binning.h"
#include "recon/binning/detector_response.h"
#include "recon/simulate/monte_carlo.h"

namespace steep_pairs_test {

using namespace tof;

namespace {

// Scanners about twice as long as they are wide.
constexpr int kModules = 16;
constexpr int kColumns = 18;
constexpr int kLong = 240;   ///< rows of which none of the lines looked at leaves through an end
constexpr int kShort = 180;  ///< rows of which many do
constexpr double kFront = 200;
constexpr double kPitch = 4.2;
constexpr double kCrystal = 4;
constexpr double kDepth = 20;
constexpr double kMu = 0.087;

Scanner longScanner(int rows, double acceptance_deg) {
    return Scanner::fromJson(
        QString(R"({"name": "long", "modules": {"count": %1, "face_to_face_mm": %2, "first_angle_deg": 0,
        "crystals": [%3, %4], "pitch_mm": [%5, %5]}, "crystal_mm": [%6, %6, %7], "attenuation_per_mm": %8,
        "acceptance_deg": %9, "fov_diameter_mm": 300, "timing_fwhm_ps": 0})")
            .arg(kModules)
            .arg(2 * kFront)
            .arg(kColumns)
            .arg(rows)
            .arg(kPitch)
            .arg(kCrystal)
            .arg(kDepth)
            .arg(kMu)
            .arg(acceptance_deg)
            .toStdString(),
        "test");
}

bool inCrystal(double place, int count) {
    const double crystal = place / kPitch + 0.5 * count;
    const double number = std::floor(crystal);
    return number >= 0 && number < count && std::abs(crystal - number - 0.5) * kPitch < 0.5 * kCrystal;
}

/// The chance that a photon interacts, followed in small steps through crystals and gaps of all modules.
double interacts(Vec3 p, Vec3 d, int rows) {
    constexpr int kSteps = 400;
    double material = 0;
    for (int module = 0; module < kModules; ++module) {
        const double angle = 2 * kPi * module / kModules;
        const Vec3 out{std::cos(angle), std::sin(angle), 0};
        const Vec3 across{-out.y, out.x, 0};
        const double outward = dot(d, out);
        if (outward < 0.3) {
            continue;
        }
        const double enter = (kFront - dot(p, out)) / outward;
        const double step = kDepth / outward / kSteps;
        for (int i = 0; i < kSteps; ++i) {
            const Vec3 at = p + (enter + (i + 0.5) * step) * d;
            material += inCrystal(dot(at, across), kColumns) && inCrystal(at.z, rows) ? step : 0;
        }
    }
    return 1 - std::exp(-kMu * material);
}

/// Five numbers of [0, 1) that fill the cube evenly (Roberts' sequence).
std::array<double, 5> place(int i) {
    constexpr double kRoot = 1.1347241384015194;  // x^6 = x + 1
    std::array<double, 5> at{};
    double factor = 1;
    for (double& one : at) {
        factor /= kRoot;
        one = std::fmod(0.5 + factor * (i + 1), 1.0);
    }
    return at;
}

constexpr double kVoxel = 8;
constexpr double kAside = 48;  ///< the voxel lies so far from the axis, along x

/// Mean over directions between two tilts, and over the voxel, of what is recorded of pairs.
double recordedBetween(double low_rad, double high_rad, int rows) {
    constexpr int kRays = 4000;
    double sum = 0;
    for (int i = 0; i < kRays; ++i) {
        const std::array<double, 5> at = place(i);
        const double azimuth = 2 * kPi * at[0];
        const double sine = std::sin(low_rad) + at[1] * (std::sin(high_rad) - std::sin(low_rad));
        const double cosine = std::sqrt(1 - sine * sine);
        const Vec3 d{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        const Vec3 p{kAside + kVoxel * (at[2] - 0.5), kVoxel * (at[3] - 0.5), kVoxel * (at[4] - 0.5)};
        sum += interacts(p, d, rows) * interacts(p, -d, rows);
    }
    return sum / kRays;
}

HistoData emptyData(const Scanner& scanner, const Lattice& lattice, int azimuths, int tilts) {
    BinningSettings settings;
    settings.azimuths = azimuths;
    settings.tilts = tilts;
    settings.lattice = lattice;
    return depositEvents({}, scanner, settings, ThreadPool(1), {});
}

}  // namespace

class SteepPairsTest : public QObject {
    Q_OBJECT

  private slots:
    void multIsWhatRaysThroughCrystalsGive_data() {
        QTest::addColumn<double>("tilt_deg");
        QTest::addColumn<int>("rows");
        QTest::addColumn<double>("tolerance");
        // The mean over 4000 rays is good to half a per cent.
        QTest::newRow("12 degrees") << 12.0 << kLong << 0.01;
        QTest::newRow("30 degrees") << 30.0 << kLong << 0.01;
        QTest::newRow("45 degrees") << 45.0 << kLong << 0.01;
        QTest::newRow("57 degrees") << 57.0 << kLong << 0.01;
        // Points are 48 mm apart along u here: by height alone what lies between them would be 23 % off.
        QTest::newRow("57 degrees, out at an end") << 57.0 << kShort << 0.04;
    }

    void multIsWhatRaysThroughCrystalsGive() {
        QFETCH(double, tilt_deg);
        QFETCH(int, rows);
        QFETCH(double, tolerance);
        constexpr int kAzimuths = 8;
        constexpr int kTilts = 41;
        const Scanner scanner = longScanner(rows, 61.5);
        const double half = scanner.acceptance_rad / kTilts;
        const double tilt = tilt_deg * kRadPerDeg;
        const ViewGrid grid(kAzimuths, kTilts, scanner.acceptance_rad);
        HistoData data =
            emptyData(scanner, Lattice::centred({13, 1, 31}, {kVoxel, kVoxel, kVoxel}), kAzimuths, kTilts);

        computeMult(data, scanner, nullptr, ThreadPool(2), {});

        // All azimuths together: what one cell loses at its edges another gains.
        const std::size_t voxel = data.lattice.index(12, 0, 15);
        double found = 0;
        double share = 0;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            if (std::abs(data.views[view].theta - tilt) < 0.1 * half) {
                found += static_cast<double>(data.mult[view * data.voxels() + voxel]);
                share += grid.solidAngleFraction(view);
            }
        }
        const double expected = recordedBetween(tilt - half, tilt + half, rows);
        QVERIFY(share > 0);
        QVERIFY2(std::abs(found / share / expected - 1) < tolerance,
                 qPrintable(QString("%1 of %2").arg(found / share).arg(expected)));
    }

    void everyAngleHasItsWayThroughCrystals_data() {
        QTest::addColumn<double>("across");
        QTest::addColumn<double>("along");
        QTest::newRow("straight on") << 0.0 << 0.0;
        QTest::newRow("37 degrees, where the table once ended") << 0.0 << 0.766;
        QTest::newRow("57 degrees, aslant") << 0.5 << 1.54;
        QTest::newRow("the last of the table") << 1.0 << 2.48;
        QTest::newRow("beyond it along") << 0.3 << 4.0;
        QTest::newRow("beyond it across") << 3.0 << 0.2;
        QTest::newRow("beyond it in both") << 5.0 << 6.0;
    }

    void everyAngleHasItsWayThroughCrystals() {
        // Crystals without gaps: the way's length alone counts, wherever it leaves the module.
        QFETCH(double, across);
        QFETCH(double, along);
        DetectorModule module;
        module.axes = {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}};
        module.count = {10, 10};
        module.pitch = {4, 4};
        module.crystal = {4, 4, kDepth};
        const ModuleResponse response(module, kMu, ThreadPool(2));
        const double slant = std::sqrt(1 + across * across + along * along);
        const Vec3 d{1 / slant, across / slant, along / slant};
        for (const double share : {0.25, 0.5, 1.0}) {
            const double length = share * kDepth * slant;
            const double exact = 1 - std::exp(-kMu * length);
            const double found = response.probability(module, d, length);
            // Linear between depths 1.25 mm apart; exact at their ends.
            QVERIFY2(std::abs(found - exact) < 2e-3,
                     qPrintable(QString("%1 mm: %2 of %3").arg(length).arg(found).arg(exact)));
        }
    }

    /// Crystals of unknown material stop everything; a line that only touches a corner has no way in them.
    void aLineThatTouchesOpaqueCrystalsIsNotSeen() {
        DetectorModule module;
        module.axes = {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}};
        module.count = {1, 8};
        module.pitch = {4, 4};
        module.crystal = {4, 4, kDepth};
        const ModuleResponse response(module, 0, ThreadPool(2));
        const Vec3 steep = normalized(Vec3{1, 8, 0});

        QCOMPARE(response.probability(module, steep, 0), 0.0);
        QCOMPARE(response.probability(module, steep, 1), 1.0);
    }

    void countsByTiltAreTheExpectedOnes_data() {
        QTest::addColumn<int>("rows");
        QTest::newRow("no line leaves at an end") << kLong;
        QTest::newRow("many lines do") << kShort;
    }

    void countsByTiltAreTheExpectedOnes() {
        QFETCH(int, rows);
        const Scanner scanner = longScanner(rows, 57);
        Phantom phantom;
        phantom.name = "cylinder in air";
        PhantomShape shape;
        shape.kind = PhantomShape::Kind::Cylinder;
        shape.radius_mm = 40;
        shape.size_mm.z = 160;
        shape.activity = 1;
        phantom.shapes = {shape};
        BinningSettings settings;
        settings.azimuths = 8;
        settings.tilts = 9;
        settings.lattice = Lattice::centred({14, 14, 24}, {8, 8, 8});
        SimulationReport report;
        const EventList events = simulate(scanner, phantom, {.events = 400000, .seed = 5, .duration_s = 1},
                                          ThreadPool(2), {}, &report);
        HistoData data = depositEvents(events, scanner, settings, ThreadPool(2), {});
        const Volume emission = phantom.emissionOn(settings.lattice, 4);
        QCOMPARE(data.kept, std::uint64_t{400000});

        computeMult(data, scanner, nullptr, ThreadPool(2), {});

        const double perVoxel =
            report.decays() / std::accumulate(emission.data.begin(), emission.data.end(), 0.0);
        std::map<int, std::array<double, 2>> byTilt;  // observed, expected
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            auto& [observed, expected] =
                byTilt[static_cast<int>(std::lround(10 * std::abs(data.views[view].theta) / kRadPerDeg))];
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                const std::size_t at = view * data.voxels() + i;
                observed += static_cast<double>(data.counts[at]);
                expected +=
                    perVoxel * static_cast<double>(emission.data[i]) * static_cast<double>(data.mult[at]);
            }
        }
        QCOMPARE(byTilt.size(), std::size_t{5});
        for (const auto& [tilt, sums] : byTilt) {
            const double ratio = sums[0] / sums[1];
            const double error = 1 / std::sqrt(sums[1]);
            QVERIFY2(std::abs(ratio - 1) < 0.005 + 3.5 * error,
                     qPrintable(QString("%1 degrees: %2").arg(0.1 * tilt).arg(ratio)));
        }
    }
};

QTEST_GUILESS_MAIN(SteepPairsTest)

}  // namespace steep_pairs_test
#include "steep_pairs_test.moc"
