// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/interfile_format.h"

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/interfile/block_geometry.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/interfile/volume_interfile.h"

namespace tof {

namespace {

class InterfileFile : public FormatFile {
  public:
    explicit InterfileFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override {
        switch (dataForm()) {
            case DataForm::None: return FileKind::Volume;
            case DataForm::Addresses: return FileKind::List;
            default: return FileKind::Data;
        }
    }

    [[nodiscard]] DataForm dataForm() const override {
        const InterfileHeader header(path_);
        return isEcat8(header)                                   ? DataForm::Addresses
               : !hasSinograms(header)                           ? DataForm::None
               : geometryOf(header) == StirGeometry::Cylindrical ? DataForm::Sinograms
                                                                 : DataForm::Lines;
    }

    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        VolumeReadOptions others = options;
        others.frame = 0;
        requireOnlyVolume(path_, others);
        return VolumeReadResult{readVolumeInterfile(path_, options.frame)};
    }

    [[nodiscard]] std::optional<DataReadResult> data(const std::string& /*scannerFile*/) const override {
        InterfileSinograms file = readInterfileSinograms(path_);
        const std::string note = file.note;
        if (!file.crystals.empty()) {
            LineData lines = linesOf(std::move(file));
            lines.hash = dataHash(lines);
            return DataReadResult{std::move(lines), note};
        }
        file.data.hash = dataHash(file.data);
        return DataReadResult{std::move(file.data), note};
    }

    void describe(nlohmann::ordered_json& info) const override {
        const InterfileHeader header(path_);
        switch (dataForm()) {
            case DataForm::None: info.update(describeVolumeInterfile(path_)); break;
            case DataForm::Addresses: describeEcat8(header, info); break;
            default: describeInterfileSinograms(header, info);
        }
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
