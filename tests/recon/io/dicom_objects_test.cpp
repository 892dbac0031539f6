// SPDX-License-Identifier: Apache-2.0
// Objects of DICOM that hold many images, or none: enhanced PET, segmentations, structure sets.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/study/label_map.h"
#include "tests/support/dicom_objects.h"

namespace dicom_objects_test {

using namespace tof;
using namespace tof::test;

class DicomObjectsTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;

    std::string path(const char* name = "") const { return folder_->filePath(name).toStdString(); }
    void save(const char* name, const QByteArray& bytes) const {
        QFile out(folder_->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    static QString sentence(const std::function<void()>& what) {
        try {
            what();
        } catch (const BadInput& refused) {
            return refused.what();
        }
        return "accepted";
    }
    QString refusal(const char* name) const {
        return sentence([&] { (void)recognise(path(name)).readVolumeResult(VolumeReadOptions{1}); });
    }
    /// A PET image of 6 x 5 pixels of 1.5 and 2.5 mm from (-10, -20, z) on, of series 1.2.3.10.
    void saveImage(const char* name, double z) const {
        Elements e;
        e.text(0x00080016, "UI", kPet);
        e.text(0x0020000E, "UI", "1.2.3.10");
        e.text(0x00280030, "DS", "2.5\\1.5");
        e.text(0x00180050, "DS", "4");
        e.text(0x00200037, "DS", "1\\0\\0\\0\\1\\0");
        e.text(0x00200032, "DS", "-10\\-20\\" + QByteArray::number(z));
        e.text(0x00281052, "DS", "0");
        e.text(0x00281053, "DS", "1");
        e.whole(0x00280010, 5);
        e.whole(0x00280011, 6);
        e.whole(0x00280100, 16);
        e.put(0x7FE00010, "OW", QByteArray(60, '\0'));
        save(name, e.file(kPet));
    }
    static std::size_t countOf(const Volume& volume, float value) {
        return static_cast<std::size_t>(std::count(volume.data.begin(), volume.data.end(), value));
    }

  private slots:
    void init() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        folder_ = std::make_unique<QTemporaryDir>();
    }

    /// Frames of time and slices of an enhanced object go to their places, each with its own slope.
    void anEnhancedObjectIsADynamicImage() {
        save("e.dcm", EnhancedPet().file());

        const DynamicImage image = recognise(path("e.dcm")).readDynamicImage().image;

        const std::vector<TimeFrame> frames{{3600, 300}, {3900, 600}};  // from the injection at 9 o'clock
        QCOMPARE(image.frames, frames);
        QCOMPARE(image.units, std::string("Bq/ml"));
        QVERIFY(image.decay == DecayCorrection::Applied);
        QCOMPARE(image.decayReference_s, 3600.0);
        QVERIFY(image.lattice.size == (std::array<int, 3>{3, 2, 2}));
        QVERIFY(norm(image.lattice.centre(2, 1, 1) - Vec3{-7, -17.5, 9}) < 1e-9);
        for (std::size_t pixel = 0; pixel < 6; ++pixel) {
            const auto value = [&](int object) {
                return static_cast<float>((10 * object + static_cast<int>(pixel)) * (0.5 + object));
            };
            QCOMPARE(image.values[0][pixel], value(3));  // first frame at 5 mm
            QCOMPARE(image.values[0][6 + pixel], value(1));
            QCOMPARE(image.values[1][pixel], value(2));
            QCOMPARE(image.values[1][6 + pixel], value(0));
        }
        const auto info = nlohmann::json::parse(recognise(path("e.dcm")).infoJson());
        // 70 kg over the dose that is left an hour later.
        const double suv = 70000 / (370e6 * std::exp2(-3600 / 6586.2));
        QVERIFY(std::abs(info["suv_per_Bq_ml"].get<double>() / suv - 1) < 1e-12);
    }

    void enhancedObjectsThatCannotBeAreRefused_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("named");
        QTest::newRow("a frame fewer than is said") << "frames"
                                                    << "Number of Frames";
        QTest::newRow("no slope anywhere") << "slope"
                                           << "Pixel Value Transformation Sequence";
        QTest::newRow("a slope of zero") << "zero"
                                         << "Real World Value Slope";
        QTest::newRow("no place") << "place"
                                  << "Plane Position Sequence";
        QTest::newRow("corrected to no moment") << "moment"
                                                << "Decay Correction DateTime";
        QTest::newRow("two thirds of the pixels") << "pixels"
                                                  << "Pixel Data";
        QTest::newRow("other spacing in one frame") << "spacing"
                                                    << "size, spacing";
    }
    void enhancedObjectsThatCannotBeAreRefused() {
        QFETCH(QString, damage);
        QFETCH(QString, named);
        EnhancedPet pet;
        if (damage == "frames") {
            pet.images.pop_back();
        } else if (damage == "slope") {
            pet.images[2].remove(0x00409096);
            pet.images[2].remove(0x00289145);
        } else if (damage == "zero") {
            Elements real;
            real.number(0x00409225, 0);
            real.number(0x00409224, 0);
            real.sequence(0x004008EA, itemWith(0x00080100, "SH", "Bq/ml"));
            pet.images[2].sequence(0x00409096, real);
        } else if (damage == "place") {
            pet.images[2].remove(0x00209113);
        } else if (damage == "moment") {
            pet.head.remove(0x00189701);
        } else if (damage == "pixels") {
            pet.pixels.truncate(32);
        } else {
            pet.images[1].sequence(0x00289110, itemWith(0x00280030, "DS", "2.5\\1.6"));
        }
        save("e.dcm", pet.file());

        const QString told = sentence([&] {
            for (const int frame : {1, 2}) {
                (void)recognise(path("e.dcm")).readVolume(VolumeReadOptions{frame});
            }
        });

        QVERIFY2(told.contains(named) && told.contains("e.dcm"), qPrintable(told));
    }

