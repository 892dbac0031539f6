// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QTimer>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ui/measure/responsiveness.h"
#include "ui/window/main_window.h"

namespace tof::ui {

/// What a user does in some minutes, one kind after the other, again and again: scrolls, windows, reads,
/// zooms, pans, drags a sphere, steps through iterates, and opens every layout and page. Nothing starts
/// before there is an image.
class MixedWork : public QObject {
  public:
    MixedWork(Desk& desk, MainWindow& window);
    void start() { timer_.start(); }
    void stop();
    /// Gaps between turns of the event loop, and the kinds of work that had the five longest.
    [[nodiscard]] nlohmann::json summary() const;

  private:
    struct Work {
        QString name;
        int moves = 1;
        std::function<void(int)> act{};  ///< the n-th of its moves
    };
    void addPictures();
    /// Every command of the window whose id begins so.
    void addCommands(const QString& prefix);
    void act();

    Desk& desk_;
    MainWindow& window_;
    LoopGaps gaps_;
    QTimer timer_;
    QPointer<RoiDragProbe> drag_;
    std::vector<Work> work_;
    std::size_t at_ = 0;
    int move_ = 0;
    int rounds_ = 0;
    QString doing_;
    std::map<QString, double> longest_ms_;
};

}  // namespace tof::ui
