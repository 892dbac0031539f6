// SPDX-License-Identifier: Apache-2.0
// From a list with times to the images of its frames.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/frame_shares.h"
#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/physics/nuclide.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/bin.h"
#include "recon/work/reconstruct.h"
#include "recon/work/run_files.h"
#include "recon/work/simulate.h"
#include "tests/support/dithered_frame.h"
#include "tests/support/event_lists.h"
#include "tests/support/flat_modules.h"
#include "tests/support/framed_data.h"
#include "tests/support/silent_progress.h"
#include "tests/support/small_data.h"
#include "tests/support/thread_ranks.h"

namespace frame_run_test {

using namespace tof;
using namespace tof::test;

namespace {

/// What lies in kFlatModules.
constexpr const char* kCylinder =
    R"({"name":"air","shapes":[{"kind":"cylinder","name":"air","centre_mm":[0,0,0],"radius_mm":40,)"
    R"("length_mm":30,"activity":1}]})";

constexpr double kVoxel_mm3 = 8.0 * 8.0 * 8.0;

RunSettings settings(const std::string& algorithm = "osem") {
    RunSettings made;
    made.set("engine", "cpu");
    made.set("kernel", "invariant");
    made.set("algorithm", algorithm);
    made.set("subsets", "3");
    made.set("iterations", "4");
    return made;
}

/// The small data of a disk without blobs, 10 emissions a voxel.
std::shared_ptr<HistoData> diskData() {
    std::shared_ptr<HistoData> data = smallData(KernelSpec::preset("invariant"));
    std::vector<float> disk = smallImage().data;
    for (float& value : disk) {
        value = std::min(value, 10.0F);
    }
    std::size_t i = 0;
    for (const View& view : data->views) {
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), data->lattice, view);
        for (const double forward : referenceForward(tables, data->lattice, disk)) {
            data->counts[i] = data->mult[i] * static_cast<float>(forward) + data->add[i];
            ++i;
        }
    }
    return data;
}

/// Copies checkpoint and journal away as the third frame begins.
struct Leaver : JobListener {
    Leaver(std::string checkpoint, std::string left) : from(std::move(checkpoint)), to(std::move(left)) {}
    void shareReady(const std::string& what, double /*share*/) override {
        begun += what == "frames" ? 1 : 0;
        if (begun == 3) {
            std::filesystem::copy_file(from, to);
            std::filesystem::copy_file(journalOf(from), journalOf(to));
        }
    }
    std::string from;
    std::string to;
    int begun = 0;
};

/// Ends a run as a frame begins, or so many blocks later: kept or thrown away.
struct Stopper : JobListener {
    void shareReady(const std::string& what, double /*share*/) override {
        begun += what == "frames" ? 1 : 0;
        blocks = 0;
        if (begun == stopAt && cancels && afterBlocks == 0) {
            throw Cancelled();
        }
        finish = finish || (begun == stopAt && !cancels);
    }
    [[nodiscard]] bool finishRequested() override { return finish; }
    void checkpoint() override {
        if (begun == 1) {
            ++blocksOfFirst;
        }
        if (begun == stopAt && cancels && ++blocks > afterBlocks) {
            throw Cancelled();
        }
    }
    int stopAt = 0;
    int afterBlocks = 0;
    int blocks = 0;
    int blocksOfFirst = 0;  ///< blocks of the first frame
    bool cancels = false;
    bool finish = false;
    int begun = 0;
};

}  // namespace

class FrameRunTest : public QObject {
    Q_OBJECT

