// SPDX-License-Identifier: Apache-2.0
// Lists of other programs: what `info` tells of them is what is in them, and their blocks and records are the
// whole list's.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "recon/io/format/record_decoder.h"
#include "recon/io/format_table.h"
#include "tests/fuzz/readers.h"

namespace foreign_blocks_test {

using namespace tof;

namespace {

const fuzz::ReaderTarget& target(const std::string& name) {
    const auto& all = fuzz::readerTargets();
    return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

class ForeignBlocksTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;

    /// A list that a row's seed makes in a folder of its own.
    std::string seeded(const std::string& reader) const {
        const std::string folder = folder_.path().toStdString() + "/" + reader;
        std::filesystem::create_directories(folder);
        target(reader).seed(folder);
        return folder;
    }

  private slots:
    void infoTellsWhatIsInAList_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* reader, const char* list, const char* told) {
            QTest::newRow(reader) << reader << list << told;
        };
        row("castor-events", "events.cdh",
            R"({"events": 20, "scanner": "ring", "mode": "list-mode", "tof": true, "duration_s": 60.0})");
        row("petsird", "list.petsird", R"({"events": 2, "delayed": 1})");
        row("petsird-hdf5", "petsird.h5", R"({"events": 2, "delayed": 1})");
        // 5 of 20 words are times, and a third of the numbers of the rest divide by 3: no prompts.
        row("inveon", "list.lst", R"({"events": 10, "delayed": 5})");
        row("safir", "list.safir", R"({"events": 2, "delayed": 1})");
        row("yrt", "list.lmDat", R"({"events": 5})");
        row("list-hdf5", "list.h5", R"({"events": 50, "kinds": true, "seed": 0, "scanner": "ring"})");
    }
    void infoTellsWhatIsInAList() {
        QFETCH(QString, reader);
        QFETCH(QString, list);
        QFETCH(QString, told);
        const std::string folder = seeded(reader.toStdString());

        const auto info = nlohmann::json::parse(recognise(folder + "/" + list.toStdString()).infoJson());

        QCOMPARE(info.at("kind").get<std::string>(), std::string("list"));
        const auto expected = nlohmann::json::parse(told.toStdString());
        for (const auto& [key, value] : expected.items()) {
            QVERIFY2(info.contains(key) && info.at(key) == value, info.dump().c_str());
        }
    }

    void blocksAreTheWholeList_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("scanner");
        QTest::newRow("CASToR") << "castor-events"
                                << "events.cdh"
                                << "";
        QTest::newRow("PETSIRD") << "petsird"
                                 << "list.petsird"
                                 << "";
        QTest::newRow("PETSIRD in HDF5") << "petsird-hdf5"
                                         << "petsird.h5"
                                         << "";
        QTest::newRow("Inveon") << "inveon"
                                << "list.lst"
                                << "";
        QTest::newRow("SAFIR") << "safir"
                               << "list.safir"
                               << "";
        QTest::newRow("YRT-PET") << "yrt"
                                 << "list.lmDat"
                                 << "";
        QTest::newRow("GE") << "rdf9"
                            << "list.BLF"
                            << "";
        QTest::newRow("GATE") << "gate"
                              << "list.root"
                              << "ring.json";
        QTest::newRow("ours") << "list-hdf5"
                              << "list.h5"
                              << "";
    }
    void blocksAreTheWholeList() {
        QFETCH(QString, reader);
        QFETCH(QString, list);
        QFETCH(QString, scanner);
        const std::string folder = seeded(reader.toStdString());
        ListReadOptions options;
        options.partial = true;
        options.scannerFile = scanner.isEmpty() ? "" : folder + "/" + scanner.toStdString();
        const RecognisedFile file = recognise(folder + "/" + list.toStdString());
        const EventList whole = file.readEvents(options).events;

        const std::unique_ptr<const EventStream> stream = file.eventStream(options);
        EventList events;
        const std::uint64_t half = stream->size() / 2;
        for (const auto& [first, count] :
             {std::pair{std::uint64_t{0}, half}, {half, stream->size() - half}}) {
            EventList block;
            stream->read(first, count, block);
            append(events.crystals, block.crystals);
            append(events.dt_ps, block.dt_ps);
            if (stream->tellsMoments() && !whole.time_ms.empty()) {
                stream->readMoments(first, count, block);
                append(events.time_ms, block.time_ms);
            }
        }

        QVERIFY(whole.size() > 0);
        QVERIFY(events.crystals == whole.crystals);
        QCOMPARE(events.dt_ps, whole.dt_ps);
        if (!events.time_ms.empty()) {
            QCOMPARE(events.time_ms, whole.time_ms);
        }
        QCOMPARE(stream->scan().duration_s, whole.duration_s);
        QCOMPARE(std::string(stream->scan().scannerJson), std::string(whole.scannerJson));
        QCOMPARE(stream->hasFactors(), !whole.mult.empty() || !whole.add.empty());
    }

    void recordsAreTheWholeList() {
        const std::string folder = seeded("castor-events");
        const RecognisedFile file = recognise(folder + "/events.cdh");
        const EventList whole = file.readEvents().events;
        std::ifstream in(folder + "/events.cdf", std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};

        const std::unique_ptr<const RecordDecoder> decoder = file.recordDecoder({});
        EventList events;
        for (std::size_t first = 0; first < 20; first += 5) {
            EventList block;
            const std::span<const char> records(bytes.data() + first * decoder->recordBytes(),
                                                5 * decoder->recordBytes());
            decoder->decode(std::as_bytes(records), first, block);
            append(events.crystals, block.crystals);
            append(events.dt_ps, block.dt_ps);
            append(events.time_ms, block.time_ms);
        }

        QCOMPARE(decoder->recordBytes(), std::size_t{16});
        QCOMPARE(decoder->announced(), 20U);
        QVERIFY(!decoder->hasFactors());
        QVERIFY(std::filesystem::equivalent(decoder->recordsFile(), folder + "/events.cdf"));
        QVERIFY(events.crystals == whole.crystals);
        QCOMPARE(events.dt_ps, whole.dt_ps);
        for (std::uint32_t i = 0; i < 20; ++i) {
            QCOMPARE(events.time_ms[i], i);  // as the seed has them
        }
    }

    void whatHasNoRecordsOfOneSizeIsNotFollowed() {
        const std::string folder = seeded("petsird");

        const QString said = [&] {
            try {
                (void)recognise(folder + "/list.petsird").recordDecoder({});
            } catch (const BadInput& fault) {
                return QString(fault.what());
            }
            return QString("followed");
        }();

        QVERIFY2(said.contains("list.petsird: "), qPrintable(said));
    }

    void infoOfAnImageIsWhatIsRead() {
        const std::string path = seeded("ecat7") + "/image.v";
        const RecognisedFile file = recognise(path);

        const auto info = nlohmann::json::parse(file.infoJson());
        const DynamicReadResult read = file.readDynamicImage({});
        const DynamicInfo outline = file.readDynamicInfo({});

        QCOMPARE(info.at("kind").get<std::string>(), std::string("volume"));
        QCOMPARE(info.at("units").get<std::string>(), read.image.units);
        QVERIFY(outline.lattice == read.image.lattice);
        QVERIFY(outline.frames == read.image.frames);
        QCOMPARE(outline.units, read.image.units);
    }
};

QTEST_GUILESS_MAIN(ForeignBlocksTest)

}  // namespace foreign_blocks_test
#include "foreign_blocks_test.moc"
