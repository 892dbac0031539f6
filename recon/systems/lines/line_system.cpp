// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_system.h"

#include <fmt/format.h>

#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/line_settings.h"
#include "recon/systems/lines/sinogram_measurement.h"

namespace tof {

namespace {

std::string runName(const RunSettings& settings) {
    std::string name = settings.projector;
    if (goesByScanner(settings)) {
        name += ", scanner's PSF";
    }
    return settings.psf_mm > 0 ? fmt::format("{}, {:g} mm PSF", name, settings.psf_mm) : name;
}

bool holdsLines(const FormatFile& file) {
    return file.form() == "sinogram" || file.form() == "lors";
}

std::shared_ptr<const Measurement> measureLines(const FormatFile& file) {
    MeasuredData data = std::move(file.data("")->data);
    if (auto* const sinograms = std::get_if<SinogramData>(&data)) {
        return std::make_shared<const SinogramMeasurement>(std::move(*sinograms));
    }
    return std::make_shared<const LineMeasurement>(std::get<LineData>(std::move(data)));
}

}  // namespace

System lineSystem() {
    return {LineModel::kSystem, "projector", holdsLines, measureLines, runName};
}

}  // namespace tof
