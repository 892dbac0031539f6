// SPDX-License-Identifier: Apache-2.0
// What a person must be able to rely on: numbers, provenance, errors that are seen, keys that do what was
// meant.
#include <QAbstractItemView>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/study/study.h"
#include "tests/support/rings.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/engineering.h"
#include "ui/kit/theme.h"
#include "ui/pages/recent_files.h"
#include "ui/pages/setting_words.h"
#include "ui/pages/sweep_dialog.h"
#include "ui/pages/undo_steps.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/manual.h"
#include "ui/window/palette.h"
#include "ui/window/simulation_dialog.h"

namespace trust_test {

using namespace tof;
using namespace tof::ui;
using tof::test::stays;
using tof::test::until;

namespace {

/// Whether the style has room for every number of a table.
bool numbersAreWhole(const QTableWidget& table, int firstNumber) {
    for (int row = 0; row < table.rowCount(); ++row) {
        for (int c = firstNumber; c < table.columnCount(); ++c) {
            const QModelIndex index = table.model()->index(row, c);
            if (index.data().isValid() && !table.isColumnHidden(c) &&
                table.columnWidth(c) < table.itemDelegate()->sizeHint({}, index).width()) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

class TrustTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = writeSmallData();
        ringFile_ = folder_.filePath("ring.h5");
        SinogramData data;
        data.michelogram = std::make_shared<const Michelogram>(test::threeRings({3, 400, 500}));
        data.lattice = Lattice::centred({20, 20, 5}, {10, 10, 5});
        for (std::size_t i = 0; i < data.michelogram->bins(); ++i) {
            data.counts.push_back(static_cast<float>(i % 7));
        }
        data.kept = 1;
        writeSinogramData(ringFile_.toStdString(), data);
        // Enough events for seconds of binning, the few that were simulated ten times over.
        EventList events = simulate(Scanner::find("labr3-ideal"), Phantom::find("spheres"),
                                    {.events = 20000, .seed = 1}, ThreadPool(2), {});
        const std::size_t simulated = events.size();
        for (int i = 0; i < 9; ++i) {
            for (std::size_t k = 0; k < simulated; ++k) {
                events.crystals.push_back(events.crystals[k]);
                events.dt_ps.push_back(events.dt_ps[k]);
                events.kind.push_back(events.kind[k]);
            }
        }
        events.scatters.clear();
        events.energy_keV.clear();
        events.mult.clear();
        events.add.clear();
        events.time_ms.clear();
        listFile_ = folder_.filePath("list.h5");
        writeEvents(listFile_.toStdString(), events);
    }

  private slots:
    // ---- numbers ----

    void smallNumbersShareOnePowerOfTenAndAreWhole_data() {
        QTest::addColumn<double>("scale");
        QTest::newRow("as they are") << 1.0;
        QTest::newRow("of a ring") << 1e-7;
        QTest::newRow("large") << 1e8;
    }

    void smallNumbersShareOnePowerOfTenAndAreWhole() {
        QFETCH(double, scale);
        open(dataFile_);
        reconstruct(1);
        auto* item = desk_->runs().selected();
        auto scaled = std::make_shared<Volume>(*item->volume());
        for (float& v : scaled->data) {
            v *= static_cast<float>(scale);
        }
        const int id = desk_->runs().addVolume("scaled", scaled);
        desk_->runs().select(id);
        QVERIFY(window_->commands().trigger("chart.rois"));
        window_->refreshNow();
        QApplication::processEvents();

        RoiTable& all = *window_->viewer().roiTable();
        auto& few = *window_->findChild<QTableWidget*>("rois.table");
        QVERIFY(numbersAreWhole(all, 3));
        QVERIFY(numbersAreWhole(few, 1));
        const double mean = desk_->screen().figures().rois[0].statistics.mean;
        const QString title = all.horizontalHeaderItem(3)->text();
        const int power = commonPower(desk_->screen().figures().rois[0].statistics.maximum);
        QCOMPARE(title.contains("10"), scale != 1.0);
        QCOMPARE(few.horizontalHeaderItem(1)->text().contains("10"), scale != 1.0);
        if (scale != 1.0) {
            QVERIFY2(title.endsWith(powerText(power)) || title.endsWith(powerText(power + 1)),
                     qPrintable(title));
            QVERIFY(!all.item(0, 3)->text().contains('e'));
            bool ok = false;
            const double shown = all.item(0, 3)->text().toDouble(&ok);
            QVERIFY(ok && std::abs(shown) < 1000);
            const int told = title.endsWith(powerText(power)) ? power : power + 1;
            QVERIFY(std::abs(shown - mean / std::pow(10.0, told)) < 0.001);
        }
    }

    void aNumberIsWholeInAnyFont_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("stretch");
        QTest::newRow("as it is") << QString() << 100;
        QTest::newRow("wide") << QString("DejaVu Sans") << 100;
        QTest::newRow("very wide") << QString("DejaVu Sans") << 150;
    }

    void aNumberIsWholeInAnyFont() {
        QFETCH(QString, family);
        QFETCH(int, stretch);
        const QFont before = QApplication::font();
        QFont wide = before;
        if (!family.isEmpty()) {
            wide.setFamily(family);
        }
        wide.setStretch(stretch);
        QApplication::setFont(wide);
        QStringList cut;
        QStringList bold;
        {
            test::Program program(engines_);
            program.open({dataFile_});
            program.reconstruct(1);
            auto scaled = std::make_shared<Volume>(*program.desk.runs().selected()->volume());
            for (float& v : scaled->data) {
                v *= 123;
            }
            program.desk.runs().select(program.desk.runs().addVolume("scaled", scaled));
            QVERIFY(program.window.commands().trigger("chart.rois"));
            program.window.refreshNow();
            QApplication::processEvents();
            auto& few = *program.window.findChild<QTableWidget*>("rois.table");
            const QStringList painted = test::paintedTexts(*few.viewport());
            for (int row = 0; row < few.rowCount(); ++row) {
                for (int c = 1; c < few.columnCount(); ++c) {
                    if (!painted.contains(few.item(row, c)->text())) {
                        cut << few.item(row, c)->text();
                    }
                }
            }
            QVERIFY(numbersAreWhole(*program.window.viewer().roiTable(), 3));
            for (const QString& text : test::paintedTexts(*program.window.viewer().roiTable()->viewport())) {
                if (text.contains(QChar(0x2026)) && text[0].isDigit()) {
                    cut << text;
                }
            }
            for (int row = 0; row < few.rowCount(); ++row) {
                if (few.item(row, 3)->font().weight() > QFont::Normal) {
                    bold << few.item(row, 3)->text();
                }
            }
            QVERIFY(!bold.isEmpty());
            keepPicture(few, "font-" + family + QString::number(stretch));
        }
        QApplication::setFont(before);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(" | ")));
    }

