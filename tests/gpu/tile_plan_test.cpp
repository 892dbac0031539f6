// SPDX-License-Identifier: Apache-2.0
// Walks plans on the host as the kernel does, in double, and compares with the definition: no device needed.
#include <QTest>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "gpu/histo/packed_value.h"
#include "gpu/histo/tile_plan.h"
#include "recon/base/constants.h"
#include "recon/kernel/voxel_average.h"
#include "recon/systems/histo/reference.h"
#include "tests/recon/projector_fixtures.h"

namespace tile_plan_test {

using namespace tof;

namespace {

/// One group's accumulators, [pixel][plane].
using Accumulators = std::vector<std::vector<double>>;

/// Index of a group's pixel in TilePlan::targetOf.
std::size_t pixelIn(int group, int pixel) {
    return static_cast<std::size_t>(group) * kPlanGroup + static_cast<std::size_t>(pixel);
}

void apply(PlanStep step, double filter, Accumulators& acc) {
    for (auto& column : acc) {
        const auto old = column;
        const auto n = static_cast<int>(old.size());
        const auto at = [&](int z) { return z >= 0 && z < n ? old[static_cast<std::size_t>(z)] : 0.0; };
        for (int z = 0; z < n; ++z) {
            double& value = column[static_cast<std::size_t>(z)];
            switch (step) {
                case PlanStep::Keep: break;
                case PlanStep::FromAbove: value = at(z + 1); break;
                case PlanStep::FromBelow: value = at(z - 1); break;
                case PlanStep::Filter: value = at(z) + filter * (at(z + 1) + at(z - 1)); break;
            }
        }
    }
}

using Blocks = std::vector<std::array<std::int16_t, 2>>;
/// Back (or forward) projection of `v` by walking the plan block by block.
std::vector<double> walk(const TilePlan& plan, const Blocks& blocks, const KernelTables& tables,
                         const std::vector<int>& index, const Lattice& grid, double filter, bool forward,
                         const std::vector<float>& v) {
    std::vector<double> out(grid.voxels(), std::nan(""));
    std::vector<std::size_t> tapOf(static_cast<std::size_t>(plan.taps));
    for (std::size_t t = 0; t < index.size(); ++t) {
        if (index[t] >= 0) {
            tapOf[static_cast<std::size_t>(index[t])] = t;
        }
    }
    const int nz = grid.size[2];
    const int sizeA = grid.size[plan.alongY ? 1 : 0];
    const int sizeB = grid.size[plan.alongY ? 0 : 1];
    const auto inside = [&](int a, int b) { return a >= 0 && b >= 0 && a < sizeA && b < sizeB; };
    const auto voxel = [&](int a, int b, int z) {
        return plan.alongY ? grid.index(b, a, z) : grid.index(a, b, z);
    };
    std::vector<TilePlan::Pixel> bySlot(plan.tile.size());
    for (const auto& p : plan.tile) {
        bySlot[p.slot] = p;
    }
    for (const auto& [a0, l0] : blocks) {
        for (int group = 0; group < plan.shape.groups(); ++group) {
            Accumulators sum(32, std::vector<double>(static_cast<std::size_t>(nz), 0.0));
            for (std::size_t split = 0; split < kPlanSplit; ++split) {
                Accumulators acc(32, std::vector<double>(static_cast<std::size_t>(nz), 0.0));
                int chunk = plan.firstChunk[split];
                for (const PlanRun& run : plan.runs[split]) {
                    for (int c = 0; c < run.chunks; ++c, ++chunk) {
                        const std::size_t first =
                            static_cast<std::size_t>(group * plan.chunks + chunk) * kPlanChunk;
                        for (int entry = 0; entry < kPlanGroup * kPlanChunk; ++entry) {
                            const int strip = entry / 128;
                            const int lane = entry / 4 % 32;
                            const int k = 2 * (lane % 4) + entry % 2 + 8 * (entry / 2 % 2);
                            const int row = strip * kPlanStrip + lane / 4;
                            const int w = plan.weights[static_cast<std::size_t>(chunk) * 512 +
                                                       static_cast<std::size_t>(entry)] /
                                          4;
                            if (w >= plan.taps || (run.strips >> strip & 1U) == 0) {
                                continue;
                            }
                            const TilePlan::Pixel& source =
                                bySlot[plan.sources[first + static_cast<std::size_t>(k)]];
                            const int sa = a0 + source.a;
                            const int sb = l0 + source.b;
                            const auto& target = plan.targets[plan.targetOf[pixelIn(group, row)]];
                            const int ta = a0 + target.a;
                            const int tb = l0 + target.b;
                            if (!inside(sa, sb) || !inside(ta, tb)) {
                                continue;
                            }
                            const int id = tables.ids[forward ? voxel(sa, sb, 0) : voxel(ta, tb, 0)];
                            const int mirrored = forward ? plan.taps - 1 - w : w;
                            const double value = static_cast<double>(
                                tables.row(id)[tapOf[static_cast<std::size_t>(mirrored)]]);
                            for (int z = 0; z < nz; ++z) {
                                acc[static_cast<std::size_t>(row)][static_cast<std::size_t>(z)] +=
                                    value * static_cast<double>(v[voxel(sa, sb, z)]);
                            }
                        }
                    }
                    apply(run.after, filter, acc);
                }
                for (std::size_t r = 0; r < 32; ++r) {
                    std::transform(acc[r].begin(), acc[r].end(), sum[r].begin(), sum[r].begin(),
                                   std::plus<>());
                }
            }
            for (int row = 0; row < 32; ++row) {
                const auto& target = plan.targets[plan.targetOf[pixelIn(group, row)]];
                if (inside(a0 + target.a, l0 + target.b)) {
                    for (int z = 0; z < nz; ++z) {
                        double& place = out[voxel(a0 + target.a, l0 + target.b, z)];
                        place = std::isnan(place)
                                    ? sum[static_cast<std::size_t>(row)][static_cast<std::size_t>(z)]
                                    : 1e30;
                    }
                }
            }
        }
    }
    return out;
}

}  // namespace

class TilePlanTest : public QObject {
    Q_OBJECT

