// SPDX-License-Identifier: Apache-2.0
// The settings of a reconstruction and their one table. Command-line options, the settings panel, run files,
// help, translations and tests are views of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/base/options.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/seam/engine.h"

namespace tof {

/// The kernel that a text stood for when it was read.
struct KeptKernel {
    std::string text{};
    std::shared_ptr<const KernelSpec> spec{};
    /// The text decides what settings are, not when it was read.
    [[nodiscard]] bool operator==(const KeptKernel&) const { return true; }
};

/// The anatomy that a file held when it was read; likewise.
struct KeptAnatomy {
    std::string file{};
    std::vector<std::shared_ptr<const Volume>> images{};
    [[nodiscard]] bool operator==(const KeptAnatomy&) const { return true; }
};

/// What a person chooses for a run. Values are set by key and checked, or directly by who knows them.
struct RunSettings : AlgorithmParameters {
    std::string algorithmName = "ramla";
    std::string priorName = priors().front()->name;
    std::string engine = "auto";
    std::string strategy{};  ///< empty: the engine's default
    std::string kernelText = "variant1";
    std::uint64_t seed = 1;
    int threads = 0;
    double memoryLimit_GiB = 0;
    int device = 0;
    std::string projector = "siddon";
    int rays = 1;
    std::string axialRays = "1";
    std::string grid{};  ///< the image's sides, see imageLattice(); empty: the data's
    std::string voxel{};
    double psf_mm = 0;
    std::string psfModel = "even";  ///< the blur of lines is psf_mm everywhere, or goes by the scanner
    double fovRadius_mm = 0;
    Spectrum spectrum = Spectrum::Sampled;
    Padding padding{};
    double kernelError = EngineOptions().kernelError;
    std::string anatomy{};      ///< image files by which neighbours are chosen, a ; between; empty: none
    KeptKernel keptKernel{};    ///< what keepKernel() has read
    KeptAnatomy keptAnatomy{};  ///< what keepAnatomy() has read (recon/work/anatomy.h)

    /// Throws WrongUse naming the setting, the value and what is allowed; a kernel is not looked up.
    void set(const std::string& key, const std::string& value);
    /// The value in its one spelling. Throws WrongUse for an unknown key.
    [[nodiscard]] std::string get(const std::string& key) const;
    [[nodiscard]] bool isDefault(const std::string& key) const;

    /// Whether the algorithm looks at the anatomy, if there is one.
    [[nodiscard]] bool usesAnatomy() const;
    /// Throws WrongUse where algorithm, prior and anatomy do not go together.
    [[nodiscard]] AlgorithmSettings algorithm() const;
    [[nodiscard]] EngineOptions engineOptions() const;
    /// The kernel that was kept, else what KernelSpec::parse makes of the setting now: a file may have
    /// changed since it was named. Throws.
    [[nodiscard]] KernelSpec kernel() const;
    /// Reads the kernel once for a run with data of a system: copies of these settings keep it, whatever
    /// becomes of its file. Does nothing for systems without one. Throws as kernel(), and as algorithm(), so
    /// that no data are read for what cannot be.
    void keepKernel(const std::string& system);

    [[nodiscard]] nlohmann::ordered_json json() const;
    [[nodiscard]] std::string toJson() const;
    /// Unknown keys are refused with a suggestion; absent ones keep their defaults. Throws BadInput.
    [[nodiscard]] static RunSettings fromJson(const nlohmann::json& root, const std::string& source);
    [[nodiscard]] bool operator==(const RunSettings&) const = default;
};

/// What a setting is to programs, besides its words and limits.
struct SettingRole {
    std::string system{};    ///< the system it means something for, as its row names it; empty: all
    bool common = false;     ///< shown before "All settings" is asked for
    bool mayDiffer = false;  ///< between an interrupted run and its continuation
    double slideLow = 0;     ///< least value of a logarithmic slider; 0: it has none
    double slideHigh = 0;    ///< and its greatest
};

/// One row: a member of RunSettings with its words, limits and role.
struct SettingInfo : OptionInfo, SettingRole {
    std::function<std::string(const RunSettings&)> read;
    std::function<void(RunSettings&, const std::string&)> write;  ///< takes a value that is allowed
};
/// Whether the setting means anything for data of a system.
[[nodiscard]] bool appliesTo(const SettingInfo& info, const std::string& system);
/// Whether the algorithm and the prior that are set look at the setting; they do at any that is nobody's own.
[[nodiscard]] bool isUsed(const SettingInfo& info, const RunSettings& settings);

[[nodiscard]] const std::vector<SettingInfo>& settingsTable();
/// Throws WrongUse with a suggestion for an unknown key.
[[nodiscard]] const SettingInfo& settingInfo(const std::string& key);

}  // namespace tof
