// SPDX-License-Identifier: Apache-2.0
// The kernel lab: its model, then its page in the real window, with mouse and keys.
#include "ui/lab/kernel_lab.h"

#include <QLineEdit>
#include <QMenu>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace kernel_lab_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

const Lattice kSmall = Lattice::centred({48, 40, 12}, {4, 4, 4});

/// A press, moves and (unless told otherwise) a release.
void drag(QWidget* widget, QPointF from, QPointF to, bool release = true) {
    QTest::mousePress(widget, Qt::LeftButton, {}, from.toPoint());
    for (const double share : {0.3, 0.7, 1.0}) {
        const QPointF p = QPointF(from.toPoint()) + share * (to - QPointF(from.toPoint()));
        QMouseEvent event(QEvent::MouseMove, p, widget->mapToGlobal(p), Qt::NoButton, Qt::LeftButton,
                          Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }
    if (release) {
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to.toPoint());
    }
}

}  // namespace

class KernelLabTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Dark); }

    // ---- the model ----

    void aKnotGivesTheKernelItsWidth() {
        KernelLab lab(engines_, Threading::Inline);
        lab.setLattice(kSmall);
        lab.set("widths", "0:4;80:12");

        lab.moveKnot(1, 60, 10);

        QCOMPARE(lab.kernel().radial.at(0), 4.0);
        QCOMPARE(lab.kernel().radial.at(30), 7.0);  // half-way from 4 at 0 to 10 at 60
        QCOMPARE(lab.kernel().radial.at(200), 10.0);
    }

    void knotsKeepTheirOrderAndTheCentre() {
        KernelLab lab(engines_, Threading::Inline);
        lab.set("widths", "0:4;50:5;100:6");

        lab.moveKnot(0, 30, 4.5);
        lab.moveKnot(1, 400, 5);

        const auto knots = lab.knots();
        QCOMPARE(knots[0].first, 0.0);
        QCOMPARE(knots[0].second, 4.5);
        QVERIFY(knots[1].first < knots[2].first);
        lab.removeKnot(0);
        QCOMPARE(lab.knots().size(), std::size_t{3});
    }

    void aFormulaBecomesPointsWhenOneIsMoved() {
        KernelLab lab(engines_, Threading::Inline);
        lab.usePreset("variant3");
        const double before = lab.kernel().radial.at(lab.knots()[2].first);

        lab.moveKnot(1, lab.knots()[1].first, 9);

        QVERIFY(lab.kernel().radial.knots() != nullptr);
        QCOMPARE(lab.kernel().radial.at(lab.knots()[1].first), 9.0);
        QCOMPARE(lab.kernel().radial.at(lab.knots()[2].first), before);
    }

    void familiesKeepWhatTheyLeave() {
        KernelLab lab(engines_, Threading::Inline);
        lab.set("widths", "0:4;80:12");

        lab.setSpread(KernelLab::Spread::Invariant);
        QVERIFY(lab.kernel().invariant());
        QCOMPARE(lab.kernel().radial.at(100), 4.0);
        lab.setSpread(KernelLab::Spread::Variant);

        QCOMPARE(lab.kernel().radial.at(80), 12.0);
        QVERIFY_EXCEPTION_THROWN(lab.setSpread(KernelLab::Spread::Measured), WrongUse);
    }

    void aWrongNumberChangesNothing() {
        KernelLab lab(engines_, Threading::Inline);
        const std::string before = lab.kernel().toJson();

        QVERIFY_EXCEPTION_THROWN(lab.setNumber("tof", -3), BadInput);
        QVERIFY_EXCEPTION_THROWN(lab.setNumber("ratio", 3), WrongUse);
        QVERIFY_EXCEPTION_THROWN(lab.set("colour", "red"), WrongUse);
        QVERIFY_EXCEPTION_THROWN(lab.set("points", "1,2"), WrongUse);

        QCOMPARE(lab.kernel().toJson(), before);
    }

    void everyEditCanBeUndone() {
        KernelLab lab(engines_, Threading::Inline);
        const std::string first = lab.kernel().toJson();

        lab.moveKnot(0, 0, 6, Edit::Dragging);
        lab.moveKnot(0, 0, 7, Edit::Dragging);
        lab.endEdit();
        lab.setAzimuth(77);
        const int point = lab.addPoint({40, 40, 0});
        lab.undoStack().undo();
        QCOMPARE(static_cast<int>(lab.points().size()), point);
        lab.undoStack().undo();
        QVERIFY(lab.azimuth_deg() != 77);
        lab.undoStack().undo();  // a drag is one edit

        QCOMPARE(lab.kernel().toJson(), first);
        QVERIFY(!lab.undoStack().canUndo());
        lab.undoStack().redo();
        QCOMPARE(lab.kernel().radial.at(0), 7.0);
    }

    void theSameEngineTwiceDiffersByNothing() {
        KernelLab lab(engines_, Threading::Inline);
        lab.setLattice(kSmall);
        lab.set("a", "forward:cpu");
        lab.set("b", "forward:cpu");

        compute(lab);

        QVERIFY(lab.results().pictures()->figures->identical);
        QCOMPARE(lab.results().pictures()->figures->largest, 0.0);
    }

    void theEngineAgreesWithTheDefinition_data() {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("kernel");
        QTest::newRow("cpu, variant") << "cpu"
                                      << "variant2";
        QTest::newRow("cpu, asymmetric") << "cpu"
                                         << "ha-fig7-asymmetric";
        QTest::newRow("fftw, invariant") << "fftw"
                                         << "invariant";
    }

    void theEngineAgreesWithTheDefinition() {
        QFETCH(QString, engine);
        QFETCH(QString, kernel);
        if (std::holds_alternative<Unsupported>(engines_.find(engine.toStdString()))) {
            QSKIP("the engine is not there");
        }
        KernelLab lab(engines_, Threading::Inline);
        lab.setLattice(kSmall);
        lab.set("kernel", kernel);
        lab.set("a", "forward:" + engine);
        lab.set("b", "forward:definition");

        compute(lab);

        QVERIFY2(lab.results().pictures()->figures,
                 qPrintable(QString::fromStdString(lab.results().pictures()->sides[0].whyNot)));
        // Single precision over fewer than 2^20 voxels: transforms keep about 1e-6 of the peak.
        QVERIFY(lab.results().pictures()->figures->largest < 5e-6 * lab.results().pictures()->peak);
        QVERIFY(lab.results().pictures()->peak > 0);
    }

    void aSourceAtTheCentreOfASymmetricKernelIsItsOwnBackProjection() {
        KernelLab lab(engines_, Threading::Inline);
        lab.setLattice(kSmall);
        lab.set("kernel", "invariant");
        lab.set("a", "forward:definition");
        lab.set("b", "back:definition");

        compute(lab);

        QVERIFY(lab.results().pictures()->figures->identical);
    }

    void newestWinsAndNothingQueues() {
        KernelLab lab(engines_, Threading::Threaded);
        lab.setActive(true);
        QVERIFY(until([&] { return !lab.results().busy(); }));
        const int before = lab.results().jobsStarted();

        QElapsedTimer clock;
        clock.start();
        int changes = 0;
        while (clock.elapsed() < 1500) {
            lab.moveKnot(0, 0, 4.0 + 0.001 * ++changes, Edit::Dragging);
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        }
        QVERIFY(until([&] { return !lab.results().busy(); }));

        QVERIFY(changes > 20);
        QVERIFY2(lab.results().jobsStarted() - before < changes, "every change made a job of its own");
        // What is shown at the end is what was set last.
        const KernelTables tables = buildKernelTables(lab.kernel(), lab.lattice(), lab.view());
        QCOMPARE(lab.results().shownKernel()->values->data,
                 kernelVolume(tables, lab.lattice().spacing_mm, lab.results().shownKernel()->row).data);
        const int done = lab.results().jobsStarted();
        QVERIFY(test::stays([&] { return lab.results().jobsStarted() == done; }, 300));
    }

    void nothingIsComputedWhileNobodyLooks() {
        KernelLab lab(engines_, Threading::Inline);

        lab.setAzimuth(12);
        QCoreApplication::processEvents();

        QCOMPARE(lab.results().jobsStarted(), 0);
        QVERIFY(!lab.results().busy());
    }

    void operandsRoundTripAsText() {
        for (const char* text : {"forward:auto", "back:cpu:column", "forward:cuda::variant2"}) {
            QCOMPARE(LabOperand::fromText(text).text(), QString(text));
        }
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(LabOperand::fromText("sideways")), WrongUse);
    }

    // ---- the page ----

    void draggingAPointChangesTheWidthAtItsRadius() {
        Program program(engines_);
        KernelLab& lab = program.lab();
        lab.set("widths", "0:4;100:6;250:9");
        program.settle();
        RadiusPlot* plot = program.window.labPage().plot();
        const QPointF from = plot->place(100, 6);
        const QPointF to = plot->place(120, 8);

        drag(plot, from, to);

        // A pixel is about 0.5 mm of radius and 0.1 mm of width.
        QVERIFY(std::abs(lab.knots()[1].first - 120) < 1);
        QVERIFY(std::abs(lab.knots()[1].second - 8) < 0.15);
        QCOMPARE(lab.kernel().radial.at(lab.knots()[1].first), lab.knots()[1].second);
        program.settle();
        // The kernel on screen is that of the point which was dragged.
        const double sampled = lab.results().shownKernel()->moments.fwhm_mm[1];
        QVERIFY2(std::abs(sampled - 8) < 0.8, qPrintable(QString::number(sampled)));
        QVERIFY(std::abs(lab.results().shownKernel()->s_mm - lab.knots()[1].first) <=
                lab.kernel().id_step_mm);
    }

    void escapePutsADraggedPointBack() {
        Program program(engines_);
        KernelLab& lab = program.lab();
        lab.set("widths", "0:4;100:6;250:9");
        RadiusPlot* plot = program.window.labPage().plot();
        plot->setFocus();

        drag(plot, plot->place(100, 6), plot->place(150, 8), false);
        QVERIFY(lab.knots()[1].first > 140);
        QTest::keyClick(plot, Qt::Key_Escape);

        QCOMPARE(lab.knots()[1].first, 100.0);
        QCOMPARE(lab.knots()[1].second, 6.0);
    }

    void keysMoveAddedPointsAndDeleteRemovesThem() {
        Program program(engines_);
        KernelLab& lab = program.lab();
        lab.set("widths", "0:4;200:8");
        RadiusPlot* plot = program.window.labPage().plot();

        QTest::mouseDClick(plot, Qt::LeftButton, {}, plot->place(100, 9).toPoint());
        QCOMPARE(lab.knots().size(), std::size_t{3});
        QCOMPARE(lab.selectedKnot(), 1);
        lab.moveKnot(1, 100, 9);
        QTest::keyClick(plot, Qt::Key_Up);
        QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(lab.knots()[1].second, 9.1);
        QCOMPARE(lab.knots()[1].first, 110.0);
        QTest::keyClick(plot, Qt::Key_Delete);

        QCOMPARE(lab.knots().size(), std::size_t{2});
    }

    void aClickAddsASourceAndADragMovesIt() {
        Program program(engines_);
        KernelLab& lab = program.lab();
        lab.clearPoints();
        LabPane* pane = program.window.labPage().pane(0, Plane::Transverse);
        const Lattice& lattice = lab.lattice();
        const Vec3 first = lattice.centre(80, 60, 24);
        const Vec3 second = lattice.centre(90, 75, 24);

        lab.setCursor(first);
        QTest::mouseClick(pane, Qt::LeftButton, {}, pane->toWidget(first).toPoint());
        QCOMPARE(lab.points().size(), std::size_t{1});
        QVERIFY(norm(lab.points()[0] - first) < 1e-9);
        drag(pane, pane->toWidget(first), pane->toWidget(second));
        QVERIFY(norm(lab.points()[0] - second) < 1e-9);
        program.settle();

        // The brightest voxel of a projected source is the source's.
        const Volume& a = *lab.results().pictures()->sides[0].volume;
        const auto brightest = std::max_element(a.data.begin(), a.data.end()) - a.data.begin();
        QCOMPARE(static_cast<std::size_t>(brightest), lattice.index(90, 75, 24));
        QTest::keyClick(pane, Qt::Key_Delete);
        QVERIFY(lab.points().empty());
    }

    void theDialTurnsTheView() {
        Program program(engines_);
        Dial* dial = program.window.findChild<Dial*>("lab.dial");

        QTest::mouseClick(dial, Qt::LeftButton, {}, QPoint(dial->width() / 2, dial->height() - 8));

        QCOMPARE(program.lab().azimuth_deg(), 90.0);
        QTest::keyClick(dial, Qt::Key_Right);
        QCOMPARE(program.lab().azimuth_deg(), 91.0);
    }

    void everyNumberHasAnExactField_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        QTest::newRow("tof") << "lab.tof"
                             << "tof" << 213.25;
        QTest::newRow("axial") << "lab.axial"
                               << "axial" << 4.375;
        QTest::newRow("cutoff") << "lab.cutoff"
                                << "cutoff" << 5.196;
        QTest::newRow("step") << "lab.step"
                              << "step" << 1.25;
    }

    void everyNumberHasAnExactField() {
        QFETCH(QString, field);
        QFETCH(QString, key);
        QFETCH(double, value);
        Program program(engines_);
        auto* edit = program.window.findChild<QLineEdit*>(field);

        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QString::number(value));
        QTest::keyClick(edit, Qt::Key_Return);

        QCOMPARE(program.lab().number(key.toStdString()), value);
        edit->selectAll();
        QTest::keyClicks(edit, "nonsense");
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(program.lab().number(key.toStdString()), value);
        QVERIFY(edit->property("bad").toBool());
    }

    void theTablesEditWidthsAndSources() {
        Program program(engines_);
        KernelLab& lab = program.lab();
        lab.set("widths", "0:4;100:6");
        program.settle();

        program.window.findChild<QTableWidget*>("lab.knots")->item(1, 2)->setText("7.25");
        program.window.findChild<QTableWidget*>("lab.points")->item(0, 1)->setText("50");

        QCOMPARE(lab.kernel().radial.at(100), 7.25);
        QCOMPARE(lab.points()[0].x, 50.0);  // a voxel centre: 4 n + 2
    }

    void theNextRunCanUseTheKernel() {
        Program program(engines_);
        program.lab().set("widths", "0:4;100:6");
        program.lab().setNumber("tof", 300);

        QVERIFY(program.window.commands().trigger("lab.use"));

        const KernelSpec used = program.desk.settings().current().kernel();
        QCOMPARE(used.tof_ps, 300.0);
        QCOMPARE(used.radial.at(50), 5.0);
    }

    void theLabNeedsNoStudyAndLeavesTheStartPage() {
        Program program(engines_);
        QVERIFY(program.window.labPage().isVisible());

        QTest::keyClick(&program.window, Qt::Key_K);
        program.window.refreshNow();

        QVERIFY(!program.window.labPage().isVisible());
        QVERIFY(program.window.findChild<QWidget*>("start.open")->isVisible());
    }

    void theHeadingChoosesWhatIsProjected() {
        Program program(engines_);
        auto* head = program.window.findChild<LabHead*>("lab.b");
        const std::unique_ptr<QMenu> menu(head->makeMenu());
        const auto choose = [&](const QString& text) {
            for (QAction* action : menu->actions()) {
                if (action->text() == text) {
                    action->trigger();
                    return action->isEnabled();
                }
            }
            return false;
        };

        QVERIFY(choose("definition"));
        program.settle();

        QCOMPARE(program.lab().operand(1).text(), QString("back:definition"));
        QCOMPARE(head->title(), QString("Back"));
        QCOMPARE(head->caption(), QString("definition"));
        // An engine that is not there is listed with the reason and cannot be chosen.
        const auto cuda = engines_.find("cuda");
        if (const auto* unsupported = std::get_if<Unsupported>(&cuda)) {
            for (QAction* action : menu->actions()) {
                if (action->text() == "cuda") {
                    QVERIFY(!action->isEnabled());
                    QCOMPARE(action->toolTip(), QString::fromStdString(unsupported->why));
                }
            }
        }
    }

    void theSurfaceOfTheKernelTurnsWithTheMouse() {
        Program program(engines_);
        QVERIFY(program.window.commands().trigger("lab.surface"));
        SolidPane* solid = program.window.labPage().readout()->picture()->solid();
        QVERIFY(until([&] { return solid->isVisible() && !solid->busy(); }));
        const QImage before = solid->picture();
        const double azimuth = solid->azimuth_deg();
        QSet<QRgb> colours;
        for (int x = 0; x < before.width(); ++x) {
            colours << before.pixel(x, before.height() / 2);
        }
        QVERIFY2(colours.size() > 8, "a lit surface has many shades");

        drag(solid, QPointF(100, 100), QPointF(160, 100));
        QVERIFY(until([&] { return !solid->busy(); }));

        QCOMPARE(solid->azimuth_deg(), azimuth - 30);  // half a degree per pixel
        QVERIFY(solid->picture() != before);
    }

    void bothProjectionsOpenOnTheComparePage() {
        Program program(engines_);
        program.lab().setLattice(kSmall);
        program.settle();
        const auto shown = program.lab().results().pictures();

        QVERIFY(program.window.commands().trigger("lab.compare"));
        program.settle();

        const CompareModel& compared = program.window.comparePage().model();
        QVERIFY(program.window.comparePage().isVisible());
        QVERIFY(compared.a()->volume() == shown->sides[0].volume &&
                compared.b()->volume() == shown->sides[1].volume);
        QVERIFY2(compared.a()->name().startsWith("forward"), qPrintable(compared.a()->name()));
        QVERIFY2(compared.b()->name().startsWith("back"), qPrintable(compared.b()->name()));
    }

    void measuringTimesEveryStrategyAndTestsAdjointness() {
        Program program(engines_);
        program.lab().setLattice(kSmall);

        QVERIFY(program.window.commands().trigger("lab.measure"));
        program.settle();

        const auto timings = program.lab().results().timings();
        QVERIFY(timings != nullptr);
        QVERIFY(timings->adjointError && *timings->adjointError < 1e-5);
        bool timed = false;
        for (const auto& row : program.window.labPage().readout()->bars(ProjectionKind::Back)->rows()) {
            timed = timed || (row.name == "cpu, column" && row.ms > 0);
            QVERIFY(row.ms > 0 || !row.whyNot.isEmpty());
        }
        QVERIFY(timed);
    }

  private:
    /// A window with the lab open.
    struct Program {
        explicit Program(const EngineRegistry& engines)
            : desk(engines, Threading::Threaded), window(desk, preferences, {.askBeforeClosing = false}) {
            window.resize(1600, 1000);
            window.show();
            static_cast<void>(QTest::qWaitForWindowExposed(&window));
            static_cast<void>(window.commands().trigger("page.lab"));
            settle();
        }
        [[nodiscard]] KernelLab& lab() { return window.labPage().lab(); }
        void settle() {
            QCoreApplication::processEvents();  // what was touched is taken up
            QVERIFY(until([&] { return !lab().results().busy(); }));
            window.refreshNow();
        }
        Preferences preferences{QString()};
        Desk desk;
        MainWindow window;
    };

    static void compute(KernelLab& lab) {
        lab.setActive(true);
        QVERIFY(until([&] { return !lab.results().busy(); }));
        QVERIFY2(lab.results().fault().isEmpty(), qPrintable(lab.results().fault()));
    }

    EngineRegistry engines_ = makeEngineRegistry();
};

QTEST_MAIN(KernelLabTest)

}  // namespace kernel_lab_test
#include "kernel_lab_test.moc"
