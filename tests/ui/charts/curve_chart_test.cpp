// SPDX-License-Identifier: Apache-2.0
// Labels, hover and clicks of the curves in the real window.
#include <QImage>
#include <QPainter>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/ui/fixture.h"
#include "ui/charts/axes.h"
#include "ui/kit/label_placer.h"
#include "ui/kit/theme.h"
#include "ui/window/main_window.h"

namespace curve_chart_test {

using namespace tof;
using namespace tof::ui;

class CurveChartTest : public test::WindowTest {
    Q_OBJECT

  public:
    CurveChartTest() : WindowTest({.threading = Threading::Inline}) {}

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    void begin() override { open(dataFile_); }

  private slots:
    void aPlacedTextTouchesNothing() {
        const QRectF area(0, 0, 200, 100);
        LabelPlacer placer(area);
        std::vector<QRectF> taken;
        for (int i = 0; i < 20; ++i) {
            const QRectF mark(10.0 * i, 90 - 4.0 * i, 8, 8);
            placer.avoid(mark);
            taken.push_back(mark);
        }
        const QLineF line(4, 94, 194, 18);
        placer.avoid(line);

        for (int i = 0; i < 8; ++i) {
            const auto box = placer.place({194, 18}, {40, 12}, 300);
            QVERIFY(box.has_value());
            QVERIFY(area.contains(*box));
            for (const QRectF& other : taken) {
                QVERIFY(!other.intersects(*box));
            }
            // Left of the line's end the box lies wholly above or wholly below it.
            const auto lineAt = [&](double x) { return 94 - (x - 4) * 76 / 190; };
            QVERIFY(box->bottom() <= lineAt(box->right()) || box->top() >= lineAt(box->left()));
            taken.push_back(*box);
        }
        QVERIFY(!placer.place({100, 50}, {201, 12}, 300).has_value());  // wider than the area
    }

    void aPlacedTextTouchesNothingAmongThousandsOfMarks() {
        // Some lie across the area, some reach into it from far beyond its border.
        const QRectF area(30, 20, 600, 400);
        LabelPlacer placer(area);
        std::vector<QRectF> taken{{-1e6, 200, 1e6 + 100, 4}, {320, -500, 3, 700}, {0, 415, 1e5, 1e5}};
        for (int i = 0; i < 4000; ++i) {
            taken.emplace_back(30 + 37 * i % 601, 20 + 11 * (i / 250) + i % 5, 3, 2);
        }
        for (const QRectF& mark : taken) {
            placer.avoid(mark);
        }
        int placed = 0;
        for (int i = 0; i < 200; ++i) {
            const auto box = placer.place({40.0 + 2.9 * i, 210.0 + i % 7}, {30.0 + i % 50, 13}, 160);
            if (!box) {
                continue;
            }
            ++placed;
            QVERIFY(area.contains(*box));
            QVERIFY(std::none_of(taken.begin(), taken.end(),
                                 [&](const QRectF& other) { return other.intersects(*box); }));
            taken.push_back(*box);
        }
        QVERIFY2(placed > 50 && placed < 200, qPrintable(QString::number(placed)));
    }

    void labelsCoverNothingAndAreNotCut_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<QSize>("size");
        for (const int runs : {1, 2, 5}) {
            for (const QSize size : {QSize(1100, 720), QSize(1600, 1000)}) {
                QTest::newRow(qPrintable(QString("%1 runs, %2 wide").arg(runs).arg(size.width())))
                    << runs << size;
            }
        }
    }

