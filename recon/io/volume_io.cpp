// SPDX-License-Identifier: Apache-2.0
#include "recon/io/volume_io.h"

#include <fmt/format.h>

#include "recon/base/error.h"

namespace tof {

Volume readVolume(const std::string& path) {
    return recognise(path).readVolume();
}

void writeVolume(const std::string& path, const Volume& volume) {
    writeVolume(path, volume, builtInFormats());
}

void writeVolume(const std::string& path, const Volume& volume, const FormatTable& formats) {
    if (volume.data.size() != volume.lattice.voxels()) {
        throw InternalError("a volume to be written does not fill its lattice");
    }
    const FileWriter<Volume>* const writer = formats.volumeWriter(path);
    if (writer == nullptr) {
        throw WrongUse(
            fmt::format("'{}' does not tell a volume format; use {}", path, formats.volumeExtensions()));
    }
    writer->write(path, volume);
}

}  // namespace tof
