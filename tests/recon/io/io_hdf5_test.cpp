// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/data/event_part.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/fuzz/readers.h"

namespace io_hdf5_test {

using namespace tof;

namespace {

Volume ramp(std::array<int, 3> size, float first = 0.0F) {
    Volume volume(Lattice::centred(size, {4, 3, 2.5}));
    std::iota(volume.data.begin(), volume.data.end(), first);
    volume.units = "emissions/voxel";
    return volume;
}

std::shared_ptr<const Volume> shared(Volume volume) {
    return std::make_shared<const Volume>(std::move(volume));
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

HistoData smallData() {
    HistoData data;
    data.lattice = Lattice::centred({5, 4, 3}, {4, 4, 4});
    data.views = {{0.0, -0.1}, {kPi / 3, 0.0}, {2.0, 0.1}};
    data.counts.resize(3 * 60);
    std::iota(data.counts.begin(), data.counts.end(), 0.0F);
    data.mult.assign(180, 0.25F);
    data.mult[7] = 0.125F;
    data.add.assign(180, 1e-3F);
    data.kept = 16110;
    data.outside = 12;
    data.rejected = 3;
    data.scannerJson = R"({"name":"labr3"})";
    data.phantom = "spheres";
    data.duration_s = 60.5;
    return data;
}

/// Three events with every column that simulations fill.
EventList threeEvents() {
    EventList events;
    events.crystals = {{1, 2}, {4000000000U, 0}, {7, 7}};
    events.dt_ps = {-400.5F, 0.0F, 1e4F};
    events.kind = {EventKind::True, EventKind::Random, EventKind::Scattered};
    events.scatters = {0, 1, 3};
    events.energy_keV = {{511.0F, 480.5F}, {499.0F, 530.0F}, {485.0F, 490.0F}};
    events.time_ms = {0, 4000000000U, 17};
    events.scannerJson = std::string(200000, 'x');  // longer than an attribute's 64 KiB of header space
    events.phantom = "spheres";
    events.seed = 0xFFFFFFFFFFFFFFFFULL;
    events.duration_s = 12.5;
    events.decays = 1.5e9;
    events.singles = 2.5e8;
    events.sphereShare = 0.18;
    return events;
}

EventList partOf(const EventList& events, int begin, int end) {
    EventList part;
    const auto copy = [&](const auto& from, auto& to) {
        to.assign(from.begin() + begin, from.begin() + end);
    };
    copy(events.crystals, part.crystals);
    copy(events.dt_ps, part.dt_ps);
    copy(events.kind, part.kind);
    copy(events.scatters, part.scatters);
    copy(events.energy_keV, part.energy_keV);
    copy(events.time_ms, part.time_ms);
    return part;
}

}  // namespace

class IoHdf5Test : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }

  private slots:
    /// Objects would keep the second they were made in.
    void theSameContentIsTheSameBytesLater() {
        EventList events;
        events.crystals = {{{0, 1}}, {{2, 3}}};
        events.dt_ps = {1, 2};
        const auto write = [&](const QString& which) {
            writeVolume(file(qPrintable(which + "-volume.h5")), ramp({4, 3, 2}));
            writeData(file(qPrintable(which + "-data.h5")), smallData());
            writeEvents(file(qPrintable(which + "-list.h5")), events);
        };

        write("first");
        QTest::qSleep(1100);
        write("second");

        for (const QString name : {"-volume.h5", "-data.h5", "-list.h5"}) {
            QVERIFY(!bytesOf(folder_.filePath("first" + name)).isEmpty());
            QVERIFY2(bytesOf(folder_.filePath("first" + name)) == bytesOf(folder_.filePath("second" + name)),
                     qPrintable(name));
        }
    }

