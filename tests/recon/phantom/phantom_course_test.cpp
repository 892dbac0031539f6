// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/phantom/phantom_course.h"
#include "recon/physics/nuclide.h"
#include "tests/support/refusal.h"

namespace phantom_course_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kDelay_s = 12;

/// Plasma in tests' own words.
double plasma(double time_s) {
    const double t = (time_s - kDelay_s) / 60;
    return t < 0 ? 0
                 : (851.1 * t - 21.88 - 20.81) * std::exp(-4.134 * t) + 21.88 * std::exp(-0.1191 * t) +
                       20.81 * std::exp(-0.01043 * t);
}

/// Free and bound tracer by Runge and Kutta's steps of 10 ms, at every 100th of them.
std::vector<double> integrated(const TwoTissue& rates, std::size_t seconds) {
    constexpr double h = 0.01 / 60;  // min
    using State = std::array<double, 2>;
    const auto slope = [&](double t, const State& c) {
        const double bound = rates.k3 * c[0] - rates.k4 * c[1];
        return State{rates.K1 * plasma(60 * t) - rates.k2 * c[0] - bound, bound};
    };
    const auto moved = [](const State& c, double by, const State& s) {
        return State{c[0] + by * s[0], c[1] + by * s[1]};
    };
    State c{};
    std::vector<double> values{0};
    for (std::size_t i = 0; i < 100 * seconds; ++i) {
        const double t = h * static_cast<double>(i);
        const State a = slope(t, c);
        const State b = slope(t + h / 2, moved(c, h / 2, a));
        const State d = slope(t + h / 2, moved(c, h / 2, b));
        const State e = slope(t + h, moved(c, h, d));
        for (std::size_t k = 0; k < 2; ++k) {
            c[k] += h / 6 * (a[k] + 2 * b[k] + 2 * d[k] + e[k]);
        }
        if ((i + 1) % 100 == 0) {
            const double blood = plasma(60 * (t + h));
            values.push_back((1 - rates.Vb) * (c[0] + c[1]) + rates.Vb * blood);
        }
    }
    return values;
}

/// A ball with a curve, in a course of 100 s; `time` are more fields of it, `shape` more of the ball.
std::string ball(const std::string& time, const std::string& shape) {
    return R"({"name": "ball", "time": {"duration_s": 100, "nuclide": "Rb-82")" + time +
           R"(}, "shapes": [{"kind": "sphere", "centre_mm": [0, 0, 0], "radius_mm": 20)" + shape + "}]}";
}

PhantomCourse courseOf(const std::string& text) {
    return PhantomCourse::of(Phantom::fromJson(text, "test")).value();
}

}  // namespace

class PhantomCourseTest : public QObject {
    Q_OBJECT

  private slots:
    /// Steps of 20 ms err by h^2/12 times the input's second derivative, 2e-7 of it at the peak.
    void tissueIsTheIntegralOfItsRates_data() {
        QTest::addColumn<QList<double>>("rates");
        QTest::newRow("two tissues") << QList<double>{0.102, 0.13, 0.062, 0.0068, 0.05};
        QTest::newRow("none returns") << QList<double>{0.1, 0.15, 0.05, 0, 0};
        QTest::newRow("one tissue") << QList<double>{0.6, 0.3, 0, 0.2, 0.1};
        QTest::newRow("trapped at once") << QList<double>{0.2, 0, 0, 0, 0};
        QTest::newRow("blood") << QList<double>{0, 0, 0, 0, 1};
    }
    void tissueIsTheIntegralOfItsRates() {
        QFETCH(QList<double>, rates);
        const TwoTissue tissue{rates[0], rates[1], rates[2], rates[3], rates[4]};
        const TimeSteps steps{0.02, 50 * 600};
        FengInput input{{851.1, 21.88, 20.81}, {4.134, 0.1191, 0.01043}, kDelay_s};
        std::vector<double> sampled(steps.count + 1);
        for (std::size_t i = 0; i < sampled.size(); ++i) {
            sampled[i] = input.at(steps.edge_s(i));
        }
        const std::vector<double> values = tissueAt(steps, sampled, tissue);
        const std::vector<double> asked = integrated(tissue, 600);
        const double most = *std::max_element(asked.begin(), asked.end());
        for (std::size_t second = 0; second < asked.size(); ++second) {
            // The kink where the bolus arrives lies on an edge of both.
            QVERIFY2(std::abs(values[50 * second] - asked[second]) < 2e-6 * most,
                     qPrintable(
                         QString("%1 s: %2 for %3").arg(second).arg(values[50 * second]).arg(asked[second])));
        }
    }

