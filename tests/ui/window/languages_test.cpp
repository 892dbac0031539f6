// SPDX-License-Identifier: Apache-2.0
// Translations as shipped: what their files hold, and the window in each language with room for every word.
#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QProcess>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTranslator>
#include <QXmlStreamReader>
#include <algorithm>

#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/within_screen.h"

namespace languages_test {

using namespace tof;
using tof::test::inBuild;
using tof::test::inTree;
using namespace tof::ui;

namespace {

const QString kEllipsis = QChar(0x2026);
constexpr qsizetype kSentence = 40;  // longer ones may be shortened where their tooltip has the rest

/// One text of a .ts file with its translation: one text, or one for every number.
struct Entry {
    QString context;
    QString source;
    QStringList translations;
    bool finished = true;
    QString comment{};  ///< what tells texts of one wording apart
};

std::vector<Entry> entriesOf(const QString& file) {
    QFile device(file);
    if (!device.open(QIODevice::ReadOnly)) {
        return {};
    }
    std::vector<Entry> all;
    QString context;
    bool severalForms = false;
    QXmlStreamReader xml(&device);
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) {
            continue;
        }
        if (xml.name() == QLatin1String("message")) {
            severalForms = xml.attributes().hasAttribute("numerus");
        } else if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            all.push_back({context, xml.readElementText(), {}, true});
        } else if (xml.name() == QLatin1String("comment") && !all.empty()) {
            all.back().comment = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation") && !all.empty()) {
            all.back().finished = !xml.attributes().hasAttribute("type");
            if (!severalForms) {
                all.back().translations << xml.readElementText();
            }
        } else if (xml.name() == QLatin1String("numerusform") && !all.empty()) {
            all.back().translations << xml.readElementText();
        }
    }
    return xml.hasError() ? std::vector<Entry>{} : all;
}

/// %1, %n, file patterns and names that programs read, sorted.
QStringList fixedParts(const QString& text) {
    static const QRegularExpression parts(
        R"(%[n\d]|\*\.[\w.]+|study\.json|NAME\.tofstudy|preset:NAME|--\w+)");
    QStringList found;
    for (auto it = parts.globalMatch(text); it.hasNext();) {
        found << it.next().captured();
    }
    found.removeDuplicates();
    found.sort();
    return found;
}

QString blanksAround(const QString& text) {
    const auto blank = [](QChar c) { return c == ' ' ? QString(" ") : QString(); };
    return text.isEmpty() ? text : blank(text.front()) + "|" + blank(text.back());
}

/// Why a widget does not show its whole text; empty when it does.
QString cutIn(const QWidget& widget) {
    const QFontMetrics metrics(widget.font());
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget); edit != nullptr && edit->isReadOnly()) {
        return {};
    } else if (edit != nullptr) {
        QStyleOptionFrame option;
        option.initFrom(edit);
        const int room = edit->style()->subElementRect(QStyle::SE_LineEditContents, &option, edit).width();
        const int text = metrics.horizontalAdvance(edit->text());
        return text > room && edit->text().size() < 24 ? edit->text() : QString();
    }
    if (const auto* button = qobject_cast<const QToolButton*>(&widget)) {
        const bool icon = button->toolButtonStyle() == Qt::ToolButtonIconOnly;
        return !icon && button->width() < button->sizeHint().width() ? button->text() : QString();
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        return button->width() < button->sizeHint().width() ? button->text() : QString();
    }
    if (const auto* list = qobject_cast<const QListWidget*>(&widget)) {
        return list->sizeHintForColumn(0) > list->viewport()->width() ? "a row" : QString();
    }
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {  // nothing chosen says nothing
        return box->count() > 0 && box->currentIndex() < 0 ? "no choice" : QString();
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        const bool fits = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                            : label->width() >= label->sizeHint().width();
        return fits ? QString() : label->text();
    }
    return {};
}

/// True when a shortened text is the beginning of one of `texts`, or of a part of it: other glyphs than those
/// of the font are painted one by one.
bool beginsOneOf(const QString& shortened, const QStringList& texts) {
    const QString start = shortened.left(shortened.indexOf(kEllipsis));
    return std::any_of(texts.begin(), texts.end(), [&](const QString& text) { return text.contains(start); });
}

