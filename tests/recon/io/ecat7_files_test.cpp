// SPDX-License-Identifier: Apache-2.0
// Images of ECAT 7 that the test's own writer makes.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "recon/io/format_table.h"
#include "tests/support/ecat7_writer.h"
#include "tests/support/refusal.h"

namespace ecat7_files_test {

using namespace tof;
using namespace tof::test;

class Ecat7FilesTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string save(const EcatFile& file) const {
        const std::string path = folder_.filePath("image.v").toStdString();
        std::ofstream(path, std::ios::binary) << file.bytes;
        return path;
    }

  private slots:
    void voxelsLieWhereThePatientHasThem_data() {
        QTest::addColumn<int>("orientation");
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("left");  // of the voxel (3, 0, 1) of the file, whose value is 43
        QTest::addColumn<double>("posterior");
        QTest::addColumn<double>("superior");

        QTest::newRow("head first, supine") << 3 << 6 << 3.0 << -3.0 << -2.5;
        QTest::newRow("head first, prone") << 1 << 5 << -3.0 << 3.0 << -2.5;
        QTest::newRow("feet first, supine") << 2 << 7 << -3.0 << -3.0 << 2.5;
        QTest::newRow("feet first, prone") << 0 << 2 << 3.0 << 3.0 << 2.5;
    }
    void voxelsLieWhereThePatientHasThem() {
        QFETCH(int, orientation);
        QFETCH(int, type);
        QFETCH(double, left);
        QFETCH(double, posterior);
        QFETCH(double, superior);
        EcatFile file;
        file.orientation = orientation;
        file.type = type;
        file.make();
        const RecognisedFile recognised = recognise(save(file));
        VolumeReadOptions second;
        second.frame = 2;

        const VolumeReadResult read = recognised.readVolumeResult(second);

        const Volume& volume = read.volume;
        QCOMPARE(recognised.formatName(), std::string("ECAT 7"));
        QCOMPARE(volume.lattice.size, (std::array<int, 3>{4, 3, 2}));
        QCOMPARE(volume.lattice.spacing_mm, (std::array<double, 3>{2, 3, 5}));
        QCOMPARE(volume.units, std::string("Bq/ml"));
        const VoxelIndex at = volume.lattice.voxelAt({left, posterior, superior});
        QCOMPARE(volume.at(at), 2.5F * 0.5F * 243);
        QVERIFY(norm(volume.lattice.centre(at) - Vec3{left, posterior, superior}) < 1e-6);
        QVERIFY(read.note.find("ecat_calibration_factor' 2.5") != std::string::npos);

        QVERIFY(read.note.find("--calibration none leaves that out") != std::string::npos);
        QCOMPARE(read.statedFactor, 2.5);

        VolumeReadOptions stored = second;
        stored.factor = StatedFactor::Left;
        const VolumeReadResult bare = recognise(save(file)).readVolumeResult(stored);
        QCOMPARE(bare.volume.at(at), 0.5F * 243);
        QCOMPARE(bare.volume.units, std::string());
        QCOMPARE(bare.statedFactor, 1.0);
        QVERIFY(bare.note.find("not multiplied by 'ecat_calibration_factor' 2.5") != std::string::npos);
    }

    void framesComeInTheirOrder() {
        EcatFile file;
        file.frames = 3;
        file.make();
        const RecognisedFile recognised = recognise(save(file));

        const DynamicImage image = recognised.readDynamicImage({}).image;

        QVERIFY(recognised.holdsFrames());
        QCOMPARE(image.frames.size(), std::size_t{3});
        QCOMPARE(image.frames[2], (TimeFrame{120, 60}));
        QCOMPARE(image.halfLife_s, 1223.0);
        QCOMPARE(image.decay, DecayCorrection::Applied);
        for (std::size_t frame = 0; frame < 3; ++frame) {
            QCOMPARE(*std::max_element(image.values[frame].begin(), image.values[frame].end()),
                     1.25F * static_cast<float>(100 * (frame + 1) + 63));
        }
        QVERIFY(refusal([&] { (void)recognised.readVolume(); }).contains("--frame"));
    }

    void whatCannotBeUsedIsRefusedByName() {
        const auto refused = [&](const EcatFile& file) {
            return refusal([&] { (void)recognise(save(file)).readDynamicImage({}); });
        };
        const auto changed = [](auto change) {
            EcatFile file;
            file.make();
            change(file);
            return file;
        };

        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::uint16_t>(50, 11); })).contains("'file_type'"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::uint16_t>(330, 4); })).contains("sides"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::int32_t>(524, 40); })).contains("40 entries"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::int32_t>(1028, 3); })).contains("circles"));
        QVERIFY(refused(changed([](EcatFile& f) {
                    f.put<std::int32_t>(528, 0x01010001);
                })).contains("several gates"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<float>(1536 + 26, 0); })).contains("'scale_factor'"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<float>(1536 + 34, -1); })).contains("'x_dimension'"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::uint16_t>(1536, 4); })).contains("'data_type'"));
        QVERIFY(
            refused(changed([](EcatFile& f) { f.put<std::uint16_t>(1536 + 4, 400); })).contains("differs"));
        QVERIFY(refused(changed([](EcatFile& f) { f.put<std::int32_t>(1536 + 50, 0); })).contains("frame"));
        QVERIFY(refused(changed([](EcatFile& f) { f.bytes.resize(1700); })).contains("image.v"));
    }
};

QTEST_APPLESS_MAIN(Ecat7FilesTest)

}  // namespace ecat7_files_test
#include "ecat7_files_test.moc"
