// SPDX-License-Identifier: Apache-2.0
// PET Image IOD of DICOM PS3.3 A.21: one file per slice.
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmdata/dcuid.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <new>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/dicom/dcmtk_library.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/physics/nuclide_code.h"

namespace tof {

namespace {

std::string newUid(const char* root) {
    std::array<char, 128> uid{};
    return dcmGenerateUniqueIdentifier(uid.data(), root);
}

/// A decimal string: at most 16 characters.
std::string decimal(double value) {
    for (const int digits : {10, 9, 8}) {
        const std::string text = fmt::format("{:.{}g}", value, digits);
        if (text.size() <= 16) {
            return text;
        }
    }
    return fmt::format("{:.6e}", value);
}

struct Quantised {
    std::string slope = "1";
    std::vector<Uint16> words;
    int largest = 0;
};

/// The largest value takes the largest number of 15 bits; the slope is used as it is written.
Quantised quantise(const float* values, std::size_t count) {
    constexpr double kMost = 32767;
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(values[i])));
    }
    Quantised result;
    if (largest > 0) {
        result.slope = fmt::format("{:.8e}", largest / kMost);
    }
    const double slope = std::stod(result.slope);
    result.words.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double stored = std::clamp(std::round(static_cast<double>(values[i]) / slope), -kMost, kMost);
        result.words[i] = static_cast<Uint16>(static_cast<std::int16_t>(stored));
        result.largest = std::max(result.largest, static_cast<int>(stored));
    }
    return result;
}

/// Puts values into a data set and remembers whether all of them could be.
class Attributes {
  public:
    explicit Attributes(DcmItem& dataset) : dataset_(dataset) {}
    void text(const DcmTagKey& key, const std::string& value) {
        keep(dataset_.putAndInsertString(DcmTag(key), value.c_str()));
    }
    void whole(const DcmTagKey& key, int value) {
        keep(dataset_.putAndInsertUint16(DcmTag(key), static_cast<Uint16>(value)));
    }
    void pixels(const std::vector<Uint16>& words) {
        keep(dataset_.putAndInsertUint16Array(DcmTag(DCM_PixelData, EVR_OW), words.data(),
                                              static_cast<unsigned long>(words.size())));
    }
    void emptySequence(const DcmTagKey& key) { keep(dataset_.insertEmptyElement(DcmTag(key))); }
    [[nodiscard]] bool good() const { return good_; }
    void keep(const OFCondition& done) { good_ = good_ && done.good(); }

  private:
    DcmItem& dataset_;
    bool good_ = true;
};

/// Whether a file is on the disk and ends with the words, as pixels are the last of an image.
bool endsWith(const std::string& file, const std::vector<Uint16>& words) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const auto bytes = static_cast<off_t>(words.size() * sizeof(Uint16));
    std::vector<Uint16> found(words.size());
    const bool whole =
        ::fsync(descriptor) == 0 && ::pread(descriptor, found.data(), static_cast<std::size_t>(bytes),
                                            ::lseek(descriptor, 0, SEEK_END) - bytes) == bytes;
    ::close(descriptor);
    return whole && found == words;
}

