// SPDX-License-Identifier: Apache-2.0
// Lists of PETSIRD in HDF5 that the test's own writer makes.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "recon/io/format_table.h"
#include "recon/io/petsird/petsird_hdf5.h"
#include "recon/io/petsird/yardl_reader.h"
#include "tests/support/petsird_hdf5_writer.h"
#include "tests/support/refusal.h"

namespace petsird_hdf5_test {

using namespace tof;
using namespace tof::test;

namespace {

/// A ring with efficiencies of bins and of groups of pairs, and 3000 prompts in three blocks among others.
template <class Writer>
void fill(Writer& out) {
    std::vector<PetsirdWriter::Event> events;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        events.push_back({{12 + i % 6, i * 7 % 12}, i * 13 % 80});
    }
    out.block(1000, 2000, {events.begin(), events.begin() + 1200}, {events.begin(), events.begin() + 3});
    out.signal();
    out.block(2000, 2500, {}, {});
    out.block(2500, 3500, {events.begin() + 1200, events.end()}, {});
    out.end();
}

PetsirdWriter::Ring weightedRing() {
    PetsirdWriter::Ring ring = petsirdRing();
    ring.azimuths = {0, 1.5, 3.14159265358979};
    ring.at0.resize(3);
    ring.energyEdges = {300, 420, 600};
    ring.calibration = 0.5F;
    for (int bin = 0; bin < 18; ++bin) {
        ring.efficiencies.push_back(1.0F + 0.125F * static_cast<float>(bin));
    }
    ring.groups = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    ring.groupValues.assign(6, {1, 0.5F, 0.25F, 0.75F, 1, 1});
    return ring;
}

}  // namespace

class PetsirdHdf5Test : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string at(const char* name) const { return folder_.filePath(name).toStdString(); }

  private slots:
    void eventsAreThoseOfTheBinaryForm() {
        PetsirdWriter binary(weightedRing());
        fill(binary);
        std::ofstream(at("list.petsird"), std::ios::binary) << binary.bytes;
        {
            PetsirdHdf5Writer out(at("list.h5"), weightedRing());
            fill(out);
        }

        const ListReadResult expected = readEvents(at("list.petsird"));
        const RecognisedFile file = recognise(at("list.h5"));
        const ListReadResult read = file.readEvents();

        QCOMPARE(read.events.size(), std::size_t{3000});
        QCOMPARE(read.events.crystals, expected.events.crystals);
        QCOMPARE(read.events.dt_ps, expected.events.dt_ps);
        QCOMPARE(read.events.time_ms, expected.events.time_ms);
        QCOMPARE(read.events.mult, expected.events.mult);
        QVERIFY(read.events.mult[0] > 0);
        QCOMPARE(read.events.duration_s, 2.5);
        QCOMPARE(read.events.scannerJson.scanner("list")->toJson(),
                 expected.events.scannerJson.scanner("list")->toJson());
        QCOMPARE(QString::fromStdString(read.note).section(": ", 1),
                 QString::fromStdString(expected.note).section(": ", 1));
        const auto stream = file.eventStream();
        EventList part;
        for (const std::uint64_t first : {0U, 700U, 2300U, 500U, 1199U}) {  // forwards, over blocks, and back
            stream->read(first, 650, part);
            QVERIFY(std::equal(part.dt_ps.begin(), part.dt_ps.end(),
                               expected.events.dt_ps.begin() + static_cast<std::ptrdiff_t>(first)));
        }
    }

    // Unions, arrays whose sizes are told with them, and numbers with signs are those that were written.
    void valuesOfHdf5AreThoseOfTheSchema() {
        const std::string path = folder_.filePath("values.h5").toStdString();
        PetsirdHdf5Writer(path, petsirdRing()).end();

        YardlReader reader(petsirdHdf5(std::make_shared<const h5::Reader>(path)));
        const nlohmann::json header = reader.value(reader.schema().step("header"));

        QVERIFY(header["scanner"]["gantryAlignment"].is_null());
        QCOMPARE(header["scanner"]["promptEventPolicy"].get<int>(), 1);
        const nlohmann::json exam = header["exam"]["value"];
        QCOMPARE(exam["shape"]["Number"].get<int>(), 77);
        QCOMPARE(exam["grid"]["dimensions"].get<std::vector<int>>(), (std::vector<int>{2, 3}));
        QCOMPARE(exam["grid"]["items"].get<std::vector<int>>(), (std::vector<int>{1, -2, 3, -4, 5, -6}));
        QCOMPARE(exam["any"]["dimensions"].get<std::vector<int>>(), (std::vector<int>{1, 2}));
        QCOMPARE(exam["any"]["items"].get<std::vector<double>>(), (std::vector<double>{0.25, -8}));
        QCOMPARE(exam["start"].get<std::int64_t>(), std::int64_t{-1234567890123456789});
    }

    void damagedHdf5IsRefusedByName() {
        const std::string path = folder_.filePath("damaged.h5").toStdString();
        const auto refused = [&](const std::string& schema, std::uint64_t row) {
            {
                PetsirdHdf5Writer out(path, petsirdRing(), schema);
                out.block(0, 5, {{{9, 4}, 40}}, {});
                out.nameRow(row);
                out.end();
            }
            return refusal([&] { static_cast<void>(readEvents(path)); });
        };
        const auto renamed = [](const std::string& from, const std::string& to) {
            std::string schema = petsirdHdf5Schema();
            for (std::size_t at = 0; (at = schema.find(from, at)) != std::string::npos; at += to.size()) {
                schema.replace(at, from.size(), to);
            }
            return schema;
        };

        QCOMPARE(refused(petsirdHdf5Schema(), 0), QString("accepted"));
        QVERIFY(
            refused(petsirdHdf5Schema(), 7).contains("'/PETSIRD/timeBlocks/EventTimeBlock' has 1 records"));
        ListReadOptions partial;
        partial.partial = true;
        QCOMPARE(readEvents(path, partial).events.size(), std::size_t{1});  // the first block's
        QVERIFY(refused(renamed("LowerTriangularMatrix", "Square"), 0).contains("0.8 or older"));
        QVERIFY(refused(renamed("tofBinEdges", "edges"), 0).contains("'header' is not laid out"));
        QVERIFY(refused(renamed("signalID", "id"), 0) == "accepted");
        QVERIFY(refused(renamed("tofIdx", "time"), 0).contains("EventTimeBlock' is not laid out"));
        QVERIFY(refused(renamed("ExternalSignalTimeBlock", "Signal"), 0).contains("$index' is not laid out"));
        QVERIFY(refused(renamed("\"calibrationFactor\",\"type\":\"float32\"",
                                "\"calibrationFactor\",\"type\":\"uint32\""),
                        0)
                    .contains("'header' is not laid out"));
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
        QVERIFY(refusal([&] { static_cast<void>(readEvents(path)); }).contains("damaged.h5"));
    }
};

QTEST_APPLESS_MAIN(PetsirdHdf5Test)

}  // namespace petsird_hdf5_test
#include "petsird_hdf5_test.moc"
