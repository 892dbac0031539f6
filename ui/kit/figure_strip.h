// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace tof::ui {

/// A line of figures below pictures: name above, number and unit below; a double-click copies them all.
class FigureStrip : public QWidget {
  public:
    static constexpr int kHeight = 56;  ///< px
    struct Figure {
        QString name;
        QString value;
        QString unit;
        QString help = {};  ///< for the tooltip
    };

    explicit FigureStrip(QWidget* parent = nullptr);
    void setFigures(std::vector<Figure> figures);
    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }
    /// Lines "name<TAB>value<TAB>unit", with ASCII minus.
    [[nodiscard]] QString text() const;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    std::vector<Figure> figures_;
    std::vector<int> ends_;  ///< right ends of the cells as painted
};

}  // namespace tof::ui
