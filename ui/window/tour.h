// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/kit/commands.h"

class QLabel;
class QPushButton;

namespace tof::ui {

/// One stop of the guided tour.
struct TourStep {
    QString title;
    QString text;
    QString target;   ///< object name of the control that it points at
    QString command;  ///< that brings its page to the front; empty: none
};

/// The tour, in its order. docs/get-started.md says the same.
[[nodiscard]] std::vector<TourStep> tourSteps();
/// The tour as that page has it.
[[nodiscard]] QString tourText();

/// A card beside the control that a step is about, and a frame around it. Nothing is held back meanwhile: the
/// window can be used, and the tour goes on from where it is. Keys while the card has the focus: Right,
/// Return and Space for the next step, Left for the one before, Esc ends it.
class Tour : public QWidget {
    Q_OBJECT

  public:
    /// `window` is the parent, and outlives `commands`.
    Tour(CommandRegistry& commands, QWidget& window);

    /// From the first step, wherever it was.
    void begin();
    void end();
    [[nodiscard]] int step() const { return step_; }  ///< from 0; -1: ended
    /// The control that is pointed at; null where it is not on screen now.
    [[nodiscard]] QWidget* target() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void go(int step);
    void arrange();

    CommandRegistry& commands_;
    QWidget& window_;
    std::vector<TourStep> steps_;
    int step_ = -1;
    QWidget* frame_;
    QLabel* count_;
    QLabel* title_;
    QLabel* text_;
    QPushButton* back_;
    QPushButton* next_;
};

}  // namespace tof::ui
