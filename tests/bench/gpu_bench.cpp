// SPDX-License-Identifier: Apache-2.0
// Measures the CUDA engines graph against graph, interleaved, and prints JSON: what docs/measurements/gpu.md
// quotes. usage: gpu_bench OUT.json [quick|column|setup|priors|ramla|wide|fourier|shapes|panel|panel-small]:
// all but panels; the figures of the contract alone; set-up and live tuning alone; what priors cost; wide
// kernels; kernels through Fourier; every shape of block that `column` can take, view by view; the panel
// system, of the paper's size or a quarter of it along each side.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "gpu/cuda_engine.h"
#include "gpu/histo/column_tables.h"
#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/published/published.h"
#include "gpu/space/cuda_space.h"
#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/percentile.h"
#include "recon/bench/stopwatch.h"
#include "recon/seam/device_kernel.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/work/reconstruct.h"
#include "tests/bench/device_time.h"
#include "tests/bench/gpu_ceilings.h"
#include "tests/bench/panel_bench.h"
#include "tests/recon/projector_fixtures.h"

using namespace tof;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

std::vector<View> viewGrid(int azimuths, int tilts) {
    return ViewGrid(azimuths, tilts, 10 * kRadPerDeg).views();
}

std::vector<std::size_t> viewsOfTilt(const std::vector<View>& views, bool tilted) {
    std::vector<std::size_t> chosen;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (views[v].tilted() == tilted) {
            chosen.push_back(v);
        }
    }
    return chosen;
}

/// One engine, strategy and kernel with its projector; times passes over chosen views as recorded graphs.
class Contender {
  public:
    Contender(const Engine& engine, const std::string& strategy, const std::string& kernel,
              const Lattice& grid, const std::vector<View>& views, const EngineOptions& base = {})
        : name_(engine.name() + " " + strategy + " " + kernel +
                (base.padding.mode == Padding::Mode::Off ? ", unpadded" : "")) {
        EngineOptions options = base;
        options.strategy = strategy;
        const auto start = Clock::now();
        space_ = std::dynamic_pointer_cast<CudaSpace>(engine.makeSpace(options));
        projector_ =
            requireProjector(engine, DirectModel{grid, views, KernelSpec::parse(kernel)}, space_, options);
        space_->finish();
        setup_s_ = secondsSince(start);
        in_ = space_->allocate(grid.voxels());
        out_ = space_->allocate(grid.voxels());
        space_->upload(fixtures::uniformData(grid.voxels(), 1, 0, 1), in_.view());
    }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] double setup_s() const { return setup_s_; }
    [[nodiscard]] std::string note() const { return projector_->note(); }
    [[nodiscard]] std::size_t bytes() const { return projector_->memoryBytes(); }

    /// Milliseconds per projection, one pass over `views`, replayed from the third call with the same key on.
    double pass(const std::string& key, const std::vector<std::size_t>& views, bool forward) {
        const double ms = deviceMilliseconds(space_->stream(), [&] {
            space_->sequence(
                {key, 1}, views.size(),
                [&](std::size_t i) {
                    if (forward) {
                        projector_->forward(views[i], in_.view(), out_.view());
                    } else {
                        projector_->back(views[i], in_.view(), out_.view(), Write::Overwrite);
                    }
                },
                [](std::size_t) {});
        });
        return ms / static_cast<double>(views.size());
    }

  private:
    std::string name_;
    std::shared_ptr<CudaSpace> space_;
    std::unique_ptr<Projector> projector_;
    Array in_;
    Array out_;
    double setup_s_ = 0;
};

json spread(const std::vector<double>& values) {
    return {{"median_ms", median(values)},
            {"min_ms", *std::min_element(values.begin(), values.end())},
            {"max_ms", *std::max_element(values.begin(), values.end())},
            {"runs", values.size()}};
}

