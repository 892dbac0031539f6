// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_measurement.h"

#include <algorithm>

#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"

namespace tof {

namespace {

/// Null where no system measured what the file holds.
const System* systemOf(const RecognisedFile& file, const std::vector<System>& systems) {
    if (file.kind() != FileKind::Data) {
        return nullptr;
    }
    const auto found = std::find_if(systems.begin(), systems.end(),
                                    [&](const System& system) { return system.holds(*file.file()); });
    return found != systems.end() ? &*found : nullptr;
}

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
    std::shared_ptr<const Measurement> operator()(PanelData data) const {
        return std::make_shared<const PanelMeasurement>(std::move(data));
    }
};

}  // namespace

std::shared_ptr<const Measurement> measurementOf(MeasuredData data) {
    return std::visit(ToMeasurement(), std::move(data));
}

std::shared_ptr<const Measurement> readMeasurement(const RecognisedFile& file,
                                                   const std::vector<System>& systems) {
    if (const System* const system = systemOf(file, systems)) {
        return system->measure(*file.file());
    }
    // Says what is missing: data are expected in HDF5.
    return std::make_shared<const HistoMeasurement>(readData(file.path()));
}

std::shared_ptr<const Measurement> readMeasurement(const std::string& path) {
    return readMeasurement(recognise(path));
}

std::shared_ptr<const Measurement> readMeasurement(const std::string& path, std::string& note) {
    const RecognisedFile file = recognise(path);
    note.clear();
    if (file.kind() != FileKind::Data || file.formatName() == "HDF5") {
        return readMeasurement(file);
    }
    DataReadResult read = file.readData();
    note = read.note;
    return measurementOf(std::move(read.data));
}

std::string systemOfData(const std::string& path) {
    const std::vector<System> systems = allSystems();
    const System* const system = systemOf(recognise(path), systems);
    return system != nullptr ? system->name : systems.front().name;
}

}  // namespace tof
