// SPDX-License-Identifier: Apache-2.0
// Lists of every form by time: what frames and gates hold, whatever the ranks, and what their images are.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/corrections/frame_shares.h"
#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/bin.h"
#include "recon/work/dynamic_run.h"
#include "recon/work/reconstruct.h"
#include "tests/support/event_lists.h"
#include "tests/support/rings.h"
#include "tests/support/silent_progress.h"
#include "tests/support/small_ecat8.h"
#include "tests/support/thread_ranks.h"

namespace time_cut_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr std::size_t kEvents = 6000;
constexpr const char* kPanels =
    R"({"name":"tiny","modules":{"count":2,"face_to_face_mm":12,"crystals":[10,8],"pitch_mm":[2.4,2.4]},)"
    R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":80})";

/// Pairs of a scanner's crystals over 10 s, more and more of them.
EventList timedPairs(std::uint32_t crystals, const std::string& scanner) {
    EventList events;
    std::mt19937 random(5);
    for (std::size_t i = 0; i < kEvents; ++i) {
        events.crystals.push_back({static_cast<std::uint32_t>(random() % crystals),
                                   static_cast<std::uint32_t>(random() % crystals)});
        events.dt_ps.push_back(static_cast<float>(random() % 801) - 400.0F);
        const double share = static_cast<double>(i) / kEvents;
        events.time_ms.push_back(static_cast<std::uint32_t>(1e4 * std::sqrt(share)));
    }
    events.duration_s = 10;
    events.scannerJson = scanner;
    return events;
}

}  // namespace

class TimeCutTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        MichelogramSpec rings = fiveRings(1, 5);
        std::ofstream(file("rings.json")) << rings.toJson();
        writeEvents(file("rings.h5"), timedPairs(480, ""));
        writeEvents(file("panels.h5"), timedPairs(160, kPanels));
        std::ofstream triggers(file("triggers.tsv"));
        triggers << "trigger\n";
        for (double t = 0.3; t < 9.5; t += 0.7) {
            triggers << t << '\n';
        }
    }

    /// Every frame and gate has the counts of a list of its events alone, and nothing is lost.
    void countsAreThoseOfTheEventsOfTheTime_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<bool>("gated");
        for (const char* form : {"sinogram", "lors", "panel"}) {
            for (const bool gated : {false, true}) {
                QTest::addRow("%s, %s", form, gated ? "gates" : "frames") << form << gated;
            }
        }
    }
    void countsAreThoseOfTheEventsOfTheTime() {
        QFETCH(QString, form);
        QFETCH(bool, gated);
        BinRequest request = requestFor(form.toStdString());
        const EventList all = recognise(request.input).readEvents({}).events;
        request.frames = "3x2s,3500ms";
        request.gates.file = gated ? file("triggers.tsv") : "";
        request.gates.count = 4;  // of 175 ms
        const auto data = measured(request);
        const std::shared_ptr<const FramedCounts> frames = data->frames();
        QCOMPARE(frames->frames.size(), std::size_t{gated ? 16U : 4U});

        std::uint64_t told = frames->between;
        for (std::size_t i = 0; i < frames->frames.size(); ++i) {
            const FrameCounts& frame = frames->frames[i];
            told += frame.kept + frame.rejected;
            EventList own = eventsThat(all, [&](std::size_t event) {
                const double t = all.time_ms[event];
                const double cycle = (t - 300) / 700;
                const bool on =
                    !gated || (cycle >= 0 && cycle < 13 &&
                               static_cast<int>(4 * (cycle - std::floor(cycle))) + 1 == frame.gate);
                return t >= 1e3 * frame.time.start_s && t < 1e3 * frame.time.end_s() && on;
            });
            BinRequest alone = requestFor(form.toStdString());
            writeEvents(alone.input = file("own.h5"), own);
            const MeasuredData counted = binEvents(alone, pool_, silent_).data;
            if (const auto* const lines = std::get_if<LineData>(&counted)) {
                const auto stands = data->frameAlone(i);
                const auto& kept = *dynamic_cast<const LineMeasurement&>(*stands).data();
                QVERIFY(kept.events->pairs == lines->events->pairs);
                QVERIFY(kept.events->dt_ps == lines->events->dt_ps);
                QCOMPARE(frame.rejected, lines->rejected);
            } else {
                const auto single = builtInForms().named(form.toStdString()).measure(counted);
                std::vector<float> counts(countsOf(counted).size());
                frame.expandInto(counts, counts.size());
                QVERIFY(counts == countsOf(counted));
                QCOMPARE(static_cast<double>(frame.kept), single->events().kept);
            }
        }
        QCOMPARE(told, std::uint64_t{kEvents});
        QVERIFY(frames->frames.back().kept > 100);  // there is something to compare
    }

    void ranksCutAsOneProcessDoes() {
        for (const char* form : {"sinogram", "panel", "lors"}) {
            BinRequest request = requestFor(form);
            request.frames = "1x4s,1x5s";
            const std::string one = measured(request)->hash();
            request.spillBeside = file("several.h5");
            request.eventsAtATime = 500;  // a rank has a part or none in the last round
            const auto ends = onRanks(3, [&](const std::shared_ptr<Communicator>& ranks) {
                BinRequest shared = request;
                shared.ranks = ranks;
                SilentProgress silent;
                BinResult found = binEvents(shared, ThreadPool(1), silent);
                if (ranks->first() &&
                    builtInForms().named(form).measure(std::move(found.data))->hash() != one) {
                    throw InternalError("ranks cut otherwise");
                }
            });
            for (const RankEnd& end : ends) {
                QCOMPARE(end.said, "");
            }
        }
    }

    /// Cells that wait in a file, of a list that is read in parts, make the file of those in memory.
    void cellsMayWaitInAFile_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<bool>("words");
        QTest::newRow("sinogram") << "sinogram" << false;
        QTest::newRow("panel") << "panel" << false;
        QTest::newRow("lors") << "lors" << false;
        QTest::newRow("sinogram of Siemens' words") << "sinogram" << true;
        QTest::newRow("lors of Siemens' words") << "lors" << true;
    }
    void cellsMayWaitInAFile() {
        QFETCH(QString, form);
        QFETCH(bool, words);
        BinRequest request = words ? wordsOfAWhile(form) : requestFor(form.toStdString());
        request.frames = words ? "600ms,300ms" : "1500ms,3s,2s";
        writeMeasured(file("memory.h5"), binEvents(request, pool_, silent_).data);
        request.spillBeside = file("waited.h5");
        request.eventsAtATime = 700;

        const MeasuredData data = binEvents(request, pool_, silent_).data;

        const auto measured = builtInForms().named(request.form).measure(data);
        QVERIFY(measured->frames()->stored != nullptr);
        QVERIFY(measured->frames()->between > 0);
        writeMeasured(file("waited.h5"), data);
        const auto bytes = [&](const char* name) {
            std::ifstream in(file(name), std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        QVERIFY(bytes("waited.h5") == bytes("memory.h5"));
    }

    void filesKeepFramesAndGates_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("sinogram") << "sinogram";
        QTest::newRow("lors") << "lors";
        QTest::newRow("panel") << "panel";
    }
    void filesKeepFramesAndGates() {
        QFETCH(QString, form);
        BinRequest request = requestFor(form.toStdString());
        request.frames = "4s,5s";
        request.gates.file = file("triggers.tsv");
        request.gates.count = 2;
        request.nuclide = "Rb-82";
        const auto data = measured(request);
        builtInForms().named(request.form).write(file("kept.h5"), *data);
        const auto back =
            builtInForms().named(request.form).measure(recognise(file("kept.h5")).readData().data);
        QCOMPARE(back->hash(), data->hash());
        const FramedCounts& from = *data->frames();
        const FramedCounts& to = *back->frames();
        QCOMPARE(to.gates, 2);
        QCOMPARE(to.frames.size(), from.frames.size());
        for (std::size_t i = 0; i < to.frames.size(); ++i) {
            QVERIFY(to.frames[i].voxels == from.frames[i].voxels);
            QCOMPARE(to.frames[i].gate, from.frames[i].gate);
            QCOMPARE(to.frames[i].gated_s, from.frames[i].gated_s);
            QCOMPARE(to.decayFactorOf(i), from.decayFactorOf(i));
        }
    }

    /// The image of a frame is that of data with its counts alone: sums of hundreds of lines in another order
    /// differ by some units of the last place, 6e-8 each.
    void imagesAreThoseOfTheFrameAlone_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("sinogram") << "sinogram";
        QTest::newRow("lors") << "lors";
    }
    void imagesAreThoseOfTheFrameAlone() {
        QFETCH(QString, form);
        BinRequest request = requestFor(form.toStdString());
        request.frames = "1x7s,1x3s";
        const Volume frame = imageOf(measured(request), 2, "run.h5");
        const EventList all = recognise(request.input).readEvents({}).events;
        writeEvents(request.input = file("own.h5"),
                    eventsThat(all, [&](std::size_t i) { return all.time_ms[i] >= 7000; }));
        request.frames.clear();
        const Volume alone = imageOf(measured(request), 0, "own-run.h5");
        const float most = *std::max_element(alone.data.begin(), alone.data.end());
        QVERIFY(most > 0);
        for (std::size_t i = 0; i < alone.data.size(); ++i) {
            QVERIFY(std::abs(frame.data[i] - alone.data[i]) < 2e-5F * most);
        }
        static_cast<void>(writeDynamicRun(file("run.h5"), file("frames.h5")));
        const DynamicImage written = recognise(file("frames.h5")).readDynamicImage().image;
        QCOMPARE(written.units, frame.units + "/s");  // relative: nobody knows the rings' efficiency
        QVERIFY(std::abs(written.values[1][500] - frame.data[500] / 3.0F) <= 1e-6F * most);
    }

    /// Words of a Siemens list: prompts by the tag before them, and randoms by the delayeds of the frame.
    void wordsOfSiemensAreCutByTheirTags() {
        QVERIFY(writeSmallEcat8(folder_.path()));
        QFile list(folder_.filePath("list.l"));
        QVERIFY(list.open(QIODevice::Append));
        const auto put = [&](quint32 word) { list.write(reinterpret_cast<const char*>(&word), 4); };
        for (quint32 i = 0; i < 50; ++i) {  // after the tag at 600 ms
            put(0x40000000U | (i * 4 % 432));
        }
        for (quint32 i = 0; i < 25; ++i) {
            put(i * 8 % 432);
        }
        put(0x8000044CU);  // 1100 ms
        list.close();
        for (const char* form : {"sinogram", "lors"}) {
            BinRequest request;
            request.input = file("list.l.hdr");
            request.form = form;
            request.mu = "none";
            request.frames = "2x500ms";
            const auto data = measured(request);
            const FramedCounts& frames = *data->frames();
            QCOMPARE(frames.frames[0].kept, std::uint64_t{960});
            QCOMPARE(frames.frames[1].kept, std::uint64_t{50});
            QCOMPARE(frames.addShareOf(0), 100.0 / 125);
            QCOMPARE(frames.addShareOf(1), 25.0 / 125);
            request.frames = "1x500ms";  // randoms of what is left
            const MeasuredData first = binEvents(request, pool_, silent_).data;
            if (const auto* const sinograms = std::get_if<SinogramData>(&first)) {
                double add = 0;
                for (const float value : sinograms->add) {
                    add += static_cast<double>(value);
                }
                QVERIFY(std::abs(add - 100) < 1e-3);
                QCOMPARE(sinograms->kept, std::uint64_t{960});
            } else {
                QCOMPARE(std::get<LineData>(first).possible.totalAdd, 100.0);
                QCOMPARE(std::get<LineData>(first).events->pairs.size(), std::size_t{960});
            }
        }
    }

    /// Triggers of breathing and of R waves in the tags; what turns a gate off, or another trigger, is none.
    void wordsOfSiemensTellTriggers_data() {
        QTest::addColumn<QString>("gates");
        QTest::addColumn<QString>("form");
        QTest::newRow("breathing, sinograms") << "respiratory"
                                              << "sinogram";
        QTest::newRow("breathing, lines") << "respiratory"
                                          << "lors";
        QTest::newRow("heart, sinograms") << "cardiac"
                                          << "sinogram";
    }
    void wordsOfSiemensTellTriggers() {
        QFETCH(QString, gates);
        QFETCH(QString, form);
        QVERIFY(writeSmallEcat8(folder_.path(), "tags.l"));
        QFile list(folder_.filePath("tags.l"));
        QVERIFY(list.open(QIODevice::WriteOnly | QIODevice::Truncate));
        const auto put = [&](quint32 word) { list.write(reinterpret_cast<const char*>(&word), 4); };
        const bool heart = gates == "cardiac";
        // Beats of 100 ms from 1100 to 1400 ms, 0 at the first tag.
        for (quint32 ms = 0; ms <= 600; ++ms) {
            put(0x80000000U | (1000 + ms));
            if (ms % 100 == 0 && ms >= 100 && ms <= 400) {
                put(!heart      ? 0xe1001000U
                    : ms == 100 ? 0xe0000080U    // the older format
                    : ms == 200 ? 0xe1008000U    // one ECG
                                : 0xe1002000U);  // the primary of several
            } else if (ms % 100 == 30) {
                put(heart ? 0xe1002001U : 0xe1001001U);  // a secondary one; off
                put(heart ? 0xe1001000U : 0xe1002000U);  // the other's
            }
            for (quint32 i = 0; ms < 600 && i < 1 + ms % 100 / 50;
                 ++i) {  // twice as many in a beat's later half
                put(0x40000000U | (4 * ms % 216));
            }
        }
        const qint64 words = list.size() / 4;
        list.close();
        QFile header(folder_.filePath("tags.l.hdr"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        QByteArray text = header.readAll();
        header.close();
        text.replace("word counts:=1062", "word counts:=" + QByteArray::number(words));
        QVERIFY(header.open(QIODevice::WriteOnly | QIODevice::Truncate));
        header.write(text);
        header.close();
        BinRequest request;
        request.input = file("tags.l.hdr");
        request.form = form.toStdString();
        request.mu = "none";
        request.frames = "1x600ms";
        request.gates.file = gates.toStdString();
        request.gates.count = 2;

        const FramedCounts frames = *measured(request)->frames();

        QCOMPARE(frames.frames.size(), std::size_t{2});
        QCOMPARE(frames.frames[0].kept, std::uint64_t{150});  // three beats of 50 ms each
        QCOMPARE(frames.frames[1].kept, std::uint64_t{300});
        QCOMPARE(frames.between, std::uint64_t{900 - 450});
        request.gates.by = GateBy::Amplitude;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured(request)), WrongUse);
        request.gates.by = GateBy::Phase;
        QVERIFY(writeSmallEcat8(folder_.path()));
        request.input = file("list.l.hdr");  // without triggers
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured(request)), BadInput);
        request.input = file("rings.h5");  // whose events have no tags
        request.scanner = file("rings.json");
        request.frames = "1x6s";
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured(request)), WrongUse);
    }

    /// Delayeds of a frame are those of its time, and its gates have shares of them by how long they were on.
    void delayedsSayRandomsOfFrames() {
        BinRequest request = requestFor("sinogram");
        request.frames = "2s,4s";
        const FramedCounts frames = *measured(request)->frames();
        const std::vector<std::uint32_t> times{0, 1999, 2000, 3000, 5999, 6000};
        const std::vector<double> delayeds = delayedsOfFrames(frames, times, "delayeds");
        QCOMPARE(delayeds, (std::vector<double>{2, 3}));
        CorrectionsOfScan scan;
        scan.randoms = 50;
        scan.delayeds = delayeds;
        scan.values = std::make_shared<const std::vector<float>>();
        const auto shared = withCorrections(frames, scan);
        QCOMPARE(shared->frames[1].randomsShare, 0.6);
        const double first = static_cast<double>(frames.frames[0].kept) - 20;
        const double second = static_cast<double>(frames.frames[1].kept) - 30;
        QCOMPARE(shared->frames[0].addShare, first / (first + second));
        QCOMPARE(shared->moreRandomsOf(0), 0.4 - shared->addShareOf(0));

        request.gates.file = file("triggers.tsv");
        request.gates.count = 2;
        const FramedCounts gated = *measured(request)->frames();
        const std::vector<double> ofGates = delayedsOfFrames(gated, times, "delayeds");
        QCOMPARE(ofGates[3], 3 * gated.frames[3].gated_s / 4);  // of 4 s
    }

    void countsWithoutTimesAreRefused() {
        BinRequest request = requestFor("sinogram");
        EventList events = recognise(request.input).readEvents({}).events;
        events.time_ms.clear();
        writeEvents(request.input = file("timeless.h5"), events);
        request.frames = "1x4s";
        for (const char* form : {"sinogram", "lors"}) {
            request.form = form;
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(binEvents(request, pool_, silent_)), BadInput);
        }
    }

  private:
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] BinRequest requestFor(const std::string& form) const {
        BinRequest request;
        request.form = form;
        request.input = file(form == "panel" ? "panels.h5" : "rings.h5");
        request.scanner = form == "panel" ? "" : file("rings.json");
        request.lattice = kInFiveRings;
        request.mu = "none";
        return request;
    }
    /// Words of a Siemens list: twenty prompts and eight delayeds after each of 60 tags, 10 ms apart.
    [[nodiscard]] BinRequest wordsOfAWhile(const QString& form) const {
        writeSmallEcat8(folder_.path(), "while.l");
        QFile list(folder_.filePath("while.l"));
        list.open(QIODevice::Append);
        const auto put = [&](quint32 word) { list.write(reinterpret_cast<const char*>(&word), 4); };
        for (quint32 tag = 1; tag <= 60; ++tag) {
            for (quint32 i = 0; i < 28; ++i) {
                put((i < 20 ? 0x40000000U : 0U) | (tag * 28 + i) * 11 % 432);
            }
            put(0x80000000U | (600 + 10 * tag));
        }
        BinRequest request;
        request.input = file("while.l.hdr");
        request.form = form.toStdString();
        request.mu = "none";
        return request;
    }
    [[nodiscard]] std::shared_ptr<const Measurement> measured(const BinRequest& request) {
        return builtInForms().named(request.form).measure(binEvents(request, pool_, silent_).data);
    }
    static const std::vector<float>& countsOf(const MeasuredData& data) {
        const auto* const sinograms = std::get_if<SinogramData>(&data);
        return sinograms != nullptr ? sinograms->counts : std::get<PanelData>(data).counts;
    }
    /// The image of a frame, or of all for 0.
    [[nodiscard]] Volume imageOf(std::shared_ptr<const Measurement> data, int frame, const char* run) const {
        ReconstructRequest request;
        request.data = std::move(data);
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"algorithm", "mlem"}, {"iterations", "3"}}) {
            request.settings.set(key, value);
        }
        request.files.runFile = file(run);
        if (frame > 0) {
            request.frames = FramesAsked();
        }
        JobListener listener;
        const ReconstructResult result = reconstruct(request, makeEngineRegistry(), listener);
        return frame > 0 ? readRunFrame(h5::Reader(file(run)), frame) : *result.image;
    }

    QTemporaryDir folder_;
    ThreadPool pool_{1};
    SilentProgress silent_;
};

QTEST_GUILESS_MAIN(TimeCutTest)

}  // namespace time_cut_test
#include "time_cut_test.moc"
