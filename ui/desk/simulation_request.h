// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "recon/seam/engine.h"
#include "recon/work/simulate_rows.h"
#include "ui/desk/tasks.h"

namespace tof::ui {

/// Empty when an engine follows photons, else the sentence why not.
[[nodiscard]] QString whyNoSimulator(const EngineRegistry& engines, const std::string& engine);

/// A study to be simulated: scanners that are realistic take minutes per million events, so the usual one is
/// ideal.
struct SimulationRequest : SimulationOrder {
    SimulationRequest();

    bool correctRandoms = false;  ///< expected randoms with the data, from delayeds
    bool correctScatter = false;  ///< expected scatter with the data
    QString folder;               ///< NAME.tofstudy to be made
    int replicates = 1;           ///< so many studies, of the seeds from the scan's on
    /// The first run of the study, which begins as soon as that is open.
    struct FirstRun {
        int iterations;
        double relaxation;
    };
    std::optional<FirstRun> firstRun{};

    /// Folder of a replicate, from 0: of several NAME-seedS.tofstudy.
    [[nodiscard]] QString folderOf(int replicate) const;
};

/// Everything that the window asks for. The rows read and write `request`, which must outlive them.
[[nodiscard]] std::vector<BoundRow> simulationRequestRows(SimulationRequest& request);

/// Makes the study of one replicate. Throws as createSimulatedStudy() does.
void simulateStudy(const SimulationRequest& request, int replicate, const EngineRegistry& engines,
                   TaskControl& control);

}  // namespace tof::ui
