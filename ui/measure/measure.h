// SPDX-License-Identifier: Apache-2.0
// Measurements that the program makes of itself: see docs/desktop.md.
#pragma once

#include <QElapsedTimer>
#include <QEvent>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "recon/base/error.h"
#include "ui/window/main_window.h"

namespace tof::ui {

/// What is done to the pictures meanwhile.
enum class Gestures { ScrollAndLevel, DragRoi, Mixed };

/// Reconstructs the open data for so many seconds while the pictures are worked; prints JSON and ends the
/// program. Throws WrongUse when no run can start.
void measureResponsiveness(Desk& desk, MainWindow& window, double seconds, Gestures gestures);

/// Opens and closes what is open `cycles` times; prints the times to the first slice and the heap in use as
/// JSON and ends the program. Throws WrongUse when nothing is open.
void measureCycles(Desk& desk, MainWindow& window, int cycles);

/// Goes through the frames of the dynamic image on screen so many times; prints the times until the pictures
/// are painted as JSON and ends the program. Throws WrongUse when there is none.
void measureFrames(Desk& desk, MainWindow& window, int rounds);

/// Nearest-rank percentile, 0 <= share <= 1; 0 for no values.
[[nodiscard]] double percentileOf(std::vector<double> values, double share);
/// Median, 95th percentile and largest of times in ms.
[[nodiscard]] nlohmann::json summaryOf(const std::vector<double>& ms);
/// What a clock shows, ms.
[[nodiscard]] inline double msOf(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}
/// Sends a mouse event as the window system would.
void sendMouse(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held);
/// Turns the wheel over a widget: 120 is one notch away from the user.
void sendWheel(QWidget& widget, QPointF at, int turn, Qt::KeyboardModifiers held = Qt::NoModifier);
/// One line on standard output.
void printJson(const nlohmann::json& o);

/// Switches live tuning on and changes the kernel `changes` times, each once the pictures of the one before
/// are painted; every kernel is new, so nothing of it is known. Prints the times as JSON and ends the
/// program; a run that fails goes to `fail`. Throws WrongUse when no data are open.
void measureLiveTuning(Desk& desk, MainWindow& window, int changes, std::function<void(const Error&)> fail);

/// Drags the selected point of the kernel lab's plot up and down for so many seconds with mouse events, one
/// every 16 ms, then lets go and waits for the exact projections. Prints the times as JSON and ends the
/// program. Throws WrongUse for a kernel whose widths cannot be dragged.
void measureKernelDrag(MainWindow& window, double seconds);

}  // namespace tof::ui
