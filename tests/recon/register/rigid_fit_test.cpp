// SPDX-License-Identifier: Apache-2.0
// A CT is laid onto a PET image of the same body, and what that stands on: places, moved images, information.
#include <QTest>
#include <chrono>
#include <cmath>
#include <random>

#include "recon/base/error.h"
#include "recon/base/interpolated.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/phantom/phantom.h"
#include "recon/register/moved_image.h"
#include "recon/register/mutual_information.h"
#include "recon/register/rigid_fit.h"
#include "recon/register/rigid_place.h"

namespace rigid_fit_test {

using namespace tof;

namespace {

/// A Gaussian blob of sigma 12 mm at a point.
Volume blobAt(const Lattice& lattice, Vec3 middle) {
    Volume out(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 d = lattice.centre(x, y, z) - middle;
        out.at(x, y, z) = static_cast<float>(std::exp(-dot(d, d) / (2 * 12 * 12)));
    });
    return out;
}

/// The torso's CT in HU, 2 mm, where it lies as its PET does.
Volume torsoCt() {
    const Phantom torso = Phantom::find("breathing-torso");
    Volume ct = torso.attenuationOn(Lattice::centred({190, 190, 140}, {2, 2, 2}), 2);
    for (float& v : ct.data) {
        v = 1000 * (v / 0.0096F - 1);
    }
    ct.units = "HU";
    return ct;
}

/// The torso's PET of 4 mm voxels and 6 mm resolution, with noise of 20 % of the background.
Volume torsoPet() {
    const Phantom torso = Phantom::find("breathing-torso");
    Volume pet = torso.emissionOn(Lattice::centred({96, 96, 60}, {4, 4, 4}), 2);
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 1);
    const auto background = static_cast<float>(pet.at(48, 20, 30));
    for (float& v : pet.data) {
        v += 0.7F * std::sqrt(background * v) * noise(random);  // before the filter that leaves 20 %
    }
    return gaussianFiltered(pet, 6);
}

/// The farthest that a motion takes a point of the body from where another one takes it, mm.
double farthest(const Pose& a, const Pose& b) {
    double most = 0;
    for (const double x : {-160.0, 160.0}) {
        for (const double y : {-160.0, 160.0}) {
            for (const double z : {-120.0, 120.0}) {
                most = std::max(most, norm(a.moved({x, y, z}) - b.moved({x, y, z})));
            }
        }
    }
    return most;
}

}  // namespace

class RigidFitTest : public QObject {
    Q_OBJECT

  private slots:
    void aPlaceIsToldInTheNumbersItWasMadeOf() {
        const Vec3 middle{10, -20, 30};
        for (const RigidPlace& place :
             {RigidPlace{{1, 2, 3}, {10, -20, 30}}, RigidPlace{{0, 0, -7}, {-170, 80, 95}},
              RigidPlace{{4, 5, 6}, {0, 0, 0}}}) {
            const RigidPlace told = placeOf(poseOf(place, middle), middle);

            QVERIFY(norm(told.shift_mm - place.shift_mm) < 1e-10);
            QVERIFY(norm(told.turn_deg - place.turn_deg) < 1e-10);
        }
        // About z by 90 degrees x goes to y; the middle goes where the shift says.
        const Pose quarter = poseOf({{1, 2, 3}, {0, 0, 90}}, middle);
        QVERIFY(norm(quarter.moved(middle + Vec3{5, 0, 0}) - (middle + Vec3{1, 7, 3})) < 1e-12);
    }

    void turnsComeOneAfterTheOther() {
        const Vec3 middle{-3, 4, 5};
        const Pose x = poseOf({{}, {25, 0, 0}}, middle);
        const Pose y = poseOf({{}, {0, -40, 0}}, middle);
        const Pose z = poseOf({{}, {0, 0, 70}}, middle);

        QVERIFY(farthest(poseOf({{}, {25, -40, 70}}, middle), z.after(y).after(x)) < 1e-10);
        QVERIFY(farthest(smallMotion({25 * std::acos(-1.0) / 180, 0, 0}, {}, middle), x) < 1e-10);
        QVERIFY(std::abs(angle_deg(y) - 40) < 1e-10);
        // Straight up about y: x and z are one turn, and the motion is the same.
        const Pose up = poseOf({{1, 1, 1}, {20, 90, 50}}, middle);
        QVERIFY(farthest(poseOf(placeOf(up, middle), middle), up) < 1e-6);
    }

