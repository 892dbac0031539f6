// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_library.h"

#include <fmt/format.h>

#include "recon/base/error.h"

namespace tof {

CufftLibrary::CufftLibrary(const DynamicLibrary& library) : library_(library) {
    library_.find("cufftCreate", create);
    library_.find("cufftDestroy", destroy);
    library_.find("cufftMakePlan3d", makePlan3d);
    library_.find("cufftSetAutoAllocation", setAutoAllocation);
    library_.find("cufftSetWorkArea", setWorkArea);
    library_.find("cufftSetStream", setStream);
    library_.find("cufftExecR2C", execR2C);
    library_.find("cufftExecC2R", execC2R);
    library_.find("cufftGetVersion", getVersion);
}

std::shared_ptr<const CufftLibrary> CufftLibrary::open() {
    return std::make_shared<CufftLibrary>(
        DynamicLibrary({.name = "libcufft",
                        .major = CUFFT_VER_MAJOR,
                        .homes = {"CUDA_HOME", "CUDA_PATH"},
                        .folders = {"lib64"},
                        .remedy = fmt::format("install cuFFT {} of the CUDA toolkit", CUFFT_VER_MAJOR)}));
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
