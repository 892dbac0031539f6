// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "recon/systems/measurement.h"
#include "recon/work/frame_request.h"

class QWidget;

namespace tof::ui {

/// Asks which frames of data that are cut by time get images, how they begin and whether they are joined
/// along time, where `algorithm` can: the rows of the command `reconstruct`. Nothing when it is left.
[[nodiscard]] std::optional<FramesAsked> askForFrames(QWidget* parent, const Measurement& data,
                                                      const std::string& algorithm);

}  // namespace tof::ui
