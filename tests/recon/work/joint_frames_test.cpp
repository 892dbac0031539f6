// SPDX-License-Identifier: Apache-2.0
// Frames reconstructed together, with a penalty along time.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <tuple>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/joint_frames.h"
#include "recon/work/reconstruct.h"
#include "recon/work/run_files.h"
#include "tests/support/framed_data.h"
#include "tests/support/thread_ranks.h"

namespace joint_frames_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Counts by frame as their seconds, but the last, which has half as many.
const std::vector<TimeFrame> kTimes{{0, 10}, {10, 10}, {20, 20}, {40, 20}, {60, 20}, {80, 20}};
const std::vector<double> kScales{1, 1, 2, 2, 2, 1};

struct Notes : JobListener {
    void notice(const std::string& sentence) override { said += sentence + "\n"; }
    void shareReady(const std::string& what, double share) override {
        if (what != "frames") {
            return;
        }
        if (share > cancelFrom) {
            throw Cancelled();
        }
        ++updates;
    }
    void memory(const RunMemory& /*memory*/) override { ++ready; }
    int updates = 0;  ///< each is one frame in one iteration
    int ready = 0;    ///< how often the run was ready to iterate, or had an iterate
    std::string said;
    double cancelFrom = 2;
};

/// Does something as the thirteenth update of a frame begins.
struct Leaver : JobListener {
    explicit Leaver(std::function<void()> leave) : leave_(std::move(leave)) {}
    void shareReady(const std::string& what, double /*share*/) override {
        if (what == "frames" && ++updates_ == 13) {
            leave_();
        }
    }

  private:
    std::function<void()> leave_;
    int updates_ = 0;
};

}  // namespace

class JointFramesTest : public QObject {
    Q_OBJECT

