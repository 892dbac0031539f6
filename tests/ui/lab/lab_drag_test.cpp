// SPDX-License-Identifier: Apache-2.0
// The kernel lab while its points are dragged: previews, exact ends, points taken off the plot; and what a
// narrow window makes of it.
#include <QLabel>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/lab/projection_comparison.h"
#include "tests/ui/fixture.h"
#include "ui/kit/label_placer.h"
#include "ui/window/main_window.h"

namespace lab_drag_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;
using tof::test::WindowTest;

namespace {

const Lattice kSmall = Lattice::centred({48, 40, 12}, {4, 4, 4});

void move(QWidget* widget, QPointF at) {
    QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

double largestDifference(const Volume& a, const Volume& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
        largest = std::max(largest, static_cast<double>(std::abs(a.data[i] - b.data[i])));
    }
    return largest;
}

}  // namespace

class LabDragTest : public WindowTest {
    Q_OBJECT

  private Q_SLOTS:
    // ---- previews ----

    void aDragShowsPreviewsAndEndsExact_data() {
        QTest::addColumn<QString>("kernel");
        QTest::newRow("symmetric") << "variant1";
        QTest::newRow("asymmetric, wide") << "ha-fig7-variant-asymmetric";
    }

    void aDragShowsPreviewsAndEndsExact() {
        QFETCH(QString, kernel);
        KernelLab lab(engines_, Threading::Threaded);
        lab.setLattice(kSmall);
        lab.set("kernel", kernel);
        lab.setTilt(6.67);
        std::shared_ptr<const LabPictures> lastPreview;
        connect(&lab, &KernelLab::computed, this, [&] {
            lastPreview = lab.results().pictures() != nullptr && lab.results().pictures()->preview
                              ? lab.results().pictures()
                              : lastPreview;
        });
        lab.setActive(true);
        QVERIFY(until([&] { return !lab.results().busy(); }));

        for (int i = 1; i <= 20; ++i) {
            lab.moveKnot(0, 0, 5 + 0.1 * i, Edit::Dragging);
            QCoreApplication::processEvents();
        }
        lab.endEdit();
        QVERIFY(until([&] { return !lab.results().busy(); }));

        const auto exact = lab.results().pictures();
        QVERIFY(lastPreview != nullptr && exact != nullptr && !exact->preview);
        QVERIFY(exact->figures.has_value());
        // What is left at the end is the engine's own, bit for bit, and the preview was that to 2e-5 of the
        // peak, which engines and definition agree to.
        ViewProjections projections(engines_, EngineOptions{});
        ProjectionInput input{kSmall, {}, nullptr};
        for (const Vec3& p : lab.points()) {
            input.points.push_back(nearestVoxel(kSmall, p));
        }
        const auto made = compareProjections(projections,
                                             {Projecting{ProjectionKind::Forward, "auto", "", lab.kernel()},
                                              Projecting{ProjectionKind::Back, "auto", "", lab.kernel()}},
                                             input, lab.view(), [] {});
        for (std::size_t side = 0; side < 2; ++side) {
            QCOMPARE(exact->sides[side].volume->data, made.sides[side].volume->data);
            QVERIFY(largestDifference(*lastPreview->sides[side].volume, *exact->sides[side].volume) <
                    2e-5 * exact->peak);
        }
        QVERIFY(lab.results().exactLatency_ms() >= lab.results().picturesLatency_ms());
    }

    /// By two engines only rounding differs, which a preview does not have.
    void twoEnginesHaveTheirDifferenceAtRest() {
        KernelLab lab(engines_, Threading::Threaded);
        lab.setLattice(kSmall);
        lab.set("a", "forward:cpu");
        lab.set("b", "forward:definition");
        bool preview = false;
        bool differed = false;
        connect(&lab, &KernelLab::computed, this, [&] {
            if (lab.results().pictures() != nullptr && lab.results().pictures()->preview) {
                preview = true;
                differed = differed || lab.results().pictures()->difference != nullptr;
            }
        });

        lab.setActive(true);
        QVERIFY(until([&] { return !lab.results().busy(); }));

        QVERIFY(preview && !differed);
        QVERIFY(lab.results().pictures()->difference != nullptr);
        QVERIFY(lab.results().pictures()->figures->largest < 2e-5 * lab.results().pictures()->peak);
    }

