// SPDX-License-Identifier: Apache-2.0
// Lines and kernels of two panels.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "recon/scanner/panel_geometry.h"
#include "recon/scanner/scanner.h"
#include "recon/systems/panel/panel_matrix.h"
#include "recon/systems/panel/panel_model.h"
#include "recon/systems/panel/panel_response.h"

using namespace tof;

namespace {

PanelGeometry small() {
    return PanelGeometry::of(Scanner::find("small-panel")).value();
}

/// Quick: symmetries do not depend on how fine the integrals are.
PanelQuadrature coarse() {
    PanelQuadrature quadrature;
    quadrature.rays = 2;
    quadrature.points = {1, 2, 2};
    quadrature.leftOut = 0;
    return quadrature;
}

/// The response of a line to a voxel by its own corners: nothing of the symmetries is used.
double direct(const PanelGeometry& g, const PanelQuadrature& q, const PanelLor& lor,
              std::array<int, 3> voxel) {
    const Lattice lattice = g.lattice();
    const auto edge = [&](int crystal, std::size_t axis) {
        return (crystal - 0.5 * g.crystals[axis]) * g.pitch_mm[axis];
    };
    PanelPair pair = panelPair(g, lor.orientation());
    pair.offset[0] = edge(lor.y1, 0) - edge(lor.y0, 0);
    pair.offset[1] = edge(lor.z1, 1) - edge(lor.z0, 1);
    const PanelPoints ys = panelPoints(q.points[1], lor.orientation().dy);
    const PanelPoints zs = panelPoints(q.points[2], lor.orientation().dz);
    double sum = 0;
    for (int k = 0; k < zs.count; ++k) {
        for (int j = 0; j < ys.count; ++j) {
            const Vec3 p = lattice.centre(voxel[0], voxel[1] + ys.place[j], voxel[2] + zs.place[k]);
            sum += ys.weight[j] * zs.weight[k] *
                   panelResponse(pair, q.rays, p.x, p.y - edge(lor.y0, 0), p.z - edge(lor.z0, 1));
        }
    }
    return sum;
}

/// The response of the stored line of a class to a voxel of its box.
double stored(const PanelGeometry& g, const PanelQuadrature& q, const PanelClass& c, int x, int y, int z) {
    return direct(g, q, {0, 0, c.layer0, c.dy, c.dz, c.layer1}, {x, y, z});
}

}  // namespace

class PanelMatrixTest : public QObject {
    Q_OBJECT

  private slots:
    void theScannerOfThePaperIsTwoPanels() {
        const auto g = PanelGeometry::of(Scanner::find("hrrt-panel"));

        QVERIFY(g.has_value());
        QCOMPARE(g->crystals, (std::array<int, 2>{104, 72}));
        QCOMPARE(g->classes(), 7488);
        QCOMPARE(g->lors(), std::size_t{56'070'144});
        QCOMPARE(g->lattice().size, (std::array<int, 3>{119, 416, 288}));
        QVERIFY(std::abs(g->lattice().spacing_mm[1] - 0.6) < 1e-12);
        QCOMPARE(panelClassStarts(*g).back(), g->lors());
        QVERIFY(!PanelGeometry::of(Scanner::find("labr3")).has_value());
    }

    void everyPairOfCrystalsIsOneLine() {
        const Scanner scanner = Scanner::find("small-panel");
        const PanelGeometry g = small();
        const std::vector<std::size_t> starts = panelClassStarts(g);
        std::vector<bool> seen(g.lors(), false);
        const auto head = static_cast<std::uint32_t>(g.headCrystals());

        for (std::uint32_t one = 0; one < head; ++one) {
            for (std::uint32_t two = head; two < 2 * head; ++two) {
                const PanelLor lor = panelLor(g, one, two).value();
                const PanelClass c = lor.orientation();
                const int inClass = lor.inClass(g);
                const std::size_t place =
                    starts[static_cast<std::size_t>(c.index(g))] + static_cast<std::size_t>(inClass);
                QVERIFY(inClass < c.lors(g) && !seen[place]);
                seen[place] = true;
                const PanelLor back = PanelLor::at(g, c, inClass);
                QVERIFY(back.y0 == lor.y0 && back.z0 == lor.z0 && back.y1 == lor.y1 && back.z1 == lor.z1);
                QCOMPARE(panelCrystals(g, back), (std::array{one, two}));
                QCOMPARE(panelCrystals(g, panelLor(g, two, one).value()), (std::array{one, two}));
            }
        }
        QVERIFY(!panelLor(g, 0, 1).has_value());
        // y of head 1 grows as that of head 0 does.
        const PanelLor corner = panelLor(g, 0, head).value();
        QVERIFY(corner.y0 == 0 && corner.y1 == g.crystals[0] - 1);
        QVERIFY(scanner.crystals[0].front.y < 0 && scanner.crystals[head].front.y > 0);
    }

