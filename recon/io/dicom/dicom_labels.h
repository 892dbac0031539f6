// SPDX-License-Identifier: Apache-2.0
// Segmentations and structure sets of DICOM, without DCMTK's types. Internal to recon/io/dicom.
#pragma once

#include <string>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format/label_names.h"

namespace tof {

/// One image of a segmentation: where its segment lies in one slice.
struct DicomMask {
    DicomSlice slice;  ///< values from 0.5 on are inside
    int label = 0;
};

/// Segmentation (PS3.3 A.51): one bit, or a probability or share in 8 bits, for every voxel and segment.
struct DicomSegments {
    std::vector<LabelName> names;
    std::vector<DicomMask> masks;
    double between_mm = 0;  ///< from slice to slice; 0: not stated
};

/// A closed line in one plane, in mm, left-posterior-superior.
struct DicomContour {
    int label = 0;
    std::vector<Vec3> points;
};

/// RT Structure Set (PS3.3 A.19).
struct DicomContours {
    std::vector<LabelName> names;
    std::vector<DicomContour> contours;
    std::string seriesUid;    ///< series of images that they were drawn on; may be empty
    std::size_t leftOut = 0;  ///< points and open lines
};

/// Throws BadInput naming file and attribute.
[[nodiscard]] DicomSegments readDicomSegments(const std::string& path);
/// Throws BadInput naming file and attribute.
[[nodiscard]] DicomContours readDicomContours(const std::string& path);

}  // namespace tof
