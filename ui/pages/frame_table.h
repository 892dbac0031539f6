// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableWidget>
#include <memory>

#include "recon/data/framed_counts.h"

namespace tof::ui {

/// The frames of data that are cut by time: start, duration, counts and, where the nuclide is stated, decay
/// factor. Ctrl+C copies all of it.
class FrameTable : public QTableWidget {
    Q_OBJECT

  public:
    explicit FrameTable(QWidget* parent = nullptr);
    /// Null: the data are not cut by time.
    void setFrames(std::shared_ptr<const FramedCounts> frames);
    [[nodiscard]] bool isEmpty() const { return frames_ == nullptr; }
    /// Titles and rows, separated by tabs.
    [[nodiscard]] QString toTsv() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    std::shared_ptr<const FramedCounts> frames_;
};

}  // namespace tof::ui
