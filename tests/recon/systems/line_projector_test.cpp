// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/point_spread.h"
#include "recon/systems/lines/image_blur.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/line_table.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/rings.h"

namespace line_projector_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

/// Six rings of 40 crystals, spacing 8 mm; sizes that are no multiples of anything.
MichelogramSpec smallSpec() {
    return test::ringsOf({"small", 6, 40, 120.0, 8.0, 0.05}, 3, 4, 29, 5);
}

LineModel modelOf(const MichelogramSpec& spec, const Lattice& lattice) {
    LineModel model;
    model.lattice = lattice;
    model.lines = std::make_shared<const Michelogram>(spec);
    return model;
}

const Lattice kSmallLattice = Lattice::centred({19, 17, 11}, {6.0, 7.0, 4.0});

std::vector<float> uniformRandom(std::size_t n, unsigned seed) {
    return uniformData(n, seed, 0.1F, 1.0F);
}

EngineOptions threads(int count) {
    EngineOptions options;
    options.threads = count;
    return options;
}

/// Random coincidences of a scanner with times of +-400 ps.
std::shared_ptr<LineEvents> randomEvents(const RingScanner& scanner, const TofBins& tof, std::size_t count,
                                         unsigned seed) {
    std::mt19937 random(seed);
    auto events = std::make_shared<LineEvents>();
    const auto crystals = static_cast<std::uint32_t>(scanner.rings * scanner.crystalsPerRing);
    for (std::uint32_t c = 0; c < crystals; ++c) {
        events->points.push_back(scanner.reference(c));
    }
    while (events->pairs.size() < count) {
        events->pairs.push_back({static_cast<std::uint32_t>(random() % crystals),
                                 static_cast<std::uint32_t>(random() % crystals)});
        events->dt_ps.push_back(static_cast<float>(random() % 8000) * 0.1F - 400.0F);
    }
    events->tof = tof;
    return events;
}

}  // namespace

class RingProjectorTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();

  private slots:
    /// Rings two planes apart: a ray in the middle, and one shared with each neighbour.
    void aRayPerPlaneCountsTheRaysAtTheEndsHalf() {
        MichelogramSpec spec = smallSpec();
        spec.segments = segmentsOfSpan(6, 1, 4);
        LineModel model = modelOf(spec, kSmallLattice);
        const LineModel single = model;
        model.axialRays = LineModel::kRayPerPlane;
        HostHarness planes(*cpu_, model, threads(1));
        HostHarness one(*cpu_, single, threads(1));
        Volume middle(kSmallLattice, 0.0F);
        Volume up = middle;
        Volume down = middle;
        const std::vector<float> random = uniformRandom(kSmallLattice.voxels(), 4);
        kSmallLattice.forEachVoxel([&](int x, int y, int z) {
            if (z >= 1 && z < kSmallLattice.size[2] - 1) {
                const float value = random[kSmallLattice.index(x, y, z)];
                middle.at(x, y, z) = value;
                up.at(x, y, z + 1) = value;
                down.at(x, y, z - 1) = value;
            }
        });

        const std::vector<float> together = planes.forward(0, middle.data);

        const std::vector<float> m = one.forward(0, middle.data);
        const std::vector<float> u = one.forward(0, up.data);
        const std::vector<float> d = one.forward(0, down.data);
        for (std::size_t i = 0; i < together.size(); ++i) {
            QVERIFY(std::abs(together[i] - (0.5F * m[i] + 0.25F * (u[i] + d[i]))) < 1e-4F * (1 + m[i]));
        }
    }

    void sinogramsAPlaneApartHaveOneRayEach() {
        LineModel model = modelOf(smallSpec(), kSmallLattice);  // it has span 3: half a ring apart
        model.axialRays = LineModel::kRayPerPlane;
        QCOMPARE(LineTable(model).rays(), 1);
        MichelogramSpec mixed = smallSpec();
        mixed.segments = segmentsOfGe(6);
        model = modelOf(mixed, kSmallLattice);
        model.axialRays = LineModel::kRayPerPlane;
        const LineTable lines(model);
        QCOMPARE(lines.rays(), 4);
        QCOMPARE(lines.axialShifts().front(), 0.0);  // segment 0 has it, four times the same
        QCOMPARE(lines.axialShifts().back(), 4.0);
        model.lattice = Lattice::centred({19, 17, 11}, {6.0, 7.0, 3.0});
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(LineTable(model)), WrongUse);
    }

    void forwardAndBackAreAdjoint_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"siddon", "joseph", "siddon tof", "joseph tof", "several rays",
                                 "a ray per plane", "psf", "field of view", "list", "list tof",
                                 "list by place", "tof by place with tails", "arc-corrected"}) {
            QTest::newRow(what) << what;
        }
    }
    void forwardAndBackAreAdjoint() {
        QFETCH(QString, what);
        MichelogramSpec spec = smallSpec();
        if (what.contains("tof")) {
            spec.tof = {7, 120, 300};
        }
        if (what == "arc-corrected") {
            spec.binSize_mm = 5;
            spec.mashing = 2;
        }
        if (what == "a ray per plane") {
            spec.segments = segmentsOfSpan(6, 1, 4);
        }
        LineModel model = modelOf(spec, kSmallLattice);
        model.axialRays = what == "a ray per plane" ? LineModel::kRayPerPlane : 1;
        model.method = what.contains("joseph") ? RayMethod::Joseph : RayMethod::Siddon;
        if (what == "several rays") {
            model.radialRays = 3;
            model.axialRays = 2;
        }
        model.psfFwhm_mm = what == "psf" ? 9.0 : 0.0;
        if (what.contains("by place")) {
            model.spread = std::make_shared<const PointSpread>(
                PointSpread{40, {{3, 3, 4}, {7, 4, 4}}, what.contains("tails") ? 0.3 : 0.0, 2});
        }
        model.fovRadius_mm = what == "field of view" ? 45.0 : 0.0;
        if (what.contains("list")) {
            auto events = randomEvents(spec.scanner, spec.tof, 5000, 5);
            events->eventsPerPart = 1999;
            model.lines = std::shared_ptr<const LineEvents>(events);
        }
        HostHarness harness(*cpu_, model, threads(2));
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const std::vector<float> x = uniformRandom(kSmallLattice.voxels(), seed);
            double left = 0;
            double right = 0;
            for (std::size_t part = 0; part < harness.projector().parts(); ++part) {
                const std::vector<float> p = uniformRandom(harness.projector().dataSize(part),
                                                           seed + 10 + static_cast<unsigned>(part));
                const double one = dotProduct(harness.forward(part, x), p);
                const double two = dotProduct(x, harness.back(part, p));
                QVERIFY(one > 0);
                QVERIFY2(std::abs(one - two) <= 1e-5 * one,
                         qPrintable(QString("part %1: %2").arg(part).arg(two / one - 1)));
                left += one;
                right += two;
            }
            QVERIFY(std::abs(left - right) <= 1e-5 * left);
        }
    }

    void backAddsOrOverwrites_data() {
        QTest::addColumn<double>("psf");
        QTest::newRow("sharp") << 0.0;
        QTest::newRow("blurred") << 9.0;
    }
    void backAddsOrOverwrites() {
        QFETCH(double, psf);
        LineModel model = modelOf(smallSpec(), kSmallLattice);
        model.psfFwhm_mm = psf;
        HostHarness harness(*cpu_, model, threads(2));
        const std::vector<float> p = uniformRandom(harness.projector().dataSize(1), 4);
        const std::vector<float> start = uniformRandom(kSmallLattice.voxels(), 5);

        const std::vector<float> alone = harness.back(1, p);
        const std::vector<float> added = harness.back(1, p, Write::Add, start);

        for (std::size_t i = 0; i < alone.size(); ++i) {
            QVERIFY(std::abs(added[i] - (alone[i] + start[i])) <= 1e-5F * added[i]);
        }
    }

    void theSameBitsForAnyNumberOfThreads() {
        // Large enough for several partial images.
        MichelogramSpec spec = smallSpec();
        spec.segments = segmentsOfSpan(6, 1, 5);
        spec.anglesPerPart = 20;
        const LineModel model = modelOf(spec, kSmallLattice);
        HostHarness one(*cpu_, model, threads(1));
        HostHarness three(*cpu_, model, threads(3));
        const std::vector<float> x = uniformRandom(kSmallLattice.voxels(), 1);
        const std::vector<float> p = uniformRandom(one.projector().dataSize(0), 2);
        QVERIFY(p.size() > 16384);

        QCOMPARE(one.forward(0, x), three.forward(0, x));
        QCOMPARE(one.back(0, p), three.back(0, p));
    }

    void aLineIsTheIntegralAlongIt() {
        // A uniform image: every bin is its line's chord through the lattice, also with rays averaged.
        const LineModel model = modelOf(smallSpec(), kSmallLattice);
        const Michelogram m(smallSpec());
        HostHarness harness(*cpu_, model, threads(1));
        const std::vector<float> ones(kSmallLattice.voxels(), 1.0F);
        const std::vector<float> p = harness.forward(2, ones);
        const double half[3] = {57.0, 59.5, 22.0};
        std::size_t datum = 0;
        for (int slot = 10; slot < 15; ++slot) {
            for (const Sinogram& plane : m.sinograms()) {
                for (int radial = 0; radial < 29; ++radial, ++datum) {
                    const TransverseLine t = m.line(m.angleOfSlot(slot), radial);
                    const double a[3] = {t.x1, t.y1, plane.z1_mm};
                    const double b[3] = {t.x2, t.y2, plane.z2_mm};
                    double low = 0;
                    double high = 1;
                    double length2 = 0;
                    for (int k = 0; k < 3; ++k) {
                        const double d = b[k] - a[k];
                        length2 += d * d;
                        if (std::abs(d) > 1e-9) {
                            low = std::max(low, std::min((-half[k] - a[k]) / d, (half[k] - a[k]) / d));
                            high = std::min(high, std::max((-half[k] - a[k]) / d, (half[k] - a[k]) / d));
                        }
                    }
                    const double chord = high > low ? (high - low) * std::sqrt(length2) : 0.0;
                    QVERIFY(std::abs(static_cast<double>(p[datum]) - chord) <= 1e-5 * std::max(chord, 1.0));
                }
            }
        }
        QCOMPARE(datum, p.size());
    }

    void timeBinsSumToTheBinWithoutTime() {
        MichelogramSpec spec = smallSpec();
        HostHarness plain(*cpu_, modelOf(spec, kSmallLattice), threads(2));
        spec.tof = {9, 90, 200};
        HostHarness timed(*cpu_, modelOf(spec, kSmallLattice), threads(2));
        const std::vector<float> x = uniformRandom(kSmallLattice.voxels(), 1);

        const std::vector<float> expected = plain.forward(1, x);
        const std::vector<float> bins = timed.forward(1, x);

        QCOMPARE(bins.size(), 9 * expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double sum = std::accumulate(bins.begin() + static_cast<std::ptrdiff_t>(9 * i),
                                               bins.begin() + static_cast<std::ptrdiff_t>(9 * i + 9), 0.0);
            QVERIFY(std::abs(sum - static_cast<double>(expected[i])) <=
                    1e-4 * static_cast<double>(expected[i]) + 1e-6);
        }
    }

    void sensitivityWithTimeIsThatWithout() {
        MichelogramSpec spec = smallSpec();
        HostHarness plain(*cpu_, modelOf(spec, kSmallLattice), threads(2));
        spec.tof = {9, 90, 200};
        HostHarness timed(*cpu_, modelOf(spec, kSmallLattice), threads(2));

        const auto expected = plain.back(0, std::vector<float>(plain.projector().dataSize(0), 1.0F));
        const auto sum = timed.back(0, std::vector<float>(timed.projector().dataSize(0), 1.0F));

        QVERIFY(relativeToMaximum(sum, expected) < 1e-4);
    }

    void anEmissionLiesInTheTimeBinOfItsPlace() {
        // A voxel 40 mm from the centre towards crystal 2: dt = +40 mm / 0.1499 mm/ps = 267 ps, bin 6 of 7.
        MichelogramSpec spec = smallSpec();
        spec.tof = {7, 100, 60};
        const LineModel model = modelOf(spec, kSmallLattice);
        const Michelogram m(spec);
        HostHarness harness(*cpu_, model, threads(1));
        for (const int angle : {0, 3, 11, 19}) {
            const int radial = 14;  // through the axis
            const TransverseLine t = m.line(angle, radial);
            const Vec3 direction = normalized(Vec3{t.x2 - t.x1, t.y2 - t.y1, 0});
            const Vec3 at = kSmallLattice.continuousIndex(40.0 * direction);
            std::vector<float> x(kSmallLattice.voxels(), 0.0F);
            for (int z = 0; z < 11; ++z) {
                x[kSmallLattice.index(static_cast<int>(std::lround(at.x)),
                                      static_cast<int>(std::lround(at.y)), z)] = 1.0F;
            }
            const int slot = m.slotOfAngle(angle);
            const auto part = static_cast<std::size_t>(slot / 5);
            const std::vector<float> p = harness.forward(part, x);
            const auto plane = static_cast<std::size_t>(m.sinogramOf(2, 2));
            const std::size_t first = m.index(slot % 5, plane, radial);
            const auto* const best = std::max_element(p.data() + first, p.data() + first + 7);
            QVERIFY(*best > 0);
            QCOMPARE(best - (p.data() + first), std::ptrdiff_t{6});
        }
    }

    void listModeEqualsTheBinsOfItsCrystalPairs_data() {
        QTest::addColumn<int>("timeBins");
        QTest::newRow("without time") << 0;
        QTest::newRow("with time") << 7;
    }
    void listModeEqualsTheBinsOfItsCrystalPairs() {
        QFETCH(int, timeBins);
        MichelogramSpec spec = smallSpec();
        spec.segments = segmentsOfSpan(6, 1, 5);
        spec.radialBins = 40;
        spec.anglesPerPart = 20;
        if (timeBins > 0) {
            spec.tof = {timeBins, 120, 300};
        }
        const Michelogram m(spec);
        auto events = randomEvents(spec.scanner, spec.tof, 3000, 9);
        std::vector<float> counts(m.bins(), 0.0F);
        std::vector<std::array<std::uint32_t, 2>> kept;
        std::vector<float> times;
        for (std::size_t i = 0; i < events->pairs.size(); ++i) {
            const auto [c1, c2] = events->pairs[i];
            if (const auto bin = m.binOf(c1, c2, static_cast<double>(events->dt_ps[i]))) {
                counts[*bin] += 1.0F;
                kept.push_back(events->pairs[i]);
                times.push_back(events->dt_ps[i]);
            }
        }
        events->pairs = kept;
        events->dt_ps = times;
        LineModel list = modelOf(spec, kSmallLattice);
        list.lines = std::shared_ptr<const LineEvents>(events);
        HostHarness histogram(*cpu_, modelOf(spec, kSmallLattice), threads(2));
        HostHarness listed(*cpu_, list, threads(2));
        QVERIFY(kept.size() > 2500);

        const auto expected = histogram.back(0, counts);
        const auto values = listed.back(0, std::vector<float>(kept.size(), 1.0F));

        QVERIFY(relativeToMaximum(values, expected) < 1e-5);
    }

    void aUniformCylinderProjectsToItsChords_data() {
        QTest::addColumn<int>("voxels");
        QTest::addColumn<int>("rays");
        QTest::addColumn<double>("rms");
        QTest::addColumn<double>("worst");
        // A voxel on the surface holds its volume fraction; a line through it may see up to a third of a
        // voxel more or less, at each end and more where it grazes.
        QTest::newRow("2 mm voxels") << 128 << 1 << 0.005 << 0.015;
        QTest::newRow("1 mm voxels") << 256 << 1 << 0.0025 << 0.0075;
        // Rays 0.65 mm apart meet the voxels of the surface at different places.
        QTest::newRow("2 mm voxels, five rays") << 128 << 5 << 0.001 << 0.005;
    }
    void aUniformCylinderProjectsToItsChords() {
        QFETCH(int, voxels);
        QFETCH(int, rays);
        QFETCH(double, rms);
        QFETCH(double, worst);
        // Cylinder of 120 mm radius, longer than the lattice, by volume fraction.
        const double size = 256.0 / voxels;
        const Lattice lattice = Lattice::centred({voxels, voxels, 3}, {size, size, 8.0});
        const Phantom phantom = Phantom::fromJson(
            R"({"name":"c","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":120,)"
            R"("length_mm":900,"activity":1}]})",
            "test");
        const Volume image = phantom.emissionOn(lattice, 8);
        MichelogramSpec spec;
        spec.scanner = {"ring", 1, 288, 300.0, 8.0, 0.01};
        spec.segments = {{0, 0}};
        spec.radialBins = 141;
        spec.anglesPerPart = 144;
        for (const RayMethod method : {RayMethod::Siddon, RayMethod::Joseph}) {
            LineModel model = modelOf(spec, lattice);
            model.method = method;
            model.radialRays = rays;
            HostHarness harness(*cpu_, model, threads(2));
            const std::vector<float> p = harness.forward(0, image.data);
            int compared = 0;
            double largest = 0;
            double squares = 0;
            for (std::size_t i = 0; i < p.size(); ++i) {
                double chord = 0;  // mean over the rays
                double shortest = 1e9;
                for (int ray = 0; ray < rays; ++ray) {
                    const double radial = static_cast<int>(i % 141) - 70 + (ray + 0.5) / rays - 0.5;
                    const double s = 300.0 * std::sin(radial * kPi / 288);
                    const double length = std::abs(s) < 120 ? 2 * std::sqrt(120.0 * 120 - s * s) : 0;
                    chord += length / rays;
                    shortest = std::min(shortest, length);
                }
                if (shortest > 150) {
                    ++compared;
                    const double off = std::abs(static_cast<double>(p[i]) / chord - 1);
                    largest = std::max(largest, off);
                    squares += off * off;
                }
            }
            QVERIFY(compared > 5000);
            QVERIFY2(std::sqrt(squares / compared) < rms, qPrintable(QString::number(squares)));
            QVERIFY2(largest < (method == RayMethod::Joseph ? 0.005 : worst),
                     qPrintable(QString("off by %1").arg(largest)));
        }
    }

    void theBlurSpreadsAPointByItsWidth() {
        LineModel model = modelOf(smallSpec(), Lattice::centred({41, 41, 41}, {2, 2, 2}));
        const ImageBlur blur(model.lattice, 8.0);
        std::vector<float> point(model.lattice.voxels(), 0.0F);
        point[model.lattice.index(20, 20, 20)] = 1.0F;
        std::vector<float> scratch(point.size());
        std::vector<float> out(point.size());
        const ThreadPool pool(2);

        blur.forward(point.data(), scratch.data(), out.data(), pool);

        double sum = 0;
        double second = 0;
        for (int x = 0; x < 41; ++x) {
            for (int y = 0; y < 41; ++y) {
                for (int z = 0; z < 41; ++z) {
                    const auto value = static_cast<double>(out[model.lattice.index(x, y, z)]);
                    sum += value;
                    second += value * 4.0 * (x - 20) * (x - 20);
                }
            }
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
        QVERIFY(std::abs(std::sqrt(second) * kFwhmPerSigma - 8.0) < 0.02);
    }

    /// Samples of a Gaussian narrower than a voxel and a half miss its flanks.
    void theBlurHasItsWidthOnCoarseVoxels() {
        for (const double voxels : {0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 3.0}) {
            const ImageBlur blur(Lattice::centred({41, 41, 41}, {4, 2, 1}), 4 * voxels);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double sigma = 4 * voxels / std::array{4.0, 2.0, 1.0}[axis] / kFwhmPerSigma;
                const std::vector<float>& weights = blur.weights(axis);
                double sum = static_cast<double>(weights[0]);
                double second = 0;
                for (std::size_t k = 1; k < weights.size(); ++k) {
                    sum += 2 * static_cast<double>(weights[k]);
                    second += 2 * static_cast<double>(weights[k]) * static_cast<double>(k * k);
                }
                QVERIFY(std::abs(sum - 1) < 1e-6);
                QVERIFY2(std::abs(second / (sigma * sigma) - 1) < 0.0101,
                         qPrintable(QString("%1 voxels, axis %2: %3 of the variance")
                                        .arg(voxels)
                                        .arg(axis)
                                        .arg(second / (sigma * sigma))));
            }
        }
    }

    void whatAModelCannotBeIsSaid() {
        LineModel model = modelOf(smallSpec(), kSmallLattice);
        EngineOptions options = threads(1);
        options.strategy = "column";
        const auto made = cpu_->makeProjector(model, cpu_->makeSpace(options), options);
        QVERIFY(std::holds_alternative<Unsupported>(made));
        model.radialRays = 17;
        QVERIFY_THROWS_EXCEPTION(
            WrongUse, static_cast<void>(requireProjector(*cpu_, model, cpu_->makeSpace({}), threads(1))));
    }
};

QTEST_APPLESS_MAIN(RingProjectorTest)

}  // namespace line_projector_test
#include "line_projector_test.moc"
