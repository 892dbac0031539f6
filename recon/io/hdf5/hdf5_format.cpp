// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <array>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/data/framed_counts.h"
#include "recon/frames/frames_json.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Text that may be JSON, as JSON where it is.
Json embedded(const std::string& text) {
    const Json parsed = Json::parse(text, nullptr, false);
    return parsed.is_discarded() ? Json(text) : parsed;
}

/// The name of a scanner or phantom rather than its thousands of parts.
Json nameIn(const std::string& text) {
    const Json parsed = embedded(text);
    return parsed.is_object() && parsed.contains("name") ? parsed["name"] : Json(text.substr(0, 80));
}

void addNamed(const h5::Reader& file, const char* object, const char* attribute, const char* as, Json& info) {
    if (const auto text = file.textAttribute(object, attribute)) {
        info[as] = nameIn(*text);
    }
}

void addTotals(const h5::Reader& file, Json& info) {
    const ScanTotals totals = readTotals(file, "/");
    info["duration_s"] = totals.duration_s;
    for (const auto& [name, value] : {std::pair{"decays", totals.decays}, {"singles", totals.singles}}) {
        if (value > 0) {
            info[name] = value;
        }
    }
    if (totals.decays > 0 && totals.duration_s > 0) {
        info["activity_MBq"] = 1e-6 * totals.decays / totals.duration_s;
    }
}

void addSinograms(const h5::Reader& file, Json& info) {
    const h5::Shape shape = file.shape("/sinogram/counts");
    for (std::size_t axis = 0; axis < std::min<std::size_t>(shape.size(), 4); ++axis) {
        constexpr std::array kAxes{"angles", "sinograms", "radial_bins", "time_bins"};
        info[kAxes[axis]] = shape[axis];
    }
    info["mult"] = file.has(kMultPath);
    info["add"] = file.has(kAddPath);
    for (const char* name : {"kept", "rejected"}) {
        info[name] = file.whole("/sinogram", name).value_or(0);
    }
    addNamed(file, "/sinogram/counts", "michelogram", "scanner", info);
}

void addLines(const h5::Reader& file, Json& info) {
    info["events"] = file.shape("/lors/crystal").at(0);
    info["time_of_flight"] = file.has("/lors/dt_ps");
    info["attenuation"] = file.has("/corrections/attenuation");
    info["rejected"] = file.whole("/lors", "rejected").value_or(0);
    addNamed(file, "/lors/crystal", "michelogram", "scanner", info);
}

void addPanel(const h5::Reader& file, Json& info) {
    const h5::Shape shape = file.shape("/panel/counts");
    info["lors"] = shape.at(0) * shape.back();
    info["mult"] = file.has(kMultPath);
    info["add"] = file.has(kAddPath);
    for (const char* name : {"kept", "rejected"}) {
        info[name] = file.whole("/panel", name).value_or(0);
    }
}

void addHistoImages(const h5::Reader& file, Json& info) {
    info["lattice"] = latticeJson(readLattice(file, "/histo/counts"));
    info["views"] = file.shape("/histo/counts").at(0);
    info["counts_type"] = file.isUnsigned("/histo/counts", 2) ? "uint16" : "float32";
    info["mult"] = file.has("/corrections/eff");
    info["att"] = file.has("/corrections/att");
    info["add"] = file.has(kAddPath);
    for (const char* name : {"kept", "outside", "rejected"}) {
        info[name] = file.whole("/histo", name).value_or(0);
    }
    info["deposit"] = file.textAttribute("/histo", "deposit").value_or("centre");
    if (const auto seed = file.whole("/histo", "deposit_seed"); seed && info["deposit"] == "face") {
        info["deposit_seed"] = *seed;
    }
    if (const auto motion = file.textAttribute("/histo", "motion")) {
        info["motion"] = *motion;
    }
}

/// A form of data as files of this program hold it: what tells it, how it is read, and what is said of it.
struct FormRow {
    const char* form;
    const char* dataset;
    MeasuredData (*read)(const h5::Reader& file);
    void (*describe)(const h5::Reader& file, Json& info);
};

