// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_settings.h"

#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/options.h"
#include "recon/simulate/point_spread.h"

namespace tof {

bool goesByScanner(const RunSettings& settings) {
    return settings.psfModel == "scanner";
}

LineModel lineModel(const Lattice& lattice, const RunSettings& settings,
                    std::shared_ptr<const PointSpread> spread) {
    LineModel model;
    model.lattice = lattice;
    model.method = settings.projector == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
    model.radialRays = settings.rays;
    model.axialRays = settings.axialRays == "planes" ? LineModel::kRayPerPlane
                                                     : numberFrom<int>(settings.axialRays).value();
    model.psfFwhm_mm = settings.psf_mm;
    if (spread != nullptr) {
        model.spread = std::make_shared<const PointSpread>(spread->widened(settings.psf_mm / kFwhmPerSigma));
    }
    model.fovRadius_mm = settings.fovRadius_mm;
    return model;
}

nlohmann::ordered_json describeLines(const RunSettings& settings) {
    nlohmann::ordered_json described{{"projector", settings.projector},
                                     {"rays", settings.rays},
                                     {"axial_rays", settings.axialRays},
                                     {"psf_mm", settings.psf_mm},
                                     {"fov_radius_mm", settings.fovRadius_mm}};
    if (goesByScanner(settings)) {
        described["psf_model"] = settings.psfModel;
    }
    return described;
}

}  // namespace tof
