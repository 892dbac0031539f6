// SPDX-License-Identifier: Apache-2.0
// The stored system matrix of two panels: one kernel per orientation class that no symmetry makes from
// another.
//
// A kernel is the response of one line at shift (0, 0) with dy, dz >= 0: crystal (0, 0) of head 0 and crystal
// (dy, dz) of head 1. Its entries are voxels counted from the first voxel of crystal (0, 0):
//   x in 0..planes-1, y in 0..D (dy+1) - 1, z in 0..D (dz+1) - 1, D = voxelsPerPitch.
// The line of sign s at shift (a, b) sees, with weight w of entry (x, y, z), the voxel
//   x,  D a + (negativeY(s) ? D (dy+1) - 1 - y : y),  D b + (negativeZ(s) ? D (dz+1) - 1 - z : z),
// which lies in the image for every shift of the class. Where y and z may be exchanged only dy >= dz are
// stored: class (dy, dz) with dy < dz takes the kernel of (dz, dy) with y and z of its entries exchanged.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/panel_geometry.h"

namespace tof {

struct EngineOptions;
struct PanelPair;

/// x, y, z of an entry in one word.
struct PanelPlace {
    static constexpr unsigned kBits = 10;  ///< bits of y, and of z
    static constexpr std::uint32_t kMask = (1U << kBits) - 1;

    [[nodiscard]] static TOF_HD std::uint32_t pack(int x, int y, int z) {
        return static_cast<std::uint32_t>(x) << (2 * kBits) | static_cast<std::uint32_t>(z) << kBits |
               static_cast<std::uint32_t>(y);
    }
    [[nodiscard]] static TOF_HD int x(std::uint32_t place) { return static_cast<int>(place >> (2 * kBits)); }
    [[nodiscard]] static TOF_HD int y(std::uint32_t place) { return static_cast<int>(place & kMask); }
    [[nodiscard]] static TOF_HD int z(std::uint32_t place) {
        return static_cast<int>(place >> kBits & kMask);
    }
};

/// How a matrix is integrated, and what of it is kept.
struct PanelQuadrature {
    int rays = 2;                        ///< Gauss points of each smooth stretch of tangents, 1..4
    std::array<int, 3> points{1, 2, 2};  ///< along x, y, z of a voxel, 1..4; see panelPoints()
    /// Smallest entries of a kernel are left out while they sum to no more than this share of it; what stays
    /// is scaled to the whole sum.
    double leftOut = 0.002;

    [[nodiscard]] bool operator==(const PanelQuadrature&) const = default;
};

/// The kernel of a class.
struct PanelKernelRef {
    int kernel = 0;
    bool exchanged = false;  ///< y and z of its entries are to be exchanged
};

/// Plain data, immutable once built.
struct PanelMatrix {
    PanelGeometry geometry;
    PanelQuadrature quadrature;
    std::vector<PanelClass> kernels;      ///< whose responses are stored, ascending by number of the class
    std::vector<PanelKernelRef> ofClass;  ///< by number of the class
    std::vector<std::uint64_t> offsets;   ///< where each kernel's entries begin; kernels + 1
    std::vector<std::uint32_t> places;    ///< PanelPlace, ascending within a kernel: by x, then z, then y
    std::vector<float> values;            ///< recorded pairs per annihilation in the voxel
    std::vector<double> sums;             ///< sum of each kernel, with what was left out

