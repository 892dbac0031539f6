// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <vector>

#include "recon/settings/kernel_library.h"
#include "recon/settings/settings.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace tof::ui {

/// A form that makes many runs of one: every kernel that is ticked with every relaxation, for as many
/// iterations as the longest needs. Iterates are kept, so that fewer iterations need no run of their own.
class SweepDialog : public QDialog {
    Q_OBJECT

  public:
    SweepDialog(const RunSettings& settings, const KernelLibrary& kernels, const std::string& system,
                QWidget* parent = nullptr);
    /// The runs that are asked for, in their order; empty while a field cannot be.
    [[nodiscard]] std::vector<RunSettings> runs() const;

  private:
    void refresh();

    RunSettings settings_;
    bool kernelsMatter_;
    QListWidget* kernels_;
    QLineEdit* relaxations_;
    QLineEdit* iterations_;
    QLabel* note_;
    QPushButton* queue_;
};

}  // namespace tof::ui
