// SPDX-License-Identifier: Apache-2.0
// The file formats this program knows: one row each. A further one is its room under recon/io and its row in
// builtInFormats().
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recon/io/format/format.h"

namespace tof {

/// A file whose format is known, open: hand it on instead of its name. Copies share the open file; not
/// thread-safe.
class RecognisedFile {
  public:
    /// `file` is null for one of no known format; `formatName` may then still say what it is.
    RecognisedFile(std::string path, std::string formatName, std::shared_ptr<const FormatFile> file);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& formatName() const { return formatName_; }
    [[nodiscard]] FileKind kind() const;
    /// The open file; null for one of no known format.
    [[nodiscard]] const FormatFile* file() const { return file_.get(); }
    /// What FormatFile says; of one of no known format as of a file that holds nothing.
    [[nodiscard]] std::string form() const;
    [[nodiscard]] ForeignBins foreignBins() const;
    [[nodiscard]] bool isOwn() const { return file_ != nullptr && file_->isOwn(); }
    [[nodiscard]] bool readsScanner() const { return file_ != nullptr && file_->readsScanner(); }

    /// The volume; of a run the last iterate. In the scanner frame, index order [z][y][x]. Throws BadInput.
    [[nodiscard]] Volume readVolume(const VolumeReadOptions& options = {}) const {
        return readVolumeResult(options).volume;
    }
    /// Reads the volume with the note of what was done to it.
    [[nodiscard]] VolumeReadResult readVolumeResult(const VolumeReadOptions& options = {}) const;
    /// Whether it holds several volumes whose times it says.
    [[nodiscard]] bool holdsFrames() const { return file_ != nullptr && file_->holdsFrames(); }
    /// What is said of a dynamic image besides its values. Throws as readDynamicImage().
    [[nodiscard]] DynamicInfo readDynamicInfo(const VolumeReadOptions& options = {}) const;
    /// All frames of a dynamic image, [frame][z][y][x]. Throws BadInput, also where the file says no times.
    [[nodiscard]] DynamicReadResult readDynamicImage(const VolumeReadOptions& options = {}) const;
    /// List-mode. Throws BadInput.
    [[nodiscard]] ListReadResult readEvents(const ListReadOptions& options = {}) const;
    /// List-mode a part at a time, or null where it cannot be read so; this file must outlive it. Throws
    /// BadInput.
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(const ListReadOptions& options = {}) const;
    /// List-mode that is still being written. Throws BadInput, also where its format cannot be read so.
    [[nodiscard]] std::unique_ptr<const RecordDecoder> recordDecoder(
        const ListReadOptions& options = {}) const;
    /// What a reconstruction is made from. Throws BadInput.
    [[nodiscard]] DataReadResult readData(const std::string& scannerFile = {}) const;
    /// Throws BadInput that names the kind of a file that is told from others, but not read.
    void requireKnown() const;
    /// What the file holds, as JSON for `info`: kind, format, sizes, attributes. Throws BadInput.
    [[nodiscard]] std::string infoJson() const;

  private:
    [[noreturn]] void refuseStill() const;

    std::string path_;
    std::string formatName_;
    std::shared_ptr<const FormatFile> file_;
};

/// Rows are asked in their order; the first that recognises a file has it.
class FormatTable {
  public:
    explicit FormatTable(std::vector<Format> rows) : rows_(std::move(rows)) {}
    void add(Format row) { rows_.push_back(std::move(row)); }

    /// Throws BadInput when the file cannot be opened or is empty. `heed` is called by any thread while much
    /// is read of a file of this program or of an image; what it throws (Cancelled) ends the reading.
    [[nodiscard]] RecognisedFile recognise(const std::string& path, std::function<void()> heed = {}) const;

    /// The writer of a kind (&Format::volumes, ...) for files called so; null where there is none.
    template <class What>
    [[nodiscard]] const FileWriter<What>* writer(FileWriter<What> Format::*kind,
                                                 const std::string& path) const {
        const auto row = std::find_if(rows_.begin(), rows_.end(),
                                      [&](const Format& one) { return (one.*kind).takes(path); });
        return row == rows_.end() ? nullptr : &((*row).*kind);
    }

    /// Extensions that volumes can be written to: ".h5, .nii, .nii.gz or .hv".
    [[nodiscard]] std::string volumeExtensions() const;

  private:
    std::vector<Format> rows_;
};

[[nodiscard]] FormatTable builtInFormats();

/// builtInFormats().recognise(path, heed).
[[nodiscard]] RecognisedFile recognise(const std::string& path, std::function<void()> heed = {});

/// What a file is that nothing else is asked of. Throws BadInput.
[[nodiscard]] inline FileKind fileKind(const std::string& path) {
    return recognise(path).kind();
}
[[nodiscard]] inline Volume readVolume(const std::string& path, std::function<void()> heed = {}) {
    return recognise(path, std::move(heed)).readVolume();
}
/// Reads the volumes that something names, as a phantom does.
[[nodiscard]] inline auto volumeReader(std::function<void()> heed) {
    return [heed = std::move(heed)](const std::string& path) { return readVolume(path, heed); };
}
[[nodiscard]] inline ListReadResult readEvents(const std::string& path, const ListReadOptions& options = {}) {
    return recognise(path).readEvents(options);
}

/// Writes a volume in the format of the extension: .h5, .nii, .nii.gz, .hv (with .v beside it). Written
/// aside, flushed and renamed: on CannotWrite what was there is untouched. Returns what the format could not
/// keep, one sentence or empty.
std::string writeVolume(const Destination& to, const Volume& volume,
                        const FormatTable& formats = builtInFormats());

/// Writes a dynamic image in the format of the extension, .h5, .nii or .nii.gz with a sidecar of BIDS beside
/// it; frames are asked for one at a time, in their order. Throws and returns as writeVolume().
std::string writeDynamicImage(const Destination& to, const DynamicSource& image,
                              const FormatTable& formats = builtInFormats());
std::string writeDynamicImage(const Destination& to, const DynamicImage& image);

}  // namespace tof
