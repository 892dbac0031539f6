// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_model.h"
#include "recon/work/sinogram_simulation.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/rings.h"

namespace line_binning_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

MichelogramSpec ring() {
    return test::ringsOf({"ring", 12, 240, 200.0, 4.0, 0.0}, 3, 4, 71, 4);
}

/// The crystals of a ring scanner in another order and numbering: as a Monte Carlo scanner lists them.
Scanner asScanner(const RingScanner& ring) {
    Scanner scanner;
    scanner.name = "reversed";
    // Thin and dense, so that the depth of interaction hardly varies.
    scanner.crystalSize_mm = {5.0, 3.9, 2.0};
    scanner.attenuation_per_mm = 2.5;
    scanner.meanDepth_mm = 0.4;
    scanner.acceptance_rad = 0.3;
    scanner.fovRadius_mm = 150;
    scanner.timing_fwhm_ps = 400;
    const auto count = static_cast<std::uint32_t>(ring.rings * ring.crystalsPerRing);
    for (std::uint32_t c = 0; c < count; ++c) {
        const Vec3 p = ring.reference(count - 1 - c);
        const Vec3 outward = normalized(Vec3{p.x, p.y, 0});
        scanner.crystals.push_back({p - scanner.meanDepth_mm * outward, outward});
    }
    return scanner;
}

/// Centre of mass within 12 mm of itself, found from the brightest voxel on.
Vec3 centreOfSpot(const std::vector<float>& image, const Lattice& lattice) {
    const auto best = static_cast<std::size_t>(std::max_element(image.begin(), image.end()) - image.begin());
    const auto position = [&](std::size_t i) {
        const auto nx = static_cast<std::size_t>(lattice.size[0]);
        const auto ny = static_cast<std::size_t>(lattice.size[1]);
        return lattice.centre(static_cast<double>(i % nx), static_cast<double>(i / nx % ny),
                              static_cast<double>(i / nx / ny));
    };
    Vec3 found = position(best);
    for (int round = 0; round < 20; ++round) {
        Vec3 sum;
        double weight = 0;
        for (std::size_t i = 0; i < image.size(); ++i) {
            // A soft edge, so that the centre can move by less than a voxel.
            const double distance = norm(position(i) - found);
            const double inside = std::clamp((14 - distance) / 4, 0.0, 1.0);
            sum = sum + inside * static_cast<double>(image[i]) * position(i);
            weight += inside * static_cast<double>(image[i]);
        }
        found = (1 / weight) * sum;
    }
    return found;
}

}  // namespace

class RingBinningTest : public QObject {
    Q_OBJECT

