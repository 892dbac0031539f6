// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/panel/panel_form.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/data_in.h"
#include "recon/forms/panel/panel_lines.h"
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

BinResult binPanels(const BinContext& context, EventSource& source) {
    PanelData data;
    if (source.foreign() != ForeignBins::None) {
        data = panelsOfHistogram(context, source);
    } else {
        const EventList events = source.share().events;
        data = panelLines(events, source.scanner().used(), context,
                          source.stream() != nullptr ? context.ranks() : nullptr);
    }
    if (context.first()) {
        data.hash = dataHash(data);
    }
    return {std::move(data)};
}

nlohmann::ordered_json panelJson(const PanelData& data) {
    return {{"lors", data.counts.size()},
            {"grid", data.lattice.size},
            {"spacing_mm", data.lattice.spacing_mm},
            {"kept", data.kept},
            {"rejected", data.rejected}};
}

std::string panelSentence(const PanelData& data) {
    return fmt::format("{} lines of two panels; {} events kept, {} of one head alone", data.counts.size(),
                       data.kept, data.rejected);
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

}  // namespace

Form panelForm() {
    using Own = DataIn<PanelData, PanelMeasurement>;
    Form form{.name = "panel",
              .kind = "panel",
              .words = toTranslate("Word", "lines between two heads"),
              .bin = binPanels,
              // Between two heads one looks along x, the coronal view of such a scanner; profiles go across
              // rods.
              .usualLook = {0, toTranslate("Word", "Sagittal, coronal to the heads"), 2}};
    Own::describe(form, panelJson, panelSentence);
    Own::keep(form, writePanelData);
    Own::plan(form, plannedPanels);
    form.lineOf = [](const Measurement& data, double stepY, double stepZ, Vec3 point) {
        return lineOfSteps(Own::of(data).geometry, stepY, stepZ, point);
    };
    return form;
}

}  // namespace tof
