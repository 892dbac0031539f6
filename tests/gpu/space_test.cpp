// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/seam/device_kernel.h"
#include "recon/seam/host_space.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/gpu/gpu_fixtures.h"
#include "tests/gpu/probes/floor_shares.h"
#include "tests/support/one_step_late.h"

namespace space_test {

using namespace tof;
using fixtures::uniformData;

namespace {

/// Runs to the end and keeps the iterates.
class KeepingControl : public RunControl {
  public:
    bool wantsSnapshot() override { return true; }
    void offer(const RunProgress& /*progress*/, std::unique_ptr<Snapshot> snapshot) override {
        snapshots.push_back(std::move(snapshot));
    }
    void iterateDone(Iterate iterate) override { iterates.push_back(std::move(iterate)); }

    std::vector<Iterate> iterates;
    std::vector<std::unique_ptr<Snapshot>> snapshots;
};

std::shared_ptr<HistoData> phantomData(const Lattice& grid, const std::vector<View>& views) {
    auto data = std::make_shared<HistoData>();
    data->lattice = grid;
    data->views = views;
    const std::size_t n = grid.voxels() * views.size();
    data->counts = uniformData(n, 3, 0, 4);
    data->mult = uniformData(n, 4, 0.2F, 1);
    data->add = uniformData(n, 5, 0, 0.1F);
    data->att = uniformData(n, 6, 0.1F, 1);
    for (std::size_t i = 0; i < n; i += 97) {
        data->mult[i] = 0;  // gaps of the scanner
    }
    return data;
}

std::vector<Iterate> reconstruct(const Engine& engine, const std::shared_ptr<const HistoData>& data,
                                 const Algorithm& algorithm, std::size_t budget) {
    EngineOptions options;
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(
        engine, DirectModel{data->lattice, data->views, KernelSpec::preset("variant1"), !data->att.empty()},
        space, options);
    SpaceHistoSource source(partsOf(data), space, budget);
    AlgorithmSettings settings;
    settings.algorithm = &algorithm;
    settings.iterations = 4;
    settings.subsets = algorithm.voxelsPerCount > 0 ? 4 : 0;
    std::vector<std::size_t> order(data->views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    KeepingControl control;
    Reconstruction run(*projector, source, data->lattice, settings, order, control);
    run.run(control);
    return std::move(control.iterates);
}

}  // namespace

class SpaceTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void elementWiseWorkEqualsTheHosts_data();
    void elementWiseWorkEqualsTheHosts();
    void discrepanciesInSharesAreThoseOfTheWhole_data();
    void discrepanciesInSharesAreThoseOfTheWhole();
    void snapshotKeepsTheImageOfItsMoment();
    void repeatedSequenceGivesTheSameBits();
    void exceptionBetweenGroupsLeavesTheSpaceUsable();
    void reconstructionEqualsTheHosts_data();
    void reconstructionEqualsTheHosts();
    void streamedDataGiveTheSameBitsAsResident();
    void countsThatComeLaterAreAddedWhereTheDataAre();
    void memoryBeyondTheLimitIsRefusedWithTheNumbers();
    void memoryGivenBackIsFreeForAnything();
    void stagesAreTimed();
    void stagesOfStepsThatAreGivenAnewKeepTheirProportions();
    void deviceDescribesItself();
    void deviceFaultLeavesTheProcessAbleToRun();

