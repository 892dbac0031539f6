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
/// long as the course and describes the phantom with its decays. Of ranks the first gets
/// the list.
///
/// With randoms all parts are simulated together, in stretches of time in which no part's activity changes by
/// much (stretchesOf()); how active they are follows from events and time (simulateStretches()), and
/// hooks get delayeds and singles, and devices make the slices of every stretch. Throws WrongUse for a
/// duration of the settings.
[[nodiscard]] EventList simulateCourse(const Scanner& scanner, const Phantom& phantom,
                                       const PhantomCourse& course, const SimulationSettings& settings,
                                       const ThreadPool& pool, const SimulationHooks& hooks,
                                       SimulationReport* report = nullptr);

}  // namespace tof
