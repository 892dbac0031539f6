// SPDX-License-Identifier: Apache-2.0
// Two panels in CASToR's files: written, read again, and read where nothing but a table describes them.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/binning/panel_binning.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/scanner/scanner.h"
#include "tests/recon/projector_fixtures.h"

namespace castor_panel_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

/// 6 x 4 crystals, in one layer or two, whose mean depth of interaction is not half their depth.
Scanner panels(int layers) {
    return Scanner::fromJson(
        QString(
            R"({"name":"two # panels","about":"of a test","modules":{"count":2,"face_to_face_mm":18,)"
            R"("crystals":[6,4],"pitch_mm":[2.4,2.3],"layers":%1},"crystal_mm":[2.1,2.0,%2],)"
            R"("attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":30,"timing_fwhm_ps":3000})")
            .arg(layers)
            .arg(20 / layers)
            .toStdString(),
        "test");
}

PanelData dataOf(int layers) {
    const Scanner scanner = panels(layers);
    PanelData data;
    data.geometry = PanelGeometry::of(scanner).value();
    data.geometry.efficiency = 0.75;
    data.lattice = data.geometry.lattice();
    data.scannerJson = scanner.toJson();
    data.counts = uniformData(data.geometry.lors(), 1, 0, 9);
    for (float& count : data.counts) {
        count = std::floor(count);
        data.kept += static_cast<std::uint64_t>(count);
    }
    data.duration_s = 20;
    data.calibration = 2.5;
    return data;
}

}  // namespace

class CastorPanelTest : public QObject {
    Q_OBJECT

