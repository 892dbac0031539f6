// SPDX-License-Identifier: Apache-2.0
#include "recon/lab/view_projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/base/error.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

namespace {

constexpr std::size_t kHeld = 3;  ///< two operands and one of the round before

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Volume imageOf(const ProjectionInput& input) {
    return input.image != nullptr ? *input.image : pointImage(input.lattice, input.points);
}

/// The first of runs + 1 calls warms up; of the others, which give milliseconds, median and least.
StrategyTiming medianOf(int runs, const ViewProjections::Checkpoint& checkpoint,
                        const std::function<double()>& once) {
    std::vector<double> times;
    for (int i = 0; i <= runs; ++i) {
        checkpoint();
        const double ms = once();
        if (i > 0) {
            times.push_back(ms);
        }
    }
    std::sort(times.begin(), times.end());
    StrategyTiming row;
    row.runs = static_cast<int>(times.size());
    row.median_ms = times[times.size() / 2];
    row.min_ms = times.front();
    return row;
}

}  // namespace

struct ViewProjections::Held {
    std::shared_ptr<Space> space;
    std::unique_ptr<Projector> projector;
    Array in;
    Array out;
    std::string where;
    double prepare_ms = 0;
    bool used = false;

    /// Milliseconds of one projection of what was uploaded to `in`.
    double run(ProjectionKind kind, const Checkpoint& checkpoint) {
        const Heeding heeding(*space, checkpoint);
        const Clock::time_point start = Clock::now();
        if (kind == ProjectionKind::Forward) {
            projector->forward(0, in.view(), out.view());
        } else {
            projector->back(0, in.view(), out.view(), Write::Overwrite);
        }
        space->finish();
        return millisecondsSince(start);
    }
};

ViewProjections::ViewProjections(const EngineRegistry& engines, EngineOptions options)
    : engines_(engines), options_(std::move(options)) {}

ViewProjections::~ViewProjections() = default;

std::variant<std::shared_ptr<ViewProjections::Held>, Unsupported> ViewProjections::hold(
    const Projecting& how, const Lattice& lattice, View view, const Checkpoint& checkpoint) {
    std::shared_ptr<const Engine> engine;
    if (how.engine == "auto") {
        engine = engines_.choose(how.engine);
    } else {
        const auto found = engines_.find(how.engine);
        if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
            return *unsupported;
        }
        engine = std::get<std::shared_ptr<const Engine>>(found);
    }
    const Key key{engine->name(), how.strategy, how.kernel, lattice, view};
    const auto kept = std::find_if(held_.begin(), held_.end(), [&](const auto& h) { return h.first == key; });
    if (kept != held_.end()) {
        held_.splice(held_.begin(), held_, kept);
        return held_.front().second;
    }
    while (held_.size() >= kHeld) {
        held_.pop_back();
    }
    auto space = std::find_if(spaces_.begin(), spaces_.end(),
                              [&](const auto& s) { return s.first == engine->name(); });
    if (space == spaces_.end()) {
        spaces_.emplace_back(engine->name(), engine->makeSpace(options_));
        space = spaces_.end() - 1;
    }
    const Clock::time_point start = Clock::now();
    const Heeding heeding(*space->second, checkpoint);
    EngineOptions options = options_;
    options.strategy = how.strategy;
    options.heed = checkpoint;
    auto held = std::make_shared<Held>();
    held->space = space->second;
    ProjectorOrWhyNot made =
        engine->makeProjector(DirectModel{lattice, {view}, how.kernel}, space->second, options);
    if (const auto* unsupported = std::get_if<Unsupported>(&made)) {
        return *unsupported;
    }
    held->projector = std::move(std::get<std::unique_ptr<Projector>>(made));
    held->in = held->space->allocate(lattice.voxels());
    held->out = held->space->allocate(lattice.voxels());
    held->space->finish();
    held->prepare_ms = millisecondsSince(start);
    const std::vector<std::string> strategies = engine->strategyNames(DirectModel::kSystem);
    const std::string strategy =
        how.strategy.empty() && !strategies.empty() ? strategies.front() : how.strategy;
    held->where = strategy.empty() ? engine->name() : fmt::format("{}, {}", engine->name(), strategy);
    held_.emplace_front(key, held);
    return held;
}

std::variant<Projection, Unsupported> ViewProjections::project(const Projecting& how,
                                                               const ProjectionInput& input, View view,
                                                               const Checkpoint& checkpoint) {
    Projection result;
    if (how.engine == kDefinition) {
        if (input.image != nullptr) {
            return Unsupported{"the definition is evaluated for point sources only; choose an engine"};
        }
        const Clock::time_point start = Clock::now();
        const KernelTables tables = buildKernelTables(how.kernel, input.lattice, view);
        checkpoint();
        result.volume = how.kind == ProjectionKind::Forward
                            ? forwardOfPoints(tables, input.lattice, input.points)
                            : backOfPoints(tables, input.lattice, input.points);
        result.project_ms = millisecondsSince(start);
        result.where = kDefinition;
        return result;
    }
    auto found = hold(how, input.lattice, view, checkpoint);
    if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
        return *unsupported;
    }
    Held& held = *std::get<std::shared_ptr<Held>>(found);
    checkpoint();
    result.volume = imageOf(input);  // the result goes into the same memory
    held.space->upload(result.volume.data, held.in.view());
    held.space->finish();
    result.project_ms = held.run(how.kind, checkpoint);
    checkpoint();
    held.space->download(held.out.view(), result.volume.data);
    result.prepare_ms = held.used ? 0 : held.prepare_ms;
    held.used = true;
    result.where = held.where;
    result.note = held.projector->note();
    return result;
}

