// SPDX-License-Identifier: Apache-2.0
// Corrections of data of whatever form, as a command, a window or a simulation asks for them.
#pragma once

#include <string>

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/corrections/correct_request.h"
#include "recon/data/correction_parts.h"
#include "recon/forms/forms.h"
#include "recon/io/format/format.h"
#include "recon/seam/engine.h"

namespace tof {

/// Data with the parts that their corrections are made of.
struct PartedCorrections {
    std::string form;  ///< the name of their row (recon/forms/forms.h)
    MeasuredData data;
    CorrectionParts parts;
};

/// Corrects the data as their form does (recon/corrections/part_flow.h), with parts taken from `found`, too.
/// `source` names the data in messages. Throws WrongUse where scanner or data do not say enough or such data
/// cannot have what is asked for, BadInput, and Cancelled from `progress`.
[[nodiscard]] Corrected correctData(PartedCorrections& data, const std::string& source,
                                    const CorrectRequest& request, const ThreadPool& pool,
                                    WorkProgress& progress, const CorrectionParts& found,
                                    const FormTable& forms = builtInForms());

/// Scatter's sums are `engine`'s where it has its own way with them.
void sumScatterBy(const Engine& engine, CorrectRequest& request);

/// What a data file holds. Throws BadInput.
[[nodiscard]] PartedCorrections readPartedCorrections(const std::string& path,
                                                      std::function<void()> heed = {});

}  // namespace tof
