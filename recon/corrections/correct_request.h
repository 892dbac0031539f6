// SPDX-License-Identifier: Apache-2.0
// What corrections are asked for, and what is told of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/binning/panel_binning.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/data/crystal_singles.h"
#include "recon/data/events.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Which randoms are taken.
enum class RandomsBy { Delayeds, Singles, Off };

/// What is taken of the parts; nothing: as it was in the data, or as soon as it is asked for.
struct PartSwitches {
    std::optional<bool> attenuation{};
    std::optional<bool> efficiencies{};
    std::optional<bool> deadTime{};
    std::optional<RandomsBy> randoms{};
    std::optional<bool> scatter{};
};

struct CorrectRequest {
    /// List of a normalisation scan: efficiencies of crystals into mult. It names its source; empty: none.
    std::string norm;
    std::string delayeds;  ///< list of the delayed window in the same time: randoms; empty: none
    /// It stands in place of the file that `delayeds` names, once read; may be null.
    std::shared_ptr<const EventList> delayedList{};
    std::string singles;  ///< file of the crystals' singles in the same time: randoms; empty: none
    /// They stand in place of the file that `singles` names, once read; may be null.
    std::shared_ptr<const CrystalSingles> knownSingles{};
    PartSwitches switches{};
    std::string scanner;  ///< name or file; sinograms do not say how their crystals detect
    std::shared_ptr<const Scanner> detecting{};  ///< it stands in place of `scanner`, once read; may be null
    PanelRandoms panelRandoms = PanelRandoms::Add;  ///< how those of two panels are dealt with
    bool scatter = false;
    std::string mu;  ///< attenuation volume; empty: the phantom that the data name
    MuUnits muUnits = MuUnits::AsStated;
    ScatterCorrection scatterSettings;
    std::string engine = "auto";  ///< who adds up scatter, for who chooses among engines: sumScatterBy()
};

struct CorrectResult {
    double efficiencySd = 0;  ///< that of the crystals' efficiencies, over their mean
    double randoms = 0;       ///< expected on the lattice
    double scatter = 0;
    double single = 0;  ///< the share of the scatter that was scattered once, before it was scaled
    double scale = 1;
};

/// What was found.
struct Corrected {
    CorrectResult result{};                     ///< panels have their randoms alone
    std::optional<PanelRandomsTally> panels{};  ///< what became of panels
};

/// Which randoms are taken: those that the switch names, else those asked for, those of singles first;
/// nothing: as it was.
[[nodiscard]] std::optional<RandomsBy> wantedRandoms(const CorrectRequest& request);

/// The list of the delayed window that a request has or names: crystals and times of flight, and what is said
/// of it as a whole; other columns where they came with it. Throws BadInput.
[[nodiscard]] std::shared_ptr<const EventList> delayedsOf(const CorrectRequest& request,
                                                          const ThreadPool& pool);
/// The times of its events; empty where they are not known. Throws BadInput, and what `heed` does
/// (recognise()).
[[nodiscard]] std::vector<std::uint32_t> momentsOfDelayeds(const CorrectRequest& request,
                                                           std::function<void()> heed);

}  // namespace tof
