// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/loader/fftw_loader.h"

#include "recon/base/module.h"

namespace tof {

namespace {

/// What the module exports: fills the pointer, never throws.
using MakeEngine = void (*)(std::shared_ptr<const Engine>*);

}  // namespace

std::shared_ptr<const Engine> loadFftwEngine() {
    void* const make = moduleFunction("libtofscope_fftw.so", "tofscopeMakeFftwEngine",
                                      "install FFTW 3 (single precision) or take engine cpu");
    std::shared_ptr<const Engine> engine;
    reinterpret_cast<MakeEngine>(make)(&engine);
    return engine;
}

}  // namespace tof
