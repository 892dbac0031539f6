// SPDX-License-Identifier: Apache-2.0
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmdata/dcuid.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "recon/base/error.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/dicom/dcmtk_library.h"
#include "recon/io/dicom/dicom_depth.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

constexpr int kMostSide = 65535;

/// A file of DICOM with its faults told by name.
class DicomObject {
  public:
    explicit DicomObject(std::string path) : path_(std::move(path)) {
        if (!readyDcmtk().empty()) {
            throw BadInput("{}: is DICOM, but {}", path_, readyDcmtk());
        }
        requireReasonableDicom(path_);
        constexpr Uint32 kLeaveInFile = 4096;  // longer elements are read when they are asked for
        const OFCondition read =
            file_.loadFile(path_.c_str(), EXS_Unknown, EGL_noChange, kLeaveInFile, ERM_fileOnly);
        if (read.bad()) {
            throw BadInput("{}: cannot be read as DICOM ({}); copy it again", path_, read.text());
        }
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] DcmDataset& dataset() { return *file_.getDataset(); }

    [[noreturn]] void fail(const char* name, const std::string& what) const {
        throw BadInput("{}: attribute '{}' {}", path_, name, what);
    }

    /// Also of elements that came without their type (UN), which DCMTK would give as numbers of bytes.
    [[nodiscard]] static std::string text(DcmItem& item, const DcmTagKey& key) {
        DcmElement* element = nullptr;
        if (item.findAndGetElement(key, element).good() && element != nullptr && element->ident() == EVR_UN) {
            Uint8* bytes = nullptr;
            const bool held = element->getUint8Array(bytes).good() && bytes != nullptr;
            const std::string raw(held ? reinterpret_cast<const char*>(bytes) : "",
                                  held ? element->getLength() : 0);
            return trimmed(raw.substr(0, raw.find('\0')));
        }
        OFString value;
        return item.findAndGetOFStringArray(key, value).good() ? trimmed(value.c_str()) : std::string();
    }
    [[nodiscard]] std::string text(const DcmTagKey& key) { return text(dataset(), key); }

    /// The numbers of a decimal string; empty where the attribute is missing or empty.
    [[nodiscard]] std::vector<double> numbers(DcmItem& item, const DcmTagKey& key, const char* name) const {
        std::vector<double> values;
        std::string rest = text(item, key);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\\'), rest.size());
            const std::optional<double> value = parseNumber(rest.substr(0, end));
            if (!value || !std::isfinite(*value)) {
                fail(name, fmt::format("is '{}', not a number; correct it", rest.substr(0, 40)));
            }
            values.push_back(*value);
            rest.erase(0, end + 1);
        }
        return values;
    }
    [[nodiscard]] double number(const DcmTagKey& key, const char* name, double fallback) {
        const std::vector<double> values = numbers(dataset(), key, name);
        return values.empty() ? fallback : values.front();
    }
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> needed(const DcmTagKey& key, const char* name) {
        const std::vector<double> values = numbers(dataset(), key, name);
        if (values.size() != N) {
            fail(name, values.empty() ? std::string("is missing; export the series again")
                                      : fmt::format("has {} numbers, not {}; correct it", values.size(), N));
        }
        std::array<double, N> result{};
        std::copy(values.begin(), values.end(), result.begin());
        return result;
    }
    [[nodiscard]] int whole(const DcmTagKey& key, const char* name, std::optional<int> fallback = {}) {
        Uint16 value = 0;
        if (dataset().findAndGetUint16(key, value).bad()) {
            if (!fallback) {
                fail(name, "is missing; export the series again");
            }
            return *fallback;
        }
        return value;
    }

  private:
    std::string path_;
    DcmFileFormat file_;
};

/// "093015.25" as seconds of the day; "0930" is allowed.
std::optional<double> secondsOfDay(const std::string& time) {
    if (time.size() < 4) {
        return {};
    }
    const auto hours = parseNumber(time.substr(0, 2));
    const auto minutes = parseNumber(time.substr(2, 2));
    const auto seconds = time.size() > 4 ? parseNumber(time.substr(4)) : 0.0;
    if (!hours || !minutes || !seconds) {
        return {};
    }
    return 3600 * *hours + 60 * *minutes + *seconds;
}

