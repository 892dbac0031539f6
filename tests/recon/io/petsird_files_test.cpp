// SPDX-License-Identifier: Apache-2.0
// Lists of PETSIRD that the test's own writer makes.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/binning/tof_check.h"
#include "recon/io/format_table.h"
#include "recon/io/petsird/petsird_write.h"
#include "recon/io/petsird/yardl_reader.h"
#include "recon/physics/materials.h"
#include "recon/scanner/scanner.h"
#include "recon/scanner/scanner_field.h"
#include "tests/support/gate_lists.h"
#include "tests/support/petsird_writer.h"
#include "tests/support/refusal.h"

namespace petsird_files_test {

using namespace tof;
using namespace tof::test;

namespace {

using Event = PetsirdWriter::Event;

constexpr Vec3 kPoint{-37, 18, -9};

/// Truth as PETSIRD's events: the time bin is that which holds (t1 - t2) c/2.
std::vector<Event> eventsOf(const GateTruth& truth, std::size_t first, std::size_t count) {
    std::vector<Event> events;
    for (std::size_t i = first; i < first + count; ++i) {
        const double place_mm = kMmPerPs * truth.dt_ps[i];
        events.push_back({truth.crystals[i], static_cast<std::uint32_t>(std::floor(place_mm / 3) + 40)});
    }
    return events;
}

}  // namespace

class PetsirdFilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string save(const std::string& bytes) const {
        const std::string path = folder_.filePath("list.petsird").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

  private slots:
    void aPointLiesWhereItWas() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        const GateTruth truth = gatePoint(ring, kPoint, 3000);
        PetsirdWriter out(petsirdRing());
        out.block(1000, 2000, eventsOf(truth, 0, 1200), eventsOf(truth, 0, 3));
        out.signal();
        out.block(2000, 3500, eventsOf(truth, 1200, 1800), {});
        out.end();

        const RecognisedFile file = recognise(save(out.bytes));
        const ListReadResult read = file.readEvents();

        const EventList& events = read.events;
        QCOMPARE(events.crystals, truth.crystals);
        QCOMPARE(events.duration_s, 2.5);
        QCOMPARE(events.time_ms.front(), 0U);
        QCOMPARE(events.time_ms.back(), 1000U);
        const auto scanner = events.scannerJson.scanner("list");
        QCOMPARE(scanner->crystals.size(), ring.crystals.size());
        for (std::uint32_t c = 0; c < ring.crystals.size(); ++c) {
            // float32 places of 160 mm, turned by float32 numbers: some 1e-5 mm.
            QVERIFY(norm(scanner->crystals[c].front - ring.crystals[c].front) < 1e-3);
            QVERIFY(norm(scanner->crystals[c].outward - ring.crystals[c].outward) < 1e-5);
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            QVERIFY(std::abs(scanner->crystalSize_mm.at(axis) - ring.crystalSize_mm.at(axis)) < 1e-4);
        }
        QVERIFY(std::abs(scanner->timing_fwhm_ps - 15 / kMmPerPs) < 1e-3);
        for (std::size_t i = 0; i < events.size(); ++i) {  // half a bin of 3 mm
            QVERIFY(std::abs(static_cast<double>(events.dt_ps[i]) - truth.dt_ps[i]) < 1.5001 / kMmPerPs);
        }
        const TofCheck check =
            checkTof(referencePoints(*scanner), events.crystals, events.dt_ps, scanner->fovRadius_mm);
        QCOMPARE(check.sign, TofSign::AsStated);
        QVERIFY(norm(check.point - kPoint) < 0.3);
        QVERIFY(read.note.find("3 delayed") != std::string::npos);
        QVERIFY(read.note.find("1 blocks") != std::string::npos);

        const auto stream = file.eventStream();
        EventList part;
        for (const std::uint64_t first : {0U, 700U, 2300U, 500U, 1199U}) {  // forwards, over blocks, and back
            stream->read(first, 650, part);
            const auto at = static_cast<std::ptrdiff_t>(first);
            QVERIFY(std::equal(part.crystals.begin(), part.crystals.end(), events.crystals.begin() + at));
            QVERIFY(std::equal(part.dt_ps.begin(), part.dt_ps.end(), events.dt_ps.begin() + at));
        }
    }

