// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/io/description_format.h"
#include "recon/io/ecat7_format.h"
#include "recon/io/foreign_kind.h"
#include "recon/io/format/formats.h"
#include "recon/io/format/notes.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/inveon_format.h"
#include "recon/io/rdf9_format.h"
#include "recon/io/yrt_format.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

class Folder : public FormatFile {
  public:
    explicit Folder(const std::string& path) {
        std::error_code ignored;
        kind_ = fs::exists(fs::path(path) / "study.json", ignored) ? FileKind::Study : FileKind::Unknown;
    }
    [[nodiscard]] FileKind kind() const override { return kind_; }

  private:
    FileKind kind_;
};

Format folderFormat() {
    return {.name = "folder", .recognise = [](const FileStart& start) {
                return start.isFolder ? std::make_unique<Folder>(start.path) : nullptr;
            }};
}

const char* kindName(FileKind kind) {
    switch (kind) {
        case FileKind::Study: return "study";
        case FileKind::Volume: return "volume";
        case FileKind::List: return "list";
        case FileKind::Data: return "data";
        case FileKind::Run: return "run";
        case FileKind::Checkpoint: return "checkpoint";
        case FileKind::Unknown: break;
    }
    return "unknown";
}

/// "; open the folder 'X' in it" where that holds what the folder itself does not, else "".
std::string folderHint(const std::string& path) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path, ignored)) {
        if (entry.is_directory(ignored) &&
            builtInFormats().recognise(entry.path().string()).kind() != FileKind::Unknown) {
            return fmt::format("; folders in it are not looked into: open '{}'",
                               entry.path().filename().string());
        }
    }
    return "";
}

/// "; open X, the header beside it" where `path` is the data part of a pair, else "".
std::string headerHint(const std::string& path) {
    if (std::error_code ignored; fs::is_directory(path, ignored)) {
        return folderHint(path);
    }
    const fs::path data(path);
    for (const auto& [extension, header] :
         {std::pair{".v", ".hv"}, {".img", ".hdr"}, {".cdf", ".cdh"}, {".s", ".hs"}, {".l", ".l.hdr"}}) {
        std::error_code ignored;
        const fs::path beside = fs::path(data).replace_extension(header);
        if (data.extension() == extension && fs::exists(beside, ignored)) {
            return fmt::format("; open its header '{}'", beside.filename().string());
        }
    }
    return "";
}

void reverseSlices(VolumeReadResult& read, const std::string& path) {
    const auto& size = read.volume.lattice.size;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(size[0]) * size[1];
    const auto first = read.volume.data.begin();
    for (int z = 0; z < size[2] / 2; ++z) {
        std::swap_ranges(first + plane * z, first + plane * (z + 1), first + plane * (size[2] - 1 - z));
    }
    read.note = joinedNotes(read.note, path + ": slices were reversed, as --reverse-slices says");
}

/// Values are in `units`, whatever the file says.
void takeUnits(VolumeReadResult& read, const std::string& units, const std::string& path) {
    std::string& held = read.volume.units;
    if (!held.empty() && held != units) {
        read.note =
            joinedNotes(read.note, fmt::format("{}: values are taken to be in {}, as --units says; the file "
                                               "says {}",
                                               path, units, held));
        read.uptake.reset();
    }
    held = units;
}

}  // namespace

RecognisedFile::RecognisedFile(std::string path, std::string formatName,
                               std::shared_ptr<const FormatFile> file)
    : path_(std::move(path)), formatName_(std::move(formatName)), file_(std::move(file)) {}

FileKind RecognisedFile::kind() const {
    return file_ ? file_->kind() : FileKind::Unknown;
}

std::string RecognisedFile::form() const {
    return file_ ? file_->form() : "";
}

ForeignBins RecognisedFile::foreignBins() const {
    return file_ ? file_->foreignBins() : ForeignBins::None;
}

void RecognisedFile::requireKnown() const {
    if (!file_ && formatName_ != "unknown") {
        throw BadInput(
            "{}: is {}, which is not read; convert it to a format that is (docs/formats.md), as NIfTI", path_,
            formatName_);
    }
}

VolumeReadResult RecognisedFile::readVolumeResult(const VolumeReadOptions& options) const {
    if (auto volume = file_ ? file_->volume(options) : std::nullopt) {
        if (options.slices == SliceOrder::Reversed) {
            reverseSlices(*volume, path_);
        }
        if (!options.units.empty()) {
            takeUnits(*volume, options.units, path_);
        }
        return std::move(*volume);
    }
    requireKnown();
    throw BadInput("{}: holds no volume; HDF5, NIfTI, DICOM and Interfile headers are read{}", path_,
                   headerHint(path_));
}

void RecognisedFile::refuseStill() const {
    requireKnown();
    throw BadInput(
        "{}: holds no dynamic image; HDF5 (docs/formats.md), NIfTI with a sidecar of BIDS, DICOM series and "
        "ECAT 7 are read{}",
        path_, headerHint(path_));
}

DynamicInfo RecognisedFile::readDynamicInfo(const VolumeReadOptions& options) const {
    auto info = file_ ? file_->dynamicInfo(options) : std::nullopt;
    if (!info) {
        refuseStill();
    }
    if (!options.units.empty()) {
        info->units = options.units;
    }
    return std::move(*info);
}

