// SPDX-License-Identifier: Apache-2.0
// Histo-images read one view at a time are those that are read at once.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/support/small_data.h"

namespace histo_views_test {

using namespace tof;
using namespace tof::test;

class HistoViewsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private slots:
    void everyArrayIsThatOfTheWholeFile_data() {
        QTest::addColumn<bool>("whole");
        QTest::newRow("counts that are whole numbers") << true;
        QTest::newRow("counts that are not") << false;
    }
    void everyArrayIsThatOfTheWholeFile() {
        QFETCH(bool, whole);
        auto data = smallData(KernelSpec::preset("variant1"));
        data->att.assign(data->counts.size(), 0.25F);
        data->add.clear();
        for (float& count : data->counts) {
            count = whole ? std::round(count) : count;
        }
        const std::string file = folder_.filePath("data.h5").toStdString();
        writeData(file, *data);
        const HistoData expected = readData(file);

        const HistoViews views(file);

        QVERIFY(views.outline().lattice == expected.lattice);
        QCOMPARE(views.outline().views.size(), expected.views.size());
        QVERIFY(views.outline().counts.empty());
        QVERIFY(views.has(HistoArray::Counts) && views.has(HistoArray::Mult) && views.has(HistoArray::Att));
        QVERIFY(!views.has(HistoArray::Add));
        std::vector<float> view(expected.voxels());
        for (std::size_t v = 0; v < expected.views.size(); ++v) {
            const auto same = [&](const std::vector<float>& all) {
                return std::equal(view.begin(), view.end(),
                                  all.begin() + static_cast<std::ptrdiff_t>(v * expected.voxels()));
            };
            views.read(HistoArray::Counts, v, view);
            QVERIFY(same(expected.counts));
            views.read(HistoArray::Mult, v, view);
            QVERIFY(same(expected.mult));
            views.read(HistoArray::Att, v, view);
            QVERIFY(same(expected.att));
        }
        QVERIFY_EXCEPTION_THROWN(HistoViews(folder_.filePath("none.h5").toStdString()), BadInput);
    }

    void factorsAtPointsAreReadAsTheirExpansion() {
        HistoData data = atPoints();
        const std::string file = folder_.filePath("points.h5").toStdString();
        writeData(file, data);
        data.expandFactors(ThreadPool(2));

        const HistoData read = readData(file);
        const HistoViews views(file);

        QVERIFY(data.multGrid == nullptr && data.attGrid == nullptr);
        QVERIFY(read.mult == data.mult);
        QVERIFY(read.att == data.att);
        QCOMPARE(read.att[read.voxels() + 5], 0.125F);  // a voxel of its own, in the second view
        std::vector<float> view(read.voxels());
        for (std::size_t v = 0; v < read.views.size(); ++v) {
            for (const auto& [array, all] :
                 {std::pair{HistoArray::Mult, &read.mult}, {HistoArray::Att, &read.att}}) {
                views.read(array, v, view);
                QVERIFY(std::equal(view.begin(), view.end(),
                                   all->begin() + static_cast<std::ptrdiff_t>(v * read.voxels())));
            }
        }
    }

    void factorsAtPointsAreInterpolated() {
        // Linear along both axes: interpolation is exact, up to the rounding of single precision.
        const HistoData data = atPoints();
        const std::vector<float> mult = data.multGrid->expanded(data.lattice, data.views, ThreadPool(1));
        for (std::size_t v = 0; v < data.views.size(); ++v) {
            const double phi = data.views[v].phi;
            data.lattice.forEachVoxel([&](int x, int y, int z) {
                const Vec3 p = data.lattice.centre(x, y, z);
                const double u = p.x * std::cos(phi) + p.y * std::sin(phi);
                const double s = p.y * std::cos(phi) - p.x * std::sin(phi);
                const double expected =
                    std::hypot(p.x, p.y) < 40 ? (static_cast<double>(v) + 1) * (100 + u + 0.5 * s + z) : 0.0;
                const double found =
                    static_cast<double>(mult[v * data.voxels() + data.lattice.index(x, y, z)]);
                QVERIFY2(std::abs(found - expected) < 1e-6 * 200 * (static_cast<double>(v) + 1),
                         qPrintable(QString("%1 for %2").arg(found).arg(expected)));
            });
        }
    }

