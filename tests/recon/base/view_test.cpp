// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"

namespace view_test {

using namespace tof;

class GeometryViewTest : public QObject {
    Q_OBJECT

  private slots:
    void axesAreOrthonormalAndAsDefined();
    void axesAreExactAtRightAngles();
    void gridIsCentredOnItsCells();
    void directionOfAViewFallsIntoItsOwnCell();
    void cellEdgesBelongToTheUpperCell();
    void reversedLineIsTheSameCellTurnedRound();
    void steepAndInvalidLinesHaveNoCell();
    void solidAnglesAddUpToTheAcceptance();
    void geometricOrderIsASeededPermutationFarApart();
    void partsWithoutDirectionAreOrderedAsAzimuthsAre();
    void impossibleGridsAreRefused();
};

void GeometryViewTest::axesAreOrthonormalAndAsDefined() {
    const View view{0.7, -0.12};

    const auto [u, r, a] = view.axes();

    QVERIFY(std::abs(u.x - std::cos(-0.12) * std::cos(0.7)) < 1e-15);
    QVERIFY(std::abs(u.z - std::sin(-0.12)) < 1e-15);
    QVERIFY(std::abs(r.x + std::sin(0.7)) < 1e-15);
    QVERIFY(std::abs(a.z - std::cos(-0.12)) < 1e-15);
    for (const auto& [p, q] : {std::pair{u, r}, std::pair{u, a}, std::pair{r, a}}) {
        QVERIFY(std::abs(dot(p, q)) < 1e-15);
    }
    QVERIFY(norm(cross(u, r) - a) < 1e-15);
}

void GeometryViewTest::axesAreExactAtRightAngles() {
    const ViewAxes axes = View{kPi / 2, 0}.axes();

    QCOMPARE(axes.u.x, 0.0);
    QCOMPARE(axes.u.y, 1.0);
    QCOMPARE(axes.r.x, -1.0);
    QCOMPARE(axes.r.y, 0.0);
    QCOMPARE(axes.a.z, 1.0);
}

void GeometryViewTest::gridIsCentredOnItsCells() {
    const ViewGrid grid(40, 3, 10 * kRadPerDeg);

    QCOMPARE(grid.count(), std::size_t{120});
    QCOMPARE(grid.view(0).phi, 0.0);
    QVERIFY(std::abs(grid.view(20).phi - kPi / 2) < 1e-15);
    QVERIFY(std::abs(grid.view(0).theta + 10 * kRadPerDeg * 2 / 3) < 1e-15);
    QCOMPARE(grid.view(47).theta, 0.0);
    QVERIFY(std::abs(grid.view(80).theta - 10 * kRadPerDeg * 2 / 3) < 1e-15);
}

void GeometryViewTest::directionOfAViewFallsIntoItsOwnCell() {
    for (const auto& [azimuths, tilts] : {std::pair{40, 3}, std::pair{7, 4}, std::pair{1, 1}}) {
        const ViewGrid grid(azimuths, tilts, 10 * kRadPerDeg);
        for (std::size_t i = 0; i < grid.count(); ++i) {
            const auto cell = grid.cell(3.5 * grid.view(i).axes().u);

            QVERIFY(cell.has_value());
            QCOMPARE(cell->index, i);
            QVERIFY(!cell->flipped);
        }
    }
}

void GeometryViewTest::cellEdgesBelongToTheUpperCell() {
    const ViewGrid grid(4, 1, 10 * kRadPerDeg);
    const auto at = [&](double degrees) {
        return grid.cell({std::cos(degrees * kRadPerDeg), std::sin(degrees * kRadPerDeg), 0});
    };

    // Cells of 45 degrees centred at 0, 45, 90, 135: edges at 22.5, 67.5, ...; above 157.5 it is cell 0
    // turned.
    QCOMPARE(at(22.4)->index, std::size_t{0});
    QCOMPARE(at(22.6)->index, std::size_t{1});
    QCOMPARE(at(157.4)->index, std::size_t{3});
    QCOMPARE(at(157.6)->index, std::size_t{0});
    QVERIFY(at(157.6)->flipped);
    QCOMPARE(at(180)->index, std::size_t{0});
    QVERIFY(at(180)->flipped);
    QCOMPARE(at(-10)->index, std::size_t{0});
    QVERIFY(!at(-10)->flipped);
}

void GeometryViewTest::reversedLineIsTheSameCellTurnedRound() {
    const ViewGrid grid(40, 3, 10 * kRadPerDeg);
    for (int k = 0; k < 500; ++k) {
        const double phi = 0.0123 + 0.9 * k;
        const double theta = 0.17 * std::sin(7.0 * k);
        const Vec3 d{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta)};

        const auto one = grid.cell(d);
        const auto other = grid.cell(-d);

        QVERIFY(one && other);
        QCOMPARE(one->index, other->index);
        QVERIFY(one->flipped != other->flipped);
        // The cell's own direction agrees with the line once turned: within half a cell each way.
        const Vec3 u = grid.view(one->index).axes().u;
        const double cosine = dot(one->flipped ? -d : d, u);
        QVERIFY(cosine > std::cos(0.5 * kPi / 40) * std::cos(10 * kRadPerDeg / 3) - 1e-3);
    }
}

