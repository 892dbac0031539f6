// SPDX-License-Identifier: Apache-2.0
// Lists of YRT-PET that the tests' own writer makes, of a point off the axis.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/binning/tof_check.h"
#include "recon/io/format_table.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/refusal.h"

namespace yrt_files_test {

using namespace tof;
using namespace tof::test;

class YrtFilesTest : public QObject {
    Q_OBJECT

  private:
    const SmallRing ring_{96, 8, 200, 5};
    static constexpr double kDepth_mm = 20;
    QTemporaryDir folder_;
    const Vec3 point_{60, -35, 9};
    [[nodiscard]] Vec3 centreOf(int ring, int place) const {
        const Vec3 front = ring_.at(ring, place);
        const double out = 1 + 0.5 * kDepth_mm / ring_.radius_mm;
        return {out * front.x, out * front.y, front.z};
    }
    [[nodiscard]] std::vector<SeenPair> pairs(std::size_t count) const {
        return pairsOfPoint(
            ring_.rings, ring_.places, [this](int ring, int place) { return centreOf(ring, place); }, point_,
            count, 2);
    }
    [[nodiscard]] QString path() const { return folder_.filePath("list.lmDat"); }
    [[nodiscard]] QByteArray events(const std::vector<SeenPair>& seen, bool times, bool randoms) const {
        QByteArray bytes;
        quint32 ms = 3600000;
        for (const SeenPair& one : seen) {
            bytes += little(ms++);
            for (const std::size_t side : {0U, 1U}) {
                bytes += little(static_cast<quint32>(one.ring.at(side) * ring_.places + one.place.at(side)));
            }
            bytes += times ? little(static_cast<float>(one.dt_ps)) : QByteArray();
            bytes += randoms ? little(0.25F) : QByteArray();
        }
        return bytes;
    }
    [[nodiscard]] QString refused() const {
        return refusal([&] { static_cast<void>(readEvents(path().toStdString())); });
    }

  private slots:
    void init() { writeYrtScanner(folder_.path(), ring_, kDepth_mm, {{"timing_fwhm_ps", "300"}}); }

