// SPDX-License-Identifier: Apache-2.0
// Functional groups of enhanced objects (PS3.3 C.7.6.16). Internal to the sources of recon/io/dicom that are
// DCMTK's.
#pragma once

#include "recon/io/dicom/dcmtk_object.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

/// Where attributes of one image stand: in its groups, in those that all images share, or, of a file that is
/// one image, in the data set itself.
class ImageGroups {
  public:
    /// The groups of the only image.
    explicit ImageGroups(DicomObject& object) : object_(object), own_(&object.dataset()) {}
    /// Those of one of many; `own` and `shared` may be null.
    ImageGroups(DicomObject& object, DcmItem* own, DcmItem* shared)
        : object_(object), own_(own), shared_(shared), grouped_(Grouped::Yes) {}

    /// The item that holds a group's attributes; null where there is none.
    [[nodiscard]] DcmItem* find(const DcmTagKey& group) const;
    /// Throws BadInput where there is none.
    [[nodiscard]] DcmItem& needed(const DcmTagKey& group, const char* name) const;

  private:
    enum class Grouped { No, Yes };
    DicomObject& object_;
    DcmItem* own_;
    DcmItem* shared_ = nullptr;
    Grouped grouped_ = Grouped::No;
};

/// The groups of every image of an enhanced object. Throws BadInput where their number is not that of the
/// frames, and where there are no pixels.
[[nodiscard]] std::vector<ImageGroups> imageGroups(DicomObject& object);

/// Sizes, checked.
void readSize(DicomObject& object, DicomSlice& slice);
/// Pixel spacing, thickness, directions and place.
void readPlace(DicomObject& object, const ImageGroups& groups, DicomSlice& slice);

}  // namespace tof
