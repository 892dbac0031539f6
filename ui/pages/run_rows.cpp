// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_rows.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QTimer>
#include <QToolTip>
#include <algorithm>

#include "recon/systems/histo/histo_system.h"
#include "ui/desk/image_kind.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/basic.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kRowHeight = 52;
constexpr double kBetween = 8;  ///< px between a name and its state

}  // namespace

RunRows::RunRows(RunList& runs, RunQueue& queue, SettingsModel& settings, const OpenStudy& study,
                 QWidget* parent)
    : QWidget(parent), runs_(runs), queue_(queue), settings_(settings), study_(study) {
    setObjectName("runs");
    setAccessibleName(tr("Runs"));
    setFocusPolicy(Qt::TabFocus);
}

QSize RunRows::sizeHint() const {
    return {200, std::max(1, static_cast<int>(runs_.items().size())) * (kRowHeight + 4)};
}

void RunRows::refresh() {
    setFixedHeight(sizeHint().height());
    update();
    if (runs_.selectedId() != revealed_) {
        revealed_ = runs_.selectedId();
        QTimer::singleShot(0, this, &RunRows::reveal);  // once the rows have their places
    }
}

void RunRows::reveal() {
    const int row = runs_.indexOf(revealed_);
    for (QWidget* above = parentWidget(); above != nullptr && row >= 0; above = above->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(above)) {
            const QPoint middle(0, row * (kRowHeight + 4) + kRowHeight / 2);
            area->ensureVisible(0, mapTo(area->widget(), middle).y(), 0, kRowHeight);
            return;
        }
    }
}

QString RunRows::stateText(const RunItem& item) {
    if (item.order() != RunOrder::None) {
        return word(orderName(item.order())) + QChar(0x2026);
    }
    const int whole = item.timing().empty() ? 0 : item.timing().back().iteration;
    const QString of = tr("%1 of %2").arg(whole).arg(item.settings().iterations);
    switch (item.state()) {
        case RunState::Queued:
            return item.held()        ? tr("not started")
                   : item.turn() <= 1 ? tr("queued, next")
                                      : tr("queued, number %1").arg(item.turn());
        case RunState::Preparing: return item.preparing().isEmpty() ? tr("starting") : tr("preparing");
        case RunState::Running: return of;
        case RunState::Paused: return tr("paused, %1").arg(of);
        case RunState::Done: return tr("%1 done").arg(whole);
        case RunState::Finished: return tr("%1 kept").arg(whole);
        case RunState::Cancelled: return tr("cancelled");
        case RunState::Failed: return whole == 0 ? tr("failed") : tr("failed, %1").arg(of);
        case RunState::Interrupted:
            return (item.elsewhere() ? tr("in work elsewhere, %1") : tr("interrupted, %1")).arg(of);
        case RunState::Opened:  // ended early before it was opened: the same word as then
            return item.dynamic() != nullptr
                       ? tr("%n frames", "", static_cast<int>(item.dynamic()->frames.size()))
                   : item.isVolume()                    ? Text::tr(kindRow(imageKind(item)).word)
                   : whole < item.settings().iterations ? tr("%1 kept").arg(whole)
                                                        : tr("%1 done").arg(whole);
    }
    return {};
}

void RunRows::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    const auto& items = runs_.items();
    if (items.empty()) {
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        painter.drawText(QRect(16, 4, QWidget::width() - 32, 32), Qt::AlignLeft | Qt::TextWordWrap,
                         study_.measurement() != nullptr ? tr("none yet: press Run (F5)") : tr("none yet"));
        drawFocus(painter, 0);
        return;
    }
    for (int i = 0; i < static_cast<int>(items.size()); ++i) {
        const RunItem& item = *items[static_cast<std::size_t>(i)];
        const QRectF row(16, i * (kRowHeight + 4.0), QWidget::width() - 32.0, kRowHeight);
        const bool selected = item.id() == runs_.selectedId();
        painter.setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.sel);
            painter.drawRoundedRect(row, 4, 4);
        }
        if (item.state() == RunState::Failed) {
            painter.drawPixmap(QPointF(row.left() + 8, row.top() + 8),
                               iconPixmap("error", theme.error, 16, devicePixelRatioF()));
        } else {
            drawRunSymbol(painter, {row.left() + 15, row.top() + 17}, 10, item.mark(),
                          theme.run(item.mark()));
        }
        const double left = row.left() + 30;
        const double right = row.right() - 8;
        const QString state = stateText(item);
        const QString name = item.label() + "  " + item.name();
        const QFont nameFont = textFont(13, selected ? QFont::DemiBold : QFont::Normal);
        const double stateWidth = QFontMetricsF(textFont()).horizontalAdvance(state);
        // A name gives way to nothing but the row's own end: then its state stands below.
        const bool below =
            QFontMetricsF(nameFont).horizontalAdvance(name) > right - left - stateWidth - kBetween;
        painter.setFont(textFont());
        painter.setPen(theme.text);
        if (!below) {
            painter.drawText(QRectF(left, row.top() + 7, right - left, 20), Qt::AlignRight | Qt::AlignVCenter,
                             state);
        }
        const double nameWidth = right - left - (below ? 0 : stateWidth + kBetween);
        painter.setFont(nameFont);
        painter.drawText(QRectF(left, row.top() + 7, nameWidth, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(nameWidth)));
        painter.setFont(smallFont());
        const bool failed = item.state() == RunState::Failed;
        painter.setPen(failed ? theme.error : theme.text2);
        const bool timed = item.state() == RunState::Running && item.remainingSeconds();
        const QString about = failed  ? item.error()
                              : timed ? tr("%1, %2").arg(etaText(item.remainingSeconds()), item.engine())
                              : item.held() ? tr("number %1, %2").arg(item.turn()).arg(item.engine())
                                            : item.engine();
        const QString caption = !below ? about : about.isEmpty() ? state : state + ", " + about;
        const QRectF second(left, row.top() + 26, right - left, 16);
        const double mark = selected && isOutdated(item) ? drawMark(painter, second) : 0;
        painter.drawText(second.adjusted(0, 0, -mark, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(caption, Qt::ElideRight,
                                                          static_cast<int>(second.width() - mark)));
        if (isActive(item.state())) {
            drawProgress(painter, QRectF(left, row.bottom() - 6, right - left, 3), item.share(),
                         selected ? theme.ctlBorder : theme.line, theme.run(item.mark()), 1.5);
        }
    }
    drawFocus(painter, runs_.indexOf(runs_.selectedId()));
}

