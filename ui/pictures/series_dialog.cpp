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
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
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
    open_ = buttons->button(QDialogButtonBox::Open);
    open_->setObjectName("series.open");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::itemSelectionChanged, this, &SeriesDialog::refresh);
    connect(list_, &QListWidget::itemActivated, this, &QDialog::accept);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(new QLabel(tr("There are several images; which are to be opened? Ctrl takes several")));
    column->addWidget(list_, 1);
    column->addLayout(row);
    column->addWidget(buttons);
    resize(720, 320);
    refresh();
}

std::vector<const VolumeSeries*> SeriesDialog::chosen() const {
    std::vector<const VolumeSeries*> chosen;
    for (int i = 0; i < list_->count(); ++i) {
        if (list_->item(i)->isSelected()) {
            chosen.push_back(&series_[static_cast<std::size_t>(i)]);
        }
    }
    return chosen;
}

void SeriesDialog::refresh() {
    const auto all = chosen();
    open_->setEnabled(!all.empty());
    const int frames = all.size() == 1 ? all.front()->frames : 1;
    // One series alone would have been opened with all frames if it said their times.
    frame_->setRange(frames > 1 && series_.size() > 1 ? 0 : 1, std::max(1, frames));
    frame_->setSpecialValueText(frame_->minimum() == 0 ? tr("all") : QString());
    frame_->setValue(frame_->minimum());
    frame_->setEnabled(frames > 1);
    frameLabel_->setText(tr("of %1").arg(frames));
}

std::vector<SeriesDialog::Choice> SeriesDialog::choices() const {
    std::vector<Choice> choices;
    for (const VolumeSeries* one : chosen()) {
        Choice choice;
        choice.options.series = one->id;
        choice.options.frame = frame_->isEnabled() ? frame_->value() : 0;
        choice.name = QString::fromStdString(one->name).section(" (", 0, 0);
        choices.push_back(std::move(choice));
    }
    return choices;
}

}  // namespace tof::ui
