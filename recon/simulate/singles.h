// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "recon/base/parallel.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Photons per decay that the scanner detects without their partner: the chance that exactly one of both
/// leaves the phantom without an interaction and interacts in a crystal, over all directions of the sphere.
///
/// The physics is that of simulate(): photons that scattered in the phantom are lost, energy is not looked
/// at, and every interaction in a crystal counts. The mean of exact chances over 65,536 decays drawn with
/// RandomUse::Singles; its standard error is below 1 % of it for bodies in whole-body scanners. The same for
/// any number of threads. Throws WrongUse as simulate() does.
[[nodiscard]] double singlesPerDecay(const Scanner& scanner, const Phantom& phantom, std::uint64_t seed,
                                     const ThreadPool& pool);

}  // namespace tof
