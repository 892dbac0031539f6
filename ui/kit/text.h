// SPDX-License-Identifier: Apache-2.0
// Texts in the user's language.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>

namespace tof::ui {

/// Translates texts of what is no QObject, as QObject::tr() does for the others.
class Text {
    Q_DECLARE_TR_FUNCTIONS(Text)
};

/// The user's word for one that a table of recon/ gives in English: names of shapes and roles, labels and
/// help of settings, stages, colour maps. Any other text comes back as it is.
[[nodiscard]] QString word(const std::string& english);

/// "about 2 min left", rounded to what an estimate deserves; an en dash when unknown.
[[nodiscard]] QString etaText(std::optional<double> seconds);
/// "4.62 s", "1 min 20 s", "2 h 5 min".
[[nodiscard]] QString durationText(double seconds);

/// Where translations are looked for: beside an installed program and in a build tree.
[[nodiscard]] QStringList translationFolders();

/// Languages there is a translation for, as in "de" or "pt_BR"; English is always there and not among them.
[[nodiscard]] QStringList languages(const QStringList& folders);

/// Makes the program speak `language` ("de", "pt_BR"; empty: that of the system), with Qt's own words for
/// buttons and dialogs. Windows made before keep their texts. False when there is no translation: texts stay
/// English.
bool installTranslation(QCoreApplication& application, const QString& language, const QStringList& folders);

}  // namespace tof::ui
