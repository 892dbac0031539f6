// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/tab_order.h"

#include <QLayout>
#include <QScrollArea>

namespace tof::ui {

namespace {

void collect(QWidget* widget, std::vector<QWidget*>& stops);

void collect(const QLayout& layout, std::vector<QWidget*>& stops) {
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* const item = layout.itemAt(i);
        if (item->widget() != nullptr) {
            collect(item->widget(), stops);
        } else if (item->layout() != nullptr) {
            collect(*item->layout(), stops);
        }
    }
}

void collect(QWidget* widget, std::vector<QWidget*>& stops) {
    if ((widget->focusPolicy() & Qt::TabFocus) != 0 && qobject_cast<QScrollArea*>(widget) == nullptr) {
        stops.push_back(widget);
    }
    if (auto* area = qobject_cast<QScrollArea*>(widget)) {
        collect(area->widget(), stops);
    } else if (widget->layout() != nullptr) {
        collect(*widget->layout(), stops);
    }
}

}  // namespace

std::vector<QWidget*> tabStopsOf(QWidget* root) {
    std::vector<QWidget*> stops;
    collect(root, stops);
    return stops;
}

void chainTabStops(const std::vector<QWidget*>& stops) {
    for (std::size_t i = 1; i < stops.size(); ++i) {
        QWidget::setTabOrder(stops[i - 1], stops[i]);
    }
}

}  // namespace tof::ui
