// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/work/kinetics_request.h"

namespace tof::ui {

class Desk;
class RunItem;

/// Images of kinetic parameters to be made.
struct KineticsWish : KineticsRequest {
    std::string folder;  ///< that images and kinetics.json go into
};

/// Fits the model to a dynamic image with the ROIs of the window, writes its images and opens them; returns
/// at once. What fails becomes a message of the desk.
void fitKineticsOf(Desk& desk, const RunItem& item, const KineticsWish& wish);

}  // namespace tof::ui
