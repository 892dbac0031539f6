// SPDX-License-Identifier: Apache-2.0
// One voxel filled evenly, simulated and binned, against its projection with the kernel of points at its
// place.
#include <QTest>
#include <cmath>

#include "recon/binning/binning.h"
#include "recon/binning/point_sources.h"
#include "recon/kernel/point_response.h"
#include "recon/simulate/monte_carlo.h"

namespace voxel_response_test {

using namespace tof;

namespace {

constexpr double kVoxel_mm = 4;
constexpr int kSide = 5;

Phantom filled(Vec3 centre, PhantomShape::Kind kind) {
    Phantom phantom;
    phantom.name = "voxel";
    PhantomShape shape;
    shape.kind = kind;
    shape.centre = centre;
    shape.size_mm = {kVoxel_mm, kVoxel_mm, kVoxel_mm};
    shape.activity = 1;
    phantom.shapes = {shape};
    return phantom;
}

/// From points all over the voxel, one list each: a source alone shows how its crystals happen to lie. One
/// band.
KernelSpec kernelAt(const Scanner& scanner, Vec3 place, std::uint64_t events, const ThreadPool& pool) {
    constexpr int kPlaces = 32;
    PointMeasureSettings settings;
    settings.band_mm = 24;
    settings.knots = 25;
    std::optional<PointOffsets> all;
    for (int i = 0; i < kPlaces; ++i) {
        const auto within = [i](double step) {
            const double share = (i + 1) * step;
            return kVoxel_mm * (share - std::floor(share) - 0.5);
        };
        // Kronecker's sequence: even in three dimensions.
        const Vec3 at = place + Vec3{within(0.8191725134), within(0.6710436067), within(0.5497004779)};
        SimulationSettings simulation;
        simulation.events = events / kPlaces;
        simulation.seed = static_cast<std::uint64_t>(i) + 21;
        const EventList list = simulate(scanner, filled(at, PhantomShape::Kind::Point), simulation, pool, {});
        const PointOffsets one = collectOffsets(list, scanner, {at}, settings, pool, {});
        if (all) {
            all->add(one);
        } else {
            all = one;
        }
    }
    return measuredKernel(*all).kernel;
}

}  // namespace

class VoxelResponseTest : public QObject {
    Q_OBJECT

  private slots:
    void aFilledVoxelIsBinnedAsItIsProjected_data() {
        QTest::addColumn<int>("azimuths");
        QTest::addColumn<int>("tilts");
        QTest::newRow("views of every day") << 40 << 3;
        QTest::newRow("narrow cells") << 60 << 12;
    }

    void aFilledVoxelIsBinnedAsItIsProjected() {
        QFETCH(int, azimuths);
        QFETCH(int, tilts);
        const bool full = !qEnvironmentVariableIsEmpty("TOFSCOPE_FULL");
        if (!full && azimuths > 40) {
            QSKIP("4 million events into 720 views take minutes; TOFSCOPE_FULL=1 runs them");
        }
        const std::uint64_t events = full ? 4'000'000 : 400'000;
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ThreadPool pool(2);
        const Vec3 place{6, 2, 2};
        const KernelSpec kernel = kernelAt(scanner, place, events, pool);
        SimulationSettings simulation;
        simulation.events = events;
        simulation.seed = 22;
        BinningSettings settings;
        settings.azimuths = azimuths;
        settings.tilts = tilts;
        settings.lattice = Lattice::centred({kSide, kSide, kSide}, {kVoxel_mm, kVoxel_mm, kVoxel_mm});
        settings.lattice.origin_mm = settings.lattice.origin_mm + place;
        const Phantom voxel = filled(place, PhantomShape::Kind::Box);

        HistoData data =
            depositEvents(simulate(scanner, voxel, simulation, pool, {}), scanner, settings, pool, {});
        computeMult(data, scanner, nullptr, pool, {});

        const std::size_t n = data.voxels();
        const VoxelIndex middle{kSide / 2, kSide / 2, kSide / 2};
        const std::size_t centre = data.lattice.index(middle[0], middle[1], middle[2]);
        double recorded = 0;  // share of the emissions
        std::vector<double> expected(n);
        std::vector<double> counts(n);
        for (std::size_t v = 0; v < data.views.size(); ++v) {
            const KernelTables tables = buildKernelTables(kernel, data.lattice, data.views[v]);
            const Volume one = forwardOfPoints(tables, data.lattice, std::span(&middle, 1));
            recorded += static_cast<double>(data.mult[v * n + centre]);
            for (std::size_t i = 0; i < n; ++i) {
                expected[i] += static_cast<double>(data.mult[v * n + i]) * static_cast<double>(one.data[i]);
                counts[i] += static_cast<double>(data.counts[v * n + i]);
            }
        }
        const double emissions = static_cast<double>(data.kept + data.outside) / recorded;
        const double peak = emissions * expected[centre];
        double worst = 0;
        std::size_t where = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double off = std::abs(counts[i] - emissions * expected[i]) / peak;
            where = off > worst ? i : where;
            worst = std::max(worst, off);
        }
        qInfo("largest difference %.2f %% of the peak of %.0f, in voxel %d, %d, %d", 100 * worst, peak,
              static_cast<int>(where % kSide), static_cast<int>(where / kSide % kSide),
              static_cast<int>(where / kSide / kSide));
        // The counts of the voxel and those that its kernel was fitted to scatter alike.
        const double scatter = std::sqrt(2 / peak);
        QVERIFY2(worst < 0.02 + (full ? 0 : 2 * scatter), qPrintable(QString::number(worst)));
    }
};

QTEST_GUILESS_MAIN(VoxelResponseTest)

}  // namespace voxel_response_test
#include "voxel_response_test.moc"
