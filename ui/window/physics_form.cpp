// SPDX-License-Identifier: Apache-2.0
#include "ui/window/physics_form.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/physics/positron.h"
#include "ui/kit/basic.h"
#include "ui/kit/engineering.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// Places in Physics::switches().
enum Place : std::size_t { kRange, kAcollinearity, kScatter, kCrystals, kEnergy, kPosition, kRandoms, kDead };

constexpr double kMostActivity_MBq = 1e6;
const char* const kUsualTable = "1 M: 375, 20 M: 430";

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(smallFont(QFont::DemiBold));
    label->setStyleSheet("font-size: 11px; font-weight: 600;");
    return label;
}

QLabel* fault(const char* name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setStyleSheet("font-size: 11px;");
    label->hide();
    return label;
}

QHBoxLayout* line(QVBoxLayout& column) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    column.addLayout(row);
    return row;
}

QString tableText(const std::vector<std::array<double, 2>>& table) {
    QStringList parts;
    for (const auto& [rate, ps] : table) {
        parts << engineeringText(rate) + ": " + engineeringText(ps);
    }
    return parts.join(", ");
}

}  // namespace

PhysicsForm::PhysicsForm(QWidget* parent) : QWidget(parent) {
    auto* column = makeColumn(this);
    column->setSpacing(4);
    column->addWidget(heading(tr("Source")));
    isotope_ = new ComboBox;
    isotope_->setObjectName("simulate.isotope");
    isotope_->setAccessibleName(tr("Isotope"));
    isotope_->setToolTip(tr("Whose positrons fly, and how many a decay makes"));
    for (const Isotope& one : isotopes()) {
        isotope_->addItem(
            tr("%1, %2 mm").arg(QString::fromStdString(one.name), numberText(one.range.mean_mm(), 1)),
            QString::fromStdString(one.name));
    }
    activity_ = new QLineEdit("100");
    activity_->setObjectName("simulate.activity");
    activity_->setAccessibleName(tr("Activity, MBq"));
    activity_->setToolTip(tr(
        "Activity of the whole phantom in MBq: randoms grow as its square, and the scan lasts as long as its "
        "decays take"));
    activity_->setAlignment(Qt::AlignRight);
    activity_->setFixedWidth(64);
    auto* source = line(*column);
    source->addWidget(isotope_, 1);
    source->addWidget(activity_);
    source->addWidget(new QLabel("MBq"));
    activityFault_ = fault("simulate.activity.fault");
    column->addWidget(activityFault_);
    addSwitch(*column, kRange, tr("Positrons fly before they annihilate"),
              tr("Positron range of the isotope in water: blurs what emits"));
    addSwitch(*column, kAcollinearity, tr("Photons are not quite opposite"),
              tr("Acollinearity of 0.5 degrees: blurs by 2 mm at the centre of a ring of 93 cm"));
    column->addSpacing(6);
    column->addWidget(heading(tr("Phantom")));
    addSwitch(*column, kScatter, tr("Photons scatter in the phantom"),
              tr("Compton scattering, any number of times; without it what interacts there is lost"));
    column->addSpacing(6);
    column->addWidget(heading(tr("Detectors")));
    addSwitch(*column, kCrystals, tr("Photons scatter from crystal to crystal"),
              tr("Compton scattering and escape in crystals; without it the first interaction takes all"));
    addSwitch(*column, kEnergy, tr("Energies are measured"),
              tr("Energy resolution and window; without it every interaction counts"));
    addSwitch(*column, kPosition, tr("Places are measured"),
              tr("The place as the scanner finds it, with its blur; without it the crystal of the first "
                 "interaction"));
    column->addSpacing(6);
    column->addWidget(heading(tr("Time")));
    addSwitch(*column, kRandoms, tr("Two decays may coincide: randoms"),
              tr("Decays in time at the activity, their singles and all coincidences of these"));
    addSwitch(*column, kDead, tr("Detectors are dead after a photon"),
              tr("Dead time of a block; only where decays are followed in time"));
    timing_ = new QCheckBox(tr("Time resolution by rate"));
    timing_->setObjectName("simulate.timingByRate");
    timing_->setToolTip(
        tr("Time resolution in ps that grows with the singles per second of the whole scanner"));
    table_ = new QLineEdit;
    table_->setObjectName("simulate.timing");
    table_->setAccessibleName(tr("Time resolution by rate: singles per second and ps"));
    table_->setToolTip(tr("Singles per second: FWHM in ps, ..., straight between them"));
    auto* times = line(*column);
    times->addWidget(timing_);
    times->addWidget(table_, 1);
    tableFault_ = fault("simulate.timing.fault");
    column->addWidget(tableFault_);

    connect(isotope_, &QComboBox::currentIndexChanged, this, &PhysicsForm::changed);
    connect(activity_, &QLineEdit::textChanged, this, [this] {
        activityFault_->hide();
        Q_EMIT changed();
    });
    connect(table_, &QLineEdit::textChanged, this, [this] { tableFault_->hide(); });
    connect(timing_, &QCheckBox::toggled, this, [this] {
        enableFields();
        Q_EMIT changed();
    });
    enableFields();
}

