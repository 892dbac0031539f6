// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/simulate/physics.h"
#include "recon/simulate/slices.h"
#include "ui/desk/tasks.h"

namespace tof::ui {

/// Who makes the slices of simulated scans in time, by an engine's name; throws Unavailable with the sentence
/// why there is no such device.
using SimulatorChoice = std::function<SliceMaker(const std::string& engine)>;
/// Empty when `choice` (which may be empty) has a simulator of this name, else the sentence why not.
[[nodiscard]] QString whyNoSimulator(const SimulatorChoice& choice, const std::string& engine);

/// A study to be simulated.
struct SimulationRequest {
    QString scanner = "labr3-ideal";  ///< the realistic ones take minutes per million events
    QString phantom = "spheres";
    std::uint64_t events = 2000000;
    std::uint64_t seed = 1;
    std::optional<Physics> physics{};  ///< of scanners that say how they detect; none: all of it
    double activity_MBq = 100;
    /// Time resolution by rate in place of what the scanner says: {singles per second, FWHM in ps}, rates
    /// ascending, none: the same at any rate.
    std::optional<std::vector<std::array<double, 2>>> timingByRate{};
    std::string engine = "cpu";  ///< or "cuda": where photons of scans in time are followed
    bool analytic = false;       ///< expected counts from chords instead of events
    bool background = false;  ///< analytic: scatter, and randoms at the activity, among the counts and in add
    bool correctRandoms = false;      ///< expected randoms with the data, from delayeds
    bool correctScatter = false;      ///< expected scatter with the data
    std::optional<double> blur_mm{};  ///< of ring scanners, FWHM; none: the scanner's own
    bool noiseFree = false;           ///< ring scanners and analytic: without Poisson noise
    bool attenuate = false;           ///< ring scanners: by the phantom
    QString folder;                   ///< NAME.tofstudy to be made
    int replicates = 1;               ///< so many studies, of the seeds from `seed` on
    /// Settings that the first run of the study begins with.
    std::vector<std::pair<std::string, std::string>> settings{};
    bool run = false;  ///< begins that run as soon as the study is open

    /// Folder of a replicate, from 0: of several NAME-seedS.tofstudy.
    [[nodiscard]] QString folderOf(int replicate) const;
};

/// Makes the study of one replicate. Throws as createSimulatedStudy() does.
void simulateStudy(const SimulationRequest& request, int replicate, const SimulatorChoice& simulators,
                   TaskControl& control);

}  // namespace tof::ui