/// Days since 1970 of "20261122".
std::optional<double> daysOf(const std::string& date) {
    if (date.size() != 8 ||
        !std::all_of(date.begin(), date.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        return {};
    }
    std::tm day{};
    day.tm_year = std::stoi(date.substr(0, 4)) - 1900;
    day.tm_mon = std::stoi(date.substr(4, 2)) - 1;
    day.tm_mday = std::stoi(date.substr(6, 2));
    constexpr double kSecondsPerDay = 86400;
    return static_cast<double>(::timegm(&day)) / kSecondsPerDay;
}

constexpr double kDay_s = 86400;

std::optional<double> moment(const std::string& date, const std::string& time) {
    const auto day = daysOf(date);
    const auto seconds = secondsOfDay(time);
    return day && seconds ? std::optional(kDay_s * *day + *seconds) : std::nullopt;
}

/// When the dose was given: with its date where that is stated, else on the day of the series.
void readInjection(DcmItem& drug, const std::string& seriesDate, UptakeFacts& facts) {
    const std::string whole = DicomObject::text(drug, DCM_RadiopharmaceuticalStartDateTime);
    if (whole.size() >= 12) {
        facts.injection_s = moment(whole.substr(0, 8), whole.substr(8, whole.find_first_of("+-&") - 8));
        facts.injection = InjectionTime::Dated;
        return;
    }
    facts.injection_s = moment(seriesDate, DicomObject::text(drug, DCM_RadiopharmaceuticalStartTime));
}

/// The nuclide of the code. Names of drugs are typed by hand and stay from other scans: they fill in for a
/// half life that is not stated, and contradict none.
const Nuclide* nuclideOf(DcmItem& drug, double halfLife_s) {
    DcmItem* code = nullptr;
    if (drug.findAndGetSequenceItem(DCM_RadionuclideCodeSequence, code).good() && code != nullptr) {
        const Nuclide* const coded = nuclideIn(DicomObject::text(*code, DCM_CodeValue));
        return coded != nullptr ? coded : nuclideIn(DicomObject::text(*code, DCM_CodeMeaning));
    }
    return halfLife_s == 0 ? nuclideIn(DicomObject::text(drug, DCM_Radiopharmaceutical)) : nullptr;
}

void readUptake(DicomObject& object, DicomSlice& slice) {
    UptakeFacts& facts = slice.uptake;
    facts.units = slice.units;
    facts.correction = object.text(DCM_DecayCorrection);
    facts.weight_kg = object.number(DCM_PatientWeight, "Patient's Weight", 0);
    facts.height_m = object.number(DCM_PatientSize, "Patient's Size", 0);
    facts.sex = object.text(DCM_PatientSex);
    slice.suvType = object.text(DCM_SUVType);
    const std::string date = object.text(DCM_SeriesDate);
    slice.seriesStart_s = moment(date, object.text(DCM_SeriesTime));
    slice.acquisition_s = moment(object.text(DCM_AcquisitionDate), object.text(DCM_AcquisitionTime));
    slice.frame_s = 1e-3 * object.number(DCM_ActualFrameDuration, "Actual Frame Duration", 0);
    DcmItem* drug = nullptr;
    if (object.dataset().findAndGetSequenceItem(DCM_RadiopharmaceuticalInformationSequence, drug).bad() ||
        drug == nullptr) {
        return;
    }
    const auto first = [&](const DcmTagKey& key, const char* name) {
        const std::vector<double> values = object.numbers(*drug, key, name);
        return values.empty() ? 0.0 : values.front();
    };
    facts.dose_Bq = first(DCM_RadionuclideTotalDose, "Radionuclide Total Dose");
    facts.halfLife_s = first(DCM_RadionuclideHalfLife, "Radionuclide Half Life");
    facts.nuclide = nuclideOf(*drug, facts.halfLife_s);
    readInjection(*drug, date, facts);
}

/// Philips stores counts and says in private elements what one is: a scale to SUV and one to Bq/ml.
void readPhilips(DicomObject& object, DicomSlice& slice) {
    constexpr Uint16 kGroup = 0x7053;
    for (Uint16 block = 0x10; block <= 0xFF && slice.units == "CNTS"; ++block) {
        if (!object.text(DcmTagKey(kGroup, block)).starts_with("Philips PET")) {
            continue;
        }
        const auto of = [&](Uint16 element) {
            return DcmTagKey(kGroup, static_cast<Uint16>(block << 8U | element));
        };
        slice.suvPerCount = object.number(of(0x00), "SUV Scale Factor (7053,xx00)", 0);
        slice.bqMlPerCount = object.number(of(0x09), "Activity Concentration Scale Factor (7053,xx09)", 0);
        if (slice.suvPerCount < 0 || slice.bqMlPerCount < 0) {
            object.fail("Activity Concentration Scale Factor (7053,xx09)",
                        "or that of SUV is below zero; correct it");
        }
        break;
    }
    if (slice.bqMlPerCount > 0) {
        slice.slope *= slice.bqMlPerCount;
        slice.intercept *= slice.bqMlPerCount;
        slice.uptake.units = "BQML";
    }
}

/// PET must state a slope, CT both: in neither can 1 or 0 be meant where they are missing.
void readScale(DicomObject& object, DicomSlice& slice) {
    const bool isPet = slice.modality == "PT";
    slice.slope = object.needed<1>(DCM_RescaleSlope, "Rescale Slope").front();
    if (slice.slope == 0 || (isPet && slice.slope < 0)) {
        object.fail("Rescale Slope",
                    fmt::format("is {:g}, which leaves no values; export the series again", slice.slope));
    }
    slice.intercept = isPet ? object.number(DCM_RescaleIntercept, "Rescale Intercept", 0)
                            : object.needed<1>(DCM_RescaleIntercept, "Rescale Intercept").front();
}

/// Times and numbers by which images of one place follow each other in a dynamic or gated series.
std::vector<double> orderOf(DicomObject& object, const DicomSlice& slice) {
    return {object.number(DCM_FrameReferenceTime, "Frame Reference Time", 0),
            object.number(DCM_TemporalPositionIdentifier, "Temporal Position Identifier", 0),
            object.number(DCM_TriggerTime, "Trigger Time", 0), slice.acquisition_s.value_or(0),
            object.number(DCM_InstanceNumber, "Instance Number", 0)};
}

/// What an object is that is no image of PET or CT; empty for one.
std::string otherObject(DicomObject& object) {
    const std::string kind = object.text(DCM_SOPClassUID);
    if (kind == UID_CTImageStorage || kind == UID_PositronEmissionTomographyImageStorage) {
        return "";
    }
    if (object.dataset().tagExists(DCM_SharedFunctionalGroupsSequence)) {
        return "an enhanced object of many images in one file; export the series as single images";
    }
    if (kind.empty()) {
        return "an object that does not say of what class it is; images of PET and CT are read";
    }
    const char* const name = dcmFindNameOfUID(kind.c_str());
    return fmt::format("'{}' of modality '{}'; images of PET and CT are read",
                       name != nullptr ? name : kind.c_str(), object.text(DCM_Modality));
}

void requireSingleImage(DicomObject& object) {
    if (object.number(DCM_NumberOfFrames, "Number of Frames", 1) > 1) {
        object.fail("Number of Frames", "is above 1; export the series as single images");
    }
    if (!object.dataset().tagExists(DCM_PixelData)) {
        object.fail("Pixel Data", "is missing; the file is truncated, copy it again");
    }
}

/// How pixels are stored.
struct PixelForm {
    int allocated = 16;
    int stored = 16;
    bool isSigned = false;
};

PixelForm pixelForm(DicomObject& object) {
    PixelForm form;
    form.allocated = object.whole(DCM_BitsAllocated, "Bits Allocated");
    form.stored = object.whole(DCM_BitsStored, "Bits Stored", form.allocated);
    form.isSigned = object.whole(DCM_PixelRepresentation, "Pixel Representation", 0) == 1;
    if (form.allocated != 8 && form.allocated != 16) {
        object.fail("Bits Allocated", fmt::format("is {}; 8 and 16 are read", form.allocated));
    }
    if (form.stored < 1 || form.stored > form.allocated ||
        object.whole(DCM_HighBit, "High Bit", form.stored - 1) != form.stored - 1) {
        object.fail("Bits Stored", "does not go with Bits Allocated and High Bit; correct it");
    }
    const std::string colours = object.text(DCM_PhotometricInterpretation);
    if (object.whole(DCM_SamplesPerPixel, "Samples per Pixel", 1) != 1 ||
        (colours != "MONOCHROME2" && colours != "MONOCHROME1" && !colours.empty())) {
        object.fail("Photometric Interpretation", fmt::format("is '{}'; grey values are read", colours));
    }
    return form;
}

/// The stored bits of a pixel as a number.
double stored(unsigned word, const PixelForm& form) {
    const unsigned range = 1U << static_cast<unsigned>(form.stored);
    const unsigned bits = word & (range - 1);
    const bool negative = form.isSigned && bits >= range / 2;
    return static_cast<double>(bits) - (negative ? static_cast<double>(range) : 0.0);
}

/// `count` words of the pixel data, uncompressed.
std::vector<unsigned> pixelWords(DicomObject& object, const PixelForm& form, std::size_t count) {
    if (object.dataset().chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad()) {
        const DcmXfer syntax(object.dataset().getOriginalXfer());
        throw BadInput(
            "{}: its pixels are compressed as '{}' or damaged, which is not read; export it uncompressed",
            object.path(), syntax.getXferName());
    }
    unsigned long got = 0;
    const Uint8* bytes = nullptr;
    const Uint16* words = nullptr;
    const bool narrow = form.allocated == 8;
    const OFCondition found = narrow ? object.dataset().findAndGetUint8Array(DCM_PixelData, bytes, &got)
                                     : object.dataset().findAndGetUint16Array(DCM_PixelData, words, &got);
    if (found.bad() || got < count || (narrow ? bytes == nullptr : words == nullptr)) {
        throw BadInput("{}: attribute 'Pixel Data' has {} values of {}; the file is truncated, copy it again",
                       object.path(), found.bad() ? 0 : got, count);
    }
    std::vector<unsigned> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = narrow ? bytes[i] : words[i];
    }
    return result;
}

