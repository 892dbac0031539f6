// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/base/percentile.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

Vec3 vector(const double* three) {
    return {three[0], three[1], three[2]};
}

/// The file, and which of its images.
std::string frameName(const DicomSlice& slice) {
    return slice.frame > 0 ? fmt::format("{} (frame {})", slice.file, slice.frame) : slice.file;
}

/// Along the normal of the slices, of their first pixel.
double along(const DicomSlice& slice, Vec3 normal) {
    return dot(normal, vector(slice.position_mm.data()));
}

/// All slices of a series must have the size, directions and units of the first.
void requireAlike(const std::vector<DicomSlice>& series) {
    constexpr double kCosine = 1e-4;
    const DicomSlice& first = series.front();
    for (const DicomSlice& one : series) {
        bool alike =
            one.rows == first.rows && one.columns == first.columns && one.units == first.units &&
            one.modality == first.modality &&
            std::abs(one.rowSpacing_mm - first.rowSpacing_mm) <= kCosine * first.rowSpacing_mm &&
            std::abs(one.columnSpacing_mm - first.columnSpacing_mm) <= kCosine * first.columnSpacing_mm;
        for (std::size_t i = 0; i < one.orientation.size(); ++i) {
            alike = alike && std::abs(one.orientation[i] - first.orientation[i]) <= kCosine;
        }
        if (!alike) {
            throw BadInput(
                "{}: size, spacing, directions or units of this image are not those of '{}' of the same "
                "series; "
                "take it out of the folder",
                one.file, fs::path(first.file).filename().string());
        }
    }
}

/// Slices of the same place beside each other: [place][time].
std::vector<std::vector<DicomSlice>> byPlace(std::vector<DicomSlice> series, Vec3 normal) {
    constexpr double kSamePlace_mm = 0.01;
    std::stable_sort(series.begin(), series.end(), [&](const DicomSlice& a, const DicomSlice& b) {
        return along(a, normal) < along(b, normal);
    });
    std::vector<std::vector<DicomSlice>> places;
    for (DicomSlice& slice : series) {
        if (places.empty() || along(slice, normal) - along(places.back().front(), normal) > kSamePlace_mm) {
            places.emplace_back();
        }
        places.back().push_back(std::move(slice));
    }
    for (auto& place : places) {
        std::stable_sort(place.begin(), place.end(),
                         [](const DicomSlice& a, const DicomSlice& b) { return a.order < b.order; });
        if (place.size() != places.front().size()) {
            throw BadInput(
                "{}: {} images lie at {:.2f} mm and {} at {:.2f} mm of this series; images are missing or "
                "doubled, "
                "export it again",
                place.front().file, places.front().size(), along(places.front().front(), normal),
                place.size(), along(place.front(), normal));
        }
    }
    return places;
}

/// From one slice to the next. A tilted gantry shifts slices against each other, which stays in the step.
Vec3 sliceStep(const std::vector<std::vector<DicomSlice>>& places, Vec3 normal) {
    const DicomSlice& first = places.front().front();
    const DicomSlice& last = places.back().front();
    if (places.size() == 1) {
        if (!(first.thickness_mm > 0)) {
            throw BadInput("{}: attribute 'Slice Thickness' of the only image is missing; add it",
                           first.file);
        }
        return first.thickness_mm * normal;
    }
    const Vec3 step = (1.0 / static_cast<double>(places.size() - 1)) *
                      (vector(last.position_mm.data()) - vector(first.position_mm.data()));
    std::vector<double> gaps;
    for (std::size_t i = 1; i < places.size(); ++i) {
        gaps.push_back(along(places[i].front(), normal) - along(places[i - 1].front(), normal));
    }
    const double spacing = median(gaps);
    const double allowed_mm = 0.1 * spacing + 0.02;  // positions are rounded in files of some makers
    for (std::size_t i = 1; i < places.size(); ++i) {
        const DicomSlice& here = places[i].front();
        if (std::abs(gaps[i - 1] - spacing) > allowed_mm) {
            throw BadInput(
                "{}: lies {:.3f} mm from '{}', others {:.3f} mm from each other: images between the two are "
                "missing, or all are not evenly spaced; export the series again",
                frameName(here), gaps[i - 1], fs::path(frameName(places[i - 1].front())).filename().string(),
                spacing);
        }
    }
    for (std::size_t i = 1; i < places.size(); ++i) {
        const DicomSlice& here = places[i].front();
        const Vec3 expected = vector(first.position_mm.data()) + static_cast<double>(i) * step;
        if (const double off = norm(vector(here.position_mm.data()) - expected); off > allowed_mm) {
            throw BadInput("{}: lies {:.3f} mm beside the line of the other images; export the series again",
                           frameName(here), off);
        }
    }
    return step;
}

/// A remark where images seem to be missing that leave no gap: at the ends, or every second one.
std::string missingOf(const std::vector<std::vector<DicomSlice>>& places, double spacing_mm) {
    const DicomSlice& first = places.front().front();
    const auto there = static_cast<int>(places.size());
    if (first.placesStated > there) {
        return fmt::format(
            "images at {} places are there, attribute 'Number of Slices' says {}: the others are "
            "missing",
            there, first.placesStated);
    }
    constexpr double kApart = 1.5;
    if (places.size() > 1 && first.thickness_mm > 0 && spacing_mm > kApart * first.thickness_mm) {
        return fmt::format("images of {:g} mm thickness lie {:g} mm apart: some may be missing",
                           first.thickness_mm, spacing_mm);
    }
    return "";
}

}  // namespace

DicomStack dicomStack(const std::vector<DicomSlice>& series) {
    requireAlike(series);
    const DicomSlice& first = series.front();
    const Vec3 row = vector(first.orientation.data());
    const Vec3 down = vector(first.orientation.data() + 3);
    const Vec3 normal = cross(row, down);
    constexpr double kUnit = 1e-3;
    if (!(std::abs(norm(row) - 1) < kUnit) || !(std::abs(norm(down) - 1) < kUnit) ||
        !(std::abs(dot(row, down)) < kUnit)) {
        throw BadInput(
            "{}: attribute 'Image Orientation (Patient)' is not of two unit vectors at right angles",
            first.file);
    }
    const std::vector<std::vector<DicomSlice>> places = byPlace(series, normalized(normal));
    const Vec3 step = sliceStep(places, normalized(normal));
    StoredAffine affine;
    const Vec3 origin = vector(places.front().front().position_mm.data());
    const std::array<Vec3, 3> columns{first.columnSpacing_mm * row, first.rowSpacing_mm * down, step};
    for (std::size_t k = 0; k < 3; ++k) {
        affine.matrix[0][k] = columns[k].x;
        affine.matrix[1][k] = columns[k].y;
        affine.matrix[2][k] = columns[k].z;
    }
    affine.offset = {origin.x, origin.y, origin.z};
    DicomStack stack;
    stack.missing = missingOf(places, norm(step));
    stack.placement =
        placementOf(first.file, "'Image Orientation (Patient)', 'Pixel Spacing' and positions", affine,
                    {static_cast<std::uint64_t>(first.columns), static_cast<std::uint64_t>(first.rows),
                     static_cast<std::uint64_t>(places.size())});
    stack.frames.resize(places.front().size());
    for (const auto& place : places) {
        for (std::size_t frame = 0; frame < place.size(); ++frame) {
            stack.frames[frame].push_back(place[frame]);
        }
    }
    return stack;
}

}  // namespace tof
