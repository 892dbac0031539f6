// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "tests/support/places.h"
#include "tests/support/refusal.h"

namespace io_volume_test {

using namespace tof;
using tof::test::inTree;

namespace {

Volume sample() {
    Volume volume(Lattice::centred({4, 3, 2}, {3.129, 2, 6.75}));
    std::iota(volume.data.begin(), volume.data.end(), 0.5F);
    volume.units = "kBq/ml";
    return volume;
}

/// A NIfTI-1 file of int16 values 0, 1, 2, ... byte by byte from the format's description.
class NiftiBytes {
  public:
    explicit NiftiBytes(std::array<int, 3> size) {
        put<qint32>(0, 348);
        put<qint16>(40, 3);
        int count = 1;
        for (int axis = 0; axis < 3; ++axis) {
            put(42 + 2 * axis, static_cast<qint16>(size[static_cast<std::size_t>(axis)]));
            put(80 + 4 * axis, static_cast<float>(axis + 2));
            count *= size[static_cast<std::size_t>(axis)];
        }
        put<qint16>(70, 4);
        put<qint16>(72, 16);
        put<float>(108, 352);
        put<quint8>(123, 2);
        std::memcpy(bytes_.data() + 344, "n+1", 4);
        for (int i = 0; i < count; ++i) {
            bytes_.append(2, '\0');
            put(352 + 2 * i, static_cast<qint16>(i));
        }
    }
    template <class T>
    void put(int offset, T value) {
        std::memcpy(bytes_.data() + offset, &value, sizeof(T));
    }
    void sform(const std::array<float, 12>& rows) {
        put<qint16>(254, 1);
        for (std::size_t i = 0; i < 12; ++i) {
            put(280 + 4 * static_cast<int>(i), rows[i]);
        }
    }
    [[nodiscard]] const QByteArray& bytes() const { return bytes_; }

