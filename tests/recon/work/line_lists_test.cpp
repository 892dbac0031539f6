// SPDX-License-Identifier: Apache-2.0
// Lines of response between any points, with corrections and with counts: what list-mode of scanners without
// rings, and of scanners with them, becomes.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/binning/randoms.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/sources/line_histogram.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/refusal.h"
#include "tests/support/rings.h"

namespace line_lists_test {

using namespace tof;
using namespace tof::fixtures;
using namespace tof::test;

namespace {

/// Modules as flat as those of preclinical scanners: 8 of 16 x 7 crystals, 220 mm from face to face.
Scanner flatModules() {
    return Scanner::fromJson(
        R"({"name":"flat","modules":{"count":8,"face_to_face_mm":220,"first_angle_deg":10,)"
        R"("crystals":[16,7],"pitch_mm":[5,5]},"crystal_mm":[5,5,2],"attenuation_per_mm":2.5,"acceptance_deg":30,)"
        R"("fov_diameter_mm":180,"timing_fwhm_ps":200})",
        "test");
}

std::vector<float> image(const std::shared_ptr<const Measurement>& data, const char* algorithm,
                         int iterations, int subsets = 0) {
    RunSettings settings;
    settings.set("engine", "cpu");
    settings.set("algorithm", algorithm);
    settings.set("iterations", std::to_string(iterations));
    settings.set("subsets", std::to_string(subsets));
    JobListener listener;
    const EngineRegistry engines = makeEngineRegistry();
    ReconstructRequest request;
    request.data = data;
    request.settings = settings;
    return reconstruct(request, engines, listener).image->data;
}

std::shared_ptr<const Measurement> held(SinogramData data) {
    return std::make_shared<SinogramMeasurement>(std::move(data));
}
std::shared_ptr<const Measurement> held(LineData data) {
    return std::make_shared<LineMeasurement>(std::move(data));
}

EventList randomPairs(std::uint32_t crystals, int count, unsigned seed) {
    EventList events;
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
        events.crystals.push_back({static_cast<std::uint32_t>(random() % crystals),
                                   static_cast<std::uint32_t>(random() % crystals)});
        events.dt_ps.push_back(static_cast<float>(random() % 801) - 400.0F);
    }
    return events;
}

/// Sinograms with mult and add from 0.2 to 1 and 0.01 to 0.05, the same for all time bins.
SinogramData corrected(SinogramData data) {
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    const std::vector<float> mult = uniformData(data.counts.size() / timeBins, 4, 0.2F, 1.0F);
    data.add = uniformData(data.counts.size(), 5, 0.01F, 0.05F);
    for (std::size_t i = 0; i < data.mult.size(); ++i) {
        data.mult[i] *= mult[i / timeBins];
    }
    return data;
}

void compare(const std::vector<float>& found, const std::vector<float>& expected) {
    QCOMPARE(found.size(), expected.size());
    const double off = relativeToMaximum(found, expected);
    QVERIFY2(off < 1e-4, qPrintable(QString::number(off)));
}

/// Centre of mass of what is above half of the maximum.
Vec3 centreOf(const std::vector<float>& image, const Lattice& lattice) {
    const float half = 0.5F * *std::max_element(image.begin(), image.end());
    Vec3 sum;
    double weight = 0;
    for (int z = 0; z < lattice.size[2]; ++z) {
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                const float value = image[lattice.index(x, y, z)];
                if (value > half) {
                    sum = sum + static_cast<double>(value) * lattice.centre(x, y, z);
                    weight += static_cast<double>(value);
                }
            }
        }
    }
    return (1 / weight) * sum;
}

}  // namespace

class LineListsTest : public QObject {
    Q_OBJECT