// A further form adds its row. The last one reads files that hold none, and says what is missing.
constexpr std::array kForms{
    FormRow{"lors", "/lors/crystal", [](const h5::Reader& file) { return MeasuredData(readLineData(file)); },
            addLines},
    FormRow{"sinogram", "/sinogram/counts",
            [](const h5::Reader& file) { return MeasuredData(readSinogramData(file)); }, addSinograms},
    FormRow{"histo", "/histo/counts", [](const h5::Reader& file) { return MeasuredData(readData(file)); },
            addHistoImages},
    FormRow{"panel", "/panel/counts",
            [](const h5::Reader& file) { return MeasuredData(readPanelData(file)); }, addPanel},
    FormRow{"", "", [](const h5::Reader& file) { return MeasuredData(readData(file)); }, addHistoImages}};

const FormRow& rowOf(const h5::Reader& file) {
    return *std::find_if(kForms.begin(), kForms.end() - 1,
                         [&](const FormRow& row) { return file.has(row.dataset); });
}

/// How images of the run become Bq/ml, or why they cannot; empty where they are.
std::string activityOf(const RunSummary& run) {
    if (run.units.find("Bq") != std::string::npos) {
        return "";
    }
    if (!(run.totals.duration_s > 0)) {
        return "no Bq/ml: the data do not say how long was measured";
    }
    if (const nlohmann::json told = tryJson(run.settingsJson);
        told.is_object() && told.contains("calibration_factor") && run.units == kCountsPerMm) {
        return fmt::format("Bq/ml by the factor {} of the data's file, with which 'convert' writes them",
                           jsonText(told["calibration_factor"]));
    }
    const char* const dose = run.units == kEmissionsPerVoxel
                                 ? ", or of a known nuclide by --half-life with --weight and --dose"
                                 : "";
    return fmt::format("Bq/ml by 'convert --calibration' of a phantom{}", dose);
}

class Hdf5File : public FormatFile {
  public:
    explicit Hdf5File(const FileStart& start) : file_(start.path, start.heed) {}

    [[nodiscard]] FileKind kind() const override {
        if (file_.has("/checkpoint")) {
            return FileKind::Checkpoint;
        }
        if (file_.has("/iterates")) {
            return FileKind::Run;
        }
        if (!form().empty()) {
            return FileKind::Data;
        }
        if (file_.has("/events/crystal")) {
            return FileKind::List;
        }
        return file_.has("/image") ? FileKind::Volume : FileKind::Unknown;
    }

