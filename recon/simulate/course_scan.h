// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/phantom/phantom_course.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// A scan of a phantom whose parts have curves, or move. Each part in each state is simulated as
/// simulateWith() does, with as many events as its share of the decays records. An event's time is drawn from
/// its part's decaying curve while the phantom is in that state; the list is in the order of time, lasts as
/// long as the course and describes the phantom with its decays. Of hooks: progress and take. Throws WrongUse
/// for scans with randoms, whose time goes by the activity, for several ranks, and for a duration of the
/// settings.
[[nodiscard]] EventList simulateCourse(const Scanner& scanner, const Phantom& phantom,
                                       const PhantomCourse& course, const SimulationSettings& settings,
                                       const ThreadPool& pool, const SimulationHooks& hooks,
                                       SimulationReport* report = nullptr);

}  // namespace tof
