// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/panel/panel_form.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/binning/panel_binning.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/data_in.h"
#include "recon/forms/form/list_cut.h"
#include "recon/forms/panel/panel_lines.h"
#include "recon/frames/frames_json.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/panel/panel_measurement.h"

namespace tof {

namespace {

/// The lines of a file that holds them counted, as a histogram of CASToR.
PanelData panelsOfHistogram(const BinContext& context, const EventSource& source) {
    DataReadResult read = source.file().readData(context.request().scanner);
    context.note(read.note);
    if (!std::holds_alternative<PanelData>(read.data)) {
        throw WrongUse("{}: is of no scanner of two panels; give one with --scanner",
                       context.request().input);
    }
    return std::get<PanelData>(std::move(read.data));
}

/// Those of a list that is cut by time, of which a part is in memory at a time.
PanelData panelsOfParts(const BinContext& context, EventSource& source) {
    const Scanner& scanner = source.scanner().used();
    PanelData data = binPanel(source.stream()->scan(), scanner);
    cutInParts(context, source, data,
               [&](std::uint64_t /*first*/, const EventList& part, std::vector<std::uint32_t>& cells) {
                   countPanel(part, data, &cells);
               });
    if (context.first()) {
        attenuatePanels(data, scanner, context);
    }
    return data;
}

BinResult binPanels(const BinContext& context, EventSource& source) {
    PanelData data;
    if (source.foreign() != ForeignBins::None) {
        data = panelsOfHistogram(context, source);
    } else if (isCutInParts(context, source)) {
        data = panelsOfParts(context, source);
    } else {
        const EventList events = source.share().events;
        data = panelLines(events, source.scanner().used(), context, *source.sharers());
    }
    if (context.first() && !context.forFile()) {
        data.hash = dataHash(data);
    }
    return {std::move(data)};
}

nlohmann::ordered_json panelJson(const PanelData& data) {
    nlohmann::ordered_json json{{"lors", data.counts.size()},
                                {"grid", data.lattice.size},
                                {"spacing_mm", data.lattice.spacing_mm},
                                {"kept", data.kept},
                                {"rejected", data.rejected}};
    addFrames(json, data.frames.get());
    return json;
}

std::string panelSentence(const PanelData& data) {
    return fmt::format("{} lines of two panels; {} events kept, {} of one head alone{}", data.counts.size(),
                       data.kept, data.rejected, framesText(data.frames.get()));
}

PlannedLinesOf plannedPanels(const PanelData& data) {
    return {PlannedLines::OfPanels, static_cast<double>(data.counts.size()),
            sizeof(float) + factorBytes(data)};
}

/// From the head at +x to that at -x, by the steps of the view.
FreeLine lineOfSteps(const PanelGeometry& panels, double stepY, double stepZ, Vec3 point) {
    return {{0, point.y, point.z},
            {panels.separation_mm, -stepY * panels.pitch_mm[0], -stepZ * panels.pitch_mm[1]}};
}

ViewWords panelViews() {
    ViewWords words;
    words.first = {toTranslate("Word", "Step y"),
                   toTranslate("Word",
                               "Crystals along y from the head at +x to the head at -x: with the step along "
                               "z, a class of lines of one direction"),
                   ValueText::CrystalsAndPlace};
    words.second = {toTranslate("Word", "Step z"),
                    toTranslate("Word", "Crystals along z from the head at +x to the head at -x"),
                    ValueText::Crystals};
    const char* const lines = toTranslate("Word", "Lines of this direction, by their place on the heads");
    words.captions = {lines, lines, lines};
    words.view = toTranslate("Word", "Number of the direction: a class of lines with its signs");
    words.counts = toTranslate("Word", "Sum over the lines of this direction");
    words.chiSquare = toTranslate("Word", "chi-square / line");
    words.chart = {toTranslate("Word", "step along y, crystals"),
                   ChartRange::Symmetric,
                   8,
                   toTranslate("Word", "step z %1"),
                   "",
                   ChartWords::Value::Whole};
    words.csvHead = "step_y,step_z";
    words.viewsNote = toTranslate("Word", "steps along y, z");
    words.eventsNote = toTranslate("Word", "in lines between two heads");
    return words;
}

}  // namespace

Form panelForm() {
    using Own = DataIn<PanelData, PanelMeasurement>;
    Form form{.name = "panel",
              .kind = "panel",
              .bin = binPanels,
              .time = CutByTime::Frames,
              // Between two heads one looks along x, the coronal view of such a scanner; profiles go across
              // rods.
              .usualLook = {Plane::Sagittal, toTranslate("Word", "Sagittal, coronal to the heads"), 2}};
    form.words = panelViews();
    Own::fill(form, panelJson, panelSentence, writePanelData, plannedPanels);
    form.lineOf = [](const Measurement& data, double stepY, double stepZ, Vec3 point) {
        return lineOfSteps(Own::of(data).geometry, stepY, stepZ, point);
    };
    form.corrections = panelCorrections();
    return form;
}

}  // namespace tof
