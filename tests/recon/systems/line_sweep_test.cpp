// SPDX-License-Identifier: Apache-2.0
// A sweep through the crossings of planes and faces must have the coefficients of the path followed in space,
// as rows of a line and as kernels go through it: forward by differences of integrals, back by sums that
// change at crossings.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "recon/systems/lines/plane_sweep.h"

namespace line_sweep_test {

using namespace tof;

namespace {

struct Scene {
    MichelogramSpec spec;
    LineModel model;
};

/// A scanner of 7 rings 7 mm apart on a lattice of planes `dz` apart.
Scene scene(double dz, int planes, bool spans, double fov) {
    Scene s;
    s.spec.scanner = {"ring", 7, 90, 160.0, 7.0, 0.03};
    s.spec.segments = spans ? segmentsOfSpan(7, 3, 6) : segmentsOfGe(7);
    s.spec.radialBins = 47;
    s.model.lattice = Lattice::centred({37, 33, planes}, {5.0, 6.0, dz});
    s.model.lines = std::make_shared<const Michelogram>(s.spec);
    s.model.fovRadius_mm = fov;
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

/// A column's voxels, zero beside the lattice.
class Column {
  public:
    Column(const std::vector<double>& image, const Lattice& lattice, int column)
        : image_(image),
          columns_(lattice.size[0] * lattice.size[1]),
          column_(column),
          height_(lattice.size[2]) {}
    [[nodiscard]] double operator()(int z) const {
        return z < 0 || z >= height_ ? 0.0 : image_[static_cast<std::size_t>(z * columns_ + column_)];
    }

  private:
    const std::vector<double>& image_;
    int columns_;
    int column_;
    int height_;
};

std::vector<SweepStep> stepsOf(const PlaneStack& stack, const PlaneSweep& sweep, const TransverseLine& t) {
    std::vector<PathStep> path;
    stack.appendPath(t, path);
    std::vector<SweepStep> steps;
    sweep.append(path, t, steps);
    return steps;
}

/// Projection of all planes by one line, by row, in path parameters, as kernels do: by the steps after
/// `begin`.
std::vector<double> forward(const PlaneSweep& sweep, const Lattice& lattice,
                            const std::vector<SweepStep>& steps, std::size_t begin, std::size_t end,
                            const std::vector<double>& image) {
    const int pairs = (lattice.size[2] + 1) / 2;
    std::vector<double> rows(sweep.rowCount(), 0.0);
    std::vector<double> integral(static_cast<std::size_t>(2 * pairs) + 4, 0.0);  // voxels -2, -1, ...
    const std::vector<FaceCrossing>* const lists[2] = {&sweep.within(), &sweep.between()};
    std::size_t next[2] = {steps[begin].within, steps[begin].between};
    for (std::size_t i = begin + 1; i <= end; ++i) {
        const Column column(image, lattice, steps[i].column);
        const double from = steps[i - 1].to;
        const auto at = [&](int z, double t) {
            return integral[static_cast<std::size_t>(z + 2)] + column(z) * (t - from);
        };
        const std::size_t until[2] = {steps[i].within, steps[i].between};
        for (int kind = 0; kind < 2; ++kind) {
            for (; next[kind] < until[kind]; ++next[kind]) {
                const FaceCrossing& crossing = (*lists[kind])[next[kind]];
                for (int l = -1; l < pairs; ++l) {
                    if (crossing.passes(l)) {
                        rows[static_cast<std::size_t>(crossing.firstRow + l)] +=
                            at(2 * l + kind, crossing.at) - at(2 * l + kind + 1, crossing.at);
                    }
                }
            }
        }
        for (int z = -2; z < 2 * pairs + 2; ++z) {
            integral[static_cast<std::size_t>(z + 2)] = at(z, steps[i].to);
        }
    }
    const std::size_t passed = next[0] + next[1];
    for (std::size_t f = 0; f < sweep.families().size(); ++f) {
        const SweepFamily& family = sweep.families()[f];
        const int voxel = sweep.voxels()[passed * sweep.families().size() + f];
        for (int plane = 0; plane < family.planes; ++plane) {
            const int z = voxel + 2 * plane;
            double& row = rows[static_cast<std::size_t>(family.row + plane)];
            row = static_cast<double>(family.direction) * row +
                  (z < -2 || z >= 2 * pairs + 2 ? 0.0 : integral[static_cast<std::size_t>(z + 2)]);
        }
    }
    return rows;
}

/// What one line adds to an image, by the steps after `begin`; `data` by row, in path parameters.
void back(const PlaneSweep& sweep, const Lattice& lattice, const std::vector<SweepStep>& steps,
          std::size_t begin, std::size_t end, const std::vector<double>& data, std::vector<double>& image) {
    const int pairs = (lattice.size[2] + 1) / 2;
    const int columns = lattice.size[0] * lattice.size[1];
    const std::vector<FaceCrossing>* const lists[2] = {&sweep.within(), &sweep.between()};
    const std::size_t passed = std::size_t{steps[begin].within} + steps[begin].between;
    for (int l = 0; l < pairs; ++l) {
        double sum[2] = {0, 0};
        double integral[2] = {0, 0};
        std::size_t next[2] = {steps[begin].within, steps[begin].between};
        for (std::size_t f = 0; f < sweep.families().size(); ++f) {
            const SweepFamily& family = sweep.families()[f];
            const int voxel = sweep.voxels()[passed * sweep.families().size() + f];
            const int plane = l - (voxel >> 1);
            if (plane >= 0 && plane < family.planes) {
                sum[voxel & 1] += data[static_cast<std::size_t>(family.row + plane)];
            }
        }
        double before[2] = {sum[0] * steps[begin].to, sum[1] * steps[begin].to};
        for (std::size_t i = begin + 1; i <= end; ++i) {
            const std::size_t until[2] = {steps[i].within, steps[i].between};
            for (int kind = 0; kind < 2; ++kind) {
                for (; next[kind] < until[kind]; ++next[kind]) {
                    const FaceCrossing& crossing = (*lists[kind])[next[kind]];
                    const auto datum = [&](int pair) {
                        if (!crossing.passes(pair)) {
                            return 0.0;
                        }
                        const std::int32_t row = crossing.firstRow + pair;
                        const auto family =
                            std::find_if(sweep.families().begin(), sweep.families().end(),
                                         [&](const SweepFamily& f) { return row < f.row + f.planes; });
                        return static_cast<double>(family->direction) * data[static_cast<std::size_t>(row)];
                    };
                    const double changes[2] = {kind == 1 ? datum(l - 1) : -datum(l),
                                               kind == 1 ? -datum(l) : datum(l)};
                    for (int parity = 0; parity < 2; ++parity) {
                        sum[parity] += changes[parity];
                        integral[parity] += changes[parity] * crossing.at;
                    }
                }
            }
            for (int parity = 0; parity < 2 && 2 * l + parity < lattice.size[2]; ++parity) {
                const double now = sum[parity] * steps[i].to - integral[parity];
                image[static_cast<std::size_t>((2 * l + parity) * columns + steps[i].column)] +=
                    now - before[parity];
                before[parity] = now;
            }
        }
    }
}

}  // namespace

class LineSweepTest : public QObject {
    Q_OBJECT