  private slots:
    /// A list of 20,000 events over 10 s, in frames with a gap: in each voxel those that the frame's events
    /// alone have, whatever the threads and the parts that it is read in.
    void framesHoldTheEventsOfTheList() {
        SimulateRequest simulated;
        std::ofstream(simulated.scanner = file("flat.json")) << kFlatModules;
        std::ofstream(simulated.phantom = file("cylinder.json")) << kCylinder;
        simulated.settings = {.events = 20000, .seed = 3, .duration_s = 10};
        SilentProgress silent;
        auto events = std::get<EventList>(simulateScan(simulated, pool_, silent).data);
        for (std::size_t i = 0; i < events.size(); ++i) {
            events.time_ms.push_back(static_cast<std::uint32_t>(i / 2));
        }
        BinRequest request;
        writeEvents(request.input = file("list.h5"), events);
        request.azimuths = 4;
        request.tilts = 1;
        request.lattice = Lattice::centred({14, 14, 6}, {8, 8, 8});
        request.mu = "none";
        request.endPoints = EndPoints::Centre;
        const auto whole = std::get<HistoData>(binEvents(request, pool_, silent).data);

        BinningSettings alone;
        alone.azimuths = request.azimuths;
        alone.tilts = request.tilts;
        alone.lattice = *request.lattice;
        alone.endPoints = request.endPoints;
        const Scanner scanner = Scanner::fromJson(kFlatModules, "test");

        request.frames = "1x3s,2x3500ms";
        for (const auto& [threads, atATime] : {std::pair{1, std::size_t{997}}, {2, std::size_t{1} << 20U}}) {
            request.eventsAtATime = atATime;
            const auto data = std::get<HistoData>(binEvents(request, ThreadPool(threads), silent).data);
            QVERIFY(data.counts == whole.counts);
            std::uint64_t told = data.frames->between;
            std::vector<float> counts(data.counts.size());
            for (const FrameCounts& frame : data.frames->frames) {
                told += frame.kept + frame.outside + frame.rejected;
                const EventList own = eventsThat(events, [&](std::size_t i) {
                    return events.time_ms[i] >= 1e3 * frame.time.start_s &&
                           events.time_ms[i] < 1e3 * frame.time.end_s();
                });
                frame.expandInto(counts, data.voxels());
                QVERIFY(counts == depositEvents(own, scanner, alone, pool_, {}).counts);
            }
            QCOMPARE(told, std::uint64_t{20000});
            QCOMPARE(data.duration_s, 10.0);
        }

        request.frames = "2x1s";  // most of the list is left out
        const auto part = std::get<HistoData>(binEvents(request, pool_, silent).data);
        QCOMPARE(part.frames->between, std::uint64_t{16000});
        QCOMPARE(part.duration_s, 2.0);
        QCOMPARE(part.decays, 0.0);
    }

    void filesKeepFrames() {
        const auto data = framedData({{0, 10}, {20, 5}}, {3, 1}, "C-11");
        writeData(file("data.h5"), *data);
        const HistoData back = readData(file("data.h5"));
        QCOMPARE(back.frames->nuclide, "C-11");
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(back.frames->frames[i].time, data->frames->frames[i].time);
            QVERIFY(back.frames->frames[i].voxels == data->frames->frames[i].voxels);
            QVERIFY(back.frames->frames[i].firsts == data->frames->frames[i].firsts);
        }
        HistoData still = *data;
        still.frames = nullptr;
        writeData(file("still.h5"), still);
        QVERIFY(readData(file("still.h5")).hash != back.hash);

