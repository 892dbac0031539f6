// SPDX-License-Identifier: Apache-2.0
// The guided tour: what it points at is on screen, and it never holds anything back.
#include "ui/window/tour.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "tests/support/places.h"
#include "tests/ui/fixture.h"

namespace tour_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inTree;
using tof::test::until;

class TourTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

  private slots:
    void theDocumentSaysTheSame() {
        QFile page(inTree("docs/get-started.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY2(QString::fromUtf8(page.readAll()).endsWith(tourText()), qPrintable(tourText()));
    }

    void everyStepPointsAtAControlOnScreen_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("large") << QSize(1600, 1000);
        QTest::newRow("1366 x 768") << QSize(1366, 768);
    }

    void everyStepPointsAtAControlOnScreen() {
        QFETCH(QSize, size);
        open(dataFile_);
        reconstruct(2);
        window_->resize(size);
        QVERIFY(until([&] { return window_->size() == size; }));
        QVERIFY(window_->commands().trigger("help.tour"));
        auto* tour = window_->findChild<Tour*>("tour");
        auto* next = window_->findChild<QPushButton*>("tour.next");
        const auto steps = tourSteps();
        for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
            QCoreApplication::processEvents();
            QCOMPARE(tour->step(), i);
            QCOMPARE(window_->findChild<QLabel*>("tour.title")->text(),
                     steps[static_cast<std::size_t>(i)].title);
            QVERIFY2(window_->rect().contains(tour->geometry()),
                     qPrintable(steps[static_cast<std::size_t>(i)].target));
            QWidget* target = tour->target();
            QVERIFY2(target != nullptr, qPrintable(steps[static_cast<std::size_t>(i)].target));
            const QRect about(target->mapTo(window_, QPoint()), target->size());
            QVERIFY2(!about.intersects(tour->geometry()),
                     qPrintable(steps[static_cast<std::size_t>(i)].target));
            QVERIFY(window_->findChild<QWidget*>("tour.frame")->geometry().intersects(about));
            keepPicture(i);
            QTest::mouseClick(next, Qt::LeftButton);
        }
        QCOMPARE(tour->step(), -1);
        QVERIFY(tour->isHidden());
    }

    void withoutAnythingOpenItGoesThroughAllTheSame() {
        QVERIFY(window_->commands().trigger("help.tour"));
        auto* tour = window_->findChild<Tour*>("tour");
        const int steps = static_cast<int>(tourSteps().size());
        for (int i = 0; i < steps; ++i) {
            QCOMPARE(tour->step(), i);
            QTest::keyClick(tour, Qt::Key_Right);
        }
        QCOMPARE(tour->step(), -1);
    }

    void keysGoBackAndForthAndEscapeEndsIt() {
        open(dataFile_);
        QVERIFY(window_->commands().trigger("help.tour"));
        auto* tour = window_->findChild<Tour*>("tour");
        QVERIFY(QTest::qWaitForWindowActive(window_));
        QTest::keyClick(tour, Qt::Key_Return);
        QTest::keyClick(tour, Qt::Key_Space);
        QCOMPARE(tour->step(), 2);
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->step(), 1);
        QTest::mouseClick(window_->findChild<QPushButton*>("tour.back"), Qt::LeftButton);
        QCOMPARE(tour->step(), 0);
        QVERIFY(!window_->findChild<QPushButton*>("tour.back")->isEnabled());

        // The window works meanwhile.
        QTest::mouseClick(window_->findChild<QWidget*>("run.start.button"), Qt::LeftButton);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        desk_->queue().cancel();
        QVERIFY(until([&] { return !desk_->busy(); }));

        tour->setFocus();
        QTest::keyClick(tour, Qt::Key_Escape);
        QCOMPARE(tour->step(), -1);
        QVERIFY(tour->isHidden() && window_->findChild<QWidget*>("tour.frame")->isHidden());
        QVERIFY(window_->commands().trigger("help.tour"));
        QTest::mouseClick(window_->findChild<QPushButton*>("tour.close"), Qt::LeftButton);
        QCOMPARE(tour->step(), -1);
    }

  private:
    /// For a look at it, where a folder is named.
    void keepPicture(int step) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            window_->grab().save(QString("%1/tour-%2-%3.png").arg(folder).arg(window_->width()).arg(step));
        }
    }

    QString dataFile_;
};

QTEST_MAIN(TourTest)

}  // namespace tour_test
#include "tour_test.moc"