void PhysicsForm::addSwitch(QVBoxLayout& column, std::size_t index, const QString& text,
                            const QString& help) {
    auto* box = new QCheckBox(text);
    box->setObjectName(QString("simulate.physics.") + Physics::switches()[index].first);
    box->setProperty("help", help);
    connect(box, &QCheckBox::toggled, this, [this] {
        enableFields();
        Q_EMIT changed();
    });
    column.addWidget(box);
    switches_[index] = box;
}

void PhysicsForm::setDetection(const std::optional<Detection>& detection, const QString& why) {
    const bool same = detection_ == detection;
    detection_ = detection;
    why_ = why;
    if (!same) {
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            const bool timed = i == kRandoms || i == kDead;
            const QSignalBlocker quiet(switches_[i]);
            switches_[i]->setChecked(detection && (!timed || detection->coincidence_ns > 0));
        }
        const QSignalBlocker quiet(timing_);
        const QSignalBlocker quietToo(table_);
        timing_->setChecked(detection && !detection->timingByRate.empty());
        table_->setText(detection && !detection->timingByRate.empty() ? tableText(detection->timingByRate)
                                                                      : QString(kUsualTable));
        tableFault_->hide();
    }
    enableFields();
}

void PhysicsForm::enableFields() {
    const auto enable = [](QWidget* field, const QString& why, const QString& help) {
        field->setEnabled(why.isEmpty());
        field->setToolTip(why.isEmpty() ? help : why);
    };
    for (std::size_t i = 0; i < switches_.size(); ++i) {
        const bool timed = i == kRandoms || i == kDead;
        const QString why = !detection_ ? why_
                            : timed && !(detection_->coincidence_ns > 0)
                                ? tr("The scanner's description has no coincidence window")
                            : i == kDead && !switches_[kRandoms]->isChecked()
                                ? tr("Only where decays are followed in time: switch randoms on")
                                : QString();
        enable(switches_[i], why, switches_[i]->property("help").toString());
    }
    isotope_->setEnabled(detection_.has_value());
    timing_->setEnabled(inTime());
    table_->setEnabled(inTime() && timing_->isChecked());
}

std::optional<Physics> PhysicsForm::physics() const {
    if (!detection_) {
        return std::nullopt;
    }
    Physics physics;
    for (std::size_t i = 0; i < switches_.size(); ++i) {
        physics.*Physics::switches()[i].second = switches_[i]->isChecked();
    }
    physics.deadTime = physics.deadTime && physics.randoms;
    physics.isotope = isotope_->currentData().toString().toStdString();
    return physics;
}

std::optional<double> PhysicsForm::activity_MBq() const {
    const auto typed = engineeringNumber(activity_->text());
    return typed && *typed > 0 && *typed <= kMostActivity_MBq ? typed : std::nullopt;
}

bool PhysicsForm::inTime() const {
    return detection_ && switches_[kRandoms]->isChecked();
}

std::optional<std::vector<std::array<double, 2>>> PhysicsForm::typedTiming() const {
    std::vector<std::array<double, 2>> table;
    for (const QString& pair : table_->text().split(',')) {
        const QStringList two = pair.split(':');
        const auto rate = engineeringNumber(two.value(0).trimmed());
        const auto ps = engineeringNumber(two.value(1).trimmed());
        if (two.size() != 2 || !rate || !ps || !(*rate >= 0) || !(*ps > 0 && *ps <= 1e5) ||
            (!table.empty() && *rate <= table.back()[0])) {
            return std::nullopt;
        }
        table.push_back({*rate, *ps});
    }
    return table;
}

std::optional<std::vector<std::array<double, 2>>> PhysicsForm::timingByRate() const {
    if (!inTime()) {
        return std::nullopt;
    }
    const auto wanted = timing_->isChecked() ? typedTiming().value_or(detection_->timingByRate)
                                             : std::vector<std::array<double, 2>>();
    return wanted == detection_->timingByRate ? std::nullopt : std::optional(wanted);
}

QWidget* PhysicsForm::check() {
    activityFault_->setText(tr("A positive number of MBq, at most a million"));
    activityFault_->setVisible(!activity_MBq());
    tableFault_->setText(tr("Rates that grow, each with its ps: \"1 M: 375, 20 M: 430\""));
    tableFault_->setVisible(table_->isEnabled() && !typedTiming());
    return !activityFault_->isHidden() ? activity_ : !tableFault_->isHidden() ? table_ : nullptr;
}

}  // namespace tof::ui
