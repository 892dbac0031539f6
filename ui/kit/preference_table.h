// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "recon/base/options.h"

namespace tof::ui {

/// When a change is seen: at once, for what is opened next, or at the next start of the program.
enum class PreferenceTakes { Now, Next, Restart };

/// One habit of the user; its key stands in the INI file and in --preference KEY=VALUE, its words are the
/// user's.
struct PreferenceInfo : OptionInfo {
    QString group{};      ///< heading in the dialog
    QStringList shown{};  ///< what people see of the choices
    PreferenceTakes takes = PreferenceTakes::Now;

    [[nodiscard]] QString name() const { return QString::fromStdString(key); }
    [[nodiscard]] QString start() const { return QString::fromStdString(fallback); }
    [[nodiscard]] QString title() const { return QString::fromStdString(label); }
};

/// Every preference, in the order of the dialog. Dialog, INI file, command line and tests are views of it.
[[nodiscard]] const std::vector<PreferenceInfo>& preferenceTable();
/// Throws WrongUse for an unknown key.
[[nodiscard]] const PreferenceInfo& preferenceInfo(const QString& key);
/// `value` in its one spelling; throws WrongUse unless it is allowed.
[[nodiscard]] QString checkedPreference(const PreferenceInfo& info, const QString& value);

}  // namespace tof::ui
