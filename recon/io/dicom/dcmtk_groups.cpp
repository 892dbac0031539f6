// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_groups.h"

namespace tof {

DcmItem* ImageGroups::find(const DcmTagKey& group) const {
    if (grouped_ == Grouped::No) {
        return own_;
    }
    for (DcmItem* const item : {own_, shared_}) {
        DcmItem* found = nullptr;
        if (item != nullptr && item->findAndGetSequenceItem(group, found).good() && found != nullptr) {
            return found;
        }
    }
    return nullptr;
}

DcmItem& ImageGroups::needed(const DcmTagKey& group, const char* name) const {
    DcmItem* const found = find(group);
    if (found == nullptr) {
        object_.fail(name, "is missing; export the series again");
    }
    return *found;
}

/// Uncompressed pixels are as many as frames, rows and columns make, but for a byte that makes them even.
void requireLength(DicomObject& object, unsigned long frames) {
    DcmElement* pixels = nullptr;
    if (object.dataset().findAndGetElement(DCM_PixelData, pixels).bad() || pixels == nullptr ||
        object.hasFragments()) {
        return;
    }
    constexpr std::uint64_t kBits = 8;
    const auto count = [&](const DcmTagKey& key, const char* name) {
        return static_cast<std::uint64_t>(object.whole(key, name));
    };
    const std::uint64_t bits = frames * count(DCM_Rows, "Rows") * count(DCM_Columns, "Columns") *
                               count(DCM_BitsAllocated, "Bits Allocated");
    const std::uint64_t bytes = (bits + kBits - 1) / kBits;
    if (pixels->getLength() < bytes || pixels->getLength() > bytes + bytes % 2) {
        object.fail("Pixel Data",
                    fmt::format("has {} bytes, but frames, rows and columns make {}; export it again",
                                pixels->getLength(), bytes));
    }
}

std::vector<ImageGroups> imageGroups(DicomObject& object) {
    const double stated = object.number(DCM_NumberOfFrames, "Number of Frames", 1);
    DcmSequenceOfItems* each = nullptr;
    const bool has = object.dataset().findAndGetSequence(DCM_PerFrameFunctionalGroupsSequence, each).good() &&
                     each != nullptr;
    const unsigned long frames = has ? each->card() : 0;
    if (frames == 0 || static_cast<double>(frames) != stated) {
        object.fail("Number of Frames",
                    fmt::format("is {:g}, but 'Per-Frame Functional Groups Sequence' has {}; export the "
                                "series again",
                                stated, frames));
    }
    if (!object.dataset().tagExists(DCM_PixelData)) {
        object.fail("Pixel Data", "is missing; the file is truncated, copy it again");
    }
    requireLength(object, frames);
    DcmItem* shared = nullptr;
    object.dataset().findAndGetSequenceItem(DCM_SharedFunctionalGroupsSequence, shared);
    std::vector<ImageGroups> groups;
    groups.reserve(frames);
    // Walking the list is quick; asking for item after item is not.
    for (DcmObject* one = each->nextInContainer(nullptr); one != nullptr; one = each->nextInContainer(one)) {
        groups.emplace_back(object, dynamic_cast<DcmItem*>(one), shared);
    }
    return groups;
}

void readSize(DicomObject& object, DicomSlice& slice) {
    constexpr int kMostSide = 65535;
    slice.rows = object.whole(DCM_Rows, "Rows");
    slice.columns = object.whole(DCM_Columns, "Columns");
    if (slice.rows < 1 || slice.columns < 1 || slice.rows > kMostSide || slice.columns > kMostSide) {
        object.fail("Rows",
                    fmt::format("and Columns are {} and {}; correct them", slice.rows, slice.columns));
    }
}

void readPlace(DicomObject& object, const ImageGroups& groups, DicomSlice& slice) {
    DcmItem& measures = groups.needed(DCM_PixelMeasuresSequence, "Pixel Measures Sequence");
    DcmItem& plane = groups.needed(DCM_PlaneOrientationSequence, "Plane Orientation Sequence");
    DcmItem& place = groups.needed(DCM_PlanePositionSequence, "Plane Position Sequence");
    const auto spacing = object.needed<2>(measures, DCM_PixelSpacing, "Pixel Spacing");
    slice.rowSpacing_mm = spacing[0];
    slice.columnSpacing_mm = spacing[1];
    const std::vector<double> thickness = object.numbers(measures, DCM_SliceThickness, "Slice Thickness");
    slice.thickness_mm = thickness.empty() ? 0 : thickness.front();
    slice.orientation = object.needed<6>(plane, DCM_ImageOrientationPatient, "Image Orientation (Patient)");
    slice.position_mm = object.needed<3>(place, DCM_ImagePositionPatient, "Image Position (Patient)");
}

}  // namespace tof
