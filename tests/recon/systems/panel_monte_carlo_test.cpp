// SPDX-License-Identifier: Apache-2.0
// The integrated system matrix of two panels against photons followed one by one.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/engines/cpu/cpu_engine.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/panel/cpu_panel_projector.h"
#include "recon/systems/panel/panel_matrix.h"

namespace panel_monte_carlo_test {

using namespace tof;

namespace {

/// Two heads 2 cm apart, so near that most lines are oblique.
Scanner near(int layers = 1, int columns = 12, int rows = 8) {
    return Scanner::fromJson(
        QString(R"({"name":"near","modules":{"count":2,"face_to_face_mm":20,"crystals":[%3,%4],)"
                R"("pitch_mm":[2.4,2.4],"layers":%1},"crystal_mm":[2.1,2.1,%2],"attenuation_per_mm":0.0819,)"
                R"("acceptance_deg":85,"fov_diameter_mm":80})")
            .arg(layers)
            .arg(20 / layers)
            .arg(columns)
            .arg(rows)
            .toStdString(),
        "test");
}

/// A box of even activity.
Phantom box(Vec3 centre, Vec3 size) {
    Phantom phantom;
    phantom.name = "box";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Box;
    shape.centre = centre;
    shape.size_mm = size;
    shape.activity = 1;
    phantom.shapes.push_back(shape);
    return phantom;
}

EventList simulated(const Scanner& scanner, const Phantom& phantom, std::uint64_t events,
                    std::uint64_t seed) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = seed;
    return simulate(scanner, phantom, settings, ThreadPool(), {});
}

}  // namespace

class PanelMonteCarloTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        geometry_ = PanelGeometry::of(near()).value();
        matrix_ = std::make_shared<const PanelMatrix>(buildPanelMatrix(geometry_, PanelQuadrature()));
    }

    /// chi-square of 20 voxels: the matrix's sum over all lines against the share of pairs recorded.
    void sensitivitiesAreThoseOfPhotons() {
        const PanelModel model{geometry_.lattice(), matrix_,
                               std::make_shared<const PanelParts>(panelParts(geometry_, 1))};
        CpuPanelProjector projector(model, std::make_shared<HostSpace>());
        Space& space = projector.space();
        Array x = space.allocate(projector.imageSize());
        Array p = space.allocate(projector.dataSize(0));
        space.fill(p.view(), 1);
        space.fill(x.view(), 0);
        for (std::size_t part = 0; part < projector.parts(); ++part) {
            projector.back(part, p.view(), x.view(), Write::Add);
        }
        std::vector<float> sensitivity(projector.imageSize());
        space.download(x.view(), sensitivity);

        const Lattice lattice = geometry_.lattice();
        std::mt19937 random(11);
        double chiSquare = 0;
        for (int i = 0; i < kPlaces; ++i) {
            VoxelIndex voxel{};
            for (std::size_t k = 0; k < 3; ++k) {
                voxel[k] = static_cast<int>(random() % static_cast<std::uint32_t>(lattice.size[k]));
            }
            const Vec3 size{lattice.spacing_mm[0], lattice.spacing_mm[1], lattice.spacing_mm[2]};
            const EventList list = simulated(near(), box(lattice.centre(voxel), size), kEvents,
                                             static_cast<std::uint64_t>(100 + i));
            const double measured = static_cast<double>(kEvents) / list.decays;
            const double expected = static_cast<double>(sensitivity[lattice.index(voxel)]);
            // As many are drawn as give kEvents: the share's relative variance is (1 - share)/events.
            const double sigma = measured * std::sqrt((1 - measured) / static_cast<double>(kEvents));
            chiSquare += std::pow((measured - expected) / sigma, 2);
            qInfo("voxel %d %d %d: %.5f photons, %.5f matrix, %+.2f sigma", voxel[0], voxel[1], voxel[2],
                  measured, expected, (expected - measured) / sigma);
        }
        qInfo("chi-square per place %.2f", chiSquare / kPlaces);
        QVERIFY(chiSquare / kPlaces < 1.5);
    }

    /// An even activity all over the image: every class gets its sum of the matrix times its shifts. With
    /// TOF_PANEL_MILLIONS=12 noise is at most 0.35 % and the bound is 2 % alone; it takes minutes, so give
    /// QTEST_FUNCTION_TIMEOUT=3600000 as well.
    void classesGetTheirShareOfCounts() {
        const Lattice lattice = geometry_.lattice();
        const Vec3 size{lattice.size[0] * lattice.spacing_mm[0], lattice.size[1] * lattice.spacing_mm[1],
                        lattice.size[2] * lattice.spacing_mm[2]};
        const int millions = qEnvironmentVariableIntValue("TOF_PANEL_MILLIONS");
        const std::uint64_t events =
            millions > 0 ? 1'000'000 * static_cast<std::uint64_t>(millions) : 750'000;
        const double least = 1e4 * static_cast<double>(events) / 1.5e6;
        const EventList list = simulated(near(), box({}, size), events, 5);
        std::vector<double> counts(static_cast<std::size_t>(geometry_.classes()), 0);
        for (const auto& [one, two] : list.crystals) {
            counts[static_cast<std::size_t>(panelLor(geometry_, one, two)->orientation().index(geometry_))] +=
                1;
        }

        double worst = 0;
        double chiSquare = 0;
        int compared = 0;
        int beyond = 0;
        for (int i = 0; i < geometry_.classes(); ++i) {
            const PanelClass c = PanelClass::at(geometry_, i);
            const int kernel = matrix_->ofClass[static_cast<std::size_t>(i)].kernel;
            const double expected = matrix_->sums[static_cast<std::size_t>(kernel)] * c.lors(geometry_) *
                                    list.decays / static_cast<double>(lattice.voxels());
            const double measured = counts[static_cast<std::size_t>(i)];
            if (measured < least) {
                continue;
            }
            const double off = measured / expected - 1;
            const double sigma = 1 / std::sqrt(expected);
            chiSquare += std::pow(off / sigma, 2);
            worst = std::max(worst, std::abs(off));
            ++compared;
            if (std::abs(off) > 0.01) {
                qInfo("class %d %d: %.0f counts, %+.2f %% of the matrix, %+.1f sigma", c.dy, c.dz, measured,
                      100 * off, off / sigma);
            }
            beyond += std::abs(off) < std::max(0.02, 3.5 * sigma) ? 0 : 1;
        }
        qInfo("%d classes, worst %.2f %%, chi-square per class %.2f", compared, 100 * worst,
              chiSquare / compared);
        QCOMPARE(beyond, 0);
        QVERIFY(compared > 30);
    }

    /// Which layers the photons of a pair interact in, summed over its lines.
    void layersGetTheirShareOfCounts() {
        const Scanner scanner = near(2, 6, 5);
        const PanelGeometry g = PanelGeometry::of(scanner).value();
        const PanelMatrix matrix = buildPanelMatrix(g, PanelQuadrature());
        const Lattice lattice = g.lattice();
        const Vec3 size{lattice.size[0] * lattice.spacing_mm[0], lattice.size[1] * lattice.spacing_mm[1],
                        lattice.size[2] * lattice.spacing_mm[2]};
        const EventList list = simulated(scanner, box({}, size), 150'000, 6);
        std::array<double, 4> counts{};
        std::array<double, 4> expected{};
        for (const auto& [one, two] : list.crystals) {
            const PanelClass c = panelLor(g, one, two)->orientation();
            counts.at(static_cast<std::size_t>(2 * c.layer0 + c.layer1)) += 1;
        }
        for (int i = 0; i < g.classes(); ++i) {
            const PanelClass c = PanelClass::at(g, i);
            const int kernel = matrix.ofClass[static_cast<std::size_t>(i)].kernel;
            expected.at(static_cast<std::size_t>(2 * c.layer0 + c.layer1)) +=
                matrix.sums[static_cast<std::size_t>(kernel)] * c.lors(g) * list.decays /
                static_cast<double>(lattice.voxels());
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const double off = counts.at(i) / expected.at(i) - 1;
            qInfo("layers %zu and %zu: %.0f counts, %+.2f %%", i / 2, i % 2, counts.at(i), 100 * off);
            // The matrix to 0.5 %, and three standard deviations of the counts.
            QVERIFY(std::abs(off) < 0.005 + 3 / std::sqrt(expected.at(i)));
        }
    }

    void theScannerOfThePaperRecordsAQuarterOfItsCentre() {
        const Scanner scanner = Scanner::find("hrrt-panel");
        SimulationSettings settings;
        settings.events = 10'000;
        settings.physics = Physics::none();
        settings.physics->crystals = true;
        settings.physics->energy = true;

        const EventList list = simulate(scanner, box({}, {0.5, 0.6, 0.6}), settings, ThreadPool(), {});

        const double share = static_cast<double>(settings.events) / list.decays;
        qInfo("%.1f %% of the pairs of the centre", 100 * share);
        QVERIFY(share > 0.25 && share < 0.31);
    }

    /// 0.87 is what the 28 % of the paper leave for all that the model of crystals does not have.
    void theEfficiencyOfTheScannerFollowsFromThePaper() {
        Scanner perfect = Scanner::find("hrrt-panel");
        const double stated = perfect.detection->efficiency;
        perfect.detection->efficiency = 1;
        SimulationSettings settings;
        settings.events = 20'000;
        settings.physics = Physics::none();
        settings.physics->crystals = true;
        settings.physics->energy = true;

        const EventList list = simulate(perfect, box({}, {0.5, 0.6, 0.6}), settings, ThreadPool(), {});

        const double share = static_cast<double>(settings.events) / list.decays;
        constexpr double kPaper = 0.28;
        const double derived = std::sqrt(kPaper / share);
        qInfo("%.2f %% without it: an efficiency of %.3f", 100 * share, derived);
        // 20,000 counts: 0.7 %, by the root 0.4 %; 28 % is printed as "about", to half a per cent of 28: 1 %.
        QVERIFY(std::abs(derived - stated) < 0.015);
        for (const char* const name : {"hrrt-panel-2", "hrrt-panel-208"}) {
            QCOMPARE(Scanner::find(name).detection->efficiency, stated);
        }
    }

  private:
    static constexpr int kPlaces = 20;
    static constexpr std::uint64_t kEvents = 20'000;
    PanelGeometry geometry_;
    std::shared_ptr<const PanelMatrix> matrix_;
};

QTEST_GUILESS_MAIN(PanelMonteCarloTest)

}  // namespace panel_monte_carlo_test
#include "panel_monte_carlo_test.moc"