/// Interleaved passes of all contenders: each round times every one of them once in every mode.
json projections(std::vector<Contender>& contenders, const std::vector<View>& views, int rounds) {
    struct Mode {
        const char* name;
        std::vector<std::size_t> views;
        bool forward;
    };
    std::vector<Mode> modes;
    for (const bool tilted : {false, true}) {
        const auto chosen = viewsOfTilt(views, tilted);
        if (!chosen.empty()) {
            modes.push_back({tilted ? "forward tilted" : "forward untilted", chosen, true});
            modes.push_back({tilted ? "back tilted" : "back untilted", chosen, false});
        }
    }
    std::vector<std::vector<std::vector<double>>> times(contenders.size(),
                                                        std::vector<std::vector<double>>(modes.size()));
    for (int round = -2; round < rounds; ++round) {
        for (std::size_t m = 0; m < modes.size(); ++m) {
            for (std::size_t c = 0; c < contenders.size(); ++c) {
                const double ms = contenders[c].pass(modes[m].name, modes[m].views, modes[m].forward);
                if (round >= 0) {
                    times[c][m].push_back(ms);
                }
            }
        }
    }
    json result = json::array();
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        json entry{{"name", contenders[c].name()},
                   {"setup_ms", 1e3 * contenders[c].setup_s()},
                   {"memory_mib", static_cast<double>(contenders[c].bytes()) / 1048576.0}};
        double sum = 0;
        double count = 0;
        for (std::size_t m = 0; m < modes.size(); ++m) {
            entry[modes[m].name] = spread(times[c][m]);
            sum += median(times[c][m]) * static_cast<double>(modes[m].views.size());
            count += static_cast<double>(modes[m].views.size());
        }
        entry["mean_ms"] = sum / count;
        std::printf("%-32s mean %.4f ms  setup %.0f ms  %.0f MiB |", contenders[c].name().c_str(),
                    sum / count, 1e3 * contenders[c].setup_s(),
                    static_cast<double>(contenders[c].bytes()) / 1048576.0);
        for (std::size_t m = 0; m < modes.size(); ++m) {
            std::printf(" %s %.4f", modes[m].name, median(times[c][m]));
        }
        std::printf("\n");
        std::fflush(stdout);
        result.push_back(entry);
    }
    return result;
}

class QuietControl : public JobListener {
  public:
    void iterateDone(Iterate iterate) override { iterates.push_back(std::move(iterate)); }
    std::vector<Iterate> iterates;
};

/// What multiplies the image before it is projected.
enum class Attenuation { None, InTheImage };

/// Data that are plausible; what they are does not matter to the times.
std::shared_ptr<HistoData> plainData(const Lattice& grid, const std::vector<View>& views,
                                     Attenuation attenuation) {
    auto data = std::make_shared<HistoData>();
    data->lattice = grid;
    data->views = views;
    const std::size_t n = grid.voxels() * views.size();
    data->counts.resize(n);
    data->mult.resize(n);
    data->add.resize(n);
    data->att.resize(attenuation == Attenuation::InTheImage ? n : 0);
    const auto noise = fixtures::uniformData(grid.voxels(), 9, 0, 1);
    for (std::size_t i = 0; i < n; ++i) {
        const float v = noise[i % noise.size()];
        data->counts[i] = 3 * v;
        data->mult[i] = 0.3F + 0.5F * v;
        data->add[i] = 0.05F;
    }
    for (std::size_t i = 0; i < data->att.size(); ++i) {
        data->att[i] = 0.1F + 0.8F * noise[(i + 7) % noise.size()];
    }
    return data;
}

