// SPDX-License-Identifier: Apache-2.0
// Data that are cut by time in the real window: their table, and the dynamic image that is made of them.
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/prior/prior.h"
#include "tests/ui/fixture.h"
#include "ui/desk/frame_images.h"
#include "ui/kit/choice_list.h"
#include "ui/pages/data_page.h"
#include "ui/window/frame_images_dialog.h"

namespace framed_data_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr double kHalfLife_s = 6586.2;  ///< fluorine-18, to 1e-4

/// Two frames of 300 and 100 events in the middle of every view.
HistoData framedData() {
    HistoData data = test::smallData(4);
    auto frames = std::make_shared<FramedCounts>();
    frames->nuclide = "F-18";
    const auto middle = static_cast<std::uint32_t>(data.lattice.index(30, 30, 4));
    std::fill(data.counts.begin(), data.counts.end(), 0.0F);
    for (const auto& [time, events] : {std::pair{TimeFrame{0, 60}, 75U}, {TimeFrame{60, 240}, 25U}}) {
        FrameCounts& frame = frames->frames.emplace_back();
        frame.time = time;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            frame.firsts.push_back(frame.voxels.size());
            frame.voxels.insert(frame.voxels.end(), events, middle);
            data.counts[view * data.voxels() + middle] += static_cast<float>(events);
        }
        frame.firsts.push_back(frame.voxels.size());
        frame.kept = frame.voxels.size();
    }
    data.kept = 400;
    data.duration_s = 300;
    data.frames = std::move(frames);
    return data;
}

}  // namespace

class FramedDataTest : public test::WindowTest {
    Q_OBJECT

  private Q_SLOTS:
    void theDataPageListsFrames() {
        QVERIFY(window_->commands().trigger("page.data"));
        QVERIFY(until([this] { return !window_->dataPage().model().busy(); }));
        const FrameTable& table = *window_->dataPage().frames();
        QVERIFY(table.isVisible());
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(table.item(1, 0)->text(), QString("60"));
        QCOMPARE(table.item(1, 1)->text(), QString("240"));
        QCOMPARE(table.item(1, 2)->text(), QString("100"));
        const double x = std::numbers::ln2 * 240 / kHalfLife_s;
        const double factor = std::exp(std::numbers::ln2 * 60 / kHalfLife_s) * x / (1 - std::exp(-x));
        QVERIFY(std::abs(table.item(1, 4)->text().toDouble() - factor) < 1e-5);  // seven digits, half life
        QVERIFY(table.toTsv().startsWith("start, s\tduration, s\tcounts"));
    }

    void framesAreReconstructedAndOpened() {
        desk_->settings().set("iterations", "2");
        QVERIFY(whyNoFrameImages(*desk_).isEmpty());
        makeFrameImages(*desk_, {}, folder_.filePath("frames.h5"));

        QVERIFY(until([this] { return desk_->runs().items().size() == 1 && !desk_->busy(); }));
        const RunItem& item = *desk_->runs().onScreen();
        QVERIFY(item.dynamic() != nullptr);
        QCOMPARE(item.dynamic()->frames, (std::vector<TimeFrame>{{0, 60}, {60, 240}}));
        QCOMPARE(item.units(), QString("Bq/ml"));
        QCOMPARE(QDir(folder_.path()).entryList({".frames-*"}, QDir::AllEntries | QDir::Hidden).size(), 0);
    }

    /// What the rows of the command refuse keeps the dialog open.
    void framesAreAskedForByTheRowsOfTheCommand() {
        const auto answer = [](const std::function<void(QWidget&)>& fill) {
            QTimer::singleShot(0, [fill] {
                QVERIFY(until([] { return QApplication::activeModalWidget() != nullptr; }));
                QWidget& dialog = *QApplication::activeModalWidget();
                auto* only = dialog.findChild<QLineEdit*>("frames.only");
                only->setText("2-3");
                auto* ok = dialog.findChild<QPushButton*>("frames.ok");
                QTest::mouseClick(ok, Qt::LeftButton);
                QVERIFY(dialog.isVisible());  // there are two frames
                only->setText("1-2");
                fill(dialog);
                QTest::mouseClick(ok, Qt::LeftButton);
                QVERIFY(!dialog.isVisible());
            });
        };
        const auto priorOf = [](QWidget& dialog) {
            return dialog.findChild<ChoiceList*>("frames.temporal-prior");
        };
        answer([&](QWidget& dialog) { QVERIFY(!priorOf(dialog)->isEnabled()); });
        const auto plain = askForFrames(window_, *desk_->study().measurement(), "ramla");
        QVERIFY(plain && plain->only == "1-2" && plain->temporal.prior == nullptr);

        answer([&](QWidget& dialog) {
            ChoiceList& prior = *priorOf(dialog);
            prior.setCurrentIndex(prior.findData("quadratic"));
            QVERIFY(!dialog.findChild<QWidget*>("frames.temporal-gates")->isVisible());
        });
        const auto joint = askForFrames(window_, *desk_->study().measurement(), "osem");
        QVERIFY(joint && joint->temporal.prior == &priorNamed("quadratic"));
    }

  protected:
    void makeFiles() override { writeData(folder_.filePath("framed.h5").toStdString(), framedData()); }
    void begin() override { open(folder_.filePath("framed.h5")); }
};

QTEST_MAIN(FramedDataTest)

}  // namespace framed_data_test
#include "framed_data_test.moc"
