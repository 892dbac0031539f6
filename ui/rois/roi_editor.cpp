// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/roi_editor.h"

#include <QColorDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QStyle>
#include <cmath>

#include "recon/base/error.h"
#include "ui/desk/roi_geometry.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kLabelWidth = 88;
constexpr double kFar_mm = 1e5;

using Shape = Roi::Shape;

/// A typed number, with either minus sign; empty when it is none.
std::optional<double> typed(const QLineEdit& edit) {
    const auto value = typedNumber(edit);
    return value && std::abs(*value) <= kFar_mm ? value : std::nullopt;
}

QString shownNumber(double value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith('0')) {
        text.chop(1);
    }
    if (text.endsWith('.')) {
        text.chop(1);
    }
    return text.replace('-', QChar(0x2212));
}

bool hasRadius(const Roi& roi) {
    return roi.shape == Shape::Circle || roi.shape == Shape::Annulus || roi.shape == Shape::Sphere ||
           roi.shape == Shape::Cylinder;
}

/// True when the shape has an extent of its own along an axis.
bool hasExtent(const Roi& roi, int axis) {
    return roi.shape == Shape::Box ||
           (roi.shape == Shape::Ellipse && static_cast<std::size_t>(axis) != planeFrame(roi.plane).normal);
}

}  // namespace

RoiEditor::RoiEditor(RoiModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setObjectName("rois.editor");
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 8, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(6);
    grid->setColumnMinimumWidth(0, kLabelWidth - 6);
    for (const int column : {1, 2, 3}) {
        grid->setColumnStretch(column, 1);
    }
    name_ = field("roi.name", tr("Name"), tr("Name, as in tables and files"));
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        apply(name_, tr("Rename %1"), [this](Roi& roi) {
            if (name_->text().trimmed().isEmpty()) {
                throw WrongUse(tr("an ROI needs a name").toStdString());
            }
            roi.name = name_->text().trimmed().toStdString();
        });
    });
    addRow(*grid, tr("Name"), {name_});
    role_ =
        choice("roi.role", tr("Role"), {tr("none"), tr("sphere"), tr("background"), tr("uniform")},
               tr("What it is measured for: a sphere and the backgrounds of its group give CRC; uniform "
                  "regions give noise (the first one), NSR and the background of contrast recovery"),
               tr("Set role of %1"), [](Roi& roi, int index) { roi.role = static_cast<Roi::Role>(index); });
    group_ =
        field("roi.group", tr("Group"), tr("Number that a sphere and its backgrounds share; empty: none"));
    connect(group_, &QLineEdit::editingFinished, this, [this] {
        apply(group_, tr("Set group of %1"), [this](Roi& roi) {
            bool ok = false;
            const int n = group_->text().toInt(&ok);
            if (!group_->text().trimmed().isEmpty() && (!ok || n < 0 || n > 1000000)) {
                throw WrongUse(tr("a group is a whole number from 0 to 1000000, or empty").toStdString());
            }
            roi.group = group_->text().trimmed().isEmpty() ? -1 : n;
        });
    });
    group_->setPlaceholderText(tr("group"));
    addRow(*grid, tr("Role, group"), {role_, group_});
    addRow(*grid, tr("Centre, mm"),
           vectorFields(
               "roi.", tr("Centre %1"), tr("Centre along %1, mm"), tr("Move %1"),
               [](const Roi&, int) { return true; }, &Roi::centre,
               [](Roi& roi, Vec3 to) { roi = translated(roi, to - roi.centre); }));
    buildSizes(*grid);
    buildLooks(*grid);
}

QLineEdit* RoiEditor::field(const QString& name, const QString& label, const QString& tip) {
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(label);
    edit->setToolTip(tip);
    edit->setProperty("tip", tip);
    edit->setMinimumWidth(40);
    if (name != "roi.name") {
        edit->setAlignment(Qt::AlignRight);
    }
    return edit;
}

