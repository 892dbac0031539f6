// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/kernel/frame.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/kernel/radial_model.h"
#include "recon/kernel/voxel_average.h"

namespace tof {

/// The three look-up tables of one view (paper 000, section 4.1).
///
/// mSR: `taps`, in order of z, y, x. mSRval: `values`, [id][tap], each row summing to 1 (in double, before
/// rounding to float). LORmap: `ids`, [y][x], the row of `values` for every voxel of that column (s does not
/// depend on z).
/// Forward: source j spreads row ids[j] over j + taps; back: voxel j gathers row ids[j] from j + taps.
struct KernelTables {
    std::vector<KernelTap> taps;
    std::vector<float> values;
    std::vector<std::int32_t> ids;
    int radialIds = 0;  ///< ids 0 .. radialIds-1 exist on the lattice
    int rows = 0;       ///< rows of `values`: radialIds, or 2 radialIds + 1 when sided
    SupportAxes support{};

    [[nodiscard]] std::span<const float> row(int id) const {
        return {values.data() + static_cast<std::size_t>(id) * taps.size(), taps.size()};
    }
};

/// The arrays behind a RadialModel, on the host.
class RadialArrays {
  public:
    RadialArrays(const KernelSpec& spec, int radialIds);
    /// Valid as long as this object.
    [[nodiscard]] RadialModel model() const;

    std::vector<double> sigma;
    std::vector<double> s;
    std::vector<int> first;
    std::vector<double> q;
    std::vector<double> w;

  private:
    RadialModel model_;
};

/// The tables of a view but for their values: what is known before a row is computed, and any row on request.
class KernelOutline {
  public:
    /// Throws as makeKernelFrame() does.
    KernelOutline(const KernelSpec& spec, const Lattice& lattice, const View& view);

    [[nodiscard]] const std::vector<KernelTap>& taps() const { return frame_.taps; }
    /// The id of each column of the lattice, [y][x].
    [[nodiscard]] const std::vector<std::int32_t>& ids() const { return frame_.ids; }
    [[nodiscard]] int radialIds() const { return frame_.radialIds; }
    [[nodiscard]] int rows() const { return frame_.rows; }
    [[nodiscard]] const SupportAxes& support() const { return frame_.support; }
    /// Different distances along r among the taps.
    [[nodiscard]] std::size_t distances() const { return distances_.size(); }

    /// One row of the table. Throws BadInput when it is zero at every tap.
    [[nodiscard]] std::vector<float> row(int id) const;
    /// A row as factors per distance, for tap(): its sum is taken by distance, so the values of the table
    /// follow to the rounding of double. Those of the mirrored row are the same in reverse. Throws as row()
    /// does.
    [[nodiscard]] std::vector<double> factorsOf(int id) const;
    [[nodiscard]] std::vector<double> factorsOf(const RadialModel& model, int id) const;
    /// The factors, not divided by the sum of the row's values; nothing is refused.
    [[nodiscard]] std::vector<double> plainFactorsOf(const RadialModel& model, int id) const;
    /// What rows are made of; computed once for many.
    [[nodiscard]] RadialArrays radial() const;
    /// True when a row holds the same values as the one before: the width has not changed and neither has the
    /// side.
    [[nodiscard]] bool repeatsPrevious(int id) const;
    /// Throws BadInput where a table of so many values a row would hold more than 2^28.
    void refuseLarge(std::size_t rowLength) const;
    /// Sum of the values of the row that `factors` are of.
    [[nodiscard]] double sumOf(const std::vector<double>& factors) const;
    /// Products that a value is the sum of: 1 for kernels at centres.
    [[nodiscard]] std::size_t terms() const { return terms_; }
    /// By distance: the largest factor along TOF and axially of its taps (of the first term).
    [[nodiscard]] std::vector<double> largestAlong() const;
    /// Value of tap `i` of the row that `factors` are of.
    [[nodiscard]] double tap(const std::vector<double>& factors, std::size_t i) const {
        const double* const along = along_.data() + i * terms_;
        const double* const radial = factors.data() + which_[i] * terms_;
        double value = along[0] * radial[0];
        for (std::size_t m = 1; m < terms_; ++m) {
            value += along[m] * radial[m];
        }
        return value;
    }

  private:
    friend KernelTables buildKernelTables(const KernelSpec& spec, const Lattice& lattice, const View& view);
    void fillRow(const RadialModel& model, int id, std::span<float> out) const;
    void fillAlong(const Lattice& lattice, const std::vector<Vec3>& offsets);
    void refuseZero(int id) const;

    KernelSpec spec_;
    KernelFrame frame_;
    std::optional<VoxelAverage> voxel_;  ///< for KernelSampling::Voxel
    std::size_t terms_ = 1;              ///< products that a value is the sum of (VoxelAverage); 1 at centres
    std::vector<double> along_;          ///< [tap][term]: the factors along TOF and axially
    std::vector<double> distances_;      ///< along r, ascending
    std::vector<std::uint32_t> which_;   ///< by tap: its distance
    std::vector<double> weights_;        ///< [distance][term]: the sum of along_
};

/// Builds the tables of a view in double (docs/model.md section 2). Throws BadInput when the spec is invalid,
/// the kernel has more than 4 million taps, or the table would hold more than 2^28 values.
[[nodiscard]] KernelTables buildKernelTables(const KernelSpec& spec, const Lattice& lattice,
                                             const View& view);

/// Unnormalised kernel value of a table row at an offset (T, Q, A) in mm; what buildKernelTables normalises
/// for a kernel of KernelSampling::Centre.
/// Evaluated at s = (radial id + 0.5) eps; Q along +r.
[[nodiscard]] double kernelValue(const KernelSpec& spec, int row, int radialIds, double T, double Q,
                                 double A);

}  // namespace tof
