// SPDX-License-Identifier: Apache-2.0
// The tables of `panel` and the index arithmetic of its kernels, followed on the host: no device needed.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/panel/matrix_work.h"
#include "gpu/panel/panel_plan.h"
#include "recon/base/error.h"
#include "tests/gpu/panel_fixtures.h"

namespace panel_plan_test {

using namespace tof;
using namespace tof::device;

namespace {

/// What the kernels of `panel` do, thread by thread, in double.
class Followed {
  public:
    explicit Followed(const PanelModel& model)
        : model_(model),
          rows_(panelRows(model, ThreadPool(2))),
          layouts_{panelLayout(model.matrix->geometry, 0), panelLayout(model.matrix->geometry, 1)} {}

    std::vector<double> forward(std::size_t part, const std::vector<float>& image) const {
        std::array<std::vector<double>, kPanelSides> phases;
        for (std::size_t side = 0; side < phases.size(); ++side) {
            phases[side].resize(at(layouts_[side].size()));
            eachVoxel(layouts_[side], [&](int voxel, int place) {
                phases[side][at(place)] = static_cast<double>(image[at(voxel)]);
            });
        }
        std::vector<double> p(model_.parts->partSize);
        const auto all = panelOrientations(model_, part, rows_.firstRowOfClass);
        std::vector<int> done(p.size());
        for (const std::uint32_t task : panelTasks(all)) {
            const PanelOrientation& o = all[task >> 16U];
            for (int lane = 0; lane < 32; ++lane) {
                forwardThread(o, phases[at(o.swapped)], static_cast<int>(task & 0xFFFFU) * 32 + lane,
                              [&](int datum, double sum) {
                                  p[at(datum)] = sum;
                                  ++done[at(datum)];
                              });
            }
        }
        if (*std::max_element(done.begin(), done.end()) > 1) {
            throw InternalError("a line was written twice");
        }
        return p;
    }

