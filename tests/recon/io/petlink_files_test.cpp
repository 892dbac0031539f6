// SPDX-License-Identifier: Apache-2.0
// Siemens' lists of pairs of crystals that the tests' own writer makes, of a point off the axis.
#include <QTemporaryDir>
#include <QTest>

#include "recon/io/format_table.h"
#include "tests/support/petlink_lists.h"
#include "tests/support/refusal.h"

namespace petlink_files_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Where a scanner's crystals are, the patient head first and supine: places count from the top (-y) towards
/// the patient's left (+x), rings from the head on, with what lies empty between blocks.
struct Gantry {
    PetlinkShape shape;
    int across;  ///< crystals of a block, and with the empty place behind them
    int acrossWith;
    int along;
    int alongWith;
    double radius_mm;
    double spacing_mm;
    double first_deg;

    [[nodiscard]] Vec3 at(int ring, int place) const {
        const int all = shape.heads * shape.columns / across * acrossWith;
        const int rings = shape.rows / along * alongWith - (alongWith - along);
        const double angle =
            first_deg * kPi / 180 + 2 * kPi * (place / across * acrossWith + place % across) / all;
        const double slot = ring / along * alongWith + ring % along;
        return {radius_mm * std::sin(angle), -radius_mm * std::cos(angle),
                (0.5 * (rings - 1) - slot) * spacing_mm};
    }
};

constexpr Gantry kMct{{12, 52, 52}, 13, 14, 13, 14, 428, 4.054, -15};
constexpr Gantry kVision{{19, 40, 80}, 20, 21, 10, 10, 417, 3.2911, 1.856};

}  // namespace

class PetlinkFilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string path() const { return folder_.filePath("scan.l.hdr").toStdString(); }
    void save(const PetlinkWords& words, std::map<QByteArray, QByteArray> fields,
              const std::map<QByteArray, QByteArray>& changes = {}) const {
        for (const auto& [key, value] : changes) {
            fields[key] = value;
        }
        saveBytes(folder_.filePath("scan.l"), words.bytes);
        saveBytes(folder_.filePath("scan.l.hdr"), petlinkHeader(fields));
    }

    /// Lines of a point, and the place that is nearest to all of them; along a line by its time where
    /// `step_ps`.
    static void linesPass(const ListReadResult& read, Vec3 point, bool timed) {
        const auto scanner = read.events.scannerJson.scanner("list");
        double weights[3] = {};
        double sums[3] = {};
        Vec3 mean{};
        for (std::size_t i = 0; i < read.events.size(); ++i) {
            const Vec3 a = scanner->reference(read.events.crystals[i][0]);
            const Vec3 b = scanner->reference(read.events.crystals[i][1]);
            const Vec3 u = normalized(b - a);
            const Vec3 nearest = a + dot(point - a, u) * u;
            const double axes[3] = {1 - u.x * u.x, 1 - u.y * u.y, 1 - u.z * u.z};
            const double off[3] = {nearest.x - point.x, nearest.y - point.y, nearest.z - point.z};
            for (int k = 0; k < 3; ++k) {
                weights[k] += axes[k];
                sums[k] += off[k];
            }
            if (timed) {  // a later photon at crystal 1 came from farther
                const double along = static_cast<double>(read.events.dt_ps[i]) * kMmPerPs;
                mean = mean + (1.0 / static_cast<double>(read.events.size())) * (0.5 * (a + b) + along * u);
            }
        }
        for (int k = 0; k < 3; ++k) {
            QVERIFY2(std::abs(sums[k] / weights[k]) < 0.3, qPrintable(QString::number(sums[k] / weights[k])));
        }
        if (timed) {
            QVERIFY2(norm(mean - point) < 0.3, qPrintable(QString::number(norm(mean - point))));
        }
    }

  private slots:
    void linesPassTheirPoint_data() {
        QTest::addColumn<QByteArray>("system");
        QTest::newRow("mCT") << QByteArray("1104");
        QTest::newRow("Vision 600") << QByteArray("1208");
    }
    void linesPassTheirPoint() {
        QFETCH(QByteArray, system);
        const bool timed = system == "1208";
        const Gantry& gantry = timed ? kVision : kMct;
        const Vec3 point{60, -110, 40};
        PetlinkWords words;
        std::uint32_t prompts = 0;
        int packets = 1;
        words.time(5000);
        for (const SeenPair& one : pairsOfPoint(
                 gantry.shape.rows, gantry.shape.heads * gantry.shape.columns,
                 [&](int ring, int place) { return gantry.at(ring, place); }, point, 10000, 1.5)) {
            if (words.seen(gantry.shape, one, timed ? 13.021 : 0)) {
                ++packets;
                if (++prompts % 10 == 0) {
                    words.time(5000 + prompts);
                    words.event(false, 1, {3, 4}, {5, 6}, 7);
                    words.tag(0xE1000000U);  // a gate's
                    packets += 3;
                }
            }
        }
        save(words, petlinkFields(system, "scan.l", packets));

        const RecognisedFile file = recognise(path());
        const ListReadResult read = file.readEvents();

        QCOMPARE(file.kind(), FileKind::List);
        QVERIFY(prompts > 5000);
        QCOMPARE(read.events.size(), std::size_t{prompts});
        QCOMPARE(read.events.time_ms.front(), 0U);
        QCOMPARE(read.events.time_ms.back(), (prompts - 1) / 10 * 10);
        QCOMPARE(read.events.duration_s, 1e-3 * (prompts / 10 * 10));
        QCOMPARE(read.events.dt_ps.size(), std::size_t{timed ? prompts : 0});
        QVERIFY(read.note.find(std::to_string(prompts / 10) + " delayed") != std::string::npos);
        QVERIFY(read.note.find("View offset (degrees)") != std::string::npos);
        QCOMPARE(read.note.find("times of flight are left out") != std::string::npos, !timed);
        linesPass(read, point, timed);

        // A part is what it is in the whole, and the header's line turns the scanner.
        EventList part;
        const auto stream = file.eventStream();
        stream->read(1000, 100, part);
        stream->readMoments(1000, 100, part);
        QVERIFY(std::equal(part.crystals.begin(), part.crystals.end(), read.events.crystals.begin() + 1000));
        QVERIFY(std::equal(part.time_ms.begin(), part.time_ms.end(), read.events.time_ms.begin() + 1000));
        save(words, petlinkFields(system, "scan.l", 2 * packets),
             {{"View offset (degrees)", QByteArray::number(gantry.first_deg + 90)}});
        linesPass(readEvents(path(), {}), {-point.y, point.x, point.z}, timed);
    }

    void whatIsLeftOutIsTold() {
        PetlinkWords words;
        words.time(0);
        words.tag(0xC4000000U | (1U << 20U) / 2);
        words.event(true, 133, {39, 79}, {0, 0}, 255);
        words.event(true, 1, {0, 0}, {39, 79}, -256);
        words.bytes += QByteArray(8, '\0');
        words.tag(0xC4000000U | ((1U << 20U) / 2 + 500));
        words.pair(0x40000000U | 7, 0x40000000U | 0x8000U);  // 56 bits, and no time
        words.time(10);
        save(words, petlinkFields("1208", "scan.l", 8));
        const ListReadResult read = readEvents(path(), {});
        QCOMPARE(read.events.size(), std::size_t{1});
        const std::array<std::uint32_t, 2> last{79 * 760 + 15 * 40 + 39, 18 * 40};
        QCOMPARE(read.events.crystals.front(), last);
        QVERIFY(std::abs(static_cast<double>(read.events.dt_ps.front()) + 255 * 13.021) < 1e-2);
        QCOMPARE(read.events.duration_s, 0.01);
        for (const char* part :
             {"1 prompts without a time", "1 words without the marks", "moves by 5.0 mm"}) {
            QVERIFY2(read.note.find(part) != std::string::npos, read.note.c_str());
        }
    }

    void whatCannotBeReadIsRefusedByName() {
        PetlinkWords good;
        good.time(0);
        good.event(true, 1, {0, 0}, {1, 1}, 0);
        good.time(10);
        const auto refused = [&](const PetlinkWords& words, const std::map<QByteArray, QByteArray>& changes) {
            save(words, petlinkFields("1104", "scan.l", 3), changes);
            return refusal([&] { static_cast<void>(readEvents(path(), {})); });
        };
        QCOMPARE(refused(good, {}), QString("accepted"));
        QVERIFY(refused(good, {{"originating system", "1232"}}).contains("'1232'"));
        QVERIFY(refused(good, {{"%total listmode word counts", "4"}}).contains("3 of the 4 words"));
        QVERIFY(refused(good, {{"number of rings", "54"}}).contains("blocks of a Siemens mCT"));
        QVERIFY(refused(good, {{"number of rings", "0"}}).contains("number of rings"));
        QVERIFY(refused(good, {{"gantry crystal radius (cm)", "421"}}).contains("between 5 and 100"));
        PetlinkWords bad = good;
        bad.event(true, 43, {0, 0}, {1, 1}, 0);
        QVERIFY(refused(bad, {}).contains("the pair 43 of heads, and a Siemens mCT has 42"));
        bad = good;
        bad.event(true, 0, {0, 0}, {1, 1}, 0);
        QVERIFY(refused(bad, {}).contains("the pair 0 of heads"));
        bad = good;
        bad.event(true, 1, {52, 0}, {1, 1}, 0);
        QVERIFY(refused(bad, {}).contains("crystal 52, 0 of a head of 52 x 52"));
        bad = good;
        bad.time(9);
        QVERIFY(refused(bad, {}).contains("run backwards"));
        bad = good;
        bad.bytes += 'x';
        QVERIFY(refused(bad, {}).contains("inside a record"));
        bad.bytes = QByteArray(80, '\0');
        QVERIFY(refused(bad, {{"%total listmode word counts", "0"}}).contains("without the marks"));
    }
};

QTEST_APPLESS_MAIN(PetlinkFilesTest)

}  // namespace petlink_files_test
#include "petlink_files_test.moc"
