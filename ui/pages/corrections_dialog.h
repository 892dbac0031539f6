// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <optional>

#include "ui/desk/correct_data.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace tof::ui {

/// Which corrections of the open data are to be made, and from which files. What cannot be is said at its
/// field, before the dialog closes.
class CorrectionsDialog : public QDialog {
    Q_OBJECT

  public:
    /// `folder` is what the new study is called to begin with; `phantom`: the data name what attenuates.
    CorrectionsDialog(const QString& folder, bool phantom, QWidget* parent = nullptr);
    /// What was asked for; call it after the dialog was accepted.
    [[nodiscard]] CorrectionWish wish() const;

  protected:
    void accept() override;

  private:
    struct FileField {
        QCheckBox* box;
        QLineEdit* file;
        QLabel* fault;
    };
    FileField addFile(QVBoxLayout& column, const char* name, const QString& text, const QString& help);
    [[nodiscard]] QWidget* check();

    FileField norm_;
    FileField randoms_;
    QCheckBox* scatter_;
    QLineEdit* mu_;
    QLabel* muFault_;
    QLineEdit* folder_;
    QLabel* folderFault_;
    bool phantom_;
};

}  // namespace tof::ui
