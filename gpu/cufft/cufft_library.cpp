// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Where libcufft may be: the loader's own places, then those of a toolkit.
std::vector<std::string> candidates() {
    const std::string name = fmt::format("libcufft.so.{}", CUFFT_VER_MAJOR);
    std::vector<std::string> places{name};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* const home = std::getenv(variable)) {
            places.push_back(fmt::format("{}/lib64/{}", home, name));
        }
    }
    places.push_back("/usr/local/cuda/lib64/" + name);
    return places;
}

template <typename Function>
void find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, symbol));
    if (function == nullptr) {
        throw Unavailable("libcufft has no function {}; install CUDA {}'s cuFFT", symbol, CUFFT_VER_MAJOR);
    }
}

}  // namespace

std::shared_ptr<const CufftLibrary> CufftLibrary::open() {
    auto library = std::make_shared<CufftLibrary>();
    for (const std::string& place : candidates()) {
        library->handle_.reset(::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
            if (handle != nullptr) {
                ::dlclose(handle);
            }
        });
        if (library->handle_ != nullptr) {
            break;
        }
    }
    if (library->handle_ == nullptr) {
        throw Unavailable(
            "the library libcufft is not installed (looked for {}); install the CUDA toolkit's cuFFT",
            fmt::join(candidates(), ", "));
    }
    void* const handle = library->handle_.get();
    find(handle, "cufftCreate", library->create);
    find(handle, "cufftDestroy", library->destroy);
    find(handle, "cufftMakePlan3d", library->makePlan3d);
    find(handle, "cufftSetAutoAllocation", library->setAutoAllocation);
    find(handle, "cufftSetWorkArea", library->setWorkArea);
    find(handle, "cufftSetStream", library->setStream);
    find(handle, "cufftExecR2C", library->execR2C);
    find(handle, "cufftExecC2R", library->execC2R);
    find(handle, "cufftGetVersion", library->getVersion);
    return library;
}

std::string CufftLibrary::version() const {
    int number = 0;
    check(getVersion(&number), "read the version");
    return fmt::format("{}.{}.{}", number / 1000, number % 1000 / 100, number % 100);
}

void CufftLibrary::check(cufftResult status, const char* operation) {
    if (status != CUFFT_SUCCESS) {
        throw Unavailable("cuFFT could not {} (code {})", operation, static_cast<int>(status));
    }
}

}  // namespace tof
