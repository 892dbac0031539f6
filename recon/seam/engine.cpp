// SPDX-License-Identifier: Apache-2.0
#include "recon/seam/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/seam/composed_model.h"

namespace tof {

std::vector<std::string> Engine::strategyNames(const std::string& system) const {
    return namesOf(strategies(system), &Strategy::name);
}

struct EngineRegistry::Entry {
    std::string name;
    Factory factory;
    int rank = 0;
    std::once_flag once;
    std::shared_ptr<const Engine> engine;
    std::string whyNot;
};

void EngineRegistry::add(std::string name, Factory factory, int rank) {
    auto entry = std::make_shared<Entry>();
    entry->name = std::move(name);
    entry->factory = std::move(factory);
    entry->rank = rank;
    entries_.push_back(std::move(entry));
}

std::vector<std::string> EngineRegistry::names() const {
    std::vector<std::string> result;
    std::transform(entries_.begin(), entries_.end(), std::back_inserter(result),
                   [](const auto& e) { return e->name; });
    return result;
}

std::variant<std::shared_ptr<const Engine>, Unsupported> EngineRegistry::find(const std::string& name) const {
    const auto it =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e->name == name; });
    if (it == entries_.end()) {
        throw WrongUse(fmt::format("no engine '{}'{}; engines: {}", name, suggestion(name, names()),
                                   fmt::join(names(), ", ")));
    }
    if (auto engine = engineOf(**it)) {
        return engine;
    }
    return Unsupported{(*it)->whyNot};
}

std::shared_ptr<const Engine> EngineRegistry::engineOf(Entry& entry) {
    std::call_once(entry.once, [&] {
        try {
            entry.engine = entry.factory();
        } catch (const Unavailable& reason) {
            entry.whyNot = reason.what();
        }
    });
    return entry.engine;
}

std::shared_ptr<const Engine> EngineRegistry::require(const std::string& name) const {
    auto found = find(name);
    if (const auto* why = std::get_if<Unsupported>(&found)) {
        throw Unavailable(fmt::format("engine '{}' is not available: {}", name, why->why));
    }
    return std::get<std::shared_ptr<const Engine>>(found);
}

std::vector<std::shared_ptr<EngineRegistry::Entry>> EngineRegistry::ranked() const {
    std::vector<std::shared_ptr<Entry>> result;
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(result),
                 [](const auto& entry) { return entry->rank > 0; });
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a->rank > b->rank; });
    return result;
}

std::shared_ptr<const Engine> EngineRegistry::choose(const std::string& nameOrAuto) const {
    if (nameOrAuto != "auto") {
        return require(nameOrAuto);
    }
    for (const auto& entry : ranked()) {
        if (auto engine = engineOf(*entry)) {
            return engine;
        }
    }
    throw Unavailable("none of this program's engines is available");
}

std::shared_ptr<const Engine> EngineRegistry::choose(const std::string& nameOrAuto, const SystemModel& model,
                                                     const EngineOptions& options) const {
    constexpr double kShort_ms = 10;  // asking after a shorter projection costs more than it gains
    constexpr double kMargin = 1.25;  // estimates are not better than that
    std::shared_ptr<const Engine> best = choose(nameOrAuto);
    if (nameOrAuto != "auto") {
        return best;
    }
    const double first = best->projectionEstimate_ms(model, options);
    if (first < kShort_ms) {
        return best;
    }
    double least = first / kMargin;
    const auto entries = ranked();
    const auto chosen = std::find_if(entries.begin(), entries.end(),
                                     [&](const auto& entry) { return entry->engine == best; });
    for (auto entry = chosen + 1; entry != entries.end() && (*entry)->rank == (*chosen)->rank; ++entry) {
        const auto engine = engineOf(**entry);
        const double estimate = engine != nullptr ? engine->projectionEstimate_ms(model, options) : 0;
        if (estimate > 0 && estimate < least) {
            best = engine;
            least = estimate;
        }
    }
    return best;
}

std::unique_ptr<Projector> requireProjector(const Engine& engine, const SystemModel& model,
                                            std::shared_ptr<Space> space,  // NOLINT: outlives the heeding
                                            const EngineOptions& options) {
    const Heeding heeding(*space, options.heed);
    if (const auto* composed = model.as<ComposedModel>()) {
        return composed->make(engine, space, options);
    }
    auto made = engine.makeProjector(model, space, options);
    if (const auto* why = std::get_if<Unsupported>(&made)) {
        throw Unavailable(fmt::format("engine '{}' cannot do this: {}", engine.name(), why->why));
    }
    return std::move(std::get<std::unique_ptr<Projector>>(made));
}

std::vector<float> forwardAll(const Engine& engine, const SystemModel& model, const EngineOptions& options,
                              const std::vector<float>& image, const std::function<void(double)>& progress) {
    const std::shared_ptr<Space> space = engine.makeSpace(options);
    const std::unique_ptr<Projector> projector = requireProjector(engine, model, space, options);
    Array x = space->allocate(image.size());
    Array p = space->allocate(projector->dataSize(0));
    space->upload(image, x.view());
    std::vector<float> projected(p.size() * projector->parts());
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        const double share = static_cast<double>(part) / static_cast<double>(projector->parts());
        progress(share);
        const Heeding heeding(*space, [&] { progress(share); });
        projector->forward(part, x.view(), p.view());
        space->download(p.view(), std::span(projected).subspan(part * p.size(), p.size()));
    }
    return projected;
}

}  // namespace tof
