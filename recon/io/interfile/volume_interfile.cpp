// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/volume_interfile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/reorient.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

void requireOneImage(const InterfileHeader& header) {
    const std::string kind = normalKey(header.text("PET data type", "Image"));
    if (kind != "image") {
        header.fail("PET data type", fmt::format("is '{}', not Image; give an image header (.hv)", kind));
    }
    for (const char* key : {"number of time frames", "number of image data types", "number of energy windows",
                            "number of time gates"}) {
        const std::uint64_t count = header.whole(key, 0, 1);
        if (count > 1) {
            header.fail(key, fmt::format("is {}: several images in one file; extract one", count));
        }
    }
}

std::array<std::uint64_t, 3> sizes(const InterfileHeader& header) {
    const std::uint64_t dimensions = header.whole("number of dimensions", 0, 2);
    if (dimensions != 2 && dimensions != 3) {
        header.fail("number of dimensions", fmt::format("is {}; images have 3", dimensions));
    }
    std::array<std::uint64_t, 3> size{};
    for (int axis = 1; axis <= 3; ++axis) {
        size[static_cast<std::size_t>(axis - 1)] =
            axis == 3 && dimensions == 2 ? 1 : header.whole("matrix size", axis);
    }
    return size;
}

/// CASToR's images: left-handed axes like its scanners and events (y up), whatever the patient's position,
/// and offsets counted from a field centred on the scanner (its own headers say 0 for "centred").
bool isCastorImage(const InterfileHeader& header) {
    return header.find("CASToR version") || header.text("version of keys", "").starts_with("CASToR");
}

/// Axes that a stated patient position reverses. STIR's x runs left to right as seen from the bed, y
/// downwards, z out of the scanner along the bed (its conversion to left-posterior-superior axes); without a
/// stated position the axes are taken as left-posterior-superior.
AxisMap axesOf(const InterfileHeader& header) {
    const std::string orientation = normalKey(header.text("patient orientation", ""));
    const std::string rotation = normalKey(header.text("patient rotation", ""));
    AxisMap map;
    if (isCastorImage(header)) {
        map.reversed[1] = true;
        return map;
    }
    const bool headIn = orientation == "head in";
    const bool supine = rotation == "supine";
    if ((!headIn && orientation != "feet in") || (!supine && rotation != "prone")) {
        return map;
    }
    map.reversed = {headIn != supine, !supine, headIn};
    return map;
}

Lattice latticeOf(const InterfileHeader& header, const std::array<std::uint64_t, 3>& size,
                  const AxisMap& map) {
    std::array<double, 3> spacing{};
    std::array<double, 3> first{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int index = static_cast<int>(axis) + 1;
        spacing[axis] = header.number("scaling factor (mm/pixel)", index);
        const double extent =
            static_cast<double>(size[axis] - std::min<std::uint64_t>(size[axis], 1)) * spacing[axis];
        const std::uint64_t middle = size[axis] / 2;
        const auto half = static_cast<double>(middle);
        if (isCastorImage(header)) {
            const double shift = header.number("first pixel offset (mm)", index, 0.0);
            first[axis] = (map.reversed[axis] ? -shift : shift) - 0.5 * extent;
            continue;
        }
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

/// One factor per slice.
std::vector<double> scaling(const InterfileHeader& header, std::size_t slices) {
    std::vector<double> factors = header.list("image scaling factor", 1);
    if (factors.empty()) {
        factors = header.list("image scaling factor", 0);
    }
    if (factors.empty()) {
        factors = {1.0};
    }
    if (factors.size() != 1 && factors.size() != slices) {
        header.fail(
            "image scaling factor",
            fmt::format("has {} values for {} slices; give one, or one per slice", factors.size(), slices));
    }
    factors.resize(slices, factors.front());
    const double units = header.number("quantification units", 0, 1.0);
    for (double& factor : factors) {
        factor *= units;
    }
    return factors;
}

std::string dataFile(const InterfileHeader& header) {
    const std::optional<std::string> name = header.find("name of data file");
    if (!name || name->find("${") != std::string::npos) {
        header.fail("name of data file",
                    name ? "uses an environment variable; write the name" : "is missing; add it");
    }
    return (fs::path(header.path()).parent_path() / *name).string();
}

}  // namespace

bool isInterfile(std::string_view start) {
    constexpr std::size_t kLook = 4096;
    start = start.substr(0, kLook);
    const std::size_t mark = start.find(":=");
    std::size_t line = start.rfind('\n', mark);
    line = line == std::string::npos ? 0 : line + 1;
    return mark != std::string::npos &&
           normalKey(std::string(start.substr(line, mark - line))) == "interfile";
}

Volume readVolumeInterfile(const std::string& path) {
    const InterfileHeader header(path);
    requireOneImage(header);
    const std::array<std::uint64_t, 3> size = sizes(header);
    const AxisMap map = axesOf(header);
    const NumberType type = header.numberType();
    const ByteOrder order = header.byteOrder();
    Volume volume;
    volume.lattice = latticeOf(header, size, map);
    const std::vector<double> factors = scaling(header, size[2]);
    const std::uint64_t offset =
        header.whole("data offset in bytes", 1, header.whole("data offset in bytes", 0, 0));

    ByteReader file(dataFile(header));
    file.skip(offset, "key 'data offset in bytes'");
    std::vector<float> values = file.numbers(volume.lattice.voxels(), type, order, 1.0, 0.0);
    const std::size_t slice = values.size() / factors.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(values[i] * factors[i / slice]);
    }
    volume.data = reorient(std::move(values), volume.lattice.size, map);
    return volume;
}

void writeVolumeInterfile(const std::string& path, const Volume& volume) {
    const Lattice& lattice = volume.lattice;
    const fs::path data = fs::path(path).replace_extension(".v");
    std::string header = fmt::format(
        "!INTERFILE  :=\n"
        "!imaging modality := PT\n"
        "name of data file := {}\n"
        "!GENERAL DATA :=\n"
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
    const std::array<double, 3> first = {lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z};
    const bool centred = first[2] == -0.5 * (lattice.size[2] - 1) * lattice.spacing_mm[2];
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

    writeAside(path, [&](const std::string& temporaryHeader) {
        writeTextFile(temporaryHeader, path, header);
        writeAside(data.string(), [&](const std::string& temporary) {
            writeNumbers(temporary, data.string(), volume.data);
        });
    });
}

}  // namespace tof
