// SPDX-License-Identifier: Apache-2.0
// A dynamic image in the real window: frames, means, curves against time, parametric images.
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/io/format_table.h"
#include "recon/kinetics/partial_volume.h"
#include "recon/work/kinetics.h"
#include "tests/ui/fixture.h"
#include "ui/kit/choice_list.h"

namespace dynamic_image_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr double kHalfLife_s = 6586.2;
constexpr double kPlasma = 1000;
constexpr double kKi_perMin = 0.05;
constexpr double kVb = 0.2;

/// Frames with a gap after the second one.
const std::vector<TimeFrame> kFrames{{0, 60}, {60, 60}, {180, 120}, {300, 300}, {600, 300}};

/// Plasma, constant, where x < 0; elsewhere what Patlak's model makes of it. Decay-corrected.
double activity(double x, const TimeFrame& frame) {
    return x < 0 ? kPlasma : kKi_perMin * kPlasma * frame.middle_s() / 60 + kVb * kPlasma;
}

/// The image has what was measured, which is not decay-corrected.
DynamicImage dynamicImage() {
    DynamicImage image;
    image.lattice = Lattice::centred({12, 10, 6}, {4, 4, 4});
    image.frames = kFrames;
    image.units = "Bq/ml";
    image.decay = DecayCorrection::None;
    image.halfLife_s = kHalfLife_s;
    for (const TimeFrame& frame : kFrames) {
        std::vector<float>& values = image.values.emplace_back(image.lattice.voxels());
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            values[image.lattice.index(x, y, z)] = static_cast<float>(
                activity(image.lattice.centre(x, y, z).x, frame) / decayFactor(frame, kHalfLife_s));
        });
    }
    return image;
}

Roi box(const std::string& name, double x) {
    Roi roi;
    roi.name = name;
    roi.shape = Roi::Shape::Box;
    roi.centre = {x, 0, 0};
    roi.size_mm = {12, 12, 12};
    return roi;
}

constexpr double kFloat = 2e-7;  // relative: one rounding to float, and sums in double

bool near(double a, double b, double relative = kFloat) {
    return std::abs(a - b) <= relative * std::abs(b);
}

}  // namespace

class DynamicImageTest : public test::WindowTest {
    Q_OBJECT

  private Q_SLOTS:
    void aDynamicImageIsOneLayerThatBeginsWithItsMean() {
        QCOMPARE(desk_->runs().items().size(), 1U);
        const RunItem& item = *desk_->runs().onScreen();
        QCOMPARE(item.dynamic()->frames.size(), kFrames.size());
        QVERIFY(window_->viewer().findChild<QWidget*>("time.bar")->isVisible());
        const DynamicImage image = dynamicImage();
        for (const std::size_t voxel : {std::size_t{0}, std::size_t{11}, image.lattice.voxels() / 2}) {
            double sum = 0;
            for (std::size_t frame = 0; frame < kFrames.size(); ++frame) {
                sum += kFrames[frame].duration_s * static_cast<double>(image.values[frame][voxel]);
            }
            QVERIFY(near(static_cast<double>(item.volume()->data[voxel]), sum / 840));
        }
        QVERIFY2(item.shownText().contains("mean of all frames, 0 to 15 min"), qPrintable(item.shownText()));
    }

    void keysAndTheSliderShowFrames() {
        auto* slider = window_->viewer().findChild<QSlider*>("time.frame");
        slider->setFocus();
        for (int press = 0; press < 3; ++press) {  // from the mean to the first frame, and on
            QTest::keyClick(slider, Qt::Key_Right);
        }
        window_->refreshNow();
        const RunItem& item = *desk_->runs().onScreen();
        QVERIFY(until([&] { return item.framesShown() == FrameRange{3, 3}; }));
        window_->refreshNow();
        QCOMPARE(item.volume()->data, dynamicImage().values[2]);
        QVERIFY2(window_->viewer().probe()->text().contains("frame 3 of 5, 180 to 300 s"),
                 qPrintable(window_->viewer().probe()->text()));

        QVERIFY(window_->commands().trigger("run.previous-iterate"));
        QCOMPARE(item.framesShown(), (FrameRange{2, 2}));
        QVERIFY(window_->commands().trigger("time.mean"));
        QCOMPARE(item.framesShown(), (FrameRange{1, 5}));
    }

