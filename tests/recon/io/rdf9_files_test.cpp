// SPDX-License-Identifier: Apache-2.0
// Lists of GE RDF 9 that the test's own writer makes, of a point off the axis.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "recon/binning/tof_check.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/rdf9_format.h"
#include "recon/io/rdf9_norm.h"
#include "recon/scanner/ring_crystals.h"
#include "tests/support/ge_lists.h"
#include "tests/support/refusal.h"

namespace rdf9_files_test {

using namespace tof;
using namespace tof::test;

class Rdf9FilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string path() const { return folder_.filePath("list.BLF").toStdString(); }

  private slots:
    void aPointLiesWhereItWas() {
        GeList list;
        list.marker(70004);
        list.coincidence(0, 0, 11, 50, -256);
        list.words({2U | 8U, 1, 2, 3});  // a count of coincidences, of 8 bytes
        list.marker(70000 + 700);
        list.point({-60, 35, 12}, 70000);
        list.marker(72000);
        list.coincidence(3, 95, 4, 40, 255);
        list.words({1U | 14U << 3U, 0, 0});  // the end; what follows does not count
        list.coincidence(3, 95, 4, 40, 0);
        writeRdf9(path(), list);

        const RecognisedFile file = recognise(path());
        const ListReadResult read = file.readEvents();

        QCOMPARE(file.formatName(), std::string("GE RDF 9"));
        const EventList& events = read.events;
        const auto scanner = events.scannerJson.scanner("list");
        QCOMPARE(events.size(), std::size_t{70001});
        QCOMPARE(events.duration_s, 2.5);
        QCOMPARE(events.time_ms.front(), 4U);
        QCOMPARE(events.time_ms[1], 700U);
        QCOMPARE(events.time_ms.back(), 2000U);
        QCOMPARE(scanner->timing_fwhm_ps, 390.0);
        for (std::size_t i = 0; i < events.size(); ++i) {
            const auto& c = list.truth[i];
            QVERIFY(norm(scanner->reference(events.crystals[i][0]) - gePlace(c[0], c[1])) < 1e-3);
            QVERIFY(norm(scanner->reference(events.crystals[i][1]) - gePlace(c[2], c[3])) < 1e-3);
            QVERIFY(std::abs(static_cast<double>(events.dt_ps[i]) - kGeUnit_ps * list.dt[i]) < 1e-3);
        }
        const TofCheck check =
            checkTof(referencePoints(*scanner), events.crystals, events.dt_ps, scanner->fovRadius_mm);
        QCOMPARE(check.sign, TofSign::AsStated);
        const Vec3 off = check.point - Vec3{-60, 35, 12};
        QVERIFY2(norm(off) < 0.3, qPrintable(QString("%1 %2 %3").arg(off.x).arg(off.y).arg(off.z)));

        const auto stream = file.eventStream();
        EventList part;
        for (const std::uint64_t first : {0U, 65530U, 69000U, 65536U}) {
            stream->read(first, 900, part);
            stream->readMoments(first, 900, part);
            const auto at = static_cast<std::ptrdiff_t>(first);
            QVERIFY(std::equal(part.crystals.begin(), part.crystals.end(), events.crystals.begin() + at));
            QVERIFY(std::equal(part.dt_ps.begin(), part.dt_ps.end(), events.dt_ps.begin() + at));
            QVERIFY(std::equal(part.time_ms.begin(), part.time_ms.end(), events.time_ms.begin() + at));
        }
        QVERIFY(read.note.find("head first") != std::string::npos);
    }

