// SPDX-License-Identifier: Apache-2.0
// DICOM series: written and read back, and slices made here byte by byte from PS3.5 (explicit VR,
// little-endian).
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "tests/support/dicom_elements.h"

namespace dicom_test {

using namespace tof;
using tof::test::Elements;
using tof::test::kCt;
using tof::test::kPet;
using tof::test::raw;

namespace {

struct Slice {
    const char* kind = kCt;
    QByteArray series = "1.2.3.10";
    QByteArray number = "2";
    QByteArray description = "CT AC";
    QByteArray position = "-10\\-20\\5";
    QByteArray orientation = "1\\0\\0\\0\\1\\0";
    QByteArray slope = "1";
    QByteArray intercept = "-1024";
    QByteArray instance = "1";
    std::array<qint16, 6> pixels{0, 1, 2, 3, 4, 5};  // 3 columns, 2 rows
};

Elements elements(const Slice& s) {
    Elements e;
    e.text(0x00080016, "UI", s.kind);
    e.text(0x00080018, "UI", "1.2.3.4");
    e.text(0x00080060, "CS", QByteArray(s.kind) == kCt ? "CT" : "PT");
    e.text(0x0008103E, "LO", s.description);
    e.text(0x00180050, "DS", "4");
    e.text(0x00185100, "CS", "HFS");
    e.text(0x0020000D, "UI", "1.2.3.1");
    e.text(0x0020000E, "UI", s.series);
    e.text(0x00200011, "IS", s.number);
    e.text(0x00200013, "IS", s.instance);
    e.text(0x00200032, "DS", s.position);
    e.text(0x00200037, "DS", s.orientation);
    e.whole(0x00280002, 1);
    e.text(0x00280004, "CS", "MONOCHROME2");
    e.whole(0x00280010, 2);
    e.whole(0x00280011, 3);
    e.text(0x00280030, "DS", "2.5\\1.5");  // between rows, between columns
    e.whole(0x00280100, 16);
    e.whole(0x00280101, 12);
    e.whole(0x00280102, 11);
    e.whole(0x00280103, 1);
    e.text(0x00281052, "DS", s.intercept);
    e.text(0x00281053, "DS", s.slope);
    QByteArray words;
    for (const qint16 value : s.pixels) {
        words += raw(static_cast<quint16>(static_cast<quint16>(value) & 0x0FFFU));  // 12 bits, signed
    }
    e.put(0x7FE00010, "OW", words);
    return e;
}

/// PET in Bq/ml, 370 MBq of F-18 given an hour before the scan to a patient of 70 kg.
Elements petElements(const Slice& s) {
    Elements e = elements(s);
    e.text(0x00080021, "DA", "20261122");
    e.text(0x00080031, "TM", "100000");
    e.text(0x00080022, "DA", "20261122");
    e.text(0x00080032, "TM", "100005.5");
    e.text(0x00101030, "DS", "70");
    Elements drug;
    drug.text(0x00181072, "TM", "090000");
    drug.text(0x00181074, "DS", "370000000");
    drug.text(0x00181075, "DS", "6586.2");
    e.sequence(0x00540016, drug);
    e.text(0x00541001, "CS", "BQML");
    e.text(0x00541102, "CS", "START");
    return e;
}

/// What one slice of PET at 0 says of dose and times, changed.
struct Drug {
    QByteArray start = "090000";  ///< time of the injection
    QByteArray dated{};           ///< with its date
    QByteArray dose = "370000000";
    QByteArray halfLife = "6586.2";
    QByteArray code{};  ///< code of the nuclide
    QByteArray meaning{};
    QByteArray drug{};  ///< its name, typed by hand
};

Elements petElements(const Slice& s, const Drug& d) {
    Elements e = petElements(s);
    Elements drug;
    drug.text(0x00181072, "TM", d.start);
    drug.text(0x00180031, "LO", d.drug);
    drug.text(0x00181074, "DS", d.dose);
    if (!d.halfLife.isEmpty()) {
        drug.text(0x00181075, "DS", d.halfLife);
    }
    if (!d.dated.isEmpty()) {
        drug.text(0x00181078, "DT", d.dated);
    }
    if (!d.meaning.isEmpty() || !d.code.isEmpty()) {
        Elements code;
        code.text(0x00080100, "SH", d.code);
        code.text(0x00080104, "LO", d.meaning);
        drug.sequence(0x00540300, code);
    }
    e.sequence(0x00540016, drug);
    return e;
}

/// An item that holds a sequence of an item, and so on: the value of a sequence.
QByteArray nested(int depth) {
    const auto tag = [](quint16 group, quint16 element, quint32 length) {
        return raw(group) + raw(element) + raw(length);
    };
    const QByteArray item = tag(0xFFFE, 0xE000, 0xFFFFFFFF);
    const QByteArray sequence =
        raw(quint16{0x0040}) + raw(quint16{0x0275}) + "SQ" + QByteArray(2, '\0') + raw(quint32{0xFFFFFFFF});
    const QByteArray itemEnd = tag(0xFFFE, 0xE00D, 0);
    const QByteArray sequenceEnd = tag(0xFFFE, 0xE0DD, 0);
    return item + (sequence + item).repeated(depth) + (itemEnd + sequenceEnd).repeated(depth) + itemEnd;
}

QString sentence(const std::function<void()>& what) {
    try {
        what();
    } catch (const BadInput& refused) {
        return refused.what();
    }
    return "accepted";
}

}  // namespace

class DicomTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;

