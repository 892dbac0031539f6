// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tof::ui {

class Desk;

/// Empty when replicates can be made of the open data with the settings of the next run, else the reason.
[[nodiscard]] QString whyNoReplicates(Desk& desk);

/// Reconstructs the open data with the settings of the next run, and so many resamplings of their counts, as
/// a task; then opens the run, which has bands on its curves, and puts the mean and the SD of the replicates'
/// last images beside it. The run's file stays in the folder of an open study; else it lasts as long as the
/// program. Returns at once.
void runWithReplicates(Desk& desk, int replicates);

}  // namespace tof::ui
