// SPDX-License-Identifier: Apache-2.0
#include "ui/window/pane_window.h"

#include <QVBoxLayout>

#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/basic.h"

namespace tof::ui {

PaneWindow::PaneWindow(Plane plane, const PictureModels& models, QWidget* parent)
    : QWidget(parent, Qt::Window), models_(models) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAutoFillBackground(true);
    header_ = new PaneHeader(plane, models_.runs, models_.view, models_.study);
    pane_ = new SlicePane(plane, models_);
    pane_->setObjectName("detached.pane");
    setWindowTitle(pane_->accessibleName());
    auto* column = makeColumn(this);
    column->addWidget(header_);
    column->addWidget(pane_, 1);
    setFocusProxy(pane_);
    resize(720, 720);
    connect(pane_, &SlicePane::maximiseRequested, this,
            [this] { isFullScreen() ? showNormal() : showFullScreen(); });
    connect(&models_.layers, &LayerModel::changed, this, &PaneWindow::refresh);
    connect(&models_.view, &ViewModel::changed, this, &PaneWindow::refresh);
    connect(&models_.rois, &RoiModel::changed, this, &PaneWindow::refresh);
    connect(&models_.runs, &RunList::changed, this, &PaneWindow::refresh);
    connect(&models_.annotations, &Annotations::changed, this, &PaneWindow::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &PaneWindow::refresh);
}

void PaneWindow::refresh() {
    if (!isVisible()) {
        return;
    }
    layout()->activate();
    pane_->setScale(pane_->fittingScale() / models_.view.zoom());
    pane_->update();
    header_->update();
}

}  // namespace tof::ui
