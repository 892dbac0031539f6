// SPDX-License-Identifier: Apache-2.0
// Phantoms by name: built-in, computed, or of a file.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/base/text_file.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

bool isFile(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

void requireFile(const std::string& path) {
    if (!isFile(path)) {
        auto names = namesOf(builtInPhantoms());
        names.insert(names.end(), computedPhantoms().begin(), computedPhantoms().end());
        throw WrongUse(
            "no phantom or file '{}'{}; built in: {}; else a .json file or EMISSION,ATTENUATION volume files",
            path, suggestion(path, names), fmt::join(names, ", "));
    }
}

Phantom fromVolumes(const std::string& emission, const std::string& attenuation,
                    const VolumeReader& readVolume) {
    Phantom phantom;
    phantom.name = std::filesystem::path(emission).stem().string();
    phantom.emission = readVolume(emission);
    phantom.description = emission;
    if (!attenuation.empty()) {
        phantom.description += "," + attenuation;
        phantom.attenuation = readVolume(attenuation);
        for (float& mu : phantom.attenuation->data) {  // mu maps hold 1/cm
            mu *= 0.1F;
        }
        phantom.attenuation->units = "1/mm";
    }
    return phantom;
}

}  // namespace

Phantom Phantom::find(const std::string& nameOrFiles, const VolumeReader& readVolume) {
    for (const BuiltIn& one : builtInPhantoms()) {
        if (one.name == nameOrFiles) {
            return fromJson(one.text, one.name);
        }
    }
    for (const std::string& name : computedPhantoms()) {
        if (name == nameOrFiles) {
            return computedPhantom(name);
        }
    }
    const bool whole = isFile(nameOrFiles);
    if (whole && std::filesystem::path(nameOrFiles).extension() == ".json") {
        return fromJson(readTextFile(nameOrFiles), nameOrFiles);
    }
    const std::size_t comma = whole ? std::string::npos : nameOrFiles.find(',');
    const std::string emission = nameOrFiles.substr(0, comma);
    const std::string attenuation = comma == std::string::npos ? "" : nameOrFiles.substr(comma + 1);
    requireFile(emission);
    if (comma != std::string::npos) {
        requireFile(attenuation);
    }
    if (!readVolume) {
        throw WrongUse("'{}' is not a phantom description; volume files are not read here", nameOrFiles);
    }
    return fromVolumes(emission, attenuation, readVolume);
}

Phantom Phantom::fromNameOrText(const std::string& nameOrText, const std::string& source,
                                const VolumeReader& readVolume) {
    return nameOrText.starts_with('{') ? fromJson(nameOrText, source) : find(nameOrText, readVolume);
}

}  // namespace tof
