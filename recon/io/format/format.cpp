// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/plain_file.h"

namespace tof {

FileStart::FileStart(std::string file, std::function<void()> question)
    : path(std::move(file)), heed(std::move(question)) {
    std::error_code ignored;
    isFolder = std::filesystem::is_directory(path, ignored);
    if (isFolder) {
        return;
    }
    requirePlainFile(path);
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw BadInput("{}: cannot be opened; check the name and the permission to read it", path);
    }
    constexpr std::size_t kStart = 1U << 20U;
    bytes.resize(kStart);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    if (bytes.empty()) {
        throw BadInput("{}: is empty; copy or make it again", path);
    }
}

void FormatFile::describe(nlohmann::ordered_json& info) const {
    if (const std::optional<VolumeReadResult> held = volume({})) {
        info["lattice"] = latticeJson(held->volume.lattice);
        info["units"] = held->volume.units;
        if (!held->note.empty()) {
            info["note"] = held->note;
        }
    }
}

void requireOnlyVolume(const std::string& path, const VolumeReadOptions& options) {
    if (options.frame > 1) {
        throw WrongUse("{}: holds one volume, so there is no frame {}; leave --frame out", path,
                       options.frame);
    }
    requireNoSeries(path, options);
}

std::size_t chosenFrame(const std::string& path, const VolumeReadOptions& options, std::size_t count,
                        const char* where) {
    if (options.frame == 0 && count > 1) {
        throw BadInput("{}: holds {} volumes ({}); {}", path, count, where,
                       choiceRemedy(options.choiceBy, "--frame"));
    }
    if (static_cast<std::size_t>(options.frame) > count) {
        throw WrongUse("{}: holds {} volumes, so there is no frame {}; choose one up to {}", path, count,
                       options.frame, count);
    }
    return static_cast<std::size_t>(std::max(options.frame, 1) - 1);
}

void requireNoSeries(const std::string& path, const VolumeReadOptions& options) {
    if (!options.series.empty() || options.suv) {
        throw WrongUse(
            "{}: is not DICOM, which alone has series and says what SUV need; leave --series and --suv "
            "out, or give weight and dose (analyze --weight --dose)",
            path);
    }
    if (options.factor == StatedFactor::Left) {
        refuseNoFactor(path);
    }
}

void refuseNoFactor(const std::string& path) {
    throw WrongUse(
        "{}: states no factor beside its scales, as ECAT 7, Interfile's 'quantification units' and Philips' "
        "counts do; leave --calibration out, or give 'convert' a file for it",
        path);
}

std::string statedFactorNote(const std::string& what, const std::string& field, double factor,
                             StatedFactor use) {
    const bool left = use == StatedFactor::Left;
    return fmt::format("{} are {}multiplied by '{}' {:g}{}", what, left ? "not " : "", field, factor,
                       left ? ", as --calibration none says" : "; --calibration none leaves that out");
}

std::string choiceRemedy(ChoiceBy by, const char* option) {
    return by == ChoiceBy::Options
               ? fmt::format("choose one with {}", option)
               : fmt::format("take one out of it with 'tofscope-cli convert FILE ONE.h5 {} N'", option);
}

void describeFrames(const DynamicInfo& image, nlohmann::ordered_json& info) {
    info["frames"] = image.frames.size();
    for (const TimeFrame& frame : image.frames) {
        info["frame_start_s"].push_back(frame.start_s);
        info["frame_duration_s"].push_back(frame.duration_s);
    }
    if (image.decay != DecayCorrection::Unknown) {
        info["decay_corrected"] = image.decay == DecayCorrection::Applied;
    }
    if (image.halfLife_s > 0) {
        info["half_life_s"] = image.halfLife_s;
    }
}

nlohmann::ordered_json latticeJson(const Lattice& lattice) {
    return {{"size", lattice.size},
            {"spacing_mm", lattice.spacing_mm},
            {"origin_mm", {lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z}}};
}

}  // namespace tof