std::variant<std::shared_ptr<ViewProjections::Held>, Unsupported> ViewProjections::load(
    const Projecting& how, const ProjectionInput& input, View view, const Checkpoint& checkpoint) {
    auto found = hold(how, input.lattice, view, checkpoint);
    if (auto* held = std::get_if<std::shared_ptr<Held>>(&found)) {
        (*held)->space->upload(imageOf(input).data, (*held)->in.view());
        (*held)->space->finish();
    }
    return found;
}

std::variant<StrategyTiming, Unsupported> ViewProjections::time(const Projecting& how,
                                                                const ProjectionInput& input, View view,
                                                                int runs, const Checkpoint& checkpoint) {
    if (how.engine == kDefinition) {
        std::optional<Unsupported> unsupported;
        StrategyTiming row = medianOf(runs, checkpoint, [&] {
            const auto made = project(how, input, view, checkpoint);
            const auto* projection = std::get_if<Projection>(&made);
            if (projection == nullptr) {
                unsupported = std::get<Unsupported>(made);
                return 0.0;
            }
            return projection->project_ms;
        });
        row.engine = kDefinition;
        row.kind = how.kind;
        return unsupported ? std::variant<StrategyTiming, Unsupported>(*unsupported) : row;
    }
    auto loaded = load(how, input, view, checkpoint);
    if (const auto* unsupported = std::get_if<Unsupported>(&loaded)) {
        return *unsupported;
    }
    Held& held = *std::get<std::shared_ptr<Held>>(loaded);
    StrategyTiming row = medianOf(runs, checkpoint, [&] { return held.run(how.kind, checkpoint); });
    row.engine = how.engine;
    row.strategy = how.strategy;
    row.kind = how.kind;
    row.note = held.projector->note();
    return row;
}

std::vector<StrategyTiming> ViewProjections::timeAll(const KernelSpec& kernel, const ProjectionInput& input,
                                                     View view, int runs, const Checkpoint& checkpoint) {
    std::vector<StrategyTiming> rows;
    for (const std::string& name : engines_.names()) {
        const auto engine = engines_.find(name);
        const auto* missing = std::get_if<Unsupported>(&engine);
        const std::vector<std::string> strategies =
            missing != nullptr
                ? std::vector<std::string>{""}
                : std::get<std::shared_ptr<const Engine>>(engine)->strategyNames(DirectModel::kSystem);
        for (const std::string& strategy : strategies) {
            checkpoint();
            for (const ProjectionKind kind : {ProjectionKind::Forward, ProjectionKind::Back}) {
                StrategyTiming row{name, strategy, kind, 0, 0, 0, "", missing != nullptr ? missing->why : ""};
                if (missing == nullptr) {
                    auto timed = time({kind, name, strategy, kernel}, input, view, runs, checkpoint);
                    if (const auto* unsupported = std::get_if<Unsupported>(&timed)) {
                        row.whyNot = unsupported->why;
                    } else {
                        row = std::get<StrategyTiming>(timed);
                    }
                }
                rows.push_back(row);
            }
        }
    }
    return rows;
}

std::variant<double, Unsupported> ViewProjections::adjointError(const Projecting& how, const Lattice& lattice,
                                                                View view, unsigned seed,
                                                                const Checkpoint& checkpoint) {
    auto found = hold(how, lattice, view, checkpoint);
    if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
        return *unsupported;
    }
    Held& held = *std::get<std::shared_ptr<Held>>(found);
    std::mt19937 random(seed);
    std::vector<float> x(lattice.voxels());
    std::vector<float> y(lattice.voxels());
    std::vector<float> projected(lattice.voxels());
    for (std::vector<float>* values : {&x, &y}) {
        for (float& v : *values) {
            // The generator's bits are the same with every library, those of a distribution are not.
            v = static_cast<float>(random() >> 8U) * 0x1p-24F;
        }
    }
    const auto projection = [&](ProjectionKind kind, const std::vector<float>& from) {
        checkpoint();
        held.space->upload(from, held.in.view());
        static_cast<void>(held.run(kind, checkpoint));
        held.space->download(held.out.view(), projected);
    };
    projection(ProjectionKind::Forward, x);
    const double one = std::inner_product(projected.begin(), projected.end(), y.begin(), 0.0);
    projection(ProjectionKind::Back, y);
    const double two = std::inner_product(projected.begin(), projected.end(), x.begin(), 0.0);
    return std::abs(one - two) / std::abs(one);
}

}  // namespace tof
