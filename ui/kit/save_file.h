// SPDX-License-Identifier: Apache-2.0
// What a user puts into files: tables and pictures.
#pragma once

#include <QImage>
#include <QString>

class QWidget;

namespace tof::ui {

class Messages;

/// A cell of comma-separated text, quoted where it must be.
[[nodiscard]] QString csvCell(const QString& text);

/// An exported table as a file's extension wants it: .csv comma separated, others tab separated as it comes.
[[nodiscard]] QString tableFor(const QString& file, const QString& table);

/// Asks for a file, `name` to begin with, and writes the text or table to it; what fails becomes a message.
void saveTextAs(QWidget& window, Messages& messages, const QString& title, const QString& name,
                const QString& text);

/// A widget as it looks at `scale` times the pixels of a screen of ratio 1, slices drawn anew at that
/// resolution.
[[nodiscard]] QImage pictureOf(QWidget& widget, double scale);

/// Writes pictureOf() as PNG, or as a PDF page of the widget's size, by the name's ending. Throws WrongUse
/// for other endings and scales outside 0.25..16, CannotWrite.
void writePicture(QWidget& widget, const QString& file, double scale);

}  // namespace tof::ui
