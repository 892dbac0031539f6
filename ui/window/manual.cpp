// SPDX-License-Identifier: Apache-2.0
#include "ui/window/manual.h"

#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFragment>
#include <QTextFrame>
#include <QTextTable>
#include <QTimer>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/kit/text.h"

namespace tof::ui {

namespace {

QString carried(const QString& name) {
    QFile file(":/manual/" + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QUrl urlOf(const QString& page) {
    return QUrl("qrc:/manual/" + page);
}

/// The name of a page in docs/, without a heading.
QString pageOf(const QUrl& url) {
    return url.path().mid(QString("/manual/").size());
}

/// The name that links give to a heading: small letters, hyphens for spaces, no marks.
QString anchorOf(const QString& heading) {
    static const QRegularExpression marks("[^\\w\\- ]", QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(marks).replace(' ', '-');
}

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

/// Links stand out by their line, since the theme gives them the colour of text; paragraphs stand apart.
void setApart(QTextDocument& document) {
    QTextCharFormat underlined;
    underlined.setFontUnderline(true);
    QTextBlockFormat apart;
    apart.setBottomMargin(8);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (cursor.currentTable() == nullptr &&
            !block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage)) {
            cursor.mergeBlockFormat(apart);
        }
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (part.fragment().charFormat().isAnchor()) {
                cursor.setPosition(part.fragment().position());
                cursor.setPosition(part.fragment().position() + part.fragment().length(),
                                   QTextCursor::KeepAnchor);
                cursor.mergeCharFormat(underlined);
            }
        }
    }
}

/// Shows pages of the manual, with pictures no wider than the text.
class ManualBrowser : public QTextBrowser {
  public:
    explicit ManualBrowser(QWidget* parent = nullptr) : QTextBrowser(parent) {
        laidOut_.setSingleShot(true);
        connect(&laidOut_, &QTimer::timeout, this, [this] { goTo(source().fragment()); });
    }

  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        const QUrl url = page_.resolved(name);
        if (type == QTextDocument::MarkdownResource) {
            return manualText(pageOf(url));
        }
        constexpr int kWidest = 740;
        const QImage picture(":" + url.path());
        if (type != QTextDocument::ImageResource || picture.isNull()) {
            return QTextBrowser::loadResource(type, name);
        }
        const double ratio = devicePixelRatioF();
        QImage shown = picture.scaledToWidth(std::min(picture.width(), static_cast<int>(kWidest * ratio)),
                                             Qt::SmoothTransformation);
        shown.setDevicePixelRatio(ratio);
        return shown;
    }

    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
        const bool another = page_ != name.adjusted(QUrl::RemoveFragment);
        page_ = name.adjusted(QUrl::RemoveFragment);  // source() is the page before until this returns
        document()->setLayoutEnabled(!another);       // laid out once, not after every word
        QTextBrowser::doSetSource(name, type);
        if (another) {
            document()->setDocumentMargin(12);
            spaceTables(*document());
            setApart(*document());
            document()->setLayoutEnabled(true);
            document()->markContentsDirty(0, document()->characterCount());
            static_cast<void>(document()->size());  // all of it now, so that it can be scrolled to its end
            moveCursor(QTextCursor::Start);
        }
        goTo(name.fragment());
    }

    void showEvent(QShowEvent* event) override {
        QTextBrowser::showEvent(event);
        // Before it is laid out at its size it cannot be scrolled.
        laidOut_.start(0);
    }

  private:
    /// Markdown makes no anchors, so headings are compared.
    void goTo(const QString& anchor) {
        for (QTextBlock block = document()->begin(); !anchor.isEmpty() && block.isValid();
             block = block.next()) {
            if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor) {
                moveCursor(QTextCursor::End);  // so that what follows comes to the top
                setTextCursor(QTextCursor(block));
                return;
            }
        }
    }

    QTimer laidOut_;
    QUrl page_;
};

QTreeWidget* makeContents() {
    auto* contents = new QTreeWidget;
    contents->setObjectName("manual.contents");
    contents->setAccessibleName(Text::tr("Pages of the manual"));
    contents->setHeaderHidden(true);
    contents->setFixedWidth(250);
    for (const ManualSection& section : manualSections()) {
        auto* top = new QTreeWidgetItem(contents, {section.title});
        top->setFlags(Qt::ItemIsEnabled);
        for (const auto& [title, file] : section.pages) {
            (new QTreeWidgetItem(top, {title}))->setData(0, Qt::UserRole, file);
        }
    }
    contents->expandAll();
    return contents;
}

