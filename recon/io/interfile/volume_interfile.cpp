// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/volume_interfile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/reorient.h"
#include "recon/io/format/format.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/patient_position.h"
#include "recon/io/interfile/stored_values.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// CASToR's images: left-handed axes like its scanners and events (y up), whatever the patient's position,
/// and offsets counted from a field centred on the scanner (its own headers say 0 for "centred").
bool isCastorImage(const InterfileHeader& header) {
    return header.find("CASToR version") || header.text("version of keys", "").starts_with("CASToR");
}

/// Interfile 3.3 by itself says neither which slice is the first nor where the first voxel is. STIR does,
/// whose keys Siemens has, too; headers that name neither version nor modality are taken to be STIR's.
bool isPlainImage(const InterfileHeader& header) {
    const bool follows = header.find("PET data type") || header.find("matrix axis label", 1) ||
                         header.find("first pixel offset (mm)", 1) || header.findStarting("%sms-mi");
    const bool plain = parseNumber(header.text("version of keys", "")) ||
                       normalKey(header.text("imaging modality", "")) == "nucmed";
    return plain && !follows && !isCastorImage(header);
}

void requireImage(const InterfileHeader& header) {
    const std::string kind = normalKey(header.text("PET data type", "Image"));
    if (kind != "image") {
        header.fail(
            "PET data type",
            fmt::format("is '{}', and no 'minimum ring difference per segment' makes it STIR's projection "
                        "data; give an image, or sinograms converted with STIR",
                        kind));
    }
    const std::string status = normalKey(header.text("process status", ""));
    if (status == "acquired") {
        header.fail("process status",
                    "is 'Acquired': projections, which are no image; give a reconstructed one");
    }
    const std::string slices = normalKey(header.text("slice orientation", "transverse"));
    if (slices != "transverse" && slices != "transaxial" && slices != "unknown") {
        header.fail("slice orientation", fmt::format("is '{}'; only transverse slices are read", slices));
    }
}

/// Which stored axis is x, y, z by the labels, and which run backwards for the patient.
AxisMap axesOf(const InterfileHeader& header) {
    AxisMap map;
    map.reversed = isCastorImage(header)  ? std::array{false, true, false}
                   : isPlainImage(header) ? std::array{false, false, false}
                                          : patientAxes(header);
    std::array<bool, 3> found{};
    for (int stored = 0; stored < 3; ++stored) {
        const std::string label =
            normalKey(header.find("matrix axis label", stored + 1).value_or(std::string(1, "xyz"[stored])));
        const std::size_t axis =
            label.size() == 1 ? std::string_view("xyz").find(label) : std::string_view::npos;
        if (axis == std::string_view::npos || found[axis]) {
            header.fail("matrix axis label",
                        fmt::format("[{}] is '{}'; the axes of an image are x, y and z, each once",
                                    stored + 1, label));
        }
        found[axis] = true;
        map.from[axis] = stored;
    }
    return map;
}

/// Stored sizes, fastest first.
std::array<std::uint64_t, 3> sizes(const InterfileHeader& header) {
    const std::uint64_t dimensions = header.whole("number of dimensions", 0, 2);
    if (dimensions != 2 && dimensions != 3) {
        header.fail("number of dimensions", fmt::format("is {}; images have 3", dimensions));
    }
    std::array<std::uint64_t, 3> size{header.whole("matrix size", 1), header.whole("matrix size", 2), 1};
    if (dimensions == 3 && !header.find("number of slices")) {
        size[2] = header.whole("matrix size", 3);
    } else if (header.find("matrix size", 3)) {
        size[2] = header.whole("matrix size", 3);
    } else {  // Interfile 3.3 has slices that lie one behind the other
        const auto frames = static_cast<std::uint64_t>(frameCount(header));
        const std::uint64_t images = header.whole("total number of images", 0, frames);
        size[2] = header.whole("number of slices", 0, images / frames);
    }
    return size;
}

