// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/start_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "recon/seam/engine.h"
#include "ui/desk/tasks.h"
#include "ui/kit/basic.h"
#include "ui/kit/theme.h"
#include "ui/pages/recent_files.h"

namespace tof::ui {

namespace {

/// A rounded ground with a frame.
class Framed : public QWidget {
  public:
    /// A card asks for an answer and stands out from what is offered.
    enum class Kind { DropZone, Card };
    explicit Framed(Kind kind) : kind_(kind) {}

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(*this);
        const bool card = kind_ == Kind::Card;
        const double edge = card ? 0.5 : 1;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(card ? QPen(theme.warning, 1) : QPen(theme.ctlBorder, 1.5, Qt::DashLine));
        painter.setBrush(card ? theme.ctl : theme.input);
        painter.drawRoundedRect(QRectF(rect()).adjusted(edge, edge, -edge, -edge), 6, 6);
    }

  private:
    Kind kind_;
};

/// Icon, title, caption.
class Entry : public QWidget {
  public:
    Entry(const QString& icon, const QString& title, const QString& caption, bool there)
        : icon_(icon), title_(title), caption_(caption), there_(there) {
        setMinimumWidth(220);  // a smaller window scrolls
        setFixedHeight(56);
        setAccessibleName(title + ", " + caption);
    }
    std::function<void()> chosen;
    /// In the place of the icon, and what stands at the right end.
    void setLook(const QImage& picture, const QString& date) {
        picture_ = picture;
        date_ = date;
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(*this);
        QPainter painter(this);
        const QColor ink = there_ ? theme.text : theme.disabled;
        const int left = picture_.isNull() ? 36 : 60;
        if (picture_.isNull()) {
            painter.drawPixmap(4, 20, iconPixmap(icon_, ink, 16, devicePixelRatioF()));
        } else {
            painter.setRenderHint(QPainter::SmoothPixmapTransform);
            painter.drawImage(QRect(4, 4, 48, 48), picture_);
        }
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        const int dateWidth = date_.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(date_) + 8;
        painter.drawText(QRect(width() - dateWidth, 9, dateWidth - 4, 20), Qt::AlignVCenter | Qt::AlignRight,
                         date_);
        painter.setFont(textFont());
        painter.setPen(ink);
        const int w = width() - left - 4 - dateWidth;
        painter.drawText(QRect(left, 9, w, 20), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(title_, Qt::ElideMiddle, w));
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        painter.drawText(QRect(left, 29, width() - left - 4, 16), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(caption_, Qt::ElideMiddle, width() - left - 4));
    }
    void mousePressEvent(QMouseEvent*) override {
        if (chosen) {
            chosen();
        }
    }

