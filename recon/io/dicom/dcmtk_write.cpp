// SPDX-License-Identifier: Apache-2.0
// PET Image IOD of DICOM PS3.3 A.21: one file per slice.
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmdata/dcuid.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "recon/base/error.h"
#include "recon/io/dicom/dcmtk_library.h"
#include "recon/io/dicom/dicom_slices.h"

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
    explicit Attributes(DcmDataset& dataset) : dataset_(dataset) {}
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

  private:
    void keep(const OFCondition& done) { good_ = good_ && done.good(); }

    DcmDataset& dataset_;
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
    date_ = fmt::format("{:04}{:02}{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
    time_ = fmt::format("{:02}{:02}{:02}", parts.tm_hour, parts.tm_min, std::min(parts.tm_sec, 59));
}

void DicomWriter::write(const std::string& file, int number, const float* values, int columns, int rows,
                        const std::array<double, 3>& position_mm) {
    const Quantised pixels =
        quantise(values, static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    DcmFileFormat object;
    Attributes a(*object.getDataset());
    a.text(DCM_SOPClassUID, UID_PositronEmissionTomographyImageStorage);
    a.text(DCM_SOPInstanceUID, newUid(SITE_INSTANCE_UID_ROOT));
    a.text(DCM_ImageType, "ORIGINAL\\PRIMARY");
    for (const DcmTagKey& key : {DCM_StudyDate, DCM_SeriesDate, DCM_AcquisitionDate, DCM_ContentDate}) {
        a.text(key, date_);
    }
    for (const DcmTagKey& key : {DCM_StudyTime, DCM_SeriesTime, DCM_AcquisitionTime, DCM_ContentTime}) {
        a.text(key, time_);
    }
    // Nothing is known of the patient; these must be there, and may be empty.
    for (const DcmTagKey& key :
         {DCM_PatientName, DCM_PatientID, DCM_PatientBirthDate, DCM_PatientSex, DCM_AccessionNumber,
          DCM_ReferringPhysicianName, DCM_StudyID, DCM_PatientPosition, DCM_PositionReferenceIndicator,
          DCM_CorrectedImage, DCM_CollimatorType, DCM_ActualFrameDuration}) {
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
    a.text(DCM_SeriesType, "STATIC\\IMAGE");
    a.text(DCM_DecayCorrection, "NONE");
    a.text(DCM_FrameReferenceTime, "0");
    a.text(DCM_LossyImageCompression, "00");
    a.emptySequence(DCM_RadiopharmaceuticalInformationSequence);
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
