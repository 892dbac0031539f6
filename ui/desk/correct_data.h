// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tof::ui {

class Desk;

/// Corrections to be made of the open data.
struct CorrectionWish {
    QString norm;      ///< list of a normalisation scan, or empty
    QString delayeds;  ///< list of the delayed window, or empty
    bool scatter = false;
    QString mu;      ///< attenuation volume of the scatter; empty: the phantom that the data name
    QString folder;  ///< NAME.tofstudy to be made
};

/// Empty when the open data can be corrected, else the reason.
[[nodiscard]] QString whyNotCorrect(const Desk& desk);

/// Makes the corrections of the open data and opens data and corrections as a study of their own; returns at
/// once. Fails, and leaves nothing behind, as correct() does.
void correctOpenData(Desk& desk, const CorrectionWish& wish);

}  // namespace tof::ui
