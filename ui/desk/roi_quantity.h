// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "recon/metrics/figures_of_merit.h"
#include "ui/desk/display_unit.h"
#include "ui/desk/image_kind.h"

namespace tof::ui {

/// What is said of an ROI: a column of the table, of its text and a curve over iterates.
struct RoiQuantity {
    enum class Kind {
        Mean,
        Sd,
        SdPercent,
        Minimum,
        Maximum,
        Peak,
        Total,
        Voxels,
        Volume,
        Crc,
        ContrastRecovery,
        Nsr,
        Outside,
        TrueCrc,
        Overshoot
    };
    Kind kind;
    const char* id;               ///< "mean": for scripts
    const char* title;            ///< "SD, %"
    const char* help;             ///< the definition
    const char* brief = nullptr;  ///< "rec., %": above its column, where the title has no room; else none
};
/// All of them, in the order of the columns.
[[nodiscard]] const std::vector<RoiQuantity>& roiQuantities();
/// The value; empty where the quantity does not apply to the ROI (CRC of a background) or to the image (a sum
/// of Hounsfield units).
[[nodiscard]] std::optional<double> roiValue(RoiQuantity::Kind kind, const Roi& roi,
                                             const RoiFigures& figures, const KindRow& image);
/// In the unit of the column's title (per cent, ml) or of the image as shown, for files and axes.
[[nodiscard]] double exportedRoiValue(RoiQuantity::Kind kind, double value, const DisplayUnit& unit);
/// That value as text with nine digits and a decimal point; empty where the quantity does not apply.
[[nodiscard]] QString roiValueText(RoiQuantity::Kind kind, const Roi& roi, const RoiFigures& figures,
                                   const KindRow& image, const DisplayUnit& unit);
/// True for values in the unit of the image.
[[nodiscard]] bool roiValueHasUnit(RoiQuantity::Kind kind);
/// How much room a title has.
enum class TitleLength { Whole, Brief };
/// Its title for an image in a unit, in the user's language: SUVpeak where values are SUV.
[[nodiscard]] QString roiTitle(const RoiQuantity& quantity, const DisplayUnit& unit, TitleLength length);
/// Why roiValue() is empty for this ROI of a set; one sentence.
[[nodiscard]] QString whyNoRoiValue(RoiQuantity::Kind kind, const Roi& roi, const RoiSet& set,
                                    const KindRow& image);
/// Every ROI with every quantity: tab separated, decimal points, units in the header.
[[nodiscard]] QString roiTableText(const RoiSet& set, const Figures& figures, const KindRow& image,
                                   const DisplayUnit& unit);

}  // namespace tof::ui