    /// Straight lines in closed form, and times that divide their integral as shares do.
    void integralsAndTimesAreThoseOfStraightLines() {
        const ActivityCurve curve({2, 3}, {0, 4, 4, 1});
        QCOMPARE(curve.integral(0, 6), 4.0 + 8 + 5);
        QCOMPARE(curve.integral(1, 5), 3.0 + 8 + 3.25);
        QCOMPARE(curve.integral(-5, 1), 1.0);
        for (std::size_t i = 0; i < 3; ++i) {
            const double begin = 2.0 * static_cast<double>(i);
            for (const double share : {1e-9, 0.1, 0.5, 0.9}) {
                const double time = curve.timeIn(i, share);
                QVERIFY(std::abs(curve.integral(begin, time) / curve.integral(begin, begin + 2) - share) <
                        1e-12);
            }
        }
    }

    /// A frame of a constant part holds what decay leaves, in closed form; steps of 20 ms err by 3e-9.
    void activityDecays() {
        const PhantomCourse course = courseOf(ball("", R"(, "activity": 3)"));
        QCOMPARE(course.nuclide(), std::string("Rb-82"));
        const double rate = std::numbers::ln2 / petNuclide("Rb-82").halfLife_s;
        for (const double begin : {0.0, 33.333, 90.0}) {
            const double asked = (std::exp(-rate * begin) - std::exp(-rate * (begin + 10))) / rate;
            const double emitted = course.emittedIn(course.partOf(0), begin, begin + 10).at(0);
            QVERIFY(std::abs(emitted / asked - 1) < 1e-7);
        }
        const double mean = 3 * (1 - std::exp(-100 * rate)) / rate / 100;
        const Phantom whole = Phantom::fromJson(ball("", R"(, "activity": 3)"), "test");
        QVERIFY(std::abs(whole.shapes[0].activity / mean - 1) < 1e-7);
    }

    void tablesGoStraightFromRowToRow() {
        const PhantomCourse course =
            courseOf(ball(R"(, "curves": {"a": {"table": [[10, 0], [20, 8], [60, 2]]}})",
                          R"(, "curve": "a", "activity": 2)"));
        const std::size_t part = course.partOf(0);
        QCOMPARE(course.parts()[part].name, std::string("a"));
        const double rate = std::numbers::ln2 / petNuclide("Rb-82").halfLife_s;
        QCOMPARE(course.emittedIn(part, 0, 10).at(0), 0.0);
        const auto at = [&](double t, double value) {
            const double asked = value * std::exp(-rate * t);
            QVERIFY2(std::abs(course.emittedIn(part, t - 0.01, t + 0.01).at(0) / 0.02 / asked - 1) < 1e-4,
                     qPrintable(QString::number(t)));
        };
        at(15, 4);
        at(40, 5);
        at(99, 2);
        QCOMPARE(course.phantomOf(part, 0).shapes[0].activity, 2.0);
    }

    /// A wave is within half a mm of the state's shift at any time; its parts add up to the whole.
    void partsMoveByWaves() {
        const PhantomCourse course =
            courseOf(ball(R"(, "motion": {"period_s": 5, "by_mm": [3, 0, 20], "power": 4})",
                          R"(, "activity": 1, "moves": 0.5)"));
        QVERIFY(course.states() >= 20 && course.states() <= 30);
        for (std::size_t step = 0; step < course.steps().count; step += 7) {
            const double middle = 0.02 * (static_cast<double>(step) + 0.5);
            const double shift = std::pow(std::sin(kPi * middle / 5), 4);
            const Vec3 centre = course.phantomOf(course.partOf(0), course.stateOf(step)).shapes[0].centre;
            QVERIFY(std::abs(centre.z - 0.5 * 20 * shift) < 0.5 &&
                    std::abs(centre.x - 0.5 * 3 * shift) < 0.5);
        }
        const std::size_t part = course.partOf(0);
        const std::vector<double> states = course.emittedIn(part, 0.013, 71.3);
        QVERIFY(std::abs(std::accumulate(states.begin(), states.end(), 0.0) /
                             course.parts()[part].emitted.integral(0.013, 71.3) -
                         1) < 1e-12);
    }
    void partsMoveInSteps() {
        const PhantomCourse course =
            courseOf(ball(R"(, "motion": {"steps": [[10, 1.25, 0, 0], [30, 0, 0, -7]]})",
                          R"(, "activity": 1, "moves": 1)"));
        QCOMPARE(course.states(), std::size_t{3});
        const auto centreAt = [&](double t) {
            const auto step = static_cast<std::size_t>(t / course.steps().length_s);
            return course.phantomOf(course.partOf(0), course.stateOf(step)).shapes[0].centre;
        };
        QCOMPARE(norm(centreAt(9.9)), 0.0);
        QVERIFY(std::abs(centreAt(10.1).x - 1.25) < 1e-9);
        QVERIFY(std::abs(centreAt(99).z + 7) < 1e-9 && centreAt(99).x == 0);
    }

