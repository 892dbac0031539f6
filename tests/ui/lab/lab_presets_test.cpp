// SPDX-License-Identifier: Apache-2.0
// The kernel lab by keys alone, its presets, and the kernel's surface.
#include <QAccessible>
#include <QComboBox>
#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QSlider>
#include <QTest>
#include <QTimer>
#include <cmath>

#include "recon/base/error.h"
#include "recon/settings/kernel_library.h"
#include "recon/systems/histo/histo_system.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/kit/basic.h"
#include "ui/lab/lab_head.h"

namespace lab_presets_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

QTemporaryDir& configFolder() {
    static QTemporaryDir folder;
    return folder;
}

/// Answers the next input dialog.
void typeIntoDialog(const QString& text) {
    QTimer::singleShot(50, [text] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        if (dialog != nullptr) {
            dialog->setTextValue(text);
            dialog->accept();
        }
    });
}

}  // namespace

class LabPresetsTest : public test::WindowTest {
    Q_OBJECT

  public:
    LabPresetsTest() : WindowTest({.preferencesFile = configFolder().filePath("tofscope.ini")}) {}

  protected:
    void begin() override {
        QVERIFY(window_->commands().trigger("page.lab"));
        QVERIFY(window_->commands().trigger("lab.slice"));
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_));
        settle();
    }

  private slots:
    // ---- keys ----

    void tabGoesFromLeftToRightAndDown() {
        KernelLabPage& page = window_->labPage();
        std::vector<QWidget*> way;
        page.findChild<QWidget*>("lab.preset")->setFocus();
        for (int i = 0; i < 300; ++i) {
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            if (page.isAncestorOf(now) && (way.empty() || way.back() != now)) {
                if (std::find(way.begin(), way.end(), now) != way.end()) {
                    break;  // round the window
                }
                way.push_back(now);
            }
            QTest::keyClick(now, Qt::Key_Tab);
        }

        QStringList missed;
        for (QWidget* widget : page.findChildren<QWidget*>()) {
            const bool stop = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() &&
                              widget->isVisible() && !widget->objectName().startsWith("qt_") &&
                              widget->focusProxy() == nullptr && !widget->inherits("QScrollArea");
            if (stop && std::find(way.begin(), way.end(), widget) == way.end()) {
                missed << widget->objectName() + " " + widget->metaObject()->className();
            }
        }
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join(", ")));
        // The way begins behind the heading and its buttons: those come last, once round the window.
        const auto* load = page.findChild<QWidget*>("lab.load.button");
        const auto start = std::find_if(way.begin(), way.end(), [&](const QWidget* w) {
            return qobject_cast<const Section*>(w) != nullptr && w->isAncestorOf(load);
        });
        QVERIFY(start != way.end());
        std::rotate(way.begin(), start, way.end());
        QWidget* before = nullptr;
        for (QWidget* widget : way) {
            if (before != nullptr) {
                const QRect a(before->mapTo(window_, QPoint()), before->size());
                const QRect b(widget->mapTo(window_, QPoint()), widget->size());
                constexpr int kRow = 16;  // px that tops in one row may differ by
                const bool onward = b.left() >= a.right() || b.top() >= a.top() - kRow;
                QVERIFY2(onward, qPrintable(before->objectName() + " then " + widget->objectName()));
            }
            before = widget;
        }
    }

    void theNameOfTheCurveIsWholeInTheSmallestWindow() {
        window_->resize(1100, 700);
        window_->labPage().lab().set("kernel", "ha-fig5-asymmetric");
        window_->refreshNow();
        QApplication::processEvents();
        QVERIFY(test::paintedTexts(*window_->labPage().plot()).contains("ha-fig5-asymmetric"));
    }

    void arrowsMoveThePointsOfThePlot() {
        KernelLab& lab = window_->labPage().lab();
        lab.set("widths", "0:4;100:6;200:8");
        RadiusPlot* plot = window_->labPage().plot();
        plot->setFocus();
        lab.selectKnot(0);

        QTest::keyClick(plot, Qt::Key_Tab);
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Down, Qt::ShiftModifier);

        QCOMPARE(lab.selectedKnot(), 1);
        QCOMPARE(lab.knots()[1].first, 101.0);
        QCOMPARE(lab.knots()[1].second, 5.0);
        QTest::keyClick(plot, Qt::Key_Insert);
        QCOMPARE(lab.knots().size(), std::size_t{4});
        QVERIFY(std::abs(lab.knots()[2].first - 150.5) < 1);  // half-way to the next
        QCOMPARE(lab.selectedKnot(), 2);
        QTest::keyClick(plot, Qt::Key_Delete);
        QCOMPARE(lab.knots().size(), std::size_t{3});
    }

    void arrowsMoveTheSourceInItsPicture_data() {
        QTest::addColumn<int>("plane");
        QTest::newRow("transverse") << static_cast<int>(Plane::Transverse);
        QTest::newRow("sagittal") << static_cast<int>(Plane::Sagittal);
        QTest::newRow("coronal") << static_cast<int>(Plane::Coronal);
    }

    void arrowsMoveTheSourceInItsPicture() {
        QFETCH(int, plane);
        KernelLab& lab = window_->labPage().lab();
        LabPane* pane = window_->labPage().pane(0, static_cast<Plane>(plane));
        lab.set("points", "2,2,2");
        pane->setFocus();
        const QPointF start = pane->toWidget(lab.points()[0]);

        QTest::keyClick(pane, Qt::Key_Right);
        const QPointF right = pane->toWidget(lab.points()[0]);
        QTest::keyClick(pane, Qt::Key_Up);
        const QPointF up = pane->toWidget(lab.points()[0]);

        // By a voxel of 4 mm towards where the arrow points.
        QVERIFY(right.x() > start.x() + 1 && std::abs(right.y() - start.y()) < 0.01);
        QVERIFY(up.y() < right.y() - 1 && std::abs(up.x() - right.x()) < 0.01);
        QVERIFY(std::abs(norm(lab.points()[0] - Vec3{2, 2, 2}) - std::sqrt(32.0)) < 1e-9);
        QTest::keyClick(pane, Qt::Key_Delete);
        QVERIFY(lab.points().empty());
        QTest::keyClick(pane, Qt::Key_Left, Qt::ShiftModifier);  // without a source the cursor moves
        QTest::keyClick(pane, Qt::Key_Insert);
        QCOMPARE(lab.points().size(), std::size_t{1});
    }

    void everythingThatTakesKeysHasAName() {
        QStringList nameless;
        for (QWidget* widget : window_->labPage().findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
                widget->objectName().startsWith("qt_") || widget->inherits("QScrollArea")) {
                continue;
            }
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            if (face != nullptr && face->text(QAccessible::Name).isEmpty()) {
                nameless << QString(widget->metaObject()->className()) + " " + widget->objectName();
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    }

    // ---- presets ----

    void aPresetIsSavedUsedAndDeleted() {
        KernelLab& lab = window_->labPage().lab();
        lab.usePreset("variant2");
        lab.setNumber("tof", 250);
        typeIntoDialog("fast crystal");

        QVERIFY(window_->commands().trigger("lab.save-preset"));

        // The command line finds it in the folder beside the preferences.
        const KernelLibrary library(configFolder().filePath("kernels").toStdString());
        QCOMPARE(library.load("fast crystal").tof_ps, 250.0);
        QCOMPARE(lab.originName(), QString("fast crystal"));
        QVERIFY(!lab.changedSinceOrigin());
        settle();
        auto* inLab = window_->findChild<QComboBox*>("lab.preset");
        QCOMPARE(inLab->currentText(), QString("fast crystal"));
        auto* inSettings = window_->findChild<QComboBox*>("setting.kernel");
        QVERIFY(inSettings->findText("fast crystal") >= 0);

        QVERIFY(window_->commands().trigger("lab.use"));
        QCOMPARE(desk_->settings().current().kernel().tof_ps, 250.0);
        QCOMPARE(desk_->settings().current().kernel().name, std::string("fast crystal"));
        QCOMPARE(inSettings->currentText(), QString("fast crystal"));

        lab.usePreset("variant1");
        lab.usePreset("preset:fast crystal");
        QCOMPARE(lab.kernel().tof_ps, 250.0);
        lab.set("b", "forward:cpu:column:preset:fast crystal");
        QCOMPARE(lab.operand(1).preset, std::string("preset:fast crystal"));
        lab.set("b", "back");
        QVERIFY(window_->commands().trigger("lab.delete-preset"));

        QVERIFY(library.ownNames().empty());
        QCOMPARE(lab.kernel().tof_ps, 250.0);  // the lab keeps the kernel
        QVERIFY(!window_->commands().action("lab.delete-preset")->isEnabled());
        // So does the setting: it holds the kernel, not its name.
        QCOMPARE(desk_->settings().current().kernel().tof_ps, 250.0);
    }

    void aPresetIsNotReplacedByAccident() {
        desk_->settings().saveKernel("mine", KernelSpec::preset("cache"));
        KernelLab& lab = window_->labPage().lab();
        lab.usePreset("variant2");
        typeIntoDialog("mine");

        QVERIFY(window_->commands().trigger("lab.save-preset"));

        QCOMPARE(desk_->settings().kernels().load("mine").tof_ps, 300.0);
        // From the preset itself, saving under its name changes it.
        lab.usePreset("preset:mine");
        lab.setNumber("tof", 310);
        typeIntoDialog("mine");
        QVERIFY(window_->commands().trigger("lab.save-preset"));
        QCOMPARE(desk_->settings().kernels().load("mine").tof_ps, 310.0);
        desk_->settings().deleteKernel("mine");
    }

    void aPresetThatACommandKeepsIsOffered() {
        const KernelLibrary library(configFolder().filePath("kernels").toStdString());
        library.save("of a command", KernelSpec::preset("cache"));

        const std::unique_ptr<QMenu> menu(window_->findChild<LabHead*>("lab.b")->makeMenu());

        QStringList offered;
        for (const QAction* preset : menu->findChild<QMenu*>()->actions()) {
            offered << preset->text();
        }
        QVERIFY(offered.contains("of a command"));
        library.remove("of a command");
    }

    void theSettingsTakeAPreset() {
        desk_->settings().saveKernel("mine", KernelSpec::preset("cache"));

        desk_->settings().set("kernel", "preset:mine");

        QCOMPARE(desk_->settings().current().kernel().tof_ps, 300.0);
        QCOMPARE(kernelName(desk_->settings().current()), std::string("mine"));
        desk_->settings().set("kernel", "variant1");
        desk_->settings().deleteKernel("mine");
        QVERIFY_EXCEPTION_THROWN(desk_->settings().set("kernel", "preset:mine"), WrongUse);
    }

    void aMeasuredKernelIsLoadedFromAFile() {
        const QString file = configFolder().filePath("measured.json");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        // Triangles of 8 and 12 mm FWHM.
        out.write(R"({"tof_ps":400,"axial_mm":5.8,"measured":[{"s":0,"q_mm":[-8,0,8],"w":[0,1,0]},)"
                  R"({"s":200,"q_mm":[-12,0,12],"w":[0,1,0]}]})");
        out.close();
        KernelLab& lab = window_->labPage().lab();

        lab.usePreset(file.toStdString());
        settle();

        QCOMPARE(lab.spread(), KernelLab::Spread::Measured);
        // The Gaussians of the triangles' variance.
        constexpr double kGaussianOfTriangle = 0.961344;  // 2.3548 over the root of 6
        QVERIFY(std::abs(lab.knots()[0].second / (kGaussianOfTriangle * 8) - 1) < 5e-3);
        QVERIFY(std::abs(lab.knots()[1].second / (kGaussianOfTriangle * 12) - 1) < 5e-3);
        QVERIFY2(lab.results().fault().isEmpty(), qPrintable(lab.results().fault()));
        lab.setSpread(KernelLab::Spread::Invariant);
        QVERIFY(window_->commands().action("lab.measured")->isEnabled());
        lab.setSpread(KernelLab::Spread::Measured);
        QVERIFY(std::abs(lab.knots()[1].second / (kGaussianOfTriangle * 12) - 1) < 5e-3);
    }

    // ---- the surface ----

    void theLevelMovesTheSurface() {
        KernelLab& lab = window_->labPage().lab();
        lab.setAzimuth(0);  // along a line of voxels, which then lie on the kernel's ridge
        QVERIFY(window_->commands().trigger("lab.surface"));
        auto* slider = window_->findChild<QSlider*>("lab.level.slider");
        QVERIFY(until([&] { return slider->isEnabled(); }));
        const double half = reach(50);
        const double wide = reach(10);
        const double narrow = reach(90);
        lab.setSurfacePercent(50);
        settle();
        slider->setFocus();

        QTest::keyClick(slider, Qt::Key_Right);

        QCOMPARE(lab.surfacePercent(), 51.0);
        // A Gaussian falls to 10 % at sqrt(ln 10 / ln 2) = 1.82 times the distance of its half, and to 90 %
        // at 0.39 of it, where it ends in tips that are thinner than a pixel.
        const QString said = QString("%1 %2 %3").arg(wide).arg(half).arg(narrow);
        QVERIFY2(std::abs(wide / half - 1.82) < 0.15, qPrintable(said));
        QVERIFY2(narrow > 0.1 * half && narrow < 0.42 * half, qPrintable(said));
        const SolidPane* solid = window_->labPage().readout()->picture()->solid();
        QVERIFY(solid->surface() != nullptr || !solid->whyNoOpenGl().isEmpty());
    }

  private:
    void settle() {
        QCoreApplication::processEvents();  // what was touched is taken up
        QVERIFY(until([&] { return !window_->labPage().busy(); }));
        window_->refreshNow();
    }

    /// Diagonal of the box, in pixels, around the kernel's surface at a level.
    double reach(double percent) {
        KernelLabPage& page = window_->labPage();
        SolidPane* solid = page.readout()->picture()->solid();
        page.lab().setSurfacePercent(percent);
        QCoreApplication::processEvents();  // what was touched is taken up
        static_cast<void>(until([&] { return !page.busy() && !solid->busy(); }));
        QRect box;
        for (int y = 0; y < solid->picture().height(); ++y) {
            for (int x = 0; x < solid->picture().width(); ++x) {
                if (qGray(solid->picture().pixel(x, y)) > 24) {
                    box |= QRect(x, y, 1, 1);
                }
            }
        }
        return std::hypot(box.width(), box.height());
    }
};

QTEST_MAIN(LabPresetsTest)

}  // namespace lab_presets_test
#include "lab_presets_test.moc"
