// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <set>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/scanner/michelogram.h"
#include "tests/support/places.h"
#include "tests/support/rings.h"

namespace michelogram_test {

using namespace tof;
using tof::test::inTree;

namespace {

/// Eight rings of 32 crystals, spacing 5 mm.
MichelogramSpec small() {
    return test::ringsOf({"small", 8, 32, 100.0, 5.0, 0.3}, 1, 7, 21);
}

/// Distance of two undirected lines' directions and places: the ends of one against those of the other.
double endDistance(TransverseLine line, Vec3 a, Vec3 b) {
    return std::hypot(line.x1 - a.x, line.y1 - a.y) + std::hypot(line.x2 - b.x, line.y2 - b.y);
}

}  // namespace

class RingMichelogramTest : public QObject {
    Q_OBJECT

  private slots:
    void theDiscoverySteHas553SinogramsAnd50MillionBins() {
        const Michelogram ste(MichelogramSpec::find("ge-ste"));
        int direct = 0;
        for (const Sinogram& plane : ste.sinograms()) {
            direct += plane.segment == 0 ? 1 : 0;
        }

        QCOMPARE(ste.sinograms().size(), std::size_t{553});
        QCOMPARE(direct, 47);
        QCOMPARE(ste.angles(), 280);
        QCOMPARE(ste.radialBins(), 329);
        QCOMPARE(ste.bins(), std::size_t{553} * 280 * 329);
        // Paper 003: field of view of 350 mm radius and 156.96 mm length.
        QCOMPARE(ste.scanner().rings * ste.scanner().ringSpacing_mm, 156.96);
        const TransverseLine outermost = ste.line(0, 328);
        const double reach = std::abs(outermost.x1 * outermost.y2 - outermost.x2 * outermost.y1) /
                             std::hypot(outermost.x2 - outermost.x1, outermost.y2 - outermost.y1);
        QVERIFY(reach > 350 && reach < 365);
    }

    void theDescriptionFileIsTheBuiltInOne() {
        const std::string path = inTree("resources/ring-scanners/ge-ste.json").toStdString();
        const MichelogramSpec file = MichelogramSpec::fromJson(readTextFile(path), path);
        const MichelogramSpec builtIn = MichelogramSpec::find("ge-ste");

        QCOMPARE(file.segments, builtIn.segments);
        QCOMPARE(file.radialBins, builtIn.radialBins);
        QCOMPARE(file.anglesPerPart, builtIn.anglesPerPart);
        QCOMPARE(file.scanner.rings, builtIn.scanner.rings);
        QCOMPARE(file.scanner.crystalsPerRing, builtIn.scanner.crystalsPerRing);
        QCOMPARE(file.scanner.radius_mm, builtIn.scanner.radius_mm);
        QCOMPARE(file.scanner.ringSpacing_mm, builtIn.scanner.ringSpacing_mm);
        QVERIFY(std::abs(file.scanner.firstAngle_rad - builtIn.scanner.firstAngle_rad) < 1e-12);
    }

    void crossPlanesLieHalfWayBetweenRings() {
        const Michelogram ste(MichelogramSpec::find("ge-ste"));
        const auto one = static_cast<std::size_t>(ste.sinogramOf(5, 6));
        QCOMPARE(ste.sinogramOf(6, 5), ste.sinogramOf(5, 6));
        QCOMPARE(ste.sinograms()[one].pairs, 2);
        QVERIFY(std::abs(ste.sinograms()[one].z1_mm - (5.5 - 11.5) * 6.54) < 1e-9);
        QVERIFY(std::abs(ste.sinograms()[one].z2_mm - (5.5 - 11.5) * 6.54) < 1e-9);
        const auto oblique = static_cast<std::size_t>(ste.sinogramOf(2, 20));
        QCOMPARE(ste.sinograms()[oblique].pairs, 1);
        QVERIFY(std::abs(ste.sinograms()[oblique].z1_mm - (2 - 11.5) * 6.54) < 1e-9);
        QVERIFY(std::abs(ste.sinograms()[oblique].z2_mm - (20 - 11.5) * 6.54) < 1e-9);
    }

