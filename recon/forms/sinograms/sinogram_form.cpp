// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/sinograms/sinogram_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/binning/line_binning.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/address_list.h"
#include "recon/forms/form/data_in.h"
#include "recon/forms/form/join_counts.h"
#include "recon/forms/form/list_cut.h"
#include "recon/frames/frames_json.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/interfile/norm_ecat8.h"
#include "recon/io/rdf9_norm.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/sinogram_measurement.h"

namespace tof {

namespace {

void attenuateSinograms(SinogramData& data, const std::string& phantom, const BinContext& context) {
    if (const std::optional<Volume> mu = context.attenuation(phantom)) {
        applyAttenuation(data, *mu, context.pool(), context.progress().begin("attenuation"));
    }
}

/// A normalisation of GE has the geometry of pairs, too.
void normaliseEvents(SinogramData& data, const Scanner* scanner, const std::vector<std::string>& norms,
                     const BinContext& context) {
    if (scanner == nullptr || norms.size() != 1) {
        throw WrongUse("{}: --norm takes one normalisation of GE RDF 9, with a list that brings its scanner",
                       context.request().input);
    }
    Rdf9BinEfficiencies norm =
        rdf9BinEfficiencies(norms.front(), *data.michelogram, *scanner, context.pool());
    data.mult = std::move(norm.values);
    data.normalisation = norms.front();
    context.note(norm.note);
}

/// Counts of a list that is cut by time, of which a part is in memory at a time.
SinogramData sinogramsOfParts(const BinContext& context, EventSource& source) {
    const Scanner* const scanner = source.scanner().described();
    SinogramData data = binEvents(source.stream()->scan(), scanner, context.rings(), context.lattice());
    cutInParts(context, source, data,
               [&](std::uint64_t first, const EventList& part, std::vector<std::uint32_t>& cells) {
                   countEvents(part, scanner, data, first, &cells);
               });
    return data;
}

/// Those of a list that is in memory, or this rank's share of it.
SinogramData sinogramsOfShare(const BinContext& context, EventSource& source) {
    const EventShare share = source.share();
    const Scanner* const scanner = source.scanner().described();
    const std::shared_ptr<const Michelogram> bins = context.rings();
    std::vector<std::uint32_t> cells;
    SinogramData data = binEvents(share.events, scanner, bins, context.lattice(), share.first,
                                  context.request().cut() ? &cells : nullptr);
    joinCounts(*source.sharers(), data);
    if (context.request().cut()) {  // of one process, as its format cannot be read in parts
        cutCells(context, share.events.time_ms, cells, data);
    }
    return data;
}

SinogramData sinogramsOfEvents(const BinContext& context, EventSource& source) {
    context.requireRoom(2.0 * sizeof(float) * static_cast<double>(context.rings()->bins()));
    SinogramData data =
        isCutInParts(context, source) ? sinogramsOfParts(context, source) : sinogramsOfShare(context, source);
    const Scanner* const scanner = source.scanner().described();
    if (context.first()) {
        const std::vector<std::string>& norms = context.request().sinograms.norm;
        if (!norms.empty()) {
            normaliseEvents(data, scanner, norms, context);
        } else if (scanner != nullptr) {
            weighPairs(data, *scanner, context.pool());
        }
        attenuateSinograms(data, data.phantom, context);
    }
    return data;
}

SinogramData sinogramsOfLines(const BinContext& context) {
    const CastorLines lines = readCastorLines(context.request().input, context.geometry());
    context.note(lines.note);
    SinogramData data =
        binLines(lines.data, lines.crystals, lines.scanner, context.rings(), context.lattice());
    if (CastorHeader(context.request().input).flag("Normalization correction flag")) {
        data.normalisation = context.request().input;
    }
    attenuateSinograms(data, "", context);
    return data;
}

/// Every frame has the dead time of the singles at its times.
void loseTimeOfFrames(SinogramData& data, const Ecat8Result& list, const std::string& norm,
                      const BinContext& context) {
    std::vector<std::vector<double>> singles;
    for (const FrameCounts& frame : data.frames->frames) {
        singles.push_back(ecat8SinglesBetween(list, frame.time.start_s, frame.time.end_s()));
    }
    const std::vector<double> live =
        ecat8LiveOfFrames(data, norm, context.request().input, list.blockSingles, singles);
    if (live.empty()) {
        return list.blockSingles.empty()
                   ? void()
                   : context.note(
                         "any dead time is that of the mean singles of the whole list in every frame");
    }
    FramedCounts frames = *data.frames;
    for (std::size_t i = 0; i < live.size(); ++i) {
        frames.frames[i].live = live[i];
    }
    data.frames = std::make_shared<const FramedCounts>(std::move(frames));
    const auto [least, most] = std::minmax_element(live.begin(), live.end());
    context.note(fmt::format(
        "dead time leaves {:.4f} to {:.4f} in frames of what it leaves in the whole list", *least, *most));
}

/// A normalisation adds up the crystal pairs of a bin, and knows the gaps.
void normaliseAddresses(SinogramData& data, const Ecat8Result& list, const BinContext& context) {
    const BinRequest& request = context.request();
    for (const std::string& norm : request.sinograms.norm) {
        if (!holdsEcat8Norm(norm)) {
            throw WrongUse("{}: is no normalisation of Siemens (.n.hdr), which goes with such lists", norm);
        }
        data.mult.clear();
        data.normalisation = norm;
        context.note(multiplyEcat8(data, norm, request.input, list.blockSingles));
        if (data.frames != nullptr) {
            loseTimeOfFrames(data, list, norm, context);
        }
    }
}

BinResult sinogramsOfAddresses(const BinContext& context) {
    AddressList list(context, AddressList::Keep::Sinograms);
    SinogramData& data = list.read().data;
    if (context.request().cut()) {
        ListCut cut(list.context(), data.duration_s,
                    context.request().spillBeside.empty() ? list.prompts().size() : 0, 1);
        cut.spill();
        list.prompts().forEach([&](std::span<const std::uint32_t> bins,
                                   std::span<const std::uint32_t> time_ms) { cut.add(time_ms, bins); });
        finishCells(cut, data);
        list.shareRandoms(data);
    }
    if (list.randoms() != nullptr) {
        data.add = list.randoms()->all();
    }
    normaliseAddresses(data, list.read(), context);
    attenuateSinograms(data, "", context);
    return list.result(std::move(data));
}

SinogramData sinogramsOfOthers(const BinContext& context, const EventSource& source) {
    auto data = std::get<SinogramData>(source.imported());
    const BinRequest& request = context.request();
    if (!request.mu.empty() || !request.sinograms.corrects()) {  // corrections say what attenuates
        attenuateSinograms(data, "", context);
    }
    return data;
}

BinResult binSinograms(const BinContext& context, EventSource& source) {
    BinResult result =
        source.foreign() == ForeignBins::Imported    ? BinResult{sinogramsOfOthers(context, source)}
        : source.foreign() == ForeignBins::Lines     ? BinResult{sinogramsOfLines(context)}
        : source.foreign() == ForeignBins::Addresses ? sinogramsOfAddresses(context)
                                                     : BinResult{sinogramsOfEvents(context, source)};
    if (context.first() && !context.forFile()) {
        auto& data = std::get<SinogramData>(result.data);
        data.hash = dataHash(data);
    }
    return result;
}

nlohmann::ordered_json sinogramJson(const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    nlohmann::ordered_json json{{"sinograms", m.sinograms().size()},
                                {"angles", m.angles()},
                                {"radial_bins", m.radialBins()},
                                {"time_bins", m.timeBins()},
                                {"grid", data.lattice.size},
                                {"spacing_mm", data.lattice.spacing_mm},
                                {"kept", data.kept},
                                {"rejected", data.rejected}};
    addFrames(json, data.frames.get());
    return json;
}

std::string sinogramSentence(const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    return fmt::format("{} sinograms of {} x {} bins; {} events kept, {} in no bin{}", m.sinograms().size(),
                       m.angles(), m.radialBins(), data.kept, data.rejected, framesText(data.frames.get()));
}

PlannedLinesOf plannedSinograms(const SinogramData& data) {
    return {PlannedLines::Bins, static_cast<double>(data.michelogram->bins()),
            sizeof(float) + factorBytes(data)};
}

ViewWords sinogramViews() {
    ViewWords words;
    words.first = {toTranslate("Word", "Segment"),
                   toTranslate("Word", "Segment of the sinograms: planes between rings of these differences"),
                   ValueText::RingDifferences};
    words.second = {toTranslate("Word", "Time bin"),
                    toTranslate("Word", "Time bin; positive times are nearer the second crystal"),
                    ValueText::Time};
    words.view = toTranslate("Word", "Number of the segment, of one time bin after the other");
    words.counts = toTranslate("Word", "Sum of the segment's sinograms in this time bin");
    words.chiSquare = toTranslate("Word", "chi-square / bin");
    const char* const curve = toTranslate("Word", "bin %1");
    words.chart = {toTranslate("Word", "segment"), ChartRange::Places, 6, curve, curve,
                   ChartWords::Value::Place};
    words.csvHead = "segment,time_bin";
    words.viewsNote = toTranslate("Word", "angles, sinograms");
    return words;
}

/// The line of the bin nearest to a point of the view of a segment: radial bins along x, azimuths along y,
/// planes by the middles of their lines.
FreeLine lineOfBin(const SinogramData& data, double segment, Vec3 point) {
    const Michelogram& m = *data.michelogram;
    const double height = data.lattice.size[1] * data.lattice.spacing_mm[1];
    const int angle =
        std::clamp(static_cast<int>(std::floor((point.y / height + 0.5) * m.angles())), 0, m.angles() - 1);
    const int radial = std::clamp(
        static_cast<int>(std::lround(point.x / defaultLattice(m).spacing_mm[0])) + m.radialBins() / 2, 0,
        m.radialBins() - 1);
    const auto far = [&](const Sinogram& plane) {
        return plane.segment == std::lround(segment) ? std::abs(0.5 * (plane.z1_mm + plane.z2_mm) - point.z)
                                                     : std::numeric_limits<double>::max();
    };
    const Sinogram& plane =
        *std::min_element(m.sinograms().begin(), m.sinograms().end(),
                          [&](const Sinogram& a, const Sinogram& b) { return far(a) < far(b); });
    const TransverseLine line = m.line(angle, radial);
    return {{0.5 * (line.x1 + line.x2), 0.5 * (line.y1 + line.y2), 0.5 * (plane.z1_mm + plane.z2_mm)},
            {line.x2 - line.x1, line.y2 - line.y1, plane.z2_mm - plane.z1_mm}};
}

}  // namespace

Form sinogramForm() {
    using Own = DataIn<SinogramData, SinogramMeasurement>;
    Form form{.name = "sinogram", .kind = "sinograms", .bin = binSinograms, .time = CutByTime::Frames};
    form.words = sinogramViews();
    form.lineOf = [](const Measurement& data, double segment, double, Vec3 point) {
        return lineOfBin(Own::of(data), segment, point);
    };
    Own::fill(form, sinogramJson, sinogramSentence, writeSinogramData, plannedSinograms);
    form.corrections = sinogramCorrections();
    return form;
}

}  // namespace tof
