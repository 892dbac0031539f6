// SPDX-License-Identifier: Apache-2.0
#include "recon/base/module.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace fs = std::filesystem;

std::string programFolder() {
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
