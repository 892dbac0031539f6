// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/kernel_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

constexpr const char* kExtension = ".json";
constexpr std::size_t kLongestName = 64;  ///< bytes

/// Letters of other alphabets are bytes above 127 in UTF-8.
bool mayStandInName(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           byte == '-' || byte == '_' || byte == '.' || byte == ' ' || byte > 127;
}

}  // namespace

KernelLibrary::KernelLibrary(std::string folder) : folder_(std::move(folder)) {}

std::string KernelLibrary::whyNotName(const std::string& name) {
    const bool usable = !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
                        name.front() != ' ' && name.back() != ' ' &&
                        std::all_of(name.begin(), name.end(), mayStandInName);
    if (!usable) {
        return fmt::format("'{}' cannot name a preset: take 1 to {} letters, digits, spaces, '-', '_' or '.'",
                           name, kLongestName);
    }
    return isShipped(name) ? fmt::format("'{}' is a preset of the program; take another name", name) : "";
}

std::string KernelLibrary::fileOf(const std::string& name) const {
    return (fs::path(folder_) / (name + kExtension)).string();
}

std::vector<std::string> KernelLibrary::ownNames() const {
    std::vector<std::string> names;
    std::error_code fault;
    if (folder_.empty()) {
        return names;
    }
    for (fs::directory_iterator it(folder_, fault), end; !fault && it != end; it.increment(fault)) {
        const std::string name = it->path().stem().string();
        std::error_code ignored;
        if (it->path().extension() == kExtension && it->is_regular_file(ignored) &&
            whyNotName(name).empty()) {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool KernelLibrary::isShipped(const std::string& name) {
    const std::vector<std::string> shipped = KernelSpec::presetNames();
    return std::find(shipped.begin(), shipped.end(), name) != shipped.end();
}

bool KernelLibrary::isOwn(const std::string& name) const {
    std::error_code ignored;
    return !folder_.empty() && whyNotName(name).empty() && fs::is_regular_file(fileOf(name), ignored);
}

KernelSpec KernelLibrary::load(const std::string& name) const {
    if (isShipped(name)) {
        return KernelSpec::preset(name);
    }
    if (!isOwn(name)) {
        std::vector<std::string> names = KernelSpec::presetNames();
        const std::vector<std::string> own = ownNames();
        names.insert(names.end(), own.begin(), own.end());
        throw WrongUse(fmt::format("no kernel preset '{}'{}; presets: {}", name, suggestion(name, names),
                                   fmt::join(names, ", ")));
    }
    KernelSpec kernel = KernelSpec::fromJson(readTextFile(fileOf(name)), fileOf(name));
    kernel.name = name;  // the file may have been renamed by hand
    return kernel;
}

void KernelLibrary::save(const std::string& name, KernelSpec kernel) const {
    const std::string why = whyNotName(name);
    if (!why.empty()) {
        throw WrongUse(why);
    }
    if (folder_.empty()) {
        throw WrongUse("there is no folder to keep presets in; write the kernel to a JSON file instead");
    }
    kernel.name = name;
    kernel.validate();
    std::error_code fault;
    fs::create_directories(folder_, fault);
    if (fault) {
        throw CannotWrite(
            fmt::format("{}: the folder of presets cannot be made: {}", folder_, fault.message()));
    }
    writeTextAside(fileOf(name), kernel.toJson() + "\n");
}

void KernelLibrary::remove(const std::string& name) const {
    if (isShipped(name)) {
        throw WrongUse(fmt::format("'{}' is a preset of the program and cannot be deleted", name));
    }
    if (!isOwn(name)) {
        const std::vector<std::string> own = ownNames();
        throw WrongUse(fmt::format(
            "no preset '{}' of your own{}; {}", name, suggestion(name, own),
            own.empty() ? "there are none yet" : fmt::format("there are {}", fmt::join(own, ", "))));
    }
    std::error_code fault;
    if (!fs::remove(fileOf(name), fault) || fault) {
        throw CannotWrite(fmt::format("{}: cannot be deleted: {}", fileOf(name), fault.message()));
    }
}

KernelSpec KernelLibrary::find(const std::string& kernel) const {
    if (kernel.starts_with(kPresetPrefix)) {
        return load(kernel.substr(std::string(kPresetPrefix).size()));
    }
    return KernelSpec::parse(kernel);
}

std::string KernelLibrary::setting(const std::string& kernel) const {
    if (!kernel.starts_with(kPresetPrefix)) {
        return kernel;
    }
    const KernelSpec found = find(kernel);
    return isShipped(found.name) ? found.name : found.toJson();
}

}  // namespace tof