    void aMovedImageLiesWhereTheMotionTakesIt() {
        const Lattice lattice = Lattice::centred({60, 50, 40}, {3, 3, 4});
        const Vec3 at{15, -12, 8};
        const Pose place = poseOf({{6, 3, -4}, {8, -12, 20}}, middleOf(lattice));

        const Volume moved =
            movedImage(blobAt(lattice, at), place, lattice, Sampling::Trilinear, ThreadPool(2));

        // Trilinear: h^2/8 of the second derivative along each axis, (9 + 9 + 16)/8/144 = 0.03, one way.
        const Volume expected = blobAt(lattice, place.moved(at));
        double largest = 0;
        for (std::size_t i = 0; i < moved.data.size(); ++i) {
            largest = std::max(largest, static_cast<double>(std::abs(moved.data[i] - expected.data[i])));
        }
        QVERIFY2(largest < 0.03, qPrintable(QString::number(largest)));
    }

    void outsideIsAirInHuAndNothingElsewhere() {
        const Lattice lattice = Lattice::centred({8, 8, 8}, {2, 2, 2});
        Volume ct(lattice, 40);
        ct.units = "HU";
        ct.at(0, 0, 0) = -1000;
        Volume activity(lattice, 7);
        const Pose away{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {6, 0, 0}};

        QCOMPARE(movedImage(ct, away, lattice, Sampling::Nearest, ThreadPool(1)).at(1, 4, 4), -1000.0F);
        QCOMPARE(movedImage(activity, away, lattice, Sampling::Nearest, ThreadPool(1)).at(1, 4, 4), 0.0F);
        QCOMPARE(movedImage(ct, away, lattice, Sampling::Nearest, ThreadPool(1)).at(3, 0, 0), -1000.0F);
        QCOMPARE(movedImage(activity, away, lattice, Sampling::Nearest, ThreadPool(1)).at(3, 4, 4), 7.0F);
    }

