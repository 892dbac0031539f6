// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/seam/engine.h"

namespace tof {

/// Opens the module libtofscope_fftw.so beside the program (../lib, or the build tree's lib) and returns its
/// engine. Throws Unavailable with the reason when the module or FFTW is not installed.
[[nodiscard]] std::shared_ptr<const Engine> loadFftwEngine();

}  // namespace tof
