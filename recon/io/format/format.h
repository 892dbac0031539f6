// SPDX-License-Identifier: Apache-2.0
// What a file format is to the rest: a row of recon/io/format_table.h.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/dynamic_image.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/data/panel_data.h"
#include "recon/io/bytes/destination.h"
#include "recon/io/format/record_decoder.h"
#include "recon/physics/uptake.h"

namespace tof {

enum class FileKind { Unknown, Study, Volume, List, Data, Run, Checkpoint };

/// What another program's file holds that is binned as if it were events between crystals.
enum class ForeignBins {
    None,
    Addresses,  ///< list-mode whose events are bins, as Siemens ECAT8 writes it
    Lines,      ///< a histogram of lines between the crystals of a scanner that can be named
    Imported    ///< sinograms whose frame, image and corrections are chosen (importSinograms)
};

/// Whether values are multiplied by the factor to physical units that a file states beside its scales.
enum class StatedFactor { Applied, Left };

struct ListReadOptions {
    bool partial = false;  ///< read a truncated file as far as it goes
    std::string
        scannerFile;  ///< geometry for formats that only name their scanner; empty: look beside the data
    StatedFactor factor = StatedFactor::Applied;  ///< within the factors of events
};

struct ListReadResult {
    EventList events;
    std::uint64_t announced = 0;  ///< events the header promises; more than events.size() when partial
    std::string note;             ///< what is missing, one sentence, or empty
};

/// List-mode whose crystals and times of flight are read some events at a time: however long it is, it need
/// not be in memory. Not thread-safe.
class EventStream {
  public:
    EventStream() = default;
    virtual ~EventStream() = default;
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;

    /// Everything but the events.
    [[nodiscard]] virtual const EventList& scan() const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Whether correction factors come with the events.
    [[nodiscard]] virtual bool hasFactors() const = 0;
    /// Fills crystals and, where there are any, dt_ps of `block` with the events [first, first + count).
    /// Throws BadInput.
    virtual void read(std::uint64_t first, std::uint64_t count, EventList& block) const = 0;
    /// What a user should know of it, one sentence, or empty.
    [[nodiscard]] virtual std::string note() const { return {}; }
    /// Whether readMoments() can be asked; the file is read whole otherwise where time_ms is wanted.
    [[nodiscard]] virtual bool tellsMoments() const { return false; }
    /// Fills time_ms of `block` likewise. Throws BadInput where the file says no times of events.
    virtual void readMoments(std::uint64_t /*first*/, std::uint64_t /*count*/, EventList& /*block*/) const {}
};

/// How whoever reads lets a frame or a series be chosen: by options of its own, or not at all, so that the
/// one meant must be taken out first.
enum class ChoiceBy { Options, Convert };
enum class SliceOrder { AsRead, Reversed };

/// Which volume of a file, and in which units.
struct VolumeReadOptions {
    int frame = 0;         ///< which one in a file, from 1; 0: the only one, and several are refused
    std::string series{};  ///< DICOM's number, instance UID or description; empty: the only one of a folder
    bool suv = false;      ///< DICOM PET as standardised uptake values
    SuvBody suvBody = SuvBody::Weight;       ///< which ones
    std::string units{};                     ///< what NIfTI does not say, or says wrongly; empty: as stated
    SliceOrder slices = SliceOrder::AsRead;  ///< Reversed: head for feet, about the middle
    StatedFactor factor = StatedFactor::Applied;
    ChoiceBy choiceBy = ChoiceBy::Convert;
};

struct VolumeReadResult {
    Volume volume;
    std::string note{};              ///< what was done to it that a user should know, one sentence, or empty
    std::optional<Uptake> uptake{};  ///< what SUV need of activity concentrations, where the file says it
    std::string name{};  ///< names the whole that it is a file of; empty: the file's own name will do
    DecayCorrection decay = DecayCorrection::Unknown;
    double statedFactor = 1;  ///< what values were multiplied by beside their scales (StatedFactor)
};

struct DynamicReadResult {
    DynamicImage image;
    std::string note{};  ///< as VolumeReadResult has it
};

/// One of the volumes that a file or folder offers for a choice.
struct VolumeSeries {
    std::string id;    ///< for VolumeReadOptions::series
    std::string name;  ///< "5 'PET WB' (PT, 109 images)"
    int frames = 1;    ///< each of them is a volume
};

/// Data of a form that no file format knows; its row does (recon/forms/forms.h).
struct OtherData {
    std::any value;
    std::string hash{};  ///< hash of their content, hexadecimal
};

using MeasuredData = std::variant<HistoData, SinogramData, LineData, PanelData, OtherData>;

struct DataReadResult {
    MeasuredData data;
    std::string note;  ///< what a user should know of it, one sentence, or empty
};

/// What formats are told by, read once for all of them.
struct FileStart {
    /// Throws BadInput when the file cannot be opened or is empty.
    explicit FileStart(std::string file, std::function<void()> heed = {});

    std::string path;
    std::function<void()> heed;  ///< asked while much is read (FormatTable::recognise())
    bool isFolder = false;
    std::string bytes;  ///< the first MiB, or all of a shorter file
};

/// A file that a format has recognised, open. Functions return nothing where the format has no such thing,
/// and throw BadInput where this file cannot give it. Not thread-safe.
class FormatFile {
  public:
    FormatFile() = default;
    virtual ~FormatFile() = default;
    FormatFile(const FormatFile&) = delete;
    FormatFile& operator=(const FormatFile&) = delete;