    void kernelsEqualTheResponseComputedWithoutSymmetries() {
        const PanelGeometry g = small();
        const PanelQuadrature q = coarse();
        const PanelMatrix plan = panelMatrixPlan(g, q);
        const int d = g.voxelsPerPitch;
        std::mt19937 random(7);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint32_t>(n)); };
        int compared = 0;

        for (int i = 0; i < 1000; ++i) {
            const auto head = g.headCrystals();
            const PanelLor lor = panelLor(g, static_cast<std::uint32_t>(below(head)),
                                          static_cast<std::uint32_t>(head + below(head)))
                                     .value();
            const PanelClass c = lor.orientation();
            const PanelKernelRef ref = plan.ofClass[static_cast<std::size_t>(c.index(g))];
            const PanelClass storedClass = plan.kernels[static_cast<std::size_t>(ref.kernel)];
            const int sign = lor.inClass(g) / (c.shiftsY(g) * c.shiftsZ(g));
            // Near the middle of the line somewhere along it, where it sees something.
            const int x = below(g.planes);
            const double share = (x + 0.5) / g.planes;  // of the way from head 1
            const int y =
                std::clamp(static_cast<int>(d * ((1 - share) * storedClass.dy + 0.5)) + below(3) - 1, 0,
                           d * (storedClass.dy + 1) - 1);
            const int z =
                std::clamp(static_cast<int>(d * ((1 - share) * storedClass.dz + 0.5)) + below(3) - 1, 0,
                           d * (storedClass.dz + 1) - 1);
            const double kernel = stored(g, q, storedClass, x, y, z);
            const int localY = ref.exchanged ? z : y;
            const int localZ = ref.exchanged ? y : z;
            const std::array<int, 3> voxel{
                x, d * std::min(lor.y0, lor.y1) + (c.negativeY(sign) ? d * (c.dy + 1) - 1 - localY : localY),
                d * std::min(lor.z0, lor.z1) + (c.negativeZ(sign) ? d * (c.dz + 1) - 1 - localZ : localZ)};
            QVERIFY(g.lattice().contains(voxel));
            const double expected = direct(g, q, lor, voxel);
            QVERIFY2(std::abs(kernel - expected) <= 1e-6 * expected + 1e-18,
                     qPrintable(QString("%1 against %2").arg(kernel).arg(expected)));
            compared += expected > 0 ? 1 : 0;
        }
        QVERIFY(compared > 900);
    }

    void halfAKernelIsTheOtherHalfTurned() {
        const PanelGeometry g = small();
        const PanelQuadrature q = coarse();
        const PanelClass c{3, 1, 0, 0};
        const std::vector<float> dense = panelKernel(g, q, c);
        const PanelEntries all = keptEntries(g, q, c, dense);

        for (std::size_t i = 0; i < all.places.size(); i += 17) {
            const std::uint32_t place = all.places[i];
            const double sum =
                stored(g, q, c, PanelPlace::x(place), PanelPlace::y(place), PanelPlace::z(place));
            QVERIFY2(std::abs(sum - static_cast<double>(all.values[i])) < 1e-6 * sum + 1e-20,
                     qPrintable(QString("entry %1: %2 against %3").arg(i).arg(sum).arg(all.values[i])));
        }
    }

    void whatIsLeftOutIsLittle() {
        const PanelGeometry g = small();
        PanelQuadrature q = coarse();
        q.leftOut = 0.002;
        const PanelClass c{5, 2, 0, 0};
        const std::vector<float> dense = panelKernel(g, q, c);

        const PanelEntries kept = keptEntries(g, q, c, dense);

        double sum = 0;
        for (const float value : kept.values) {
            sum += static_cast<double>(value);
        }
        QVERIFY(kept.kept >= 0.998 * kept.sum && kept.kept < kept.sum);
        QVERIFY(std::abs(sum - kept.sum) < 1e-6 * sum);
        QVERIFY(std::is_sorted(kept.places.begin(), kept.places.end()));
    }

    void partsHoldEveryClassOnce() {
        const auto g = PanelGeometry::of(Scanner::find("hrrt-panel")).value();
        const PanelParts parts = panelParts(g, 5);
        std::vector<int> all;
        for (const std::vector<int>& classes : parts.classes) {
            QCOMPARE(classes.size(), std::size_t{104});
            all.insert(all.end(), classes.begin(), classes.end());
        }
        std::sort(all.begin(), all.end());

        QCOMPARE(parts.parts(), std::size_t{72});
        for (int c = 0; c < g.classes(); ++c) {
            QCOMPARE(all[static_cast<std::size_t>(c)], c);
        }
        QVERIFY(parts.partSize < 1'100'000);
        QVERIFY(panelParts(g, 6).classes != parts.classes);
        QCOMPARE(panelParts(g, 5).classes, parts.classes);
    }
};

QTEST_GUILESS_MAIN(PanelMatrixTest)
#include "panel_matrix_test.moc"