/// Date and time of a moment, "20261122" and "093015.250000".
struct Clock {
    explicit Clock(double since1970_s) {
        constexpr double kMicro = 1e6;
        const auto all = static_cast<std::int64_t>(std::llround(since1970_s * kMicro));
        const auto micro = all % 1000000;
        const std::time_t whole = static_cast<std::time_t>((all - micro) / 1000000);
        std::tm parts{};
        ::gmtime_r(&whole, &parts);
        date = fmt::format("{:04}{:02}{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
        time = fmt::format("{:02}{:02}{:02}.{:06}", parts.tm_hour, parts.tm_min, parts.tm_sec, micro);
    }
    std::string date;
    std::string time;
};

/// The moment within a frame at which the activity is its mean (PS3.3 C.8.9.4.1.5), s after its begin.
double meanMoment(const TimeFrame& frame, double halfLife_s) {
    const double half = 0.5 * frame.duration_s;
    return halfLife_s > 0 && half > 0 ? halfLife_s * std::log2(startOverMean(frame.duration_s, halfLife_s))
                                      : half;
}

/// The frame's times, and how it was corrected for decay.
void writeTimes(Attributes& a, const DicomScan& scan, int frame, double start_s) {
    constexpr double kMs = 1000;
    const TimeFrame& own = scan.frames.at(static_cast<std::size_t>(frame));
    const double begin_s = own.start_s - scan.frames.front().start_s;
    const Clock start(start_s);
    const Clock begin(start_s + begin_s);
    for (const DcmTagKey& key : {DCM_StudyDate, DCM_SeriesDate, DCM_ContentDate}) {
        a.text(key, start.date);
    }
    for (const DcmTagKey& key : {DCM_StudyTime, DCM_SeriesTime, DCM_ContentTime}) {
        a.text(key, start.time);
    }
    a.text(DCM_AcquisitionDate, begin.date);
    a.text(DCM_AcquisitionTime, begin.time);
    a.text(DCM_ActualFrameDuration,
           own.duration_s > 0 ? fmt::format("{}", std::llround(kMs * own.duration_s)) : "");
    a.text(DCM_FrameReferenceTime, decimal(kMs * (begin_s + meanMoment(own, scan.halfLife_s))));
    const bool isDynamic = scan.frames.size() > 1;
    a.text(DCM_SeriesType, isDynamic ? "DYNAMIC\\IMAGE" : "STATIC\\IMAGE");
    if (isDynamic) {
        a.whole(DCM_NumberOfTimeSlices, static_cast<int>(scan.frames.size()));
    }
    a.text(DCM_DecayCorrection, scan.correction);
    a.text(DCM_CorrectedImage, scan.correction == "NONE" ? "" : "DECY");
    if (scan.correction != "NONE") {
        const double from_s = scan.correction == "START" ? scan.frames.front().start_s : *scan.injection_s;
        a.text(DCM_DecayFactor, decimal(decayFactor(own, scan.halfLife_s, from_s)));
    }
}

void writeNuclide(Attributes& a, DcmItem& drug, std::string_view name) {
    const auto codes = nuclideCodes();
    const auto code =
        std::find_if(codes.begin(), codes.end(), [&](const NuclideCode& one) { return one.name == name; });
    DcmItem* item = nullptr;
    a.keep(drug.findOrCreateSequenceItem(DCM_RadionuclideCodeSequence, item));
    if (item != nullptr && code != codes.end()) {
        Attributes coded(*item);
        coded.text(DCM_CodeValue, code->code);
        coded.text(DCM_CodingSchemeDesignator, "SRT");
        coded.text(DCM_CodeMeaning, code->meaning);
        a.keep(coded.good() ? EC_Normal : EC_InternalError);
    }
}

/// Dose, nuclide and body, as far as they are known.
void writeDose(Attributes& a, DcmDataset& dataset, const DicomScan& scan, double start_s) {
    const Sex sex = scan.uptake ? scan.uptake->sex : Sex::Unknown;
    a.text(DCM_PatientSex, sex == Sex::Unknown ? "" : sex == Sex::Female ? "F" : "M");
    if (scan.uptake) {
        a.text(DCM_PatientWeight, decimal(scan.uptake->weight_kg));
        if (scan.uptake->height_m > 0) {
            a.text(DCM_PatientSize, decimal(scan.uptake->height_m));
        }
    }
    if (scan.halfLife_s == 0) {
        a.emptySequence(DCM_RadiopharmaceuticalInformationSequence);
        return;
    }
    DcmItem* drug = nullptr;
    a.keep(dataset.findOrCreateSequenceItem(DCM_RadiopharmaceuticalInformationSequence, drug));
    if (drug == nullptr) {
        return;
    }
    Attributes of(*drug);
    of.text(DCM_RadionuclideHalfLife, decimal(scan.halfLife_s));
    if (scan.uptake) {
        of.text(DCM_RadionuclideTotalDose, decimal(scan.uptake->dose_Bq));
    }
    if (scan.injection_s) {
        const Clock given(start_s + *scan.injection_s - scan.frames.front().start_s);
        of.text(DCM_RadiopharmaceuticalStartTime, given.time);
        of.text(DCM_RadiopharmaceuticalStartDateTime, given.date + given.time);
    }
    if (scan.nuclide != nullptr) {
        of.text(DCM_RadionuclidePositronFraction, decimal(scan.nuclide->branching));
        writeNuclide(of, *drug, scan.nuclide->name);
    }
    a.keep(of.good() ? EC_Normal : EC_InternalError);
}

}  // namespace

