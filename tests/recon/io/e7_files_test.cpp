// SPDX-License-Identifier: Apache-2.0
// Sinograms of Siemens' e7: time bins, main headers, scanners by their numbers.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/io/format_table.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/interfile/sinogram_stream.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/refusal.h"

namespace e7_files_test {

using namespace tof;
using tof::test::refusal;

namespace {

constexpr int kBins = 5;
constexpr int kViews = 6;
constexpr int kPlanes = 4;  // 2 rings: 2 direct planes, and one of either difference
constexpr int kTimes = 5;

/// Counts of 16 bits of prompts by time bins and of delayeds behind them; `more` comes last.
QByteArray timedHeader(const QByteArray& more) {
    QByteArray text =
        "!INTERFILE:=\n!originating system:=9999\n%SMS-MI header name space:=sinogram subheader\n"
        "!name of data file:=a.s\n%compression:=off\nimage data byte order:=LITTLEENDIAN\n"
        "%patient orientation:=HFS\n!PET data type:=emission\nnumber format:=unsigned integer\n"
        "!number of bytes per pixel:=2\nnumber of dimensions:=3\nmatrix axis label[1]:=bin\n"
        "matrix axis label[2]:=projection\nmatrix axis label[3]:=plane\nmatrix size[1]:=5\n"
        "matrix size[2]:=6\nmatrix size[3]:=4\n%axial compression:=1\n%maximum ring difference:=1\n"
        "number of rings:=2\nNumber of detectors per ring:=12\nInner ring diameter (cm):=60\n"
        "Distance between rings (cm):=0.5\n%segment table:={2,1,1}\napplied corrections:=\n"
        "%number of TOF time bins:=5\n%TOF mashing factor:=8\nSize of unmashed TOF time bins (ps):=20\n"
        "TOF timing resolution (ps):=300\nnumber of scan data types:=6\n";
    for (int i = 1; i <= kTimes + 1; ++i) {
        text += "scan data type description[" + QByteArray::number(i) +
                "]:=" + (i <= kTimes ? "prompts\n" : "randoms\n") + "data offset in bytes[" +
                QByteArray::number(i) + "]:=" + QByteArray::number((i - 1) * kBins * kViews * kPlanes * 2) +
                "\n";
    }
    return text + more;
}

/// Every count of time bin i is 10 x i + its bin across.
QByteArray timedCounts() {
    QByteArray data;
    for (int i = 0; i <= kTimes; ++i) {
        for (int at = 0; at < kBins * kViews * kPlanes; ++at) {
            data.append(static_cast<char>(10 * i + at % kBins)).append('\0');
        }
    }
    return data;
}

}  // namespace

class E7FilesTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    // STIR numbers time bins from 0 outwards in the order of e7 and has the largest nearest the first
    // crystal, where t1 - t2 is below 0: +2 is our first, -2 our last.
    void timeBinsAreThoseOfStir() {
        save("a.s", timedCounts());
        const std::string path = save("a.s.hdr", timedHeader(""));

        const InterfileSinograms file = readInterfileSinograms(path);

        const Michelogram& m = *file.data.michelogram;
        QCOMPARE(m.timeBins(), kTimes);
        QCOMPARE(m.spec().tof.width_ps, 160.0);
        QCOMPARE(m.spec().tof.fwhm_ps, 300.0);
        constexpr std::array<int, kTimes> kPlaceOf{3, 1, 0, 2, 4};  // of STIR's +2, +1, 0, -1, -2 in the file
        for (std::size_t bin = 0; bin < m.bins(); ++bin) {
            const auto time = bin % kTimes;
            const auto radial = bin / kTimes % kBins;
            QCOMPARE(file.data.counts[bin],
                     static_cast<float>(10 * kPlaceOf.at(time) + static_cast<int>(radial)));
        }
        QVERIFY(file.note.find("0, +1, -1") != std::string::npos);
        QVERIFY(file.note.find("further data types are not") != std::string::npos);
    }

    void partsOfTimeBinsAreTheWhole() {
        save("a.s", timedCounts());
        const std::string path = save("a.s.hdr", timedHeader(""));
        const std::vector<float> whole = readInterfileSinograms(path).data.counts;

        const auto stream = SinogramStream::open(path, {});

        std::vector<float> parts(whole.size());
        stream->counts(0, parts);
        QCOMPARE(parts, whole);
    }