    [[nodiscard]] std::span<const std::uint32_t> placesOf(int kernel) const {
        return {places.data() + offsets[static_cast<std::size_t>(kernel)],
                places.data() + offsets[static_cast<std::size_t>(kernel) + 1]};
    }
    [[nodiscard]] std::span<const float> valuesOf(int kernel) const {
        return {values.data() + offsets[static_cast<std::size_t>(kernel)],
                values.data() + offsets[static_cast<std::size_t>(kernel) + 1]};
    }
    [[nodiscard]] std::size_t memoryBytes() const {
        return values.size() * (sizeof(float) + sizeof(std::uint32_t));
    }
};

/// Empty but for kernels and ofClass: what is to be built.
[[nodiscard]] PanelMatrix panelMatrixPlan(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// One kernel, dense: response of every voxel [x][z][y] of the box that panel_matrix.h describes, nothing
/// left out. The definition that every builder is compared with.
/// `checkpoint` is called many times a second, and may throw.
[[nodiscard]] std::vector<float> panelKernel(
    const PanelGeometry& geometry, const PanelQuadrature& quadrature, const PanelClass& which,
    const std::function<void()>& checkpoint = [] {});

/// First and last of `count` voxels along an axis that a line of the pair may cross in the plane at x; the
/// point's place does not matter much, so a voxel more on either side is taken.
[[nodiscard]] std::array<int, 2> voxelsCrossed(const PanelPair& pair, int axis, double x, double spacing_mm,
                                               int count);

/// The entries of a dense kernel that are kept, scaled to its sum.
struct PanelEntries {
    std::vector<std::uint32_t> places;
    std::vector<float> values;
    double sum = 0;   ///< sum of the dense kernel
    double kept = 0;  ///< sum of its entries before they were scaled
};
[[nodiscard]] PanelEntries keptEntries(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                                       const PanelClass& which, std::span<const float> dense);

/// Puts kernels together, in the order of `plan.kernels`.
[[nodiscard]] PanelMatrix assembled(PanelMatrix plan, std::vector<PanelEntries> kernels);

/// Whether these can be the entries of a kernel: each in its box, in order, every weight a weight.
[[nodiscard]] bool isKernel(const PanelGeometry& geometry, const PanelClass& which,
                            std::span<const std::uint32_t> places, std::span<const float> values);

/// Who waits for kernels; is called from one thread at a time, and may throw Cancelled.
class PanelKernelSink {
  public:
    virtual ~PanelKernelSink() = default;
    /// A kernel is made.
    virtual void done(int kernel, PanelEntries entries) = 0;
    /// Some times a second while a kernel is made.
    virtual void checkpoint() = 0;
};

/// Collects the kernels of a plan, and tells what share of the work is done. Plan and progress must outlive
/// it; it throws what progress throws.
class CollectedKernels : public PanelKernelSink {
  public:
    CollectedKernels(const PanelMatrix& plan, const std::function<void(double)>& progress);
    [[nodiscard]] std::vector<int> missing() const;
    void done(int kernel, PanelEntries entries) override;
    void checkpoint() override;
    /// All of them, in the order of the plan, once.
    [[nodiscard]] std::vector<PanelEntries> take() { return std::move(kernels_); }

  protected:
    /// Collects without a word.
    void put(int kernel, PanelEntries entries);

  private:
    const PanelMatrix& plan_;
    const std::function<void(double)>& progress_;
    std::vector<PanelEntries> kernels_;
    std::vector<bool> there_;
    std::size_t count_ = 0;
    double work_ = 0;
    double all_ = 0;
};

/// Makes the kernels `wanted` of a plan, in any order.
using PanelKernelMaker =
    std::function<void(const PanelMatrix& plan, std::span<const int> wanted, PanelKernelSink& sink)>;

/// An engine that makes kernels faster than the host does, to rounding (Engine::offers).
class MakesPanelKernels {
  public:
    virtual ~MakesPanelKernels() = default;
    [[nodiscard]] virtual PanelKernelMaker panelKernels(const EngineOptions& options) const = 0;
};

/// Makes them on host threads: the same bits for any number of them.
[[nodiscard]] PanelKernelMaker hostPanelKernels(int threads = 0, Priority priority = Priority::Normal);

/// `progress` gets the share done, from one thread at a time, and may throw Cancelled.
[[nodiscard]] PanelMatrix buildPanelMatrix(
    const PanelGeometry& geometry, const PanelQuadrature& quadrature, const PanelKernelMaker& make,
    const std::function<void(double)>& progress = [](double) {});
/// Makes them with every core of the host.
[[nodiscard]] PanelMatrix buildPanelMatrix(
    const PanelGeometry& geometry, const PanelQuadrature& quadrature,
    const std::function<void(double)>& progress = [](double) {});

/// How long making a kernel takes, beside others: of no unit, positive.
[[nodiscard]] double panelKernelWork(const PanelClass& which);

}  // namespace tof
