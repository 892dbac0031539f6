// SPDX-License-Identifier: Apache-2.0
// Sinograms and images as STIR defines them: where bins lie in the patient, scanners by name and by their
// crystals, what changes values, and what is refused.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "tests/support/refusal.h"

namespace stir_files_test {

using namespace tof;
using tof::test::refusal;

namespace {

/// A small cylinder: 4 rings of 24 crystals, two segments of span 2 and one of span 3, views mashed by 2.
constexpr int kRings = 4;
constexpr int kCrystals = 24;
constexpr int kViews = 6;
constexpr int kBins = 9;
constexpr int kTimes = 3;
constexpr double kRadius = 120;
constexpr double kSpacing = 8;
constexpr double kOffset_deg = 7;
const std::vector<std::array<int, 2>> kSegments{{-3, -2}, {-1, 1}, {2, 3}};

int floorHalf(int t) {
    return t >= 0 ? t / 2 : -((1 - t) / 2);
}

/// Planes of a segment: sums of rings, ascending.
std::vector<int> ringSums(const std::array<int, 2>& segment) {
    std::set<int> sums;
    for (int one = 0; one < kRings; ++one) {
        for (int two = 0; two < kRings; ++two) {
            if (two - one >= segment[0] && two - one <= segment[1]) {
                sums.insert(one + two);
            }
        }
    }
    return {sums.begin(), sums.end()};
}

struct Line {
    Vec3 one;
    Vec3 two;
};

/// STIR's line of a bin in STIR's axes, by its formulas (ProjDataInfoCylindricalNoArcCorr): the mean of the
/// crystal pairs' angles, the ends at the mean height of the ring pairs.
Line stirLine(const std::array<int, 2>& segment, int ringSum, int view, int t) {
    double mean1 = 0;
    int pairs = 0;
    for (int one = 0; one < kRings; ++one) {
        const int two = ringSum - one;
        if (two >= 0 && two < kRings && two - one >= segment[0] && two - one <= segment[1]) {
            mean1 += one;
            ++pairs;
        }
    }
    mean1 /= pairs;
    double psi1 = 0;
    double psi2 = 0;
    for (int i = 0; i < 2; ++i) {
        const int v = 2 * view + i;
        psi1 += 0.5 * (v + floorHalf(t)) * 2 * kPi / kCrystals;
        psi2 += 0.5 * (v + floorHalf(t) - t + kCrystals / 2) * 2 * kPi / kCrystals;
    }
    const auto at = [](double psi, double ring) {
        const double angle = psi + kOffset_deg * kRadPerDeg;
        return Vec3{kRadius * std::sin(angle), -kRadius * std::cos(angle),
                    (ring - 0.5 * (kRings - 1)) * kSpacing};
    };
    return {at(psi1, mean1), at(psi2, ringSum - mean1)};
}

/// STIR's conversion to left, posterior, superior (DiscretisedDensity.inl).
Vec3 toPatient(Vec3 p, const QByteArray& position) {
    if (position == "HFP") {
        return {-p.x, -p.y, -p.z};
    }
    if (position == "FFS") {
        return {-p.x, p.y, p.z};
    }
    if (position == "FFP") {
        return {p.x, -p.y, p.z};
    }
    return {p.x, p.y, -p.z};  // HFS, also where none is said
}

QByteArray positionKeys(const QByteArray& position) {
    if (position.isEmpty()) {
        return "";
    }
    return "patient orientation := " + QByteArray(position[0] == 'H' ? "head_in" : "feet_in") +
           "\npatient rotation := " + QByteArray(position[2] == 'S' ? "supine" : "prone") + "\n";
}

QByteArray listOf(const std::vector<int>& values) {
    QByteArray text = "{";
    for (const int value : values) {
        text += (text.size() > 1 ? "," : "") + QByteArray::number(value);
    }
    return text + "}";
}

QByteArray smallHeader(const QByteArray& more) {
    std::vector<int> planes;
    for (const auto& segment : kSegments) {
        planes.push_back(static_cast<int>(ringSums(segment).size()));
    }
    return "!INTERFILE :=\nname of data file := a.s\noriginating system := nobody's\n" + more +
           "PET data type := Emission\napplied corrections := {None}\nimagedata byte order := LITTLEENDIAN\n"
           "number format := float\nnumber of bytes per pixel := 4\nnumber of dimensions := 5\n"
           "matrix axis label [5] := timing positions\nmatrix size [5] := 3\n"
           "matrix axis label [4] := segment\nmatrix size [4] := 3\n"
           "matrix axis label [3] := axial coordinate\nmatrix size [3] := " +
           listOf(planes) +
           "\nmatrix axis label [2] := view\nmatrix size [2] := 6\n"
           "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 9\n"
           "minimum ring difference per segment := {-3,-1,2}\nmaximum ring difference per segment := "
           "{-2,1,3}\n"
           "Scanner parameters :=\nNumber of rings := 4\nNumber of detectors per ring := 24\n"
           "Inner ring diameter (cm) := 23\nAverage depth of interaction (cm) := 0.5\n"
           "Distance between rings (cm) := 0.8\nView offset (degrees) := 7\n"
           "Size of unmashed TOF time bins (ps) := 200\nTOF timing resolution (ps) := 400\n"
           "End scanner parameters :=\nnumber of time frames := 1\n!END OF INTERFILE :=\n";
}

/// Header without time bins of one plain segment; `scanner` describes or names it.
QByteArray plainHeader(const QByteArray& scanner, int planes, int views, int bins,
                       const QByteArray& differences) {
    return "!INTERFILE :=\nname of data file := a.s\n" + scanner +
           "PET data type := Emission\napplied corrections := {None}\nimagedata byte order := LITTLEENDIAN\n"
           "number format := float\nnumber of bytes per pixel := 4\nnumber of dimensions := 4\n"
           "matrix axis label [4] := segment\nmatrix size [4] := 1\n"
           "matrix axis label [3] := axial coordinate\nmatrix size [3] := {" +
           QByteArray::number(planes) +
           "}\nmatrix axis label [2] := view\nmatrix size [2] := " + QByteArray::number(views) +
           "\nmatrix axis label [1] := tangential coordinate\nmatrix size [1] := " +
           QByteArray::number(bins) + "\n" + differences + "!END OF INTERFILE :=\n";
}

const QByteArray kDirect =
    "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n";

QByteArray floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()),
            static_cast<qsizetype>(values.size() * sizeof(float))};
}

