// SPDX-License-Identifier: Apache-2.0
// CASToR list-mode written here byte by byte from the format's description: an off-centre point source in a
// ring, with time differences from the true distances.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/scanner/scanner.h"

namespace io_castor_test {

using namespace tof;

namespace {

constexpr int kSectors = 32;
constexpr int kColumns = 4;
constexpr int kRings = 3;
constexpr double kRadius_mm = 100;  // front faces
constexpr double kDepth_mm = 20;
constexpr double kPitch_mm = 4.5;  // crystals of 4 mm, gaps of 0.5
constexpr double kLight_mm_ps = 0.299792458;
constexpr Vec3 kSource{20, -15, 3};  // to the patient's left, towards the front: above the centre

const QByteArray kGeom =
    "# made for a test\nmodality: PET\nscanner name: ring\nnumber of elements: 384\nnumber of layers: 1\n"
    "scanner radius: 100\nnumber of rsectors : 32\nnumber of crystals transaxial: 4\nnumber of crystals "
    "axial: 3\n"
    "crystals size depth: 20\ncrystals size transaxial: 4\ncrystals size axial: 4\ncrystal gap transaxial: "
    "0.5\n"
    "crystal gap axial: 0.5 # mm\nvoxels number transaxial: 10\nvoxels number axial: 10\n"
    "field of view transaxial: 120\nfield of view axial: 13\n";

/// Centre of a crystal in our frame, from words: the first rsector is above the centre, the next ones follow
/// clockwise as seen from the front, where the patient's left is on the right.
Vec3 crystalCentre(int index) {
    const int ring = index / (kSectors * kColumns);
    const int sector = index / kColumns % kSectors;
    const int column = index % kColumns;
    const double angle = 2 * kPi * sector / kSectors;
    const double along = (column - 0.5 * (kColumns - 1)) * kPitch_mm;
    const double r = kRadius_mm + 0.5 * kDepth_mm;
    const double right = r * std::sin(angle) + along * std::cos(angle);
    const double up = r * std::cos(angle) - along * std::sin(angle);
    return {right, -up, (ring - 0.5 * (kRings - 1)) * kPitch_mm};
}

struct Pair {
    quint32 first;
    quint32 second;
    float dt_ps;
};

/// Crystal pairs whose line passes the source within 2.5 mm.
std::vector<Pair> sourcePairs() {
    std::vector<Pair> pairs;
    const int crystals = kSectors * kColumns * kRings;
    for (int a = 0; a < crystals; ++a) {
        for (int b = 0; b < crystals; ++b) {
            const Vec3 p = crystalCentre(a);
            const Vec3 q = crystalCentre(b);
            if (a == b || norm(q - p) < kRadius_mm) {
                continue;
            }
            if (norm(cross(kSource - p, normalized(q - p))) < 2.5) {
                const double dt = (norm(kSource - p) - norm(kSource - q)) / kLight_mm_ps;
                pairs.push_back({static_cast<quint32>(a), static_cast<quint32>(b), static_cast<float>(dt)});
            }
        }
    }
    return pairs;
}

template <class T>
void put(QByteArray& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

struct Flags {
    bool corrections = false;
    bool kind = false;
};

QByteArray eventBytes(const std::vector<Pair>& pairs, Flags flags) {
    QByteArray bytes;
    quint32 time = 0;
    for (const Pair& pair : pairs) {
        put(bytes, time++);
        if (flags.corrections) {
            put(bytes, 1.25F);  // attenuation
        }
        if (flags.kind) {
            put(bytes, static_cast<quint8>(time % 4 + 1));
        }
        if (flags.corrections) {
            put(bytes, 0.5F);   // scatter rate
            put(bytes, 0.25F);  // random rate
            put(bytes, 2.0F);   // normalisation
        }
        put(bytes, pair.dt_ps);
        put(bytes, pair.first);
        put(bytes, pair.second);
    }
    return bytes;
}

QByteArray dataHeader(std::size_t events, const QByteArray& more = {}) {
    return "Scanner name: ring\nData filename: events.cdf\nNumber of events: " + QByteArray::number(events) +
           "\nData mode: list-mode\nData type: PET\nStart time (s): 0\nDuration (s): 60\n"
           "TOF information flag: 1\nTOF resolution (ps): 400\nList TOF measurement range (ps): 2000\n" +
           more;
}

QByteArray flagLines(Flags flags) {
    QByteArray lines;
    if (flags.corrections) {
        lines +=
            "Attenuation correction flag: 1\nScatter correction flag: 1\nRandom correction flag: 1\n"
            "Normalization correction flag: 1\n";
    }
    return lines + (flags.kind ? "Coincidence kind flag: 1\n" : "");
}

}  // namespace

class IoCastorTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::vector<Pair> pairs_ = sourcePairs();

