// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <fstream>

#include "recon/io/format_table.h"
#include "tests/support/refusal.h"

namespace metaimage_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr std::array<int, 3> kSize{4, 3, 2};

/// 100 i + 10 j + k as `T`, i fastest; the lowest byte last where `big`.
template <class T>
std::string numbers(bool big = false) {
    std::string bytes;
    for (int k = 0; k < kSize[2]; ++k) {
        for (int j = 0; j < kSize[1]; ++j) {
            for (int i = 0; i < kSize[0]; ++i) {
                const T value = static_cast<T>(100 * i + 10 * j + k);
                std::string one(sizeof(T), '\0');
                std::memcpy(one.data(), &value, sizeof(T));
                bytes += big ? std::string(one.rbegin(), one.rend()) : one;
            }
        }
    }
    return bytes;
}

const std::string kHead =
    "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 2 3 5\n"
    "Offset = -7 11 13\n";

}  // namespace

class MetaImageTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string save(const std::string& name, const std::string& bytes) const {
        const std::string path = folder_.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    /// The value at the point where voxel (i, j, k) should lie.
    [[nodiscard]] static float at(const Volume& volume, Vec3 point) {
        const Lattice& l = volume.lattice;
        for (int z = 0; z < l.size[2]; ++z) {
            for (int y = 0; y < l.size[1]; ++y) {
                for (int x = 0; x < l.size[0]; ++x) {
                    if (norm(l.centre(x, y, z) - point) < 1e-9) {
                        return volume.data[l.index(x, y, z)];
                    }
                }
            }
        }
        return -1;
    }

  private slots:
    // Voxel (i, j, k) lies at offset + i 2 a + j 3 b + k 5 c, where a, b, c are the rows of the matrix.
    void voxelsLieWhereTheHeaderSays_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<int>("turned");
        const QByteArray end = "ElementDataFile = LOCAL\n";
        const auto bytes = [](const std::string& text) { return QByteArray::fromStdString(text); };
        QTest::newRow("float") << "ElementType = MET_FLOAT\n" + end << bytes(numbers<float>()) << 0;
        QTest::newRow("short, high byte first")
            << "ElementByteOrderMSB = True\nElementType = MET_SHORT\n" + end
            << bytes(numbers<std::int16_t>(true)) << 0;
        QTest::newRow("double, axes turned")
            << "TransformMatrix = 0 1 0 0 0 -1 1 0 0\nElementType = MET_DOUBLE\n" + end
            << bytes(numbers<double>()) << 1;
    }
    void voxelsLieWhereTheHeaderSays() {
        QFETCH(QByteArray, lines);
        QFETCH(QByteArray, data);
        QFETCH(int, turned);
        const std::array<Vec3, 3> rows = turned != 0 ? std::array<Vec3, 3>{{{0, 1, 0}, {0, 0, -1}, {1, 0, 0}}}
                                                     : std::array<Vec3, 3>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

        const VolumeReadResult read =
            recognise(save("a.mha", kHead + (lines + data).toStdString())).readVolumeResult();

        QCOMPARE(read.volume.data.size(), std::size_t{24});
        QCOMPARE(read.note, std::string());
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 3; ++j) {
                for (int k = 0; k < 2; ++k) {
                    const Vec3 point =
                        Vec3{-7, 11, 13} + 2.0 * i * rows[0] + 3.0 * j * rows[1] + 5.0 * k * rows[2];
                    QCOMPARE(at(read.volume, point), static_cast<float>(100 * i + 10 * j + k));
                }
            }
        }
    }

    void dataMayLieBesideTheHeader() {
        static_cast<void>(save("b.raw", "four" + numbers<std::uint16_t>()));
        const std::string path = save("b.mhd", kHead +
                                                   "HeaderSize = 4\nElementToIntensityFunctionSlope = 0.5\n"
                                                   "ElementType = MET_USHORT\nElementDataFile = b.raw\n");

        QCOMPARE(at(readVolume(path), {-7 + 2 * 3, 11 + 3 * 2, 13 + 5}), 0.5F * 321);
    }

    void whatCannotBeUsedIsRefusedByName() {
        const auto refused = [&](const std::string& head, const std::string& data) {
            const std::string path = save("c.mha", head + "ElementDataFile = LOCAL\n" + data);
            return refusal([&] { static_cast<void>(readVolume(path)); });
        };
        const std::string type = "ElementType = MET_FLOAT\n";
        const std::string good = numbers<float>();

        QCOMPARE(refused(kHead + type, good), QString("accepted"));
        QVERIFY(refused(kHead + type, good.substr(4)).contains("c.mha"));
        QVERIFY(refused(kHead + type, good + "x").contains("holds more"));
        QVERIFY(refused(kHead + "ElementType = MET_HALF\n", good).contains("'ElementType'"));
        QVERIFY(refused(kHead + type + "CompressedData = True\n", good).contains("'CompressedData'"));
        QVERIFY(refused(kHead + type + "NDims = 3\n", good).contains("'NDims'"));
        QVERIFY(refused(kHead + type + "ElementNumberOfChannels = 3\n", good)
                    .contains("'ElementNumberOfChannels'"));
        QVERIFY(refused(kHead + type + "TransformMatrix = 1 0 0\n", good).contains("'TransformMatrix'"));
        QVERIFY(refused(kHead + type + "TransformMatrix = 1 0 0 1 0 0 0 0 1\n", good)
                    .contains("'TransformMatrix'"));
        QVERIFY(refused("NDims = 3\nDimSize = 4 3 2\nElementSpacing = 2 0 5\n" + type, good)
                    .contains("'ElementSpacing'"));
        QVERIFY(
            refused("NDims = 3\nDimSize = 4 3\nElementSpacing = 2 3 5\n" + type, good).contains("'DimSize'"));
        std::string nan = good;
        nan.replace(0, 4, std::string("\0\0\xC0\x7F", 4));
        QVERIFY(refused(kHead + type, nan).contains("finite"));
        const std::string path = save("d.mha", "NDims = 3\nDimSize = 4 3 2\nElementSpacing = 2 3 5\n" + type +
                                                   "ElementDataFile = LOCAL\n" + good);
        QVERIFY(recognise(path).readVolumeResult().note.find("Offset") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(MetaImageTest)

}  // namespace metaimage_test
#include "metaimage_test.moc"
