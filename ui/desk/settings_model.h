// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <string>
#include <vector>

#include "recon/settings/kernel_library.h"
#include "recon/settings/settings.h"

namespace tof::ui {

class RunItem;

/// The settings of the next run, and the kernels that have a name.
class SettingsModel : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    [[nodiscard]] const RunSettings& current() const { return settings_; }
    /// Throws WrongUse naming the setting and what is allowed.
    void set(const std::string& key, const std::string& value);
    void setAll(const RunSettings& settings);
    /// Keys of the settings that the next run would have otherwise than this one; none for a volume.
    [[nodiscard]] std::vector<std::string> changedSince(const RunItem& item) const;

    /// Kernels by name: the program's, and the user's own.
    [[nodiscard]] const KernelLibrary& kernels() const { return kernels_; }
    /// Where the user's own are; none before this is called.
    void setKernelFolder(const QString& folder);
    /// Throws WrongUse, BadInput or CannotWrite, as KernelLibrary does.
    void saveKernel(const QString& name, const KernelSpec& kernel);
    void deleteKernel(const QString& name);

  Q_SIGNALS:
    void edited();
    /// A preset of the user's own was saved or deleted.
    void kernelsChanged();

  private:
    RunSettings settings_;
    KernelLibrary kernels_{std::string()};
};

}  // namespace tof::ui