    void steepViewsAreInterpolatedAlongTheirLines() {
        // Values of the line alone, by where it passes u = 0: what lies between points 32 mm apart has those
        // of its own line, but for what is curved between slices (an eighth of 2).
        HistoData data;
        data.lattice = Lattice::centred({9, 9, 60}, {10, 10, 5});
        data.views = {{0.4, 0.9}};
        data.counts.assign(data.voxels(), 3.0F);
        const double rise = std::tan(0.9) / 5;
        FactorGrid grid;
        grid.along = {5, -64, 32};
        grid.radial = {2, -64, 128};
        grid.reach_mm = 60;
        grid.slices = 60;
        grid.alongLines = true;
        grid.tables = {0};
        grid.shares = {1};
        const auto ofLine = [&](double u, double z) { return std::pow(z - u * rise, 2); };
        for (std::size_t u = 0; u < grid.along.count; ++u) {
            for (std::size_t s = 0; s < grid.radial.count; ++s) {
                for (std::size_t z = 0; z < grid.slices; ++z) {
                    grid.values.push_back(
                        static_cast<float>(ofLine(grid.along.at(u), static_cast<double>(z))));
                }
            }
        }
        data.multGrid = std::make_shared<const FactorGrid>(grid);
        const std::string file = folder_.filePath("steep.h5").toStdString();
        writeData(file, data);

        const HistoData back = readData(file);

        const int margin = 9;  // 32 mm along a view of 52 degrees are 8.1 slices
        back.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = back.lattice.centre(x, y, z);
            if (std::hypot(p.x, p.y) < grid.reach_mm && z >= margin && z + margin < back.lattice.size[2]) {
                const double expected = ofLine(p.x * std::cos(0.4) + p.y * std::sin(0.4), z);
                const auto found = static_cast<double>(back.mult[back.lattice.index(x, y, z)]);
                QVERIFY2(std::abs(found - expected) < 0.26,
                         qPrintable(QString("%1 for %2").arg(found).arg(expected)));
            }
        });
    }

    void factorsAtPointsThatNameWhatIsNotThereAreRefused_data() {
        QTest::addColumn<int>("what");
        QTest::newRow("a table") << 0;
        QTest::newRow("a voxel") << 1;
        QTest::newRow("slices") << 2;
        QTest::newRow("below zero") << 3;
    }
    void factorsAtPointsThatNameWhatIsNotThereAreRefused() {
        QFETCH(int, what);
        HistoData data = atPoints();
        FactorGrid grid = *data.attGrid;
        if (what == 0) {
            grid.tables[1] = 7;
        } else if (what == 1) {
            grid.voxels[0] = static_cast<std::uint32_t>(data.voxels());
        } else if (what == 2) {
            grid.slices /= 2;
            grid.radial.count *= 2;
        } else {
            grid.values[3] = -1;
        }
        data.attGrid = std::make_shared<const FactorGrid>(grid);
        const std::string file = folder_.filePath("wrong.h5").toStdString();
        writeData(file, data);

        QVERIFY_EXCEPTION_THROWN(static_cast<void>(readData(file)), BadInput);
    }

  private:
    /// Two views with mult and att at points.
    static HistoData atPoints() {
        HistoData data;
        data.lattice = Lattice::centred({9, 8, 6}, {10, 10, 5});
        data.views = {{0, 0}, {1.1, 0}};
        data.counts.assign(2 * data.voxels(), 3.0F);
        FactorGrid grid;
        grid.along = {5, -64, 32};
        grid.radial = {33, -64, 4};
        grid.reach_mm = 40;
        grid.slices = 6;
        grid.tables = {0, 0};
        grid.shares = {1, 2};
        for (std::size_t u = 0; u < grid.along.count; ++u) {
            for (std::size_t s = 0; s < grid.radial.count; ++s) {
                for (std::size_t z = 0; z < grid.slices; ++z) {
                    grid.values.push_back(static_cast<float>(
                        100 + grid.along.at(u) + 0.5 * grid.radial.at(s) + static_cast<double>(z)));
                }
            }
        }
        data.multGrid = std::make_shared<const FactorGrid>(grid);
        const std::vector<float> first = grid.values;
        std::transform(first.begin(), first.end(), std::back_inserter(grid.values),
                       [](float v) { return 0.01F * v; });
        grid.tables = {1, 0};
        grid.shares = {1, 1};
        grid.voxels = {5, 100};
        grid.inVoxels = {0.5F, 0.25F, 0.125F, 0.75F};
        data.attGrid = std::make_shared<const FactorGrid>(grid);
        return data;
    }
};

QTEST_GUILESS_MAIN(HistoViewsTest)

}  // namespace histo_views_test
#include "histo_views_test.moc"
