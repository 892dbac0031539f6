// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace tof::ui {

/// What wheel and focus do with the fields (lists, numbers, sliders, dials) of all windows of the
/// program while it lives:
/// - A wheel scrolls what a field lies in, and changes a field only after a click into it: somebody who
///   scrolls a panel over its fields changes nothing, whatever has the focus.
/// - A wheel gives the focus to nothing.
/// - Who has picked from a list that was opened by a click, or has ended a number by Return, goes on with the
///   pictures: `chosen` says so. Keys alone leave the focus where it is.
class FieldHabits : public QObject {
    Q_OBJECT

  public:
    explicit FieldHabits(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;

  Q_SIGNALS:
    /// The choice in the field is made, and the keys can go elsewhere.
    void chosen(QWidget* field);

  private:
    void popupHidden(const QWidget& popup);

    QPointer<QWidget> clicked_;  ///< the field that the last click went to
};

}  // namespace tof::ui
