// SPDX-License-Identifier: Apache-2.0
// Settings in words: what a value means that stands for "all", "none" or "by itself", and what the choices
// are.
#pragma once

#include <QString>
#include <vector>

#include "recon/settings/kernel_library.h"
#include "recon/settings/settings.h"
#include "ui/kit/choice_list.h"

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

/// What a field shows: a word for a value that means something else than its number ("every view" for no
/// subsets), else the value.
[[nodiscard]] QString shownSetting(const std::string& key, const std::string& value);
/// The value that a typed text means: the reverse, and numbers as people type them.
[[nodiscard]] std::string typedSetting(const std::string& key, const QString& text);
/// Why a value cannot be, with the label of the field; empty when it can, or when another than the table
/// knows.
[[nodiscard]] QString whyNotSetting(const SettingInfo& info, const std::string& value);

/// `value` as a table shows it: shownSetting(), or a choice as lists have it.
[[nodiscard]] QString shownValue(const SettingInfo& info, const std::string& value);

/// True where shownChoices() has a list for it.
[[nodiscard]] bool isChosen(const SettingInfo& info);
/// Every choice with a line of explanation; those that this computer or the data cannot have say why.
[[nodiscard]] std::vector<ChoiceList::Choice> shownChoices(const SettingInfo& info,
                                                           const RunSettings& settings,
                                                           const EngineRegistry& engines,
                                                           const std::string& system);
/// The kernels by group, one line each: the program's and the user's own, whose values are texts.
[[nodiscard]] std::vector<ChoiceList::Choice> kernelChoices(const KernelLibrary& kernels);

}  // namespace tof::ui
