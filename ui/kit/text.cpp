// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// What tables outside ui/ and script names say in English, for the tools that collect texts for translation.
/// `translation_test` asks for every entry of those tables.
[[maybe_unused]] constexpr const char* kWords[] = {
    // menus
    QT_TRANSLATE_NOOP("Word", "File"),
    QT_TRANSLATE_NOOP("Word", "Edit"),
    QT_TRANSLATE_NOOP("Word", "View"),
    QT_TRANSLATE_NOOP("Word", "Kernel"),
    QT_TRANSLATE_NOOP("Word", "Run"),
    QT_TRANSLATE_NOOP("Word", "ROIs"),
    QT_TRANSLATE_NOOP("Word", "Curves"),
    QT_TRANSLATE_NOOP("Word", "Tools"),
    QT_TRANSLATE_NOOP("Word", "Help"),
    // recon/metrics: shapes and roles
    QT_TRANSLATE_NOOP("Word", "circle"),
    QT_TRANSLATE_NOOP("Word", "annulus"),
    QT_TRANSLATE_NOOP("Word", "ellipse"),
    QT_TRANSLATE_NOOP("Word", "polygon"),
    QT_TRANSLATE_NOOP("Word", "sphere"),
    QT_TRANSLATE_NOOP("Word", "cylinder"),
    QT_TRANSLATE_NOOP("Word", "box"),
    QT_TRANSLATE_NOOP("Word", "region"),
    QT_TRANSLATE_NOOP("Word", "background"),
    QT_TRANSLATE_NOOP("Word", "uniform"),
    QT_TRANSLATE_NOOP("Word", "none"),
    // recon/engine: stages; viz: colour maps
    QT_TRANSLATE_NOOP("Word", "upload"),
    QT_TRANSLATE_NOOP("Word", "forward"),
    QT_TRANSLATE_NOOP("Word", "discrepancy"),
    QT_TRANSLATE_NOOP("Word", "back"),
    QT_TRANSLATE_NOOP("Word", "update"),
    QT_TRANSLATE_NOOP("Word", "download"),
    QT_TRANSLATE_NOOP("Word", "Grey"),
    QT_TRANSLATE_NOOP("Word", "Inverse grey"),
    QT_TRANSLATE_NOOP("Word", "Hot metal"),
    QT_TRANSLATE_NOOP("Word", "Inferno"),
    QT_TRANSLATE_NOOP("Word", "Viridis"),
    QT_TRANSLATE_NOOP("Word", "PET rainbow"),
    QT_TRANSLATE_NOOP("Word", "Difference, light"),
    QT_TRANSLATE_NOOP("Word", "Difference, dark"),
    // what a run does
    QT_TRANSLATE_NOOP("Word", "kernel tables"),
    QT_TRANSLATE_NOOP("Word", "data"),
    QT_TRANSLATE_NOOP("Word", "sensitivities"),
    QT_TRANSLATE_NOOP("Word", "last iterate"),
    QT_TRANSLATE_NOOP("Word", "pausing"),
    QT_TRANSLATE_NOOP("Word", "finishing"),
    QT_TRANSLATE_NOOP("Word", "cancelling"),
    // recon/run: settings
    QT_TRANSLATE_NOOP("Word", "Algorithm"),
    QT_TRANSLATE_NOOP("Word",
                      "How the image is updated: RAMLA with relaxation, OSEM, or MLEM (all views at once)."),
    QT_TRANSLATE_NOOP("Word", "Engine"),
    QT_TRANSLATE_NOOP("Word",
                      "Where projections are computed; auto takes cuda when there is a device, else cpu."),
    QT_TRANSLATE_NOOP("Word", "Strategy"),
    QT_TRANSLATE_NOOP("Word", "Which of the engine's projection kernels is used; empty takes its default."),
    QT_TRANSLATE_NOOP("Word", "Kernel"),
    QT_TRANSLATE_NOOP("Word",
                      "SR kernel: a preset name (one's own: preset:NAME), a JSON file, or JSON text."),
    QT_TRANSLATE_NOOP("Word", "Iterations"),
    QT_TRANSLATE_NOOP("Word", "Passes through all the data."),
    QT_TRANSLATE_NOOP("Word", "Relaxation λ₀"),
    QT_TRANSLATE_NOOP("Word", "RAMLA's first step size lambda0; 1 would be a full OSEM step per view."),
    QT_TRANSLATE_NOOP("Word", "Decay γ"),
    QT_TRANSLATE_NOOP("Word", "RAMLA's step in pass k (from 0) is lambda0 / (1 + gamma k)."),
    QT_TRANSLATE_NOOP("Word", "Subsets"),
    QT_TRANSLATE_NOOP("Word", "Blocks per pass; 0 makes every view a block. MLEM always has one."),
    QT_TRANSLATE_NOOP("Word", "Seed"),
    QT_TRANSLATE_NOOP("Word", "Chooses the first view of the geometric block order."),
    QT_TRANSLATE_NOOP("Word", "Threads"),
    QT_TRANSLATE_NOOP("Word", "Compute threads of host engines; 0 takes every core."),
    QT_TRANSLATE_NOOP("Word", "Memory limit"),
    QT_TRANSLATE_NOOP("Word", "Most memory the engine may take; 0 leaves it to the machine."),
    QT_TRANSLATE_NOOP("Word", "Device"),
    QT_TRANSLATE_NOOP("Word", "Index of the CUDA device."),
    QT_TRANSLATE_NOOP("Word", "Line projector"),
    QT_TRANSLATE_NOOP("Word", "Ring data: how lines cross voxels, by exact lengths or by interpolation."),
    QT_TRANSLATE_NOOP("Word", "Rays per bin"),
    QT_TRANSLATE_NOOP("Word", "Ring data: lines across the width of a radial bin that are averaged."),
    QT_TRANSLATE_NOOP("Word", "PSF FWHM"),
    QT_TRANSLATE_NOOP("Word", "Ring data: FWHM of the Gaussian blur in the image model; 0 is none."),
    QT_TRANSLATE_NOOP("Word", "FOV radius"),
    QT_TRANSLATE_NOOP("Word", "Ring data: lines are followed only this near the axis; 0 is no limit."),
    QT_TRANSLATE_NOOP("Word", "Spectrum"),
    QT_TRANSLATE_NOOP("Word",
                      "Fourier engines: transform of the truncated sampled kernel, or the Gaussian's own."),
    QT_TRANSLATE_NOOP("Word", "Zero padding"),
    QT_TRANSLATE_NOOP(
        "Word", "Fourier engines: off (wraps round), auto, or voxels added along x,y,z, as in 16,16,8."),
    // their units
    QT_TRANSLATE_NOOP("Word", "voxels"),
};

}  // namespace

QString word(const std::string& english) {
    return QCoreApplication::translate("Word", english.c_str());
}

}  // namespace tof::ui
