// SPDX-License-Identifier: Apache-2.0
// Series put together from their slices; DCMTK is behind dicom_slices.h.
#include "recon/io/format/formats.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/dicom/dicom_export.h"
#include "recon/io/dicom/dicom_folder.h"
#include "recon/io/dicom/dicom_label_file.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/dicom/dicom_stack.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// "2 'CT AC' (CT, 109 images)".
std::string named(const std::vector<DicomSlice>& series) {
    const DicomSlice& one = series.front();
    return fmt::format("{} '{}' ({}, {} images)", one.seriesNumber.empty() ? "-" : one.seriesNumber,
                       one.description, one.modality, series.size());
}

/// "; 128 x 128 pixels of 4.1 x 4.1 mm, 2026-11-12 14:03": what tells series of one name apart.
std::string detailsOf(const DicomSlice& one) {
    std::string text = fmt::format("; {} x {} pixels of {:.3g} x {:.3g} mm", one.columns, one.rows,
                                   one.columnSpacing_mm, one.rowSpacing_mm);
    if (const auto moment = one.seriesStart_s ? one.seriesStart_s : one.acquisition_s) {
        text += fmt::format(", {:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(*moment)));
    }
    return text;
}

std::string unitsOf(const DicomSlice& slice) {
    if (slice.modality == "CT") {
        return "HU";
    }
    static constexpr std::array<std::pair<std::string_view, const char*>, 5> kTerms{
        {{"BQML", "Bq/ml"}, {"CNTS", "counts"}, {"GML", "g/ml"}, {"1CM", "1/cm"}, {"NONE", ""}}};
    for (const auto& [term, units] : kTerms) {
        if (slice.uptake.units == term) {
            return units;
        }
    }
    return slice.uptake.units;
}

/// When the scan began: the series' time unless an image was acquired before it (QIBA's FDG-PET profile).
std::optional<double> startOf(const std::vector<DicomSlice>& series) {
    std::optional<double> start = series.front().seriesStart_s;
    for (const DicomSlice& slice : series) {
        if (slice.acquisition_s && (!start || *slice.acquisition_s < *start)) {
            start = slice.acquisition_s;
        }
    }
    return start;
}

/// Until the last image was acquired.
double lengthOf(const std::vector<DicomSlice>& series, double start_s) {
    double end_s = start_s;
    for (const DicomSlice& slice : series) {
        end_s = std::max(end_s, slice.acquisition_s.value_or(start_s) + slice.frame_s);
    }
    return end_s - start_s;
}

UptakeFound uptakeOf(const std::vector<DicomSlice>& series, SuvBody body = SuvBody::Weight) {
    const DicomSlice& one = series.front();
    for (const DicomSlice& other : series) {
        if (!(other.uptake == one.uptake)) {
            const std::string why = fmt::format(
                "units, decay correction, dose, injection or patient of '{}' are not those of '{}'",
                fs::path(other.file).filename().string(), fs::path(one.file).filename().string());
            return {{}, why, "there is no SUV: " + why};
        }
    }
    const std::optional<double> start = startOf(series);
    return uptakeFrom(one.uptake, body, one.correctedTo_s ? one.correctedTo_s : start,
                      start ? lengthOf(series, *start) : 0);
}

DecayCorrection decayOf(const UptakeFacts& facts) {
    return facts.correction.empty()     ? DecayCorrection::Unknown
           : facts.correction == "NONE" ? DecayCorrection::None
                                        : DecayCorrection::Applied;
}

/// Lattice, units, times of frames, which count from the injection where it is stated, else from the start of
/// the scan, and how values are decay-corrected. Throws BadInput where an image does not say its times.
void takeInfo(DynamicInfo& image, const DicomStack& stack, const std::vector<DicomSlice>& series) {
    image.lattice = stack.placement.lattice;
    image.units = unitsOf(series.front());
    const UptakeFacts& facts = series.front().uptake;
    const std::optional<double> start_s = startOf(series);
    const double zero_s = facts.injection_s.value_or(start_s.value_or(0));
    for (const std::vector<DicomSlice>& slices : stack.frames) {
        const DicomSlice& one = slices.front();
        if (!one.acquisition_s || one.frame_s <= 0) {
            throw BadInput(
                "{}: attribute 'Acquisition Time' or 'Actual Frame Duration' is missing, so its frame has no "
                "times; add them, or take frames out one by one (convert --frame)",
                one.file);
        }
        image.frames.push_back({*one.acquisition_s - zero_s, one.frame_s});
    }
    if (const std::string fault = framesFault(image.frames); !fault.empty()) {
        throw BadInput("{}: attributes 'Acquisition Time' and 'Actual Frame Duration': {}",
                       series.front().file, fault);
    }
    image.decay = decayOf(facts);
    const std::optional<double> corrected_s =
        series.front().correctedTo_s ? series.front().correctedTo_s : start_s;
    image.decayReference_s = facts.correction == "START" && corrected_s ? *corrected_s - zero_s : 0;
    image.halfLife_s = facts.nuclide != nullptr ? facts.nuclide->halfLife_s : facts.halfLife_s;
}

/// What a stored value is multiplied by to be SUV, and how that is known.
struct SuvScale {
    double factor = 1;
    std::string units;
    std::string remark;
};

class DicomFile : public FormatFile {
  public:
    explicit DicomFile(const FileStart& start)
        : path_(start.path), isFolder_(start.isFolder), heed_(start.heed) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }

    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        VolumeReadOptions others = options;
        others.series.clear();
        others.suv = false;
        others.factor = StatedFactor::Applied;
        requireNoSeries(path_, others);
        const std::vector<DicomSlice> series = chosen(options);
        const DicomStack stack = dicomStack(series);
        const std::vector<DicomSlice>& slices = frameOf(stack, options);
        const SuvScale scale =
            options.suv ? suvScale(series, options.suvBody) : SuvScale{1, unitsOf(slices.front()), ""};
        VolumeReadResult result;
        result.volume = read(stack.placement, slices, scale.factor);
        result.volume.units = scale.units;
        result.name = nameOf(series.front());
        result.statedFactor = factorOf(slices);
        result.decay = decayOf(series.front().uptake);
        const UptakeFound found = options.suv ? UptakeFound() : uptakeOf(series);
        result.uptake = found.uptake;
        const std::string remark = joinedNotes(scale.remark, found.remark);
        const std::string doubt = doubtOf(result);
        for (const std::string& note : {stack.placement.note(), skipped_, stack.missing,
                                        philipsNote(slices.front()), remark, doubt, interceptNote(series)}) {
            result.note = joinedNotes(result.note, note);
        }
        if (!result.note.empty()) {
            result.note = path_ + ": " + result.note;
        }
        return result;
    }

    [[nodiscard]] bool holdsFrames() const override {
        const std::vector<std::vector<DicomSlice>> all = allSeries();
        const DicomSlice& one = all.front().front();
        return all.size() == 1 && framesIn(all.front()) > 1 && one.acquisition_s && one.frame_s > 0;
    }
    [[nodiscard]] std::optional<DynamicInfo> dynamicInfo(const VolumeReadOptions& options) const override {
        const std::vector<DicomSlice> series = chosen(options);
        DynamicInfo info;
        takeInfo(info, dicomStack(series), series);
        return info;
    }
    [[nodiscard]] std::optional<DynamicReadResult> dynamicImage(
        const VolumeReadOptions& options) const override {
        const std::vector<DicomSlice> series = chosen(options);
        const DicomStack stack = dicomStack(series);
        DynamicReadResult result;
        takeInfo(result.image, stack, series);
        for (const std::vector<DicomSlice>& slices : stack.frames) {
            result.image.values.push_back(read(stack.placement, slices, 1).data);
        }
        const std::string zero = series.front().uptake.injection_s
                                     ? ""
                                     : "no injection is stated: times of frames count from the scan's start";
        for (const std::string& note :
             {stack.placement.note(), skipped_, stack.missing, zero, interceptNote(series)}) {
            result.note = joinedNotes(result.note, note);
        }
        result.note = result.note.empty() ? "" : path_ + ": " + result.note;
        return result;
    }

    [[nodiscard]] std::vector<VolumeSeries> series() const override {
        std::vector<VolumeSeries> list;
        for (const auto& series : allSeries()) {
            list.push_back(
                {series.front().seriesUid, named(series) + detailsOf(series.front()), framesIn(series)});
        }
        return list;
    }

    void describe(nlohmann::ordered_json& info) const override {
        const std::vector<std::vector<DicomSlice>> all = allSeries();
        if (all.size() > 1) {
            for (const auto& series : all) {
                info["series"].push_back(named(series));
            }
            info["note"] = "choose one with --series";
            return;
        }
        const DicomSlice& one = all.front().front();
        const DicomStack stack = dicomStack(all.front());
        info["series"] = named(all.front());
        info["modality"] = one.modality;
        info["lattice"] = latticeJson(stack.placement.lattice);
        info["units"] = unitsOf(one);
        info["frames"] = stack.frames.size();
        info["patient_position"] = one.patientPosition;
        if (one.modality == "PT") {
            describeUptake(info, all.front());
        }
        const std::string note = joinedNotes(
            joinedNotes(stack.placement.note(), stack.missing),
            joinedNotes(philipsNote(one), one.modality == "PT" ? uptakeOf(all.front()).remark : ""));
        if (!note.empty()) {
            info["note"] = note;
        }
    }

  private:
    /// How often there is an image at the place of the first one.
    static int framesIn(const std::vector<DicomSlice>& series) {
        constexpr double kSamePlace_mm = 0.01;
        const std::array<double, 3>& first = series.front().position_mm;
        return static_cast<int>(std::count_if(series.begin(), series.end(), [&](const DicomSlice& slice) {
            const std::array<double, 3>& here = slice.position_mm;
            return std::hypot(here[0] - first[0], here[1] - first[1], here[2] - first[2]) < kSamePlace_mm;
        }));
    }

    static void describeUptake(nlohmann::ordered_json& info, const std::vector<DicomSlice>& series) {
        const DicomSlice& one = series.front();
        info["decay_correction"] = one.uptake.correction;
        info["weight_kg"] = one.uptake.weight_kg;
        info["dose_Bq"] = one.uptake.dose_Bq;
        info["half_life_s"] = one.uptake.halfLife_s;
        if (one.units == "GML") {
            info["suv"] = fmt::format("values are SUV ({})", one.suvType.empty() ? "BW" : one.suvType);
            return;
        }
        if (one.suvPerCount > 0) {
            info["suv_per_count"] = one.suvPerCount;
        }
        const UptakeFound found = uptakeOf(series);
        if (found.uptake) {
            info["suv_per_Bq_ml"] = suvPerBqMl(*found.uptake);
        }
        info["suv"] = found.said;
    }

    /// PS3.3 C.8.9.4: the intercept of PET is 0.
    static std::string interceptNote(const std::vector<DicomSlice>& series) {
        const auto odd = std::find_if(series.begin(), series.end(), [](const DicomSlice& one) {
            return one.modality == "PT" && one.intercept != 0;
        });
        return odd == series.end()
                   ? ""
                   : fmt::format("attribute 'Rescale Intercept' of '{}' is {:g}, though PET has 0",
                                 fs::path(odd->file).filename().string(), odd->intercept);
    }

    /// Philips' factor where all slices have the same, else 1.
    static double factorOf(const std::vector<DicomSlice>& slices) {
        const double first = slices.front().bqMlPerCount;
        const bool same = std::all_of(slices.begin(), slices.end(),
                                      [&](const DicomSlice& one) { return one.bqMlPerCount == first; });
        return same && first > 0 ? first : 1;
    }

    static std::string philipsNote(const DicomSlice& one) {
        return one.bqMlPerCount > 0
                   ? "counts became Bq/ml by Philips' factor (7053,xx09); --calibration none "
                     "leaves that out"
               : one.suvPerCount > 0 ? "counts are SUV times Philips' factor (7053,xx00), which --suv applies"
                                     : "";
    }

    /// Where values would be SUV that nowhere occur, there is none.
    static std::string doubtOf(VolumeReadResult& result) {
        constexpr double kMost = 1000;
        const std::vector<float>& values = result.volume.data;
        const double factor = result.uptake ? suvPerBqMl(*result.uptake) : 0;
        const double most = factor * static_cast<double>(*std::max_element(values.begin(), values.end()));
        if (most <= kMost) {
            return "";
        }
        result.uptake.reset();
        return fmt::format(
            "there is no SUV: values would reach {:g}, so dose, weight or units cannot be right", most);
    }

    /// What its maker calls the series; else the folder that holds it: a file's name is that of one image.
    [[nodiscard]] std::string nameOf(const DicomSlice& slice) const {
        if (!slice.description.empty()) {
            return slice.description;
        }
        const fs::path whole = fs::absolute(path_).lexically_normal();
        const fs::path folder = isFolder_ && whole.has_filename() ? whole : whole.parent_path();
        return folder.filename().string();
    }

    /// Every series of the folder; of a single file the series it belongs to.
    [[nodiscard]] std::vector<std::vector<DicomSlice>> allSeries() const {
        const std::string own = isFolder_ ? "" : ownSeries();
        const fs::path folder = isFolder_ ? fs::path(path_) : fs::absolute(path_).parent_path();
        std::vector<std::vector<DicomSlice>> all;
        std::size_t others = 0;
        std::string damaged;
        std::string other;
        constexpr std::size_t kMost = 100000;
        for (const std::string& file : dicomFilesIn(folder.string(), kMost)) {
            ask();
            std::vector<DicomSlice> slices;
            try {
                slices = readDicomSlices(file);
            } catch (const BadInput& fault) {
                if (isFolder_) {
                    throw;
                }
                damaged = fault.what();  // perhaps of the series: told
                continue;
            }
            const DicomSlice& first = slices.front();
            if (!first.other.empty()) {
                other = fmt::format("{}: is {}", file, first.other);
                ++others;
                continue;
            }
            if (!isFolder_ && first.seriesUid != own) {
                continue;
            }
            const auto at = std::find_if(all.begin(), all.end(), [&](const auto& series) {
                return series.front().seriesUid == first.seriesUid;
            });
            auto& series = at == all.end() ? all.emplace_back() : *at;
            std::move(slices.begin(), slices.end(), std::back_inserter(series));
        }
        if (all.empty()) {
            throw BadInput("{}",
                           other.empty() ? path_ + ": holds no DICOM images; give their folder" : other);
        }
        skipped_ = others == 0 || !isFolder_
                       ? ""
                       : fmt::format("{} DICOM files that are no images of PET or CT are left out", others);
        if (!damaged.empty()) {
            skipped_ = fmt::format("a file beside it is left out: {}", damaged);
        }
        return all;
    }

    [[nodiscard]] std::string ownSeries() const {
        const DicomSlice slice = readDicomSlices(path_).front();
        if (!slice.other.empty()) {
            throw BadInput("{}: is {}", path_, slice.other);
        }
        return slice.seriesUid;
    }

    /// Counts of Philips without the factor that made them Bq/ml.
    [[nodiscard]] std::vector<DicomSlice> asCounted(std::vector<DicomSlice> series) const {
        for (DicomSlice& slice : series) {
            if (!(slice.bqMlPerCount > 0)) {
                refuseNoFactor(slice.file);
            }
            slice.slope /= slice.bqMlPerCount;
            slice.intercept /= slice.bqMlPerCount;
            slice.bqMlPerCount = 0;
            slice.uptake.units = "CNTS";
        }
        return series;
    }

    [[nodiscard]] std::vector<DicomSlice> chosen(const VolumeReadOptions& options) const {
        const std::string& wanted = options.series;
        const std::vector<std::vector<DicomSlice>> all = allSeries();
        std::vector<const std::vector<DicomSlice>*> fitting;
        std::string list;
        for (const auto& series : all) {
            const DicomSlice& one = series.front();
            list += (list.empty() ? "" : ", ") + named(series);
            if (wanted.empty() || wanted == one.seriesNumber || wanted == one.seriesUid ||
                wanted == one.description) {
                fitting.push_back(&series);
            }
        }
        if (fitting.size() != 1) {
            throw BadInput("{}: {} series of {} are '{}': {}; {}, by number, description or UID", path_,
                           fitting.size(), all.size(), wanted.empty() ? "there" : wanted, list,
                           choiceRemedy(options.choiceBy, "--series"));
        }
        return options.factor == StatedFactor::Left ? asCounted(*fitting.front()) : *fitting.front();
    }

    [[nodiscard]] const std::vector<DicomSlice>& frameOf(const DicomStack& stack,
                                                         const VolumeReadOptions& options) const {
        const int frame = options.frame;
        if (frame == 0 && stack.frames.size() > 1) {
            throw BadInput("{}: the series has {} frames; {}", path_, stack.frames.size(),
                           choiceRemedy(options.choiceBy, "--frame"));
        }
        if (static_cast<std::size_t>(frame) > stack.frames.size()) {
            throw WrongUse("{}: the series has {} frames, so there is no frame {}", path_,
                           stack.frames.size(), frame);
        }
        return stack.frames[static_cast<std::size_t>(std::max(frame, 1) - 1)];
    }

    [[nodiscard]] SuvScale suvScale(const std::vector<DicomSlice>& series, SuvBody body) const {
        const DicomSlice& one = series.front();
        static constexpr std::array<std::pair<SuvBody, const char*>, 3> kTypes{
            {{SuvBody::Weight, "BW"}, {SuvBody::LeanMass, "LBM"}, {SuvBody::Surface, "BSA"}}};
        const std::string wanted = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) {
                                       return row.first == body;
                                   })->second;
        if (one.units == "GML" || one.units == "CM2ML") {
            const std::string held = !one.suvType.empty() ? one.suvType : one.units == "GML" ? "BW" : "BSA";
            if (!held.starts_with(wanted)) {
                throw BadInput("{}: attribute 'SUV Type' is {}, so values are no SUV by {}; leave --suv out",
                               path_, held, wanted);
            }
            return {1, suvUnits(body), "values are SUV already"};
        }
        const UptakeFound found = uptakeOf(series, body);
        if (body == SuvBody::Weight && one.suvPerCount > 0) {
            return philipsScale(series, found);
        }
        if (!found.uptake) {
            throw BadInput("{}: cannot be given as SUV: {}; correct the files, or leave --suv out", path_,
                           found.said);
        }
        return {suvPerBqMl(*found.uptake), suvUnits(body), found.remark};
    }

    /// By the maker's own factor, of counts; slopes may hold that of Bq/ml.
    [[nodiscard]] SuvScale philipsScale(const std::vector<DicomSlice>& series,
                                        const UptakeFound& found) const {
        constexpr double kNear = 0.01;
        const DicomSlice& one = series.front();
        for (const DicomSlice& other : series) {
            if (other.suvPerCount != one.suvPerCount || other.bqMlPerCount != one.bqMlPerCount) {
                throw BadInput(
                    "{}: attribute 'SUV Scale Factor (7053,xx00)' is not that of '{}'; leave --suv out",
                    other.file, fs::path(one.file).filename().string());
            }
        }
        const double held = one.bqMlPerCount > 0 ? one.bqMlPerCount : 1;
        SuvScale scale{one.suvPerCount / held, "g/ml", "SUV are counts times Philips' factor (7053,xx00)"};
        const double stated = found.uptake ? suvPerBqMl(*found.uptake) : 0;
        if (stated > 0 && one.bqMlPerCount > 0 && std::abs(scale.factor / stated - 1) > kNear) {
            scale.remark += fmt::format(", {:g} per Bq/ml; weight and dose make {:g}", scale.factor, stated);
        }
        return scale;
    }

    [[nodiscard]] Volume read(const Placement& placement, const std::vector<DicomSlice>& slices,
                              double factor) const {
        const std::size_t voxels = slices.size() * static_cast<std::size_t>(slices.front().rows) *
                                   static_cast<std::size_t>(slices.front().columns);
        requireMemory(slices.front().file, 2 * sizeof(float) * voxels);
        std::vector<float> values;
        values.reserve(voxels);
        DicomValues stored;
        for (const DicomSlice& slice : slices) {
            ask();
            for (const float value : stored.of(slice)) {
                values.push_back(static_cast<float>(factor * static_cast<double>(value)));
            }
        }
        constexpr float kAir_HU = -1000;
        Volume volume;
        volume.data = placed(std::move(values), placement, slices.front().modality == "CT" ? kAir_HU : 0.0F);
        volume.lattice = placement.lattice;
        return volume;
    }

    void ask() const {
        if (heed_) {
            heed_();
        }
    }

    std::string path_;
    bool isFolder_;
    std::function<void()> heed_;
    mutable std::string skipped_;  // told by the last look at the folder
};

}  // namespace

Format dicomFormat() {
    return {.name = "DICOM",
            .recognise = [](const FileStart& start) -> std::unique_ptr<const FormatFile> {
                if (auto labels = dicomLabelFile(start)) {
                    return labels;
                }
                std::error_code ignored;
                const bool known = start.isFolder
                                       ? !fs::exists(fs::path(start.path) / "study.json", ignored) &&
                                             !dicomFilesIn(start.path, 1).empty()
                                       : hasDicomMark(start.bytes);
                return known ? std::make_unique<DicomFile>(start) : nullptr;
            },
            .volumes = {{".dicom"},
                        {},
                        [](const Destination& to, const Volume& volume) {
                            return writeDicomSeries(to, sourceOf(volume), {});
                        }},
            .dynamicImages = {{".dicom"}, {}, [](const Destination& to, const DynamicSource& image) {
                                  return writeDicomSeries(to, image, {});
                              }}};
}

}  // namespace tof
