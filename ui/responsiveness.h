// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <vector>

namespace tof::ui {

/// Gaps between turns of an event loop: a timer that is always due runs once per turn, and how late it comes
/// is how long the window did not answer.
class LoopGaps : public QObject {
  public:
    explicit LoopGaps(QObject* parent = nullptr);
    void start();
    void stop();

    struct Summary {
        std::size_t turns = 0;
        double seconds = 0;
        double medianMs = 0;
        double p99Ms = 0;  ///< 99th percentile of the gaps
        double maxMs = 0;
    };
    [[nodiscard]] Summary summary() const;

  private:
    void turn();

    QTimer timer_;
    QElapsedTimer clock_;
    qint64 last_ = 0;
    std::vector<double> gaps_ms_;
};

}  // namespace tof::ui
