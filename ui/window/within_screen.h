// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSize>

class QDialog;

namespace tof::ui {

/// Makes a dialog no larger than `room`: one whose parts need more scrolls them. Large texts on a small
/// screen hide no button that way.
void keepWithin(QDialog& dialog, QSize room);

/// Every dialog of the program stays within its screen while this lives; those of Qt look after themselves.
class WithinScreen : public QObject {
    Q_OBJECT

  public:
    explicit WithinScreen(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tof::ui
