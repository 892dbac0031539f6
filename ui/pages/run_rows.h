// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QPainter;

namespace tof::ui {

class RunItem;

class OpenStudy;
class RunList;
class RunQueue;
class SettingsModel;

/// The runs beside each other: symbol, name, state, progress. Click selects.
class RunRows : public QWidget {
    Q_OBJECT

  public:
    explicit RunRows(RunList& runs, RunQueue& queue, SettingsModel& settings, const OpenStudy& study,
                     QWidget* parent = nullptr);
    void refresh();
    [[nodiscard]] QSize sizeHint() const override;
    /// What a row says at its right: "7 of 20", "20 done", "queued".
    [[nodiscard]] static QString stateText(const RunItem& item);
    /// All of it, for the tooltip: what did not fit, and the settings that the next run has otherwise.
    [[nodiscard]] QString tip(const RunItem& item) const;

  Q_SIGNALS:
    void contextRequested(int runId, const QPoint& globalPosition);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;  ///< drags a run that waits to another place
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Scrolls to the selected run: what was made is looked at.
    void reveal();
    void drawFocus(QPainter& painter, int row) const;
    [[nodiscard]] RunItem* itemAt(QPointF at) const;
    [[nodiscard]] bool isOutdated(const RunItem& item) const;
    /// The mark "settings changed" at the right end of a line; returns its width with the space before it.
    double drawMark(QPainter& painter, const QRectF& line) const;

    RunList& runs_;
    RunQueue& queue_;
    SettingsModel& settings_;
    const OpenStudy& study_;
    int revealed_ = 0;  ///< the run that was scrolled to, by id
};

}  // namespace tof::ui
