// SPDX-License-Identifier: Apache-2.0
// The table of preferences, its file, its dialog and what each preference does to the window.
#include <QAbstractAnimation>
#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSettings>
#include <QStyle>
#include <QTest>
#include <set>

#include "recon/base/error.h"
#include "tests/ui/fixture.h"
#include "ui/kit/preferences.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/preference_commands.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/script.h"

namespace preferences_test {

using namespace tof;
using namespace tof::ui;

class PreferencesTest : public test::WindowTest {
    Q_OBJECT

  public:
    PreferencesTest() : WindowTest({.size = {1200, 800}, .threading = Threading::Inline}) {}

  private Q_SLOTS:
    void everyRowHasADefaultThatIsAllowedAndAKeyOfItsOwn() {
        std::set<QString> keys;
        for (const PreferenceInfo& info : preferenceTable()) {
            QVERIFY2(keys.insert(info.name()).second, qPrintable(info.name()));
            QCOMPARE(checkedPreference(info, info.start()), info.start());
            QVERIFY2(!info.label.empty() && !info.help.empty(), info.key.c_str());
            QCOMPARE(static_cast<qsizetype>(info.choices.size()), info.shown.size());
        }
    }

    void whatIsNotAllowedIsRefusedWithASentence_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("unknown key") << "colour"
                                     << "red";
        QTest::newRow("unknown choice") << "theme"
                                        << "pink";
        QTest::newRow("too large") << "cine-rate"
                                   << "31";
        QTest::newRow("too small") << "autosave"
                                   << "0";
        QTest::newRow("not whole") << "threads"
                                   << "1.5";
        QTest::newRow("no number") << "memory-limit"
                                   << "much";
        QTest::newRow("no switch") << "confirm"
                                   << "yes";
    }

    void whatIsNotAllowedIsRefusedWithASentence() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        Preferences preferences{QString()};
        try {
            preferences.setValue(key, value);
            QFAIL("accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains(key), fault.what());
        }
    }

    void valuesSurviveInTheFileAndAReset() {
        const QString file = folder_.filePath("p.ini");
        {
            Preferences preferences(file);
            QCOMPARE(preferences.value("autosave"), QString("5"));
            preferences.setValue("autosave", "12");
            preferences.override("cine-rate", "20");
            preferences.addRecent("/data/a.h5");
        }

        Preferences again(file);
        QCOMPARE(again.value("autosave"), QString("12"));
        QCOMPARE(again.value("cine-rate"), QString("8"));  // for that start only
        again.reset();
        QCOMPARE(again.value("autosave"), QString("5"));
        QCOMPARE(Preferences(file).recent(), QStringList{"/data/a.h5"});
    }

    void aSpoiltFileGivesDefaults() {
        const QString file = folder_.filePath("spoilt.ini");
        QSettings(file, QSettings::IniFormat).setValue("cine-rate", "a lot");
        QCOMPARE(Preferences(file).value("cine-rate"), QString("8"));
    }

    void theDialogHasANamedFieldForEveryRow() {
        PreferencesDialog* dialog = openDialog();
        for (const PreferenceInfo& info : preferenceTable()) {
            auto* field = dialog->findChild<QWidget*>("preference." + info.name());
            QVERIFY2(field != nullptr, info.key.c_str());
            QCOMPARE(field->accessibleName(), info.title());
            QVERIFY2(!field->toolTip().isEmpty(), info.key.c_str());
        }
        dialog->close();
    }

    void choicesInTheDialogChangeTheWindowAtOnce() {
        PreferencesDialog* dialog = openDialog();
        choose(*dialog, "orientation", "neurological");
        QCOMPARE(desk_->view().orientation(), viz::Orientation::Neurological);
        choose(*dialog, "theme", "light");
        QCOMPARE(Theme::of(*window_).kind, ThemeKind::Light);
        QCOMPARE(desk_->view().colourMapId(), QString("inverse-grey"));
        choose(*dialog, "theme", "contrast");
        QCOMPARE(Theme::of(*window_).kind, ThemeKind::Contrast);
        QCOMPARE(preferences_->value("theme"), QString("contrast"));
        QCOMPARE(desk_->view().colourMapId(), QString("grey"));
        choose(*dialog, "theme", "dark");
        choose(*dialog, "colour-map", "inferno");
        QCOMPARE(desk_->view().colourMapId(), QString("inferno"));
        dialog->findChild<QAbstractButton*>("preference.interpolation")->click();
        QVERIFY(desk_->view().flag(ViewModel::Flag::Interpolation));
        choose(*dialog, "engine", "cpu");
        QCOMPARE(desk_->settings().current().get("engine"), std::string("cpu"));
        auto* threads = dialog->findChild<QDoubleSpinBox*>("preference.threads");
        QCOMPARE(threads->text(), QString("all"));
        QCOMPARE(dialog->findChild<QDoubleSpinBox*>("preference.memory-limit")->text(), QString("no limit"));
        threads->setValue(2);
        QCOMPARE(threads->text(), QString("2"));
        QCOMPARE(desk_->settings().current().get("threads"), std::string("2"));
        QCOMPARE(preferences_->value("threads"), QString("2"));
        dialog->close();
    }

