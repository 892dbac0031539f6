// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/desk.h"

namespace tof::ui {

/// The bottom line: what is going on, how far, how long still; engine and memory; messages.
class StatusStrip : public QWidget {
    Q_OBJECT

  public:
    explicit StatusStrip(Desk& desk, QWidget* parent = nullptr);
    /// What is going on, one sentence.
    [[nodiscard]] QString sentence() const;
    /// The same in fewer words, for a narrow window: numbers are whole.
    [[nodiscard]] QString shortSentence() const;

  Q_SIGNALS:
    void messagesRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] QString engineText() const;

    Desk& desk_;
    QRectF messagesArea_;
};

}  // namespace tof::ui
