// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/interfile_format.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/interfile/volume_interfile.h"

namespace tof {

namespace {

class InterfileFile : public FormatFile {
  public:
    explicit InterfileFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }

    [[nodiscard]] DataForm dataForm() const override {
        const InterfileHeader header(path_);
        return isEcat8(header)        ? DataForm::Addresses
               : hasSinograms(header) ? DataForm::Sinograms
                                      : DataForm::None;
    }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireOnlyVolume(path_, options);
        return VolumeReadResult{readVolumeInterfile(path_)};
    }

    [[nodiscard]] std::optional<DataReadResult> data(const std::string& /*scannerFile*/) const override {
        InterfileSinograms file = readInterfileSinograms(path_);
        return DataReadResult{std::move(file.data),
                              file.negativeBins == 0
                                  ? ""
                                  : fmt::format("{} bins below zero, {:g} in all, became zero",
                                                file.negativeBins, file.negativeSum)};
    }

  private:
    std::string path_;  // not the header: its faults are told when it is asked for
};

std::string writeSinograms(const std::string& path, const MeasuredData& data) {
    const auto* const sinograms = std::get_if<SinogramData>(&data);
    if (sinograms == nullptr) {
        throw InternalError("only sinograms have a form in Interfile");
    }
    writeInterfileSinograms(path, *sinograms);
    return sinograms->mult.empty() && sinograms->add.empty() ? "" : "Interfile takes the counts alone";
}

}  // namespace

Format interfileFormat() {
    return {.name = "Interfile",
            .recognise =
                [](const FileStart& start) {
                    return isInterfile(start.bytes) ? std::make_unique<InterfileFile>(start.path) : nullptr;
                },
            .volumes = {{".hv"},
                        {},
                        [](const std::string& path, const Volume& volume) {
                            writeVolumeInterfile(path, volume);
                            return std::string();
                        }},
            .data = {{".hs"}, {}, writeSinograms}};
}

}  // namespace tof
