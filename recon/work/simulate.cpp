// SPDX-License-Identifier: Apache-2.0
#include "recon/work/simulate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "recon/base/error.h"
#include "recon/base/sum.h"
#include "recon/binning/binning.h"
#include "recon/io/format_table.h"
#include "recon/motion/motion_file.h"
#include "recon/simulate/course_scan.h"
#include "recon/simulate/moved_scan.h"
#include "recon/simulate/poisson.h"
#include "recon/simulate/singles.h"
#include "recon/simulate/surrounding_solids.h"
#include "recon/work/expected_background.h"
#include "recon/work/sinogram_simulation.h"

namespace tof {

namespace {

/// A value with 7 bits behind its leading one, within 0.4 %: two bytes of it are zero, and files of such
/// numbers are short. What is counted has just this background, so nothing is missing when it is corrected
/// for.
float shortened(float value) {
    constexpr std::uint32_t kDropped = 16;
    const auto bits = std::bit_cast<std::uint32_t>(std::max(value, 0.0F)) + (1U << (kDropped - 1));
    return std::bit_cast<float>(bits >> kDropped << kDropped);
}

/// The scanner that was asked for, with the time resolution that was. Throws WrongUse.
Scanner scannerOf(const SimulateRequest& request) {
    Scanner scanner = Scanner::find(request.scanner);
    if (request.timingByRate) {
        if (!scanner.detection) {
            throw WrongUse("'{}' does not say how it detects: its time resolution is the same at any rate",
                           request.scanner);
        }
        scanner.detection->timingByRate = *request.timingByRate;
    }
    return scanner;
}

/// A list of a phantom that stands still, moves by poses, or has a course of its own.
EventList simulatedEvents(const SimulateRequest& request, const Scanner& scanner, const Phantom& phantom,
                          const ThreadPool& pool, const SimulationHooks& hooks, SimulationReport& report) {
    const SimulationSettings& settings = request.settings;
    const std::optional<PhantomCourse> course = PhantomCourse::of(phantom);
    if (course && !request.motion.empty()) {
        throw WrongUse("phantom '{}' has a course in time of its own; leave --motion out", phantom.name);
    }
    if (course) {
        return simulateCourse(scanner, phantom, *course, settings, pool, hooks, &report);
    }
    return request.motion.empty()
               ? simulateWith(scanner, phantom, settings, pool, hooks, &report)
               : simulateMoved(scanner, phantom, settings, motionFrom({request.motion, PoseBetween::Hold}),
                               pool, hooks, &report);
}

/// Counts and add of as many counts as were asked for, with noise.
void joinBackground(HistoData& data, const AnalyticSettings& settings, const ThreadPool& pool) {
    constexpr std::size_t kChunk = std::size_t{1} << 18U;
    const double scale = settings.counts / (sumOf(data.counts, pool) + sumOf(data.add, pool));
    pool.forRange(data.counts.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            data.add[i] = shortened(static_cast<float>(scale) * data.add[i]);
            data.counts[i] = static_cast<float>(scale) * data.counts[i] + data.add[i];
        }
    });
    if (!settings.noiseFree) {
        poissonInto(data.counts, 1, settings.seed, RandomUse::Counts, 0, pool, data.counts);
    }
    data.kept = static_cast<std::uint64_t>(std::llround(sumOf(data.counts, pool)));
    data.decays *= scale;
}

}  // namespace

Lattice usualRingLattice() {
    return Lattice::centred({128, 128, 47}, {5.46875, 5.46875, 3.27});
}

SimulatedScan simulateScan(const SimulateRequest& request, const ThreadPool& pool, WorkProgress& progress) {
    const SimulationSettings& settings = request.settings;
    const bool first = request.ranks->first();
    const auto heed = [&pool] { pool.heed(); };
    if (MichelogramSpec::describes(request.scanner)) {
        if (!first) {
            return {};
        }
        if (!request.motion.empty()) {
            throw WrongUse(
                "--motion moves phantoms that lists are simulated of; '{}' is a ring scanner, whose "
                "sinograms have no time",
                request.scanner);
        }
        SinogramSimulation what{MichelogramSpec::find(request.scanner), request.lattice,
                                static_cast<double>(settings.events), settings.seed, request.attenuate};
        what.blur_mm = request.blur_mm;
        what.noiseFree = request.noiseFree;
        return {simulateSinograms(what, Phantom::find(request.phantom, volumeReader(heed)), pool,
                                  progress.begin("project")),
                {}};
    }
    const Scanner scanner = scannerOf(request);
    const Phantom phantom = onBed(Phantom::find(request.phantom, volumeReader(heed)), scanner,
                                  settings.physics.value_or(Physics::of(scanner)));
    SimulatedScan scan;
    progress.stage("simulate");
    SimulationHooks hooks;
    hooks.progress = [&](std::uint64_t made) {
        progress.report(static_cast<double>(made) / static_cast<double>(settings.events));
    };
    hooks.slices = request.slices;
    hooks.delayed = request.delayeds ? &scan.delayeds.emplace() : nullptr;
    hooks.singles = request.singles ? &scan.singles.emplace() : nullptr;
    hooks.ranks = request.ranks;
    if (request.take) {
        // Scans that are put together of several come as a whole.
        const bool inParts =
            isInTime(scanner, settings) && request.motion.empty() && !PhantomCourse::of(phantom);
        hooks.take = [&request, &scanner, inParts](EventList& part) {
            request.take(part, scanner, inParts ? request.settings.events : part.size());
        };
    }
    EventList events = simulatedEvents(request, scanner, phantom, pool, hooks, scan.report);
    if (!scanner.detection && first) {
        progress.stage("singles");
        events.singles = events.decays * singlesPerDecay(scanner, phantom, settings.seed, pool);
    }
    scan.data = std::move(events);
    return scan;
}

HistoData simulateAnalytic(const std::string& scanner, const std::string& phantom,
                           const AnalyticSettings& settings, const ThreadPool& pool, WorkProgress& progress,
                           std::optional<double> background_MBq) {
    if (MichelogramSpec::describes(scanner)) {
        throw WrongUse(
            "'{}' is a ring scanner, whose sinograms are made from chords anyway; leave --analytic out",
            scanner);
    }
    const Phantom object = Phantom::find(phantom, volumeReader([&pool] { pool.heed(); }));
    const Scanner seen = Scanner::find(scanner);
    if (background_MBq) {
        requireBackground(seen);
    }
    progress.stage("attenuation");
    const Volume mu = object.wholeAttenuation(settings.lattice, kAttenuationSpacing_mm, pool);
    const bool air = std::all_of(mu.data.begin(), mu.data.end(), [](float value) { return value == 0; });
    AnalyticSettings trues = settings;
    trues.atPoints = true;
    trues.noiseFree = settings.noiseFree || background_MBq.has_value();
    HistoData data = analyticData(seen, object, trues, air ? nullptr : &mu, pool, progress.begin("chords"));
    if (background_MBq) {
        addBackground(data, seen, object, mu, *background_MBq, pool, progress);
        joinBackground(data, settings, pool);
    }
    return data;
}

}  // namespace tof