    void severalFramesAreTheirMeanAndSessionsKeepThem() {
        auto* first = window_->viewer().findChild<QSpinBox*>("time.first");
        first->setFocus();
        first->setValue(3);
        auto* last = window_->viewer().findChild<QSpinBox*>("time.last");
        last->setFocus();
        last->setValue(4);
        const RunItem& item = *desk_->runs().onScreen();
        QVERIFY(until([&] { return item.framesShown() == FrameRange{3, 4}; }));
        const DynamicImage image = dynamicImage();
        const double expected =
            (120 * static_cast<double>(image.values[2][9]) + 300 * static_cast<double>(image.values[3][9])) /
            420;
        QVERIFY(near(static_cast<double>(item.volume()->data[9]), expected));

        test::Program program(engines_);
        program.desk.openLastSession(desk_->sessions().last());
        program.settle();
        QVERIFY(until([&] { return program.desk.runs().onScreen()->framesShown() == FrameRange{3, 4}; }));
    }

    void anImageTooLargeForMemoryIsReadFrameByFrame() {
        struct Quiet : WorkProgress {
            void stage(const std::string& /*name*/) override {}
            void report(double /*share*/) override {}
            void note(Remark /*about*/, const std::string& /*sentence*/) override {}
        } quiet;
        const QString path = folder_.filePath("dynamic.h5");
        const OpenedFrames frames = readFrames(recognise(path.toStdString()), {}, quiet, 1000);
        QVERIFY(frames.frames.empty());
        QCOMPARE(frames.mean->data, desk_->runs().onScreen()->volume()->data);
        RunList& runs = desk_->runs();
        RunItem& item = *runs.find(runs.addVolume("large", frames.mean));
        item.openFrames(frames, VolumeReadOptions{});
        item.setFile(path, item.imagesOnDisk());
        runs.select(item.id());
        runs.showFrames(item.id(), {4, 4});

        QVERIFY(until([&] { return item.volume() != nullptr; }));
        QCOMPARE(item.volume()->data, dynamicImage().values[3]);
        QCOMPARE(item.images().size(), 1U);
    }

    void curvesAreThoseOfTheVoxelAndTheRois() {
        desk_->rois().add({box("tissue", 14), box("outside", 500)}, "add");
        desk_->view().setCursor({-14, 0, 0});
        QVERIFY(window_->commands().trigger("chart.time"));
        window_->refreshNow();
        const TimeChart& chart = *window_->viewer().timeChart();
        QVERIFY(until([&] { return chart.curves().size() == 2; }));  // the ROI outside is left out
        std::vector<RegionCurve> curves = chart.curves();
        for (std::size_t frame = 0; frame < kFrames.size(); ++frame) {
            QVERIFY(near(curves[0].means[frame], kPlasma));
            QVERIFY(near(curves[1].means[frame], activity(1, kFrames[frame])));
        }
        QVERIFY(chart.toTsv().startsWith("frame_start\tframe_end\tcursor"));
        QCOMPARE(chart.frameAt(chart.placeOf(4)), 4);

        QVERIFY(window_->commands().trigger("time.decay"));
        curves = chart.curves();
        QVERIFY(near(curves[0].means[4], kPlasma / decayFactor(kFrames[4], kHalfLife_s)));
    }

