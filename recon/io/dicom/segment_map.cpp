// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/segment_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "recon/base/error.h"
#include "recon/io/bytes/placement.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/dicom/dicom_labels.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

Vec3 threeOf(const double* three) {
    return {three[0], three[1], three[2]};
}

/// Places of the slices, evenly spaced, of which some may have no mask.
struct MaskPlaces {
    Vec3 normal;
    double first_mm = 0;  ///< along the normal
    double step_mm = 0;
    double smallest_mm = 0;  ///< between two slices that have a mask; 0: there is one
    int count = 0;

    [[nodiscard]] double placeOf(const DicomMask& mask) const {
        return (dot(normal, threeOf(mask.slice.position_mm.data())) - first_mm) / step_mm;
    }
};

void requireOneGrid(const std::string& path, const std::vector<DicomMask>& masks) {
    constexpr double kNear = 1e-4;
    const DicomSlice& first = masks.front().slice;
    for (const DicomMask& mask : masks) {
        const DicomSlice& one = mask.slice;
        bool same = std::abs(one.rowSpacing_mm - first.rowSpacing_mm) <= kNear * first.rowSpacing_mm &&
                    std::abs(one.columnSpacing_mm - first.columnSpacing_mm) <= kNear * first.columnSpacing_mm;
        for (std::size_t i = 0; i < one.orientation.size(); ++i) {
            same = same && std::abs(one.orientation[i] - first.orientation[i]) <= kNear;
        }
        if (!same) {
            throw BadInput(
                "{}: attributes 'Pixel Spacing' and 'Image Orientation (Patient)' of frame {} are not those "
                "of the first; export it again",
                path, one.frame);
        }
    }
}

MaskPlaces placesOf(const std::string& path, const DicomSegments& segments) {
    constexpr double kSame_mm = 0.01;
    const DicomSlice& first = segments.masks.front().slice;
    MaskPlaces places;
    places.normal =
        normalized(cross(threeOf(first.orientation.data()), threeOf(first.orientation.data() + 3)));
    std::vector<double> along;
    for (const DicomMask& mask : segments.masks) {
        along.push_back(dot(places.normal, threeOf(mask.slice.position_mm.data())));
    }
    std::sort(along.begin(), along.end());
    double smallest = 0;
    for (std::size_t i = 1; i < along.size(); ++i) {
        const double gap = along[i] - along[i - 1];
        smallest = gap > kSame_mm && (smallest == 0 || gap < smallest) ? gap : smallest;
    }
    constexpr double kClose = 0.9;
    if (smallest > 0 && segments.between_mm > 0 && smallest < kClose * segments.between_mm) {
        throw BadInput(
            "{}: attribute 'Spacing Between Slices' is {:g} mm, but frames lie {:g} mm apart; correct it",
            path, segments.between_mm, smallest);
    }
    places.first_mm = along.front();
    places.smallest_mm = smallest;
    places.step_mm = segments.between_mm > 0 ? segments.between_mm
                     : smallest > 0          ? smallest
                                             : first.thickness_mm;
    constexpr double kMost = 65535;
    const double count = places.step_mm > 0 ? (along.back() - along.front()) / places.step_mm + 1 : 0;
    if (!(count >= 1 && count < kMost)) {
        throw BadInput(
            "{}: attribute 'Spacing Between Slices' or 'Slice Thickness' is missing or does not go with the "
            "places of the frames; correct it",
            path);
    }
    places.count = static_cast<int>(std::lround(count));
    return places;
}

/// Which slice a mask lies in. Throws BadInput for one between two, or beside the line of the others.
int sliceOf(const std::string& path, const MaskPlaces& places, const DicomMask& mask,
            const DicomMask& first) {
    constexpr double kOff = 0.1;
    const double place = places.placeOf(mask);
    const Vec3 shift = threeOf(mask.slice.position_mm.data()) - threeOf(first.slice.position_mm.data());
    const double beside = norm(shift - dot(shift, places.normal) * places.normal);
    if (std::abs(place - std::round(place)) > kOff || beside > kOff * places.step_mm) {
        throw BadInput(
            "{}: frame {} lies between or beside slices {:g} mm apart; 'Spacing Between Slices' or 'Image "
            "Position (Patient)' is not right, export it again",
            path, mask.slice.frame, places.step_mm);
    }
    return static_cast<int>(std::lround(place));
}

