// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/uptake_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>

#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kSecondsPerMinute = 60;
constexpr double kBqPerMBq = 1e6;

QDoubleSpinBox* numberBox(const char* name, double value, double high, int decimals, const char* suffix) {
    auto* box = new QDoubleSpinBox;
    box->setObjectName(name);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setRange(0, high);
    box->setDecimals(decimals);
    box->setValue(value);
    box->setSuffix(suffix);
    return box;
}

}  // namespace

UptakeDialog::UptakeDialog(const QString& image, const Uptakes::Entry& start,
                           std::function<std::optional<DisplayUnit>(const Uptake&)> suv, QWidget* parent)
    : QDialog(parent), suv_(std::move(suv)) {
    setObjectName("uptake.dialog");
    setWindowTitle(tr("SUV of %1").arg(image));
    const Uptake& uptake = start.uptake;
    weight_ = numberBox("uptake.weight", uptake.weight_kg, 1000, 3, " kg");
    weight_->setToolTip(tr("Of the body"));
    dose_ = numberBox("uptake.dose", uptake.dose_Bq / kBqPerMBq, 1e6, 3, " MBq");
    dose_->setToolTip(tr("Activity at the injection"));
    halfLife_ = numberBox("uptake.half-life", uptake.halfLife_s / kSecondsPerMinute, 1e7, 3, " min");
    waited_ = numberBox("uptake.waited", uptake.waited_s / kSecondsPerMinute, 86400, 2, " min");
    waited_->setMinimum(-720);
    waited_->setToolTip(tr(
        "From the injection to the time that the values are decay-corrected to, the start of the scan as a "
        "rule; 0 where they are corrected to the injection, below 0 for a start before it"));
    positrons_ = numberBox("uptake.positrons", uptake.branching, 1, 4, "");
    positrons_->setToolTip(
        tr("Share of decays that emit a positron. Runs count positrons; images in Bq/ml are activities"));
    shown_ = new QCheckBox(tr("Show values as SUV"));
    shown_->setObjectName("uptake.shown");
    shown_->setChecked(start.shown);
    note_ = new QLabel;
    note_->setObjectName("uptake.note");
    note_->setWordWrap(true);
    note_->setMinimumWidth(360);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->addRow(tr("Body weight"), weight_);
    form->addRow(tr("Injected dose"), dose_);
    form->addRow(tr("Nuclide"), nuclideBox());
    form->addRow(tr("Half life"), halfLife_);
    form->addRow(tr("Positrons per decay"), positrons_);
    form->addRow(tr("Since injection"), waited_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    ok_ = buttons->button(QDialogButtonBox::Ok);
    ok_->setObjectName("uptake.ok");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(shown_);
    column->addWidget(note_);
    column->addWidget(buttons);
    for (QDoubleSpinBox* box : {weight_, dose_, halfLife_, waited_, positrons_}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, &UptakeDialog::refresh);
    }
    refresh();
}

/// A list of nuclides that sets half life and positrons, and shows the one whose half life is typed.
QWidget* UptakeDialog::nuclideBox() {
    auto* nuclide = new ComboBox;
    nuclide->setObjectName("uptake.nuclide");
    nuclide->setAccessibleName(tr("Nuclide"));
    for (const Nuclide& one : petNuclides()) {
        nuclide->addItem(one.name, one.halfLife_s);
    }
    nuclide->addItem(tr("another"), 0.0);
    const auto known = [this] { return nuclideOfHalfLife(halfLife_->value() * kSecondsPerMinute); };
    const auto showNuclide = [nuclide, known] {
        const QSignalBlocker quiet(nuclide);
        nuclide->setCurrentIndex(known() != nullptr ? nuclide->findText(known()->name)
                                                    : nuclide->count() - 1);
    };
    showNuclide();
    connect(nuclide, &QComboBox::currentIndexChanged, this, [this, nuclide] {
        if (const double seconds = nuclide->currentData().toDouble(); seconds > 0) {
            halfLife_->setValue(seconds / kSecondsPerMinute);
        }
    });
    connect(halfLife_, &QDoubleSpinBox::valueChanged, this, [this, known, showNuclide] {
        showNuclide();
        if (known() != nullptr) {
            positrons_->setValue(known()->branching);
        }
    });
    return nuclide;
}

Uptakes::Entry UptakeDialog::entry() const {
    return {{weight_->value(), dose_->value() * kBqPerMBq, halfLife_->value() * kSecondsPerMinute,
             waited_->value() * kSecondsPerMinute, positrons_->value()},
            shown_->isChecked()};
}

void UptakeDialog::refresh() {
    const Uptake uptake = entry().uptake;
    const bool whole = uptakeFault(uptake).empty();
    const auto unit = whole ? suv_(uptake) : std::nullopt;
    ok_->setEnabled(unit.has_value());
    note_->setText(
        !whole ? tr("Give body weight, dose and half life")
        : unit ? tr("SUV by body weight: 1 Bq/ml is %1 g/ml").arg(compactNumber(suvPerBqMl(uptake), 4))
               : tr("The image is not in Bq/ml, and its data do not say how long was measured"));
}

}  // namespace tof::ui