/// Distance of stored voxels. Interfile 3.3 tells that of slices in pixels.
double spacingOf(const InterfileHeader& header, int stored) {
    const int index = stored + 1;
    if (stored < 2 || header.find("scaling factor (mm/pixel)", index)) {
        return header.number("scaling factor (mm/pixel)", index);
    }
    for (const char* key : {"centre-centre slice separation (pixels)", "slice thickness (pixels)"}) {
        if (header.number(key, 0, 0.0) != 0) {  // of pixels that are no squares, of their mean edge
            return header.number(key, 0) * 0.5 *
                   (header.number("scaling factor (mm/pixel)", 1) +
                    header.number("scaling factor (mm/pixel)", 2));
        }
    }
    return header.number("scaling factor (mm/pixel)", index);
}

Lattice latticeOf(const InterfileHeader& header, const std::array<std::uint64_t, 3>& stored,
                  const AxisMap& map) {
    std::array<double, 3> spacing{};
    std::array<double, 3> first{};
    std::array<std::uint64_t, 3> size{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int index = map.from[axis] + 1;
        size[axis] = stored[static_cast<std::size_t>(map.from[axis])];
        spacing[axis] = spacingOf(header, map.from[axis]);
        const double extent =
            static_cast<double>(size[axis] - std::min<std::uint64_t>(size[axis], 1)) * spacing[axis];
        if (isCastorImage(header)) {
            const double shift = header.number("first pixel offset (mm)", index, 0.0);
            first[axis] = (map.reversed[axis] ? -shift : shift) - 0.5 * extent;
            continue;
        }
        if (isPlainImage(header)) {
            first[axis] = header.number("first pixel offset (mm)", index, -0.5 * extent);
            continue;
        }
        const std::uint64_t middle = size[axis] / 2;
        const auto half = static_cast<double>(middle);
        first[axis] = header.number("first pixel offset (mm)", index, axis < 2 ? -half * spacing[axis] : 0.0);
        // STIR counts z from its first ring, whose place the header of an image does not tell: 0 is its way
        // of saying that the image covers the scanner, so it is centred.
        if (axis == 2 && first[axis] == 0) {
            first[axis] = -0.5 * extent;
        }
        if (map.reversed[axis]) {
            first[axis] = -(first[axis] + extent);
        }
    }
    return checkedLattice(header.path(), size, spacing, Vec3{first[0], first[1], first[2]});
}

/// What the header does not say, and was assumed.
std::string assumed(const InterfileHeader& header) {
    if (!isPlainImage(header)) {
        return "";
    }
    std::string note = fmt::format(
        "{}: the header is of plain Interfile, which does not say how its axes lie: rows are taken to run to "
        "the patient's left, columns to "
        "the back and slices from feet to head (--reverse-slices yes turns them), and the image to be "
        "centred "
        "where no first pixel offset is given",
        header.path());
    const double x = header.number("scaling factor (mm/pixel)", 1);
    const double y = header.number("scaling factor (mm/pixel)", 2);
    if (!header.find("scaling factor (mm/pixel)", 3) && x != y) {
        note +=
            fmt::format("; slices are {:g} mm apart if its pixels are the mean edge", spacingOf(header, 2));
    }
    return note;
}

}  // namespace

bool isInterfile(std::string_view start) {
    constexpr std::size_t kLook = 4096;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    start = start.substr(start.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0, kLook);
    const std::size_t mark = start.find(":=");
    std::size_t line = start.rfind('\n', mark);
    line = line == std::string::npos ? 0 : line + 1;
    return mark != std::string::npos &&
           normalKey(std::string(start.substr(line, mark - line))) == "interfile";
}