ComboBox* RoiEditor::choice(const QString& name, const QString& label, const QStringList& choices,
                            const QString& tip, const QString& what,
                            const std::function<void(Roi&, int)>& set) {
    auto* box = new ComboBox;
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->addItems(choices);
    box->setToolTip(tip);
    connect(box, &QComboBox::activated, this,
            [this, box, what, set](int index) { apply(box, what, [&](Roi& roi) { set(roi, index); }); });
    return box;
}

void RoiEditor::addRow(QGridLayout& grid, const QString& label, const std::vector<QWidget*>& fields) {
    const int row = grid.rowCount();
    auto* text = new ElidedLabel;
    text->setText(label);
    text->setFixedWidth(kLabelWidth - 6);
    grid.addWidget(text, row, 0);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const int span = fields.size() == 1 ? 3 : fields.size() == 2 && i == 0 ? 2 : 1;
        grid.addWidget(fields[i], row, static_cast<int>(fields.size() == 2 && i == 1 ? 3 : i + 1), 1, span);
    }
    labels_[fields.front()] = text;
}

QLineEdit* RoiEditor::number(const QString& name, const QString& label, const QString& tip,
                             const QString& what, std::function<bool(const Roi&)> has,
                             std::function<double(const Roi&)> get, std::function<void(Roi&, double)> set) {
    QLineEdit* edit = field(name, label, tip);
    numbers_.push_back({edit, what, std::move(has), std::move(get), std::move(set)});
    connect(edit, &QLineEdit::editingFinished, this, [this, index = numbers_.size() - 1] {
        const Number& number = numbers_[index];
        if (!number.edit->isModified()) {
            return;  // what is shown is rounded
        }
        apply(number.edit, number.what, [&number](Roi& roi) {
            const auto value = typed(*number.edit);
            if (!value) {
                throw WrongUse(tr("a number is needed").toStdString());
            }
            number.set(roi, *value);
        });
    });
    return edit;
}

std::vector<QWidget*> RoiEditor::vectorFields(const QString& name, const QString& label, const QString& tip,
                                              const QString& what,
                                              const std::function<bool(const Roi&, int)>& has,
                                              Vec3 Roi::*vector, const std::function<void(Roi&, Vec3)>& set) {
    std::vector<QWidget*> fields;
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter{QChar("xyz"[axis])};
        fields.push_back(number(
            name + letter, label.arg(letter), tip.arg(letter), what,
            [has, axis](const Roi& roi) { return has(roi, axis); },
            [vector, axis](const Roi& roi) { return viz::coordinate(roi.*vector, axis); },
            [set, vector, axis](Roi& roi, double value) {
                Vec3 to = roi.*vector;
                viz::setCoordinate(to, axis, value);
                set(roi, to);
            }));
    }
    return fields;
}

void RoiEditor::buildSizes(QGridLayout& grid) {
    const auto size = [&](const QString& row, const QString& name, const QString& label, const QString& tip,
                          const std::function<bool(const Roi&)>& has, double Roi::*member,
                          const QString& what = tr("Resize %1")) {
        addRow(grid, row,
               {number(
                   name, label, tip, what, has, [member](const Roi& roi) { return roi.*member; },
                   [member](Roi& roi, double value) { roi.*member = value; })});
    };
    size(tr("Radius, mm"), "roi.radius", tr("Radius"), tr("Radius, mm; of an annulus the outer one"),
         hasRadius, &Roi::radius_mm);
    size(
        tr("Inner, mm"), "roi.inner", tr("Inner radius"), tr("Radius of the hole, mm"),
        [](const Roi& roi) { return roi.shape == Shape::Annulus; }, &Roi::innerRadius_mm);
    addRow(grid, tr("Length, mm"),
           {number(
               "roi.length", tr("Length"), tr("Length along the axis, mm"), tr("Resize %1"),
               [](const Roi& roi) { return roi.shape == Shape::Cylinder; },
               [](const Roi& roi) { return roi.size_mm.z; },
               [](Roi& roi, double value) { roi.size_mm.z = value; })});
    addRow(grid, tr("Size, mm"),
           vectorFields("roi.size-", tr("Size along %1"), tr("Full extent along %1, mm"), tr("Resize %1"),
                        hasExtent, &Roi::size_mm, [](Roi& roi, Vec3 to) { roi.size_mm = to; }));
    size(
        tr("Angle, \u00b0"), "roi.angle", tr("Angle"),
        tr("Turn about the normal of the plane it was drawn in, degrees, -360 to 360; "
           "for ellipses and boxes"),
        [](const Roi& roi) { return hasAngle(roi.shape); }, &Roi::angle_deg, tr("Turn %1"));
}

