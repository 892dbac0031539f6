// SPDX-License-Identifier: Apache-2.0
#include "recon/run/job_data.h"

#include "recon/io/castor_lines.h"
#include "recon/io/data_io.h"
#include "recon/io/ring_io.h"

namespace tof {

JobData readJobData(const std::string& path) {
    if (isRingList(path)) {
        return std::make_shared<const RingListData>(readRingList(path));
    }
    if (isRingData(path)) {
        return std::make_shared<const RingData>(readRingData(path));
    }
    if (isCastorHistogram(path)) {
        return std::make_shared<const RingListData>(readCastorLines(path, "").data);
    }
    return std::make_shared<const HistoData>(readData(path));
}

DataKind dataKindOf(const std::string& path) {
    return isRingList(path) || isRingData(path) || isCastorHistogram(path) ? DataKind::Lines
                                                                           : DataKind::HistoImages;
}

}  // namespace tof