    std::vector<double> back(std::size_t part, const std::vector<float>& p) const {
        const auto all = panelOrientations(model_, part, rows_.firstRowOfClass);
        const int pitch = layouts_[0].pitch;
        std::vector<double> padded;
        for (const PanelOrientation& o : all) {
            const int size = o.shiftsU > 0 ? panelPaddedSize(o.shiftsV, pitch) : 0;
            padded.resize(std::max(padded.size(), at(o.padded + size)), 0.0);
            for (int i = 0; i < size; ++i) {
                const int u = i % pitch;
                const int v = i / pitch - kPanelPad;
                const bool line = u < o.shiftsU && v >= 0 && v < o.shiftsV;
                padded[at(o.padded + i)] = line ? static_cast<double>(p[at(o.datum(u, v))]) : 0.0;
            }
        }
        std::vector<double> image(at(layouts_[0].voxels()));
        const std::size_t shares = model_.parts->shares;
        for (std::size_t share = part * shares; share < (part + 1) * shares; ++share) {
            for (const PanelLayout& layout : layouts_) {
                std::vector<double> phases(at(layout.size()), std::nan(""));
                for (int list = 0; list < layout.lists(); ++list) {
                    for (int t = 0; t < layout.nu * panelGroups(layout.nv); ++t) {
                        backThread(layout, share, all, padded, list, t, phases);
                    }
                }
                eachVoxel(layout, [&](int voxel, int place) { image[at(voxel)] += phases[at(place)]; });
            }
        }
        return image;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    template <typename Visit>
    static void eachVoxel(const PanelLayout& layout, const Visit& visit) {
        const int cut = layout.cut;
        for (int v = 0; v < layout.nv * cut; ++v) {
            for (int u = 0; u < layout.nu * cut; ++u) {
                for (int x = 0; x < layout.planes; ++x) {
                    visit(layout.voxel(x, u, v), layout.index(x, u % cut, v % cut, u / cut, v / cut));
                }
            }
        }
    }

    template <typename Store>
    void forwardThread(const PanelOrientation& o, const std::vector<double>& phases, int t,
                       const Store& store) const {
        const PanelLayout& layout = layouts_[at(o.swapped)];
        const int threads = o.shiftsU * panelGroups(o.shiftsV);
        const PanelLines lines = panelLines(std::min(t, threads - 1), o.shiftsU);
        double sums[kPanelLines] = {};
        for (std::uint32_t i = o.firstRow; i < o.lastRow; ++i) {
            const PanelRow row = PanelRow::of(rows_.places[i]).mirrored(layout.cut, o);
            const int from = lines.shiftV * layout.pitch + lines.shiftU +
                             layout.index(row.x, row.phaseU, row.phaseV, row.blockU, row.blockV);
            addRow(
                rows_.weights[i], o.negativeV != 0,
                [&](int q) { return phases.at(at(from + q * layout.pitch)); }, sums);
        }
        for (int r = 0; r < kPanelLines && t < threads; ++r) {
            if (lines.shiftV + r < o.shiftsV) {
                store(o.datum(lines.shiftU, lines.shiftV + r), sums[r]);
            }
        }
    }

    /// `share`: of all parts.
    void backThread(const PanelLayout& layout, std::size_t share, const std::vector<PanelOrientation>& all,
                    const std::vector<double>& padded, int where, int t, std::vector<double>& phases) const {
        const int phaseU = where % layout.phases() % layout.cut;
        const int phaseV = where % layout.phases() / layout.cut;
        const int x = where / layout.phases();
        const PanelLines blocks = panelLines(t, layout.nu);
        double sums[kPanelLines] = {};
        for (int signs = 0; signs < kPanelSigns; ++signs) {
            const int listU = signs % 2 != 0 ? layout.cut - 1 - phaseU : phaseU;
            const int listV = signs / 2 != 0 ? layout.cut - 1 - phaseV : phaseV;
            const std::size_t list = (share * kPanelSides + at(layout.swapped)) * at(layout.lists()) +
                                     at(layout.list(x, listU, listV));
            for (std::size_t i = rows_.backBegins[list]; i < rows_.backBegins[list + 1]; ++i) {
                const PanelBackRow row = PanelBackRow::of(rows_.backPlaces[i]);
                const PanelOrientation& o = all[at(row.slot * kPanelSigns + signs)];
                const PanelRow place =
                    PanelRow{x, listU, listV, row.blockU, row.blockV}.mirrored(layout.cut, o);
                const PanelReach reach = panelReach(blocks.shiftU, blocks.shiftV, place.blockU, place.blockV,
                                                    o.shiftsU, o.shiftsV, layout.pitch);
                const int from = o.padded + kPanelPad * layout.pitch + reach.offset;
                if (o.shiftsU > 0) {
                    addRow(
                        rows_.backWeights[i], signs / 2 == 0,
                        [&](int q) { return padded.at(at(from + q * layout.pitch)); }, sums);
                }
            }
        }
        for (int r = 0; r < kPanelLines; ++r) {
            if (blocks.shiftV + r < layout.nv) {
                phases[at(layout.index(x, phaseU, phaseV, blocks.shiftU, blocks.shiftV + r))] = sums[r];
            }
        }
    }

    /// sums[r] += weights, turned round or not, times window(r + 0), ... window(r + kPanelTaps - 1).
    template <typename Window>
    static void addRow(const PanelWeights& weights, bool turned, const Window& window,
                       double (&sums)[kPanelLines]) {
        for (int k = 0; k < kPanelTaps; ++k) {
            const auto weight = static_cast<double>(weights[at(turned ? kPanelTaps - 1 - k : k)]);
            for (int r = 0; r < kPanelLines; ++r) {
                sums[r] += weight * window(r + k);
            }
        }
    }

    const PanelModel& model_;
    PanelRows rows_;
    std::array<PanelLayout, kPanelSides> layouts_;
};

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    double scale = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i])) {
            return 1;
        }
        largest = std::max(largest, std::abs(a[i] - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    return scale > 0 ? largest / scale : 1;
}

}  // namespace