  private:
    std::shared_ptr<const Engine> cuda_;
};

void SpaceTest::initTestCase() {
    const auto found = fixtures::cudaOrReason();
    if (found.engine == nullptr) {
        QSKIP(found.whyNot.c_str());
    }
    cuda_ = found.engine;
}

void SpaceTest::elementWiseWorkEqualsTheHosts_data() {
    QTest::addColumn<int>("size");
    for (const int n : {1, 31, 32, 257, 1000, 65537, 3'000'001}) {
        QTest::addRow("%d", n) << n;
    }
}

void SpaceTest::elementWiseWorkEqualsTheHosts() {
    QFETCH(int, size);
    const auto n = static_cast<std::size_t>(size);
    const auto run = [&](Space& space) {
        std::vector<float> all;
        std::vector<Array> arrays;
        for (std::uint32_t i = 0; i < 5; ++i) {
            arrays.push_back(space.allocate(n));
            auto values = uniformData(n, i, i == 2 ? 0.0F : 0.1F, 2);
            if (i == 2) {
                for (std::size_t k = 0; k < n; k += 3) {
                    values[k] = 0;
                }
            }
            space.upload(values, arrays.back().view());
        }
        Array lambda = space.allocate(1);
        Array next = space.allocate(n);
        space.upload(std::array<float, 1>{0.7F}, lambda.view());
        const PartData data{arrays[0].view(), arrays[2].view(), arrays[1].view()};
        const auto keep = [&](const Array& a) {
            std::vector<float> host(n);
            space.download(a.view(), host);
            all.insert(all.end(), host.begin(), host.end());
        };
        space.discrepancy(data, Discrepancy::RatioMinusOne, arrays[3].view());
        keep(arrays[3]);
        Array piece = space.allocate(arrays[0].size());
        space.copy(arrays[0].view(), piece.view());
        const double expected = space.expect(data, piece.view());
        keep(piece);
        const float floor = expectedFloor(expected, static_cast<double>(piece.size()));
        space.discrepancyAbove(data, Discrepancy::Ratio, floor, piece.view());
        keep(piece);
        space.update(RelaxedStep{3, 0.5F},
                     {arrays[3].view(), arrays[2].view(), lambda.view(), {arrays[1].view(), next.view()}},
                     arrays[4].view());
        keep(arrays[4]);
        keep(next);
        space.discrepancy({arrays[0].view(), {}, {}}, Discrepancy::Ratio, arrays[4].view());
        keep(arrays[4]);
        for (const VoxelUpdate& how : std::vector<VoxelUpdate>{
                 RatioStep{0.3F, 0.1F}, AscentStep{3, 0.5F, 0.1F}, SizedStep{2, 0.1F}, StepDivisor{0.1F},
                 StepSize{0.5F, 0.1F}, LateDivisor{0.5F}, KappaOf{0.5F, 0.3F}, OverVariance{0.4F},
                 PerRecorded{0.4F}, OpenStep{0.5F, 0.2F, 0.3F}}) {
            space.update(how, {arrays[0].view(), arrays[1].view(), lambda.view()}, arrays[4].view());
            keep(arrays[4]);
        }
        space.update(RatioStep{0.3F}, {arrays[0].view(), arrays[1].view()}, arrays[4].view());
        space.multiply(arrays[4].view(), arrays[0].view(), arrays[4].view());
        space.accumulate(arrays[1].view(), arrays[4].view());
        space.addScaled(arrays[2].view(), -1.5F, arrays[4].view());
        keep(arrays[4]);
        space.fill(arrays[4].view(), 2.0F);
        const std::uint64_t last = arrays[4].size() - 1;
        space.addAt(std::vector<std::uint64_t>{0, last / 2, last / 2, last, 0}, 1.0F, arrays[4].view());
        keep(arrays[4]);
        space.copy(arrays[4].view(), arrays[0].view());
        space.fill(arrays[4].view(), 2.5F);
        keep(arrays[4]);
        space.fillSeen(arrays[2].view(), 0.5F, 1.5F, arrays[4].view());
        keep(arrays[4]);
        keep(arrays[0]);
        const double sum = space.sum(arrays[0].view());
        return std::tuple{all, sum, space.maximum(arrays[0].view())};
    };
    HostSpace host(2);

    const auto [expected, expectedSum, expectedMaximum] = run(host);
    const auto [values, sum, maximum] = run(*cuda_->makeSpace({}));

    // The device may fuse a multiply with an add, the host does not: of seven updates in a row, each with up
    // to five roundings, 35 times 6e-8 of the largest term.
    const double off = fixtures::relativeToMaximum(values, expected);
    QVERIFY2(off <= 2.1e-6, qPrintable(QString::number(off)));
    QVERIFY(std::abs(sum - expectedSum) <=
            1e-6 * static_cast<double>(n) * static_cast<double>(expectedMaximum));
    QVERIFY(std::abs(maximum - expectedMaximum) <= 1e-6F * expectedMaximum);
}

void SpaceTest::discrepanciesInSharesAreThoseOfTheWhole_data() {
    QTest::addColumn<bool>("beneath");
    QTest::addColumn<bool>("weighted");
    QTest::newRow("as always") << false << true;
    QTest::newRow("without mult") << false << false;
    QTest::newRow("counts where nothing is expected") << true << true;
    QTest::newRow("the same without mult") << true << false;
}

/// What ranks do: of an odd number of data in pieces, one of them empty, with the floor of all.
void SpaceTest::discrepanciesInSharesAreThoseOfTheWhole() {
    QFETCH(bool, beneath);
    QFETCH(bool, weighted);
    constexpr std::size_t kData = 300'001;
    FloorData data{
        uniformData(kData, 3, 0, 5), {}, uniformData(kData, 4, 0.1F, 0.2F), uniformData(kData, 5, 0, 9)};
    if (weighted) {
        data.mult = uniformData(kData, 6, 0.5F, 1);
    }
    if (beneath) {  // in two pieces; the mean is about 4, so the floor 4e-9
        for (const std::size_t i : {std::size_t{11}, std::size_t{200'000}}) {
            data.p[i] = 0;
            data.add[i] = 1e-9F;
            data.y[i] = 2;
        }
    }
    for (const Discrepancy kind : {Discrepancy::RatioMinusOne, Discrepancy::Ratio}) {
        HostSpace host(1);
        std::vector<float> whole = data.p;
        const auto view = [](const std::vector<float>& values) {
            return ConstView{values.data(), values.size()};
        };
        host.discrepancy({view(data.y), view(data.mult), view(data.add)}, kind, {whole.data(), kData});

        const std::vector<float> shared =
            discrepancyInShares(cuda_->makeSpace({}), data, kind, {100'003, 100'003, 250'000, kData});

        float largest = 0;
        for (std::size_t i = 0; i < kData; ++i) {
            largest = std::max(largest, std::abs(shared[i] - whole[i]) / std::max(1.0F, std::abs(whole[i])));
        }
        constexpr float kRoundings = 10 * 0x1p-24F;  // five on either side
        QVERIFY2(largest <= kRoundings, qPrintable(QString::number(largest)));
        if (beneath) {
            QCOMPARE(shared[11],
                     (weighted ? data.mult[11] : 1.0F) * (kind == Discrepancy::Ratio ? -0.0F : -1.0F));
        }
    }
}

void SpaceTest::snapshotKeepsTheImageOfItsMoment() {
    const auto space = cuda_->makeSpace({});
    Array image = space->allocate(100000);
    std::vector<std::unique_ptr<Snapshot>> taken;
    for (int i = 0; i < 5; ++i) {
        space->fill(image.view(), static_cast<float>(i));
        taken.push_back(space->snapshot(image.view()));
    }
    space->fill(image.view(), -1);

    for (int i = 0; i < 5; ++i) {
        const auto values = taken[static_cast<std::size_t>(i)]->take();
        QVERIFY(
            std::all_of(values.begin(), values.end(), [&](float v) { return v == static_cast<float>(i); }));
    }
}

void SpaceTest::repeatedSequenceGivesTheSameBits() {
    const auto space = cuda_->makeSpace({});
    Array x = space->allocate(5000);
    Array c = space->allocate(5000);
    const auto start = uniformData(5000, 1, 0.5F, 1);
    space->upload(uniformData(5000, 2, 0.9F, 1.1F), c.view());
    const auto once = [&](const SequenceKey& key) {
        space->upload(start, x.view());
        std::vector<std::size_t> seen;
        space->sequence(
            key, 300, [&](std::size_t) { space->multiply(x.view(), c.view(), x.view()); },
            [&](std::size_t done) { seen.push_back(done); });
        std::vector<float> result(5000);
        space->download(x.view(), result);
        return std::pair{result, seen};
    };

    const auto [direct, seenDirect] = once({"", 0});
    const auto [first, seenFirst] = once({"test", 1});
    const auto [second, seenSecond] = once({"test", 1});
    const auto [third, seenThird] = once({"test", 1});
    const auto [timed, seenTimed] = once({"test", 2, Repeat::GivenAnew});
    const auto [anew, seenAnew] = once({"test", 2, Repeat::GivenAnew});

    QVERIFY(direct == first && first == second && second == third);
    QVERIFY(direct == timed && timed == anew);
    std::vector<std::size_t> each(300);
    std::iota(each.begin(), each.end(), std::size_t{1});
    QCOMPARE(seenTimed, each);
    QCOMPARE(seenAnew, each);
    QCOMPARE(seenDirect.back(), std::size_t{300});
    QCOMPARE(seenFirst.back(), std::size_t{300});
    QCOMPARE(seenThird.back(), std::size_t{300});
}

void SpaceTest::exceptionBetweenGroupsLeavesTheSpaceUsable() {
    const auto space = cuda_->makeSpace({});
    Array x = space->allocate(1000);
    space->fill(x.view(), 0);
    Array one = space->allocate(1000);
    space->fill(one.view(), 1);
    struct Stop {};
    const auto run = [&](bool stop) {
        space->sequence(
            {"stopped", 1}, 40, [&](std::size_t) { space->accumulate(one.view(), x.view()); },
            [&](std::size_t) {
                if (stop) {
                    throw Stop{};
                }
            });
    };
    QVERIFY_THROWS_EXCEPTION(Stop, run(true));
    space->fill(x.view(), 0);

    run(false);
    run(false);

    std::vector<float> values(1000);
    space->download(x.view(), values);
    QCOMPARE(values[500], 80.0F);
}

void SpaceTest::reconstructionEqualsTheHosts_data() {
    QTest::addColumn<QString>("algorithm");
    QTest::newRow("ramla") << "ramla";
    QTest::newRow("osem") << "osem";
    QTest::newRow("mlem") << "mlem";
    QTest::newRow("bsrem") << "bsrem";
    QTest::newRow("svrg") << "svrg";
    QTest::newRow("osl") << "osl";
    QTest::newRow("negml") << "negml";
    QTest::newRow("aml") << "aml";
    QTest::newRow("analytic") << "analytic";
    QTest::newRow("with a prior") << "prior";
}

void SpaceTest::reconstructionEqualsTheHosts() {
    QFETCH(QString, algorithm);
    const auto data = phantomData(Lattice::centred({33, 30, 10}, {4, 4, 4}), fixtures::obliqueViews());
    if (algorithm == "prior") {
        data->att.clear();  // its weight suits the sensitivity without attenuation
    }
    const Algorithm prior = test::oneStepLate(0.01);
    const Algorithm& made = algorithm == "prior" ? prior : algorithmNamed(algorithm.toStdString());

    const auto host = reconstruct(*makeCpuEngine(), data, made, SIZE_MAX);
    const auto device = reconstruct(*cuda_, data, made, SIZE_MAX);

    QCOMPARE(device.size(), host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
        const double error = fixtures::relativeToMaximum(device[i].image->data, host[i].image->data);
        QVERIFY2(error <= 1e-4, qPrintable(QString::number(error)));
    }
}

void SpaceTest::countsThatComeLaterAreAddedWhereTheDataAre() {
    const std::shared_ptr<const HistoData> before =
        phantomData(Lattice::centred({33, 30, 10}, {4, 4, 4}), fixtures::obliqueViews());
    auto after = std::make_shared<HistoData>(*before);
    const std::vector<std::uint64_t> places{5, 5, after->counts.size() - 1};
    for (const std::uint64_t place : places) {
        after->counts[place] += 1.0F;
    }
    const std::shared_ptr<Space> space = cuda_->makeSpace({});
    SpaceHistoSource grown(before, space, SIZE_MAX);
    QVERIFY(grown.addCounts(places, 1.0F));
    SpaceHistoSource anew(after, space, SIZE_MAX);
    QCOMPARE(grown.totalCounts(), anew.totalCounts());
    for (std::size_t part = 0; part < anew.parts(); ++part) {
        std::vector<float> one(grown.part(part).y.size);
        std::vector<float> two(one.size());
        space->download(grown.part(part).y, one);
        space->download(anew.part(part).y, two);
        QCOMPARE(one, two);
    }
    SpaceHistoSource streamed(before, space, 1);
    QVERIFY(!streamed.addCounts(places, 1.0F));
}

void SpaceTest::streamedDataGiveTheSameBitsAsResident() {
    const auto data = phantomData(Lattice::centred({33, 30, 10}, {4, 4, 4}), fixtures::obliqueViews());

    const auto resident = reconstruct(*cuda_, data, ramla(), SIZE_MAX);
    const auto streamed = reconstruct(*cuda_, data, ramla(), 0);

    QVERIFY(resident.back().image->data == streamed.back().image->data);
}

void SpaceTest::memoryBeyondTheLimitIsRefusedWithTheNumbers() {
    EngineOptions options;
    options.memoryLimitBytes = std::size_t{64} << 20U;
    const auto space = cuda_->makeSpace(options);
    const Array fits = space->allocate(std::size_t{8} << 20U);

    try {
        const Array tooMuch = space->allocate(std::size_t{16} << 20U);
        QFAIL("64 MiB were given beside 32 of 64");
    } catch (const Unavailable& refused) {
        QVERIFY2(QString(refused.what()).contains("64.0 MiB"), refused.what());
    }
    QVERIFY(space->bytesFree() <= std::size_t{32} << 20U);
}

void SpaceTest::memoryGivenBackIsFreeForAnything() {
    EngineOptions options;
    options.memoryLimitBytes = std::size_t{64} << 20U;
    const auto space = cuda_->makeSpace(options);
    const std::vector<float> ones(std::size_t{1} << 18U, 1.0F);
    const std::size_t before = space->bytesFree();
    for (int round = 0; round < 3; ++round) {
        std::vector<Array> some;
        for (int i = 0; i < 20; ++i) {
            some.push_back(space->allocate(ones.size()));
            space->upload(ones, some.back().view());
        }
        for (int i = 1; i < 20; ++i) {
            space->accumulate(some[0].view(), some[static_cast<std::size_t>(i)].view());
        }

        // An array given back while work on it is under way, and one of its size that is written at once.
        some.pop_back();
        some.push_back(space->allocate(ones.size()));
        space->upload(ones, some.back().view());

        QCOMPARE(space->sum(some.back().view()), static_cast<double>(ones.size()));
        QCOMPARE(space->sum(some[1].view()), 2.0 * static_cast<double>(ones.size()));
    }

    QCOMPARE(space->bytesFree(), before);
    const Array nearlyAll = space->allocate(std::size_t{15} << 20U);
    QVERIFY(space->bytesFree() <= std::size_t{4} << 20U);
}

void SpaceTest::stagesAreTimed() {
    const auto data = phantomData(Lattice::centred({33, 30, 10}, {4, 4, 4}), fixtures::obliqueViews());

    const auto iterates = reconstruct(*cuda_, data, ramla(), SIZE_MAX);

    for (const Iterate& iterate : iterates) {
        QCOMPARE(iterate.stageSeconds.size(), kStages);
        for (const Stage stage :
             {Stage::Forward, Stage::Discrepancy, Stage::Back, Stage::Update, Stage::Download}) {
            QVERIFY2(iterate.stageSeconds[static_cast<std::size_t>(stage)] > 0, stageName(stage));
        }
        const double sum = std::accumulate(iterate.stageSeconds.begin(), iterate.stageSeconds.end(), 0.0);
        QVERIFY2(sum <= 1.1 * iterate.seconds, qPrintable(QString("%1 of %2").arg(sum).arg(iterate.seconds)));
    }
}

/// The first two passes are timed stage by stage, those after them in total.
void SpaceTest::stagesOfStepsThatAreGivenAnewKeepTheirProportions() {
    const auto space = cuda_->makeSpace({});
    Array x = space->allocate(3'000'000);
    space->fill(x.view(), 1);
    const auto stagesOf = [&](std::size_t steps) {
        static_cast<void>(space->takeStageSeconds());
        space->sequence(
            {"stages", 1, Repeat::GivenAnew}, steps,
            [&](std::size_t) {
                space->stage(Stage::Forward);
                space->multiply(x.view(), x.view(), x.view());
                space->stage(Stage::Back);
                space->multiply(x.view(), x.view(), x.view());
                space->multiply(x.view(), x.view(), x.view());
                space->stageEnd();
            },
            [](std::size_t) {});
        return space->takeStageSeconds();
    };
    constexpr auto kForward = static_cast<std::size_t>(Stage::Forward);
    constexpr auto kBack = static_cast<std::size_t>(Stage::Back);
    static_cast<void>(stagesOf(1));
    const std::vector<double> timed = stagesOf(20);
    const std::vector<double> shared = stagesOf(200);

    QVERIFY(timed[kForward] > 0 && timed[kBack] > timed[kForward]);
    QVERIFY(shared[kForward] > timed[kForward]);
    QVERIFY(std::abs(shared[kBack] / shared[kForward] - timed[kBack] / timed[kForward]) < 1e-6);
    QCOMPARE(shared[static_cast<std::size_t>(Stage::Update)], 0.0);
}

void SpaceTest::deviceDescribesItself() {
    const DeviceInfo info = cuda_->device();

    QVERIFY(!info.name.empty());
    for (const char* key : {"streaming multiprocessors", "shader clock", "memory clock", "memory bus width",
                            "registers per multiprocessor", "shared memory per multiprocessor",
                            "constant memory", "warp size", "max threads per block", "global memory"}) {
        QVERIFY2(std::any_of(info.properties.begin(), info.properties.end(),
                             [&](const auto& p) { return p.first == key; }),
                 key);
    }
    for (const DeviceKernel& a : cuda_->offers<TellsKernels>()->kernels()) {
        QVERIFY(a.registersPerThread > 0 && a.occupancy > 0 && a.occupancy <= 1);
        qInfo("%s %s: %d registers, %.0f B shared, %.0f B local, %.0f %%", a.strategy.c_str(),
              a.projection.c_str(), a.registersPerThread, a.sharedBytesPerBlock, a.localBytesPerThread,
              100 * a.occupancy);
    }
}

void SpaceTest::deviceFaultLeavesTheProcessAbleToRun() {
    {
        const auto space = cuda_->makeSpace({});
        Array array = space->allocate(1000);
        const ConstView nowhere{reinterpret_cast<const float*>(std::uintptr_t{4096}), 1000};
        QVERIFY_THROWS_EXCEPTION(Unavailable, (space->accumulate(nowhere, array.view()), space->finish()));
    }
    const auto data = phantomData(Lattice::centred({33, 30, 10}, {4, 4, 4}), fixtures::obliqueViews());

    // Whether the device itself comes back is up to the driver; if not, the next use of it says what to do.
    try {
        QCOMPARE(reconstruct(*cuda_, data, ramla(), SIZE_MAX).size(), std::size_t{4});
    } catch (const Unavailable& refused) {
        QVERIFY2(QString(refused.what()).contains("start the program again"), refused.what());
    }
    QCOMPARE(reconstruct(*makeCpuEngine(), data, ramla(), SIZE_MAX).size(), std::size_t{4});
}

QTEST_GUILESS_MAIN(SpaceTest)

}  // namespace space_test
#include "space_test.moc"
