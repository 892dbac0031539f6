// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <vector>

#include "ui/desk/roi_model.h"
#include "ui/kit/basic.h"

class QGridLayout;
class QLineEdit;

namespace tof::ui {

/// Exact numbers of the selected ROI: name, role, group, place, sizes, true ratio, looks, lock. Every
/// accepted field is one undo step; a refused one keeps its text, is marked, and says why in its tooltip.
class RoiEditor : public QWidget {
    Q_OBJECT

  public:
    explicit RoiEditor(RoiModel& model, QWidget* parent = nullptr);
    /// Fields follow the selected ROI; one that is being typed into keeps its text.
    void refresh();

  private:
    /// A number of an ROI, where it is and which shapes have it.
    struct Number {
        QLineEdit* edit = nullptr;
        QString what;  ///< "radius"
        std::function<bool(const Roi&)> has;
        std::function<double(const Roi&)> get;
        std::function<void(Roi&, double)> set;
    };
    QLineEdit* field(const QString& name, const QString& label, const QString& tip);
    /// A field of choices whose choice is an edit called `what`.
    ComboBox* choice(const QString& name, const QString& label, const QStringList& choices,
                     const QString& tip, const QString& what, const std::function<void(Roi&, int)>& set);
    QLineEdit* number(const QString& name, const QString& label, const QString& tip, const QString& what,
                      std::function<bool(const Roi&)> has, std::function<double(const Roi&)> get,
                      std::function<void(Roi&, double)> set);
    /// The three fields of a vector.
    std::vector<QWidget*> vectorFields(const QString& name, const QString& label, const QString& tip,
                                       const QString& what, const std::function<bool(const Roi&, int)>& has,
                                       Vec3 Roi::*vector, const std::function<void(Roi&, Vec3)>& set);
    void addRow(QGridLayout& grid, const QString& label, const std::vector<QWidget*>& fields);
    void buildSizes(QGridLayout& grid);
    void buildLooks(QGridLayout& grid);
    /// Makes an edit of the selected ROI, or marks the field with the reason.
    void apply(QWidget* source, const QString& what, const std::function<void(Roi&)>& edit);
    void pickColour();

    RoiModel& model_;
    QLineEdit* name_;
    ComboBox* role_;
    QLineEdit* group_;
    QLineEdit* ratio_;
    QLineEdit* studyRatio_;
    ComboBox* plane_;
    ComboBox* dash_;
    QToolButton* colour_;
    Switch* lock_;
    std::vector<Number> numbers_;
    std::map<QWidget*, QWidget*> labels_;  ///< labels of the first field of a row
    bool filling_ = false;
};

}  // namespace tof::ui
