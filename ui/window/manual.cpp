// SPDX-License-Identifier: Apache-2.0
#include "ui/window/manual.h"

#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/kit/text.h"

namespace tof::ui {

namespace {

QString document(const char* name) {
    QFile file(QString(":/manual/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

QString manualText(ManualPage page) {
    static const QRegularExpression picture("!\\[[^\\]]*\\]\\([^)]*\\)\n*");
    static const QRegularExpression link("\\[([^\\]]*)\\]\\([^)]*\\)");
    QString text = document(page == ManualPage::Desktop    ? "desktop.md"
                            : page == ManualPage::Journeys ? "journeys.md"
                                                           : "model.md");
    if (page == ManualPage::Glossary) {  // the table of words
        const qsizetype begin = text.indexOf(
            QRegularExpression("^#+ .*(Words|Glossary|Terms).*$", QRegularExpression::MultilineOption));
        text = text.mid(std::max<qsizetype>(0, begin));
    }
    // Other documents and pictures are not part of the program.
    return text.remove(picture).replace(link, "\\1");
}

QDialog* makeManual(ManualPage page, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName("manual");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(page == ManualPage::Desktop    ? Text::tr("Manual")
                           : page == ManualPage::Journeys ? Text::tr("Walkthroughs")
                                                          : Text::tr("Glossary"));
    auto* find = new QLineEdit;
    find->setObjectName("manual.find");
    find->setAccessibleName(Text::tr("Find"));
    find->setPlaceholderText(Text::tr("Find a word; Return goes on to the next one"));
    auto* text = new QTextBrowser;
    text->setObjectName("manual.text");
    text->setAccessibleName(dialog->windowTitle());
    text->setMarkdown(manualText(page));
    const auto go = [find, text](bool fromHere) {
        if (!fromHere) {
            text->moveCursor(QTextCursor::Start);
        }
        if (!find->text().isEmpty() && !text->find(find->text())) {
            text->moveCursor(QTextCursor::Start);
            text->find(find->text());
        }
    };
    QObject::connect(find, &QLineEdit::textEdited, text, [go] { go(false); });
    QObject::connect(find, &QLineEdit::returnPressed, text, [go] { go(true); });
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->addWidget(find);
    column->addWidget(text);
    dialog->resize(820, 700);
    find->setFocus();
    return dialog;
}

}  // namespace tof::ui