  private slots:
    void aSimulatedPointIsFoundWhereItIs_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::addColumn<int>("timeBins");
        QTest::newRow("off-centre") << 32.0 << -20.0 << 8.0 << 0;
        QTest::newRow("off-centre, time of flight") << 32.0 << -20.0 << 8.0 << 3;
        QTest::newRow("other side, time of flight") << -40.0 << 4.0 << -12.0 << 3;
    }
    void aSimulatedPointIsFoundWhereItIs() {
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        QFETCH(int, timeBins);
        // At voxel centres: the likeliest image of a point is the one voxel that holds it.
        // Monte Carlo knows nothing of sinograms: events from crystals in another numbering, with times.
        MichelogramSpec spec = ring();
        if (timeBins > 0) {
            spec.tof = {timeBins, 350, 400};
        }
        const Scanner scanner = asScanner(spec.scanner);
        Phantom phantom;
        phantom.name = "point";
        PhantomShape point;
        point.kind = PhantomShape::Kind::Point;
        point.centre = {x, y, z};
        point.activity = 1;
        phantom.shapes = {point};
        const EventList events =
            simulate(scanner, phantom, {40000, 3, 1.0}, ThreadPool(2), [](std::uint64_t) {});
        const Lattice lattice = Lattice::centred({31, 31, 11}, {4, 4, 4});

        const auto data = std::make_shared<SinogramData>(
            binEvents(events, &scanner, std::make_shared<const Michelogram>(spec), lattice));
        QCOMPARE(data->kept + data->rejected, std::uint64_t{40000});
        QVERIFY(data->kept > 10000);
        LineModel model;
        model.lattice = lattice;
        model.lines = data->michelogram;
        const auto engine = makeCpuEngine();
        const auto projector = requireProjector(*engine, model, engine->makeSpace({}), {});
        HostHistoSource source(partsOf(data));
        AlgorithmSettings settings;
        settings.algorithm = &osem();
        settings.subsets = 10;
        settings.iterations = 2;
        std::vector<std::size_t> order(projector->parts());
        std::iota(order.begin(), order.end(), std::size_t{0});
        RunControl control;
        Reconstruction run(*projector, source, lattice, settings, order, control);
        run.run(control);

        const std::vector<float> image = run.image().data;
        const Vec3 found = centreOfSpot(image, lattice);
        QVERIFY2(norm(found - Vec3{x, y, z}) < 0.5,
                 qPrintable(QString("%1 %2 %3").arg(found.x).arg(found.y).arg(found.z)));
    }

    void theWrongTimeSignIsSeen() {
        // Back projection with time of flight of a point on one side: with dt reversed it lands on the other.
        MichelogramSpec spec = ring();
        spec.tof = {9, 100, 200};
        const Michelogram m(spec);
        EventList events;
        const double x = 50;  // on the x axis; crystals 60 (psi = 90 degrees, +x) and 180 (-x) of ring 5
        const auto dt = static_cast<float>(-x / 0.149896229);  // nearer crystal 1 at +x
        for (int i = 0; i < 100; ++i) {
            events.crystals.push_back({5 * 240 + 60, 5 * 240 + 180});
            events.dt_ps.push_back(dt);
        }
        const Lattice lattice = Lattice::centred({41, 3, 15}, {4, 4, 4});
        const SinogramData data =
            binEvents(events, nullptr, std::make_shared<const Michelogram>(spec), lattice);
        QCOMPARE(data.kept, std::uint64_t{100});
        LineModel model;
        model.lattice = lattice;
        model.lines = data.michelogram;
        HostHarness harness(*makeCpuEngine(), model, {});
        std::vector<float> image(lattice.voxels(), 0.0F);
        for (std::size_t part = 0; part < m.parts(); ++part) {
            const auto* const first = data.counts.data() + part * m.partSize();
            image = harness.back(part, std::vector<float>(first, first + m.partSize()), Write::Add, image);
        }
        double moment = 0;
        double sum = 0;
        for (std::size_t i = 0; i < image.size(); ++i) {
            moment += static_cast<double>(image[i]) * lattice.centre(static_cast<double>(i % 41), 0, 0).x;
            sum += static_cast<double>(image[i]);
        }
        QVERIFY2(moment / sum > 35 && moment / sum < 65, qPrintable(QString::number(moment / sum)));
    }

    void binsCountTheirCrystalPairs() {
        MichelogramSpec spec = ring();
        spec.segments = segmentsOfGe(12);
        spec.mashing = 2;
        const Michelogram m(spec);
        const std::vector<float> mult = pairMultiplicity(m);
        const auto cross = static_cast<std::size_t>(m.sinogramOf(2, 3));
        const auto direct = static_cast<std::size_t>(m.sinogramOf(2, 2));
        QCOMPARE(mult[m.index(4, cross, 7)], 4.0F);
        QCOMPARE(mult[m.index(4, direct, 7)], 2.0F);
    }

    void attenuationIsTheExponentialOfItsLineIntegral() {
        // 0.01/mm in a box of 80 mm: exp(-0.8) along x, whatever the time bin.
        MichelogramSpec spec = ring();
        spec.tof = {3, 200, 400};
        SinogramData data;
        data.michelogram = std::make_shared<const Michelogram>(spec);
        data.counts.assign(data.michelogram->bins(), 0.0F);
        const Volume mu(Lattice::centred({20, 20, 20}, {4, 4, 4}), 0.01F);

        applyAttenuation(data, mu, ThreadPool(2), [](double) {});

        const Michelogram& m = *data.michelogram;
        const auto plane = static_cast<std::size_t>(m.sinogramOf(3, 3));
        for (int k = 0; k < 3; ++k) {
            const float along = data.mult[m.index(m.slotOfAngle(0), plane, 35, k)];
            QVERIFY(std::abs(static_cast<double>(along) - std::exp(-0.8)) < 1e-6);
            QCOMPARE(data.mult[m.index(m.slotOfAngle(0), plane, 0, k)], 1.0F);
        }
    }

    void attenuationOfListedLinesTellsHowFarItIsAndStopsWhenAsked() {
        LineEvents lines;
        lines.points = {{-100, 0, 0}, {100, 0, 0}, {-100, 60, 0}, {100, 60, 0}};
        lines.pairs.assign(600'000, {0, 1});
        lines.pairs.back() = {2, 3};
        const Volume mu(Lattice::centred({20, 20, 20}, {4, 4, 4}), 0.01F);
        std::vector<double> shares;

        const std::vector<float> factors =
            attenuationOf(lines, mu, ThreadPool(2), [&](double share) { shares.push_back(share); });

        QVERIFY(std::all_of(factors.begin(), factors.end() - 1, [](float factor) {
            return std::abs(static_cast<double>(factor) - std::exp(-0.8)) < 1e-6;
        }));
        QCOMPARE(factors.back(), 1.0F);
        QVERIFY(shares.size() > 1);
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QCOMPARE(shares.back(), 1.0);
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, (void)attenuationOf(lines, mu, ThreadPool(2), [](double) { throw Cancelled(); }));
    }

    void simulatedSinogramsHaveTheCountsAskedFor() {
        SinogramSimulation what{ring(), Lattice::centred({40, 40, 12}, {8, 8, 5}), 1e5, 7, true};
        what.blur_mm = 0;
        const Phantom phantom = Phantom::find("uniform-cylinder");

        const SinogramData data = simulateSinograms(what, phantom, ThreadPool(2), [](double) {});

        QVERIFY(std::abs(static_cast<double>(data.kept) - 1e5) < 5 * std::sqrt(1e5));
        // Through the axis: 200 mm of water at 0.0096/mm, within a voxel of it.
        const Michelogram& m = *data.michelogram;
        const auto plane = static_cast<std::size_t>(m.sinogramOf(3, 3));
        const float central = data.mult[m.index(0, plane, 35)];
        QVERIFY(std::abs(std::log(static_cast<double>(central)) + 1.92) < 0.08);
        what.seed = 8;
        QVERIFY(simulateSinograms(what, phantom, ThreadPool(2), [](double) {}).counts != data.counts);
    }

    /// Nothing of a projector or of the image's lattice is in them.
    void simulatedSinogramsAreExactChords() {
        SinogramSimulation what{ring(), Lattice::centred({40, 40, 12}, {8, 8, 5}), 1e6, 7, false};
        what.blur_mm = 0;
        what.noiseFree = true;
        const Phantom phantom = Phantom::fromJson(
            R"({"name":"t","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":40,"length_mm":300,)"
            R"("activity":1}]})",
            "test");
        const auto sumOfTimes = [](const SinogramData& data, int radial) {
            const Michelogram& m = *data.michelogram;
            const std::size_t bin = m.index(0, static_cast<std::size_t>(m.sinogramOf(3, 3)), radial);
            double sum = 0;
            for (int k = 0; k < m.timeBins(); ++k) {
                sum += static_cast<double>(data.counts[bin + static_cast<std::size_t>(k)]);
            }
            return sum;
        };

        const SinogramData data = simulateSinograms(what, phantom, ThreadPool(2), [](double) {});

        const Michelogram& m = *data.michelogram;
        const int middle = m.radialBins() / 2;
        int outside = middle;
        for (int radial = middle; radial < m.radialBins(); ++radial) {
            const TransverseLine line = m.line(m.angleOfSlot(0), radial);
            const double s = std::abs(line.x1 * line.y2 - line.x2 * line.y1) /
                             std::hypot(line.x2 - line.x1, line.y2 - line.y1);
            const double chord = s < 40 ? 2 * std::sqrt(40 * 40 - s * s) : 0;
            const double unit = sumOfTimes(data, middle) / 80;
            QVERIFY(std::abs(sumOfTimes(data, radial) - unit * chord) < 1e-3 * unit * 80);
            outside = outside == middle && s > 40 ? radial : outside;
        }
        QVERIFY(outside > middle);
        what.lattice = Lattice::centred({20, 20, 4}, {16, 16, 15});
        QCOMPARE(simulateSinograms(what, phantom, ThreadPool(1), [](double) {}).counts, data.counts);
        what.blur_mm = 20;
        QCOMPARE(sumOfTimes(data, outside), 0.0);
        QVERIFY(sumOfTimes(simulateSinograms(what, phantom, ThreadPool(2), [](double) {}), outside) > 0);
    }

    void crystalsThatAreNotThereAreRefused() {
        EventList events;
        events.crystals = {{0, 50000}};
        const auto michelogram = std::make_shared<const Michelogram>(ring());
        const Lattice lattice = Lattice::centred({4, 4, 4}, {4, 4, 4});
        QVERIFY_THROWS_EXCEPTION(BadInput,
                                 static_cast<void>(binEvents(events, nullptr, michelogram, lattice)));
        Scanner wide = asScanner(ring().scanner);
        wide.crystals[3].front = 2.0 * wide.crystals[3].front;
        events.crystals = {{0, 5}};
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(binEvents(events, &wide, michelogram, lattice)));
    }
};

QTEST_APPLESS_MAIN(RingBinningTest)

}  // namespace line_binning_test
#include "line_binning_test.moc"
