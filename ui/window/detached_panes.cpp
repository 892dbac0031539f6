// SPDX-License-Identifier: Apache-2.0
#include "ui/window/detached_panes.h"

#include <QGuiApplication>
#include <QScreen>
#include <algorithm>
#include <iterator>

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
         .run = [this] { open({models_.view.activePlane()}); }});
    commands_.add({.id = "view.detach-planes",
                   .menu = "View",
                   .text = tr("Three planes in a window of their own"),
                   .help = tr("Side by side or one below the other, as the shape of that window asks for"),
                   .run = [this] {
                       open({Plane::Transverse, Plane::Coronal, Plane::Sagittal});
                   }});
    commands_.add(
        {.id = "view.detach-link",
         .menu = "View",
         .text = tr("One cursor and range with all pictures"),
         .help = tr("For the picture window in front, or the newest: off, it has a cursor, range "
                    "and zoom of its own"),
         .run = [this] { inFront()->setLinked(!inFront()->linked()); },
         .whyNot =
             [this] { return inFront() == nullptr ? tr("No picture is in a window of its own") : QString(); },
         .checked = [this] { return inFront() == nullptr || inFront()->linked(); }});
}

PaneWindow* DetachedPanes::inFront() const {
    const std::vector<PaneWindow*> those = windows();
    const auto active =
        std::find_if(those.begin(), those.end(), [](const PaneWindow* w) { return w->isActiveWindow(); });
    return active != those.end() ? *active : those.empty() ? nullptr : those.back();
}

PaneWindow& DetachedPanes::open(const std::vector<Plane>& planes, const QRect& place) {
    auto* made = new PaneWindow(planes, models_, commands_, &window_);
    made->setObjectName(QString("detached.%1").arg(windows().size()));
    if (place.isValid()) {
        made->resize(place.size());
        if (QGuiApplication::screenAt(place.center()) != nullptr) {  // a monitor may be gone
            made->move(place.topLeft());
        }
    } else if (planes.size() > 1) {
        made->resize(1200, 460);
    }
    open_.push_back(made);
    connect(made, &PaneWindow::paneMade, this, &DetachedPanes::opened);
    connect(made, &PaneWindow::linkedChanged, &commands_, &CommandRegistry::refresh);
    connect(made, &QObject::destroyed, this, [this, made] {
        // It is a plain widget by now; a QPointer would still give it as a PaneWindow.
        std::erase(open_, made);
        commands_.refresh();
    });
    made->show();
    for (SlicePane* pane : made->panes()) {
        Q_EMIT opened(pane);
    }
    commands_.refresh();
    return *made;
}

std::vector<PaneWindow*> DetachedPanes::windows() const {
    std::vector<PaneWindow*> those;
    std::copy_if(open_.begin(), open_.end(), std::back_inserter(those),
                 [](const PaneWindow* window) { return window->isVisible(); });
    return those;
}

nlohmann::json DetachedPanes::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const PaneWindow* window : windows()) {
        list.push_back(window->toJson());
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
        // A version whose windows had one plane each wrote "plane".
        std::vector<Plane> planes;
        for (const int plane : savedIn(one, "planes", std::vector<int>{savedIn(one, "plane", 0)})) {
            planes.push_back(static_cast<Plane>(std::clamp(plane, 0, 2)));
        }
        constexpr std::size_t kPlanes = 3;
        planes.resize(std::clamp(planes.size(), std::size_t{1}, kPlanes), Plane::Transverse);
        open(planes, QRect(x, y, width, height)).fromJson(one);
    }
}

}  // namespace tof::ui