  private slots:
    void dataComeBack_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("corrected");
        QTest::newRow("one layer") << 1 << false;
        QTest::newRow("one layer, corrected") << 1 << true;
        QTest::newRow("two layers, corrected") << 2 << true;
    }
    void dataComeBack() {
        QFETCH(int, layers);
        QFETCH(bool, corrected);
        PanelData data = dataOf(layers);
        if (corrected) {
            data.mult = uniformData(data.counts.size(), 2, 0.25F, 1);
            data.add = uniformData(data.counts.size(), 3, 0, 2);
            // A line that was not measured: CASToR leaves such lines out.
            data.mult[7] = 0;
            data.kept -= static_cast<std::uint64_t>(data.counts[7]);
            data.counts[7] = 0;
            data.add[7] = 0;
        }

        writePanelData(path("in.h5"), data);
        const std::string note = convertFile(path("in.h5"), path("d.cdh"));
        QCOMPARE(note.empty(), !corrected);
        const RecognisedFile file = recognise(path("d.cdh"));
        QCOMPARE(file.form(), std::string("panel"));
        const PanelData back = std::get<PanelData>(file.readData().data);

        QVERIFY(back.geometry == data.geometry);
        QVERIFY(back.lattice == data.lattice);
        QCOMPARE(back.counts, data.counts);
        QCOMPARE(back.kept, data.kept);
        QCOMPARE(back.duration_s, 20.0);
        QCOMPARE(back.calibration, 2.5);
        // 1/mult and counts per second are single precision.
        for (std::size_t i = 0; i < data.mult.size(); ++i) {
            QVERIFY(std::abs(back.mult[i] - data.mult[i]) <= 3e-7F * data.mult[i]);
            QVERIFY(std::abs(back.add[i] - data.add[i]) <= 3e-7F * data.add[i]);
        }
        QCOMPARE(back.mult.size(), data.mult.size());
        QVERIFY(convertFile(path("d.cdh"), path("back.h5")).empty());
        QCOMPARE(std::get<PanelData>(recognise(path("back.h5")).readData().data).counts, data.counts);
    }

    void eventsComeBackToTheSameLines() {
        const Scanner scanner = panels(2);
        const PanelGeometry g = PanelGeometry::of(scanner).value();
        EventList events;
        events.scannerJson = scanner.toJson();
        events.duration_s = 5;
        const auto head = static_cast<std::uint32_t>(g.headCrystals());
        for (std::uint32_t i = 0; i < 500; ++i) {
            events.crystals.push_back(
                {i * 7 % head + 2 * head * (i % 2), head + i * 11 % head + 2 * head * (i % 3 % 2)});
        }
        const std::vector<float> wanted = binPanel(events, scanner).counts;

        writeCastor(path("l.cdh"), events);
        const ListReadResult back = recognise(path("l.cdh")).readEvents({});

        const Scanner known = Scanner::fromJson(back.events.scannerJson, "test");
        QVERIFY(PanelGeometry::of(known) == PanelGeometry::of(scanner));
        QCOMPARE(known.attenuation_per_mm, scanner.attenuation_per_mm);
        QCOMPARE(binPanel(back.events, known).counts, wanted);
    }

    /// What another program reads of it: crystal centres, and how deep below their faces photons interact.
    void theTableIsCastors() {
        const PanelData data = dataOf(1);
        writeCastor(path("d.cdh"), data);
        QFile table(QString::fromStdString(path("d.lut")));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QByteArray bytes = table.readAll();
        QCOMPARE(bytes.size(), 48 * 6 * 4);
        std::array<float, 6> first{};
        std::memcpy(first.data(), bytes.constData(), sizeof first);
        // Face at 9 mm, 20 mm deep; y up, so that of crystal 0 (-6 mm) is positive.
        QCOMPARE(first, (std::array<float, 6>{19, 6, -3.45F, 1, 0, 0}));
        QVERIFY(text("d.hscan").contains("mean depth of interaction: 7.38"));
        QVERIFY(text("d.hscan").contains("crystals size depth: 20"));
    }

    void withoutItsLineThePanelsAreLinesUntilTheScannerIsNamed() {
        const PanelData data = dataOf(1);
        writeCastor(path("d.cdh"), data);
        QByteArray header = text("d.hscan");
        header.truncate(header.indexOf("tofscope scanner"));
        put("d.hscan", header);
        QCOMPARE(recognise(path("d.cdh")).form(), std::string("lors"));
        put("own.json", QByteArray::fromStdString(data.scannerJson));

        const PanelData back = std::get<PanelData>(recognise(path("d.cdh")).readData(path("own.json")).data);

        QCOMPARE(back.counts, data.counts);
        QCOMPARE(back.geometry.efficiency, 1.0);
    }

    void aTableThatIsNoLongerThePanelsIsReadByItself() {
        writeCastor(path("d.cdh"), dataOf(1));
        QFile table(QString::fromStdString(path("d.lut")));
        QVERIFY(table.open(QIODevice::ReadWrite));
        const float moved = 25;
        table.write(reinterpret_cast<const char*>(&moved), sizeof moved);
        table.close();

        QCOMPARE(recognise(path("d.cdh")).form(), std::string("lors"));
    }

    void whatIsNoLineOfPanelsIsRefused_data() {
        QTest::addColumn<int>(
            "offset");  // offset of the crystal's number in an event: time, normalization, count, pair
        QTest::addColumn<int>("crystal");
        QTest::addColumn<QString>("says");
        QTest::newRow("both ends in one head") << 16 << 3 << "no line between";
        QTest::newRow("a crystal that is not there") << 16 << 48 << "crystal";
    }
    void whatIsNoLineOfPanelsIsRefused() {
        QFETCH(int, offset);
        QFETCH(int, crystal);
        QFETCH(QString, says);
        writeCastor(path("d.cdh"), dataOf(1));
        QByteArray events = text("d.cdf");
        QCOMPARE(events.size(), 24 * 24 * 20);
        const auto number = static_cast<std::uint32_t>(crystal);
        events.replace(offset, 4, reinterpret_cast<const char*>(&number), 4);
        put("d.cdf", events);
        try {
            (void)recognise(path("d.cdh")).readData();
            QFAIL("was read");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains(says), fault.what());
        }
    }

  private:
    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] QByteArray text(const char* name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void put(const char* name, const QByteArray& bytes) const {
        QFile file(folder_.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(CastorPanelTest)

}  // namespace castor_panel_test
#include "castor_panel_test.moc"
