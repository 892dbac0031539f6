// SPDX-License-Identifier: Apache-2.0
// The Experiments page: chosen, run, watched, paused and cancelled by mouse and keys; checks, curves,
// pictures and images of what came out, in the real window.
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include "recon/experiment/registry.h"
#include "recon/work/read_measurement.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/experiments/experiments_page.h"

namespace experiments_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inBuild;
using tof::test::stays;
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

int rowOf(const std::string& name) {
    for (std::size_t i = 0; i < experiments().size(); ++i) {
        if (experiments()[i].name == name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace

class ExperimentsPageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void begin() override {
        page().model().setFolder(folder_.filePath(QString("out-%1").arg(++opened_)));
        QVERIFY(window_->commands().trigger("page.experiments"));
        window_->refreshNow();
    }

  private slots:
    void everyExperimentIsListedWithItsPaper() {
        QCOMPARE(list()->rowCount(), static_cast<int>(experiments().size()));
        for (int row = 0; row < list()->rowCount(); ++row) {
            const Experiment& one = experiments()[static_cast<std::size_t>(row)];
            QCOMPARE(list()->item(row, 0)->text(), QString::fromStdString(one.name));
            QCOMPARE(list()->item(row, 1)->text(), QString::fromStdString(one.source));
        }
        QVERIFY(!window_->findChild<QWidget*>("panel.left")->isVisible());
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, place(rowOf("ha-fig6")));
        QCOMPARE(page().model().selected(), rowOf("ha-fig6"));
        list()->setFocus();
        QTest::keyClick(list(), Qt::Key_Down);
        QCOMPARE(page().model().selected(), rowOf("ha-fig7"));
    }

    void everyExperimentSaysWhatItIsAboutInTheUsersLanguage() {
        QTranslator german;
        QVERIFY(german.load(inBuild("translations/tofscope_de.qm")));
        for (const Experiment& one : experiments()) {
            QVERIFY2(!german.translate("Word", one.about.c_str()).isEmpty(), one.about.c_str());
        }
    }

    void curvesAndChecksAreShownAndTheReportIsWritten() {
        choose("ha-fig8");
        press("experiments.run");
        QVERIFY(until([this] { return !desk_->busy(); }));
        window_->refreshNow();

        const auto* result = page().model().result(rowOf("ha-fig8"));
        QVERIFY(result != nullptr && result->report != nullptr);
        const ExperimentReport& report = *result->report;
        auto* checks = page().findChild<QTableWidget*>("experiments.checks");
        QCOMPARE(checks->rowCount(), static_cast<int>(report.checks.size()));
        for (int row = 0; row < checks->rowCount(); ++row) {
            const Check& check = report.checks[static_cast<std::size_t>(row)];
            QCOMPARE(checks->item(row, 0)->text(), QString::fromStdString(check.name));
            QCOMPARE(checks->item(row, 3)->text(), QString(verdictName(check.verdict())));
        }
        QCOMPARE(list()->item(rowOf("ha-fig8"), 2)->text(), QString(verdictName(report.verdict())));
        QVERIFY(QFileInfo::exists(page().model().reportFile(rowOf("ha-fig8"))));

        auto* chart = page().findChild<ExperimentChart*>();
        QVERIFY(chart->isVisible());
        const auto& lines = std::get<LineChart>(report.pictures.front().shown).lines;
        QCOMPARE(chart->chart().lines.size(), lines.size());
        // Numbers of the axis are those of its lines, not rounded: the widths end at 12 mm, in steps of 2.5.
        const QStringList axis = test::paintedTexts(*chart);
        QVERIFY2(axis.contains("2.5") && axis.contains("12.5") && !axis.contains("13"),
                 qPrintable(axis.join(" ")));
        // The line is where the axes say.
        const QImage drawn = chart->grab().toImage();
        const QPointF at = chart->place(lines.front().x[1], lines.front().y[1]);
        const QColor ground = drawn.pixelColor(1, drawn.height() - 2);
        bool found = false;
        for (int dy = -2; dy <= 2; ++dy) {
            found = found || drawn.pixelColor(at.toPoint() + QPoint(0, dy)) != ground;
        }
        QVERIFY(found);
        keepPicture(*window_, "experiments-curves");

        choose("ha-fig1");
        QVERIFY(!checks->isVisible());  // nothing of another one stays
        choose("ha-fig8");
        QVERIFY(checks->isVisible());
    }

    void picturesAreShownAndImagesBecomeRuns() {
        page().model().setSize(ExperimentSize::Tiny);
        choose("ha-fig1");
        press("experiments.run");
        QVERIFY(until([this] { return !desk_->busy(); }));
        window_->refreshNow();
        const auto* result = page().model().result(rowOf("ha-fig1"));
        QVERIFY(result != nullptr && !result->report->images.empty());
        auto* picture = page().findChild<ScaledPicture*>();
        auto* choice = page().findChild<QComboBox*>("experiments.choice");
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            keepPicture(*window_, QString("experiments-picture-%1").arg(i));
        }
        choice->setCurrentIndex(0);
        QVERIFY(std::holds_alternative<SliceMosaic>(result->report->pictures.front().shown));
        QVERIFY(picture->isVisible() && !picture->picture().isNull());

        press("experiments.images");
        QCOMPARE(desk_->runs().items().size(), result->report->images.size());
        window_->refreshNow();
        QVERIFY(window_->viewer().isInFront());
        QCOMPARE(desk_->runs().image()->data, result->report->images.front().volume->data);
        keepPicture(*window_, "experiments-runs");
    }

    void oneThatIsGoingOnIsPausedAndCancelled() {
        choose("ha-table3");
        press("experiments.run");
        ExperimentsModel& model = page().model();
        const int row = rowOf("ha-table3");
        QVERIFY(until(
            [&] { return model.progress(row).value_or(ExperimentsModel::Progress{}).step != QString(); }));
        QVERIFY(until([&] { return list()->item(row, 2)->text().endsWith("%"); }));
        QVERIFY(!window_->commands().trigger("experiments.run"));  // it is in work
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(desk_->tasks().paused());
        QVERIFY(until([&] {
            auto* state = page().findChild<QLabel*>("experiments.state");
            return state->text().startsWith("Paused");
        }));
        keepPicture(*window_, "experiments-paused");
        QTest::keyClick(window_, Qt::Key_F6);
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !desk_->busy(); }));
        QVERIFY(!model.inWork(row));
        QVERIFY(model.result(row) == nullptr);
        QVERIFY(model.reportFile(row).isEmpty());
        QVERIFY(window_->commands().action("experiments.run")->isEnabled());
    }

    void whatAnEarlierSessionMadeIsKnown() {
        choose("ha-fig8");
        press("experiments.run");
        QVERIFY(until([this] { return !desk_->busy(); }));
        test::Program later(engines_);
        ExperimentsModel& model = later.window.findChild<ExperimentsPage*>()->model();
        model.setFolder(page().model().folder());
        const auto* known = model.result(rowOf("ha-fig8"));
        QVERIFY(known != nullptr && known->report == nullptr);
        QCOMPARE(*known->verdict, page().model().result(rowOf("ha-fig8"))->report->verdict());
        QVERIFY(!model.reportFile(rowOf("ha-fig8")).isEmpty());
    }

    void dataOfOnesOwnAreTakenWhereTheExperimentTakesThem() {
        const auto* data = page().findChild<QLabel*>("experiments.dataText");
        choose("ha-fig8");
        QVERIFY(!window_->commands().trigger("experiments.data"));
        QVERIFY(data->text().isEmpty());
        choose("ha-table4");
        QVERIFY(data->text().contains("Data: the paper's; takes histo-images of your own"));
        QVERIFY(window_->commands().action("experiments.data")->isEnabled());
        QVERIFY(!window_->commands().trigger("experiments.paperData"));

        const QString dataFile = writeSmallData();
        page().model().setOwnData(dataFile);
        window_->refreshNow();
        QVERIFY(data->text().contains(dataFile));
        press("experiments.cpu");
        press("experiments.run");
        QVERIFY(until([this] { return !desk_->busy(); }));
        const auto* result = page().model().result(rowOf("ha-table4"));
        QVERIFY(result != nullptr && result->report != nullptr);
        const Lattice lattice = readMeasurement(dataFile.toStdString())->lattice();
        QVERIFY(result->report->conditions.starts_with(latticeText(lattice)));

        QVERIFY(window_->commands().trigger("experiments.paperData"));
        window_->refreshNow();
        QVERIFY(data->text().contains("the paper's"));
    }

    void scannersAreChosenByNameOrFromAFile() {
        const auto* scanners = page().findChild<QComboBox*>("experiments.named");
        choose("ha-fig8");
        QVERIFY(scanners->isHidden());
        choose("nema-small");
        QVERIFY(!scanners->isHidden());
        QCOMPARE(scanners->currentText(), QString("inveon"));
        choose("nema");
        QCOMPARE(scanners->currentText(), QString("ge-ste-blocks"));
        QVERIFY(scanners->findText("vereos") > 0 && scanners->findText("inveon") < 0);

        auto* chosen = page().findChild<QComboBox*>("experiments.named");
        chosen->showPopup();
        for (int i = 0; i < scanners->findText("vereos"); ++i) {
            QTest::keyClick(chosen->view(), Qt::Key_Down);
        }
        QTest::keyClick(chosen->view(), Qt::Key_Return);
        QCOMPARE(page().model().ownData(), QString("vereos"));
        keepPicture(*window_, "experiments-scanners");
        choose("ha-table4");
        QVERIFY(page().model().ownData().isEmpty());  // histo-images are not scanners
        choose("nema-images");
        QCOMPARE(scanners->currentText(), QString("vereos"));

        const QString file = folder_.filePath("mine.json");
        page().model().setOwnData(file);
        window_->refreshNow();
        QCOMPARE(scanners->currentText(), QString("mine.json"));
        QVERIFY(window_->commands().trigger("experiments.paperData"));
        window_->refreshNow();
        QCOMPARE(scanners->currentText(), QString("ge-ste-blocks"));
    }

    void theEngineIsChosenUnlessItIsNotThere() {
        const bool device = std::holds_alternative<std::shared_ptr<const Engine>>(engines_.find("cuda"));
        QCOMPARE(page().model().engine(), std::string(device ? "cuda" : "cpu"));
        QCOMPARE(window_->commands().trigger("experiments.cuda"), device);
        QVERIFY(window_->commands().trigger("experiments.cpu"));
        QCOMPARE(page().model().engine(), std::string("cpu"));
        QVERIFY(window_->commands().action("experiments.cpu")->isChecked());
    }

    void oneWithoutItsEngineSaysSo() {
        if (std::holds_alternative<std::shared_ptr<const Engine>>(engines_.find("cuda"))) {
            QSKIP("there is a GPU");
        }
        choose("ha-table1");
        QVERIFY(!window_->commands().trigger("experiments.run"));
        QVERIFY(page().findChild<QLabel*>("experiments.state")->text().contains("cuda"));
    }

  private:
    [[nodiscard]] ExperimentsPage& page() { return *window_->findChild<ExperimentsPage*>(); }
    [[nodiscard]] QTableWidget* list() { return page().findChild<QTableWidget*>("experiments.list"); }
    [[nodiscard]] QPoint place(int row) {
        list()->scrollToItem(list()->item(row, 0));
        return list()->visualItemRect(list()->item(row, 0)).center();
    }
    void choose(const std::string& name) {
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, place(rowOf(name)));
        QCOMPARE(page().model().selected(), rowOf(name));
        window_->refreshNow();
    }
    /// By the button on the page.
    void press(const char* id) {
        window_->refreshNow();
        for (QToolButton* button : page().findChildren<QToolButton*>()) {
            if (button->defaultAction() == window_->commands().action(id)) {
                QVERIFY(button->isVisible() && button->isEnabled());
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        QFAIL(id);
    }

    int opened_ = 0;
};

QTEST_MAIN(ExperimentsPageTest)

}  // namespace experiments_page_test
#include "experiments_page_test.moc"
