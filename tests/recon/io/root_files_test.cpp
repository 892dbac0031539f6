// SPDX-License-Identifier: Apache-2.0
// Files of ROOT that the test's own writer makes: trees of numbers, and coincidences as GATE 9 and 10 keep
// them.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>

#include "recon/binning/tof_check.h"
#include "recon/io/format_table.h"
#include "recon/io/root/root_file.h"
#include "tests/support/gate_lists.h"
#include "tests/support/refusal.h"

namespace root_files_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr Vec3 kPoint{23, -41, 6};
constexpr std::size_t kEvents = 3000;

/// Every kind of leaf, with values that no other type could hold.
std::vector<RootColumn> allLeaves() {
    std::vector<RootColumn> columns;
    columns.emplace_back("tiny", 'B', std::vector<std::int8_t>{-128, 127, 5, -1, 0});
    columns.emplace_back("tinyNoSign", 'b', std::vector<std::uint8_t>{0, 255, 128, 1, 2});
    columns.emplace_back("flag", 'O', std::vector<std::uint8_t>{0, 1, 1, 0, 1});
    columns.emplace_back("small", 'S', std::vector<std::int16_t>{-32768, 32767, -2, 258, 0});
    columns.emplace_back("smallNoSign", 's', std::vector<std::uint16_t>{65535, 0, 258, 1, 2});
    columns.emplace_back("whole", 'I', std::vector<std::int32_t>{-2147483647, 2147483647, 66051, 0, -1});
    columns.emplace_back("wholeNoSign", 'i', std::vector<std::uint32_t>{4294967295U, 0, 66051, 7, 1});
    columns.emplace_back("long", 'L',
                         std::vector<std::int64_t>{-(1LL << 52), 1LL << 52, 72623859790382856, 0, 1});
    columns.emplace_back("single", 'F', std::vector<float>{1.5F, -3.25e30F, 0.1F, 0, -1});
    columns.emplace_back("double", 'D', std::vector<double>{0.1, -1e300, 5e-324, 0, 1});
    return columns;
}

}  // namespace

class RootFilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string save(const std::string& name, const std::string& bytes) const {
        const std::string path = folder_.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    [[nodiscard]] ListReadOptions scanner() const { return {false, save("scanner.json", kGateScanner)}; }
    [[nodiscard]] std::string list(const std::vector<RootColumn>& columns, const RootShape& shape = {},
                                   const std::string& tree = "Coincidences") const {
        return save("list.root", RootWriter(shape).file(tree, columns));
    }

  private slots:
    void numbersOfEveryLeafComeBack_data() {
        QTest::addColumn<int>("packing");
        QTest::addColumn<int>("version");
        QTest::addColumn<bool>("wide");
        QTest::newRow("uncompressed, ROOT 6") << static_cast<int>(RootPacking::None) << 20 << false;
        QTest::newRow("zlib, places of 8 bytes") << static_cast<int>(RootPacking::Zlib) << 20 << true;
        QTest::newRow("LZ4, tree 19") << static_cast<int>(RootPacking::Lz4) << 19 << false;
        QTest::newRow("LZMA, tree 18") << static_cast<int>(RootPacking::Lzma) << 18 << true;
        QTest::newRow("Zstandard, tree 17") << static_cast<int>(RootPacking::Zstandard) << 17 << false;
        QTest::newRow("zlib, tree 16") << static_cast<int>(RootPacking::Zlib) << 16 << false;
    }
    void numbersOfEveryLeafComeBack() {
        QFETCH(int, packing);
        QFETCH(int, version);
        QFETCH(bool, wide);
        const std::vector<RootColumn> columns = allLeaves();
        const RootShape shape{static_cast<RootPacking>(packing), 2, static_cast<std::uint16_t>(version),
                              wide};

        const RootFile file(save("leaves.root", RootWriter(shape).file("numbers", columns)));

        QCOMPARE(file.trees().size(), std::size_t{1});
        const RootTree& tree = file.trees().front();
        QCOMPARE(tree.name, std::string("numbers"));
        QCOMPARE(tree.entries, std::uint64_t{5});
        QCOMPARE(tree.branches.size(), columns.size());
        for (const RootColumn& column : columns) {
            const RootBranch* const branch = tree.find(column.name);
            QVERIFY2(branch != nullptr, column.name.c_str());
            RootUnpackedBasket kept;
            std::vector<double> all(5);
            file.read(*branch, 0, all, kept);
            QCOMPARE(all, column.values);
            std::vector<double> middle(3);  // of two baskets
            file.read(*branch, 1, middle, kept);
            QVERIFY(std::equal(middle.begin(), middle.end(), all.begin() + 1));
        }
    }