    void anExportSaysWhatTheRunWasMadeWith() {
        open(ringFile_);
        desk_->settings().set("projector", "siddon");
        desk_->settings().set("iterations", "1");
        QVERIFY(desk_->queue().start() != 0);
        QVERIFY(until([&] { return !desk_->busy(); }));
        desk_->settings().set("projector", "joseph");  // what the panel says is of the next run
        const QString run = exportRun(*desk_->runs().items().front());
        QVERIFY2(run.contains("projector siddon") && !run.contains("kernel"), qPrintable(run));

        const QString file = folder_.filePath("profile.csv");
        answerFileDialog(file);
        QVERIFY(window_->commands().trigger("export.profile"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = written.readAll();
        QVERIFY2(
            text.startsWith("# tofscope") && text.contains("projector siddon") && !text.contains("variant1"),
            qPrintable(text.left(400)));
        QVERIFY(!window_->notice().isHidden());
        QCOMPARE(window_->notice().sentence(), QString("Written: profile.csv"));
        QVERIFY(window_->findChild<QToolButton*>("notice.folder")->isVisible());
    }

    void aConstantVolumeHasNoWidth() {
        Volume volume(Lattice::centred({40, 40, 8}, {4, 4, 4}), 0.0096F);
        const QString file = folder_.filePath("constant.nii");
        writeVolume(file.toStdString(), volume);
        open(file);
        auto* chart = window_->findChild<ProfileChart*>("chart.profile");
        QCOMPARE(chart->curves().size(), std::size_t{1});
        QVERIFY(!chart->curves()[0].fwhm_mm());
        QVERIFY2(chart->curves()[0].whyNoWidth.contains("No peak"),
                 qPrintable(chart->curves()[0].whyNoWidth));

        desk_->view().setLine(ProfileLine{{-60, 3, 0}, {60, -5, 0}});
        desk_->view().setProfileAxis(ViewModel::kAlongLine);
        QVERIFY(!chart->curves()[0].fwhm_mm());
    }

    void aSphereHasAWidthAndNoiseHasNone() {
        open(dataFile_);
        reconstruct(3);
        auto* chart = window_->findChild<ProfileChart*>("chart.profile");
        const auto& rois = desk_->rois().rois();
        const auto sphere =
            std::find_if(rois.begin(), rois.end(), [](const Roi& r) { return r.role == Roi::Role::Sphere; });
        desk_->view().setCursor(sphere->centre);
        window_->refreshNow();
        QVERIFY(chart->curves()[0].fwhm_mm());
    }

    void bothTablesOfRoisSayTheSameAtAnyInstant() {
        open(dataFile_);
        QVERIFY(window_->commands().trigger("chart.rois"));
        RoiTable& all = *window_->viewer().roiTable();
        auto& few = *window_->findChild<QTableWidget*>("rois.table");
        desk_->settings().set("iterations", "60");
        QVERIFY(desk_->queue().start() != 0);
        int compared = 0;
        std::set<QString> seen;
        QVERIFY(until([&] {
            if (all.item(0, 3) != nullptr && few.item(0, 1) != nullptr && all.item(0, 3)->text().size() > 1) {
                ++compared;
                seen.insert(few.item(0, 1)->text());
                if (all.item(0, 3)->text() != few.item(0, 1)->text()) {
                    qWarning() << all.item(0, 3)->text() << few.item(0, 1)->text();
                    return true;
                }
            }
            return !desk_->busy();
        }));
        QVERIFY(until([&] { return !desk_->busy(); }));
        QVERIFY(compared > 3 && seen.size() > 2);
        QCOMPARE(all.item(0, 3)->text(), few.item(0, 1)->text());
    }

    void everyPaneExportsItself_data() {
        QTest::addColumn<QString>("chart");
        QTest::addColumn<QString>("begins");
        QTest::newRow("profile") << "chart.profile"
                                 << "x_mm,";
        QTest::newRow("histogram") << "chart.histogram"
                                   << "from (";
        QTest::newRow("table") << "chart.rois"
                               << "ROI";
    }

    void everyPaneExportsItself() {
        QFETCH(QString, chart);
        QFETCH(QString, begins);
        open(dataFile_);
        reconstruct(1);
        QVERIFY(window_->commands().trigger(chart));
        window_->refreshNow();
        const QString file = folder_.filePath("pane." + QString(chart == "chart.rois" ? "tsv" : "csv"));
        QFile::remove(file);
        answerFileDialog(file);
        auto* button = window_->viewer().findChild<QToolButton*>("export.pane.button");
        QVERIFY(button != nullptr && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);

        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QString body;
        for (const QString& line : QString(written.readAll()).split('\n')) {
            if (!line.startsWith('#')) {
                body = line;
                break;
            }
        }
        QVERIFY2(body.startsWith(begins, Qt::CaseInsensitive), qPrintable(body));
    }

    // ---- rows and keys ----

    void backgroundsAreOneRowThatUnfolds() {
        open(dataFile_);
        reconstruct(1);
        auto& table = *window_->findChild<QTableWidget*>("rois.table");
        const auto names = [&] {
            QStringList list;
            for (int row = 0; row < table.rowCount(); ++row) {
                list << table.item(row, 0)->text();
            }
            return list;
        };
        const QStringList before = names();
        for (int i = 0; i < 3; ++i) {
            desk_->view().selectRoi(i);
            window_->refreshNow();
            QCOMPARE(names(), before);  // no row comes or goes by what is selected
        }
        const auto group = before.indexOf("backgrounds");
        QVERIFY(group > 0);
        const auto click = [&] {
            QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                              table.visualItemRect(table.item(static_cast<int>(group), 0)).center());
        };
        click();
        QVERIFY(names().size() > before.size() && names().contains("background 1"));
        click();
        QCOMPARE(names(), before);
    }

    void returnInAFieldFoldsNothing() {
        open(dataFile_);
        reconstruct(1);
        desk_->view().selectRoi(0);
        window_->figuresPanel().setEditorShown(true);
        window_->refreshNow();
        auto* name = window_->figuresPanel().editor()->findChild<QLineEdit*>();
        QVERIFY(name != nullptr);
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, "lesion");
        QTest::keyClick(name, Qt::Key_Return);

        QCOMPARE(QString::fromStdString(desk_->rois().at(0)->name), QString("lesion"));
        for (Section* section : window_->figuresPanel().sections()) {
            QVERIFY(!section->content()->parentWidget()->isHidden() ||
                    section == window_->figuresPanel().sections()[2]);
        }
        QVERIFY(name->isVisible());
    }

