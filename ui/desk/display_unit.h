// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>

#include "recon/base/lattice.h"
#include "recon/physics/uptake.h"

namespace tof::ui {

/// In what the values of reconstructed images are shown; files keep emissions per voxel.
enum class UnitsShown { PerVoxel, PerMl, Becquerel };
/// "voxel", "ml", "becquerel"; throws WrongUse listing them for another name.
[[nodiscard]] UnitsShown unitsShownFromName(const QString& name);

/// How stored values of one image are shown: `factor` times as large, in `name` (empty: not known). The one
/// place where units are converted; everything that shows a value takes both parts from here, so that they
/// change together.
struct DisplayUnit {
    double factor = 1;
    QString name;

    [[nodiscard]] double shown(double stored) const { return stored * factor; }
    [[nodiscard]] double stored(double shown) const { return shown / factor; }
    [[nodiscard]] bool operator==(const DisplayUnit&) const = default;
};

/// The name in the user's language, for the screen; files and tables that are copied have `name`.
[[nodiscard]] QString unitWord(const DisplayUnit& unit);

/// What names of units of standardised uptake values begin with; by body weight, g/ml.
inline constexpr const char* kSuv = "SUV";
/// That image as SUV; empty where its activity per ml is not known.
[[nodiscard]] std::optional<DisplayUnit> suvUnit(const QString& units, const Lattice& lattice,
                                                 double duration_s, const Uptake& uptake);

/// For an image in `units` on a lattice. Only emissions/voxel are converted: to emissions/ml, or for
/// becquerel to the activity of `nuclide` at the start of the scan (bqMlPerStored) where its duration in s is
/// known (above 0); g/ml are SUV. Anything else is shown as it is stored.
[[nodiscard]] DisplayUnit displayUnit(const QString& units, const Lattice& lattice, double duration_s,
                                      UnitsShown shown, const Uptake& nuclide = {});

}  // namespace tof::ui
