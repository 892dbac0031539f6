// SPDX-License-Identifier: Apache-2.0
// Thick slices and the view from outside, in the real window.
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/script.h"

namespace slab_view_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class SlabViewTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        // One bright voxel two slices above the middle; 10 elsewhere.
        Volume volume(Lattice::centred({20, 20, 11}, {4, 4, 4}), 10.0F);
        volume.at(14, 6, 7) = 100.0F;
        volume.units = "arbitrary";
        file_ = folder_.filePath("bright.h5");
        writeVolume(file_.toStdString(), volume);
        preferences_ = std::make_unique<Preferences>(QString());
        desk_ = std::make_unique<Desk>(engines_, Threading::Threaded);
        window_ = std::make_unique<MainWindow>(*desk_, *preferences_,
                                               MainWindow::Options{.askBeforeClosing = false});
        window_->resize(1600, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        desk_->open({file_});
        QVERIFY(until([&] { return !desk_->tasks().busy() && desk_->runs().selected(); }));
        desk_->view().setRange({0, 100});
        desk_->view().setCursor({2, 2, 0});
        window_->refreshNow();
    }

    void cleanup() {
        desk_->view().setSlab({});
        desk_->view().setChart(ChartKind::Profile);
        window_->refreshNow();
    }

    void aTypedThicknessTakesInTheLayers_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("mean");
        QTest::addColumn<double>("value");
        // Layers are 4 mm apart and the bright one is 8 mm above the cursor.
        QTest::newRow("one slice") << "0" << false << 10.0;
        QTest::newRow("too thin") << "15" << false << 10.0;
        QTest::newRow("thick enough") << "16 mm" << false << 100.0;
        QTest::newRow("all") << "all" << false << 100.0;
        QTest::newRow("mean of five") << "16" << true << (4 * 10 + 100) / 5.0;
    }

    void aTypedThicknessTakesInTheLayers() {
        QFETCH(QString, typed);
        QFETCH(bool, mean);
        QFETCH(double, value);
        auto* field = window_->findChild<QLineEdit*>("view.slab");

        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, typed);
        QTest::keyClick(field, Qt::Key_Return);
        if (mean) {
            window_->refreshNow();
            QVERIFY(window_->commands().trigger("view.slab-mean"));
        }
        window_->refreshNow();

        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const Lattice lattice = desk_->view().lattice();
        const QPointF at = pane->toWidget(lattice.centre(14, 6, 5));
        const QImage picture = pane->picture();
        const auto entry = static_cast<std::size_t>(std::min(255.0, value * 256 / 100));
        const viz::Rgb wanted = viz::ColourMap::find("grey").table[entry];
        QCOMPARE(picture.pixel((at * picture.devicePixelRatio()).toPoint()), wanted.packed());
    }

    void theKeyShowsAllSlicesAndBack() {
        QTest::keyClick(window_->viewer().pane(Plane::Transverse), Qt::Key_J);
        QVERIFY(std::isinf(desk_->view().slab().thickness_mm));
        QTest::keyClick(window_->viewer().pane(Plane::Transverse), Qt::Key_J);
        QCOMPARE(desk_->view().slab().thickness_mm, 0.0);
    }

    void theSlabIsKeptInTheStudy() {
        for (const Slab slab :
             {Slab{12.5, viz::SlabMode::Mean},
              Slab{std::numeric_limits<double>::infinity(), viz::SlabMode::Largest}, Slab{}}) {
            ViewModel one;
            one.setSlab(slab);
            one.setChart(ChartKind::Solid);
            ViewModel two;

            const nlohmann::json saved = one.toJson();
            two.fromJson(saved);

            QVERIFY(two.slab() == slab);
            QVERIFY(two.chart() == ChartKind::Solid);
        }
        ViewModel view;
        QVERIFY_EXCEPTION_THROWN(view.setSlab({-1, viz::SlabMode::Mean}), WrongUse);
    }

    void theCommandLineSetsIt() {
        Script script(*window_, *desk_, CommandLine::parse({"--slab", "20,mean"}).actions);
        script.start();

        QVERIFY(until([&] { return desk_->view().slab() == Slab{20, viz::SlabMode::Mean}; }));
    }

    void theSolidShowsTheBrightVoxel() {
        QVERIFY(window_->commands().trigger("chart.solid"));
        desk_->view().flush();
        SolidPane* solid = window_->viewer().solid();
        QVERIFY(until([&] { return solid->isVisible() && !solid->busy() && !solid->picture().isNull(); }));

        int bright = 0;
        int grey = 0;
        for (int y = 0; y < solid->picture().height(); ++y) {
            for (int x = 0; x < solid->picture().width(); ++x) {
                const int value = qRed(solid->picture().pixel(x, y));
                bright += value > 128 ? 1 : 0;
                grey += value > 10 ? 1 : 0;
            }
        }
        QVERIFY(bright > 0);
        QVERIFY2(bright < grey / 20, "one voxel in a block of 20 x 20 x 11");
    }

    void theSolidCanBeASurface() {
        SolidPane* solid = window_->viewer().solid();
        const auto lit = [&](double percent) {
            window_->viewer().setSurfacePercent(percent);
            static_cast<void>(until([&] { return solid->isVisible() && !solid->busy(); }));
            QCoreApplication::processEvents();  // the picture that was made is adopted
            int count = 0;
            for (int y = 0; y < solid->picture().height(); ++y) {
                for (int x = 0; x < solid->picture().width(); ++x) {
                    count += qRed(solid->picture().pixel(x, y)) > 24 ? 1 : 0;
                }
            }
            return count;
        };
        desk_->view().setChart(ChartKind::Profile);

        QVERIFY(window_->commands().trigger("view.surface"));

        QVERIFY(desk_->view().chart() == ChartKind::Solid);
        QVERIFY(window_->viewer().surfaceShown());
        // 100 in one voxel, 10 in a block of 20 x 20 x 11: half of 100 is that voxel alone, 5 the block.
        const int voxel = lit(50);
        const int block = lit(5);
        QVERIFY2(voxel > 0 && voxel < block / 50, qPrintable(QString("%1 %2").arg(voxel).arg(block)));
        QVERIFY(window_->commands().trigger("view.surface"));
        QVERIFY(!window_->viewer().surfaceShown());
    }

    void theCommandLineShowsASurface() {
        Script script(*window_, *desk_, CommandLine::parse({"--surface", "30"}).actions);
        script.start();

        QVERIFY(until([&] { return window_->viewer().surfaceShown(); }));
        QCOMPARE(window_->viewer().surfacePercent(), 30.0);
    }

  private:
    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString file_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<Desk> desk_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(SlabViewTest)

}  // namespace slab_view_test
#include "slab_view_test.moc"
