// SPDX-License-Identifier: Apache-2.0
// Frames as people write them, and which events lie in which.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>

#include "recon/base/error.h"
#include "recon/frames/frame_collector.h"
#include "recon/frames/frame_cutter.h"
#include "recon/frames/frame_list.h"
#include "recon/frames/waiting_events.h"

namespace frames_test {

using namespace tof;

namespace {

/// The sentence of what is thrown, behind its kind.
template <typename Step>
std::string saidBy(const Step& step) {
    try {
        step();
    } catch (const WrongUse& fault) {
        return std::string("wrong use: ") + fault.what();
    } catch (const BadInput& fault) {
        return std::string("bad input: ") + fault.what();
    }
    return "nothing";
}

}  // namespace

class FramesTest : public QObject {
    Q_OBJECT

  private slots:
    void framesAreWrittenOneAfterTheOther() {
        const std::vector<TimeFrame> frames = framesFrom("2x10s,500ms,1x1.5min,1h");
        const std::vector<TimeFrame> expected{{0, 10}, {10, 10}, {20, 0.5}, {20.5, 90}, {110.5, 3600}};
        QCOMPARE(frames, expected);
    }

    void startsOfManyFramesAreTheNumbersThatOneWrites() {
        const std::vector<TimeFrame> frames = framesFrom("60x5308ms");
        QCOMPARE(frames[13].start_s, 69.004);  // a sum of 5.308 is 69.00399999999999
        QCOMPARE(frames[59].start_s, 313.172);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            QVERIFY(frames[i].start_s == static_cast<double>(5308 * i) / 1000);
        }
    }

