// SPDX-License-Identifier: Apache-2.0
#include "recon/base/box.h"

#include <QTest>
#include <cmath>

namespace box_test {

using namespace tof;

class BoxTest : public QObject {
    Q_OBJECT

  private slots:
    void axesAreCoordinates() {
        Vec3 v{1, 2, 3};
        v[1] = 5;

        QCOMPARE(v[0], 1.0);
        QCOMPARE(v.y, 5.0);
        QCOMPARE(v[2], v.z);
    }

    void linesAreCutAtTheFaces_data() {
        QTest::addColumn<QVector<double>>("line");  // p, d
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("end");
        // Through the box from (-1, -2, -3) to (1, 2, 3).
        QTest::newRow("along x") << QVector<double>{-4, 0, 0, 1, 0, 0} << 3.0 << 5.0;
        QTest::newRow("against x, in steps of two") << QVector<double>{5, 0, 0, -2, 0, 0} << 2.0 << 3.0;
        QTest::newRow("in a face") << QVector<double>{0, 2, 0, 0, 0, 1} << -3.0 << 3.0;
        QTest::newRow("through two opposite corners") << QVector<double>{0, 0, 0, 1, 2, 3} << -1.0 << 1.0;
        QTest::newRow("across an edge") << QVector<double>{1, 1, 0, 1, -1, 0} << -1.0 << 0.0;
    }
    void linesAreCutAtTheFaces() {
        QFETCH(QVector<double>, line);
        QFETCH(double, begin);
        QFETCH(double, end);

        const Interval inside =
            insideBox({line[0], line[1], line[2]}, {line[3], line[4], line[5]}, {-1, -2, -3}, {1, 2, 3});

        QCOMPARE(inside.begin, begin);
        QCOMPARE(inside.end, end);
        QCOMPARE(inside.length(), end - begin);
    }

    void linesBesideTheBoxAreNotInside() {
        for (const Vec3 p : {Vec3{0, 2.5, 0}, Vec3{0, 0, -3.01}}) {
            const Interval inside = insideBox(p, {1, 0, 0}, {-1, -2, -3}, {1, 2, 3});
            QVERIFY(!(inside.begin < inside.end));
        }
        const Interval slanted = insideBox({-4, 0, 0}, {1, 1, 0}, {-1, -2, -3}, {1, 2, 3});
        QVERIFY(!(slanted.begin < slanted.end));
    }

    void theWholeLineIsEverything() {
        QVERIFY(std::isinf(Interval().length()));
        QCOMPARE(overlap(Interval(), Interval{2, 3}).begin, 2.0);
        QVERIFY(!(Interval::nothing().begin < Interval::nothing().end));
    }
};

QTEST_APPLESS_MAIN(BoxTest)

}  // namespace box_test
#include "box_test.moc"
