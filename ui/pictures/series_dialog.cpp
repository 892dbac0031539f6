// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/series_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/kit/text.h"

namespace tof::ui {

SeriesDialog::SeriesDialog(const QString& path, const std::vector<VolumeSeries>& series, QWidget* parent)
    : QDialog(parent), series_(series) {
    setObjectName("series.dialog");
    setWindowTitle(tr("Open %1").arg(QFileInfo(path).fileName()));
    list_ = new QListWidget;
    list_->setObjectName("series.list");
    list_->setAccessibleName(tr("Series"));
    for (const VolumeSeries& one : series_) {
        list_->addItem(QString::fromStdString(one.name) +
                       (one.frames > 1 ? tr(", %1 frames").arg(one.frames) : QString()));
    }
    list_->setCurrentRow(0);
    frame_ = new QSpinBox;
    frame_->setObjectName("series.frame");
    frame_->setAccessibleName(tr("Frame"));
    frame_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    frame_->setAlignment(Qt::AlignRight);
    frame_->setFixedWidth(72);
    frameLabel_ = new QLabel;
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Frame")));
    row->addWidget(frame_);
    row->addWidget(frameLabel_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Open)->setObjectName("series.open");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::currentRowChanged, this, &SeriesDialog::refresh);
    connect(list_, &QListWidget::itemActivated, this, &QDialog::accept);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(new QLabel(tr("There are several images; which one is to be opened?")));
    column->addWidget(list_, 1);
    column->addLayout(row);
    column->addWidget(buttons);
    resize(560, 320);
    refresh();
}

const VolumeSeries& SeriesDialog::chosen() const {
    return series_[static_cast<std::size_t>(std::max(0, list_->currentRow()))];
}

void SeriesDialog::refresh() {
    const int frames = chosen().frames;
    // One series alone would have been opened with all frames if it said their times.
    frame_->setRange(frames > 1 && series_.size() > 1 ? 0 : 1, std::max(1, frames));
    frame_->setSpecialValueText(frame_->minimum() == 0 ? tr("all") : QString());
    frame_->setValue(frame_->minimum());
    frame_->setEnabled(frames > 1);
    frameLabel_->setText(tr("of %1").arg(frames));
}

VolumeReadOptions SeriesDialog::choice() const {
    VolumeReadOptions choice;
    choice.series = chosen().id;
    choice.frame = chosen().frames > 1 ? frame_->value() : 0;
    return choice;
}

}  // namespace tof::ui