    /// Values count by the map of real-world values where it says units, else by the rescale slope.
    void withoutUnitsTheRescaleSlopeCounts() {
        EnhancedPet pet;
        for (Elements& image : pet.images) {
            image.remove(0x00409096);
        }
        save("e.dcm", pet.file());

        const Volume first = recognise(path("e.dcm")).readVolume(VolumeReadOptions{1});

        QCOMPARE(first.data[1], 31 * 3.5F);
        QCOMPARE(first.units, std::string());
    }

    /// Frames of 15 bits follow each other without gaps; slices that no frame has are empty.
    void aSegmentationIsALabelMap() {
        save("s.dcm", Segmentation().file());

        const VolumeReadResult read = recognise(path("s.dcm")).readVolumeResult();

        QVERIFY2(read.note.empty(), read.note.c_str());
        QVERIFY(read.volume.lattice.size == (std::array<int, 3>{5, 3, 3}));
        QVERIFY(norm(read.volume.lattice.centre(4, 2, 2) - Vec3{-4, -15, 13}) < 1e-9);
        std::vector<float> expected(45);
        expected[0] = expected[1] = expected[14] = 1;
        expected[15 + 7] = 2;
        expected[30 + 3] = expected[30 + 4] = 1;
        QCOMPARE(read.volume.data, expected);
        const std::vector<Roi> rois = readLabelMap(path("s.dcm"));
        QCOMPARE(rois.size(), std::size_t{2});
        QCOMPARE(rois[0].name, std::string("liver"));
        QCOMPARE(rois[1].name, std::string("lesion"));
        QVERIFY(recognise(path("s.dcm")).infoJson().find("2 'lesion'") != std::string::npos);
        QVERIFY(QDir(folder_->path()).mkdir("alone"));
        save("alone/s.dcm", Segmentation().file());
        const QString said = refusal("alone");
        QVERIFY2(said.contains("open the file itself"), qPrintable(said));
    }

    void slicesWithoutAFrameAreEmpty() {
        Segmentation masks;
        masks.images.clear();
        masks.addImage(1, 5);
        masks.addImage(1, 9);
        masks.addImage(2, 17);
        save("s.dcm", masks.file());

        const Volume read = readVolume(path("s.dcm"));

        QCOMPARE(read.lattice.size[2], 4);
        QCOMPARE(read.at(3, 0, 3), 2.0F);
        QCOMPARE(std::count(read.data.begin() + 30, read.data.begin() + 45, 0.0F), std::ptrdiff_t{15});
    }