    void labelsCoverNothingAndAreNotCut() {
        QFETCH(int, runs);
        QFETCH(QSize, size);
        window_->resize(size);
        for (int i = 0; i < runs; ++i) {
            desk_->settings().set("relaxation", std::to_string(0.02 + 0.03 * i));
            reconstruct(5);
        }
        desk_->runs().rename(desk_->runs().items().front()->id(),
                             "a name that is much longer than the chart is wide, by far");
        const CurveChart& chart = *window_->figuresPanel().chart();
        const auto labels = chart.labels();
        const auto points = chart.points();
        const QRectF inside = QRectF(chart.rect());

        std::set<int> named;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const QRectF box = labels[i].box;
            QVERIFY2(inside.contains(box), qPrintable(labels[i].text));
            for (const auto& point : points) {
                const QPointF at = chart.place(point);
                QVERIFY2(!box.adjusted(-3, -3, 3, 3).contains(at), qPrintable(labels[i].text));
            }
            for (std::size_t k = 0; k < i; ++k) {
                QVERIFY(!box.intersects(labels[k].box));
            }
            if (labels[i].iteration == 0) {
                named.insert(labels[i].runId);
                const QString text = labels[i].text;
                QVERIFY(text.startsWith(desk_->runs().find(labels[i].runId)->label()));
                const double width = QFontMetricsF(smallFont(QFont::DemiBold)).horizontalAdvance(text);
                QVERIFY(box.width() >= width);
            }
        }
        QCOMPARE(named.size(), static_cast<std::size_t>(runs));
    }

    void theLastNumberOfAnAxisIsNotCut() {
        // These axes on a wider picture have the same numbers, so none is cut at the edge.
        const QRectF area(32, 10, 180, 60);
        const Plot plot{area, niceAxis(0, 14.5, 6, ""), niceAxis(0, 80, 5, "")};
        QCOMPARE(plot.x.ticks.back(), 15.0);
        const auto painted = [&](int width) {
            QImage picture(width, 110, QImage::Format_RGB32);
            picture.fill(Qt::black);
            QPainter painter(&picture);
            paintAxes(painter, plot, Theme::dark());
            return picture;
        };
        const int width = static_cast<int>(area.right() + roomBesideLastNumber());
        const int wider = width + 40;
        QImage expected(wider, 110, QImage::Format_RGB32);
        expected.fill(Qt::black);
        QPainter(&expected).drawImage(0, 0, painted(width));
        QCOMPARE(painted(wider), expected);
    }

    void theTrueActivitysCrcIsALine() {
        // What the figures say of the phantom's own activity, within the axes, named beside its line, in the
        // table; other kinds have none.
        reconstruct(3);
        CurveChart& chart = *window_->figuresPanel().chart();
        const double known = 100 * desk_->runs().items().front()->figures().back().trueCrc;
        QVERIFY(std::isfinite(known));
        for (const char* kind : {"crc-noise", "crc"}) {
            QVERIFY(window_->commands().trigger(QString("curve.") + kind));
            QVERIFY(chart.truth().has_value());
            QCOMPARE(*chart.truth(), known);
            const double y = chart.place({0, 0, 1, known, 0}).y();
            QVERIFY(y > 0 && y < chart.height());
            const auto labels = chart.labels();
            const auto named = std::find_if(labels.begin(), labels.end(), [](const CurveChart::Label& label) {
                return label.iteration == CurveChart::kTruth;
            });
            QVERIFY(named != labels.end());
            QVERIFY(std::abs(named->box.center().y() - y) < 40);
            QVERIFY(chart.toCsv().contains("# CRC of the true activity: "));
        }
        QVERIFY(window_->commands().trigger("curve.noise"));
        QVERIFY(!chart.truth().has_value());
        QVERIFY(window_->commands().trigger("curve.crc-noise"));
    }

    void theFirstAndTheLastIterateAreNumbered() {
        reconstruct(5);
        const auto labels = window_->figuresPanel().chart()->labels();
        QStringList numbers;
        for (const auto& label : labels) {
            if (label.iteration > 0) {
                numbers << label.text;
            }
        }
        QVERIFY2(numbers.contains("1") && numbers.contains("5"), qPrintable(numbers.join(' ')));
    }

    void hoverNamesRunAndIterateAndAClickShowsIt_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"crc-noise", "crc", "noise", "nsr", "roi-mean"}) {
            QTest::newRow(kind) << kind;
        }
    }

    void hoverNamesRunAndIterateAndAClickShowsIt() {
        QFETCH(QString, kind);
        reconstruct(3);
        desk_->settings().set("relaxation", "0.1");
        reconstruct(3);
        desk_->view().selectRoi(0);
        QVERIFY(window_->commands().trigger("curve." + kind));
        window_->refreshNow();
        CurveChart& chart = *window_->figuresPanel().chart();
        const auto point = chart.points()[1];  // run A, iterate 2
        const QPoint at = chart.place(point).toPoint();

        QTest::mouseMove(&chart, at);
        QMouseEvent move(QEvent::MouseMove, QPointF(at), chart.mapToGlobal(QPointF(at)), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&chart, &move);
        QVERIFY2(chart.toolTip().startsWith("A invariant, iterate 2: "), qPrintable(chart.toolTip()));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at);

        QCOMPARE(desk_->runs().selected()->label(), QString("A"));
        QCOMPARE(desk_->runs().selected()->shownIterate(), 2);
    }

    void autoscaleHoldsUntilTouchedAndTheButtonBringsItBack() {
        reconstruct(2);
        CurveChart& chart = *window_->figuresPanel().chart();
        const QPoint from = chart.rect().center();
        QVERIFY(chart.autoscaled());

        QTest::mousePress(&chart, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, QPointF(from) + QPointF(30, 10),
                         chart.mapToGlobal(QPointF(from) + QPointF(30, 10)), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&chart, &move);
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, from + QPoint(30, 10));
        QVERIFY(!chart.autoscaled());
        const QPointF kept = chart.place(chart.points()[0]);
        desk_->settings().set("relaxation", "0.5");
        reconstruct(3);  // reaches far beyond what is shown
        QVERIFY(!chart.autoscaled());
        QCOMPARE(chart.place(chart.points()[0]), kept);

        QVERIFY(window_->commands().trigger("curve.auto"));
        for (const auto& point : chart.points()) {
            QVERIFY(chart.rect().contains(chart.place(point).toPoint()));
        }
    }

  private:
    QString dataFile_;
};

QTEST_MAIN(CurveChartTest)

}  // namespace curve_chart_test
#include "curve_chart_test.moc"