json ramla(const Engine& engine, const std::string& strategy, const std::string& kernel, const Lattice& grid,
           const std::vector<View>& views, int iterations, Attenuation attenuation = Attenuation::None) {
    const std::shared_ptr<HistoData> data = plainData(grid, views, attenuation);
    const std::size_t n = data->counts.size();
    EngineOptions options;
    options.strategy = strategy;
    const auto t0 = Clock::now();
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(
        engine, DirectModel{grid, views, KernelSpec::preset(kernel), !data->att.empty()}, space, options);
    space->finish();
    const double setup = secondsSince(t0);
    const auto t1 = Clock::now();
    SpaceHistoSource source(partsOf(data), space, SIZE_MAX);
    space->finish();
    const double upload = secondsSince(t1);
    AlgorithmSettings settings;
    settings.iterations = iterations;
    QuietControl control;
    const auto t2 = Clock::now();
    Reconstruction run(*projector, source, grid, settings, geometricOrder(views, 1), control);
    space->finish();
    const double sensitivity = secondsSince(t2);
    run.run(control);
    std::vector<double> device;
    std::vector<double> wall;
    json stages;
    for (std::size_t i = 2; i < control.iterates.size(); ++i) {
        const Iterate& it = control.iterates[i];
        device.push_back(1e3 * deviceSeconds(it));
        wall.push_back(1e3 * it.seconds);
    }
    for (std::size_t s = 0; s < kStages; ++s) {
        stages[stageName(static_cast<Stage>(s))] = 1e3 * control.iterates.back().stageSeconds[s];
    }
    const double bytes = static_cast<double>(3 * n + data->att.size()) * sizeof(float);
    std::printf(
        "RAMLA %s %s%s %zu views: device %.3f ms, wall %.3f ms per iteration; first %.1f, second %.1f ms; "
        "setup "
        "%.1f ms, upload %.1f ms (%.1f GB/s), sensitivity %.1f ms; stages %s\n",
        strategy.c_str(), kernel.c_str(), data->att.empty() ? "" : " attenuated", views.size(),
        median(device), median(wall), 1e3 * control.iterates[0].seconds, 1e3 * control.iterates[1].seconds,
        1e3 * setup, 1e3 * upload, bytes / upload / 1e9, 1e3 * sensitivity, stages.dump().c_str());
    std::fflush(stdout);
    return {{"engine", engine.name()},
            {"strategy", strategy},
            {"kernel", kernel},
            {"attenuated", !data->att.empty()},
            {"shape", grid.text()},
            {"views", views.size()},
            {"device", spread(device)},
            {"wall", spread(wall)},
            {"stages_ms", stages},
            {"first_iteration_ms", 1e3 * control.iterates[0].seconds},
            {"second_iteration_ms", 1e3 * control.iterates[1].seconds},
            {"setup_ms", 1e3 * setup},
            {"upload_ms", 1e3 * upload},
            {"upload_bytes", bytes},
            {"upload_gb_per_s", bytes / upload / 1e9},
            {"sensitivity_ms", 1e3 * sensitivity}};
}

double milliseconds(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return 1e3 * secondsSince(start);
}

/// What calls take that a set-up is made of, ms, medians.
json primitives(const CudaSpace& space) {
    json result;
    const auto note = [&](const char* name, const std::function<void()>& work) {
        std::vector<double> times;
        for (int i = 0; i < 9; ++i) {
            times.push_back(milliseconds(work));
        }
        result[name] = median(times);
    };
    for (const std::size_t kib : {std::size_t{4}, std::size_t{4096}, std::size_t{32768}}) {
        void* memory = nullptr;
        std::vector<double> give;
        std::vector<double> take;
        for (int i = 0; i < 9; ++i) {
            give.push_back(milliseconds([&] { check(cudaMalloc(&memory, kib << 10U), "bench"); }));
            take.push_back(milliseconds([&] { check(cudaFree(memory), "bench"); }));
        }
        result["cudaMalloc of " + std::to_string(kib) + " KiB"] = median(give);
        result["cudaFree of " + std::to_string(kib) + " KiB"] = median(take);
    }
    std::size_t free = 0;
    std::size_t all = 0;
    note("cudaMemGetInfo", [&] { check(cudaMemGetInfo(&free, &all), "bench"); });
    const std::vector<float> host(std::size_t{1} << 20U, 1.0F);
    void* memory = nullptr;
    check(cudaMalloc(&memory, host.size() * sizeof(float)), "bench");
    note("4 MiB of pageable memory sent", [&] {
        check(cudaMemcpyAsync(memory, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice,
                              space.stream()),
              "bench");
        check(cudaStreamSynchronize(space.stream()), "bench");
    });
    check(cudaFree(memory), "bench");
    note("a loop of 64 nothings in the pool",
         [&] { space.pool().forRange(64, 1, [](std::size_t, std::size_t) {}); });
    return result;
}

