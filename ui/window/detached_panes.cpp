// SPDX-License-Identifier: Apache-2.0
#include "ui/window/detached_panes.h"

#include <QGuiApplication>
#include <QScreen>
#include <algorithm>

#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/kit/json.h"
#include "ui/window/pane_window.h"

namespace tof::ui {

DetachedPanes::DetachedPanes(const PictureModels& models, CommandRegistry& commands, QWidget& window)
    : QObject(&window), models_(models), commands_(commands), window_(window) {
    commands_.add(
        {.id = "view.detach",
         .menu = "View",
         .text = tr("Picture in a window of its own"),
         .help = tr("Puts the plane with the frame into a window of its own, on a second monitor as on "
                    "this one; cursor and range are those of all pictures"),
         .run = [this] { open(models_.view.activePlane()); }});
}

PaneWindow& DetachedPanes::open(Plane plane, const QRect& place) {
    auto* made = new PaneWindow(plane, models_, &window_);
    made->setObjectName(QString("detached.%1").arg(windows().size()));
    // Keys are heard where they are pressed.
    for (const auto& command : commands_.all()) {
        made->addAction(commands_.action(command->id));
    }
    if (place.isValid()) {
        made->resize(place.size());
        if (QGuiApplication::screenAt(place.center()) != nullptr) {  // a monitor may be gone
            made->move(place.topLeft());
        }
    }
    std::erase_if(open_, [](const auto& window) { return window.isNull(); });
    open_.emplace_back(made);
    made->show();
    Q_EMIT opened(&made->pane());
    return *made;
}

std::vector<PaneWindow*> DetachedPanes::windows() const {
    std::vector<PaneWindow*> those;
    for (const auto& window : open_) {
        if (!window.isNull() && window->isVisible()) {
            those.push_back(window);
        }
    }
    return those;
}

nlohmann::json DetachedPanes::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const PaneWindow* window : windows()) {
        const QRect place(window->pos(), window->size());
        list.push_back({{"plane", static_cast<int>(window->pane().plane())},
                        {"place", std::array{place.x(), place.y(), place.width(), place.height()}}});
    }
    return list;
}

void DetachedPanes::fromJson(const nlohmann::json& saved) {
    if (!saved.is_array()) {
        return;
    }
    for (PaneWindow* window : windows()) {
        window->close();
    }
    for (const nlohmann::json& one : saved) {
        const auto [x, y, width, height] = savedIn<std::array<int, 4>>(one, "place");
        open(static_cast<Plane>(std::clamp(savedIn(one, "plane", 0), 0, 2)), QRect(x, y, width, height));
    }
}

}  // namespace tof::ui