    void volumeComesBackAsItWas() {
        Volume volume = ramp({7, 5, 3});
        volume.lattice.origin_mm = {-1.25, 2.5, 100};

        writeVolume(file("v.h5"), volume);
        const Volume back = readVolume(file("v.h5"));

        QVERIFY(back.lattice == volume.lattice);
        QCOMPARE(back.data, volume.data);
        QCOMPARE(back.units, volume.units);
    }

    // What the library writes by default for others: older layout, texts of variable size, deflated chunks.
    void volumesOfOtherProgramsAreRead() {
        fuzz::seedVolumeOld(folder_.path().toStdString());

        const Volume volume = readVolume(file("old.h5"));

        QCOMPARE(volume.data, fuzz::sampleVolume().data);
        QVERIFY(volume.lattice == fuzz::sampleVolume().lattice);  // no origin: centred
        QCOMPARE(volume.units, std::string("kBq/ml"));
    }

    void emptySpaceIsCompressedAndComesBack() {
        Volume volume(Lattice::centred({64, 64, 64}, {4, 4, 4}));
        volume.at(1, 2, 3) = 5;

        writeVolume(file("zero.h5"), volume);

        QVERIFY(QFileInfo(folder_.filePath("zero.h5")).size() < 64 * 1024);
        QCOMPARE(readVolume(file("zero.h5")).data, volume.data);
    }

    void listComesBackAsItWas() {
        const EventList events = threeEvents();

        writeEvents(file("l.h5"), events);
        const ListReadResult back = readEvents(file("l.h5"));

        QCOMPARE(back.announced, 3U);
        QVERIFY(back.note.empty());
        QVERIFY(back.events.crystals == events.crystals);
        QCOMPARE(back.events.dt_ps, events.dt_ps);
        QVERIFY(back.events.kind == events.kind);
        QVERIFY(back.events.scatters == events.scatters);
        QVERIFY(back.events.energy_keV == events.energy_keV);
        QCOMPARE(back.events.time_ms, events.time_ms);
        QCOMPARE(back.events.scannerJson, events.scannerJson);
        QCOMPARE(back.events.phantom, events.phantom);
        QCOMPARE(back.events.seed, events.seed);
        QCOMPARE(back.events.duration_s, events.duration_s);
        QCOMPARE(back.events.decays, events.decays);
        QCOMPARE(back.events.singles, events.singles);
        QCOMPARE(back.events.sphereShare, events.sphereShare);
    }

    void listsInPartsAreTheSameFiles() {
        const EventList events = threeEvents();
        EventList scan = events;
        clearEvents(scan);
        std::size_t left = 0;
        writeEvents(file("whole.h5"), events);
        writeEventsAsTheyCome(file("parts.h5"), [&](const TakeEvents& take) {
            EventList none;
            take(none, events.size());  // none has come yet
            for (const auto& [begin, end] : {std::pair{0, 1}, std::pair{1, 3}}) {
                EventList part = partOf(events, begin, end);
                take(part, events.size());
                left += part.size();
            }
            return scan;
        });

        QCOMPARE(left, 0U);
        QCOMPARE(bytesOf(folder_.filePath("parts.h5")), bytesOf(folder_.filePath("whole.h5")));
    }

    void listsInPartsThatDoNotFitAreRefused() {
        const auto write = [&](std::uint64_t announced, bool otherColumns) {
            writeEventsAsTheyCome(file("parts.h5"), [&](const TakeEvents& take) {
                EventList part = threeEvents();
                take(part, announced);
                part = threeEvents();
                if (otherColumns) {
                    part.kind.clear();
                }
                take(part, announced);
                return EventList{};
            });
        };

        write(6, false);
        QFile::remove(folder_.filePath("parts.h5"));
        QVERIFY_EXCEPTION_THROWN(write(7, false), InternalError);
        QVERIFY_EXCEPTION_THROWN(write(6, true), InternalError);
        QVERIFY(!QFileInfo::exists(folder_.filePath("parts.h5")));
    }

    void emptyListComesBackEmpty() {
        writeEvents(file("none.h5"), EventList{});

        QCOMPARE(readEvents(file("none.h5")).events.size(), 0U);
    }

