// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/binning/tof_check.h"
#include "recon/simulate/monte_carlo.h"

namespace tof_check_test {

using namespace tof;

namespace {

Scanner scanner() {
    return Scanner::fromJson(R"({"name":"t","modules":{"count":16,"face_to_face_mm":600,"crystals":[24,12],)"
                             R"("pitch_mm":[4.5,4.5]},"crystal_mm":[4.5,4.5,2],"attenuation_per_mm":2.5,)"
                             R"("acceptance_deg":10,"fov_diameter_mm":400,"timing_fwhm_ps":400})",
                             "test");
}

EventList events(PhantomShape shape, std::uint64_t count) {
    Phantom phantom;
    phantom.name = "one shape";
    shape.activity = 1;
    phantom.shapes = {shape};
    return simulate(scanner(), phantom, {count, 7, 1.0}, ThreadPool(2), {});
}

EventList pointEvents(Vec3 at, std::uint64_t count = 40000) {
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Point;
    shape.centre = at;
    return events(shape, count);
}

TofCheck check(const EventList& list, float sign = 1) {
    std::vector<float> times = list.dt_ps;
    for (float& dt : times) {
        dt *= sign;
    }
    return checkTof(referencePoints(scanner()), list.crystals, times, 200);
}

}  // namespace

class TofCheckTest : public QObject {
    Q_OBJECT

  private slots:
    void signAndPlaceOfAPointAreFound_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::newRow("to the left") << 100.0 << 0.0 << 0.0;
        QTest::newRow("behind and above") << -20.0 << 60.0 << 8.0;
        QTest::newRow("near the edge") << -130.0 << -110.0 << -5.0;
    }
    void signAndPlaceOfAPointAreFound() {
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        const EventList list = pointEvents({x, y, z});

        const TofCheck stated = check(list);
        const TofCheck reversed = check(list, -1);

        QCOMPARE(stated.sign, TofSign::AsStated);
        QCOMPARE(reversed.sign, TofSign::Reversed);
        QVERIFY(stated.sharpness > 2 * stated.sharpnessReversed);
        QVERIFY2(norm(stated.point - Vec3{x, y, z}) < 0.5,
                 qPrintable(QString("%1 %2 %3").arg(stated.point.x).arg(stated.point.y).arg(stated.point.z)));
        // The lines alone know where the point is, whatever the times say.
        QVERIFY(norm(reversed.point - stated.point) < 1e-6);
    }

    void timesGiveTheCentre() {
        // 400 ps are 25.5 mm along the line: the mean of 40,000 is good to 0.13 mm; of the 0.5 mm half are
        // for crystals of 4.5 mm.
        const Vec3 at{60, -40, 3};
        const TofCheck found = check(pointEvents(at));
        QVERIFY2(norm(found.centre - at) < 0.5,
                 qPrintable(QString("%1 %2 %3").arg(found.centre.x).arg(found.centre.y).arg(found.centre.z)));
        QVERIFY(found.inside > 0.99);
    }

    void anOffCentreBodyTellsTheSign() {
        PhantomShape body;
        body.kind = PhantomShape::Kind::Cylinder;
        body.centre = {50, 30, 0};
        body.radius_mm = 80;
        body.size_mm = {0, 0, 60};
        const EventList list = events(body, 60000);
        QCOMPARE(check(list).sign, TofSign::AsStated);
        QCOMPARE(check(list, -1).sign, TofSign::Reversed);
        QVERIFY(check(list).sharpness > 1);
    }

    void aCentredPointTellsNothing() { QCOMPARE(check(pointEvents({0, 0, 0})).sign, TofSign::Undecided); }

    void withoutTimesThereIsNothingToCheck() {
        const std::vector<Vec3> points{{-1, 0, 0}, {1, 0, 0}};
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(checkTof(points, {{0, 1}}, {}, 1)), BadInput);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(checkTof(points, {{0, 2}}, {0.0F}, 1)), BadInput);
    }
};

QTEST_GUILESS_MAIN(TofCheckTest)

}  // namespace tof_check_test
#include "tof_check_test.moc"