    std::string file(const char* name) const { return folder_->filePath(name).toStdString(); }
    void save(const char* name, const QByteArray& bytes) const {
        QFile out(folder_->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    void saveAll(Flags flags = {}, const QByteArray& more = {}) const {
        save("ring.geom", kGeom);
        save("events.cdf", eventBytes(pairs_, flags));
        save("events.cdh", dataHeader(pairs_.size(), flagLines(flags) + more));
    }
    std::string refusal(const ListReadOptions& options = {}) const {
        try {
            (void)readEvents(file("events.cdh"), options);
        } catch (const BadInput& fault) {
            return fault.what();
        }
        return "";
    }
    void verifySource(const EventList& events) const {
        const Scanner scanner = Scanner::fromJson(events.scannerJson, "events");
        QCOMPARE(events.size(), pairs_.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Vec3 c1 = scanner.reference(events.crystals[i][0]);
            const Vec3 c2 = scanner.reference(events.crystals[i][1]);
            const Vec3 place =
                0.5 * (c1 + c2) + kMmPerPs * static_cast<double>(events.dt_ps[i]) * normalized(c2 - c1);
            // Across the line up to 2.5 mm, by choice of pairs; along it the difference of two distances
            // bends by less than 2.5^2 / (2 * 60) mm.
            QVERIFY2(norm(place - kSource) < 2.56, qPrintable(QString::number(norm(place - kSource))));
        }
    }

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void pointSourceIsWhereItWasPut_data() {
        QTest::addColumn<bool>("corrections");
        QTest::addColumn<bool>("kind");
        QTest::newRow("bare events") << false << false;
        QTest::newRow("every correction") << true << false;
        QTest::newRow("kinds") << false << true;
        QTest::newRow("everything") << true << true;
    }
    void pointSourceIsWhereItWasPut() {
        QFETCH(bool, corrections);
        QFETCH(bool, kind);
        QVERIFY(pairs_.size() > 100);
        saveAll({corrections, kind});

        const ListReadResult result = readEvents(file("events.cdh"));

        verifySource(result.events);
        QCOMPARE(result.announced, pairs_.size());
        QCOMPARE(result.events.duration_s, 60.0);
        // Attenuation of events alone changes no image, which is said.
        QCOMPARE(result.note.empty(), !corrections);
        QCOMPARE(result.note.find("--mu or --corrections") != std::string::npos, corrections);
        QCOMPARE(result.events.mult.size(), corrections ? pairs_.size() : 0);
        QCOMPARE(result.events.add.size(), corrections ? pairs_.size() : 0);
        if (corrections) {
            // Factors of 1.25 and 2; 60 s of 0.5 counts/s per mm and 0.25 counts/s over 2000 ps.
            QCOMPARE(result.events.mult[3], 0.4F);
            QCOMPARE(result.events.add[3], static_cast<float>(60 * (0.5 * kMmPerPs + 0.25 / 2000)));
        }
        QCOMPARE(result.events.kind.size(), kind ? pairs_.size() : 0);
        if (kind) {  // stored 2, 3, 4, 1, ...: scattered once, more than once, random, true
            QVERIFY(result.events.kind[0] == EventKind::Scattered &&
                    result.events.kind[1] == EventKind::Scattered);
            QVERIFY(result.events.kind[2] == EventKind::Random && result.events.kind[3] == EventKind::True);
        }
        QVERIFY(fileKind(file("events.cdh")) == FileKind::List);
    }

    // The header as CASToR 3.2 writes it, cut down: a title without ':=', offsets 0 for "centred". The point
    // of its left-handed axes (y up) is the source that the events above come from.
    void imagesLieWhereTheirEventsAre_data() {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("offset");
        QTest::addColumn<double>("shift_mm");
        QTest::newRow("3.2") << QByteArray("!version of keys := CASToRv3.2\nCASToR version := 3.2\n")
                             << QByteArray("0") << 0.0;
        QTest::newRow("keys alone") << QByteArray("!version of keys := CASToRv3.1.1\n") << QByteArray("0")
                                    << 0.0;
        QTest::newRow("shifted field") << QByteArray("CASToR version := 3.2\n") << QByteArray("2") << 2.0;
    }
    void imagesLieWhereTheirEventsAre() {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, offset);
        QFETCH(double, shift_mm);
        constexpr int kX = 13;
        constexpr int kY = 11;
        constexpr int kZ = 5;
        std::vector<float> values(static_cast<std::size_t>(kX * kY * kZ), 0.0F);
        values[static_cast<std::size_t>((3 * kY + 8) * kX + 10)] = 7.0F;  // (20, 15, 3) mm with y up
        save("map.img", QByteArray(reinterpret_cast<const char*>(values.data()),
                                   static_cast<qsizetype>(values.size() * sizeof(float))));
        QByteArray header = "!INTERFILE := \n!imaging modality := PET\n" + version +
                            "!GENERAL DATA := \n!data offset in bytes := 0\n!name of data file := map.img\n\n"
                            "!GENERAL IMAGE DATA \n!type of data := Static\n!total number of images := 5\n"
                            "imagedata byte order := LITTLEENDIAN\n!number of frame groups :=1 \n"
                            "process status := \n\n!STATIC STUDY (General) :=\nnumber of dimensions := 3\n"
                            "!number format := short float\n!number of bytes per pixel := 4\n";
        const std::array<const char*, 3> kSize{"13", "11", "5"};
        const std::array<const char*, 3> kSpacing{"5", "5", "3"};
        for (int axis = 0; axis < 3; ++axis) {
            const QByteArray index = " [" + QByteArray::number(axis + 1) + "] := ";
            header += "!matrix size" + index + kSize.at(static_cast<std::size_t>(axis)) +
                      "\nscaling factor (mm/pixel)" + index + kSpacing.at(static_cast<std::size_t>(axis)) +
                      "\nfirst pixel offset (mm)" + index + offset + "\n";
        }
        save("map.hdr", header +
                            "data rescale offset := 0\ndata rescale slope := 1\nquantification units := 1\n"
                            "!END OF INTERFILE := \n\n!COPY OF INPUT HEADER 1\nData filename: test.cdf\n");

        const Volume volume = readVolume(file("map.hdr"));

        const auto hottest = std::max_element(volume.data.begin(), volume.data.end());
        const Vec3 at = volume.lattice.centre(
            volume.lattice.voxel(static_cast<std::size_t>(hottest - volume.data.begin())));
        QCOMPARE(*hottest, 7.0F);
        QVERIFY(norm(at - (kSource + Vec3{shift_mm, -shift_mm, shift_mm})) < 1e-9);
    }

    void crystalsStandWhereTheGeometrySays() {
        saveAll();

        const EventList events = readEvents(file("events.cdh")).events;
        const Scanner scanner = Scanner::fromJson(events.scannerJson, "events");

        QCOMPARE(scanner.crystals.size(), 384U);
        QCOMPARE(scanner.timing_fwhm_ps, 400.0);
        QCOMPARE(scanner.fovRadius_mm, 60.0);
        const double acceptance = std::atan2(13.0, 2 * std::hypot(100.0, 6.75));
        QVERIFY(std::abs(scanner.acceptance_rad - acceptance) < 1e-8);  // coordinates are kept to 1e-6 mm
        for (int i = 0; i < 384; ++i) {
            const Crystal& crystal = scanner.crystals[static_cast<std::size_t>(i)];
            QVERIFY(norm(scanner.reference(static_cast<std::uint32_t>(i)) - crystalCentre(i)) < 1e-5);
            QVERIFY(norm(crystal.front + 10 * crystal.outward - crystalCentre(i)) < 1e-5);
        }
        // The first rsector is above the centre, the ninth a quarter turn clockwise: on the patient's left.
        QVERIFY(scanner.crystals[1].front.y < -99.9 && scanner.crystals[8 * 4 + 1].front.x > 99.9);
    }

    void anticlockwiseScannersAreMirrored() {
        saveAll();
        save("ring.geom", kGeom + "rotation direction: CCW\n");

        const Scanner scanner =
            Scanner::fromJson(readEvents(file("events.cdh")).events.scannerJson, "events");

        for (int i = 0; i < 384; ++i) {
            const Vec3 clockwise = crystalCentre(i);
            const Vec3 mirrored{-clockwise.x, clockwise.y, clockwise.z};
            QVERIFY(norm(scanner.reference(static_cast<std::uint32_t>(i)) - mirrored) < 1e-5);
        }
    }

    // Two modules of two submodules of one crystal make the same rsector as four crystals when the gaps
    // agree.
    void modulesAndSubmodulesNest() {
        saveAll();
        QByteArray nested = kGeom;
        nested.replace("number of crystals transaxial: 4", "number of crystals transaxial: 1");
        nested +=
            "number of modules transaxial: 2\nnumber of submodules transaxial: 2\n"
            "module gap transaxial: 0.5\nsubmodule gap transaxial: 0.5\n";
        save("ring.geom", nested);

        verifySource(readEvents(file("events.cdh")).events);
    }

    void ratesOverNoTimeAreTold() {
        saveAll({true, false});
        const float overMinute = readEvents(file("events.cdh")).events.add.front();
        save("events.cdh", dataHeader(pairs_.size(), flagLines({true, false})).replace("(s): 60", "(s): 0"));
        const ListReadResult read = readEvents(file("events.cdh"));
        QVERIFY(std::abs(60 * read.events.add.front() / overMinute - 1) < 1e-5F);
        QVERIFY2(read.note.find("'Duration (s)' is 0") != std::string::npos, read.note.c_str());
    }

    /// Interpolated estimates of scatter lie below zero by nothing.
    void undershootsOfRatesAreZero() {
        QCOMPARE(castorAdditive("d", 0, -1e-28), 0.0F);
        QCOMPARE(castorAdditive("d", 0, 2.5), 2.5F);
        QVERIFY_EXCEPTION_THROWN((void)castorAdditive("d", 0, -0.5), BadInput);
    }

    void depthOfInteractionMovesTheReference() {
        saveAll();
        save("ring.geom", kGeom + "mean depth of interaction: 4\n");

        const Scanner scanner =
            Scanner::fromJson(readEvents(file("events.cdh")).events.scannerJson, "events");

        const Vec3 reference = scanner.reference(1);
        QVERIFY(std::abs(reference.y + 104.0) < 1e-5);
        QVERIFY(std::abs(scanner.crystals[1].front.y + 100.0) < 1e-5);
    }

    void tablesDescribeScannersToo_data() {
        QTest::addColumn<float>("sign");
        QTest::newRow("directions outwards") << 1.0F;
        QTest::newRow("directions inwards") << -1.0F;
    }
    void tablesDescribeScannersToo() {
        QFETCH(float, sign);
        saveAll();
        QVERIFY(QFile::remove(folder_->filePath("ring.geom")));
        QByteArray table;
        for (int i = 0; i < 384; ++i) {
            const Vec3 c = crystalCentre(i);
            const double angle = 2 * kPi * (i / kColumns % kSectors) / kSectors;
            for (const double value : {c.x, -c.y, c.z}) {  // their y points up
                put(table, static_cast<float>(value));
            }
            put(table, sign * static_cast<float>(std::sin(angle)));
            put(table, sign * static_cast<float>(std::cos(angle)));
            put(table, 0.0F);
        }
        save("ring.lut", table);
        save("ring.hscan",
             "scanner name: ring\nmodality: PET\nnumber of elements: 384\nnumber of layers: 1\n"
             "number of crystals in layer(s): 384\ncrystals size depth: 20\ncrystals size transaxial: 4\n"
             "crystals size axial: 4\nscanner radius: 100\n");

        const EventList events = readEvents(file("events.cdh")).events;

        verifySource(events);
        const Scanner scanner = Scanner::fromJson(events.scannerJson, "events");
        QVERIFY(std::abs(scanner.crystals[1].front.y + 100.0) < 1e-4);
    }

    /// 32 x 4 crystals on each of 3 rings of radius 110, 4.5 mm apart, as CASToR's table, and `header`.
    void saveTable(const QByteArray& header) const {
        QByteArray table;
        for (int i = 0; i < 384; ++i) {
            const Vec3 c = crystalCentre(i);
            for (const double value : {c.x, -c.y, c.z, c.x / 110, -c.y / 110, 0.0}) {
                put(table, static_cast<float>(value));
            }
        }
        save("ring.lut", table);
        save("ring.hscan", header);
    }

    // What CASToR 3.1.1 itself asks of a table's header (iScannerPET.cc): crystals, and their depth.
    void tablesNeedWhatCastorNeeds_data() {
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<double>("transaxial_mm");
        QTest::addColumn<double>("axial_mm");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* name, const char* more, double transaxial, double axial,
                            const char* told) {
            QTest::newRow(name) << QByteArray(more) << transaxial << axial << QString(told);
        };
        row("least", "", 4.5, 4.5, "crystals size trans");
        row("short keys",
            "crystals size trans: 4\ncrystals size axial: 4.25\nnumber of crystals in layer: 384\n", 4, 4.25,
            "");
        row("a name", "scanner name: other\ncrystals size transaxial: 4\ncrystals size axial: 4\n", 4, 4, "");
        row("two fields of view",
            "crystals size trans: 4\ncrystals size axial: 4\nfield of view transaxial: 170,170\n", 4, 4, "");
        row("overlap", "crystals size trans: 4\ncrystals size axial: 9\n", 4, 9, "overlap");
        row("byte order mark", "\nnumber of layers: 1\ncrystals size trans: 4\ncrystals size axial: 4\n", 4,
            4, "");
    }
    void tablesNeedWhatCastorNeeds() {
        QFETCH(QByteArray, more);
        QFETCH(double, transaxial_mm);
        QFETCH(double, axial_mm);
        QFETCH(QString, told);
        saveAll();
        QVERIFY(QFile::remove(folder_->filePath("ring.geom")));
        saveTable("\xEF\xBB\xBFmodality: PET\nnumber of elements: 384\ncrystals size depth: 20\n" + more);
        QByteArray header = dataHeader(pairs_.size());
        header.replace("list-mode", "listmode");
        save("events.cdh", "\xEF\xBB\xBF" + header);

        const ListReadResult list = readEvents(file("events.cdh"));

        verifySource(list.events);
        const Scanner scanner = Scanner::fromJson(list.events.scannerJson, "events");
        QCOMPARE(scanner.name, std::string(more.startsWith("scanner") ? "other" : "ring"));
        QVERIFY(std::abs(scanner.crystalSize_mm[0] - transaxial_mm) < 1e-4);
        QVERIFY(std::abs(scanner.crystalSize_mm[1] - axial_mm) < 1e-4);
        QCOMPARE(scanner.crystalSize_mm[2], 20.0);
        QVERIFY2(told.isEmpty() ? list.note.empty() : QString::fromStdString(list.note).contains(told),
                 list.note.c_str());
        if (more.contains("170")) {
            QCOMPARE(scanner.fovRadius_mm, 85.0);
        }
    }

