// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/histo_form.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/forms/form/data_in.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/forms/histo/moved_histo.h"
#include "recon/frames/frames_json.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

BinResult binHisto(const BinContext& context, EventSource& source) {
    if (source.foreign() != ForeignBins::None) {
        throw WrongUse("{}: its bins have no places in histo-images; bin them --to sinogram or --to lors",
                       context.request().input);
    }
    if (context.request().times == Times::Left) {
        throw WrongUse("histo-images need the times of flight; leave --no-tof out, or bin --to lors");
    }
    if (source.stream() != nullptr) {
        return {binHistoImages(source, context)};
    }
    EventList events = source.share().events;
    return {binHistoImages(std::move(events), source.scanner().used(), context)};
}

nlohmann::ordered_json histoJson(const HistoData& data) {
    nlohmann::ordered_json json{
        {"views", data.views.size()}, {"grid", data.lattice.size}, {"spacing_mm", data.lattice.spacing_mm},
        {"kept", data.kept},          {"outside", data.outside},   {"rejected", data.rejected},
        {"deposit", data.deposit}};
    if (!data.motion.empty()) {
        json["motion"] = data.motion;
    }
    addFrames(json, data.frames.get());
    return json;
}

std::string histoSentence(const HistoData& data) {
    return fmt::format(
        "{} views of {}; {} events kept, {} outside the lattice, {} outside the acceptance{}{}",
        data.views.size(), data.lattice.text(), data.kept, data.outside, data.rejected,
        data.motion.empty() ? "" : "; moved back into one pose", framesText(data.frames.get()));
}

FreeLine lineOfView(double azimuth_deg, double tilt_deg, Vec3 point) {
    const double azimuth = azimuth_deg * kRadPerDeg;
    const double tilt = tilt_deg * kRadPerDeg;
    return {point, {std::cos(tilt) * std::cos(azimuth), std::cos(tilt) * std::sin(azimuth), std::sin(tilt)}};
}

ViewWords histoViews() {
    ViewWords words;
    words.first = {toTranslate("Word", "Azimuth"),
                   toTranslate("Word", "Azimuth of the view, degrees: the TOF axis turns from +x towards +y"),
                   ValueText::Degrees};
    words.second = {toTranslate("Word", "Tilt"),
                    toTranslate("Word", "Tilt of the view out of the transverse plane, degrees"),
                    ValueText::Degrees};
    words.chart = {toTranslate("Word", "azimuth, degrees"), ChartRange::HalfTurn, 6,
                   toTranslate("Word", "%1° tilt"), "%1°"};
    words.csvHead = "azimuth_deg,tilt_deg";
    return words;
}

}  // namespace

Form histoForm() {
    using Own = DataIn<HistoData, HistoMeasurement>;
    Form form{.name = "histo", .kind = "histo-images", .bin = binHisto, .time = CutByTime::Frames};
    form.words = histoViews();
    Own::fill(form, histoJson, histoSentence, writeData);
    form.measure = [](MeasuredData data) {
        return withFactorsOfFrames(
            std::make_shared<const HistoMeasurement>(std::get<HistoData>(std::move(data))));
    };
    form.lineOf = [](const Measurement&, double azimuth, double tilt, Vec3 point) {
        return lineOfView(azimuth, tilt, point);
    };
    form.corrections = histoCorrections();
    return form;
}

}  // namespace tof
