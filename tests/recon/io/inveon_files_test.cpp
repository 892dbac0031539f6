// SPDX-License-Identifier: Apache-2.0
// Lists of Inveon that the tests' own writer makes, of a point off the axis.
#include <QTemporaryDir>
#include <QTest>

#include "recon/binning/tof_check.h"
#include "recon/io/format_table.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/refusal.h"

namespace inveon_files_test {

using namespace tof;
using namespace tof::test;

class InveonFilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] QString path() const { return folder_.filePath("mouse.lst"); }

  private slots:
    void linesPassTheirPoint() {
        // 16 blocks of 20 x 80 crystals, whose fronts lie 80.5 mm from the axis.
        constexpr double kDepth_mm =
            4.32;  // of an interaction in 10 mm, 1/mu - L exp(-mu L)/(1 - exp(-mu L))
        const auto at = [](int ring, int place) {
            const double psi = 2 * kPi * (place / 20) / 16;
            const double along = (place % 20 - 9.5) * 1.592;
            const double out = 80.5 + kDepth_mm;
            return Vec3{out * std::cos(psi) - along * std::sin(psi),
                        out * std::sin(psi) + along * std::cos(psi), (ring - 39.5) * 1.592};
        };
        const Vec3 point{12, -20, 30};
        InveonWords list;
        std::size_t count = 0;
        for (const SeenPair& one : pairsOfPoint(80, 320, at, point, 20000, 1)) {
            list.tick();
            list.prompt(static_cast<std::uint64_t>(one.ring[0] * 320 + one.place[0]),
                        static_cast<std::uint64_t>(one.ring[1] * 320 + one.place[1]));
            if (count++ % 10 == 0) {
                list.delayed(5, 200);
            }
        }
        saveBytes(path(), list.bytes);

        const RecognisedFile file = recognise(path().toStdString());
        const ListReadResult read = file.readEvents();

        QCOMPARE(file.formatName(), std::string("Siemens Inveon"));
        QCOMPARE(read.events.size(), std::size_t{20000});
        QCOMPARE(read.events.duration_s, 4.0);
        QCOMPARE(read.events.time_ms.front(), 0U);
        QCOMPARE(read.events.time_ms.back(), 4000U);
        QVERIFY(read.note.find("2000 delayed") != std::string::npos);
        QVERIFY(read.note.find("--scanner") != std::string::npos);
        const auto scanner = read.events.scannerJson.scanner("list");
        QCOMPARE(scanner->crystals.size(), std::size_t{25600});
        // The mean of (1 - u u^T) x = (1 - u u^T) p over all lines is the point next to all of them.
        double weights[3] = {};
        double sums[3] = {};
        for (const auto& [one, two] : read.events.crystals) {
            const Vec3 a = scanner->reference(one);
            const Vec3 u = normalized(scanner->reference(two) - a);
            const double t = dot(point - a, u);
            const Vec3 nearest = a + t * u;
            const double axes[3] = {1 - u.x * u.x, 1 - u.y * u.y, 1 - u.z * u.z};
            const double off[3] = {nearest.x - point.x, nearest.y - point.y, nearest.z - point.z};
            for (int k = 0; k < 3; ++k) {
                weights[k] += axes[k];
                sums[k] += off[k];
            }
        }
        for (int k = 0; k < 3; ++k) {
            QVERIFY2(std::abs(sums[k] / weights[k]) < 0.3, qPrintable(QString::number(sums[k] / weights[k])));
        }
    }

    void partsAreThoseOfTheWhole() {
        InveonWords list;
        for (std::uint64_t i = 0; i < 200000; ++i) {
            i % 3 == 0 ? list.tick() : list.prompt(i % 25600, (i * 7 + 1) % 25600);
        }
        saveBytes(path(), list.bytes);
        const RecognisedFile file = recognise(path().toStdString());
        const EventList whole = file.readEvents().events;
        const auto stream = file.eventStream();
        EventList part;
        for (const std::uint64_t first : {0U, 65530U, 131073U}) {
            stream->read(first, 1000, part);
            stream->readMoments(first, 1000, part);
            for (std::size_t i = 0; i < 1000; ++i) {
                QCOMPARE(part.crystals[i], whole.crystals[first + i]);
                QCOMPARE(part.time_ms[i], whole.time_ms[first + i]);
            }
        }
    }

    void whatIsNoInveonListIsNotRead() {
        InveonWords list;
        list.tick();
        list.prompt(0, 25599);
        const auto refused = [&](const QByteArray& bytes) {
            saveBytes(path(), bytes);
            return refusal([&] { static_cast<void>(readEvents(path().toStdString())); });
        };
        QCOMPARE(refused(list.bytes), QString("accepted"));
        QVERIFY(refused(list.bytes.chopped(1)).contains("inside a record"));
        QVERIFY(refused(list.bytes + 'x').contains("inside a record"));
        QVERIFY(refused(list.bytes.mid(6)).contains("holds no list-mode"));  // no times
        InveonWords far = list;
        far.prompt(25600, 0);
        QVERIFY(refused(far.bytes).contains("holds no list-mode"));
        InveonWords late = list;  // beyond what a format is told by
        for (int i = 0; i < 180000; ++i) {
            late.tick();
        }
        late.prompt(3, 25600);
        QVERIFY(refused(late.bytes).contains("event 1 names crystal 25600"));
    }
};

QTEST_APPLESS_MAIN(InveonFilesTest)

}  // namespace inveon_files_test
#include "inveon_files_test.moc"