    void filesSayFrames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain columns") << "a.tsv"
                                       << "# s\n0 10\n15\t5\n";
        QTest::newRow("named columns, in another order") << "b.tsv"
                                                         << "n duration_s start_s\n1 10 0\n2 5 15\n";
        QTest::newRow("BIDS") << "c.json"
                              << R"({"FrameTimesStart": [0, 15], "FrameDuration": [10, 5], "X": 1})";
    }
    void filesSayFrames() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        const std::string path = write(name, text);
        QCOMPARE(framesFrom(path), (std::vector<TimeFrame>{{0, 10}, {15, 5}}));
    }

    void whatIsNoFrameIsRefusedInASentence_data() {
        QTest::addColumn<QString>("name");  // empty: the text is the option
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no unit") << ""
                                 << "12x10"
                                 << "wrong use: --frames: '12x10'";
        QTest::newRow("no count") << ""
                                  << "x10s"
                                  << "wrong use: --frames: 'x10s'";
        QTest::newRow("too many") << ""
                                  << "20000x1s"
                                  << "wrong use: --frames: '20000x1s'";
        QTest::newRow("no duration") << ""
                                     << "2x0s"
                                     << "bad input: 2x0s: frame 1";
        QTest::newRow("no such file") << ""
                                      << "nowhere.tsv"
                                      << "wrong use: --frames: 'nowhere.tsv'";
        QTest::newRow("overlap") << "a.tsv"
                                 << "0 10\n9 5\n"
                                 << "frame 2";
        QTest::newRow("before the scan") << "a.tsv"
                                         << "-5 10\n"
                                         << "frame 1 (-5 to 5 s) begins before";
        QTest::newRow("words") << "a.tsv"
                               << "0 10\nten 5\n"
                               << "line 2 ('ten 5')";
        QTest::newRow("empty") << "a.tsv"
                               << "\n"
                               << "names 0 frames";
        QTest::newRow("one column too few") << "a.json"
                                            << R"({"FrameTimesStart": [0]})"
                                            << "'FrameDuration'";
        QTest::newRow("unequal columns") << "a.json"
                                         << R"({"FrameTimesStart": [0, 9], "FrameDuration": [9]})"
                                         << "has 2 of";
    }
    void whatIsNoFrameIsRefusedInASentence() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, said);
        const std::string input = name.isEmpty() ? text.toStdString() : write(name, text);
        const std::string found = saidBy([&] { static_cast<void>(framesFrom(input)); });
        QVERIFY2(found.find(said.toStdString()) != std::string::npos, found.c_str());
        QVERIFY2(name.isEmpty() || found.find("bad input: " + input) == 0, found.c_str());
    }

    void numbersChooseFrames() {
        QCOMPARE(frameNumbers("--only", "", 3), (std::vector<int>{1, 2, 3}));
        QCOMPARE(frameNumbers("--only", "5,2-3,3", 6), (std::vector<int>{2, 3, 5}));
        for (const char* wrong : {"0", "4-3", "7", "a", "2-"}) {
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(frameNumbers("--only", wrong, 6)), WrongUse);
        }
    }

    /// Every event goes where its time says, whatever the parts that a list comes in.
    void eventsGoToTheFrameOfTheirTime() {
        const std::vector<TimeFrame> frames{{0.01, 0.02}, {0.03, 0.005}, {0.05, 0.01}};
        std::vector<std::uint32_t> times(200);
        for (std::size_t i = 0; i < times.size(); ++i) {
            times[i] = static_cast<std::uint32_t>(i / 3);  // several in a ms, 0 to 66 ms
        }
        for (const std::size_t step : {std::size_t{1}, std::size_t{7}, times.size()}) {
            FrameCutter cutter(frames, "list", 0);
            std::vector<int> frameOf(times.size(), -1);
            for (std::size_t at = 0; at < times.size(); at += step) {
                const std::size_t count = std::min(step, times.size() - at);
                for (const FrameCutter::Piece& piece : cutter.cut(std::span(times).subspan(at, count))) {
                    std::fill(frameOf.begin() + static_cast<std::ptrdiff_t>(at + piece.begin),
                              frameOf.begin() + static_cast<std::ptrdiff_t>(at + piece.end),
                              static_cast<int>(piece.frame));
                }
            }
            cutter.finish();
            std::uint64_t between = 0;
            for (std::size_t i = 0; i < times.size(); ++i) {
                const std::uint32_t t = times[i];
                const int expected = t >= 10 && t < 30   ? 0
                                     : t >= 30 && t < 35 ? 1
                                     : t >= 50 && t < 60 ? 2
                                                         : -1;
                QCOMPARE(frameOf[i], expected);
                between += expected < 0 ? 1 : 0;
            }
            QCOMPARE(cutter.between(), between);
            QVERIFY(cutter.note().find("before frame 1") != std::string::npos);
        }
    }

    void clocksAndListsThatDoNotFitAreRefused() {
        FrameCutter cutter(framesFrom("2x10s"), "list.h5", 0);
        static_cast<void>(cutter.cut(std::vector<std::uint32_t>{5, 9}));
        const std::string back = saidBy([&] {
            static_cast<void>(cutter.cut(std::vector<std::uint32_t>{8, 12}));
        });
        QCOMPARE(back,
                 "bad input: list.h5: its clock goes back at event 2, from 9 to 8 ms; sort the list by time");
        const std::string late = saidBy([&] { cutter.finish(); });
        QVERIFY2(late.find("frame 2 (10 to 20 s) begins after the last event") != std::string::npos,
                 late.c_str());
        const std::string outside = saidBy([] { FrameCutter(framesFrom("3x10s"), "list.h5", 20); });
        QVERIFY2(
            outside.find("frame 3 (20 to 30 s) ends after the list, which is 20.000 s") != std::string::npos,
            outside.c_str());
    }

    void gatesAreEqualPartsBetweenTriggersOrBandsOfASignal() {
        const std::string triggers = write("t.tsv", "# s\n1\n3\n7\n");
        QCOMPARE(gatesFrom({triggers, 2, GateBy::Phase}, "list"),
                 (std::vector<GateTime>{{1, 2, 1}, {2, 3, 2}, {3, 5, 1}, {5, 7, 2}}));
        // Up from 0 to 4 and down again: quantiles of 0, 2, 4, 2, 0 at halves are 2.
        const std::string signal = write("s.tsv", "value time\n0 0\n2 1\n4 2\n2 3\n0 4\n");
        QCOMPARE(gatesFrom({signal, 2, GateBy::Amplitude}, "list"),
                 (std::vector<GateTime>{{0, 1, 1}, {1, 3, 2}, {3, 4, 1}}));
        for (const char* wrong : {"1\n", "1\n1\n", "1\nx\n", ""}) {
            const std::string path = write("w.tsv", wrong);
            const std::string found = saidBy([&] {
                static_cast<void>(gatesFrom({path, 2, GateBy::Phase}, "list"));
            });
            QVERIFY2(found.find("bad input: " + path) == 0, found.c_str());
        }
        const std::string flat = write("f.tsv", "0 1\n1 1\n2 1\n");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(gatesFrom({flat, 3, GateBy::Amplitude}, "list")),
                                 BadInput);
    }

    /// A gate on for [0, 1) and [3, 4) s of a frame of F-18: what it counts of an activity A at time 0 is the
    /// integral of A 2^(-t/T), so that its mean times the factor is A.
    void decayOfAGateIsThatOfTheTimesItIsOn() {
        const std::string triggers = write("d.tsv", "0\n2\n");
        const FrameCutter cutter(framesFrom("4s"), "list", 4, 2,
                                 gatesFrom({triggers, 2, GateBy::Phase}, "list"));
        const double halfLife_s = 3;
        const std::vector<FrameCounts> gates = cutter.outline(halfLife_s);
        const auto integral = [&](double from, double to) {
            return halfLife_s / std::log(2.0) * (std::exp2(-from / halfLife_s) - std::exp2(-to / halfLife_s));
        };
        QCOMPARE(gates[0].gated_s, 1.0);
        QVERIFY(std::abs(gates[0].gatedDecay * integral(0, 1) - 1) < 1e-12);
        QVERIFY(std::abs(gates[1].gatedDecay * integral(1, 2) - 1) < 1e-12);
    }

    void aFrameHoldsTheVoxelsOfItsEventsViewByView() {
        FrameCollector collector(FrameCutter(framesFrom("3x1s"), "list", 0).outline(0), 2);
        collector.begin(0);
        collector.add(std::vector<std::uint32_t>{0, 2, 3}, std::vector<std::uint32_t>{4, 1, 0}, 5, 6);
        collector.begin(2);
        collector.add(std::vector<std::uint32_t>{0, 0, 1}, std::vector<std::uint32_t>{3}, 0, 0);
        collector.begin(0);  // again, as gates do
        collector.add(std::vector<std::uint32_t>{0, 1, 1}, std::vector<std::uint32_t>{4}, 1, 0);
        const std::vector<FrameCounts> frames = collector.take();

        QCOMPARE(frames.size(), std::size_t{3});
        QCOMPARE(frames[0].kept + frames[0].outside + frames[0].rejected, std::uint64_t{4 + 6 + 6});
        std::vector<float> counts(10);
        frames[0].expandInto(counts, 5);
        QCOMPARE(counts, (std::vector<float>{0, 1, 0, 0, 2, 1, 0, 0, 0, 0}));
        frames[1].expandInto(counts, 5);
        QCOMPARE(std::accumulate(counts.begin(), counts.end(), 0.0F), 0.0F);
        frames[2].expandInto(counts, 5);
        QCOMPARE(counts[8], 1.0F);
    }

    /// Cells that go to a file are those that stay in memory, batches of a frame apart from one another and
    /// frames without events, too; nothing is left of the file.
    void cellsMayWaitInAFile() {
        const auto filled = [](FrameCollector& collector) {
            std::mt19937 random(7);
            for (int batch = 0; batch < 40; ++batch) {
                std::vector<std::uint32_t> starts{0};
                for (int part = 0; part < 3; ++part) {
                    starts.push_back(starts.back() + static_cast<std::uint32_t>(random() % 5));
                }
                std::vector<std::uint32_t> cells(starts.back());
                std::generate(cells.begin(), cells.end(), [&] { return random() % 100; });
                collector.begin(2 * (random() % 2));
                collector.add(starts, cells, 1, 2);
            }
        };
        const std::vector<FrameCounts> outline = FrameCutter(framesFrom("3x1s"), "list", 0).outline(0);
        FrameCollector inMemory(outline, 3);
        filled(inMemory);
        const std::vector<FrameCounts> expected = inMemory.take();
        const QStringList before = QDir(folder_.path()).entryList();
        FrameCollector collector(outline, 3);
        collector.spillBeside(folder_.filePath("out.h5").toStdString(), 11);
        filled(collector);
        FramedCounts framed;
        framed.stored = collector.stored();
        framed.frames = collector.take();

        QVERIFY(expected[0].kept > 50 && expected[2].kept > 50);
        std::vector<std::uint32_t> room;
        for (std::size_t frame : {2, 0, 1}) {
            const std::span<const std::uint32_t> cells = framed.cellsOf(frame, room);
            QVERIFY(std::equal(cells.begin(), cells.end(), expected[frame].voxels.begin(),
                               expected[frame].voxels.end()));
            QVERIFY(framed.frames[frame].firsts == expected[frame].firsts);
            QVERIFY(framed.frames[frame].voxels.empty());
            QCOMPARE(framed.frames[frame].kept, expected[frame].kept);
        }
        QCOMPARE(QDir(folder_.path()).entryList(), before);

        FrameCollector nowhere(outline, 3);
        nowhere.spillBeside(folder_.filePath("none/out.h5").toStdString(), 11);
        try {
            filled(nowhere);
            QFAIL("accepted");
        } catch (const CannotWrite& fault) {
            QVERIFY(QString(fault.what()).contains("none/out.h5"));
        }
    }

    /// Events that wait come back as they were appended, a batch without any, too.
    void eventsMayWaitInAFile() {
        const std::string output = folder_.filePath("out.h5").toStdString();
        for (const std::string& beside : {std::string(), output}) {
            WaitingEvents events(beside);
            std::vector<std::uint32_t> cells;
            std::vector<std::uint32_t> times;
            for (const std::size_t count : {3U, 0U, 200000U, 1U}) {
                const std::size_t before = cells.size();
                for (std::size_t i = 0; i < count; ++i) {
                    cells.push_back(static_cast<std::uint32_t>(7 * cells.size() % 1000));
                    times.push_back(static_cast<std::uint32_t>(cells.size() / 10));
                }
                events.append(std::span(cells).subspan(before), std::span(times).subspan(before));
            }

            std::vector<std::uint32_t> backCells;
            std::vector<std::uint32_t> backTimes;
            events.forEach([&](auto some, auto when) {
                backCells.insert(backCells.end(), some.begin(), some.end());
                backTimes.insert(backTimes.end(), when.begin(), when.end());
            });

            QCOMPARE(events.size(), std::uint64_t{200004});
            QVERIFY(backCells == cells);
            QVERIFY(backTimes == times);
        }
    }

  private:
    std::string write(const QString& name, const QString& text) {
        const std::string path = folder_.filePath(name).toStdString();
        std::ofstream(path) << text.toStdString();
        return path;
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(FramesTest)

}  // namespace frames_test
#include "frames_test.moc"