    /// A voxel of a map with shares is inside from half on.
    void sharesCountFromHalfOn() {
        Segmentation masks;
        masks.head.text(0x00620001, "CS", "FRACTIONAL");
        masks.head.whole(0x0062000E, 200);
        masks.head.whole(0x00280100, 8);
        masks.head.whole(0x00280101, 8);
        masks.head.whole(0x00280102, 7);
        Elements whole = masks.head;
        whole.sequence(0x52009230, masks.images);
        QByteArray shares(46, '\0');
        shares[0] = static_cast<char>(99);
        shares[1] = static_cast<char>(100);
        shares[15 + 2] = static_cast<char>(200);
        whole.put(0x7FE00010, "OB", shares);
        save("s.dcm", whole.file(kSegmentation));

        const Volume read = readVolume(path("s.dcm"));

        QCOMPARE(read.data[0], 0.0F);
        QCOMPARE(read.data[1], 1.0F);
        QCOMPARE(read.data[17], 2.0F);
    }

    void overlapIsTold() {
        Segmentation masks;
        masks.images.clear();
        masks.addImage(1, 5);
        masks.addImage(2, 5);
        masks.addImage(1, 9);
        masks.inside = {{3, 4}, {4, 5}, {0}};
        save("s.dcm", masks.file());

        const VolumeReadResult read = recognise(path("s.dcm")).readVolumeResult();

        QVERIFY2(read.note.find("overlap in 1 voxels") != std::string::npos, read.note.c_str());
        QCOMPARE(read.volume.data[4], 2.0F);
    }

    /// Turned by 30 degrees about z; the labels stay whole numbers, and keep their place.
    void obliqueLabelsStayWhole() {
        Segmentation masks;
        Elements shared;
        putMeasures(shared);
        const double c = std::cos(std::acos(-1) / 6);
        shared.sequence(0x00209116, itemWith(0x00200037, "DS",
                                             QByteArray::number(c, 'g', 12) + "\\0.5\\0\\-0.5\\" +
                                                 QByteArray::number(c, 'g', 12) + "\\0"));
        masks.head.sequence(0x52009229, shared);
        masks.inside = {{6, 7, 8}, {6, 7, 8}, {6, 7, 8}};
        save("s.dcm", masks.file());

        const VolumeReadResult read = recognise(path("s.dcm")).readVolumeResult();

        QVERIFY(read.note.find("30") != std::string::npos);
        QCOMPARE(countOf(read.volume, 0) + countOf(read.volume, 1) + countOf(read.volume, 2),
                 read.volume.data.size());
        // Pixel (2, 1): 3 mm along the row and 2.5 mm down the column from the first one.
        const Vec3 place{-10 + 3 * c - 2.5 * 0.5, -20 + 3 * 0.5 + 2.5 * c, 9};
        const Vec3 from = read.volume.lattice.origin_mm;
        const auto& edge = read.volume.lattice.spacing_mm;
        QCOMPARE(read.volume.at(static_cast<int>(std::lround((place.x - from.x) / edge[0])),
                                static_cast<int>(std::lround((place.y - from.y) / edge[1])), 1),
                 2.0F);
    }

