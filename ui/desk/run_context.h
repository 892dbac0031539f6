// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/seam/engine.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/messages.h"

namespace tof::ui {

/// What runs are made of, and where they and their failures are told. Everything outlives whoever holds this.
struct RunContext {
    const EngineRegistry& engines;
    OpenStudy& study;
    SettingsModel& settings;
    RunList& runs;
    RoiModel& rois;
    Messages& messages;
};

}  // namespace tof::ui
