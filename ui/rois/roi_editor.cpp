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
    bool ok = false;
    QString text = edit.text().trimmed();
    const double value = text.replace(QChar(0x2212), '-').toDouble(&ok);
    return ok && std::abs(value) <= kFar_mm ? std::optional(value) : std::nullopt;
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
bool hasExtent(const Roi& roi, std::size_t axis) {
    return roi.shape == Shape::Box || (roi.shape == Shape::Ellipse && axis != planeFrame(roi.plane).normal);
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
    role_ = new ComboBox;
    role_->setObjectName("roi.role");
    role_->setAccessibleName(tr("Role"));
    role_->addItems({tr("none"), tr("sphere"), tr("background"), tr("uniform")});
    role_->setToolTip(
        tr("What it is measured for: a sphere and the backgrounds of its group give CRC; uniform "
           "regions give noise (the first one), NSR and the background of contrast recovery"));
    connect(role_, &QComboBox::activated, this, [this](int index) {
        apply(role_, tr("Set role of %1"), [index](Roi& roi) { roi.role = static_cast<Roi::Role>(index); });
    });
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
    std::vector<QWidget*> centre;
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter{QChar("xyz"[axis])};
        QLineEdit* edit =
            field("roi." + letter, tr("Centre %1").arg(letter), tr("Centre along %1, mm").arg(letter));
        addNumber(
            edit, tr("Move %1"), [](const Roi&) { return true; },
            [axis](const Roi& roi) { return viz::coordinate(roi.centre, axis); },
            [axis](Roi& roi, double value) {
                Vec3 by;
                viz::setCoordinate(by, axis, value - viz::coordinate(roi.centre, axis));
                roi = translated(roi, by);
            });
        centre.push_back(edit);
    }
    addRow(*grid, tr("Centre, mm"), centre);
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

int RoiEditor::addRow(QGridLayout& grid, const QString& label, const std::vector<QWidget*>& fields) {
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
    return row;
}

void RoiEditor::addNumber(QLineEdit* edit, const QString& what, std::function<bool(const Roi&)> has,
                          std::function<double(const Roi&)> get, std::function<void(Roi&, double)> set) {
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
}

void RoiEditor::buildSizes(QGridLayout& grid) {
    QLineEdit* radius = field("roi.radius", tr("Radius"), tr("Radius, mm; of an annulus the outer one"));
    addNumber(
        radius, tr("Resize %1"), hasRadius, [](const Roi& roi) { return roi.radius_mm; },
        [](Roi& roi, double value) { roi.radius_mm = value; });
    addRow(grid, tr("Radius, mm"), {radius});
    QLineEdit* inner = field("roi.inner", tr("Inner radius"), tr("Radius of the hole, mm"));
    addNumber(
        inner, tr("Resize %1"), [](const Roi& roi) { return roi.shape == Shape::Annulus; },
        [](const Roi& roi) { return roi.innerRadius_mm; },
        [](Roi& roi, double value) { roi.innerRadius_mm = value; });
    addRow(grid, tr("Inner, mm"), {inner});
    QLineEdit* length = field("roi.length", tr("Length"), tr("Length along the axis, mm"));
    addNumber(
        length, tr("Resize %1"), [](const Roi& roi) { return roi.shape == Shape::Cylinder; },
        [](const Roi& roi) { return roi.size_mm.z; }, [](Roi& roi, double value) { roi.size_mm.z = value; });
    addRow(grid, tr("Length, mm"), {length});
    std::vector<QWidget*> sizes;
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter{QChar("xyz"[axis])};
        QLineEdit* edit = field("roi.size-" + letter, tr("Size along %1").arg(letter),
                                tr("Full extent along %1, mm").arg(letter));
        addNumber(
            edit, tr("Resize %1"),
            [axis](const Roi& roi) { return hasExtent(roi, static_cast<std::size_t>(axis)); },
            [axis](const Roi& roi) { return viz::coordinate(roi.size_mm, axis); },
            [axis](Roi& roi, double value) { viz::setCoordinate(roi.size_mm, axis, value); });
        sizes.push_back(edit);
    }
    addRow(grid, tr("Size, mm"), sizes);
    QLineEdit* angle = field("roi.angle", tr("Angle"),
                             tr("Turn about the normal of the plane it was drawn in, degrees, -360 to 360; "
                                "for ellipses and boxes"));
    addNumber(
        angle, tr("Turn %1"), [](const Roi& roi) { return hasAngle(roi.shape); },
        [](const Roi& roi) { return roi.angle_deg; }, [](Roi& roi, double value) { roi.angle_deg = value; });
    addRow(grid, tr("Angle, \u00b0"), {angle});
}

void RoiEditor::buildLooks(QGridLayout& grid) {
    plane_ = new ComboBox;
    plane_->setObjectName("roi.plane");
    plane_->setAccessibleName(tr("Plane"));
    plane_->addItems({tr("transverse"), tr("coronal"), tr("sagittal")});
    plane_->setToolTip(
        tr("Plane of a flat ROI; a cylinder's axis, and the axis a box is turned about, is normal to it"));
    connect(plane_, &QComboBox::activated, this, [this](int index) {
        apply(plane_, tr("Turn %1"), [index](Roi& roi) {
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
        });
    });
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
    dash_ = new ComboBox;
    dash_->setObjectName("roi.dash");
    dash_->setAccessibleName(tr("Line"));
    dash_->addItems({tr("by role"), tr("solid"), tr("dashed"), tr("dotted")});
    dash_->setToolTip(tr("Line of the outline; by role: backgrounds are dashed, uniform ones dotted"));
    connect(dash_, &QComboBox::activated, this, [this](int index) {
        apply(dash_, tr("Set line of %1"), [index](Roi& roi) { roi.dash = static_cast<Roi::Dash>(index); });
    });
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
