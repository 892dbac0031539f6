// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure_wing.h"
#include "ui/window/script_actions.h"

#include "ui/measure/measure.h"

namespace tof::ui {

namespace {

using Given = QMap<QString, QString>;

void requireSeconds(const ScriptStep& option) {
    if (!(option.value.toDouble() > 0)) {
        refuse(option, "seconds above 0");
    }
}

void requireTimes(const ScriptStep& option) {
    if (option.value.toInt() < 1) {
        refuse(option, "a whole number above 0");
    }
}

std::vector<WingOption> measureOptions() {
    return {
        {"measure-responsiveness", "SECONDS",
         "reconstruct the open data for so long while scrolling and windowing; print the gaps between "
         "event-loop turns and the times to the repainted pictures as JSON, then end",
         requireSeconds},
        {"drag-roi", "",
         "with --measure-responsiveness: drag a sphere of 25 mm radius instead, and print the "
         "time from a mouse event to the painted window",
         [](const ScriptStep& /*option*/) {}, false},
        {"mixed-work", "",
         "with --measure-responsiveness: do what a user does instead, one after the other: scroll, window, "
         "read, zoom, pan, drag a sphere, step through iterates, open every layout and page",
         [](const ScriptStep& /*option*/) {}, false},
        {"measure-cycles", "N",
         "open and close what is open N times; print the times to the first slice and the heap in use as "
         "JSON, then end",
         requireTimes},
        {"measure-frames", "N",
         "go N times through the frames of the dynamic image on screen; print the times to the painted "
         "pictures as JSON, then end",
         requireTimes},
        {"measure-live-tuning", "N",
         "change beta, or without a prior the kernel, N times with live tuning on; print the times to "
         "the new "
         "image as JSON, then end",
         requireTimes},
        {"measure-kernel-drag", "SECONDS",
         "drag the selected point of the kernel lab's plot, a move every 16 ms; print the times to the "
         "painted projections as JSON, then end",
         requireSeconds}};
}

/// One measurement, the first of these that was asked for.
void startMeasuring(const Given& given, Desk& desk, MainWindow& window,
                    const std::function<void(const Error&)>& fail) {
    if (given.contains("measure-responsiveness")) {
        const Gestures gestures = given.contains("drag-roi")     ? Gestures::DragRoi
                                  : given.contains("mixed-work") ? Gestures::Mixed
                                                                 : Gestures::ScrollAndLevel;
        measureResponsiveness(desk, window, given["measure-responsiveness"].toDouble(), gestures);
    } else if (given.contains("measure-cycles")) {
        measureCycles(desk, window, given["measure-cycles"].toInt());
    } else if (given.contains("measure-frames")) {
        measureFrames(desk, window, given["measure-frames"].toInt());
    } else if (given.contains("measure-live-tuning")) {
        measureLiveTuning(desk, window, given["measure-live-tuning"].toInt(), fail);
    } else if (given.contains("measure-kernel-drag")) {
        measureKernelDrag(window, given["measure-kernel-drag"].toDouble());
    }
}

}  // namespace

Wing measureWing() {
    Wing wing;
    wing.options = measureOptions();
    wing.start = startMeasuring;
    return wing;
}

}  // namespace tof::ui
