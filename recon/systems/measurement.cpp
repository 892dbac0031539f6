// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/measurement.h"

#include <fmt/format.h>

#include <thread>

#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/json_text.h"

namespace tof {

double Measurement::counts() const {
    std::call_once(counted_, [this] {
        const double kept = events().kept;
        const std::vector<double> totals = kept > 0 ? std::vector<double>() : viewTotals();
        counts_ = std::accumulate(totals.begin(), totals.end(), kept);
    });
    return counts_;
}

std::shared_ptr<const Measurement> Measurement::onLattice(const Lattice& lattice) const {
    throw WrongUse(fmt::format("{} are made for one lattice, {}, and have no image on {}; bin the list again",
                               kind(), this->lattice().text(), lattice.text()));
}

RankShare Measurement::share(const RankRequest& /*request*/) const {
    throw WrongUse(fmt::format("{} are reconstructed in one process; start it without mpirun", kind()));
}

ThreadPool SourcePlace::pool() const {
    return ThreadPool(options.threads, options.priority, [asked = heed, own = std::this_thread::get_id()] {
        if (std::this_thread::get_id() == own) {
            asked();
        }
    });
}

std::string sensitivityKey(const Measurement& data, const RunSettings& settings, const SourcePlace& place,
                           const std::string& content) {
    return fmt::format("{} {} {} {} {}", place.engine.name(), place.options.strategy,
                       jsonText(data.describe(settings)), data.lattice().text(), content);
}

std::shared_ptr<DataSource> sourceOfParts(const PartedData& data, const SourcePlace& place,
                                          const std::string& key) {
    PlacedData& placed = place.placed;
    if (placed.source == nullptr) {
        const std::size_t free = placed.space->bytesFree();
        const std::size_t budget = free > place.reserveBytes ? free - place.reserveBytes : 0;
        placed.source = placedSource(data, placed.space, budget, place.options.threads);
    }
    if (place.sensitivities == nullptr) {
        return placed.source;
    }
    return std::make_shared<CachedSensitivitySource>(placed.source, place.sensitivities, key, placed.space);
}

std::vector<float> projected(const Volume& image, const SystemModel& model, const RunSettings& settings,
                             const EngineRegistry& engines) {
    EngineOptions options = settings.engineOptions();
    options.priority = Priority::Background;
    options.measurePlans = false;  // one projection is not worth the search
    return forwardAll(*engines.choose(settings.engine, model, options), model, options, image.data);
}

void correct(Volume& projected, const Measurement& data, std::size_t view) {
    const Volume mult = data.view(view, DataQuantity::Mult);
    const Volume add = data.view(view, DataQuantity::Add);
    for (std::size_t i = 0; i < projected.data.size(); ++i) {
        projected.data[i] = mult.data[i] * projected.data[i] + add.data[i];
    }
}

void requireLattice(const Measurement& data, const Volume& image) {
    if (!(image.lattice == data.lattice())) {
        throw WrongUse(
            fmt::format("the image is {} and the data are {}: only an image on the data's lattice "
                        "can be compared with them",
                        image.lattice.text(), data.lattice().text()));
    }
}

}  // namespace tof