    void crystalsDetectAsTheFileSays() {
        QByteArray text = kGateScanner;
        text.chop(1);
        text += R"(, "detection": {"material": "LSO", "energy_resolution": 0.12, "window_kev": [435, 650]}})";
        const std::string path = folder_.filePath("detects.petsird").toStdString();
        EventList list;
        list.crystals = {{1, 900}, {5, 700}};
        list.duration_s = 1;
        const auto readAs = [&](const Scanner& scanner) {
            list.scannerJson = scanner.toJson();
            (void)writePetsird(path, list);
            return readEvents(path);
        };

        const ListReadResult read = readAs(Scanner::fromJson(text.toStdString(), "ring"));

        const auto detection = Scanner::fromJson(read.events.scannerJson, "read").detection;
        QVERIFY(detection.has_value());
        QCOMPARE(nameOf(detection->material), std::string("LSO"));
        QVERIFY(std::abs(detection->resolution - 0.12) < 1e-7);  // float32 in the file
        QVERIFY(detection->window_keV == (std::array<double, 2>{435, 650}));
        QVERIFY2(read.note.find("LYSO") == std::string::npos, read.note.c_str());
        QVERIFY(!Scanner::fromJson(readAs(Scanner::fromJson(kGateScanner, "ring")).events.scannerJson, "read")
                     .detection);  // no resolution is told
    }

    // In one type of modules the higher detection bin comes first, so that pairs turn round with their times.
    void aListComesBackToTheBit() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        const GateTruth truth = gatePoint(ring, kPoint, 3000);
        EventList list;
        list.crystals = truth.crystals;
        for (std::size_t i = 0; i < truth.dt_ps.size(); ++i) {
            list.dt_ps.push_back(static_cast<float>(truth.dt_ps[i]));
            list.time_ms.push_back(static_cast<std::uint32_t>(5 + (i * 7919) % 40));
        }
        list.scannerJson = ring.toJson();
        list.duration_s = 0.25;
        const std::string path = folder_.filePath("written.petsird").toStdString();

        const std::string note = writePetsird(path, list);
        const EventList read = readEvents(path).events;