    void anEngineThatCannotIsNotPreviewedAsIfItCould() {
        KernelLab lab(engines_, Threading::Threaded);
        lab.setLattice(kSmall);
        lab.set("b", "back:cpu:no-such");
        lab.setActive(true);
        QVERIFY(until([&] { return !lab.results().busy(); }));
        const QString why = QString::fromStdString(lab.results().pictures()->sides[1].whyNot);
        QVERIFY(!why.isEmpty());
        std::vector<std::shared_ptr<const LabPictures>> previews;
        connect(&lab, &KernelLab::computed, this, [&] { previews.push_back(lab.results().pictures()); });

        lab.moveKnot(0, 0, 6, Edit::Dragging);
        QVERIFY(until([&] { return !lab.results().busy(); }));

        QVERIFY(!previews.empty() && previews.front()->preview);
        for (const auto& p : previews) {
            QCOMPARE(QString::fromStdString(p->sides[1].whyNot), why);
            QVERIFY(p->sides[1].volume == nullptr && p->difference == nullptr);
        }
    }

    // ---- points off the plot ----

    void aPointDraggedOffThePlotIsRemoved_data() {
        QTest::addColumn<int>("knot");
        QTest::addColumn<bool>("back");
        QTest::addColumn<int>("left");
        QTest::newRow("let go outside") << 1 << false << 2;
        QTest::newRow("brought back before") << 1 << true << 3;
        QTest::newRow("the one at the centre stays") << 0 << false << 3;
    }

    void aPointDraggedOffThePlotIsRemoved() {
        QFETCH(int, knot);
        QFETCH(bool, back);
        QFETCH(int, left);
        KernelLab& lab = openLab();
        lab.set("widths", "0:4;100:6;250:9");
        RadiusPlot* plot = window_->labPage().plot();
        const auto line = lab.knots();
        const auto [s, w] = line[static_cast<std::size_t>(knot)];
        const QPointF from = plot->place(s, w).toPoint();
        const QPointF off(from.x(), plot->height() + 40);

        QTest::mousePress(plot, Qt::LeftButton, {}, from.toPoint());
        move(plot, from + QPointF(0, 10));
        move(plot, off);
        if (back) {
            move(plot, from);
        }
        QTest::mouseRelease(plot, Qt::LeftButton, {}, (back ? from : off).toPoint());

        QCOMPARE(lab.knots().size(), static_cast<std::size_t>(left));
        lab.undoStack().undo();  // the drag and the removal are one step
        QCOMPARE(lab.knots(), line);
    }

    void escapeBringsBackAPointThatIsOffThePlot() {
        KernelLab& lab = openLab();
        lab.set("widths", "0:4;100:6;250:9");
        RadiusPlot* plot = window_->labPage().plot();
        plot->setFocus();
        const QPointF from = plot->place(100, 6).toPoint();

        QTest::mousePress(plot, Qt::LeftButton, {}, from.toPoint());
        move(plot, QPointF(from.x(), plot->height() + 40));
        QTest::keyClick(plot, Qt::Key_Escape);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(from.toPoint().x(), plot->height() + 40));

