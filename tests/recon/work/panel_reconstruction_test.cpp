// SPDX-License-Identifier: Apache-2.0
// Two panels from photons to an image, by the workflows that programs call.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <any>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "recon/base/error.h"
#include "recon/binning/panel_binning.h"
#include "recon/data/data_hash.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/kernel/point_response.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/panel/panel_measurement.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"

namespace panel_reconstruction_test {

using namespace tof;

namespace {

/// 10 mm of crystal, in one layer or two.
Scanner tiny(int layers = 1) {
    return Scanner::fromJson(
        QString(R"({"name":"tiny","modules":{"count":2,"face_to_face_mm":12,"crystals":[10,8],)"
                R"("pitch_mm":[2.4,2.4],"layers":%1},"crystal_mm":[2.1,2.1,%2],"attenuation_per_mm":0.0819,)"
                R"("acceptance_deg":85,"fov_diameter_mm":80})")
            .arg(layers)
            .arg(10 / layers)
            .toStdString(),
        "test");
}

/// A hot box off the centre along each axis.
constexpr Vec3 kCentre{1.5, -3.6, 2.4};
constexpr Vec3 kSize{4, 4.8, 3.6};

Phantom hotBox() {
    Phantom phantom;
    phantom.name = "box";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Box;
    shape.centre = kCentre;
    shape.size_mm = kSize;
    shape.activity = 1;
    phantom.shapes.push_back(shape);
    return phantom;
}

class Quiet : public JobListener {};

/// The cpu engine with a maker of kernels of its own.
class EngineWithMaker : public Engine, public MakesPanelKernels {
  public:
    explicit EngineWithMaker(std::size_t& made) : cpu_(makeCpuEngine()), made_(made) {}
    [[nodiscard]] std::string name() const override { return "own"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return cpu_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return cpu_->makeSpace(options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        return cpu_->makeProjector(model, std::move(space), options);
    }
    [[nodiscard]] PanelKernelMaker panelKernels(const EngineOptions& /*options*/) const override {
        return [&made = made_](const PanelMatrix& plan, std::span<const int> wanted, PanelKernelSink& sink) {
            made += wanted.size();
            hostPanelKernels()(plan, wanted, sink);
        };
    }

  private:
    std::shared_ptr<const Engine> cpu_;
    std::size_t& made_;
};

/// Keeps what it is told of the set-up, and cancels at a share.
class Watching : public JobListener {
  public:
    explicit Watching(double cancelAt = 2) : cancelAt_(cancelAt) {}
    void shareReady(const std::string& what, double share) override {
        whats.insert(what);
        ascending = ascending && share >= last;
        last = share;
        ++told;
    }
    void checkpoint() override {
        if (last >= cancelAt_) {
            throw Cancelled();
        }
    }
    std::set<std::string> whats;
    double last = 0;
    bool ascending = true;
    int told = 0;

  private:
    double cancelAt_;
};

/// The image of four iterations of eight subsets, and where its emissions are.
struct Reconstructed {
    double total = 0;
    double inside = 0;  ///< what the box holds, with a mm or two around it
    Vec3 middle;
    std::shared_ptr<const Volume> image;
};

Reconstructed reconstructed(std::shared_ptr<const Measurement> data, const EngineRegistry& engines) {
    ReconstructRequest request;
    request.data = std::move(data);
    request.settings.set("algorithm", "osem");
    request.settings.set("engine", "cpu");
    request.settings.set("iterations", "4");
    request.settings.set("subsets", "8");
    Quiet quiet;
    Reconstructed made;
    made.image = reconstruct(request, engines, quiet).image;
    const Volume& image = *made.image;
    made.total = std::accumulate(image.data.begin(), image.data.end(), 0.0);
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = image.lattice.centre(x, y, z);
        const Vec3 off = at - kCentre;
        const double value = static_cast<double>(image.at(x, y, z));
        made.middle = made.middle + value / made.total * at;
        const bool near = std::abs(off.x) < 0.5 * kSize.x + 1 && std::abs(off.y) < 0.5 * kSize.y + 1.2 &&
                          std::abs(off.z) < 0.5 * kSize.z + 1.2;
        made.inside += near ? value : 0;
    });
    return made;
}

/// Coincidences of any two crystals of both heads, as many for each pair in the mean.
EventList byChance(std::uint32_t crystals, std::size_t events, std::uint32_t seed) {
    std::mt19937 random(seed);
    EventList list;
    for (std::size_t i = 0; i < events; ++i) {
        list.crystals.push_back({static_cast<std::uint32_t>(random() % crystals),
                                 static_cast<std::uint32_t>(crystals + random() % crystals)});
    }
    return list;
}

/// The first events of a list.
EventList firstOf(const EventList& list, std::size_t events) {
    EventList part = list;
    part.crystals.resize(events);
    part.dt_ps.clear();
    part.kind.clear();
    return part;
}

}  // namespace

class PanelReconstructionTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
        engines_.add("cpu", makeCpuEngine, 1);
        SimulationSettings settings;
        settings.events = 200'000;
        list_ = simulate(tiny(), hotBox(), settings, ThreadPool(), {});
    }

    void theSetUpIsWatchedCancelledAndGivenToTheEngine() {
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        std::size_t made = 0;
        EngineRegistry engines;
        engines.add(
            "own", [&] { return std::make_shared<const EngineWithMaker>(made); }, 1);
        engines.add("cpu", makeCpuEngine);
        ReconstructRequest request;
        request.data = std::make_shared<const PanelMeasurement>(binPanel(list_, tiny()));
        request.settings.set("algorithm", "osem");
        request.settings.set("iterations", "1");
        const std::size_t kernels =
            panelMatrixPlan(PanelGeometry::of(tiny()).value(), PanelQuadrature()).kernels.size();

        Watching impatient(0.3);
        QVERIFY_EXCEPTION_THROWN((void)reconstruct(request, engines, impatient), Cancelled);
        QVERIFY(impatient.last >= 0.3 && impatient.last < 0.6);
        QCOMPARE(made, kernels);

        Watching patient;
        (void)reconstruct(request, engines, patient);
        QCOMPARE(patient.whats, (std::set<std::string>{"system matrix"}));
        QVERIFY(patient.ascending && patient.told > 5);
        QCOMPARE(patient.last, 1.0);
        // It went on from where it was cancelled.
        QVERIFY(made < 2 * kernels && made > kernels);

        Watching again;
        (void)reconstruct(request, engines, again);
        QCOMPARE(again.told, 0);
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
    }

    /// A view that is looked at before there is a matrix.
    void aViewIsExpectedByItsOwnKernel() {
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        const PanelMeasurement fresh(binPanel(list_, tiny()));
        Volume image(fresh.lattice(), 1.0F);
        RunSettings settings;
        settings.engine = "cpu";
        const std::size_t view = fresh.layout().views.size() / 2 + 3;

        const Volume alone = fresh.expected(view, image, settings, engines_);
        QVERIFY(QDir(cache.path()).isEmpty());
        (void)fresh.model(settings);
        const Volume whole = fresh.expected(view, image, settings, engines_);

        QCOMPARE(alone.data, whole.data);
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
    }

    void photonsBecomeAnImageInEmissions_data() {
        QTest::addColumn<int>("layers");
        QTest::newRow("one layer") << 1;
        QTest::newRow("two layers") << 2;
    }
    void photonsBecomeAnImageInEmissions() {
        QFETCH(int, layers);
        const std::string path = folder_.filePath("d.h5").toStdString();
        SimulationSettings settings;
        settings.events = 200'000;
        const EventList list =
            layers == 1 ? list_ : simulate(tiny(layers), hotBox(), settings, ThreadPool(), {});
        writePanelData(path, binPanel(list, tiny(layers)));
        const std::shared_ptr<const Measurement> data = readMeasurement(path);
        QCOMPARE(QString::fromStdString(data->system()), QString("panel"));

        const Reconstructed made = reconstructed(data, engines_);

        // 200,000 counts are right to 0.2 %, the matrix to 0.5 %.
        QVERIFY2(std::abs(made.total / list.decays - 1) < 0.02,
                 qPrintable(QString::number(made.total / list.decays)));
        QVERIFY2(made.inside / made.total > 0.9, qPrintable(QString::number(made.inside / made.total)));
        QVERIFY(norm(made.middle - kCentre) < 0.3);
    }

    /// Nine counts a line, three of them by chance, in the mean: what is clipped at zero stays in the image,
    /// in the background above all. In add most of it does not; an image that is never negative keeps the
    /// rest.
    void randomsInAddBiasTheImageLessThanClippedOnes() {
        constexpr std::size_t kTrues = 40'000;
        constexpr std::size_t kRandoms = 20'000;
        const auto crystals = static_cast<std::uint32_t>(PanelGeometry::of(tiny())->headCrystals());
        const EventList trues = firstOf(list_, kTrues);
        const double decays = list_.decays * static_cast<double>(kTrues) / 200'000;
        EventList prompts = trues;
        const EventList chance = byChance(crystals, kRandoms, 1);
        prompts.crystals.insert(prompts.crystals.end(), chance.crystals.begin(), chance.crystals.end());
        const EventList delayeds = byChance(crystals, kRandoms, 2);
        const auto imageOf = [&](PanelData data) {
            data.hash = dataHash(data);
            return reconstructed(std::make_shared<const PanelMeasurement>(std::move(data)), engines_);
        };
        PanelData subtracted = binPanel(prompts, tiny());
        const PanelRandomsTally clipped = correctRandoms(subtracted, delayeds, PanelRandoms::Subtract);
        PanelData added = binPanel(prompts, tiny());
        const PanelRandomsTally kept = correctRandoms(added, delayeds, PanelRandoms::Add);

        const Reconstructed without = imageOf(binPanel(trues, tiny()));
        const Reconstructed none = imageOf(binPanel(prompts, tiny()));
        const Reconstructed subtract = imageOf(subtracted);
        const Reconstructed add = imageOf(added);

        QCOMPARE(kept.delayeds, static_cast<double>(kRandoms));
        QCOMPARE(kept.clippedLines, 0.0);
        QVERIFY(std::abs(std::accumulate(added.add.begin(), added.add.end(), 0.0) / kRandoms - 1) < 1e-4);
        // Counts that are left are the trues and what was clipped.
        const double left = std::accumulate(subtracted.counts.begin(), subtracted.counts.end(), 0.0);
        QCOMPARE(left, kTrues + clipped.clippedCounts);
        const auto show = [&](const char* what, const Reconstructed& made) {
            qInfo("%s: total %.3f of what decayed, in the box %.3f, around it %.3f", what,
                  made.total / decays, made.inside / decays, (made.total - made.inside) / decays);
        };
        show("trues alone", without);
        show("randoms left in", none);
        show("subtracted and clipped", subtract);
        show("in add", add);
        qInfo("clipped: %.0f of 6400 lines, %.0f counts", clipped.clippedLines, clipped.clippedCounts);
        const double around = without.total - without.inside;
        QVERIFY(std::abs(add.inside / without.inside - 1) < 0.03);
        QVERIFY(subtract.total / without.total > 1.1);
        QVERIFY(none.total > subtract.total && subtract.total > add.total);
        QVERIFY(add.total - add.inside - around < 0.4 * (subtract.total - subtract.inside - around));
    }

    void delayedsOfAnotherScannerAreRefused() {
        PanelData data = binPanel(list_, tiny());
        EventList delayeds;
        delayeds.crystals.push_back({3, 160});
        QVERIFY_EXCEPTION_THROWN((void)correctRandoms(data, delayeds, PanelRandoms::Add), WrongUse);
    }

    void viewsHoldAllCounts() {
        const PanelMeasurement data(binPanel(list_, tiny()));
        const std::vector<double> totals = data.viewTotals();

        QCOMPARE(totals.size(), data.layout().views.size());
        QCOMPARE(std::accumulate(totals.begin(), totals.end(), 0.0), 200'000.0);
        for (const std::size_t view : {std::size_t{0}, totals.size() / 2, totals.size() - 1}) {
            const Volume picture = data.view(view, DataQuantity::Counts);
            QCOMPARE(std::accumulate(picture.data.begin(), picture.data.end(), 0.0), totals[view]);
        }
        QVERIFY_EXCEPTION_THROWN((void)data.view(totals.size(), DataQuantity::Counts), WrongUse);
    }

    void otherScannersAreRefused() {
        QVERIFY_EXCEPTION_THROWN((void)binPanel(list_, Scanner::find("labr3-ideal")), WrongUse);
    }

    void attenuationGoesIntoMult() {
        PanelData data = binPanel(list_, tiny());
        Volume mu(Lattice::centred({6, 48, 40}, {2, 1, 1}), 0.01F);
        attenuatePanel(data, tiny(), mu, ThreadPool(), [](double) {});

        const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
        QCOMPARE(starts.front(), std::size_t{0});
        // Straight across: 12 mm of it.
        QVERIFY(std::abs(static_cast<double>(data.mult.front()) - std::exp(-0.12)) < 1e-4);
        const PanelMeasurement measurement(std::move(data));
        QVERIFY(measurement.shows(DataQuantity::Mult));
    }

    void derenzoRodsAreTwiceTheirDiameterApart() {
        for (const double diameter : {2.4, 1.0, 0.75}) {
            const auto rods = derenzoRods(diameter, 0.3, 22);
            double nearest = 1e9;
            for (std::size_t i = 0; i < rods.size(); ++i) {
                QVERIFY(std::hypot(rods[i][0], rods[i][1]) <= 22);
                for (std::size_t j = 0; j < i; ++j) {
                    nearest = std::min(nearest, std::hypot(rods[i][0] - rods[j][0], rods[i][1] - rods[j][1]));
                }
            }
            QVERIFY(rods.size() >= 10);
            QVERIFY(std::abs(nearest - 2 * diameter) < 1e-9);
        }
        QCOMPARE(Phantom::find("micro-derenzo").emission->lattice.size[0], 1);
        QVERIFY(Phantom::find("rat").attenuation.has_value());
        // This rat has another part of it in the middle.
        const Phantom rat = Phantom::find("rat");
        const Phantom head = Phantom::find("rat-head");
        QVERIFY(head.emission->data == rat.emission->data);
        const auto middleOf = [](const Phantom& phantom) {
            return phantom.emission->at(nearestVoxel(phantom.emission->lattice, {0, 0, 0}));
        };
        QCOMPARE(middleOf(rat), 2.0F);  // its liver
        QCOMPARE(middleOf(head), 6.0F);
    }

  private:
    QTemporaryDir folder_;
    EventList list_;
    EngineRegistry engines_;
};

QTEST_GUILESS_MAIN(PanelReconstructionTest)

}  // namespace panel_reconstruction_test
#include "panel_reconstruction_test.moc"