bool near(Vec3 a, Vec3 b) {
    return norm(a - b) < 1e-6;
}

}  // namespace

class StirFilesTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void binsLieInThePatientWhereStirHasThem_data() {
        QTest::addColumn<QByteArray>("position");
        for (const char* position : {"HFS", "HFP", "FFS", "FFP", ""}) {
            QTest::newRow(*position == '\0' ? "not said" : position) << QByteArray(position);
        }
    }
    void binsLieInThePatientWhereStirHasThem() {
        QFETCH(QByteArray, position);
        std::vector<Line> lines;
        std::vector<int> times;
        for (int k = 0; k < kTimes; ++k) {
            for (const auto& segment : kSegments) {
                for (const int sum : ringSums(segment)) {
                    for (int view = 0; view < kViews; ++view) {
                        for (int bin = 0; bin < kBins; ++bin) {
                            lines.push_back(stirLine(segment, sum, view, bin - kBins / 2));
                            times.push_back(k);
                        }
                    }
                }
            }
        }
        std::vector<float> numbers(lines.size());
        std::iota(numbers.begin(), numbers.end(), 1.0F);
        save("a.s", floats(numbers));

        const SinogramData data =
            readInterfileSinograms(save("a.hs", smallHeader(positionKeys(position)))).data;

        const Michelogram& m = *data.michelogram;
        QCOMPARE(m.bins(), lines.size());
        for (int angle = 0; angle < m.angles(); ++angle) {
            for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
                for (int bin = 0; bin < kBins; ++bin) {
                    for (int k = 0; k < kTimes; ++k) {
                        const auto stored = static_cast<std::size_t>(
                            data.counts[m.index(m.slotOfAngle(angle), plane, bin, k)] - 1);
                        const TransverseLine line = m.line(angle, bin);
                        const Sinogram& s = m.sinograms()[plane];
                        QVERIFY(near({line.x1, line.y1, s.z1_mm}, toPatient(lines[stored].one, position)));
                        QVERIFY(near({line.x2, line.y2, s.z2_mm}, toPatient(lines[stored].two, position)));
                        // Ours grow towards the second end, STIR's towards the first.
                        QCOMPARE(times[stored], kTimes - 1 - k);
                    }
                }
            }
        }
    }

    void turnedSinogramsSurviveTheirFile_data() { binsLieInThePatientWhereStirHasThem_data(); }
    void turnedSinogramsSurviveTheirFile() {
        QFETCH(QByteArray, position);
        std::vector<float> numbers(static_cast<std::size_t>(kTimes * 13 * kViews * kBins));
        std::iota(numbers.begin(), numbers.end(), 1.0F);
        save("a.s", floats(numbers));
        const SinogramData data =
            readInterfileSinograms(save("a.hs", smallHeader(positionKeys(position)))).data;

        const std::string again = folder_->filePath("b.hs").toStdString();
        writeInterfileSinograms(again, data);
        const SinogramData back = readInterfileSinograms(again).data;

        QVERIFY(std::abs(back.michelogram->scanner().firstAngle_rad -
                         data.michelogram->scanner().firstAngle_rad) < 1e-12);
        QCOMPARE(back.michelogram->scanner().clockwise, data.michelogram->scanner().clockwise);
        QCOMPARE(back.michelogram->spec().segments, data.michelogram->spec().segments);
        QVERIFY(back.counts == data.counts);
        QVERIFY(MichelogramSpec::fromJson(data.michelogram->spec().toJson(), "json") ==
                data.michelogram->spec());
    }

    void patientsOnTheirSideAreRefused() {
        for (const char* keys : {"patient orientation := head_in\npatient rotation := left\n",
                                 "patient orientation := feet_in\n", "patient rotation := prone\n"}) {
            const std::string path = save("a.hs", smallHeader(keys));
            QVERIFY(refusal([&] { (void)readInterfileSinograms(path); }).contains("'patient "));
        }
    }

    void blocksLieFlat() {
        const QByteArray scanner =
            "Scanner type := blocks\nNumber of rings := 4\nNumber of detectors per ring := 24\n"
            "Inner ring diameter (cm) := 20\nDistance between rings (cm) := 0.5\n"
            "Scanner geometry (BlocksOnCylindrical/Cylindrical/Generic) := BlocksOnCylindrical\n"
            "Number of blocks per bucket in transaxial direction := 1\n"
            "Number of crystals per block in axial direction := 2\n"
            "Number of crystals per block in transaxial direction := 3\n"
            "Distance between crystals in axial direction (cm) := 0.5\n"
            "Distance between crystals in transaxial direction (cm) := 0.8\n"
            "Distance between blocks in axial direction (cm) := 1.5\n"
            "Distance between blocks in transaxial direction (cm) := 2.6\n";
        std::vector<float> counts(static_cast<std::size_t>(4 * 12 * 11));
        std::iota(counts.begin(), counts.end(), 0.0F);
        save("a.s", floats(counts));
        const std::string path = save("a.hs", plainHeader(scanner, 4, 12, 11, kDirect));

        QCOMPARE(recognise(path).form(), std::string("lors"));
        const LineData data = std::get<LineData>(recognise(path).readData().data);

        const std::vector<Vec3>& points = data.events->points;
        QCOMPARE(points.size(), std::size_t{96});
        for (int place = 0; place < 24; place += 3) {
            const Vec3 first = points[static_cast<std::size_t>(place)];
            const Vec3 middle = points[static_cast<std::size_t>(place + 1)];
            const Vec3 last = points[static_cast<std::size_t>(place + 2)];
            // A block is a straight row of 8 mm steps, tangent to the cylinder at its middle.
            QVERIFY(std::abs(norm(middle - first) - 8) < 1e-9 && std::abs(norm(last - first) - 16) < 1e-9);
            QVERIFY(std::abs(std::hypot(middle.x, middle.y) - 100) < 1e-9);
            QVERIFY(std::abs(std::hypot(first.x, first.y) - std::hypot(100.0, 8.0)) < 1e-9);
        }
        // STIR's angle of the first block's middle: half a block less the share of half a crystal and the
        // gap.
        const double half = kPi / 8;
        const double middle = half - half / 26 * 2 * (4 + 2);
        QVERIFY(std::abs(std::atan2(points[1].x, -points[1].y) - middle) < 1e-12);
        // Rings: 5 mm within a block, 15 mm from block to block; ring 0 is superior, as nothing is said.
        QVERIFY(std::abs(points[0].z - 10) < 1e-9 && std::abs(points[24].z - 5) < 1e-9);
        QVERIFY(std::abs(points[48].z + 5) < 1e-9 && std::abs(points[72].z + 10) < 1e-9);
        // Plane 2, view 5, tangential 3 - 5 = -2 of the file: places 5 - 1 and 5 + 1 + 12.
        const std::size_t stored = (2 * 12 + 5) * 11 + 3;
        const auto at = std::find(data.counts.begin(), data.counts.end(), static_cast<float>(stored));
        const auto line = static_cast<std::size_t>(at - data.counts.begin());
        QVERIFY((data.events->pairs[line] == std::array<std::uint32_t, 2>{2 * 24 + 4, 2 * 24 + 18}));
    }

    void oneCrystalPerBlockIsTheCylinder() {
        const double pitch_cm = 2 * kPi * 10 / 24;
        const QByteArray pitch = QByteArray::number(pitch_cm, 'g', 17);
        const QByteArray scanner =
            "Scanner type := blocks\nNumber of rings := 1\nNumber of detectors per ring := 24\n"
            "Inner ring diameter (cm) := 20\nDistance between rings (cm) := 0.5\nView offset (degrees) := 3\n"
            "Scanner geometry (BlocksOnCylindrical/Cylindrical/Generic) := BlocksOnCylindrical\n"
            "Number of blocks per bucket in transaxial direction := 1\n"
            "Number of crystals per block in axial direction := 1\n"
            "Number of crystals per block in transaxial direction := 1\n"
            "Distance between crystals in axial direction (cm) := 0.5\n"
            "Distance between crystals in transaxial direction (cm) := " +
            pitch +
            "\nDistance between blocks in axial direction (cm) := 0.5\n"
            "Distance between blocks in transaxial direction (cm) := " +
            pitch + "\n";
        save("a.s", floats(std::vector<float>(12 * 11, 1.0F)));

        const InterfileSinograms file =
            readInterfileSinograms(save("a.hs", plainHeader(scanner, 1, 12, 11, kDirect)));

        for (std::uint32_t c = 0; c < 24; ++c) {
            QVERIFY(near(file.crystals[c], file.data.michelogram->scanner().reference(c)));
        }
    }

    void genericScannersTakeTheirMap() {
        const QByteArray scanner =
            "Scanner type := any\nNumber of rings := 1\nNumber of detectors per ring := 8\n"
            "Inner ring diameter (cm) := 10\nDistance between rings (cm) := 0.5\n"
            "Scanner geometry (Cylindrical/BlocksOnCylindrical/Generic) := Generic\n"
            "Name of crystal map := map.txt\n";
        QByteArray map = "#ring,detector,x,y,z\n";
        for (int c = 7; c >= 0; --c) {
            map += "0," + QByteArray::number(c) + "\t" + QByteArray::number(40 + c) + "," +
                   QByteArray::number(-10 * c) + ",3.5\n";
        }
        save("map.txt", map);
        save("a.s", floats(std::vector<float>(4 * 7, 2.0F)));
        const QByteArray header = plainHeader(scanner, 1, 4, 7, kDirect);

        const LineData data = std::get<LineData>(recognise(save("a.hs", header)).readData().data);

        for (int c = 0; c < 8; ++c) {
            QVERIFY(near(data.events->points[static_cast<std::size_t>(c)], {40.0 + c, -10.0 * c, 0}));
        }
        save("map.txt", map.left(map.lastIndexOf("0,0\t")));
        QVERIFY(refused(header).contains("7 of the 8 crystals"));
        save("map.txt", map + "1,0,1,2,3\n");
        QVERIFY(refused(header).contains("line 10"));
        QFile::remove(folder_->filePath("map.txt"));
        QVERIFY(refused(header).contains("map.txt"));
        QVERIFY(refused(QByteArray(header).replace("Name of", "Nothing of")).contains("Name of crystal map"));
        QVERIFY(refused(QByteArray(header).replace(":= Generic", ":= Torus")).contains("torus"));
        save("map.txt", map);
        QVERIFY(refused(QByteArray(header).replace("matrix size [2] := 4", "matrix size [2] := 2"))
                    .contains("mashing"));
    }

    void scannersAreKnownByName() {
        // STIR's own example: no dimensions but the number of rings.
        const QByteArray prt =
            plainHeader("originating system := PRT-1\nnumber of rings := 16\n", 16, 96, 128, kDirect)
                .replace("applied corrections := {None}", "applied corrections:={arc correction}");
        save("a.s", floats(std::vector<float>(16 * 96 * 128, 1.5F)));

        const SinogramData data = readInterfileSinograms(save("a.hs", prt)).data;

        const MichelogramSpec& spec = data.michelogram->spec();
        QCOMPARE(spec.scanner.crystalsPerRing, 384);
        QCOMPARE(spec.mashing, 2);
        QVERIFY(std::abs(spec.scanner.radius_mm - 380) < 1e-9);
        QVERIFY(std::abs(spec.scanner.ringSpacing_mm - 6.75) < 1e-9);
        QVERIFY(std::abs(spec.binSize_mm - 3.1088) < 1e-9);
        QVERIFY(refused(QByteArray(prt).replace("PRT-1", "PRT-9")).contains("no scanner of STIR's"));
        // What the header says goes before the table.
        const SinogramData own =
            readInterfileSinograms(
                save("b.hs", QByteArray(prt).replace("number of rings",
                                                     "Inner ring diameter (cm) := 80\nnumber of rings")))
                .data;
        QVERIFY(std::abs(own.michelogram->scanner().radius_mm - 407) < 1e-9);
    }

    void timeBinsHaveStirsDefaults() {
        QByteArray signa = plainHeader("originating system := GE Signa PET/MR\n", 45, 224, 357, kDirect);
        signa.replace(
            "number of dimensions := 4",
            "number of dimensions := 5\nmatrix axis label [5] := timing positions\nmatrix size [5] := 27");
        QFile data(folder_->filePath("a.s"));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.resize(qint64{4} * 27 * 45 * 224 * 357));
        const auto info = [&](const QByteArray& header) {
            return QString::fromStdString(recognise(save("a.hs", header)).infoJson());
        };

        QVERIFY(info(signa).contains("\"time_bin_ps\": 6.84615"));  // mashing 1 where none is said
        QVERIFY(info(signa).contains("\"timing_fwhm_ps\": 390"));
        QVERIFY(info(QByteArray(signa).replace("!END", "TOF mashing factor := 13\n!END"))
                    .contains("\"time_bin_ps\": 88.999"));
        QVERIFY(refused(QByteArray(signa).replace("Signa PET/MR", "Nova")).contains("'"));
    }

    // STIR 6.5 takes even numbers of them, too: they lie about no time as odd ones do. Vision 600 as it
    // describes itself.
    void evenNumbersOfTimeBinsAreRead() {
        const QByteArray scanner =
            "originating system := Siemens Vision 600\nnumber of rings := 2\nNumber of detectors per ring := "
            "798\n"
            "Inner ring diameter (cm) := 82\nAverage depth of interaction (cm) := 0.7\n"
            "Distance between rings (cm) := 0.329114\nDefault bin size (cm) := 0.16\nView offset (degrees) "
            ":= 1.856\n"
            "Maximum number of (unmashed) TOF time bins := 32\nSize of unmashed TOF time bins (ps) := "
            "143.231\n"
            "TOF timing resolution (ps) := 214\nTOF mashing factor := 8\n";
        QByteArray header = plainHeader(scanner, 2, 399, 3, kDirect);
        header.replace(
            "number of dimensions := 4",
            "number of dimensions := 5\nmatrix axis label [5] := timing positions\nmatrix size [5] := 4");
        std::vector<float> counts;
        for (const float value : {1.0F, 2.0F, 3.0F, 4.0F}) {
            counts.insert(counts.end(), std::size_t{2} * 399 * 3, value);
        }
        save("a.s", floats(counts));

        const SinogramData data = readInterfileSinograms(save("a.hs", header)).data;

        const TofBins& tof = data.michelogram->spec().tof;
        QCOMPARE(tof.count, 4);
        QVERIFY(std::abs(tof.width_ps - 8 * 143.231) < 1e-6);
        QCOMPARE(tof.bin(1.0), 2);
        QCOMPARE(tof.bin(-1.0), 1);
        QCOMPARE(tof.bin(1.5 * 8 * 143.231), 3);
        // STIR's last bin is nearest the first crystal, which is t1 - t2 below 0 here.
        QCOMPARE(data.counts[0], 4.0F);
        QCOMPARE(data.counts[3], 1.0F);
    }

    void fewerPlanesThanTheRingsMakeAreTheMiddleOnes() {
        const QByteArray header = plainHeader(
            "Scanner type := two\nNumber of rings := 2\nNumber of detectors per ring := 24\n"
            "Inner ring diameter (cm) := 20\nDistance between rings (cm) := 0.4\n",
            1, 12, 11,
            "minimum ring difference per segment := {-1}\nmaximum ring difference per segment := {1}\n");
        std::vector<float> counts(12 * 11);
        std::iota(counts.begin(), counts.end(), 1.0F);
        save("a.s", floats(counts));

        const InterfileSinograms file = readInterfileSinograms(save("a.hs", header));

        const Michelogram& m = *file.data.michelogram;
        QCOMPARE(m.sinograms().size(), std::size_t{3});
        QCOMPARE(m.sinograms()[1].z1_mm, 0.0);
        for (int plane = 0; plane < 3; ++plane) {
            const std::size_t bin = m.index(m.slotOfAngle(4), static_cast<std::size_t>(plane), 7);
            QCOMPARE(file.data.counts[bin], plane == 1 ? counts[4 * 11 + 7] : 0.0F);
            QCOMPARE(file.data.mult[bin], plane == 1 ? 2.0F : 0.0F);  // two pairs of rings
        }
        QVERIFY(QString::fromStdString(file.note).contains("not measured"));
        QVERIFY(refused(QByteArray(header).replace("size [3] := {1}", "size [3] := {2}"))
                    .contains("planes per segment"));
    }

    void multiplicityIsAChoiceThatIsTold() {
        const QByteArray header = plainHeader(
            "Scanner type := two\nNumber of rings := 2\nNumber of detectors per ring := 24\n"
            "Inner ring diameter (cm) := 20\nDistance between rings (cm) := 0.4\n",
            3, 6, 11,
            "minimum ring difference per segment := {-1}\nmaximum ring difference per segment := {1}\n");
        const std::string path = save("a.hs", header);
        const auto read = [&](float value, Multiplicity choice, bool normalised) {
            save("a.s", floats(std::vector<float>(3 * 6 * 11, value)));
            SinogramReadOptions options;
            options.multiplicity = choice;
            options.normalised = normalised;
            return readInterfileSinograms(path, options);
        };

        const InterfileSinograms raw = read(3, Multiplicity::Auto, false);
        const InterfileSinograms simulated = read(3.25F, Multiplicity::Auto, false);

        QVERIFY(raw.data.mult == pairMultiplicity(*raw.data.michelogram));
        QVERIFY(QString::fromStdString(raw.note).contains("--multiplicity no"));
        QVERIFY(simulated.data.mult.empty());
        QVERIFY(QString::fromStdString(simulated.note).contains("--multiplicity yes"));
        QVERIFY(read(3, Multiplicity::Auto, true).data.mult.empty());
        QVERIFY(read(3, Multiplicity::No, false).data.mult.empty() &&
                read(3, Multiplicity::No, false).note.empty());
        QVERIFY(!read(3.25F, Multiplicity::Yes, false).data.mult.empty());
    }

    void framesAreChosen() {
        QByteArray header = plainHeader("originating system := RATPET\n", 8, 56, 5, kDirect);
        header.replace("!END", "number of time frames := 2\nimage scaling factor[2] := 3\n!END");
        std::vector<float> counts(2 * 8 * 56 * 5, 1.0F);
        std::fill(counts.begin() + 8 * 56 * 5, counts.end(), 2.0F);
        save("a.s", floats(counts));
        const std::string path = save("a.hs", header);
        SinogramReadOptions second;
        second.frame = 2;

        QVERIFY(refusal([&] { (void)readInterfileSinograms(path); }).contains("--frame"));
        QCOMPARE(readInterfileSinograms(path, second).data.counts.front(), 6.0F);
        second.frame = 3;
        QVERIFY(refusal([&] { (void)readInterfileSinograms(path, second); }).contains("no frame 3"));
    }

    void whatDoesNotFitTheMemoryIsRefusedBeforehand() {
        QByteArray header = plainHeader("originating system := UPENN_6rings\n", 336, 297, 500, kDirect);
        header.replace(
            "number of dimensions := 4",
            "number of dimensions := 5\nmatrix axis label [5] := timing positions\nmatrix size [5] := 4096");
        QFile data(folder_->filePath("a.s"));
        if (!data.open(QIODevice::WriteOnly) || !data.resize(qint64{4} * 336 * 297 * 500 * 4096)) {
            QSKIP("this file system has no sparse files of 800 GB");
        }
        QVERIFY(refused(header).contains("memory"));
    }

    void keysThatChangeValuesAreHonoured_data() {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<float>("value");  // the stored 16-bit 0x0102, little-endian 513, big-endian 258
        QTest::newRow("Siemens' byte order")
            << QByteArray("image data byte order := LITTLEENDIAN\n") << 513.0F;
        QTest::newRow("CASToR's rescaling")
            << QByteArray("data rescale slope := 2\ndata rescale offset := -1\n") << 515.0F;
        QTest::newRow("Siemens' slope") << QByteArray("%image slope := 3\n%image intercept := 1\n") << 775.0F;
        QTest::newRow("Siemens' scale factor") << QByteArray("scale factor := 0.5\n") << 129.0F;
        QTest::newRow("numeric units") << QByteArray("quantification units := 4\n") << 1032.0F;
        QTest::newRow("units in words") << QByteArray("quantification units := Bq/ml\n") << 258.0F;
        QTest::newRow("a key with a unit") << QByteArray("Patient Weight [kg] := 70\n") << 258.0F;
        QTest::newRow("a title without a mark") << QByteArray("!GENERAL IMAGE DATA\n") << 258.0F;
    }
    void keysThatChangeValuesAreHonoured() {
        QFETCH(QByteArray, keys);
        QFETCH(float, value);
        save("i.v", QByteArray::fromHex("01020102"));

        const Volume volume = readVolume(save("i.hv", imageHeader(keys)));

        QCOMPARE(volume.data, (std::vector<float>{value, value}));
        QCOMPARE(volume.units, keys.contains("Bq") ? std::string("Bq/ml") : std::string());
    }

    void keysThatCannotBeHonouredAreNamed_data() {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* keys, const char* named) {
            QTest::newRow(keys) << QByteArray(keys) + "\n" << QString(named);
        };
        row("image data byte order := LITTLEENDIAN\nimagedata byte order := BIGENDIAN", "byte order");
        row("data rescale slope := 2\n%image slope := 3", "'%image slope'");
        row("data rescale offset := 2\nimage scaling factor [1] := 3", "'image scaling factor'");
        row("scale factor := 0", "'scale factor'");
        row("matrix axis label [1] := w", "'matrix axis label'");
        row("matrix axis label [1] := y", "'matrix axis label'");
        row("data compression := zip", "'data compression'");
        row("process status := Acquired", "'process status'");
        row("slice orientation := Coronal", "'slice orientation'");
        row("number of time frames := 2\nnumber of time gates := 2", "split it");
    }
    void keysThatCannotBeHonouredAreNamed() {
        QFETCH(QByteArray, keys);
        QFETCH(QString, named);
        save("i.v", QByteArray(64, '\1'));
        const std::string path = save("i.hv", imageHeader(keys));
        const QString sentence = refusal([&] { (void)readVolume(path); });
        QVERIFY2(sentence.contains(named), qPrintable(sentence));
    }

    void labelledAxesArePutInOrder() {
        // Stored z fastest, x slowest: two along z, three along x.
        const QByteArray header =
            "!INTERFILE :=\nname of data file := i.v\nnumber of bytes per pixel := 1\nnumber of dimensions "
            ":= 3\n"
            "matrix axis label [1] := z\nmatrix axis label [2] := y\nmatrix axis label [3] := x\n"
            "matrix size [1] := 2\nmatrix size [2] := 1\nmatrix size [3] := 3\n"
            "scaling factor (mm/pixel) [1] := 5\nscaling factor (mm/pixel) [2] := 2\nscaling factor "
            "(mm/pixel) [3] := 3\n"
            "!END OF INTERFILE :=\n";
        save("i.v", QByteArray::fromHex("010203040506"));

        const Volume volume = readVolume(save("i.hv", header));

        QVERIFY((volume.lattice.size == std::array<int, 3>{3, 1, 2}));
        QVERIFY((volume.lattice.spacing_mm == std::array<double, 3>{3, 2, 5}));
        QCOMPARE(volume.data, (std::vector<float>{2, 4, 6, 1, 3, 5}));  // superior last: the first slice
    }

    void interfile33HasSlicesAndPixels() {
        const QByteArray header =
            "\xEF\xBB\xBF!INTERFILE :=\n!imaging modality := nucmed\n!version of keys := 3.3\n"
            "!GENERAL DATA :=\n!data starting block := 1\n!name of data file := i.v\n"
            "patient name := none\nPatient Weight [kg] := 70\n!GENERAL IMAGE DATA :=\n"
            "!type of data := Tomographic\n!total number of images := 3\nimagedata byte order := "
            "LITTLEENDIAN\n"
            "!matrix size [1] := 2\n!matrix size [2] := 1\n!number format := long float\n"
            "!number of bytes per pixel := 8\nscaling factor (mm/pixel) [1] := +2.5\n"
            "scaling factor (mm/pixel) [2] := +2.5\n!process status := Reconstructed\n!number of slices := "
            "3\n"
            "slice thickness (pixels) := 2\nslice orientation := Transverse\n!END OF INTERFILE :=\n";
        const std::vector<double> stored{1, 2, 3, 4, 5, 6};
        save("i.v", QByteArray(2048, 'x') + QByteArray(reinterpret_cast<const char*>(stored.data()), 48));

        const Volume volume = readVolume(save("i.h33", header));

        QVERIFY((volume.lattice.size == std::array<int, 3>{2, 1, 3}));
        QCOMPARE(volume.lattice.spacing_mm[2], 5.0);
        // Plain Interfile has no order of slices; they are taken from feet to head, which a note says.
        QCOMPARE(volume.data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    }

    void knownScannersAreTurnedAndSayIt() {
        const auto noteOf = [&](const QByteArray& more) {
            const std::string path =
                save("k.hs", plainHeader("originating system := ECAT 953\n" + more, 16, 192, 160, kDirect));
            return QString::fromStdString(recognise(path).infoJson());
        };
        QVERIFY2(noteOf("").contains("15 is taken"), qPrintable(noteOf("")));
        QVERIFY(!noteOf("View offset (degrees) := 0\n").contains("is taken"));
        QVERIFY(!noteOf("View offset (degrees) := 15\n").contains("is taken"));
    }

    void framesOfImagesAreChosen() {
        save("i.v", QByteArray::fromHex("0001000100020002"));
        const std::string path =
            save("i.hv", imageHeader("number of time frames := 2\nimage scaling factor[2] := 10\n"));
        VolumeReadOptions options;
        options.frame = 2;

        QVERIFY(refusal([&] { (void)readVolume(path); }).contains("--frame 1 to --frame 2"));
        QCOMPARE(recognise(path).readVolumeResult(options).volume.data.front(), 20.0F);
        QVERIFY(QString::fromStdString(recognise(path).infoJson()).contains("\"frames\": 2"));
    }

  private:
    std::string save(const QString& name, const QByteArray& bytes) {
        QFile file(folder_->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            throw std::runtime_error("cannot write");
        }
        return file.fileName().toStdString();
    }
    QString refused(const QByteArray& header) {
        const std::string path = save("r.hs", header);
        return refusal([&] { (void)readInterfileSinograms(path); });
    }
    static QByteArray imageHeader(const QByteArray& more) {
        return "!INTERFILE :=\nname of data file := i.v\nnumber of bytes per pixel := 2\nnumber of "
               "dimensions := 3\n"
               "matrix size [1] := 2\nmatrix size [2] := 1\nmatrix size [3] := 1\nscaling factor (mm/pixel) "
               "[1] := 4\n"
               "scaling factor (mm/pixel) [2] := 4\nscaling factor (mm/pixel) [3] := 4\n" +
               more + "!END OF INTERFILE :=\n";
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(StirFilesTest)

}  // namespace stir_files_test
#include "stir_files_test.moc"