/// Milliseconds per projection of views, each alone, with the shape of block that is chosen for it and with
/// every other: what the estimate that chooses can be held against.
json shapes(const Engine& engine, const Lattice& grid, const std::vector<View>& views) {
    constexpr std::size_t kRepeats = 10;
    const auto space = std::dynamic_pointer_cast<CudaSpace>(engine.makeSpace({}));
    Array in = space->allocate(grid.voxels());
    Array out = space->allocate(grid.voxels());
    space->upload(fixtures::uniformData(grid.voxels(), 1, 0, 1), in.view());
    std::uint64_t generation = 0;
    const auto timed = [&](Projector& projector, bool forward) {
        const SequenceKey key{"shape", ++generation};
        double ms = 0;
        for (int round = 0; round < 4; ++round) {
            ms = deviceMilliseconds(space->stream(), [&] {
                space->sequence(
                    key, kRepeats,
                    [&](std::size_t) {
                        forward ? projector.forward(0, in.view(), out.view())
                                : projector.back(0, in.view(), out.view(), Write::Overwrite);
                    },
                    [](std::size_t) {});
            });
        }
        return ms / static_cast<double>(kRepeats);
    };
    json all = json::array();
    double chosen = 0;
    double least = 0;
    for (const View& view : views) {
        const DirectModel model{grid, {view}, KernelSpec::preset("variant1")};
        json entry{{"azimuth", view.phi}, {"tilt", view.theta}};
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s <= kPlanShapes.size(); ++s) {
            const PlanShape shape = s == 0 ? PlanShape{0, 0, 0} : kPlanShapes[s - 1];
            const auto projector =
                makeColumnProjector(model, space, ColumnTuning{shape.along, shape.across, shape.lines});
            const double forward = timed(*projector, true);
            const double back = timed(*projector, false);
            entry["ms"].push_back({shape.along, shape.across, shape.lines, forward, back});
            best = std::min(best, forward + back);
            chosen += s == 0 ? forward + back : 0;
        }
        least += best;
        all.push_back(entry);
    }
    const double projections = 2 * static_cast<double>(views.size());
    std::printf("shapes: chosen %.4f ms, the best of each view %.4f ms\n", chosen / projections,
                least / projections);
    return all;
}

/// Milliseconds of the steps of a set-up of `column` in a new space, ms by name.
json setupPhases(const Engine& engine, const DirectModel& model) {
    json steps = json::array();
    constexpr int kRounds = 5;
    for (int round = 0; round < kRounds; ++round) {
        json step;
        std::shared_ptr<CudaSpace> space;
        std::vector<KernelFrame> frames;
        ModelPlans plans;
        std::unique_ptr<HistoTables> histo;
        std::unique_ptr<ColumnTables> tables;
        DeviceBuffer<std::uint32_t> values;
        const auto note = [&](const char* name, const std::function<void()>& work) {
            step[name] = milliseconds(work);
        };
        note("0 space", [&] {
            space = std::dynamic_pointer_cast<CudaSpace>(engine.makeSpace({}));
            space->finish();
        });
        note("1 frames", [&] { frames = kernelFrames(model, *space); });
        note("2 plans",
             [&] { plans = choosePlans(model, frames, planLimitsOf(*space), space->pool(), kPlanShapes); });
        note("3 ids and taps", [&] {
            histo = std::make_unique<HistoTables>(model, frames, *space);
            space->finish();
        });
        note("4 tables", [&] {
            tables = std::make_unique<ColumnTables>(model, frames, plans, std::move(histo), *space);
        });
        note("5 tables, awaited", [&] { space->finish(); });
        note("6 memory of values", [&] {
            values = space->buffer<std::uint32_t>(tables->valueCount(), "bench");
            check(cudaMemsetAsync(values.get(), 0, values.bytes(), space->stream()), "bench");
        });
        note("7 values", [&] { tables->computeValues(values.span()); });
        step["MiB of values"] = static_cast<double>(values.bytes()) / 1048576.0;
        step["MiB of tables"] = static_cast<double>(tables->bytes()) / 1048576.0;
        steps.push_back(step);
    }
    std::printf("steps of a set-up, ms, first and last round: %s\n  %s\n", steps.front().dump().c_str(),
                steps.back().dump().c_str());
    return steps;
}

