// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/published.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/suggestion.h"

namespace tof {

const std::vector<NemaFigure>& nemaFigures() {
    static const std::vector<NemaFigure> kFigures{
        {"sensitivity_0", "Sensitivity on the axis", "kcps/MBq"},
        {"sensitivity_10", "Sensitivity 10 cm off the axis", "kcps/MBq"},
        {"scatter_fraction", "Scatter fraction at a low rate", "%"},
        {"scatter_fraction_at_peak", "Scatter fraction at the peak of NECR", "%"},
        {"necr_peak", "Peak of NECR", "kcps"},
        {"necr_peak_at", "Activity at that peak", "kBq/ml"},
        {"resolution_1_radial", "FWHM 1 cm off the axis, radial", "mm"},
        {"resolution_1_tangential", "FWHM 1 cm off the axis, tangential", "mm"},
        {"resolution_1_axial", "FWHM 1 cm off the axis, axial", "mm"},
        {"resolution_10_radial", "FWHM 10 cm off the axis, radial", "mm"},
        {"resolution_10_tangential", "FWHM 10 cm off the axis, tangential", "mm"},
        {"resolution_10_axial", "FWHM 10 cm off the axis, axial", "mm"},
        {"resolution_20_radial", "FWHM 20 cm off the axis, radial", "mm"},
        {"resolution_20_tangential", "FWHM 20 cm off the axis, tangential", "mm"},
        {"resolution_20_axial", "FWHM 20 cm off the axis, axial", "mm"},
        {"contrast_10", "Contrast recovery, 10 mm", "%"},
        {"contrast_13", "Contrast recovery, 13 mm", "%"},
        {"contrast_17", "Contrast recovery, 17 mm", "%"},
        {"contrast_22", "Contrast recovery, 22 mm", "%"},
        {"contrast_28", "Contrast recovery, 28 mm", "%"},
        {"contrast_37", "Contrast recovery, 37 mm", "%"},
        {"nu4_resolution_5_radial", "NU 4: FWHM 5 mm off the axis, radial", "mm"},
        {"nu4_resolution_5_tangential", "NU 4: FWHM 5 mm off the axis, tangential", "mm"},
        {"nu4_resolution_5_axial", "NU 4: FWHM 5 mm off the axis, axial", "mm"},
        {"nu4_resolution_10_radial", "NU 4: FWHM 10 mm off the axis, radial", "mm"},
        {"nu4_resolution_10_tangential", "NU 4: FWHM 10 mm off the axis, tangential", "mm"},
        {"nu4_resolution_10_axial", "NU 4: FWHM 10 mm off the axis, axial", "mm"},
        {"nu4_resolution_15_radial", "NU 4: FWHM 15 mm off the axis, radial", "mm"},
        {"nu4_resolution_15_tangential", "NU 4: FWHM 15 mm off the axis, tangential", "mm"},
        {"nu4_resolution_15_axial", "NU 4: FWHM 15 mm off the axis, axial", "mm"},
        {"nu4_resolution_25_radial", "NU 4: FWHM 25 mm off the axis, radial", "mm"},
        {"nu4_resolution_25_tangential", "NU 4: FWHM 25 mm off the axis, tangential", "mm"},
        {"nu4_resolution_25_axial", "NU 4: FWHM 25 mm off the axis, axial", "mm"},
        {"nu4_sensitivity", "NU 4: sensitivity in the middle", "%"},
        {"nu4_sensitivity_mean", "NU 4: sensitivity, mean along the axis", "%"},
        {"mouse_scatter_fraction", "NU 4, mouse: scatter fraction at a low rate", "%"},
        {"mouse_scatter_fraction_at_peak", "NU 4, mouse: scatter fraction at the peak of NECR", "%"},
        {"mouse_necr_peak", "NU 4, mouse: peak of NECR", "kcps"},
        {"mouse_necr_peak_at", "NU 4, mouse: activity at that peak", "MBq"},
        {"rat_scatter_fraction", "NU 4, rat: scatter fraction at a low rate", "%"},
        {"rat_scatter_fraction_at_peak", "NU 4, rat: scatter fraction at the peak of NECR", "%"},
        {"rat_necr_peak", "NU 4, rat: peak of NECR", "kcps"},
        {"rat_necr_peak_at", "NU 4, rat: activity at that peak", "MBq"},
    };
    return kFigures;
}

const NemaFigure& nemaFigure(const std::string& key) {
    for (const NemaFigure& figure : nemaFigures()) {
        if (key == figure.key) {
            return figure;
        }
    }
    const std::vector<std::string> keys = namesOf(nemaFigures(), &NemaFigure::key);
    throw WrongUse("no figure '{}'{}; there are {}", key, suggestion(key, keys), fmt::join(keys, ", "));
}

std::vector<PublishedFigure> publishedFigures(const Scanner& scanner) {
    std::vector<PublishedFigure> figures;
    if (scanner.description.empty()) {
        return figures;
    }
    const nlohmann::json root = parseJson(scanner.description, scanner.name);
    if (!root.contains("published")) {
        return figures;
    }
    const std::string what = scanner.name + ", published";
    if (!root["published"].is_array()) {
        throw BadInput("{} must be a list of objects with 'figure', 'value' and 'source'", what);
    }
    for (const nlohmann::json& row : root["published"]) {
        const JsonFields fields(row, what, {"figure", "value", "source"});
        figures.push_back({fields.text("figure"), fields.number("value", 0, 1e9), fields.text("source")});
        try {
            static_cast<void>(nemaFigure(figures.back().key));
        } catch (const WrongUse& fault) {
            throw BadInput("{}: {}", what, fault.what());
        }
    }
    return figures;
}

}  // namespace tof
