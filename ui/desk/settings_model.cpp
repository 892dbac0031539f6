// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/settings_model.h"

#include "ui/desk/run_item.h"

namespace tof::ui {

void SettingsModel::set(const std::string& key, const std::string& value) {
    // A setting means the same to whoever reads it, with or without the user's presets.
    const std::string plain = key == "kernel" ? kernels_.setting(value) : value;
    if (settings_.get(key) != plain) {
        settings_.set(key, plain);
        Q_EMIT edited();
    }
}

void SettingsModel::setAll(const RunSettings& settings) {
    settings_ = settings;
    Q_EMIT edited();
}

std::vector<std::string> SettingsModel::changedSince(const RunItem& item) const {
    std::vector<std::string> changed;
    for (const SettingInfo& info : settingsTable()) {
        const bool own = item.isLive() && info.key == "iterations";  // live tuning has its own number
        if (!item.isVolume() && !own && item.settings().get(info.key) != settings_.get(info.key)) {
            changed.push_back(info.key);
        }
    }
    return changed;
}

void SettingsModel::setKernelFolder(const QString& folder) {
    kernels_ = KernelLibrary(folder.toStdString());
    Q_EMIT kernelsChanged();
}

void SettingsModel::saveKernel(const QString& name, const KernelSpec& kernel) {
    kernels_.save(name.toStdString(), kernel);
    Q_EMIT kernelsChanged();
}

void SettingsModel::deleteKernel(const QString& name) {
    kernels_.remove(name.toStdString());
    Q_EMIT kernelsChanged();
}

}  // namespace tof::ui
