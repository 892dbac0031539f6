// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>

namespace tof::ui {

/// Pages of the manual: the documents of the program, as they were when it was built.
enum class ManualPage { Desktop, Glossary, Journeys };

/// The page as Markdown, without its pictures.
[[nodiscard]] QString manualText(ManualPage page);
/// A window with the page and a field that finds words in it; not modal.
[[nodiscard]] QDialog* makeManual(ManualPage page, QWidget* parent);

}  // namespace tof::ui
