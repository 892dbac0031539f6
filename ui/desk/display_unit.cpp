// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/display_unit.h"

#include "ui/kit/names.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr double kMm3PerMl = 1000;

}  // namespace

UnitsShown unitsShownFromName(const QString& name) {
    constexpr std::pair<UnitsShown, const char*> kUnits[] = {
        {UnitsShown::PerVoxel, "voxel"}, {UnitsShown::PerMl, "ml"}, {UnitsShown::Becquerel, "becquerel"}};
    return valueIn(kUnits, name, "no units '%1'; there are voxel, ml and becquerel");
}

QString unitWord(const DisplayUnit& unit) {
    return unit.name.isEmpty() ? QString() : word(unit.name.toStdString());
}

std::optional<DisplayUnit> suvUnit(const QString& units, const Lattice& lattice, double duration_s,
                                   const Uptake& uptake) {
    const double factor = suvPerStored(units.toStdString(), lattice, duration_s, uptake);
    return factor > 0 ? std::optional(DisplayUnit{factor, kSuv}) : std::nullopt;
}

DisplayUnit displayUnit(const QString& units, const Lattice& lattice, double duration_s, UnitsShown shown,
                        const Uptake& nuclide) {
    if (units == "g/ml") {
        return {1, kSuv};
    }
    if (units != kEmissionsPerVoxel || shown == UnitsShown::PerVoxel) {
        return {1, units};
    }
    if (shown == UnitsShown::Becquerel && duration_s > 0) {
        return {bqMlPerStored(units.toStdString(), lattice, duration_s, nuclide), "Bq/ml"};
    }
    const auto& edge = lattice.spacing_mm;
    return {kMm3PerMl / (edge[0] * edge[1] * edge[2]), "emissions/ml"};
}

}  // namespace tof::ui
