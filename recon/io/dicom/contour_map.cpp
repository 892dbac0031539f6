// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/contour_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/dicom/dicom_folder.h"
#include "recon/io/dicom/dicom_labels.h"
#include "recon/io/dicom/dicom_stack.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

constexpr double kSamePlane_mm = 0.05;

/// Lines lie in transverse planes, within a field that a scanner can have.
void requireFlat(const std::string& path, const DicomContours& found) {
    constexpr double kFar_mm = 1e4;
    constexpr std::size_t kLeast = 3;
    for (const DicomContour& contour : found.contours) {
        if (contour.points.size() < kLeast) {
            throw BadInput("{}: attribute 'Contour Data' of a closed line has {} points; export it again",
                           path, contour.points.size());
        }
        for (const Vec3& point : contour.points) {
            if (std::abs(point.z - contour.points.front().z) > kSamePlane_mm) {
                throw BadInput(
                    "{}: attribute 'Contour Data' has a line that lies in no transverse plane, which is not "
                    "read; export the structures as a segmentation or label map",
                    path);
            }
            if (!(std::abs(point.x) < kFar_mm && std::abs(point.y) < kFar_mm &&
                  std::abs(point.z) < kFar_mm)) {
                throw BadInput("{}: attribute 'Contour Data' has a point {:g} mm away; correct it", path,
                               norm(point));
            }
        }
    }
    if (found.contours.empty()) {
        throw BadInput(
            "{}: attribute 'ROI Contour Sequence' has no closed lines; export the structures again", path);
    }
}

/// Heights of the planes, ascending, each once.
std::vector<double> planesOf(const DicomContours& found) {
    std::vector<double> heights;
    for (const DicomContour& contour : found.contours) {
        heights.push_back(contour.points.front().z);
    }
    std::sort(heights.begin(), heights.end());
    std::vector<double> planes;
    for (const double height : heights) {
        if (planes.empty() || height - planes.back() > kSamePlane_mm) {
            planes.push_back(height);
        }
    }
    return planes;
}

double smallestGap(const std::vector<double>& planes) {
    double smallest = 0;
    for (std::size_t i = 1; i < planes.size(); ++i) {
        const double gap = planes[i] - planes[i - 1];
        smallest = smallest == 0 ? gap : std::min(smallest, gap);
    }
    return smallest;
}

/// The lattice of the images with that series; nothing where they are not beside the file or do not fit
/// together.
std::optional<Lattice> latticeBeside(const std::string& path, const std::string& seriesUid) {
    constexpr std::size_t kMost = 100000;
    const auto folder = std::filesystem::absolute(path).parent_path();
    std::vector<DicomSlice> series;
    try {
        for (const std::string& file : dicomFilesIn(folder.string(), kMost)) {
            for (DicomSlice& slice : readDicomSlices(file)) {
                if (slice.other.empty() && slice.seriesUid == seriesUid) {
                    series.push_back(std::move(slice));
                }
            }
        }
        return series.empty() ? std::nullopt : std::optional(dicomStack(series).placement.lattice);
    } catch (const BadInput&) {
        return {};
    }
}

Lattice ownLattice(const std::string& path, const DicomContours& found, const std::vector<double>& planes) {
    constexpr double kPixel_mm = 1;
    const double gap = smallestGap(planes);
    if (gap == 0) {
        throw BadInput(
            "{}: its lines lie in one plane, so nothing says how thick the slice is; put the file beside the "
            "images that it was drawn on",
            path);
    }
    Vec3 low = found.contours.front().points.front();
    Vec3 high = low;
    for (const DicomContour& contour : found.contours) {
        for (const Vec3& point : contour.points) {
            low = {std::min(low.x, point.x), std::min(low.y, point.y), low.z};
            high = {std::max(high.x, point.x), std::max(high.y, point.y), high.z};
        }
    }
    Lattice lattice;
    lattice.spacing_mm = {kPixel_mm, kPixel_mm, gap};
    lattice.origin_mm = {std::floor(low.x), std::floor(low.y), planes.front()};
    lattice.size = {static_cast<int>(std::ceil(high.x - lattice.origin_mm.x)) + 1,
                    static_cast<int>(std::ceil(high.y - lattice.origin_mm.y)) + 1,
                    static_cast<int>(std::lround((planes.back() - planes.front()) / gap)) + 1};
    return lattice;
}

