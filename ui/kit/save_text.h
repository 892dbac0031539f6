// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace tof::ui {

class Messages;

/// An exported table as a file's extension wants it: .csv comma separated, others tab separated as it comes.
[[nodiscard]] QString tableFor(const QString& file, const QString& table);

/// Asks for a file, `name` to begin with, and writes the text or table to it; what fails becomes a message.
void saveTextAs(QWidget& window, Messages& messages, const QString& title, const QString& name,
                const QString& text);

}  // namespace tof::ui
