// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace tof::ui {

enum class PreferenceKind { Choice, Number, Whole, Switch };
/// When a change is seen: at once, for what is opened next, or at the next start of the program.
enum class PreferenceTakes { Now, Next, Restart };

/// One habit of the user. Values travel as text in the C locale; "on" and "off" for switches.
struct PreferenceInfo {
    QString key;    ///< in the INI file and in --preference KEY=VALUE
    QString group;  ///< heading in the dialog
    PreferenceKind kind;
    QString fallback;
    QString label;
    QString unit;  ///< "" when none
    double low = 0;
    double high = 0;
    QStringList choices{};  ///< values of a Choice
    QStringList shown{};    ///< what people see of them
    QString help;
    PreferenceTakes takes = PreferenceTakes::Now;
};

/// Every preference, in the order of the dialog. Dialog, INI file, command line and tests are views of it.
[[nodiscard]] const std::vector<PreferenceInfo>& preferenceTable();
/// Throws WrongUse for an unknown key.
[[nodiscard]] const PreferenceInfo& preferenceInfo(const QString& key);
/// `value` in its one spelling; throws WrongUse unless it is allowed.
[[nodiscard]] QString checkedPreference(const PreferenceInfo& info, const QString& value);

}  // namespace tof::ui
