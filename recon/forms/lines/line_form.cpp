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

LineData ofListedEvents(const BinContext& context, EventSource& source) {
    const EventList events = source.share().events;
    ListedCells found;
    LineData data = linesOfEvents(events, source.scanner().described(), context, found);
    if (context.request().cut()) {
        cutCells(context, events.time_ms, found.cells, data, std::move(found.poses));
    }
    if (context.request().corrections.empty()) {
        attenuateEvents(data, context.attenuation(events.phantom), context);
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

BinResult linesOfAddresses(const BinContext& context) {
    AddressList list(context, AddressList::Keep::Events);
    const Ecat8Result& read = list.read();
    std::vector<std::uint32_t> bins;
    std::vector<std::uint32_t> cells;
    for (const std::uint32_t bin : read.prompts) {
        cells.push_back(bin == kNoCell ? kNoCell : static_cast<std::uint32_t>(bins.size()));
        if (bin != kNoCell) {
            bins.push_back(bin);
        }
    }
    LineData data = linesOfBins(read.data.michelogram, bins, read.data.lattice);
    data.rejected = read.data.rejected;
    data.duration_s = read.data.duration_s;
    if (const RandomsEstimate* const randoms = list.randoms()) {
        data.possible.totalAdd = randoms->total();
        std::transform(bins.begin(), bins.end(), std::back_inserter(data.add),
                       [&](std::uint32_t bin) { return randoms->at(bin); });
    }
    if (context.request().cut()) {
        cutCells(list.context(), read.prompts_ms, cells, data);
        list.shareRandoms(data);
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
    auto& data = std::get<LineData>(result.data);
    data.hash = dataHash(data);
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
