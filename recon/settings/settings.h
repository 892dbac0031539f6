// SPDX-License-Identifier: Apache-2.0
// The one table of reconstruction settings. Command-line options, the settings panel, run files, help and
// tests are views of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/seam/engine.h"

namespace tof {

enum class SettingKind { Choice, Integer, Number, Text };

/// What a reconstruction starts from: histo-images of DIRECT, or sinograms or list-mode of a ring scanner.
enum class DataKind { HistoImages, Lines };

/// One setting. Values travel as text in the C locale; numbers are checked against [low, high].
struct SettingInfo {
    std::string key;  ///< as in JSON; the option is --key
    SettingKind kind;
    std::string fallback;  ///< default
    std::string label;     ///< "Relaxation lambda0"
    std::string unit;      ///< "" when none
    double low = 0;
    double high = 0;
    std::vector<std::string> choices;
    std::string help;                   ///< one sentence
    std::optional<DataKind> only = {};  ///< the data it means something for; none: all
};
/// Whether the setting means anything for such data.
[[nodiscard]] bool appliesTo(const SettingInfo& info, DataKind data);

[[nodiscard]] const std::vector<SettingInfo>& settingsTable();
/// Throws WrongUse with a suggestion for an unknown key.
[[nodiscard]] const SettingInfo& settingInfo(const std::string& key);

/// A value for every row of the table.
class RunSettings {
  public:
    RunSettings();

    /// Throws WrongUse naming the setting, the value and what is allowed.
    void set(const std::string& key, const std::string& value);
    [[nodiscard]] const std::string& get(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key) const;
    [[nodiscard]] int integer(const std::string& key) const;
    [[nodiscard]] std::uint64_t seed() const;
    [[nodiscard]] bool isDefault(const std::string& key) const;

    [[nodiscard]] AlgorithmSettings algorithm() const;
    [[nodiscard]] EngineOptions engineOptions() const;
    /// What KernelSpec::parse makes of the setting now: a file may have changed since it was named. Throws.
    [[nodiscard]] KernelSpec kernel() const;

    [[nodiscard]] std::string toJson() const;
    /// Unknown keys are refused with a suggestion; absent ones keep their defaults.
    [[nodiscard]] static RunSettings fromJson(const std::string& text, const std::string& source);
    [[nodiscard]] bool operator==(const RunSettings&) const = default;

  private:
    std::map<std::string, std::string> values_;
};

}  // namespace tof
