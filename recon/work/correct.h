// SPDX-License-Identifier: Apache-2.0
// Corrections of data that were binned: expected randoms and scatter.
#pragma once

#include <string>

#include "recon/base/parallel.h"
#include "recon/binning/panel_binning.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/data/histo_data.h"
#include "recon/work/attenuation_map.h"
#include "recon/work/work_progress.h"

namespace tof {

struct CorrectRequest {
    /// List of a normalisation scan: efficiencies of crystals into mult. It names its source; empty: none.
    std::string norm;
    std::string delayeds;  ///< list of the delayed window in the same time: randoms; empty: none
    PanelRandoms panelRandoms = PanelRandoms::Add;  ///< how those of two panels are dealt with
    bool scatter = false;
    std::string mu;  ///< attenuation volume; empty: the phantom that the data name
    MuUnits muUnits = MuUnits::AsStated;
    ScatterCorrection scatterSettings;
};

struct CorrectResult {
    double efficiencySd = 0;  ///< of the crystals', over their mean
    double randoms = 0;       ///< expected on the lattice
    double scatter = 0;
    double single = 0;  ///< of the scatter: scattered once, before it was scaled
    double scale = 1;
};

/// Multiplies data.mult by efficiencies and replaces data.add by what is asked for. `source` names the data
/// in messages. Throws WrongUse where scanner or data do not say enough, BadInput, and Cancelled from
/// `progress`.
[[nodiscard]] CorrectResult correct(HistoData& data, const std::string& source, const CorrectRequest& request,
                                    const ThreadPool& pool, WorkProgress& progress);

/// The same of two panels, whose randoms alone are known: `request.delayeds` in place of what add had, or
/// taken from the counts. Throws WrongUse where anything else is asked for, or the list is of another
/// scanner.
[[nodiscard]] PanelRandomsTally correct(PanelData& data, const std::string& source,
                                        const CorrectRequest& request, WorkProgress& progress);

}  // namespace tof
