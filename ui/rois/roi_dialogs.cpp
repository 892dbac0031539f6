// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/roi_dialogs.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>

#include "ui/kit/basic.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

QDoubleSpinBox* numberBox(const char* name, double value, double low, double high, const char* suffix) {
    auto* box = new QDoubleSpinBox;
    box->setObjectName(name);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setRange(low, high);
    box->setDecimals(1);
    box->setValue(value);
    box->setSuffix(suffix);
    return box;
}

bool accepted(QDialog& dialog, QFormLayout& form) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    form.addRow(buttons);
    return dialog.exec() == QDialog::Accepted;
}

}  // namespace

std::optional<RingRequest> askForRing(const RingRequest& start, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(Text::tr("Ring of copies"));
    auto* form = new QFormLayout(&dialog);
    auto* copies = new QSpinBox;
    copies->setObjectName("ring.copies");
    copies->setButtonSymbols(QAbstractSpinBox::NoButtons);
    copies->setAlignment(Qt::AlignRight);
    copies->setRange(2, 1000);
    copies->setValue(start.copies);
    copies->setToolTip(Text::tr("How many there are at the end, the selected one among them"));
    form->addRow(Text::tr("Copies"), copies);
    std::array<QDoubleSpinBox*, 3> about{};
    for (int axis = 0; axis < 3; ++axis) {
        auto& box = about[static_cast<std::size_t>(axis)];
        box = numberBox("ring.about", viz::coordinate(start.about, axis), -1e5, 1e5, " mm");
        box->setToolTip(Text::tr("A point of the axis, which is normal to the ROI's plane"));
        form->addRow(Text::tr("About %1").arg(QChar("xyz"[axis])), box);
    }
    if (!accepted(dialog, *form)) {
        return std::nullopt;
    }
    return RingRequest{copies->value(), {about[0]->value(), about[1]->value(), about[2]->value()}};
}

std::optional<ThresholdRequest> askForThreshold(const ThresholdRequest& start, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(Text::tr("ROI from threshold"));
    auto* form = new QFormLayout(&dialog);
    auto* percent = numberBox("threshold.percent", start.percent, 1, 100, " %");
    percent->setToolTip(Text::tr("Of the largest value in the neighbourhood of the cursor"));
    form->addRow(Text::tr("Threshold"), percent);
    auto* reach = numberBox("threshold.reach", start.reach_mm, 0.1, 1e4, " mm");
    reach->setToolTip(Text::tr("Radius of the neighbourhood; nothing beyond it is taken"));
    form->addRow(Text::tr("Neighbourhood"), reach);
    auto* kind = new ComboBox;
    kind->setObjectName("threshold.kind");
    kind->addItems({Text::tr("sphere of the same volume"), Text::tr("the voxels themselves")});
    kind->setCurrentIndex(static_cast<int>(start.kind));
    form->addRow(Text::tr("Makes"), kind);
    if (!accepted(dialog, *form)) {
        return std::nullopt;
    }
    return ThresholdRequest{percent->value(), reach->value(),
                            static_cast<ThresholdKind>(kind->currentIndex())};
}

}  // namespace tof::ui
