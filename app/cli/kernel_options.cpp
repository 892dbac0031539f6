// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kernel_options.h"

#include "app/cli/arguments.h"
#include "recon/base/user_folder.h"
#include "recon/kernel/kernel_edit.h"

namespace tof {

KernelLibrary ownKernels() {
    const std::string folder = userFolder(UserFolder::Config);
    return KernelLibrary(folder.empty() ? "" : folder + "/kernels");
}

void KernelEdits::describe(Arguments& arguments) {
    const std::string kept = "the kernel's";
    arguments.custom(
        "widths", "MM|S:MM;...", kept, [this](const std::string& text) { widths_ = widthsFromText(text); },
        "Radial FWHM in mm: one, or |s|:FWHM pairs, as 0:4.8;288:10");
    arguments.custom(
        "symmetry", "symmetric|asymmetric", kept,
        [this](const std::string& text) {
            KernelSpec any;
            setKernelSymmetry(any, text);
            symmetry_ = text;
        },
        "One Gaussian along the radius, or a second one towards the centre");
    arguments.custom(
        "sampling", "centre|voxel", kept,
        [this](const std::string& text) {
            KernelSpec any;
            setKernelSampling(any, text);
            sampling_ = text;
        },
        "Values at voxel centres, or averaged over a source voxel filled evenly and the target voxel");
    for (const KernelNumber& number : kernelNumbers()) {
        arguments.custom(
            number.key, number.unit.empty() ? "X" : number.unit, kept,
            [this, key = number.key](const std::string& text) {
                numbers_.emplace_back(key, numbersFromText("option --" + key, text, '\n').front());
            },
            number.help);
    }
}

KernelSpec KernelEdits::applied(KernelSpec kernel) const {
    if (!widths_ && symmetry_.empty() && sampling_.empty() && numbers_.empty()) {
        return kernel;
    }
    kernel.name.clear();
    if (widths_) {
        kernel.measured.clear();
        kernel.radial = *widths_;
    }
    if (!symmetry_.empty()) {
        setKernelSymmetry(kernel, symmetry_);
    }
    if (!sampling_.empty()) {
        setKernelSampling(kernel, sampling_);
    }
    for (const auto& [key, value] : numbers_) {
        setKernelNumber(kernel, key, value);
    }
    kernel.validate();
    return kernel;
}

}  // namespace tof
