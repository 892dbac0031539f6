// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_system.h"

#include <fmt/format.h>

#include "recon/systems/lines/line_model.h"

namespace tof {

namespace {

std::string runName(const RunSettings& settings) {
    const double psf_mm = settings.psf_mm;
    return settings.projector + (psf_mm > 0 ? fmt::format(", {:g} mm PSF", psf_mm) : "");
}

}  // namespace

System lineSystem() {
    return {LineModel::kSystem, "projector", runName};
}

}  // namespace tof