DicomSlice sliceOf(DicomObject& object) {
    DicomSlice slice;
    slice.file = object.path();
    slice.other = otherObject(object);
    if (!slice.other.empty()) {
        return slice;
    }
    requireSingleImage(object);
    slice.modality = object.text(DCM_SOPClassUID) == UID_CTImageStorage ? "CT" : "PT";
    slice.seriesUid = object.text(DCM_SeriesInstanceUID);
    slice.seriesNumber = object.text(DCM_SeriesNumber);
    slice.description = object.text(DCM_SeriesDescription);
    slice.patientPosition = object.text(DCM_PatientPosition);
    slice.units = object.text(DCM_Units);
    slice.rows = object.whole(DCM_Rows, "Rows");
    slice.columns = object.whole(DCM_Columns, "Columns");
    if (slice.rows < 1 || slice.columns < 1 || slice.rows > kMostSide || slice.columns > kMostSide) {
        object.fail("Rows",
                    fmt::format("and Columns are {} and {}; correct them", slice.rows, slice.columns));
    }
    const auto spacing = object.needed<2>(DCM_PixelSpacing, "Pixel Spacing");
    slice.rowSpacing_mm = spacing[0];
    slice.columnSpacing_mm = spacing[1];
    slice.thickness_mm = object.number(DCM_SliceThickness, "Slice Thickness", 0);
    slice.orientation = object.needed<6>(DCM_ImageOrientationPatient, "Image Orientation (Patient)");
    slice.position_mm = object.needed<3>(DCM_ImagePositionPatient, "Image Position (Patient)");
    slice.placesStated = object.whole(DCM_NumberOfSlices, "Number of Slices", 0);
    (void)pixelForm(object);  // refused here, before anything is told of the series
    readScale(object, slice);
    readUptake(object, slice);
    readPhilips(object, slice);
    slice.order = orderOf(object, slice);
    return slice;
}

}  // namespace

DicomSlice readDicomSlice(const std::string& path) {
    DicomObject object(path);
    return sliceOf(object);
}

std::vector<float> readDicomValues(const DicomSlice& slice) {
    DicomObject object(slice.file);
    const PixelForm form = pixelForm(object);
    const std::size_t count = static_cast<std::size_t>(slice.columns) * static_cast<std::size_t>(slice.rows);
    std::vector<float> values;
    values.reserve(count);
    for (const unsigned word : pixelWords(object, form, count)) {
        values.push_back(static_cast<float>(stored(word, form) * slice.slope + slice.intercept));
    }
    return values;
}

}  // namespace tof
