// SPDX-License-Identifier: Apache-2.0
// Planes that share their transverse path must have the coefficients of the path followed in space.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "recon/systems/lines/stack_cpu.h"

namespace line_stack_test {

using namespace tof;

namespace {

struct Scene {
    MichelogramSpec spec;
    LineModel model;
};

/// A scanner of 7 rings 7 mm apart on a lattice of planes `dz` apart.
Scene scene(double dz, int planes, std::vector<RingSegment> segments, int radialRays = 1) {
    Scene s;
    s.spec.scanner = {"ring", 7, 90, 160.0, 7.0, 0.03};
    s.spec.segments = std::move(segments);
    s.spec.radialBins = 47;
    s.model.lattice = Lattice::centred({37, 33, planes}, {5.0, 6.0, dz});
    s.model.lines = std::make_shared<const Michelogram>(s.spec);
    s.model.radialRays = radialRays;
    return s;
}

using Row = std::map<int, double>;  // voxel -> mm

Row rowInSpace(const LineModel& model, const TransverseLine& t, const Sinogram& plane) {
    Row row;
    const LineOperator op{rayGrid(model.lattice, model.fovRadius_mm), {0, 0, 0, 0}, false};
    followLine(op, Vec3{t.x1, t.y1, plane.z1_mm}, Vec3{t.x2, t.y2, plane.z2_mm}, 0,
               [&](int voxel, float length) { row[voxel] += static_cast<double>(length); });
    return row;
}

Row rowOfStack(const PlaneStack& stack, const LineModel& model, const TransverseLine& t, std::size_t s) {
    Row row;
    std::vector<PathStep> path;
    stack.appendPath(t, path);
    const float transverse = PlaneStack::transverseLength(t);
    const PlaneLine line = stack.planes()[s];
    const int columns = model.lattice.size[0] * model.lattice.size[1];
    for (const PathStep& step : path) {
        ColumnCrossing crossing(line, step, lengthPerHeight(line, transverse));
        do {
            const int z = crossing.voxel();
            if (z >= 0 && z < model.lattice.size[2]) {
                row[z * columns + step.column] +=
                    static_cast<double>(crossing.length() * relativeLength(stack.rises()[s], transverse));
            }
        } while (crossing.next());
    }
    return row;
}

double sumOf(const Row& row) {
    return std::accumulate(row.begin(), row.end(), 0.0, [](double s, const auto& v) { return s + v.second; });
}

}  // namespace

class RingStackTest : public QObject {
    Q_OBJECT

  private slots:
    void rowsAreThoseOfThePathInSpace_data() {
        QTest::addColumn<double>("dz");
        QTest::addColumn<int>("planes");
        QTest::addColumn<bool>("spans");
        QTest::addColumn<double>("fov");
        QTest::newRow("half a ring") << 3.5 << 13 << false << 0.0;
        QTest::newRow("span 3") << 3.5 << 13 << true << 0.0;
        QTest::newRow("thin voxels, several in one column") << 0.875 << 52 << false << 0.0;
        QTest::newRow("shorter than the scanner") << 3.5 << 6 << false << 0.0;
        QTest::newRow("flat lines on faces") << 3.5 << 12 << false << 0.0;
        QTest::newRow("field of view") << 3.5 << 13 << false << 60.0;
    }
    void rowsAreThoseOfThePathInSpace() {
        QFETCH(double, dz);
        QFETCH(int, planes);
        QFETCH(bool, spans);
        QFETCH(double, fov);
        Scene s = scene(dz, planes, spans ? segmentsOfSpan(7, 3, 6) : segmentsOfGe(7));
        s.model.fovRadius_mm = fov;
        const LineTable lines(s.model);
        const auto stack = PlaneStack::of(s.model, lines);
        QVERIFY(stack.has_value());
        const Michelogram& m = *lines.michelogram();
        std::size_t crossed = 0;
        for (std::size_t t = 0; t < lines.transverse().size(); t += 37) {
            for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
                const TransverseLine& line = lines.transverse()[t];
                const Row expected = rowInSpace(s.model, line, m.sinograms()[plane]);
                const Row found = rowOfStack(*stack, s.model, line, plane);
                // A height is a float near 50 (spacing 4e-6); the flattest tilted line here takes 23 mm or
                // more for a voxel of height, so that a face is met within 1e-4 mm, and twice that per voxel.
                Row all = expected;
                all.insert(found.begin(), found.end());
                for (const auto& [voxel, unused] : all) {
                    const double a = expected.contains(voxel) ? expected.at(voxel) : 0;
                    const double b = found.contains(voxel) ? found.at(voxel) : 0;
                    QVERIFY2(std::abs(a - b) < 1e-3, qPrintable(QString("line %1 plane %2 voxel %3: %4, %5")
                                                                    .arg(t)
                                                                    .arg(plane)
                                                                    .arg(voxel)
                                                                    .arg(a)
                                                                    .arg(b)));
                }
                QVERIFY(std::abs(sumOf(expected) - sumOf(found)) <= 1e-5 * std::max(sumOf(expected), 10.0));
                crossed += expected.size();
            }
        }
        QVERIFY(crossed > 10000);
    }

