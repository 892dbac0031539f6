// SPDX-License-Identifier: Apache-2.0
#include "recon/work/resumption.h"

#include <fmt/format.h>

#include <filesystem>

#include "recon/base/error.h"
#include "recon/work/run_description.h"

namespace tof {

Checkpoint checkpointToResume(const std::string& path, const Measurement& data, const RunSettings& settings) {
    if (!std::filesystem::exists(path)) {
        throw BadInput(fmt::format("{}: no checkpoint to resume from; run without --resume", path));
    }
    Checkpoint checkpoint = readCheckpoint(path);
    if (checkpoint.dataHash != data.hash()) {
        throw BadInput(fmt::format(
            "{}: the checkpoint belongs to other data; resume with the data it was made from", path));
    }
    const RunSettings earlier = describedBy(checkpoint.settingsJson, path).settings;
    for (const SettingInfo& info : settingsTable()) {
        if (!info.mayDiffer && info.read(earlier) != info.read(settings)) {
            throw BadInput(
                fmt::format("{}: the interrupted run had {} '{}' and this one has '{}'; resume with the "
                            "same settings",
                            path, info.key, info.read(earlier), info.read(settings)));
        }
    }
    return checkpoint;
}

}  // namespace tof
