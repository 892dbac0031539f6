// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_settings.h"

#include <nlohmann/json.hpp>

#include "recon/base/options.h"

namespace tof {

LineModel lineModel(const Lattice& lattice, const RunSettings& settings) {
    LineModel model;
    model.lattice = lattice;
    model.method = settings.projector == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
    model.radialRays = settings.rays;
    model.axialRays = settings.axialRays == "planes" ? LineModel::kRayPerPlane
                                                     : numberFrom<int>(settings.axialRays).value();
    model.psfFwhm_mm = settings.psf_mm;
    model.fovRadius_mm = settings.fovRadius_mm;
    return model;
}

nlohmann::ordered_json describeLines(const RunSettings& settings) {
    return {{"projector", settings.projector},
            {"rays", settings.rays},
            {"axial_rays", settings.axialRays},
            {"psf_mm", settings.psf_mm},
            {"fov_radius_mm", settings.fovRadius_mm}};
}

}  // namespace tof
