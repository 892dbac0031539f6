// SPDX-License-Identifier: Apache-2.0
// Lines of response on the device, against the host's projector and the mathematics.
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/simulate/point_spread.h"
#include "recon/sources/list_source.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/lines/line_model.h"
#include "recon/work/sinogram_simulation.h"
#include "tests/gpu/gpu_fixtures.h"
#include "tests/gpu/probes/lost_updates.h"

namespace lines_test {

using namespace tof;
using fixtures::HostHarness;
using fixtures::uniformData;

namespace {

/// Host and device follow lines in single precision, each within 1e-5 of the largest value by the path in
/// double.
constexpr float kOfBoth = 2e-5F;

const Lattice kLattice = Lattice::centred({37, 33, 13}, {5.0, 6.0, 4.0});

MichelogramSpec ring(int timeBins) {
    MichelogramSpec spec;
    spec.scanner = {"ring", 7, 90, 160.0, 7.0, 0.03};
    spec.segments = segmentsOfGe(7);
    spec.radialBins = 47;
    spec.anglesPerPart = 5;
    if (timeBins > 0) {
        spec.tof = {timeBins, 150, 350};
    }
    return spec;
}

LineModel modelOf(const MichelogramSpec& spec) {
    LineModel model;
    model.lattice = kLattice;
    model.lines = std::make_shared<const Michelogram>(spec);
    return model;
}

std::shared_ptr<LineEvents> events(const MichelogramSpec& spec) {
    auto list = std::make_shared<LineEvents>();
    const auto crystals = static_cast<std::uint32_t>(spec.scanner.rings * spec.scanner.crystalsPerRing);
    for (std::uint32_t c = 0; c < crystals; ++c) {
        list->points.push_back(spec.scanner.reference(c));
    }
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        list->pairs.push_back({static_cast<std::uint32_t>(random() % crystals),
                               static_cast<std::uint32_t>(random() % crystals)});
        list->dt_ps.push_back(static_cast<float>(random() % 800) - 400.0F);
    }
    list->tof = spec.tof;
    list->eventsPerPart = 7001;
    return list;
}

/// Events of two sources 15 mm wide: those of random lines that pass near them.
std::shared_ptr<LineEvents> eventsOfTwoSources(const MichelogramSpec& spec, std::size_t count) {
    const std::shared_ptr<LineEvents> list = events(spec);
    list->pairs.clear();
    list->dt_ps.clear();
    std::mt19937 random(12);
    while (list->pairs.size() < count) {
        const auto one = static_cast<std::uint32_t>(random() % list->points.size());
        const auto two = static_cast<std::uint32_t>(random() % list->points.size());
        const Vec3 source = random() % 4 == 0 ? Vec3{-40, 30, 3} : Vec3{35, -20, -5};
        const Vec3 middle = 0.5 * (list->points[one] + list->points[two]);
        const Vec3 along = list->points[two] - list->points[one];
        const double length = norm(along);
        if (one == two || !(length > 0)) {
            continue;
        }
        const double at = dot(source - middle, along) / length;
        const double blur_ps = static_cast<double>(random() % 300) - 150.0;
        if (norm(middle + at / length * along - source) < 7.5 && std::abs(at) < 0.5 * length) {
            list->pairs.push_back({one, two});
            list->dt_ps.push_back(static_cast<float>(at / kMmPerPs + blur_ps));
        }
    }
    return list;
}

std::vector<float> imageByMlem(const Engine& engine, const LineModel& model,
                               std::shared_ptr<const SinogramData> data, const std::string& strategy,
                               int iterations) {
    const EngineOptions options = fixtures::withStrategy(strategy);
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(engine, model, space, options);
    std::unique_ptr<DataSource> source;
    if (engine.name() == "cpu") {
        source = std::make_unique<HostHistoSource>(partsOf(data));
    } else {
        source = std::make_unique<SpaceHistoSource>(partsOf(data), space, std::size_t{1} << 32U);
    }
    AlgorithmSettings settings;
    settings.algorithm = &mlem();
    settings.iterations = iterations;
    std::vector<std::size_t> order(projector->parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RunControl control;
    Reconstruction run(*projector, *source, model.lattice, settings, order, control);
    run.run(control);
    return run.image().data;
}

std::vector<float> listMlem(const Engine& engine, const LineModel& model,
                            std::shared_ptr<const LineEvents> list, const std::vector<float>& sensitivity,
                            const std::string& strategy, int iterations, std::size_t memoryLimit = 0) {
    EngineOptions options = fixtures::withStrategy(strategy);
    options.memoryLimitBytes = memoryLimit;
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(engine, model, space, options);
    ListSource source(std::move(list), sensitivity, {}, {}, 0, space);
    AlgorithmSettings settings;
    settings.algorithm = &mlem();
    settings.iterations = iterations;
    std::vector<std::size_t> order(projector->parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RunControl control;
    Reconstruction run(*projector, source, model.lattice, settings, order, control);
    run.run(control);
    return run.image().data;
}

/// More voxels than the shared memory of any block holds words.
const Lattice kLargeLattice = Lattice::centred({151, 137, 41}, {1.3, 1.5, 1.1});
/// More tiles of that size than a card has multiprocessors.
const Lattice kLatticeByTiles = Lattice::centred({271, 262, 149}, {1.3, 1.5, 1.1});

}  // namespace

class RingTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const Engine> cuda_;
    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();

    void cases() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("what");
        for (const char* strategy : {"siddon", "siddon-atomics", "joseph"}) {
            for (const char* what : {"plain",
                                     "time of flight",
                                     "rays",
                                     "psf",
                                     "field of view",
                                     "by place",
                                     "list",
                                     "list, by place",
                                     "list, time of flight",
                                     "list, many tiles",
                                     "list, many tiles, field of view",
                                     "list, many tiles, time of flight",
                                     "list, image by tiles",
                                     "list, image by tiles, time of flight",
                                     "planes fit the rings",
                                     "planes fit the rings, rays",
                                     "planes fit the rings, psf",
                                     "planes fit the rings, field of view",
                                     "thin planes",
                                     "short lattice",
                                     "a ray per plane"}) {
                QTest::addRow("%s, %s", strategy, what) << strategy << what;
            }
        }
    }
    static LineModel caseModel(const QString& strategy, const QString& what) {
        const MichelogramSpec spec = ring(what.contains("time of flight") ? 5 : 0);
        LineModel model = modelOf(spec);
        model.method = strategy == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
        if (what == "rays") {
            model.radialRays = 2;
            model.axialRays = 3;
        }
        // Rings are 7 mm apart: where planes of the lattice fit them, planes share their transverse paths.
        if (what.startsWith("planes fit the rings")) {
            model.lattice = Lattice::centred({37, 33, 13}, {5.0, 6.0, 3.5});
            model.radialRays = what.endsWith("rays") ? 3 : 1;
        } else if (what == "a ray per plane") {
            model.lattice = Lattice::centred({37, 33, 13}, {5.0, 6.0, 3.5});
            model.axialRays = LineModel::kRayPerPlane;
        } else if (what == "thin planes") {
            model.lattice = Lattice::centred({37, 33, 101}, {5.0, 6.0, 0.4375});
        } else if (what == "short lattice") {
            model.lattice = Lattice::centred({37, 33, 6}, {5.0, 6.0, 3.5});
        }
        if (what.contains("many tiles")) {
            model.lattice = kLargeLattice;
        } else if (what.contains("image by tiles")) {
            model.lattice = kLatticeByTiles;
        }
        model.psfFwhm_mm = what.endsWith("psf") ? 11 : 0;
        model.fovRadius_mm = what.endsWith("field of view") ? 60 : 0;
        if (what.endsWith("by place")) {
            model.spread = std::make_shared<const PointSpread>(
                PointSpread{40, {{3, 3, 4}, {7, 4, 4}, {12, 5, 5}}, 0.3, 2});
        }
        if (what.contains("list")) {
            model.lines = events(spec);
        }
        return model;
    }

