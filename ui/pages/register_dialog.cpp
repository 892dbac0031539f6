// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/register_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>

#include "recon/register/rigid_place.h"
#include "recon/register/transform_file.h"
#include "ui/desk/place_handles.h"
#include "ui/desk/run_list.h"
#include "ui/kit/basic.h"
#include "ui/kit/messages.h"

namespace tof::ui {

namespace {

constexpr int kWait_ms = 150;
constexpr double kFarthest_mm = 2000;

QComboBox* imageBox(const char* name, const QString& said) {
    auto* box = new ComboBox;
    box->setObjectName(name);
    box->setAccessibleName(said);
    box->setMinimumContentsLength(24);
    return box;
}

void choose(QComboBox& box, const QString& label) {
    box.setCurrentIndex(std::max(0, box.findData(label)));
}

}  // namespace

RegisterDialog::RegisterDialog(const Workbench& bench, const QString& moving, const QString& fixed)
    : QDialog(&bench.window), Workbench(bench) {
    setObjectName("register.dialog");
    setWindowTitle(tr("Lay one image onto another"));
    setAttribute(Qt::WA_DeleteOnClose);
    moving_ = imageBox("register.moving", tr("Image that is moved"));
    fixed_ = imageBox("register.fixed", tr("Image that stays"));
    onto_ = new QCheckBox(tr("With the voxels of the image that stays"));
    onto_->setObjectName("register.onto");
    onto_->setToolTip(
        tr("So that both can be compared voxel by voxel; off keeps the moved image's own voxels"));
    fillLists(moving, fixed);
    makeFields();
    note_ = new QLabel;
    note_->setObjectName("register.note");
    note_->setWordWrap(true);
    note_->setMinimumWidth(380);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->addRow(tr("Image that is moved"), moving_);
    form->addRow(tr("Image that stays"), fixed_);
    const std::array<QString, 6> names{tr("Shift to the left (x)"), tr("Shift to the back (y)"),
                                       tr("Shift to the head (z)"), tr("Turn about x"),
                                       tr("Turn about y"),          tr("Turn about z")};
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        fields_.at(i)->setAccessibleName(names.at(i));
        form->addRow(names.at(i), fields_.at(i));
    }
    form->addRow(QString(), onto_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(note_);
    column->addWidget(buttons());
    wait_.setSingleShot(true);
    wait_.setInterval(kWait_ms);
    look_.setInterval(kWait_ms);
    connect(&wait_, &QTimer::timeout, this, &RegisterDialog::put);
    connect(&look_, &QTimer::timeout, this, &RegisterDialog::refresh);
    connect(moving_, &QComboBox::currentIndexChanged, this, &RegisterDialog::begin);
    connect(fixed_, &QComboBox::currentIndexChanged, this, &RegisterDialog::refresh);
    connect(onto_, &QCheckBox::toggled, this, [this] { wait_.start(); });
    connect(&runs, &RunList::changed, this, &RegisterDialog::refresh);
    connect(&handles, &PlaceHandles::changed, this, [this] {
        if (handles.shown()) {
            showPlace(handles.place());
        }
    });
    connect(&handles, &PlaceHandles::put, this, [this] { wait_.start(); });
    connect(&made, &MadeImages::movedAway, this, [this](const QString& label) {
        label_ = label_.isEmpty() && made.movesFrom(label) == source_ ? label : label_;
        refresh();
    });
    begin();
}

RegisterDialog::~RegisterDialog() {
    handles.disconnect(this);
    handles.release();
}

void RegisterDialog::fillLists(const QString& moving, const QString& fixed) {
    for (const auto& item : runs.items()) {
        if (item->wholeVolume() != nullptr) {
            for (QComboBox* box : {moving_, fixed_}) {
                box->addItem(item->label() + " " + item->name(), item->label());
            }
        }
    }
    choose(*moving_, moving);
    choose(*fixed_, fixed);
}

void RegisterDialog::makeFields() {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const bool shift = i < 3;
        auto* box = new QDoubleSpinBox;
        box->setObjectName(QString("register.%1-%2").arg(shift ? "shift" : "turn", QChar("xyz"[i % 3])));
        box->setRange(shift ? -kFarthest_mm : -180, shift ? kFarthest_mm : 180);
        box->setDecimals(2);
        box->setSingleStep(1);
        box->setAlignment(Qt::AlignRight);
        box->setSuffix(shift ? tr(" mm") : tr("°"));
        box->setKeyboardTracking(false);
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            handles.showAt(typed().move.by);
            wait_.start();
        });
        fields_.at(i) = box;
    }
}

