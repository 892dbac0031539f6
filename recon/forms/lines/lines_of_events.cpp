// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/lines/line_form.h"

#include <utility>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

namespace {

/// Lines between the crystals of the list's own scanner.
LineData freeLines(const EventList& events, const Scanner& scanner, const BinContext& context,
                   std::vector<std::uint32_t>& cells) {
    if (!events.dt_ps.empty() && scanner.timing_fwhm_ps == 0) {
        throw BadInput(
            "{}: has times of flight, but no time resolution ('TOF resolution (ps)' of CASToR, "
            "timing_fwhm_ps of a "
            "scanner) is given; add it, or bin without the times (--no-tof)",
            context.request().input);
    }
    const TofBins tof = events.dt_ps.empty() ? TofBins() : timeBinsFor(scanner);
    LineData data = listLines(events, scanner, tof, context.lattice(), &cells);
    if (!context.request().lattice) {
        data.lattice = defaultLattice(data.events->points, data.possible.radius_mm);
    }
    return data;
}

/// The pairs that a CASToR normalisation names, and nothing else, are possible.
LineData normalisedLines(const EventList& events, const Scanner* scanner, const BinContext& context,
                         std::vector<std::uint32_t>& cells) {
    const std::string& corrections = context.request().corrections;
    CastorLines norm = readCastorLines(corrections, context.geometry());
    if (scanner == nullptr || scanner->crystals.size() != norm.scanner.crystals.size() ||
        !norm.data.counts.empty()) {
        throw BadInput("{}: is no normalisation for the scanner of '{}'; give its own", corrections,
                       context.request().input);
    }
    LineData data = freeLines(events, *scanner, context, cells);
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
                        std::vector<std::uint32_t>& cells) {
    const BinRequest& request = context.request();
    if (request.corrections.ends_with(".cdh")) {
        return normalisedLines(events, scanner, context, cells);
    }
    if (context.namesRings() || !request.mu.empty()) {
        throw WrongUse("--corrections brings its own scanner and attenuation; leave --scanner and --mu out");
    }
    const SinogramData corrections = readSinogramData(request.corrections);
    return listLines(events, scanner, corrections.michelogram, request.lattice.value_or(corrections.lattice),
                     &corrections, &cells);
}

}  // namespace

LineData linesOfEvents(const EventList& events, const Scanner* scanner, const BinContext& context,
                       std::vector<std::uint32_t>& cells) {
    context.requireRoom(static_cast<double>(events.size()) *
                        (2.0 * sizeof(std::uint32_t) + (events.dt_ps.empty() ? 0 : sizeof(float))));
    context.progress().stage("lines");
    return !context.request().corrections.empty() ? correctedLines(events, scanner, context, cells)
           : !context.namesRings() && scanner != nullptr
               ? freeLines(events, *scanner, context, cells)
               : listLines(events, scanner, context.rings(), context.lattice(), nullptr, &cells);
}

}  // namespace tof
