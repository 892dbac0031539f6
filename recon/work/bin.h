// SPDX-License-Identifier: Apache-2.0
// Binning: from list-mode, or another program's bins, to data that can be reconstructed.
#pragma once

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/forms/forms.h"

namespace tof {

/// Reads and bins to the form of `forms` that is asked for. Throws BadInput, WrongUse when what is asked for
/// does not go together, and Cancelled from `progress`.
[[nodiscard]] BinResult binEvents(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress,
                                  const FormTable& forms = builtInForms());
/// Bins a file that is open.
[[nodiscard]] BinResult binEvents(const BinRequest& request, const RecognisedFile& file,
                                  const ThreadPool& pool, WorkProgress& progress,
                                  const FormTable& forms = builtInForms());

}  // namespace tof
