// SPDX-License-Identifier: Apache-2.0
#include "recon/data/histo_data.h"

namespace tof {

void HistoData::expandFactors(const ThreadPool& pool) {
    if (multGrid) {
        mult = multGrid->expanded(lattice, views, pool);
        multGrid = nullptr;
    }
    if (attGrid) {
        att = attGrid->expanded(lattice, views, pool);
        attGrid = nullptr;
    }
}

}  // namespace tof