    void segmentationsThatCannotBeAreRefused_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("named");
        QTest::newRow("unknown segment") << "segment"
                                         << "Referenced Segment Number";
        QTest::newRow("between the slices") << "between"
                                            << "lies between or beside";
        QTest::newRow("truncated") << "bits"
                                   << "Pixel Data";
        QTest::newRow("other type") << "type"
                                    << "Segmentation Type";
        QTest::newRow("type and bits differ") << "depth"
                                              << "Bits Allocated";
        QTest::newRow("huge") << "huge"
                              << "Pixel Data";
        QTest::newRow("far away") << "far"
                                  << "lies between or beside";
    }
    void segmentationsThatCannotBeAreRefused() {
        QFETCH(QString, damage);
        QFETCH(QString, named);
        Segmentation masks;
        if (damage == "segment") {
            masks.images.pop_back();
            masks.addImage(7, 13);
        } else if (damage == "between") {
            masks.images.pop_back();
            masks.addImage(1, 14);
        } else if (damage == "bits") {
            masks.inside.pop_back();
        } else if (damage == "type") {
            masks.head.text(0x00620001, "CS", "MAP");
        } else if (damage == "depth") {
            masks.head.whole(0x00280100, 8);
            masks.head.whole(0x00280101, 8);
            masks.head.whole(0x00280102, 7);
        } else if (damage == "huge") {
            masks.head.whole(0x00280010, 6000);
            masks.head.whole(0x00280011, 6000);
        } else {
            masks.images.pop_back();
            Elements image = masks.images.front();
            image.sequence(0x00209113, itemWith(0x00200032, "DS", "90\\-20\\13"));
            masks.images.push_back(image);
        }
        save("s.dcm", masks.file());

        const QString told = refusal("s.dcm");

        QVERIFY2(told.contains(named) && told.contains("s.dcm"), qPrintable(told));
    }

    /// On the images' own lattice: pixels whose centres lie within the lines, holes left out.
    void structuresLieOnTheirImages() {
        saveImage("0.dcm", 5);
        saveImage("1.dcm", 9);
        saveImage("2.dcm", 13);
        Structures set;
        set.lines = {{1, Structures::rectangle(-9, -3, -18, -9, 5)},          // x -8.5 to -4, y -17.5 to -10
                     {1, Structures::rectangle(-7.5, -5, -16, -14, 5)},       // a hole: x -7, -5.5; y -15
                     {4, Structures::rectangle(-10.5, -9.5, -21, -19, 13)}};  // the first pixel
        save("rs.dcm", set.file());

        const VolumeReadResult read = recognise(path("rs.dcm")).readVolumeResult();

        QVERIFY(read.volume.lattice.size == (std::array<int, 3>{6, 5, 3}));
        QVERIFY2(read.note.find("holes") != std::string::npos, read.note.c_str());
        for (int y = 0; y < 5; ++y) {
            for (int x = 0; x < 6; ++x) {
                const bool hole = y == 2 && (x == 2 || x == 3);
                const bool inside = x >= 1 && x <= 4 && y >= 1 && y <= 4 && !hole;
                QCOMPARE(read.volume.at(x, y, 0), inside ? 1.0F : 0.0F);
                QCOMPARE(read.volume.at(x, y, 1), 0.0F);
                QCOMPARE(read.volume.at(x, y, 2), x == 0 && y == 0 ? 4.0F : 0.0F);
            }
        }
        const std::vector<Roi> rois = readLabelMap(path("rs.dcm"));
        QCOMPARE(rois[0].name, std::string("gland"));
        QCOMPARE(rois[1].name, std::string("node"));
        QCOMPARE(rois[1].colour, std::string("#ff8000"));
    }

    /// Lines that cross are one area, and one that stands there twice does not cancel.
    void linesThatCrossAreOneArea() {
        saveImage("0.dcm", 5);
        saveImage("1.dcm", 9);
        const auto drawn = [&](const std::vector<QByteArray>& lines) {
            Structures set;
            set.lines.clear();
            for (const QByteArray& line : lines) {
                set.lines.push_back({1, line});
            }
            save("rs.dcm", set.file());
            return recognise(path("rs.dcm")).readVolumeResult();
        };
        const QByteArray left = Structures::rectangle(-9, -5, -18, -9, 5);
        const QByteArray right = Structures::rectangle(-7.5, -3, -18, -9, 5);
        const VolumeReadResult one = drawn({Structures::rectangle(-9, -3, -18, -9, 5)});
        const VolumeReadResult crossing = drawn({right, left});
        const VolumeReadResult twice = drawn({left, right, left, right});

        QVERIFY(std::count(one.volume.data.begin(), one.volume.data.end(), 1.0F) == 16);
        QCOMPARE(crossing.volume.data, one.volume.data);
        QCOMPARE(twice.volume.data, one.volume.data);
        QVERIFY2(crossing.note.find("one area") != std::string::npos, crossing.note.c_str());
        QVERIFY2(one.note.find("area") == std::string::npos, one.note.c_str());
    }

    /// Without images beside them on pixels of 1 mm: as many as the rectangle has square millimetres.
    void structuresAloneGetALatticeThatIsTold() {
        Structures set;
        set.lines = {{1, Structures::rectangle(10.5, 18.5, -20.5, 9.5, -30)},
                     {1, Structures::rectangle(10.5, 18.5, -20.5, 9.5, -27)},
                     {4, Structures::rectangle(-8.5, -4.5, 0.5, 2.5, -21)},
                     {4, "1\\2\\-21", "POINT"}};
        save("rs.dcm", set.file());

        const VolumeReadResult read = recognise(path("rs.dcm")).readVolumeResult();

        QVERIFY2(read.note.find("not beside it") != std::string::npos, read.note.c_str());
        QVERIFY2(read.note.find("1 points and open lines") != std::string::npos, read.note.c_str());
        QVERIFY(read.volume.lattice.spacing_mm == (std::array<double, 3>{1, 1, 3}));
        QCOMPARE(read.volume.lattice.size[2], 4);
        QCOMPARE(countOf(read.volume, 1), std::size_t{2 * 8 * 30});
        QCOMPARE(countOf(read.volume, 4), std::size_t{4 * 2});
        const Vec3 from = read.volume.lattice.origin_mm;
        QCOMPARE(read.volume.at(static_cast<int>(-7 - from.x), static_cast<int>(1 - from.y), 3), 4.0F);
    }

    void numbersThatAreNoLabelsAreReplaced() {
        Structures set;
        set.names = {{0, "first"}, {70000, "second"}};
        set.lines = {{0, Structures::rectangle(0.5, 2.5, 0.5, 2.5, 0)},
                     {70000, Structures::rectangle(0.5, 2.5, 0.5, 2.5, 3)}};
        save("rs.dcm", set.file());

        const VolumeReadResult read = recognise(path("rs.dcm")).readVolumeResult();

        QVERIFY2(read.note.find("places in the list") != std::string::npos, read.note.c_str());
        QCOMPARE(countOf(read.volume, 2), std::size_t{4});
        QCOMPARE(readLabelMap(path("rs.dcm"))[1].name, std::string("second"));
    }

    void structuresThatCannotBeAreRefused_data() {
        QTest::addColumn<QByteArray>("points");
        QTest::addColumn<int>("stated");
        QTest::addColumn<QString>("named");
        QTest::newRow("in no transverse plane")
            << QByteArray("0\\0\\0\\1\\0\\0\\1\\1\\2") << -1 << "transverse";
        QTest::newRow("fewer numbers than points")
            << QByteArray("0\\0\\0\\1\\0\\0\\1\\1") << 3 << "Contour Data";
        QTest::newRow("other number") << QByteArray("0\\0\\0\\1\\0\\0\\1\\1\\0") << 4 << "Contour Data";
        QTest::newRow("two points") << QByteArray("0\\0\\0\\1\\0\\0") << -1 << "2 points";
        QTest::newRow("no number") << QByteArray("0\\0\\0\\1\\x\\0\\1\\1\\0") << -1 << "not a number";
        QTest::newRow("far") << QByteArray("0\\0\\0\\1e7\\0\\0\\1\\1\\0") << -1 << "away";
        QTest::newRow("one plane") << QByteArray("0\\0\\0\\9\\0\\0\\9\\9\\0") << -1 << "one plane";
    }
    void structuresThatCannotBeAreRefused() {
        QFETCH(QByteArray, points);
        QFETCH(int, stated);
        QFETCH(QString, named);
        Structures set;
        set.lines = {{1, points}};
        if (stated >= 0) {
            set.lines[0].stated = QByteArray::number(stated);
        }
        save("rs.dcm", set.file());

        const QString told = refusal("rs.dcm");

        QVERIFY2(told.contains(named) && told.contains("rs.dcm"), qPrintable(told));
    }

    // Cut off anywhere, or with any byte changed: read or refused in one sentence, never anything else.
    void damagedObjectsAreReadOrRefused_data() {
        QTest::addColumn<QByteArray>("whole");
        QTest::newRow("enhanced PET") << EnhancedPet().file();
        QTest::newRow("segmentation") << Segmentation().file();
        Structures set;
        set.lines = {{1, Structures::rectangle(10.5, 18.5, -20.5, 9.5, -30)},
                     {4, Structures::rectangle(10.5, 18.5, -20.5, 9.5, -27)}};
        QTest::newRow("structure set") << set.file();
    }
    void damagedObjectsAreReadOrRefused() {
        QFETCH(QByteArray, whole);
        for (qsizetype i = 132; i < whole.size(); i += 3) {
            save("p.dcm", whole.left(i));
            (void)refusal("p.dcm");
            QByteArray damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ (i % 2 == 0 ? 1 : 0xFF));
            save("p.dcm", damaged);
            const QString told = refusal("p.dcm");
            QVERIFY2(!told.contains('\n'), qPrintable(told));
        }
    }
};

QTEST_GUILESS_MAIN(DicomObjectsTest)

}  // namespace dicom_objects_test
#include "dicom_objects_test.moc"