void RoiEditor::buildLooks(QGridLayout& grid) {
    const auto turn = [](Roi& roi, int index) {
        if (roi.shape == Shape::Polygon) {
            throw WrongUse(tr("a polygon stays in the plane it was drawn in").toStdString());
        }
        if (roi.shape == Shape::Ellipse) {
            // Its two extents keep their places in the picture.
            const PlaneFrame from = planeFrame(roi.plane);
            const PlaneFrame to = planeFrame(static_cast<Plane>(index));
            const auto extent = [&](std::size_t axis) {
                return viz::coordinate(roi.size_mm, static_cast<int>(axis));
            };
            Vec3 size;
            viz::setCoordinate(size, static_cast<int>(to.first), extent(from.first));
            viz::setCoordinate(size, static_cast<int>(to.second), extent(from.second));
            roi.size_mm = size;
        }
        roi.plane = static_cast<Plane>(index);
    };
    plane_ = choice(
        "roi.plane", tr("Plane"), {tr("transverse"), tr("coronal"), tr("sagittal")},
        tr("Plane of a flat ROI; a cylinder's axis, and the axis a box is turned about, is normal to it"),
        tr("Turn %1"), turn);
    addRow(grid, tr("Plane"), {plane_});
    ratio_ = field("roi.ratio", tr("True ratio of this sphere"),
                   tr("True activity ratio of this sphere to its background; empty: that of the study"));
    connect(ratio_, &QLineEdit::editingFinished, this, [this] {
        apply(ratio_, tr("Set true ratio of %1"), [this](Roi& roi) {
            const auto value = typed(*ratio_);
            if (!ratio_->text().trimmed().isEmpty() && (!value || *value < 0)) {
                throw WrongUse(tr("a ratio is a number from 0, or empty").toStdString());
            }
            roi.trueRatio = ratio_->text().trimmed().isEmpty() ? std::nullopt : value;
        });
    });
    studyRatio_ = field("roi.study-ratio", tr("True ratio of the study"),
                        tr("True activity ratio of the study's spheres to their background; 0: not known"));
    connect(studyRatio_, &QLineEdit::editingFinished, this, [this] {
        const auto value = typed(*studyRatio_);
        if (value && *value >= 0) {
            model_.setTrueRatio(*value);
        }
        studyRatio_->setModified(false);
        refresh();
    });
    addRow(grid, tr("True ratio"), {ratio_, studyRatio_});
    colour_ = new QToolButton;
    colour_->setObjectName("roi.colour");
    colour_->setAccessibleName(tr("Colour"));
    colour_->setToolTip(tr("Colour of the outline; the selected ROI is white"));
    colour_->setFixedHeight(28);
    colour_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(colour_, &QToolButton::clicked, this, &RoiEditor::pickColour);
    dash_ =
        choice("roi.dash", tr("Line"), {tr("by role"), tr("solid"), tr("dashed"), tr("dotted")},
               tr("Line of the outline; by role: backgrounds are dashed, uniform ones dotted"),
               tr("Set line of %1"), [](Roi& roi, int index) { roi.dash = static_cast<Roi::Dash>(index); });
    addRow(grid, tr("Line, colour"), {dash_, colour_});
    lock_ = new Switch(tr("Locked"));
    lock_->setObjectName("roi.lock");
    lock_->setToolTip(tr("The mouse leaves it alone"));
    connect(lock_, &QAbstractButton::clicked, this, [this] {
        const bool on = lock_->isChecked();
        apply(lock_, on ? tr("Lock %1") : tr("Unlock %1"), [on](Roi& roi) { roi.locked = on; });
    });
    grid.addWidget(lock_, grid.rowCount(), 1, 1, 3);
}