    void aPointOfGateLiesWhereItWas_data() {
        QTest::addColumn<bool>("ten");
        QTest::newRow("GATE 9, in s") << false;
        QTest::newRow("GATE 10, in ns") << true;
    }
    void aPointOfGateLiesWhereItWas() {
        QFETCH(bool, ten);
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        const GateTruth truth = gatePoint(ring, kPoint, kEvents);
        std::vector<RootColumn> columns = gate9Columns(truth);
        if (ten) {
            columns.clear();
            for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
                const std::string photon = p == 0 ? "1" : "2";
                std::vector<double> ns = truth.time[p];
                for (double& time : ns) {
                    time *= 1e9;
                }
                columns.emplace_back("PostPosition_X" + photon, 'F', truth.x[p]);
                columns.emplace_back("PostPosition_Y" + photon, 'F', truth.y[p]);
                columns.emplace_back("PostPosition_Z" + photon, 'F', truth.z[p]);
                columns.emplace_back("GlobalTime" + photon, 'D', ns);
                columns.emplace_back("EventID" + photon, 'I', truth.event[p]);
            }
        }

        const ListReadResult read = readEvents(list(columns), scanner());

        const EventList& events = read.events;
        QCOMPARE(events.crystals, truth.crystals);
        for (std::size_t i = 0; i < kEvents; ++i) {
            // Times of 5 s in double, twice: 2 x 0.9 fs; in ns the same.
            QVERIFY(std::abs(static_cast<double>(events.dt_ps[i]) - truth.dt_ps[i]) < 0.01);
            QVERIFY(std::abs(static_cast<double>(events.time_ms[i]) - static_cast<double>(i)) <= 1);
        }
        const TofCheck check =
            checkTof(referencePoints(ring), events.crystals, events.dt_ps, ring.fovRadius_mm);
        QCOMPARE(check.sign, TofSign::AsStated);
        QVERIFY2(norm(check.point - kPoint) < 0.3, qPrintable(QString::number(norm(check.point - kPoint))));
        QVERIFY(std::abs(events.duration_s - 1e-3 * (kEvents - 1)) < 1e-8);
        if (ten) {
            QVERIFY(events.kind.empty());
            QVERIFY(read.note.find("comptonPhantom") != std::string::npos);
            return;
        }
        std::array<std::uint64_t, 3> kinds{};
        for (const EventKind kind : events.kind) {
            ++kinds.at(static_cast<std::size_t>(kind));
        }
        QCOMPARE(kinds, truth.kinds);
        QCOMPARE(events.scatters[5], std::uint8_t{3});
        QCOMPARE(events.energy_keV[1], (std::array<float, 2>{500, 250}));
        QCOMPARE(read.note, std::string());
    }

    void partsAreThoseOfTheWholeList() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        const std::string path =
            list(gate9Columns(gatePoint(ring, kPoint, kEvents)), {RootPacking::Lz4, 700, 20, false});
        const RecognisedFile file = recognise(path);
        const EventList whole = file.readEvents(scanner()).events;

        const auto stream = file.eventStream(scanner());

        QCOMPARE(stream->size(), std::uint64_t{kEvents});
        QCOMPARE(stream->scan().duration_s, whole.duration_s);
        EventList part;
        for (std::uint64_t first = 0; first < kEvents; first += 900) {
            const std::uint64_t count = std::min<std::uint64_t>(900, kEvents - first);
            stream->read(first, count, part);
            const auto at = static_cast<std::ptrdiff_t>(first);
            QVERIFY(std::equal(part.crystals.begin(), part.crystals.end(), whole.crystals.begin() + at));
            QVERIFY(std::equal(part.dt_ps.begin(), part.dt_ps.end(), whole.dt_ps.begin() + at));
            QVERIFY(stream->tellsMoments());
            stream->readMoments(first, count, part);
            QVERIFY(std::equal(part.time_ms.begin(), part.time_ms.end(), whole.time_ms.begin() + at));
        }
        QVERIFY(file.eventStream() == nullptr);  // nobody has named the scanner
    }

    void infoCountsKinds() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        const GateTruth truth = gatePoint(ring, kPoint, 70);

        const std::string info = recognise(list(gate9Columns(truth))).infoJson();

        for (const auto& [name, kind] :
             {std::pair{"true", 0}, std::pair{"scattered", 1}, std::pair{"random", 2}}) {
            const std::string said = "\"" + std::string(name) +
                                     "\": " + std::to_string(truth.kinds.at(static_cast<std::size_t>(kind)));
            QVERIFY2(info.find(said) != std::string::npos, info.c_str());
        }
    }

    void whatCannotBeUsedIsRefusedByName() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        GateTruth truth = gatePoint(ring, kPoint, 50);
        const std::vector<RootColumn> good = gate9Columns(truth);
        const auto refused = [&](const std::string& path, const ListReadOptions& options) {
            return refusal([&] { static_cast<void>(readEvents(path, options)); });
        };

        QVERIFY(refused(list(good), {}).contains("--scanner"));
        QVERIFY(refused(list(allLeaves()), scanner()).contains("without a tree of GATE's coincidences"));
        const std::string whole = RootWriter({RootPacking::Lz4, 1000, 20, false}).file("Coincidences", good);
        QVERIFY(
            refused(save("cut.root", whole.substr(0, whole.size() - 40)), scanner()).contains("truncated"));
        std::string hurt = whole;
        hurt[hurt.rfind("L4") + 30] = static_cast<char>(~hurt[hurt.rfind("L4") + 30]);
        QVERIFY(refused(save("hurt.root", hurt), scanner()).contains("damaged"));
        std::string old = whole;
        for (std::size_t at = old.find("L4"); at != std::string::npos; at = old.find("L4", at)) {
            old.replace(at, 2, "CS");
        }
        QVERIFY(refused(save("old.root", old), scanner()).contains("hadd"));

        const Vec3 place{truth.x[0][7], truth.y[0][7], 0};
        truth.x[0][7] = truth.y[0][7] = 0;
        QVERIFY(refused(list(gate9Columns(truth)), scanner()).contains("coincidence 7"));
        truth.x[0][7] = static_cast<float>(place.x);
        truth.y[0][7] = static_cast<float>(place.y);
        truth.time[1][9] = std::nan("");
        QVERIFY(refused(list(gate9Columns(truth)), scanner()).contains("coincidence 9"));
        truth.time[0][9] = std::numeric_limits<double>::infinity();
        QVERIFY(refused(list(gate9Columns(truth)), scanner()).contains("'time1'"));
        truth.time[0][9] = truth.time[1][9] = 2;
        truth.energy[1][3] = std::nanf("");
        QVERIFY(refused(list(gate9Columns(truth)), scanner()).contains("'energy2' of coincidence 3"));
    }

    // Kinds that are not all known are left out with a word; so are times of a scanner without a resolution.
    void whatIsMissingIsTold() {
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        GateTruth truth = gatePoint(ring, kPoint, 50);
        truth.compton[0][4] = -1;
        const ListReadResult read = readEvents(list(gate9Columns(truth)), scanner());
        QVERIFY(read.events.kind.empty() && read.note.find("not known") != std::string::npos);

        std::string timeless = kGateScanner;
        timeless.replace(timeless.find(R"(, "timing_fwhm_ps": 100)"), 23, "");
        const ListReadResult without =
            readEvents(list(gate9Columns(truth)), {false, save("timeless.json", timeless)});
        QVERIFY(without.events.dt_ps.empty() && without.note.find("timing_fwhm_ps") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(RootFilesTest)

}  // namespace root_files_test
#include "root_files_test.moc"