        auto wrong = std::make_shared<FramedCounts>(*data->frames);
        wrong->frames[1].voxels.front() = 1000000;
        still.frames = wrong;
        writeData(file("wrong.h5"), still);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(readData(file("wrong.h5"))), BadInput);
    }

    /// What data with the counts of that frame alone become, by algorithms of three kinds. The total of add
    /// is rounded elsewhere, and with it the uniform start: some units of the last place, 6e-8.
    void aFrameIsReconstructedAsIfItWereAlone_data() {
        QTest::addColumn<QString>("algorithm");
        for (const char* name : {"osem", "ramla", "bsrem"}) {
            QTest::newRow(name) << name;
        }
    }
    void aFrameIsReconstructedAsIfItWereAlone() {
        QFETCH(QString, algorithm);
        ReconstructRequest asked = request(framedData({{0, 10}, {10, 10}, {20, 5}}, {8, 3, 2}, ""), "run.h5");
        asked.settings = settings(algorithm.toStdString());
        JobListener listener;
        const ReconstructResult result = reconstruct(asked, makeEngineRegistry(), listener);
        QCOMPARE(result.frames, 3);

        const HistoData& all = *histoData(asked.data.get());
        for (std::size_t i = 0; i < 3; ++i) {
            auto alone = std::make_shared<HistoData>(all);
            alone->frames = nullptr;
            all.frames->frames[i].expandInto(alone->counts, all.voxels());
            const double kept = static_cast<double>(all.frames->frames[i].kept);
            const auto share = static_cast<float>(kept / static_cast<double>(all.kept));
            for (float& add : alone->add) {
                add *= share;
            }
            ReconstructRequest one = request(alone, "one.h5");
            one.settings = asked.settings;
            one.frames.reset();
            const Volume image = *reconstruct(one, makeEngineRegistry(), listener).image;
            const Volume frame = readRunFrame(h5::Reader(file("run.h5")), static_cast<int>(i) + 1);
            const float most = *std::max_element(image.data.begin(), image.data.end());
            for (std::size_t k = 0; k < image.data.size(); ++k) {
                QVERIFY(std::abs(frame.data[k] - image.data[k]) < 1e-5F * most);
            }
        }
    }

    /// Only some, after an interruption, ended early, without counts.
    void framesMayBeChosenResumedAndFinished() {
        const auto data = framedData({{0, 10}, {10, 10}, {20, 5}, {25, 5}}, {8, 3, 2, 0}, "");
        JobListener listener;
        Stopper whole;
        whole.stopAt = -1;
        static_cast<void>(reconstruct(request(data, "all.h5"), makeEngineRegistry(), whole));
        const auto imageOf = [&](const char* run, int number) {
            return readRunFrame(h5::Reader(file(run)), number).data;
        };
        QVERIFY(imageOf("all.h5", 4) == std::vector<float>(data->voxels(), 0.0F));

        ReconstructRequest some = request(data, "some.h5");
        some.frames->only = "2-3";
        QCOMPARE(reconstruct(some, makeEngineRegistry(), listener).frames, 2);
        QCOMPARE(readRunFrames(h5::Reader(file("some.h5"))).size(), std::size_t{2});
        QVERIFY(imageOf("some.h5", 3) == imageOf("all.h5", 3));

        ReconstructRequest cut = request(data, "cut.h5");
        cut.files.checkpointFile = file("cut.ckpt");
        Stopper third;
        third.stopAt = 3;
        third.cancels = true;
        third.afterBlocks = whole.blocksOfFirst / 2;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct(cut, makeEngineRegistry(), third)), Cancelled);
        cut.from = cut.files.checkpointFile;
        Stopper rest;
        rest.stopAt = -1;
        QCOMPARE(reconstruct(cut, makeEngineRegistry(), rest).frames, 4);
        QCOMPARE(rest.begun, 2);                            // the others were there
        QVERIFY(rest.blocksOfFirst < whole.blocksOfFirst);  // and so was a part of the first of these
        for (const int number : {1, 2, 3}) {
            QVERIFY(imageOf("cut.h5", number) == imageOf("all.h5", number));
        }

        // What a kill leaves as the third frame begins.
        ReconstructRequest whileThere = request(data, "there.h5");
        whileThere.files.checkpointFile = file("there.ckpt");
        whileThere.files.checkpointInterval = std::chrono::milliseconds(0);
        Leaver leaver(whileThere.files.checkpointFile, file("left"));
        static_cast<void>(reconstruct(whileThere, makeEngineRegistry(), leaver));
        ReconstructRequest killed = request(data, "killed.h5");
        killed.files.checkpointFile = file("left");
        killed.from = killed.files.checkpointFile;
        Stopper others;
        others.stopAt = -1;
        QCOMPARE(reconstruct(killed, makeEngineRegistry(), others).frames, 4);
        QCOMPARE(others.begun, 2);
        for (const int number : {1, 2, 3, 4}) {
            QVERIFY(imageOf("killed.h5", number) == imageOf("all.h5", number));
        }

        Stopper second;
        second.stopAt = 2;
        const ReconstructResult early = reconstruct(request(data, "early.h5"), makeEngineRegistry(), second);
        QVERIFY(early.finishedEarly);
        QCOMPARE(early.frames, 1);

        ReconstructRequest still = request(smallData(KernelSpec::preset("invariant")), "still.h5");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct(still, makeEngineRegistry(), listener)),
                                 WrongUse);
    }

    /// Ranks take frames in turn, whole data each: images are those of one process, to the bit.
    void ranksShareFrames_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("two") << 2;
        QTest::newRow("three, of which one has no second frame") << 3;
    }
    void ranksShareFrames() {
        QFETCH(int, size);
        const auto data = framedData({{0, 10}, {10, 10}, {20, 5}, {25, 5}}, {8, 3, 2, 1}, "");
        JobListener listener;
        static_cast<void>(reconstruct(request(data, "one.h5"), makeEngineRegistry(), listener));
        const std::vector<RankEnd> ends = onRanks(size, [&](const std::shared_ptr<Communicator>& ranks) {
            ReconstructRequest shared = request(data, "ranks.h5");
            shared.ranks = ranks;
            JobListener silent;
            const ReconstructResult result = reconstruct(shared, makeEngineRegistry(), silent);
            if (result.frames != 4) {
                throw InternalError("frames are missing");
            }
        });
        for (const RankEnd& end : ends) {
            QCOMPARE(end.said, "");
        }
        for (const int number : {1, 2, 3, 4}) {
            QVERIFY(readRunFrame(h5::Reader(file("ranks.h5")), number).data ==
                    readRunFrame(h5::Reader(file("one.h5")), number).data);
        }
    }

    void framesMayBeginAsTheSum() {
        const auto data = framedData({{0, 10}, {10, 10}}, {8, 3}, "");
        ReconstructRequest asked = request(data, "sum.h5");
        asked.frames->start = FrameStart::Sum;
        JobListener listener;
        const Volume sum = *reconstruct(asked, makeEngineRegistry(), listener).image;
        const double share =
            static_cast<double>(data->frames->frames[1].kept) / static_cast<double>(data->kept);
        auto alone = std::make_shared<HistoData>(*data);
        alone->frames = nullptr;
        data->frames->frames[1].expandInto(alone->counts, data->voxels());
        for (float& add : alone->add) {
            add *= static_cast<float>(share);
        }
        auto start = std::make_shared<Volume>(sum);
        for (float& value : start->data) {
            value = static_cast<float>(share * static_cast<double>(value));
        }
        ReconstructRequest one = request(alone, "one.h5");
        one.frames.reset();
        one.startImage = start;
        const Volume image = *reconstruct(one, makeEngineRegistry(), listener).image;
        QVERIFY(readRunFrame(h5::Reader(file("sum.h5")), 2).data == image.data);
    }

    /// A decaying disk in 30 frames, with randoms that go with the square of the activity and blocks that are
    /// dead for a while after each photon: its activity at the start of the scan comes out of every frame, by
    /// what is known of the scan as a whole. Numbers of events are integrals, by Simpson's rule; counts are
    /// rounded, and what that leaves goes to the next voxel, so that they have hardly any noise. Means over a
    /// frame of 10 s, in which Rb-82 changes by 9 %, are taken for the rates in it: squares differ by 0.1 %.
    void activityOfADecayingDiskIsThatOfItsStart_data() {
        QTest::addColumn<QString>("nuclide");
        QTest::newRow("Rb-82") << "Rb-82";
        QTest::newRow("F-18") << "F-18";
    }
    void activityOfADecayingDiskIsThatOfItsStart() {
        QFETCH(QString, nuclide);
        const Nuclide& decays = petNuclide(nuclide.toStdString());
        constexpr double kActivity_Bq = 200;  // per ml, at time 0; 10 emissions in a voxel of the disk are 1
        constexpr double kLost = 0.1;         // xi tau of a photon rate xi at time 0
        constexpr double kRandoms = 0.3;      // per true, at time 0
        const double perSecond = kActivity_Bq * decays.branching * kVoxel_mm3 / 1000 / 10;
        const auto aliveAt = [&](double t) { return 1 / (1 + kLost * std::exp2(-t / decays.halfLife_s)); };
        const auto truesAt = [&](double t) {
            return perSecond * std::exp2(-t / decays.halfLife_s) * aliveAt(t) * aliveAt(t);
        };
        const auto integral = [](const TimeFrame& time, const auto& of) {
            constexpr int kHalf = 10;
            double sum = 0;
            for (int i = 0; i <= 2 * kHalf; ++i) {
                const double weight = i == 0 || i == 2 * kHalf ? 1 : i % 2 == 1 ? 4 : 2;
                sum += weight * of(time.start_s + time.duration_s * i / (2 * kHalf));
            }
            return sum * time.duration_s / (6 * kHalf);
        };
        std::vector<TimeFrame> times;
        for (int i = 0; i < 30; ++i) {
            times.push_back({10.0 * i, 10});
        }
        std::shared_ptr<HistoData> data = diskData();
        const std::vector<float> pattern = data->add;
        std::vector<float> trues = data->counts;
        std::transform(trues.begin(), trues.end(), pattern.begin(), trues.begin(), std::minus<>());
        const double perTrue = std::accumulate(trues.begin(), trues.end(), 0.0) /
                               std::accumulate(pattern.begin(), pattern.end(), 0.0) * kRandoms / truesAt(0);

        FramedCounts framed;
        framed.nuclide = nuclide.toStdString();
        std::fill(data->counts.begin(), data->counts.end(), 0.0F);
        double randoms = 0;
        double alive_s = 0;
        for (const TimeFrame& time : times) {
            const double ofTrues = integral(time, truesAt);
            const double ofRandoms =
                integral(time, [&](double t) { return perTrue * truesAt(t) * truesAt(t); });
            std::vector<double> expected(trues.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                expected[i] =
                    ofTrues * static_cast<double>(trues[i]) + ofRandoms * static_cast<double>(pattern[i]);
            }
            framed.frames.push_back(ditheredFrame(time, expected, data->voxels()));
            std::vector<float> counts(expected.size());
            framed.frames.back().expandInto(counts, data->voxels());
            std::transform(counts.begin(), counts.end(), data->counts.begin(), data->counts.begin(),
                           std::plus<>());
            randoms += ofRandoms;
            alive_s += integral(time, aliveAt);
        }
        CorrectionsOfScan scan;
        scan.alive = alive_s / 300;
        for (float& add : data->add) {
            add *= static_cast<float>(randoms);
        }
        for (float& mult : data->mult) {
            mult *= static_cast<float>(*scan.alive * *scan.alive);
        }
        scan.randoms = std::accumulate(data->add.begin(), data->add.end(), 0.0);
        scan.values = std::make_shared<const std::vector<float>>(data->add);
        data->frames = withCorrections(framed, scan);
        data->kept = data->frames->kept();
        data->hash = "decaying";
        ReconstructRequest asked = request(data, "run.h5");
        asked.settings.set("iterations", "8");
        JobListener listener;
        static_cast<void>(reconstruct(asked, makeEngineRegistry(), listener));

        const h5::Reader run(file("run.h5"));
        double worst = 0;
        for (const RunFrame& frame : readRunFrames(run)) {
            QCOMPARE(frame.halfLife_s, decays.halfLife_s);
            const Volume image = readRunFrame(run, frame.number);
            double sum = 0;
            double voxels = 0;
            for (int y = 0; y < image.lattice.size[1]; ++y) {
                for (int x = 0; x < image.lattice.size[0]; ++x) {
                    const Vec3 p = image.lattice.centre(x, y, 2);
                    if (std::hypot(p.x, p.y) < 40) {
                        sum += image.at(x, y, 2) + image.at(x, y, 3);
                        voxels += 2;
                    }
                }
            }
            const double off = frame.perEmission * sum / voxels / kActivity_Bq - 1;
            worst = std::max(worst, std::abs(off));
            QVERIFY2(std::abs(off) < 0.01, qPrintable(QString("frame %1: %2").arg(frame.number).arg(off)));
        }
        qInfo("%s: within %.2f %%", qPrintable(nuclide), 100 * worst);
    }

  private:
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] ReconstructRequest request(std::shared_ptr<const HistoData> data, const char* run) const {
        ReconstructRequest made;
        made.data = std::make_shared<const HistoMeasurement>(std::move(data));
        made.settings = settings();
        made.files.runFile = file(run);
        made.frames = FramesAsked();
        return made;
    }

    QTemporaryDir folder_;
    ThreadPool pool_{2};
};

QTEST_GUILESS_MAIN(FrameRunTest)

}  // namespace frame_run_test
#include "frame_run_test.moc"
