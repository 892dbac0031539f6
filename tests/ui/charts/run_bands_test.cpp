// SPDX-License-Identifier: Apache-2.0
// Bands of replicates: read from run files, drawn behind the curves, made from the window.
#include <QAction>
#include <QFile>
#include <QInputDialog>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/io/hdf5/run_io.h"
#include "recon/work/stored_run.h"
#include "tests/ui/fixture.h"
#include "ui/charts/chart.h"
#include "ui/charts/run_bands.h"
#include "ui/kit/theme.h"
#include "ui/pages/figures_panel.h"

namespace run_bands_test {

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

class RunBandsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { file_ = writeSmallData(); }
    void begin() override { open(file_); }

  private:
    BandReader bandsOfRuns_;

    /// Two iterations and four replicates; leaves the run selected.
    void run() {
        desk_->settings().set("iterations", "2");
        desk_->settings().set("kernel", "invariant");
        QTimer::singleShot(0, qApp, [] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->setIntValue(4);
            dialog->accept();
        });
        QVERIFY(window_->commands().trigger("run.replicates"));
        QVERIFY(desk_->queue().active() != nullptr);
        QVERIFY(until([this] { return !desk_->busy() && desk_->runs().items().size() == 3; }));
        window_->refreshNow();
    }
    RunItem* made() {
        for (const auto& item : desk_->runs().items()) {
            if (!item->isVolume()) {
                return item.get();
            }
        }
        return nullptr;
    }

    QString file_;

  private Q_SLOTS:
    void bandsAreReadFromTheirText() {
        const RunBands bands = RunBands::fromJson(
            R"({"replicates": 3, "iterations": [{"iteration": 2, "crc": {"mean": 0.5, "sd": 0.02},
                "noise": null, "rois": [{"name": "a", "mean": {"mean": 7, "sd": 1}}]}]})");
        QCOMPARE(bands.replicates, 3);
        QCOMPARE(bands.find(2, "crc")->sd, 0.02);
        QCOMPARE(bands.find(2, "roi a")->mean, 7.0);
        QVERIFY(!bands.find(2, "noise") && !bands.find(1, "crc"));
        QVERIFY(RunBands::fromJson("no json").iterations.empty());
    }

    void aRunWithReplicatesHasBandsOnEveryCurve() {
        run();
        RunItem* item = made();
        QVERIFY(item != nullptr && item->lastIterate() == 2);
        const auto text = readRunSummary(item->file().toStdString()).bandsJson;
        const auto rows = nlohmann::json::parse(text).at("iterations");
        auto* chart = window_->findChild<FiguresPanel*>()->findChild<CurveChart*>();
        const std::pair<const char*, const char*> kinds[] = {
            {"crc", "crc"}, {"noise", "noise"}, {"nsr", "nsr"}, {"crc-noise", "crc"}};
        for (const auto& [kind, key] : kinds) {
            QVERIFY(window_->commands().trigger(QString("curve.") + kind));
            const auto bands =
                bandsOf(desk_->runs(), desk_->rois(), desk_->screen(), chart->kind(), bandsOfRuns_);
            QCOMPARE(bands.size(), std::size_t{2});
            const auto& row = rows.at(1).at(key);
            const double half = 196 * row.at("sd").get<double>();
            QVERIFY(std::abs(bands[1].high - bands[1].low - 2 * half) < 1e-9);
            QVERIFY(std::abs(bands[1].high + bands[1].low - 200 * row.at("mean").get<double>()) < 1e-9);
            QVERIFY(half > 0);
        }
        QVERIFY(chart->toCsv().contains("band_low_percent"));
        desk_->view().selectRoi(0);
        QVERIFY(window_->commands().trigger("curve.roi-mean"));
        QCOMPARE(bandsOf(desk_->runs(), desk_->rois(), desk_->screen(), chart->kind(), bandsOfRuns_).size(),
                 std::size_t{2});
    }

    void bandsNeedNoFileOnceTheRunIsThere() {
        run();
        RunItem* item = made();
        const StoredRun stored = describeRun(item->file().toStdString());
        QVERIFY(QFile::remove(item->file()));
        // One that has just ended, by the chart that paints it.
        QVERIFY(window_->commands().trigger("curve.crc"));
        const CurveKind kind = window_->figuresPanel().chart()->kind();
        QCOMPARE(bandsOf(desk_->runs(), desk_->rois(), desk_->screen(), kind, bandsOfRuns_).size(),
                 std::size_t{2});
        // One that was opened.
        RunItem opened(1, RunKind::Reconstruction, "A", "opened");
        opened.open(stored);
        QCOMPARE(BandReader().of(opened).replicates, 4);
    }

    void anotherTextTakesThePlaceOfBands() {
        RunItem item(1, RunKind::Reconstruction, "A", "run");
        item.setFile("gone.h5", {});
        item.end(RunState::Done);
        BandReader reader;
        QCOMPARE(reader.of(item).replicates, 0);
        item.keepBands(R"({"replicates": 3})");
        QCOMPARE(reader.of(item).replicates, 3);
        item.keepBands(R"({"replicates": 5})");
        QCOMPARE(reader.of(item).replicates, 5);
        item.keepBands("");
        QCOMPARE(reader.of(item).replicates, 0);
    }

    void pointsOfARunAreOneStretch() {
        const std::vector<BandPoint> points{{3, 1, 0, 0, 0}, {3, 2, 0, 0, 0}, {1, 1, 0, 0, 0}};
        const auto runs = byRun(points);
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].size(), std::size_t{2});
        QCOMPARE(runs[1].data(), &points[2]);
        QVERIFY(byRun(std::vector<BandPoint>()).empty());
    }

    void theBandIsPainted() {
        run();
        QVERIFY(window_->commands().trigger("curve.crc"));
        auto* chart = window_->findChild<FiguresPanel*>()->findChild<CurveChart*>();
        const auto bands =
            bandsOf(desk_->runs(), desk_->rois(), desk_->screen(), chart->kind(), bandsOfRuns_);
        // Between the iterates, off the curve's own line: the band's faint colour over the ground.
        const QImage picture = chart->grab().toImage();
        const auto at = [&](double y) { return chart->place({bands[1].runId, 0, 1.5, y, 0}).toPoint(); };
        const double inside = 0.25 * (bands[0].low + bands[1].low) + 0.25 * (bands[0].high + bands[1].high);
        int tinted = 0;
        for (int i = -3; i <= 3; ++i) {
            const QPoint p = at(inside) + QPoint(0, i);
            tinted += picture.pixelColor(p) != Theme::of(*chart).plot ? 1 : 0;
        }
        QVERIFY(tinted >= 2);
        keepPicture(*window_, "bands");
    }

    void meanAndSdAreImagesBesideTheRun() {
        run();
        std::shared_ptr<const Volume> mean;
        std::shared_ptr<const Volume> sd;
        for (const auto& item : desk_->runs().items()) {
            mean = item->name().startsWith("mean of 4") ? item->volume() : mean;
            sd = item->name().startsWith("SD of 4") ? item->volume() : sd;
        }
        QVERIFY(mean != nullptr && sd != nullptr);
        const auto file = made()->file().toStdString();
        QVERIFY(mean->data == readReplicates(file, 2, ReplicateImage::Mean).data);
        QVERIFY(sd->data == readReplicates(file, 2, ReplicateImage::Sd).data);
        QVERIFY(*std::max_element(sd->data.begin(), sd->data.end()) > 0);
    }

    void cancellingLeavesNothing() {
        desk_->settings().set("iterations", "200");
        QVERIFY(desk_->queue().start(desk_->settings().current(), 50) != 0);
        const QAction* const cancel = window_->commands().action("run.cancel");
        QVERIFY(until([&] { return desk_->queue().active()->lastIterate() > 0 && cancel->isEnabled(); }));
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([this] { return !desk_->busy(); }));
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});  // no mean and no SD
        QCOMPARE(made()->state(), RunState::Cancelled);
        QVERIFY(made()->file().isEmpty());
    }
};

QTEST_MAIN(RunBandsTest)

}  // namespace run_bands_test
#include "run_bands_test.moc"
