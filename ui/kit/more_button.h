// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolButton>
#include <vector>

class QVBoxLayout;

namespace tof::ui {

/// A button at the end of a bar for the tools that the bar has no room for: it opens a panel with them. It is
/// there only while the panel has some. The tools are the same ones, with what was typed into them.
class MoreButton : public QToolButton {
    Q_OBJECT

  public:
    explicit MoreButton(const QString& objectName, QWidget* parent);

    /// Takes a tool and returns what stands in the bar for it; `caption` is beside it in the panel.
    [[nodiscard]] QWidget* hold(QWidget* tool, const QString& caption);
    /// Puts a tool into the panel, or back into the bar; does nothing where it is there.
    void setStowed(QWidget* tool, bool away);
    [[nodiscard]] bool stowed(const QWidget* tool) const;
    /// The panel; closed by Esc or a press outside.
    [[nodiscard]] QWidget* panel() const { return panel_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Held {
        QWidget* tool = nullptr;
        QWidget* place = nullptr;  ///< in the bar
        QWidget* row = nullptr;    ///< in the panel
        bool away = false;
    };
    void open();

    QWidget* panel_;
    QVBoxLayout* rows_;
    std::vector<Held> held_;
};

}  // namespace tof::ui