  private slots:
    void correctedListEqualsCorrectedSinograms_data() {
        QTest::addColumn<int>("timeBins");
        QTest::newRow("without time") << 0;
        QTest::newRow("with time") << 5;
    }
    void correctedListEqualsCorrectedSinograms() {
        QFETCH(int, timeBins);
        const auto michelogram = std::make_shared<const Michelogram>(fiveRings(1, timeBins));
        const EventList events = randomPairs(480, 20000, 3);
        const SinogramData data = corrected(binEvents(events, nullptr, michelogram, kInFiveRings));

        const LineData list = listLines(events, nullptr, michelogram, kInFiveRings, &data);

        QCOMPARE(list.events->pairs.size(), data.kept);
        QCOMPARE(list.mult.size(), list.events->pairs.size());
        const std::vector<float> expected = image(held(data), "mlem", 3);
        compare(image(held(list), "mlem", 3), expected);
        // The corrections make a difference.
        LineData plain = list;
        plain.add.clear();
        plain.possible.totalAdd = 0;
        QVERIFY(relativeToMaximum(image(held(plain), "mlem", 3), expected) > 0.01);
    }

    void wordsOfBinsEqualTheirSinograms() {
        // Bins that add several pairs of crystals: both take the mean line.
        const auto michelogram = std::make_shared<const Michelogram>(fiveRings(5));
        SinogramData data = binEvents(randomPairs(480, 20000, 4), nullptr, michelogram, kInFiveRings);
        data.add = uniformData(data.counts.size(), 6, 0.01F, 0.05F);
        std::vector<std::uint32_t> words;
        for (std::size_t bin = 0; bin < data.counts.size(); ++bin) {
            words.insert(words.end(), static_cast<std::size_t>(data.counts[bin]),
                         static_cast<std::uint32_t>(bin));
        }

        LineData list = linesOfBins(michelogram, words, kInFiveRings);
        for (const std::uint32_t bin : words) {
            list.add.push_back(data.add[bin]);
        }
        list.possible.totalAdd = std::accumulate(data.add.begin(), data.add.end(), 0.0);

        compare(image(held(list), "mlem", 8), image(held(data), "mlem", 8));
    }

    void allPairsOfAScannerAreItsSinograms() {
        // These lines are told by the field of view: |t| <= 22 of 96 places is a distance below sin(22.5/96
        // pi).
        MichelogramSpec spec = fiveRings(1);
        const auto michelogram = std::make_shared<const Michelogram>(spec);
        const EventList events = randomPairs(480, 20000, 5);
        SinogramData data = binEvents(events, nullptr, michelogram, kInFiveRings);
        Scanner scanner;
        scanner.acceptance_rad = 0.49 * kPi;
        scanner.fovRadius_mm = 200 * std::sin(22.5 / 96 * kPi);
        for (std::uint32_t c = 0; c < 480; ++c) {
            const Vec3 p = spec.scanner.reference(c);
            scanner.crystals.push_back({p, normalized(Vec3{p.x, p.y, 0})});
        }

        weighPairs(data, scanner, ThreadPool(2));

        const LineData list = listLines(events, scanner, {}, kInFiveRings);

        QCOMPARE(list.events->pairs.size(), data.kept);
        QCOMPARE(list.rejected, data.rejected);
        compare(image(held(list), "mlem", 8), image(held(data), "mlem", 8));
    }