  private slots:
    void walkingThePlanGivesTheDefinition_data();
    void walkingThePlanGivesTheDefinition();
    void aPlanServesMirrorImages_data();
    void aPlanServesMirrorImages();
    void valuesAreArrangedAndSplitAsTheDeviceDoes();
    void mirrorImagesLieOppositeInATableRow_data();
    void mirrorImagesLieOppositeInATableRow();
};

void TilePlanTest::walkingThePlanGivesTheDefinition_data() {
    QTest::addColumn<int>("view");
    QTest::addColumn<int>("along");
    QTest::addColumn<int>("across");
    QTest::addColumn<int>("lines");
    QTest::addColumn<bool>("voxel");
    for (int v = 0; v < static_cast<int>(fixtures::obliqueViews().size()); ++v) {
        QTest::addRow("view %d, 2 x 3 groups of two lines", v) << v << 2 << 3 << 2 << false;
        QTest::addRow("view %d, averaged over voxels", v) << v << 2 << 3 << 2 << true;
        QTest::addRow("view %d, 1 x 2 groups of two lines", v) << v << 1 << 2 << 2 << false;
        QTest::addRow("view %d, 3 x 2 groups of four lines", v) << v << 3 << 2 << 4 << false;
    }
}

void TilePlanTest::walkingThePlanGivesTheDefinition() {
    QFETCH(int, view);
    QFETCH(int, along);
    QFETCH(int, across);
    QFETCH(int, lines);
    QFETCH(bool, voxel);
    const Lattice grid = Lattice::centred({45, 34, 9}, {4, 4.4, 4});
    const View v = fixtures::obliqueViews()[static_cast<std::size_t>(view)];
    KernelSpec spec = KernelSpec::preset("variant1");
    spec.asymmetry = Asymmetry{1.2, 0.4, 0.5};
    if (voxel) {  // with a cut-off that leaves one plane on either side, as the filtered form has it
        spec.sampling = KernelSampling::Voxel;
        spec.cutoff = 2;
    }
    const KernelTables tables = buildKernelTables(spec, grid, v);
    const ViewAxes axes = v.axes();
    const PlanLine line = planLine(axes.u.x, axes.u.y, grid.spacing_mm[0], grid.spacing_mm[1]);
    const PlanForm form = v.tilted() ? PlanForm::AllTaps : PlanForm::Filtered;
    std::vector<PlanTap> taps;
    for (const KernelTap& t : tables.taps) {
        taps.push_back(line.alongY ? PlanTap{t.y, t.x, t.z} : PlanTap{t.x, t.y, t.z});
    }
    const PlanTable table = planTable(taps, form);
    TilePlanner planner(taps, table, line, form, lines);
    auto plan = planner.plan(along, across);
    QVERIFY(plan.has_value());
    plan->weights = planner.weights();
    const auto listed = static_cast<std::size_t>(plan->shape.groups() * plan->chunks + kPlanAhead);
    QCOMPARE(plan->sources.size(), listed * kPlanChunk);
    const double filter = axialGain(spec, grid, 1);
    const auto data = fixtures::uniformData(grid.voxels(), 17, 0, 1);

    const Blocks blocks = planBlocks(*plan, grid.size[line.alongY ? 1 : 0], grid.size[line.alongY ? 0 : 1]);
    const auto back = walk(*plan, blocks, tables, table.position, grid, filter, false, data);
    const auto forward = walk(*plan, blocks, tables, table.position, grid, filter, true, data);

    // The tables are rounded to float, and so is the product that the filter stands for.
    QVERIFY(fixtures::relativeToMaximum(back, referenceBack(tables, grid, data)) <= 2e-7);
    QVERIFY(fixtures::relativeToMaximum(forward, referenceForward(tables, grid, data)) <= 2e-7);
}

void TilePlanTest::aPlanServesMirrorImages_data() {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<double>("tilt");
    QTest::addColumn<double>("imageDegrees");
    QTest::addColumn<double>("imageTilt");
    QTest::addColumn<int>("signA");
    QTest::addColumn<int>("signB");
    QTest::newRow("left and right") << 20.0 << 0.0 << 160.0 << 0.0 << -1 << 1;
    QTest::newRow("left and right, along y") << 70.0 << 7.0 << 110.0 << 7.0 << 1 << -1;
    QTest::newRow("upside down") << 20.0 << 7.0 << 20.0 << -7.0 << -1 << -1;
    QTest::newRow("left and right, upside down") << 20.0 << 7.0 << 160.0 << -7.0 << 1 << -1;
    QTest::newRow("x and y exchanged") << 20.0 << 7.0 << 70.0 << 7.0 << 1 << 1;
    QTest::newRow("x and y exchanged, left and right") << 20.0 << 7.0 << 110.0 << 7.0 << 1 << -1;
    QTest::newRow("x and y exchanged, in the plane") << 36.0 << 0.0 << 126.0 << 0.0 << 1 << -1;
}

void TilePlanTest::aPlanServesMirrorImages() {
    QFETCH(double, degrees);
    QFETCH(double, tilt);
    QFETCH(double, imageDegrees);
    QFETCH(double, imageTilt);
    QFETCH(int, signA);
    QFETCH(int, signB);
    const Lattice grid = Lattice::centred({40, 40, 9}, {4, 4, 4});
    const PlanMirror mirror{signA, signB};
    KernelSpec spec = KernelSpec::preset("variant1");
    spec.asymmetry = Asymmetry{1.2, 0.4, 0.5};
    const auto planTapsOf = [](const KernelTables& tables, const PlanLine& line) {
        std::vector<PlanTap> taps;
        for (const KernelTap& t : tables.taps) {
            taps.push_back(line.alongY ? PlanTap{t.y, t.x, t.z} : PlanTap{t.x, t.y, t.z});
        }
        return taps;
    };
    const auto lineOf = [](const View& v) {
        const ViewAxes axes = v.axes();
        return planLine(axes.u.x, axes.u.y, 4, 4);
    };
    const View first{degrees * kRadPerDeg, tilt * kRadPerDeg};
    const KernelTables firstTables = buildKernelTables(spec, grid, first);
    const PlanForm form = first.tilted() ? PlanForm::AllTaps : PlanForm::Filtered;
    const auto taps = planTapsOf(firstTables, lineOf(first));
    const PlanTable table = planTable(taps, form);
    TilePlanner planner(taps, table, lineOf(first), form, 2);
    auto plan = planner.plan(2, 3);
    QVERIFY(plan.has_value());
    std::map<std::array<int, 3>, int> positionAt;
    for (std::size_t t = 0; t < taps.size(); ++t) {
        positionAt[{taps[t].a, taps[t].b, taps[t].z}] = table.position[t];
    }

    const View image{imageDegrees * kRadPerDeg, imageTilt * kRadPerDeg};
    const KernelTables tables = buildKernelTables(spec, grid, image);
    const PlanLine line = lineOf(image);
    TilePlan turned = mirroredPlan(*plan, mirror, line.alongY ? StepAxis::Y : StepAxis::X);
    turned.sources = plan->sources;
    turned.weights = planner.weights();
    std::vector<int> positions;
    for (const PlanTap& t : planTapsOf(tables, line)) {
        const auto at = positionAt.find({signA * t.a, signB * t.b, t.z});
        QVERIFY(at != positionAt.end());
        positions.push_back(at->second);
    }
    const Blocks blocks = mirroredBlocks(planBlocks(*plan, 40, 40), mirror, 40, 40);
    const double filter = axialGain(spec, grid, 1);
    const auto data = fixtures::uniformData(grid.voxels(), 17, 0, 1);
    const auto back = walk(turned, blocks, tables, positions, grid, filter, false, data);
    const auto forward = walk(turned, blocks, tables, positions, grid, filter, true, data);

    QVERIFY(fixtures::relativeToMaximum(back, referenceBack(tables, grid, data)) <= 2e-7);
    QVERIFY(fixtures::relativeToMaximum(forward, referenceForward(tables, grid, data)) <= 2e-7);
}

void TilePlanTest::valuesAreArrangedAndSplitAsTheDeviceDoes() {
    KernelTables tables;
    tables.taps = {{0, 0, -1}, {0, 0, 0}, {0, 0, 1}};
    tables.rows = 2;
    tables.values = {0.25F, 0.1F, 0.65F, 1.0F / 3, 1e-6F, 0.125F};
    const std::int32_t places[] = {2, -1, 0};

    const auto rows = arranged<float>(tables, places, 5, 1);
    const auto columns = arranged<float>(tables, nullptr, 1, 2);
    const auto split = arranged<std::uint32_t>(tables, nullptr, 3, 1);

    QVERIFY((rows == std::vector<float>{0.65F, 0, 0.25F, 0, 0, 0.125F, 0, 1.0F / 3}));
    QVERIFY((columns == std::vector<float>{0.25F, 1.0F / 3, 0.1F, 1e-6F, 0.65F, 0.125F}));
    for (std::size_t i = 0; i < split.size(); ++i) {
        const float high = std::bit_cast<float>(split[i] << 16U);
        const float low = std::bit_cast<float>(split[i] & 0xFFFF0000U);
        QVERIFY(std::abs(high + low - tables.values[i]) <= 0x1p-16F * tables.values[i]);
        QVERIFY(std::abs(high - tables.values[i]) <= 0x1p-8F * tables.values[i]);
    }
}

void TilePlanTest::mirrorImagesLieOppositeInATableRow_data() {
    QTest::addColumn<bool>("filtered");
    QTest::newRow("all taps") << false;
    QTest::newRow("those in the plane") << true;
}

void TilePlanTest::mirrorImagesLieOppositeInATableRow() {
    QFETCH(bool, filtered);
    std::vector<PlanTap> taps;
    for (int z = -1; z <= 1; ++z) {
        for (int b = -3; b <= 3; ++b) {
            for (int a = -9; a <= 9; ++a) {
                taps.push_back({a, b, z});
            }
        }
    }

    const PlanTable table = planTable(taps, filtered ? PlanForm::Filtered : PlanForm::AllTaps);

    std::set<int> positions;
    for (std::size_t t = 0; t < taps.size(); ++t) {
        const int mirror = table.position[taps.size() - 1 - t];
        if (filtered && taps[t].z != 0) {
            QCOMPARE(table.position[t], -1);
        } else {
            QCOMPARE(table.position[t] + mirror, table.taps - 1);
            QVERIFY(table.position[t] >= 0 && positions.insert(table.position[t]).second);
        }
    }
    QVERIFY(table.rowStride >= table.taps + 2 * kPlanZeros);
}

QTEST_GUILESS_MAIN(TilePlanTest)

}  // namespace tile_plan_test
#include "tile_plan_test.moc"