class PanelPlanTest : public QObject {
    Q_OBJECT
  private slots:
    void placesArePackedAndUnpacked() {
        for (const PanelRow& row : {PanelRow{1023, 7, 6, 255, 254}, PanelRow{0, 3, 1, 103, 0}}) {
            const PanelRow same = PanelRow::of(row.packed());
            QVERIFY(same.x == row.x && same.phaseU == row.phaseU && same.phaseV == row.phaseV &&
                    same.blockU == row.blockU && same.blockV == row.blockV);
        }
        const PanelBackRow back = PanelBackRow::of(PanelBackRow{16383, 207, 71}.packed());
        QVERIFY(back.slot == 16383 && back.blockU == 207 && back.blockV == 71);
    }

    void projectionsAreTheDefinition_data() {
        QTest::addColumn<int>("part");
        QTest::addColumn<bool>("exchanges");
        for (const int part : {0, 1, 4}) {
            QTest::addRow("part %d", part) << part << true;
            QTest::addRow("part %d, pitches differ", part) << part << false;
        }
    }
    void projectionsAreTheDefinition() {
        QFETCH(int, part);
        QFETCH(bool, exchanges);
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({11, 7}, exchanges), 5);
        const Followed kernels(model);
        const auto image = fixtures::uniformData(model.lattice.voxels(), 3, 0, 1);
        const auto data = fixtures::uniformData(model.parts->partSize, 4, 0, 1);

        const auto p = kernels.forward(static_cast<std::size_t>(part), image);
        const auto x = kernels.back(static_cast<std::size_t>(part), data);

        // Sums of a few thousand products in double, in another order.
        QCOMPARE_LT(largestDifference(p, fixtures::panelForwardByDefinition(model, part, image)), 1e-12);
        QCOMPARE_LT(largestDifference(x, fixtures::panelBackByDefinition(model, part, data)), 1e-12);
    }

    void everyWeightIsInBothTables() {
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({11, 7}, true), 6);
        const PanelRows rows = panelRows(model, ThreadPool(2));
        double all = 0;
        for (int c = 0; c < model.matrix->geometry.classes(); ++c) {
            for (const float w :
                 model.matrix->valuesOf(model.matrix->ofClass[static_cast<std::size_t>(c)].kernel)) {
                all += static_cast<double>(w);
            }
        }
        for (const auto* const table : {&rows.weights, &rows.backWeights}) {
            double sum = 0;
            for (const PanelWeights& row : *table) {
                for (const float w : row) {
                    sum += static_cast<double>(w);
                }
            }
            QVERIFY(std::abs(sum - all) < 1e-9 * all);
        }
    }

    void slabsMakeTheMatrixOfTheHost() {
        PanelGeometry g = fixtures::panelGeometry({6, 4}, true);
        PanelQuadrature quadrature;
        quadrature.rays = 1;
        quadrature.leftOut = 0.02;
        const PanelVoxels voxels = panelVoxels(g, quadrature);
        for (const PanelClass which :
             {PanelClass{0, 0, 0, 0}, PanelClass{3, 1, 0, 0}, PanelClass{5, 3, 0, 0}}) {
            const PanelPair pair = panelPair(g, which);
            const auto slabs = matrixSlabs(g, voxels, which);
            std::vector<float> values;
            for (const MatrixSlab& slab : slabs) {
                const std::vector<float> plane = slabValues(pair, voxels, slab);
                values.insert(values.end(), plane.begin(), plane.end());
            }
            const PanelEntries entries = entriesOfSlabs(g, quadrature, which, slabs, values);
            const PanelEntries host = keptEntries(g, quadrature, which, panelKernel(g, quadrature, which));
            QVERIFY(entries.places.size() > 50);
            QVERIFY(entries.places == host.places);
            QVERIFY(entries.values == host.values);
            QVERIFY(std::abs(entries.sum - host.sum) < 1e-12 * host.sum);
        }
    }

    void geometriesBeyondTheKernelsAreRefused() {
        PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({5, 4}, true), 2);
        QVERIFY(!whyNoPanelKernel(model).has_value());
        auto matrix = *model.matrix;
        matrix.geometry.planes = 2000;
        model.matrix = std::make_shared<const PanelMatrix>(matrix);
        QVERIFY(whyNoPanelKernel(model).has_value());
    }
};

QTEST_GUILESS_MAIN(PanelPlanTest)

}  // namespace panel_plan_test
#include "panel_plan_test.moc"