Placement placementFor(const std::string& path, const MaskPlaces& places, const DicomSlice& first) {
    const Vec3 row = threeOf(first.orientation.data());
    const Vec3 down = threeOf(first.orientation.data() + 3);
    const Vec3 at = threeOf(first.position_mm.data());
    const Vec3 origin = at + (places.first_mm - dot(places.normal, at)) * places.normal;
    StoredAffine affine;
    const std::array<Vec3, 3> columns{first.columnSpacing_mm * row, first.rowSpacing_mm * down,
                                      places.step_mm * places.normal};
    for (std::size_t k = 0; k < 3; ++k) {
        affine.matrix[0][k] = columns[k].x;
        affine.matrix[1][k] = columns[k].y;
        affine.matrix[2][k] = columns[k].z;
    }
    affine.offset = {origin.x, origin.y, origin.z};
    return placementOf(path, "'Image Orientation (Patient)', 'Pixel Spacing' and positions", affine,
                       {static_cast<std::uint64_t>(first.columns), static_cast<std::uint64_t>(first.rows),
                        static_cast<std::uint64_t>(places.count)});
}

/// Slices without a mask are usual; where no two neighbours have one, their distance may be wrong.
std::string sparseNote(const MaskPlaces& places) {
    constexpr double kApart = 1.5;
    return places.smallest_mm > kApart * places.step_mm
               ? fmt::format("slices are said to lie {:g} mm apart, those with a segment {:g} mm at least",
                             places.step_mm, places.smallest_mm)
               : "";
}

/// Labels turned like values; between voxels of an oblique map the label of at least half a voxel counts.
std::vector<float> placedLabels(std::vector<float> labels, const Placement& placement) {
    if (!placement.oblique) {
        return placed(std::move(labels), placement);
    }
    std::set<float> numbers(labels.begin(), labels.end());
    numbers.erase(0.0F);
    std::vector<float> result(placement.lattice.voxels());
    std::vector<float> most(result.size(), 0.5F);
    for (const float number : numbers) {
        std::vector<float> one(labels.size());
        std::transform(labels.begin(), labels.end(), one.begin(),
                       [number](float label) { return label == number ? 1.0F : 0.0F; });
        const std::vector<float> share = placed(std::move(one), placement);
        for (std::size_t i = 0; i < share.size(); ++i) {
            if (share[i] >= most[i]) {
                most[i] = share[i];
                result[i] = number;
            }
        }
    }
    return result;
}

}  // namespace

LabelVolume segmentVolume(const std::string& path) {
    const DicomSegments segments = readDicomSegments(path);
    requireOneGrid(path, segments.masks);
    const MaskPlaces places = placesOf(path, segments);
    const DicomMask& first = segments.masks.front();
    const Placement placement = placementFor(path, places, first.slice);
    const std::size_t plane =
        static_cast<std::size_t>(first.slice.rows) * static_cast<std::size_t>(first.slice.columns);
    constexpr std::size_t kCopies = 3;
    requireMemory(path, kCopies * sizeof(float) * plane * static_cast<std::size_t>(places.count));
    std::vector<float> labels(plane * static_cast<std::size_t>(places.count));
    std::size_t overlapping = 0;
    DicomValues values;
    for (const DicomMask& mask : segments.masks) {
        float* const to =
            labels.data() + plane * static_cast<std::size_t>(sliceOf(path, places, mask, first));
        const std::vector<float> inside = values.of(mask.slice);
        for (std::size_t i = 0; i < plane; ++i) {
            if (inside[i] >= 0.5F) {
                overlapping += to[i] != 0 && to[i] != static_cast<float>(mask.label) ? 1 : 0;
                to[i] = static_cast<float>(mask.label);
            }
        }
    }
    LabelVolume made;
    made.names = segments.names;
    made.volume.lattice = placement.lattice;
    made.volume.data = placedLabels(std::move(labels), placement);
    made.note = joinedNotes(
        joinedNotes(placement.note(), sparseNote(places)),
        overlapping == 0
            ? ""
            : fmt::format("segments overlap in {} voxels, which have the later one's number", overlapping));
    return made;
}

}  // namespace tof