DicomWriter::DicomWriter(const DicomSeries& series, std::string shownPath)
    : series_(series), path_(std::move(shownPath)) {
    if (!readyDcmtk().empty()) {
        throw CannotWrite("{}: {}", path_, readyDcmtk());
    }
    study_ = newUid(SITE_STUDY_UID_ROOT);
    seriesUid_ = newUid(SITE_SERIES_UID_ROOT);
    frame_ = newUid(SITE_INSTANCE_UID_ROOT);
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::localtime_r(&now, &parts);
    start_s_ = static_cast<double>(::timegm(&parts));
}

void DicomWriter::write(const std::string& file, const DicomImagePlace& place, const float* values,
                        int columns, int rows) {
    errno = 0;
    const int number = place.frame * series_.slices + place.slice + 1;
    const std::array<double, 3>& position_mm = place.position_mm;
    const Quantised pixels =
        quantise(values, static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    DcmFileFormat object;
    Attributes a(*object.getDataset());
    a.text(DCM_SOPClassUID, UID_PositronEmissionTomographyImageStorage);
    a.text(DCM_SOPInstanceUID, newUid(SITE_INSTANCE_UID_ROOT));
    a.text(DCM_ImageType, "ORIGINAL\\PRIMARY");
    writeTimes(a, series_.scan, place.frame, start_s_);
    writeDose(a, *object.getDataset(), series_.scan, start_s_);
    // Nothing is known of the patient; these must be there, and may be empty.
    for (const DcmTagKey& key : {DCM_PatientName, DCM_PatientID, DCM_PatientBirthDate, DCM_AccessionNumber,
                                 DCM_ReferringPhysicianName, DCM_StudyID, DCM_PatientPosition,
                                 DCM_PositionReferenceIndicator, DCM_CollimatorType}) {
        a.text(key, "");
    }
    a.text(DCM_Modality, "PT");
    a.text(DCM_Manufacturer, "Tofscope");
    a.text(DCM_SeriesDescription, series_.description);
    a.text(DCM_StudyInstanceUID, study_);
    a.text(DCM_SeriesInstanceUID, seriesUid_);
    a.text(DCM_SeriesNumber, "1");
    a.text(DCM_InstanceNumber, std::to_string(number));
    a.text(DCM_FrameOfReferenceUID, frame_);
    a.text(DCM_ImagePositionPatient, fmt::format("{}\\{}\\{}", decimal(position_mm[0]),
                                                 decimal(position_mm[1]), decimal(position_mm[2])));
    a.text(DCM_ImageOrientationPatient, "1\\0\\0\\0\\1\\0");
    a.text(DCM_SliceLocation, decimal(position_mm[2]));
    a.text(DCM_SliceThickness, decimal(series_.spacing_mm[2]));
    a.text(DCM_PixelSpacing,
           fmt::format("{}\\{}", decimal(series_.spacing_mm[1]), decimal(series_.spacing_mm[0])));
    a.text(DCM_Units, series_.units);
    a.text(DCM_CountsSource, "EMISSION");
    a.text(DCM_LossyImageCompression, "00");
    a.whole(DCM_NumberOfSlices, series_.slices);
    a.whole(DCM_ImageIndex, number);
    a.whole(DCM_SamplesPerPixel, 1);
    a.text(DCM_PhotometricInterpretation, "MONOCHROME2");
    a.whole(DCM_Rows, rows);
    a.whole(DCM_Columns, columns);
    a.whole(DCM_BitsAllocated, 16);
    a.whole(DCM_BitsStored, 16);
    a.whole(DCM_HighBit, 15);
    a.whole(DCM_PixelRepresentation, 1);
    a.text(DCM_RescaleIntercept, "0");
    a.text(DCM_RescaleSlope, pixels.slope);
    const double top = std::max(pixels.largest, 1) * std::stod(pixels.slope);
    a.text(DCM_WindowCenter, decimal(0.5 * top));
    a.text(DCM_WindowWidth, decimal(top));
    a.pixels(pixels.words);
    const OFCondition saved =
        a.good() ? object.saveFile(file.c_str(), EXS_LittleEndianExplicit) : OFCondition(EC_InternalError);
    // The library calls a tag that it had no memory for an error of its own.
    if (saved.bad() && errno == ENOMEM) {
        throw std::bad_alloc();
    }
    if (saved.bad()) {
        throw CannotWrite("{}: image {} cannot be written ({}); check the folder and the space left", path_,
                          number, saved.text());
    }
    // The library does not look whether its last bytes have come to the disk.
    if (!endsWith(file, pixels.words)) {
        throw CannotWrite("{}: image {} is not whole on the disk; check the space left", path_, number);
    }
}

}  // namespace tof
