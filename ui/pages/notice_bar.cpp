// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/notice_bar.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QUrl>
#include <algorithm>

#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kWidest = 860;
constexpr int kMargin = 12;

QToolButton* button(const QString& text, const QString& name, const QString& help) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setObjectName(name);
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setProperty("kind", "button");
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

}  // namespace

NoticeBar::NoticeBar(Messages& messages, QWidget* parent) : QWidget(parent), messages_(messages) {
    setObjectName("notice");
    text_ = new QLabel;
    text_->setObjectName("notice.text");
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    more_ = new QLabel;
    more_->setObjectName("notice.more");
    folder_ =
        button(tr("Show folder"), "notice.folder", tr("Opens the folder of the file in the file manager"));
    open_ = button(tr("Open"), "notice.open", tr("Opens the study in place of what is open"));
    details_ = button(tr("Details"), "notice.details", tr("All messages of this session"));
    report_ = button(tr("Copy report"), "notice.report",
                     tr("Puts versions, engines and messages on the clipboard, for a report"));
    auto* close =
        button(QString(QChar(0x00d7)), "notice.close", tr("Takes the message away; it stays in Messages"));
    close->setAccessibleName(tr("Close"));
    auto* row = makeRow(this, {kMargin + 24, 6, kMargin, 6});
    row->addWidget(text_, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(more_), static_cast<QWidget*>(open_), static_cast<QWidget*>(folder_),
          static_cast<QWidget*>(details_), static_cast<QWidget*>(report_), static_cast<QWidget*>(close)}) {
        row->addWidget(widget);
    }
    timer_.setSingleShot(true);
    timer_.setInterval(kShownMs);
    connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
    connect(&messages_, &Messages::added, this, &NoticeBar::showLast);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(open_, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT openRequested(file_);
    });
    connect(details_, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT detailsRequested();
    });
    connect(report_, &QToolButton::clicked, this, &NoticeBar::reportRequested);
    connect(folder_, &QToolButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file_).absolutePath())); });
    hide();
}

QString NoticeBar::sentence() const {
    return isHidden() ? QString() : text_->text();
}

void NoticeBar::setArea(const QRect& area) {
    if (area != area_) {
        area_ = area;
        arrange();
    }
}

void NoticeBar::showLast() {
    const Message& last = messages_.all().back();
    // An error is not hidden by the good news after it.
    others_ = isHidden() ? 0 : others_ + 1;
    if (isHidden() || last.severity >= severity_) {
        text_->setText(last.text);
        setAccessibleName(last.text);
        file_ = last.file;
        severity_ = last.severity;
    }
    more_->setText(others_ == 0 ? QString() : tr("and %n more", "", others_));
    more_->setVisible(others_ > 0);
    open_->setVisible(file_.endsWith(".tofstudy"));
    folder_->setVisible(!file_.isEmpty());
    details_->setVisible(file_.isEmpty());
    report_->setVisible(severity_ != Severity::Note);
    show();
    arrange();
    raise();
    update();
    timer_.start();
}

void NoticeBar::arrange() {
    if (isHidden() || area_.isEmpty()) {
        return;
    }
    const int width = std::min(kWidest, area_.width() - 2 * kMargin);
    layout()->activate();
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    setGeometry(area_.center().x() - width / 2, area_.top(), width, std::min(height, area_.height()));
}

void NoticeBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = severity_ == Severity::Error     ? theme.error
                       : severity_ == Severity::Warning ? theme.warning
                                                        : theme.text2;
    painter.setPen(QPen(ink, 1));
    painter.setBrush(theme.ctl);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const char* const icon = severity_ == Severity::Error     ? "error"
                             : severity_ == Severity::Warning ? "warning"
                                                              : "message";
    painter.drawPixmap(QPointF(kMargin, (height() - 16) / 2.0),
                       iconPixmap(icon, ink, 16, devicePixelRatioF()));
}

void NoticeBar::enterEvent(QEnterEvent*) {
    timer_.stop();
}

void NoticeBar::leaveEvent(QEvent*) {
    timer_.start();
}

}  // namespace tof::ui
