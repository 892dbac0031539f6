// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_groups.h"
#include "recon/io/dicom/dcmtk_pixels.h"
#include "recon/io/dicom/dicom_labels.h"

namespace tof {

namespace {

constexpr double kMostNumber = 1e9;

int numberOf(DicomObject& object, DcmItem& item, const DcmTagKey& key, const char* name) {
    const double value = object.needed<1>(item, key, name).front();
    if (value < 0 || value > kMostNumber || value != std::floor(value)) {
        object.fail(name, fmt::format("is {:g}, no number of a label; correct it", value));
    }
    return static_cast<int>(value);
}

std::vector<DcmItem*> itemsOf(DcmItem& item, const DcmTagKey& key) {
    DcmSequenceOfItems* sequence = nullptr;
    std::vector<DcmItem*> items;
    if (item.findAndGetSequence(key, sequence).bad() || sequence == nullptr) {
        return items;
    }
    for (DcmObject* one = sequence->nextInContainer(nullptr); one != nullptr;
         one = sequence->nextInContainer(one)) {
        if (auto* const held = dynamic_cast<DcmItem*>(one)) {
            items.push_back(held);
        }
    }
    return items;
}

/// Values from half of the largest one on are inside.
double slopeOf(DicomObject& object) {
    const std::string type = object.text(DCM_SegmentationType);
    if (type == "BINARY") {
        return 1;
    }
    if (type != "FRACTIONAL") {
        object.fail("Segmentation Type", fmt::format("is '{}'; BINARY and FRACTIONAL are read", type));
    }
    const int most = object.whole(DCM_MaximumFractionalValue, "Maximum Fractional Value");
    if (most < 1) {
        object.fail("Maximum Fractional Value", "is 0; correct it");
    }
    return 1.0 / most;
}

void readMask(DicomObject& object, const ImageGroups& groups, DicomSegments& segments, DicomMask& mask) {
    readPlace(object, groups, mask.slice);
    DcmItem& segment = groups.needed(DCM_SegmentIdentificationSequence, "Segment Identification Sequence");
    mask.label = numberOf(object, segment, DCM_ReferencedSegmentNumber, "Referenced Segment Number");
    const bool known = std::any_of(segments.names.begin(), segments.names.end(),
                                   [&](const LabelName& one) { return one.number == mask.label; });
    if (!known || mask.label == 0) {
        object.fail("Referenced Segment Number",
                    fmt::format("of frame {} is {}, which 'Segment Sequence' does not have; export it again",
                                mask.slice.frame, mask.label));
    }
    constexpr int kMostLabels = 32767;  // label maps are written as 16-bit numbers
    if (mask.label > kMostLabels) {
        object.fail("Referenced Segment Number",
                    fmt::format("is {}, and label maps end at {}; number the segments anew", mask.label,
                                kMostLabels));
    }
    const std::vector<double> between =
        object.numbers(groups.needed(DCM_PixelMeasuresSequence, "Pixel Measures Sequence"),
                       DCM_SpacingBetweenSlices, "Spacing Between Slices");
    segments.between_mm = between.empty() ? segments.between_mm : between.front();
}

std::string colourOf(DicomObject& object, DcmItem& item) {
    const std::vector<double> rgb = object.numbers(item, DCM_ROIDisplayColor, "ROI Display Color");
    const bool good = rgb.size() == 3 &&
                      std::all_of(rgb.begin(), rgb.end(), [](double one) { return one >= 0 && one <= 255; });
    return good ? fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(rgb[0]), static_cast<int>(rgb[1]),
                              static_cast<int>(rgb[2]))
                : "";
}

/// The series of images that the first reference of a structure set names.
std::string referencedSeries(DicomObject& object) {
    DcmItem* item = &object.dataset();
    for (const DcmTagKey& key : {DCM_ReferencedFrameOfReferenceSequence, DCM_RTReferencedStudySequence,
                                 DCM_RTReferencedSeriesSequence}) {
        const std::vector<DcmItem*> items = itemsOf(*item, key);
        if (items.empty()) {
            return "";
        }
        item = items.front();
    }
    return DicomObject::text(*item, DCM_SeriesInstanceUID);
}

std::vector<Vec3> pointsOf(DicomObject& object, DcmItem& contour) {
    const std::vector<double> data = object.numbers(contour, DCM_ContourData, "Contour Data");
    const double stated =
        object.needed<1>(contour, DCM_NumberOfContourPoints, "Number of Contour Points").front();
    if (data.size() % 3 != 0 || static_cast<double>(data.size() / 3) != stated) {
        object.fail("Contour Data", fmt::format("has {} numbers, not three for each of {:g} points; export "
                                                "it again",
                                                data.size(), stated));
    }
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < data.size(); i += 3) {
        points.push_back({data[i], data[i + 1], data[i + 2]});
    }
    return points;
}

}  // namespace

DicomSegments readDicomSegments(const std::string& path) {
    DicomObject object(path);
    DicomSegments segments;
    DicomSlice head;
    head.file = path;
    head.slope = slopeOf(object);
    readSize(object, head);
    const PixelForm form = pixelForm(object);
    if ((object.text(DCM_SegmentationType) == "BINARY") != (form.allocated == 1)) {
        object.fail("Bits Allocated", fmt::format("is {}, which does not go with 'Segmentation Type' '{}'",
                                                  form.allocated, object.text(DCM_SegmentationType)));
    }
    for (DcmItem* const item : itemsOf(object.dataset(), DCM_SegmentSequence)) {
        segments.names.push_back({numberOf(object, *item, DCM_SegmentNumber, "Segment Number"),
                                  DicomObject::text(*item, DCM_SegmentLabel)});
    }
    const std::vector<ImageGroups> groups = imageGroups(object);
    head.framesStated = static_cast<int>(groups.size());
    for (const ImageGroups& one : groups) {
        DicomMask& mask = segments.masks.emplace_back();
        mask.slice = head;
        mask.slice.frame = static_cast<int>(segments.masks.size());
        readMask(object, one, segments, mask);
    }
    return segments;
}

DicomContours readDicomContours(const std::string& path) {
    DicomObject object(path);
    DicomContours found;
    found.seriesUid = referencedSeries(object);
    for (DcmItem* const item : itemsOf(object.dataset(), DCM_StructureSetROISequence)) {
        found.names.push_back(
            {numberOf(object, *item, DCM_ROINumber, "ROI Number"), DicomObject::text(*item, DCM_ROIName)});
    }
    for (DcmItem* const roi : itemsOf(object.dataset(), DCM_ROIContourSequence)) {
        const int label = numberOf(object, *roi, DCM_ReferencedROINumber, "Referenced ROI Number");
        const auto name = std::find_if(found.names.begin(), found.names.end(),
                                       [&](const LabelName& one) { return one.number == label; });
        if (name == found.names.end()) {
            object.fail("Referenced ROI Number",
                        fmt::format("is {}, which 'Structure Set ROI Sequence' does not have; export it "
                                    "again",
                                    label));
        }
        name->colour = colourOf(object, *roi);
        for (DcmItem* const contour : itemsOf(*roi, DCM_ContourSequence)) {
            const std::string type = DicomObject::text(*contour, DCM_ContourGeometricType);
            if (!type.starts_with("CLOSED")) {
                ++found.leftOut;
                continue;
            }
            found.contours.push_back({label, pointsOf(object, *contour)});
        }
    }
    return found;
}

}  // namespace tof
