// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/scanner/detector.h"
#include "recon/scanner/scanner.h"

namespace scanner_test {

using namespace tof;

namespace {

const char* const kTwoCrystals = R"({"name": "pair", "crystal_mm": [4, 4, 20], "acceptance_deg": 5,
    "fov_diameter_mm": 100, "crystals": [[100, 0, 0, 1, 0, 0], [-100, 0, 0, -1, 0, 0]]})";

}  // namespace

class ScannerTest : public QObject {
    Q_OBJECT

  private slots:
    void labr3HasTheGeometryOfTheContract() {
        const Scanner scanner = Scanner::find("labr3");

        QCOMPARE(scanner.crystals.size(), std::size_t{24} * 27 * 60);
        QCOMPARE(scanner.crystalSize_mm, (std::array<double, 3>{4, 4, 30}));
        QVERIFY(std::abs(scanner.acceptance_rad - 10 * kRadPerDeg) < 1e-15);
        QCOMPARE(scanner.fovRadius_mm, 288.0);
        QCOMPARE(scanner.timing_fwhm_ps, 400.0);
        double highest = 0;
        double nearest = 1e9;
        for (const Crystal& c : scanner.crystals) {
            highest = std::max(highest, c.front.z);
            nearest = std::min(nearest, std::hypot(c.front.x, c.front.y));
            QVERIFY(std::abs(norm(c.outward) - 1) < 1e-12);
            QVERIFY(std::abs(dot(c.front, c.outward) - 465) < 1e-9);  // flat modules, 930 mm face to face
        }
        QCOMPARE(nearest, 465.0);  // 27 columns: one lies in the middle
        QVERIFY(std::abs(highest - 29.5 * 4.3) < 1e-9);
    }

    void labr3IsTwentyFourFlatModulesWithGaps() {
        const Detector detector(Scanner::find("labr3"));

        QCOMPARE(detector.modules().size(), std::size_t{24});
        // The side of a regular 24-gon of inradius 465 mm less the width of 27 crystals: about 7 mm.
        const double gap = 2 * 465 * std::tan(kPi / 24) - (26 * 4.3 + 4);
        QVERIFY(gap > 6 && gap < 7);
        for (const DetectorModule& module : detector.modules()) {
            QCOMPARE(module.count, (std::array<int, 2>{27, 60}));
            QVERIFY(std::abs(2 * module.half(0) - (26 * 4.3 + 4)) < 1e-9);
        }
        QVERIFY(std::abs(detector.innerRadius() - 465) < 1e-9);
    }

