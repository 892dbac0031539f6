// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/frame_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <utility>

namespace tof::ui {

namespace {

constexpr int kDigits = 9;  ///< digits of numbers that are copied

QTableWidgetItem* cell(double value, int digits) {
    auto* item = new QTableWidgetItem(QString::number(value, 'g', digits));
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace

FrameTable::FrameTable(QWidget* parent) : QTableWidget(parent) {
    setObjectName("data.frames");
    setAccessibleName(tr("Frames of the data"));
    setToolTip(tr("Frames that the list was cut into; Ctrl+C copies the table"));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    verticalHeader()->setDefaultSectionSize(22);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void FrameTable::setFrames(std::shared_ptr<const FramedCounts> frames) {
    if (frames == frames_) {
        return;
    }
    frames_ = std::move(frames);
    clear();
    const bool decays = frames_ != nullptr && !frames_->nuclide.empty();
    QStringList titles{tr("start, s"), tr("duration, s"), tr("counts"), tr("counts/s")};
    if (decays) {
        titles << tr("decay factor");
    }
    setColumnCount(static_cast<int>(titles.size()));
    setHorizontalHeaderLabels(titles);
    const std::size_t count = frames_ != nullptr ? frames_->frames.size() : 0;
    setRowCount(static_cast<int>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const FrameCounts& frame = frames_->frames[i];
        const int row = static_cast<int>(i);
        const auto kept = static_cast<double>(frame.kept);
        setItem(row, 0, cell(frame.time.start_s, kDigits));
        setItem(row, 1, cell(frame.time.duration_s, kDigits));
        setItem(row, 2, cell(kept, 15));
        setItem(row, 3, cell(kept / frame.time.duration_s, 5));
        if (decays) {
            setItem(row, 4, cell(frames_->decayFactorOf(i), 7));
        }
    }
}

QString FrameTable::toTsv() const {
    QString text;
    for (int column = 0; column < columnCount(); ++column) {
        text += (column > 0 ? "\t" : "") + horizontalHeaderItem(column)->text();
    }
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            text += (column > 0 ? "\t" : "\n") + item(row, column)->text();
        }
    }
    return text + "\n";
}

void FrameTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(toTsv());
        return;
    }
    QTableWidget::keyPressEvent(event);
}

}  // namespace tof::ui
