// SPDX-License-Identifier: Apache-2.0
#include "ui/window/pane_window.h"

#include <QAction>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/kit/json.h"
#include "ui/kit/theme.h"

namespace tof::ui {

PaneWindow::PaneWindow(std::vector<Plane> planes, const PictureModels& models,
                       const CommandRegistry& commands, QWidget* parent)
    : QWidget(parent, Qt::Window), planes_(std::move(planes)), models_(models), commands_(commands) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAutoFillBackground(true);
    auto* linkAction = new QAction(tr("One cursor and range with all pictures"), this);
    linkAction->setCheckable(true);
    linkAction->setChecked(true);
    linkAction->setIcon(themedIcon("link", Theme::of(*this)));
    linkAction->setToolTip(
        tr("One cursor, range and zoom with all pictures; off, this window has its own, "
           "and Up and Down step through its slices"));
    connect(linkAction, &QAction::toggled, this, &PaneWindow::setLinked);
    link_ = makeButton(linkAction, ButtonKind::Bar, this);
    link_->setObjectName("detached.link");
    auto* bar = new QWidget;
    auto* row = makeRow(bar);
    row->addWidget(link_);
    row->addStretch();
    auto* column = makeColumn(this);
    column->addWidget(bar);
    makePanes();
    takeKeys();
    resize(720, 760);
    connect(&models_.layers, &LayerModel::changed, this, &PaneWindow::refresh);
    connect(&models_.view, &ViewModel::changed, this, [this] {
        followView();
        refresh();
    });
    connect(&models_.rois, &RoiModel::changed, this, &PaneWindow::refresh);
    connect(&models_.runs, &RunList::changed, this, &PaneWindow::refresh);
    connect(&models_.annotations, &Annotations::changed, this, &PaneWindow::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &PaneWindow::refresh);
}

void PaneWindow::makePanes() {
    delete body_;
    headers_.clear();
    panes_.clear();
    body_ = new QWidget;
    pictures_ = new QBoxLayout(QBoxLayout::LeftToRight, body_);
    pictures_->setContentsMargins(0, 0, 0, 0);
    pictures_->setSpacing(1);
    for (const Plane plane : planes_) {
        auto* frame = new QWidget;
        headers_.push_back(new PaneHeader(plane, models_.runs, view(), models_.study));
        panes_.push_back(
            new SlicePane(plane, PictureModels{models_.runs, view(), models_.rois, models_.layers,
                                               models_.annotations, models_.handles, models_.study}));
        panes_.back()->setObjectName("detached.pane");
        connect(panes_.back(), &SlicePane::maximiseRequested, this,
                [this] { isFullScreen() ? showNormal() : showFullScreen(); });
        auto* column = makeColumn(frame);
        column->addWidget(headers_.back());
        column->addWidget(panes_.back(), 1);
        pictures_->addWidget(frame, 1);
    }
    setWindowTitle(planes_.size() == 1 ? pane().accessibleName() : tr("Planes"));
    layout()->addWidget(body_);
    qobject_cast<QBoxLayout*>(layout())->setStretchFactor(body_, 1);
    setFocusProxy(&pane());
    for (SlicePane* each : panes_) {
        Q_EMIT paneMade(each);
    }
}

/// Keys are heard where they are pressed; those of slices are this window's while it has its own cursor.
void PaneWindow::takeKeys() {
    for (const auto& command : commands_.all()) {
        QAction* action = commands_.action(command->id);
        if (!linked() && command->id.startsWith("slice.")) {
            removeAction(action);
        } else {
            addAction(action);
        }
    }
}

void PaneWindow::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up;
    if (linked() || (!up && event->key() != Qt::Key_Down)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    view().stepSlice(view().activePlane(), up ? step : -step);
}

void PaneWindow::setLinked(bool linked) {
    if (linked == this->linked()) {
        return;
    }
    const ViewModel& all = models_.view;
    std::unique_ptr<ViewModel> before = std::move(own_);
    if (!linked) {
        own_ = std::make_unique<ViewModel>();
        own_->setLattice(all.lattice());
        own_->fromJson(all.toJson());
        own_->setActivePlane(planes_.front());
        followView();
        connect(own_.get(), &ViewModel::changed, this, &PaneWindow::refresh);
    }
    makePanes();  // while both views are there: pictures hold theirs
    takeKeys();
    link_->setChecked(linked);
    refresh();
    Q_EMIT linkedChanged();
}

/// All but cursor, range and zoom is as in the other pictures.
void PaneWindow::followView() {
    if (own_ == nullptr) {
        return;
    }
    const ViewModel& all = models_.view;
    own_->setLattice(all.lattice());
    own_->setUnit(all.unit());
    if (const auto image = models_.runs.image()) {
        own_->offer(image);
    }
    // Values of another kind may have come on screen.
    const DisplayRange kept = own_->lookKey() != all.lookKey() ? all.range() : own_->range();
    nlohmann::json common = all.toJson();
    for (const char* own : {"cursor_mm", "moved", "active_plane"}) {
        common.erase(own);
    }
    common["cursor_mm"] = own_->cursor();
    own_->proposeColourMap(all.colourMapId());
    own_->fromJson(common);
    own_->setInverted(all.inverted());
    own_->setRange(kept);
}

nlohmann::json PaneWindow::toJson() const {
    nlohmann::json planes = nlohmann::json::array();
    for (const Plane plane : planes_) {
        planes.push_back(static_cast<int>(plane));
    }
    nlohmann::json saved{{"planes", planes}, {"place", std::array{x(), y(), width(), height()}}};
    if (own_ != nullptr) {
        saved["view"] = own_->toJson();
    }
    return saved;
}

void PaneWindow::fromJson(const nlohmann::json& saved) {
    if (const nlohmann::json view = savedIn(saved, "view"); view.is_object()) {
        setLinked(false);
        own_->fromJson(view);
        followView();
    }
}

void PaneWindow::refresh() {
    if (!isVisible()) {
        return;
    }
    if (own_ != nullptr && own_->followsSource()) {
        own_->setRange(models_.view.range());  // what "automatic" means here
    }
    pictures_->setDirection(body_->width() >= body_->height() ? QBoxLayout::LeftToRight
                                                              : QBoxLayout::TopToBottom);
    layout()->activate();
    pictures_->activate();
    SlicePane::shareScale(panes_, view().zoom());
    for (std::size_t i = 0; i < panes_.size(); ++i) {
        panes_[i]->update();
        headers_[i]->update();
    }
}

}  // namespace tof::ui
