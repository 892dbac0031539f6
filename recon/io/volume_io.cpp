// SPDX-License-Identifier: Apache-2.0
#include "recon/io/volume_io.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/io/file_format.h"
#include "recon/io/hdf5/volume_hdf5.h"
#include "recon/io/interfile/volume_interfile.h"
#include "recon/io/nifti/volume_nifti.h"

namespace tof {

Volume readVolume(const std::string& path) {
    switch (fileFormat(path)) {
        case FileFormat::Hdf5: return readVolumeHdf5(path);
        case FileFormat::Nifti: return readVolumeNifti(path);
        case FileFormat::Interfile: return readVolumeInterfile(path);
        default: break;
    }
    throw BadInput(fmt::format("{}: holds no volume; HDF5, NIfTI-1 and Interfile headers are read{}", path,
                               headerHint(path)));
}

void writeVolume(const std::string& path, const Volume& volume) {
    if (volume.data.size() != volume.lattice.voxels()) {
        throw InternalError("a volume to be written does not fill its lattice");
    }
    if (path.ends_with(".h5") || path.ends_with(".hdf5")) {
        return writeVolumeHdf5(path, volume);
    }
    if (path.ends_with(".nii") || path.ends_with(".nii.gz")) {
        return writeVolumeNifti(path, volume, path.ends_with(".gz") ? Compress::Yes : Compress::No);
    }
    if (path.ends_with(".hv")) {
        return writeVolumeInterfile(path, volume);
    }
    throw WrongUse(fmt::format("'{}' does not tell a volume format; use .h5, .nii, .nii.gz or .hv", path));
}

}  // namespace tof