/// Milliseconds of making tables and plans of all views on one space, again and again: the same kernel, then
/// kernels that are a little wider each time, as in a drag of a width.
json setups(const Engine& engine, const std::string& strategy, const Lattice& grid,
            const std::vector<View>& views) {
    EngineOptions options;
    options.strategy = strategy;
    const KernelSpec kernel = KernelSpec::preset("variant1");
    const auto make = [&](const KernelSpec& of, const std::shared_ptr<Space>& space) {
        return milliseconds([&] {
            const auto projector = requireProjector(engine, DirectModel{grid, views, of}, space, options);
            space->finish();
        });
    };
    std::vector<double> first;
    for (int i = 0; i < 7; ++i) {
        first.push_back(make(kernel, engine.makeSpace(options)));
    }
    const auto space = engine.makeSpace(options);
    static_cast<void>(make(kernel, space));
    std::vector<double> same;
    std::vector<double> wider;
    for (int i = 0; i < 5; ++i) {
        same.push_back(make(kernel, space));
    }
    for (int i = 1; i <= 12; ++i) {
        KernelSpec other = kernel;
        other.tof_ps *= 1 + 0.01 * i;
        wider.push_back(make(other, space));
    }
    std::printf(
        "setup of %zu views, %s: first %.1f ms (%.1f to %.1f), the same again %.1f ms, changed widths %.2f "
        "ms:",
        views.size(), strategy.c_str(), median(first), *std::min_element(first.begin(), first.end()),
        *std::max_element(first.begin(), first.end()), median(same), median(wider));
    for (const double ms : wider) {
        std::printf(" %.2f", ms);
    }
    std::printf("\n");
    const DirectModel model{grid, views, kernel};
    json result{{"strategy", strategy},
                {"views", views.size()},
                {"first_ms", first},
                {"same_ms", same},
                {"changed_ms", wider}};
    result["steps_ms"] = setupPhases(engine, model);
    result["calls_ms"] = primitives(dynamic_cast<const CudaSpace&>(*space));
    std::printf("calls: %s\n", result["calls_ms"].dump().c_str());
    return result;
}

/// A run of plain data by the engine, which the registry has from now on.
ReconstructRequest plainRequest(const std::shared_ptr<const Engine>& engine, EngineRegistry& registry,
                                const Lattice& grid, const std::vector<View>& views) {
    registry.add(
        engine->name(), [engine] { return engine; }, 1);
    const std::shared_ptr<HistoData> data = plainData(grid, views, Attenuation::None);
    data->hash = "bench";
    ReconstructRequest request;
    request.data = std::make_shared<HistoMeasurement>(data);
    request.settings.engine = engine->name();
    return request;
}

/// What live tuning changes from one picture to the next, as a hand draws a slider.
struct Tuned {
    const char* what;
    const char* algorithm;
    void (*change)(RunSettings&, int);
};

void widenAxially(RunSettings& settings, int change) {
    KernelSpec kernel = KernelSpec::preset("variant1");
    kernel.name.clear();
    kernel.axial_mm *= std::pow(1.002, change + 1);
    settings.kernelText = kernel.toJson();
}
void raiseBeta(RunSettings& settings, int change) {
    settings.beta = 0.003 * std::pow(1.1, change);
}

/// Milliseconds from a change to the image of the third iteration on the host, as live tuning makes it in the
/// window: data stay where they are.
json liveTuning(const std::shared_ptr<const Engine>& engine, const Lattice& grid,
                const std::vector<View>& views, const Tuned& tuned) {
    EngineRegistry registry;
    ReconstructRequest request = plainRequest(engine, registry, grid, views);
    request.settings.algorithmName = tuned.algorithm;
    request.settings.iterations = 3;
    request.sensitivities = std::make_shared<SensitivityCache>();
    request.placedData = std::make_shared<DataHold>();
    std::vector<double> times;
    std::vector<double> iterating;
    for (int change = 0; change < 24; ++change) {
        tuned.change(request.settings, change);
        QuietControl control;
        times.push_back(milliseconds([&] { static_cast<void>(reconstruct(request, registry, control)); }));
        double sum = 0;
        for (const Iterate& iterate : control.iterates) {
            sum += 1e3 * iterate.seconds;
        }
        iterating.push_back(sum);
    }
    const double first = times.front();
    times.erase(times.begin());
    iterating.erase(iterating.begin());
    std::printf(
        "live tuning, %s to the third iterate of %s: first %.1f ms, then median %.1f ms (%.1f to %.1f), "
        "of which iterations %.1f ms\n",
        tuned.what, tuned.algorithm, first, median(times), *std::min_element(times.begin(), times.end()),
        *std::max_element(times.begin(), times.end()), median(iterating));
    return {{"what", tuned.what},
            {"algorithm", tuned.algorithm},
            {"first_ms", first},
            {"changes_ms", times},
            {"iterations_ms", iterating}};
}

json liveTuning(const std::shared_ptr<const Engine>& engine, const Lattice& grid,
                const std::vector<View>& views) {
    json all;
    for (const Tuned& tuned : {Tuned{"a kernel", "ramla", widenAxially}, Tuned{"beta", "bsrem", raiseBeta},
                               Tuned{"beta", "svrg", raiseBeta}}) {
        all.push_back(liveTuning(engine, grid, views, tuned));
    }
    return all;
}