  private slots:
    void withoutStrengthFramesAreTheirOwn_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<bool>("fromSum");
        for (const char* name : {"osem", "mlem"}) {
            QTest::addRow("%s", name) << name << false;
            QTest::addRow("%s from the sum", name) << name << true;
        }
    }
    void withoutStrengthFramesAreTheirOwn() {
        QFETCH(QString, algorithm);
        QFETCH(bool, fromSum);
        FramesAsked alone;
        alone.start = fromSum ? FrameStart::Sum : FrameStart::Uniform;
        FramesAsked joint = alone;
        joint.temporal = TemporalPrior{&priorNamed("quadratic"), 0};
        Notes notes;
        const auto own = made("own.h5", alone, notes, algorithm.toStdString());
        const auto together = made("together.h5", joint, notes, algorithm.toStdString());
        QCOMPARE(together.size(), kTimes.size());
        for (std::size_t m = 0; m < own.size(); ++m) {
            QVERIFY(own[m].data == together[m].data);
        }
        QVERIFY2(notes.said.find("6 frames are reconstructed together") != std::string::npos,
                 notes.said.c_str());
    }

    /// Activities a second become those of the sum; frames of 10 and of 20 s, and what decays, hold their
    /// shares of it. Single precision of the potential leaves 1e-3.
    void greatStrengthMakesFramesEqual_data() {
        QTest::addColumn<QString>("prior");
        QTest::addColumn<QString>("nuclide");
        for (const char* prior : {"quadratic", "relative-difference"}) {
            for (const char* nuclide : {"", "Rb-82"}) {
                QTest::addRow("%s, %s", prior, *nuclide != 0 ? nuclide : "stable") << prior << nuclide;
            }
        }
    }
    void greatStrengthMakesFramesEqual() {
        QFETCH(QString, prior);
        QFETCH(QString, nuclide);
        const auto data = framedData(kTimes, kScales, nuclide.toStdString());
        Notes notes;
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed(prior.toStdString()), 1e5};
        const auto images = made("equal.h5", joint, notes, "mlem", data);
        double largest = 0;
        for (const float value : images[0].data) {
            largest = std::max(largest, data->frames->perSecond(0) * static_cast<double>(value));
        }
        for (std::size_t m = 1; m < images.size(); ++m) {
            for (std::size_t i = 0; i < images[m].data.size(); ++i) {
                const double here = data->frames->perSecond(m) * static_cast<double>(images[m].data[i]);
                const double first = data->frames->perSecond(0) * static_cast<double>(images[0].data[i]);
                QVERIFY(std::abs(here - first) < 1e-3 * largest);
            }
        }
    }

    /// All frames but the last, which has half of their activity, have one truth: noise is the difference of
    /// neighbours among them, bias how far the totals of frames are from those of frames by themselves; the
    /// two frames beside the change have more of it.
    void noiseFallsAtLittleBias_data() {
        QTest::addColumn<QString>("prior");
        QTest::addColumn<double>("beta");
        QTest::newRow("quadratic") << "quadratic" << 0.03;
        QTest::newRow("relative difference") << "relative-difference" << 0.1;
    }
    void noiseFallsAtLittleBias() {
        QFETCH(QString, prior);
        QFETCH(double, beta);
        Notes notes;
        const auto data = framedData(kTimes, kScales, "");
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed(prior.toStdString()), beta};
        const auto alone = made("noisy.h5", FramesAsked(), notes, "mlem", data);
        const auto together = made("quiet.h5", joint, notes, "mlem", data);
        const auto noiseOf = [&](const std::vector<Volume>& images) {
            double square = 0;
            for (std::size_t i = 0; i < images[0].data.size(); ++i) {
                for (std::size_t m = 1; m + 1 < images.size(); ++m) {
                    const double here = data->frames->perSecond(m) * static_cast<double>(images[m].data[i]);
                    const double before =
                        data->frames->perSecond(m - 1) * static_cast<double>(images[m - 1].data[i]);
                    square += (here - before) * (here - before);
                }
            }
            return std::sqrt(square);
        };
        const auto totalOf = [](const Volume& image) {
            return std::accumulate(image.data.begin(), image.data.end(), 0.0);
        };
        qInfo("noise %.3g of %.3g", noiseOf(together), noiseOf(alone));
        for (std::size_t m = 0; m < alone.size(); ++m) {
            const double off = totalOf(together[m]) / totalOf(alone[m]) - 1;
            QVERIFY2(std::abs(off) < (m + 2 < alone.size() ? 0.02 : 0.05), qPrintable(QString::number(off)));
        }
        QVERIFY(noiseOf(together) < 0.8 * noiseOf(alone));
    }

    /// A run of six frames and four iterations that was interrupted among its frames goes on to the same bits
    /// from where every frame was.
    void interruptedRunsGoOn_data() {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::addColumn<int>("left");
        QTest::addColumn<int>("ranks");
        QTest::newRow("at once") << -1.0 << -1.0 << 24 << 1;
        QTest::newRow("in the first iteration") << 0.05 << 0.05 << 22 << 1;
        QTest::newRow("between iterations") << 0.74 << 0.74 << 6 << 1;
        QTest::newRow("in the third iteration, then in the last") << 0.6 << 0.9 << 2 << 1;
        QTest::newRow("in the third iteration, on by three ranks") << 0.6 << 0.6 << 3 << 3;
    }
    void interruptedRunsGoOn() {
        QFETCH(double, first);
        QFETCH(double, second);
        QFETCH(int, left);
        QFETCH(int, ranks);
        Notes notes;
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed("quadratic"), 0.3};
        const auto whole = made("whole.h5", joint, notes, "osem");
        ReconstructRequest asked = request("cut.h5", joint, "osem", framedData(kTimes, kScales, ""));
        asked.files.checkpointFile = file("cut.checkpoint");
        for (const double cancelFrom : {first, second}) {
            notes.cancelFrom = cancelFrom;
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct(asked, makeEngineRegistry(), notes)),
                                     Cancelled);
            asked.from = asked.files.checkpointFile;
        }

        int updates = 0;
        const auto ends = onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest mine = asked;
            mine.ranks = all;
            Notes own;
            static_cast<void>(reconstruct(mine, makeEngineRegistry(), own));
            updates = all->first() ? own.updates : updates;
        });

        for (const RankEnd& end : ends) {
            QVERIFY2(end.said.empty(), end.said.c_str());
        }
        QCOMPARE(updates, left);
        const auto resumed = imagesOf("cut.h5");
        QCOMPARE(resumed.size(), whole.size());
        for (std::size_t m = 0; m < whole.size(); ++m) {
            QVERIFY(whole[m].data == resumed[m].data);
        }
    }

    /// What a kill leaves as the third of four iterations begins: the checkpoint after the second.
    void killedRunsGoOn() {
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed("quadratic"), 0.3};
        Notes notes;
        const auto whole = made("undisturbed.h5", joint, notes, "osem");
        ReconstructRequest asked = request("there.h5", joint, "osem", framedData(kTimes, kScales, ""));
        asked.files.checkpointFile = file("there.ckpt");
        asked.files.checkpointInterval = std::chrono::milliseconds(0);
        const std::string left = file("left.ckpt");
        Leaver leaver([&] {
            std::filesystem::copy_file(asked.files.checkpointFile, left);
            std::filesystem::copy_file(journalOf(asked.files.checkpointFile), journalOf(left));
        });
        static_cast<void>(reconstruct(asked, makeEngineRegistry(), leaver));

        ReconstructRequest killed = request("killed.h5", joint, "osem", framedData(kTimes, kScales, ""));
        killed.files.checkpointFile = left;
        killed.from = left;
        Notes rest;
        static_cast<void>(reconstruct(killed, makeEngineRegistry(), rest));

        QCOMPARE(rest.updates, 12);
        const auto resumed = imagesOf("killed.h5");
        QCOMPARE(resumed.size(), whole.size());
        for (std::size_t m = 0; m < whole.size(); ++m) {
            QVERIFY(whole[m].data == resumed[m].data);
        }
    }

    /// Three gates of three frames, with one gate of the second frame left out.
    void neighboursAreFramesAndGates_data() {
        QTest::addColumn<int>("gates");
        QTest::addColumn<std::vector<FramePair>>("expected");
        const std::vector<FramePair> along{{0, 3}, {2, 4}, {3, 5}, {1, 6}, {4, 7}};
        const std::vector<FramePair> row{{0, 1}, {1, 2}, {3, 4}, {5, 6}, {6, 7}};
        const std::vector<FramePair> cycle{{0, 2}, {5, 7}};
        const auto all = [](std::vector<FramePair> a, const std::vector<FramePair>& b) {
            a.insert(a.end(), b.begin(), b.end());
            return a;
        };
        QTest::newRow("none") << 0 << along;
        QTest::newRow("row") << 1 << all(along, row);
        QTest::newRow("cycle") << 2 << all(all(along, row), cycle);
    }
    void neighboursAreFramesAndGates() {
        QFETCH(int, gates);
        QFETCH(std::vector<FramePair>, expected);
        FramedCounts frames;
        frames.gates = 3;
        frames.frames.resize(9);
        const auto found = framePairs(frames, {1, 2, 3, 4, 6, 7, 8, 9}, static_cast<GateNeighbours>(gates));
        QCOMPARE(found.size(), expected.size());
        QVERIFY(std::is_permutation(found.begin(), found.end(), expected.begin()));
    }

    /// The six frames as three gates of two, which a great strength makes equal across gates as well.
    void gatesAreJoinedAsFramesAre() {
        const auto gated = gatedData(3);
        Notes notes;
        FramesAsked joint;
        joint.temporal = {&priorNamed("quadratic"), 1e5, GateNeighbours::None};
        const auto apart = made("apart.h5", joint, notes, "mlem", gated);
        joint.temporal.gates = GateNeighbours::Cycle;
        const auto cycle = made("cycle.h5", joint, notes, "mlem", gated);
        const auto farFrom = [&](const std::vector<Volume>& images, std::size_t a, std::size_t b) {
            double most = 0;
            double largest = 0;
            for (std::size_t i = 0; i < images[a].data.size(); ++i) {
                const double here = gated->frames->perSecond(a) * static_cast<double>(images[a].data[i]);
                const double there = gated->frames->perSecond(b) * static_cast<double>(images[b].data[i]);
                largest = std::max({largest, here, there});
                most = std::max(most, std::abs(here - there));
            }
            return most / largest;
        };
        QVERIFY(farFrom(apart, 0, 3) < 1e-3);
        QVERIFY(farFrom(apart, 0, 1) > 0.05);
        for (std::size_t m = 1; m < cycle.size(); ++m) {
            QVERIFY(farFrom(cycle, 0, m) < 1e-3);
        }
    }

    void ranksMakeTheImagesOfOneProcess_data() {
        QTest::addColumn<int>("ranks");
        QTest::newRow("two") << 2;
        QTest::newRow("four, of which two take a frame more") << 4;
    }
    void ranksMakeTheImagesOfOneProcess() {
        QFETCH(int, ranks);
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed("quadratic"), 0.3};
        const auto data = framedData(kTimes, kScales, "");
        Notes notes;
        const auto alone = made("alone.h5", joint, notes, "mlem", data);
        const auto ends = onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest asked = request("several.h5", joint, "mlem", data);
            asked.ranks = all;
            Notes own;
            const ReconstructResult result = reconstruct(asked, makeEngineRegistry(), own);
            if (result.frames != 6) {
                throw InternalError("{} frames", result.frames);
            }
        });
        for (const RankEnd& end : ends) {
            QVERIFY2(end.said.empty(), end.said.c_str());
        }
        const auto together = imagesOf("several.h5");
        QCOMPARE(together.size(), alone.size());
        for (std::size_t m = 0; m < alone.size(); ++m) {
            QVERIFY(alone[m].data == together[m].data);
        }
    }

    void othersAreRefused() {
        Notes notes;
        FramesAsked joint;
        joint.temporal = TemporalPrior{&priorNamed("quadratic"), 1};
        try {
            static_cast<void>(made("no.h5", joint, notes, "ramla"));
            QFAIL("accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains("--temporal-prior updates images by EM"), fault.what());
        }
        for (const auto& [gates, neighbours, sentence] :
             {std::tuple(6, GateNeighbours::None, "each gate has one"),
              std::tuple(0, GateNeighbours::Row, "the data have none")}) {
            joint.temporal.gates = neighbours;
            try {
                static_cast<void>(made("no.h5", joint, notes, "osem", gatedData(gates)));
                QFAIL("accepted");
            } catch (const WrongUse& fault) {
                QVERIFY2(QString(fault.what()).contains(sentence), fault.what());
            }
        }
        QCOMPARE(notes.ready, 0);
    }

  private:
    [[nodiscard]] static std::shared_ptr<HistoData> gatedData(int gates) {
        const auto data = framedData(kTimes, kScales, "");
        auto frames = std::make_shared<FramedCounts>(*data->frames);
        frames->gates = gates;
        for (std::size_t m = 0; m < frames->frames.size() && gates > 0; ++m) {
            frames->frames[m].gate = static_cast<int>(m) % gates + 1;
        }
        data->frames = frames;
        return data;
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    [[nodiscard]] ReconstructRequest request(const std::string& run, const FramesAsked& frames,
                                             const std::string& algorithm,
                                             const std::shared_ptr<HistoData>& data) const {
        ReconstructRequest asked;
        asked.data = std::make_shared<const HistoMeasurement>(data);
        for (const auto& [key, value] : {std::pair<const char*, std::string>{"engine", "cpu"},
                                         {"kernel", "invariant"},
                                         {"algorithm", algorithm},
                                         {"iterations", "4"}}) {
            asked.settings.set(key, value);
        }
        if (algorithm == "osem") {
            asked.settings.set("subsets", "3");
        }
        asked.files.runFile = file(run);
        asked.frames = frames;
        return asked;
    }
    [[nodiscard]] std::vector<Volume> imagesOf(const std::string& run) const {
        const h5::Reader reader(file(run));
        std::vector<Volume> images;
        for (const RunFrame& frame : readRunFrames(reader)) {
            images.push_back(readRunFrame(reader, frame.number));
        }
        return images;
    }
    [[nodiscard]] std::vector<Volume> made(const std::string& run, const FramesAsked& frames,
                                           JobListener& listener, const std::string& algorithm,
                                           const std::shared_ptr<HistoData>& data = framedData(kTimes,
                                                                                               kScales,
                                                                                               "")) const {
        static_cast<void>(reconstruct(request(run, frames, algorithm, data), makeEngineRegistry(), listener));
        return imagesOf(run);
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(JointFramesTest)

}  // namespace joint_frames_test
#include "joint_frames_test.moc"