/// Pixels of a slice, as runs {first, length} along its rows, ascending.
struct PixelRuns {
    std::vector<std::array<std::size_t, 2>> runs;
    std::size_t size = 0;  ///< pixels in all

    /// Equal pixels have equal runs: one that begins where the last one ends goes on with it.
    void add(std::size_t first, std::size_t length) {
        if (!runs.empty() && runs.back()[0] + runs.back()[1] == first) {
            runs.back()[1] += length;
        } else {
            runs.push_back({first, length});
        }
        size += length;
    }
    [[nodiscard]] bool operator==(const PixelRuns&) const = default;
};

/// The pixels of a slice whose centre lies within a closed line.
PixelRuns pixelsWithin(const Lattice& lattice, const std::vector<Vec3>& points) {
    PixelRuns pixels;
    const auto columns = static_cast<std::size_t>(lattice.size[0]);
    const double width = lattice.spacing_mm[0];
    std::vector<double> crossings;
    for (int row = 0; row < lattice.size[1]; ++row) {
        const double y = lattice.origin_mm.y + row * lattice.spacing_mm[1];
        crossings.clear();
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3& a = points[i];
            const Vec3& b = points[(i + 1) % points.size()];
            if ((a.y <= y) != (b.y <= y)) {
                crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
            }
        }
        std::sort(crossings.begin(), crossings.end());
        for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
            const auto columnFrom = [&](double x) {
                return static_cast<std::size_t>(std::clamp(std::ceil((x - lattice.origin_mm.x) / width), 0.0,
                                                           static_cast<double>(columns)));
            };
            const std::size_t begin = columnFrom(crossings[i]);
            const std::size_t end = columnFrom(crossings[i + 1]);
            if (begin < end) {
                pixels.add(static_cast<std::size_t>(row) * columns + begin, end - begin);
            }
        }
    }
    return pixels;
}

/// What became of the lines.
struct Drawn {
    std::size_t outside = 0;      ///< lines in planes that the lattice does not have
    std::size_t overlapping = 0;  ///< voxels of several structures
    bool nested = false;
    bool crossing = false;
};

/// What lines of one structure enclose in a slice: one within others is a hole, those that cross are one
/// area, and one that is there twice counts once.
std::vector<unsigned char> enclosed(const Lattice& lattice, const std::vector<const DicomContour*>& contours,
                                    Drawn& drawn) {
    std::vector<PixelRuns> areas;
    areas.reserve(contours.size());
    for (const DicomContour* const contour : contours) {
        areas.push_back(pixelsWithin(lattice, contour->points));
    }
    std::sort(areas.begin(), areas.end(), [](const PixelRuns& one, const PixelRuns& other) {
        return one.size != other.size ? one.size > other.size : one.runs < other.runs;
    });
    areas.erase(std::unique(areas.begin(), areas.end()), areas.end());
    std::vector<unsigned char> mask(static_cast<std::size_t>(lattice.size[0]) *
                                    static_cast<std::size_t>(lattice.size[1]));
    for (const PixelRuns& area : areas) {
        std::size_t shared = 0;
        for (const auto& [first, length] : area.runs) {
            const unsigned char* const run = mask.data() + first;
            shared += static_cast<std::size_t>(std::count(run, run + length, 1));
        }
        const bool hole = shared > 0 && shared == area.size;
        drawn.nested = drawn.nested || hole;
        drawn.crossing = drawn.crossing || (shared > 0 && !hole);
        for (const auto& [first, length] : area.runs) {
            std::fill_n(mask.data() + first, length, static_cast<unsigned char>(hole ? 0 : 1));
        }
    }
    return mask;
}