    void deleteIsAboutWhatWasClickedLast() {
        open(dataFile_);
        reconstruct(1);
        reconstruct(1);
        desk_->view().selectRoi(0);
        window_->refreshNow();
        const int rois = desk_->rois().count();
        auto* rows = window_->findChild<RunRows*>("runs");
        QTest::mouseClick(rows, Qt::LeftButton, {}, {60, 20});
        QTest::keyClick(window_, Qt::Key_Delete);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QCOMPARE(desk_->rois().count(), rois);

        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        QTest::mouseClick(pane, Qt::LeftButton, {}, {20, 20});
        desk_->view().selectRoi(0);
        window_->refreshNow();
        QTest::keyClick(window_, Qt::Key_Delete);
        QCOMPARE(desk_->rois().count(), rois - 1);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
    }

    // ---- errors ----

    void anErrorIsSaidOverThePictures() {
        open(dataFile_);
        reconstruct(1);
        const QString damaged = folder_.filePath("damaged.h5");
        QFile file(damaged);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x89HDF\r\n\x1a\n damaged");
        file.close();
        window_->notice().setShownFor(400);
        open(damaged);

        QVERIFY(window_->notice().isVisible());
        QVERIFY2(window_->notice().sentence().contains("damaged.h5"),
                 qPrintable(window_->notice().sentence()));
        const QRect over(window_->notice().mapTo(window_, QPoint()), window_->notice().size());
        QVERIFY(window_->rect().contains(over));
        QTest::mouseClick(window_->findChild<QToolButton*>("notice.report"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains("damaged.h5"));
        QVERIFY(until([&] { return window_->notice().isHidden(); }, 5000));
        open(damaged);
        QTest::mouseClick(window_->findChild<QToolButton*>("notice.details"), Qt::LeftButton);
        auto* messages = window_->findChild<QDialog*>("messages");
        QVERIFY(messages != nullptr && messages->isVisible());
        messages->close();
    }

    void theFirstWindowFitsTheScreen() {
        Preferences none{QString()};
        Desk desk(engines_, Threading::Inline);
        MainWindow window(desk, none, MainWindow::Options{.askBeforeClosing = false});
        const QSize available = window.screen()->availableGeometry().size();
        QVERIFY(window.width() <= std::max(640, available.width() - 16));
        QVERIFY(window.height() <= std::max(420, available.height() - 48));
        QVERIFY(window.minimumWidth() <= 800 &&
                window.minimumHeight() <= 500);  // a screen of 1600 x 1000 at scale 2
    }

    void whatAnEarlierSessionLeftIsACardOnTheStartPage() {
        const QString preferences = folder_.filePath("crashed/tofscope.ini");
        const QString session = Preferences(preferences).sessionFile();
        QVERIFY(!session.isEmpty());
        QDir().mkpath(QFileInfo(session).absolutePath());
        const auto write = [&](const QByteArray& json) {
            QFile file(session);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(json);
        };
        write("{\"files\": [\"" + dataFile_.toUtf8() + "\"], \"clean\": false}");
        {
            test::Program program(engines_, {.preferencesFile = preferences});
            auto* card = program.window.findChild<QWidget*>("start.recovery");
            QVERIFY(card != nullptr && card->isVisible());
            QTest::mouseClick(program.window.findChild<QPushButton*>("start.recovery.file.reopen"),
                              Qt::LeftButton);
            QVERIFY(until([&] { return !program.desk.isEmpty() && !program.desk.busy(); }));
        }
        // Nothing of a window that is still open has crashed.
        write("{\"files\": [\"" + dataFile_.toUtf8() + "\"], \"clean\": false, \"process\": 1}");
        test::Program program(engines_, {.preferencesFile = preferences});
        QVERIFY(!program.window.findChild<QWidget*>("start.recovery")->isVisible());
    }

    void aSecondWindowShowsNoRunsThatTheFirstOneHas() {
        const QString folder = folder_.filePath("both.tofstudy");
        static_cast<void>(Study::create(folder.toStdString(), dataFile_.toStdString()));
        open(folder);
        desk_->settings().set("iterations", "20000");  // not at its end before the second has looked
        QVERIFY(desk_->queue().start() != 0);
        QVERIFY(desk_->queue().start() != 0);
        const QString preferences = folder_.filePath("second/tofscope.ini");
        {
            test::Program second(engines_, {.preferencesFile = preferences});
            second.desk.open({folder});
            QVERIFY(until([&] { return !second.desk.isEmpty() && !second.desk.busy(); }));
            QVERIFY(second.desk.queue().waiting().empty());  // they are going on, or wait, in the first one
            second.window.close();
        }
        test::Program third(engines_, {.preferencesFile = preferences});
        QVERIFY(!third.window.rescue().whyNot().isEmpty());
        QVERIFY(!third.window.findChild<QWidget*>("start.recovery")->isVisible());
        desk_->close();
    }

    void aRunThatWasEndedEarlyKeepsItsWord() {
        open(dataFile_);
        reconstruct(2);
        RunItem& made = *desk_->runs().items().front();
        StoredRun stored;
        stored.name = "A";
        stored.made.settings = made.settings();
        stored.made.settings.iterations = 20;
        stored.made.system = "histo";
        stored.summary.lattice = made.lattice();
        stored.summary.iterates = made.timing();
        RunItem& opened = desk_->runs().add(RunKind::Reconstruction, "invariant", "B");
        opened.open(stored);
        QCOMPARE(RunRows::stateText(opened), QString("2 kept"));
    }

    void aVerySmallWindowHasAllOfItWithinReach() {
        open(dataFile_);
        reconstruct(1);
        window_->resize(800, 500);
        QApplication::processEvents();
        QCOMPARE(window_->size(), QSize(800, 500));
        auto* right = window_->findChild<QWidget*>("panel.right");
        QVERIFY(!right->isVisible());
        auto* button = window_->findChild<QToolButton*>("rail.data");
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(right->isVisible());
        QVERIFY(window_->rect().contains(QRect(right->mapTo(window_, QPoint()), right->size())));
        keepPicture(*window_, "small");
        QTest::mouseClick(window_->viewer().pane(Plane::Transverse), Qt::LeftButton, {}, {20, 20});
        QVERIFY(!right->isVisible());
        window_->resize(1600, 1000);
        QApplication::processEvents();
        QVERIFY(right->isVisible() && !button->isVisible());
    }

    // ---- simulating ----

    void aSimulationIsPausedAndCancelledLikeARun() {
        SimulationRequest request;
        request.settings.events = 5000000;
        request.threads = 1;  // it only has to go on
        request.folder = folder_.filePath("never.tofstudy");
        desk_->simulate(request);
        TaskQueue& tasks = desk_->tasks();
        QVERIFY(until([&] { return tasks.share() > 0; }));
        window_->refreshNow();
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(tasks.paused());
        QVERIFY2(window_->status().sentence().startsWith("Paused"), qPrintable(window_->status().sentence()));
        // It stands still once the steps in flight are over.
        QVERIFY(until([&] {
            const double share = tasks.share();
            return stays([&] { return tasks.share() == share; }, 500);
        }));
        const double held = tasks.share();
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(until([&] { return tasks.share() > held; }));
        QVERIFY(until([&] { return tasks.remainingSeconds().has_value(); }));
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !tasks.busy(); }));
        QVERIFY(!QFileInfo::exists(request.folder));
        QVERIFY(desk_->messages().all().back().text.contains("cancelled"));
    }

    void whatIsWorkedOnStaysWhenASimulationEnds() {
        open(dataFile_);
        const QString before = desk_->study().name();
        SimulationRequest request;
        request.scanner = "small-panel";  // its data are small
        request.phantom = "small-derenzo";
        request.settings.events = 2000;
        request.folder = folder_.filePath("beside.tofstudy");
        desk_->simulate(request);
        QVERIFY(until([&] { return QFileInfo::exists(request.folder + "/study.json") && !desk_->busy(); },
                      240000));
        QCOMPARE(desk_->study().name(), before);
        auto* notice = window_->findChild<NoticeBar*>();
        QCOMPARE(notice->sentence(), QString("beside is simulated"));
        keepPicture(*window_, "simulated_beside");
        QTest::mouseClick(notice->findChild<QToolButton*>("notice.open"), Qt::LeftButton);
        QVERIFY(until([&] { return desk_->study().name() == "beside"; }));
    }

    void openingListModeIsPausedAndCancelledLikeARun() {
        open(dataFile_);
        const std::string before = desk_->study().measurement()->hash();
        const qsizetype messages = static_cast<qsizetype>(desk_->messages().all().size());
        ListBinning binning;
        binning.mu = "none";
        binning.tilts = 1;
        binning.voxel_mm = 8;
        desk_->openList(listFile_, binning);
        TaskQueue& tasks = desk_->tasks();
        QVERIFY(tasks.busy());
        QVERIFY(until([&] { return tasks.share() > 0; }));
        window_->refreshNow();
        QVERIFY2(window_->status().sentence().startsWith("Opening list.h5"),
                 qPrintable(window_->status().sentence()));
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(tasks.paused());
        QVERIFY2(window_->status().sentence().startsWith("Paused"), qPrintable(window_->status().sentence()));
        QVERIFY(until([&] {
            const double share = tasks.share();
            return stays([&] { return tasks.share() == share; }, 300);
        }));
        const double held = tasks.share();
        QVERIFY(held < 1 && tasks.busy());
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(until([&] { return tasks.share() > held; }));
        QVERIFY(until([&] { return tasks.remainingSeconds().has_value(); }));
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !tasks.busy(); }));
        // What was open stays, and one sentence says what became of the other.
        QCOMPARE(desk_->study().measurement()->hash(), before);
        QCOMPARE(static_cast<qsizetype>(desk_->messages().all().size()), messages + 1);
        QVERIFY(desk_->messages().all().back().text.contains("Opening list.h5: cancelled"));
    }

    void whatIsOpenedInOneStepIsCancelledAndHeldToo() {
        open(dataFile_);
        const std::string before = desk_->study().measurement()->hash();
        ListBinning lines;
        lines.form = "lors";
        lines.mu = "none";
        desk_->openList(listFile_, lines);
        window_->refreshNow();
        QVERIFY(desk_->tasks().busy());
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !desk_->tasks().busy(); }));
        QCOMPARE(desk_->study().measurement()->hash(), before);
        QVERIFY(desk_->messages().all().back().text.contains("Opening list.h5: cancelled"));

        desk_->openList(listFile_, lines);
        window_->refreshNow();
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(desk_->tasks().paused());
        QVERIFY(stays([&] { return desk_->tasks().busy() && desk_->study().measurement()->hash() == before; },
                      1500));
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(until([&] { return desk_->study().measurement()->hash() != before; }));
    }

    void theDialogOffersEveryScannerAndPhantomWithPictures() {
        SimulationDialog dialog(Threading::Inline, "no device here");
        dialog.show();
        auto* scanner = dialog.findChild<QComboBox*>("simulate.scanner");
        auto* phantom = dialog.findChild<QComboBox*>("simulate.phantom");
        QVERIFY(scanner->findData("labr3") >= 0 && scanner->findData("ge-ste") >= 0);
        for (const BuiltIn& one : builtInPhantoms()) {
            QVERIFY(phantom->findData(QString::fromStdString(one.name)) >= 0);
        }
        const QImage before = dialog.findChild<QWidget*>("simulate.picture")->grab().toImage();
        phantom->setCurrentIndex(phantom->findData("nema-iq"));
        QVERIFY(dialog.findChild<QWidget*>("simulate.picture")->grab().toImage() != before);
        QVERIFY(dialog.findChild<QLabel*>("simulate.estimate")->text().contains("about"));
        QVERIFY(!dialog.findChild<QWidget*>("simulate.noise-free")->isEnabled());
        scanner->setCurrentIndex(scanner->findData("ge-ste"));
        QVERIFY(dialog.findChild<QWidget*>("simulate.noise-free")->isEnabled());
        keepPicture(dialog, "simulate");
    }

    void theDialogSaysAtTheFieldWhatCannotBe() {
        SimulationDialog dialog(Threading::Inline, "no device here");
        dialog.show();
        auto* events = dialog.findChild<QLineEdit*>("simulate.events");
        auto* folder = dialog.findChild<QLineEdit*>("simulate.folder");
        auto* ok = dialog.findChild<QPushButton*>("simulate.ok");
        folder->setText(folder_.filePath("new.tofstudy"));
        const auto typed = [&](const QString& text) {
            events->selectAll();
            QTest::keyClicks(events, text);
            QTest::mouseClick(ok, Qt::LeftButton);
        };
        typed("many");
        QVERIFY(dialog.isVisible() && dialog.findChild<QLabel*>("simulate.events.fault")->isVisible());
        QCOMPARE(dialog.focusWidget(), events);
        events->selectAll();
        QTest::keyClicks(events, "2e6");
        QDir().mkpath(folder_.filePath("there.tofstudy"));
        folder->setText(folder_.filePath("there.tofstudy"));
        QTest::mouseClick(ok, Qt::LeftButton);
        QVERIFY(dialog.isVisible() && dialog.findChild<QLabel*>("simulate.folder.fault")->isVisible());
        folder->setText(folder_.filePath("new"));
        dialog.findChild<QSpinBox*>("simulate.replicates")->setValue(3);
        QTest::mouseClick(ok, Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(dialog.request().settings.events, std::uint64_t{2000000});
        QCOMPARE(dialog.request().folderOf(2), folder_.filePath("new-seed3.tofstudy"));
    }

    void replicatesAreStudiesOfSeedsInARow() {
        SimulationRequest request;
        request.scanner = "small-panel";  // its data are small
        request.phantom = "small-derenzo";
        request.settings.events = 2000;
        request.settings.seed = 5;
        request.replicates = 2;
        request.folder = folder_.filePath("twice.tofstudy");
        desk_->simulate(request);
        QVERIFY(until([&] { return !desk_->busy() && !desk_->isEmpty(); }, 240000));
        QVERIFY(QFileInfo::exists(folder_.filePath("twice-seed5.tofstudy/study.json")));
        QVERIFY(QFileInfo::exists(folder_.filePath("twice-seed6.tofstudy/study.json")));
        QCOMPARE(desk_->study().name(), QString("twice-seed5"));
    }

    void numbersAreReadAsPeopleTypeThem_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");  // -1: none
        QTest::newRow("exponent") << "2e6" << 2e6;
        QTest::newRow("M") << "20 M" << 2e7;
        QTest::newRow("no blank") << "2.5M" << 2.5e6;
        QTest::newRow("k") << "500k" << 5e5;
        QTest::newRow("G") << "0.2 G" << 2e8;
        QTest::newRow("groups") << "5 000 000" << 5e6;
        QTest::newRow("comma") << "2,5 M" << 2.5e6;
        QTest::newRow("two meanings") << "2,000" << -1.0;
        QTest::newRow("milli?") << "20 m" << -1.0;
        QTest::newRow("word") << "many" << -1.0;
        QTest::newRow("empty") << "" << -1.0;
    }

    void numbersAreReadAsPeopleTypeThem() {
        QFETCH(QString, text);
        QFETCH(double, value);
        QCOMPARE(engineeringNumber(text).value_or(-1), value);
        if (value > 0) {
            QCOMPARE(engineeringNumber(engineeringText(value)).value_or(-1), value);
        }
    }

    // ---- words ----

    void fieldsSayInWordsWhatAZeroMeans() {
        open(dataFile_);
        auto* field = window_->findChild<QWidget*>("setting.subsets")->findChild<QLineEdit*>();
        QCOMPARE(field->text(), QString("automatic"));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "4");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(desk_->settings().current().subsets, 4);
        field->selectAll();
        QTest::keyClicks(field, "Automatic");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(desk_->settings().current().subsets, 0);
        field->selectAll();
        QTest::keyClicks(field, "m");
        QTest::keyClick(field, Qt::Key_Return);
        const auto labels = window_->findChild<QWidget*>("setting.subsets")->findChildren<ElidedLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const ElidedLabel* l) {
            return l->isVisible() && l->accessibleName() == "Subsets: \"m\" is no number";
        }));
        for (const SettingInfo& info : settingsTable()) {
            const std::string value = desk_->settings().current().get(info.key);
            QCOMPARE(QString::fromStdString(typedSetting(info.key, shownSetting(info.key, value))),
                     QString::fromStdString(value));
            QVERIFY2(info.key == "seed" || shownSetting(info.key, value) != "0", info.key.c_str());
        }
    }

    void fieldsThatNobodyLooksAtAreHidden() {
        open(dataFile_);
        const auto shown = [&](const char* key) {
            return !window_->findChild<QWidget*>(QString("setting.") + key)->isHidden();
        };
        QVERIFY(shown("relaxation") && !shown("beta") && !shown("prior"));
        desk_->settings().set("algorithm", "svrg");
        window_->refreshNow();
        QVERIFY(!shown("relaxation") && shown("beta") && shown("prior"));
        QVERIFY(shown("prior-gamma") && !shown("prior-delta") && !shown("bowsher"));
    }

    void betaSlidesByItsLogarithm() {
        open(dataFile_);
        desk_->settings().set("algorithm", "svrg");
        auto* slider = window_->findChild<QSlider*>("setting.beta.slider");
        QVERIFY(slider != nullptr);
        QCOMPARE(slider->value(), slider->maximum() / 2);  // 0.01 between 0.0001 and 1
        slider->setValue(slider->maximum());
        QCOMPARE(desk_->settings().current().beta, 1.0);
        slider->setValue(slider->maximum() / 4);
        QCOMPARE(desk_->settings().current().beta, 0.001);
        desk_->settings().set("beta", "0.1");
        window_->refreshNow();
        QCOMPARE(slider->value(), slider->maximum() * 3 / 4);
    }

    void listsExplainTheirChoices() {
        open(dataFile_);
        auto* kernel = window_->findChild<ChoiceList*>("setting.kernel");
        auto* items = kernel->model();
        int titles = 0;
        for (int i = 0; i < kernel->count(); ++i) {
            const bool title = !(items->index(i, 0).flags() & Qt::ItemIsEnabled);
            titles += title ? 1 : 0;
            QVERIFY(title || !items->index(i, 0).data(Qt::UserRole + 1).toString().isEmpty());
        }
        QVERIFY(titles >= 3);
        QCOMPARE(kernel->currentData().toString(), QString("variant1"));
        const auto* left = window_->findChild<QWidget*>("panel.left");
        QVERIFY(kernel->mapTo(left, QPoint(kernel->width(), 0)).x() <= left->width());

        // Every line is whole in the open list.
        QTest::mouseClick(kernel, Qt::LeftButton);
        for (int i = 0; i < kernel->count(); ++i) {
            const int needed = kernel->itemDelegate()->sizeHint({}, items->index(i, 0)).width();
            QVERIFY2(needed <= kernel->view()->viewport()->width() && needed < 960,
                     qPrintable(QString("%1: %2").arg(kernel->itemText(i)).arg(needed)));
        }
        kernel->hidePopup();

        auto* engine = window_->findChild<QWidget*>("setting.engine")->findChild<ChoiceList*>();
        QTest::mouseClick(engine, Qt::LeftButton);
        for (int i = 0; i < engine->count(); ++i) {
            const std::string name = engine->itemData(i).toString().toStdString();
            const bool there =
                name == "auto" || std::holds_alternative<std::shared_ptr<const Engine>>(engines_.find(name));
            QCOMPARE((engine->model()->index(i, 0).flags() & Qt::ItemIsEnabled) != 0, there);
            QVERIFY(!engine->itemData(i, Qt::UserRole + 1).toString().isEmpty());
        }
        keepPicture(*engine->view()->window(), "engines");
        engine->hidePopup();
    }

    void thePaletteNeverOffersToQuitFirst() {
        const auto first = [&](const QString& typed) {
            const auto found = matchingCommands(window_->commands(), typed);
            return found.empty() ? QString() : found.front()->id;
        };
        QVERIFY(first("window") != "file.quit");
        QCOMPARE(first("quit"), QString("file.quit"));
        QCOMPARE(first("nema"), QString("file.simulate"));
        QCOMPARE(first("fuse"), QString("layer.pin"));
        QVERIFY(first("snapshot").startsWith("export.picture"));
        const auto brightness = matchingCommands(window_->commands(), "brightness");
        QVERIFY(!brightness.empty() && brightness.front()->id.startsWith("view."));
        QVERIFY(window_->commands().trigger("help.palette"));
        auto* palette = window_->findChild<QDialog*>("palette");
        QTest::keyClicks(palette->findChild<QLineEdit*>("palette.line"), "xyzzy");
        auto* list = palette->findChild<QListWidget*>("palette.list");
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains("xyzzy"));
        QTest::keyClick(palette->findChild<QLineEdit*>("palette.line"), Qt::Key_Return);
        palette->close();
    }

    void aSweepFillsTheQueue() {
        open(dataFile_);
        desk_->settings().set("iterations", "1");
        QTimer::singleShot(0, qApp, [] {
            auto* dialog = qobject_cast<SweepDialog*>(QApplication::activeModalWidget());
            auto* kernels = dialog->findChild<QListWidget*>("sweep.kernels");
            for (int i = 0; i < kernels->count(); ++i) {
                const QString name = kernels->item(i)->data(Qt::UserRole).toString();
                kernels->item(i)->setCheckState(name == "invariant" || name == "variant1" ? Qt::Checked
                                                                                          : Qt::Unchecked);
            }
            auto* relaxations = dialog->findChild<QLineEdit*>("sweep.relaxations");
            auto* ok = dialog->findChild<QPushButton*>("sweep.ok");
            relaxations->selectAll();
            QTest::keyClicks(relaxations, "x");
            QVERIFY(!ok->isEnabled());
            relaxations->selectAll();
            QTest::keyClicks(relaxations, "0.02, 0.05");
            QVERIFY(dialog->findChild<QLabel*>("sweep.note")->text().startsWith("runs: 4,"));
            keepPicture(*dialog, "sweep");
            QTest::mouseClick(ok, Qt::LeftButton);
        });
        QVERIFY(window_->commands().trigger("run.sweep"));
        QCOMPARE(desk_->runs().items().size(), std::size_t{4});
        QVERIFY(until([&] { return !desk_->busy(); }));
        std::set<std::string> made;
        for (const auto& item : desk_->runs().items()) {
            QCOMPARE(item->lastIterate(), 1);
            made.insert(item->settings().kernelText + " " + item->settings().get("relaxation"));
        }
        QCOMPARE(made.size(), std::size_t{4});
    }

    void settingsAndNamesAreUndone() {
        open(dataFile_);
        reconstruct(1);
        const int before = desk_->settings().current().iterations;
        auto* field = window_->findChild<QWidget*>("setting.iterations")->findChild<QLineEdit*>();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "17");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(desk_->settings().current().iterations, 17);
        renameRun(desk_->runs(), desk_->rois().undo(), desk_->runs().items().front()->id(), "my run");
        QCOMPARE(desk_->runs().items().front()->name(), QString("my run"));
        window_->viewer().pane(Plane::Transverse)->setFocus();
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(desk_->runs().items().front()->name() != "my run");
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk_->settings().current().iterations, before);
        QTest::keyClick(window_, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(desk_->settings().current().iterations, 17);
    }

    void helpHasTheManualAndTheWords() {
        QVERIFY(window_->commands().trigger("help.glossary"));
        auto* dialog = window_->findChild<QDialog*>("manual");
        auto* text = dialog->findChild<QTextBrowser*>("manual.text");
        QCOMPARE(text->textCursor().block().text(), QString("5. Words"));
        QVERIFY(until(
            [&] { return text->cursorRect().top() >= 0 && text->cursorRect().top() < text->height() / 2; }));
        QTest::keyClicks(dialog->findChild<QLineEdit*>("manual.find"), "sinogram");
        QCOMPARE(text->textCursor().selectedText().toLower(), QString("sinogram"));
        auto* table = qobject_cast<QTextTable*>(text->document()->rootFrame()->childFrames().value(0));
        QVERIFY(table != nullptr && table->format().cellPadding() >= 3);
        keepPicture(*dialog, "glossary");
        dialog->close();
    }

    /// A link of a page goes to nothing that the program does not carry.
    void everyPageOfTheManualOpens() {
        QVERIFY(window_->commands().trigger("help.manual"));
        auto* dialog = window_->findChild<QDialog*>("manual");
        auto* text = dialog->findChild<QTextBrowser*>("manual.text");
        auto* contents = dialog->findChild<QTreeWidget*>("manual.contents");
        QVERIFY(contents->topLevelItemCount() >= 5);
        int pages = 0;
        for (QTreeWidgetItemIterator item(contents); *item != nullptr; ++item) {
            if ((*item)->parent() == nullptr) {
                continue;
            }
            ++pages;
            contents->setCurrentItem(*item);
            QVERIFY2(text->document()->begin().blockFormat().headingLevel() == 1,
                     qPrintable((*item)->text(0)));
            QVERIFY(!text->toPlainText().contains("]("));
            QVERIFY(!text->toPlainText().contains("<!--"));
        }
        QVERIFY(pages >= 25);
        contents->setCurrentItem(contents->topLevelItem(0)->child(0));
        const QTextTable* index =
            qobject_cast<QTextTable*>(text->document()->rootFrame()->childFrames().value(0));
        QVERIFY(index != nullptr);
        const QTextCharFormat link =
            index->cellAt(1, 1).firstCursorPosition().block().begin().fragment().charFormat();
        QCOMPARE(link.anchorHref(), QString("get-started.md"));
        QVERIFY(link.fontUnderline());
        keepPicture(*dialog, "manual");
        dialog->close();
    }

    void theManualIsSearchedAsAWholeAndLinksGoBack() {
        QVERIFY(window_->commands().trigger("help.journeys"));
        auto* dialog = window_->findChild<QDialog*>("manual");
        auto* text = dialog->findChild<QTextBrowser*>("manual.text");
        auto* contents = dialog->findChild<QTreeWidget*>("manual.contents");
        auto* find = dialog->findChild<QLineEdit*>("manual.find");
        QTest::keyClicks(find, "bowsher");  // no walkthrough speaks of it
        int left = 0;
        for (QTreeWidgetItemIterator item(contents, QTreeWidgetItemIterator::NotHidden); *item != nullptr;
             ++item) {
            const QString file = (*item)->data(0, Qt::UserRole).toString();
            QVERIFY(file.isEmpty() || manualText(file).contains("bowsher", Qt::CaseInsensitive));
            left += file.isEmpty() ? 0 : 1;
        }
        QVERIFY(left >= 2);
        QTest::keyClick(find, Qt::Key_Return);
        QCOMPARE(text->textCursor().selectedText().toLower(), QString("bowsher"));
        const QUrl found = text->source();
        QVERIFY(found.path() != "/manual/journeys.md");
        text->setSource(QUrl("qrc:/manual/model.md#4-figures"));
        QCOMPARE(text->textCursor().block().text(), QString("4. Figures"));
        QCOMPARE(contents->currentItem()->data(0, Qt::UserRole).toString(), QString("model.md"));
        QTest::mouseClick(dialog->findChild<QPushButton*>("manual.back"), Qt::LeftButton);
        QCOMPARE(text->source().path(), found.path());
        dialog->close();
    }

    void walkthroughsHaveTheirPictures() {
        QVERIFY(window_->commands().trigger("help.journeys"));
        auto* dialog = window_->findChild<QDialog*>("manual");
        auto* text = dialog->findChild<QTextBrowser*>("manual.text");
        QStringList pictures;
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                if (part.fragment().charFormat().isImageFormat()) {
                    pictures << part.fragment().charFormat().toImageFormat().name();
                }
            }
        }
        QCOMPARE(pictures.size(), 5);  // one for each
        for (const QString& name : pictures) {
            const auto picture =
                text->document()->resource(QTextDocument::ImageResource, QUrl(name)).value<QImage>();
            QVERIFY2(!picture.isNull(), qPrintable(name));
            QVERIFY(picture.width() <= text->viewport()->width() * text->devicePixelRatioF());
        }
        text->verticalScrollBar()->setValue(300);
        keepPicture(*dialog, "walkthroughs");
        dialog->close();
    }

    void recentFilesHaveAPictureAndAResult() {
        const QString preferences = folder_.filePath("recent/tofscope.ini");
        {
            test::Program program(engines_, {.preferencesFile = preferences});
            program.open({dataFile_});
            program.reconstruct(2);
            // What was looked at last is no result.
            program.desk.madeImages().make(MadeImages::Kind::Attenuation, {"A"});
            QVERIFY(test::until([&] { return program.desk.runs().selected()->isVolume(); }));
            program.settle();
            program.window.close();
        }
        test::Program program(engines_, {.preferencesFile = preferences});
        const RecentFiles::Look look = RecentFiles(program.preferences.recentFolder()).look(dataFile_);
        QCOMPARE(look.picture.size(), QSize(96, 96));
        QVERIFY2(look.result.startsWith("1 run, CRC") && !look.result.contains("CRC 0 %"),
                 qPrintable(look.result));
        QVERIFY(changedText(dataFile_).startsWith("today"));
        keepPicture(program.window, "start");
    }

    void theFileMenuEndsWithQuit() {
        QMenu* file = window_->menuBar()->actions().front()->menu();
        QCOMPARE(file->actions().back(), window_->commands().action("file.quit"));
        for (const char* id :
             {"file.open", "file.open-study", "file.simulate", "file.save-image", "file.save-study"}) {
            QVERIFY(window_->commands().action(id)->text().endsWith("..."));
        }
    }

  private:
    /// Types a name into the next file dialog.
    static void answerFileDialog(const QString& file) {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QTimer::singleShot(0, qApp, [file] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog != nullptr) {
                dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
    }
    /// For a look at it, where a folder is named.
    static void keepPicture(QWidget& widget, const QString& name) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            QApplication::processEvents();
            widget.grab().save(folder + "/" + name + ".png");
        }
    }

    QString dataFile_;
    QString ringFile_;
    QString listFile_;
};

QTEST_MAIN(TrustTest)

}  // namespace trust_test
#include "trust_test.moc"
