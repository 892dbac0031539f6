// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"

namespace tof::ui {

/// Opening, running, the pages, live tuning and the theme.
class ToolBar : public QWidget {
    Q_OBJECT

  public:
    ToolBar(const CommandRegistry& commands, QWidget* parent = nullptr);
    /// As many texts as there is room for in `width` pixels, in any language: first the switch is shortened,
    /// then the buttons left of the pages keep only their icons, then the pages, too.
    void fit(int width);

  private:
    std::vector<QToolButton*> buttons_;
    Switch* live_ = nullptr;
};

}  // namespace tof::ui
