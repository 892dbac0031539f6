// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableWidget>

namespace tof::ui {

/// A table whose rows are chosen by the arrow keys as well as by a click, and copied by the copy key, while
/// it has the focus; everywhere else these keys belong to the window.
class KeyTable : public QTableWidget {
    Q_OBJECT

  public:
    KeyTable(int rows, int columns, QWidget* parent = nullptr);
    /// Pixels that the title of a column needs to be read whole.
    [[nodiscard]] int titleWidth(int column) const;
    /// Pixels that a cell needs for a text.
    [[nodiscard]] int cellWidth(const QString& text) const;
    /// Pixels that what is in a cell needs in the font it is drawn in, so that it is not shortened.
    [[nodiscard]] int wholeWidth(int row, int column) const;

  Q_SIGNALS:
    /// A key moved to another row.
    void rowChosen(int row);
    void copyRequested();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace tof::ui
