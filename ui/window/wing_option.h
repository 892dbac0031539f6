// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::ui {

struct ScriptStep;

/// An option that a wing of the program brings (ui/window/wing.h).
struct WingOption {
    const char* name;
    const char* value;  ///< "" for a switch
    const char* help;
    void (*check)(const ScriptStep& option);  ///< throws WrongUse
    bool endsProgram = true;                  ///< once it is done
};

}  // namespace tof::ui
