// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace tof::ui {

/// Where a command's keys are heard: in the whole window, or only while a picture has the focus (keys that
/// buttons and fields need themselves).
enum class KeyScope { Window, Pictures };

/// One thing the user can do.
struct Command {
    QString id{};     ///< "view.crosshair"
    QString menu{};   ///< "View"; also the heading in the cheat sheet; empty: in no menu
    QString text{};   ///< "Crosshair"
    QString brief{};  ///< on buttons; empty: text
    QString help{};   ///< one sentence for tooltips and the guide
    QString icon{};   ///< name in resources/icons, or empty
    QList<QKeySequence> keys{};
    KeyScope scope = KeyScope::Window;
    std::function<void()> run{};
    std::function<QString()> whyNot{};  ///< empty result or no function: can run now
    std::function<bool()> checked{};    ///< for switches
    bool separatorBefore = false;
};

/// Every command of the window: menus, tool bar, shortcuts, cheat sheet, guide and tests are views of it.
class CommandRegistry : public QObject {
    Q_OBJECT

  public:
    /// `window` hears Window keys, `pictures` the others.
    CommandRegistry(QWidget* window, QWidget* pictures);

    /// Throws InternalError for an id or a key that is taken.
    void add(Command command);
    /// Adds the rows of a menu, in their order.
    void add(const QString& menu, std::vector<Command> rows);
    [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const { return commands_; }
    /// Throws WrongUse for an unknown id.
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Runs a command as if it had been chosen; false when it cannot run now.
    bool trigger(const QString& id) const;
    /// Brings enabled, checked and tooltips up to date.
    void refresh();
    /// Recolours the icons.
    void refreshIcons();

  private:
    QWidget* window_;
    QWidget* pictures_;
    std::vector<std::unique_ptr<Command>> commands_;
    std::vector<QAction*> actions_;
};

/// "Ctrl+O", "F, Shift+F": the keys of a command for people.
[[nodiscard]] QString keyText(const Command& command);

}  // namespace tof::ui
