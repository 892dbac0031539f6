// SPDX-License-Identifier: Apache-2.0
#include "recon/work/job_data.h"

#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/line_data_io.h"

namespace tof {

JobData readJobData(const std::string& path) {
    if (isLineData(path)) {
        return std::make_shared<const LineData>(readLineData(path));
    }
    if (isSinogramData(path)) {
        return std::make_shared<const SinogramData>(readSinogramData(path));
    }
    if (isCastorHistogram(path)) {
        return std::make_shared<const LineData>(readCastorLines(path, "").data);
    }
    return std::make_shared<const HistoData>(readData(path));
}

DataKind dataKindOf(const std::string& path) {
    return isLineData(path) || isSinogramData(path) || isCastorHistogram(path) ? DataKind::Lines
                                                                               : DataKind::HistoImages;
}

}  // namespace tof