    [[nodiscard]] std::string form() const override { return rowOf(file_).form; }
    [[nodiscard]] bool isOwn() const override { return true; }

    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        if (!holdsFrames()) {
            requireOnlyVolume(file_.path(), options);
            return VolumeReadResult{readVolumeDataset(file_, "/image")};
        }
        requireNoSeries(file_.path(), options);
        const DynamicInfo info = readDynamicInfo(file_);
        VolumeReadResult read{Volume(info.lattice)};
        read.volume.units = info.units;
        read.volume.data = readFrame(
            file_, info.lattice, chosenFrame(file_.path(), options, info.frames.size(), "dataset '/image'"));
        return read;
    }

    [[nodiscard]] bool holdsFrames() const override { return tof::holdsFrames(file_); }

    [[nodiscard]] std::optional<DynamicInfo> dynamicInfo(const VolumeReadOptions& options) const override {
        if (!holdsFrames()) {
            return {};
        }
        requireNoSeries(file_.path(), options);
        return readDynamicInfo(file_);
    }
    [[nodiscard]] std::optional<DynamicReadResult> dynamicImage(
        const VolumeReadOptions& options) const override {
        const std::optional<DynamicInfo> info = dynamicInfo(options);
        if (!info) {
            return {};
        }
        DynamicReadResult read;
        static_cast<DynamicInfo&>(read.image) = *info;
        requireMemory(file_.path(), sizeof(float) * read.image.frames.size() * read.image.lattice.voxels());
        for (std::size_t frame = 0; frame < read.image.frames.size(); ++frame) {
            read.image.values.push_back(readFrame(file_, read.image.lattice, frame));
        }
        return read;
    }

    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& /*options*/) const override {
        return readEvents(file_);
    }

    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& /*options*/) const override {
        return kind() == FileKind::List ? std::make_unique<const EventBlocks>(file_) : nullptr;
    }

    [[nodiscard]] std::optional<DataReadResult> data(const std::string& /*scannerFile*/) const override {
        return DataReadResult{rowOf(file_).read(file_), ""};
    }

    /// Histo-images without waiting for their hash: a HistoReading.
    [[nodiscard]] std::any otherData() const override {
        return form() == "histo" ? std::any(readDataAhead(file_)) : std::any();
    }

    void describe(Json& info) const override {
        const FileKind what = kind();
        if (what == FileKind::Volume || what == FileKind::Run || what == FileKind::Checkpoint) {
            info["lattice"] = latticeJson(readLattice(file_, "/image"));
            info["units"] = file_.textAttribute("/image", "units").value_or("");
            if (holdsFrames()) {
                describeFrames(readDynamicInfo(file_), info);
            }
        }
        if (what == FileKind::Data) {
            describeData(info);
        }
        if (what == FileKind::List) {
            info["events"] = file_.shape("/events/crystal").at(0);
            info["kinds"] = file_.has("/events/kind");
            info["seed"] = file_.whole("/", "seed").value_or(0);
        }
        if (what == FileKind::List || what == FileKind::Data || what == FileKind::Run) {
            addTotals(file_, info);
        }
        addNamed(file_, "/", "scanner", "scanner", info);
        addNamed(file_, "/", "phantom", "phantom", info);
        if (what == FileKind::Run) {
            const RunSummary run = readRunSummary(file_);
            if (const std::string why = activityOf(run); !why.empty()) {
                info["activity"] = why;
            }
            info["iterations"] = run.iterates.empty() ? 0 : run.iterates.back().iteration;
            info["saved_images"] = run.savedImages;
            for (const RunFrame& frame : readRunFrames(file_)) {
                info["frames"].push_back({{"number", frame.number},
                                          {"start_s", frame.time.start_s},
                                          {"duration_s", frame.time.duration_s},
                                          {"per_emission", frame.perEmission},
                                          {"half_life_s", frame.halfLife_s},
                                          {"made", frame.made}});
                if (frame.gate > 0) {
                    info["frames"].back()["gate"] = frame.gate;
                }
            }
            info["settings"] = embedded(run.settingsJson);
        }
        if (what == FileKind::Checkpoint) {
            info["iterations"] = file_.whole("/checkpoint", "iteration").value_or(0);
            info["data_hash"] = file_.textAttribute("/checkpoint", "data_hash").value_or("");
            info["settings"] = embedded(file_.text("/settings"));
        }
    }

  private:
    void describeData(Json& info) const {
        const FormRow& row = rowOf(file_);
        info["form"] = row.form;
        row.describe(file_, info);
        if (const auto frames = readFrameTable(file_)) {
            info["frames"] = framesJson(*frames);
        }
        for (const CorrectionPart& part : outlineOfParts(file_).list) {
            Json& about = info["parts"][partText(part.name)] = Json::object();
            about["on"] = part.on;
            about["key"] = part.key;
            about.update(figuresJson(part));
        }
    }

    h5::Reader file_;
};

/// One writer for what has an overload or function of its own, `write(path, what)`, without a note.
template <class What>
FileWriter<What> writer(void (*write)(const Destination&, const What&)) {
    return {{".h5"}, {".hdf5"}, [write](const Destination& to, const What& what) {
                write(to, what);
                return std::string();
            }};
}

}  // namespace

void writeMeasured(const Destination& to, const MeasuredData& data) {
    struct FormWriter {
        const Destination& to;
        void operator()(const HistoData& histo) const { writeData(to, histo); }
        void operator()(const SinogramData& sinograms) const { writeSinogramData(to, sinograms); }
        void operator()(const LineData& lines) const { writeLineData(to, lines); }
        void operator()(const PanelData& panel) const { writePanelData(to, panel); }
        void operator()(const OtherData& /*other*/) const {
            throw CannotWrite(to.path + ": data of this form have no place in files");
        }
    };
    std::visit(FormWriter{to}, data);
}

Format hdf5Format() {
    return {"HDF5",
            [](const FileStart& start) {
                return h5::isHdf5(start.bytes) ? std::make_unique<Hdf5File>(start) : nullptr;
            },
            writer(writeVolumeHdf5),
            writer(writeDynamicHdf5),
            writer(writeEvents),
            writer(writeMeasured)};
}

}  // namespace tof