    void timesOfFlightNeedTheirResolution() {
        saveAll();
        QByteArray header = dataHeader(pairs_.size());
        header.replace("TOF resolution (ps): 400\n", "");
        save("events.cdh", header);

        const std::string sentence = refusal();

        QVERIFY2(sentence.find("'TOF resolution (ps)'") != std::string::npos, sentence.c_str());
        header.replace("TOF information flag: 1", "TOF information flag: 0");
        save("events.cdh", header);
        QVERIFY(refusal().find("'Number of events' makes events of 16 bytes") != std::string::npos);
        QVERIFY(refusal().find("CASToR 3.2") != std::string::npos);
        save("events.cdh", dataHeader(pairs_.size()) + "Per event TOF resolution flag: 1\n");
        QVERIFY(refusal().find("'Per event TOF resolution flag' is 1") != std::string::npos);
        save("events.cdh", dataHeader(pairs_.size()) + "Per event TOF resolution flag: 0\n");
        QVERIFY(readEvents(file("events.cdh")).note.find("Calibration") == std::string::npos);
        save("events.cdh", dataHeader(pairs_.size()) + "Calibration factor: 2.5\n");
        QVERIFY(readEvents(file("events.cdh")).note.find("'Calibration factor' is 2.5; images take it by") !=
                std::string::npos);
        save("events.cdh", dataHeader(pairs_.size()) + "Calibration factor: 0\n");
        QVERIFY(refusal().find("'Calibration factor' is 0") != std::string::npos);
    }

