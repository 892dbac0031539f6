// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/status_strip.h"

#include <unistd.h>

#include <QFile>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>

#include "recon/base/memory.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/tasks.h"
#include "ui/kit/basic.h"
#include "ui/kit/messages.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

double residentGiB() {
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QList<QByteArray> fields = file.readAll().split(' ');
    return fields.size() > 1 ? fields[1].toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / kGiB : 0;
}

double machineGiB() {
    return static_cast<double>(physicalBytes()) / kGiB;
}

}  // namespace

StatusStrip::StatusStrip(const RunModels& models, QWidget* parent) : QWidget(parent), models_(models) {
    setObjectName("status");
    setFixedHeight(28);
    const auto follow = [this](const auto* model, auto signal) {
        connect(model, signal, this, qOverload<>(&QWidget::update));
    };
    follow(&models_.runs, &RunList::changed);
    follow(&models_.study, &OpenStudy::changed);
    follow(&models_.live, &LiveTuning::changed);
    follow(&models_.tasks, &TaskQueue::changed);
    follow(&models_.messages, &Messages::changed);
    // Shares of tasks and memory in use change without a signal.
    constexpr int kSlow_ms = 500;
    auto* slow = new QTimer(this);
    follow(slow, &QTimer::timeout);
    slow->start(kSlow_ms);
}

QString StatusStrip::sentence() const {
    const QString dots(QChar(0x2026));
    if (RunItem* item = models_.queue.active()) {
        const QString run = tr("run %1").arg(item->label());
        if (item->order() != RunOrder::None) {
            QString text = tr("%1 %2…").arg(word(orderName(item->order())), run);
            text[0] = text[0].toUpper();
            return text;
        }
        const QString where = tr("iteration %1 of %2, block %3 of %4")
                                  .arg(item->progress().iteration)
                                  .arg(item->progress().iterations)
                                  .arg(item->progress().block)
                                  .arg(item->progress().blocks);
        if (item->state() == RunState::Paused) {
            return tr("Paused, %1: %2").arg(run, where);
        }
        if (item->state() == RunState::Preparing || item->progress().iteration == 0) {
            if (item->preparing().isEmpty()) {
                return tr("Preparing %1…").arg(run);
            }
            const QString what = word(item->preparing().toStdString());
            return item->preparedShare() ? tr("Preparing %1: %2, %3 %")
                                               .arg(run, what)
                                               .arg(static_cast<int>(100 * *item->preparedShare()))
                                         : tr("Preparing %1: %2").arg(run, what);
        }
        return tr("Reconstructing %1: %2").arg(run, where);
    }
    if (models_.tasks.busy()) {
        return models_.tasks.cancelling() ? tr("Cancelling: %1…").arg(models_.tasks.title())
               : models_.tasks.paused()   ? tr("Paused: %1").arg(models_.tasks.title())
                                          : models_.tasks.title() + dots;
    }
    if ((models_.study.isEmpty() && models_.runs.items().empty())) {
        return tr("No study open");
    }
    if (const QString live = models_.live.sentence(); !live.isEmpty()) {
        return live;
    }
    if (RunItem* item = models_.runs.selected()) {
        const QString name = (item->isVolume() ? tr("Volume %1") : tr("Run %1")).arg(item->label());
        switch (item->state()) {
            case RunState::Failed: return tr("%1 failed: %2").arg(name, item->error());
            case RunState::Cancelled: return tr("%1 was cancelled").arg(name);
            case RunState::Finished:
                return tr("%1 was finished early, its last whole iterate is kept").arg(name);
            case RunState::Done: return tr("%1 is done, %2 is shown").arg(name, item->shownText());
            default: return item->shownText().isEmpty() ? name : tr("%1, %2").arg(name, item->shownText());
        }
    }
    return tr("Ready to reconstruct");
}