/// Contents, page and search, which know each other.
class ManualParts : public QObject {
  public:
    ManualParts(QTreeWidget* contents, QTextBrowser* text, QLineEdit* find, QObject* parent)
        : QObject(parent), contents_(contents), text_(text), find_(find) {
        connect(contents, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
            if (item != nullptr && item->parent() != nullptr) {
                text_->setSource(urlOf(fileOf(*item)));
            }
        });
        connect(text, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) { select(pageOf(url)); });
        connect(find, &QLineEdit::textEdited, this, [this] { narrow(); });
        connect(find, &QLineEdit::returnPressed, this, [this] { goOn(); });
    }

  private:
    static QString fileOf(const QTreeWidgetItem& item) { return item.data(0, Qt::UserRole).toString(); }

    std::vector<QTreeWidgetItem*> pages() const {
        std::vector<QTreeWidgetItem*> all;
        for (int s = 0; s < contents_->topLevelItemCount(); ++s) {
            for (int p = 0; p < contents_->topLevelItem(s)->childCount(); ++p) {
                all.push_back(contents_->topLevelItem(s)->child(p));
            }
        }
        return all;
    }

    void select(const QString& page) {
        const QSignalBlocker silent(contents_);
        for (QTreeWidgetItem* item : pages()) {
            if (fileOf(*item) == page) {
                contents_->setCurrentItem(item);
            }
        }
    }

    /// Leaves the pages that hold the word, and marks its first place in this one.
    void narrow() {
        for (QTreeWidgetItem* item : pages()) {
            item->setHidden(!manualText(fileOf(*item)).contains(find_->text(), Qt::CaseInsensitive));
        }
        text_->moveCursor(QTextCursor::Start);
        if (!find_->text().isEmpty()) {
            text_->find(find_->text());
        }
    }

    /// To the next place of the word: in this page, else in the next page that holds it.
    void goOn() {
        if (find_->text().isEmpty() || text_->find(find_->text())) {
            return;
        }
        auto all = pages();
        const auto here = std::find(all.begin(), all.end(), contents_->currentItem());
        if (here != all.end()) {
            std::rotate(all.begin(), here + 1, all.end());
        }
        const auto next =
            std::find_if(all.begin(), all.end(), [](const auto* item) { return !item->isHidden(); });
        if (next != all.end()) {
            contents_->setCurrentItem(*next);
            text_->moveCursor(QTextCursor::Start);
            text_->find(find_->text());
        }
    }

    QTreeWidget* contents_;
    QTextBrowser* text_;
    QLineEdit* find_;
};

}  // namespace

const std::vector<ManualSection>& manualSections() {
    static const std::vector<ManualSection> sections = [] {
        static const QRegularExpression row("^ +- ([^:\n]+):(?: (\\S+))?$",
                                            QRegularExpression::MultilineOption);
        std::vector<ManualSection> found;
        const QString plan = carried("mkdocs.yml");
        for (auto it = row.globalMatch(plan, plan.indexOf("\nnav:")); it.hasNext();) {
            const auto match = it.next();
            if (match.captured(2).isEmpty()) {
                found.push_back({match.captured(1), {}});
            } else if (QFile::exists(":/manual/" + match.captured(2))) {
                found.back().pages.emplace_back(match.captured(1), match.captured(2));
            }
        }
        return found;
    }();
    return sections;
}

QString manualText(const QString& page) {
    static const QRegularExpression link("(!?)\\[([^\\]]*)\\]\\(([^)\\s]*)\\)");
    static const QRegularExpression comment("<!--.*?-->\n?");
    const QString whole = carried(page).remove(comment);
    QString text;
    qsizetype from = 0;
    for (auto it = link.globalMatch(whole); it.hasNext();) {
        const auto match = it.next();
        const QUrl url = urlOf(page).resolved(QUrl(match.captured(3)));
        const bool kept = url.scheme() != "qrc" || QFile::exists(":" + url.path());
        text += whole.mid(from, match.capturedStart() - from);
        text += kept ? match.captured() : match.captured(1).isEmpty() ? match.captured(2) : QString();
        from = match.capturedEnd();
    }
    return text + whole.mid(from);
}

QDialog* makeManual(const QString& page, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName("manual");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Text::tr("Manual"));
    auto* find = new QLineEdit;
    find->setObjectName("manual.find");
    find->setAccessibleName(Text::tr("Find"));
    find->setPlaceholderText(Text::tr("Find a word in all pages; Return goes on to the next place"));
    auto* text = new ManualBrowser;
    text->setObjectName("manual.text");
    text->setAccessibleName(dialog->windowTitle());
    text->setOpenExternalLinks(true);
    auto* back = new QPushButton(Text::tr("Back"));
    back->setObjectName("manual.back");
    back->setToolTip(Text::tr("The page before"));
    back->setAutoDefault(false);
    back->setEnabled(false);
    QObject::connect(back, &QPushButton::clicked, text, &QTextBrowser::backward);
    QObject::connect(text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    QTreeWidget* contents = makeContents();
    new ManualParts(contents, text, find, dialog);
    text->setSource(urlOf(page));
    auto* top = new QHBoxLayout;
    top->addWidget(back);
    top->addWidget(find);
    auto* middle = new QHBoxLayout;
    middle->addWidget(contents);
    middle->addWidget(text);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->addLayout(top);
    column->addLayout(middle);
    dialog->resize(1080, 690);
    find->setFocus();
    return dialog;
}

}  // namespace tof::ui
