// SPDX-License-Identifier: Apache-2.0
#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "ui/desk/desk.h"
#include "ui/measure/measure.h"

namespace tof::ui {

void measureFrames(Desk& desk, MainWindow& window, int rounds) {
    constexpr int kEveryFrame_ms = 60;  // as a held key
    RunList& runs = desk.runs();
    const RunItem* item = runs.onScreen();
    if (item == nullptr || item->dynamic() == nullptr) {
        throw WrongUse("--measure-frames: open a dynamic image first");
    }
    struct State {
        int step = 0;
        bool waiting = false;
        std::array<bool, 3> seen{};
        QElapsedTimer clock;
        std::vector<double> first;  ///< ms to the picture with the frame
        std::vector<double> all;    ///< ms to all three
    };
    const auto state = std::make_shared<State>();
    const int frames = static_cast<int>(item->dynamic()->frames.size());
    for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
        QObject::connect(window.viewer().pane(plane), &SlicePane::painted, &window, [state, plane] {
            bool& mine = state->seen[static_cast<std::size_t>(plane)];
            if (!state->waiting || mine) {
                return;
            }
            mine = true;
            if (plane == Plane::Transverse) {
                state->first.push_back(msOf(state->clock));
            }
            if (std::all_of(state->seen.begin(), state->seen.end(), [](bool seen) { return seen; })) {
                state->all.push_back(msOf(state->clock));
                state->waiting = false;
            }
        });
    }
    auto* next = new QTimer(&window);
    QObject::connect(next, &QTimer::timeout, &window, [=, &desk, &runs, id = item->id()] {
        if (state->waiting || desk.busy()) {
            return;
        }
        if (state->step == rounds * frames) {
            next->stop();
            printJson({{"frames", frames},
                       {"lattice", desk.view().lattice().text()},
                       {"picture", summaryOf(state->first)},
                       {"all_pictures", summaryOf(state->all)}});
            QCoreApplication::exit(0);
            return;
        }
        state->seen = {};
        state->waiting = true;
        state->clock.start();
        runs.showIterate(id, state->step++ % frames + 1);
    });
    next->start(kEveryFrame_ms);
}

}  // namespace tof::ui
