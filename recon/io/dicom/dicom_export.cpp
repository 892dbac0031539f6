// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// DICOM's term for units of ours, and what values are multiplied with.
std::pair<std::string, double> termOf(const std::string& units) {
    if (units == "kBq/ml") {
        return {"BQML", 1000.0};
    }
    static constexpr std::array<std::pair<std::string_view, const char*>, 5> kTerms{
        {{"Bq/ml", "BQML"},
         {"g/ml", "GML"},
         {"1/cm", "1CM"},
         {"counts", "CNTS"},
         {kEmissionsPerVoxel, "CNTS"}}};
    for (const auto& [ours, term] : kTerms) {
        if (units == ours) {
            return {term, 1.0};
        }
    }
    return {"NONE", 1.0};
}

/// Frames of the scan and its dose as DICOM has them, and what values of the image are multiplied with.
struct ScanMade {
    DicomScan scan;
    double factor = 1;
};

/// Values that are corrected to neither the start nor the injection become corrected to the start.
ScanMade scanOf(const std::string& path, const DynamicInfo& info, const std::optional<Uptake>& uptake) {
    constexpr double kSame_s = 1e-3;
    ScanMade made;
    DicomScan& scan = made.scan;
    scan.frames = info.frames.empty() ? std::vector<TimeFrame>{{0, 0}} : info.frames;
    scan.uptake = uptake;
    scan.halfLife_s = uptake ? uptake->halfLife_s : info.halfLife_s;
    scan.nuclide = nuclideOfHalfLife(scan.halfLife_s);
    const bool applied = uptake || info.decay == DecayCorrection::Applied;
    if (!applied) {
        return made;
    }
    if (!(scan.halfLife_s > 0)) {
        throw CannotWrite(
            "{}: values are corrected for decay, but their half life is not known, which DICOM asks for; "
            "write .nii or .h5",
            path);
    }
    const double begin_s = scan.frames.front().start_s;
    const double reference_s = info.decay == DecayCorrection::Applied ? info.decayReference_s : begin_s;
    if (uptake) {
        scan.injection_s = reference_s - uptake->waited_s;
    }
    const bool toInjection = uptake && std::abs(uptake->waited_s) < kSame_s;
    scan.correction = toInjection && std::abs(reference_s - begin_s) >= kSame_s ? "ADMIN" : "START";
    if (scan.correction == "START") {
        constexpr double kMostHalfLives = 60;
        if (std::abs(reference_s - begin_s) > kMostHalfLives * scan.halfLife_s) {
            throw CannotWrite(
                "{}: values are corrected to {:g} s, more than {:g} half lives from the start; correct that "
                "time",
                path, reference_s, kMostHalfLives);
        }
        made.factor = std::exp2((reference_s - begin_s) / scan.halfLife_s);
    }
    return made;
}

/// Writes the images of all frames into the folder `aside`, which is there.
void writeImages(DicomWriter& writer, const Destination& to, const std::filesystem::path& aside,
                 const DynamicSource& image, std::size_t frames, double factor) {
    const Lattice& lattice = image.info.lattice;
    const std::size_t plane =
        static_cast<std::size_t>(lattice.size[0]) * static_cast<std::size_t>(lattice.size[1]);
    std::vector<float> slice(plane);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const std::vector<float> values = image.values(frame);
        for (int z = 0; z < lattice.size[2]; ++z) {
            to.ask();
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(plane) * z;
            std::transform(
                from, from + static_cast<std::ptrdiff_t>(plane), slice.begin(),
                [factor](float value) { return static_cast<float>(factor * static_cast<double>(value)); });
            const Vec3 at = lattice.centre(0, 0, z);
            const std::size_t number =
                frame * static_cast<std::size_t>(lattice.size[2]) + static_cast<std::size_t>(z) + 1;
            writer.write((aside / fmt::format("{:05}.dcm", number)).string(),
                         {static_cast<int>(frame), z, {at.x, at.y, at.z}}, slice.data(), lattice.size[0],
                         lattice.size[1]);
        }
    }
}

}  // namespace

DynamicSource sourceOf(const Volume& volume) {
    DynamicSource source;
    source.info.lattice = volume.lattice;
    source.info.units = volume.units;
    source.values = [&volume](std::size_t) { return volume.data; };
    return source;
}

/// A folder that is whole or not there: written aside and renamed.
std::string writeDicomSeries(const Destination& to, const DynamicSource& image,
                             const std::optional<Uptake>& uptake) {
    const std::string& path = to.path;
    std::error_code fault;
    if (fs::exists(path, fault)) {
        throw CannotWrite("{}: is there already; name a folder that is not", path);
    }
    const std::string& units = image.info.units;
    const auto [term, factor] = termOf(units);
    const Lattice& lattice = image.info.lattice;
    const ScanMade made = scanOf(path, image.info, uptake);
    DicomWriter writer({term, "Tofscope, " + (units.empty() ? "no units" : units), lattice.size[2],
                        lattice.spacing_mm, made.scan},
                       path);
    // A name of one's own: another program may be writing the same folder.
    std::random_device random;
    const fs::path aside = fmt::format("{}.{}-{:08x}.part", path, ::getpid(), random());
    if (!fs::create_directory(aside, fault)) {
        throw CannotWrite("{}: cannot be made ({}); check the folder it is to be in", path, fault.message());
    }
    try {
        writeImages(writer, to, aside, image, made.scan.frames.size(), factor * made.factor);
        flushFolderOf((aside / "1").string());
    } catch (...) {
        fs::remove_all(aside, fault);
        throw;
    }
    if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0 &&
        (errno != EINVAL || ::rename(aside.c_str(), path.c_str()) != 0)) {
        fs::remove_all(aside, fault);
        throw CannotWrite("{}: cannot be renamed into place; check the folder it is to be in", path);
    }
    flushFolderOf(path);
    return term != "NONE" || units.empty()
               ? ""
               : fmt::format(
                     "DICOM has no term for units '{}': written as NONE, named in the series' description",
                     units);
}

}  // namespace tof