/// Texts in `top` that are cut off or shortened with dots; `sentences` may be.
QStringList cutTexts(QWidget& top, QStringList sentences) {
    QStringList cut;
    QSet<QString> whole;
    for (QWidget* widget : top.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&top) || widget->objectName().startsWith("qt_")) {
            continue;
        }
        if (const QString text = cutIn(*widget); !text.isEmpty()) {
            cut << text + " in " + widget->objectName();
        }
        if (const auto* button = qobject_cast<QAbstractButton*>(widget)) {
            whole.insert(button->text());
        }
        if (const auto* plain = qobject_cast<QLabel*>(widget);
            plain != nullptr && dynamic_cast<ElidedLabel*>(widget) == nullptr) {
            whole.insert(plain->text());  // dots of its own: "measuring..."
        }
        if (const auto* box = qobject_cast<QComboBox*>(widget)) {
            whole.insert(box->currentText());
        }
        if (const auto* label = dynamic_cast<ElidedLabel*>(widget);
            label != nullptr && label->text().size() > kSentence) {
            sentences << label->text();  // whole under the pointer
        }
    }
    for (const QString& text : test::paintedTexts(top)) {
        if (text.contains(kEllipsis) && !whole.contains(text) && !beginsOneOf(text, sentences)) {
            cut << text;
        }
    }
    cut.removeDuplicates();
    return cut;
}

}  // namespace

class LanguagesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
    }

    void cleanup() {
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) {
            QCoreApplication::removeTranslator(translator);
            delete translator;
        }
    }

    void noTextIsTranslatedTwice_data() { rowPerFile(); }

    /// Nobody knows which of two translations of one text is shown. Texts that differ by a comment for the
    /// translator have one each.
    void noTextIsTranslatedTwice() {
        QFETCH(QString, file);
        QSet<QString> seen;
        QStringList faults;
        for (const Entry& entry : entriesOf(file)) {
            const QString text = entry.context + "\n" + entry.source + "\n" + entry.comment;
            if (seen.contains(text)) {
                faults << entry.source;
            }
            seen.insert(text);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
    }

    void translationsKeepPlaceHoldersAndPatterns_data() { rowPerFile(); }

    void translationsKeepPlaceHoldersAndPatterns() {
        QFETCH(QString, file);
        const std::vector<Entry> entries = entriesOf(file);
        QVERIFY(entries.size() > 1000);
        QStringList faults;
        for (const Entry& entry : entries) {
            for (const QString& text : entry.translations) {
                const bool right = !text.isEmpty() && fixedParts(text) == fixedParts(entry.source) &&
                                   blanksAround(text) == blanksAround(entry.source);
                if (entry.finished && !right) {
                    faults << entry.source + " -> " + text;
                }
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
    }

    void translationsHaveNearlyEveryText_data() { rowPerFile(); }

    /// New texts are English until somebody translates them; a language that is shipped has 19 of 20.
    void translationsHaveNearlyEveryText() {
        QFETCH(QString, file);
        const QString tool = QLibraryInfo::path(QLibraryInfo::BinariesPath) + "/lupdate";
        if (!QFile::exists(tool)) {
            QSKIP("Qt's lupdate is not installed");
        }
        const QString copy = folder_.filePath("copy.ts");
        QFile::remove(copy);
        QVERIFY(QFile::copy(file, copy));
        QProcess lupdate;
        lupdate.setWorkingDirectory(inTree(""));
        lupdate.start(
            tool, {"-silent", "-no-obsolete", "-tr-function-alias", "QT_TRANSLATE_NOOP+=toTranslate", "-I",
                   ".", "ui", "app/desktop", "recon", "-ts", copy});
        QVERIFY(lupdate.waitForFinished(120000) && lupdate.exitCode() == 0);

        const std::vector<Entry> entries = entriesOf(copy);
        QStringList open;
        for (const Entry& entry : entries) {
            if (!entry.finished) {
                open << entry.source;
            }
        }
        QVERIFY2(open.size() * 20 < static_cast<qsizetype>(entries.size()), qPrintable(open.join("\n")));
    }

    void everyTextHasRoom_data() { rowPerLanguage(); }

    /// Every page in every size, of one program: nothing is reconstructed per size. 1280 x 720 is what a
    /// screen of 2560 x 1440 at scale 2 has. Texts are as wide in either theme: the light one is looked at in
    /// the smallest window alone, all pages together, since a change of theme takes longer than all else
    /// here.
    void everyTextHasRoom() {
        QFETCH(QString, language);
        QCOMPARE(installTranslation(*qApp, language, compiled()), language != "en");
        test::Program program(engines_);
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        QVERIFY(test::until([&] { return !program.desk.tasks().busy(); }));
        QStringList faults;
        const std::vector<QSize> sizes{{1100, 700}, {1280, 720}, {1366, 768}, {1600, 1000}};
        const auto* light = program.window.commands().action("view.light");
        const auto lookAt = [&](const QString& where, std::size_t firstSizes) {
            for (std::size_t i = 0; i < (light->isChecked() ? 1 : firstSizes); ++i) {
                const QSize size = sizes[i];
                program.window.resize(size);
                QVERIFY(test::until([&] { return program.window.size() == size; }));
                program.window.refreshNow();
                QCoreApplication::processEvents();
                const QString place = QString("%1, %2 x %3, %4")
                                          .arg(where)
                                          .arg(size.width())
                                          .arg(size.height())
                                          .arg(light->isChecked() ? "light" : "dark");
                for (const QString& text : cutTexts(program.window, reasons())) {
                    faults << place + ": " + text;
                }
                keepPicture(program.window, language + " " + place);
            }
        };
        const auto lookAtPages = [&] {
            int pages = 0;
            for (const auto& command : program.window.commands().all()) {
                if (command->id.startsWith("page.")) {
                    ++pages;
                    QVERIFY2(command->checked() || program.window.commands().trigger(command->id),
                             qPrintable(command->id));
                    program.settle();
                    QVERIFY(test::until([&] { return !program.window.labPage().busy(); }));
                    lookAt(command->id, sizes.size());
                }
            }
            QVERIFY(pages >= 6);
            // What stands below the pictures of Slices, and their arrangements.
            program.window.commands().trigger("page.slices");
            program.window.commands().trigger("layout.main");
            int part = 0;
            for (const char* command : {"chart.profile", "chart.histogram", "chart.rois", "chart.solid",
                                        "layout.grid", "chart.histogram", "chart.rois", "chart.profile",
                                        "layout.solid", "layout.row", "layout.single"}) {
                program.window.commands().trigger(command);
                program.settle();
                lookAt(QString("part %1 %2").arg(++part).arg(command), 3);
            }
        };
        const auto changeTheme = [&](bool toLight) {
            program.window.commands().trigger("view.light");
            program.window.refreshNow();
            QCOMPARE(light->isChecked(), toLight);
        };

        QVERIFY(!light->isChecked());
        lookAt("start page", sizes.size());
        changeTheme(true);
        lookAt("start page", 1);
        program.open({dataFile_});
        program.reconstruct(2);
        program.reconstruct(2);
        lookAtPages();
        changeTheme(false);
        lookAtPages();

        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    void everyDialogHasRoom_data() { rowPerLanguage(); }

    /// Every command that opens something over the window, in the smallest window: nothing is cut, and it
    /// fits.
    void everyDialogHasRoom() {
        QFETCH(QString, language);
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QCOMPARE(installTranslation(*qApp, language, compiled()), language != "en");
        test::Program program(engines_, {.size = {1100, 700}});
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        program.open({dataFile_});
        program.reconstruct(2);
        program.desk.view().selectRoi(0);
        QStringList faults;
        QSet<QString> seen;
        const auto look = [&](QDialog& dialog, const QString& id) {
            seen.insert(id);
            QCoreApplication::processEvents();
            if (qobject_cast<QFileDialog*>(&dialog) == nullptr) {  // Qt's own
                for (const QString& text : cutTexts(dialog, reasons())) {
                    faults << id + ": " + text;
                }
                if (dialog.width() > 1100 || dialog.height() > 700) {
                    faults << QString("%1: %2 x %3").arg(id).arg(dialog.width()).arg(dialog.height());
                }
                keepPicture(dialog, language + " dialog " + id);
            }
            dialog.reject();
        };
        eachDialog(program, look);
        qInfo("%s", qPrintable(QStringList(seen.values()).join(' ')));
        for (const char* id :
             {"file.simulate", "run.sweep", "edit.preferences", "help.keys", "help.manual"}) {
            QVERIFY2(seen.contains(id), id);
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    void textsOfTwiceTheirSizeHaveRoomOnALaptop_data() { rowPerLanguage(); }

    /// At *Size of everything* 200 % a screen of 1366 x 768 has 683 x 384 px of ours, less a title bar. Every
    /// page and every dialog scrolls there or fits: no text is cut, and no window is larger than the screen.
    void textsOfTwiceTheirSizeHaveRoomOnALaptop() {
        QFETCH(QString, language);
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QCOMPARE(installTranslation(*qApp, language, compiled()), language != "en");
        const QSize room(683, 384 - 30);
        test::Program program(engines_, {.size = room});
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        QStringList faults;
        const auto look = [&](const QString& where) {
            program.window.refreshNow();
            QCoreApplication::processEvents();
            QVERIFY2(program.window.size() == room, qPrintable(where));
            for (const QString& text : cutTexts(program.window, reasons())) {
                faults << where + ": " + text;
            }
            keepPicture(program.window, language + " twice " + where);
        };
        look("start page");
        program.open({dataFile_});
        program.reconstruct(1);
        program.reconstruct(1);
        for (const auto& command : program.window.commands().all()) {
            if (command->id.startsWith("page.")) {
                QVERIFY2(command->checked() || program.window.commands().trigger(command->id),
                         qPrintable(command->id));
                program.settle();
                QVERIFY(test::until([&] { return !program.window.labPage().busy(); }));
                look(command->id);
            }
        }
        program.window.commands().trigger("page.slices");
        program.desk.view().selectRoi(0);
        int dialogs = 0;
        const auto lookAt = [&](QDialog& dialog, const QString& id) {
            QCoreApplication::processEvents();
            const bool qts = qobject_cast<QFileDialog*>(&dialog) != nullptr ||
                             qobject_cast<QInputDialog*>(&dialog) != nullptr ||
                             qobject_cast<QMessageBox*>(&dialog) != nullptr;
            if (!qts) {
                ++dialogs;
                keepWithin(dialog, room);
                QCoreApplication::processEvents();
                if (dialog.width() > room.width() || dialog.height() > room.height()) {
                    faults << QString("%1: %2 x %3").arg(id).arg(dialog.width()).arg(dialog.height());
                }
                for (const QString& text : cutTexts(dialog, reasons())) {
                    faults << id + ": " + text;
                }
                keepPicture(dialog, language + " twice " + id);
            }
            dialog.reject();
        };
        eachDialog(program, lookAt);
        QVERIFY(dialogs >= 8);
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join("\n")));
    }

    void unitsAreWordsOnTheScreenAndNamesInFiles() {
        if (!languages(compiled()).contains("de")) {
            QSKIP("there is no German");
        }
        QVERIFY(installTranslation(*qApp, "de", compiled()));
        test::Program program(engines_);
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        program.open({dataFile_});
        program.reconstruct(2);
        program.window.commands().trigger("chart.profile");
        program.settle();

        const QStringList painted = test::paintedTexts(program.window);
        QVERIFY(painted.contains("Emissionen/Voxel"));
        for (const QString& text : painted) {
            QVERIFY2(!text.contains("emissions/voxel"), qPrintable(text));
        }
        QVERIFY(program.window.viewer().profileCsv().contains("emissions/voxel"));
        QVERIFY(program.window.figuresPanel().roiTable().contains("emissions/voxel"));
    }

  private:
    /// Calls `look` with every dialog that a command opens, and the command's id; it closes the dialog.
    template <typename Look>
    void eachDialog(test::Program& program, const Look& look) {
        for (const auto& command : program.window.commands().all()) {
            const QString id = command->id;
            if (id == "file.quit" || id == "file.close" || id.startsWith("page.") ||
                !program.window.commands().action(id)->isEnabled()) {
                continue;
            }
            const bool opens = command->text.endsWith(kEllipsis) || command->text.endsWith("...") ||
                               id.startsWith("help.") || id == "edit.preferences" || id == "run.sweep";
            if (!opens) {
                continue;
            }
            QTimer modal;
            connect(&modal, &QTimer::timeout, this, [&] {
                if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
                    look(*dialog, id);
                }
            });
            modal.start(20);
            program.window.commands().trigger(id);
            modal.stop();
            QCoreApplication::processEvents();
            for (QDialog* dialog : program.window.findChildren<QDialog*>()) {
                if (dialog->isVisible()) {
                    look(*dialog, id);
                }
            }
            program.settle();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    [[nodiscard]] static QStringList compiled() { return {inBuild("translations")}; }

    /// What engines say of missing devices: as long as drivers like.
    [[nodiscard]] QStringList reasons() const {
        QStringList all;
        for (const std::string& name : engines_.names()) {
            const auto found = engines_.find(name);
            if (const auto* missing = std::get_if<Unsupported>(&found)) {
                all << QString::fromStdString(missing->why);
            }
        }
        return all;
    }

    static void rowPerLanguage() {
        QTest::addColumn<QString>("language");
        QStringList all{"en"};
        all << languages(compiled());
        for (const QString& language : all) {
            QTest::newRow(qPrintable(language)) << language;
        }
    }

    /// For a look at it, where a folder is named.
    static void keepPicture(QWidget& window, const QString& name) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            window.grab().save(folder + "/" + QString(name).replace(", ", "-").replace(' ', '_') + ".png");
        }
    }

    static void rowPerFile() {
        QTest::addColumn<QString>("file");
        const QDir folder(inTree("resources/translations"));
        for (const QString& name : folder.entryList({"tofscope_*.ts"}, QDir::Files)) {
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
        }
    }

    const EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
};

QTEST_MAIN(LanguagesTest)

}  // namespace languages_test
#include "languages_test.moc"
