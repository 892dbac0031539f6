// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tool_bar.h"

#include <QHBoxLayout>

namespace tof::ui {

namespace {

constexpr std::size_t kButtonsBeforePages = 7;

}  // namespace

ToolBar::ToolBar(const CommandRegistry& commands, QWidget* parent) : QWidget(parent) {
    setObjectName("toolbar");
    setFixedHeight(44);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 16, 6);
    row->setSpacing(8);
    const auto group = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            QToolButton* button = makeButton(commands.action(id), ButtonKind::Bar, this);
            buttons_.push_back(button);
            row->addWidget(button);
        }
    };
    const auto line = [&] {
        auto* separator = new HairLine(Qt::Vertical);
        separator->setFixedHeight(16);
        row->addSpacing(8);
        row->addWidget(separator);
        row->addSpacing(8);
    };
    group({"file.open", "file.simulate"});
    line();
    group({"run.start", "run.pause", "run.step", "run.finish", "run.cancel"});
    line();
    group({"page.slices", "page.compare", "page.lab", "page.data"});
    row->addStretch();
    const auto addSwitch = [&](const char* name, const QString& text, const char* command) {
        auto* button = new Switch(text);
        button->setObjectName(name);
        QAction* action = commands.action(command);
        connect(button, &QAbstractButton::clicked, action, &QAction::trigger);
        const auto follow = [button, action] {
            button->setChecked(action->isChecked());
            button->setToolTip(action->toolTip());
        };
        follow();
        connect(action, &QAction::changed, button, follow);
        row->addWidget(button);
        return button;
    };
    live_ = addSwitch("toolbar.live", tr("Live tuning"), "run.live");
    static_cast<void>(addSwitch("toolbar.light", tr("Light"), "view.light"));
}

void ToolBar::fit(int width) {
    struct Step {
        QString live;
        std::size_t firstWithText;
    };
    const Step steps[] = {{tr("Live tuning"), 0},
                          {tr("Live"), 0},
                          {tr("Live"), kButtonsBeforePages},
                          {tr("Live"), buttons_.size()}};
    for (const Step& step : steps) {
        live_->setText(step.live);
        live_->updateGeometry();
        for (std::size_t i = 0; i < buttons_.size(); ++i) {
            buttons_[i]->setToolButtonStyle(i < step.firstWithText ? Qt::ToolButtonIconOnly
                                                                   : Qt::ToolButtonTextBesideIcon);
        }
        if (layout()->sizeHint().width() <= width) {
            return;
        }
    }
}

}  // namespace tof::ui