    // A header that says the order in STIR's own key is taken at its word.
    void anOrderThatIsSaidCounts() {
        save("a.s", timedCounts());
        const SinogramData said =
            readInterfileSinograms(save("b.s.hdr", timedHeader("TOF bin order:={-2,-1,0,1,2}\n"))).data;

        for (std::size_t bin = 0; bin < said.counts.size(); ++bin) {
            const int place = kTimes - 1 - static_cast<int>(bin % kTimes);
            QCOMPARE(said.counts[bin],
                     static_cast<float>(10 * place + static_cast<int>(bin / kTimes % kBins)));
        }
        const InterfileSinograms told =
            readInterfileSinograms(save("b.s.hdr", timedHeader("TOF bin order:={0,1,-1,2,-2}\n")));
        QCOMPARE(told.data.counts, readInterfileSinograms(save("a.s.hdr", timedHeader(""))).data.counts);
        QVERIFY(told.note.find("0, +1, -1") == std::string::npos);
    }

    void whatContradictsItselfIsRefused_data() {
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QByteArray>("told");
        const auto row = [](const char* name, const char* more, const char* told) {
            QTest::newRow(name) << QByteArray(more) << QByteArray(told);
        };
        row("even", "%number of TOF time bins:=4\n", "odd");
        row("two numbers", "matrix axis label[4]:=TOF bin\nmatrix size[4]:=3\n", "matrix size [4]");
        row("not together", "data offset in bytes[3]:=700\n", "one behind the other");
        row("delayeds first", "scan data type description[1]:=randoms\n", "randoms");
        row("an order of others", "TOF bin order:={0,1,2}\n", "each of 5 time bins");
        row("an order with twins", "TOF bin order:={0,1,1,2,3}\n", "each of 5 time bins");
        row("labels", "matrix axis label[2]:=segment\n", "matrix axis label");
    }
    void whatContradictsItselfIsRefused() {
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, told);
        save("a.s", timedCounts());
        const std::string path = save("a.s.hdr", timedHeader(more));

        const QString sentence = refusal([&] { (void)readInterfileSinograms(path); });

