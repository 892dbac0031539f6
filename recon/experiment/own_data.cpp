// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/own_data.h"

#include "recon/base/error.h"
#include "recon/work/read_measurement.h"

namespace tof {

std::shared_ptr<const Measurement> ownData(const ExperimentContext& context, const std::string& system) {
    auto data = readMeasurement(context.dataFile);
    if (data->system() != system) {
        throw WrongUse("--data: {} holds {}, which this experiment does not take", context.dataFile,
                       data->kind());
    }
    return data;
}

std::shared_ptr<const Measurement> ownHistoImages(const ExperimentContext& context) {
    return ownData(context, "histo");
}

}  // namespace tof