    void aRingRepeatsAfterWholeModules_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<int>("azimuths");
        QTest::addColumn<int>("period");
        // 24 modules of 15 degrees: 10 x 4.5 = 3 x 15; 70 modules of 36/7 degrees: 8 x 4.5 = 7 x 36/7.
        QTest::newRow("24 modules, 40 views") << "labr3" << 40 << 10;
        QTest::newRow("24 modules, 12 views") << "labr3" << 12 << 1;
        QTest::newRow("24 modules, 7 views: never in half a turn") << "labr3" << 7 << 7;
        QTest::newRow("70 modules, 40 views") << "ge-ste-blocks" << 40 << 8;
    }

    void aRingRepeatsAfterWholeModules() {
        QFETCH(QString, scanner);
        QFETCH(int, azimuths);
        QFETCH(int, period);
        const auto most = static_cast<std::size_t>(azimuths);

        const Detector detector(Scanner::find(scanner.toStdString()));

        QCOMPARE(detector.period(kPi / azimuths, most), static_cast<std::size_t>(period));
    }

    void aRingWithOneModuleOutOfPlaceNeverRepeats() {
        Scanner scanner = Scanner::find("labr3");
        const std::vector<std::uint32_t> moved = Detector(scanner).modules()[5].ids;
        for (const std::uint32_t id : moved) {
            scanner.crystals[id].front.z += 0.5;
        }

        QCOMPARE(Detector(scanner).period(kPi / 40, 40), std::size_t{40});
    }

    void aRingOfRoundedDirectionsEndsAtOneHeight() {
        // A file of single precision rounds directions so: a turn by 1e-7 moves a module's ends by 1e-5 mm.
        Scanner scanner = Scanner::find("labr3");
        const std::optional<std::array<double, 2>> exact = Detector(scanner).commonAxialRange();
        QVERIFY(exact);
        for (Crystal& crystal : scanner.crystals) {
            crystal.outward.z += 1e-7;
        }

        const std::optional<std::array<double, 2>> rounded = Detector(scanner).commonAxialRange();

        QVERIFY(rounded);
        QVERIFY(std::abs((*rounded)[0] - (*exact)[0]) < 1e-4 && std::abs((*rounded)[1] - (*exact)[1]) < 1e-4);
    }

    void modulesKeepTheNumbersOfTheirCrystals() {
        const Scanner scanner = Scanner::find("labr3");
        const Detector detector(scanner);

        for (const DetectorModule& m : detector.modules()) {
            for (std::size_t i = 0; i < m.ids.size(); ++i) {
                const double t = (static_cast<double>(i % 27) - 13) * 4.3;
                const double a = (static_cast<double>(i / 27) - 29.5) * 4.3;
                const Vec3 expected = m.centre + t * m.axes[0] + a * m.axes[1];
                QVERIFY(norm(scanner.crystals[m.ids[i]].front - expected) < 1e-6);
            }
        }
    }

    void meanDepthIsThatOfAnExponentialCutOff() {
        // Mean of x exp(-mu x) over [0, L] by a fine sum, the definition.
        const double mu = 0.0431;  // that of labr3
        const double depth = 30;
        double weight = 0;
        double moment = 0;
        for (int i = 0; i < 300000; ++i) {
            const double x = (i + 0.5) * depth / 300000;
            weight += std::exp(-mu * x);
            moment += x * std::exp(-mu * x);
        }

        QVERIFY(std::abs(meanInteractionDepth(mu, depth) - moment / weight) < 1e-6);
        QVERIFY(std::abs(Scanner::find("labr3").meanDepth_mm - moment / weight) < 1e-6);
        QCOMPARE(meanInteractionDepth(0, depth), 15.0);
        QVERIFY(std::abs(meanInteractionDepth(1e-9, depth) - 15) < 1e-6);
    }

    void referenceLiesMeanDepthBelowTheFace() {
        const Scanner scanner = Scanner::fromJson(kTwoCrystals, "test");

        QVERIFY(norm(scanner.reference(0) - Vec3{110, 0, 0}) < 1e-12);  // no attenuation given: half of 20 mm
        QVERIFY(norm(scanner.reference(1) - Vec3{-110, 0, 0}) < 1e-12);
    }

    void jsonRoundTripKeepsEverything_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("modules") << QString::fromStdString(Scanner::find("labr3").description);
        QTest::newRow("crystals") << QString(kTwoCrystals);
    }
    void jsonRoundTripKeepsEverything() {
        QFETCH(QString, text);
        const Scanner first = Scanner::fromJson(text.toStdString(), "test");

        const Scanner second = Scanner::fromJson(first.toJson(), "copy");

        QCOMPARE(second.name, first.name);
        QCOMPARE(second.crystals.size(), first.crystals.size());
        for (std::size_t i = 0; i < first.crystals.size(); ++i) {
            QVERIFY(norm(second.crystals[i].front - first.crystals[i].front) < 1e-9);
            QVERIFY(norm(second.crystals[i].outward - first.crystals[i].outward) < 1e-12);
        }
        QCOMPARE(second.crystalSize_mm, first.crystalSize_mm);
        QCOMPARE(second.attenuation_per_mm, first.attenuation_per_mm);
        QCOMPARE(second.meanDepth_mm, first.meanDepth_mm);
        QVERIFY(std::abs(second.acceptance_rad - first.acceptance_rad) < 1e-15);
        QCOMPARE(second.fovRadius_mm, first.fovRadius_mm);
        QCOMPARE(second.timing_fwhm_ps, first.timing_fwhm_ps);
    }

    void detectionRoundTripsAndFollowsChanges() {
        for (const char* name : {"labr3", "ge-ste-blocks", "clinical-214ps", "long-axial"}) {
            Scanner scanner = Scanner::find(name);
            QVERIFY(scanner.detection.has_value());
            scanner.detection->timingByRate = {{1e6, 375}, {2e7, 430}};
            scanner.detection->position = Detection::Position::Largest;
            QVERIFY(*Scanner::fromJson(scanner.toJson(), "copy").detection == *scanner.detection);
            scanner.detection.reset();
            QVERIFY(!Scanner::fromJson(scanner.toJson(), "copy").detection.has_value());
        }
        QVERIFY(!Scanner::find("labr3-ideal").detection.has_value());
    }

    void scannersHaveTheCrystalsThatWerePublished() {
        QCOMPARE(Scanner::find("ge-ste-blocks").crystals.size(), std::size_t{13440});
        QCOMPARE(Scanner::find("clinical-214ps").crystals.size(), std::size_t{60800});
        QCOMPARE(Scanner::find("long-axial").crystals.size(), std::size_t{564480});
        QCOMPARE(Scanner::find("labr3").crystals.size(), Scanner::find("labr3-ideal").crystals.size());
        QCOMPARE(Scanner::find("discovery-mi").crystals.size(), std::size_t{19584});
        QCOMPARE(Scanner::find("signa-petmr").crystals.size(), std::size_t{20160});
        QCOMPARE(Scanner::find("vereos").crystals.size(), std::size_t{23040});
        QCOMPARE(Scanner::find("quadra").crystals.size(), std::size_t{243200});
        QCOMPARE(Scanner::find("inveon").crystals.size(), std::size_t{25600});
    }

    void unitsHaveGapsBetweenThem() {
        const auto text = [](const char* units) {
            return std::string(
                       R"({"name": "u", "modules": {"count": 4, "face_to_face_mm": 300, "crystals": [3, 5],
                "pitch_mm": [4, 4], "units": )") +
                   units +
                   R"(}, "crystal_mm": [3.8, 3.8, 20], "acceptance_deg": 30, "fov_diameter_mm": 200})";
        };
        const Scanner scanner = Scanner::fromJson(text(R"({"count": 3, "pitch_mm": 26})"), "test");

        QCOMPARE(scanner.crystals.size(), std::size_t{180});
        // Rows of a module follow each other from -z: five of a unit 4 mm apart, then a gap of 6 mm more.
        for (const auto& [row, z] : {std::pair{0, -34.0}, {4, -18.0}, {5, -8.0}, {7, 0.0}, {14, 34.0}}) {
            QCOMPARE(scanner.crystals[static_cast<std::size_t>(3 * row)].front.z, z);
        }
        QCOMPARE(Detector(scanner).modules().size(), std::size_t{12});
        QCOMPARE(Scanner::fromJson(scanner.toJson(), "copy").toJson(), scanner.toJson());
        for (const char* const wrong :
             {R"({"count": 3, "pitch_mm": 19})", R"({"count": 0, "pitch_mm": 26})", "3"}) {
            QVERIFY_EXCEPTION_THROWN((void)Scanner::fromJson(text(wrong), "test"), BadInput);
        }
    }

    void badDetectionNamesItsField_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("names");
        QTest::newRow("material") << "LaBr3\""
                                  << "LaBr\""
                                  << "did you mean 'LaBr3'";
        QTest::newRow("resolution") << "0.07"
                                    << "7"
                                    << "energy_resolution";
        QTest::newRow("window turned round") << "[480, 650]"
                                             << "[650, 480]"
                                             << "window_kev";
        QTest::newRow("window of one") << "[480, 650]"
                                       << "[480]"
                                       << "window_kev";
        QTest::newRow("position") << "centroid"
                                  << "anger"
                                  << "'position'";
        QTest::newRow("blur") << "\"position_fwhm_mm\": 1"
                              << "\"position_fwhm_mm\": -1"
                              << "position_fwhm_mm";
        QTest::newRow("delay") << "500"
                               << "5"
                               << "delay_ns";
        QTest::newRow("unknown") << "dead_time_ns"
                                 << "dead_tim"
                                 << "dead_tim";
        QTest::newRow("dead time") << "\"delay_ns\": 500"
                                   << "\"dead_time\": \"long\""
                                   << "non-paralysable, paralysable";
        QTest::newRow("trigger") << "\"delay_ns\": 500"
                                 << "\"trigger_kev\": 500"
                                 << "trigger_kev";
        QTest::newRow("integration") << "\"delay_ns\": 500"
                                     << "\"integration_ns\": -1"
                                     << "integration_ns";
        QTest::newRow("multiples") << "\"delay_ns\": 500"
                                   << "\"multiples\": \"two\""
                                   << "all, none, highest";
        QTest::newRow("bandwidth") << "\"delay_ns\": 500"
                                   << "\"bandwidth_mcps\": \"much\""
                                   << "bandwidth_mcps";
        QTest::newRow("block") << "\"delay_ns\": 500"
                               << "\"block\": [2.5, 1]"
                               << "'block'";
        QTest::newRow("timing") << "\"delay_ns\": 500"
                                << "\"timing_by_rate\": [[2, 400], [1, 300]]"
                                << "timing_by_rate";
        QTest::newRow("efficiency") << "\"delay_ns\": 500"
                                    << "\"efficiency\": 1.5"
                                    << "efficiency";
    }
    void badDetectionNamesItsField() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, names);
        QString text = QString::fromStdString(Scanner::find("labr3").description);
        const auto at = text.indexOf(from, text.indexOf("\"detection\""));
        QVERIFY(at > 0);
        text.replace(at, from.size(), to);
        try {
            (void)Scanner::fromJson(text.toStdString(), "mine.json");
            QFAIL("accepted");
        } catch (const BadInput& error) {
            const QString sentence = error.what();
            QVERIFY2(sentence.contains("mine.json, detection") && sentence.contains(names), error.what());
        }
    }

    void electronicsComeBackFromJson() {
        Scanner scanner = Scanner::find("labr3");
        Detection& detection = *scanner.detection;
        detection.deadTimeKind = Detection::DeadTime::Paralysable;
        detection.trigger_keV = 50;
        detection.integration_ns = 120;
        detection.deadTime_ns = 150;
        detection.multiples = Detection::Multiples::Highest;
        detection.bandwidth_Mcps = 6;

        QVERIFY(Scanner::fromJson(scanner.toJson(), "mine.json").detection == scanner.detection);
        // A block takes no other photon for as long as it integrates.
        detection.deadTime_ns = 50;
        QCOMPARE(Scanner::fromJson(scanner.toJson(), "mine.json").detection->deadTime_ns, 120.0);
    }

    void jsonFollowsChangedFieldsAndCrystals() {
        Scanner scanner = Scanner::find("labr3");
        scanner.timing_fwhm_ps = 250;
        scanner.crystals.resize(1000);

        const Scanner copy = Scanner::fromJson(scanner.toJson(), "copy");

        QCOMPARE(copy.timing_fwhm_ps, 250.0);
        QCOMPARE(copy.crystals.size(), std::size_t{1000});
    }

    void crystalsOfAForeignScannerAreGroupedIntoBlocks() {
        // Two rings of blocks with an axial gap, one crystal missing: that block falls back to single
        // crystals.
        Scanner scanner;
        scanner.crystalSize_mm = {4, 4, 20};
        for (int side = 0; side < 2; ++side) {
            for (int ring = 0; ring < 2; ++ring) {
                for (int i = 0; i < 16; ++i) {
                    if (side == 1 && ring == 1 && i == 5) {
                        continue;
                    }
                    const double x = side == 0 ? 300 : -300;
                    scanner.crystals.push_back({{x, (i % 4 - 1.5) * 4.2, (i / 4 - 1.5) * 4.2 + ring * 30.0},
                                                {side == 0 ? 1.0 : -1.0, 0, 0}});
                }
            }
        }

        const Detector detector(scanner);

        std::size_t crystals = 0;
        std::size_t blocks = 0;
        for (const DetectorModule& module : detector.modules()) {
            crystals += module.ids.size();
            blocks += module.ids.size() == 16 ? 1 : 0;
        }
        QCOMPARE(crystals, scanner.crystals.size());
        QCOMPARE(blocks, std::size_t{3});
    }

    void filesAreReadLikeBuiltInNames() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("pair.json").toStdString();
        std::ofstream(path) << kTwoCrystals;

        QCOMPARE(Scanner::find(path).crystals.size(), std::size_t{2});
    }

    void unknownNameListsTheBuiltInOnes() {
        try {
            (void)Scanner::find("labr4");
            QFAIL("accepted");
        } catch (const WrongUse& error) {
            const QString sentence = error.what();
            QVERIFY2(sentence.contains("did you mean 'labr3'"), error.what());
        }
    }

    void badDescriptionsAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("names");
        const QString head =
            R"({"name": "x", "crystal_mm": [4, 4, 20], "acceptance_deg": 5, "fov_diameter_mm": 100, )";
        QTest::newRow("not json") << "{"
                                  << "not valid JSON";
        QTest::newRow("neither form") << head.chopped(2) + "}"
                                      << "either 'modules' or 'crystals'";
        QTest::newRow("both forms") << head + R"("modules": {}, "crystals": []})"
                                    << "either 'modules' or 'crystals'";
        QTest::newRow("one crystal") << head + R"("crystals": [[1, 2, 3, 1, 0, 0]]})"
                                     << "'crystals'";
        QTest::newRow("short row") << head + R"("crystals": [[1, 2], [1, 2]]})"
                                   << "crystal 0";
        QTest::newRow("text in row") << head + R"("crystals": [[1,2,3,1,0,0], [1,2,3,"a",0,0]]})"
                                     << "crystal 1";
        QTest::newRow("no direction") << head + R"("crystals": [[1,2,3,0,0,0], [1,2,3,1,0,0]]})"
                                      << "length";
        QTest::newRow("too many")
            << head +
                   R"("modules": {"count": 4096, "face_to_face_mm": 900, "crystals": [4096, 4096], "pitch_mm": [4, 4]}})"
            << "too many";
        QTest::newRow("half crystals")
            << head +
                   R"("modules": {"count": 4, "face_to_face_mm": 900, "crystals": [2.5, 2], "pitch_mm": [4, 4]}})"
            << "whole numbers";
        QTest::newRow("misspelt") << head + R"("cristals": []})"
                                  << "did you mean 'crystals'";
    }
    void badDescriptionsAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, names);
        try {
            (void)Scanner::fromJson(text.toStdString(), "bad.json");
            QFAIL("accepted");
        } catch (const BadInput& error) {
            QVERIFY2(QString(error.what()).contains(names), error.what());
            QVERIFY2(QString(error.what()).contains("bad.json"), error.what());
        }
    }
};

QTEST_GUILESS_MAIN(ScannerTest)

}  // namespace scanner_test
#include "scanner_test.moc"