    void scannerMayBeGiven() {
        saveAll();
        QVERIFY(QFile::rename(folder_->filePath("ring.geom"), folder_->filePath("elsewhere.geom")));

        QVERIFY(refusal().find("--scanner") != std::string::npos);
        verifySource(readEvents(file("events.cdh"), {false, file("elsewhere.geom")}).events);
    }

    void truncatedDataAreReadOnlyOnRequest() {
        saveAll();
        QVERIFY(QFile::resize(folder_->filePath("events.cdf"), 10 * 16 + 5));

        QVERIFY(refusal().find("10 of " + std::to_string(pairs_.size())) != std::string::npos);
        const ListReadResult result = readEvents(file("events.cdh"), {true, ""});

        QCOMPARE(result.events.size(), 10U);
        QCOMPARE(result.announced, pairs_.size());
        QVERIFY(result.note.find(std::to_string(pairs_.size() - 10) + " are missing") != std::string::npos);
    }

    void listIsConvertedToHdf5() {
        saveAll();

        QCOMPARE(convertFile(file("events.cdh"), file("events.h5")), std::string());

        verifySource(readEvents(file("events.h5")).events);
        QVERIFY_EXCEPTION_THROWN((void)convertFile(file("events.cdh"), file("events.nii")), WrongUse);
    }

