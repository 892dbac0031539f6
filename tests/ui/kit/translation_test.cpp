// SPDX-License-Identifier: Apache-2.0
// Every text of the window goes through the translator: a made-up language puts an accent on every vowel, and
// what is painted or said to screen readers is searched for words without one.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDirIterator>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QTranslator>
#include <functional>
#include <set>

#include "app/experiment/report.h"
#include "recon/experiment/registry.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/metrics/roi.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/phantom/phantom.h"
#include "recon/physics/positron.h"
#include "recon/scanner/scanner.h"
#include "recon/seam/space.h"
#include "recon/settings/settings.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/panel/panel_model.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/desk/roi_quantity.h"
#include "ui/experiments/experiments_wing.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/window/binning_dialog.h"
#include "ui/window/dialogs.h"
#include "ui/window/main_window.h"
#include "ui/window/page_table.h"
#include "ui/window/simulation_dialog.h"
#include "viz/colour_map.h"

namespace translation_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inTree;
using tof::test::until;

namespace {

const QString kPlain = "aeiouAEIOU";
const QString kMarked = QString::fromUtf8("áéíóúÁÉÍÓÚ");

/// Answers every request with the text itself, an accent on each vowel. Place holders and mark-up stay.
class Accents : public QTranslator {
    Q_OBJECT

  public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override {
        QString text = QString::fromUtf8(source);
        // File patterns are no words.
        static const QRegularExpression keep(R"(%[Ln]?\d*|\*\.[\w.]+|study\.json|NAME\.tofstudy|<[^>]*>)");
        QString out;
        qsizetype at = 0;
        for (auto it = keep.globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            out += marked(text.mid(at, match.capturedStart() - at)) + match.captured();
            at = match.capturedEnd();
        }
        return out + marked(text.mid(at));
    }

  private:
    static QString marked(QString text) {
        for (QChar& c : text) {
            const auto i = kPlain.indexOf(c);
            c = i < 0 ? c : kMarked[i];
        }
        return text;
    }
};

QStringList wordsIn(QString text) {
    text.remove(QRegularExpression("\\b(emissions|events)/(voxel|bin|ml)\\b"));  // units of files
    text.remove(QRegularExpression(R"((/[\w.-]+)+|\w+\.tofstudy)"));             // paths
    static const QRegularExpression separators(R"([^\p{L}\p{N}_-]+)");
    return text.split(separators, Qt::SkipEmptyParts);
}

/// What is no word of a language: names of data, files, engines, devices, kernels and settings; keys; units.
/// What engines say of a missing device is not translated either: it comes from drivers.
QSet<QString> names(const EngineRegistry& engines) {
    QSet<QString> all{"small", "definition", "Tofscope",  "English",    "Deutsch", "Ctrl", "Shift",
                      "Alt",   "Esc",        "Space",     "Home",       "End",     "PgUp", "PgDown",
                      "Del",   "Left",       "Right",     "Down",       "GiB",     "KiB",  "MiB",
                      "HDF5",  "NIfTI",      "Interfile", "CASToR",     "RAMLA",   "OSEM", "MLEM",
                      "BSREM", "SVRG",       "NEGML",     "AML",        "SUV",     "KEM",  "OSL",
                      "DICOM", "sphere",     "uniform",   "background", "PERCIST"};
    const auto add = [&all](const std::string& text) {
        for (const QString& word : wordsIn(QString::fromStdString(text))) {
            all.insert(word);
        }
    };
    for (const std::string& name : engines.names()) {
        const auto found = engines.find(name);
        const auto* engine = std::get_if<std::shared_ptr<const Engine>>(&found);
        add(name + " " + (engine != nullptr ? (*engine)->device().name : std::get<Unsupported>(found).why));
        if (engine != nullptr) {
            for (const std::string& strategy : (*engine)->strategyNames(DirectModel::kSystem)) {
                add(strategy);
            }
        }
    }
    for (const SettingInfo& info : settingsTable()) {
        for (const std::string& choice : info.choices) {
            add(choice);
        }
        add(info.fallback);
    }
    for (const Prior* const prior : priors()) {
        add(prior->shortName);
    }
    for (const std::string& preset : KernelSpec::presetNames()) {
        add(preset);
    }
    for (const auto& builtIns : {builtInScanners(), builtInPhantoms()}) {
        for (const BuiltIn& one : builtIns) {
            add(one.name);
        }
    }
    for (const Isotope& isotope : isotopes()) {
        add(isotope.name);
    }
    for (const std::string& computed : computedPhantoms()) {
        add(computed);
    }
    for (const char* rings : {"ge-ste", "GE Discovery STE"}) {
        add(rings);
    }
    return all;
}

/// Words that no translator has seen: three letters and more with a plain vowel, none with an accent.
QStringList foreignWords(const QString& text, const QSet<QString>& known = {}) {
    QStringList found;
    static const QRegularExpression plain("[aeiouAEIOU]");
    static const QRegularExpression accent(QString::fromUtf8("[áéíóúÁÉÍÓÚ]"));
    for (const QString& word : wordsIn(text)) {
        if (word.size() >= 3 && !word[0].isDigit() && word.contains(plain) && !word.contains(accent) &&
            !known.contains(word)) {
            found << word;
        }
    }
    return found;
}

}  // namespace

class TranslationTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
        qApp->installTranslator(&accents_);
        preferences_ = std::make_unique<Preferences>(QString());
        desk_ = std::make_unique<Desk>(engines_, Threading::Threaded);
        window_ = std::make_unique<MainWindow>(
            *desk_, *preferences_,
            MainWindow::Options{.askBeforeClosing = false, .wings = {experimentsWing(writeReport)}});
        window_->resize(1600, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }

    void cleanupTestCase() {
        window_.reset();
        desk_.reset();
        qApp->removeTranslator(&accents_);
    }

    void theMadeUpLanguageMarksWordsAndKeepsPlaceHolders() {
        QCOMPARE(Accents().translate("", "iteration %1 of %n", nullptr, 3),
                 QString::fromUtf8("ítérátíón %1 óf %n"));
        QCOMPARE(foreignWords(QString::fromUtf8("ítérátíón 3 of 5 plain")), QStringList{"plain"});
    }

    void theStartPageIsTranslated() { search("start page"); }

    void everyPageIsTranslated_data() {
        QTest::addColumn<QString>("command");
        for (const PageRow& page : pageTable()) {
            QTest::newRow(qPrintable(page.open.id)) << page.open.id;
        }
    }

    void everyPageIsTranslated() {
        QFETCH(QString, command);
        openAndRun();

        if (command != "page.slices") {
            QVERIFY(window_->commands().trigger(command));
        }
        QVERIFY(until([&] { return !window_->comparePage().model().busy() && !window_->labPage().busy(); }));
        search(command);
        QVERIFY(window_->commands().trigger("page.slices"));
    }

    void everyChartIsTranslated() {
        openAndRun();
        // chart.line wants a line that somebody drew.
        for (const char* id : {"chart.histogram", "chart.rois", "chart.profile"}) {
            QVERIFY2(window_->commands().trigger(id), id);
            search(id);
        }
        QVERIFY(window_->commands().trigger("roi.numbers"));
        QVERIFY(window_->commands().trigger("run.all-settings"));
        search("numbers and settings");
    }

    void everyCommandIsTranslated() {
        for (const auto& command : window_->commands().all()) {
            const QString id = command->id;
            expectTranslated(id + " text", command->text);
            expectTranslated(id + " brief", command->brief);
            expectTranslated(id + " help", command->help);
            expectTranslated(id + " menu", word(command->menu.toStdString()));
            if (command->whyNot) {
                expectTranslated(id + " reason", command->whyNot());
            }
        }
        for (const QAction* menu : window_->menuBar()->actions()) {
            expectTranslated("menu", menu->text());
        }
    }

    void everyDialogIsTranslated_data() {
        QTest::addColumn<QString>("command");
        for (const char* id : {"help.palette",    "help.keys",        "help.messages",
                               "help.about",      "edit.preferences", "file.open",
                               "file.open-study", "file.simulate",    "file.save-image",
                               "run.duplicate",   "run.continue",     "run.rename",
                               "roi.ring",        "roi.threshold",    "roi.open",
                               "roi.save",        "roi.save-table",   "lab.load",
                               "lab.export",      "lab.save-preset",  "export.picture-file",
                               "export.curve",    "export.views",     "export.widths"}) {
            QTest::newRow(id) << QString(id);
        }
    }

    void everyDialogIsTranslated() {
        QFETCH(QString, command);
        openAndRun();
        const QString page = command.startsWith("lab.") || command == "export.widths" ? "page.lab"
                             : command == "export.views"                              ? "page.data"
                                                                                      : "page.slices";
        if (!window_->commands().action(page)->isChecked()) {
            QVERIFY(window_->commands().trigger(page));
        }
        desk_->view().selectRoi(0);
        window_->refreshNow();

        lookAtDialogOf(command, [&] { QVERIFY(window_->commands().trigger(command)); });
    }

    void whatIsAskedBeforeAFileIsOpenedIsTranslated() {
        lookAtDialogOf("list-mode", [&] { static_cast<void>(askForBinning(window_.get(), "small.h5")); });
    }

    void everyMenuIsTranslated() {
        openAndRun();
        QStringList faults;
        for (const QAction* menu : window_->menuBar()->actions()) {
            readMenu(*menu->menu(), menu->text(), faults);
        }
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    void everyContextMenuIsTranslated_data() {
        QTest::addColumn<QString>("widget");
        QTest::addColumn<QString>("menu");
        QTest::newRow("picture") << "pane.transverse"
                                 << "menu.picture";
        QTest::newRow("ROI table") << "rois.all"
                                   << "menu.roi";
    }

    void everyContextMenuIsTranslated() {
        QFETCH(QString, widget);
        QFETCH(QString, menu);
        openAndRun();
        QVERIFY(window_->commands().trigger(widget == "rois.all" ? "chart.rois" : "page.slices"));
        desk_->view().selectRoi(widget.startsWith("rois") ? 0 : -1);
        window_->refreshNow();
        auto* of = window_->findChild<QWidget*>(widget);
        QVERIFY2(of != nullptr, qPrintable(widget));

        of->setFocus();
        QContextMenuEvent key(QContextMenuEvent::Keyboard, of->rect().center(),
                              of->mapToGlobal(of->rect().center()));
        QCoreApplication::sendEvent(of, &key);

        auto* opened = window_->findChild<QMenu*>(menu);
        QVERIFY2(opened != nullptr, qPrintable(menu));
        QStringList faults;
        readMenu(*opened, widget, faults);
        opened->close();
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    void everyWordOfTheTablesOutsideIsKnownToTheTools() {
        const QString text = markedWords();
        std::set<std::string> words;
        for (const SettingInfo& info : settingsTable()) {
            words.insert({info.label, info.help});
            for (const auto& [choice, about] : info.about) {
                words.insert(about);
            }
            QVERIFY(info.unit != "voxels" || text.contains("(\"Word\",\"voxels\")"));
        }
        for (const std::string& name : engines_.names()) {
            const auto found = engines_.find(name);
            const auto* const engine = std::get_if<std::shared_ptr<const Engine>>(&found);
            for (const char* system : {DirectModel::kSystem, LineModel::kSystem, PanelModel::kSystem}) {
                for (const Strategy& strategy :
                     engine != nullptr ? (*engine)->strategies(system) : std::vector<Strategy>()) {
                    QVERIFY2(*strategy.about != '\0', strategy.name.c_str());
                    words.insert(strategy.about);
                }
            }
        }
        for (const viz::ColourMap& map : viz::ColourMap::all()) {
            words.insert(map.label);
        }
        for (int i = 0; i <= static_cast<int>(Roi::Shape::Region); ++i) {
            words.insert(shapeName(static_cast<Roi::Shape>(i)));
        }
        for (int i = 1; i <= static_cast<int>(Roi::Role::Uniform); ++i) {
            words.insert(roleName(static_cast<Roi::Role>(i)));
        }
        for (int i = 0; i < static_cast<int>(kStages); ++i) {
            words.insert(stageName(static_cast<Stage>(i)));
        }
        for (const Experiment& experiment : experiments()) {
            words.insert({experiment.about, experiment.quick, experiment.full});
        }
        for (const auto& command : window_->commands().all()) {
            words.insert(command->menu.toStdString());
        }
        for (const std::string& each : words) {
            QVERIFY2(each.empty() || text.contains("(\"Word\",\"" + QString::fromStdString(each) + "\")"),
                     each.c_str());
        }
    }

    void aMissingTranslationLeavesEnglish() {
        QCoreApplication& application = *qApp;
        const QStringList nowhere{folder_.path()};

        QVERIFY(!installTranslation(application, "de", nowhere));
        QVERIFY(!installTranslation(application, "en", nowhere));
        QVERIFY(languages(nowhere).isEmpty());
    }

  private:
    /// The sources that mark words, each literal in one piece: ("Word","the words").
    static QString markedWords() {
        QString all;
        QStringList paths{inTree("resources/translations/words.h")};
        for (const char* room : {"recon", "gpu"}) {
            QDirIterator files(inTree(room), {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                paths << files.next();
            }
        }
        for (const QString& path : paths) {
            QFile source(path);
            const QString text = source.open(QIODevice::ReadOnly) ? QString::fromUtf8(source.readAll()) : "";
            if (text.contains("\"Word\"")) {
                all += text;
            }
        }
        return all.remove(QRegularExpression("\"\\s+\""))
            .replace(QRegularExpression("\"Word\",\\s+"), "\"Word\",")
            .replace(QRegularExpression("\\(\\s+\"Word\""), "(\"Word\"");
    }

    void openAndRun() {
        if (!desk_->runs().items().empty()) {
            return;
        }
        desk_->open({dataFile_});
        QVERIFY(until([&] { return !desk_->busy() && desk_->study().histo() != nullptr; }));
        desk_->settings().set("iterations", "2");
        desk_->settings().set("kernel", "invariant");
        for (int i = 0; i < 2; ++i) {
            QVERIFY(desk_->queue().start() != 0);
            QVERIFY(until([&] { return !desk_->busy(); }));
        }
        window_->refreshNow();
    }

    void expectTranslated(const QString& where, const QString& text) {
        const QStringList words = foreignWords(text, names_);
        QVERIFY2(words.isEmpty(), qPrintable(where + ": '" + text + "' has " + words.join(", ")));
    }

    /// Painted texts, tooltips and accessible names of everything visible.
    void search(const QString& where) {
        window_->refreshNow();
        QCoreApplication::processEvents();
        collect(where, *window_);
    }

    /// Opens a dialog, modal or not, looks at its texts and closes it.
    void lookAtDialogOf(const QString& name, const std::function<void()>& open) {
        bool seen = false;
        QTimer poll;
        connect(&poll, &QTimer::timeout, this, [&] {
            QDialog* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            for (auto* other : window_->findChildren<QDialog*>()) {
                dialog = dialog == nullptr && other->isVisible() ? other : dialog;
            }
            if (dialog != nullptr && dialog->isVisible()) {
                seen = true;
                poll.stop();
                lookAt(name, *dialog);
                dialog->reject();
            }
        });
        poll.start(10);
        open();
        QVERIFY(until([&] { return seen; }, 10000));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    void lookAt(const QString& name, QDialog& dialog) {
        expectTranslated(name + ", title", dialog.windowTitle());
        if (auto* files = qobject_cast<QFileDialog*>(&dialog)) {
            // The rest of it is Qt's, and names of files.
            expectTranslated(name + ", kinds of files", files->nameFilters().join(" ").remove(
                                                            QRegularExpression(R"(\([^)]*\*[^)]*\))")));
        } else {
            collect(name, dialog);
        }
    }

    void readMenu(const QMenu& menu, const QString& where, QStringList& faults) {
        for (const QAction* action : menu.actions()) {
            for (const QString& text : {action->text(), action->toolTip()}) {
                const QStringList words = foreignWords(text, names_);
                if (!words.isEmpty()) {
                    faults << where + ": '" + text + "' has " + words.join(", ");
                }
            }
            if (action->menu() != nullptr) {
                readMenu(*action->menu(), where + " > " + action->text(), faults);
            }
        }
    }

    void collect(const QString& where, QWidget& top) {
        const QStringList painted = test::paintedTexts(top);
        QVERIFY(!painted.isEmpty());
        QStringList faults;
        const auto check = [&](const QString& what, const QString& text) {
            const QStringList words = foreignWords(text, names_);
            if (!words.isEmpty()) {
                faults << where + ", " + what + ": '" + text + "' has " + words.join(", ");
            }
        };
        for (const QString& text : painted) {
            check("painted", text);
        }
        for (QWidget* widget : top.findChildren<QWidget*>()) {
            if (widget->isVisible()) {
                check("tooltip of " + widget->objectName(), widget->toolTip());
                check("name of " + widget->objectName(), widget->accessibleName());
                if (auto* combo = qobject_cast<QComboBox*>(widget)) {
                    for (int i = 0; i < combo->count(); ++i) {
                        check("item of " + widget->objectName(), combo->itemText(i));
                    }
                } else if (auto* list = qobject_cast<QListWidget*>(widget)) {
                    for (int i = 0; i < list->count(); ++i) {
                        check("row of " + widget->objectName(), list->item(i)->text());
                        check("tooltip of a row of " + widget->objectName(), list->item(i)->toolTip());
                    }
                } else if (auto* text = qobject_cast<QTextBrowser*>(widget)) {
                    check("text of " + widget->objectName(), text->toPlainText());
                }
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    Accents accents_;
    QTemporaryDir folder_;
    QString dataFile_;
    EngineRegistry engines_ = makeEngineRegistry();
    QSet<QString> names_ = names(engines_);
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<Desk> desk_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TranslationTest)

}  // namespace translation_test
#include "translation_test.moc"
