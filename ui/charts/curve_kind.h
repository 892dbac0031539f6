// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "ui/desk/roi_quantity.h"

namespace tof::ui {

/// What a CurveChart shows: CRC against noise, or something against the iterate.
struct CurveKind {
    enum class Of { CrcNoise, Crc, Noise, Nsr, Objective, Roi };
    Of of = Of::CrcNoise;
    RoiQuantity::Kind quantity = RoiQuantity::Kind::Mean;  ///< that of the selected ROI

    [[nodiscard]] bool operator==(const CurveKind&) const = default;
    /// "crc-noise", "crc", "noise", "nsr", "objective", "roi-mean"...: for scripts and commands.
    [[nodiscard]] QString id() const;
    /// "CRC against noise", "mean of the ROI": for menus.
    [[nodiscard]] QString text() const;
};
/// All of them; the first is CRC against noise.
[[nodiscard]] const std::vector<CurveKind>& curveKinds();

}  // namespace tof::ui
