// SPDX-License-Identifier: Apache-2.0
// Measurements that the program makes of itself: see docs/desktop.md.
#pragma once

#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <QTimer>
#include <array>
#include <map>
#include <vector>

#include "ui/window/main_window.h"

namespace tof::ui {

/// Sends real mouse and wheel events to the transverse picture, one after the other, and takes the time until
/// that picture, and until all three, are painted again.
class RepaintProbe : public QObject {
  public:
    RepaintProbe(Desk& desk, MainWindow& window);
    void start();
    void stop();

    enum class Gesture { Scroll, Level };
    struct Times {
        std::vector<double> first;  ///< ms until the picture under the pointer
        std::vector<double> all;    ///< ms until all three pictures
    };
    [[nodiscard]] const Times& times(Gesture gesture) { return times_[gesture]; }

  private:
    void act();
    void painted(std::size_t pane);
    void sendMouse(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held);

    Desk& desk_;
    MainWindow& window_;
    QTimer next_;
    QElapsedTimer clock_;
    Gesture gesture_ = Gesture::Scroll;
    int turn_ = 0;
    bool waiting_ = false;
    std::array<bool, 3> seen_{};
    std::map<Gesture, Times> times_;
};

/// What is done to the pictures meanwhile: a RepaintProbe or a RoiDragProbe.
enum class Gestures { ScrollAndLevel, DragRoi };

/// Reconstructs the open data for so many seconds while the pictures are worked; prints JSON and ends the
/// program. Throws WrongUse when no run can start.
void measureResponsiveness(Desk& desk, MainWindow& window, double seconds, Gestures gestures);

/// Opens and closes what is open `cycles` times; prints the times to the first slice and the heap in use as
/// JSON and ends the program. Throws WrongUse when nothing is open.
void measureCycles(Desk& desk, MainWindow& window, int cycles);

}  // namespace tof::ui
