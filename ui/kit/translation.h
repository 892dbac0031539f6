// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace tof::ui {

/// Where translations are looked for: beside an installed program and in a build tree.
[[nodiscard]] QStringList translationFolders();

/// Languages there is a translation for, as in "de" or "pt_BR"; English is always there and not among them.
[[nodiscard]] QStringList languages(const QStringList& folders);

/// Makes the program speak `language` ("de", "pt_BR"; empty: that of the system), with Qt's own words for
/// buttons and dialogs. Windows made before keep their texts. False when there is no translation: texts stay
/// English.
bool installTranslation(QCoreApplication& application, const QString& language, const QStringList& folders);

}  // namespace tof::ui