    void segmentsHaveThePlanesOfKnownScanners_data() {
        QTest::addColumn<int>("rings");
        QTest::addColumn<int>("span");
        QTest::addColumn<int>("maxDifference");
        QTest::addColumn<QList<int>>("planes");
        // Siemens mMR: 64 rings, span 11 and span 1 as its headers list them.
        QTest::newRow("mMR, span 11")
            << 64 << 11 << 60 << QList<int>{127, 115, 115, 93, 93, 71, 71, 49, 49, 27, 27};
        QTest::newRow("mMR, span 1, to 2") << 64 << 1 << 2 << QList<int>{64, 63, 63, 62, 62};
        QTest::newRow("one segment of 14 rings") << 14 << 17 << 8 << QList<int>{27};
    }
    void segmentsHaveThePlanesOfKnownScanners() {
        QFETCH(int, rings);
        QFETCH(int, span);
        QFETCH(int, maxDifference);
        QFETCH(QList<int>, planes);
        MichelogramSpec spec = small();
        spec.scanner.rings = rings;
        spec.segments = segmentsOfSpan(rings, span, maxDifference);

        const Michelogram michelogram(spec);
        QList<int> counted(static_cast<qsizetype>(spec.segments.size()), 0);
        for (const Sinogram& plane : michelogram.sinograms()) {
            ++counted[plane.segment];
        }

        QCOMPARE(counted, planes);
    }

    void everyCrystalPairHasOneBinAndItsLineEndsAtTheCrystals() {
        MichelogramSpec spec = small();
        spec.anglesPerPart = 4;
        spec.tof = {5, 100, 300};
        const Michelogram m(spec);
        std::set<std::size_t> seen;
        for (std::uint32_t c1 = 0; c1 < 64; ++c1) {        // rings 0 and 1
            for (std::uint32_t c2 = 64; c2 < 256; ++c2) {  // rings 2 to 7
                const auto bin = m.binOf(c1, c2, 60.0);
                const auto turned = m.binOf(c2, c1, -60.0);
                QCOMPARE(bin, turned);
                if (!bin) {
                    continue;
                }
                QVERIFY2(seen.insert(*bin).second, "two pairs of crystals in one bin");
                const std::size_t line = *bin / 5;
                const auto radial = static_cast<int>(line % 21);
                const std::size_t plane = line / 21 % m.sinograms().size();
                const auto slot = static_cast<int>(line / 21 / m.sinograms().size());
                const Vec3 a = spec.scanner.reference(c1);
                const Vec3 b = spec.scanner.reference(c2);
                const TransverseLine t = m.line(m.angleOfSlot(slot), radial);
                const bool asGiven = endDistance(t, a, b) < 1e-9;
                QVERIFY(asGiven || endDistance(t, b, a) < 1e-9);
                QVERIFY(std::abs(m.sinograms()[plane].z1_mm - (asGiven ? a.z : b.z)) < 1e-9);
                QVERIFY(std::abs(m.sinograms()[plane].z2_mm - (asGiven ? b.z : a.z)) < 1e-9);
                // dt = 60 ps of crystals (1, 2) lies in bin 3 (50..150 ps), of the turned line in bin 1.
                QCOMPARE(*bin % 5, asGiven ? std::size_t{3} : std::size_t{1});
            }
        }
        QVERIFY(seen.size() > 5000);
    }

    void partsSpreadTheirAnglesOverTheHalfCircle() {
        MichelogramSpec spec = small();
        spec.anglesPerPart = 4;
        const Michelogram m(spec);

        QCOMPARE(m.parts(), std::size_t{4});
        std::set<int> angles;
        for (int slot = 0; slot < 16; ++slot) {
            QCOMPARE(m.slotOfAngle(m.angleOfSlot(slot)), slot);
            angles.insert(m.angleOfSlot(slot));
        }
        QCOMPARE(angles.size(), std::size_t{16});
        QCOMPARE(m.angleOfSlot(1) - m.angleOfSlot(0), 4);
    }

