// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/lines/line_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "recon/base/constants.h"
#include "recon/base/options.h"
#include "recon/binning/line_binning.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/address_list.h"
#include "recon/forms/form/data_in.h"
#include "recon/forms/form/list_cut.h"
#include "recon/forms/lines/listed_lines.h"
#include "recon/frames/frames_json.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_measurement.h"

namespace tof {

namespace {

void multiplyInto(std::vector<float>& mult, const std::vector<float>& factors) {
    mult.resize(factors.size(), 1.0F);
    std::transform(mult.begin(), mult.end(), factors.begin(), mult.begin(), std::multiplies<>());
}

std::vector<float> survivalOf(const LineData& data, const Volume& mu, const BinContext& context) {
    return attenuationOf(*data.events, mu, context.pool(), context.progress().begin("attenuation"));
}

/// What attenuates events; those that have add need mult beside it.
void attenuateEvents(LineData& data, std::optional<Volume> mu, const BinContext& context) {
    if (mu && !data.add.empty()) {
        multiplyInto(data.mult, survivalOf(data, *mu, context));
    }
    data.attenuation = std::move(mu);
}

/// What attenuates lines with counts.
void attenuateCounts(LineData& data, const BinContext& context) {
    if (const std::optional<Volume> mu = context.attenuation("")) {
        multiplyInto(data.mult, survivalOf(data, *mu, context));
    }
}

/// Makes sure that the lines of so many events fit, of which `first` are some.
void requireRoomFor(std::uint64_t events, const EventList& first, const BinContext& context) {
    context.requireRoom(static_cast<double>(events) *
                        (2.0 * sizeof(std::uint32_t) + (first.dt_ps.empty() ? 0 : sizeof(float))));
    context.progress().stage("lines");
}

/// Lines of a list that is in memory.
LineData linesOfWhole(const BinContext& context, EventSource& source) {
    const EventList events = source.share().events;
    requireRoomFor(events.size(), events, context);
    ListedLines listed(events, events, source.scanner().described(), context);
    listed.require(events, 0);
    std::vector<std::uint32_t> cells;
    const bool cut = context.request().cut();
    listed.lister().add(events, cut ? &cells : nullptr);
    LineData data = listed.take();
    if (cut) {
        cutCells(context, events.time_ms, cells, data, listed.poses());
    }
    return data;
}

/// Those of a list that is cut by time, of which a part is in memory at a time, and the lines that are in a
/// frame.
LineData linesOfParts(const BinContext& context, EventSource& source) {
    const EventStream& stream = *source.stream();
    ListCut list(context, stream.scan().duration_s, context.request().spillBeside.empty() ? stream.size() : 0,
                 1);
    list.spill();
    std::optional<ListedLines> listed;
    const auto begin = [&](const EventList& first) {
        requireRoomFor(stream.size(), first, context);
        listed.emplace(stream.scan(), first, source.scanner().described(), context);
        listed->lister().reserve(stream.size());
    };
    std::vector<std::uint32_t> cells;
    source.forParts(context.progress().begin("lines"),
                    [&](std::uint64_t first, const EventList& part, const std::function<void(double)>& done) {
                        if (!listed) {
                            begin(part);
                        }
                        listed->require(part, first);
                        for (const FrameCutter::Piece& piece : list.cut(part.time_ms, part.size())) {
                            cells.clear();
                            if (piece.end - piece.begin == part.size()) {
                                listed->lister().add(part, &cells);
                            } else {
                                listed->lister().add(eventsOf(part, piece), &cells);
                            }
                            list.collector().begin(piece.frame);
                            list.collector().add(cells);
                        }
                        done(1);
                    });
    if (!listed) {
        begin(stream.scan());
    }
    LineData data = listed->take();
    list.setPoses(listed->poses());
    finishFrames(list, data);
    return data;
}

LineData ofListedEvents(const BinContext& context, EventSource& source) {
    LineData data =
        isCutInParts(context, source) ? linesOfParts(context, source) : linesOfWhole(context, source);
    if (context.request().corrections.empty()) {
        attenuateEvents(data, context.attenuation(data.phantom), context);
    }
    return data;
}

LineData linesOfHistogram(const BinContext& context) {
    CastorLines lines = readCastorLines(context.request().input, context.geometry());
    context.note(lines.note);
    LineData& data = lines.data;
    data.lattice = context.request().lattice.value_or(data.lattice);
    attenuateCounts(data, context);
    return std::move(data);
}

/// The bins of prompts in frames, one after the other, which `list` gets as its cells.
std::vector<std::uint32_t> cutBins(const AddressList& words, ListCut& list) {
    std::vector<std::uint32_t> bins;
    std::vector<std::uint32_t> lines;
    words.prompts().forEach([&](std::span<const std::uint32_t> part, std::span<const std::uint32_t> time_ms) {
        for (const FrameCutter::Piece& piece : list.cut(time_ms, part.size())) {
            lines.clear();
            for (std::size_t i = piece.begin; i < piece.end; ++i) {
                lines.push_back(part[i] == kNoCell ? kNoCell : static_cast<std::uint32_t>(bins.size()));
                if (part[i] != kNoCell) {
                    bins.push_back(part[i]);
                }
            }
            list.collector().begin(piece.frame);
            list.collector().add(lines);
        }
    });
    return bins;
}

BinResult linesOfAddresses(const BinContext& context) {
    AddressList list(context, AddressList::Keep::Events);
    const Ecat8Result& read = list.read();
    std::optional<ListCut> cut;
    if (context.request().cut()) {
        cut.emplace(list.context(), read.data.duration_s,
                    context.request().spillBeside.empty() ? list.prompts().size() : 0, 1);
        cut->spill();
    }
    const std::vector<std::uint32_t> bins = cut ? cutBins(list, *cut) : read.prompts;
    LineData data = linesOfBins(read.data.michelogram, bins, read.data.lattice);
    data.rejected = read.data.rejected;
    data.duration_s = read.data.duration_s;
    if (cut) {
        finishFrames(*cut, data);
        list.shareRandoms(data);
    }
    if (const RandomsEstimate* const randoms = list.randoms()) {
        data.possible.totalAdd = randoms->total();
        std::transform(bins.begin(), bins.end(), std::back_inserter(data.add),
                       [&](std::uint32_t bin) { return randoms->at(bin); });
    }
    attenuateEvents(data, context.attenuation(""), context);
    return list.result(std::move(data));
}

LineData linesOfOthers(const BinContext& context, const EventSource& source) {
    auto data = std::get<LineData>(source.imported());
    const BinRequest& request = context.request();
    if (!request.mu.empty() || !request.sinograms.corrects()) {  // corrections say what attenuates
        attenuateCounts(data, context);
    }
    return data;
}

LineData linesOf(const BinContext& context, EventSource& source) {
    return source.foreign() == ForeignBins::Imported ? linesOfOthers(context, source)
           : source.foreign() == ForeignBins::Lines  ? linesOfHistogram(context)
                                                     : ofListedEvents(context, source);
}

BinResult binToLines(const BinContext& context, EventSource& source) {
    BinResult result;
    if (source.foreign() == ForeignBins::Addresses) {
        result = linesOfAddresses(context);
    } else {
        result.data.emplace<LineData>(linesOf(context, source));
    }
    if (!context.forFile()) {
        auto& data = std::get<LineData>(result.data);
        data.hash = dataHash(data);
    }
    return result;
}

nlohmann::ordered_json lineJson(const LineData& data) {
    nlohmann::ordered_json json{{"events", data.events->pairs.size()},
                                {"time_bins", std::max(data.events->tof.count, 1)},
                                {"grid", data.lattice.size},
                                {"spacing_mm", data.lattice.spacing_mm},
                                {"mult", !data.mult.empty()},
                                {"add", !data.add.empty()},
                                {"rejected", data.rejected}};
    if (!data.possible.poses.empty()) {
        json["motion"] = "rigid";
        json["poses"] = data.possible.poses.size();
    }
    addFrames(json, data.frames.get());
    return json;
}

std::string lineSentence(const LineData& data) {
    return fmt::format("{} lines of response, {} events {}{}{}", data.events->pairs.size(), data.rejected,
                       data.michelogram ? "in no bin" : "outside the field of view",
                       data.possible.poses.empty() ? "" : "; moved back into one pose",
                       framesText(data.frames.get()));
}

/// A list's crystals and time are on a device with the piece of it in a tile.
PlannedLinesOf plannedEvents(const LineData& data) {
    constexpr double kEventBytes = 8 + 4 + 8;
    return {PlannedLines::Events, static_cast<double>(data.events->pairs.size()),
            kEventBytes + factorBytes(data) + (data.counts.empty() ? 0.0 : sizeof(float))};
}

ViewWords lineViews() {
    ViewWords words;
    words.first = {toTranslate("Word", "Tilt"),
                   toTranslate("Word",
                               "Tilt of the lines out of the transverse plane, degrees; the last classes "
                               "take what is steeper"),
                   ValueText::Degrees};
    words.second = {toTranslate("Word", "Time bin"),
                    toTranslate("Word", "Tilt of the view out of the transverse plane, degrees"),
                    ValueText::Place, toTranslate("Word", "all times")};
    words.view = toTranslate("Word", "Number of the class of tilts");
    words.counts = toTranslate("Word", "Lines of this tilt, those beyond the picture too");
    words.chiSquare = toTranslate("Word", "chi-square / bin");
    words.countsAlone =
        toTranslate("Word", "Lines of response are shown as counts; bin them into sinograms for the rest");
    const char* const curve = toTranslate("Word", "bin %1");
    words.chart = {toTranslate("Word", "tilt, degrees"),
                   ChartRange::Symmetric,
                   6,
                   curve,
                   curve,
                   ChartWords::Value::Place};
    words.csvHead = "tilt_deg,time_bin";
    words.eventsNote = toTranslate("Word", "lines with counts");
    return words;
}

/// The line of a tilt that a point of its view stands for: the distance from the axis along x, the azimuth
/// along y, the height along z.
FreeLine lineThrough(const Lattice& image, double tilt_deg, Vec3 point) {
    const double height = image.size[1] * image.spacing_mm[1];
    const double azimuth = kPi * (point.y / height + 0.5);
    const double tilt = tilt_deg * kRadPerDeg;
    return {{-point.x * std::sin(azimuth), point.x * std::cos(azimuth), point.z},
            {std::cos(tilt) * std::cos(azimuth), std::cos(tilt) * std::sin(azimuth), std::sin(tilt)}};
}

}  // namespace

Form lineForm() {
    using Own = DataIn<LineData, LineMeasurement>;
    Form form{.name = "lors",
              .kind = "lines",
              .lists = ListUse::Whole,
              .bin = binToLines,
              .time = CutByTime::Frames};
    form.words = lineViews();
    form.lineOf = [](const Measurement& data, double tilt, double, Vec3 point) {
        return lineThrough(data.lattice(), tilt, point);
    };
    Own::fill(form, lineJson, lineSentence, writeLineData, plannedEvents);
    form.corrections = lineCorrections();
    return form;
}

}  // namespace tof