  private slots:
    void projectionsAreThoseOfThePathInSpace_data() {
        QTest::addColumn<double>("dz");
        QTest::addColumn<int>("planes");
        QTest::addColumn<bool>("spans");
        QTest::addColumn<double>("fov");
        QTest::newRow("half a ring") << 3.5 << 13 << false << 0.0;
        QTest::newRow("span 3") << 3.5 << 13 << true << 0.0;
        QTest::newRow("thin voxels, several in one column") << 0.875 << 52 << false << 0.0;
        QTest::newRow("thin voxels, an odd number") << 0.875 << 49 << false << 0.0;
        QTest::newRow("shorter than the scanner") << 3.5 << 6 << false << 0.0;
        QTest::newRow("rings on faces") << 3.5 << 12 << false << 0.0;
        QTest::newRow("field of view") << 3.5 << 13 << false << 60.0;
    }
    void projectionsAreThoseOfThePathInSpace() {
        QFETCH(double, dz);
        QFETCH(int, planes);
        QFETCH(bool, spans);
        QFETCH(double, fov);
        const Scene s = scene(dz, planes, spans, fov);
        const LineTable lines(s.model);
        const auto stack = PlaneStack::of(s.model, lines);
        QVERIFY(stack.has_value());
        const auto sweep = PlaneSweep::of(*stack);
        QVERIFY(sweep.has_value());
        const Michelogram& m = *lines.michelogram();
        std::mt19937 random(2);
        std::uniform_real_distribution<double> uniform(0.1, 1.0);
        std::vector<double> image(s.model.lattice.voxels());
        std::generate(image.begin(), image.end(), [&] { return uniform(random); });
        std::size_t crossed = 0;
        for (std::size_t t = 0; t < lines.transverse().size(); t += 127) {
            const TransverseLine& line = lines.transverse()[t];
            const std::vector<SweepStep> steps = stepsOf(*stack, *sweep, line);
            if (steps.empty()) {
                continue;
            }
            const std::size_t middle = steps.size() / 3;
            std::vector<double> data(sweep->rowCount(), 0.0);  // per path parameter
            std::vector<double> expectedBack(image.size(), 0.0);
            std::vector<double> expected(m.sinograms().size(), 0.0);
            const double transverse = static_cast<double>(PlaneStack::transverseLength(line));
            for (std::size_t plane = 0; plane < expected.size(); ++plane) {
                const double datum = uniform(random);
                const double length =
                    transverse *
                    std::sqrt(1 + std::pow(static_cast<double>(stack->rises()[plane]) / transverse, 2));
                data[static_cast<std::size_t>(sweep->rows()[plane])] = datum * length;
                for (const auto& [voxel, mm] : rowInSpace(s.model, line, m.sinograms()[plane])) {
                    expected[plane] += mm * image[static_cast<std::size_t>(voxel)];
                    expectedBack[static_cast<std::size_t>(voxel)] += mm * datum;
                    ++crossed;
                }
            }
            std::vector<double> found = forward(*sweep, s.model.lattice, steps, 0, middle, image);
            const std::vector<double> rest =
                forward(*sweep, s.model.lattice, steps, middle, steps.size() - 1, image);
            std::vector<double> foundBack(image.size(), 0.0);
            back(*sweep, s.model.lattice, steps, 0, middle, data, foundBack);
            back(*sweep, s.model.lattice, steps, middle, steps.size() - 1, data, foundBack);
            // Paths begin at a float near 1/2 of some 300 mm (spacing 3e-8 of it), and coefficients are
            // floats: shifts of 1e-5 mm, each of which meets two voxels or planes.
            for (std::size_t plane = 0; plane < expected.size(); ++plane) {
                const auto row = static_cast<std::size_t>(sweep->rows()[plane]);
                const double length =
                    transverse *
                    std::sqrt(1 + std::pow(static_cast<double>(stack->rises()[plane]) / transverse, 2));
                const double mm = (found[row] + rest[row]) * length;
                QVERIFY2(
                    std::abs(mm - expected[plane]) < 2e-4,
                    qPrintable(
                        QString("line %1 plane %2: %3, %4").arg(t).arg(plane).arg(mm).arg(expected[plane])));
            }
            for (std::size_t v = 0; v < image.size(); ++v) {
                QVERIFY2(std::abs(foundBack[v] - expectedBack[v]) < 5e-4,
                         qPrintable(QString("line %1 voxel %2: %3, %4")
                                        .arg(t)
                                        .arg(v)
                                        .arg(foundBack[v])
                                        .arg(expectedBack[v])));
            }
        }
        QVERIFY(crossed > 2000);
    }

