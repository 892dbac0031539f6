// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

class QWidget;

namespace tof::ui {

/// A widget as it looks at `scale` times the pixels of a screen of ratio 1, slices drawn anew at that
/// resolution.
[[nodiscard]] QImage pictureOf(QWidget& widget, double scale);

/// Writes pictureOf() as PNG, or as a PDF page of the widget's size, by the name's ending. Throws WrongUse
/// for other endings and scales outside 0.25..16, CannotWrite.
void writePicture(QWidget& widget, const QString& file, double scale);

}  // namespace tof::ui
