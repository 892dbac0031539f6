// SPDX-License-Identifier: Apache-2.0
#include "recon/work/line_model.h"

namespace tof {

LineModel ringModel(const Lattice& lattice, const RunSettings& settings) {
    LineModel model;
    model.lattice = lattice;
    model.method = settings.projector == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
    model.radialRays = settings.rays;
    model.psfFwhm_mm = settings.psf_mm;
    model.fovRadius_mm = settings.fovRadius_mm;
    return model;
}

}  // namespace tof