    std::string path(const char* name = "") const { return folder_->filePath(name).toStdString(); }
    void save(const char* name, const QByteArray& bytes) const {
        QFile out(folder_->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    void save(const char* name, const Slice& slice) const { save(name, elements(slice).file(slice.kind)); }
    static Slice at(const char* position, qint16 first) {
        Slice slice;
        slice.position = position;
        for (std::size_t i = 0; i < slice.pixels.size(); ++i) {
            slice.pixels[i] = static_cast<qint16>(first + static_cast<qint16>(i));
        }
        return slice;
    }
    void saveCt() const {
        save("c.dcm", at("-10\\-20\\5", -3));
        save("a.dcm", at("-10\\-20\\9", 100));
        save("b.dcm", at("-10\\-20\\13", 200));
    }

  private slots:
    void init() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void aSeriesComesBack() {
        Lattice lattice = Lattice::centred({6, 5, 4}, {2.5, 3.129, 2.027});
        lattice.origin_mm = {-101.3456789, 17.25, -40.5};
        Volume volume(lattice);
        volume.units = "Bq/ml";
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = i < 30 ? 0.0F : 1e4F * std::sin(static_cast<float>(i)) / static_cast<float>(i);
        }

        QCOMPARE(writeVolume(path("w.dicom"), volume), std::string());
        QCOMPARE(QDir(folder_->filePath("w.dicom")).entryList(QDir::Files).size(), 4);
        for (const char* opened : {"w.dicom", "w.dicom/00002.dcm"}) {
            const RecognisedFile file = recognise(path(opened));
            QCOMPARE(file.formatName(), std::string("DICOM"));
            const VolumeReadResult back = file.readVolumeResult();
            QVERIFY2(back.note.empty(), back.note.c_str());
            QCOMPARE(back.volume.units, volume.units);
            QVERIFY(back.volume.lattice.size == lattice.size);
            QVERIFY(norm(back.volume.lattice.centre(5, 4, 3) - lattice.centre(5, 4, 3)) < 1e-6);
            QVERIFY(norm(back.volume.lattice.origin_mm - lattice.origin_mm) < 1e-6);
            for (std::size_t z = 0; z < 4; ++z) {
                const auto first = volume.data.begin() + static_cast<std::ptrdiff_t>(30 * z);
                float largest = 0;
                std::for_each(first, first + 30, [&](float v) { largest = std::max(largest, std::abs(v)); });
                for (std::size_t i = 30 * z; i < 30 * (z + 1); ++i) {
                    // Half a step of 15 bits, and the rounding of the slope and of floats.
                    QVERIFY(std::abs(back.volume.data[i] - volume.data[i]) <=
                            0.501F * largest / 32767 + 1e-6F * largest);
                }
            }
        }
        QVERIFY_EXCEPTION_THROWN((void)writeVolume(path("w.dicom"), volume), CannotWrite);
    }

    // Slopes, intercepts and places are those of each slice; names say nothing; 12 bits with a sign.
    void aCtSeriesIsSortedAndInHounsfieldUnits() {
        saveCt();
        Slice other = at("-10\\-20\\9", 100);
        other.slope = "0.5";
        other.intercept = "-1000";
        save("a.dcm", other);

        const Volume volume = readVolume(path());

        QCOMPARE(volume.units, std::string("HU"));
        QVERIFY((volume.lattice.size == std::array<int, 3>{3, 2, 3}));
        QVERIFY((volume.lattice.spacing_mm == std::array<double, 3>{1.5, 2.5, 4}));
        QVERIFY(norm(volume.lattice.origin_mm - Vec3{-10, -20, 5}) < 1e-9);
        QCOMPARE(volume.at(0, 0, 0), -1027.0F);
        QCOMPARE(volume.at(2, 1, 0), -1022.0F);
        QCOMPARE(volume.at(1, 0, 1), -949.5F);
        QCOMPARE(volume.at(0, 1, 2), -821.0F);
    }

    // Feet first: rows run to the right, columns to the front... of a prone patient, slices downwards.
    void directionsAreHonoured() {
        for (int i = 0; i < 3; ++i) {
            Slice slice =
                at(("10\\20\\" + QByteArray::number(13 - 4 * i)).constData(), static_cast<qint16>(100 * i));
            slice.orientation = "-1\\0\\0\\0\\-1\\0";
            save(QByteArray::number(i).constData(), slice);
        }

        const Volume volume = readVolume(path("0"));

        QVERIFY(norm(volume.lattice.origin_mm - Vec3{7, 17.5, 5}) < 1e-9);
        QCOMPARE(volume.at(2, 1, 2), -1024.0F);        // the first pixel stored, at (10, 20, 13)
        QCOMPARE(volume.at(0, 0, 0), -1024.0F + 205);  // the last one
    }

    void aTiltedGantryIsInterpolated() {
        save("a", at("0\\0\\0", 0));
        save("b", at("0\\1\\4", 0));
        save("c", at("0\\2\\8", 0));

        const VolumeReadResult read = recognise(path()).readVolumeResult();

        QVERIFY2(read.note.find("interpolated") != std::string::npos, read.note.c_str());
    }

    void missingAndDoubledSlicesAreRefused() {
        saveCt();
        save("d.dcm", at("-10\\-20\\21", 0));
        QVERIFY(sentence([&] { (void)readVolume(path()); }).contains("missing"));
        save("d.dcm", at("-10\\-20\\13", 0));
        QVERIFY(sentence([&] { (void)readVolume(path()); }).contains("doubled"));
        Slice wide = at("-10\\-20\\17", 0);
        Elements odd = elements(wide);
        odd.text(0x00280030, "DS", "2\\2");
        save("d.dcm", odd.file(kCt));
        QVERIFY(sentence([&] { (void)readVolume(path()); }).contains("d.dcm"));
    }

    void seriesAreToldAndChosen() {
        saveCt();
        Slice pet = at("0\\0\\0", 7);
        pet.kind = kPet;
        pet.series = "1.2.3.20";
        pet.number = "5";
        pet.description = "PET WB";
        pet.intercept = "0";
        save("p.dcm", petElements(pet).file(kPet));
        const RecognisedFile folder = recognise(path());

        const QString told = sentence([&] { (void)folder.readVolume(); });

        QVERIFY2(told.contains("5 'PET WB' (PT, 1 images)") && told.contains("2 'CT AC' (CT, 3 images)"),
                 qPrintable(told));
        for (const char* name : {"5", "PET WB", "1.2.3.20"}) {
            const Volume volume = folder.readVolume({0, name, false});
            QCOMPARE(volume.units, std::string("Bq/ml"));
            QCOMPARE(volume.lattice.spacing_mm[2], 4.0);  // one slice has its thickness
        }
        QCOMPARE(readVolume(path("b.dcm")).units, std::string("HU"));
        QVERIFY(sentence([&] { (void)folder.readVolume({0, "9", false}); }).contains("--series"));
        QVERIFY(folder.infoJson().find("'PET WB'") != std::string::npos);
        const std::vector<VolumeSeries> all = folder.file()->series();
        QCOMPARE(all.size(), std::size_t{2});
        for (const VolumeSeries& one : all) {
            QCOMPARE(one.frames, 1);
            QCOMPARE(folder.readVolume({0, one.id, false}).units,
                     std::string(one.id == "1.2.3.20" ? "Bq/ml" : "HU"));
        }
        ConvertOptions second;
        second.volume.series = "2";
        QCOMPARE(convertFile(path(), path("ct.nii"), second), std::string());
        QCOMPARE(readVolume(path("ct.nii")).data, readVolume(path("a.dcm")).data);
    }

    void uptakeValues() {
        Slice pet = at("0\\0\\0", 1000);
        pet.kind = kPet;
        pet.intercept = "0";
        pet.slope = "2";
        Elements e = petElements(pet);
        save("p.dcm", e.file(kPet));
        const double later = 370e6 * std::exp2(-3600 / 6586.2);

        const Volume suv = recognise(path("p.dcm")).readVolume({0, "", true});

        QCOMPARE(suv.units, std::string("g/ml"));
        QVERIFY(std::abs(suv.data[0] - 2000 * 70e3 / later) < 1e-6 * 1000);
        QVERIFY(recognise(path("p.dcm")).infoJson().find("suv_per_Bq_ml") != std::string::npos);
        const auto uptake = recognise(path("p.dcm")).readVolumeResult().uptake;
        QCOMPARE(uptake, (Uptake{70, 370e6, 6586.2, 3600}));

        e.text(0x00541102, "CS", "ADMIN");
        save("p.dcm", e.file(kPet));
        QVERIFY(std::abs(recognise(path("p.dcm")).readVolume({0, "", true}).data[0] - 2000 * 70e3 / 370e6) <
                1e-6);

        e.text(0x00541102, "CS", "NONE");
        save("p.dcm", e.file(kPet));
        QVERIFY(sentence([&] {
                    (void)recognise(path("p.dcm")).readVolume({0, "", true});
                }).contains("Decay Correction"));
        ConvertOptions given;
        given.uptake = Uptake{70, 370e6, 6586.2, 3600};
        QVERIFY_EXCEPTION_THROWN((void)convertFile(path("p.dcm"), path("p.nii"), given), WrongUse);
        e.remove(0x00101030);
        save("p.dcm", e.file(kPet));
        QVERIFY(sentence([&] {
                    (void)recognise(path("p.dcm")).readVolume({0, "", true});
                }).contains("Weight"));
    }

    /// The scan starts at 10:00:00 on 22 November 2026, values are corrected to that; 70 kg, 370 MBq.
    /// Expected is the dose left by the law of decay, from the seconds written here.
    void dosesDecayFromTheInjection_data() {
        QTest::addColumn<Drug>("drug");
        QTest::addColumn<double>("waited_s");
        QTest::addColumn<double>("halfLife_s");
        QTest::addColumn<QString>("remark");
        const auto row = [](const char* name, const Drug& drug, double waited_s, double halfLife_s,
                            const char* remark) {
            QTest::newRow(name) << drug << waited_s << halfLife_s << remark;
        };
        row("an hour before", {}, 3600, 6586.2, "");
        row("with a date", {.start = "", .dated = "20261122090000.00"}, 3600, 6586.2, "");
        row("dynamic: 30 s after the start", {.start = "100030"}, -30, 6586.2, "30 s after the start");
        row("dynamic, C-11", {.start = "100030", .halfLife = "1222"}, -30, 1222, "30 s after the start");
        row("dynamic, with a date", {.dated = "20261122100030"}, -30, 6586.2, "30 s after the start");
        row("before midnight", {.start = "233000"}, 37800, 6586.2, "day before");
        row("Zr-89 after five days", {.dated = "20261117100000", .halfLife = "282300"}, 432000, 282300, "");
        row("Y-90 after three days", {.dated = "20261119100000", .halfLife = "230400"}, 259200, 230400, "");
        row("half life of the nuclide's code", {.halfLife = "", .code = "C-111A1"}, 3600, 6586.2, "F-18");
        row("half life of the nuclide's name", {.halfLife = "", .meaning = "^68^Gallium"}, 3600, 4070,
            "Ga-68");
        row("half life of the drug", {.halfLife = "", .drug = "FDG"}, 3600, 6586.2, "F-18");
        row("a drug of another scan", {.halfLife = "1222", .drug = "FDG"}, 3600, 1222, "");
        row("half life of a code, nearly", {.halfLife = "6588", .code = "C-111A1"}, 3600, 6588, "");
    }

    void dosesDecayFromTheInjection() {
        QFETCH(Drug, drug);
        QFETCH(double, waited_s);
        QFETCH(double, halfLife_s);
        QFETCH(QString, remark);
        Slice pet = at("0\\0\\0", 1000);
        pet.kind = kPet;
        pet.intercept = "0";
        save("p.dcm", petElements(pet, drug).file(kPet));
        const double factor = 70e3 / (370e6 * std::exp(-std::log(2.0) * waited_s / halfLife_s));

        const VolumeReadResult suv = recognise(path("p.dcm")).readVolumeResult({0, "", true});
        const VolumeReadResult plain = recognise(path("p.dcm")).readVolumeResult();

        QVERIFY2(std::abs(suv.volume.data[0] / (1000 * factor) - 1) < 1e-6,
                 qPrintable(QString::number(suv.volume.data[0])));
        QVERIFY(plain.uptake.has_value());
        QVERIFY(std::abs(suvPerBqMl(*plain.uptake) / factor - 1) < 1e-12);
        for (const VolumeReadResult& read : {suv, plain}) {
            const QString note = QString::fromStdString(read.note);
            QVERIFY2(remark.isEmpty() ? note.isEmpty() : note.contains(remark), qPrintable(note));
        }
    }

    /// The series began at 10 o'clock on the clock of the object.
    void zonesOfTimesAreHeeded_data() {
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<QByteArray>("dated");
        QTest::addColumn<double>("waited_s");
        QTest::newRow("alike") << QByteArray("+0100") << QByteArray("20261122090000+0100") << 3600.0;
        QTest::newRow("another") << QByteArray("+0100") << QByteArray("20261122080000+0000") << 3600.0;
        QTest::newRow("west of it, and minutes")
            << QByteArray("-0500") << QByteArray("20261122193000.00+0530") << 3600.0;
        QTest::newRow("of the other alone") << QByteArray() << QByteArray("20261122090000+0100") << 3600.0;
        QTest::newRow("of the object alone") << QByteArray("+0100") << QByteArray("20261122090000") << 3600.0;
    }
    void zonesOfTimesAreHeeded() {
        QFETCH(QByteArray, zone);
        QFETCH(QByteArray, dated);
        QFETCH(double, waited_s);
        Slice pet = at("0\\0\\0", 1000);
        pet.kind = kPet;
        pet.intercept = "0";
        Elements elements = petElements(pet, {.start = "", .dated = dated});
        if (!zone.isEmpty()) {
            elements.text(0x00080201, "SH", zone);
        }
        save("p.dcm", elements.file(kPet));

        const VolumeReadResult read = recognise(path("p.dcm")).readVolumeResult();

        QVERIFY2(read.uptake.has_value(), read.note.c_str());
        QVERIFY2(std::abs(read.uptake->waited_s - waited_s) < 1e-6,
                 qPrintable(QString::number(read.uptake->waited_s)));
    }

    void impossibleDosesAreNoUptake_data() {
        QTest::addColumn<Drug>("drug");
        QTest::addColumn<QString>("named");
        QTest::newRow("half life in minutes") << Drug{.halfLife = "109.77"} << "half lives";
        QTest::newRow("half life in minutes of F-18")
            << Drug{.halfLife = "109.77", .code = "C-111A1"} << "F-18 has 6586.2 s";
        QTest::newRow("half life of another nuclide")
            << Drug{.halfLife = "4062", .meaning = "F^18^"} << "F-18 has 6586.2 s";
        QTest::newRow("half life below zero") << Drug{.halfLife = "-6586.2"} << "half life";
        QTest::newRow("dose in MBq") << Drug{.dose = "370"} << "dose";
        QTest::newRow("dose in kBq") << Drug{.dose = "3700"} << "would reach";
        QTest::newRow("dose below zero") << Drug{.dose = "-370000000"} << "dose";
        QTest::newRow("injection three hours after the start") << Drug{.start = "130000"} << "10800 s behind";
        QTest::newRow("injection the day after") << Drug{.dated = "20261123090000"} << "behind";
        QTest::newRow("F-18 after two days") << Drug{.dated = "20261120100000"} << "half lives";
    }

    void impossibleDosesAreNoUptake() {
        QFETCH(Drug, drug);
        QFETCH(QString, named);
        Slice pet = at("0\\0\\0", 1000);
        pet.kind = kPet;
        pet.intercept = "0";
        save("p.dcm", petElements(pet, drug).file(kPet));

        const VolumeReadResult plain = recognise(path("p.dcm")).readVolumeResult();

        QVERIFY(!plain.uptake);
        QVERIFY2(plain.note.find(named.toStdString()) != std::string::npos, plain.note.c_str());
        if (named != "would reach") {
            const QString told = sentence([&] { (void)recognise(path("p.dcm")).readVolume({0, "", true}); });
            QVERIFY2(told.contains(named), qPrintable(told));
        }
    }

    void scalesThatCannotBeAreRefused_data() {
        QTest::addColumn<bool>("isPet");
        QTest::addColumn<quint32>("tag");
        QTest::addColumn<QByteArray>("value");  // "-": taken out
        QTest::newRow("PET, slope missing") << true << 0x00281053U << QByteArray("-");
        QTest::newRow("PET, slope empty") << true << 0x00281053U << QByteArray();
        QTest::newRow("PET, slope 0") << true << 0x00281053U << QByteArray("0");
        QTest::newRow("PET, slope below 0") << true << 0x00281053U << QByteArray("-1");
        QTest::newRow("PET, slope no number") << true << 0x00281053U << QByteArray("nan");
        QTest::newRow("PET, two slopes") << true << 0x00281053U << QByteArray("1\\2");
        QTest::newRow("CT, slope missing") << false << 0x00281053U << QByteArray("-");
        QTest::newRow("CT, slope 0") << false << 0x00281053U << QByteArray("0");
        QTest::newRow("CT, intercept missing") << false << 0x00281052U << QByteArray("-");
        QTest::newRow("CT, intercept empty") << false << 0x00281052U << QByteArray();
    }

    void scalesThatCannotBeAreRefused() {
        QFETCH(bool, isPet);
        QFETCH(quint32, tag);
        QFETCH(QByteArray, value);
        const char* const kind = isPet ? kPet : kCt;
        for (int i = 0; i < 3; ++i) {
            Slice slice = at(("0\\0\\" + QByteArray::number(4 * i)).constData(), 100);
            slice.kind = kind;
            Elements e = isPet ? petElements(slice) : elements(slice);
            if (i == 1 && value == "-") {
                e.remove(tag);
            } else if (i == 1) {
                e.text(tag, "DS", value);
            }
            save((QByteArray::number(i) + ".dcm").constData(), e.file(kind));
        }

        const QString told = sentence([&] { (void)readVolume(path()); });

        QVERIFY2(told.contains("1.dcm") && told.contains("Rescale"), qPrintable(told));
    }

    void missingSlicesAreTold() {
        const auto write = [&](const std::vector<int>& places) {
            folder_ = std::make_unique<QTemporaryDir>();
            for (const int place : places) {
                Slice pet = at(("0\\0\\" + QByteArray::number(4 * place)).constData(), 100);
                pet.kind = kPet;
                pet.intercept = "0";
                Elements e = petElements(pet);
                e.whole(0x00540081, 8);
                save(("s" + QByteArray::number(place) + ".dcm").constData(), e.file(kPet));
            }
        };
        const auto note = [&] { return QString::fromStdString(recognise(path()).readVolumeResult().note); };
        write({0, 1, 2, 3, 4, 5, 6, 7});
        QCOMPARE(note(), QString());
        write({1, 2, 3, 4, 5, 6});
        QVERIFY2(note().contains("6 places") && note().contains("says 8"), qPrintable(note()));
        write({0, 2, 4, 6});
        QVERIFY2(note().contains("4 places"), qPrintable(note()));
        QVERIFY(recognise(path()).infoJson().find("4 places") != std::string::npos);
        write({0, 1, 2, 3, 5, 6, 7});
        const QString told = sentence([&] { (void)readVolume(path()); });
        QVERIFY2(told.contains("s5.dcm") && told.contains("s3.dcm") && told.contains("8.000"),
                 qPrintable(told));
    }

    void everySecondSliceOfCtIsTold() {
        for (int i = 0; i < 3; ++i) {
            save(QByteArray::number(i).constData(),
                 at(("0\\0\\" + QByteArray::number(8 * i)).constData(), 100));
        }
        const std::string note = recognise(path()).readVolumeResult().note;
        QVERIFY2(note.find("8 mm apart") != std::string::npos, note.c_str());
    }

    /// Counts with the maker's private factors, typed or (from an implicit file) untyped.
    void countsOfPhilipsAreServed_data() {
        QTest::addColumn<QByteArray>("perCount");  // of SUV
        QTest::addColumn<QByteArray>("bqMl");
        QTest::addColumn<QByteArray>("vr");
        QTest::newRow("both") << QByteArray("0.0006") << QByteArray("2.5") << QByteArray("DS");
        QTest::newRow("SUV alone") << QByteArray("0.0006") << QByteArray("0") << QByteArray("DS");
        QTest::newRow("Bq/ml alone") << QByteArray("0") << QByteArray("2.5") << QByteArray("DS");
        QTest::newRow("untyped") << QByteArray("0.0006") << QByteArray("2.5") << QByteArray("UN");
    }

    void countsOfPhilipsAreServed() {
        QFETCH(QByteArray, perCount);
        QFETCH(QByteArray, bqMl);
        QFETCH(QByteArray, vr);
        Slice pet = at("0\\0\\0", 1000);
        pet.kind = kPet;
        pet.intercept = "0";
        pet.slope = "0.5";
        Elements e = petElements(pet);
        e.text(0x00541001, "CS", "CNTS");
        e.text(0x70530010, "LO", "Philips PET Private Group");
        e.text(0x70531000, vr.constData(), perCount);
        e.text(0x70531009, vr.constData(), bqMl);
        save("p.dcm", e.file(kPet));
        const double counts = 500;
        const double byDose = 70e3 / (370e6 * std::exp2(-3600 / 6586.2));

        const VolumeReadResult plain = recognise(path("p.dcm")).readVolumeResult();
        const VolumeReadResult suv = recognise(path("p.dcm")).readVolumeResult({0, "", true});

        const bool known = bqMl != "0";
        QCOMPARE(plain.volume.units, std::string(known ? "Bq/ml" : "counts"));
        QVERIFY(std::abs(plain.volume.data[0] - (known ? 2.5 : 1) * counts) < 1e-3);
        QCOMPARE(plain.uptake.has_value(), known);
        const double expected = perCount != "0" ? 0.0006 * counts : 2.5 * counts * byDose;
        QVERIFY2(std::abs(suv.volume.data[0] / expected - 1) < 1e-6,
                 qPrintable(QString::number(suv.volume.data[0])));
        QVERIFY2(plain.note.find("Philips") != std::string::npos, plain.note.c_str());

        QCOMPARE(plain.statedFactor, known ? 2.5 : 1.0);
        VolumeReadOptions without;
        without.factor = StatedFactor::Left;
        if (known) {
            const VolumeReadResult bare = recognise(path("p.dcm")).readVolumeResult(without);
            QCOMPARE(bare.volume.units, std::string("counts"));
            QVERIFY(std::abs(bare.volume.data[0] - counts) < 1e-3);
            QVERIFY(plain.note.find("--calibration none") != std::string::npos);
        } else {
            QVERIFY_EXCEPTION_THROWN((void)recognise(path("p.dcm")).readVolumeResult(without), WrongUse);
        }
    }

    void suvStayWhatTheyAre() {
        Slice pet = at("0\\0\\0", 7);
        pet.kind = kPet;
        pet.intercept = "0";
        Elements e = petElements(pet);
        e.text(0x00541001, "CS", "GML");
        save("p.dcm", e.file(kPet));
        const RecognisedFile file = recognise(path("p.dcm"));
        QCOMPARE(file.readVolume({0, "", true}).data[0], 7.0F);
        QCOMPARE(file.readVolume({0, "", true}).units, std::string("g/ml"));
        QVERIFY(sentence([&] {
                    (void)file.readVolume({.suv = true, .suvBody = SuvBody::LeanMass});
                }).contains("SUV Type"));
        e.text(0x00541006, "CS", "LBM");
        save("p.dcm", e.file(kPet));
        QVERIFY(sentence([&] { (void)recognise(path("p.dcm")).readVolume({0, "", true}); }).contains("LBM"));
        QCOMPARE(recognise(path("p.dcm")).readVolume({.suv = true, .suvBody = SuvBody::LeanMass}).data[0],
                 7.0F);
    }

    void imagesOfASeriesMustAgreeOnTheDose() {
        for (int i = 0; i < 2; ++i) {
            Slice pet = at(i == 0 ? "0\\0\\0" : "0\\0\\4", 100);
            pet.kind = kPet;
            save((QByteArray::number(i) + ".dcm").constData(),
                 petElements(pet, {.dose = i == 0 ? "370000000" : "37000000"}).file(kPet));
        }
        const VolumeReadResult read = recognise(path()).readVolumeResult();
        QVERIFY(!read.uptake);
        QVERIFY2(read.note.find("1.dcm") != std::string::npos, read.note.c_str());
        QVERIFY(sentence([&] { (void)recognise(path()).readVolume({0, "", true}); }).contains("1.dcm"));
    }

    void filesWithoutPreambleAndFoldersOfFoldersAreNamed() {
        save("bare.dcm", elements(at("0\\0\\0", 1)).bytes());
        QVERIFY(
            sentence([&] { (void)recognise(path("bare.dcm")).infoJson(); }).contains("without its preamble"));
        QVERIFY(QDir(folder_->path()).mkpath("all/ct"));
        save("all/ct/a.dcm", at("0\\0\\0", 1));
        const QString told = sentence([&] { (void)readVolume(path("all")); });
        QVERIFY2(told.contains("open 'ct'"), qPrintable(told));
    }

    void whatCannotBeReadIsNotDescribed() {
        Elements e = elements(at("0\\0\\0", 1));
        e.whole(0x00280100, 32);
        save("wide.dcm", e.file(kCt));
        QVERIFY(sentence([&] { (void)recognise(path("wide.dcm")).infoJson(); }).contains("Bits Allocated"));
    }

    void framesAreChosen() {
        for (int i = 0; i < 4; ++i) {
            Slice pet = at(i % 2 == 0 ? "0\\0\\0" : "0\\0\\4", static_cast<qint16>(100 * i));
            pet.kind = kPet;
            pet.intercept = "0";
            Elements e = petElements(pet);
            e.text(0x00541300, "DS", i < 2 ? "900" : "300");
            save(QByteArray::number(i).constData(), e.file(kPet));
        }
        const RecognisedFile folder = recognise(path());

        QVERIFY(sentence([&] { (void)folder.readVolume(); }).contains("2 frames"));
        QCOMPARE(folder.file()->series().front().frames, 2);
        QCOMPARE(folder.readVolume({1, "", false}).data[0], 200.0F);  // the earlier one
        QCOMPARE(folder.readVolume({2, "", false}).at(0, 0, 1), 100.0F);
        QVERIFY_EXCEPTION_THROWN((void)folder.readVolume({3, "", false}), WrongUse);
    }

    void otherObjectsAreNamed() {
        Elements mr = elements(at("0\\0\\0", 0));
        mr.text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.4");
        mr.text(0x00080060, "CS", "MR");
        save("m.dcm", mr.file("1.2.840.10008.5.1.4.1.1.4"));
        QVERIFY(sentence([&] { (void)readVolume(path("m.dcm")); }).contains("modality 'MR'"));
        saveCt();
        const VolumeReadResult read = recognise(path()).readVolumeResult();
        QVERIFY2(read.note.find("1 DICOM files") != std::string::npos, read.note.c_str());
        save("x.dcm", elements(at("-10\\-20\\17", 0)).file(kCt).chopped(5));
        QVERIFY(sentence([&] { (void)readVolume(path()); }).contains("x.dcm"));
        const VolumeReadResult one = recognise(path("a.dcm")).readVolumeResult();
        QVERIFY2(one.note.find("x.dcm") != std::string::npos, one.note.c_str());
    }

    /// DCMTK goes into each by recursion: 20,000 of them end in a crash.
    void sequencesInSequencesAreBounded() {
        const Slice slice = at("0\\0\\0", 1);
        for (const int depth : {1, 60, 70, 20000}) {
            Elements e = elements(slice);
            e.put(0x00400275, "SQ", nested(depth - 1));
            save("deep.dcm", e.file(kCt));
            const QString told = sentence([&] { (void)readVolume(path("deep.dcm")); });
            QCOMPARE(told.contains("deep in each other"), depth > 64);
            QCOMPARE(told == "accepted", depth <= 64);
        }
    }

    /// Nothing says how much it becomes but unpacking it.
    void deflatedFilesAreReadOrRefused() {
        Elements meta;
        meta.text(0x00020010, "UI", "1.2.840.10008.1.2.1.99");
        QByteArray deep = QByteArray(128, '\0') + "DICM" + meta.bytes();
        Elements e;
        e.put(0x00400275, "SQ", nested(5000));
        deep += qCompress(e.bytes()).mid(6).chopped(4);  // without Qt's and zlib's frames
        save("deep.dcm", deep);

        const QString told = sentence([&] { (void)readVolume(path("deep.dcm")); });

        QVERIFY2(told.contains("deep in each other"), qPrintable(told));
    }

    // Cut off anywhere, or with any byte changed: read or refused in one sentence, never anything else.
    void damagedFilesAreRefused() {
        Slice pet = at("0\\0\\0", 1);
        pet.kind = kPet;
        const QByteArray whole = petElements(pet).file(kPet);
        const auto read = [&] { (void)recognise(path("p.dcm")).readVolume({0, "", true}); };
        for (qsizetype size = 140; size < whole.size(); ++size) {
            save("p.dcm", whole.left(size));
            const QString told = sentence(read);
            QVERIFY2(told != "accepted" && told.contains("p.dcm"), qPrintable(QString::number(size) + told));
        }
        for (qsizetype i = 132; i < whole.size(); ++i) {
            for (const int change : {1, 0xFF}) {
                QByteArray damaged = whole;
                damaged[i] = static_cast<char>(damaged[i] ^ change);
                save("p.dcm", damaged);
                (void)sentence(read);
            }
        }
    }
};

QTEST_GUILESS_MAIN(DicomTest)

}  // namespace dicom_test
#include "dicom_test.moc"
