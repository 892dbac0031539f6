// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/lines/line_form.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/binning/crystal_places.h"
#include "recon/binning/line_binning.h"
#include "recon/forms/form/list_motion.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

namespace {

/// Lines move by less than crystals of 4 mm show.
constexpr double kAlike_mm = 0.25;

/// The poses of a list that was asked to be moved; none where nothing moves.
std::optional<ListPoses> posesOf(const EventList& events, const Scanner& scanner, const BinContext& context) {
    const auto motion = motionOfList(context, events.duration_s);
    if (!motion) {
        return std::nullopt;
    }
    requireMoments(events, motion->source());
    if (!events.time_ms.empty()) {
        // Throws where poses end before the last event.
        const std::uint32_t last_ms = *std::max_element(events.time_ms.begin(), events.time_ms.end());
        static_cast<void>(RigidMotion::Walk(*motion).back(last_ms));
    }
    ListPoses poses = posesOfList(context, *motion, events.duration_s, kAlike_mm);
    // Here, and twice more where a sensitivity is made.
    context.requireRoom(3.0 * sizeof(Vec3) * static_cast<double>(scanner.crystals.size()) *
                        static_cast<double>(poses.steps.poses.size() + 1));
    return poses;
}

/// Where lines of events are told, for frames alone.
std::vector<std::uint32_t>* cellsOf(const BinContext& context, ListedCells& found) {
    return context.request().cut() ? &found.cells : nullptr;
}

/// Lines between the crystals of the list's own scanner.
LineData freeLines(const EventList& events, const Scanner& scanner, const BinContext& context,
                   ListedCells& found) {
    if (!events.dt_ps.empty() && scanner.timing_fwhm_ps == 0) {
        throw BadInput(
            "{}: has times of flight, but no time resolution ('TOF resolution (ps)' of CASToR, "
            "timing_fwhm_ps of a "
            "scanner) is given; add it, or bin without the times (--no-tof)",
            context.request().input);
    }
    const TofBins tof = events.dt_ps.empty() ? TofBins() : timeBinsFor(scanner);
    std::optional<ListPoses> poses = posesOf(events, scanner, context);
    LineData data = listLines(events, scanner, tof, context.lattice(), cellsOf(context, found),
                              poses ? &poses->steps : nullptr, context.pool());
    if (poses) {
        found.poses = std::move(poses->frames);
    }
    if (!context.request().lattice) {
        const auto crystals = data.events->points.begin();
        data.lattice = defaultLattice({crystals, crystals + static_cast<std::ptrdiff_t>(data.crystals())},
                                      data.possible.radius_mm);
    }
    return data;
}

/// The pairs that a CASToR normalisation names, and nothing else, are possible.
LineData normalisedLines(const EventList& events, const Scanner* scanner, const BinContext& context,
                         ListedCells& found) {
    const std::string& corrections = context.request().corrections;
    CastorLines norm = readCastorLines(corrections, context.geometry());
    if (scanner == nullptr || scanner->crystals.size() != norm.scanner.crystals.size() ||
        !norm.data.counts.empty()) {
        throw BadInput("{}: is no normalisation for the scanner of '{}'; give its own", corrections,
                       context.request().input);
    }
    LineData data = freeLines(events, *scanner, context, found);
    auto lines = std::make_shared<LineEvents>(*data.events);
    lines->points = norm.data.events->points;  // the crystals, and means of several
    data.events = std::move(lines);
    data.possible.pairs = norm.data.events->pairs;
    data.possible.mult = std::move(norm.data.mult);
    data.possible.scanner = nullptr;
    data.absolute = false;
    return data;
}

LineData correctedLines(const EventList& events, const Scanner* scanner, const BinContext& context,
                        ListedCells& found) {
    const BinRequest& request = context.request();
    if (request.corrections.ends_with(".cdh")) {
        return normalisedLines(events, scanner, context, found);
    }
    if (context.namesRings() || !request.mu.empty()) {
        throw WrongUse("--corrections brings its own scanner and attenuation; leave --scanner and --mu out");
    }
    const SinogramData corrections = readSinogramData(request.corrections);
    return listLines(events, scanner, corrections.michelogram, request.lattice.value_or(corrections.lattice),
                     &corrections, cellsOf(context, found), context.pool());
}

}  // namespace

LineData linesOfEvents(const EventList& events, const Scanner* scanner, const BinContext& context,
                       ListedCells& found) {
    context.requireRoom(static_cast<double>(events.size()) *
                        (2.0 * sizeof(std::uint32_t) + (events.dt_ps.empty() ? 0 : sizeof(float))));
    context.progress().stage("lines");
    return !context.request().corrections.empty() ? correctedLines(events, scanner, context, found)
           : !context.namesRings() && scanner != nullptr
               ? freeLines(events, *scanner, context, found)
               : listLines(events, scanner, context.rings(), context.lattice(), nullptr,
                           cellsOf(context, found), context.pool());
}

}  // namespace tof