    void aPointLiesWhereItWas() {
        const auto seen = pairs(70000);
        saveBytes(path(), events(seen, true, false));

        const RecognisedFile file = recognise(path().toStdString());
        const ListReadResult read = file.readEvents();

        QCOMPARE(file.formatName(), std::string("YRT-PET"));
        QCOMPARE(read.events.size(), seen.size());
        QCOMPARE(read.events.duration_s, 69.999);
        QCOMPARE(read.events.time_ms.front(), 0U);
        QCOMPARE(read.events.time_ms.back(), 69999U);
        QVERIFY2(read.note.find("--reverse-tof") != std::string::npos, read.note.c_str());
        const auto scanner = read.events.scannerJson.scanner("list");
        for (std::size_t i = 0; i < seen.size(); i += 97) {
            for (const std::size_t side : {0U, 1U}) {
                const Vec3 off = scanner->reference(read.events.crystals[i].at(side)) -
                                 centreOf(seen[i].ring.at(side), seen[i].place.at(side));
                QVERIFY(norm(off) < 1e-3);
            }
        }
        const TofCheck check = checkTof(referencePoints(*scanner), read.events.crystals, read.events.dt_ps,
                                        scanner->fovRadius_mm);
        QCOMPARE(check.sign, TofSign::AsStated);
        QVERIFY(norm(check.point - point_) < 0.5);

        const auto stream = file.eventStream();
        EventList part;
        for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{65530}, std::uint64_t{69000}}) {
            const auto from = static_cast<std::ptrdiff_t>(first);
            stream->read(first, 900, part);
            stream->readMoments(first, 900, part);
            QVERIFY(
                std::equal(part.crystals.begin(), part.crystals.end(), read.events.crystals.begin() + from));
            QVERIFY(std::equal(part.dt_ps.begin(), part.dt_ps.end(), read.events.dt_ps.begin() + from));
            QVERIFY(std::equal(part.time_ms.begin(), part.time_ms.end(), read.events.time_ms.begin() + from));
        }
    }

    void whatAnEventHoldsIsToldByItsContent() {
        const auto seen = pairs(400);
        const auto note = [&](bool times, bool randoms) {
            saveBytes(path(), events(seen, times, randoms));
            return readEvents(path().toStdString());
        };
        QVERIFY(note(false, false).note.find("12 bytes: ms, crystals") != std::string::npos);
        const ListReadResult rates = note(false, true);
        QVERIFY(rates.note.find("16 bytes: ms, crystals and rates of randoms") != std::string::npos);
        QVERIFY(rates.events.dt_ps.empty());
        QVERIFY(std::abs(rates.events.add.front() - 0.25F * 0.399F) < 1e-6F);
        const ListReadResult both = note(true, true);
        QVERIFY(both.note.find("20 bytes") != std::string::npos);
        QVERIFY(both.note.find("no window") != std::string::npos);
        QCOMPARE(both.events.dt_ps.size(), seen.size());
        QVERIFY(both.events.add.empty());
        writeYrtScanner(folder_.path(), ring_, kDepth_mm);
        const ListReadResult unknown = note(true, false);
        QVERIFY(unknown.events.dt_ps.empty());
        QVERIFY(unknown.note.find("timing_fwhm_ps") != std::string::npos);
    }

    void whatCannotBeUsedIsRefusedByName() {
        const auto seen = pairs(400);
        const QByteArray good = events(seen, false, false);
        const auto with = [&](const QByteArray& bytes) {
            saveBytes(path(), bytes);
            return refused();
        };
        QCOMPARE(with(good), QString("accepted"));
        QVERIFY(with(good.chopped(5)).contains("none of the layouts"));
        QVERIFY(with(good + QByteArray(7, '\1')).contains("none of the layouts"));
        QVERIFY(with(good + little(quint32{0}) + little(quint32{1}) + little(quint32{5})).contains("sort"));
        QVERIFY(with(little(quint32{0}) + little(quint32{1}) + little(quint32{5000})).contains("none"));
        const QByteArray shown[][3] = {{"VERSION", "2.0", "'VERSION'"},
                                       {"detsPerRing", "95", "small.lut"},
                                       {"detsPerRing", "97", "small.lut"},
                                       {"numRings", "0", "'numRings'"},
                                       {"scannerRadius", "20", "'scannerRadius'"},
                                       {"axialFOV", "4", "'axialFOV'"},
                                       {"axialFOV", "-40", "'axialFOV'"},
                                       {"crystalDepth", "null", "'crystalDepth'"},
                                       {"detCoord", "\"no.lut\"", "no.lut"},
                                       {"maxRingDiff", "\"7\"", "'maxRingDiff'"},
                                       {"numDOI", "2", "small.lut"}};
        for (const auto& [key, value, said] : shown) {
            writeYrtScanner(folder_.path(), ring_, kDepth_mm, {{key, value}});
            const QString told = with(good);
            QVERIFY2(told.contains(folder_.path()) && told.contains(said),
                     qPrintable(key + " " + value + ": " + told));
        }
        writeYrtScanner(folder_.path(), ring_, kDepth_mm);
        QVERIFY(QFile::copy(folder_.filePath("small.json"), folder_.filePath("other.json")));
        QVERIFY(with(good).contains("2 scanners"));
        QVERIFY(QFile::remove(folder_.filePath("other.json")));
        QByteArray far = good;
        far.replace(12 * 399 + 4, 4, little(quint32{768}));
        QVERIFY(with(far).contains("none of the layouts"));
    }
};

QTEST_APPLESS_MAIN(YrtFilesTest)

}  // namespace yrt_files_test
#include "yrt_files_test.moc"
