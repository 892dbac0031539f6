// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <vector>

#include "recon/io/format/format.h"

class QLabel;
class QListWidget;
class QSpinBox;

namespace tof::ui {

/// Which series of a folder is opened, and which frame of a dynamic one.
class SeriesDialog : public QDialog {
    Q_OBJECT

  public:
    SeriesDialog(const QString& path, const std::vector<VolumeSeries>& series, QWidget* parent = nullptr);
    [[nodiscard]] VolumeReadOptions choice() const;
    /// The name of the image that is opened.
    [[nodiscard]] QString name() const { return QString::fromStdString(chosen().name).section(" (", 0, 0); }

  private:
    [[nodiscard]] const VolumeSeries& chosen() const;
    void refresh();

    std::vector<VolumeSeries> series_;
    QListWidget* list_;
    QSpinBox* frame_;
    QLabel* frameLabel_;
};

}  // namespace tof::ui
