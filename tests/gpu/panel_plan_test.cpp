// SPDX-License-Identifier: Apache-2.0
// The tables of `panel` and the index arithmetic of its kernels, followed on the host: no device needed.
#include <QtTest>
#include <cmath>

#include "gpu/panel/matrix_work.h"
#include "gpu/panel/panel_plan.h"
#include "recon/base/error.h"
#include "tests/gpu/panel_fixtures.h"

using namespace tof;
using namespace tof::device;

namespace {

/// What the kernels of `panel` do, thread by thread, in double.
class Followed {
  public:
    explicit Followed(const PanelModel& model)
        : model_(model),
          rows_(panelRows(model, ThreadPool(2))),
          layout_(panelLayout(model.matrix->geometry)) {}

    std::vector<double> forward(std::size_t part, const std::vector<float>& image) const {
        std::vector<double> phases(static_cast<std::size_t>(layout_.size()));
        eachVoxel([&](int voxel, int place) { phases[at(place)] = static_cast<double>(image[at(voxel)]); });
        std::vector<double> p(model_.parts->partSize, std::nan(""));
        const auto all = panelOrientations(model_, part, rows_.firstRowOfClass);
        std::vector<int> done(p.size());
        for (const std::uint32_t task : panelTasks(all)) {
            const PanelOrientation& o = all[task >> 16U];
            const int threads = o.shiftsY * panelGroups(o.shiftsZ);
            for (int lane = 0; lane < 32; ++lane) {
                const int t = static_cast<int>(task & 0xFFFFU) * 32 + lane;
                const PanelLines lines = panelLines(std::min(t, threads - 1), o.shiftsY);
                double sums[kPanelLines] = {};
                for (std::uint32_t i = o.firstRow; i < o.lastRow; ++i) {
                    const PanelRow row = PanelRow::of(rows_.places[i]).mirrored(layout_.cut, o);
                    const int from = lines.shiftZ * layout_.pitch + lines.shiftY +
                                     layout_.index(row.x, row.phaseY, row.phaseZ, row.blockY, row.blockZ);
                    for (int q = 0; q < kPanelWindow; ++q) {
                        const double value = phases.at(at(from + q * layout_.pitch));
                        for (int r = std::max(0, q - 3); r < std::min(kPanelLines, q + 1); ++r) {
                            const int k = q - r;
                            sums[r] += value * static_cast<double>(
                                                   rows_.weights[i][at(o.negativeZ != 0 ? 3 - k : k)]);
                        }
                    }
                }
                for (int r = 0; r < kPanelLines && t < threads; ++r) {
                    if (lines.shiftZ + r < o.shiftsZ) {
                        const std::size_t to = at(o.data + (lines.shiftZ + r) * o.shiftsY + lines.shiftY);
                        p[to] = sums[r];
                        ++done[to];
                    }
                }
            }
        }
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (done[i] == 0) {
                p[i] = 0;
            } else if (done[i] > 1) {
                throw InternalError("a line was written twice");
            }
        }
        return p;
    }

    std::vector<double> back(std::size_t part, const std::vector<float>& p) const {
        const auto all = panelOrientations(model_, part, rows_.firstRowOfClass);
        std::vector<double> padded;
        for (const PanelOrientation& o : all) {
            const int size = o.shiftsY > 0 ? panelPaddedSize(o.shiftsZ, layout_.pitch) : 0;
            padded.resize(std::max(padded.size(), at(o.padded + size)), 0.0);
            for (int i = 0; i < size; ++i) {
                const int y = i % layout_.pitch;
                const int z = i / layout_.pitch - kPanelPad;
                const bool line = y < o.shiftsY && z >= 0 && z < o.shiftsZ;
                padded[at(o.padded + i)] =
                    line ? static_cast<double>(p[at(o.data + z * o.shiftsY + y)]) : 0.0;
            }
        }
        std::vector<double> phases(static_cast<std::size_t>(layout_.size()), std::nan(""));
        for (int list = 0; list < layout_.planes * layout_.phases(); ++list) {
            for (int t = 0; t < layout_.ny * panelGroups(layout_.nz); ++t) {
                backThread(part, all, padded, list, t, phases);
            }
        }
        std::vector<double> image(static_cast<std::size_t>(layout_.voxels()));
        eachVoxel([&](int voxel, int place) { image[at(voxel)] = phases[at(place)]; });
        return image;
    }