    [[nodiscard]] virtual FileKind kind() const = 0;
    /// The form of the data that it holds, by the name that `info` gives it and --to takes: "histo", "lors";
    /// empty where it holds none.
    [[nodiscard]] virtual std::string form() const { return {}; }
    [[nodiscard]] virtual ForeignBins foreignBins() const { return ForeignBins::None; }
    /// Whether it is this program's own, which keeps all that is known of data.
    [[nodiscard]] virtual bool isOwn() const { return false; }
    /// Whether a scanner that is named is read with the list (ListReadOptions), and not in its place.
    [[nodiscard]] virtual bool readsScanner() const { return false; }
    [[nodiscard]] virtual std::optional<VolumeReadResult> volume(const VolumeReadOptions& /*options*/) const {
        return {};
    }
    /// Whether it holds several volumes whose times it says, told without reading them.
    [[nodiscard]] virtual bool holdsFrames() const { return false; }
    /// What it says of its frames, without their values; `frame` of the options is not looked at.
    [[nodiscard]] virtual std::optional<DynamicInfo> dynamicInfo(const VolumeReadOptions& /*options*/) const {
        return {};
    }
    /// All frames of a dynamic image; `frame` of the options is not looked at.
    [[nodiscard]] virtual std::optional<DynamicReadResult> dynamicImage(
        const VolumeReadOptions& /*options*/) const {
        return {};
    }
    [[nodiscard]] virtual std::optional<ListReadResult> events(const ListReadOptions& /*options*/) const {
        return {};
    }
    /// Reads the events a part at a time; null where a format cannot. The file must outlive it.
    [[nodiscard]] virtual std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& /*options*/) const {
        return nullptr;
    }
    /// What reads its events while they are still being written; null where a format cannot. The file need
    /// not outlive it.
    [[nodiscard]] virtual std::unique_ptr<const RecordDecoder> recordDecoder(
        const ListReadOptions& /*options*/) const {
        return nullptr;
    }
    /// What there is to choose from, in the order of the file; empty for formats without series.
    [[nodiscard]] virtual std::vector<VolumeSeries> series() const { return {}; }
    /// `scannerFile` as in ListReadOptions.
    [[nodiscard]] virtual std::optional<DataReadResult> data(const std::string& /*scannerFile*/) const {
        return {};
    }
    /// Data that are none of MeasuredData, of a system that knows them (recon/systems/system.h).
    [[nodiscard]] virtual std::any otherData() const { return {}; }
    /// Adds sizes and attributes to the object that `info` prints; by default those of the volume
    /// and the note of reading it.
    virtual void describe(nlohmann::ordered_json& info) const;
};

/// Writes files called so; `write` returns a note, one sentence or empty, and throws CannotWrite. While it
/// writes much it asks whether that is still wanted.
template <class What>
struct FileWriter {
    std::vector<std::string> extensions;
    std::vector<std::string> aliases;  ///< extensions that are taken as well, but not offered
    std::function<std::string(const Destination& to, const What& what)> write;

    [[nodiscard]] bool takes(const std::string& path) const {
        const auto ends = [&](const std::vector<std::string>& names) {
            for (const std::string& name : names) {
                if (path.ends_with(name)) {
                    return true;
                }
            }
            return false;
        };
        return ends(extensions) || ends(aliases);
    }
};

/// A file format: how to tell, read and write it. What it does not write has no extensions.
struct Format {
    std::string name;
    /// The file, open; null when it is not of this format.
    std::function<std::unique_ptr<const FormatFile>(const FileStart& start)> recognise;
    FileWriter<Volume> volumes{};
    FileWriter<DynamicSource> dynamicImages{};
    FileWriter<EventList> events{};
    FileWriter<MeasuredData> data{};
};

/// Formats with one volume a file call it. Throws WrongUse when another frame, a series or SUV is asked for.
void requireOnlyVolume(const std::string& path, const VolumeReadOptions& options);

/// Which of `count` volumes in `where` is asked for, from 0. Throws BadInput where that is not said, WrongUse
/// where there is none.
[[nodiscard]] std::size_t chosenFrame(const std::string& path, const VolumeReadOptions& options,
                                      std::size_t count, const char* where);

/// Formats other than DICOM call it. Throws WrongUse when a series or SUV is asked for.
void requireNoSeries(const std::string& path, const VolumeReadOptions& options);

/// What is told of a stated factor that is not 1, a sentence about `what` ("values"); `field` names it.
[[nodiscard]] std::string statedFactorNote(const std::string& what, const std::string& field, double factor,
                                           StatedFactor use);

/// Throws WrongUse: this file has no factor that could be left out.
[[noreturn]] void refuseNoFactor(const std::string& path);

/// "choose one with --frame", or how it is taken out where there is no such option; `option` is "--frame" or
/// "--series".
[[nodiscard]] std::string choiceRemedy(ChoiceBy by, const char* option);

/// Adds what is known of the times of a dynamic image to what `info` prints.
void describeFrames(const DynamicInfo& image, nlohmann::ordered_json& info);

/// Size, spacing_mm and origin_mm.
[[nodiscard]] nlohmann::ordered_json latticeJson(const Lattice& lattice);

}  // namespace tof
