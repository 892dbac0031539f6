// SPDX-License-Identifier: Apache-2.0
#include "recon/io/nifti/nifti_format.h"

#include "recon/io/nifti/volume_nifti.h"

namespace tof {

namespace {

class NiftiFile : public FormatFile {
  public:
    explicit NiftiFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<Volume> volume() const override { return readVolumeNifti(path_); }

  private:
    std::string path_;
};

}  // namespace

Format niftiFormat() {
    return {
        .name = "NIfTI-1",
        .recognise =
            [](const FileStart& start) {
                return isNifti(start.path, start.bytes) ? std::make_unique<NiftiFile>(start.path) : nullptr;
            },
        .volumes = {{".nii", ".nii.gz"}, {}, [](const std::string& path, const Volume& volume) {
                        writeVolumeNifti(path, volume, path.ends_with(".gz") ? Compress::Yes : Compress::No);
                        return std::string();
                    }}};
}

}  // namespace tof
