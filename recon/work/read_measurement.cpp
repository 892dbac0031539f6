// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_measurement.h"

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/sinogram_measurement.h"

namespace tof {

namespace {

/// What each form of data is measured by.
struct ToMeasurement {
    std::shared_ptr<const Measurement> operator()(HistoData data) const {
        return std::make_shared<const HistoMeasurement>(std::move(data));
    }
    std::shared_ptr<const Measurement> operator()(SinogramData data) const {
        return std::make_shared<const SinogramMeasurement>(std::move(data));
    }
    std::shared_ptr<const Measurement> operator()(LineData data) const {
        return std::make_shared<const LineMeasurement>(std::move(data));
    }
};

}  // namespace

std::shared_ptr<const Measurement> readMeasurement(const std::string& path) {
    const RecognisedFile file = recognise(path);
    if (file.kind() != FileKind::Data) {
        return std::make_shared<const HistoMeasurement>(readData(path));  // says what is missing
    }
    return std::visit(ToMeasurement(), file.readData().data);
}

std::string systemOfData(const std::string& path) {
    const RecognisedFile file = recognise(path);
    return file.kind() == FileKind::Data && file.dataForm() != DataForm::HistoImages ? LineModel::kSystem
                                                                                     : DirectModel::kSystem;
}

}  // namespace tof