    void unsupportedFieldsAreNamed_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* field, const char* value) {
            QTest::newRow(field) << QByteArray(field) << QByteArray(field) + ": " + value + "\n";
        };
        row("Data mode", "histogram");
        row("Data type", "SPECT");
        row("Maximum number of lines per event", "3");
        row("POI capability", "1,-1,-1");
        row("Number of events", "-3");
        row("Number of events", "1e30");
        row("Attenuation correction flag", "yes");
        row("Duration (s)", "nan");
        row("Data filename", "missing.cdf");
    }
    void unsupportedFieldsAreNamed() {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, line);
        saveAll();
        QByteArrayList lines = dataHeader(pairs_.size()).split('\n');
        lines.removeIf([&](const QByteArray& usual) { return usual.startsWith(field + ":"); });
        save("events.cdh", line + lines.join('\n'));

        QVERIFY2(refusal().find("'" + field.toStdString() + "'") != std::string::npos, refusal().c_str());
    }

    void eventsWithoutTimesHaveNone() {
        save("ring.geom", kGeom);
        QByteArray bytes;
        for (quint32 i = 0; i < 5; ++i) {
            put(bytes, i);
            put(bytes, i);
            put(bytes, 300 + i);
        }
        save("events.cdf", bytes);
        save("events.cdh", dataHeader(5).replace("TOF information flag: 1", "TOF information flag: 0"));

        const ListReadResult list = readEvents(file("events.cdh"));

        QCOMPARE(list.events.crystals.back(), (std::array<std::uint32_t, 2>{4, 304}));
        QVERIFY(list.events.dt_ps.empty());
    }

    void wrongSizesAndNumbersAreRefused() {
        saveAll();
        save("events.cdh",
             dataHeader(pairs_.size(), "Random correction flag: 1\n"));  // 4 bytes more per event
        QVERIFY(refusal().find("truncated") != std::string::npos);

        save("events.cdh", dataHeader(pairs_.size() - 1));
        QVERIFY(refusal().find("'Number of events'") != std::string::npos);

        saveAll();
        QByteArray events = eventBytes(pairs_, {});
        const quint32 absurd = 384;
        std::memcpy(events.data() + 12, &absurd, 4);
        save("events.cdf", events);
        QVERIFY(refusal().find("crystal 384") != std::string::npos);

        const float never = std::nanf("");
        events = eventBytes(pairs_, {});
        std::memcpy(events.data() + 4, &never, 4);
        save("events.cdf", events);
        QVERIFY(refusal().find("time difference") != std::string::npos);
    }

    void hostileGeometriesAreRefused_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("more elements than crystals") << QByteArray("number of elements") << QByteArray("385");
        QTest::newRow("absurdly many elements") << QByteArray("number of elements") << QByteArray("4e9");
        QTest::newRow("absurdly many rsectors") << QByteArray("number of rsectors") << QByteArray("100000");
        QTest::newRow("no rsectors") << QByteArray("number of rsectors") << QByteArray("0");
        QTest::newRow("half a crystal") << QByteArray("number of crystals axial") << QByteArray("1.5");
        QTest::newRow("no radius") << QByteArray("scanner radius") << QByteArray("nan");
        QTest::newRow("a list for one layer") << QByteArray("scanner radius") << QByteArray("1,2,3");
        QTest::newRow("no layers") << QByteArray("number of layers") << QByteArray("0");
    }
    void hostileGeometriesAreRefused() {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, value);
        saveAll();
        save("ring.geom", field + ": " + value + "\n" + kGeom);

        const std::string sentence = refusal();

        QVERIFY2(sentence.find("ring.geom: field '") != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(IoCastorTest)

}  // namespace io_castor_test
#include "io_castor_test.moc"