Drawn draw(const DicomContours& found, Volume& volume) {
    const Lattice& lattice = volume.lattice;
    std::map<std::pair<int, int>, std::vector<const DicomContour*>> planes;  // by label and slice
    Drawn drawn;
    for (const DicomContour& contour : found.contours) {
        const double z = std::round((contour.points.front().z - lattice.origin_mm.z) / lattice.spacing_mm[2]);
        if (z < 0 || z >= lattice.size[2]) {
            ++drawn.outside;
            continue;
        }
        planes[{contour.label, static_cast<int>(z)}].push_back(&contour);
    }
    const std::size_t plane =
        static_cast<std::size_t>(lattice.size[0]) * static_cast<std::size_t>(lattice.size[1]);
    for (const auto& [key, contours] : planes) {
        const std::vector<unsigned char> mask = enclosed(lattice, contours, drawn);
        float* const to = volume.data.data() + plane * static_cast<std::size_t>(key.second);
        for (std::size_t i = 0; i < plane; ++i) {
            if (mask[i] != 0) {
                drawn.overlapping += to[i] != 0 ? 1 : 0;
                to[i] = static_cast<float>(key.first);
            }
        }
    }
    return drawn;
}

/// Numbers that a label map can have: those of the file, else places in its list, which is told.
std::string renumber(DicomContours& found) {
    constexpr int kMost = 32767;
    if (std::all_of(found.names.begin(), found.names.end(),
                    [](const LabelName& one) { return one.number > 0 && one.number <= kMost; })) {
        return "";
    }
    std::map<int, int> places;
    for (LabelName& one : found.names) {
        const int place = static_cast<int>(places.size()) + 1;
        places.emplace(one.number, place);
        one.number = places.at(one.number);
    }
    for (DicomContour& contour : found.contours) {
        contour.label = places.at(contour.label);
    }
    return "labels are places in the list of structures, whose own numbers a label map cannot have";
}

}  // namespace

LabelVolume contourVolume(const std::string& path) {
    DicomContours found = readDicomContours(path);
    requireFlat(path, found);
    LabelVolume made;
    made.note = renumber(found);
    made.names = found.names;
    const std::vector<double> planes = planesOf(found);
    const double gap = smallestGap(planes);
    constexpr double kFiner = 0.9;
    std::optional<Lattice> lattice =
        found.seriesUid.empty() ? std::nullopt : latticeBeside(path, found.seriesUid);
    if (!lattice || (gap > 0 && gap < kFiner * lattice->spacing_mm[2])) {
        lattice = ownLattice(path, found, planes);
        made.note = joinedNotes(
            made.note, fmt::format("images with its planes are not beside it: drawn on pixels of {:g} mm and "
                                   "slices {:.4g} mm apart",
                                   lattice->spacing_mm[0], lattice->spacing_mm[2]));
    }
    requireMemory(path, sizeof(float) * lattice->voxels());
    made.volume = Volume(*lattice);
    const Drawn drawn = draw(found, made.volume);
    const auto counted = [](std::size_t count, const char* what) {
        return count == 0 ? std::string() : fmt::format("{} {}", count, what);
    };
    for (const std::string& note :
         {counted(found.leftOut, "points and open lines are left out"),
          counted(drawn.outside, "lines lie in planes that the images do not have, and are left out"),
          counted(drawn.overlapping, "voxels are of several structures and have the last one's number"),
          std::string(drawn.nested ? "lines within others are taken as holes" : ""),
          std::string(drawn.crossing ? "lines that cross are taken as one area" : "")}) {
        made.note = joinedNotes(made.note, note);
    }
    return made;
}

}  // namespace tof
