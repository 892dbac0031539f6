// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "ui/desk/roi_quantity.h"

namespace tof::ui {

/// What a CurveChart shows: CRC or an observer's AUC against noise, or something against the iterate.
struct CurveKind {
    enum class Of { CrcNoise, Crc, Noise, Nsr, Objective, AucNoise, Auc, Roi };
    Of of = Of::CrcNoise;
    RoiQuantity::Kind quantity = RoiQuantity::Kind::Mean;  ///< that of the selected ROI

    [[nodiscard]] bool operator==(const CurveKind&) const = default;
    [[nodiscard]] bool againstNoise() const { return of == Of::CrcNoise || of == Of::AucNoise; }
    /// Whether an observer of replicates makes the curves.
    [[nodiscard]] bool ofObserver() const { return of == Of::AucNoise || of == Of::Auc; }
    /// "crc-noise", "crc", "noise", "nsr", "objective", "auc-noise", "auc", "roi-mean"...: for scripts and
    /// commands.
    [[nodiscard]] QString id() const;
    /// "CRC against noise", "mean of the ROI": for menus.
    [[nodiscard]] QString text() const;
};
/// All of them; the first is CRC against noise.
[[nodiscard]] const std::vector<CurveKind>& curveKinds();

}  // namespace tof::ui
