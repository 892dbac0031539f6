// SPDX-License-Identifier: Apache-2.0
// CASToR histograms, normalisations and files of our own in CASToR's form. What is read is written here byte
// by byte from the format's description.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/rings.h"

namespace castor_lines_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

/// One ring of 12 crystals of one per sector; CASToR puts the first above the centre, the next clockwise.
const QByteArray kGeom =
    "modality: PET\nscanner name: ring\nnumber of elements: 12\nnumber of layers: 1\nscanner radius: 90\n"
    "number of rsectors: 12\nnumber of crystals transaxial: 1\nnumber of crystals axial: 1\n"
    "crystals size depth: 20\ncrystals size transaxial: 4\ncrystals size axial: 4\n"
    "field of view transaxial: 150\n";

template <class T>
void put(QByteArray& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Lines of `more` take the place of those that have their keys.
QByteArray header(const char* mode, std::size_t events, const QByteArray& more = {}) {
    const QByteArray usual =
        "Scanner name: ring\nData filename: d.cdf\nNumber of events: " + QByteArray::number(events) +
        "\nData mode: " + mode + "\nData type: PET\nStart time (s): 0\nDuration (s): 20";
    QByteArray lines = more;
    for (const QByteArray& line : usual.split('\n')) {
        if (!more.contains(line.first(line.indexOf(':') + 1))) {
            lines += line + "\n";
        }
    }
    return lines;
}

MichelogramSpec rings(int span, int timeBins, int mashing = 1) {
    MichelogramSpec spec =
        test::ringsOf({"ring", 4, 48, 150.0, 10.0, 0.1}, span, 3, 21, 1, {timeBins, 200, 400});
    spec.mashing = mashing;
    return spec;
}

SinogramData sinograms(const MichelogramSpec& spec) {
    SinogramData data;
    data.michelogram = std::make_shared<const Michelogram>(spec);
    data.lattice = defaultLattice(*data.michelogram);
    const std::size_t bins = data.michelogram->bins();
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    const std::vector<float> mult = uniformData(bins / timeBins, 2, 0.1F, 1.0F);
    data.counts = uniformData(bins, 1, 0.0F, 9.0F);
    data.add = uniformData(bins, 3, 0.0F, 1.0F);
    for (std::size_t i = 0; i < bins; ++i) {
        data.mult.push_back(mult[i / timeBins]);
    }
    data.duration_s = 16;
    data.calibration = 2.5;
    return data;
}

void compare(const std::vector<float>& found, const std::vector<float>& expected) {
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        // Inverse and inverse again, times and by the duration: three roundings of floats.
        QVERIFY2(std::abs(found[i] - expected[i]) <= 3e-7F * std::abs(expected[i]),
                 qPrintable(QString("%1: %2, %3").arg(i).arg(found[i]).arg(expected[i])));
    }
}

}  // namespace

class CastorLinesTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;

    std::string file(const char* name) const { return folder_->filePath(name).toStdString(); }
    void save(const char* name, const QByteArray& bytes) const {
        QFile out(folder_->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    QString refusal() const {
        try {
            static_cast<void>(readCastorLines(file("d.cdh"), ""));
        } catch (const BadInput& fault) {
            return fault.what();
        }
        return "accepted";
    }

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        save("ring.geom", kGeom);
    }

    void aHistogramIsReadFieldByField() {
        QByteArray bytes;
        const auto event = [&](float attenuation, float randoms, float norm, quint16 lines,
                               std::initializer_list<quint32> pairs) {
            put(bytes, quint32{0});
            put(bytes, attenuation);
            put(bytes, randoms);
            put(bytes, norm);
            for (int bin = 0; bin < 3; ++bin) {
                put(bytes, 10.0F * norm + static_cast<float>(bin));
                put(bytes, 0.25F * static_cast<float>(bin));
            }
            put(bytes, lines);
            for (const quint32 crystal : pairs) {
                put(bytes, crystal);
            }
        };
        event(2.0F, 3.0F, 4.0F, 1, {1, 7, 99, 99});  // what follows the last line is padding
        event(1.0F, 0.0F, 0.5F, 2, {2, 8, 3, 8});
        event(1.0F, 0.0F, 0.0F, 1, {0, 6, 0, 0});  // a dead line
        save("d.cdf", bytes);
        save("d.cdh",
             header("histogram", 3,
                    "Attenuation correction flag: 1\nNormalization correction flag: 1\n"
                    "Scatter correction flag: 1\nRandom correction flag: 1\nCalibration factor: 7\n"
                    "TOF information flag: 1\nTOF resolution (ps): 400\nHisto TOF number of bins: 3\n"
                    "Histo TOF bin size (ps): 150\nMaximum number of lines per event: 2\n"));
        QCOMPARE(fileKind(file("d.cdh")), FileKind::Data);
        QVERIFY(recognise(file("d.cdh")).form() == "lors");

        const CastorLines lines = readCastorLines(file("d.cdh"), "");

        const LineData& data = lines.data;
        QCOMPARE(data.counts, (std::vector<float>{40, 41, 42, 5, 6, 7, 0, 1, 2}));
        QCOMPARE(data.mult, (std::vector<float>{0.125F, 0.125F, 0.125F, 2, 2, 2, 0, 0, 0}));
        // 20 s: a third of the random rate and the bin's scatter rate.
        QCOMPARE(data.add, (std::vector<float>{20, 25, 30, 0, 5, 10, 0, 5, 10}));
        // CASToR's bins rise with t1 - t2, as ours do.
        QCOMPARE(data.events->dt_ps, (std::vector<float>{-150, 0, 150, -150, 0, 150, -150, 0, 150}));
        QCOMPARE(data.events->tof.count, 3);
        QCOMPARE(data.duration_s, 20.0);
        QCOMPARE(data.calibration, 7.0);
        QCOMPARE(data.possible.radius_mm, 75.0);
        const std::vector<Vec3>& points = data.events->points;
        QCOMPARE(data.events->pairs[0], (std::array<std::uint32_t, 2>{1, 7}));
        QCOMPARE(data.events->pairs[3], (std::array<std::uint32_t, 2>{12, 8}));
        QCOMPARE(lines.crystals[3], (std::array<std::uint32_t, 2>{2, 8}));
        // The first crystal lies above the centre: anterior is -y. Its middle is 100 mm away.
        QVERIFY(norm(points[0] - Vec3{0, -100, 0}) < 1e-5);
        QVERIFY(norm(points[3] - Vec3{100, 0, 0}) < 1e-5);
        QVERIFY(norm(points[12] - 0.5 * (points[2] + points[3])) < 1e-5);
    }

    void aNormalisationNamesThePossiblePairs() {
        QByteArray bytes;
        for (quint32 i = 0; i < 6; ++i) {
            put(bytes, static_cast<float>(i + 1));
            put(bytes, i);
            put(bytes, i + 6);
        }
        save("d.cdf", bytes);
        save("d.cdh", header("normalization", 6, "Normalization correction flag: 1\n"));

        const CastorLines lines = readCastorLines(file("d.cdh"), "");

        QVERIFY(lines.data.counts.empty());
        QCOMPARE(lines.data.mult[3], 0.25F);
        QCOMPARE(lines.data.events->pairs[3], (std::array<std::uint32_t, 2>{3, 9}));
    }

    void sinogramsSurviveCastor_data() {
        QTest::addColumn<int>("span");
        QTest::addColumn<int>("timeBins");
        QTest::addColumn<int>("mashing");
        QTest::newRow("crystal pairs") << 1 << 0 << 1;
        QTest::newRow("several pairs to a bin") << 3 << 0 << 2;
        QTest::newRow("time of flight") << 3 << 5 << 1;
    }
    void sinogramsSurviveCastor() {
        QFETCH(int, span);
        QFETCH(int, timeBins);
        QFETCH(int, mashing);
        const SinogramData data = sinograms(rings(span, timeBins, mashing));
        const Michelogram& m = *data.michelogram;

        QCOMPARE(writeCastor(file("s.cdh"), data), std::string());
        const CastorLines lines = readCastorLines(file("s.cdh"), "");

        // Events follow each other in data order, time bins fastest.
        QCOMPARE(lines.data.counts, data.counts);
        compare(lines.data.mult, data.mult);
        compare(lines.data.add, data.add);
        QCOMPARE(lines.data.duration_s, 16.0);
        QCOMPARE(lines.data.calibration, 2.5);
        const LineEvents& events = *lines.data.events;
        double worst = 0;
        for (std::size_t i = 0; i < events.pairs.size(); ++i) {
            const std::size_t line = i / static_cast<std::size_t>(m.timeBins());
            const std::size_t row = line / 21;
            const Sinogram& plane = m.sinograms()[row % m.sinograms().size()];
            const TransverseLine t = m.line(m.angleOfSlot(static_cast<int>(row / m.sinograms().size())),
                                            static_cast<int>(line % 21));
            worst = std::max({worst, norm(events.points[events.pairs[i][0]] - Vec3{t.x1, t.y1, plane.z1_mm}),
                              norm(events.points[events.pairs[i][1]] - Vec3{t.x2, t.y2, plane.z2_mm})});
        }
        // A mean over two neighbours on a circle of 150 mm lies 150 (1 - cos(pi/48)) mm inside it.
        QVERIFY2(worst < (mashing > 1 ? 0.33 : 1e-4), qPrintable(QString::number(worst)));
        // And back into sinograms, bin by bin.
        const SinogramData back =
            binLines(lines.data, lines.crystals, lines.scanner, data.michelogram, data.lattice);
        QCOMPARE(back.counts, data.counts);
        compare(back.mult, data.mult);
        compare(back.add, data.add);
    }

    void linesWithCountsSurviveCastor() {
        const SinogramData data = sinograms(rings(1, 3));
        writeCastor(file("a.cdh"), data);
        const CastorLines first = readCastorLines(file("a.cdh"), "");
        QVERIFY(convertFile(file("a.cdh"), file("a.h5")).find("'Calibration factor' is 2.5") !=
                std::string::npos);

        QCOMPARE(convertFile(file("a.h5"), file("b.cdh")), std::string());
        const CastorLines second = readCastorLines(file("b.cdh"), "");

        QCOMPARE(second.data.events->pairs, first.data.events->pairs);
        QCOMPARE(second.data.events->dt_ps, first.data.events->dt_ps);
        QCOMPARE(second.data.counts, first.data.counts);
        compare(second.data.mult, first.data.mult);
        compare(second.data.add, first.data.add);
        QCOMPARE(second.data.events->points.size(), first.data.events->points.size());
        for (std::size_t i = 0; i < first.data.events->points.size(); ++i) {
            QVERIFY(norm(second.data.events->points[i] - first.data.events->points[i]) < 2e-5);  // floats
        }
    }

    void listModeSurvivesCastor_data() {
        QTest::addColumn<bool>("everything");
        QTest::newRow("pairs alone") << false;
        QTest::newRow("times, kinds, mult and add") << true;
    }
    void listModeSurvivesCastor() {
        QFETCH(bool, everything);
        EventList events;
        events.scannerJson =
            R"({"name":"flat","modules":{"count":8,"face_to_face_mm":220,"crystals":[4,3],"pitch_mm":[5,5]},)"
            R"("crystal_mm":[5,5,10],"mean_depth_mm":3,"acceptance_deg":20,"fov_diameter_mm":180,)"
            R"("timing_fwhm_ps":200})";
        events.duration_s = 8;
        events.calibration = 3;
        for (std::uint32_t i = 0; i < 90; ++i) {
            events.crystals.push_back({i, 95 - i});
            if (everything) {
                events.dt_ps.push_back(7.5F * static_cast<float>(i) - 300.0F);
                events.kind.push_back(static_cast<EventKind>(i % 3));
                events.mult.push_back(0.01F * static_cast<float>(i + 1));
                events.add.push_back(0.02F * static_cast<float>(i));
                events.time_ms.push_back(i * i);
            }
        }
        writeEvents(file("l.h5"), events);

        QCOMPARE(convertFile(file("l.h5"), file("l.cdh")), std::string());
        const EventList back = readEvents(file("l.cdh")).events;

        QCOMPARE(back.crystals, events.crystals);
        QCOMPARE(back.dt_ps, events.dt_ps);
        if (everything) {
            QCOMPARE(back.time_ms, events.time_ms);
        } else {
            QCOMPARE(back.time_ms[45], 4000U);  // unknown ones are spread over the scan
        }
        QVERIFY(back.kind == events.kind);
        compare(back.mult, events.mult);
        compare(back.add, events.add);
        QCOMPARE(back.duration_s, 8.0);
        QCOMPARE(back.calibration, 3.0);
        const Scanner before = Scanner::fromJson(events.scannerJson, "before");
        const Scanner after = Scanner::fromJson(back.scannerJson, "after");
        QCOMPARE(after.fovRadius_mm, 90.0);
        for (std::uint32_t c = 0; c < 96; ++c) {
            QVERIFY(norm(after.reference(c) - before.reference(c)) < 2e-5);
        }
    }

    void linesOfEventsSurviveCastor() {
        const auto michelogram = std::make_shared<const Michelogram>(rings(1, 3));
        EventList events;
        for (std::uint32_t i = 0; i < 90; ++i) {
            events.crystals.push_back({i, i + 70});
            events.dt_ps.push_back(static_cast<float>(i) - 40.0F);
        }
        const LineData list = listLines(events, nullptr, michelogram, defaultLattice(*michelogram));
        QVERIFY(list.events->pairs.size() > 40);
        writeLineData(file("l.h5"), list);

        QCOMPARE(convertFile(file("l.h5"), file("l.cdh")), std::string());

        const EventList back = readEvents(file("l.cdh")).events;
        QCOMPARE(back.crystals, list.events->pairs);
        QCOMPARE(back.dt_ps, list.events->dt_ps);
    }

    void deadLinesAreLeftOut() {
        SinogramData data = sinograms(rings(1, 0));
        data.mult[5] = 0;
        data.mult[77] = 0;

        QVERIFY(writeCastor(file("s.cdh"), data).find("2 lines") != std::string::npos);

        QCOMPARE(readCastorLines(file("s.cdh"), "").data.counts.size(), data.counts.size() - 2);
        MichelogramSpec arc = rings(1, 0);
        arc.binSize_mm = 4;
        const SinogramData corrected = sinograms(arc);
        QVERIFY_EXCEPTION_THROWN(writeCastor(file("a.cdh"), corrected), WrongUse);
        QVERIFY_EXCEPTION_THROWN(writeCastor(file("a.hist"), data), WrongUse);
    }

    void hostileHistogramsAreRefused_data() {
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QString>("says");
        QTest::newRow("more events than bytes")
            << QByteArray("Number of events: 1000000000000\n") << "events are there";
        QTest::newRow("beyond all events") << QByteArray("Number of events: 1e30\n") << "'Number of events'";
        QTest::newRow("lines without end") << QByteArray("Maximum number of lines per event: 1e9\n")
                                           << "'Maximum number of lines per event'";
        QTest::newRow("no lines") << QByteArray("Maximum number of lines per event: 0\n")
                                  << "'Maximum number";
        QTest::newRow("time bins without end")
            << QByteArray("TOF information flag: 1\nHisto TOF number of bins: 1e6\n")
            << "'Histo TOF number of bins'";
        QTest::newRow("no time bins") << QByteArray("TOF information flag: 1\nHisto TOF number of bins: 0\n")
                                      << "'Histo TOF number of bins'";
        QTest::newRow("other data") << QByteArray("Data type: CT\n") << "'Data type'";
        QTest::newRow("another mode") << QByteArray("Data mode: list-mode\n") << "'Data mode'";
        QTest::newRow("an unknown mode") << QByteArray("Data mode: sausage\n") << "'Data mode'";
        QTest::newRow("no data") << QByteArray("Data filename: missing.cdf\n") << "'Data filename'";
        QTest::newRow("a negative duration") << QByteArray("Duration (s): -1\n") << "'Duration (s)'";
    }
    void hostileHistogramsAreRefused() {
        QFETCH(QByteArray, more);
        QFETCH(QString, says);
        QByteArray bytes;
        for (const quint32 number : {0U, 0x3f800000U, 1U, 7U}) {
            put(bytes, number);
        }
        save("d.cdf", bytes);
        save("d.cdh", header("histogram", 1));
        QCOMPARE(refusal(), QString("accepted"));

        save("d.cdh", header("histogram", 1, more));

        QVERIFY2(refusal().contains(says), qPrintable(refusal()));
    }

    void faultyEventsAreRefused() {
        const auto said = [&](quint32 one, quint32 two, float count, quint16 lines) {
            QByteArray bytes;
            put(bytes, quint32{0});
            put(bytes, count);
            put(bytes, lines);
            for (const quint32 crystal : {one, two, 0U, 6U}) {
                put(bytes, crystal);
            }
            save("d.cdf", bytes);
            save("d.cdh", header("histogram", 1, "Maximum number of lines per event: 2\n"));
            return refusal();
        };
        QVERIFY(said(0, 12, 1, 1).contains("crystal 12"));
        QVERIFY(said(0, 6, std::nanf(""), 1).contains("not finite"));
        QVERIFY(said(0, 6, 1, 0).contains("no crystal pair"));
        QCOMPARE(said(0, 6, 1, 60000), QString("accepted"));  // there are two pairs at most
        QCOMPARE(said(0, 6, -4, 1), QString("accepted"));
        QVERIFY(readCastorLines(file("d.cdh"), "").note.find("1 bins below zero") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(CastorLinesTest)

}  // namespace castor_lines_test
#include "castor_lines_test.moc"
