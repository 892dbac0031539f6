// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/motion/rigid_motion.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// A scan of a phantom that moves in steps: each pose is simulated as simulateWith() does, its events are
/// those of as many decays as its share of the time, and they say when they happened, evenly within that
/// time. The scan lasts as long as the poses, or the duration of the settings where they say one. The list
/// names the phantom in its reference pose. Of ranks the first gets it. With randoms
/// devices make the slices of every step, hooks get delayeds and singles, and how active the phantom is
/// follows from events and time (simulateStretches()). Throws WrongUse for poses that go over into one
/// another.
[[nodiscard]] EventList simulateMoved(const Scanner& scanner, const Phantom& phantom,
                                      const SimulationSettings& settings, const RigidMotion& motion,
                                      const ThreadPool& pool, const SimulationHooks& hooks,
                                      SimulationReport* report = nullptr);

}  // namespace tof