    void crossingsAreInOrderAndRowsAreFamilies() {
        const Scene s = scene(3.5, 13, false, 0);
        const LineTable lines(s.model);
        const auto stack = PlaneStack::of(s.model, lines);
        const auto sweep = PlaneSweep::of(*stack);
        QVERIFY(sweep.has_value());
        // Ring differences +-2 to 6, each through two voxels per ring; segment 0 is flat.
        QCOMPARE(sweep->within().size() + sweep->between().size(), std::size_t{2 * 2 * (2 + 3 + 4 + 5 + 6)});
        for (const auto* crossings : {&sweep->within(), &sweep->between()}) {
            QVERIFY(std::is_sorted(crossings->begin(), crossings->end(),
                                   [](const FaceCrossing& a, const FaceCrossing& b) { return a.at < b.at; }));
        }
        std::vector<std::int32_t> rows = sweep->rows();
        std::sort(rows.begin(), rows.end());
        QVERIFY(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
        QVERIFY(rows.back() < static_cast<std::int32_t>(sweep->rowCount()));
        QCOMPARE(sweep->voxels().size(),
                 (sweep->within().size() + sweep->between().size() + 1) * sweep->families().size());
    }
};

QTEST_GUILESS_MAIN(LineSweepTest)

}  // namespace line_sweep_test
#include "line_sweep_test.moc"
