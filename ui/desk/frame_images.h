// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tof::ui {

class Desk;

/// Empty when images of the frames of the open data can be made, else the reason.
[[nodiscard]] QString whyNoFrameImages(const Desk& desk);

/// Reconstructs the sum and every frame of the open data with the settings of the next run, writes them as
/// one dynamic image, in the format of the file's extension, and opens that; returns at once.
void makeFrameImages(Desk& desk, const QString& file);

}  // namespace tof::ui