QString StatusStrip::shortSentence() const {
    RunItem* item = models_.queue.active();
    if (item == nullptr || item->state() != RunState::Running || item->progress().iteration == 0) {
        return sentence();
    }
    return tr("Run %1: iteration %2/%3, block %4/%5")
        .arg(item->label())
        .arg(item->progress().iteration)
        .arg(item->progress().iterations)
        .arg(item->progress().block)
        .arg(item->progress().blocks);
}

QString StatusStrip::engineText() const {
    RunItem* item = models_.runs.selected();
    QString engine = item != nullptr ? item->engine() : QString();
    if (engine.isEmpty() || engine == "auto") {
        engine = QString::fromStdString(models_.settings.current().get("engine"));
    }
    return tr("%1, %2 of %3 GiB").arg(engine).arg(residentGiB(), 0, 'f', 1).arg(machineGiB(), 0, 'f', 0);
}

void StatusStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    const double ratio = devicePixelRatioF();

    // From the right: messages, engine and memory.
    const int unread = models_.messages.unread();
    const int count = static_cast<int>(models_.messages.all().size());
    const int number = unread > 0 ? unread : count;
    const QString messages = number == 1 ? tr("1 message") : tr("%n messages", "", number);
    painter.setFont(textFont());
    int right = width() - 14;
    const auto textAtRight = [&](const QString& text, const QColor& colour) {
        const int w = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(colour);
        painter.drawText(QRect(right - w, 0, w, 28), Qt::AlignVCenter, text);
        right -= w;
    };
    textAtRight(messages, unread > 0 ? theme.text : theme.text2);
    painter.drawPixmap(
        QPointF(right - 23, 6),
        iconPixmap(unread > 0 ? "warning" : "message", unread > 0 ? theme.warning : theme.text2, 16, ratio));
    messagesArea_ = QRectF(right - 26, 0, width() - right + 26, 28);
    right -= 34;
    painter.fillRect(QRect(right, 7, 1, 14), theme.line);
    right -= 10;
    textAtRight(engineText(), theme.text2);
    painter.drawPixmap(QPointF(right - 23, 6), iconPixmap("cpu", theme.text2, 16, ratio));
    right -= 34;

    RunItem* active = models_.queue.active();
    int left = 16;
    if (active != nullptr) {
        drawRunSymbol(painter, {left + 5.0, 14}, 10, active->mark(), theme.run(active->mark()));
        left += 22;
    }
    double share = -1;
    QString eta;
    QColor colour = theme.text3;
    if (active != nullptr) {
        share = active->share();
        eta = active->state() == RunState::Running ? etaText(active->remainingSeconds()) : QString();
        colour = theme.run(active->mark());
    } else if (models_.tasks.busy()) {
        share = models_.tasks.share();
        const auto seconds = models_.tasks.remainingSeconds();
        eta = seconds ? etaText(seconds) : QString();
    }
    painter.setFont(textFont());
    painter.setPen(theme.text);
    // Fixed places, so that nothing moves while the numbers run.
    const int sentenceWidth =
        share >= 0 || active != nullptr ? std::min(368, right - left - 20) : right - left - 8;
    const QString whole = sentence();
    // A pixel less: the width is rounded, and what is a fraction too wide would be shortened.
    const bool fits = painter.fontMetrics().horizontalAdvance(whole) < sentenceWidth;
    drawElided(painter, QRect(left, 0, std::max(0, sentenceWidth), 28), Qt::AlignVCenter,
               fits ? whole : shortSentence());
    left += sentenceWidth + 8;
    if ((share >= 0 || active != nullptr) && right - left > 170) {
        painter.setRenderHint(QPainter::Antialiasing);
        drawProgress(painter, QRectF(left, 12, 160, 4), share, theme.line, colour, 2);
        left += 170;
        painter.setPen(theme.text2);
        if (right - left > 60) {
            drawElided(painter, QRect(left, 0, right - left, 28), Qt::AlignVCenter, eta);
        }
    }
}

void StatusStrip::mousePressEvent(QMouseEvent* event) {
    if (messagesArea_.contains(event->position())) {
        Q_EMIT messagesRequested();
    }
}

}  // namespace tof::ui
