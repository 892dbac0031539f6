// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/key_table.h"

#include <QKeyEvent>
#include <algorithm>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kTitleMargin = 15;  ///< beside a title: the style sheet's padding and a line
constexpr int kCellMargin = 14;

bool movesRow(const QKeyEvent& event) {
    const bool plain = (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    return plain && (event.key() == Qt::Key_Up || event.key() == Qt::Key_Down ||
                     event.key() == Qt::Key_Home || event.key() == Qt::Key_End);
}

}  // namespace

KeyTable::KeyTable(int rows, int columns, QWidget* parent) : QTableWidget(rows, columns, parent) {
    setShowGrid(false);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setFocusPolicy(Qt::TabFocus);
    setTabKeyNavigation(false);
}

int KeyTable::titleWidth(int column) const {
    return QFontMetrics(smallFont()).horizontalAdvance(horizontalHeaderItem(column)->text()) + kTitleMargin;
}

int KeyTable::cellWidth(const QString& text) const {
    return fontMetrics().horizontalAdvance(text) + kCellMargin;
}

int KeyTable::wholeWidth(int row, int column) const {
    const QTableWidgetItem* cell = item(row, column);
    if (cell == nullptr) {
        return 0;
    }
    const QVariant own = cell->data(Qt::FontRole);
    const QFont drawn = own.isValid() ? own.value<QFont>().resolve(font()) : font();
    QStyleOptionViewItem option;
    initViewItemOption(&option);  // with the widget, or the style sheet's margins are left out
    return std::max(QFontMetrics(drawn).horizontalAdvance(cell->text()) + kCellMargin,
                    itemDelegate()->sizeHint(option, model()->index(row, column)).width());
}

bool KeyTable::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (movesRow(*key) || key->matches(QKeySequence::Copy)) {
            event->accept();
            return true;
        }
    }
    return QTableWidget::event(event);
}

void KeyTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyRequested();
        return;
    }
    if (!movesRow(*event)) {
        QTableWidget::keyPressEvent(event);
        return;
    }
    const int last = rowCount() - 1;
    int row = currentRow();
    switch (event->key()) {
        case Qt::Key_Up: row = row < 0 ? last : row - 1; break;
        case Qt::Key_Down: ++row; break;
        case Qt::Key_Home: row = 0; break;
        default: row = last;
    }
    if (row >= 0 && row <= last) {
        setCurrentCell(row, 0);
        scrollTo(model()->index(row, 0));
        Q_EMIT rowChosen(row);
    }
}

}  // namespace tof::ui