        QCOMPARE(lab.knots(), (WidthLine{{0, 4}, {100, 6}, {250, 9}}));
    }

    // ---- sizes ----

    void aNarrowWindowReachesEverything_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("narrow");
        QTest::newRow("1100 x 720") << QSize(1100, 720) << true;
        QTest::newRow("1366 x 768") << QSize(1366, 768) << false;
    }

    void aNarrowWindowReachesEverything() {
        QFETCH(QSize, size);
        QFETCH(bool, narrow);
        KernelLab& lab = openLab();
        window_->resize(size);
        KernelLabPage& page = window_->labPage();
        auto* left = page.findChild<QScrollArea*>("lab.left");
        auto* right = page.findChild<QScrollArea*>("lab.right");
        auto* tabs = page.findChild<QWidget*>("lab.tabs");
        QTRY_COMPARE(page.narrow(), narrow);
        QCOMPARE(tabs->isVisible(), narrow);
        QVERIFY(left->isVisible());
        QCOMPARE(right->isVisible(), !narrow);

        QVERIFY(window_->commands().trigger("lab.ids"));

        QTRY_VERIFY(right->isVisible());
        QCOMPARE(left->isVisible(), !narrow);
        // Everything of the kernel's side can be scrolled to and none of it is cut at its sides.
        QVERIFY(right->widget()->width() <= right->viewport()->width());
        right->ensureWidgetVisible(page.readout()->bars(ProjectionKind::Back));
        QVERIFY(!page.readout()->bars(ProjectionKind::Back)->visibleRegion().isEmpty());
        QVERIFY(page.pane(0, Plane::Transverse)->width() * 3 >= size.width() / 2);
        if (narrow) {
            QVERIFY(window_->commands().trigger("lab.side-settings"));
            QTRY_VERIFY(left->isVisible() && !right->isVisible());
        }
        window_->resize(1600, 1000);
        QTRY_VERIFY(left->isVisible() && right->isVisible() && !tabs->isVisible());
        QVERIFY(right->geometry().left() > page.pane(2, Plane::Transverse)->mapTo(&page, QPoint()).x());
        QVERIFY(lab.results().fault().isEmpty());
    }

    void numbersOfSourcesStayApart_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(1100, 720), QSize(1366, 768), QSize(1600, 1000)}) {
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
        }
    }

    void numbersOfSourcesStayApart() {
        QFETCH(QSize, size);
        openLab();
        window_->resize(size);
        QTRY_COMPARE(window_->labPage().narrow(), size.width() < 1300);
        for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
            const LabPane* pane = window_->labPage().pane(0, plane);
            const std::vector<QRectF> rects = pane->labelRects();

            QCOMPARE(rects.size(), std::size_t{6});
            for (std::size_t i = 0; i < rects.size(); ++i) {
                QVERIFY(QRectF(pane->rect()).contains(rects[i]));
                QVERIFY(!rects[i].intersects(pane->nameRect()));
                for (std::size_t k = 0; k < i; ++k) {
                    QVERIFY2(!rects[i].intersects(rects[k]),
                             qPrintable(QString("%1 and %2").arg(i + 1).arg(k + 1)));
                }
            }
        }
    }

    // ---- the right side ----

    void aReasonIsSaidOnceAndWhole() {
        openLab();
        const auto* label = window_->labPage().findChild<QLabel*>("lab.reasons");
        QStringList missing;
        QString why;
        for (const std::string& name : engines_.names()) {
            const auto found = engines_.find(name);
            if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
                missing << QString::fromStdString(name);
                why = QString::fromStdString(unsupported->why);
            }
        }
        if (missing.isEmpty()) {
            QSKIP("every engine is there");
        }

        QCOMPARE(label->text().count(why), 1);
        for (const QString& name : missing) {
            QVERIFY2(label->text().contains(name), qPrintable(label->text()));
        }
        QVERIFY(label->wordWrap());
    }

    /// Engines of FFTs make sums of invariant kernels of a variant one: how many, and what that leaves out.
    void anEngineThatApproximatesSaysHowClosely() {
        if (std::holds_alternative<Unsupported>(engines_.find("fftw"))) {
            QSKIP("no fftw here");
        }
        openLab();
        const auto* label = window_->labPage().findChild<QLabel*>("lab.reasons");
        QVERIFY(!label->text().contains("rank"));
        window_->labPage().lab().setOperand(0, {ProjectionKind::Forward, "fftw", "", "variant1"});
        QVERIFY(test::until([&] { return !window_->labPage().busy() && label->text().contains("rank"); }));

        QVERIFY2(QRegularExpression("fftw.*rank \\d+, error \\d\\.\\de\\x{2212}\\d")
                     .match(label->text())
                     .hasMatch(),
                 qPrintable(label->text()));
        QCOMPARE(label->text().count("rank"), 1);
        window_->labPage().lab().setOperand(0, {ProjectionKind::Forward, "fftw", "", "invariant"});
        QVERIFY(test::until([&] { return !window_->labPage().busy() && !label->text().contains("rank"); }));
    }

    void theMapOfIdsSaysWhatItsColoursMean() {
        const auto texts = [](const std::vector<IdMark>& marks) {
            QStringList all;
            for (const IdMark& m : marks) {
                all << m.text.simplified();
            }
            return all;
        };
        const QString minus(QChar(0x2212));

        // 2 mm per id: id 195 begins at 390 mm.
        QCOMPARE(texts(idMarks(196, 196, 2)), (QStringList{"0 0", "97 194", "195 390"}));
        QCOMPARE(texts(idMarks(196, 393, 2)),
                 (QStringList{"0 +0", "195 +390", "196 " + minus + "0", "391 " + minus + "390"}));
        QCOMPARE(texts(idMarks(1, 1, 1000)), QStringList{"0 0"});
        QCOMPARE(idMarks(196, 196, 2).back().height, 1.0);
        QCOMPARE(idMarks(196, 393, 2)[1].height, 195 / 392.0);
    }

    void theHintsNameTheKeys() {
        openLab();
        const auto* hint = window_->labPage().findChild<QLabel*>("lab.points.hint");

        for (const char* key : {"Ins", "arrow", "Del"}) {
            QVERIFY2(hint->text().contains(key), qPrintable(hint->text()));
        }
    }

  private:
    KernelLab& openLab() {
        static_cast<void>(window_->commands().trigger("page.lab"));
        KernelLab& lab = window_->labPage().lab();
        static_cast<void>(until([&] { return !lab.results().busy(); }));
        return lab;
    }
};

QTEST_MAIN(LabDragTest)

}  // namespace lab_drag_test
#include "lab_drag_test.moc"