    /// Two seconds in which every crystal counts its own number, and one more in the second of them.
    void singlesAreThoseOfTheirCrystals() {
        GeList list;
        list.marker(70000);
        list.coincidence(3, 95, 4, 40, 255);
        list.marker(72500);
        std::vector<std::uint32_t> sample;
        for (int ring = 0; ring < kGeRings; ++ring) {
            for (int place = 0; place < kGePlaces; ++place) {
                sample.push_back(static_cast<std::uint32_t>(1000 * ring + kGePlaces - 1 - place));
            }
        }
        list.singles = {sample, sample};
        std::for_each(list.singles[1].begin(), list.singles[1].end(), [](std::uint32_t& one) { ++one; });
        writeRdf9(path(), list);

        const EventList events = readEvents(path()).events;
        const auto scanner = events.scannerJson.scanner("list");
        const CrystalSingles singles = singlesOf(path(), *scanner);

        QCOMPARE(singles.duration_s, 2.0);
        for (std::uint32_t c = 0; c < singles.recorded.size(); c += 7) {
            const double number = 0.5 * (singles.recorded[c] - 1);
            const int ring = static_cast<int>(number / 1000);
            const int place = static_cast<int>(std::lround(number)) - 1000 * ring;
            QVERIFY(norm(scanner->reference(c) - gePlace(ring, place)) < 1e-3);
        }
        QVERIFY(scanner->detection.has_value());
        QVERIFY(std::abs(scanner->detection->coincidence_ns - 189.5 * 1e-3 * kGeUnit_ps) < 1e-9);
        QCOMPARE(scanner->detection->window_keV, (std::array<double, 2>{425, 650}));
        QCOMPARE(ratesOfSingles(singles, *scanner).front(), 0.5 * singles.recorded.front());

        const auto refused = [&](const GeList& other, const std::map<std::string, double>& numbers) {
            writeRdf9(path(), other, numbers);
            return refusal([&] { static_cast<void>(rdf9Singles(path())); });
        };
        QVERIFY(refused(list, {{"/HeaderData/SinglesHeader/numValidSamples", 3}}).contains("sample3"));
        QVERIFY(
            refused(list, {{"/HeaderData/SinglesHeader/numValidSamples", 0}}).contains("numValidSamples"));
        QVERIFY(refused(list, {{"/HeaderData/AcqParameters/EDCATParameters/lower_energy_limit", 700}})
                    .contains("lower_energy_limit"));
        QVERIFY(
            refused(list, {{"/HeaderData/SystemGeometry/radialModulesPerSystem", 9}}).contains("sample1"));
        list.singles.clear();
        QVERIFY(refused(list, {}).contains("no singles of crystals"));
    }

    /// Every crystal has a factor of its own; one of them none. Factors are inverse efficiencies.
    void efficienciesAreThoseOfTheirCrystals() {
        GeList norm;
        norm.factors.assign(std::size_t{2} * kGeRings * kGePlaces,
                            99.0F);  // the second half is something else
        double sum = 0;
        const auto factor = [](int ring, int place) { return 1 + 0.01 * ring + 0.001 * place; };
        for (int ring = 0; ring < kGeRings; ++ring) {
            for (int place = 0; place < kGePlaces; ++place) {
                const bool dead = ring == 3 && place == 20;
                const auto at = static_cast<std::size_t>(2 * kGePlaces * ring + kGePlaces - 1 - place);
                norm.factors[at] = dead ? 0.0F : static_cast<float>(factor(ring, place));
                sum += dead ? 0 : 1 / factor(ring, place);
            }
        }
        writeRdf9(path(), norm, {{"/HeaderData/RDFConfiguration/isListFile", 0}});
        GeList list;
        list.marker(70000);
        list.coincidence(3, 20, 4, 40, 255);
        const std::string listPath = folder_.filePath("other.BLF").toStdString();
        writeRdf9(listPath, list);

        QCOMPARE(recognise(path()).kind(), FileKind::Data);
        QVERIFY(recognise(path()).infoJson().find("--norm") != std::string::npos);
        const std::vector<double> found = *rdf9Efficiencies(path());
        const EventList events = readEvents(listPath).events;
        const auto scanner = events.scannerJson.scanner("list");
        requireNormalisation(path(), *scanner);
        QVERIFY(!rdf9Efficiencies(listPath));
        QCOMPARE(found[events.crystals[0][0]], 0.0);
        const double mean = sum / static_cast<double>(kGeRings * kGePlaces);
        for (int ring = 0; ring < kGeRings; ++ring) {
            for (int place = 0; place < kGePlaces; place += 37) {
                std::uint32_t nearest = 0;
                for (std::uint32_t c = 0; c < found.size(); ++c) {
                    const Vec3 at = gePlace(ring, place);
                    nearest =
                        tof::norm(scanner->reference(c) - at) < tof::norm(scanner->reference(nearest) - at)
                            ? c
                            : nearest;
                }
                QVERIFY(std::abs(found[nearest] * mean * factor(ring, place) - 1) < 1e-6);
            }
        }

        const auto refused = [&](float bad, const std::map<std::string, double>& numbers) {
            GeList other = norm;
            other.factors[5] = bad;
            writeRdf9(path(), other, numbers);
            return refusal([&] { static_cast<void>(rdf9Efficiencies(path())); });
        };
        QVERIFY(refused(-1, {}).contains("holds -1"));
        QVERIFY(refused(std::nanf(""), {}).contains("holds nan"));
        QVERIFY(
            refused(1, {{"/HeaderData/RDFConfiguration/fileVersion/majorVersion", 10}}).contains("than 9"));
        QVERIFY(refused(1, {{"/HeaderData/SystemGeometry/axialModulesPerSystem", 3}})
                    .contains("as its geometry is"));
        norm.factors.assign(norm.factors.size(), 0.0F);
        QVERIFY(refused(0, {}).contains("zeros alone"));
    }

