// SPDX-License-Identifier: Apache-2.0
#include "ui/window/manual.h"

#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/kit/text.h"

namespace tof::ui {

namespace {

QString document(const char* name) {
    QFile file(QString(":/manual/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Shows pictures of the manual no wider than the text.
class ManualBrowser : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;

  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        constexpr int kWidest = 740;
        const QImage picture(":/manual/" + name.toString());
        if (type != QTextDocument::ImageResource || picture.isNull()) {
            return QTextBrowser::loadResource(type, name);
        }
        const double ratio = devicePixelRatioF();
        QImage shown = picture.scaledToWidth(std::min(picture.width(), static_cast<int>(kWidest * ratio)),
                                             Qt::SmoothTransformation);
        shown.setDevicePixelRatio(ratio);
        return shown;
    }
};

/// Cells with room about their words, and one line between them.
void spaceTables(QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setCellPadding(4);
            format.setCellSpacing(0);
            format.setBorderCollapse(true);
            table->setFormat(format);
        }
    }
}

}  // namespace

QString manualText(ManualPage page) {
    static const QRegularExpression picture("!\\[[^\\]]*\\]\\(([^)]*)\\)\n*");
    static const QRegularExpression link("(?<!!)\\[([^\\]]*)\\]\\([^)]*\\)");
    QString text = document(page == ManualPage::Desktop    ? "desktop.md"
                            : page == ManualPage::Journeys ? "journeys.md"
                                                           : "model.md");
    if (page == ManualPage::Glossary) {  // the table of words
        const qsizetype begin = text.indexOf(
            QRegularExpression("^#+ .*(Words|Glossary|Terms).*$", QRegularExpression::MultilineOption));
        text = text.mid(std::max<qsizetype>(0, begin));
    }
    // Other documents are not part of the program, and of the pictures those of the walkthroughs.
    if (page != ManualPage::Journeys) {
        text.remove(picture);
    }
    return text.replace(link, "\\1");
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
    auto* text = new ManualBrowser;
    text->setObjectName("manual.text");
    text->setAccessibleName(dialog->windowTitle());
    text->setMarkdown(manualText(page));
    text->document()->setDocumentMargin(12);
    spaceTables(*text->document());
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