    void resetBringsEveryDefaultBack() {
        PreferencesDialog* dialog = openDialog();
        choose(*dialog, "orientation", "neurological");
        choose(*dialog, "engine", "cpu");

        dialog->findChild<QAbstractButton*>("preferences.reset")->click();

        QCOMPARE(desk_->view().orientation(), viz::Orientation::Radiological);
        QCOMPARE(desk_->settings().current().get("engine"), std::string("auto"));
        QCOMPARE(dialog->findChild<QComboBox*>("preference.orientation")->currentData().toString(),
                 QString("radiological"));
        dialog->close();
    }

    void aWindowBeginsWithWhatWasRemembered() {
        Preferences preferences{QString()};
        preferences.setValue("orientation", "neurological");
        preferences.setValue("memory-limit", "3");
        preferences.setValue("colour-map", "viridis");
        Desk desk(engines_, Threading::Inline);

        const MainWindow window(desk, preferences, {.askBeforeClosing = false});

        QCOMPARE(desk.view().orientation(), viz::Orientation::Neurological);
        QCOMPARE(desk.settings().current().memoryLimit_GiB, 3.0);
        QCOMPARE(desk.view().colourMapId(), QString("viridis"));
    }

    void theCommandLineSetsThemForOneStart() {
        const CommandLine line = CommandLine::parse({"--preference", "scale=1.5", "--theme", "system"});
        QCOMPARE(line.preferences["scale"], QString("1.5"));
        QCOMPARE(line.preferences["theme"], QString("system"));
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(CommandLine::parse({"--preference", "scale"})));
    }

    /// Nothing moves or blinks by itself on any page: neither style and effects of the system, nor an
    /// animation nor a picture that is drawn again and again.
    void nothingMovesByItself() {
        open(writeSmallData());
        reconstruct(1);
        reconstruct(1);
        QCOMPARE(window_->style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        for (const auto& command : window_->commands().all()) {
            if (!command->id.startsWith("page.")) {
                continue;
            }
            QVERIFY2(command->checked() || window_->commands().trigger(command->id), qPrintable(command->id));
            QVERIFY(test::until([&] {
                ComparePage& compare = window_->comparePage();
                const bool waits = compare.isInFront() && compare.model().difference() == nullptr;
                return !desk_->busy() && !window_->labPage().busy() && !waits;
            }));
            QVERIFY(test::stays([] { return true; }, 200));  // what is drawn a moment later is there then
            window_->refreshNow();
            QVERIFY(window_->findChildren<QAbstractAnimation*>().isEmpty());
            auto* page = window_->findChild<QWidget*>("panel.pages");
            const QImage before = page->grab().toImage();
            QElapsedTimer looked;
            looked.start();
            const auto same = [&] {
                if (looked.elapsed() < 60) {  // ten looks are enough
                    return true;
                }
                looked.restart();
                return page->grab().toImage() == before;
            };
            QVERIFY2(test::stays(same, 600), qPrintable(command->id));  // longer than a caret takes to blink
        }
        for (const char* cine : {"cine.slices", "cine.iterates"}) {
            QVERIFY(!window_->commands().action(cine)->isChecked());
        }
    }

    void asTheSystemMeansWhatTheDesktopLooksLike() {
        Preferences preferences{QString()};
        preferences.setValue("theme", "system");
        QCOMPARE(preferredTheme(preferences, ThemeKind::Light), ThemeKind::Light);
        QCOMPARE(preferredTheme(preferences, ThemeKind::Dark), ThemeKind::Dark);
        preferences.setValue("theme", "light");
        QCOMPARE(preferredTheme(preferences, ThemeKind::Dark), ThemeKind::Light);
    }

  private:
    PreferencesDialog* openDialog() {
        window_->commands().trigger("edit.preferences");
        return window_->findChild<PreferencesDialog*>();
    }

    static void choose(PreferencesDialog& dialog, const QString& key, const QString& value) {
        auto* box = dialog.findChild<QComboBox*>("preference." + key);
        box->setCurrentIndex(box->findData(value));
        Q_EMIT box->activated(box->currentIndex());
    }
};

QTEST_MAIN(PreferencesTest)

}  // namespace preferences_test
#include "preferences_test.moc"