    // STIR's loops: views, bins and the planes of segments 0, 1, -1, 2, ... of which GE keeps the views of a
    // block.
    void geometricFactorsAreThoseOfTheirPairs() {
        constexpr int kBins = 31;
        constexpr int kViews = 60;  // 15 blocks of 4
        constexpr int kPlanes = 133;
        GeList norm;
        norm.factors.assign(std::size_t{2} * kGeRings * kGePlaces, 1.0F);
        norm.geometryBins = kBins;
        for (std::uint32_t slice = 0; slice < kViews; ++slice) {
            norm.geometry.emplace_back();
            for (std::uint32_t at = 0; at < kPlanes * kBins; ++at) {
                norm.geometry.back().push_back(4000 + slice * kPlanes * kBins + at);
            }
        }
        norm.geometry[7][5 * kBins + 3] = 0;
        writeRdf9(path(), norm, {{"/HeaderData/RDFConfiguration/isListFile", 0}});
        const auto geometry = Rdf9Geometry::read(path());
        QVERIFY(geometry.has_value());
        const auto crystal = [](int ring, int place) {
            return static_cast<std::uint32_t>((kGeRings - 1 - ring) * kGePlaces + place);
        };
        const auto pair = [](int view, int bin) {  // of STIR's places
            const int half = static_cast<int>(std::floor(bin / 2.0));
            const int other = static_cast<int>(std::floor((bin + 1) / 2.0));
            return std::array{(view + half + kGePlaces) % kGePlaces,
                              (view - other + kGePlaces / 2 + kGePlaces) % kGePlaces};
        };
        int zeros = 0;
        for (const int view : {0, 1, 59, 60, 100, 172, 239}) {
            for (int bin = -kBins / 2; bin <= kBins / 2; ++bin) {
                const auto [one, two] = pair(view, bin);
                std::size_t row = 0;
                for (const int segment : {0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5}) {
                    const int least = segment == 0 ? -1 : segment > 0 ? 2 * segment : 2 * segment - 1;
                    const int most = segment == 0 ? 1 : segment > 0 ? 2 * segment + 1 : 2 * segment;
                    for (int sum = 0; sum <= 2 * kGeRings - 2; ++sum) {
                        bool plane = false;
                        for (int first = 0; first < kGeRings; ++first) {
                            const int second = sum - first;
                            if (second < 0 || second >= kGeRings || second - first < least ||
                                second - first > most) {
                                continue;
                            }
                            plane = true;
                            const auto column = static_cast<std::size_t>(kBins - 1 - (bin + kBins / 2));
                            const auto factor = norm.geometry[static_cast<std::size_t>((239 - view) % kViews)]
                                                             [row * kBins + column];
                            const double expected = factor == 0 ? 0 : 1 / (2.2110049e-4 * factor);
                            zeros += factor == 0 ? 1 : 0;
                            for (const double found :
                                 {geometry->of(crystal(first, one), crystal(second, two)),
                                  geometry->of(crystal(second, two), crystal(first, one))}) {
                                QVERIFY(std::abs(found - expected) <= 1e-6 * expected);
                            }
                        }
                        row += plane ? 1 : 0;
                    }
                }
                QCOMPARE(row, std::size_t{kPlanes});
            }
        }
        QVERIFY(zeros > 0);
        QCOMPARE(geometry->of(crystal(0, 0), crystal(0, 1)), 0.0);  // beyond the bins

        norm.geometry.pop_back();
        writeRdf9(path(), norm, {});
        QVERIFY(refusal([&] { (void)Rdf9Geometry::read(path()); }).contains("slice60' is missing"));
        norm.geometry = {std::vector<std::uint32_t>(59 * kBins, 1)};
        writeRdf9(path(), norm, {});
        QVERIFY(
            refusal([&] { (void)Rdf9Geometry::read(path()); }).contains("neither of 133 planes nor of 60"));
        norm.geometry = {std::vector<std::uint32_t>(60 * kBins)};
        for (std::uint32_t at = 0; at < 60 * kBins; ++at) {
            norm.geometry[0][at] = 100 + at;
        }
        writeRdf9(path(), norm, {});
        const auto alike = Rdf9Geometry::read(path());
        const auto [one, two] = pair(100, 4);
        const double expected =
            1 / (2.2110049e-4 * norm.geometry[0][19 * kBins + 30 - 19]);  // (239 - 100) % 60
        QVERIFY(std::abs(alike->of(crystal(2, one), crystal(9, two)) - expected) <= 1e-6 * expected);
    }

