// SPDX-License-Identifier: Apache-2.0
// A list that grows while its events are counted: what comes of it is what 'bin' makes of the whole list,
// however its bytes came.
#include <fcntl.h>
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <future>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/arriving_events.h"
#include "recon/work/bin.h"
#include "recon/work/follow.h"
#include "recon/work/live_counts.h"
#include "recon/work/reconstruct.h"
#include "recon/work/simulate.h"
#include "tests/support/refusal.h"
#include "tests/support/silent_progress.h"

namespace follow_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr int kEvents = 20000;

/// Appends to a file as another program would: nothing is buffered here.
void append(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        qFatal("cannot append");
    }
    file.write(bytes);
}

/// Wants no more once it is told so.
class Follower : public FollowListener {
  public:
    void imageMade(const FollowNews& news, const std::shared_ptr<const Volume>& image) override {
        last = news;
        lastImage = image;
        ++images;
    }
    [[nodiscard]] bool enough() const override { return ended; }

    FollowNews last;
    std::shared_ptr<const Volume> lastImage;
    std::atomic<int> images = 0;
    std::atomic<bool> ended = false;
};

/// The pairs of crystals and times that came.
struct Collected {
    void take(const EventList& block, std::uint64_t first) {
        inOrder = inOrder && first == crystals.size();
        crystals.insert(crystals.end(), block.crystals.begin(), block.crystals.end());
        dt_ps.insert(dt_ps.end(), block.dt_ps.begin(), block.dt_ps.end());
    }
    std::vector<std::array<std::uint32_t, 2>> crystals;
    std::vector<float> dt_ps;
    bool inOrder = true;
};

void compare(const HistoData& got, const HistoData& expected) {
    QVERIFY(got.counts == expected.counts);
    QVERIFY(got.mult == expected.mult);
    QVERIFY(got.att == expected.att);
    QCOMPARE(got.kept, expected.kept);
    QCOMPARE(got.outside, expected.outside);
    QCOMPARE(got.rejected, expected.rejected);
    QCOMPARE(got.deposit, expected.deposit);
    QCOMPARE(got.depositSeed, expected.depositSeed);
}

}  // namespace

class FollowTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        SimulateRequest simulation;
        simulation.scanner = "labr3-ideal";
        simulation.phantom = "spheres";
        simulation.settings = {.events = kEvents, .seed = 3, .duration_s = 10};
        SilentProgress progress;
        EventList events = std::get<EventList>(simulateScan(simulation, pool_, progress).data);
        for (std::size_t i = 0; i < events.size(); ++i) {
            events.time_ms.push_back(static_cast<std::uint32_t>(i / 2));
        }
        const FormatTable formats = builtInFormats();
        static_cast<void>(
            formats.writer(&Format::events, file("whole.cdh"))->write(file("whole.cdh"), events));
        QFile records(path("whole.cdf"));
        QVERIFY(records.open(QIODevice::ReadOnly));
        records_ = records.readAll();
        recordBytes_ = recognise(file("whole.cdh")).recordDecoder()->recordBytes();
        QCOMPARE(records_.size(), static_cast<qsizetype>(kEvents * recordBytes_));

        request_.bin.azimuths = 6;
        request_.bin.tilts = 1;
        request_.bin.lattice = Lattice::centred({18, 18, 6}, {16, 16, 16});
        request_.bin.mu = "none";
        request_.bin.input = file("grow.cdh");
        settings_.iterations = 2;
        settings_.engine = "cpu";
        BinRequest whole = request_.bin;
        whole.input = file("whole.cdh");
        whole_ = std::get<HistoData>(binEvents(whole, pool_, progress).data);
        QVERIFY(whole_.kept > kEvents / 20);
    }
    void init() { grow(0); }
    void cleanup() { QFile::remove(data()); }

    void whatGrewIsWhatBinMakesOfTheWhole_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("piece");
        for (const int threads : {1, 2, 3}) {
            for (const int piece : {5, 1001, 40000}) {  // bytes; none ends with a record but by chance
                QTest::addRow("%d threads, %d bytes", threads, piece) << threads << piece;
            }
        }
    }
    void whatGrewIsWhatBinMakesOfTheWhole() {
        QFETCH(int, threads);
        QFETCH(int, piece);
        grow(kEvents);
        settings_.threads = threads;
        append(data(), records_.left(piece));
        const auto writer = std::async(std::launch::async, [this, piece] {
            const int inSmallPieces = std::min(static_cast<int>(records_.size()), 2000 * piece);
            for (int at = piece; at < inSmallPieces; at += piece) {
                append(data(), records_.mid(at, std::min(piece, inSmallPieces - at)));
            }
            append(data(), records_.mid(std::max(inSmallPieces, piece)));
        });

        const Followed followed = follow();
        writer.wait();

        QCOMPARE(followed.end, FollowEnd::Announced);
        QCOMPARE(followed.events, std::uint64_t{kEvents});
        compare(followed.data, whole_);
        QVERIFY(imageOf(followed.data) == imageOf(whole_));
    }

    void imagesComeMeanwhileAndKnowOfEverything() {
        Follower follower;
        append(data(), records_.left(records_.size() / 2));
        auto following = std::async(std::launch::async, [&] { return follow(follower); });
        QTRY_VERIFY_WITH_TIMEOUT(follower.images >= 1, 60000);
        append(data(), records_.mid(records_.size() / 2));
        QTRY_VERIFY_WITH_TIMEOUT(follower.images >= 2, 60000);
        follower.ended = true;

        const Followed followed = following.get();

        QCOMPARE(followed.end, FollowEnd::Asked);
        QCOMPARE(followed.images, follower.images.load());
        QCOMPARE(follower.last.shown, std::uint64_t{kEvents});
        QVERIFY(follower.last.imageLag_s > 0);
        QCOMPARE(follower.lastImage->lattice.size, whole_.lattice.size);
        compare(followed.data, whole_);
    }

    void aRecordThatIsCutAnywhereWaitsForItsRest() {
        for (std::size_t cut = 0; cut < recordBytes_; ++cut) {
            QFile::remove(data());
            append(data(), {});
            const auto first = static_cast<qsizetype>(100 * recordBytes_ + cut);
            const auto decoder = recognise(file("grow.cdh")).recordDecoder();
            Collected collected;
            std::atomic<bool> enough = false;
            ArrivingEvents arriving(*decoder, 0);
            arriving.start([&](const EventList& block, std::uint64_t number,
                               ArrivingEvents::Clock::time_point) { collected.take(block, number); },
                           [&] { return enough.load(); });

            append(data(), records_.left(first));
            QTRY_COMPARE(arriving.events(), std::uint64_t{100});
            append(data(), records_.mid(first, static_cast<qsizetype>(100 * recordBytes_ - cut)));
            QTRY_COMPARE(arriving.events(), std::uint64_t{200});
            enough = true;
            QCOMPARE(arriving.wait(), FollowEnd::Asked);

            EventList expected;
            decoder->decode(std::as_bytes(std::span(records_.data(), 200 * recordBytes_)), 0, expected);
            QVERIFY(collected.inOrder);
            QVERIFY(collected.crystals == expected.crystals);
            QVERIFY(collected.dt_ps == expected.dt_ps);
            QCOMPARE(arriving.leftBytes(), std::size_t{0});
        }
    }

    void aWriterThatDiesLeavesWhatItWrote() {
        constexpr int kWhole = 1234;
        QFile::remove(data());
        QCOMPARE(::mkfifo(data().toLocal8Bit().constData(), 0600), 0);
        const auto written = static_cast<qsizetype>(kWhole * recordBytes_ + recordBytes_ - 1);
        const auto writer = std::async(std::launch::async, [&] {
            QFile pipe(data());
            static_cast<void>(pipe.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
            pipe.write(records_.left(written));
        });

        const Followed followed = follow();
        writer.wait();

        QCOMPARE(followed.end, FollowEnd::Closed);
        QCOMPARE(followed.events, std::uint64_t{kWhole});
        QCOMPARE(followed.leftBytes, recordBytes_ - 1);
        QVERIFY(endText(request_, followed).find("16 bytes of a record") != std::string::npos);
        compare(followed.data, binned(records_.left(static_cast<qsizetype>(kWhole * recordBytes_))));
    }

    void aFileThatStopsGrowingEndsAfterItsTime() {
        append(data(), records_.left(static_cast<qsizetype>(500 * recordBytes_)));
        FollowRequest request = request_;
        request.until_s = 0.05;

        const Followed followed = follow(request);

        QCOMPARE(followed.end, FollowEnd::Quiet);
        QCOMPARE(followed.events, std::uint64_t{500});
    }

    void whatComesBehindTheLastEventAnnouncedIsNoEvent() {
        grow(300);
        append(data(), records_.left(static_cast<qsizetype>(400 * recordBytes_)));

        const Followed followed = follow();

        QCOMPARE(followed.end, FollowEnd::Announced);
        QCOMPARE(followed.events, std::uint64_t{300});
        QCOMPARE(followed.leftBytes, std::size_t{0});
    }

    void aFileThatIsNoMoreItselfIsRefused_data() {
        QTest::addColumn<QString>("done");
        QTest::addColumn<QString>("said");
        QTest::newRow("shortened") << "shorten"
                                   << "was shortened to 17 bytes after 1700 of them were counted";
        QTest::newRow("replaced") << "replace"
                                  << "was replaced by another file";
        QTest::newRow("removed") << "remove"
                                 << "was removed while it was followed";
    }
    void aFileThatIsNoMoreItselfIsRefused() {
        QFETCH(QString, done);
        QFETCH(QString, said);
        QCOMPARE(recordBytes_, std::size_t{17});
        append(data(), records_.left(1700));
        const auto decoder = recognise(file("grow.cdh")).recordDecoder();
        ArrivingEvents arriving(*decoder, 0);
        arriving.start([](const EventList&, std::uint64_t, ArrivingEvents::Clock::time_point) {},
                       [] { return false; });
        QTRY_COMPARE(arriving.events(), std::uint64_t{100});

        if (done == "shorten") {
            QVERIFY(QFile::resize(data(), 17));
        } else if (done == "replace") {
            append(data() + ".new", records_.left(3400));
            QCOMPARE(::rename((data() + ".new").toLocal8Bit().constData(), data().toLocal8Bit().constData()),
                     0);
        } else {
            QVERIFY(QFile::remove(data()));
        }

        const QString refused = refusal([&] { static_cast<void>(arriving.wait()); });
        QVERIFY2(refused.contains("grow.cdf: " + said), qPrintable(refused));
    }

    void whatCannotGrowSoIsRefused() {
        append(path("text.txt"), "no list\n");
        QVERIFY(refusal([&] {
                    static_cast<void>(recognise(file("text.txt")).recordDecoder());
                }).contains("cannot be followed"));
        FollowRequest request = request_;
        request.bin.trilinear = true;
        QVERIFY(saidBy([&] { static_cast<void>(follow(request)); }).contains("nearest voxels"));
        QFile::remove(data());
        QVERIFY(refusal([&] { static_cast<void>(follow()); }).contains("before it is followed"));
        QVERIFY(QDir().mkdir(data()));
        QVERIFY(refusal([&] { static_cast<void>(follow()); }).contains("neither a file nor a named pipe"));
        QVERIFY(QDir().rmdir(data()));
    }

    void countsOfTheLastSecondsLoseWhatIsOlder() {
        HistoData views;
        views.lattice = Lattice::centred({2, 1, 1}, {1, 1, 1});
        views.views.resize(2);
        LiveCounts live(1);
        live.setViews(views);
        const auto arrive = [&](std::vector<std::uint32_t> starts, std::vector<std::uint32_t> voxels,
                                std::uint64_t events, std::uint32_t time_ms) {
            live.arrived({starts, voxels, 0, 0}, events, time_ms, LiveCounts::Clock::now());
        };

        QVERIFY(!live.takeIn());
        arrive({0, 2, 3}, {0, 1, 1}, 3, 100);
        arrive({0, 1, 2}, {1, 0}, 5, 700);
        QVERIFY(live.takeIn());
        QCOMPARE(live.data()->counts, (std::vector<float>{1, 2, 1, 1}));
        QCOMPARE(live.data()->kept, std::uint64_t{5});
        QCOMPARE(live.added(), (std::vector<std::uint64_t>{0, 1, 3, 1, 2}));
        live.forgetPlaces();
        arrive({0, 0, 1}, {1}, 6, 1100);  // what is exactly as old as allowed stays
        QVERIFY(live.takeIn());
        QCOMPARE(live.data()->counts, (std::vector<float>{1, 2, 1, 2}));
        arrive({0, 0, 0}, {}, 7, 1500);
        QVERIFY(live.takeIn());
        QCOMPARE(live.data()->counts, (std::vector<float>{0, 1, 1, 1}));
        QCOMPARE(live.data()->kept, std::uint64_t{3});
        QCOMPARE(live.added(), (std::vector<std::uint64_t>{3}));
        QCOMPARE(live.removed(), (std::vector<std::uint64_t>{0, 1, 3}));
        QCOMPARE(live.events(), std::uint64_t{7});
    }

  private:
    [[nodiscard]] std::string file(const char* name) const { return path(name).toStdString(); }
    [[nodiscard]] QString path(const char* name) const { return dir_.filePath(name); }
    [[nodiscard]] QString data() const { return path("grow.cdf"); }

    /// An empty list whose header announces so many events.
    void grow(int announced) {
        QFile whole(path("whole.cdh"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QByteArray header = whole.readAll();
        header.replace("Number of events: 20000", "Number of events: " + QByteArray::number(announced));
        header.replace("whole.cdf", "grow.cdf");
        QFile grown(path("grow.cdh"));
        QVERIFY(grown.open(QIODevice::WriteOnly));
        grown.write(header);
        QFile::remove(data());
        append(data(), {});
    }

    [[nodiscard]] Followed follow(Follower& follower, const FollowRequest& request) const {
        SilentProgress progress;
        return tof::follow(request, settings_, engines_, progress, follower);
    }
    [[nodiscard]] Followed follow(Follower& follower) const { return follow(follower, request_); }
    [[nodiscard]] Followed follow(const FollowRequest& request) const {
        Follower follower;
        return follow(follower, request);
    }
    [[nodiscard]] Followed follow() const { return follow(request_); }

    /// What 'bin' makes of a list of these records.
    [[nodiscard]] HistoData binned(const QByteArray& records) {
        QFile::remove(data());
        grow(static_cast<int>(records.size() / static_cast<qsizetype>(recordBytes_)));
        append(data(), records);
        SilentProgress progress;
        return std::get<HistoData>(binEvents(request_.bin, pool_, progress).data);
    }

    [[nodiscard]] std::vector<float> imageOf(const HistoData& data) const {
        ReconstructRequest request;
        request.data = std::make_shared<const HistoMeasurement>(data);
        request.settings = settings_;
        JobListener listener;
        return reconstruct(request, engines_, listener).image->data;
    }

    QTemporaryDir dir_;
    ThreadPool pool_;
    EngineRegistry engines_ = makeEngineRegistry();
    FollowRequest request_;
    RunSettings settings_;
    QByteArray records_;
    std::size_t recordBytes_ = 0;
    HistoData whole_;
};

QTEST_GUILESS_MAIN(FollowTest)

}  // namespace follow_test
#include "follow_test.moc"