    void sensitivityTakesEveryPairOnItsOwnLine_data() {
        QTest::addColumn<bool>("ge");
        QTest::addColumn<int>("mashing");
        QTest::newRow("span 3") << false << 1;
        QTest::newRow("span 3, mashed") << false << 4;
        QTest::newRow("GE") << true << 1;
    }
    void sensitivityTakesEveryPairOnItsOwnLine() {
        QFETCH(bool, ge);
        QFETCH(int, mashing);
        MichelogramSpec spec = fiveRings(3);
        spec.segments = ge ? segmentsOfGe(5) : spec.segments;
        spec.mashing = mashing;
        const auto m = std::make_shared<const Michelogram>(spec);
        const std::uint32_t crystals = 5 * 96;
        EventList every;
        for (std::uint32_t c1 = 0; c1 < crystals; ++c1) {
            for (std::uint32_t c2 = c1 + 1; c2 < crystals; ++c2) {
                every.crystals.push_back({c1, c2});
            }
        }
        const LineData list = listLines(every, nullptr, m, kInFiveRings);
        const AllLines all = allLines(list, ThreadPool(2));
        LineModel model;
        model.lattice = kInFiveRings;
        model.lines = list.events;
        HostHarness pairs(*makeCpuEngine(), model, {});
        std::vector<float> expected(kInFiveRings.voxels(), 0.0F);
        for (std::size_t part = 0; part < pairs.projector().parts(); ++part) {
            const std::vector<float> ones(pairs.projector().dataSize(part), 1.0F);
            expected = pairs.back(part, ones, Write::Add, expected);
        }

        const auto apart = std::get<std::shared_ptr<const Michelogram>>(all.lines);
        model.lines = apart;
        HostHarness bins(*makeCpuEngine(), model, {});
        const std::vector<float> mult = pairMultiplicity(*apart);
        std::vector<float> found(kInFiveRings.voxels(), 0.0F);
        for (std::size_t part = 0; part < apart->parts(); ++part) {
            const auto first = mult.begin() + static_cast<std::ptrdiff_t>(part * apart->partSize());
            found = bins.back(part, {first, first + static_cast<std::ptrdiff_t>(apart->partSize())},
                              Write::Add, found);
        }

        const double off = relativeToMaximum(found, expected);
        QVERIFY2(off < 2e-5, qPrintable(QString::number(off)));  // floats added in different orders
    }

    void linesWithCountsEqualSinograms() {
        const auto michelogram = std::make_shared<const Michelogram>(fiveRings(1));
        const SinogramData data =
            corrected(binEvents(randomPairs(480, 40000, 6), nullptr, michelogram, kInFiveRings));
        std::vector<std::uint32_t> every(data.counts.size());
        std::iota(every.begin(), every.end(), 0U);

        LineData lines = linesOfBins(michelogram, every, kInFiveRings);
        lines.counts = data.counts;
        lines.mult = data.mult;
        lines.add = data.add;

        const std::vector<float> one = image(held(lines), "mlem", 3);
        compare(one, image(held(data), "mlem", 3));
        // Four subsets get about as far in three passes as one in twelve.
        const std::vector<float> far = image(held(lines), "mlem", 12);
        const std::vector<float> subsets = image(held(lines), "osem", 3, 4);
        const double off = relativeToMaximum(subsets, far);
        QVERIFY2(off < relativeToMaximum(one, far), qPrintable(QString::number(off)));
    }

    void crystalsInFlatModulesFindTheirPoint_data() {
        QTest::addColumn<bool>("timed");
        QTest::newRow("without time") << false;
        QTest::newRow("with time") << true;
    }
    void crystalsInFlatModulesFindTheirPoint() {
        QFETCH(bool, timed);
        // Monte Carlo from a point off the centre, which lies in the middle of a voxel.
        const Scanner scanner = flatModules();
        const Lattice lattice = Lattice::centred({45, 45, 21}, {2, 2, 2});
        const Vec3 source{-20, 14, 6};
        Phantom phantom;
        phantom.name = "point";
        PhantomShape point;
        point.kind = PhantomShape::Kind::Point;
        point.centre = source;
        point.activity = 1;
        phantom.shapes = {point};
        EventList events = simulate(scanner, phantom, {10000, 3, 1.0}, ThreadPool(2), {});
        if (!timed) {
            events.dt_ps.clear();
        }

        const LineData list = listLines(events, scanner, timed ? timeBinsFor(scanner) : TofBins(), lattice);

        QCOMPARE(list.rejected, std::uint64_t{0});  // the point is inside the field of view
        QCOMPARE(list.events->tof.count > 0, timed);
        const Vec3 found = centreOf(image(held(list), "mlem", 6), lattice);
        QVERIFY2(norm(found - source) < 0.5,
                 qPrintable(QString("%1 %2 %3").arg(found.x).arg(found.y).arg(found.z)));
    }

