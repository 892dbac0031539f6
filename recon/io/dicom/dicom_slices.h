// SPDX-License-Identifier: Apache-2.0
// What is behind DCMTK: slices of DICOM files, without its types. Internal to recon/io/dicom.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/data/time_frame.h"
#include "recon/physics/uptake_facts.h"

namespace tof {

/// One image of a series, its values left in the file. Lengths in mm, patient axes (left-posterior-superior).
struct DicomSlice {
    std::string file;
    int frame = 0;         ///< which one in a file of several, from 1; 0: the file is one image
    int framesStated = 1;  ///< how many the file holds
    std::string other;     ///< what it is instead of an image of PET or CT; nothing below is then set
    std::string seriesUid;
    std::string seriesNumber;
    std::string description;
    std::string modality;         ///< PT or CT
    std::string patientPosition;  ///< HFS, ...; may be empty
    std::string patient;  ///< name and number as the file has them; names are for whoever may see them
    std::string visit;    ///< instance UID of the study, DICOM's word for a visit
    std::string units;    ///< units of PET: BQML, CNTS, ...
    std::string suvType;  ///< BW, LBM, BSA, IBW or empty
    int columns = 0;
    int rows = 0;
    double columnSpacing_mm = 0;  ///< between columns, along a row
    double rowSpacing_mm = 0;
    double thickness_mm = 0;              ///< 0: not stated
    int placesStated = 0;                 ///< images at different places in the series; 0: not stated
    std::array<double, 6> orientation{};  ///< along a row, then down a column
    std::array<double, 3> position_mm{};  ///< position of the centre of the first pixel
    double slope = 1;
    double intercept = 0;
    std::vector<double> order;  ///< times and numbers that order images at one place, most telling first
    UptakeFacts uptake;         ///< as in the file, Philips' counts apart: see bqMlPerCount
    // Philips' private factors of counts; 0: none.
    double bqMlPerCount = 0;              ///< slope and intercept hold it already, and uptake.units is BQML
    double suvPerCount = 0;               ///< g/ml, by body weight
    std::optional<double> seriesStart_s;  ///< since 1970
    std::optional<double> acquisition_s;
    double frame_s = 0;                   ///< how long it was acquired; 0: not stated
    std::optional<double> correctedTo_s;  ///< the moment that decay is corrected to, where it is stated
};

/// Why this build cannot do DICOM; empty when it can.
[[nodiscard]] std::string whyNoDicom();

/// What the headers say of the images of a file, of which an enhanced object holds many. Throws BadInput for
/// damaged files and images that cannot be read.
[[nodiscard]] std::vector<DicomSlice> readDicomSlices(const std::string& path);

/// Values of slices. The last file stays open, which is quick for slices in the order of their files.
class DicomValues {
  public:
    DicomValues();
    ~DicomValues();
    DicomValues(const DicomValues&) = delete;
    DicomValues& operator=(const DicomValues&) = delete;
    /// columns x rows values, stored x slope + intercept, row by row. Throws BadInput.
    [[nodiscard]] std::vector<float> of(const DicomSlice& slice);

  private:
    struct Open;
    [[nodiscard]] std::vector<float> ofBits(const DicomSlice& slice, std::size_t count);
    std::unique_ptr<Open> open_;
};

/// What a written series says of its scan. Times in s on the frames' own axis.
struct DicomScan {
    std::vector<TimeFrame> frames{};  ///< one at least; a duration of 0 is not known
    std::string correction = "NONE";  ///< NONE, START (of the first frame) or ADMIN (injection)
    double halfLife_s = 0;            ///< 0: not known, which NONE alone allows
    const Nuclide* nuclide = nullptr;
    std::optional<double> injection_s{};
    std::optional<Uptake> uptake{};  ///< dose and body
};

/// What slices of a written series have in common.
struct DicomSeries {
    std::string units;  ///< DICOM's term: BQML, ...
    std::string description;
    int slices = 0;
    std::array<double, 3> spacing_mm{};
    DicomScan scan{};
};

/// Where an image of a series stands.
struct DicomImagePlace {
    int frame = 0;  ///< from 0
    int slice = 0;  ///< from 0
    std::array<double, 3> position_mm{};
};

/// Writes PET images of one new study and series, which begins now. Not thread-safe.
class DicomWriter {
  public:
    /// Throws CannotWrite when this build or machine cannot.
    DicomWriter(const DicomSeries& series, std::string shownPath);
    /// Image of the series: columns x rows values, axes x and y. Stored as signed 16 bit with a slope of its
    /// own. Throws CannotWrite.
    void write(const std::string& file, const DicomImagePlace& place, const float* values, int columns,
               int rows);

  private:
    DicomSeries series_;
    std::string path_;
    std::string study_;
    std::string seriesUid_;
    std::string frame_;
    /// When the first frame begins, s since 1970, local time; a build without DCMTK has no use for it.
    [[maybe_unused]] double start_s_ = 0;
};

}  // namespace tof
