// SPDX-License-Identifier: Apache-2.0
// Dialogs that ask before something is made: what they give back, what they refuse, names of their fields.
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <functional>

#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/read_measurement.h"
#include "tests/cli/cli_process.h"
#include "tests/support/small_ecat8.h"
#include "tests/ui/fixture.h"
#include "tests/ui/small_ring.h"
#include "ui/pages/settings_dialog.h"
#include "ui/rois/roi_dialogs.h"
#include "ui/window/binning_dialog.h"
#include "ui/window/dialogs.h"
#include "ui/window/open_dialog.h"
#include "ui/window/simulation_dialog.h"

namespace dialogs_test {

using namespace tof;
using namespace tof::test;
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
                   dialog.findChild<QComboBox*>("binning.to")->setCurrentIndex(2);
                   QVERIFY(!dialog.findChild<QSpinBox*>("binning.azimuths")->isEnabled());
                   type("binning.grid", "100x100x40");
                   type("binning.scanner", "ge-ste");
                   type("binning.mu", "mu.nii");
                   type("binning.corrections", "c.h5");
                   dialog.findChild<QCheckBox*>("binning.randoms")->setChecked(false);
                   dialog.findChild<QCheckBox*>("binning.reverse-tof")->setChecked(true);
                   dialog.accept();
               });
        QVERIFY(answer.has_value());
        QVERIFY(answer->form == "lors");
        QVERIFY((answer->grid == std::array{100, 100, 40}));
        QCOMPARE(answer->scanner, std::string("ge-ste"));
        QCOMPARE(answer->mu, std::string("mu.nii"));
        QCOMPARE(answer->corrections, std::string("c.h5"));
        QVERIFY(answer->randoms == Randoms::None && answer->times == Times::Reversed);
    }

    void sinogramsOfStirAreAskedForTheirCorrections() {
        const QTemporaryDir folder;
        QFile header(folder.filePath("s.hs"));
        QVERIFY(header.open(QIODevice::WriteOnly));
        header.write(
            "!INTERFILE :=\nPET data type := Emission\n"
            "minimum ring difference per segment := {0}\n!END OF INTERFILE :=\n");
        header.close();
        std::optional<ListBinning> answer;
        during([&] { answer = askForBinning(nullptr, header.fileName()); },
               [](QDialog& dialog) {
                   QVERIFY(!dialog.findChild<QLineEdit*>("binning.scanner")->isEnabled());
                   QVERIFY(dialog.findChild<QLineEdit*>("binning.corrections")->isEnabled());
                   QTest::keyClicks(dialog.findChild<QLineEdit*>("binning.acf"), "a.hs,b.hs");
                   QTest::keyClicks(dialog.findChild<QLineEdit*>("binning.add"), "r.hs");
                   dialog.findChild<QComboBox*>("binning.multiplicity")->setCurrentIndex(2);
                   dialog.findChild<QComboBox*>("binning.mu-units")->setCurrentIndex(3);
                   dialog.accept();
               });
        QVERIFY(answer.has_value());
        QVERIFY(answer->form == "sinogram");
        QVERIFY((answer->sinograms.acf == std::vector<std::string>{"a.hs", "b.hs"}));
        QVERIFY((answer->sinograms.add == std::vector<std::string>{"r.hs"}));
        QVERIFY(answer->sinograms.read.multiplicity == Multiplicity::No);
        QVERIFY(answer->muUnits == MuUnits::Hounsfield);
    }

    void whatTheWindowBinsEqualsTheCommands_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("form");
        QTest::addColumn<bool>("trilinear");
        QTest::addColumn<int>("segments");
        QTest::addColumn<QStringList>("words");
        const QStringList direct{"--views", "4x1", "--voxel", "16", "--grid", "36x36x12"};
        QTest::newRow("nearest voxel") << "list.h5" << 0 << false << 0 << direct;
        QTest::newRow("trilinear") << "list.h5" << 0 << true << 0 << direct + QStringList{"--trilinear"};
        QTest::newRow("at crystal centres")
            << "list.h5" << 0 << false << 0 << direct + QStringList{"--deposit", "centre"};
        QTest::newRow("all segments") << "list.l.hdr" << 1 << false << 0 << QStringList{"--to", "sinogram"};
        QTest::newRow("first segment, sinograms")
            << "list.l.hdr" << 1 << false << 1 << QStringList{"--to", "sinogram", "--segments", "1"};
        QTest::newRow("first segments, lines")
            << "list.l.hdr" << 2 << false << 2 << QStringList{"--to", "lors", "--segments", "2"};
    }
    void whatTheWindowBinsEqualsTheCommands() {
        QFETCH(QString, list);
        QFETCH(int, form);
        QFETCH(bool, trilinear);
        QFETCH(int, segments);
        QFETCH(QStringList, words);
        const QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        QVERIFY(writeSmallEcat8(folder.path()));
        if (form == 0) {
            writeEvents(path("list.h5"),
                        simulate(Scanner::fromJson(test::kSmallRing, "ring"), Phantom::find("small-derenzo"),
                                 {.events = 3000, .seed = 1}, ThreadPool(2), {}));
        }
        const QString file = folder.filePath(list);

        std::optional<ListBinning> answer;
        during([&] { answer = askForBinning(nullptr, file); },
               [&](QDialog& dialog) {
                   const auto fill = [&](const char* field, auto set) {
                       auto* box = dialog.findChild<QSpinBox*>(field);
                       if (box->isEnabled()) {
                           box->setValue(set);
                       }
                   };
                   dialog.findChild<QComboBox*>("binning.to")->setCurrentIndex(form);
                   fill("binning.azimuths", 4);
                   fill("binning.tilts", 1);
                   fill("binning.segments", segments);
                   auto* voxel = dialog.findChild<QDoubleSpinBox*>("binning.voxel");
                   voxel->setValue(form == 0 ? 16 : voxel->value());
                   auto* spread = dialog.findChild<QCheckBox*>("binning.trilinear");
                   QCOMPARE(spread->isEnabled(), form == 0);
                   spread->setChecked(trilinear);
                   auto* faces = dialog.findChild<QCheckBox*>("binning.deposit");
                   QVERIFY(faces->isChecked() && faces->isEnabled() == (form == 0));
                   faces->setChecked(!words.contains("centre"));
                   dialog.findChild<QLineEdit*>("binning.mu")->setText("none");
                   dialog.accept();
               });
        QVERIFY(answer.has_value());
        const EngineRegistry engines = makeEngineRegistry();
        Desk desk(engines, Threading::Inline);
        desk.openList(file, *answer);
        const auto measured = desk.study().measurement();
        QVERIFY(measured != nullptr);
        const Said said =
            cli(QStringList{"bin", file, folder.filePath("command.h5"), "--mu", "none"} + words);
        QVERIFY2(said.code == 0, said.all());

        const auto expected = readMeasurement(path("command.h5"));
        if (const auto histo = desk.study().histo()) {
            writeMeasured(path("window.h5"), *histo);
            QCOMPARE(readMeasurement(path("window.h5"))->hash(), expected->hash());
        } else {
            QCOMPARE(measured->hash(), expected->hash());
        }
        QCOMPARE(measured->viewTotals(), expected->viewTotals());
        QCOMPARE(measured->scannerJson(), expected->scannerJson());
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

    void openTakesAStudyAsOneThing() {
        const QTemporaryDir folder;
        const QString study = folder.filePath("a.tofstudy");
        QVERIFY(QDir(folder.path()).mkdir("a.tofstudy") && QDir(folder.path()).mkdir("plain"));
        QFile description(study + "/study.json");
        QVERIFY(description.open(QIODevice::WriteOnly));
        description.close();

        const auto shown = [&](OpenDialog& dialog) {
            dialog.setOption(QFileDialog::DontUseNativeDialog);
            dialog.setDirectory(folder.path());
            dialog.show();
        };
        OpenDialog typed(nullptr);
        shown(typed);
        typed.findChild<QLineEdit*>("fileNameEdit")->setText("plain");
        typed.accept();
        QVERIFY(typed.isVisible());
        QCOMPARE(QFileInfo(typed.directory().path()).fileName(), QString("plain"));
        typed.setDirectory(folder.path());
        typed.findChild<QLineEdit*>("fileNameEdit")->setText("a.tofstudy");
        typed.accept();
        QCOMPARE(typed.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(typed.paths(), QStringList{study});

        OpenDialog entered(nullptr);
        shown(entered);
        Q_EMIT entered.directoryEntered(study);
        QVERIFY(!entered.isVisible());
        QCOMPARE(entered.paths(), QStringList{study});
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
                    case 0: SimulationDialog(Threading::Inline, {}).exec(); break;
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

}  // namespace dialogs_test
#include "dialogs_test.moc"
