// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace tof::ui {

class LiveTuning;
class Messages;
class OpenStudy;
class RunList;
class RunQueue;
class SettingsModel;
class TaskQueue;

/// The bottom line: what is going on, how far, how long still; engine and memory; messages.
class StatusStrip : public QWidget {
    Q_OBJECT

  public:
    /// What the StatusStrip shows and changes; all of it outlives it.
    struct Models {
        const OpenStudy& study;
        RunList& runs;
        RunQueue& queue;
        LiveTuning& live;
        SettingsModel& settings;
        TaskQueue& tasks;
        Messages& messages;
    };
    explicit StatusStrip(const Models& models, QWidget* parent = nullptr);
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

    Models models_;
    QRectF messagesArea_;
};

}  // namespace tof::ui
