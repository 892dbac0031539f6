// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/pages/viewer_lines.h"
#include "ui/pictures/slice_pane.h"

namespace tof::ui {

/// A window with one plane of the image on screen and the line above it; gone when it is closed.
class PaneWindow : public QWidget {
    Q_OBJECT

  public:
    PaneWindow(Plane plane, const PictureModels& models, QWidget* parent);
    [[nodiscard]] SlicePane& pane() const { return *pane_; }

  protected:
    void resizeEvent(QResizeEvent*) override { refresh(); }
    void showEvent(QShowEvent*) override { refresh(); }

  private:
    void refresh();

    PictureModels models_;
    PaneHeader* header_;
    SlicePane* pane_;
};

}  // namespace tof::ui