/// What priors add to an iteration of 20 subsets, in its median over 20, the first left out.
json costOfPriors(const std::shared_ptr<const Engine>& engine, const Lattice& grid,
                  const std::vector<View>& views) {
    EngineRegistry registry;
    ReconstructRequest request = plainRequest(engine, registry, grid, views);
    request.settings.iterations = 21;
    request.settings.subsets = 20;
    const auto iteration = [&](const char* algorithm, const std::string& prior, double beta) {
        request.settings.algorithmName = algorithm;
        request.settings.priorName = prior;
        request.settings.beta = beta;
        QuietControl control;
        static_cast<void>(reconstruct(request, registry, control));
        std::vector<double> ms;
        for (std::size_t i = 1; i < control.iterates.size(); ++i) {
            ms.push_back(1e3 * control.iterates[i].seconds);
        }
        return median(ms);
    };
    json all;
    for (const char* const algorithm : {"bsrem", "svrg"}) {
        for (const Prior* const prior : priors()) {
            if (prior->kind == PriorKind::OneStepLate) {
                continue;
            }
            const double without = iteration(algorithm, prior->name, 0);
            const double with = iteration(algorithm, prior->name, 0.01);
            std::printf("%s, %s: an iteration of %.2f ms, with the prior %.2f ms, %.1f %% more\n", algorithm,
                        prior->name.c_str(), without, with, 100 * (with / without - 1));
            all.push_back({{"algorithm", algorithm},
                           {"prior", prior->name},
                           {"without_ms", without},
                           {"with_ms", with}});
        }
    }
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr,
                     "usage: gpu_bench OUT.json "
                     "[quick|column|setup|priors|ramla|wide|fourier|shapes|panel|panel-small]\n");
        return 2;
    }
    const std::string what = argc > 2 ? argv[2] : "";
    const bool quick = what == "quick";
    json out;
    try {
        const auto cuda = loadCudaEngine(publishedStrategies());
        out["device"] = {{"name", cuda->device().name}};
        for (const auto& [key, value] : cuda->device().properties) {
            out["device"][key] = value;
        }
        const GpuCeilings ceilings = measureGpuCeilings();
        out["ceilings"] = {{"fma_per_s", ceilings.fmaPerSecond},
                           {"tensor_mac_per_s", ceilings.tensorMacsPerSecond},
                           {"copy_bytes_per_s", ceilings.copyBytesPerSecond},
                           {"link_bytes_per_s", ceilings.linkBytesPerSecond}};
        std::printf("ceilings: %.1f TFMA/s, %.0f tensor TMAC/s, copy %.2f TB/s, link %.1f GB/s\n",
                    ceilings.fmaPerSecond / 1e12, ceilings.tensorMacsPerSecond / 1e12,
                    ceilings.copyBytesPerSecond / 1e12, ceilings.linkBytesPerSecond / 1e9);
        {
            const auto space = cuda->makeSpace({});
            const std::vector<float> host(std::size_t{1} << 28U, 1.0F);
            Array device = space->allocate(host.size());
            std::vector<double> seconds;
            for (int run = 0; run < 4; ++run) {
                const auto start = Clock::now();
                space->upload(host, device.view());
                space->finish();
                seconds.push_back(secondsSince(start));
            }
            const double rate = static_cast<double>(host.size()) * sizeof(float) / median(seconds);
            out["upload"] = {{"bytes", host.size() * sizeof(float)},
                             {"median_bytes_per_s", rate},
                             {"first_s", seconds.front()},
                             {"fraction_of_link", rate / ceilings.linkBytesPerSecond}};
            std::printf(
                "upload of 1 GiB of pageable memory: %.1f GB/s, %.0f %% of the link; the first took %.1f "
                "ms\n",
                rate / 1e9, 100 * rate / ceilings.linkBytesPerSecond, 1e3 * seconds.front());
        }
        for (const DeviceKernel& k : cuda->offers<TellsKernels>()->kernels()) {
            out["kernels"].push_back({{"strategy", k.strategy},
                                      {"kernel", k.projection},
                                      {"constant_bytes", k.constantBytes},
                                      {"local_bytes", k.localBytesPerThread},
                                      {"shared_bytes", k.sharedBytesPerBlock},
                                      {"threads", k.threadsPerBlock},
                                      {"registers", k.registersPerThread},
                                      {"occupancy", k.occupancy}});
            std::printf(
                "%-16s %-12s %3d registers, %6.0f B shared, %.0f B local, %.0f B constant, %d threads, %.0f "
                "%%\n",
                k.strategy.c_str(), k.projection.c_str(), k.registersPerThread, k.sharedBytesPerBlock,
                k.localBytesPerThread, k.constantBytes, k.threadsPerBlock, 100 * k.occupancy);
        }
        const Lattice grid = Lattice::centred({144, 144, 48}, {4, 4, 4});
        const auto views = viewGrid(40, 3);
        EngineOptions unpadded;
        unpadded.padding.mode = Padding::Mode::Off;
        const auto cufft = [&]() -> std::shared_ptr<const Engine> {
            try {
                return loadCufftEngine();
            } catch (const Unavailable& reason) {
                std::printf("no cufft: %s\n", reason.what());
                return nullptr;
            }
        }();
        const auto compare = [&](const char* key, const Lattice& lattice, const std::vector<View>& some,
                                 const std::vector<std::pair<const char*, const char*>>& list, int rounds) {
            std::printf("== %s: %s\n", key, lattice.text().c_str());
            std::vector<Contender> contenders;
            contenders.reserve(list.size() + 2);
            for (const auto& [strategy, kernel] : list) {
                contenders.emplace_back(*cuda, strategy, kernel, lattice, some);
            }
            if (cufft != nullptr) {  // unpadded it is wrong at the edges, padded exact
                contenders.emplace_back(*cufft, "fft", "invariant", lattice, some, unpadded);
                contenders.emplace_back(*cufft, "fft", "invariant", lattice, some);
            }
            out[key] = {{"shape", lattice.text()},
                        {"views", some.size()},
                        {"results", projections(contenders, some, rounds)}};
        };
        const Lattice fine = Lattice::centred({288, 288, 96}, {2, 2, 2});
        const auto wide = [&] {
            compare("2 mm voxels, all views", fine, views, {{"column", "variant1"}, {"stream", "variant1"}},
                    5);
            compare("ha-test, all views", grid, views, {{"column", "ha-test"}, {"stream", "ha-test"}}, 5);
            compare("long axial field, all views", Lattice::centred({200, 200, 500}, {4, 4, 4}),
                    viewGrid(8, 3), {{"column", "variant1"}, {"stream", "variant1"}}, 5);
            const std::vector<View> four{{0, 0}, {0.7, 0}, {0.3, 0.1164}, {2.1, -0.1164}};
            constexpr const char* kAveraged =
                R"({"tof_ps":400,"axial_mm":5.8,"radial_mm":[[0,5.8],[288,8]],"sampling":"voxel"})";
            compare("averaged over 2 mm voxels", fine, four,
                    {{"stream", kAveraged}, {"column-fp32", kAveraged}}, 3);
            out["ramla"].push_back(ramla(*cuda, "stream", "variant1", fine, views, 4));
        };
        // Kernels that vary in space through Fourier, as sums of invariant ones: padded, so exact.
        const auto lowRank = [&] {
            if (cufft == nullptr) {
                return;
            }
            const std::vector<View> four{{0, 0}, {0.7, 0}, {0.3, 0.1164}, {2.1, -0.1164}};
            for (const auto& [kernel, lattice, some] :
                 {std::tuple{"variant1", grid, views}, std::tuple{"ha-test", grid, views},
                  std::tuple{"variant1", fine, four}}) {
                const std::string key = std::string(kernel) + " through Fourier";
                std::printf("== %s: %s\n", key.c_str(), lattice.text().c_str());
                std::vector<Contender> contenders;
                contenders.reserve(4);
                contenders.emplace_back(*cuda, "column", kernel, lattice, some);
                contenders.emplace_back(*cufft, "fft", kernel, lattice, some);
                contenders.emplace_back(*cufft, "fft", "invariant", lattice, some);
                contenders.emplace_back(*cufft, "fft", "invariant", lattice, some, unpadded);
                out["low rank"].push_back({{"kernel", kernel},
                                           {"shape", lattice.text()},
                                           {"note", contenders[1].note()},
                                           {"results", projections(contenders, some, 5)}});
                std::printf("%s\n", contenders[1].note().c_str());
            }
        };
        if (what == "wide") {
            wide();
        } else if (what == "panel") {
            out["panel"] = panelBench(*cuda, ceilings, 104, 72);
        } else if (what == "panel-small") {
            out["panel"] = panelBench(*cuda, ceilings, 26, 18);
        } else if (what == "fourier") {
            lowRank();
        } else if (what == "shapes") {
            std::vector<View> once;  // views tilted down are mirror images
            std::copy_if(views.begin(), views.end(), std::back_inserter(once),
                         [](const View& view) { return view.theta >= 0; });
            out["shapes"] = shapes(*cuda, grid, once);
        } else if (what == "column" || what == "ramla") {
            if (what == "column") {
                compare("column against cufft", grid, views,
                        {{"column", "variant1"}, {"column", "invariant"}}, 15);
            }
            out["ramla"].push_back(ramla(*cuda, "column", "variant1", grid, views, 14));
            out["ramla"].push_back(
                ramla(*cuda, "column", "variant1", grid, views, 14, Attenuation::InTheImage));
        } else if (what == "setup") {
            out["setup"] = setups(*cuda, "column", grid, views);
            out["live"] = liveTuning(cuda, grid, views);
        } else if (what == "priors") {
            out["priors"] = costOfPriors(cuda, grid, views);
        } else {
            // The figure of the contract: column against cufft alone, interleaved.
            compare("column against cufft", grid, views, {{"column", "variant1"}, {"column", "invariant"}},
                    quick ? 5 : 31);
            out["setup"] = setups(*cuda, "column", grid, views);
            out["live"] = liveTuning(cuda, grid, views);
            out["ramla"].push_back(ramla(*cuda, "column", "variant1", grid, views, 14));
            out["ramla"].push_back(
                ramla(*cuda, "column", "variant1", grid, views, 14, Attenuation::InTheImage));
            out["ramla"].push_back(ramla(*cuda, "column", "invariant", grid, views, 14));
            out["ramla"].push_back(
                ramla(*cuda, "column", "invariant", grid, views, 14, Attenuation::InTheImage));
            if (cufft != nullptr) {
                out["ramla"].push_back(ramla(*cufft, "", "invariant", grid, views, 6));
                out["ramla"].push_back(
                    ramla(*cufft, "", "invariant", grid, views, 6, Attenuation::InTheImage));
            }
        }
        if (what.empty()) {
            wide();
            lowRank();
            std::vector<std::pair<const char*, const char*>> all;
            const std::vector<std::string> names = cuda->strategyNames(DirectModel::kSystem);
            for (const char* kernel : {"variant1", "invariant"}) {
                for (const std::string& strategy : names) {
                    all.emplace_back(strategy.c_str(), kernel);
                }
            }
            compare("strategies", grid, views, all, 5);
            const std::vector<View> few{{0, 0}, {0.7, 0}, {0.3, 0.1164}, {2.1, -0.1164}};
            compare("table II kernel", grid, few,
                    {{"tlp", "ha-test"}, {"ilp", "ha-test"}, {"column", "ha-test"}}, 3);
            compare("2 mm voxels", Lattice::centred({288, 288, 96}, {2, 2, 2}), few,
                    {{"tlp", "variant1"},
                     {"ilp", "variant1"},
                     {"column", "variant1"},
                     {"column-fp32", "variant1"}},
                    3);
            compare("long axial field", Lattice::centred({200, 200, 500}, {4, 4, 4}), few,
                    {{"column", "variant1"}, {"column-fp32", "variant1"}}, 3);
            out["ramla"].push_back(ramla(*cuda, "column", "variant1", grid, viewGrid(80, 3), 6));
            out["ramla"].push_back(ramla(*cuda, "column-fp32", "variant1", grid, views, 6));
            out["ramla"].push_back(ramla(*cuda, "ilp", "variant1", grid, views, 4));
            out["ramla"].push_back(ramla(*cuda, "column", "variant1",
                                         Lattice::centred({288, 288, 96}, {2, 2, 2}), viewGrid(8, 3), 4));
        }
    } catch (const Error& error) {
        std::printf("FAILED: %s\n", error.what());
        out["failed"] = error.what();
    }
    std::ofstream(argv[1]) << out.dump(1) << "\n";
    return out.contains("failed") ? 4 : 0;
}
