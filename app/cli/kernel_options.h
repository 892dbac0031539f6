// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recon/settings/kernel_library.h"

namespace tof {

class Arguments;

/// The presets of the user who runs the program: those that the desktop keeps, too.
[[nodiscard]] KernelLibrary ownKernels();

/// Options that change a kernel before it is used, by the names of the kernel lab: --tof, --axial, --widths,
/// --cutoff, --step, --symmetry, --sampling, --ratio, --shift, --weight.
class KernelEdits {
  public:
    void describe(Arguments& arguments);
    /// The kernel with every edit that was given; it loses its name when there was one. Throws WrongUse or
    /// BadInput.
    [[nodiscard]] KernelSpec applied(KernelSpec kernel) const;

  private:
    std::optional<RadialWidth> widths_;
    std::string symmetry_;
    std::string sampling_;
    std::vector<std::pair<std::string, double>> numbers_;
};

}  // namespace tof
