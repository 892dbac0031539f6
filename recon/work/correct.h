// SPDX-License-Identifier: Apache-2.0
// Corrections of data that were binned: expected randoms and scatter.
#pragma once

#include <string>

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/binning/panel_binning.h"
#include "recon/data/correction_parts.h"
#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/work/correct_request.h"

namespace tof {

/// Multiplies data.mult by efficiencies and replaces data.add by what is asked for. `source` names the data
/// in messages. Throws WrongUse where scanner or data do not say enough, BadInput, and Cancelled from
/// `progress`.
///
/// `parts`, where given, holds those of the data, becomes those of what is made, and stays apart: scatter is
/// found with all randoms, efficiencies and survival that are known, whether they are on or not, so that
/// switching one changes no other. `found` holds parts of other data sets, as of an output that is written
/// again; of both, what has the key of what is asked for is taken and not found anew, which `progress` is
/// told.
[[nodiscard]] CorrectResult correct(HistoData& data, const std::string& source, const CorrectRequest& request,
                                    const ThreadPool& pool, WorkProgress& progress,
                                    CorrectionParts* parts = nullptr, const CorrectionParts* found = nullptr);

/// The same of sinograms; `scanner` says how their crystals detect. mult holds survival, which switching
/// attenuation off takes out again.
[[nodiscard]] CorrectResult correct(SinogramData& data, const Scanner& scanner, const std::string& source,
                                    const CorrectRequest& request, const ThreadPool& pool,
                                    WorkProgress& progress, CorrectionParts* parts = nullptr,
                                    const CorrectionParts* found = nullptr);
/// The same of list-mode between a scanner's own crystals; randoms and scatter need times of flight and no
/// rings. Efficiencies and dead time go into `possible`, what attenuates into `attenuation`, from where
/// sensitivities take them, and events get the mult that their add needs beside it. Attenuation switched on
/// is what the list had, or what `request` or the phantom says; it needs no scanner. Throws WrongUse where
/// lines came with the mult of others.
[[nodiscard]] CorrectResult correct(LineData& data, const std::string& source, const CorrectRequest& request,
                                    const ThreadPool& pool, WorkProgress& progress,
                                    CorrectionParts* parts = nullptr, const CorrectionParts* found = nullptr);

/// The same of two panels, whose randoms alone are known: `request.delayeds` in place of what add had, or
/// taken from the counts. Throws WrongUse where anything else is asked for, or the list is of another
/// scanner.
[[nodiscard]] PanelRandomsTally correct(PanelData& data, const std::string& source,
                                        const CorrectRequest& request, WorkProgress& progress);

}  // namespace tof
