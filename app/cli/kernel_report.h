// SPDX-License-Identifier: Apache-2.0
// What `tofscope-cli kernel` says about a kernel, as text for a person and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "recon/kernel/kernel_tables.h"

namespace tof {

/// A kernel in one view of a lattice.
struct KernelInView {
    KernelSpec spec;
    Lattice lattice;
    View view;
    KernelTables tables;
    int row = 0;  ///< the row of the tables that slices and moments are of

    /// |s| in mm in the middle of the bin that the row serves.
    [[nodiscard]] double rowRadius_mm() const;
};

/// Builds the tables and picks the row of the radius. Throws BadInput, or WrongUse for a radius off the
/// lattice.
[[nodiscard]] KernelInView kernelInView(const KernelSpec& spec, const Lattice& lattice, View view,
                                        double radius_mm);

/// Everything: kernel, view, widths, moments of the row, taps, values, ids.
[[nodiscard]] nlohmann::ordered_json kernelForm(const KernelInView& kernel);
/// Sizes, support, and what the row is as sampled.
[[nodiscard]] std::string kernelSummary(const KernelInView& kernel);
/// A line per kernel id: radius, width, largest value.
[[nodiscard]] std::string kernelWidths(const KernelInView& kernel);
/// The row in three planes through its middle, per mille of its largest value.
[[nodiscard]] std::string kernelSlices(const KernelInView& kernel);
/// The kernel id of every column of voxels, y downwards.
[[nodiscard]] std::string kernelIds(const KernelInView& kernel);
/// Offset and value of every tap of the row.
[[nodiscard]] std::string kernelTaps(const KernelInView& kernel);

}  // namespace tof
