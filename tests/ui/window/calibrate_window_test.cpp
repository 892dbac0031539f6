// SPDX-License-Identifier: Apache-2.0
// Runs in Bq/ml by ROIs of known activity, as a person does it in the window.
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/metrics/roi.h"
#include "tests/ui/fixture.h"

namespace calibrate_window_test {

using namespace tof;
using namespace tof::ui;

class CalibrateWindowTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        HistoData data = test::smallData();
        data.duration_s = 50;
        writeData(folder_.filePath("timed.h5").toStdString(), data);
        data.duration_s = 0;
        writeData(folder_.filePath("untimed.h5").toStdString(), data);
    }

  private:
    /// Fills the dialog's fields in and presses its button.
    void calibrate(const std::vector<std::pair<QString, QString>>& fields) {
        bool seen = false;
        QTimer::singleShot(0, qApp, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            seen = true;
            for (const auto& [key, text] : fields) {
                QWidget* field = dialog->findChild<QWidget*>("calibrate." + key);
                auto* edit = qobject_cast<QLineEdit*>(field);
                edit = edit != nullptr || field == nullptr ? edit : field->findChild<QLineEdit*>();
                QVERIFY2(edit != nullptr, qPrintable(key));
                edit->setText(text);
            }
            QTest::mouseClick(dialog->findChild<QPushButton*>("calibrate.ok"), Qt::LeftButton);
            dialog->close();
        });
        QVERIFY(window_->commands().trigger("image.calibrate"));
        QVERIFY(seen);
    }
    [[nodiscard]] RunItem& item() { return *desk_->runs().items().front(); }
    [[nodiscard]] QString whyNot(const char* id) { return window_->commands().action(id)->toolTip(); }
    /// A box of 2 x 2 x 1 voxels about the axis, and the mean of what is stored there.
    double putBox() {
        const Volume& image = *item().volume();
        const Lattice& at = image.lattice;
        Roi box;
        box.name = "phantom";
        box.shape = Roi::Shape::Box;
        box.centre = {0, 0, at.origin_mm.z + 3 * at.spacing_mm[2]};
        box.size_mm = {2 * at.spacing_mm[0], 2 * at.spacing_mm[1], at.spacing_mm[2]};
        RoiSet set;
        set.rois = {box};
        desk_->rois().reset(set);
        double sum = 0;
        for (const int x : {at.size[0] / 2 - 1, at.size[0] / 2}) {
            for (const int y : {at.size[1] / 2 - 1, at.size[1] / 2}) {
                sum += static_cast<double>(image.at(x, y, 3));
            }
        }
        return sum / 4;
    }

  private Q_SLOTS:
    void roisOfKnownActivityMakeBqPerMl() {
        open(folder_.filePath("timed.h5"));
        reconstruct(1);
        const DisplayUnit before = desk_->screen().unitOf(item());
        const double mean = putBox();
        QVERIFY(mean > 0 && before.name != "Bq/ml");
        const QString file = folder_.filePath("made.json");

        calibrate({{"activity", "5000"}, {"out", file}});

        const DisplayUnit unit = desk_->screen().unitOf(item());
        QCOMPARE(unit.name, QString("Bq/ml"));
        QVERIFY(std::abs(unit.factor * mean - 5000) < 1e-3 * 5000);
        QVERIFY(QFile::exists(file));
        const nlohmann::json saved = desk_->calibrations().toJson();

        QVERIFY(window_->commands().trigger("image.calibrated"));
        QCOMPARE(desk_->screen().unitOf(item()), before);
        desk_->rois().undo().undo();
        QCOMPARE(desk_->screen().unitOf(item()), unit);
        desk_->rois().undo().undo();
        QCOMPARE(desk_->screen().unitOf(item()), before);

        calibrate({{"from", file}});
        QVERIFY(std::abs(desk_->screen().unitOf(item()).factor - unit.factor) < 1e-9 * unit.factor);
        desk_->calibrations().clear();
        desk_->calibrations().fromJson(saved);
        QVERIFY(std::abs(desk_->screen().unitOf(item()).factor - unit.factor) < 1e-9 * unit.factor);
    }

    void whatCannotBeSaysWhy() {
        open(folder_.filePath("untimed.h5"));
        QVERIFY(!window_->commands().action("image.calibrate")->isEnabled());
        reconstruct(1);
        QVERIFY(!window_->commands().action("image.calibrate")->isEnabled());
        QVERIFY2(whyNot("image.calibrate").contains("how long"), qPrintable(whyNot("image.calibrate")));
        QVERIFY2(whyNot("image.calibrated").contains("how long"), qPrintable(whyNot("image.calibrated")));
        QVERIFY(desk_->screen().whyNoActivity(item()).contains("how long"));
    }
};

QTEST_MAIN(CalibrateWindowTest)

}  // namespace calibrate_window_test
#include "calibrate_window_test.moc"