    void mashingMeansTheAnglesAndArcCorrectionEvenSteps() {
        MichelogramSpec spec = small();
        spec.mashing = 2;
        spec.binSize_mm = 6;
        const Michelogram m(spec);

        QCOMPARE(m.angles(), 8);
        const TransverseLine line = m.line(3, 13);  // three bins of 6 mm from the axis
        const double length = std::hypot(line.x2 - line.x1, line.y2 - line.y1);
        const double distance = (line.x1 * line.y2 - line.x2 * line.y1) / length;
        QVERIFY(std::abs(std::abs(distance) - 18) < 1e-9);
        // Azimuths 6 and 7 of 16 over 180 degrees; azimuth 0 runs along y, turned by the scanner's 0.3 rad.
        const double expected = kPi / 2 + 0.3 + 6.5 * kPi / 16;
        const double azimuth = std::atan2(line.y2 - line.y1, line.x2 - line.x1);
        QVERIFY(std::abs(std::remainder(azimuth - expected, kPi)) < 1e-9);
    }

    void timeBinsMirrorWhenTheCrystalsAreExchanged() {
        const TofBins tof{5, 100, 300};
        QCOMPARE(tof.bin(0), 2);
        QCOMPARE(tof.bin(-49.999), 2);
        QCOMPARE(tof.bin(49.999), 2);
        QCOMPARE(tof.bin(50), 3);
        QCOMPARE(tof.bin(-50), 1);
        QCOMPARE(tof.bin(1e6), 4);
        QCOMPARE(tof.bin(-1e6), 0);
        QCOMPARE(TofBins().bin(77), 0);
    }

    void aDescriptionSurvivesJson() {
        MichelogramSpec spec = small();
        spec.scanner.firstAngle_rad = 0;
        spec.segments = segmentsOfGe(8);
        spec.tof = {27, 89, 390};
        spec.anglesPerPart = 2;

        QCOMPARE(MichelogramSpec::fromJson(spec.toJson(), "test"), spec);
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("says");
        const QString head =
            R"({"rings":4,"crystals_per_ring":32,"radius_mm":100,"ring_spacing_mm":5,"radial_bins":15)";
        QTest::newRow("odd ring") << QString(head).replace("32", "31") + "}"
                                  << "even number";
        QTest::newRow("even span") << head + R"(,"span":2})"
                                   << "not odd";
        QTest::newRow("a difference twice") << head + R"(,"segments":[[0,1],[1,1]]})"
                                            << "in two segments";
        QTest::newRow("difference out of range") << head + R"(,"segments":[[4,4]]})"
                                                 << "not possible";
        QTest::newRow("mashing") << head + R"(,"mashing":3})"
                                 << "does not divide";
        QTest::newRow("angles per part") << head + R"(,"angles_per_part":5})"
                                         << "do not divide";
        QTest::newRow("bins beyond the ring") << head + R"(,"bin_size_mm":20})"
                                              << "beyond the scanner";
        QTest::newRow("unknown key") << head + R"(,"radial_bin":3})"
                                     << "radial_bins";
        QTest::newRow("another kind") << head + R"(,"kind":"panel"})"
                                      << "not 'rings'";
    }
    void whatCannotBeIsRefused() {
        QFETCH(QString, json);
        QFETCH(QString, says);
        try {
            static_cast<void>(MichelogramSpec::fromJson(json.toStdString(), "file.json"));
            QFAIL("accepted");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains(says), fault.what());
            QVERIFY2(QString(fault.what()).contains("file.json"), fault.what());
        }
    }
};

QTEST_APPLESS_MAIN(RingMichelogramTest)

}  // namespace michelogram_test
#include "michelogram_test.moc"
