// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cufft.h>

#include <memory>
#include <string>

#include "gpu/library/dynamic_library.h"

namespace tof {

/// libcufft, opened at run time: a machine without it still runs everything else.
class CufftLibrary {
  public:
    /// Throws Unavailable where a function is missing.
    explicit CufftLibrary(const DynamicLibrary& library);

    /// Throws Unavailable saying where it was looked for.
    [[nodiscard]] static std::shared_ptr<const CufftLibrary> open();

    decltype(&cufftCreate) create = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftMakePlan3d) makePlan3d = nullptr;
    decltype(&cufftSetAutoAllocation) setAutoAllocation = nullptr;
    decltype(&cufftSetWorkArea) setWorkArea = nullptr;
    decltype(&cufftSetStream) setStream = nullptr;
    decltype(&cufftExecR2C) execR2C = nullptr;
    decltype(&cufftExecC2R) execC2R = nullptr;
    decltype(&cufftGetVersion) getVersion = nullptr;

    /// "12.0.0".
    [[nodiscard]] std::string version() const;
    /// Throws Unavailable naming the operation and the code when `status` is not success.
    static void check(cufftResult status, const char* operation);

  private:
    DynamicLibrary library_;
};

}  // namespace tof