    void projectionsAreThoseOfThePathInSpace_data() {
        QTest::addColumn<double>("dz");
        QTest::addColumn<int>("planes");
        QTest::addColumn<int>("rays");
        QTest::newRow("planes fit") << 3.5 << 13 << 1;
        QTest::newRow("three rays") << 3.5 << 13 << 3;
        QTest::newRow("thin") << 0.875 << 52 << 1;
        QTest::newRow("short") << 3.5 << 6 << 1;
        QTest::newRow("long") << 3.5 << 21 << 1;
    }
    void projectionsAreThoseOfThePathInSpace() {
        QFETCH(double, dz);
        QFETCH(int, planes);
        QFETCH(int, rays);
        const Scene s = scene(dz, planes, segmentsOfGe(7), rays);
        const LineTable lines(s.model);
        StackCpu fast(*PlaneStack::of(s.model, lines), lines, s.model.lattice);
        const ThreadPool pool(3);
        std::mt19937 random(2);
        std::uniform_real_distribution<float> uniform(0.1F, 1.0F);
        std::vector<float> image(s.model.lattice.voxels());
        std::vector<float> data(lines.partSize(0));
        std::generate(image.begin(), image.end(), [&] { return uniform(random); });
        std::generate(data.begin(), data.end(), [&] { return uniform(random); });
        const LineOperator op{rayGrid(s.model.lattice, 0), {0, 0, 0, 0}, false};
        for (const std::size_t part : {0, 3}) {
            std::vector<double> forward(data.size(), 0.0);
            std::vector<double> back(image.size(), 0.5);
            lines.forEachRay(part, 0, data.size(), [&](Vec3 one, Vec3 two, int, std::size_t datum) {
                followLine(op, one, two, 0, [&](int voxel, float length) {
                    const auto v = static_cast<std::size_t>(voxel);
                    const double share = static_cast<double>(length) / rays;
                    forward[datum] += share * static_cast<double>(image[v]);
                    back[v] += share * static_cast<double>(data[datum]);
                });
            });
            std::vector<float> p(data.size());
            std::vector<float> x(image.size(), 0.5F);
            fast.forward(part, image.data(), p.data(), pool);
            fast.back(part, data.data(), Write::Add, x.data(), pool);
            const auto worst = [](const std::vector<float>& found, const std::vector<double>& expected) {
                double off = 0;
                for (std::size_t i = 0; i < found.size(); ++i) {
                    off = std::max(off, std::abs(static_cast<double>(found[i]) - expected[i]));
                }
                return off / *std::max_element(expected.begin(), expected.end());
            };
            QVERIFY2(worst(p, forward) < 1e-5, qPrintable(QString::number(worst(p, forward))));
            QVERIFY2(worst(x, back) < 1e-5, qPrintable(QString::number(worst(x, back))));
        }
    }

    void backProjectionIsTheSameForAnyThreads() {
        const Scene s = scene(3.5, 13, segmentsOfGe(7));
        const LineTable lines(s.model);
        std::vector<float> data(lines.partSize(0));
        std::iota(data.begin(), data.end(), 1.0F);
        std::vector<std::vector<float>> images;
        for (const int threads : {1, 2, 5}) {
            StackCpu stack(*PlaneStack::of(s.model, lines), lines, s.model.lattice);
            images.emplace_back(s.model.lattice.voxels());
            stack.back(1, data.data(), Write::Overwrite, images.back().data(), ThreadPool(threads));
        }
        QCOMPARE(images[1], images[0]);
        QCOMPARE(images[2], images[0]);
    }

    void familiesStandForTheirPlanes() {
        const Scene s = scene(3.5, 13, segmentsOfGe(7));
        const LineTable lines(s.model);
        const auto stack = PlaneStack::of(s.model, lines);
        QVERIFY(stack.has_value());
        // 13 planes of segment 0 on every voxel: two parities; ring differences +-2..6 a family each.
        QCOMPARE(stack->families().size(), std::size_t{12});
        std::vector<int> seen(stack->paddedSize(), 0);
        for (std::size_t p = 0; p < stack->planes().size(); ++p) {
            const int place = stack->places()[p];
            ++seen[static_cast<std::size_t>(place)];
            const auto family = std::find_if(
                stack->families().begin(), stack->families().end(),
                [&](const PlaneFamily& f) { return place >= f.base && place < f.base + f.places; });
            QVERIFY(family != stack->families().end());
            QCOMPARE(stack->planes()[p].slope, family->line.slope);
            QVERIFY(std::abs(stack->planes()[p].at -
                             (family->line.at + static_cast<float>(2 * (place - family->base)))) < 1e-5F);
        }
        QCOMPARE(std::count(seen.begin(), seen.end(), 1), std::ptrdiff_t{43});
        // Zeros around every family, as many as a column has voxels of one parity.
        for (const PlaneFamily& f : stack->families()) {
            for (int i = 1; i <= std::max(stack->half(), PlaneStack::kPadding); ++i) {
                QCOMPARE(seen[static_cast<std::size_t>(f.base - i)], 0);
                QCOMPARE(seen[static_cast<std::size_t>(f.base + f.places - 1 + i)], 0);
            }
        }
    }

    void unlikePlanesAreLeftToLines() {
        // Voxels that do not fit the rings: no two planes of a segment meet them alike.
        const Scene s = scene(2.9, 17, segmentsOfGe(7));
        QVERIFY(!PlaneStack::of(s.model, LineTable(s.model)).has_value());
        Scene joseph = scene(3.5, 13, segmentsOfGe(7));
        joseph.model.method = RayMethod::Joseph;
        QVERIFY(!PlaneStack::of(joseph.model, LineTable(joseph.model)).has_value());
        Scene rays = scene(3.5, 13, segmentsOfGe(7));
        rays.model.axialRays = 2;
        QVERIFY(!PlaneStack::of(rays.model, LineTable(rays.model)).has_value());
    }
};

QTEST_GUILESS_MAIN(RingStackTest)

}  // namespace line_stack_test
#include "line_stack_test.moc"