    // A bin adds up its pairs: both crystals' efficiencies and the pair's; rings compressed add up what they
    // hold.
    void binsAreTheSumOfTheirPairs() {
        constexpr int kBins = 31;
        GeList norm;
        norm.geometryBins = kBins;
        for (std::uint32_t at = 0; at < std::uint32_t{2} * kGeRings * kGePlaces; ++at) {
            norm.factors.push_back(1 + 0.001F * static_cast<float>(at % 997));
        }
        for (std::uint32_t slice = 0; slice < 60; ++slice) {
            norm.geometry.emplace_back();
            for (std::uint32_t at = 0; at < 133 * kBins; ++at) {
                norm.geometry.back().push_back(4000 + (slice * 7919 + at * 104729) % 5000);
            }
        }
        norm.marker(70000);
        norm.coincidence(3, 20, 4, 250, 5);
        writeRdf9(path(), norm, {{"/HeaderData/RDFConfiguration/isListFile", 0}});
        const std::string listPath = folder_.filePath("bins.BLF").toStdString();
        GeList list = norm;
        list.factors.clear();
        list.geometry.clear();
        writeRdf9(listPath, list);
        const auto scanner = readEvents(listPath).events.scannerJson.scanner("list");
        MichelogramSpec spec;
        spec.scanner = {"rings", kGeRings, kGePlaces, kGeRadius_mm, 5, kGeTilt_rad};
        spec.radialBins = 21;
        spec.segments = segmentsOfSpan(kGeRings, 1, 4);
        const ThreadPool pool;
        const Michelogram fine(spec);
        spec.segments = segmentsOfSpan(kGeRings, 3, 4);
        const Michelogram coarse(spec);

        const Rdf9BinEfficiencies each = rdf9BinEfficiencies(path(), fine, *scanner, pool);
        const Rdf9BinEfficiencies added = rdf9BinEfficiencies(path(), coarse, *scanner, pool);

        const std::vector<double> efficiencies = *rdf9Efficiencies(path());
        const auto geometry = Rdf9Geometry::read(path());
        const std::vector<std::uint32_t> places = ringCrystals(*scanner, fine.scanner());
        std::vector<double> sums(coarse.bins(), 0.0);
        std::size_t pairs = 0;
        for (std::uint32_t one = 0; one < efficiencies.size(); ++one) {
            for (std::uint32_t two = 0; two < one; ++two) {
                const auto bin = fine.binOf(places[one], places[two], 0);
                const auto wide = coarse.binOf(places[one], places[two], 0);
                QCOMPARE(bin.has_value(), wide.has_value());
                if (!bin) {
                    continue;
                }
                const double expected = efficiencies[one] * efficiencies[two] * geometry->of(one, two);
                QVERIFY(std::abs(static_cast<double>(each.values[*bin]) - expected) <= 1e-6 * expected);
                sums[*wide] += expected;
                ++pairs;
            }
        }
        QCOMPARE(pairs, fine.bins());
        for (std::size_t bin = 0; bin < sums.size(); ++bin) {
            QVERIFY(std::abs(static_cast<double>(added.values[bin]) - sums[bin]) <= 1e-6 * sums[bin]);
        }
        QVERIFY(each.note.find("dead time is not corrected") != std::string::npos);
        QVERIFY(each.note.find("geometric") == std::string::npos);
        QVERIFY(refusal([&] {
                    (void)rdf9BinEfficiencies(listPath, fine, *scanner, pool);
                }).contains("no normalisation of GE"));
    }

    void whatCannotBeUsedIsRefusedByName() {
        GeList good;
        good.marker(70000);
        good.coincidence(0, 0, 11, 50, 1);
        const auto refused = [&](const GeList& list, const std::map<std::string, double>& other = {}) {
            writeRdf9(path(), list, other);
            return refusal([&] { static_cast<void>(readEvents(path())); });
        };

        QVERIFY(refused(good, {{"/HeaderData/ListHeader/isListCompressed", 1}}).contains("compressed"));
        QVERIFY(
            refused(good, {{"/HeaderData/RDFConfiguration/isListFile", 0}}).contains("without list-mode"));
        QVERIFY(refused(good, {{"/HeaderData/RDFConfiguration/fileVersion/majorVersion", 10}})
                    .contains("than 9"));
        QVERIFY(refused(good, {{"/HeaderData/SystemGeometry/detectorAxialSize", 0}})
                    .contains("detectorAxialSize"));
        QVERIFY(refused(good, {{"/HeaderData/SystemGeometry/radialModulesPerSystem", 4000}})
                    .contains("crystals in a row"));
        QVERIFY(refused(good, {{"/HeaderData/ListHeader/lastTmAbsTimeStamp", 1}}).contains("before"));
        GeList cut = good;
        cut.bytes.pop_back();
        QVERIFY(refused(cut).contains("byte 6"));
        GeList odd = good;
        odd.words({0, 0, 0});
        QVERIFY(refused(odd).contains("byte 12"));
        GeList far = good;
        far.words({1U | 4U, 12, 0});
        QVERIFY(refused(far).contains("ring 12"));
    }
};

QTEST_APPLESS_MAIN(Rdf9FilesTest)

}  // namespace rdf9_files_test
#include "rdf9_files_test.moc"