VolumeReadResult readVolumeInterfile(const std::string& path, const VolumeReadOptions& options,
                                     const std::function<void()>& heed) {
    const InterfileHeader header(path, InterfileHeader::Repeats::Refused);
    requireImage(header);
    const int chosen = chosenFrame(header, options.frame, options.choiceBy);
    const std::array<std::uint64_t, 3> stored = sizes(header);
    const AxisMap map = axesOf(header);
    Volume volume;
    volume.lattice = latticeOf(header, stored, map);
    const StoredValues meaning =
        storedValues(header, chosen, stored[2], volume.lattice.voxels(), options.factor);
    volume.units = meaning.units;

    ByteReader file(meaning.file, heed);
    file.skip(meaning.offset, "key 'data offset in bytes'");
    std::vector<float> values = file.numbers(volume.lattice.voxels(), meaning.type, meaning.order, 1.0, 0.0);
    const std::size_t slice = values.size() / meaning.slopes.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(values[i] * meaning.slopes[i / slice] + meaning.intercept);
    }
    const std::array<int, 3> storedSize{static_cast<int>(stored[0]), static_cast<int>(stored[1]),
                                        static_cast<int>(stored[2])};
    volume.data = reorient(std::move(values), storedSize, map);
    const bool isLast = chosen == frameCount(header);
    const std::string more = isLast ? moreBytesNote(file, meaning.file) : "";
    VolumeReadResult result{std::move(volume), joinedNotes(assumed(header), more)};
    result.note = joinedNotes(result.note, quantificationNote(header, "values", options.factor));
    result.statedFactor = meaning.statedFactor;
    return result;
}

nlohmann::ordered_json describeVolumeInterfile(const std::string& path) {
    const InterfileHeader header(path, InterfileHeader::Repeats::Refused);
    requireImage(header);
    nlohmann::ordered_json info{{"lattice", latticeJson(latticeOf(header, sizes(header), axesOf(header)))}};
    info["units"] =
        parseNumber(header.text("quantification units", "1")) ? "" : header.text("quantification units", "");
    if (const int frames = frameCount(header); frames > 1) {
        info["frames"] = frames;
    }
    if (const std::string note =
            joinedNotes(assumed(header), quantificationNote(header, "values", StatedFactor::Applied));
        !note.empty()) {
        info["note"] = note;
    }
    return info;
}

void writeVolumeInterfile(const Destination& to, const Volume& volume) {
    const std::string& path = to.path;
    const Lattice& lattice = volume.lattice;
    const fs::path data = fs::path(path).replace_extension(".v");
    std::string header = fmt::format(
        "!INTERFILE  :=\n"
        "!imaging modality := PT\n"
        "name of data file := {}\n"
        "!GENERAL DATA :=\n"
        "patient orientation := head_in\n"
        "patient rotation := supine\n"
        "!GENERAL IMAGE DATA :=\n"
        "!type of data := PET\n"
        "imagedata byte order := LITTLEENDIAN\n"
        "!PET STUDY (General) :=\n"
        "!PET data type := Image\n"
        "process status := Reconstructed\n"
        "!number format := float\n"
        "!number of bytes per pixel := 4\n"
        "number of dimensions := 3\n",
        data.filename().string());
    // Head first and supine: z of the file runs against z of the patient.
    const AxisMap map{{0, 1, 2}, {false, false, true}};
    const double lastZ = lattice.origin_mm.z + (lattice.size[2] - 1) * lattice.spacing_mm[2];
    const std::array<double, 3> first = {lattice.origin_mm.x, lattice.origin_mm.y, -lastZ};
    const bool centred = lattice.origin_mm.z == -0.5 * (lattice.size[2] - 1) * lattice.spacing_mm[2];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double offset = axis == 2 && centred ? 0.0 : first[axis];
        if (axis == 2 && !centred && offset == 0) {
            offset = 1e-9;  // 0 would be read as centred
        }
        header += fmt::format(
            "matrix axis label [{0}] := {1}\n!matrix size [{0}] := {2}\nscaling factor (mm/pixel) [{0}] := "
            "{3}\n"
            "first pixel offset (mm) [{0}] := {4}\n",
            axis + 1, "xyz"[axis], lattice.size[axis], lattice.spacing_mm[axis], offset);
    }
    header +=
        "number of time frames := 1\nimage scaling factor[1] := 1\ndata offset in bytes[1] := 0\n"
        "quantification units := 1\n!END OF INTERFILE :=\n";

    const std::vector<float> stored = reorient(volume.data, lattice.size, map);
    writeTogether({{data.string(),
                    [&](const std::string& part) {
                        writeNumbers(part, {data.string(), to.heed}, stored);
                    }},
                   {path, [&](const std::string& part) { writeTextFile(part, path, header); }}});
}

}  // namespace tof