    void dataComesBackAsItWas_data() {
        QTest::addColumn<float>("lastCount");
        QTest::newRow("whole counts, stored as uint16") << 65535.0F;
        QTest::newRow("fractions, stored as float32") << 0.5F;
        QTest::newRow("too large for uint16") << 65536.0F;
    }
    void dataComesBackAsItWas() {
        QFETCH(float, lastCount);
        HistoData data = smallData();
        data.counts.back() = lastCount;
        data.decays = 1.5e9;
        data.singles = 2.5e8;
        data.deposit = "face";
        data.depositSeed = 77;

        writeData(file("d.h5"), data);
        const HistoData back = readData(file("d.h5"));

        QVERIFY(back.lattice == data.lattice);
        QVERIFY(back.views == data.views);
        QCOMPARE(back.counts, data.counts);
        QCOMPARE(back.mult, data.mult);
        QCOMPARE(back.add, data.add);
        QCOMPARE(back.kept, data.kept);
        QCOMPARE(back.outside, data.outside);
        QCOMPARE(back.rejected, data.rejected);
        QCOMPARE(back.scannerJson, data.scannerJson);
        QCOMPARE(back.phantom, data.phantom);
        QCOMPARE(back.duration_s, data.duration_s);
        QCOMPARE(back.decays, data.decays);
        QCOMPARE(back.singles, data.singles);
        QCOMPARE(back.deposit, data.deposit);
        QCOMPARE(back.depositSeed, data.depositSeed);
        QCOMPARE(back.hash, dataHash(data));
    }

