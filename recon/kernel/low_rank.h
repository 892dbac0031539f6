// SPDX-License-Identifier: Apache-2.0
// A kernel that varies in space as a sum of invariant ones (docs/model.md section 2): what Fourier engines
// make of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/view.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

/// Terms of one view: value(row)(tap) = sum over k of share(k, row) value(k, tap), to within `error`.
struct LowRankView {
    std::vector<KernelTap> taps;
    std::vector<std::int32_t> ids;  ///< by column of the lattice, [y][x]: the row
    std::size_t rows = 0;
    std::vector<float> values;  ///< [term][tap]
    std::vector<float> shares;  ///< [term][row]
    double error = 0;           ///< largest, as a share of the largest value of its row
};

/// A kernel on all views of a model as `rank` invariant ones. The first `evenTerms` have the same value at a
/// tap and its opposite, the others the opposite value: so their spectra are real, or imaginary.
///
/// Only the radial factor of a kernel depends on the row. Its profiles over all rows, each over its maximum,
/// have few singular values that matter, and the left singular vectors serve every view and sampling.
class LowRankKernel {
  public:
    /// Takes as few terms as leave at most `error` in every view. Throws as buildKernelTables() does, and
    /// BadInput when 96 terms do not suffice.
    LowRankKernel(const KernelSpec& spec, const Lattice& lattice, const std::vector<View>& views,
                  double error, const ThreadPool& pool);

    [[nodiscard]] std::size_t rank() const { return rank_; }
    [[nodiscard]] std::size_t evenTerms() const { return evenTerms_; }
    [[nodiscard]] double error() const { return error_; }
    [[nodiscard]] const std::vector<LowRankView>& views() const { return views_; }
    /// "rank 7, error 1.2e-05", for reports.
    [[nodiscard]] std::string text() const;

  private:
    std::size_t rank_ = 0;
    std::size_t evenTerms_ = 0;
    double error_ = 0;
    std::vector<LowRankView> views_;
};

}  // namespace tof
