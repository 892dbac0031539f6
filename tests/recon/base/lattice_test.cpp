// SPDX-License-Identifier: Apache-2.0
// Lattices, what lies between their voxels, what is left of a volume where zeros are cut off, and large
// arrays.
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/cropped_volume.h"
#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/base/interpolated.h"
#include "recon/base/large_array.h"
#include "recon/base/lattice.h"
#include "recon/base/module.h"
#include "recon/base/text_file.h"
#include "tests/support/refusal.h"

namespace lattice_test {

using namespace tof;
using tof::test::refusal;
using tof::test::saidBy;

class LatticeTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;

  private slots:
    void latticesThatCannotBeAreRefused_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<double>("spacing_mm");
        QTest::addColumn<QString>("said");
        QTest::newRow("no voxels") << 0 << 4.0 << "a lattice side of 0 voxels is not between 1 and 65535";
        QTest::newRow("a side too long") << 65536 << 4.0 << "a lattice side of 65536 voxels";
        QTest::newRow("2^31 voxels") << 1291 << 4.0 << "a lattice of 2151685171 voxels is too large";
        QTest::newRow("the last that is none too large") << 1290 << 4.0 << "nothing";
        QTest::newRow("no size") << 3 << 0.0 << "a voxel size of 0 mm is not positive";
        QTest::newRow("no number") << 3 << std::nan("") << "a voxel size of nan mm is not positive";
        QTest::newRow("no end") << 3 << std::numeric_limits<double>::infinity() << "a voxel size of inf mm";
    }
    void latticesThatCannotBeAreRefused() {
        QFETCH(int, side);
        QFETCH(double, spacing_mm);
        QFETCH(QString, said);

        const QString refused = saidBy([&] {
            static_cast<void>(Lattice::centred({side, side, side}, {spacing_mm, spacing_mm, spacing_mm}));
        });

        QVERIFY2(refused.contains(said), qPrintable(refused));
    }

    void voxelsIndicesAndPlacesAreOneThing() {
        const Lattice lattice = Lattice::centred({5, 4, 3}, {2, 3, 4});
        std::size_t index = 0;

        lattice.forEachVoxel([&](int x, int y, int z) {
            QCOMPARE(lattice.index(x, y, z), index);
            QCOMPARE(lattice.voxel(index), (VoxelIndex{x, y, z}));
            QCOMPARE(lattice.voxelAt(lattice.centre(x, y, z)), (VoxelIndex{x, y, z}));
            ++index;
        });

        QCOMPARE(index, lattice.voxels());
        QVERIFY(lattice.contains(4, 3, 2) && !lattice.contains(5, 3, 2) && !lattice.contains(0, -1, 0));
        QCOMPARE(lattice.voxelAt({1e300, -1e300, 0}), (VoxelIndex{1000000, -1000000, 1}));
        QCOMPARE(lattice.text(), std::string("5 x 4 x 3, 2 x 3 x 4 mm"));
        const Box box = latticeBox(lattice);
        QVERIFY(norm(box.low - Vec3{-5, -6, -6}) < 1e-12 && norm(box.high - Vec3{5, 6, 6}) < 1e-12);
    }

    /// A function that is linear along each axis is what trilinear interpolation gives back.
    void whatLiesBetweenVoxelsIsInterpolated() {
        Volume volume(Lattice::centred({5, 4, 3}, {2, 3, 4}));
        const auto value = [](Vec3 p) { return 3 + 2 * p.x - p.y + 0.5 * p.z + 0.25 * p.x * p.y * p.z; };
        volume.lattice.forEachVoxel([&](int x, int y, int z) {
            volume.at(x, y, z) = static_cast<float>(value(volume.lattice.centre(x, y, z)));
        });

        for (const Vec3 p : {Vec3{0, 0, 0}, {-4, -4.5, -4}, {3.9, 4.4, 3.9}, {-1.3, 2.2, 0.7}}) {
            QVERIFY(std::abs(interpolated(volume, p) - value(p)) < 1e-5);  // values are floats of up to 30
        }
        QCOMPARE(interpolated(volume, {0, 0, 8}), 0.0);
        const double edge = interpolated(volume, {0, 0, 6});  // half a voxel beyond: half of the last one
        QVERIFY(std::abs(edge - 0.5 * value({0, 0, 4})) < 1e-5);
    }

    void zerosAroundAVolumeAreCutOff() {
        Volume volume(Lattice::centred({6, 5, 4}, {2, 3, 4}));
        QVERIFY(!cropped(volume));
        volume.at(1, 2, 3) = 5;
        volume.at(4, 3, 2) = -7;

        const std::optional<Volume> part = cropped(volume);

        QCOMPARE(part->lattice.size, (VoxelIndex{4, 2, 2}));
        QVERIFY(norm(part->lattice.centre(0, 0, 0) - volume.lattice.centre(1, 2, 2)) < 1e-12);
        QCOMPARE(part->at(0, 0, 1), 5.0F);
        QCOMPARE(part->at(3, 1, 0), -7.0F);
        QCOMPARE(std::accumulate(part->data.begin(), part->data.end(), 0.0F), -2.0F);
    }

    void theFirstOfAllThreadsIsFound() {
        const ThreadPool pool(3);
        constexpr std::size_t kCount = 1'000'000;
        const auto at = [&](std::vector<std::size_t> wrong) {
            return firstWhere(pool, kCount, [=](std::size_t i) {
                return std::find(wrong.begin(), wrong.end(), i) != wrong.end();
            });
        };

        QCOMPARE(at({}), kCount);
        QCOMPARE(at({999'999}), std::size_t{999'999});
        QCOMPARE(at({900'000, 300'000, 600'000}), std::size_t{300'000});
        QCOMPARE(at({0, 999'999}), std::size_t{0});
    }

    void largeArraysAreZerosAndCopiesAndGrow() {
        const ThreadPool pool(2);
        std::vector<int> values =
            largeArray<int>(3'000'000, pool);  // 12 MB, above what is found by one thread
        QVERIFY(std::all_of(values.begin(), values.end(), [](int v) { return v == 0; }));
        std::iota(values.begin(), values.end(), 0);

        QVERIFY(largeCopy(values, pool) == values);
        growTo(values, 3'000'010, 5, pool);

        QCOMPARE(values.size(), std::size_t{3'000'010});
        QVERIFY(values.capacity() >= 6'000'000);
        QCOMPARE(values[2'999'999], 2'999'999);
        QCOMPARE(values.back(), 0);
    }

    void textsAreFilesOfALimitedLength() {
        const std::string path = folder_.filePath("text").toStdString();
        QFile file(folder_.filePath("text"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(70'000, 'a')) == 70'000);
        file.close();
        const std::string pipe = folder_.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);

        QCOMPARE(readTextFile(path), std::string(70'000, 'a'));
        QCOMPARE(readTextFile(path, 70'000).size(), std::size_t{70'000});
        const auto refused = [](const std::string& name, std::size_t limit) {
            return refusal([&] { static_cast<void>(readTextFile(name, limit)); });
        };
        QVERIFY(refused(path, 69'999).contains("text: longer than 69999 bytes"));
        QVERIFY(refused(path + "s", 10).contains("texts: cannot be opened; check the name"));
        QVERIFY(refused(pipe, 10).contains("pipe: is a pipe or a device"));
    }

    void modulesThatCannotBeUsedSayWhy() {
        const auto said = [](const char* file, const char* symbol) {
            return saidBy([&] { static_cast<void>(moduleFunction(file, symbol, "install it")); });
        };

        const QString missing = said("libtofscope_of_nobody.so", "make");
        QVERIFY2(missing.contains("the module libtofscope_of_nobody.so could not be opened (") &&
                     missing.endsWith("; install it"),
                 qPrintable(missing));
        const QString other = said("libc.so.6", "tofscope_makes_nothing");
        QVERIFY2(other.contains("does not export tofscope_makes_nothing"), qPrintable(other));
        QVERIFY(moduleFunction("libc.so.6", "getpid", "") != nullptr);
        QVERIFY(QString::fromStdString(programFolder()).startsWith('/'));
    }
};

QTEST_GUILESS_MAIN(LatticeTest)

}  // namespace lattice_test
#include "lattice_test.moc"
