// SPDX-License-Identifier: Apache-2.0
// FFTW's planner, its thread setting and its wisdom are global to the process and not thread-safe: everything
// here that touches them takes one lock.
#pragma once

#include <fftw3.h>

#include <array>
#include <cstddef>

#include "recon/base/parallel.h"

namespace tof {

/// Plans of a real-to-half-complex transform of one size and of its unnormalised inverse.
///
/// They run in the pool they were made for, on any arrays aligned like those they were made for; the inverse
/// destroys its input. Executing is safe from any one thread at a time.
class FftPlans {
  public:
    /// `size` is x, y, z; `real` and `spectrum` hold reals() floats and complexes() pairs of floats, aligned
    /// to 64 bytes, and are overwritten. `measure` searches for the fastest plans (seconds at first),
    /// remembered as wisdom in the user's cache directory. Throws Unavailable when FFTW cannot plan.
    FftPlans(std::array<int, 3> size, const ThreadPool& pool, bool measure, float* real, float* spectrum);
    ~FftPlans();
    FftPlans(const FftPlans&) = delete;
    FftPlans& operator=(const FftPlans&) = delete;

    [[nodiscard]] static std::size_t reals(std::array<int, 3> size);
    [[nodiscard]] static std::size_t complexes(std::array<int, 3> size);
    /// True when the plans may run on an array at this address.
    [[nodiscard]] static bool aligned(const float* data);

    /// Leaves `real` as it is.
    void forward(const float* real, float* spectrum) const;
    void backward(float* spectrum, float* real) const;

  private:
    const ThreadPool& pool_;
    fftwf_plan forward_ = nullptr;
    fftwf_plan backward_ = nullptr;
};

/// What FFTW calls itself, "fftw-3.3.10-sse2-avx".
[[nodiscard]] const char* fftwVersion();

}  // namespace tof