void RunRows::drawFocus(QPainter& painter, int row) const {
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Theme::of(*this).focus, 2));
        painter.drawRoundedRect(QRectF(17, row * (kRowHeight + 4.0) + 1, QWidget::width() - 34.0,
                                       std::min(kRowHeight, QWidget::height()) - 2),
                                4, 4);
    }
}

bool RunRows::isOutdated(const RunItem& item) const {
    // A live run keeps its image while the next one is made of other settings.
    const bool ended = !isActive(item.state()) || (item.isLive() && item.volume() != nullptr);
    return ended && item.state() != RunState::Queued && !item.isVolume() && study_.measurement() != nullptr &&
           !settings_.changedSince(item).empty();
}

double RunRows::drawMark(QPainter& painter, const QRectF& line) const {
    const Theme& theme = Theme::of(*this);
    const QString text = tr("settings changed");
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12.0;
    const QRectF mark(line.right() - width, line.top() - 0.5, width, line.height() + 1);
    const QPen before = painter.pen();
    painter.setPen(QPen(theme.warning, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(mark.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme.text);
    painter.drawText(mark, Qt::AlignCenter, text);
    painter.setPen(before);
    return width + 8;
}

QString RunRows::tip(const RunItem& item) const {
    QStringList lines{item.label() + "  " + item.name(), stateText(item)};
    for (const QString& line : {item.engine(), item.error()}) {
        if (!line.isEmpty()) {
            lines << line;
        }
    }
    if (!isOutdated(item)) {
        return lines.join('\n');
    }
    lines << tr("The next run has other settings:");
    const auto value = [](const RunSettings& settings, const std::string& key) {
        const QString text =
            QString::fromStdString(key == "kernel" ? kernelName(settings) : settings.get(key));
        return text.isEmpty() ? tr("default") : text;
    };
    for (const std::string& key : settings_.changedSince(item)) {
        lines << tr("%1: %2 here, %3 next")
                     .arg(word(settingInfo(key).label), value(item.settings(), key),
                          value(settings_.current(), key));
    }
    return lines.join('\n');
}

bool RunRows::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const RunItem* item = itemAt(help->pos());
        QToolTip::showText(help->globalPos(), item != nullptr ? tip(*item) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void RunRows::mousePressEvent(QMouseEvent* event) {
    if (const RunItem* item = itemAt(event->position())) {
        runs_.select(item->id());
        if (event->button() == Qt::RightButton) {
            Q_EMIT contextRequested(item->id(), event->globalPosition().toPoint());
        }
    }
}

RunItem* RunRows::itemAt(QPointF at) const {
    const auto index = static_cast<std::size_t>(std::max(0.0, at.y()) / (kRowHeight + 4));
    const auto& items = runs_.items();
    return index < items.size() ? items[index].get() : nullptr;
}

void RunRows::mouseMoveEvent(QMouseEvent* event) {
    const RunItem* dragged = runs_.selected();
    const RunItem* under = itemAt(event->position());
    const bool waits = (event->buttons() & Qt::LeftButton) != 0 && dragged != nullptr && under != nullptr &&
                       dragged->state() == RunState::Queued && under->state() == RunState::Queued;
    if (waits && under != dragged) {
        queue_.move(dragged->id(), under->turn() - 1);
    }
}

void RunRows::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        runs_.selectNext(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace tof::ui