    void pairsOfOneModuleAreNoLines() {
        const Scanner scanner = flatModules();
        EventList events;
        events.crystals = {{0, 15}, {3, 100}, {0, 4 * 112 + 50}};
        events.dt_ps = {0, 0, 0};

        const LineData list = listLines(events, scanner, {}, kInFiveRings);

        QCOMPARE(list.rejected, std::uint64_t{2});
        QCOMPARE(list.events->pairs.size(), std::size_t{1});
        events.crystals.push_back({0, 896});
        events.dt_ps.push_back(0);
        QVERIFY(refusal([&] {
                    static_cast<void>(listLines(events, scanner, {}, kInFiveRings));
                }).contains("event 3 names crystals 0 and 896"));
    }

    void linesAreCutIntoLikeParts() {
        LineEvents lines;
        lines.points = {{-1, 0, 0}, {1, 0, 0}};
        lines.pairs.assign(100001, {0, 1});
        std::vector<float> counts(lines.pairs.size());
        std::iota(counts.begin(), counts.end(), 0.0F);

        const LineHistogram histogram = lineHistogram(lines, counts, {}, {});

        const std::size_t parts = histogram.lines->parts();
        QCOMPARE(parts, std::size_t{48});
        QCOMPARE(histogram.counts.size(), parts * histogram.lines->partSize(parts - 1));
        QCOMPARE(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0.0), 100001 * 50000.0);
        QCOMPARE(std::accumulate(histogram.mult.begin(), histogram.mult.end(), 0.0), 100001.0);
        std::vector<float> sorted = histogram.counts;
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(sorted.back(), 100000.0F);
        // Each part is a fair sample: its mean is the whole's to four standard errors of 2084 values.
        const std::size_t size = histogram.lines->eventsPerPart;
        for (std::size_t part = 0; part + 1 < parts; ++part) {
            const auto begin = histogram.counts.begin() + static_cast<std::ptrdiff_t>(part * size);
            const double mean = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(size), 0.0) /
                                static_cast<double>(size);
            QVERIFY(std::abs(mean - 50000) < 4 * 100001 / std::sqrt(12.0 * static_cast<double>(size)));
        }
    }

    void linesSurviveTheirFile_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("list-mode of rings") << "rings";
        QTest::newRow("corrected list-mode of rings") << "corrected";
        QTest::newRow("words of bins") << "bins";
        QTest::newRow("freely placed crystals") << "free";
        QTest::newRow("named pairs and counts") << "pairs";
    }
    void linesSurviveTheirFile() {
        QFETCH(QString, kind);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("l.h5").toStdString();
        const auto michelogram = std::make_shared<const Michelogram>(fiveRings(1, 3));
        const EventList events = randomPairs(480, 500, 7);  // also crystals of the flat modules
        LineData data;
        if (kind == "rings") {
            data = listLines(events, nullptr, michelogram, kInFiveRings);
            data.attenuation = Volume(Lattice::centred({2, 3, 4}, {5, 6, 7}), 0.01F);
        } else if (kind == "corrected") {
            const SinogramData corrections = corrected(binEvents(events, nullptr, michelogram, kInFiveRings));
            data = listLines(events, nullptr, michelogram, kInFiveRings, &corrections);
        } else if (kind == "bins") {
            data = linesOfBins(michelogram, {5, 77, 5, 4000}, kInFiveRings);
        } else {
            data = listLines(events, flatModules(), timeBinsFor(flatModules()), kInFiveRings);
        }
        if (kind == "pairs") {
            data.possible.pairs = {{0, 300}, {5, 200}};
            data.possible.mult = {0.5F, 0.25F};
            data.counts = uniformData(data.events->pairs.size(), 8, 0.0F, 3.0F);
            data.add = uniformData(data.events->pairs.size(), 9, 0.0F, 3.0F);
        }
        data.phantom = "nema-iq";
        data.duration_s = 2.5;
        data.calibration = 37.5;

        writeLineData(path, data);
        const LineData back = readLineData(path);

        QVERIFY(recognise(path).form() == "lors");
        QCOMPARE(back.michelogram != nullptr, data.michelogram != nullptr);
        QCOMPARE(back.events->pairs, data.events->pairs);
        QCOMPARE(back.events->dt_ps, data.events->dt_ps);
        QVERIFY(back.events->tof == data.events->tof);
        QCOMPARE(back.events->points.size(), data.events->points.size());
        for (std::size_t i = 0; i < back.events->points.size(); ++i) {
            QCOMPARE(norm(back.events->points[i] - data.events->points[i]), 0.0);
        }
        QCOMPARE(back.counts, data.counts);
        QCOMPARE(back.mult, data.mult);
        QCOMPARE(back.add, data.add);
        QCOMPARE(back.attenuation.has_value(), data.attenuation.has_value());
        QCOMPARE(back.possible.pairs, data.possible.pairs);
        QCOMPARE(back.possible.mult, data.possible.mult);
        QCOMPARE(back.possible.radius_mm, data.possible.radius_mm);
        QCOMPARE(back.possible.totalAdd, data.possible.totalAdd);
        QCOMPARE(back.rejected, data.rejected);
        QCOMPARE(back.scanner, data.scanner);
        QCOMPARE(back.phantom, data.phantom);
        QCOMPARE(back.duration_s, data.duration_s);
        QCOMPARE(back.calibration, data.calibration);
        QVERIFY(!back.hash.empty());
        LineData other = data;
        other.lattice = Lattice::centred({3, 3, 3}, {8.0, 8.0, 5.0});
        writeLineData(path, other);
        QVERIFY(readLineData(path).hash != back.hash);
    }

    void faultyLinesAreRefused() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("l.h5").toStdString();
        const auto said = [&](const auto& change) {
            LineData data = listLines(randomPairs(896, 50, 7), flatModules(), {}, kInFiveRings);
            auto events = std::make_shared<LineEvents>(*data.events);
            change(data, *events);
            data.events = events;
            writeLineData(path, data);
            return refusal([&] { static_cast<void>(readLineData(path)); });
        };
        const QString stray = said([](LineData&, LineEvents& e) { e.pairs[3] = {0, 896}; });
        QVERIFY2(stray.contains("event 3 names a crystal"), qPrintable(stray));
        const QString point = said([](LineData&, LineEvents& e) { e.points[3].x = std::nan(""); });
        QVERIFY2(point.contains("/lors/points"), qPrintable(point));
        const QString add = said([](LineData& d, LineEvents& e) { d.add.assign(e.pairs.size(), -1.0F); });
        QVERIFY2(add.contains("/corrections/add"), qPrintable(add));
        const QString less = said([](LineData& d, LineEvents&) {
            d.possible.efficiencies.assign(896, 1.0F);
            d.possible.efficiencies[7] = std::nanf("");
        });
        QVERIFY2(less.contains("/possible/efficiencies"), qPrintable(less));
        const QString none = said([](LineData& d, LineEvents&) { d.possible.radius_mm = 0; });
        QVERIFY2(none.contains("radius_mm"), qPrintable(none));
    }

    void gapsTakeTheirPairsAway() {
        MichelogramSpec spec = fiveRings(1);
        spec.mashing = 2;
        spec.anglesPerPart = 1;
        spec.scanner.gapPlaces = {7};
        const auto whole = std::make_shared<const Michelogram>(fiveRings(1));
        const Michelogram m(MichelogramSpec::fromJson(spec.toJson(), "test"));
        QCOMPARE(m.scanner().gapPlaces, std::vector<int>{7});

        const std::vector<float> mult = pairMultiplicity(m);

        // Every unordered pair of places whose bin exists, less those with place 7.
        double expected = 0;
        for (std::uint32_t a = 0; a < 96; ++a) {
            for (std::uint32_t b = a + 1; b < 96; ++b) {
                expected += a != 7 && b != 7 && whole->binOf(a, b, 0) ? 25 : 0;
            }
        }
        QCOMPARE(std::accumulate(mult.begin(), mult.end(), 0.0), expected);
        spec.scanner.gapPlaces = {7, 96};
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(Michelogram(spec)), WrongUse);
        QString json = QString::fromStdString(fiveRings(1).toJson())
                           .replace("\"mashing\"", "\"gap_places\":[9,8],\"mashing\"");
        QVERIFY(refusal([&] {
                    static_cast<void>(MichelogramSpec::fromJson(json.toStdString(), "t"));
                }).contains("gap_places"));
    }

    void placesOfABinAreThoseItsPairsGoTo() {
        const Michelogram m(fiveRings(1));
        for (int angle = 0; angle < 48; ++angle) {
            for (int radial = 0; radial < 45; ++radial) {
                const auto [one, two] = m.placesOf(angle, radial);
                const auto bin = m.binOf(static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(two), 0);
                QVERIFY(bin.has_value());
                QCOMPARE(*bin,
                         m.index(m.slotOfAngle(angle), static_cast<std::size_t>(m.sinogramOf(0, 0)), radial));
            }
        }
    }

    void randomsAreTheProductsOfTheirSingles() {
        // Rates that vary by place and ring; a dead place. With n delayeds per fan the fitted rates are good
        // to about 1/sqrt(n): 96 places of 4 million delayeds are 0.5 %.
        const Michelogram m(fiveRings(3));
        const auto rate = [](std::uint32_t crystal) {
            const double place = crystal % 96;
            const double ring = crystal / 96;
            return crystal % 96 == 7 ? 0.0 : (1 + 0.5 * std::sin(place / 10)) * (1 + 0.2 * ring);
        };
        std::vector<double> expected(m.bins(), 0.0);
        for (std::uint32_t a = 0; a < 480; ++a) {
            for (std::uint32_t b = 0; b < 480; ++b) {
                const auto bin = m.binOf(a, b, 0);
                // The one of the two orders of a pair that stays when its bin's ends are laid out.
                if (bin && a < b) {
                    expected[*bin] += rate(a) * rate(b);
                }
            }
        }
        const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
        constexpr double kCounts = 4e6;
        std::vector<std::uint32_t> delayeds;
        std::mt19937 random(2);
        for (std::size_t bin = 0; bin < expected.size(); ++bin) {
            expected[bin] *= kCounts / sum;
            std::poisson_distribution<int> counts(std::max(expected[bin], 1e-9));
            delayeds.insert(delayeds.end(), static_cast<std::size_t>(counts(random)),
                            static_cast<std::uint32_t>(bin));
        }

        const RandomsEstimate randoms(m, delayeds);

        QCOMPARE(randoms.total(), static_cast<double>(delayeds.size()));
        const std::vector<float> all = randoms.all();
        QVERIFY(std::abs(std::accumulate(all.begin(), all.end(), 0.0) / randoms.total() - 1) < 1e-5);
        for (std::size_t bin = 0; bin < all.size(); ++bin) {
            QVERIFY2(std::abs(static_cast<double>(all[bin]) - expected[bin]) <= 0.05 * expected[bin] + 1e-6,
                     qPrintable(QString("%1: %2, %3").arg(bin).arg(all[bin]).arg(expected[bin])));
        }
        QCOMPARE(RandomsEstimate(m, {}).at(5), 0.0F);
    }
};

QTEST_GUILESS_MAIN(LineListsTest)

}  // namespace line_lists_test
#include "line_lists_test.moc"
