// SPDX-License-Identifier: Apache-2.0
// Where lines end, one by one and in columns.
#include "recon/corrections/line_ends.h"

#include <QTest>
#include <cmath>
#include <string>

#include "recon/base/constants.h"

namespace line_ends_test {

using namespace tof;

namespace {

/// Six plates that lean towards the middle of the scanner, and so do not stand upright.
Scanner leaningScanner() {
    std::string crystals;
    for (int plate = 0; plate < 6; ++plate) {
        const double phi = 2 * kPi * plate / 6;
        const double lean = 0.2;
        const Vec3 outward{std::cos(lean) * std::cos(phi), std::cos(lean) * std::sin(phi), std::sin(lean)};
        const Vec3 across{-std::sin(phi), std::cos(phi), 0};
        const Vec3 along = cross(outward, across);
        for (int i = 0; i < 20 * 16; ++i) {
            const Vec3 front =
                100 * outward + (5.0 * (i % 20) - 47.5) * across + (5.0 * (i / 20) - 37.5) * along;
            crystals += crystals.empty() ? "" : ",";
            crystals += "[";
            for (const double number : {front.x, front.y, front.z, outward.x, outward.y, outward.z}) {
                crystals += std::to_string(number) + ",";
            }
            crystals.back() = ']';
        }
    }
    return Scanner::fromJson(R"({"name":"leaning","crystal_mm":[4.8,4.8,20],"attenuation_per_mm":0.08,)"
                             R"("acceptance_deg":40,"fov_diameter_mm":150,"crystals":[)" +
                                 crystals + "]}",
                             "test");
}

Scanner scannerOf(const QString& name) {
    return name == "leaning" ? leaningScanner() : Scanner::find(name.toStdString());
}

Vec3 direction(double azimuth, double sine) {
    const double cosine = std::sqrt(1 - sine * sine);
    return {cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
}

}  // namespace

class LineEndsTest : public QObject {
    Q_OBJECT

    static void scanners() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("upright");
        QTest::newRow("flat modules") << "labr3" << true;
        QTest::newRow("plates that lean") << "leaning" << false;
    }

  private slots:
    void linesEndInTheCrystalsAtTheirEnds_data() { scanners(); }
    void linesEndInTheCrystalsAtTheirEnds() {
        QFETCH(QString, name);
        const Scanner scanner = scannerOf(name);
        const LineEnds ends(scanner);
        const double pitch = ends.modules().front().pitch[0];
        int found = 0;

        for (int i = 0; i < 400; ++i) {
            const Vec3 d = direction(0.7 * i, 0.15 * std::sin(1.0 * i));
            const Vec3 p{0.2 * scanner.fovRadius_mm * std::cos(2.0 * i), 30 * std::sin(3.0 * i),
                         20 * std::sin(5.0 * i)};
            const auto both = ParallelLines(ends, d).of(p);
            for (std::size_t side = 0; both && side < 2; ++side) {
                const LineEnd& end = (*both)[side];
                const Vec3 at = p + (side == 0 ? end.distance_mm : -end.distance_mm) * d;
                const Vec3 off = at - scanner.reference(end.crystal);
                const Vec3 outward = scanner.crystals[end.crystal].outward;
                // In the plane of the crystals' mean depth, no farther than half a cell along both axes.
                QVERIFY(std::abs(dot(off, outward)) < 1e-3);
                QVERIFY(norm(off) <= std::sqrt(0.5) * pitch + 1e-3);
                QVERIFY(std::abs(end.area_mm2 - pitch * pitch * std::abs(dot(d, outward))) < 1e-3);
                ++found;
            }
        }

        QVERIFY2(found > 300, qPrintable(QString::number(found)));
    }

    void aColumnEndsWhereItsLinesDo_data() { scanners(); }
    void aColumnEndsWhereItsLinesDo() {
        QFETCH(QString, name);
        QFETCH(bool, upright);
        const Scanner scanner = scannerOf(name);
        const LineEnds ends(scanner);
        QCOMPARE(ends.upright(), upright);
        const Samples heights = Samples::covering(150, 3.7);
        LineColumn column;
        int found = 0;

        for (int i = 0; i < 300; ++i) {
            const double azimuth = 0.31 * i;
            const ParallelLines lines(ends, direction(azimuth, 0.17 * std::sin(1.0 * i)));
            const double radial = 1.1 * scanner.fovRadius_mm * std::sin(0.9 * i);
            const Vec3 foot{-radial * std::sin(azimuth), radial * std::cos(azimuth), 0};
            const bool within = lines.ofColumn(foot, heights, column);
            QCOMPARE(within, std::abs(radial) <= scanner.fovRadius_mm);
            for (std::size_t z = 0; within && z < heights.count; ++z) {
                const auto both = lines.of({foot.x, foot.y, heights.at(z)});
                const LineEnd& one = column.ends[0][z];
                const LineEnd& two = column.ends[1][z];
                QCOMPARE(one.area_mm2 > 0 && two.area_mm2 > 0, both.has_value());
                if (both) {
                    QCOMPARE(one.crystal, (*both)[0].crystal);
                    QCOMPARE(two.crystal, (*both)[1].crystal);
                    QCOMPARE(one.distance_mm, (*both)[0].distance_mm);
                    QCOMPARE(two.area_mm2, (*both)[1].area_mm2);
                    ++found;
                }
            }
        }

        QVERIFY2(found > 2000, qPrintable(QString::number(found)));
    }
};

QTEST_GUILESS_MAIN(LineEndsTest)

}  // namespace line_ends_test
#include "line_ends_test.moc"