        QVERIFY2(sentence.contains(told), qPrintable(sentence));
        QVERIFY(sentence.contains("a.s.hdr"));
    }

    void aMainHeaderIsItsOnlyDataSet() {
        save("a.s", timedCounts());
        const std::string sub = save("a.s.hdr", timedHeader(""));
        const auto main = [&](const QByteArray& sets) {
            return save("a.mhdr",
                        "!INTERFILE:=\n%comment:=SMS-MI sinogram common attributes\n!originating "
                        "system:=9999\n%SMS-MI header name space:=sinogram main header\n" +
                            sets);
        };
        const auto refused = [&](const QByteArray& sets) {
            const std::string path = main(sets);
            return refusal([&] { (void)recognise(path).infoJson(); });
        };

        const RecognisedFile file =
            recognise(main("!total number of data sets:=1\n%data set [1]:={30,a.s.hdr,a.s}\n"));

        QCOMPARE(file.foreignBins(), ForeignBins::Imported);
        QCOMPARE(readInterfileSinograms(folder_->filePath("a.mhdr").toStdString()).data.counts,
                 readInterfileSinograms(sub).data.counts);
        QVERIFY(
            refused("!total number of data sets:=2\n%data set [1]:={0,a.s.hdr,a.s}\n").contains("a.s.hdr"));
        QVERIFY(refused("!total number of data sets:=1\n").contains("%data set"));
        QVERIFY(refused("%data set [1]:={0,a.mhdr,a.s}\n").contains("another one names"));
        QVERIFY(refused("%data set [1]:={0,../a.s.hdr,a.s}\n").contains("--allow-outside"));
        QVERIFY(refused("%data set [1]:={0,b.s.hdr,a.s}\n").contains("b.s.hdr"));
    }

    // Vision 600 and Quadra say 798 places and 50 views; the mCT and GE's scanners have their time bins, too.
    void scannersAreKnownByTheirNumbers_data() {
        QTest::addColumn<QByteArray>("system");
        QTest::addColumn<int>("rings");
        QTest::addColumn<int>("views");
        QTest::addColumn<int>("times");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("offset_deg");
        QTest::newRow("Vision 600") << QByteArray("1208") << 80 << 50 << 33 << 143.231 << 1.8564;
        QTest::newRow("Quadra") << QByteArray("1232") << 323 << 50 << 33 << 143.231 << 1.8564;
        QTest::newRow("Quadra by name")
            << QByteArray("Siemens Quadra") << 323 << 399 << 33 << 143.231 << 1.8564;
        QTest::newRow("mCT") << QByteArray("1104") << 55 << 168 << 13 << 312.0 << 0.0;
    }
    void scannersAreKnownByTheirNumbers() {
        QFETCH(QByteArray, system);
        QFETCH(int, rings);
        QFETCH(int, views);
        QFETCH(int, times);
        QFETCH(double, width);
        QFETCH(double, offset_deg);
        const QByteArray header =
            "!INTERFILE:=\n!originating system:=" + system +
            "\n%SMS-MI header name space:=sinogram subheader\n!name of data file:=a.s\n"
            "image data byte order:=LITTLEENDIAN\n!PET data type:=emission\nnumber format:=unsigned "
            "integer\n!number of bytes per pixel:=2\nmatrix axis label[1]:=bin\nmatrix axis "
            "label[2]:=projection\nmatrix axis label[3]:=plane\nmatrix size[1]:=3\nmatrix size[2]:=" +
            QByteArray::number(views) + "\nmatrix size[3]:=" + QByteArray::number(rings) +
            "\n%axial compression:=1\n%maximum ring difference:=0\nnumber of rings:=" +
            QByteArray::number(rings) + "\n%segment table:={" + QByteArray::number(rings) +
            "}\n%number of TOF time bins:=" + QByteArray::number(times) + "\n";
        QFile data(folder_->filePath("a.s"));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.resize(qint64{2} * 3 * views * rings * times));

        const InterfileSinograms file = readInterfileSinograms(save("a.s.hdr", header));

        const MichelogramSpec& spec = file.data.michelogram->spec();
        QCOMPARE(spec.tof.count, times);
        QVERIFY(std::abs(spec.tof.width_ps - width) < 1e-6);
        QVERIFY(std::abs(std::abs(spec.scanner.firstAngle_rad) - offset_deg * kRadPerDeg) < 1e-9 ||
                std::abs(std::abs(spec.scanner.firstAngle_rad) - (kPi - offset_deg * kRadPerDeg)) < 1e-9);
        QCOMPARE(file.note.find("View offset") != std::string::npos, offset_deg != 0);
        QVERIFY(file.note.find("STIR itself takes 0") == std::string::npos);
        if (views == 50) {
            QCOMPARE(spec.scanner.crystalsPerRing, 800);
            QVERIFY(std::abs(spec.scanner.radius_mm - 417.0 * 800 / 798) < 1e-9);
            QVERIFY(file.note.find("50 views do not divide 399 azimuths") != std::string::npos);
        } else {
            QCOMPARE(spec.scanner.crystalsPerRing, times == 13 ? 672 : 798);
        }
        const QString wrong = refusal(
            [&] { (void)readInterfileSinograms(save("b.s.hdr", header + "%TOF mashing factor:=3\n")); });
        QVERIFY2(wrong.contains("%TOF mashing factor"), qPrintable(wrong));
    }

    // What STIR itself calls unchecked is told.
    void theRowOfVereosIsToldToBeUnchecked() {
        const QByteArray header =
            "!INTERFILE :=\nname of data file := a.s\noriginating system := Philips Vereos\n"
            "PET data type := Emission\napplied corrections := {None}\nimagedata byte order := LITTLEENDIAN\n"
            "number format := float\nnumber of bytes per pixel := 4\nnumber of dimensions := 4\n"
            "matrix axis label [4] := segment\nmatrix size [4] := 1\n"
            "matrix axis label [3] := axial coordinate\nmatrix size [3] := {40}\n"
            "matrix axis label [2] := view\nmatrix size [2] := 306\n"
            "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 3\n"
            "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n";
        QFile data(folder_->filePath("a.s"));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.resize(qint64{4} * 3 * 306 * 40));

        const InterfileSinograms file = readInterfileSinograms(save("a.hs", header));

        QVERIFY(std::abs(file.data.michelogram->scanner().radius_mm - 393) < 1e-9);
        QVERIFY(file.note.find("unchecked") != std::string::npos);
    }

  private:
    std::string save(const QString& name, const QByteArray& text) const {
        test::saveBytes(folder_->filePath(name), text);
        return folder_->filePath(name).toStdString();
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(E7FilesTest)

}  // namespace e7_files_test
#include "e7_files_test.moc"
