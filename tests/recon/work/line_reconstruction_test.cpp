// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/metrics/sphere_recovery.h"
#include "recon/simulate/poisson.h"
#include "recon/simulate/random_stream.h"
#include "recon/sources/list_source.h"
#include "recon/sources/resident_source.h"
#include "recon/sources/sensitivity_cache.h"
#include "recon/systems/lines/line_model.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/rings.h"

namespace line_reconstruction_test {

using namespace tof;
using namespace tof::fixtures;
using namespace tof::test;

namespace {

LineModel modelOf(std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice = kInFiveRings) {
    LineModel model;
    model.lattice = lattice;
    model.lines = std::move(michelogram);
    return model;
}

/// A hot sphere of 24 mm radius at (40, -24, 0) in a cylinder of 80 mm radius, 4:1.
Volume object() {
    return Phantom::fromJson(
               R"({"name":"t","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":80,"length_mm":99,)"
               R"("activity":1},{"kind":"sphere","centre_mm":[40,-24,0],"radius_mm":24,"activity":4}]})",
               "test")
        .emissionOn(kInFiveRings);
}

/// Forward projection of the object with Poisson noise; about `total` counts.
std::shared_ptr<SinogramData> simulated(const MichelogramSpec& spec, double total, std::uint64_t seed) {
    auto data = std::make_shared<SinogramData>();
    data->michelogram = std::make_shared<const Michelogram>(spec);
    data->lattice = kInFiveRings;
    HostHarness harness(*makeCpuEngine(), modelOf(data->michelogram), {});
    const Volume truth = object();
    std::vector<float> expected;
    for (std::size_t part = 0; part < harness.projector().parts(); ++part) {
        const std::vector<float> p = harness.forward(part, truth.data);
        expected.insert(expected.end(), p.begin(), p.end());
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    data->counts = poissonCounts(expected, total / sum, seed, ThreadPool(2));
    return data;
}

std::vector<float> reconstruct(DataSource& source, Projector& projector, const Algorithm& algorithm,
                               int iterations, int subsets = 0) {
    AlgorithmSettings settings;
    settings.algorithm = &algorithm;
    settings.iterations = iterations;
    settings.subsets = subsets;
    settings.relaxation = 0.5;
    std::vector<std::size_t> order(projector.parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RunControl control;
    Reconstruction run(projector, source, kInFiveRings, settings, order, control);
    run.run(control);
    return run.image().data;
}

/// Mean of the voxels within a distance of a point in the central plane.
double meanAround(const std::vector<float>& image, double x, double y, double radius) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < 24; ++j) {
        for (int i = 0; i < 24; ++i) {
            const Vec3 c = kInFiveRings.centre(i, j, 4);
            if (std::hypot(c.x - x, c.y - y) < radius) {
                sum += static_cast<double>(image[kInFiveRings.index(i, j, 4)]);
                ++count;
            }
        }
    }
    return sum / count;
}

/// The crystal pair of every count, in data order.
std::shared_ptr<LineEvents> listOf(const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    const auto perRing = static_cast<std::uint32_t>(m.scanner().crystalsPerRing);
    const std::uint32_t crystals = perRing * static_cast<std::uint32_t>(m.scanner().rings);
    const int timeBins = m.timeBins();
    auto events = std::make_shared<LineEvents>();
    events->tof = m.spec().tof;
    events->eventsPerPart = 7000;
    for (std::uint32_t c = 0; c < crystals; ++c) {
        events->points.push_back(m.scanner().reference(c));
    }
    for (std::uint32_t c1 = 0; c1 < crystals; ++c1) {
        for (std::uint32_t c2 = 0; c2 < crystals; ++c2) {
            for (int k = 0; k < timeBins; ++k) {
                const double dt = (k - 0.5 * (timeBins - 1)) * m.spec().tof.width_ps;
                const auto bin = m.binOf(c1, c2, dt);
                // Each pair once, in the order that its bin has.
                if (!bin || (c1 > c2 && m.binOf(c2, c1, -dt) == bin)) {
                    continue;
                }
                for (int count = 0; count < static_cast<int>(data.counts[*bin]); ++count) {
                    events->pairs.push_back({c1, c2});
                    events->dt_ps.push_back(static_cast<float>(dt));
                }
            }
        }
    }
    return events;
}

}  // namespace

class RingReconstructionTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();

