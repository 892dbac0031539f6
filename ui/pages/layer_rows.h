// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

#include "ui/kit/basic.h"

class QLabel;
class QSlider;

namespace tof::ui {

class RunItem;

class LayerModel;
class RunList;
class ViewModel;

/// The stack of images in the pictures, the uppermost first: seen or not, name, opacity; below the name map
/// and range. A click selects the image, whose map and range are then those of the bar over the pictures.
class LayerRows : public QWidget {
    Q_OBJECT

  public:
    explicit LayerRows(LayerModel& layers, RunList& runs, ViewModel& view, QWidget* parent = nullptr);
    void refresh();
    /// Ask what a layer is called or coloured, beginning with `now`; a step of undo.
    static void askForName(LayerModel& layers, int layer, const QString& now, QWidget* parent);
    static void askForColour(LayerModel& layers, int layer, const QColor& now, QWidget* parent);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Row {
        QWidget* box = nullptr;
        QToolButton* eye = nullptr;
        ElidedLabel* name = nullptr;
        ElidedLabel* look = nullptr;
        QLabel* swatch = nullptr;
        QSlider* opacity = nullptr;
    };
    void addRow(std::size_t place);
    /// The layer of a row: rows go down, layers up.
    [[nodiscard]] int layerOf(std::size_t row) const;
    [[nodiscard]] QString lookText(const RunItem& item);
    /// The row at a place of a row's box, -1: none.
    [[nodiscard]] int rowAt(const QWidget& box, QPoint at) const;
    void press(int row);
    /// A dragged row takes the place of the one it is let go over.
    void drop(int row);
    void showMenu(int row, QPoint globalPosition);
    void askForName(int row);
    bool handle(int row, QEvent& event);

    LayerModel& layers_;
    RunList& runs_;
    ViewModel& view_;
    std::vector<Row> rows_;
    int dragged_ = -1;  ///< row that is held
    int over_ = -1;     ///< and the one under the pointer
};

}  // namespace tof::ui