    void theLatticeAroundHoldsEveryCorner() {
        const Lattice lattice = Lattice::centred({30, 20, 10}, {2, 3, 5});
        const Pose place = poseOf({{5, -6, 7}, {20, 30, -40}}, {1, 2, 3});

        const Box box = latticeBox(latticeAround(lattice, place));

        const Box own = latticeBox(lattice);
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p = place.moved({(corner & 1) != 0 ? own.high.x : own.low.x,
                                        (corner & 2) != 0 ? own.high.y : own.low.y,
                                        (corner & 4) != 0 ? own.high.z : own.low.z});
            for (std::size_t axis = 0; axis < 3; ++axis) {
                QVERIFY(p[axis] > box.low[axis] - 1e-3 && p[axis] < box.high[axis] + 1e-3);
            }
        }
        QCOMPARE(latticeAround(lattice, Pose()), lattice);
    }

    void blockMeansKeepARampInItsPlace() {
        const Lattice lattice = Lattice::centred({21, 20, 16}, {1, 2, 4});
        Volume ramp(lattice);
        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = lattice.centre(x, y, z);
            ramp.at(x, y, z) = static_cast<float>(p.x + 10 * p.y + 100 * p.z);
        });

        const Volume means = blockMeans(ramp, 4);

        QCOMPARE(means.lattice.size, (std::array<int, 3>{5, 10, 16}));
        means.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = means.lattice.centre(x, y, z);
            QVERIFY(std::abs(means.at(x, y, z) - (p.x + 10 * p.y + 100 * p.z)) < 1e-2);
        });
    }

    void informationHasItsGradient() {
        const Lattice lattice = Lattice::centred({40, 40, 30}, {4, 4, 4});
        const Volume fixed = blobAt(lattice, {4, -8, 10});
        const Lattice wide = Lattice::centred({60, 60, 50}, {4, 4, 4});  // so that no point leaves it
        Volume moving = blobAt(wide, {-5, 5, 0});
        const Volume second = blobAt(wide, {30, 20, -20});
        for (std::size_t i = 0; i < moving.data.size(); ++i) {
            moving.data[i] += 0.5F * second.data[i];
        }
        const ThreadPool pool(2);
        const MutualInformation both(fixed, moving, 50000);
        const Pose place = poseOf({{3, 2, -1}, {4, 5, 6}}, both.middle());
        const MutualInformation::Value value = both.at(place, pool);

        constexpr double kStep_mm = 1e-3;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec3 shift;
            shift[axis] = kStep_mm;
            Vec3 turn;
            turn[axis] = kStep_mm / both.reach_mm();
            const auto along = [&](Vec3 turned, Vec3 shifted) {
                const double on =
                    both.at(smallMotion(turned, shifted, both.middle()).after(place), pool).information;
                const double back =
                    both.at(smallMotion(-turned, -shifted, both.middle()).after(place), pool).information;
                return (on - back) / 2;
            };
            const double byShift = along({}, shift) / kStep_mm;
            const double byTurn = along(turn, {}) * both.reach_mm() / kStep_mm;
            const double size = norm(value.byShift);

            // The slope jumps at faces of cells and ends of bins, which a thousandth of the points pass.
            QVERIFY2(std::abs(byShift - value.byShift[axis]) < 2e-3 * size,
                     qPrintable(QString("%1 %2").arg(byShift).arg(value.byShift[axis])));
            QVERIFY2(std::abs(byTurn - value.byTurn[axis]) < 2e-3 * norm(value.byTurn),
                     qPrintable(QString("%1 %2").arg(byTurn).arg(value.byTurn[axis])));
        }
    }

    void imagesThatHaveNothingToDoWithEachOtherTellNothing() {
        const Lattice lattice = Lattice::centred({40, 40, 40}, {2, 2, 2});
        const Volume image = blobAt(lattice, {0, 0, 0});
        Volume unlike(lattice);
        lattice.forEachVoxel([&](int x, int y, int z) {
            unlike.at(x, y, z) = static_cast<float>((x * 7 + y * 3 + z * 5) % 11);
        });
        const ThreadPool pool(1);

        const double self = MutualInformation(image, image, 60000).at(Pose(), pool).information;
        const double other = MutualInformation(image, unlike, 60000).at(Pose(), pool).information;

        // Where values have nothing to do with each other, 31 x 31 cells keep about their number over twice
        // that of the points in nats, 0.008.
        QVERIFY2(other < 0.012, qPrintable(QString::number(other)));
        QVERIFY(self > 0.5);
    }

    void sumsDoNotDependOnThreads() {
        const Lattice lattice = Lattice::centred({30, 30, 30}, {4, 4, 4});
        const Volume a = blobAt(lattice, {4, 0, 0});
        const Volume b = blobAt(lattice, {0, 6, 0});
        const MutualInformation both(a, b, 20000);

        const auto one = both.at(Pose(), ThreadPool(1));
        const auto four = both.at(Pose(), ThreadPool(4));

        QCOMPARE(one.information, four.information);
        QCOMPARE(one.byTurn, four.byTurn);
    }

    void aCtIsLaidOntoThePet_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::addColumn<double>("about");
        QTest::newRow("along x, about z") << 20.0 << 0.0 << 0.0 << 2.0;
        QTest::newRow("along y, about x") << 0.0 << -20.0 << 0.0 << 0.0;
        QTest::newRow("along z, about y") << 0.0 << 0.0 << 20.0 << 1.0;
        QTest::newRow("askew") << 11.5 << -11.5 << 11.5 << 3.0;
    }
    void aCtIsLaidOntoThePet() {
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        QFETCH(double, about);
        Vec3 turn{5.77, -5.77, 5.77};
        if (about < 3) {
            turn = {};
            turn[static_cast<std::size_t>(about)] = 10;
        }
        const ThreadPool pool(2);
        static const Volume pet = torsoPet();
        static const Volume straight = torsoCt();
        const Pose away = poseOf({{x, y, z}, turn}, {});
        const Volume ct = movedImage(straight, away, straight.lattice, Sampling::Trilinear, pool);
        const auto start = std::chrono::steady_clock::now();

        const RigidFit fit = fitRigid(ct, pet, Pose(), pool, [](double) {});

        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const Pose left = fit.place.after(away);  // nothing where the CT is back
        const QString found = QString("%1 mm, %2 degrees, %3 steps, %4 s, information %5 from %6")
                                  .arg(norm(left.shift))
                                  .arg(angle_deg(left))
                                  .arg(fit.steps)
                                  .arg(seconds)
                                  .arg(fit.information)
                                  .arg(fit.informationBefore);
        qInfo().noquote() << found;
        QVERIFY2(norm(left.shift) <= 1, qPrintable(found));
        QVERIFY2(angle_deg(left) <= 0.5, qPrintable(found));
        QVERIFY(fit.information > fit.informationBefore);
    }

    void imagesThatTellNothingAreRefused() {
        const Lattice lattice = Lattice::centred({20, 20, 20}, {4, 4, 4});
        const Volume blob = blobAt(lattice, {});
        const Pose far{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {500, 0, 0}};

        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(fitRigid(Volume(lattice, 3), blob, Pose(),
                                                                      ThreadPool(1), [](double) {})));
        QVERIFY_THROWS_EXCEPTION(BadInput,
                                 static_cast<void>(fitRigid(blob, blob, far, ThreadPool(1), [](double) {})));
    }

    void aWishToStopEndsIt() {
        const Lattice lattice = Lattice::centred({30, 30, 30}, {4, 4, 4});
        const Volume blob = blobAt(lattice, {});
        const ThreadPool pool(1, Priority::Normal, [] { throw Cancelled(); });

        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 static_cast<void>(fitRigid(blob, blob, Pose(), pool, [](double) {})));
    }
};

QTEST_APPLESS_MAIN(RigidFitTest)

}  // namespace rigid_fit_test
#include "rigid_fit_test.moc"
