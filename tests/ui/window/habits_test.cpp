// SPDX-License-Identifier: Apache-2.0
// What people expect of any workbench: command palette, cine, pictures in files, names for screen readers.
#include <QAccessible>
#include <QFile>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/kit/save_file.h"
#include "ui/measure/measure.h"
#include "ui/pictures/cine.h"
#include "ui/window/command_line.h"
#include "ui/window/dialogs.h"
#include "ui/window/main_window.h"
#include "ui/window/palette.h"
#include "ui/window/script.h"

namespace habits_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class HabitsTest : public test::WindowTest {
    Q_OBJECT

  public:
    HabitsTest() : WindowTest({.size = {1400, 900}}) {}

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

    void begin() override {
        QVERIFY(QTest::qWaitForWindowActive(window_));
        open(dataFile_);
        reconstruct(3);
    }

  private slots:
    void thePaletteFindsAndRunsACommand() {
        QTest::keyClick(window_, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window_->findChild<ui::Palette*>();
        QVERIFY(palette != nullptr);
        auto* line = palette->findChild<QLineEdit*>("palette.line");
        const bool before = desk_->view().flag(ViewModel::Flag::Crosshair);

        QTest::keyClicks(line, "cross");
        QCOMPARE(palette->current()->id, QString("view.crosshair"));
        QTest::keyClick(line, Qt::Key_Return);

        QVERIFY(until([&] { return desk_->view().flag(ViewModel::Flag::Crosshair) != before; }));
    }

    void whatBeginsWithTheWordComesFirstAndEveryWordMustFit() {
        const auto swipe = matchingCommands(window_->commands(), "swipe");
        QCOMPARE(swipe.front()->id, QString("compare.swipe"));
        for (const Command* command : matchingCommands(window_->commands(), "next slice")) {
            const QString all = command->text + command->menu + command->help + command->id;
            QVERIFY2(all.contains("next", Qt::CaseInsensitive) && all.contains("slice", Qt::CaseInsensitive),
                     qPrintable(command->id));
        }
        QVERIFY(matchingCommands(window_->commands(), "xyzzy").empty());
        QCOMPARE(matchingCommands(window_->commands(), "").size(), window_->commands().all().size());
    }

    void aCommandThatCannotRunSaysWhyInThePalette() {
        QTest::keyClick(window_, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window_->findChild<ui::Palette*>();
        auto* line = palette->findChild<QLineEdit*>("palette.line");
        QTest::keyClicks(line, "finish now");

        QTest::keyClick(line, Qt::Key_Return);

        QVERIFY(palette->isVisible());
        QVERIFY2(line->toolTip().contains("No run is going on"), qPrintable(line->toolTip()));
    }

    void everyCommandIsInPaletteSheetAndScripts() {
        const CommandRegistry& commands = window_->commands();
        QCOMPARE(matchingCommands(commands, "").size(), commands.all().size());
        const std::unique_ptr<QDialog> dialog(makeCheatSheet(commands, window_));
        const QString sheet = dialog->findChild<QTextBrowser*>()->toPlainText();

        for (const auto& command : commands.all()) {
            const auto found = matchingCommands(commands, command->text);
            QVERIFY2(std::find(found.begin(), found.end(), command.get()) != found.end(),
                     qPrintable(command->id));
            const bool onSheet = sheet.contains(keyText(*command)) && sheet.contains(command->text);
            QVERIFY2(command->keys.isEmpty() || onSheet, qPrintable(command->id));
            const CommandLine line = CommandLine::parse({"--command", command->id});
            QCOMPARE(line.actions.size(), std::size_t{1});
            QCOMPARE(line.actions[0].value, command->id);
        }
    }

    void noKeyOfACommandIsTakenElsewhere() {
        QSet<QString> keys;
        QSet<const QAction*> own;
        for (const auto& command : window_->commands().all()) {
            own.insert(window_->commands().action(command->id));
            for (const QKeySequence& key : command->keys) {
                keys.insert(key.toString());
            }
        }

        for (const QAction* action : window_->findChildren<QAction*>()) {
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(own.contains(action) || !keys.contains(key.toString()), qPrintable(key.toString()));
            }
        }
        for (const QShortcut* shortcut : window_->findChildren<QShortcut*>()) {
            QVERIFY2(!keys.contains(shortcut->key().toString()), qPrintable(shortcut->key().toString()));
        }
    }

    void cineGoesThroughTheSlicesAndStartsOver() {
        Cine cine(desk_->runs(), desk_->view(), nullptr);
        ViewModel& view = desk_->view();
        view.setActivePlane(Plane::Transverse);
        view.setCursor(view.lattice().centre(3, 3, 0));
        cine.toggle(Cine::What::Slices);
        const int slices = view.sliceCount(Plane::Transverse);

        for (int i = 1; i <= slices; ++i) {
            cine.step();
            QCOMPARE(view.sliceIndex(Plane::Transverse), i % slices);
        }
        cine.toggle(Cine::What::Slices);
        QCOMPARE(cine.playing(), Cine::What::Nothing);
    }

    void cineGoesThroughTheIteratesAndStartsOver() {
        Cine cine(desk_->runs(), desk_->view(), nullptr);
        cine.toggle(Cine::What::Iterates);
        RunItem& item = *desk_->runs().selected();
        std::vector<int> seen;

        for (int i = 0; i < 4; ++i) {
            cine.step();
            seen.push_back(item.shownIterate());
        }

        QCOMPARE(seen, (std::vector<int>{1, 2, 3, 1}));
    }

    void aPictureOfThreeTimesThePixelsHasSlicesDrawnAnew() {
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        desk_->view().setFlag(ViewModel::Flag::Annotations, false);
        desk_->view().resetRange();
        window_->refreshNow();

        const QImage once = pictureOf(*pane, 1);
        const QImage thrice = pictureOf(*pane, 3);

        QCOMPARE(thrice.size(), pane->size() * 3);
        // Edges between voxels lie at thirds of a screen pixel: enlarging alone would keep blocks of 3 x 3.
        int finer = 0;
        for (int y = thrice.height() / 3; y < thrice.height() * 2 / 3; ++y) {
            for (int x = thrice.width() / 3; x + 3 < thrice.width() * 2 / 3; x += 3) {
                const int block = x - x % 3;
                finer += thrice.pixel(block, y) != thrice.pixel(block + 2, y) ? 1 : 0;
            }
        }
        QVERIFY2(finer > 100, qPrintable(QString::number(finer)));
        QVERIFY(once.size() == pane->size());
    }

    void picturesAreWrittenAsPngAndPdf() {
        QWidget* pane = window_->viewer().pane(Plane::Coronal);
        writePicture(*pane, folder_.filePath("a.png"), 2);
        writePicture(*pane, folder_.filePath("a.pdf"), 2);

        QCOMPARE(QImage(folder_.filePath("a.png")).size(), pane->size() * 2);
        QFile pdf(folder_.filePath("a.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray text = pdf.readAll();
        QVERIFY(text.startsWith("%PDF"));
        QVERIFY(text.contains("%%EOF"));
        QVERIFY_EXCEPTION_THROWN(writePicture(*pane, folder_.filePath("a.gif"), 1), WrongUse);
        QVERIFY_EXCEPTION_THROWN(writePicture(*pane, folder_.filePath("a.png"), 99), WrongUse);
        QVERIFY_EXCEPTION_THROWN(writePicture(*pane, "/nowhere/a.png", 1), CannotWrite);
    }

    void whateverTakesTheKeyboardHasAName_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"page.slices", "page.data"}) {
            QTest::newRow(page) << page;
        }
    }