void GeometryViewTest::steepAndInvalidLinesHaveNoCell() {
    const ViewGrid grid(40, 3, 10 * kRadPerDeg);

    QVERIFY(!grid.cell({0, 0, 1}));
    QVERIFY(!grid.cell({1, 0, std::tan(10.01 * kRadPerDeg)}));
    QVERIFY(grid.cell({1, 0, std::tan(9.99 * kRadPerDeg)}));
    QVERIFY(!grid.cell({std::nan(""), 0, 0}));
}

void GeometryViewTest::solidAnglesAddUpToTheAcceptance() {
    const ViewGrid grid(40, 3, 10 * kRadPerDeg);
    double sum = 0;

    for (std::size_t i = 0; i < grid.count(); ++i) {
        sum += grid.solidAngleFraction(i);
    }

    // Lines within +-10 degrees of the transverse plane: sin(10 deg) of all lines.
    QVERIFY(std::abs(sum - std::sin(10 * kRadPerDeg)) < 1e-14);
}

void GeometryViewTest::geometricOrderIsASeededPermutationFarApart() {
    const std::vector<View> views = ViewGrid(40, 3, 10 * kRadPerDeg).views();

    const auto order = geometricOrder(views, 7);

    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> identity(views.size());
    std::iota(identity.begin(), identity.end(), std::size_t{0});
    QVERIFY(sorted == identity);
    QVERIFY(order == geometricOrder(views, 7));
    // Far apart: the mean angle between successive views is well above the 45 degrees of a random order's
    // half.
    double mean = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const double c = std::abs(dot(views[order[i]].axes().u, views[order[i - 1]].axes().u));
        mean += std::acos(std::min(1.0, c)) / kRadPerDeg;
    }
    QVERIFY(mean / static_cast<double>(order.size() - 1) > 45);
    QVERIFY(geometricOrder({}, 1).empty());
}

void GeometryViewTest::partsWithoutDirectionAreOrderedAsAzimuthsAre() {
    for (const std::size_t parts : {0UL, 1UL, 2UL, 7UL, 48UL, 252UL}) {
        std::vector<View> views;
        std::vector<double> azimuths;
        for (std::size_t part = 0; part < parts; ++part) {
            azimuths.push_back(kPi * static_cast<double>(part) / static_cast<double>(parts));
            views.push_back({azimuths.back(), 0});
        }
        for (const std::uint64_t seed : {1U, 2U, 77U}) {
            QVERIFY(azimuthOrder(azimuths, seed) == geometricOrder(views, seed));
            QVERIFY(spreadOrder(parts, seed) == geometricOrder(views, seed));
        }
    }
}

void GeometryViewTest::impossibleGridsAreRefused() {
    QVERIFY_THROWS_EXCEPTION(WrongUse, ViewGrid(0, 3, 0.1));
    QVERIFY_THROWS_EXCEPTION(WrongUse, ViewGrid(40, 0, 0.1));
    QVERIFY_THROWS_EXCEPTION(WrongUse, ViewGrid(40, 3, 0.0));
    QVERIFY_THROWS_EXCEPTION(WrongUse, ViewGrid(40, 3, 2.0));
    QVERIFY_THROWS_EXCEPTION(WrongUse, ViewGrid(1 << 20, 3, 0.1));
}

QTEST_APPLESS_MAIN(GeometryViewTest)

}  // namespace view_test
#include "view_test.moc"