    void readingEndsWhereItIsNotWanted_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("histo-images") << "wanted.h5";
        QTest::newRow("list-mode") << "wanted-list.h5";
    }
    void readingEndsWhereItIsNotWanted() {
        QFETCH(const QString, name);
        const std::string path = file(name.toUtf8());
        writeData(file("wanted.h5"), smallData());
        EventList list;
        list.crystals = {{1, 2}, {3, 4}};
        list.dt_ps = {10, -20};
        writeEvents(file("wanted-list.h5"), list);
        const auto read = [](const RecognisedFile& from) {
            from.kind() == FileKind::List ? static_cast<void>(from.readEvents())
                                          : static_cast<void>(from.readData());
        };
        std::atomic<int> questions = 0;
        read(recognise(path, [&] { ++questions; }));
        QVERIFY(questions > 0);
        for (int last = 0; last < questions; ++last) {
            std::atomic<int> asked = 0;
            const RecognisedFile unwanted = recognise(path, [&] {
                if (asked++ >= last) {
                    throw Cancelled();
                }
            });
            QVERIFY_EXCEPTION_THROWN(read(unwanted), Cancelled);
        }
    }

    void writingEndsWhereItIsNotWanted_data() { readingEndsWhereItIsNotWanted_data(); }
    void writingEndsWhereItIsNotWanted() {
        QFETCH(const QString, name);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(name).toStdString();
        EventList list;
        list.crystals = {{1, 2}, {3, 4}};
        list.dt_ps = {10, -20};
        const auto write = [&](std::function<void()> heed) {
            const Destination to{path, std::move(heed)};
            name.contains("list") ? writeEvents(to, list) : writeData(to, smallData());
        };
        std::atomic<int> questions = 0;
        write([&] { ++questions; });
        QVERIFY(questions > 0);
        const QByteArray before = bytesOf(QString::fromStdString(path));
        for (int last = 0; last < questions; ++last) {
            std::atomic<int> asked = 0;
            const auto unwanted = [&] {
                if (asked++ >= last) {
                    throw Cancelled();
                }
            };
            QVERIFY_EXCEPTION_THROWN(write(unwanted), Cancelled);
            QCOMPARE(bytesOf(QString::fromStdString(path)), before);
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList(name));
        }
    }

    void hashTellsContentsApart() {
        const HistoData data = smallData();
        HistoData other = data;
        other.mult.back() = 0.2500001F;
        HistoData moved = data;
        moved.lattice.origin_mm.z += 1;

        QCOMPARE(dataHash(data), dataHash(smallData()));
        QVERIFY(dataHash(data) != dataHash(other));
        QVERIFY(dataHash(data) != dataHash(moved));
    }

    void runKeepsWhatItWasTold() {
        const Lattice lattice = Lattice::centred({7, 5, 3}, {4, 3, 2.5});
        RunWriter writer(file("r.h5"), lattice, R"({"seed":1})", "{}", "spheres", {60, 1.5e9, 2.5e8});
        writer.addIterate({1, {1, 2, 3, 4, 5, 6}, 21.5}, shared(ramp({7, 5, 3}, 1)), KeepImage::Yes);
        writer.addIterate({2, {6, 5, 4, 3, 2, 1}, 21.25}, shared(ramp({7, 5, 3}, 2)), KeepImage::No);
        writer.setMetrics(R"({"iterations":[]})");
        QVERIFY(!QFileInfo::exists(folder_.filePath("r.h5")));

        writer.finish();
        const RunSummary run = readRunSummary(file("r.h5"));

        QVERIFY(run.lattice == lattice);
        QCOMPARE(run.settingsJson, std::string(R"({"seed":1})"));
        QCOMPARE(run.phantom, std::string("spheres"));
        QCOMPARE(run.totals.duration_s, 60.0);
        QCOMPARE(run.totals.decays, 1.5e9);
        QCOMPARE(run.totals.singles, 2.5e8);
        QCOMPARE(run.metricsJson, std::string(R"({"iterations":[]})"));
        QCOMPARE(run.iterates.size(), 2U);
        QCOMPARE(run.iterates[1].iteration, 2);
        QCOMPARE(run.iterates[1].seconds, 21.25);
        QCOMPARE(run.iterates[1].stageSeconds, (std::vector<double>{6, 5, 4, 3, 2, 1}));
        QCOMPARE(run.savedImages, std::vector<int>{1});
        QCOMPARE(readIterate(file("r.h5"), 1).data, ramp({7, 5, 3}, 1).data);
        QCOMPARE(readVolume(file("r.h5")).data, ramp({7, 5, 3}, 2).data);
        QVERIFY_EXCEPTION_THROWN((void)readIterate(file("r.h5"), 2), BadInput);
    }

    void runContinuesAnEarlierOne() {
        const Lattice lattice = Lattice::centred({7, 5, 3}, {4, 3, 2.5});
        {
            RunWriter first(file("c.h5"), lattice, "{}", "", "");
            first.addIterate({1, {}, 1}, shared(ramp({7, 5, 3}, 1)), KeepImage::Yes);
            first.finish();
        }
        RunWriter second(file("c.h5"), lattice, "{}", "", "");
        second.continueFrom(file("c.h5"));

        second.addIterate({2, {}, 2}, shared(ramp({7, 5, 3}, 2)), KeepImage::Yes);
        second.finish();

        QCOMPARE(readRunSummary(file("c.h5")).savedImages, (std::vector<int>{1, 2}));
        QCOMPARE(readRunSummary(file("c.h5")).iterates.size(), 2U);
        QCOMPARE(readVolume(file("c.h5")).data, ramp({7, 5, 3}, 2).data);
        QVERIFY(QDir(folder_.path()).entryList({"c.h5.*.part"}).isEmpty());
    }

    void abandonedRunLeavesNothing() {
        {
            RunWriter writer(file("a.h5"), Lattice::centred({2, 2, 2}, {1, 1, 1}), "{}", "", "");
            QCOMPARE(QDir(folder_.path()).entryList({"a.h5.*.part"}).size(), 1);
        }
        QVERIFY(QDir(folder_.path()).entryList({"a.h5.*.part"}).isEmpty());
        QVERIFY(!QFileInfo::exists(folder_.filePath("a.h5")));
    }

    void packedNumbersComeBackToTheBit_data() {
        QTest::addColumn<int>("slices");
        QTest::addColumn<bool>("noise");
        QTest::newRow("a row is a block") << 6 << false;
        QTest::newRow("a row is several blocks") << 150 << false;  // blocks of 36 MB
        QTest::newRow("what deflate cannot shrink") << 6 << true;
    }

    void packedNumbersComeBackToTheBit() {
        QFETCH(int, slices);
        QFETCH(bool, noise);
        const h5::Shape shape{3, static_cast<std::uint64_t>(slices), 240, 250};
        std::vector<float> values(3U * 240U * 250U * static_cast<std::size_t>(slices));
        std::uint32_t state = 1;
        for (std::size_t i = 0; i < values.size(); ++i) {
            state = state * 1664525U + 1013904223U;
            values[i] = noise ? std::bit_cast<float>(state & 0xBFFFFFFFU) : static_cast<float>(i / 100);
        }

        h5::writeFile(file("p.h5"), [&](h5::Writer& out) { out.writePacked("/a/b", shape, values.data()); });
        const h5::Reader in(file("p.h5"));

        QVERIFY(std::memcmp(in.read<float>("/a/b", shape).data(), values.data(), values.size() * 4) == 0);
        std::vector<float> row(values.size() / 3);
        in.readRows("/a/b", 1, 1, row.data());
        QVERIFY(std::memcmp(row.data(), values.data() + row.size(), row.size() * 4) == 0);
        if (!noise) {
            QVERIFY(QFileInfo(folder_.filePath("p.h5")).size() * 10 < static_cast<qint64>(values.size() * 4));
        }
    }

    void damagedPackedNumbersAreRefused() {
        const h5::Shape shape{4, 5, 40, 50};
        std::vector<float> values(4U * 5U * 40U * 50U);
        std::iota(values.begin(), values.end(), 0.0F);
        h5::writeFile(file("d.h5"), [&](h5::Writer& out) { out.writePacked("/a", shape, values.data()); });
        QFile damaged(folder_.filePath("d.h5"));
        QVERIFY(damaged.open(QIODevice::ReadWrite));
        damaged.seek(damaged.size() / 2);  // within the streams, which are nearly all of the file
        damaged.write(QByteArray(64, '\x55'));
        damaged.close();

        QVERIFY_THROWS_EXCEPTION(BadInput, (void)h5::Reader(file("d.h5")).read<float>("/a", shape));
    }

    void checkpointComesBackAsItWas() {
        Checkpoint checkpoint;
        checkpoint.settingsJson = R"({"algorithm":"ramla"})";
        checkpoint.dataHash = "0123456789abcdef";
        checkpoint.iteration = 3;
        checkpoint.image = shared(ramp({7, 5, 3}));
        checkpoint.history = {{1, {1, 0, 0, 0, 0, 0}, 2.0}, {3, {0, 0, 0, 0, 0, 1}, 4.0}};

        writeCheckpoint(file("k.ckpt"), checkpoint);
        const Checkpoint back = readCheckpoint(file("k.ckpt"));

        QCOMPARE(back.settingsJson, checkpoint.settingsJson);
        QCOMPARE(back.dataHash, checkpoint.dataHash);
        QCOMPARE(back.iteration, 3);
        QVERIFY(back.image->lattice == checkpoint.image->lattice);
        QCOMPARE(back.image->data, checkpoint.image->data);
        QCOMPARE(back.history.size(), 2U);
        QCOMPARE(back.history[1].iteration, 3);
        QCOMPARE(back.history[1].stageSeconds, checkpoint.history[1].stageSeconds);
    }
};

QTEST_GUILESS_MAIN(IoHdf5Test)

}  // namespace io_hdf5_test
#include "io_hdf5_test.moc"
