// SPDX-License-Identifier: Apache-2.0
// Replicates of a run to the chart of an observer's AUC and to its table, through the real window.
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QJsonArray>
#include <QPushButton>
#include <QTimer>
#include <cmath>

#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"
#include "tests/ui/fixture.h"
#include "ui/charts/chart.h"
#include "ui/pages/figures_panel.h"

namespace observer_curves_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kReplicates = 6;

}  // namespace

class ObserverCurvesTest : public test::WindowTest {
    Q_OBJECT

  protected:
    /// Few counts, so that AUC is not 1, and as many replicates as an observer of two channels can learn
    /// from.
    void makeFiles() override {
        HistoData data = test::smallData();
        for (float& count : data.counts) {
            count *= 3e-5F;
        }
        writeData(folder_.filePath("data.h5").toStdString(), data);
        QFile sweep(folder_.filePath("few.json"));
        QVERIFY(sweep.open(QIODevice::WriteOnly));
        sweep.write(QString(R"({"data":"data.h5","settings":{"engine":"cpu","kernel":"invariant"},)"
                            R"("vary":{"iterations":[1,3]},"replicates":%1})")
                        .arg(kReplicates)
                        .toUtf8());
        sweep.close();
        const test::Said said = test::cli({"sweep", sweep.fileName()});
        QVERIFY2(said.code == 0, said.all());
    }
    void begin() override {
        open(folder_.filePath("few.tofstudy"));
        ObserverRequest request;
        request.channelCount = 2;
        panel().observer().setRequest(request);
    }

  private:
    [[nodiscard]] FiguresPanel& panel() { return window_->figuresPanel(); }
    [[nodiscard]] bool rated() {
        return until([this] { return !panel().observer().busy() && !panel().observer().points().empty(); });
    }
    /// What the command says of the same runs, without the one that they were drawn from.
    [[nodiscard]] std::vector<QJsonObject> byCommand(const QString& observer) {
        QStringList others;
        for (int i = 2; i <= kReplicates; ++i) {
            others << run(i);
        }
        const test::Said said =
            test::cli({"analyze", run(1), "--rois", "auto", "--observer", observer, "--channel-count", "2",
                       "--replicates", others.join(','), "--json"});
        std::vector<QJsonObject> rows;
        for (const auto& row : QJsonDocument::fromJson(said.out.toUtf8()).array()) {
            if (row.toObject()["roi"].toString() == panel().observer().sphere()) {
                rows.push_back(row.toObject());
            }
        }
        return rows;
    }
    [[nodiscard]] QString run(int replicate) const {
        return folder_.filePath(QString("few.tofstudy/runs/S001-r%1.h5").arg(replicate));
    }

  private Q_SLOTS:
    void theChartSaysWhatTheCommandSays() {
        QVERIFY(window_->commands().trigger("curve.auc-noise"));
        QVERIFY(rated());
        const auto points = panel().chart()->points();
        const std::vector<QJsonObject> rows = byCommand("cho");
        QVERIFY(!rows.empty());
        QVERIFY(rows.back()["auc_sd"].toDouble() > 0);  // the task is neither lost nor trivial
        QCOMPARE(points.size(), rows.size());
        QCOMPARE(panel().observer().points().front().images, kReplicates);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(points[i].iteration, rows[i]["iteration"].toInt());
            QVERIFY(std::abs(points[i].y - rows[i]["auc"].toDouble()) < 1e-12);
            QVERIFY(std::abs(points[i].sd - rows[i]["auc_sd"].toDouble()) < 1e-12);
            QVERIFY(std::abs(points[i].x - 100 * rows[i]["noise"].toDouble()) < 1e-9);
        }
    }

    void theTableHasTheInterval() {
        QVERIFY(window_->commands().trigger("curve.auc"));
        QVERIFY(rated());
        const QString file = folder_.filePath("auc.tsv");
        panel().chart()->save(file);
        QFile table(file);
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QStringList lines = QString(table.readAll()).split('\n', Qt::SkipEmptyParts);
        const auto title =
            std::find(lines.begin(), lines.end(), "run\titeration\tauc\tauc_sd\tauc_low\tauc_high");
        QVERIFY2(title != lines.end(), qPrintable(lines.join("\n")));
        QCOMPARE(static_cast<std::size_t>(lines.end() - title - 1), panel().chart()->points().size());
        const QStringList cells = (title + 1)->split('\t');
        QCOMPARE(cells.size(), 6);
        QVERIFY(cells[4].toDouble() <= cells[2].toDouble() && cells[2].toDouble() <= cells[5].toDouble());
        panel().chart()->save(folder_.filePath("auc.svg"));
        const QString pictures = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!pictures.isEmpty()) {
            QApplication::processEvents();
            panel().grab().save(pictures + "/observer.png");
        }
    }

    void theDialogChangesTheObserver() {
        QVERIFY(window_->commands().trigger("curve.auc"));
        QVERIFY(rated());
        QTimer::singleShot(0, qApp, [] {
            auto* dialog = QApplication::activeModalWidget();
            QVERIFY(dialog != nullptr);
            dialog->findChild<QComboBox*>("observer.observer")->setCurrentIndex(1);
            dialog->findChild<QPushButton*>("observer.ok")->click();
        });
        QVERIFY(window_->commands().trigger("curve.observer"));
        QCOMPARE(panel().observer().request().observer, std::string("lroc"));
        const std::vector<QJsonObject> rows = byCommand("lroc");
        QVERIFY(!rows.empty());
        QVERIFY(until([&] {
            return std::abs(panel().chart()->points().back().y - rows.back()["auc"].toDouble()) < 1e-12;
        }));
        QVERIFY(std::abs(panel().chart()->points().back().sd - rows.back()["auc_sd"].toDouble()) < 1e-12);
    }

    void tooFewRunsAreSaidInTheChart() {
        open(folder_.filePath("data.h5"));
        reconstruct(1);
        QVERIFY(window_->commands().trigger("curve.auc"));
        QVERIFY(until([this] { return panel().observer().whyNone().contains("three runs"); }));
        QVERIFY(panel().chart()->points().empty());
    }
};

QTEST_MAIN(ObserverCurvesTest)

}  // namespace observer_curves_test
#include "observer_curves_test.moc"
