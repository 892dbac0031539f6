// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/interfile/block_geometry.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/list_petlink.h"
#include "recon/io/interfile/norm_ecat8.h"
#include "recon/io/interfile/siemens_raw.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/interfile/volume_interfile.h"

namespace tof {

namespace {

class InterfileFile : public FormatFile {
  public:
    explicit InterfileFile(const FileStart& start) : path_(start.path), heed_(start.heed) {}

    [[nodiscard]] FileKind kind() const override {
        switch (foreignBins()) {
            case ForeignBins::Addresses: return FileKind::List;
            case ForeignBins::Imported: return FileKind::Data;
            default: break;
        }
        return isPetlinkPairs(header()) ? FileKind::List
               : isEcat8Norm(header())  ? FileKind::Data
                                        : FileKind::Volume;
    }
    [[nodiscard]] bool readsScanner() const override { return isPetlinkPairs(header()); }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return isPetlinkPairs(header()) ? std::optional(readPetlinkPairs(path_, options)) : std::nullopt;
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return isPetlinkPairs(header()) ? petlinkPairs(path_, options) : nullptr;
    }

    [[nodiscard]] std::string form() const override {
        return foreignBins() != ForeignBins::Imported              ? ""
               : geometryOf(header()) == StirGeometry::Cylindrical ? "sinogram"
                                                                   : "lors";
    }

    [[nodiscard]] ForeignBins foreignBins() const override {
        return isPetlinkPairs(header()) ? ForeignBins::None
               : isEcat8(header())      ? ForeignBins::Addresses
               : hasSinograms(header()) ? ForeignBins::Imported
                                        : ForeignBins::None;
    }

    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        if (isEcat8Norm(header()) || isPetlinkPairs(header())) {
            return {};
        }
        VolumeReadOptions others = options;
        others.frame = 0;
        others.factor = StatedFactor::Applied;
        requireOnlyVolume(path_, others);
        return readVolumeInterfile(path_, options, heed_);
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
        switch (foreignBins()) {
            case ForeignBins::Addresses: describeEcat8(header(), info); break;
            case ForeignBins::Imported: describeInterfileSinograms(header(), info); break;
            default:
                if (isEcat8Norm(header())) {
                    return describeEcat8Norm(header(), info);
                }
                if (isPetlinkPairs(header())) {
                    return describePetlinkPairs(path_, info);
                }
                info.update(describeVolumeInterfile(path_));
        }
    }

  private:
    /// The header, parsed once, when it is asked for: then its faults are told.
    [[nodiscard]] const InterfileHeader& header() const {
        if (!header_) {
            header_.emplace(path_);
        }
        return *header_;
    }

    std::string path_;
    std::function<void()> heed_;
    mutable std::optional<InterfileHeader> header_;
};

std::string writeSinograms(const Destination& to, const MeasuredData& data) {
    const auto* const sinograms = std::get_if<SinogramData>(&data);
    if (sinograms == nullptr) {
        throw InternalError("only sinograms have a form in Interfile");
    }
    writeInterfileSinograms(to, *sinograms);
    return sinograms->mult.empty() && sinograms->add.empty() ? "" : "Interfile takes the counts alone";
}

}  // namespace

Format interfileFormat() {
    return {.name = "Interfile",
            .recognise =
                [](const FileStart& start) {
                    return isInterfile(start.bytes) || isSiemensRaw(start)
                               ? std::make_unique<InterfileFile>(start)
                               : nullptr;
                },
            .volumes = {{".hv"},
                        {},
                        [](const Destination& to, const Volume& volume) {
                            writeVolumeInterfile(to, volume);
                            return std::string();
                        }},
            .data = {{".hs"}, {}, writeSinograms}};
}

}  // namespace tof
