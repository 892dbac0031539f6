// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileDialog>

namespace tof::ui {

/// Asks for files to open, or for a study: its folder is one thing, and is taken instead of being entered.
class OpenDialog : public QFileDialog {
    Q_OBJECT

  public:
    explicit OpenDialog(QWidget* parent);
    /// What was chosen: files, or folders of studies.
    [[nodiscard]] QStringList paths() const;

  public Q_SLOTS:
    void accept() override;

  private:
    void take(const QString& study);

    QString study_;
};

}  // namespace tof::ui
