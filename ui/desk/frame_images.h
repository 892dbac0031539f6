// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "recon/work/frame_request.h"

namespace tof::ui {

class Desk;

/// Empty when images of the frames of the open data can be made, else the reason.
[[nodiscard]] QString whyNoFrameImages(const Desk& desk);

/// Reconstructs the sum and frames of the open data with the settings of the next run, writes them as one
/// dynamic image, in the format of the file's extension, and opens that; returns at once. What fails becomes
/// a message of the desk.
void makeFrameImages(Desk& desk, const FramesAsked& frames, const QString& file);

}  // namespace tof::ui