void RoiEditor::apply(QWidget* source, const QString& what, const std::function<void(Roi&)>& edit) {
    if (filling_ || model_.selectedRoi() == nullptr) {
        return;
    }
    auto* line = qobject_cast<QLineEdit*>(source);
    QString fault;
    try {
        Roi roi = *model_.selectedRoi();
        edit(roi);
        fault = QString::fromStdString(roiFault(roi));
        if (fault.isEmpty()) {
            model_.change(model_.selected(), roi, what.arg(QString::fromStdString(roi.name)));
        }
    } catch (const Error& error) {
        fault = error.what();
    }
    if (line != nullptr) {
        line->setModified(false);
        line->setProperty("bad", !fault.isEmpty());
        line->setToolTip(fault.isEmpty() ? line->property("tip").toString() : fault);
        line->style()->unpolish(line);
        line->style()->polish(line);
    }
    if (fault.isEmpty()) {
        refresh();
    }
}

void RoiEditor::pickColour() {
    const Roi* roi = model_.selectedRoi();
    if (roi == nullptr) {
        return;
    }
    const Theme& theme = Theme::of(*this);
    const QColor now = roi->colour.empty() ? theme.roi : QColor(QString::fromStdString(roi->colour));
    const QColor picked = QColorDialog::getColor(now, this, tr("Colour of the outline"));
    if (picked.isValid()) {
        const std::string colour = picked == theme.roi ? "" : picked.name().toStdString();
        apply(colour_, tr("Set colour of %1"), [colour](Roi& r) { r.colour = colour; });
    }
}

void RoiEditor::refresh() {
    const Roi* roi = model_.selectedRoi();
    setEnabled(roi != nullptr);
    const Roi shown = roi != nullptr ? *roi : Roi{};
    filling_ = true;
    const auto write = [](QLineEdit* edit, const QString& text) {
        const bool typing = edit->hasFocus() && (edit->isModified() || edit->property("bad").toBool());
        if (!typing && edit->text() != text) {
            edit->setText(text);
            edit->setProperty("bad", false);
        }
    };
    write(name_, QString::fromStdString(shown.name));
    role_->setCurrentIndex(static_cast<int>(shown.role));
    write(group_, shown.group < 0 ? QString() : QString::number(shown.group));
    for (const Number& number : numbers_) {
        const bool has = number.has(shown);
        number.edit->setEnabled(has);
        const bool size = number.what != tr("Move %1");
        if (size) {
            const bool extents = number.edit->objectName().startsWith("roi.size-");
            const bool visible = extents ? shown.shape == Shape::Box || shown.shape == Shape::Ellipse : has;
            number.edit->setVisible(visible);
            if (const auto label = labels_.find(number.edit); label != labels_.end()) {
                label->second->setVisible(visible);
            }
        }
        write(number.edit, has ? shownNumber(number.get(shown)) : QString());
    }
    const bool planar = isFlat(shown.shape) || shown.shape == Shape::Cylinder || shown.shape == Shape::Box;
    plane_->setVisible(planar);
    labels_[plane_]->setVisible(planar);
    plane_->setEnabled(shown.shape != Shape::Polygon);
    plane_->setCurrentIndex(static_cast<int>(shown.plane));
    const double studyRatio = model_.set().trueRatio;
    write(ratio_, shown.trueRatio ? shownNumber(*shown.trueRatio) : QString());
    ratio_->setPlaceholderText(studyRatio > 0 ? shownNumber(studyRatio) : tr("not known"));
    ratio_->setEnabled(shown.role == Roi::Role::Sphere);
    write(studyRatio_, shownNumber(studyRatio));
    dash_->setCurrentIndex(static_cast<int>(shown.dash));
    QPixmap swatch(16, 16);
    swatch.fill(shown.colour.empty() ? Theme::of(*this).roi : QColor(QString::fromStdString(shown.colour)));
    colour_->setIcon(swatch);
    lock_->setChecked(shown.locked);
    filling_ = false;
}

}  // namespace tof::ui
