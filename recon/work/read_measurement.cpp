// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_measurement.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/forms/forms.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"

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

}  // namespace

std::shared_ptr<const Measurement> readMeasurement(const RecognisedFile& file,
                                                   const std::vector<System>& systems) {
    if (const System* const system = systemOf(file, systems)) {
        return system->measure(*file.file());
    }
    // Says what is missing: data are expected in HDF5.
    return std::make_shared<const HistoMeasurement>(readData(file.path()));
}

std::shared_ptr<const Measurement> readMeasurement(const std::string& path, std::function<void()> heed) {
    return readMeasurement(recognise(path, std::move(heed)));
}

std::shared_ptr<const Measurement> readMeasurement(const std::string& path, std::string& note,
                                                   std::function<void()> heed) {
    const RecognisedFile file = recognise(path, std::move(heed));
    note.clear();
    if (file.kind() != FileKind::Data || file.isOwn()) {
        return readMeasurement(file);
    }
    DataReadResult read = file.readData();
    note = read.note;
    return builtInForms().named(file.form()).measure(std::move(read.data));
}

std::string systemOfData(const std::string& path) {
    const std::vector<System> systems = allSystems();
    const System* const system = systemOf(recognise(path), systems);
    return system != nullptr ? system->name : systems.front().name;
}

}  // namespace tof
