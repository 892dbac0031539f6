// SPDX-License-Identifier: Apache-2.0
// Lines that the host follows in single precision, through images with a margin, against the path in double.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/constants.h"
#include "recon/systems/lines/line_walk.h"

namespace line_walk_test {

using namespace tof;

namespace {

LineModel modelBy(RayMethod method) {
    LineModel model;
    model.lattice = Lattice::centred({40, 36, 12}, {4.0, 5.0, 6.0});
    model.method = method;
    return model;
}

/// Random lines through the lattice, some along its axes and faces.
LineWalk::Line lineOf(std::mt19937& random, int bins, int number) {
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double a = 2 * kPi * uniform();
    const double b = a + kPi + 0.9 * (uniform() - 0.5);
    LineWalk::Line line{{150 * std::cos(a), 150 * std::sin(a), 90 * (uniform() - 0.5)},
                        {150 * std::cos(b), 150 * std::sin(b), 90 * (uniform() - 0.5)},
                        bins > 0 ? static_cast<int>(uniform() * bins) : 0};
    if (number % 10 == 0) {
        line.two = {-line.one.x, number % 20 == 0 ? line.one.y : -line.one.y, line.one.z};
        line.one.z = line.two.z = 6.0 * std::round(line.one.z / 6.0);
    }
    if (number % 10 == 5) {  // most across the planes of the third axis
        line.one = {20 * uniform(), 20 * uniform(), -60};
        line.two = {-20 * uniform(), 20 * uniform(), 60};
    }
    return line;
}

/// The lattice's voxels of an image with its margin.
std::vector<float> inLattice(const LineWalk& walk, const Lattice& lattice, const std::vector<float>& padded) {
    std::vector<float> image;
    for (std::size_t row = 0; row < walk.rows(); ++row) {
        const auto from = padded.begin() + static_cast<std::ptrdiff_t>(walk.rowStart(row));
        image.insert(image.end(), from, from + lattice.size[0]);
    }
    return image;
}

}  // namespace

class LineWalkTest : public QObject {
    Q_OBJECT

  private slots:
    void linesAreThoseOfThePathInDouble_data() {
        QTest::addColumn<bool>("joseph");
        QTest::addColumn<int>("bins");
        QTest::addColumn<double>("width");
        for (const bool joseph : {false, true}) {
            const QByteArray method = joseph ? "joseph" : "siddon";
            QTest::newRow(method + ", no time of flight") << joseph << 0 << 0.0;
            QTest::newRow(method + ", bins of a sigma") << joseph << 9 << 170.0;
            QTest::newRow(method + ", two bins, both outermost") << joseph << 2 << 400.0;
            QTest::newRow(method + ", a bin without a table") << joseph << 1 << 500.0;
        }
    }
    void linesAreThoseOfThePathInDouble() {
        QFETCH(bool, joseph);
        QFETCH(int, bins);
        QFETCH(double, width);
        const LineModel model = modelBy(joseph ? RayMethod::Joseph : RayMethod::Siddon);
        const RayTof tof = rayTof(bins > 0 ? TofBins{bins, width, 400, 4.5} : TofBins{});
        const LineOperator op{rayGrid(model.lattice, 0), tof, joseph};
        const LineWalk walk(model, tof);
        std::vector<float> ramp(walk.paddedSize(), 0.0F);  // a different number in every voxel
        for (std::size_t row = 0; row < walk.rows(); ++row) {
            for (std::size_t x = 0; x < 40; ++x) {
                ramp[walk.rowStart(row) + x] = 1 + static_cast<float>(row * 40 + x) / 20000;
            }
        }
        std::mt19937 random(5);
        int seen = 0;
        for (int i = 0; i < 500; ++i) {
            const LineWalk::Line line = lineOf(random, bins, i);
            std::vector<double> expected(model.lattice.voxels(), 0.0);
            followLine(op, line.one, line.two, line.timeBin, [&](int voxel, float w) {
                expected[static_cast<std::size_t>(voxel)] += static_cast<double>(w);
            });

            std::vector<float> padded(walk.paddedSize(), 0.0F);
            walk.spread(line, 2.0F, padded.data());
            const double projected = static_cast<double>(walk.project(line, ramp.data()));

            const std::vector<float> found = inLattice(walk, model.lattice, padded);
            double most = 0;
            double sum = 0;
            for (std::size_t v = 0; v < found.size(); ++v) {
                most = std::max(most, std::abs(0.5 * static_cast<double>(found[v]) - expected[v]));
                sum += expected[v] * (1 + static_cast<double>(v) / 20000);
            }
            seen += sum > 0 ? 1 : 0;
            // Distances up to 150 mm are floats 1.5e-5 apart, places below 64 voxels 4e-6 at 8 mm a plane.
            QVERIFY2(most < 1.3e-4, qPrintable(QString("line %1: %2").arg(i).arg(most)));
            QVERIFY2(std::abs(projected - sum) < 1e-3,
                     qPrintable(QString("line %1: %2").arg(i).arg(projected - sum)));
        }
        QVERIFY(seen > 250);
    }
};

QTEST_APPLESS_MAIN(LineWalkTest)

}  // namespace line_walk_test
#include "line_walk_test.moc"
