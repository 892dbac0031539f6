// SPDX-License-Identifier: Apache-2.0
#include "recon/base/module.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "recon/base/error.h"

namespace tof {

void* moduleFunction(const std::string& file, const char* symbol, const std::string& remedy) {
    std::error_code ignored;
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    std::string reason;
    for (const std::filesystem::path& place :
         {program / "../lib" / file, program / file, std::filesystem::path(file)}) {
        void* const module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) {
            if (reason.empty() || std::filesystem::exists(place)) {
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
