// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_label_file.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/dicom/contour_map.h"
#include "recon/io/dicom/dicom_folder.h"
#include "recon/io/dicom/dicom_labels.h"
#include "recon/io/dicom/segment_map.h"

namespace tof {

namespace {

enum class LabelKind { Segmentation, StructureSet };

/// By the class that the first group names, which is what programs go by before they read the data set.
std::optional<LabelKind> labelKind(const FileStart& start) {
    constexpr std::size_t kMeta = 1024;
    static constexpr std::array<std::pair<std::string_view, LabelKind>, 2> kClasses{
        {{"1.2.840.10008.5.1.4.1.1.66.4", LabelKind::Segmentation},
         {"1.2.840.10008.5.1.4.1.1.481.3", LabelKind::StructureSet}}};
    const std::string_view meta = std::string_view(start.bytes).substr(0, kMeta);
    const std::size_t element = meta.find(std::string_view("\x02\0\x02\0UI", 6));
    if (start.isFolder || !hasDicomMark(start.bytes) || element == std::string_view::npos) {
        return {};
    }
    constexpr std::size_t kHead = 8;
    for (const auto& [uid, kind] : kClasses) {
        const std::string_view held = meta.substr(std::min(element + kHead, meta.size()), uid.size() + 1);
        if (held.starts_with(uid) &&
            (held.size() == uid.size() || held.back() == '\0' || held.back() == '\2')) {
            return kind;
        }
    }
    return {};
}

class DicomLabelFile : public FormatFile, public NamesLabels {
  public:
    DicomLabelFile(std::string path, LabelKind kind) : path_(std::move(path)), kind_(kind) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireOnlyVolume(path_, options);
        LabelVolume made = read();
        VolumeReadResult result;
        result.volume = std::move(made.volume);
        result.volume.units = "label";
        result.note = made.note.empty() ? "" : path_ + ": " + made.note;
        return result;
    }
    [[nodiscard]] std::vector<LabelName> labelNames() const override { return read().names; }

    void describe(nlohmann::ordered_json& info) const override {
        const LabelVolume made = read();
        info["holds"] = kind_ == LabelKind::Segmentation ? "segmentation" : "structure set";
        info["lattice"] = latticeJson(made.volume.lattice);
        for (const LabelName& one : made.names) {
            info["labels"].push_back(fmt::format("{} '{}'", one.number, one.name));
        }
        if (!made.note.empty()) {
            info["note"] = made.note;
        }
    }

  private:
    [[nodiscard]] LabelVolume read() const {
        return kind_ == LabelKind::Segmentation ? segmentVolume(path_) : contourVolume(path_);
    }

    std::string path_;
    LabelKind kind_;
};

}  // namespace

std::unique_ptr<const FormatFile> dicomLabelFile(const FileStart& start) {
    const std::optional<LabelKind> kind = labelKind(start);
    return kind ? std::make_unique<DicomLabelFile>(start.path, *kind) : nullptr;
}

}  // namespace tof
