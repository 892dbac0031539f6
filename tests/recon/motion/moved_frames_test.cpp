// SPDX-License-Identifier: Apache-2.0
// Frames and gates of what moved: each is the mean over its own poses.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <random>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/forms/forms.h"
#include "recon/frames/frame_cutter.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/motion/motion_file.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/moved_scan.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/bin.h"
#include "recon/work/correct.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/flat_modules.h"
#include "tests/support/silent_progress.h"
#include "tests/support/thread_ranks.h"

namespace moved_frames_test {

using namespace tof;

namespace {

/// Modules are dead for 100 us after each photon.
constexpr const char* kDetection =
    R"(,"detection":{"material":"LaBr3","energy_resolution":0.07,"window_kev":[480,650],"coincidence_ns":3,)"
    R"("dead_time_ns":100000}})";
constexpr std::uint32_t kModuleCrystals = 8 * 4;
constexpr const char* kCylinder =
    R"({"name":"water","shapes":[{"kind":"cylinder","name":"water","centre_mm":[0,0,0],"radius_mm":40,)"
    R"("length_mm":30,"activity":1}]})";
constexpr const char* kFlood =
    R"({"name":"flood","shapes":[{"kind":"cylinder","name":"flood","centre_mm":[0,0,0],"radius_mm":80,)"
    R"("length_mm":40,"activity":1}]})";

constexpr std::uint32_t kWeakCrystals = 2 * kModuleCrystals;

/// The events of a list that are left where two of the modules record four photons in ten.
EventList uneven(const EventList& all) {
    std::mt19937 random(7);
    std::bernoulli_distribution records(0.4);
    EventList left = all;
    for (auto* column : {&left.mult, &left.add}) {
        column->clear();
    }
    left.crystals.clear();
    left.dt_ps.clear();
    left.time_ms.clear();
    left.kind.clear();
    left.scatters.clear();
    left.energy_keV.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [a, b] = all.crystals[i];
        if ((a >= kWeakCrystals || records(random)) && (b >= kWeakCrystals || records(random))) {
            left.crystals.push_back(all.crystals[i]);
            left.dt_ps.push_back(all.dt_ps[i]);
            if (!all.time_ms.empty()) {
                left.time_ms.push_back(all.time_ms[i]);
            }
        }
    }
    return left;
}

}  // namespace

class MovedFramesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        std::ofstream(file("moved.tsv"))
            << "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: 6000\n"
            << "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n"
            << "0 1 0 0 0 0 1 0 0 0 0 1 0\n3000 0.8 -0.6 0 4 0.6 0.8 0 -3 0 0 1 5\n";
        writeEvents(file("list.h5"),
                    simulateMoved(Scanner::fromJson(test::kFlatModules, "test"),
                                  Phantom::fromJson(kCylinder, "water"), {.events = 60000, .seed = 3},
                                  motionFrom({file("moved.tsv"), PoseBetween::Hold}), pool_, {}));
    }

    /// How long poses last in frames and in gates, by a sum over milliseconds.
    void posesOfGatesAreThoseOfTheirTimes_data() {
        QTest::addColumn<double>("halfLife");
        QTest::newRow("nothing decays") << 0.0;
        QTest::newRow("half lives of 2 s") << 2.0;
    }
    void posesOfGatesAreThoseOfTheirTimes() {
        QFETCH(double, halfLife);
        PoseSteps steps;
        steps.poses.resize(3);
        steps.starts_ms = {0, 1000.5, 2500, 4000};
        steps.which = {0, 1, 2, 0};
        const std::vector<GateTime> on{{0.5, 1.2, 1}, {1.2, 2.0, 2}, {2.0, 3.1, 1}, {3.1, 5.5, 2}};
        const FrameCutter cutter({{0, 2}, {2, 3}}, "list", 6, 2, on);

        const std::vector<std::vector<double>> found = cutter.poseTimes(steps, halfLife);

        QCOMPARE(found.size(), std::size_t{4});
        std::vector<std::vector<double>> expected(4, std::vector<double>(3, 0.0));
        constexpr int kPerMs = 10;
        for (int i = 0; i < 5000 * kPerMs; ++i) {
            const double ms = (i + 0.5) / kPerMs;
            const auto gate = std::find_if(on.begin(), on.end(), [&](const GateTime& one) {
                return ms >= 1e3 * one.begin_s && ms < 1e3 * one.end_s;
            });
            if (gate != on.end()) {
                const std::size_t frame = ms < 2000 ? 0 : 1;
                expected[2 * frame + static_cast<std::size_t>(gate->gate) - 1][steps.at(ms)] +=
                    1e-3 / kPerMs * (halfLife > 0 ? std::exp2(-1e-3 * ms / halfLife) : 1.0);
            }
        }
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t pose = 0; pose < 3; ++pose) {
                QVERIFY(std::abs(found[i][pose] - expected[i][pose]) < 1e-7);  // midpoints of 0.1 ms
            }
        }
    }

    /// A frame is what its time alone makes, binned with the same poses: counts, efficiencies and image.
    void framesAreOverTheirOwnPoses_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("histo-images") << "histo";
        QTest::newRow("lines") << "lors";
    }
    void framesAreOverTheirOwnPoses() {
        QFETCH(QString, form);
        std::ofstream(file("late.tsv")) << "start\tduration\n2\t4\n";
        BinRequest request = requestFor();
        request.form = form.toStdString();
        request.motion.file = file("moved.tsv");
        request.frames = "2s,4s";  // the first in one pose, the second a quarter of its time
        const FormTable forms = builtInForms();
        const Form& row = forms.named(request.form);
        row.write(file("frames.h5"), *row.measure(binEvents(request, pool_, silent_).data));
        const auto framed = readMeasurement(file("frames.h5"));
        request.frames = file("late.tsv");
        const auto alone = row.measure(binEvents(request, pool_, silent_).data);

        QVERIFY(framed->framesStandAlone());
        const auto frame = framed->frameAlone(1);
        const std::vector<double> shares = framed->frames()->frames[1].moved.shares;
        QCOMPARE(shares.size(), std::size_t{2});
        QVERIFY(std::abs(shares[0] - 0.25) < 1e-9);
        QVERIFY(framed->frames()->frames[0].moved.shares == (std::vector<double>{1, 0}));
        QCOMPARE(frame->counts(), alone->counts());
        const Volume one = imageOf(frame);
        const Volume other = imageOf(alone);
        const float most = *std::max_element(other.data.begin(), other.data.end());
        QVERIFY(most > 0);
        double farthest = 0;
        for (std::size_t i = 0; i < one.data.size(); ++i) {
            farthest = std::max(farthest, std::abs(static_cast<double>(one.data[i] - other.data[i])));
        }
        // Sums of floats in another order.
        QVERIFY2(farthest < 2e-5 * static_cast<double>(most), qPrintable(QString::number(farthest)));
        // The mean over the poses of all frames is another one.
        const Volume sum = imageOf(framed);
        QVERIFY(sum.data != other.data);
    }

    /// Parts of 1000 events go to the ranks in turn, and frames and gates end within them.
    void ranksMakeTheFileOfOneProcess_data() {
        QTest::addColumn<QString>("motion");
        QTest::addColumn<QString>("frames");
        QTest::addColumn<int>("gates");
        QTest::newRow("frames") << ""
                                << "1500ms,3s,700ms" << 0;
        QTest::newRow("gates") << ""
                               << "2s,3s" << 3;
        QTest::newRow("moved gates of frames") << "moved.tsv"
                                               << "2s,2x1s" << 2;
    }
    void ranksMakeTheFileOfOneProcess() {
        QFETCH(QString, motion);
        QFETCH(QString, frames);
        QFETCH(int, gates);
        std::ofstream(file("triggers.tsv")) << "trigger\n0.3\n1.1\n2.2\n2.9\n4.1\n5.3\n";
        BinRequest request = requestFor();
        request.frames = frames.toStdString();
        request.motion.file = motion.isEmpty() ? "" : file(motion.toStdString());
        request.gates.file = gates > 0 ? file("triggers.tsv") : "";
        request.gates.count = std::max(gates, 1);
        request.atPoints = true;
        request.eventsAtATime = 1000;
        writeMeasured(file("one.h5"), binEvents(request, pool_, silent_).data);
        const QByteArray one = bytesOf("one.h5");
        for (const int size : motion.isEmpty() ? QList{2, 3} : QList{3}) {
            const auto ends = test::onRanks(size, [&](const std::shared_ptr<Communicator>& ranks) {
                BinRequest shared = request;
                shared.ranks = ranks;
                shared.spillBeside = file("several.h5");  // it may, and does not matter
                test::SilentProgress silent;
                const BinResult found = binEvents(shared, ThreadPool(1), silent);
                if (ranks->first()) {
                    writeMeasured(file("several.h5"), found.data);
                }
            });
            for (const test::RankEnd& end : ends) {
                QCOMPARE(end.said, "");
            }
            QVERIFY(bytesOf("several.h5") == one);
        }
    }

    /// A clock that goes back between the parts of two ranks is the fault that one process names.
    void ranksSeeAClockThatGoesBack() {
        EventList list = readEvents(h5::Reader(file("list.h5"))).events;
        std::fill(list.time_ms.begin() + 2000, list.time_ms.end(), list.time_ms[1999] - 1);
        writeEvents(file("back.h5"), list);
        BinRequest request = requestFor();
        request.input = file("back.h5");
        request.frames = "6s";
        request.eventsAtATime = 1000;
        std::string said;
        try {
            static_cast<void>(binEvents(request, pool_, silent_));
        } catch (const BadInput& fault) {
            said = fault.what();
        }
        QVERIFY(said.find("goes back at event 2000") != std::string::npos);
        const auto ends = test::onRanks(3, [&](const std::shared_ptr<Communicator>& ranks) {
            BinRequest shared = request;
            shared.ranks = ranks;
            test::SilentProgress silent;
            static_cast<void>(binEvents(shared, ThreadPool(1), silent));
        });
        QCOMPARE(ends[2].said, said);
    }

    void aRunMakesTheFramesOfWhatMoved() {
        BinRequest request = requestFor();
        request.motion.file = file("moved.tsv");
        request.frames = "3s,3s";
        writeMeasured(file("frames.h5"), binEvents(request, pool_, silent_).data);
        ReconstructRequest run;
        run.data = readMeasurement(file("frames.h5"));
        run.settings = fewIterations();
        run.files.runFile = file("run.h5");
        run.frames.emplace();
        JobListener listener;

        const ReconstructResult made = reconstruct(run, makeEngineRegistry(), listener);

        QCOMPARE(made.frames, 2);
        const Volume frame = readRunFrame(h5::Reader(file("run.h5")), 2);
        QVERIFY(frame.data == imageOf(run.data->frameAlone(1)).data);
    }

    /// Crystals of two of the eight modules record four photons in ten, in the scan and in its normalisation.
    /// Lines keep what each crystal has.
    void linesOfFramesKeepTheirEfficiencies() {
        binUneven();

        const auto corrected = correctedOf("lines.h5", asked());

        for (const std::size_t frame : {std::size_t{0}, std::size_t{1}}) {
            const auto alone = corrected->frameAlone(frame);
            const PossibleLines& possible = dynamic_cast<const LineMeasurement&>(*alone).data()->possible;
            QVERIFY(std::abs(possible.poses.at(frame) - 1) < 1e-9);
            QCOMPARE(possible.efficiencies.size(), scanner_.crystals.size());
            const auto strong = possible.efficiencies.begin() + kWeakCrystals;
            const double weakMean =
                std::accumulate(possible.efficiencies.begin(), strong, 0.0) / kWeakCrystals;
            const double strongMean = std::accumulate(strong, possible.efficiencies.end(), 0.0) /
                                      static_cast<double>(possible.efficiencies.end() - strong);
            // The weak have 30,000 counts of the normalisation at least, the others more.
            const QString said = QString("%1 of the others").arg(weakMean / strongMean);
            QVERIFY2(std::abs(weakMean / strongMean - 0.4) < 0.4 * 0.03, qPrintable(said));
        }
    }

    /// A view's factors in a frame against the mean of both crystals' product over the events of the frame
    /// and the view, whose lines a loop moves back.
    void efficienciesOfFramesAreOfTheirPoses() {
        binUneven();

        const auto corrected = correctedOf("views.h5", asked());

        const auto plain = readMeasurement(file("views.h5"));
        const std::vector<float>& crystals = corrected->frames()->crystals;
        QCOMPARE(crystals.size(), scanner_.crystals.size());
        const EventList all = readEvents(h5::Reader(file("list.h5"))).events;
        // 3,500 events of a view are known to 0.5 %; blurs of 2 mm, and events by their crystals' middles.
        // What was emitted weighs, not what the weak crystals have left of it.
        factorsAreOfTheirEvents(*corrected, *plain, *evenly_, all, 0.03);
    }

    /// What the cylinder holds in a frame, against the same list without losses and against lines.
    void correctedFramesHoldWhatLinesHold() {
        binUneven();
        // Efficiencies are over their mean, whose square no normalisation tells.
        const double mean = 1 - 0.6 * kWeakCrystals / static_cast<double>(scanner_.crystals.size());
        std::map<std::string, std::vector<double>> found;
        for (const std::string form : {"views", "lines"}) {
            const auto even = readMeasurement(file("even-" + form + ".h5"));
            const auto plain = readMeasurement(file(form + ".h5"));
            const auto corrected = correctedOf(form + ".h5", asked());
            for (const std::size_t frame : {std::size_t{0}, std::size_t{1}}) {
                const double whole = heldBy(even->frameAlone(frame));
                const double left = heldBy(plain->frameAlone(frame)) / whole;
                found[form].push_back(heldBy(corrected->frameAlone(frame)) / (mean * mean) / whole);
                qInfo("%s: %.4f of what even crystals see, %.4f uncorrected", form.c_str(),
                      found[form].back(), left);
                // 12,000 events are known to 0.9 %, and factors to 2 %.
                QVERIFY(std::abs(found[form].back() - 1) < 0.03);
                QVERIFY(left < 0.8);
            }
        }
        for (std::size_t frame = 0; frame < 2; ++frame) {
            QVERIFY(std::abs(found["views"][frame] - found["lines"][frame]) < 0.03);
        }
    }

    /// Busy modules are dead for shares of the time that their photons say. A view's factors in a frame are
    /// the mean of both crystals' live times over the events of the frame and the view, whose lines a loop
    /// moves back; and what is alive of a frame goes with its rate.
    void deadTimeOfFramesIsOfTheirPoses() {
        std::vector<double> alive;
        const EventList all = binBusy(alive);
        CorrectRequest request;
        request.singles = file("busy-singles.h5");
        request.switches.randoms = RandomsBy::Off;

        const auto corrected = correctedOf("busy-views.h5", request);

        const auto plain = readMeasurement(file("busy-views.h5"));
        const FramedCounts& frames = *corrected->frames();
        QCOMPARE(frames.crystals.size(), alive.size());
        // Blocks have numbers of their own: all crystals of a module have one share, and two modules are
        // weak.
        for (std::size_t crystal = 0; crystal < alive.size(); ++crystal) {
            const std::size_t first = crystal / kModuleCrystals * kModuleCrystals;
            QCOMPARE(frames.crystals[crystal], frames.crystals[first]);
        }
        std::vector<float> sorted = frames.crystals;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < alive.size(); ++i) {
            QVERIFY(std::abs(static_cast<double>(sorted[i]) - alive[i]) < 1e-6);
        }
        // 1,750 events of a view, whose factors spread by half of their mean, are known to 1.2 %; blurs of 2
        // mm, and events by their crystals' middles.
        factorsAreOfTheirEvents(*corrected, *plain, *corrected, all, 0.04);
        const double mean =
            std::accumulate(alive.begin(), alive.end(), 0.0) / static_cast<double>(alive.size());
        const std::array<double, 2> ofFrames = aliveOfTwo(frames, mean);
        QVERIFY(ofFrames[1] - ofFrames[0] > 0.1);
        for (const std::size_t frame : {std::size_t{0}, std::size_t{1}}) {
            const double over = ofFrames[frame] / mean;
            QVERIFY(std::abs(frames.frames[frame].live - over * over) < 1e-3);
        }
    }

    /// A factor that is switched off is in no frame, and back as it was when it is switched on.
    void efficienciesOfFramesAreSwitched() {
        binUneven();
        const auto corrected = correctedOf("views.h5", asked());
        PartedCorrections data = readPartedCorrections(file("corrected.h5"));
        CorrectRequest request;
        request.switches.efficiencies = false;
        static_cast<void>(correctData(data, "views", request, pool_, silent_, {}));
        writeMeasured(file("off.h5"), data.data, data.parts);
        const auto off = readMeasurement(file("off.h5"));
        QVERIFY(off->frames()->crystals.empty());
        const auto plain = readMeasurement(file("views.h5"));
        QVERIFY(histoData(off->frameAlone(1).get())->mult == histoData(plain->frameAlone(1).get())->mult);

        data = readPartedCorrections(file("off.h5"));
        request.switches.efficiencies = true;
        static_cast<void>(correctData(data, "views", request, pool_, silent_, {}));
        writeMeasured(file("on.h5"), data.data, data.parts);

        const auto on = readMeasurement(file("on.h5"));
        QVERIFY(histoData(on->frameAlone(1).get())->mult == histoData(corrected->frameAlone(1).get())->mult);
        QCOMPARE(on->hash(), corrected->hash());
        QVERIFY(on->hash() != off->hash());
    }

    /// Frames go round to the ranks, each of which finds the factors of its own.
    void ranksMakeTheCorrectedFrames() {
        binUneven();
        ReconstructRequest run;
        run.data = correctedOf("views.h5", asked());
        run.settings = fewIterations();
        run.frames.emplace();
        const auto made = [&](const std::string& name, const std::shared_ptr<Communicator>& ranks) {
            ReconstructRequest own = run;
            own.files.runFile = file(name);
            own.ranks = ranks;
            JobListener listener;
            static_cast<void>(reconstruct(own, makeEngineRegistry(), listener));
        };
        made("one.h5", communicatorOfOne());

        const auto ends =
            test::onRanks(2, [&](const std::shared_ptr<Communicator>& ranks) { made("ranks.h5", ranks); });

        for (const test::RankEnd& end : ends) {
            QCOMPARE(end.said, "");
        }
        for (const int number : {1, 2}) {
            const Volume frame = readRunFrame(h5::Reader(file("one.h5")), number);
            QVERIFY(readRunFrame(h5::Reader(file("ranks.h5")), number).data == frame.data);
            QVERIFY(imageOf(run.data->frameAlone(static_cast<std::size_t>(number) - 1)).data == frame.data);
        }
    }

    /// Another scanner's factors are refused where a frame is asked for.
    void factorsOfOtherCrystalsAreRefused() {
        binUneven();
        PartedCorrections views = readPartedCorrections(file("views.h5"));
        auto& data = std::get<HistoData>(views.data);
        auto frames = std::make_shared<FramedCounts>(*data.frames);
        frames->crystals.assign(7, 1.0F);
        data.frames = frames;
        writeMeasured(file("bad.h5"), views.data);
        const auto bad = readMeasurement(file("bad.h5"));
        QString said = "nothing";
        try {
            static_cast<void>(bad->frameAlone(0));
        } catch (const BadInput& fault) {
            said = fault.what();
        }
        QVERIFY2(said.contains("'/frames/crystals' has 7 factors") && said.contains("correct the data again"),
                 qPrintable(said));
    }

    void sharesThatAreNoneAreRefused_data() {
        QTest::addColumn<std::vector<double>>("shares");
        QTest::addColumn<QString>("said");
        QTest::newRow("sum") << std::vector<double>{0.5, 0.2} << "must hold shares that add up to 1";
        QTest::newRow("below 0") << std::vector<double>{1.5, -0.5} << "must hold shares that add up to 1";
        QTest::newRow("NaN") << std::vector<double>{std::nan(""), 1} << "must hold shares that add up to 1";
        QTest::newRow("other poses") << std::vector<double>{0.5, 0.25, 0.25}
                                     << "has not a column for every pose";
    }
    void sharesThatAreNoneAreRefused() {
        QFETCH(std::vector<double>, shares);
        QFETCH(QString, said);
        BinRequest request = requestFor();
        request.form = "lors";
        request.motion.file = file("moved.tsv");
        request.frames = "6s";
        auto data = std::get<LineData>(binEvents(request, pool_, silent_).data);
        auto frames = std::make_shared<FramedCounts>(*data.frames);
        frames->frames[0].moved.shares = shares;
        data.frames = frames;
        writeLineData(file("bad.h5"), data);
        QString found = "nothing";
        try {
            static_cast<void>(readLineData(file("bad.h5")));
        } catch (const BadInput& fault) {
            found = fault.what();
        }
        QVERIFY2(found.contains("'/frames/poses'") && found.contains(said), qPrintable(found));
    }

  private:
    /// Factors of the views of two frames, weighed by the counts of `weights`, against the means over the
    /// events of the frame and the view, within `bound` of them. Those of the whole scan are far from some.
    void factorsAreOfTheirEvents(const Measurement& corrected, const Measurement& plain,
                                 const Measurement& weights, const EventList& all, double bound) const {
        const FramedCounts& frames = *corrected.frames();
        const auto whole =
            meansOfViews(histoData(&plain)->counts, histoData(&corrected)->mult, histoData(&plain)->mult);
        double apart = 0;
        for (const std::size_t frame : {std::size_t{0}, std::size_t{1}}) {
            const auto with = corrected.frameAlone(frame);
            const auto without = plain.frameAlone(frame);
            const auto weighed = weights.frameAlone(frame);
            const auto found = meansOfViews(histoData(weighed.get())->counts, histoData(with.get())->mult,
                                            histoData(without.get())->mult);
            const auto expected = meansOfEvents(all, frames.crystals, frames.frames[frame].time,
                                                histoData(&plain)->poses[frame].pose);
            for (std::size_t view = 0; view < found.size(); ++view) {
                qInfo("frame %zu view %zu: %.4f, by events %.4f, whole scan %.4f", frame, view, found[view],
                      expected[view], whole[view]);
                QVERIFY(std::abs(found[view] - expected[view]) < bound * expected[view]);
                apart = std::max(apart, std::abs(whole[view] - expected[view]) / expected[view]);
            }
        }
        QVERIFY(apart > 0.1);  // what the whole scan's factors would have done
    }

    /// The list as poor crystals record it, in two frames of a pose each, and as even ones do.
    void binUneven() {
        if (evenly_ != nullptr) {
            return;
        }
        const EventList scan = readEvents(h5::Reader(file("list.h5"))).events;
        writeEvents(file("uneven.h5"), uneven(scan));
        writeEvents(file("norm.h5"), uneven(simulate(scanner_, Phantom::fromJson(kFlood, "flood"),
                                                     {.events = 300000, .seed = 4}, pool_, {})));
        BinRequest request = requestFor();
        request.motion.file = file("moved.tsv");
        request.frames = "3s,3s";
        for (const auto& [form, name] : {std::pair("histo", "views.h5"), std::pair("lors", "lines.h5")}) {
            request.form = form;
            request.input = file("list.h5");
            writeMeasured(file(std::string("even-") + name), binEvents(request, pool_, silent_).data);
            request.input = file("uneven.h5");
            writeMeasured(file(name), binEvents(request, pool_, silent_).data);
        }
        evenly_ = readMeasurement(file("even-views.h5"));
    }
    /// Bins the list with half of the events of its second frame, as of modules that are dead for a while
    /// after each photon, and writes their singles. `alive`: how much of its time each crystal is, the weak
    /// ones first.
    EventList binBusy(std::vector<double>& alive) {
        const EventList scan = readEvents(h5::Reader(file("list.h5"))).events;
        EventList list;
        list.duration_s = scan.duration_s;
        std::string dead = test::kFlatModules;
        dead.pop_back();
        list.scannerJson = dead + kDetection;
        for (std::size_t i = 0; i < scan.size(); ++i) {
            if (scan.time_ms[i] < 3000 || i % 2 == 0) {
                list.crystals.push_back(scan.crystals[i]);
                list.dt_ps.push_back(scan.dt_ps[i]);
                list.time_ms.push_back(scan.time_ms[i]);
            }
        }
        writeEvents(file("busy.h5"), list);
        CrystalSingles singles;
        singles.duration_s = scan.duration_s;
        singles.recorded.assign(scanner_.crystals.size(), 1000);
        for (std::size_t crystal = 0; crystal < scanner_.crystals.size(); ++crystal) {
            alive.push_back(crystal < kWeakCrystals ? 0.4 : 0.9);
            if (crystal % kModuleCrystals == 0) {
                constexpr double kDead_s = 1e-4;
                singles.busy.push_back((1 - alive.back()) / kDead_s * scan.duration_s);
            }
        }
        singles.scannerJson = dead + kDetection;
        writeSingles(file("busy-singles.h5"), singles);
        BinRequest request = requestFor();
        request.input = file("busy.h5");
        request.motion.file = file("moved.tsv");
        request.frames = "3s,3s";
        writeMeasured(file("busy-views.h5"), binEvents(request, pool_, silent_).data);
        return list;
    }
    /// What is alive of the time of two frames as long as each other whose mean is `mean`: what is lost goes
    /// with the true rate, so that counts are alive^2 of it, and 1 - alive is c true x alive.
    static std::array<double, 2> aliveOfTwo(const FramedCounts& frames, double mean) {
        std::array<double, 2> alive{};
        for (double c = 0; alive[0] + alive[1] > 2 * mean || c == 0; c += 1e-6) {
            for (std::size_t frame = 0; frame < 2; ++frame) {
                const double counts =
                    static_cast<double>(frames.frames[frame].kept) / static_cast<double>(frames.kept());
                double share = alive[frame] > 0 ? alive[frame] : 1;
                for (int i = 0; i < 20; ++i) {
                    share = 1 - c * counts / share;
                }
                alive[frame] = share;
            }
        }
        return alive;
    }
    [[nodiscard]] CorrectRequest asked() const {
        CorrectRequest request;
        request.norm = file("norm.h5");
        return request;
    }
    /// A file as it is read after it has been corrected.
    [[nodiscard]] std::shared_ptr<const Measurement> correctedOf(const std::string& name,
                                                                 const CorrectRequest& request) {
        PartedCorrections data = readPartedCorrections(file(name));
        static_cast<void>(correctData(data, name, request, pool_, silent_, {}));
        writeMeasured(file("corrected.h5"), data.data, data.parts);
        return readMeasurement(file("corrected.h5"));
    }
    /// By view, the mean of with / without over the counts.
    static std::vector<double> meansOfViews(const std::vector<float>& counts, const std::vector<float>& with,
                                            const std::vector<float>& without) {
        const std::size_t voxels = counts.size() / kViews;
        std::vector<double> sums(kViews, 0.0);
        std::vector<double> weights(kViews, 0.0);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (without[i] > 0) {
                sums[i / voxels] += static_cast<double>(counts[i]) * static_cast<double>(with[i]) /
                                    static_cast<double>(without[i]);
                weights[i / voxels] += static_cast<double>(counts[i]);
            }
        }
        for (std::size_t view = 0; view < kViews; ++view) {
            sums[view] /= weights[view];
        }
        return sums;
    }
    /// By view, the mean of both crystals' factors over the events of a frame in one pose.
    [[nodiscard]] std::vector<double> meansOfEvents(const EventList& events,
                                                    const std::vector<float>& factors, const TimeFrame& frame,
                                                    const Pose& pose) const {
        std::vector<double> sums(kViews, 0.0);
        std::vector<double> counts(kViews, 0.0);
        const Pose back = pose.inverse();
        for (std::size_t i = 0; i < events.size(); ++i) {
            const double s = 1e-3 * events.time_ms[i];
            if (s < frame.start_s || s >= frame.end_s()) {
                continue;
            }
            const auto [a, b] = events.crystals[i];
            const Vec3 along = back.turned(scanner_.reference(b) - scanner_.reference(a));
            const double turn = std::atan2(along.y, along.x) / (std::acos(-1.0) / kViews);
            const auto view = static_cast<std::size_t>(std::lround(turn + 2 * kViews)) % kViews;
            sums[view] += static_cast<double>(factors[a]) * static_cast<double>(factors[b]);
            counts[view] += 1;
        }
        for (std::size_t view = 0; view < kViews; ++view) {
            sums[view] /= counts[view];
        }
        return sums;
    }
    /// What lies in the cylinder of the reference pose.
    [[nodiscard]] static double heldBy(std::shared_ptr<const Measurement> data) {
        ReconstructRequest request;
        request.data = std::move(data);
        request.settings = fewIterations();
        request.settings.set("iterations", "8");
        JobListener listener;
        const Volume image = *reconstruct(request, makeEngineRegistry(), listener).image;
        double sum = 0;
        for (std::size_t i = 0; i < image.data.size(); ++i) {
            const Vec3 p = image.lattice.centre(image.lattice.voxel(i));
            sum += std::hypot(p.x, p.y) < 40 && std::abs(p.z) < 15 ? static_cast<double>(image.data[i]) : 0.0;
        }
        return sum;
    }
    static constexpr std::size_t kViews = 4;
    static RunSettings fewIterations() {
        RunSettings settings;
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"algorithm", "mlem"}, {"iterations", "3"}}) {
            settings.set(key, value);
        }
        return settings;
    }
    [[nodiscard]] static Volume imageOf(std::shared_ptr<const Measurement> data) {
        ReconstructRequest request;
        request.data = std::move(data);
        request.settings = fewIterations();
        JobListener listener;
        return *reconstruct(request, makeEngineRegistry(), listener).image;
    }
    [[nodiscard]] BinRequest requestFor() const {
        BinRequest request;
        request.input = file("list.h5");
        request.azimuths = 4;
        request.tilts = 1;
        request.lattice = Lattice::centred({14, 14, 6}, {8, 8, 8});
        return request;
    }
    [[nodiscard]] QByteArray bytesOf(const std::string& name) const {
        QFile read(QString::fromStdString(file(name)));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
    const Scanner scanner_ = Scanner::fromJson(test::kFlatModules, "test");
    std::shared_ptr<const Measurement> evenly_;
    ThreadPool pool_{2};
    test::SilentProgress silent_;
};

QTEST_GUILESS_MAIN(MovedFramesTest)

}  // namespace moved_frames_test
#include "moved_frames_test.moc"
