// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/commands.h"

#include <QWidget>

#include "recon/base/error.h"
#include "ui/kit/theme.h"

namespace tof::ui {

CommandRegistry::CommandRegistry(QWidget* window, QWidget* pictures)
    : QObject(window), window_(window), pictures_(pictures) {}

void CommandRegistry::add(Command command) {
    for (const auto& other : commands_) {
        if (other->id == command.id) {
            throw InternalError("two commands called " + command.id.toStdString());
        }
        for (const QKeySequence& key : command.keys) {
            if (other->keys.contains(key)) {
                throw InternalError("key " + key.toString().toStdString() + " is taken twice: " +
                                    other->id.toStdString() + ", " + command.id.toStdString());
            }
        }
    }
    auto* action = new QAction(command.text, this);
    action->setObjectName(command.id);
    if (!command.brief.isEmpty()) {
        action->setIconText(command.brief);
    } else if (!command.icon.isEmpty()) {
        // Qt leaves too little room between icon and text.
        action->setIconText(QChar(0x2009) + command.text);
    }
    action->setShortcuts(command.keys);
    const bool everywhere = command.scope == KeyScope::Window;
    action->setShortcutContext(everywhere ? Qt::WindowShortcut : Qt::WidgetWithChildrenShortcut);
    action->setCheckable(static_cast<bool>(command.checked));
    (everywhere ? window_ : pictures_)->addAction(action);
    commands_.push_back(std::make_unique<Command>(std::move(command)));
    const Command* stored = commands_.back().get();
    connect(action, &QAction::triggered, this, [this, stored] {
        stored->run();
        refresh();
    });
    actions_.push_back(action);
}

void CommandRegistry::add(const QString& menu, std::vector<Command> rows) {
    for (Command& row : rows) {
        row.menu = menu;
        add(std::move(row));
    }
}

QAction* CommandRegistry::action(const QString& id) const {
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (commands_[i]->id == id) {
            return actions_[i];
        }
    }
    throw WrongUse("no command '" + id.toStdString() + "'");
}

bool CommandRegistry::trigger(const QString& id) const {
    QAction* const found = action(id);
    if (!found->isEnabled()) {
        return false;
    }
    found->trigger();
    return true;
}

void CommandRegistry::refresh() {
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        const Command& command = *commands_[i];
        QAction& action = *actions_[i];
        const QString reason = command.whyNot ? command.whyNot() : QString();
        action.setEnabled(reason.isEmpty());
        if (command.checked) {
            action.setChecked(command.checked());
        }
        const QString keys = keyText(command);
        const QString tip =
            (reason.isEmpty() ? command.help : reason) + (keys.isEmpty() ? "" : "  (" + keys + ")");
        if (action.toolTip() != tip) {
            action.setToolTip(tip);
            action.setStatusTip(QString());
        }
    }
}

void CommandRegistry::refreshIcons() {
    const Theme& theme = Theme::of(*window_);
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (!commands_[i]->icon.isEmpty()) {
            actions_[i]->setIcon(themedIcon(commands_[i]->icon, theme));
        }
    }
}

QString keyText(const Command& command) {
    QStringList texts;
    for (const QKeySequence& key : command.keys) {
        texts << key.toString(QKeySequence::NativeText);
    }
    return texts.join(", ");
}

}  // namespace tof::ui
