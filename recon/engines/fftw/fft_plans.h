// SPDX-License-Identifier: Apache-2.0
// FFTW's planner, its thread setting and its wisdom are global to the process and not thread-safe: everything
// here that touches them takes one lock.
#pragma once

#include <fftw3.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "recon/base/parallel.h"
#include "recon/seam/engine.h"

namespace tof {

enum class PlanEffort { Estimated, Measured };

/// How plans are found. Measured plans are the fastest (seconds at first), remembered as wisdom in the user's
/// cache directory.
struct PlanSearch {
    PlanEffort effort = PlanEffort::Measured;
    /// Called every 20 ms of a search by the thread that waits for it; what it throws ends the search and
    /// passes.
    std::function<void()> heed = [] {};
};

/// Says how an engine with these options searches.
[[nodiscard]] PlanSearch planSearch(const EngineOptions& options);

struct DestroyPlan {
    void operator()(fftwf_plan plan) const;
};
using FftPlan = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, DestroyPlan>;

/// Plans of a real-to-half-complex transform of one size and of its unnormalised inverse.
///
/// They run in the pool they were made for, on any arrays aligned like those they were made for; the inverse
/// destroys its input. Executing is safe from any one thread at a time.
class FftPlans {
  public:
    /// `size` is x, y, z; `real` and `spectrum` hold the samples of a FourierGrid of this size and its pairs,
    /// aligned to 64 bytes, and are overwritten. Throws Unavailable when FFTW cannot plan.
    FftPlans(std::array<int, 3> size, const ThreadPool& pool, const PlanSearch& search, float* real,
             float* spectrum);

    /// True when the plans may run on an array at this address.
    [[nodiscard]] static bool aligned(const float* data);

    /// Leaves `real` as it is.
    void forward(const float* real, float* spectrum) const;
    void backward(float* spectrum, float* real) const;

  private:
    const ThreadPool& pool_;
    FftPlan forward_;
    FftPlan backward_;
};

/// Plans for a volume whose planes are transformed one by one: along z for a row of the volume at a time,
/// and in both directions of a plane. Unnormalised; any number of threads may execute them at once.
///
/// The volume is [z][y][x], its transform along z [kz][y][x] pairs with kz = 0 .. size[2]/2. A plane is
/// [y][x] pairs of size[1] rows, transformed in place.
class PlanePlans {
  public:
    struct Shape {
        std::array<int, 3> size{};  ///< size of the grid, x, y, z
        int columns = 0;            ///< columns of the volume along x
        int rows = 0;               ///< along y, not more than size[1]; those beyond are zero in a plane
        std::size_t rowFloats =
            0;                     ///< from one row of the volume, and of its transform in pairs, to the next
        std::size_t planeRow = 0;  ///< pairs from one row of a plane to the next
    };
    /// `volume`, `transform` and `plane` are 64-byte aligned, of these sizes, and overwritten. Throws
    /// Unavailable.
    PlanePlans(const Shape& shape, const PlanSearch& search, float* volume, float* transform, float* plane);

    /// A row of the volume, from and to its first elements in both arrays.
    void forwardRow(const float* volume, float* transform) const;
    void backwardRow(float* transform, float* volume) const;
    /// Transforms a plane with zeros beyond `rows`.
    void forwardPlane(float* plane) const;
    /// Transforms any plane.
    void forwardWholePlane(float* plane) const;
    /// Rows beyond `rows` are left undefined.
    void backwardPlane(float* plane) const;

  private:
    enum Which { RowForward, RowBackward, XForward, XForwardWhole, YForward, YBackward, XBackward, kPlans };
    std::array<FftPlan, kPlans> plans_;
};

/// What FFTW calls itself, "fftw-3.3.10-sse2-avx".
[[nodiscard]] const char* fftwVersion();

}  // namespace tof
