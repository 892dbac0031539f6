// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/loader/fftw_loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace {

/// What the module exports: fills the pointer, never throws.
using MakeEngine = void (*)(std::shared_ptr<const Engine>*);

std::vector<std::filesystem::path> places() {
    std::error_code ignored;
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    return {program / "../lib/libtofscope_fftw.so", program / "libtofscope_fftw.so", "libtofscope_fftw.so"};
}

}  // namespace

std::shared_ptr<const Engine> loadFftwEngine() {
    std::string reason;
    for (const auto& place : places()) {
        // Never closed: engines made by the module live as long as the program.
        void* const module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) {
            if (reason.empty() || std::filesystem::exists(place)) {
                reason = ::dlerror();
            }
            continue;
        }
        void* const symbol = ::dlsym(module, "tofscopeMakeFftwEngine");
        if (symbol == nullptr) {
            reason = "the module does not export tofscopeMakeFftwEngine";
            continue;
        }
        std::shared_ptr<const Engine> engine;
        reinterpret_cast<MakeEngine>(symbol)(&engine);
        return engine;
    }
    throw Unavailable(
        fmt::format("the module libtofscope_fftw.so could not be opened ({}); install FFTW 3 (single "
                    "precision) or take engine cpu",
                    reason));
}

}  // namespace tof
