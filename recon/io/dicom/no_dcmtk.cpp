// SPDX-License-Identifier: Apache-2.0
// In place of dcmtk_*.cpp in a build without DCMTK (TOFSCOPE_DICOM in recon/CMakeLists.txt).
#include "recon/base/error.h"
#include "recon/io/dicom/dicom_labels.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

std::string whyNoDicom() {
    return "this build reads and writes no DICOM: it was made without DCMTK";
}

std::vector<DicomSlice> readDicomSlices(const std::string& path) {
    throw BadInput("{}: {}; convert it to NIfTI, or use a build with it", path, whyNoDicom());
}

struct DicomValues::Open {};
DicomValues::DicomValues() = default;
DicomValues::~DicomValues() = default;
std::vector<float> DicomValues::of(const DicomSlice& slice) {
    throw BadInput("{}: {}; convert it to NIfTI, or use a build with it", slice.file, whyNoDicom());
}

DicomSegments readDicomSegments(const std::string& path) {
    throw BadInput("{}: {}; use a build with it", path, whyNoDicom());
}

DicomContours readDicomContours(const std::string& path) {
    throw BadInput("{}: {}; use a build with it", path, whyNoDicom());
}

DicomWriter::DicomWriter(const DicomSeries& series, std::string shownPath)
    : series_(series), path_(std::move(shownPath)) {
    throw CannotWrite("{}: {}; write .nii", path_, whyNoDicom());
}

void DicomWriter::write(const std::string& /*file*/, const DicomImagePlace& /*place*/,
                        const float* /*values*/, int /*columns*/, int /*rows*/) {}

}  // namespace tof
