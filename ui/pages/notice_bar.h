// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/kit/messages.h"

class QLabel;
class QToolButton;

namespace tof::ui {

/// A message as it comes, over the pictures: its sentence for ten seconds, with what can be done about it. It
/// stays while the pointer rests on it; Messages keeps it afterwards.
class NoticeBar : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kShownMs = 10000;

    NoticeBar(Messages& messages, QWidget* parent);
    /// What it says; empty while it is not shown.
    [[nodiscard]] QString sentence() const;
    /// Where it may stand, in the coordinates of its parent.
    void setArea(const QRect& area);
    /// How long a message is shown from now on; tests are in a hurry.
    void setShownFor(int ms) { timer_.setInterval(ms); }

  Q_SIGNALS:
    void detailsRequested();
    void reportRequested();
    /// The study that the message is about.
    void openRequested(const QString& path);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    void showLast();
    void arrange();

    Messages& messages_;
    QTimer timer_;
    QLabel* text_;
    QLabel* more_;
    QToolButton* open_;
    QToolButton* folder_;
    QToolButton* details_;
    QToolButton* report_;
    QRect area_;
    QString file_;
    Severity severity_ = Severity::Note;
    int others_ = 0;  ///< that came while this one was shown
};

}  // namespace tof::ui