  private:
    QByteArray bytes_ = QByteArray(352, '\0');
};

}  // namespace

class IoVolumeTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const QString& name) const { return folder_.filePath(name).toStdString(); }
    std::string save(const QString& name, const QByteArray& bytes) const {
        QFile out(folder_.filePath(name));
        const bool good = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size();
        return good ? file(name) : std::string();
    }
    static std::string shared(const char* name) { return inTree("../shared/data/").toStdString() + name; }

  private slots:
    void volumeComesBackFromEveryFormat_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("keepsUnits");
        QTest::newRow("HDF5") << "v.h5" << true;
        QTest::newRow("NIfTI") << "v.nii" << true;
        QTest::newRow("NIfTI, compressed") << "v.nii.gz" << true;
        QTest::newRow("Interfile") << "v.hv" << false;
    }
    void volumeComesBackFromEveryFormat() {
        QFETCH(QString, name);
        QFETCH(bool, keepsUnits);
        Volume volume = sample();
        volume.lattice.origin_mm = {-1.5, 7, 30.25};

        writeVolume(file(name), volume);
        const Volume back = readVolume(file(name));

        QVERIFY(back.lattice == volume.lattice);
        QCOMPARE(back.data, volume.data);
        QCOMPARE(back.units, keepsUnits ? volume.units : std::string());
        QVERIFY(fileKind(file(name)) == FileKind::Volume);
    }

    void unknownExtensionIsRefused() {
        QVERIFY_EXCEPTION_THROWN(writeVolume(file("v.xyz"), sample()), WrongUse);
    }

    // NIfTI: index i of a file whose matrix is diag(2, 3, 4) runs to the patient's right and the front; ours
    // run to the left and the back, so both are reversed.
    void niftiAxesAreTurnedToTheScannerFrame() {
        NiftiBytes nifti({3, 2, 2});
        nifti.sform({2, 0, 0, 10, 0, 3, 0, 20, 0, 0, 4, 30});

        const Volume volume = readVolume(save("ras.nii", nifti.bytes()));

        QVERIFY((volume.lattice.size == std::array<int, 3>{3, 2, 2}));
        QVERIFY((volume.lattice.spacing_mm == std::array<double, 3>{2, 3, 4}));
        QCOMPARE(volume.lattice.origin_mm.x, -14.0);  // right-most voxel: x = -(10 + 2 * 2)
        QCOMPARE(volume.lattice.origin_mm.y, -23.0);  // -(20 + 3)
        QCOMPARE(volume.lattice.origin_mm.z, 30.0);
        QCOMPARE(volume.at(0, 0, 0), 5.0F);  // stored (2, 1, 0)
        QCOMPARE(volume.at(2, 1, 0), 0.0F);
        QCOMPARE(volume.at(1, 0, 1), 10.0F);  // stored (1, 1, 1) = 1 + 3 + 6
    }

    // Stored i runs up, j to the left, k to the back: a sagittal stack.
    void niftiAxesMaySwap() {
        NiftiBytes nifti({3, 2, 4});
        nifti.sform({0, -2, 0, 5, 0, 0, -3, 6, 4, 0, 0, 7});

        const Volume volume = readVolume(save("swap.nii", nifti.bytes()));

        QVERIFY((volume.lattice.size == std::array<int, 3>{2, 4, 3}));
        QVERIFY((volume.lattice.spacing_mm == std::array<double, 3>{2, 3, 4}));
        QCOMPARE(volume.lattice.origin_mm.x, -5.0);
        QCOMPARE(volume.lattice.origin_mm.y, -6.0);
        QCOMPARE(volume.lattice.origin_mm.z, 7.0);
        QCOMPARE(volume.at(1, 2, 0), static_cast<float>(0 + 3 * 1 + 6 * 2));  // stored i = z, j = x, k = y
    }

    // Half a turn about z as a quaternion (0, 0, 0, 1), third axis reversed by qfac.
    void niftiQuaternionIsHonoured() {
        NiftiBytes nifti({2, 2, 2});
        nifti.put<qint16>(252, 1);
        nifti.put<float>(76, -1.0F);
        nifti.put<float>(264, 1.0F);
        nifti.put<float>(268, 1.0F);
        nifti.put<float>(276, 9.0F);

        const Volume volume = readVolume(save("q.nii", nifti.bytes()));

        QCOMPARE(volume.lattice.origin_mm.x, -1.0);
        QCOMPARE(volume.lattice.origin_mm.z, 5.0);  // 9 - 4: the last slice is the lowest
        QCOMPARE(volume.at(0, 0, 0), 4.0F);
    }

    void niftiScalingAndByteOrderAreHonoured() {
        NiftiBytes nifti({2, 1, 1});
        nifti.sform({-2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0});
        nifti.put<float>(112, 0.5F);
        nifti.put<float>(116, -3.0F);
        QByteArray swapped = nifti.bytes();
        const auto swap = [&](int offset, int bytes, int count) {
            for (int i = 0; i < count; ++i) {
                std::reverse(swapped.begin() + offset + i * bytes,
                             swapped.begin() + offset + (i + 1) * bytes);
            }
        };
        swap(0, 4, 1);
        swap(40, 2, 8);
        swap(70, 2, 2);
        swap(76, 4, 11);
        swap(252, 2, 2);
        swap(256, 4, 18);
        swap(352, 2, 2);

        for (const QByteArray& bytes : {nifti.bytes(), swapped}) {
            const Volume volume = readVolume(save("s.nii", bytes));
            QCOMPARE(volume.data, (std::vector<float>{-3.0F, -2.5F}));
        }
    }

    void everyTypeOfNumberIsRead_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("values");  // 200, or -56 where that is a byte with sign, and 3
        const auto row = [](const char* name, int type, auto first, auto second) {
            QByteArray values(reinterpret_cast<const char*>(&first), sizeof(first));
            values.append(reinterpret_cast<const char*>(&second), sizeof(second));
            QTest::newRow(name) << type << values;
        };
        row("uint8", 2, quint8{200}, quint8{3});
        row("int16", 4, qint16{200}, qint16{3});
        row("int32", 8, qint32{200}, qint32{3});
        row("float32", 16, 200.0F, 3.0F);
        row("float64", 64, 200.0, 3.0);
        row("int8", 256, qint8{-56}, qint8{3});
        row("uint16", 512, quint16{200}, quint16{3});
        row("uint32", 768, quint32{200}, quint32{3});
        row("int64", 1024, qint64{200}, qint64{3});
        row("uint64", 1280, quint64{200}, quint64{3});
    }
    void everyTypeOfNumberIsRead() {
        QFETCH(int, type);
        QFETCH(QByteArray, values);
        NiftiBytes nifti({2, 1, 1});
        nifti.sform({-2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0});
        nifti.put(70, static_cast<qint16>(type));
        nifti.put(72, static_cast<qint16>(4 * values.size()));

        const Volume volume = readVolume(save("t.nii", nifti.bytes().left(352) + values));

        QCOMPARE(volume.data, (std::vector<float>{type == 256 ? -56.0F : 200.0F, 3.0F}));
    }

    void whatIsNoNumberIsRefused_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("what");
        QTest::newRow("bits") << 1 << "bits";
        QTest::newRow("complex") << 32 << "complex numbers";
        QTest::newRow("complex of doubles") << 1792 << "complex numbers";
        QTest::newRow("colours") << 128 << "colours (RGB)";
        QTest::newRow("float128") << 1536 << "floating point numbers of 16 bytes";
        QTest::newRow("nothing") << 3 << "no number type of NIfTI";
    }
    void whatIsNoNumberIsRefused() {
        QFETCH(int, type);
        QFETCH(QString, what);
        NiftiBytes nifti({2, 1, 1});
        nifti.put(70, static_cast<qint16>(type));

        const QString said = test::refusal([&] { (void)readVolume(save("n.nii", nifti.bytes())); });

        QVERIFY2(said.contains(QString("n.nii: field 'datatype' is %1: %2").arg(type).arg(what)),
                 qPrintable(said));
    }

    void lengthsAreInTheUnitOfTheHeader_data() {
        QTest::addColumn<int>("unit");
        QTest::addColumn<double>("mm");
        QTest::newRow("m") << 1 << 1000.0;
        QTest::newRow("mm") << 2 << 1.0;
        QTest::newRow("um") << 3 << 0.001;
        QTest::newRow("unknown") << 0 << 1.0;
    }
    void lengthsAreInTheUnitOfTheHeader() {
        QFETCH(int, unit);
        QFETCH(double, mm);
        NiftiBytes nifti({2, 1, 1});
        const auto scale = static_cast<float>(1 / mm);
        nifti.sform({-2 * scale, 0, 0, 0, 0, -3 * scale, 0, 0, 0, 0, 4 * scale, 0});
        nifti.put<quint8>(123, static_cast<quint8>(unit));

        const Lattice lattice = readVolume(save("u.nii", nifti.bytes())).lattice;

        for (std::size_t axis = 0; axis < 3; ++axis) {  // stored as floats
            QVERIFY(std::abs(lattice.spacing_mm[axis] - (2.0 + static_cast<double>(axis))) < 1e-6);
        }
    }

    // A linear function of place is what linear interpolation gives back, whatever the directions: the grid
    // is turned by 20 degrees about z and 10 about x, values are 100 + 2 x + 3 y - z of NIfTI's mm.
    void obliqueNiftiIsInterpolatedWhereItLies() {
        constexpr int kN = 9;
        NiftiBytes nifti({kN, kN, kN});
        const double a = 20 * kRadPerDeg;
        const double b = 10 * kRadPerDeg;
        const std::array<std::array<double, 3>, 3> turn = {
            {{std::cos(a), -std::sin(a) * std::cos(b), std::sin(a) * std::sin(b)},
             {std::sin(a), std::cos(a) * std::cos(b), -std::cos(a) * std::sin(b)},
             {0, std::sin(b), std::cos(b)}}};
        const std::array<double, 3> step{3, 2, 4};
        const std::array<double, 3> first{-30, 12, 5};
        std::array<float, 12> rows{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t k = 0; k < 3; ++k) {
                rows[4 * axis + k] = static_cast<float>(turn[axis][k] * step[k]);
            }
            rows[4 * axis + 3] = static_cast<float>(first[axis]);
        }
        nifti.sform(rows);
        const auto mm = [&](std::size_t axis, int i, int j, int k) {
            return rows[4 * axis] * static_cast<float>(i) + rows[4 * axis + 1] * static_cast<float>(j) +
                   rows[4 * axis + 2] * static_cast<float>(k) + rows[4 * axis + 3];
        };
        const auto value = [](double x, double y, double z) { return 100 + 2 * x + 3 * y - z; };
        nifti.put<qint16>(70, 4);
        nifti.put<float>(112, 0.01F);
        for (int at = 0, k = 0; k < kN; ++k) {
            for (int j = 0; j < kN; ++j) {
                for (int i = 0; i < kN; ++i, ++at) {
                    const double v = value(mm(0, i, j, k), mm(1, i, j, k), mm(2, i, j, k));
                    nifti.put<qint16>(352 + 2 * at, static_cast<qint16>(std::lround(100 * v)));
                }
            }
        }

        const VolumeReadResult read = recognise(save("o.nii", nifti.bytes())).readVolumeResult();

        QVERIFY2(read.note.find("interpolated") != std::string::npos, read.note.c_str());
        const Volume& volume = read.volume;
        QVERIFY(std::abs(volume.lattice.spacing_mm[0] - 3) < 1e-5);
        int inside = 0;
        volume.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = volume.lattice.centre(x, y, z);
            const Vec3 q = Vec3{-p.x, -p.y, p.z} - Vec3{first[0], first[1], first[2]};
            bool within = true;
            bool beyond = false;
            for (std::size_t k = 0; k < 3; ++k) {
                const double index = (q.x * turn[0][k] + q.y * turn[1][k] + q.z * turn[2][k]) / step[k];
                within = within && index >= 0 && index <= kN - 1;
                beyond = beyond || index < -0.51 || index > kN - 0.49;
            }
            if (within) {
                ++inside;
                // Stored to 0.01, and interpolated in floats of up to 250.
                QVERIFY(std::abs(volume.at(x, y, z) - value(-p.x, -p.y, p.z)) < 0.006);
            }
            QVERIFY(!beyond || volume.at(x, y, z) == 0.0F);
        });
        QVERIFY(inside > 400);  // 512 cells of the stored grid's volume
        QVERIFY(recognise(file("o.nii")).infoJson().find("interpolated") != std::string::npos);
    }

    // Index i runs to the right: voxel 0 is at x = -10 (left-posterior-superior), 2 mm apart.
    void doubtfulNiftiTransformsAreTold_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<double>("x0");
        QTest::addColumn<QString>("told");
        QTest::newRow("sform alone") << 0 << -14.0 << "";
        QTest::newRow("sform and qform agree") << 1 << -14.0 << "";
        QTest::newRow("sform and qform contradict") << 2 << -14.0 << "25 mm apart";
        QTest::newRow("sform of zeros") << 3 << -14.0 << "'srow' is all zero";
        QTest::newRow("neither") << 4 << -2.0 << "does not say how its axes lie";
        QTest::newRow("long quaternion") << 5 << 10.0 << "'quatern'";
        QTest::newRow("dim[4] of 0") << 6 << -14.0 << "";
    }
    void doubtfulNiftiTransformsAreTold() {
        QFETCH(int, fault);
        QFETCH(double, x0);
        QFETCH(QString, told);
        NiftiBytes nifti({3, 2, 2});
        if (fault != 4 && fault != 5) {
            nifti.sform({2, 0, 0, 10, 0, 3, 0, 20, 0, 0, 4, 30});
        }
        if (fault == 1 || fault == 2 || fault == 3 || fault == 5) {
            nifti.put<qint16>(252, 1);
            nifti.put<float>(76, 1);
            const std::array<float, 3> offset{10, 20, fault == 2 ? 55.0F : 30.0F};
            for (int axis = 0; axis < 3; ++axis) {
                nifti.put(268 + 4 * axis, offset[static_cast<std::size_t>(axis)]);
            }
        }
        if (fault == 3) {
            nifti.sform({});
        }
        if (fault == 5) {
            nifti.put<float>(264, 1.04F);  // half a turn about z: i runs to the left, from x = -10
            nifti.put<float>(268, -10);
        }
        if (fault == 6) {
            nifti.put<qint16>(40, 4);
            nifti.put<qint16>(48, 0);
        }

        const VolumeReadResult read = recognise(save("doubt.nii", nifti.bytes())).readVolumeResult();

        QVERIFY2(told.isEmpty() ? read.note.empty() : QString::fromStdString(read.note).contains(told),
                 read.note.c_str());
        QVERIFY((read.volume.lattice.spacing_mm == std::array<double, 3>{2, 3, 4}));
        QVERIFY2(std::abs(read.volume.lattice.origin_mm.x - x0) < 1e-5,
                 qPrintable(QString::number(read.volume.lattice.origin_mm.x)));
    }

    void unitsAreThoseOfTheSidecarOrOfTheUser() {
        NiftiBytes nifti({3, 2, 2});
        nifti.sform({2, 0, 0, 10, 0, 3, 0, 20, 0, 0, 4, 30});
        const std::string path = save("pet.nii", nifti.bytes());
        QCOMPARE(readVolume(path).units, std::string());
        for (const auto& [text, units] : {std::pair{R"({"Units": "Bq/mL"})", "Bq/ml"},
                                          {R"({"Units": "kBq/mL"})", "kBq/ml"},
                                          {R"({"Units": "arbitrary"})", "arbitrary"}}) {
            QVERIFY(!save("pet.json", text).empty());
            const VolumeReadResult read = recognise(path).readVolumeResult();
            QCOMPARE(read.volume.units, std::string(units));
            QVERIFY2(read.note.find("pet.json") != std::string::npos, read.note.c_str());
        }
        const VolumeReadResult own = recognise(path).readVolumeResult({.units = "1/cm"});
        QCOMPARE(own.volume.units, std::string("1/cm"));
        QVERIFY(own.note.find("says arbitrary") != std::string::npos);
        save("pet.json", "{");
        QVERIFY(recognise(path).readVolumeResult().note.find("cannot be read") != std::string::npos);
    }

    void niftiFramesAreChosen() {
        NiftiBytes nifti({2, 1, 6});
        nifti.sform({-2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0});
        for (int axis = 0; const int side : {5, 2, 1, 2, 1, 3}) {
            nifti.put<qint16>(40 + 2 * axis++, static_cast<qint16>(side));
        }
        const RecognisedFile several = recognise(save("f.nii", nifti.bytes()));

        QCOMPARE(several.readVolume({3, "", false}).data, (std::vector<float>{8, 9, 10, 11}));
        QVERIFY_EXCEPTION_THROWN((void)several.readVolume(), BadInput);
        QVERIFY_EXCEPTION_THROWN((void)several.readVolume({4, "", false}), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)several.readVolume({1, "2", false}), WrongUse);
        QVERIFY(several.infoJson().find("\"frames\": 3") != std::string::npos);
        writeVolume(file("one.nii"), sample());
        QVERIFY_EXCEPTION_THROWN((void)recognise(file("one.nii")).readVolume({2, "", false}), WrongUse);
    }

    void niftiNumbersThatAreNoneBecomeZeroAndAreTold() {
        NiftiBytes nifti({4, 1, 1});
        nifti.sform({-2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0});
        nifti.put<qint16>(70, 64);
        QByteArray bytes = nifti.bytes().left(352);
        const double values[] = {1e300, std::nan(""), -HUGE_VAL, 2.5};
        bytes.append(reinterpret_cast<const char*>(values), sizeof(values));

        const VolumeReadResult read = recognise(save("nan.nii", bytes)).readVolumeResult();

        QCOMPARE(read.volume.data, (std::vector<float>{0, 0, 0, 2.5F}));
        QVERIFY2(read.note.find("3 voxels") != std::string::npos, read.note.c_str());
    }

    // NIfTI-2 from its description: the same volume as niftiAxesAreTurnedToTheScannerFrame, in both byte
    // orders.
    void nifti2IsRead() {
        for (const bool big : {false, true}) {
            QByteArray bytes(544, '\0');
            const auto put = [&](int offset, auto value) {
                std::memcpy(bytes.data() + offset, &value, sizeof(value));
                if (big) {
                    std::reverse(bytes.begin() + offset,
                                 bytes.begin() + offset + static_cast<int>(sizeof(value)));
                }
            };
            put(0, qint32{540});
            std::memcpy(bytes.data() + 4, "n+2\0\r\n\032\n", 8);
            put(12, qint16{4});
            for (int axis = 0; const qint64 side : {3, 3, 2, 2}) {
                put(16 + 8 * axis++, side);
            }
            put(168, qint64{544});
            put(348, qint32{1});
            for (int i = 0; const double entry : {2, 0, 0, 10, 0, 3, 0, 20, 0, 0, 4, 30}) {
                put(400 + 8 * i++, entry);
            }
            for (int i = 0; i < 12; ++i) {
                bytes.append(2, '\0');
                put(544 + 2 * i, static_cast<qint16>(i));
            }

            const Volume volume = readVolume(save("two.nii", bytes));

            QCOMPARE(volume.lattice.origin_mm.x, -14.0);
            QCOMPARE(volume.lattice.origin_mm.y, -23.0);
            QCOMPARE(volume.at(1, 0, 1), 10.0F);
        }
    }

    void whatNiftiHoldsBesidesVolumesIsNamed_data() {
        QTest::addColumn<int>("offset");
        QTest::addColumn<qint16>("value");
        QTest::addColumn<QString>("what");
        QTest::newRow("complex") << 70 << qint16{32} << "complex";
        QTest::newRow("colours") << 70 << qint16{128} << "RGB";
        QTest::newRow("surface") << 68 << qint16{1008} << "surface";
        QTest::newRow("CIFTI") << 68 << qint16{3006} << "CIFTI";
        QTest::newRow("Analyze") << 344 << qint16{0} << "Analyze";
    }
    void whatNiftiHoldsBesidesVolumesIsNamed() {
        QFETCH(int, offset);
        QFETCH(qint16, value);
        QFETCH(QString, what);
        NiftiBytes nifti({2, 2, 2});
        nifti.put(offset, value);

        try {
            (void)readVolume(save("w.nii", nifti.bytes()));
            QFAIL("accepted");
        } catch (const BadInput& refused) {
            QVERIFY2(QString(refused.what()).contains(what), refused.what());
        }
    }

    void interfileNumbersAreDecoded_data() {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QByteArray>("order");
        QTest::addColumn<QByteArray>("stored");
        QTest::addColumn<float>("value");
        const auto row = [](const char* name, const char* format, int bytes, const char* order,
                            const char* hex, float value) {
            QTest::newRow(name) << QByteArray(format) << bytes << QByteArray(order)
                                << QByteArray::fromHex(hex) << value;
        };
        row("uint8", "unsigned integer", 1, "BIGENDIAN", "fe", 254);
        row("int8", "signed integer", 1, "BIGENDIAN", "fe", -2);
        row("int16 little", "signed integer", 2, "LITTLEENDIAN", "feff", -2);
        row("uint16 big", "unsigned integer", 2, "BIGENDIAN", "0102", 258);
        row("int32 big", "signed integer", 4, "BIGENDIAN", "fffffffe", -2);
        row("uint32 little", "unsigned integer", 4, "LITTLEENDIAN", "00000100", 65536);
        row("float big", "float", 4, "BIGENDIAN", "3fc00000", 1.5F);
        row("float little", "short float", 4, "LITTLEENDIAN", "0000c03f", 1.5F);
        row("double big", "float", 8, "BIGENDIAN", "3ff8000000000000", 1.5F);
    }
    void interfileNumbersAreDecoded() {
        QFETCH(QByteArray, format);
        QFETCH(int, bytes);
        QFETCH(QByteArray, order);
        QFETCH(QByteArray, stored);
        QFETCH(float, value);
        const QByteArray header =
            "!INTERFILE :=\n ; a comment\nName_of_data file := i.v\n!number  format := " + format +
            "\n!NUMBER OF BYTES PER PIXEL := " + QByteArray::number(bytes) +
            "\nimagedata byte order := " + order +
            "\nnumber of dimensions := 3\nmatrix size [1] := 1\nmatrix size[2] := 1\n!matrix size [ 3 ] := "
            "2\n"
            "scaling factor (mm/pixel) [1] := 2\nscaling factor (mm/pixel) [2] := 2\n"
            "scaling factor (mm/pixel) [3] := 3\nimage scaling factor[1] := {2,\\\n 3}\n"
            "data offset in bytes[1] := 5\nquantification units := 10\n!END OF INTERFILE :=\n";
        save("i.v", QByteArray(5, 'x') + stored + stored);

        const Volume volume = readVolume(save("i.hv", header));

        // A factor per slice; the last slice of a patient head first is the lowest.
        QCOMPARE(volume.data, (std::vector<float>{30 * value, 20 * value}));
        QCOMPARE(volume.lattice.origin_mm.z, -1.5);  // centred
    }

    // Head first and supine: STIR's z runs out of the scanner, towards the feet.
    /// Interfile 3.3 of a program that is not STIR: 4 x 3 x 4 mm pixels of 4 and 5 mm, slices 2/3 pixel
    /// apart.
    void plainInterfileIsCentredAndSaysWhatItAssumes() {
        QByteArray numbers;
        for (int i = 0; i < 24; ++i) {
            const auto value = static_cast<float>(i);
            numbers.append(reinterpret_cast<const char*>(&value), 4);
        }
        save("plain.i33", numbers);
        const std::string path =
            save("plain.h33",
                 "!INTERFILE :=\n!imaging modality := nucmed\n!version of keys := 3.3\n"
                 "!name of data file := plain.i33\n!type of data := Tomographic\n"
                 "!total number of images := 2\nimagedata byte order := LITTLEENDIAN\n"
                 "!process status := Reconstructed\nnumber of dimensions := 3\n"
                 "!matrix size [1] := 4\n!matrix size [2] := 3\n!number format := short float\n"
                 "!number of bytes per pixel := 4\nscaling factor (mm/pixel) [1] := 4\n"
                 "scaling factor (mm/pixel) [2] := 5\npatient orientation := head_in\n"
                 "patient rotation := supine\n!number of slices := 2\n"
                 "centre-centre slice separation (pixels) := 0.666666667\n!END OF INTERFILE :=\n");

        const VolumeReadResult read = recognise(path).readVolumeResult();

        QVERIFY(std::abs(read.volume.lattice.spacing_mm[2] - 3) < 1e-6);
        QVERIFY(norm(read.volume.lattice.origin_mm - Vec3{-6, -5, -1.5}) < 1e-6);
        QCOMPARE(read.volume.at(1, 0, 0), 1.0F);
        QCOMPARE(read.volume.at(0, 0, 1), 12.0F);
        QVERIFY2(read.note.find("--reverse-slices") != std::string::npos &&
                     read.note.find("3 mm apart") != std::string::npos,
                 read.note.c_str());
        QVERIFY(recognise(path).infoJson().find("--reverse-slices") != std::string::npos);
        const VolumeReadResult turned = recognise(path).readVolumeResult({.slices = SliceOrder::Reversed});
        QCOMPARE(turned.volume.at(0, 0, 0), 12.0F);
        QVERIFY(turned.volume.lattice == read.volume.lattice);
    }

    void headersOfOtherSystemsAreRead_data() {
        QTest::addColumn<QByteArray>("ends");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("\\n") << QByteArray("\n") << QByteArray("sub/o.v");
        QTest::newRow("\\r\\n") << QByteArray("\r\n") << QByteArray("sub/o.v");
        QTest::newRow("\\r alone") << QByteArray("\r") << QByteArray("sub/o.v");
        QTest::newRow("quotes") << QByteArray("\n") << QByteArray("\"sub/o.v\"");
        QTest::newRow("backslash") << QByteArray("\n") << QByteArray("sub\\o.v");
    }
    void headersOfOtherSystemsAreRead() {
        QFETCH(QByteArray, ends);
        QFETCH(QByteArray, name);
        QVERIFY(QDir(folder_.path()).mkpath("sub"));
        Volume volume = sample();
        writeVolume(file("o.hv"), volume);
        QFile::remove(folder_.filePath("sub/o.v"));
        QVERIFY(QFile::rename(folder_.filePath("o.v"), folder_.filePath("sub/o.v")));
        QFile header(folder_.filePath("o.hv"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        const QByteArray text = header.readAll().replace("o.v\n", name + "\n").replace("\n", ends);
        header.close();

        QCOMPARE(readVolume(save("o.hv", text)).data, volume.data);
    }

    void interfilePatientPositionTurnsAxes_data() {
        QTest::addColumn<QByteArray>("orientation");
        QTest::addColumn<QByteArray>("rotation");
        QTest::addColumn<int>("voxel");  // where stored (0, 0, 0) ends up in [z][y][x] of 2 x 2 x 2
        QTest::newRow("head first supine") << QByteArray("head_in") << QByteArray("supine") << 4;
        QTest::newRow("head first prone") << QByteArray("head_in") << QByteArray("prone") << 7;
        QTest::newRow("feet first supine") << QByteArray("feet_in") << QByteArray("supine") << 1;
        QTest::newRow("feet first prone") << QByteArray("feet_in") << QByteArray("prone") << 2;
        QTest::newRow("not stated") << QByteArray("unknown") << QByteArray("unknown")
                                    << 4;  // as STIR: head first supine
    }
    void interfilePatientPositionTurnsAxes() {
        QFETCH(QByteArray, orientation);
        QFETCH(QByteArray, rotation);
        QFETCH(int, voxel);
        QByteArray header =
            "!INTERFILE :=\nname of data file := p.v\nnumber of bytes per pixel := 1\n"
            "patient orientation := " +
            orientation + "\npatient rotation := " + rotation + "\nnumber of dimensions := 3\n";
        for (const char* axis : {"1", "2", "3"}) {
            header += QByteArray("matrix size [") + axis + "] := 2\nscaling factor (mm/pixel) [" + axis +
                      "] := 4\n";
        }
        save("p.v", QByteArray::fromHex("0900000000000000"));

        const Volume volume = readVolume(save("p.hv", header));

        QCOMPARE(volume.data[static_cast<std::size_t>(voxel)], 9.0F);
        // Indices run from -1 (size / 2): first voxel at -4 mm, last at 0; reversed, first at 0.
        const Vec3 stored = volume.lattice.centre(voxel & 1, (voxel >> 1) & 1, voxel >> 2);
        QCOMPARE(std::abs(stored.x), 4.0);
        QCOMPARE(std::abs(stored.y), 4.0);
        QCOMPARE(std::abs(stored.z), 2.0);  // z is centred
    }

    void patientVolumesAreRead() {
        const std::string path = shared("patient/FDG_g1.hv");
        if (!QFile::exists(QString::fromStdString(path))) {
            QSKIP("the shared data folder is not beside the project");
        }
        const Volume emission = readVolume(path);
        const Volume attenuation = readVolume(shared("patient/CTAC_g1.hv"));

        QVERIFY((emission.lattice.size == std::array<int, 3>{155, 155, 15}));
        QVERIFY((emission.lattice.spacing_mm == std::array<double, 3>{3.129, 3.129, 6.75}));
        QVERIFY(emission.lattice == attenuation.lattice);
        QCOMPARE(emission.lattice.origin_mm.x, -240.933);
        QCOMPARE(emission.lattice.origin_mm.z, -47.25);
        // Water at 511 keV is 0.096 per cm; bone stays below twice that.
        const float densest = *std::max_element(attenuation.data.begin(), attenuation.data.end());
        QVERIFY(densest > 0.096F && densest < 0.2F);
        QVERIFY(*std::min_element(emission.data.begin(), emission.data.end()) >= 0);
        QVERIFY(*std::max_element(emission.data.begin(), emission.data.end()) > 0);
    }

    void startImageWithoutOffsetsFollowsStir() {
        const std::string path = shared("rat_sinogram/init.hv");
        if (!QFile::exists(QString::fromStdString(path))) {
            QSKIP("the shared data folder is not beside the project");
        }
        const Volume volume = readVolume(path);

        QVERIFY((volume.lattice.size == std::array<int, 3>{60, 60, 31}));
        QCOMPARE(volume.lattice.origin_mm.x, -30 * 4.44114);
    }
};

QTEST_GUILESS_MAIN(IoVolumeTest)

}  // namespace io_volume_test
#include "io_volume_test.moc"
