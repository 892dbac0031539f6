// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tof::ui {

class Desk;

/// Empty when what is open can be kept as a study, else the reason.
[[nodiscard]] QString whyNotKeepStudy(Desk& desk);

/// Makes a study at `folder` (".tofstudy" is added where it is missing) of the open data, their runs, ROIs,
/// settings and what the window shows, or a copy of the open study, and opens it; returns at once. A folder
/// that exists is refused through the desk's messages.
void keepStudy(Desk& desk, const QString& folder);

}  // namespace tof::ui
