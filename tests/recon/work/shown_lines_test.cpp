// SPDX-License-Identifier: Apache-2.0
// The line that is drawn for a point of a view: of sinograms that of the bin, of lines the one that was
// counted there.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/constants.h"
#include "recon/forms/lines/line_form.h"
#include "recon/forms/sinograms/sinogram_form.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "tests/support/rings.h"

namespace shown_lines_test {

using namespace tof;

namespace {

Vec3 centreOf(const Lattice& lattice, int x, int y, int z) {
    return lattice.origin_mm +
           Vec3{x * lattice.spacing_mm[0], y * lattice.spacing_mm[1], z * lattice.spacing_mm[2]};
}

double distance(const FreeLine& line, Vec3 point) {
    return norm(cross(point - line.through, line.direction)) / norm(line.direction);
}

}  // namespace

class ShownLinesTest : public QObject {
    Q_OBJECT

  private slots:
    void everyBinOfASinogramHasItsLine_data() {
        QTest::addColumn<int>("span");
        QTest::addColumn<double>("arc_mm");
        QTest::newRow("pairs of crystals") << 1 << 0.0;
        QTest::newRow("span 3") << 3 << 0.0;
        QTest::newRow("arc-corrected") << 1 << 5.0;
    }
    void everyBinOfASinogramHasItsLine() {
        QFETCH(int, span);
        QFETCH(double, arc_mm);
        MichelogramSpec spec = test::fiveRings(span);
        spec.binSize_mm = arc_mm;
        auto data = std::make_shared<SinogramData>();
        data->michelogram = std::make_shared<const Michelogram>(spec);
        data->lattice = Lattice::centred({24, 20, 9}, {8, 7, 5});
        data->counts.assign(data->michelogram->bins(), 1.0F);
        const Michelogram& m = *data->michelogram;
        const SinogramMeasurement measurement(data);
        const Form form = sinogramForm();

        for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
            const Sinogram& s = m.sinograms()[plane];
            const Lattice view =
                measurement.view(static_cast<std::size_t>(s.segment), DataQuantity::Counts).lattice;
            const int z = static_cast<int>(
                std::lround((0.5 * (s.z1_mm + s.z2_mm) - view.origin_mm.z) / view.spacing_mm[2]));
            for (int angle = 0; angle < m.angles(); ++angle) {
                for (int radial = 0; radial < m.radialBins(); ++radial) {
                    const FreeLine line =
                        form.lineOf(measurement, s.segment, 0, centreOf(view, radial, angle, z));
                    const TransverseLine ends = m.line(angle, radial);
                    QVERIFY(distance(line, {ends.x1, ends.y1, s.z1_mm}) < 1e-9);
                    QVERIFY(distance(line, {ends.x2, ends.y2, s.z2_mm}) < 1e-9);
                }
            }
        }
    }

    /// A line crosses its place in the view by half a pixel of distance, azimuth and height at most.
    void aLineIsDrawnWhereItWasCounted() {
        constexpr double kRadius_mm = 200;
        std::mt19937 random(5);
        std::uniform_real_distribution<double> turn(0, 2 * kPi);
        std::uniform_real_distribution<double> height(-60, 60);
        const Form form = lineForm();
        int seen = 0;
        for (int i = 0; i < 200; ++i) {
            auto events = std::make_shared<LineEvents>();
            for (int end = 0; end < 2; ++end) {
                const double psi = turn(random);
                events->points.push_back(
                    {kRadius_mm * std::cos(psi), kRadius_mm * std::sin(psi), height(random)});
            }
            events->points.push_back({kRadius_mm, 0, -60});  // the scanner's ends, which tilts go by
            events->points.push_back({kRadius_mm, 0, 60});
            events->pairs = {{0, 1}};
            auto data = std::make_shared<LineData>();
            data->events = events;
            data->lattice = Lattice::centred({60, 50, 30}, {4, 5, 4});
            const LineMeasurement measurement(data);
            const ViewAxis tilts = measurement.layout().axes[0];
            for (std::size_t view = 0; view < tilts.values.size(); ++view) {
                const Volume counts = measurement.view(view, DataQuantity::Counts);
                const auto at = std::find(counts.data.begin(), counts.data.end(), 1.0F);
                if (at == counts.data.end()) {
                    continue;
                }
                ++seen;
                const auto index = static_cast<int>(at - counts.data.begin());
                const auto& size = counts.lattice.size;
                const FreeLine line =
                    form.lineOf(measurement, tilts.values[view], 0,
                                centreOf(counts.lattice, index % size[0], index / size[0] % size[1],
                                         index / size[0] / size[1]));
                const double half = 0.5 * counts.lattice.spacing_mm[0] + kRadius_mm * 0.5 * kPi / size[1];
                for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
                    Vec3 flat = events->points[end];
                    flat.z = line.through.z;
                    FreeLine transverse = line;
                    transverse.direction.z = 0;
                    QVERIFY(distance(transverse, flat) <= half + 1e-9);
                }
                const double middle = 0.5 * (events->points[0].z + events->points[1].z);
                QVERIFY(std::abs(line.through.z - middle) <= 0.5 * counts.lattice.spacing_mm[2] + 1e-9);
            }
        }
        QVERIFY(seen > 50);
    }
};

QTEST_GUILESS_MAIN(ShownLinesTest)

}  // namespace shown_lines_test
#include "shown_lines_test.moc"