    const PanelRows& rows() const { return rows_; }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    template <typename Visit>
    void eachVoxel(const Visit& visit) const {
        for (int z = 0; z < layout_.nz * layout_.cut; ++z) {
            for (int y = 0; y < layout_.ny * layout_.cut; ++y) {
                for (int x = 0; x < layout_.planes; ++x) {
                    visit(layout_.voxel(x, y, z), layout_.index(x, y % layout_.cut, z % layout_.cut,
                                                                y / layout_.cut, z / layout_.cut));
                }
            }
        }
    }

    void backThread(std::size_t part, const std::vector<PanelOrientation>& all,
                    const std::vector<double>& padded, int where, int t, std::vector<double>& phases) const {
        const int phaseY = where % layout_.phases() % layout_.cut;
        const int phaseZ = where % layout_.phases() / layout_.cut;
        const int x = where / layout_.phases();
        const PanelLines blocks = panelLines(t, layout_.ny);
        const std::size_t lists = at(layout_.planes * layout_.phases());
        double sums[kPanelLines] = {};
        for (int signs = 0; signs < kPanelSigns; ++signs) {
            const int listY = signs % 2 != 0 ? layout_.cut - 1 - phaseY : phaseY;
            const int listZ = signs / 2 != 0 ? layout_.cut - 1 - phaseZ : phaseZ;
            const std::size_t list = part * lists + at((x * layout_.cut + listZ) * layout_.cut + listY);
            for (std::size_t i = rows_.backBegins[list]; i < rows_.backBegins[list + 1]; ++i) {
                const PanelBackRow row = PanelBackRow::of(rows_.backPlaces[i]);
                const PanelOrientation& o = all[at(row.slot * kPanelSigns + signs)];
                const PanelRow place =
                    PanelRow{x, listY, listZ, row.blockY, row.blockZ}.mirrored(layout_.cut, o);
                const PanelReach reach = panelReach(blocks.shiftY, blocks.shiftZ, place.blockY, place.blockZ,
                                                    o.shiftsY, o.shiftsZ, layout_.pitch);
                const int from = o.padded + kPanelPad * layout_.pitch + reach.offset;
                for (int q = 0; q < kPanelWindow && o.shiftsY > 0; ++q) {
                    const double value = padded.at(at(from + q * layout_.pitch));
                    for (int r = std::max(0, q - 3); r < std::min(kPanelLines, q + 1); ++r) {
                        const int k = q - r;
                        sums[r] +=
                            value * static_cast<double>(rows_.backWeights[i][at(signs / 2 != 0 ? k : 3 - k)]);
                    }
                }
            }
        }
        for (int r = 0; r < kPanelLines; ++r) {
            if (blocks.shiftZ + r < layout_.nz) {
                phases[at(layout_.index(x, phaseY, phaseZ, blocks.shiftY, blocks.shiftZ + r))] = sums[r];
            }
        }
    }

    const PanelModel& model_;
    PanelRows rows_;
    PanelLayout layout_;
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
            QVERIFY(same.x == row.x && same.phaseY == row.phaseY && same.phaseZ == row.phaseZ &&
                    same.blockY == row.blockY && same.blockZ == row.blockZ);
        }
        const PanelBackRow back = PanelBackRow::of(PanelBackRow{16383, 207, 71}.packed());
        QVERIFY(back.slot == 16383 && back.blockY == 207 && back.blockZ == 71);
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
        quadrature.directions = 3;
        quadrature.leftOut = 0.02;
        const PanelVoxels voxels = panelVoxels(g, quadrature);
        for (const PanelClass which :
             {PanelClass{0, 0, 0, 0}, PanelClass{3, 1, 0, 0}, PanelClass{5, 3, 0, 0}}) {
            const PanelPair pair = panelPair(g, which);
            const auto slabs = matrixSlabs(g, voxels, which);
            std::vector<float> values;
            for (const MatrixSlab& slab : slabs) {
                for (int i = 0; i < slab.voxels(); ++i) {
                    values.push_back(
                        static_cast<float>(panelVoxel(pair, voxels, slab.plane, slab.firstY + i % slab.countY,
                                                      slab.firstZ + i / slab.countY)));
                }
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
#include "panel_plan_test.moc"