QWidget* RegisterDialog::buttons() {
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
    find_ = box->addButton(tr("Find by mutual information"), QDialogButtonBox::ActionRole);
    find_->setObjectName("register.find");
    find_->setToolTip(tr("From the numbers above on; Cancel at the bottom of the window stops it"));
    connect(find_, &QPushButton::clicked, this, &RegisterDialog::find);
    QPushButton* load = box->addButton(tr("Open transform..."), QDialogButtonBox::ActionRole);
    load->setObjectName("register.load");
    load->setToolTip(tr("ITK's .tfm or .txt, or a tracker's pose as .tsv or .json"));
    connect(load, &QPushButton::clicked, this, &RegisterDialog::load);
    QPushButton* save = box->addButton(tr("Save transform..."), QDialogButtonBox::ActionRole);
    save->setObjectName("register.save");
    save->setToolTip(load->toolTip());
    connect(save, &QPushButton::clicked, this, &RegisterDialog::save);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::close);
    return box;
}

MadeImages::Moved RegisterDialog::typed() const {
    const auto value = [this](std::size_t i) { return fields_.at(i)->value(); };
    MadeImages::Moved wish{source_, onto_->isChecked() ? fixed_->currentData().toString() : QString(), {}};
    wish.move.by = {{value(0), value(1), value(2)}, {value(3), value(4), value(5)}};
    return wish;
}

void RegisterDialog::showPlace(const RigidPlace& place) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const double value = i < 3 ? place.shift_mm[i] : place.turn_deg[i - 3];
        constexpr double kShown = 0.005;                          // half of the last digit
        if (std::abs(fields_.at(i)->value() - value) > kShown) {  // else what is being typed stays
            const QSignalBlocker quiet(fields_.at(i));
            fields_.at(i)->setValue(value);
        }
    }
}

void RegisterDialog::begin() {
    const QString chosen = moving_->currentData().toString();
    source_ = made.movesFrom(chosen);
    label_ = source_ == chosen ? QString() : chosen;
    refresh();
}

void RegisterDialog::refresh() {
    if (!label_.isEmpty() && !made.movedAs(label_)) {
        label_.clear();
    }
    const bool same = source_ == fixed_->currentData().toString();
    const bool works = made.moving();
    find_->setEnabled(!works && !same);
    note_->setText(
        same    ? tr("Choose two images that show the same body")
        : works ? tr("At work; Cancel at the bottom of the window stops it")
                : tr("In the pictures, the cross shifts the image and the ring turns it. Alt with arrow "
                     "keys and with Page Up and Down does so by 1 mm and 1 degree, with Shift by 10."));
    works ? look_.start() : look_.stop();
    if (!works && !wait_.isActive()) {
        const auto as = made.movedAs(label_);
        const RigidPlace at = as && runs.find(label_) != nullptr ? as->move.by : RigidPlace();
        if (!handles.dragging()) {
            showPlace(at);
        }
        holdOut(at);
    }
}

void RegisterDialog::holdOut(const RigidPlace& at) {
    const RunItem* source = runs.find(source_);
    const RunItem* moved = runs.find(label_);
    if (source == nullptr) {
        handles.release();
    } else {
        handles.hold({(moved != nullptr ? moved : source)->volume(), at, middleOf(source->lattice())});
    }
}

void RegisterDialog::put() {
    messages.guard(windowTitle(), [&] { made.move(typed(), label_); });
    refresh();
}

void RegisterDialog::find() {
    messages.guard(windowTitle(), [&] { made.fit(typed(), fixed_->currentData().toString(), label_); });
    refresh();
}

void RegisterDialog::save() {
    const RunItem* item = runs.find(source_);
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save transform"), QString(), tr("ITK (*.tfm *.txt);;Pose of a tracker (*.json *.tsv)"));
    if (item != nullptr && !file.isEmpty()) {
        messages.guard(windowTitle(), [&] {
            writeTransform(file.toStdString(), poseOf(typed().move.by, middleOf(item->lattice())));
            messages.written(file);
        });
    }
}

void RegisterDialog::load() {
    const RunItem* item = runs.find(source_);
    const QString file = QFileDialog::getOpenFileName(this, tr("Open transform"), QString(),
                                                      tr("Transforms (*.tfm *.txt *.json *.tsv)"));
    if (item != nullptr && !file.isEmpty()) {
        messages.guard(windowTitle(), [&] {
            showPlace(placeOf(readTransform(file.toStdString()), middleOf(item->lattice())));
            put();
        });
    }
}

}  // namespace tof::ui
