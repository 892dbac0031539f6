// SPDX-License-Identifier: Apache-2.0
#include "recon/io/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/file_format.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

FileKind hdf5Kind(const h5::Reader& file) {
    if (file.has("/checkpoint")) {
        return FileKind::Checkpoint;
    }
    if (file.has("/iterates")) {
        return FileKind::Run;
    }
    if (file.has("/histo/counts") || file.has("/sinogram/counts") || file.has("/lors/crystal")) {
        return FileKind::Data;
    }
    if (file.has("/events/crystal")) {
        return FileKind::List;
    }
    return file.has("/image") ? FileKind::Volume : FileKind::Unknown;
}

bool isStudy(const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::path(folder) / "study.json", ignored);
}

const char* kindName(FileKind kind) {
    switch (kind) {
        case FileKind::Study: return "study";
        case FileKind::Volume: return "volume";
        case FileKind::List: return "list";
        case FileKind::Data: return "data";
        case FileKind::Run: return "run";
        case FileKind::Checkpoint: return "checkpoint";
        case FileKind::Unknown: break;
    }
    return "unknown";
}

Json latticeJson(const Lattice& lattice) {
    return {{"size", lattice.size},
            {"spacing_mm", lattice.spacing_mm},
            {"origin_mm", {lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z}}};
}

/// Text that may be JSON, as JSON where it is.
Json embedded(const std::string& text) {
    const Json parsed = Json::parse(text, nullptr, false);
    return parsed.is_discarded() ? Json(text) : parsed;
}

/// The name of a scanner or phantom rather than its thousands of parts.
Json nameIn(const std::string& text) {
    const Json parsed = embedded(text);
    return parsed.is_object() && parsed.contains("name") ? parsed["name"] : Json(text.substr(0, 80));
}

void addHdf5(const h5::Reader& file, FileKind kind, Json& info) {
    if (kind == FileKind::Volume || kind == FileKind::Run || kind == FileKind::Checkpoint) {
        info["lattice"] = latticeJson(readLattice(file, "/image"));
        info["units"] = file.textAttribute("/image", "units").value_or("");
    }
    if (kind == FileKind::Data && file.has("/sinogram/counts")) {
        const h5::Shape shape = file.shape("/sinogram/counts");
        info["form"] = "sinogram";
        for (std::size_t axis = 0; axis < std::min<std::size_t>(shape.size(), 4); ++axis) {
            constexpr std::array kAxes{"angles", "sinograms", "radial_bins", "time_bins"};
            info[kAxes[axis]] = shape[axis];
        }
        info["mult"] = file.has("/corrections/mult");
        info["add"] = file.has("/corrections/add");
        for (const char* name : {"kept", "rejected"}) {
            info[name] = file.whole("/sinogram", name).value_or(0);
        }
        if (const auto spec = file.textAttribute("/sinogram/counts", "michelogram")) {
            info["scanner"] = nameIn(*spec);
        }
    } else if (kind == FileKind::Data && file.has("/lors/crystal")) {
        info["form"] = "lors";
        info["events"] = file.shape("/lors/crystal").at(0);
        info["time_of_flight"] = file.has("/lors/dt_ps");
        info["attenuation"] = file.has("/corrections/attenuation");
        info["rejected"] = file.whole("/lors", "rejected").value_or(0);
        if (const auto spec = file.textAttribute("/lors/crystal", "michelogram")) {
            info["scanner"] = nameIn(*spec);
        }
    } else if (kind == FileKind::Data) {
        info["form"] = "histo";
        info["lattice"] = latticeJson(readLattice(file, "/histo/counts"));
        info["views"] = file.shape("/histo/counts").at(0);
        info["counts_type"] = file.isUnsigned("/histo/counts", 2) ? "uint16" : "float32";
        info["mult"] = file.has("/corrections/mult");
        info["add"] = file.has("/corrections/add");
        for (const char* name : {"kept", "outside", "rejected"}) {
            info[name] = file.whole("/histo", name).value_or(0);
        }
    }
    if (kind == FileKind::List) {
        info["events"] = file.shape("/events/crystal").at(0);
        info["kinds"] = file.has("/events/kind");
        info["seed"] = file.whole("/", "seed").value_or(0);
    }
    if (kind == FileKind::List || kind == FileKind::Data) {
        info["duration_s"] = file.numbers("/", "duration_s", 1).value_or(std::vector<double>{0.0})[0];
    }
    for (const char* name : {"scanner", "phantom"}) {
        if (const auto text = file.textAttribute("/", name)) {
            info[name] = nameIn(*text);
        }
    }
    if (kind == FileKind::Run) {
        const RunSummary run = readRunSummary(file.path());
        info["iterations"] = run.iterates.empty() ? 0 : run.iterates.back().iteration;
        info["saved_images"] = run.savedImages;
        info["settings"] = embedded(run.settingsJson);
    }
    if (kind == FileKind::Checkpoint) {
        info["iterations"] = file.whole("/checkpoint", "iteration").value_or(0);
        info["data_hash"] = file.textAttribute("/checkpoint", "data_hash").value_or("");
        info["settings"] = embedded(file.text("/settings"));
    }
}

void addCastor(const std::string& path, Json& info) {
    const CastorHeader header(path);
    info["events"] = header.whole("Number of events", std::uint64_t{1} << 53U);
    info["scanner"] = header.text("Scanner name");
    info["mode"] = header.text("Data mode", "list-mode");
    info["tof"] = header.flag("TOF information flag");
    info["duration_s"] = header.number("Duration (s)", 0, 1e9, 0.0);
}

}  // namespace

FileKind fileKind(const std::string& path) {
    switch (fileFormat(path)) {
        case FileFormat::Folder: return isStudy(path) ? FileKind::Study : FileKind::Unknown;
        case FileFormat::Hdf5: return hdf5Kind(h5::Reader(path));
        case FileFormat::Nifti:
        case FileFormat::Interfile: return FileKind::Volume;
        case FileFormat::Castor: return isCastorHistogram(path) ? FileKind::Data : FileKind::List;
        case FileFormat::Safir: return FileKind::List;
        case FileFormat::Unknown: break;
    }
    return FileKind::Unknown;
}

std::string fileInfoJson(const std::string& path) {
    const FileFormat format = fileFormat(path);
    const FileKind kind = fileKind(path);
    if (kind == FileKind::Unknown) {
        throw BadInput(
            fmt::format("{}: is of no known kind (a study folder, HDF5 as in docs/formats.md, NIfTI-1, "
                        "Interfile image or CASToR header); convert it, or check its name{}",
                        path, headerHint(path)));
    }
    Json info{{"file", path}, {"kind", kindName(kind)}, {"format", formatName(format)}};
    if (format == FileFormat::Hdf5) {
        addHdf5(h5::Reader(path), kind, info);
    } else if (format == FileFormat::Castor) {
        addCastor(path, info);
    } else if (kind == FileKind::Volume) {
        const Volume volume = readVolume(path);
        info["lattice"] = latticeJson(volume.lattice);
        info["units"] = volume.units;
    }
    return info.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tof
