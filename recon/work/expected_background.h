// SPDX-License-Identifier: Apache-2.0
// Scatter and randoms that expected data of a known phantom hold.
#pragma once

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/data/histo_data.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Throws WrongUse where nothing can be said of a scanner's scatter and randoms: it has no `detection` or no
/// coincidence window.
void requireBackground(const Scanner& scanner);

/// Expected scatter and randoms into `data.add`, whose counts are the expected trues of `data.decays`
/// annihilations at `activity_MBq` (of positrons). Scatter is singleScatter() of the phantom's own activity,
/// MultipleScatter with it, on 12 mm; randoms are 2 tau s_i s_j of singles that a million decays give,
/// with all the physics but dead time, by modules and rows of four crystals. Throws what requireBackground()
/// does, and Cancelled from `progress`.
void addBackground(HistoData& data, const Scanner& scanner, const Phantom& phantom, const Volume& attenuation,
                   double activity_MBq, const ThreadPool& pool, WorkProgress& progress);

}  // namespace tof
