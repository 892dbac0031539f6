// SPDX-License-Identifier: Apache-2.0
// Kernels by name: the shipped presets, and the user's own in a folder.
#pragma once

#include <string>
#include <vector>

#include "recon/kernel/kernel_spec.h"

namespace tof {

/// What a kernel is called on a command line when it is one of the user's own: "preset:NAME".
inline constexpr const char* kPresetPrefix = "preset:";

/// The shipped presets, and one NAME.json per preset of the user's own. Every call looks at the folder, so
/// two programs may share it.
class KernelLibrary {
  public:
    /// An empty folder: the shipped presets alone. It need not exist before something is saved.
    explicit KernelLibrary(std::string folder);

    [[nodiscard]] const std::string& folder() const { return folder_; }
    /// Names of the user's own presets, sorted; files with other names are passed over.
    [[nodiscard]] std::vector<std::string> ownNames() const;
    [[nodiscard]] static bool isShipped(const std::string& name);
    [[nodiscard]] bool isOwn(const std::string& name) const;

    /// A preset, shipped or own, with its name. Throws WrongUse listing the names, BadInput for a file that
    /// is no kernel.
    [[nodiscard]] KernelSpec load(const std::string& name) const;
    /// Keeps a kernel under a name, replacing the user's own preset of that name. Throws WrongUse for a name
    /// that is shipped or cannot be a file, or without a folder; BadInput for an unusable kernel;
    /// CannotWrite.
    void save(const std::string& name, KernelSpec kernel) const;
    /// Deletes one of the user's own. Throws WrongUse for others, CannotWrite.
    void remove(const std::string& name) const;

    /// What `--kernel K` means: preset:NAME, or what KernelSpec::parse reads.
    [[nodiscard]] KernelSpec find(const std::string& kernel) const;
    /// That kernel as a value of the setting 'kernel', which is read without this folder: preset:NAME becomes
    /// the name of a shipped preset or the JSON text of one's own; everything else stays as it is.
    [[nodiscard]] std::string setting(const std::string& kernel) const;

    /// "a name has 1 to 64 letters, ...", or empty for a name that can be given to a preset.
    [[nodiscard]] static std::string whyNotName(const std::string& name);

  private:
    [[nodiscard]] std::string fileOf(const std::string& name) const;

    std::string folder_;
};

}  // namespace tof
