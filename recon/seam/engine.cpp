// SPDX-License-Identifier: Apache-2.0
#include "recon/seam/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "recon/base/error.h"
#include "recon/base/suggestion.h"

namespace tof {

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
    Entry& entry = **it;
    std::call_once(entry.once, [&] {
        try {
            entry.engine = entry.factory();
        } catch (const Unavailable& reason) {
            entry.whyNot = reason.what();
        }
    });
    if (entry.engine == nullptr) {
        return Unsupported{entry.whyNot};
    }
    return entry.engine;
}

std::shared_ptr<const Engine> EngineRegistry::require(const std::string& name) const {
    auto found = find(name);
    if (const auto* why = std::get_if<Unsupported>(&found)) {
        throw Unavailable(fmt::format("engine '{}' is not available: {}", name, why->why));
    }
    return std::get<std::shared_ptr<const Engine>>(found);
}

std::shared_ptr<const Engine> EngineRegistry::choose(const std::string& nameOrAuto) const {
    if (nameOrAuto != "auto") {
        return require(nameOrAuto);
    }
    std::vector<std::shared_ptr<Entry>> ranked;
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(ranked),
                 [](const auto& entry) { return entry->rank > 0; });
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a->rank > b->rank; });
    for (const auto& entry : ranked) {
        auto found = find(entry->name);
        if (auto* engine = std::get_if<std::shared_ptr<const Engine>>(&found)) {
            return *engine;
        }
    }
    throw Unavailable("none of this program's engines is available");
}

std::unique_ptr<Projector> requireProjector(const Engine& engine, const SystemModel& model,
                                            std::shared_ptr<Space> space, const EngineOptions& options) {
    auto made = engine.makeProjector(model, std::move(space), options);
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
        progress(static_cast<double>(part) / static_cast<double>(projector->parts()));
        projector->forward(part, x.view(), p.view());
        space->download(p.view(), std::span(projected).subspan(part * p.size(), p.size()));
    }
    return projected;
}

}  // namespace tof
