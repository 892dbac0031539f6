// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

#include "ui/desk/desk.h"
#include "ui/kit/basic.h"

class QSlider;

namespace tof::ui {

/// The stack of images in the pictures, the uppermost first: seen or not, name, opacity; below the name map
/// and range. A click selects the image, whose map and range are then those of the bar over the pictures.
class LayerRows : public QWidget {
    Q_OBJECT

  public:
    explicit LayerRows(Desk& desk, QWidget* parent = nullptr);
    void refresh();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Row {
        QWidget* box = nullptr;
        QToolButton* eye = nullptr;
        ElidedLabel* name = nullptr;
        ElidedLabel* look = nullptr;
        QSlider* opacity = nullptr;
    };
    void addRow(std::size_t place);
    /// The layer of a row: rows go down, layers up.
    [[nodiscard]] int layerOf(std::size_t row) const;
    [[nodiscard]] QString lookText(const RunItem& item);

    Desk& desk_;
    std::vector<Row> rows_;
};

}  // namespace tof::ui
