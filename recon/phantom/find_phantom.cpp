// SPDX-License-Identifier: Apache-2.0
// Phantoms by name: built-in, computed, or of a file.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

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

/// A phantom that is built in, computed, or described by a JSON file; else nothing.
std::optional<Phantom> described(const std::string& name) {
    for (const BuiltIn& one : builtInPhantoms()) {
        if (one.name == name) {
            return Phantom::fromJson(one.text, one.name);
        }
    }
    for (const std::string& computed : computedPhantoms()) {
        if (computed == name) {
            return computedPhantom(name);
        }
    }
    const bool isDescription = std::filesystem::path(name).extension() == ".json" && isFile(name);
    return isDescription ? std::optional(Phantom::fromJson(readTextFile(name), name)) : std::nullopt;
}

/// Two file names around the first comma, unless the whole is the name of a file.
std::array<std::string, 2> volumesOf(const std::string& names) {
    const std::size_t comma = isFile(names) ? std::string::npos : names.find(',');
    return {names.substr(0, comma), comma == std::string::npos ? "" : names.substr(comma + 1)};
}

}  // namespace

Phantom Phantom::find(const std::string& nameOrFiles, const VolumeReader& readVolume) {
    if (std::optional<Phantom> phantom = described(nameOrFiles)) {
        return *std::move(phantom);
    }
    const auto [emission, attenuation] = volumesOf(nameOrFiles);
    requireFile(emission);
    if (nameOrFiles != emission) {
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

bool Phantom::isOfVolumes(const std::string& nameOrText) {
    const auto isIt = [&](const std::string& one) { return one == nameOrText; };
    const std::vector<std::string> builtIn = namesOf(builtInPhantoms());
    return !nameOrText.starts_with('{') && std::none_of(builtIn.begin(), builtIn.end(), isIt) &&
           std::none_of(computedPhantoms().begin(), computedPhantoms().end(), isIt) &&
           std::filesystem::path(nameOrText).extension() != ".json" && isFile(volumesOf(nameOrText)[0]);
}

}  // namespace tof
