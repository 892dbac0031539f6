// SPDX-License-Identifier: Apache-2.0
// Dialogs that ask before something is made: what they give back, what they refuse, names of their fields.
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <functional>

#include "tests/ui/fixture.h"
#include "ui/pages/settings_dialog.h"
#include "ui/rois/roi_dialogs.h"
#include "ui/window/binning_dialog.h"
#include "ui/window/dialogs.h"

using namespace tof;
using namespace tof::ui;

class DialogsTest : public QObject {
    Q_OBJECT

  private slots:
    void binningGivesWhatWasTyped() {
        std::optional<ListBinning> answer;
        during([&] { answer = askForBinning(nullptr, "/data/events.h5"); },
               [](QDialog& dialog) {
                   dialog.findChild<QSpinBox*>("binning.azimuths")->setValue(60);
                   dialog.findChild<QSpinBox*>("binning.tilts")->setValue(5);
                   dialog.findChild<QDoubleSpinBox*>("binning.voxel")->setValue(3);
                   dialog.findChild<QCheckBox*>("binning.partial")->setChecked(true);
                   dialog.accept();
               });
        QVERIFY(answer.has_value());
        QCOMPARE(answer->azimuths, 60);
        QCOMPARE(answer->tilts, 5);
        QCOMPARE(answer->voxel_mm, 3.0);
        QVERIFY(answer->partial);
    }

    void binningBeginsWithWhatIsUsualAndKeepsToItsLimits() {
        std::optional<ListBinning> answer;
        during([&] { answer = askForBinning(nullptr, "/data/events.h5"); },
               [](QDialog& dialog) {
                   auto* azimuths = dialog.findChild<QSpinBox*>("binning.azimuths");
                   azimuths->setValue(100000);
                   QCOMPARE(azimuths->value(), azimuths->maximum());
                   azimuths->setValue(ListBinning{}.azimuths);
                   QTest::keyClick(&dialog, Qt::Key_Return);
               });
        const ListBinning usual;
        QVERIFY(answer.has_value());
        QCOMPARE(answer->azimuths, usual.azimuths);
        QCOMPARE(answer->tilts, usual.tilts);
        QCOMPARE(answer->voxel_mm, usual.voxel_mm);
        QVERIFY(!answer->partial);
    }

    /// Everything the command's `bin` can be told for its three forms.
    void binningForLinesTakesScannerAttenuationAndCorrections() {
        std::optional<ListBinning> answer;
        during([&] { answer = askForBinning(nullptr, "/data/events.h5"); },
               [](QDialog& dialog) {
                   const auto type = [&](const char* field, const char* text) {
                       auto* edit = dialog.findChild<QLineEdit*>(field);
                       QVERIFY2(edit->isEnabled(), field);
                       QTest::keyClicks(edit, text);
                   };
                   QVERIFY(!dialog.findChild<QLineEdit*>("binning.corrections")->isEnabled());
                   dialog.findChild<QComboBox*>("binning.form")->setCurrentIndex(2);
                   QVERIFY(!dialog.findChild<QSpinBox*>("binning.azimuths")->isEnabled());
                   type("binning.grid", "100x100x40");
                   type("binning.scanner", "ge-ste");
                   type("binning.mu", "mu.nii");
                   type("binning.corrections", "c.h5");
                   dialog.findChild<QCheckBox*>("binning.randoms")->setChecked(false);
                   dialog.findChild<QCheckBox*>("binning.reversed")->setChecked(true);
                   dialog.accept();
               });
        QVERIFY(answer.has_value());
        QVERIFY(answer->form == DataForm::Lines);
        QVERIFY((answer->grid == std::array{100, 100, 40}));
        QCOMPARE(answer->scanner, std::string("ge-ste"));
        QCOMPARE(answer->mu, std::string("mu.nii"));
        QCOMPARE(answer->corrections, std::string("c.h5"));
        QVERIFY(answer->randoms == Randoms::None && answer->times == Times::Reversed);
    }

    void escapeOpensNothing() {
        std::optional<ListBinning> answer = ListBinning{};
        during([&] { answer = askForBinning(nullptr, "/data/events.h5"); },
               [](QDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
        QVERIFY(!answer.has_value());
    }

    void aSettingThatIsNotAllowedKeepsTheDialogOpen() {
        std::optional<RunSettings> answer;
        during([&] { answer = askForSettings(nullptr, "Duplicate run A", RunSettings{}, "histo"); },
               [](QDialog& dialog) {
                   auto* iterations = dialog.findChild<QLineEdit*>("settings.dialog.iterations");
                   auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
                   iterations->setText("many");
                   ok->click();
                   QVERIFY(dialog.isVisible());
                   iterations->setText("7");
                   ok->click();
               });
        QVERIFY(answer.has_value());
        QCOMPARE(answer->iterations, 7);
    }

    void settingsThatMeanNothingForTheDataAreNotAskedFor() {
        for (const std::string data : {"histo", "lines"}) {
            during([&] { static_cast<void>(askForSettings(nullptr, "Title", RunSettings{}, data)); },
                   [&](QDialog& dialog) {
                       const auto asked = [&](const char* key) {
                           return dialog.findChild<QWidget*>(QString("settings.dialog.") + key) != nullptr;
                       };
                       QCOMPARE(asked("kernel"), data == "histo");
                       QCOMPARE(asked("psf"), data == "lines");
                       QVERIFY(asked("iterations"));
                       QTest::keyClick(&dialog, Qt::Key_Escape);
                   });
        }
    }

    void everyFieldHasAName_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("simulation") << 0;
        QTest::newRow("binning") << 1;
        QTest::newRow("settings") << 2;
        QTest::newRow("ring") << 3;
        QTest::newRow("threshold") << 4;
    }

    void everyFieldHasAName() {
        QFETCH(int, which);
        QStringList nameless;
        int fields = 0;
        during(
            [&] {
                switch (which) {
                    case 0: static_cast<void>(askForSimulation(nullptr)); break;
                    case 1: static_cast<void>(askForBinning(nullptr, "/data/events.h5")); break;
                    case 2:
                        static_cast<void>(askForSettings(nullptr, "Title", RunSettings{}, "lines"));
                        break;
                    case 3: static_cast<void>(askForRing({}, nullptr)); break;
                    default: static_cast<void>(askForThreshold({}, nullptr)); break;
                }
            },
            [&](QDialog& dialog) {
                for (QWidget* widget : dialog.findChildren<QWidget*>()) {
                    const bool inner = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                                       widget->objectName().startsWith("qt_");
                    if (inner || !widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus)) {
                        continue;
                    }
                    ++fields;
                    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
                    if (face != nullptr && face->text(QAccessible::Name).isEmpty()) {
                        nameless << QString(widget->metaObject()->className()) + " " + widget->objectName();
                    }
                }
                QVERIFY(!dialog.windowTitle().isEmpty());
                dialog.reject();
            });
        QVERIFY(fields >= 3);
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    }

  private:
    /// Runs what opens a dialog with an event loop of its own, and `act` in it.
    static void during(const std::function<void()>& open, const std::function<void(QDialog&)>& act) {
        QTimer::singleShot(0, qApp, [&act] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (dialog != nullptr) {
                act(*dialog);
                dialog->close();  // whatever happened: the test must go on
            }
        });
        open();
    }
};

QTEST_MAIN(DialogsTest)
#include "dialogs_test.moc"
