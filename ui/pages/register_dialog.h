// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QTimer>
#include <array>

#include "ui/desk/made_images.h"
#include "ui/pages/workbench.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace tof::ui {

/// Lays one image onto another one, by mutual information or by six numbers; what is changed is seen in the
/// pictures at once, which can be used meanwhile.
class RegisterDialog : public QDialog, private Workbench {
    Q_OBJECT

  public:
    /// `moving` and `fixed` are letters to begin with.
    RegisterDialog(const Workbench& bench, const QString& moving, const QString& fixed);
    ~RegisterDialog() override;

  private:
    void makeFields();
    [[nodiscard]] QWidget* buttons();
    void fillLists(const QString& moving, const QString& fixed);
    /// What the fields ask for.
    [[nodiscard]] MadeImages::Moved typed() const;
    void showPlace(const RigidPlace& place);
    /// Another image is to be moved.
    void begin();
    void put();
    void find();
    void save();
    void load();
    /// Handles in the pictures hold the image where it is now.
    void holdOut(const RigidPlace& at);
    /// Follows the moved image, which undo may have put elsewhere, and what is being looked for.
    void refresh();

    QComboBox* moving_;
    QComboBox* fixed_;
    QCheckBox* onto_;
    std::array<QDoubleSpinBox*, 6> fields_{};  ///< shift along x, y, z, turn about x, y, z
    QPushButton* find_ = nullptr;
    QLabel* note_;
    QTimer wait_;     ///< until the last of several changes
    QTimer look_;     ///< whether work is still going on
    QString source_;  ///< the image that the numbers begin with
    QString label_;   ///< what was moved from it; empty until there is one
};

}  // namespace tof::ui
