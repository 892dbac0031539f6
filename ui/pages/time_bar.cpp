// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/time_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include "ui/desk/run_list.h"
#include "ui/kit/commands.h"

namespace tof::ui {

namespace {

QSpinBox* frameField(const QString& name, const QString& label) {
    auto* field = new QSpinBox;
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setToolTip(label);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setAlignment(Qt::AlignRight);
    field->setKeyboardTracking(false);
    field->setFixedWidth(48);
    return field;
}

}  // namespace

TimeBar::TimeBar(RunList& runs, QWidget* parent)
    : QWidget(parent),
      runs_(runs),
      slider_(new QSlider(Qt::Horizontal)),
      text_(new ElidedLabel),
      first_(frameField("time.first", tr("First frame of the mean"))),
      last_(frameField("time.last", tr("Last frame of the mean"))) {
    setObjectName("time.bar");
    setAutoFillBackground(true);
    slider_->setObjectName("time.frame");
    slider_->setAccessibleName(tr("Frame"));
    slider_->setToolTip(tr("Frame of the dynamic image; Left and Right step through them"));
    slider_->setPageStep(5);
    text_->setFixedWidth(270);
    connect(slider_, &QSlider::valueChanged, this, [this](int frame) {
        runs_.showFrames(image()->id(), {frame, frame});
    });
    connect(first_, &QSpinBox::valueChanged, this, &TimeBar::showRange);
    connect(last_, &QSpinBox::valueChanged, this, &TimeBar::showRange);
}

RunItem* TimeBar::image() const {
    RunItem* item = runs_.onScreen();
    return item != nullptr && item->dynamic() != nullptr ? item : nullptr;
}

void TimeBar::build(CommandRegistry& commands) {
    auto* row = makeRow(this, {12, 4, 12, 4});
    row->addWidget(makeButton(commands.action("cine.iterates"), ButtonKind::Button, this));
    row->addWidget(slider_, 1);
    row->addWidget(text_);
    row->addWidget(makeButton(commands.action("time.mean"), ButtonKind::Button, this));
    row->addWidget(first_);
    row->addWidget(new QLabel(QString(QChar(0x2013))));
    row->addWidget(last_);
}

void TimeBar::showRange() {
    if (RunItem* item = image(); item != nullptr) {
        const int first = first_->value();
        const int last = last_->value();
        runs_.showFrames(item->id(), first <= last ? FrameRange{first, last} : FrameRange{last, first});
    }
}

void TimeBar::refresh() {
    const RunItem* item = image();
    if (item == nullptr) {
        return;
    }
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietFirst(first_);
    const QSignalBlocker quietLast(last_);
    const int count = static_cast<int>(item->dynamic()->frames.size());
    const FrameRange wanted = item->framesWanted();
    slider_->setRange(1, count);
    slider_->setValue(wanted.first);
    for (auto [field, value] : {std::pair{first_, wanted.first}, {last_, wanted.last}}) {
        field->setRange(1, count);
        if (!field->hasFocus()) {
            field->setValue(value);
        }
    }
    text_->setText(framesText(*item->dynamic(), item->framesShown()));
}

}  // namespace tof::ui
