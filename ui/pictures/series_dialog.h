// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <vector>

#include "recon/io/format/format.h"

class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace tof::ui {

/// Which series of a folder are opened, and which frame where a dynamic one is chosen alone.
class SeriesDialog : public QDialog {
    Q_OBJECT

  public:
    SeriesDialog(const QString& path, const std::vector<VolumeSeries>& series, QWidget* parent = nullptr);
    struct Choice {
        VolumeReadOptions options;
        QString name;  ///< that of the image
    };
    [[nodiscard]] std::vector<Choice> choices() const;

  private:
    [[nodiscard]] std::vector<const VolumeSeries*> chosen() const;
    void refresh();

    std::vector<VolumeSeries> series_;
    QListWidget* list_;
    QPushButton* open_;
    QSpinBox* frame_;
    QLabel* frameLabel_;
};

}  // namespace tof::ui