        QVERIFY2(note.find("bins of 1 ps") != std::string::npos, note.c_str());
        std::vector<std::size_t> order(list.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return list.time_ms[a] < list.time_ms[b]; });
        QCOMPARE(read.size(), list.size());
        QCOMPARE(read.duration_s, 0.25);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto [one, two] = list.crystals[order[i]];
            const float sign = one < two ? -1.0F : 1.0F;
            QCOMPARE(read.crystals[i], (std::array{std::max(one, two), std::min(one, two)}));
            QCOMPARE(read.dt_ps[i], sign * std::round(list.dt_ps[order[i]]));
            QCOMPARE(read.time_ms[i], list.time_ms[order[i]]);
        }
        const auto scanner = read.scannerJson.scanner("list");
        for (std::uint32_t c = 0; c < ring.crystals.size(); ++c) {
            QVERIFY(norm(scanner->reference(c) - ring.reference(c)) < 5e-5);  // float32 of 160 mm: 8e-6 each
        }

        (void)writePetsird(path, read);
        const EventList again = readEvents(path).events;
        QCOMPARE(again.crystals, read.crystals);
        QCOMPARE(again.dt_ps, read.dt_ps);
        QCOMPARE(again.time_ms, read.time_ms);
    }

    // Time bins of 3 mm stay as they are, and another's records are filled where they are known.
    void itIsWrittenInTheRecordsOfAnother() {
        const GateTruth truth = gatePoint(Scanner::fromJson(kGateScanner, "ring"), kPoint, 500);
        PetsirdWriter out(petsirdRing());
        std::vector<Event> events = eventsOf(truth, 0, 500);
        for (Event& event : events) {
            if (event.bins[0] < event.bins[1]) {
                event = {{event.bins[1], event.bins[0]}, 79 - event.time};
            }
        }
        out.block(1000, 2000, events, {});
        out.end();
        const std::string model = save(out.bytes);
        const EventList list = readEvents(model).events;
        const std::string path = folder_.filePath("written.petsird").toStdString();

        (void)writePetsird(path, list, model);

        QCOMPARE(YardlReader(path).schema().text(), std::string(kPetsirdSchema));
        const EventList read = readEvents(path).events;
        QCOMPARE(read.crystals, list.crystals);
        QCOMPARE(read.dt_ps, list.dt_ps);
        QCOMPARE(read.duration_s, 1.0);
        const std::string none = folder_.filePath("none.petsird").toStdString();
        QVERIFY(refusal([&] { (void)writePetsird(path, list, none); }).contains("none.petsird"));
    }

    // The outer crystals of a panel look past the axis; their depth is that of the others.
    void panelsComeBackAsPanels() {
        Scanner panels;
        panels.name = "panels";
        panels.crystalSize_mm = {4, 4, 20};
        panels.meanDepth_mm = 10;
        for (const double side : {-1.0, 1.0}) {
            for (int place = -40; place <= 40; ++place) {
                panels.crystals.push_back({{4.0 * place, 60 * side, 0}, {0, side, 0}});
            }
        }
        describeField(panels);
        EventList list;
        list.crystals = {{81, 0}};
        list.scannerJson = panels.toJson();
        const std::string path = folder_.filePath("panels.petsird").toStdString();

        QCOMPARE(writePetsird(path, list), std::string());

        const EventList read = readEvents(path).events;
        const auto scanner = read.scannerJson.scanner("list");
        QVERIFY(read.dt_ps.empty());
        for (std::uint32_t c = 0; c < panels.crystals.size(); ++c) {
            QVERIFY(norm(scanner->reference(c) - panels.reference(c)) < 5e-5);
        }
    }

    // calibration x bin efficiencies x that of the group; two windows, so that bin = 2 x element + window.
    void efficienciesAreTheirProduct() {
        PetsirdWriter::Ring ring = petsirdRing();
        ring.azimuths = {0, 3.14159265358979};
        ring.at0.resize(3);
        ring.energyEdges = {300, 420, 600};
        ring.calibration = 0.5F;
        for (int bin = 0; bin < 12; ++bin) {
            ring.efficiencies.push_back(1.0F + 0.125F * static_cast<float>(bin));
        }
        ring.groups = {{-1, 0}, {0, -1}};
        for (int row = 0; row < 6; ++row) {
            ring.groupValues.emplace_back();
            for (int column = 0; column < 6; ++column) {
                ring.groupValues.back().push_back(static_cast<float>(10 * row + column) / 64);
            }
        }
        PetsirdWriter out(ring);
        out.block(0, 1, {{{9, 4}, 40}, {{11, 7}, 39}}, {});
        out.end();

        const EventList events = readEvents(save(out.bytes)).events;

        QCOMPARE(events.crystals, (std::vector<std::array<std::uint32_t, 2>>{{4, 2}, {5, 3}}));
        // Bins 9 and 4: 3 of module 1, 4 of module 0.
        QCOMPARE(events.mult, (std::vector<float>{0.5F * 2.125F * 1.5F * 34 / 64, 0}));

        const ListReadResult with = recognise(save(out.bytes)).readEvents({});
        QVERIFY(with.note.find("'calibrationFactor' 0.5; --calibration none") != std::string::npos);
        const ListReadResult bare = recognise(save(out.bytes)).readEvents({false, "", StatedFactor::Left});
        QCOMPARE(bare.events.mult, (std::vector<float>{2.125F * 1.5F * 34 / 64, 0}));
        QVERIFY(bare.note.find("not multiplied by 'calibrationFactor' 0.5") != std::string::npos);
    }

    void whatCannotBeUsedIsRefusedByName() {
        const auto refused = [&](const std::string& bytes, bool partial = false) {
            return refusal([&] { static_cast<void>(readEvents(save(bytes), {partial, ""})); });
        };
        const auto list = [](const std::string& schema = kPetsirdSchema) {
            PetsirdWriter out(petsirdRing(), schema);
            out.block(0, 5, {{{9, 4}, 40}}, {});
            out.block(5, 9, {{{9, 5}, 41}}, {});
            out.end();
            return out.bytes;
        };
        const auto renamed = [](std::string schema, const std::string& from, const std::string& to) {
            for (std::size_t at = 0; (at = schema.find(from, at)) != std::string::npos; at += to.size()) {
                schema.replace(at, from.size(), to);
            }
            return schema;
        };

        QVERIFY(refused(list(renamed(kPetsirdSchema, "LowerTriangularMatrix", "Square")))
                    .contains("0.8 or older"));
        QVERIFY(refused(list(renamed(kPetsirdSchema, "\"name\":\"PETSIRD\"", "\"name\":\"MRD\"")))
                    .contains("'MRD'"));
        QVERIFY(refused(list(renamed(kPetsirdSchema, "tofBinEdges", "edges"))).contains("no 'tofBinEdges'"));
        QVERIFY(refused(list().substr(0, list().size() - 3)).contains("copy or make it again"));
        QCOMPARE(readEvents(save(list().substr(0, list().size() - 3)), {true, ""}).events.size(),
                 std::size_t{1});
        PetsirdWriter beyond(petsirdRing());
        beyond.block(0, 5, {{{9, 1728}, 40}}, {});
        beyond.end();
        QVERIFY(refused(beyond.bytes).contains("detection bin 1728"));
        PetsirdWriter late(petsirdRing());
        late.block(0, 5, {{{9, 17}, 80}}, {});
        late.end();
        QVERIFY(refused(late.bytes).contains("time bin 80"));
        PetsirdWriter::Ring skew = petsirdRing();
        skew.timeEdges_mm[3] = skew.timeEdges_mm[2];
        QVERIFY(refused(PetsirdWriter(skew).bytes).contains("'tofBinEdges'"));
        QVERIFY(refused("yardl\2").contains("version 1"));
    }
};

QTEST_APPLESS_MAIN(PetsirdFilesTest)

}  // namespace petsird_files_test
#include "petsird_files_test.moc"
