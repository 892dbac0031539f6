// SPDX-License-Identifier: Apache-2.0
// The scanner from outside: turned by mouse and keys, a line chosen by two clicks, on the Data page the line
// of the view; studies of two panels, how they open and what their pages say.
#include <QInputDialog>
#include <QLineEdit>
#include <QTimer>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/forms/panel/panel_lines.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/silent_progress.h"
#include "tests/ui/fixture.h"
#include "ui/charts/profile_chart.h"
#include "ui/pages/data_page.h"
#include "ui/pages/data_scanner.h"
#include "ui/pages/viewer.h"
#include "ui/pictures/scanner_picture.h"

namespace scanner_picture_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// Into the folder of TOF_TEST_PICTURES, to be looked at.
void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
    if (!folder.isEmpty()) {
        QApplication::processEvents();
        widget.grab().save(folder + "/" + name + ".png");
    }
}

}  // namespace

class ScannerPictureTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        HistoData data = test::smallData(4);
        data.scannerJson = Scanner::find("labr3-ideal").toJson();
        histo_ = folder_.filePath("histo.h5");
        writeData(histo_.toStdString(), data);
        const Scanner scanner = Scanner::find("small-panel");
        SimulationSettings settings;
        settings.events = 3000;
        settings.physics = Physics::none();
        const ThreadPool pool(0);
        const EventList events = simulate(scanner, Phantom::find("small-derenzo"), settings, pool, {});
        test::SilentProgress progress;
        panel_ = folder_.filePath("panel.h5");
        writePanelData(panel_.toStdString(), binPanelLines(events, scanner, {}, pool, progress));
    }

  private:
    void showData(const QString& file) {
        open(file);
        QVERIFY(window_->commands().trigger("page.data"));
        QVERIFY(until([this] { return !window_->dataPage().model().busy(); }));
        window_->refreshNow();
    }

    DataScanner* scanner() { return window_->findChild<DataScanner*>(); }

    QString histo_;
    QString panel_;

  private Q_SLOTS:
    void dragAndKeysTurnIt() {
        ScannerPicture picture;
        picture.resize(400, 300);
        picture.take(viz::ScannerScene::of(Scanner::find("labr3-ideal")));
        picture.show();
        const double before = picture.azimuth_deg();
        const QImage first = picture.grab().toImage();
        QTest::mousePress(&picture, Qt::LeftButton, {}, {200, 150});
        QTest::mouseMove(&picture, {240, 150});
        QTest::mouseRelease(&picture, Qt::LeftButton, {}, {240, 150});
        QVERIFY(std::abs(picture.azimuth_deg() - (before - 16)) < 1e-9);
        QVERIFY(picture.grab().toImage() != first);
        QTest::keyClick(&picture, Qt::Key_Up);
        QVERIFY(picture.elevation_deg() < 32);
        QTest::mouseDClick(&picture, Qt::LeftButton, {}, {10, 10});
        QCOMPARE(picture.azimuth_deg(), before);
        QVERIFY(!picture.line());
    }

    void twoClicksChooseALine() {
        ScannerPicture picture;
        picture.resize(500, 400);
        picture.take(viz::ScannerScene::of(Scanner::find("labr3-ideal")));
        picture.turn(0, 90);  // along the axis: rows lie behind each other
        picture.show();
        const auto& crystals = picture.scene()->crystals;
        const std::size_t a = 0;
        const std::size_t b = crystals.size() / 2;
        QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.place(crystals[a]).toPoint());
        QVERIFY(!picture.line());
        QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.place(crystals[b]).toPoint());
        QVERIFY(picture.line().has_value());
        // A pixel is 2.6 mm, a pitch 4.3.
        const auto near = [&](std::size_t chosen, std::size_t meant) {
            const Vec3 off = crystals[chosen] - crystals[meant];
            return std::hypot(off.x, off.y) < 2 * 4.3;
        };
        QVERIFY(near((*picture.line())[0], a) && near((*picture.line())[1], b));
        QVERIFY(picture.lineText().contains("mm"));
    }

    void theDataPageDrawsTheLineOfItsView() {
        showData(histo_);
        DataPage& page = window_->dataPage();
        QVERIFY(!scanner()->isVisible());
        QVERIFY(window_->commands().trigger("data.scanner"));
        window_->refreshNow();
        QVERIFY(scanner()->isVisible() && !page.pane(Plane::Sagittal)->isVisible());
        QVERIFY(!scanner()->scene()->phantom.shapes.empty());
        keepPicture(*window_, "data-scanner");
        for (const int view : {0, 2}) {
            page.model().setView(view, 0);
            page.refresh();
            const auto line = scanner()->line();
            QVERIFY(line.has_value());
            const auto& scene = *scanner()->scene();
            const Vec3 along = normalized(scene.crystals[(*line)[1]] - scene.crystals[(*line)[0]]);
            const double azimuth = page.model().first().values[static_cast<std::size_t>(view)] * kRadPerDeg;
            // Crystals of 4.3 mm, 930 mm apart, and gaps of 6.6 mm.
            QVERIFY(std::abs(along.x * std::sin(azimuth) - along.y * std::cos(azimuth)) < 11.0 / 930);
        }
        QVERIFY(window_->commands().trigger("data.scanner"));
        window_->refreshNow();
        QVERIFY(!scanner()->isVisible() && page.pane(Plane::Sagittal)->isVisible());
    }

    void panelsOpenAlongTheHeads() {
        open(panel_);
        ViewModel& view = desk_->view();
        QCOMPARE(view.activePlane(), Plane::Sagittal);
        QCOMPARE(view.layout(), Layout::Single);
        QCOMPARE(view.profileAxis(), 2);
        // What one chooses stays while the next panels come; other data bring their own.
        view.setLayout(Layout::Grid);
        open(panel_);
        QCOMPARE(view.layout(), Layout::Grid);
        open(histo_);
        QCOMPARE(view.activePlane(), Plane::Transverse);
        QCOMPARE(view.profileAxis(), 0);
    }

    void aProfileIsTakenAtAChosenPlace() {
        open(panel_);
        QTimer::singleShot(0, qApp, [] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->setTextValue(", 4.7");
            dialog->accept();
        });
        QVERIFY(window_->commands().trigger("chart.at"));
        QCOMPARE(desk_->view().cursor().y, 4.7);
        QCOMPARE(desk_->view().profileAxis(), 2);
        // Another time the place is one of the list.
        desk_->view().setCursor({0, 0, 0});
        QStringList offered;
        QTimer::singleShot(0, qApp, [&offered] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            offered = dialog->comboBoxItems();
            dialog->setTextValue(offered.value(1));
            dialog->accept();
        });
        QVERIFY(window_->commands().trigger("chart.at"));
        QCOMPARE(offered, (QStringList{"0, 0, 0", ", 4.7"}));
        QCOMPARE(desk_->view().cursor().y, 4.7);
    }

    void theScannerComesBackWithTheSession() {
        showData(histo_);
        QVERIFY(window_->commands().trigger("data.scanner"));
        const nlohmann::json saved = desk_->sessions().parts().toJson();
        QVERIFY(window_->commands().trigger("data.scanner"));
        QVERIFY(window_->commands().trigger("page.slices"));
        window_->refreshNow();
        QVERIFY(!scanner()->isVisible());
        desk_->sessions().parts().restore(saved);
        window_->refreshNow();
        QVERIFY(window_->dataPage().isVisible() && scanner()->isVisible());
        QVERIFY(window_->commands().action("data.scanner")->isChecked());
    }

    void thePagesSpeakOfLinesAndHeads() {
        showData(panel_);
        desk_->view().setCursor({0, 1.3, 0.9});
        DataPage& page = window_->dataPage();
        QVERIFY(page.pane(Plane::Sagittal)->isVisible() && !page.pane(Plane::Transverse)->isVisible());
        const DataWords words = page.model().words();
        QCOMPARE(words.first, QString("Step y"));
        QCOMPARE(words.firstText(page.model().first(), 0), QString("-25 crystals, 1 of 51"));
        QVERIFY(page.strip()->figures().size() >= 2);
        QVERIFY(page.chart()->toCsv().startsWith("step_y,step_z,counts\n"));
        QVERIFY(window_->commands().trigger("data.scanner"));
        window_->refreshNow();
        QVERIFY(scanner()->isVisible());
        QCOMPARE(scanner()->scene()->modules.size(), std::size_t{2});
        // A view without a step has a line across.
        const auto line = scanner()->line();
        QVERIFY(line.has_value());
        const auto& scene = *scanner()->scene();
        const Vec3 across = scene.crystals[(*line)[1]] - scene.crystals[(*line)[0]];
        QVERIFY(across.x > 0 && std::abs(across.y) < 1e-9 && std::abs(across.z) < 1e-9);
        keepPicture(*window_, "panel-data");
        page.model().setPlace(3, -2);
        page.refresh();
        const auto tilted = scanner()->line();
        const Vec3 step = scene.crystals[(*tilted)[0]] - scene.crystals[(*tilted)[1]];
        QVERIFY(std::abs(step.y - 3 * 2.4) < 1e-6 && std::abs(step.z + 2 * 2.4) < 1e-6);
    }
};

QTEST_MAIN(ScannerPictureTest)

}  // namespace scanner_picture_test
#include "scanner_picture_test.moc"
