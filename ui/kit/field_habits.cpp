// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/field_habits.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessibleWidget>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>

#include "ui/kit/controls.h"

namespace tof::ui {

namespace {

bool isField(const QWidget* widget) {
    return qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const Dial*>(widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(widget) != nullptr &&
            qobject_cast<const QScrollBar*>(widget) == nullptr);
}

/// The field that the widget is, or is a part of; null where it is none.
QWidget* fieldOf(QWidget* widget) {
    for (; widget != nullptr; widget = widget->isWindow() ? nullptr : widget->parentWidget()) {
        if (isField(widget)) {
            return widget;
        }
    }
    return nullptr;
}

/// A line or number of a form; the name of a row of a list is edited within the list.
bool isTypedInto(const QWidget* widget) {
    if (qobject_cast<const QLineEdit*>(widget) == nullptr &&
        qobject_cast<const QAbstractSpinBox*>(widget) == nullptr) {
        return false;
    }
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (qobject_cast<const QAbstractItemView*>(widget) != nullptr) {
            return false;
        }
    }
    return true;
}

/// Sizes and dates of a dialog of files are read whole; names take the rest.
void showWholeColumns(QWidget& widget) {
    auto* files = qobject_cast<QTreeView*>(&widget);
    if (files != nullptr && qobject_cast<QFileDialog*>(files->window()) != nullptr &&
        files->header()->count() > 1) {
        files->header()->setStretchLastSection(false);
        files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
        files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    }
}

/// A list by its label, with what is chosen as its value: Qt names lists by what is chosen.
class NamedList : public QAccessibleWidget {
  public:
    explicit NamedList(QComboBox* box) : QAccessibleWidget(box, QAccessible::ComboBox) {}

    [[nodiscard]] QString text(QAccessible::Text what) const override {
        return what == QAccessible::Value ? box().currentText() : QAccessibleWidget::text(what);
    }
    [[nodiscard]] QStringList actionNames() const override {
        return QStringList(showMenuAction()) + QAccessibleWidget::actionNames();
    }
    void doAction(const QString& action) override {
        if (action == showMenuAction()) {
            box().showPopup();
        } else {
            QAccessibleWidget::doAction(action);
        }
    }

  private:
    [[nodiscard]] QComboBox& box() const { return static_cast<QComboBox&>(*widget()); }
};

QAccessibleInterface* namedList(const QString& className, QObject* object) {
    auto* box = className == "QComboBox" ? qobject_cast<QComboBox*>(object) : nullptr;
    return box != nullptr && !box->accessibleName().isEmpty() ? new NamedList(box) : nullptr;
}

bool isReturn(const QEvent& event) {
    const int key = static_cast<const QKeyEvent&>(event).key();
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

}  // namespace

FieldHabits::FieldHabits(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
    QAccessible::removeFactory(namedList);  // an earlier window's
    QAccessible::installFactory(namedList);
}

bool FieldHabits::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType()) {
        return false;
    }
    auto* widget = static_cast<QWidget*>(watched);
    switch (event->type()) {
        case QEvent::Polish:
        case QEvent::Show:
            if (widget->focusPolicy() == Qt::WheelFocus) {
                widget->setFocusPolicy(Qt::StrongFocus);
            }
            showWholeColumns(*widget);
            return false;
        case QEvent::MouseButtonPress: clicked_ = fieldOf(widget); return false;
        case QEvent::Hide: popupHidden(*widget); return false;
        case QEvent::KeyPress:
            if (isReturn(*event) && isTypedInto(widget)) {
                QTimer::singleShot(0, widget, [this, widget] { Q_EMIT chosen(widget); });
            }
            return false;
        case QEvent::Wheel: {
            const QWidget* field = fieldOf(widget);
            if (field == nullptr || (field == clicked_ && field->hasFocus())) {
                return false;
            }
            event->ignore();  // so that it goes on to what the field lies in
            return true;
        }
        default: return false;
    }
}

/// The list of a combo box is a window whose parent is the box.
void FieldHabits::popupHidden(const QWidget& popup) {
    auto* box = popup.isWindow() ? qobject_cast<QComboBox*>(popup.parentWidget()) : nullptr;
    if (box == nullptr || box != clicked_) {
        return;
    }
    clicked_ = nullptr;
    QTimer::singleShot(0, box, [this, box] { Q_EMIT chosen(box); });
}

}  // namespace tof::ui
