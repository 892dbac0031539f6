// SPDX-License-Identifier: Apache-2.0
#include "gpu/library/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

std::vector<std::string> candidates(const LibraryPlaces& places) {
    const std::string file = fmt::format("{}.so.{}", places.name, places.major);
    std::vector<std::string> all{file};
    for (const char* const variable : places.homes) {
        const char* const home = std::getenv(variable);
        for (const char* const folder : places.folders) {
            // What is not absolute would be looked for in the current folder.
            if (home != nullptr && *home == '/') {
                all.push_back(fmt::format("{}/{}/{}", home, folder, file));
            }
        }
    }
    all.push_back("/usr/local/cuda/lib64/" + file);
    return all;
}

}  // namespace

DynamicLibrary::DynamicLibrary(LibraryPlaces places) : places_(std::move(places)) {
    const std::vector<std::string> files = candidates(places_);
    for (const std::string& file : files) {
        if (void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            handle_.reset(handle, [closed = places_.closed](void* library) {
                if (closed) {
                    ::dlclose(library);
                }
            });
            return;
        }
    }
    throw Unavailable("the library {} is not installed (looked for {}); {}", places_.name,
                      fmt::join(files, ", "), places_.remedy);
}

void* DynamicLibrary::address(const char* symbol) const {
    void* const found = ::dlsym(handle_.get(), symbol);
    if (found == nullptr) {
        throw Unavailable("{} has no function {}; {}", places_.name, symbol, places_.remedy);
    }
    return found;
}

}  // namespace tof
