// SPDX-License-Identifier: Apache-2.0
#include "recon/base/module.h"

#include <dlfcn.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

/// The folder of the programs of the installation that the shared object of this code is part of; empty
/// where it is no shared object but a program.
std::string programsOfLibrary() {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&programFolder), &info) == 0 || info.dli_fname == nullptr ||
        !std::string_view(info.dli_fname).ends_with(".so")) {
        return {};
    }
    std::error_code fault;
    for (fs::path at = fs::canonical(info.dli_fname, fault).parent_path(); at.has_relative_path();
         at = at.parent_path()) {
        if (fs::exists(at / "bin" / "tofscope-cli", fault)) {
            return (at / "bin").string();
        }
    }
    return {};
}

}  // namespace

std::string programFolder() {
    if (std::string folder = programsOfLibrary(); !folder.empty()) {
        return folder;
    }
    std::error_code fault;
    const fs::path program = fs::read_symlink("/proc/self/exe", fault);
    return fault || !program.is_absolute() ? std::string() : program.parent_path().string();
}

void* moduleFunction(const std::string& file, const char* symbol, const std::string& remedy) {
    // Without a folder a name alone is left, which is looked for where libraries are, never in the current
    // folder.
    const fs::path program = programFolder();
    std::vector<fs::path> places{file};
    if (!program.empty()) {
        places = {program / "../lib" / file, program / file, file};
    }
    std::string reason;
    for (const fs::path& place : places) {
        void* const module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) {
            if (reason.empty() || fs::exists(place)) {
                reason = ::dlerror();
            }
            continue;
        }
        if (void* const function = ::dlsym(module, symbol)) {
            return function;
        }
        reason = std::string("the module does not export ") + symbol;
    }
    throw Unavailable("the module {} could not be opened ({}); {}", file, reason, remedy);
}

}  // namespace tof