  private:
    QString icon_, title_, caption_;
    bool there_;
    QImage picture_;
    QString date_;
};

void clearLayout(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QLabel* styled(const QString& text, const char* style) {
    auto* label = new QLabel(text);
    label->setStyleSheet(style);
    return label;
}

constexpr const char* kSmallText = "font-size: 11px;";

/// A heading with a line below it, and what stands there.
QVBoxLayout* addList(QVBoxLayout& column, const QString& title) {
    QLabel* label = styled(title, "font-size: 11px; font-weight: 600;");
    label->setFont(smallFont(QFont::DemiBold));
    column.addWidget(label);
    column.addWidget(new HairLine(Qt::Horizontal));
    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    column.addLayout(list);
    return list;
}

QPushButton* commandButton(const CommandRegistry& commands, const QString& text, const QString& name,
                           const char* command) {
    auto* push = new QPushButton(text);
    push->setObjectName(name);
    push->setToolTip(commands.action(command)->toolTip());
    return push;
}

}  // namespace

StartPage::StartPage(const EngineRegistry& engines, TaskQueue& tasks, CommandRegistry& commands,
                     Preferences& preferences, QWidget* parent)
    : QWidget(parent), engines_(engines), tasks_(tasks), commands_(commands), preferences_(preferences) {
    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    recent_ = addList(*right, tr("RECENT"));
    right->addSpacing(24);
    engineRows_ = addList(*right, tr("THIS COMPUTER"));
    right->addStretch();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(64);
    columns->addLayout(makeOffers(), 56);
    columns->addLayout(right, 44);
    auto* inner = new QWidget;
    inner->setMaximumWidth(1120);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(32, 0, 32, 24);
    column->addStretch(2);
    column->addWidget(styled(tr("Start with a study"), "font-size: 24px; font-weight: 600;"));
    column->addWidget(new QLabel(
        tr("A study is a folder with events or projections, your ROIs and every run made from them.")));
    column->addSpacing(12);
    column->addWidget(makeCard());
    column->addSpacing(24);
    column->addLayout(columns, 12);
    column->addWidget(
        styled(tr("H  all keys     Ctrl+O  open     drag files anywhere into the window"), kSmallText));
    auto* content = new QWidget;
    auto* all = new QHBoxLayout(content);
    all->setContentsMargins(0, 0, 0, 0);
    all->addStretch(1);
    all->addWidget(inner, 20);
    all->addStretch(1);
    auto* area = new QScrollArea;
    area->setObjectName("start.area");
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(area);
    refreshRecent();
}

QWidget* StartPage::makeZone() {
    auto* zone = new Framed(Framed::Kind::DropZone);
    zone->setFixedHeight(184);
    auto* column = new QVBoxLayout(zone);
    column->setContentsMargins(16, 24, 16, 24);
    const auto centred = [column](QLabel* label) {
        label->setAlignment(Qt::AlignCenter);
        column->addWidget(label);
    };
    column->addStretch();
    centred(new QLabel(tr("Drop a study, list-mode, data, run or volume file here")));
    column->addSpacing(8);
    QPushButton* open = commandButton(commands_, tr("Open…"), "start.open", "file.open");
    open->setProperty("kind", "primary");
    open->setMinimumWidth(120);
    open->setIcon(QIcon(iconPixmap("open", Theme::of(*this).onPrimary)));
    connect(open, &QPushButton::clicked, commands_.action("file.open"), &QAction::trigger);
    setFocusProxy(open);
    column->addWidget(open, 0, Qt::AlignHCenter);
    column->addSpacing(8);
    centred(styled("HDF5, NIfTI, DICOM, Interfile, CASToR", kSmallText));
    column->addStretch();
    return zone;
}

QVBoxLayout* StartPage::makeOffers() {
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(makeZone());
    left->addSpacing(16);
    struct Offer {
        const char* icon;
        QString name;
        QString what;
        QString button;
        const char* command;
    };
    const Offer offers[] = {
        {"flask", tr("Demo study: six spheres"), tr("430 M events, simulated at the first use"),
         tr("Open demo"), "file.demo"},
        {"simulate", tr("New simulated study"), tr("Scanner, phantom, number of events"), tr("Simulate…"),
         "file.simulate"},
        {"kernel", tr("Kernel lab"), tr("Shape a kernel, see point sources through it; needs no data"),
         tr("Open lab"), "page.lab"}};
    for (const Offer& offer : offers) {
        if (&offer != offers) {
            left->addWidget(new HairLine(Qt::Horizontal));
        }
        auto* row = new QWidget;
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->addWidget(new Entry(offer.icon, offer.name, offer.what, true), 1);
        QPushButton* push =
            commandButton(commands_, offer.button, QString("start.") + offer.command, offer.command);
        push->setMinimumWidth(120);
        connect(push, &QPushButton::clicked, commands_.action(offer.command), &QAction::trigger);
        line->addWidget(push);
        left->addWidget(row);
    }
    left->addStretch();
    return left;
}

QWidget* StartPage::makeCard() {
    card_ = new Framed(Framed::Kind::Card);
    card_->setObjectName("start.recovery");
    auto* row = new QHBoxLayout(card_);
    row->setContentsMargins(16, 12, 12, 12);
    cardText_ = new QLabel;
    cardText_->setObjectName("start.recovery.text");
    cardText_->setWordWrap(true);
    row->addWidget(cardText_, 1);
    const auto answer = [&](const QString& text, const char* command) {
        QPushButton* push = commandButton(commands_, text, QString("start.recovery.") + command, command);
        connect(push, &QPushButton::clicked, this, [this, command] {
            card_->hide();
            static_cast<void>(commands_.trigger(command));
        });
        connect(commands_.action(command), &QAction::triggered, card_, &QWidget::hide);
        row->addWidget(push);
        return push;
    };
    cardReopen_ = answer(tr("Reopen"), "file.reopen");
    cardRecover_ = answer(tr("Recover runs"), "file.recover");
    answer(tr("Discard"), "file.discard");
    card_->hide();
    return card_;
}

void StartPage::showRecovery(const QString& sentence, Left left) {
    cardText_->setText(sentence);
    cardReopen_->setVisible(left == Left::Session);
    cardRecover_->setVisible(left == Left::Runs);
    card_->setVisible(!sentence.isEmpty());
}

void StartPage::refreshRecent() {
    clearLayout(*recent_);
    const QStringList files = preferences_.recent();
    if (files.isEmpty()) {
        recent_->addWidget(new Entry("list", tr("Nothing yet"), tr("What you open is listed here"), false));
    }
    for (const QString& path : files.mid(0, 5)) {
        const QFileInfo info(path);
        const RecentFiles::Look look = RecentFiles(preferences_.recentFolder()).look(path);
        auto* entry = new Entry(info.exists() ? "study" : "file-missing", info.fileName(),
                                !info.exists()          ? tr("not found, the drive may be offline")
                                : look.result.isEmpty() ? info.absolutePath()
                                                        : look.result,
                                info.exists());
        entry->setToolTip(path);
        entry->setLook(info.exists() ? look.picture : QImage(),
                       info.exists() ? changedText(path) : QString());
        if (info.exists()) {
            entry->chosen = [this, path] { Q_EMIT openRequested(path); };
        }
        recent_->addWidget(entry);
        recent_->addWidget(new HairLine(Qt::Horizontal));
    }
}

void StartPage::probeEngines() {
    using Row = std::tuple<QString, bool, QString>;
    const auto rows = std::make_shared<std::vector<Row>>();
    tasks_.add(
        tr("Looking for engines"),
        [rows, &engines = engines_](TaskControl&) {
            for (const std::string& name : engines.names()) {
                const auto found = engines.find(name);
                if (const auto* engine = std::get_if<std::shared_ptr<const Engine>>(&found)) {
                    rows->emplace_back(QString::fromStdString(name), true,
                                       QString::fromStdString((*engine)->device().name));
                } else {
                    rows->emplace_back(QString::fromStdString(name), false,
                                       QString::fromStdString(std::get<Unsupported>(found).why));
                }
            }
        },
        [page = QPointer<StartPage>(this), rows] {
            if (page != nullptr) {
                page->showEngines(*rows);
            }
        });
}

void StartPage::showEngines(const std::vector<std::tuple<QString, bool, QString>>& engines) {
    clearLayout(*engineRows_);
    for (const auto& [name, there, what] : engines) {
        auto* entry = new Entry(there ? "check-circle" : "minus-circle", name, what, there);
        entry->setToolTip(what);
        engineRows_->addWidget(entry);
        engineRows_->addWidget(new HairLine(Qt::Horizontal));
    }
}

}  // namespace tof::ui