    std::vector<float> run(const std::shared_ptr<const SinogramData>& data, const Algorithm& algorithm,
                           int iterations, int subsets = 0, RayMethod method = RayMethod::Siddon) {
        LineModel model = modelOf(data->michelogram);
        model.method = method;
        const auto space = cpu_->makeSpace({});
        const auto projector = requireProjector(*cpu_, model, space, {});
        HostHistoSource source(partsOf(data));
        return reconstruct(source, *projector, algorithm, iterations, subsets);
    }

  private slots:
    void everyAlgorithmFindsTheContrast_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("timeBins");
        QTest::addColumn<bool>("joseph");
        QTest::newRow("mlem") << "mlem" << 25 << 0 << 0 << false;
        QTest::newRow("osem") << "osem" << 6 << 4 << 0 << false;
        QTest::newRow("ramla") << "ramla" << 5 << 0 << 0 << false;
        QTest::newRow("mlem, time of flight") << "mlem" << 8 << 0 << 5 << false;
        QTest::newRow("osem, joseph") << "osem" << 6 << 4 << 0 << true;
    }
    void everyAlgorithmFindsTheContrast() {
        QFETCH(QString, algorithm);
        QFETCH(int, iterations);
        QFETCH(int, subsets);
        QFETCH(int, timeBins);
        QFETCH(bool, joseph);
        const auto data = simulated(fiveRings(1, timeBins), 2e6, 1);

        const std::vector<float> image = run(data, algorithmNamed(algorithm.toStdString()), iterations,
                                             subsets, joseph ? RayMethod::Joseph : RayMethod::Siddon);

        const double hot = meanAround(image, 40, -24, 14);
        const double warm = meanAround(image, -30, 20, 24);
        // 4:1 by construction; 2e6 counts over 1.5e3 voxels leave 3 % in these means.
        QVERIFY2(std::abs(hot / warm - 4) < 0.4, qPrintable(QString::number(hot / warm)));
        QVERIFY(meanAround(image, -90, -90, 10) < 0.05 * warm);
    }

    void osemWithOneSubsetIsMlem() {
        const auto data = simulated(fiveRings(1), 2e5, 3);
        QCOMPARE(run(data, osem(), 2, 1), run(data, mlem(), 2));
    }

    void listModeMlemEqualsHistogramMlem_data() {
        QTest::addColumn<int>("timeBins");
        QTest::newRow("without time") << 0;
        QTest::newRow("with time") << 3;
    }
    void listModeMlemEqualsHistogramMlem() {
        QFETCH(int, timeBins);
        const auto data = simulated(fiveRings(1, timeBins), 4e4, 5);
        const auto events = listOf(*data);
        const double total = std::accumulate(data->counts.begin(), data->counts.end(), 0.0);
        QCOMPARE(static_cast<double>(events->pairs.size()), total);
        const std::vector<float> expected = run(data, mlem(), 10);

        HostHarness all(*cpu_, modelOf(data->michelogram), {});
        std::vector<float> sensitivity(kInFiveRings.voxels(), 0.0F);
        for (std::size_t part = 0; part < all.projector().parts(); ++part) {
            const std::vector<float> ones(all.projector().dataSize(part), 1.0F);
            sensitivity = all.back(part, ones, Write::Add, sensitivity);
        }
        LineModel model = modelOf(data->michelogram);
        model.lines = std::shared_ptr<const LineEvents>(events);
        const auto space = cpu_->makeSpace({});
        const auto projector = requireProjector(*cpu_, model, space, {});
        ListSource source(events, sensitivity, {}, {}, 0, space);
        const std::vector<float> image = reconstruct(source, *projector, mlem(), 10);

        const double off = relativeToMaximum(image, expected);
        QVERIFY2(off < 1e-4, qPrintable(QString::number(off)));
    }

    void multiplicativeFactorsOfMaskedBinsChangeOnlyTheNoise() {
        // A third of the bins dead, the rest at half efficiency: the image keeps its scale.
        auto data = simulated(fiveRings(1), 2e6, 7);
        data->mult.assign(data->counts.size(), 0.5F);
        for (std::size_t i = 0; i < data->counts.size(); ++i) {
            data->counts[i] *= 0.5F;
            if (i % 3 == 0) {
                data->counts[i] = 0;
                data->mult[i] = 0;
            }
        }
        const std::vector<float> masked = run(data, mlem(), 8);
        const std::vector<float> whole = run(simulated(fiveRings(1), 2e6, 7), mlem(), 8);

        const double ratio = meanAround(masked, 0, 0, 60) / meanAround(whole, 0, 0, 60);
        QVERIFY2(std::abs(ratio - 1) < 0.01, qPrintable(QString::number(ratio)));
    }

    void theSensitivityIsComputedOncePerContent() {
        const auto data = simulated(fiveRings(1), 1e5, 9);
        const auto space = cpu_->makeSpace({});
        const LineModel model = modelOf(data->michelogram);
        const auto projector = requireProjector(*cpu_, model, space, {});
        const auto cache = std::make_shared<SensitivityCache>();
        const auto image = [&](const std::string& content) {
            CachedSensitivitySource source(std::make_unique<HostHistoSource>(partsOf(data)), cache, content,
                                           space);
            return reconstruct(source, *projector, osem(), 1, 3);
        };
        const std::vector<float> first = image("a");
        QCOMPARE(cache->bytes(), 3 * kInFiveRings.voxels() * sizeof(float));

        QCOMPARE(image("a"), first);
        QCOMPARE(cache->bytes(), 3 * kInFiveRings.voxels() * sizeof(float));
        QCOMPARE(image("b"), first);
        QCOMPARE(cache->bytes(), 6 * kInFiveRings.voxels() * sizeof(float));
        // What is in the cache is what is used.
        const auto spoiled = std::make_shared<SensitivityCache>();
        const std::string key = "c parts 0,1,2,3,4,5,6,7,8,9,10,11";
        spoiled->put(key, std::vector<float>(kInFiveRings.voxels(), 2.0F));
        CachedSensitivitySource source(std::make_unique<HostHistoSource>(partsOf(data)), spoiled, "c", space);
        std::vector<std::size_t> parts(12);
        std::iota(parts.begin(), parts.end(), std::size_t{0});
        const ConstView known = source.knownSensitivity(parts);
        QCOMPARE(known.size, kInFiveRings.voxels());
        QCOMPARE(known.data[5], 2.0F);
    }

    void theCacheForgetsWhatWasUnusedLongest() {
        SensitivityCache cache(3 * 10 * sizeof(float));
        for (const char* key : {"a", "b", "c"}) {
            cache.put(key, std::vector<float>(10, 1.0F));
        }
        QVERIFY(cache.find("a").has_value());
        cache.put("d", std::vector<float>(10, 1.0F));
        QVERIFY(!cache.find("b").has_value());
        QVERIFY(cache.find("a").has_value());
        QVERIFY(cache.find("d").has_value());
    }

    void poissonCountsHaveTheirMeanAndVariance_data() {
        QTest::addColumn<double>("mean");
        for (const double mean : {0.3, 5.0, 40.0, 2e4}) {
            QTest::addRow("%g", mean) << mean;
        }
    }
    void poissonCountsHaveTheirMeanAndVariance() {
        QFETCH(double, mean);
        const std::vector<float> expected(20000, static_cast<float>(mean / 2));

        const std::vector<float> counts = poissonCounts(expected, 2.0, 4, ThreadPool(2));

        double sum = 0;
        double squares = 0;
        for (const float count : counts) {
            QVERIFY(count >= 0.0F && count == std::floor(count));
            sum += static_cast<double>(count);
            squares += (static_cast<double>(count) - mean) * (static_cast<double>(count) - mean);
        }
        const double n = 20000;
        QVERIFY(std::abs(sum / n - mean) < 5 * std::sqrt(mean / n));
        // The variance of (x - m)^2 is m + 2 m^2.
        QVERIFY(std::abs(squares / n - mean) < 5 * std::sqrt((mean + 2 * mean * mean) / n));
        QCOMPARE(poissonCounts(expected, 2.0, 4, ThreadPool(1)), counts);
        QVERIFY(poissonCounts(expected, 2.0, 5, ThreadPool(1)) != counts);
    }

    void ringDataSurviveTheirFile_data() {
        QTest::addColumn<bool>("corrections");
        QTest::newRow("counts alone") << false;
        QTest::newRow("with corrections") << true;
    }
    void ringDataSurviveTheirFile() {
        QFETCH(bool, corrections);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("d.h5").toStdString();
        auto data = simulated(fiveRings(1, 3), 1e5, 2);
        data->kept = 12;
        data->rejected = 5;
        data->phantom = "nema-iq";
        data->duration_s = 2.5;
        if (corrections) {
            data->mult = uniformData(data->counts.size(), 1, 0.0F, 1.0F);
            data->add = uniformData(data->counts.size(), 2, 0.0F, 1.0F);
            data->counts[3] = 0.25F;
        }

        writeSinogramData(path, *data);
        const SinogramData back = readSinogramData(path);

        QVERIFY(recognise(path).form() == "sinogram");
        QCOMPARE(back.counts, data->counts);
        QCOMPARE(back.mult, data->mult);
        QCOMPARE(back.add, data->add);
        QVERIFY(back.lattice == data->lattice);
        QCOMPARE(back.michelogram->sinograms().size(), data->michelogram->sinograms().size());
        QCOMPARE(back.kept, std::uint64_t{12});
        QCOMPARE(back.rejected, std::uint64_t{5});
        QCOMPARE(back.phantom, std::string("nema-iq"));
        QCOMPARE(back.duration_s, 2.5);
        QCOMPARE(back.hash, dataHash(back));
    }

    void recoveryOfThePhantomItselfIsOne() {
        const Phantom phantom = Phantom::find("nema-iq");
        const Lattice lattice = Lattice::centred({320, 320, 3}, {1.0, 1.0, 1.0});
        const Volume truth = phantom.emissionOn(lattice, 2);
        for (const SphereCircle circle : {SphereCircle::OfDiameter, SphereCircle::OfRadius}) {
            const RoiSet set = recoveryRois(phantom, circle);
            const Figures figures = FigureEvaluator(set, lattice).evaluate(1, truth.data.data());
            QVERIFY(figures.nsr < 1e-6);
            int spheres = 0;
            for (std::size_t i = 0; i < set.rois.size(); ++i) {
                if (set.rois[i].role != Roi::Role::Sphere) {
                    QVERIFY(std::abs(figures.rois[i].statistics.mean - 1) < 1e-6);
                    continue;
                }
                ++spheres;
                QVERIFY(figures.rois[i].hasContrastRecovery);
                QVERIFY2(std::abs(figures.rois[i].contrastRecovery - 1) < 1e-6, set.rois[i].name.c_str());
                QCOMPARE(*set.rois[i].trueRatio, set.rois[i].name.starts_with("hot") ? 4.0 : 0.0);
            }
            QCOMPARE(spheres, 6);
            QCOMPARE(figures.rois.size(), std::size_t{14});
            // The 37 mm sphere: 80 % of its diameter, or of its radius.
            QCOMPARE(2 * set.rois[5].radius_mm, circle == SphereCircle::OfDiameter ? 0.8 * 37 : 0.8 * 18.5);
        }
    }

    void recoveryIsWhatItsFormulaSays() {
        // Spheres halfway between truth and background: 50 % whichever way; noise of 10 % by construction.
        const Phantom phantom = Phantom::find("nema-iq");
        const Lattice lattice = Lattice::centred({320, 320, 3}, {1.0, 1.0, 1.0});
        Volume image = phantom.emissionOn(lattice, 2);
        RandomStream random(1, RandomUse::Events, 1);
        for (float& value : image.data) {
            value = 0.5F * value + 0.5F;
        }
        const FigureEvaluator evaluator(recoveryRois(phantom, SphereCircle::OfDiameter), lattice);
        for (const RoiFigures& roi : evaluator.evaluate(1, image.data.data()).rois) {
            QVERIFY(!roi.hasContrastRecovery || std::abs(roi.contrastRecovery - 0.5) < 1e-6);
        }
        for (float& value : image.data) {
            value *= static_cast<float>(1 + 0.1 * random.normal());
        }
        // Eight circles of 707 pixels: the SD is known to 1.3 %.
        QVERIFY(std::abs(evaluator.evaluate(1, image.data.data()).nsr - 0.1) < 0.005);
    }

    void aCylinderWithoutSpheresHasOneCircle() {
        const RoiSet set = recoveryRois(Phantom::find("uniform-cylinder"), SphereCircle::OfDiameter);
        QCOMPARE(set.rois.size(), std::size_t{1});
        QCOMPARE(set.rois[0].radius_mm, 25.0);
        QVERIFY(set.rois[0].role == Roi::Role::Uniform);
        Phantom nothing;
        QVERIFY_THROWS_EXCEPTION(WrongUse,
                                 static_cast<void>(recoveryRois(nothing, SphereCircle::OfDiameter)));
    }
};

QTEST_APPLESS_MAIN(RingReconstructionTest)

}  // namespace line_reconstruction_test
#include "line_reconstruction_test.moc"
