// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <vector>

#include "recon/work/browse.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace tof::ui {

/// Series of DICOM and studies in a folder and below it, with a picture of the one that is chosen. Several
/// can be chosen, such as PET and CT of one visit.
class BrowseDialog : public QDialog {
    Q_OBJECT

  public:
    BrowseDialog(const QString& folder, Threading threading, QWidget* parent);
    ~BrowseDialog() override;
    [[nodiscard]] QString folder() const;
    /// In the order of the list.
    [[nodiscard]] std::vector<BrowsedItem> chosen() const;

  private:
    void askForFolder();
    void look();
    void fill(const Browsed& browsed);
    void choose();
    /// Draws the picture of the row that is wanted, once the one before is done.
    void draw();

    QLineEdit* folder_;
    QTableWidget* table_;
    QLabel* picture_;
    QLabel* note_;
    QPushButton* open_;
    std::vector<BrowsedItem> items_;
    Wish search_;
    Wish look_;        ///< for the picture
    int wanted_ = -1;  ///< row whose picture is to be seen
    int drawn_ = -1;
    Worker looking_;
    Worker drawing_;
};

}  // namespace tof::ui
