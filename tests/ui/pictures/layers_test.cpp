// SPDX-License-Identifier: Apache-2.0
// Ranges that do not lie and images as layers, in the real window, with real mouse and key events.
#include "ui/desk/layers.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "recon/io/format_table.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/image_math.h"
#include "recon/study/study.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace layers_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// 6 mm voxels, as mu-maps have them, over the small study and beyond: 0.1 per cm left, 0.05 right.
Volume muMap() {
    Volume volume(Lattice::centred({60, 60, 12}, {6, 6, 6}));
    volume.units = "1/cm";
    std::size_t i = 0;
    volume.lattice.forEachVoxel([&](int x, int, int) { volume.data[i++] = x < 30 ? 0.05F : 0.1F; });
    return volume;
}

/// Share of the pixels in the colour of the map's end.
double whiteShare(const QImage& picture) {
    int white = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            white += qRed(picture.pixel(x, y)) >= 250 ? 1 : 0;
        }
    }
    return static_cast<double>(white) / (picture.width() * picture.height());
}

}  // namespace

class LayersTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        data_ = writeSmallData();
        mu_ = folder_.filePath("mu.h5");
        writeVolume(mu_.toStdString(), muMap());
    }
    void begin() override { desk_->settings().set("relaxation", "0.3"); }

  private slots:
    // ---- ranges ----

    void theImageBeforeStaysThroughTheFirstIteration() {
        open(data_);
        reconstruct(2);
        SlicePane* pane = transverse();
        const DisplayRange range = view().range();
        const double zoom = view().zoom();
        const Box fitted = view().fitted();
        const QImage before = pane->picture();
        startPaused();
        for (int block = 0; block < 5; ++block) {
            stepBlock();

            QCOMPARE(desk_->runs().selected()->label(), QString("B"));
            QCOMPARE(desk_->runs().onScreen()->label(), QString("A"));
            QCOMPARE(view().range(), range);
            QCOMPARE(pane->picture(), before);
        }
        stepIteration();

        QCOMPARE(desk_->runs().onScreen()->label(), QString("B"));
        QCOMPARE(view().range(), range);  // linked: going up and down is a fair blink
        QCOMPARE(view().zoom(), zoom);
        QCOMPARE(view().fitted().low.x, fitted.low.x);
        QVERIFY(pane->picture() != before);
        end();
    }

    void theFirstRunIsNeverWhite() {
        open(data_);
        startPaused();
        for (int block = 0; block < 6; ++block) {
            stepBlock();
            if (desk_->runs().image() != nullptr) {
                QVERIFY2(whiteShare(transverse()->picture()) < 0.3,
                         qPrintable(QString::number(whiteShare(transverse()->picture()))));
                QVERIFY(!view().rangeSource());  // what is settled is not of a part of an iteration
            }
        }
        stepIteration();

        QVERIFY(view().autoRange());
        QCOMPARE(view().range(), robustRange(*desk_->runs().image()));
        end();
    }

    void liveTuningKeepsThePictureUntilItsFirstWholeIterate() {
        open(data_);
        reconstruct(2);
        const DisplayRange range = view().range();
        desk_->live().setIterations(1);
        QVERIFY(window_->commands().trigger("run.live"));
        std::shared_ptr<const Volume> shown = desk_->runs().image();
        int changes = 0;
        const auto watch = connect(&desk_->runs(), &RunList::changed, this, [&] {
            const auto now = desk_->runs().image();
            changes += now != shown ? 1 : 0;
            shown = now;
            QVERIFY(now != nullptr);
            QCOMPARE(view().range(), range);
        });

        desk_->settings().set("relaxation", "0.2");
        QVERIFY(until([&] { return desk_->live().times().has_value() && !desk_->busy(); }));
        desk_->settings().set("relaxation", "0.1");
        QVERIFY(until([&] { return desk_->live().started() == 2 && !desk_->busy(); }));
        window_->refreshNow();

        disconnect(watch);
        QCOMPARE(changes, 2);  // one image for each change of a setting, and nothing between
        QVERIFY(window_->commands().trigger("run.live"));
    }

    void autoIsLitOnlyWhereItIsTrueAndPageKeysKeepTheRange() {
        open(data_);
        reconstruct(2);
        desk_->settings().set("relaxation", "0.9");
        reconstruct(4);
        window_->refreshNow();
        SlicePane* pane = transverse();
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);
        window_->refreshNow();
        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        const DisplayRange ofB = robustRange(*desk_->runs().image());
        QCOMPARE(view().range(), ofB);
        QVERIFY(autoButton()->isChecked());

        QTest::keyClick(pane, Qt::Key_PageUp);
        window_->refreshNow();

        QCOMPARE(desk_->runs().selected()->label(), QString("A"));
        QCOMPARE(view().range(), ofB);
        QVERIFY(!autoButton()->isChecked());
        QTest::mouseClick(autoButton(), Qt::LeftButton);
        window_->refreshNow();
        QCOMPARE(view().range(), robustRange(*desk_->runs().image()));
        QVERIFY(autoButton()->isChecked());
        QTest::keyClick(pane, Qt::Key_PageDown);
        window_->refreshNow();
        QVERIFY(!(view().range() == ofB));
        QTest::keyClick(pane, Qt::Key_Escape);  // the image is the same, and its range
        window_->refreshNow();
        QCOMPARE(view().range(), ofB);
    }

    void unlinkedRunsHaveRangesOfTheirOwn() {
        open(data_);
        reconstruct(1);
        reconstruct(1);
        QVERIFY(window_->commands().trigger("range.linked"));
        window_->refreshNow();
        view().setRange({0, 77});
        SlicePane* pane = transverse();
        pane->setFocus();

        QTest::keyClick(pane, Qt::Key_PageUp);
        window_->refreshNow();
        QVERIFY(!(view().range() == DisplayRange{0, 77}));
        QTest::keyClick(pane, Qt::Key_PageDown);
        window_->refreshNow();

        QCOMPARE(view().range(), (DisplayRange{0, 77}));
    }

    void rangesByName() {
        open(data_);
        reconstruct(2);
        const Volume& image = *desk_->runs().image();
        CommandRegistry& commands = window_->commands();

        QVERIFY(commands.trigger("range.max"));
        QCOMPARE(view().range().high, largestOf(image));
        QVERIFY(commands.trigger("range.999"));
        QCOMPARE(view().range().high, percentileOf(image, 0.999));
        QVERIFY(commands.trigger("range.background-5"));
        double sum = 0;
        int n = 0;
        const Figures figures = desk_->screen().figures();
        for (std::size_t i = 0; i < figures.rois.size(); ++i) {
            if (desk_->rois().at(static_cast<int>(i))->role == Roi::Role::Background) {
                sum += figures.rois[i].statistics.mean;
                ++n;
            }
        }
        QVERIFY(n > 0);
        QVERIFY(std::abs(view().range().high - 5 * sum / n) < 1e-9 * view().range().high);
        QVERIFY(!commands.trigger("range.suv"));  // grey, with the reason
        QVERIFY(!commands.trigger("range.mu"));
        QVERIFY(!commands.trigger("range.ct-lung"));
    }

    void rangesOfCtByName() {
        Volume ct(Lattice::centred({20, 20, 10}, {4, 4, 4}), -1000.0F);
        ct.units = "HU";
        const QString file = folder_.filePath("ct.h5");
        writeVolume(file.toStdString(), ct);
        open(file);
        // Width and level: 1500 and -600, 400 and 40, 1800 and 400, 80 and 40.
        const std::pair<const char*, DisplayRange> ranges[] = {{"range.ct-lung", {-1350, 150}},
                                                               {"range.ct-soft", {-160, 240}},
                                                               {"range.ct-bone", {-500, 1300}},
                                                               {"range.ct-brain", {0, 80}}};
        for (const auto& [command, range] : ranges) {
            QVERIFY(window_->commands().trigger(command));
            QCOMPARE(view().range(), range);
        }
    }

    // ---- layers ----

    void aMuMapOfAnotherLatticeKeepsTheCursorAndHasARangeOfItsOwn() {
        openBoth();
        const Vec3 cursor = cursor_;

        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        QCOMPARE(view().cursor().x, cursor.x);
        QCOMPARE(view().cursor().y, cursor.y);
        QCOMPARE(view().cursor().z, cursor.z);
        QCOMPARE(view().range(), robustRange(muMap()));
        QCOMPARE(transverse()->colourBarText()[3], QString("1/cm"));
        QVERIFY(window_->commands().trigger("range.mu"));
        QCOMPARE(view().range(), (DisplayRange{0, 0.15}));
        transverse()->setFocus();
        QTest::keyClick(transverse(), Qt::Key_PageUp);
        window_->refreshNow();
        QCOMPARE(view().range(), robustRange(*desk_->runs().image()));
        QCOMPARE(view().cursor().x, cursor.x);
    }

    void theStackIsBlendedPixelByPixel() {
        fuse();
        const auto layers = desk_->layers().shown();
        QCOMPARE(layers.size(), std::size_t{2});
        QCOMPARE(layers[0].item->label(), QString("B"));
        QCOMPARE(layers[1].item->label(), QString("A"));
        SlicePane* pane = transverse();
        const QImage fused = pane->picture();
        QTest::mouseClick(eye(0), Qt::LeftButton);  // the upper one goes
        window_->refreshNow();
        const QImage mu = pane->picture();
        QTest::mouseClick(eye(0), Qt::LeftButton);
        QTest::mouseClick(eye(1), Qt::LeftButton);
        window_->refreshNow();
        const QImage petOnBlack = pane->picture();

        int compared = 0;
        for (const Vec3 at : {Vec3{-40, 20, 0}, Vec3{40, -20, 0}, Vec3{10, 10, 0}, Vec3{-80, -30, 0}}) {
            Vec3 p = at;
            p.z = view().cursor().z;
            const QPoint pixel = pane->toWidget(p).toPoint();
            if (!pane->rect().contains(pixel)) {
                continue;
            }
            // Over black the upper one is 0.6 times itself; in the stack 0.4 times the lower one comes to it.
            const double expected =
                qRed(petOnBlack.pixel(pixel)) + (1 - layers[1].opacity) * qRed(mu.pixel(pixel));
            QVERIFY2(std::abs(qRed(fused.pixel(pixel)) - expected) <= 2,
                     qPrintable(QString("%1 for %2").arg(qRed(fused.pixel(pixel))).arg(expected)));
            ++compared;
        }
        QVERIFY(compared >= 3);
    }

    void keysAndSliderFadeAndUndoBringsBack() {
        fuse();
        SlicePane* pane = transverse();
        pane->setFocus();
        const QImage before = pane->picture();
        const double opacity = desk_->layers().layers().back().opacity;

        QTest::keyClick(pane, Qt::Key_Less);
        window_->refreshNow();
        QVERIFY(std::abs(desk_->layers().layers().back().opacity - (opacity - 0.1)) < 1e-9);
        QVERIFY(pane->picture() != before);
        auto* slider = window_->findChild<QSlider*>("layer.opacity.0");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(desk_->layers().layers().back().opacity, 1.0);
        QTest::keyClick(slider, Qt::Key_Home);
        window_->refreshNow();
        QCOMPARE(desk_->layers().layers().back().opacity, 0.0);
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Z, Qt::ControlModifier);  // all of the fading is one step
        window_->refreshNow();
        QCOMPARE(desk_->layers().layers().back().opacity, opacity);
        QCOMPARE(pane->picture(), before);

        const int steps = desk_->rois().undo().count();
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(pane, Qt::Key_W);
            QVERIFY(!desk_->layers().layers().back().visible);
            QTest::keyClick(pane, Qt::Key_W);
            QVERIFY(desk_->layers().layers().back().visible);
        }
        // A blink is nothing to undo; what was undone before it cannot be done again, no more.
        QVERIFY(desk_->rois().undo().count() <= steps);
    }

    void theMapOfAFusedRunComesBackWithTheSession() {
        fuse();
        ViewModel again;

        again.fromJson(view().toJson());

        QCOMPARE(view().colourMapId(), QString("hot-metal"));
        QCOMPARE(again.colourMapId(), QString("hot-metal"));
    }

    void aClickOnALayerSelectsItAndTheStackStays() {
        fuse();
        SlicePane* pane = transverse();
        const QImage before = pane->picture();
        QWidget* row = eye(1)->parentWidget();

        QTest::mouseClick(row, Qt::LeftButton, {}, {row->width() / 2, row->height() - 4});
        window_->refreshNow();

        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        QCOMPARE(desk_->layers().shown().size(), std::size_t{2});
        QCOMPARE(desk_->layers().shown()[1].item->label(), QString("A"));
        QCOMPARE(pane->picture(), before);
        view().setRange({0, 0.4});  // the bar over the pictures is that of the mu-map now
        window_->refreshNow();
        QVERIFY(pane->picture() != before);
        QTest::keyClick(window_, Qt::Key_G);  // and out again
        QVERIFY(!desk_->layers().stacked());
    }

    void theStackComesBackWithTheStudy() {
        const QString study = folder_.filePath("layers.tofstudy");
        static_cast<void>(Study::create(study.toStdString(), data_.toStdString()));
        {
            test::Program program(engines_);
            program.open({study});
            program.reconstruct(1);
            program.desk.madeImages().make(MadeImages::Kind::Truth);
            program.settle();
            program.open({mu_});
            program.desk.layers().pin(program.desk.runs().selected()->label());
            program.desk.layers().setOpacity(1, 0.35);
            program.settle();
            QCOMPARE(program.desk.runs().items().size(), std::size_t{3});
        }
        test::Program program(engines_);
        program.open({study});
        QVERIFY(until([&] { return program.desk.runs().items().size() == 3 && !program.desk.busy(); }));
        program.settle();

        const auto shown = program.desk.layers().shown();
        QCOMPARE(shown.size(), std::size_t{2});
        QCOMPARE(shown[0].volume->units, std::string("1/cm"));
        QCOMPARE(shown[1].opacity, 0.35);
        const RunItem* truth = program.desk.runs().find("B");
        QVERIFY(truth != nullptr && truth->name() == "true activity");
    }

    void truthBiasAndReplicates() {
        open(data_);
        reconstruct(1);
        reconstruct(2);
        const auto make = [&](const char* command) {
            const std::size_t before = desk_->runs().items().size();
            QVERIFY(window_->commands().trigger(command));
            QVERIFY(until([&] { return desk_->runs().items().size() == before + 1 && !desk_->busy(); }));
            window_->refreshNow();
        };
        const auto run = desk_->runs().find("B")->volume();
        make("image.truth");
        const auto truth = desk_->runs().items().back()->volume();
        double totals[2] = {0, 0};
        for (std::size_t i = 0; i < truth->data.size(); ++i) {
            totals[0] += truth->data[i];
            totals[1] += run->data[i];
        }
        QVERIFY(std::abs(totals[0] / totals[1] - 1) < 1e-4);
        QCOMPARE(truth->units, std::string("emissions/voxel"));
        // The image is made by the rule that the true CRC is read by.
        const double crc =
            FigureEvaluator(desk_->rois().set(), truth->lattice).evaluate(0, truth->data.data()).crc;
        const double trueCrc = desk_->runs().find("B")->figures().back().trueCrc;
        QVERIFY2(std::abs(crc - trueCrc) < 1e-4 * trueCrc,
                 qPrintable(QString("%1 %2").arg(crc).arg(trueCrc)));
        desk_->runs().select(desk_->runs().find("B")->id());
        make("image.bias");
        const auto bias = desk_->runs().items().back()->volume();
        QCOMPARE(bias->units, std::string("%"));
        QCOMPARE(view().range(), (DisplayRange{-50, 50}));
        desk_->madeImages().make(MadeImages::Kind::Mean, {"A", "B"});
        QVERIFY(until([&] { return desk_->runs().items().size() == 5 && !desk_->busy(); }));
        const auto mean = desk_->runs().items().back()->volume();
        const std::size_t middle = mean->data.size() / 2 + 30;
        const auto a = desk_->runs().find("A")->volume();
        QVERIFY(std::abs(mean->data[middle] - (a->data[middle] + run->data[middle]) / 2) < 1e-3);
    }

    void theImageFromOutsideIsTheFourthPicture() {
        open(data_);
        reconstruct(1);

        QTest::keyClick(window_, Qt::Key_8);
        window_->refreshNow();

        const Viewer& viewer = window_->viewer();
        QVERIFY(viewer.solid()->isVisible());
        QVERIFY(viewer.solid()->height() > 250);
        QVERIFY(viewer.pane(Plane::Sagittal)->isVisible());
        QTest::keyClick(window_, Qt::Key_1);
        window_->refreshNow();
        QVERIFY(!viewer.solid()->isVisible());
    }

    // ---- compare ----

    void imagesOnTwoLatticesAreComparedInMm() {
        openBoth();
        QTest::keyClick(window_, Qt::Key_D);
        ComparePage& page = window_->comparePage();
        QVERIFY(until([&] { return page.model().difference() != nullptr; }));
        window_->refreshNow();

        QCOMPARE(page.model().differenceName(), QString("A ") + QChar(0x2212) + " B");
        QCOMPARE(page.model().difference()->lattice, desk_->runs().find("A")->lattice());
        QVERIFY(page.figuresText().contains("A - B"));
        QVERIFY(page.probe()->text().contains("B 0."));
    }

    void keysBelongToTheOpenList() {
        open(data_);
        for (int i = 0; i < 3; ++i) {
            reconstruct(1);
        }
        QTest::keyClick(window_, Qt::Key_D);
        ComparePage& page = window_->comparePage();
        QVERIFY(until([&] { return page.model().difference() != nullptr; }));
        window_->refreshNow();
        auto* box = window_->findChild<QComboBox*>("compare.b");
        const Vec3 cursor = view().cursor();
        const int before = box->currentIndex();
        QTest::mouseClick(box, Qt::LeftButton);
        QVERIFY(until([&] { return box->view()->isVisible(); }));

        // To the window, as the window system does it: shortcuts see the key first.
        QTest::keyClick(window_->windowHandle(), before == 1 ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(box->view()->currentIndex().row(), before == 1 ? 2 : before - 1);
        QTest::keyClick(window_->windowHandle(), Qt::Key_Return);
        window_->refreshNow();

        QCOMPARE(view().cursor().z, cursor.z);
        QVERIFY2(box->currentIndex() != before, qPrintable(QString::number(before)));
        QCOMPARE(page.model().b()->id(), box->currentData().toInt());
    }

    void theSecondRunFollowsTheIterateOfTheFirst() {
        open(data_);
        reconstruct(4);
        reconstruct(4, "variant1");
        QTest::keyClick(window_, Qt::Key_D);
        ComparePage& page = window_->comparePage();
        QVERIFY(until([&] { return page.model().difference() != nullptr; }));
        window_->refreshNow();
        page.model().setLink(IterateLink::Same);

        page.model().chooseIterate(0, 2);
        QVERIFY(until([&] { return page.model().b()->shownIterate() == 2; }));

        page.model().chooseIterate(1, 4);  // by itself: the link is off
        QCOMPARE(page.model().link(), IterateLink::None);
        page.model().setLink(IterateLink::MatchedNoise);
        const double wanted = page.model().a()->figuresOf(2)->noise;
        const int found = page.model().b()->shownIterate();
        for (const Figures& f : page.model().b()->figures()) {
            QVERIFY(std::abs(page.model().b()->figuresOf(found)->noise - wanted) <=
                    std::abs(f.noise - wanted));
        }
    }

  private:
    ViewModel& view() { return desk_->view(); }
    SlicePane* transverse() { return window_->viewer().pane(Plane::Transverse); }
    QToolButton* eye(int row) { return window_->findChild<QToolButton*>(QString("layer.eye.%1").arg(row)); }
    /// The button in the bar over the pictures.
    QToolButton* autoButton() {
        QAction* action = window_->commands().action("view.auto");
        for (auto* button : window_->viewer().findChildren<QToolButton*>()) {
            if (button->defaultAction() == action) {
                return button;
            }
        }
        return nullptr;
    }
    void reconstruct(int iterations, const std::string& kernel = "invariant") {
        desk_->settings().set("iterations", std::to_string(iterations));
        desk_->settings().set("kernel", kernel);
        QVERIFY(desk_->queue().start() != 0);
        QVERIFY(until([&] { return !desk_->busy(); }));
        window_->refreshNow();
    }
    void startPaused() {
        desk_->settings().set("iterations", "2");
        QVERIFY(desk_->queue().start() != 0);
        desk_->queue().driver().togglePause();
        QVERIFY(until([&] { return active().state() == RunState::Paused; }));
        window_->refreshNow();
    }
    RunItem& active() { return *desk_->queue().active(); }
    void stepBlock() {
        const auto block = active().progress().block;
        desk_->queue().driver().stepBlock();
        QVERIFY(until(
            [&] { return active().progress().block != block && active().state() == RunState::Paused; }));
        QVERIFY(until([&] { return active().showsWork(); }));
        window_->refreshNow();
    }
    void stepIteration() {
        desk_->queue().driver().stepIteration();
        QVERIFY(until([&] { return active().lastIterate() == 1 && active().state() == RunState::Paused; }));
        window_->refreshNow();
    }
    void end() {
        desk_->queue().driver().finish();
        QVERIFY(until([&] { return !desk_->busy(); }));
    }
    /// Run A, and the mu-map as volume B, which is selected then.
    void openBoth() {
        open(data_);
        reconstruct(2);
        view().setCursor({30, -18, 6});
        cursor_ = view().cursor();
        desk_->open({mu_});
        QVERIFY(until([&] { return desk_->runs().items().size() == 2 && !desk_->busy(); }));
        window_->refreshNow();
    }
    void fuse() {
        openBoth();
        transverse()->setFocus();
        QTest::keyClick(transverse(), Qt::Key_G);
        window_->refreshNow();
        QVERIFY(desk_->layers().stacked());
        QCOMPARE(desk_->runs().selected()->label(), QString("A"));
    }

    QString data_;
    QString mu_;
    Vec3 cursor_;
};

QTEST_MAIN(LayersTest)

}  // namespace layers_test
#include "layers_test.moc"
