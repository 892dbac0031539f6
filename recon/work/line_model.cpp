// SPDX-License-Identifier: Apache-2.0
#include "recon/work/line_model.h"

namespace tof {

LineModel ringModel(const Lattice& lattice, const RunSettings& settings) {
    LineModel model;
    model.lattice = lattice;
    model.method = settings.get("projector") == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
    model.radialRays = settings.integer("rays");
    model.psfFwhm_mm = settings.number("psf");
    model.fovRadius_mm = settings.number("fov-radius");
    return model;
}

}  // namespace tof
