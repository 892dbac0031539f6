// SPDX-License-Identifier: Apache-2.0
#include "recon/io/volume_io.h"

#include <fmt/format.h>

#include "recon/core/error.h"
#include "recon/io/volume_hdf5.h"

namespace tof {

Volume readVolume(const std::string& path) {
    return readVolumeHdf5(path);
}

void writeVolume(const std::string& path, const Volume& volume) {
    writeVolumeHdf5(path, volume);
}

}  // namespace tof