    void whateverTakesTheKeyboardHasAName() {
        QFETCH(QString, page);
        window_->commands().trigger(page);
        window_->refreshNow();

        QStringList nameless;
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
                widget->objectName().startsWith("qt_")) {
                continue;
            }
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            if (face != nullptr && face->text(QAccessible::Name).isEmpty()) {
                nameless << QString(widget->metaObject()->className()) + " " + widget->objectName();
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    }

    void tabReachesEveryFieldOfTheWindow() {
        QSet<QWidget*> seen;
        window_->viewer().pane(Plane::Transverse)->setFocus();
        for (int i = 0; i < 400; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            seen.insert(QApplication::focusWidget());
        }

        for (const char* name : {"pane.coronal", "pane.sagittal", "view.low", "view.high", "runs"}) {
            auto* widget = window_->findChild<QWidget*>(name);
            QVERIFY2(widget != nullptr && seen.contains(widget), name);
        }
    }

    void percentilesAreNearestRank() {
        QCOMPARE(percentileOf({}, 0.95), 0.0);
        QCOMPARE(percentileOf({5, 1, 3}, 0.5), 3.0);
        std::vector<double> hundred;
        for (int i = 1; i <= 100; ++i) {
            hundred.push_back(i);
        }
        QCOMPARE(percentileOf(hundred, 0.95), 95.0);
        QCOMPARE(percentileOf(hundred, 1), 100.0);
    }

  private:
    QString dataFile_;
};

QTEST_MAIN(HabitsTest)

}  // namespace habits_test
#include "habits_test.moc"