  private slots:
    void initTestCase() {
        const auto found = fixtures::cudaOrReason();
        if (found.engine == nullptr) {
            QSKIP(found.whyNot.c_str());
        }
        cuda_ = found.engine;
    }

    void agreesWithTheHost_data() { cases(); }
    void agreesWithTheHost() {
        QFETCH(QString, strategy);
        QFETCH(QString, what);
        const LineModel model = caseModel(strategy, what);
        HostHarness host(*cpu_, model, {});
        HostHarness device(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));
        const std::vector<float> x = uniformData(host.projector().imageSize(), 1, 0.1F, 1.0F);
        for (std::size_t part = 0; part < host.projector().parts(); ++part) {
            const std::vector<float> p = uniformData(host.projector().dataSize(part),
                                                     2 + static_cast<std::uint32_t>(part), 0.1F, 1.0F);
            QVERIFY(fixtures::relativeToMaximum(device.forward(part, x), host.forward(part, x)) < kOfBoth);
            QVERIFY(fixtures::relativeToMaximum(device.back(part, p), host.back(part, p)) < kOfBoth);
            const auto added = device.back(part, p, Write::Add, x);
            QVERIFY(fixtures::relativeToMaximum(added, host.back(part, p, Write::Add, x)) < kOfBoth);
        }
    }

    void isAdjoint_data() { cases(); }
    void isAdjoint() {
        QFETCH(QString, strategy);
        QFETCH(QString, what);
        HostHarness device(*cuda_, caseModel(strategy, what), fixtures::withStrategy(strategy.toStdString()));
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            const std::vector<float> x = uniformData(device.projector().imageSize(), seed, 0.1F, 1.0F);
            const std::vector<float> p = uniformData(device.projector().dataSize(1), seed + 5, 0.1F, 1.0F);
            const double one = fixtures::dotProduct(device.forward(1, x), p);
            const double two = fixtures::dotProduct(x, device.back(1, p));
            QVERIFY2(std::abs(one - two) <= 1e-5 * one, qPrintable(QString::number(two / one - 1)));
        }
    }

    void fixedPointTakesAnySignAndScale() {
        const LineModel model = modelOf(ring(0));
        HostHarness host(*cpu_, model, {});
        HostHarness device(*cuda_, model, fixtures::withStrategy("siddon"));
        for (const float scale : {1e-20F, 1.0F, 1e20F}) {
            const std::vector<float> p = uniformData(host.projector().dataSize(0), 4, -scale, scale);
            QVERIFY(fixtures::relativeToMaximum(device.back(0, p), host.back(0, p)) < kOfBoth);
        }
        const std::vector<float> nothing(host.projector().dataSize(0), 0.0F);
        QCOMPARE(device.back(0, nothing), std::vector<float>(kLattice.voxels(), 0.0F));
    }

    void listsOfAnyKindAddUp_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("byTiles");
        for (const char* kind : {"one event", "all on one line", "beside the image", "any sign", "nothing",
                                 "tiny", "huge", "few large among small", "few events"}) {
            QTest::newRow(kind) << kind << false;
            QTest::addRow("%s, image by tiles", kind) << kind << true;
        }
    }
    void listsOfAnyKindAddUp() {
        QFETCH(QString, kind);
        QFETCH(bool, byTiles);
        const auto list = events(ring(5));
        if (kind == "one event") {
            list->pairs.assign(1, {3, 320});
            list->dt_ps.assign(1, 30.0F);
        } else if (kind == "all on one line") {
            std::fill(list->pairs.begin(), list->pairs.end(), std::array<std::uint32_t, 2>{3, 320});
            std::fill(list->dt_ps.begin(), list->dt_ps.end(), 30.0F);
        } else if (kind == "few events") {  // as many as a sanitizer can follow
            list->pairs.resize(700);
            list->dt_ps.resize(700);
        } else if (kind == "beside the image") {
            for (Vec3& point : list->points) {
                point.x += 1000;
            }
        }
        LineModel model = modelOf(ring(5));
        model.lattice = byTiles ? kLatticeByTiles : kLargeLattice;
        model.lines = std::shared_ptr<const LineEvents>(list);
        HostHarness host(*cpu_, model, {});
        HostHarness device(*cuda_, model, fixtures::withStrategy("siddon"));
        const float scale = kind == "tiny" ? 1e-30F : (kind == "huge" ? 1e30F : 1.0F);
        std::vector<float> p = uniformData(host.projector().dataSize(0), 4, 0.5F * scale, scale);
        std::vector<float> large(p.size(), 0.0F);
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (kind == "any sign") {
                p[i] = i % 3 == 0 ? 0.0F : (i % 2 == 0 ? p[i] : -p[i]);
            } else if (kind == "few large among small" && i % 1000 == 0) {
                p[i] = large[i] = 1e7F;
            } else if (kind == "nothing") {
                p[i] = 0;
            }
        }

        std::vector<float> expected = host.back(0, p);
        const std::vector<float> found = device.back(0, p);
        if (kind == "all on one line") {  // whose sums are beyond the host's floats
            std::vector<float> one(p.size(), 0.0F);
            one[0] = 1;
            expected = host.back(0, one);
            const double all = std::accumulate(p.begin(), p.end(), 0.0);
            std::transform(expected.begin(), expected.end(), expected.begin(),
                           [&](float v) { return static_cast<float>(v * all); });
        }

        if (kind == "beside the image" || kind == "nothing") {
            QCOMPARE(found, std::vector<float>(model.lattice.voxels(), 0.0F));
            return;
        }
        const double off = fixtures::relativeToMaximum(found, expected);
        QVERIFY2(off < kOfBoth, qPrintable(QString::number(off)));
        if (kind == "few large among small") {
            // What small data give is as exact where no large one is as it would be without the large ones.
            const std::vector<float> ofLarge = host.back(0, large);
            float most = 0;
            float worst = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (ofLarge[i] == 0.0F) {
                    most = std::max(most, expected[i]);
                    worst = std::max(worst, std::abs(found[i] - expected[i]));
                }
            }
            QVERIFY2(most > 1 && worst < kOfBoth * most,
                     qPrintable(QString("%1 of %2").arg(worst).arg(most)));
        }
    }

    void memoryDecidesWhatIsKept_data() {
        QTest::addColumn<int>("timeBins");
        QTest::addColumn<QString>("strategy");
        for (const char* strategy : {"siddon", "joseph"}) {
            QTest::addRow("%s, without time", strategy) << 0 << strategy;
            QTest::addRow("%s, with time", strategy) << 5 << strategy;
        }
    }
    void memoryDecidesWhatIsKept() {
        QFETCH(int, timeBins);
        QFETCH(QString, strategy);
        // 16 bytes each; 24 with their pieces, 96 and more with paths.
        const auto list = eventsOfTwoSources(ring(timeBins), 200000);
        LineModel model = modelOf(ring(timeBins));
        model.lines = std::shared_ptr<const LineEvents>(list);
        model.method = strategy == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
        const auto limited = [&](std::size_t megabytes) {
            EngineOptions options;
            options.memoryLimitBytes = megabytes << 20U;
            return options;
        };
        HostHarness kept(*cuda_, model, {});
        HostHarness anew(*cuda_, model, limited(8));
        HostHarness streamed(*cuda_, model, limited(5));
        qInfo("%zu, %zu, %zu bytes", kept.projector().memoryBytes(), anew.projector().memoryBytes(),
              streamed.projector().memoryBytes());
        QVERIFY(kept.projector().memoryBytes() > std::size_t{80} * list->pairs.size());
        QVERIFY(anew.projector().memoryBytes() < std::size_t{40} * list->pairs.size());
        QVERIFY(streamed.projector().memoryBytes() < std::size_t{12} * list->pairs.size());
        QVERIFY(kept.projector().recordable() && anew.projector().recordable());
        QVERIFY(!streamed.projector().recordable());

        const std::vector<float> x = uniformData(model.lattice.voxels(), 1, 0.1F, 1.0F);
        // As they stand, once more, and in an order that no one could expect.
        for (const std::size_t part : {0, 1, 1, 2, 0, 1, 28, 7, 3, 4, 5, 0, 2}) {
            const std::vector<float> p = uniformData(kept.projector().dataSize(part),
                                                     2 + static_cast<std::uint32_t>(part), 0.1F, 1.0F);
            const std::vector<float> forward = kept.forward(part, x);
            const std::vector<float> back = kept.back(part, p);
            for (HostHarness* other : {&anew, &streamed}) {
                QVERIFY(fixtures::relativeToMaximum(other->forward(part, x), forward) < 1e-6);
                QVERIFY(fixtures::relativeToMaximum(other->back(part, p), back) < 1e-6);
            }
        }
        const std::vector<float> ones(model.lattice.voxels(), 1.0F);
        const std::vector<float> image = listMlem(*cuda_, model, list, ones, strategy.toStdString(), 4);
        for (const std::size_t megabytes : {std::size_t{8}, std::size_t{5}}) {
            const std::vector<float> same =
                listMlem(*cuda_, model, list, ones, strategy.toStdString(), 4, megabytes << 20U);
            QVERIFY(fixtures::relativeToMaximum(same, image) < 1e-5);
        }
    }

    void tenListModeIterationsGiveTheHostsImage_data() {
        QTest::addColumn<int>("timeBins");
        QTest::newRow("without time") << 0;
        QTest::newRow("with time") << 5;
    }
    void tenListModeIterationsGiveTheHostsImage() {
        QFETCH(int, timeBins);
        const auto list = eventsOfTwoSources(ring(timeBins), 20000);
        LineModel model = modelOf(ring(timeBins));
        model.lattice = Lattice::centred({61, 57, 21}, {4.0, 4.0, 2.0});
        HostHarness all(*cpu_, model, {});
        std::vector<float> sensitivity(all.projector().imageSize(), 0.0F);
        for (std::size_t part = 0; part < all.projector().parts(); ++part) {
            const std::vector<float> ones(all.projector().dataSize(part), 1.0F);
            sensitivity = all.back(part, ones, Write::Add, sensitivity);
        }
        model.lines = std::shared_ptr<const LineEvents>(list);

        const std::vector<float> expected = listMlem(*cpu_, model, list, sensitivity, "", 10);
        const std::vector<float> image = listMlem(*cuda_, model, list, sensitivity, "siddon", 10);

        const double off = fixtures::relativeToMaximum(image, expected);
        QVERIFY2(off < 1e-4, qPrintable(QString::number(off)));
    }

    void theDefaultRepeatsToTheLastBit_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"plain", "list", "list, many tiles, time of flight",
                                 "list, image by tiles, time of flight", "planes fit the rings"}) {
            QTest::newRow(what) << what;
        }
    }
    void theDefaultRepeatsToTheLastBit() {
        QFETCH(QString, what);
        const LineModel model = caseModel("siddon", what);
        HostHarness device(*cuda_, model, {});
        const std::vector<float> p = uniformData(device.projector().dataSize(0), 4, 0.0F, 1.0F);
        const std::vector<float> first = device.back(0, p);
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(device.back(0, p), first);
        }
    }

    void tenIterationsGiveTheHostsImage_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<bool>("fits");
        for (const bool fits : {false, true}) {
            const char* const planes = fits ? ", planes fit the rings" : "";
            QTest::addRow("siddon%s", planes) << "siddon" << fits;
            QTest::addRow("siddon-atomics%s", planes) << "siddon-atomics" << fits;
        }
    }
    void tenIterationsGiveTheHostsImage() {
        QFETCH(QString, strategy);
        QFETCH(bool, fits);
        const Lattice lattice = fits ? Lattice::centred({37, 33, 13}, {5.0, 6.0, 3.5}) : kLattice;
        const SinogramSimulation what{ring(0), lattice, 1e6, 3, false};
        const Phantom phantom = Phantom::fromJson(
            R"({"name":"t","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":70,"length_mm":99,)"
            R"("activity":1},{"kind":"sphere","centre_mm":[30,-20,0],"radius_mm":15,"activity":4}]})",
            "test");
        const auto data = std::make_shared<const SinogramData>(
            simulateSinograms(what, phantom, ThreadPool(), [](double) {}));
        LineModel model = modelOf(what.scanner);
        model.lines = data->michelogram;
        model.lattice = lattice;

        const std::vector<float> expected = imageByMlem(*cpu_, model, data, "", 10);
        const std::vector<float> image = imageByMlem(*cuda_, model, data, strategy.toStdString(), 10);

        const double off = fixtures::relativeToMaximum(image, expected);
        QVERIFY2(off < 1e-4, qPrintable(QString::number(off)));
    }

    void withoutAtomicsUpdatesAreCounted() {
        // How many are lost is the card's business; what is lost and what is kept are all there are.
        const LineModel model = modelOf(ring(0));
        const LostUpdates found = countLostUpdates(model, cuda_->makeSpace({}));
        qInfo("%llu of %llu updates lost", static_cast<unsigned long long>(found.lost),
              static_cast<unsigned long long>(found.updates));
        QVERIFY(found.updates > 1000000);
        QVERIFY(found.lost <= found.updates);
        HostHarness racy(*cuda_, model, fixtures::withStrategy("siddon-racy"));
        HostHarness exact(*cuda_, model, fixtures::withStrategy("siddon"));
        const std::vector<float> ones(exact.projector().dataSize(0), 1.0F);
        const auto some = racy.back(0, ones);
        const auto all = exact.back(0, ones);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY(some[i] <= all[i] * 1.0001F);
        }
    }

    void aWrongStrategyIsRefused() {
        LineModel model = modelOf(ring(0));
        for (const char* strategy : {"column", "joseph"}) {
            const EngineOptions options = fixtures::withStrategy(strategy);
            QVERIFY(std::holds_alternative<Unsupported>(
                cuda_->makeProjector(model, cuda_->makeSpace(options), options)));
        }
    }
};

QTEST_GUILESS_MAIN(RingTest)

}  // namespace lines_test
#include "lines_test.moc"
