// SPDX-License-Identifier: Apache-2.0
// A kernel changed field by field, by the names that the kernel lab and the command line share.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// One number of a kernel: what it is called, and what it is.
struct KernelNumber {
    std::string key;   ///< tof, axial, cutoff, step, ratio, shift, weight
    std::string unit;  ///< "ps", "mm", "sigma", or empty
    std::string help;  ///< one sentence without a full stop
    std::variant<double KernelSpec::*, double Asymmetry::*> member;
};
/// All edits, in the order in which they are edited.
[[nodiscard]] const std::vector<KernelNumber>& kernelNumbers();

/// Throws WrongUse for an unknown key, and for ratio, shift and weight of a symmetric kernel. The range is
/// checked by KernelSpec::validate.
void setKernelNumber(KernelSpec& kernel, const std::string& key, double value);
/// The number; ratio, shift and weight of a symmetric kernel are 1, 0 and 1. Throws WrongUse.
[[nodiscard]] double kernelNumber(const KernelSpec& kernel, const std::string& key);

/// Radial widths from text: one FWHM in mm ("5.8"), or |s|:FWHM pairs ("0:4.8;75:5.8;288:10"). Throws
/// WrongUse.
[[nodiscard]] RadialWidth widthsFromText(const std::string& text);
/// "symmetric" or "asymmetric" (with the papers' numbers when it was symmetric). Throws WrongUse.
void setKernelSymmetry(KernelSpec& kernel, const std::string& text);
/// "centre" or "voxel": KernelSampling. Throws WrongUse.
void setKernelSampling(KernelSpec& kernel, const std::string& text);

/// Numbers with `separator` between them, in the C locale, a true minus sign allowed. Throws WrongUse naming
/// `what` and the piece that is no number.
[[nodiscard]] std::vector<double> numbersFromText(const std::string& what, const std::string& text,
                                                  char separator);
/// Points in mm: x,y,z triples with ; between them. Throws WrongUse naming `what`.
[[nodiscard]] std::vector<Vec3> pointsFromText(const std::string& what, const std::string& text);

/// Radial FWHM against |s| in steps of 1 mm up to `end_mm`, beside the presets of the papers' scanners, as
/// CSV. The kernel's own column is empty when it is measured: its profiles are not described by one width.
[[nodiscard]] std::string widthsAsCsv(const KernelSpec& kernel, double end_mm);
/// The presets of the papers' scanners; those of their speed tests are ten times as wide.
[[nodiscard]] const std::vector<std::string>& scannerPresets();

}  // namespace tof
