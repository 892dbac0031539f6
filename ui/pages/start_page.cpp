// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/start_page.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include "recon/seam/engine.h"
#include "ui/desk/tasks.h"
#include "ui/kit/basic.h"
#include "ui/kit/theme.h"
#include "ui/pages/recent_files.h"

namespace tof::ui {

namespace {

class DropZone : public QWidget {
  public:
    using QWidget::QWidget;

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.ctlBorder, 1.5, Qt::DashLine));
        painter.setBrush(theme.input);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
};

/// What asks for an answer stands out from what is offered.
class Card : public QWidget {
  public:
    using QWidget::QWidget;

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.warning, 1));
        painter.setBrush(theme.ctl);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
};

/// Icon, title, caption.
class Entry : public QWidget {
  public:
    Entry(const QString& icon, const QString& title, const QString& caption, bool there)
        : icon_(icon), title_(title), caption_(caption), there_(there) {
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

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(smallFont(QFont::DemiBold));
    label->setStyleSheet("font-size: 11px; font-weight: 600;");
    return label;
}

}  // namespace

StartPage::StartPage(const EngineRegistry& engines, TaskQueue& tasks, CommandRegistry& commands,
                     Preferences& preferences, QWidget* parent)
    : QWidget(parent), engines_(engines), tasks_(tasks), preferences_(preferences) {
    auto* title = new QLabel(tr("Start with a study"));
    title->setStyleSheet("font-size: 24px; font-weight: 600;");
    auto* subtitle = new QLabel(
        tr("A study is a folder with events or projections, your ROIs and every run made from them."));

    auto* zone = new DropZone;
    zone->setFixedHeight(184);
    auto* inZone = new QVBoxLayout(zone);
    inZone->setContentsMargins(16, 24, 16, 24);
    inZone->addStretch();
    auto* drop = new QLabel(tr("Drop a study, list-mode, data, run or volume file here"));
    drop->setAlignment(Qt::AlignCenter);
    inZone->addWidget(drop);
    inZone->addSpacing(8);
    auto* open = new QPushButton(tr("Open…"));
    open->setObjectName("start.open");
    open->setProperty("kind", "primary");
    open->setMinimumWidth(120);
    open->setToolTip(commands.action("file.open")->toolTip());
    open->setIcon(QIcon(iconPixmap("open", Theme::of(*this).onPrimary)));
    connect(open, &QPushButton::clicked, commands.action("file.open"), &QAction::trigger);
    setFocusProxy(open);
    inZone->addWidget(open, 0, Qt::AlignHCenter);
    inZone->addSpacing(8);
    auto* formats = new QLabel("HDF5, NIfTI, DICOM, Interfile, CASToR");
    formats->setAlignment(Qt::AlignCenter);
    formats->setStyleSheet("font-size: 11px;");
    inZone->addWidget(formats);
    inZone->addStretch();

    const auto offer = [&](const char* icon, const QString& name, const QString& what, const QString& button,
                           const char* command) {
        auto* row = new QWidget;
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->addWidget(new Entry(icon, name, what, true), 1);
        auto* push = new QPushButton(button);
        push->setObjectName(QString("start.") + command);
        push->setMinimumWidth(120);
        push->setToolTip(commands.action(command)->toolTip());
        connect(push, &QPushButton::clicked, commands.action(command), &QAction::trigger);
        line->addWidget(push);
        return row;
    };
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(zone);
    left->addSpacing(16);
    left->addWidget(offer("flask", tr("Demo study: six spheres"),
                          tr("20 M events, simulated at the first use"), tr("Open demo"), "file.demo"));
    left->addWidget(new HairLine(Qt::Horizontal));
    left->addWidget(offer("simulate", tr("New simulated study"), tr("Scanner, phantom, number of events"),
                          tr("Simulate…"), "file.simulate"));
    left->addWidget(new HairLine(Qt::Horizontal));
    left->addWidget(offer("kernel", tr("Kernel lab"),
                          tr("Shape a kernel, see point sources through it; needs no data"), tr("Open lab"),
                          "page.lab"));
    left->addStretch();

    recent_ = new QVBoxLayout;
    recent_->setSpacing(0);
    engineRows_ = new QVBoxLayout;
    engineRows_->setSpacing(0);
    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    right->addWidget(heading(tr("RECENT")));
    right->addWidget(new HairLine(Qt::Horizontal));
    right->addLayout(recent_);
    right->addSpacing(24);
    right->addWidget(heading(tr("THIS COMPUTER")));
    right->addWidget(new HairLine(Qt::Horizontal));
    right->addLayout(engineRows_);
    right->addStretch();

    card_ = new Card;
    card_->setObjectName("start.recovery");
    auto* cardRow = new QHBoxLayout(card_);
    cardRow->setContentsMargins(16, 12, 12, 12);
    cardText_ = new QLabel;
    cardText_->setObjectName("start.recovery.text");
    cardText_->setWordWrap(true);
    cardRow->addWidget(cardText_, 1);
    const auto answer = [&](const QString& text, const char* command) {
        auto* push = new QPushButton(text);
        push->setObjectName(QString("start.recovery.") + command);
        push->setToolTip(commands.action(command)->toolTip());
        connect(push, &QPushButton::clicked, this, [this, &commands, command] {
            card_->hide();
            static_cast<void>(commands.trigger(command));
        });
        cardRow->addWidget(push);
        return push;
    };
    cardReopen_ = answer(tr("Reopen"), "file.reopen");
    cardRecover_ = answer(tr("Recover runs"), "file.recover");
    cardDiscard_ = answer(tr("Discard"), "file.discard");
    card_->hide();

    auto* columns = new QHBoxLayout;
    columns->setSpacing(64);
    columns->addLayout(left, 56);
    columns->addLayout(right, 44);
    auto* inner = new QWidget;
    inner->setMaximumWidth(1120);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(32, 0, 32, 24);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(subtitle);
    column->addSpacing(12);
    column->addWidget(card_);
    column->addSpacing(24);
    column->addLayout(columns, 12);
    auto* keys = new QLabel(tr("H  all keys     Ctrl+O  open     drag files anywhere into the window"));
    keys->setStyleSheet("font-size: 11px;");
    column->addWidget(keys);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addStretch(1);
    all->addWidget(inner, 20);
    all->addStretch(1);
    refreshRecent();
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