    /// A width typed beside the switches corrects the curves of ROIs as `tac` does, and says why it cannot.
    void partialVolumesAreTakenOutOfCurves() {
        const std::vector<Roi> rois{box("tissue", 14), box("plasma", -14)};
        desk_->rois().add({rois[0], rois[1]}, "add");
        QVERIFY(window_->commands().trigger("chart.time"));
        window_->refreshNow();
        const TimeChart& chart = *window_->viewer().timeChart();
        QVERIFY(until([&] { return chart.curves().size() == 3; }));
        auto* const field = window_->findChild<QLineEdit*>("time.partial-volume");
        QVERIFY(field != nullptr && field->isVisible());
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "9");
        QTest::keyClick(field, Qt::Key_Return);

        QVERIFY(until([&] { return chart.caption().contains("partial volumes of 9"); }));

        const DynamicImage image = dynamicImage();
        const std::vector<RegionCurve> expected =
            PartialVolume::ofWidth(image.lattice, rois, 9, ThreadPool(1))
                .curves(
                    image,
                    [&](std::size_t frame) -> const std::vector<float>& { return image.values[frame]; },
                    decayFactors(image, {}, "image"));
        const std::vector<RegionCurve> curves = chart.curves();
        for (std::size_t roi = 0; roi < rois.size(); ++roi) {
            QVERIFY(near(curves[roi + 1].means[2], expected[roi].means[2], 1e-5));
            QVERIFY(near(curves[roi + 1].sds[2], expected[roi].sds[2], 1e-5));
        }
        field->selectAll();
        QTest::keyClicks(field, "wide");  // is no width, and changes nothing
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(chart.partialVolume_mm(), 9.0);
        desk_->rois().add({box("within", 14)}, "add");
        QVERIFY(until([&] { return chart.caption().contains("share voxels"); }));
        desk_->rois().undo().undo();
        field->selectAll();
        QTest::keyClicks(field, "0");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(until([&] { return !chart.caption().contains("partial") && chart.curves().size() == 3; }));
    }

    void parametricImagesAreMadeFromTheRowsOfTheCommand() {
        desk_->rois().add({box("plasma", -14)}, "add");
        QTimer::singleShot(0, [this] {
            QVERIFY(until([] { return QApplication::activeModalWidget() != nullptr; }));
            QWidget& dialog = *QApplication::activeModalWidget();
            auto* ok = dialog.findChild<QPushButton*>("kinetics.ok");
            QTest::mouseClick(ok, Qt::LeftButton);
            QVERIFY(dialog.isVisible());  // neither plasma nor the start of the line is said
            auto* roi = dialog.findChild<ChoiceList*>("kinetics.input-roi");
            roi->setCurrentIndex(1);
            dialog.findChild<QLineEdit*>("kinetics.start")->setText("3min");
            dialog.findChild<QLineEdit*>("kinetics.folder")->setText(folder_.filePath("ki"));
            QTest::mouseClick(ok, Qt::LeftButton);
            QVERIFY(!dialog.isVisible());
        });
        QVERIFY(window_->commands().trigger("time.parametric"));
        QVERIFY(until([this] { return desk_->runs().items().size() == 3 && !desk_->busy(); }));
        const auto& items = desk_->runs().items();
        const Volume& ki = *items[1]->volume();
        const auto [x, y, z] = ki.lattice.voxelAt({14, 0, 0});
        // Means are floats, and the line has a condition of about 10.
        QVERIFY2(near(static_cast<double>(ki.at(x, y, z)), kKi_perMin, 1e-5),
                 qPrintable(QString::number(ki.at(x, y, z), 'g', 9)));
        QVERIFY(near(static_cast<double>(items[2]->volume()->at(x, y, z)), kVb, 1e-4));
    }

  protected:
    void makeFiles() override {
        writeDynamicImage(folder_.filePath("dynamic.h5").toStdString(), dynamicImage());
    }
    void begin() override { open(folder_.filePath("dynamic.h5")); }
};

QTEST_MAIN(DynamicImageTest)

}  // namespace dynamic_image_test
#include "dynamic_image_test.moc"
