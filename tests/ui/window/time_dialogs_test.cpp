// SPDX-License-Identifier: Apache-2.0
// From a list to parametric images by the dialogs of Tools > Time, by mouse and keys, and back by undo.
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <functional>

#include "recon/data/framed_counts.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/frame_run.h"
#include "tests/ui/fixture.h"
#include "ui/desk/list_binning.h"
#include "ui/kit/choice_list.h"

namespace time_dialogs_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kEvents = 20000;
constexpr double kDuration_s = 60;

/// Does something once a dialog of a name is in front.
void inDialog(QObject* context, const QString& name, const std::function<void(QDialog&)>& act) {
    auto* timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, context, [timer, name, act] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        const bool files = name.isEmpty() && qobject_cast<QFileDialog*>(dialog) != nullptr;
        if (dialog != nullptr && dialog->isVisible() && (files || dialog->objectName() == name)) {
            timer->stop();
            timer->deleteLater();
            act(*dialog);
        }
    });
    timer->start(20);
}

void type(QDialog& dialog, const QString& field, const QString& text) {
    auto* edit = dialog.findChild<QLineEdit*>(field);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, text);
}

void choose(QDialog& dialog, const QString& field, const QString& value) {
    auto* list = dialog.findChild<ChoiceList*>(field);
    list->setCurrentIndex(list->findData(value));
}

/// What is simulated of spheres, evenly over a minute.
EventList list() {
    EventList events = simulate(Scanner::find("labr3-ideal"), Phantom::find("spheres"),
                                {.events = kEvents, .seed = 1}, ThreadPool(2), {});
    for (std::size_t i = 0; i < events.size(); ++i) {
        events.time_ms.push_back(static_cast<std::uint32_t>(1000 * kDuration_s * static_cast<double>(i) /
                                                            static_cast<double>(events.size())));
    }
    events.duration_s = kDuration_s;
    return events;
}

}  // namespace

class TimeDialogsTest : public test::WindowTest {
    Q_OBJECT

  private Q_SLOTS:
    void aListBecomesParametricImages() {
        makeFrames();
        const FramedCounts& frames = *desk_->study().measurement()->frames();
        QCOMPARE(frames.frames.size(), std::size_t{6});
        QCOMPARE(frames.nuclide, "F-18");
        QCOMPARE(frames.frames.front().kept + frames.frames.front().outside, std::uint64_t{kEvents / 6 + 1});
        undo();
        QVERIFY(until([this] { return ready() && frameCount(*desk_->study().measurement()) == 0; }));
        makeFrames();

        desk_->settings().set("iterations", "2");
        desk_->settings().set("algorithm", "mlem");
        const QString file = folder_.filePath("dynamic.nii.gz");
        inDialog(this, "frames.dialog", [this, file](QDialog& dialog) {
            picture("images", dialog);
            inDialog(this, "", [file](QDialog& files) {
                files.findChild<QLineEdit*>("fileNameEdit")->setText(file);
                QMetaObject::invokeMethod(&files, "accept");
            });
            QTest::mouseClick(dialog.findChild<QPushButton*>("frames.ok"), Qt::LeftButton);
        });
        QVERIFY(window_->commands().trigger("time.images"));
        QVERIFY(until([this] { return ready() && desk_->runs().items().size() == 1; }, 60000));
        QCOMPARE(desk_->runs().onScreen()->dynamic()->frames.size(), std::size_t{6});
        undoAndRedo("Make images of frames", 0, 1);
        QVERIFY(QFile::exists(file));

        Roi plasma;
        plasma.name = "plasma";
        plasma.shape = Roi::Shape::Box;
        plasma.size_mm = {48, 48, 48};
        desk_->rois().add({plasma}, "add");
        window_->refreshNow();
        picture("window", *window_);
        inDialog(this, "kinetics.dialog", [this](QDialog& dialog) {
            choose(dialog, "kinetics.input-roi", "plasma");
            type(dialog, "kinetics.start", "20s");
            type(dialog, "kinetics.folder", folder_.filePath("ki"));
            picture("parametric", dialog);
            QTest::mouseClick(dialog.findChild<QPushButton*>("kinetics.ok"), Qt::LeftButton);
        });
        QVERIFY(window_->commands().trigger("time.parametric"));
        QVERIFY(until([this] { return ready() && desk_->runs().items().size() == 3; }, 60000));
        QCOMPARE(desk_->runs().items()[1]->units(), QString("1/min"));
        undoAndRedo("Make parametric image", 1, 3);
        QCOMPARE(desk_->runs().items()[1]->units(), QString("1/min"));
        undo();
        undo();  // the ROI
        undo();
        QVERIFY(desk_->runs().items().empty());
    }

  protected:
    void makeFiles() override { writeEvents(folder_.filePath("list.h5").toStdString(), list()); }
    void begin() override {
        ListBinning binning;
        binning.azimuths = 6;
        binning.tilts = 1;
        binning.voxel_mm = 8;
        binning.grid = {30, 30, 12};
        binning.mu = "none";
        desk_->openList(folder_.filePath("list.h5"), binning);
        QVERIFY(until([this] { return ready(); }, 60000));
    }

  private:
    [[nodiscard]] bool ready() const {
        return desk_->study().measurement() != nullptr && !desk_->busy() && !desk_->tasks().busy();
    }
    void undo() { QVERIFY(window_->commands().trigger("edit.undo")); }
    void undoAndRedo(const QString& step, std::size_t without, std::size_t with) {
        QCOMPARE(window_->commands().action("edit.undo")->text(), "Undo: " + step);
        undo();
        QCOMPARE(desk_->runs().items().size(), without);
        QVERIFY(window_->commands().trigger("edit.redo"));
        QCOMPARE(desk_->runs().items().size(), with);
    }
    void makeFrames() {
        inDialog(this, "binning.dialog", [this](QDialog& dialog) {
            type(dialog, "binning.frames", "6x10s");
            choose(dialog, "binning.nuclide", "F-18");
            picture("frames", dialog);
            QTest::mouseClick(dialog.findChild<QPushButton*>("binning.ok"), Qt::LeftButton);
        });
        QVERIFY(window_->commands().trigger("time.frames"));
        QVERIFY(until([this] { return ready() && frameCount(*desk_->study().measurement()) == 6; }, 60000));
    }
    static void picture(const QString& name, QWidget& what) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            QCoreApplication::processEvents();
            what.grab().save(folder + "/time-" + name + ".png");
        }
    }
};

QTEST_MAIN(TimeDialogsTest)

}  // namespace time_dialogs_test
#include "time_dialogs_test.moc"
