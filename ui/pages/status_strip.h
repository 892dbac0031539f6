// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/pages/run_models.h"

namespace tof::ui {

/// The bottom line: what is going on, how far, how long still; engine and memory; messages.
class StatusStrip : public QWidget {
    Q_OBJECT

  public:
    explicit StatusStrip(const RunModels& models, QWidget* parent = nullptr);
    /// What is going on, one sentence.
    [[nodiscard]] QString sentence() const;
    /// The sentence in fewer words, for a narrow window: numbers are whole.
    [[nodiscard]] QString shortSentence() const;

  Q_SIGNALS:
    void messagesRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] QString engineText() const;

    RunModels models_;
    QRectF messagesArea_;
};

}  // namespace tof::ui