    /// A ball in a ball, one that sticks out by half, and a point; 96^3 points are right to 1e-3.
    void emissionsLeaveOutWhatLaterShapesReplace() {
        Phantom phantom = Phantom::fromJson(R"({"name": "three", "shapes": [
            {"kind": "box", "centre_mm": [0, 0, 0], "size_mm": [40, 40, 40], "activity": 2},
            {"kind": "sphere", "centre_mm": [0, 0, 0], "radius_mm": 9},
            {"kind": "sphere", "centre_mm": [20, 0, 0], "radius_mm": 10, "activity": 5},
            {"kind": "point", "centre_mm": [0, 9, 0], "activity": 7}]})",
                                            "test");
        const auto ballOf = [](double radius) { return 4 * kPi / 3 * std::pow(radius, 3); };
        const double asked = 2 * (64000 - ballOf(9) - ballOf(10) / 2) + 5 * ballOf(10) + 7;
        QVERIFY2(std::abs(emissionsOf(phantom) / asked - 1) < 1e-3,
                 qPrintable(QString("%1 for %2").arg(emissionsOf(phantom)).arg(asked)));
    }

    void wrongCoursesAreRefused_data() {
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("says");
        const QString grey = R"(, "curve": "grey")";
        QTest::newRow("no such curve") << R"(, "curves": {"gray": {"Vb": 1}}, "input": {"amounts": [9, 1, 1],
            "rates_per_min": [4, 1, 0]})"
                                       << grey << "did you mean 'gray'";
        QTest::newRow("no input") << R"(, "curves": {"grey": {"K1": 1}})" << grey
                                  << "needs the field 'input'";
        QTest::newRow("both") << R"(, "curves": {"grey": {"K1": 1, "table": [[0, 1]]}})" << grey
                              << "not both";
        QTest::newRow("times go back")
            << R"(, "curves": {"grey": {"table": [[5, 1], [5, 2]]}})" << grey << "row 2 of field 'table'";
        QTest::newRow("below zero") << R"(, "curves": {"grey": {"table": [[0, 1], [5, -2]]}})" << grey
                                    << "has -2 at 5 s";
        QTest::newRow("input below zero")
            << R"(, "input": {"amounts": [1, 9, 9], "rates_per_min": [0.1, 4, 4]})"
            << R"(, "activity": 1)"
            << "largest";
        QTest::newRow("no table") << R"(, "curves": {"grey": {"table": []}})" << grey << "at least one row";
        QTest::newRow("short row") << R"(, "motion": {"steps": [[0, 1]]})"
                                   << ""
                                   << "[time, x, y, z]";
        QTest::newRow("no period") << R"(, "motion": {"by_mm": [0, 0, 1]})"
                                   << ""
                                   << "'period_s'";
        QTest::newRow("far too many places") << R"(, "motion": {"period_s": 50, "by_mm": [999, 999, 999]})"
                                             << ""
                                             << "are the most";
        QTest::newRow("unknown field") << R"(, "motions": {})"
                                       << ""
                                       << "'motions'";
    }
    void wrongCoursesAreRefused() {
        QFETCH(QString, time);
        QFETCH(QString, shape);
        QFETCH(QString, says);
        const QString said = refusal([&] {
            static_cast<void>(Phantom::fromJson(ball(time.toStdString(), shape.toStdString()), "mine.json"));
        });
        QVERIFY2(said.contains(says) && said.startsWith("mine.json"), qPrintable(said));
    }
    void curvesNeedACourse() {
        for (const char* field : {R"("curve": "a")", R"("moves": 1)"}) {
            const QString said = refusal([&] {
                static_cast<void>(Phantom::fromJson(
                    R"({"name": "a", "shapes": [{"kind": "point", "centre_mm": [0, 0, 0], )" +
                        std::string(field) + "}]}",
                    "mine.json"));
            });
            QVERIFY2(said.contains("needs the phantom's field 'time'"), qPrintable(said));
        }
    }

    void decaysAreKeptByTheDescription() {
        const std::string text = ball("", R"(, "activity": 1)");
        QCOMPARE(courseOf(text).decays(), 0.0);
        QCOMPARE(courseOf(withDecays(text, 1.25e8)).decays(), 1.25e8);
        QVERIFY(!PhantomCourse::of(Phantom::find("spheres")).has_value());
        for (const char* name : {"dynamic-brain", "breathing-torso"}) {
            QVERIFY(PhantomCourse::of(Phantom::find(name)).has_value());
        }
    }
};

QTEST_GUILESS_MAIN(PhantomCourseTest)

}  // namespace phantom_course_test
#include "phantom_course_test.moc"
