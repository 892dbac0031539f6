// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/lines/listed_lines.h"

#include <algorithm>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

namespace {

/// Lines move by less than crystals of 4 mm show.
constexpr double kAlike_mm = 0.25;

}  // namespace

ListedLines::ListedLines(const EventList& scan, const EventList& first, const Scanner* scanner,
                         const BinContext& context)
    : context_(context) {
    if (!context.request().corrections.empty()) {
        beginCorrected(scan, first, scanner);
    } else if (!context.namesRings() && scanner != nullptr) {
        beginFree(scan, first, *scanner);
    } else {
        lister_.emplace(scan, scanner, context.rings(), context.lattice(), nullptr, context.pool());
    }
}

void ListedLines::takePoses(const EventList& scan, const EventList& first, const Scanner& scanner) {
    motion_ = motionOfList(context_, scan.duration_s);
    if (!motion_) {
        return;
    }
    requireMoments(first, motion_->source());
    poses_ = posesOfList(context_, *motion_, scan.duration_s, kAlike_mm);
    // Here, and twice more where a sensitivity is made.
    context_.requireRoom(3.0 * sizeof(Vec3) * static_cast<double>(scanner.crystals.size()) *
                         static_cast<double>(poses_->steps.poses.size() + 1));
}

void ListedLines::beginFree(const EventList& scan, const EventList& first, const Scanner& scanner) {
    if (!first.dt_ps.empty() && scanner.timing_fwhm_ps == 0) {
        throw BadInput(
            "{}: has times of flight, but no time resolution ('TOF resolution (ps)' of CASToR, "
            "timing_fwhm_ps of a "
            "scanner) is given; add it, or bin without the times (--no-tof)",
            context_.request().input);
    }
    free_ = true;
    takePoses(scan, first, scanner);
    lister_.emplace(scan, scanner, first.dt_ps.empty() ? TofBins() : timeBinsFor(scanner), context_.lattice(),
                    poses_ ? &poses_->steps : nullptr, context_.pool());
}

void ListedLines::beginNormalised(const EventList& scan, const EventList& first, const Scanner* scanner) {
    const std::string& corrections = context_.request().corrections;
    norm_ = readCastorLines(corrections, context_.geometry());
    if (scanner == nullptr || scanner->crystals.size() != norm_->scanner.crystals.size() ||
        !norm_->data.counts.empty()) {
        throw BadInput("{}: is no normalisation for the scanner of '{}'; give its own", corrections,
                       context_.request().input);
    }
    beginFree(scan, first, *scanner);
}

void ListedLines::beginCorrected(const EventList& scan, const EventList& first, const Scanner* scanner) {
    const BinRequest& request = context_.request();
    if (request.corrections.ends_with(".cdh")) {
        beginNormalised(scan, first, scanner);
        return;
    }
    if (context_.namesRings() || !request.mu.empty()) {
        throw WrongUse("--corrections brings its own scanner and attenuation; leave --scanner and --mu out");
    }
    corrections_ = readSinogramData(request.corrections);
    lister_.emplace(scan, scanner, corrections_->michelogram, request.lattice.value_or(corrections_->lattice),
                    &*corrections_, context_.pool());
}

void ListedLines::require(const EventList& events, std::uint64_t first) const {
    if (motion_ && !events.time_ms.empty()) {
        // Throws where poses end before the last event.
        const std::uint32_t last_ms = *std::max_element(events.time_ms.begin(), events.time_ms.end());
        static_cast<void>(RigidMotion::Walk(*motion_).back(last_ms));
    }
    lister_->requireKnown(events, first);
}

std::vector<FramePoses> ListedLines::poses() const {
    return poses_ ? poses_->frames : std::vector<FramePoses>();
}

LineData ListedLines::take() {
    LineData data = lister_->take();
    if (free_ && !context_.request().lattice) {
        const auto crystals = data.events->points.begin();
        data.lattice = defaultLattice({crystals, crystals + static_cast<std::ptrdiff_t>(data.crystals())},
                                      data.possible.radius_mm);
    }
    if (norm_) {
        auto lines = std::make_shared<LineEvents>(*data.events);
        lines->points = norm_->data.events->points;  // the crystals, and means of several
        data.events = std::move(lines);
        data.possible.pairs = norm_->data.events->pairs;
        data.possible.mult = std::move(norm_->data.mult);
        data.possible.scanner = nullptr;
        data.absolute = false;
    }
    return data;
}

}  // namespace tof