DynamicReadResult RecognisedFile::readDynamicImage(const VolumeReadOptions& options) const {
    auto read = file_ ? file_->dynamicImage(options) : std::nullopt;
    if (!read) {
        refuseStill();
    }
    if (!options.units.empty()) {
        read->image.units = options.units;
    }
    return std::move(*read);
}

ListReadResult RecognisedFile::readEvents(const ListReadOptions& options) const {
    if (auto list = file_ ? file_->events(options) : std::nullopt) {
        return std::move(*list);
    }
    requireKnown();
    if (foreignBins() == ForeignBins::Addresses) {
        throw BadInput(
            "{}: its events are bins of sinograms and name no crystals; 'bin' it --to sinogram or --to "
            "lors",
            path_);
    }
    throw BadInput(
        "{}: holds no list-mode; HDF5 (docs/formats.md), CASToR headers (.cdh), SAFIR, PETSIRD, GE RDF 9, "
        "YRT-PET and Inveon lists and GATE's coincidences (.root) are read{}",
        path_, headerHint(path_));
}

std::unique_ptr<const EventStream> RecognisedFile::eventStream(const ListReadOptions& options) const {
    return file_ ? file_->eventStream(options) : nullptr;
}

std::unique_ptr<const RecordDecoder> RecognisedFile::recordDecoder(const ListReadOptions& options) const {
    auto decoder = file_ ? file_->recordDecoder(options) : nullptr;
    if (decoder == nullptr) {
        throw BadInput(
            "{}: cannot be followed while it is written; give the header (.cdh) of a CASToR list, whose data "
            "file or pipe grows event by event",
            path_);
    }
    return decoder;
}

DataReadResult RecognisedFile::readData(const std::string& scannerFile) const {
    if (auto data = file_ ? file_->data(scannerFile) : std::nullopt) {
        return std::move(*data);
    }
    requireKnown();
    return {tof::readData(path_), ""};  // refuses it: data are expected in HDF5
}

std::string RecognisedFile::infoJson() const {
    const FileKind what = kind();
    const bool described = formatName_ == kDescription;
    if (what == FileKind::Unknown && !described) {
        requireKnown();
        throw BadInput(
            "{}: is of no known kind (docs/formats.md has a list); convert it, or check its name{}", path_,
            headerHint(path_));
    }
    nlohmann::ordered_json info{
        {"file", path_}, {"kind", described ? kDescription : kindName(what)}, {"format", formatName_}};
    file_->describe(info);
    return jsonText(info, 2);
}

RecognisedFile FormatTable::recognise(const std::string& path, std::function<void()> heed) const {
    const FileStart start(path, std::move(heed));
    for (const Format& row : rows_) {
        if (auto file = row.recognise(start)) {
            return {path, row.name, std::move(file)};
        }
    }
    const std::string foreign = foreignKind(start);
    return {path, foreign.empty() ? "unknown" : foreign, nullptr};
}

std::string FormatTable::volumeExtensions() const {
    std::vector<std::string> names;
    for (const Format& row : rows_) {
        names.insert(names.end(), row.volumes.extensions.begin(), row.volumes.extensions.end());
    }
    const std::string last = names.empty() ? "" : names.back();
    names.resize(names.empty() ? 0 : names.size() - 1);
    return names.empty() ? last : fmt::format("{} or {}", fmt::join(names, ", "), last);
}

FormatTable builtInFormats() {
    return FormatTable({rdf9Format(), petsirdFormat(), hdf5Format(), niftiFormat(), interfileFormat(),
                        castorFormat(), safirFormat(), rootFormat(), yrtFormat(), inveonFormat(),
                        metaImageFormat(), ecat7Format(), dicomFormat(), folderFormat(),
                        descriptionFormat()});
}

RecognisedFile recognise(const std::string& path, std::function<void()> heed) {
    return builtInFormats().recognise(path, std::move(heed));
}

std::string writeVolume(const Destination& to, const Volume& volume, const FormatTable& formats) {
    if (volume.data.size() != volume.lattice.voxels()) {
        throw InternalError("a volume to be written does not fill its lattice");
    }
    const FileWriter<Volume>* const writer = formats.writer(&Format::volumes, to.path);
    if (writer == nullptr) {
        throw WrongUse("'{}' does not tell a volume format; use {}", to.path, formats.volumeExtensions());
    }
    return writer->write(to, volume);
}

std::string writeDynamicImage(const Destination& to, const DynamicSource& image, const FormatTable& formats) {
    if (const std::string fault = framesFault(image.info.frames); !fault.empty()) {
        throw InternalError("a dynamic image to be written: {}", fault);
    }
    const FileWriter<DynamicSource>* const writer = formats.writer(&Format::dynamicImages, to.path);
    if (writer == nullptr) {
        throw WrongUse("'{}' does not tell a format of dynamic images; use .h5, .nii or .nii.gz", to.path);
    }
    return writer->write(to, image);
}

std::string writeDynamicImage(const Destination& to, const DynamicImage& image) {
    return writeDynamicImage(to,
                             DynamicSource{image, [&](std::size_t frame) { return image.values[frame]; }});
}

}  // namespace tof
