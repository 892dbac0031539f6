// SPDX-License-Identifier: Apache-2.0
// Corrections stored once per line of a view and expanded to voxels by readData.
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/constants.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"

using namespace tof;

namespace {

constexpr double kRadialFirst_mm = -30;
constexpr double kRadialStep_mm = 5;
constexpr double kAxialFirst_mm = -20;
constexpr double kAxialStep_mm = 8;

/// Linear in both coordinates, so that bilinear interpolation is exact; held at the edge beyond the samples.
double expected(const View& view, Vec3 p, std::size_t radials, std::size_t axials) {
    const ViewAxes axes = view.axes();
    const double s = std::clamp(dot(p, axes.r), kRadialFirst_mm,
                                kRadialFirst_mm + kRadialStep_mm * static_cast<double>(radials - 1));
    const double a = std::clamp(dot(p, axes.a), kAxialFirst_mm,
                                kAxialFirst_mm + kAxialStep_mm * static_cast<double>(axials - 1));
    return 2.0 + 0.01 * s + 0.02 * a;
}

}  // namespace

class IoPerLineTest : public QObject {
    Q_OBJECT
  private slots:
    void linearSamplesAreExpandedExactly_data() {
        QTest::addColumn<int>("radials");
        QTest::addColumn<int>("axials");
        QTest::newRow("samples beyond the lattice") << 13 << 6;
        QTest::newRow("samples short of the lattice") << 4 << 2;
        QTest::newRow("one axial sample") << 13 << 1;
        QTest::newRow("one sample") << 1 << 1;
    }
    void linearSamplesAreExpandedExactly() {
        QFETCH(int, radials);
        QFETCH(int, axials);
        const auto ns = static_cast<std::size_t>(radials);
        const auto na = static_cast<std::size_t>(axials);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("d.h5").toStdString();
        HistoData data;
        data.lattice = Lattice::centred({9, 7, 5}, {5, 6, 7});
        data.views = {{0, 0}, {kPi / 3, 0.1}, {2.5, -0.15}};
        std::vector<float> samples;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            for (std::size_t j = 0; j < na; ++j) {
                for (std::size_t i = 0; i < ns; ++i) {
                    const double s = kRadialFirst_mm + kRadialStep_mm * static_cast<double>(i);
                    const double a = kAxialFirst_mm + kAxialStep_mm * static_cast<double>(j);
                    samples.push_back(static_cast<float>(2.0 + 0.01 * s + 0.02 * a));
                }
            }
        }
        {
            h5::Writer file(path, path);
            const std::vector<float> counts(3 * data.voxels(), 1.0F);
            const std::vector<double> phi = {0, kPi / 3, 2.5};
            const std::vector<double> theta = {0, 0.1, -0.15};
            file.write("/histo/counts", {3, 5, 7, 9}, counts.data());
            file.attribute("/histo/counts", "spacing_mm", std::vector<double>{5, 6, 7});
            file.write("/histo/phi", {3}, phi.data());
            file.write("/histo/theta", {3}, theta.data());
            file.write("/corrections/mult", {3, na, ns}, samples.data());
            file.attribute("/corrections/mult", "radial_mm",
                           std::vector<double>{kRadialFirst_mm, kRadialStep_mm});
            file.attribute("/corrections/mult", "axial_mm",
                           std::vector<double>{kAxialFirst_mm, kAxialStep_mm});
            file.close();
        }

        const HistoData back = readData(path);

        QCOMPARE(back.mult.size(), 3 * data.voxels());
        double worst = 0;
        for (std::size_t view = 0; view < 3; ++view) {
            for (int z = 0; z < 5; ++z) {
                for (int y = 0; y < 7; ++y) {
                    for (int x = 0; x < 9; ++x) {
                        const double wanted =
                            expected(data.views[view], data.lattice.centre(x, y, z), ns, na);
                        const float found = back.mult[view * data.voxels() + data.lattice.index(x, y, z)];
                        worst = std::max(worst, std::abs(static_cast<double>(found) - wanted));
                    }
                }
            }
        }
        QVERIFY2(worst < 4 * 1.2e-7 * 3,
                 qPrintable(QString::number(worst)));  // a few roundings of values below 3
        QVERIFY(back.add.empty());
    }
};

QTEST_GUILESS_MAIN(IoPerLineTest)
#include "io_per_line_test.moc"
