// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/line_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/base/percentile.h"
#include "recon/bench/random_events.h"
#include "recon/bench/stopwatch.h"
#include "recon/bench/study_bench.h"
#include "recon/seam/host_space.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string shapeText(const std::array<int, 3>& grid) {
    return fmt::format("{}x{}x{}", grid[0], grid[1], grid[2]);
}

/// One strategy of one engine.
struct Contender {
    std::shared_ptr<const Engine> engine;
    std::string strategy;
    RayMethod method = RayMethod::Siddon;
    [[nodiscard]] std::string name() const { return engine->name() + "/" + strategy; }
};

std::vector<float> uneven(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i * 2654435761U % 1024U) / 512.0F;
    }
    return values;
}

class LineRun {
  public:
    LineRun(const EngineRegistry& engines, const LineBenchOptions& options, const BenchProgress& progress)
        : engines_(engines),
          options_(options),
          progress_(progress),
          michelogram_(std::make_shared<const Michelogram>(MichelogramSpec::find(options.scanner))) {
        for (const std::string& name : options.engines.empty() ? engines.names() : options.engines) {
            const auto found = engines.find(name);
            if (const auto* why = std::get_if<Unsupported>(&found)) {
                unavailable_.push_back({{"engine", name}, {"why", why->why}});
                continue;
            }
            const auto engine = std::get<std::shared_ptr<const Engine>>(found);
            for (const std::string& strategy : engine->strategyNames(LineModel::kSystem)) {
                contenders_.push_back(
                    {engine, strategy, strategy == "joseph" ? RayMethod::Joseph : RayMethod::Siddon});
            }
            if (!engine->strategyNames(LineModel::kSystem).empty()) {
                machine_.push_back({{"engine", name}, {"device", engine->device().name}});
            }
        }
    }

    [[nodiscard]] std::string run() {
        for (const auto& grid : options_.grids) {
            measureGrid(grid, 0);
        }
        if (options_.restrictedRadius_mm > 0 && !options_.grids.empty()) {
            measureGrid(options_.grids.back(), options_.restrictedRadius_mm);
        }
        if (options_.events > 0) {
            measureEvents();
        }
        if (options_.studyEvents > 0) {
            measureStudy();
        }
        if (results_.empty() && list_.empty() && study_.empty()) {
            throw WrongUse("no case is left to measure; check the engine names and --only");
        }
        return jsonText(Json{{"machine", machine_},
                             {"unavailable", unavailable_},
                             {"bins", michelogram_->bins()},
                             {"results", results_},
                             {"list", list_},
                             {"study", study_}},
                        1);
    }

  private:
    [[nodiscard]] bool wanted(const std::string& name) const {
        return name.find(options_.only) != std::string::npos;
    }

    [[nodiscard]] std::shared_ptr<const SinogramData> dataOn(const Lattice& lattice) {
        auto data = std::make_shared<SinogramData>();
        data->lattice = lattice;
        data->michelogram = michelogram_;
        data->counts = uneven(michelogram_->bins());
        return data;
    }

    void measureGrid(const std::array<int, 3>& grid, double radius_mm) {
        const RingScanner& scanner = michelogram_->scanner();
        const double step = options_.fieldOfView_mm / grid[0];
        const Lattice lattice = Lattice::centred(grid, {step, step, 0.5 * scanner.ringSpacing_mm});
        std::shared_ptr<const SinogramData> data;
        for (const Contender& contender : contenders_) {
            const std::string name =
                fmt::format("{}/{}{}", contender.name(), shapeText(grid), radius_mm > 0 ? "/restricted" : "");
            if (wanted(name)) {
                progress_(name, 0);
                data = data == nullptr ? dataOn(lattice) : data;
                measureMlem(name, contender, data, radius_mm);
            }
        }
    }

    void measureMlem(const std::string& name, const Contender& contender,
                     const std::shared_ptr<const SinogramData>& data, double radius_mm) {
        EngineOptions options;
        options.strategy = contender.strategy;
        options.threads = options_.threads;
        const std::shared_ptr<Space> space = contender.engine->makeSpace(options);
        LineModel model;
        model.lattice = data->lattice;
        model.lines = michelogram_;
        model.method = contender.method;
        model.fovRadius_mm = radius_mm;
        const auto begin = Clock::now();
        auto made = contender.engine->makeProjector(model, space, options);
        if (std::holds_alternative<Unsupported>(made)) {
            return;
        }
        const auto projector = std::move(std::get<std::unique_ptr<Projector>>(made));
        space->finish();
        const double setup = since(begin);
        const std::unique_ptr<DataSource> source = placedSource(partsOf(data), space, SIZE_MAX);
        space->finish();
        std::vector<std::size_t> order(projector->parts());
        std::iota(order.begin(), order.end(), std::size_t{0});
        AlgorithmSettings settings;
        settings.algorithm = &mlem();
        settings.iterations = options_.iterations;
        Stopwatch watch;
        const auto middle = Clock::now();
        Reconstruction reconstruction(*projector, *source, data->lattice, settings, order, watch);
        space->finish();
        const double sensitivity = since(middle);
        static_cast<void>(reconstruction.run(watch));
        add(name, contender, *data, radius_mm, watch.iterates);
        results_.back()["setup_ms"] = setup;
        results_.back()["sensitivity_ms"] = sensitivity;
        results_.back()["memory_mib"] = static_cast<double>(projector->memoryBytes()) / 1048576.0;
    }

    void add(const std::string& name, const Contender& contender, const SinogramData& data, double radius_mm,
             const std::vector<Iterate>& iterates) {
        // The first iterations record what the later ones replay.
        const std::size_t first = iterates.size() > 2 ? 2 : iterates.size() - 1;
        std::vector<double> wall;
        for (std::size_t i = first; i < iterates.size(); ++i) {
            wall.push_back(1e3 * iterates[i].seconds);
        }
        Json stages;
        for (std::size_t s = 0; s < kStages; ++s) {
            std::vector<double> times;
            for (std::size_t i = first; i < iterates.size(); ++i) {
                times.push_back(1e3 * iterates[i].stageSeconds[s]);
            }
            stages[stageName(static_cast<Stage>(s))] = median(times);
        }
        results_.push_back({{"name", name},
                            {"engine", contender.engine->name()},
                            {"strategy", contender.strategy},
                            {"shape", data.lattice.size},
                            {"fov_radius_mm", radius_mm},
                            {"bins", michelogram_->bins()},
                            {"median_ms", median(wall)},
                            {"min_ms", *std::min_element(wall.begin(), wall.end())},
                            {"runs", wall.size()},
                            {"stages_ms", stages}});
    }

    void measureEvents() {
        std::shared_ptr<const LineEvents> events;
        for (const Contender& contender : contenders_) {
            const std::string name = contender.name() + "/list";
            if (wanted(name)) {
                progress_(name, 0);
                if (events == nullptr) {
                    events =
                        randomEvents(michelogram_->scanner(), options_.events, ThreadPool(options_.threads));
                }
                measureList(name, contender, events);
            }
        }
    }

    void measureList(const std::string& name, const Contender& contender,
                     const std::shared_ptr<const LineEvents>& events) {
        EngineOptions options;
        options.strategy = contender.strategy;
        options.threads = options_.threads;
        const std::shared_ptr<Space> space = contender.engine->makeSpace(options);
        LineModel model;
        model.lattice = Lattice::centred({144, 144, 48}, {4, 4, 4});
        model.lines = events;
        model.method = contender.method;
        auto made = contender.engine->makeProjector(model, space, options);
        if (std::holds_alternative<Unsupported>(made)) {
            return;
        }
        const auto projector = std::move(std::get<std::unique_ptr<Projector>>(made));
        Array image = space->allocate(model.lattice.voxels());
        Array result = space->allocate(model.lattice.voxels());
        Array data = space->allocate(projector->dataSize(0));
        space->upload(uneven(model.lattice.voxels()), image.view());
        space->upload(uneven(projector->dataSize(0)), data.view());
        std::vector<double> forward;
        std::vector<double> back;
        const int rounds = contender.engine->name() == "cpu" ? 2 : 6;
        for (int round = 0; round < rounds; ++round) {
            forward.push_back(passes(
                *projector,
                [&](std::size_t part, MutableView p) { projector->forward(part, image.view(), p); }, data));
            space->upload(uneven(projector->dataSize(0)), data.view());
            back.push_back(passes(
                *projector,
                [&](std::size_t part, MutableView p) { projector->back(part, p, result.view(), Write::Add); },
                data));
        }
        const double f = median({forward.begin() + 1, forward.end()});
        const double b = median({back.begin() + 1, back.end()});
        list_.push_back({{"name", name},
                         {"engine", contender.engine->name()},
                         {"strategy", contender.strategy},
                         {"events", events->pairs.size()},
                         {"forward_ms", f},
                         {"back_ms", b},
                         {"runs", forward.size() - 1},
                         {"events_per_s", 1e3 * static_cast<double>(events->pairs.size()) / (f + b)}});
    }

    void measureStudy() {
        StudyBenchOptions study;
        study.engines = options_.engines;
        study.only = options_.only;
        study.scanner = options_.scanner;
        study.events = options_.studyEvents;
        study.eventsPerPart = options_.studyPart;
        study.threads = options_.threads;
        study_ = runStudyBench(engines_, study, progress_);
    }

    template <typename Work>
    static double passes(Projector& projector, const Work& work, Array& data) {
        projector.space().finish();
        const auto start = Clock::now();
        for (std::size_t part = 0; part < projector.parts(); ++part) {
            work(part, data.view().part(0, projector.dataSize(part)));
        }
        projector.space().finish();
        return since(start);
    }

    const EngineRegistry& engines_;
    LineBenchOptions options_;
    BenchProgress progress_;
    std::shared_ptr<const Michelogram> michelogram_;
    std::vector<Contender> contenders_;
    Json machine_ = Json::array();
    Json unavailable_ = Json::array();
    Json results_ = Json::array();
    Json list_ = Json::array();
    Json study_ = Json::array();
};

}  // namespace

std::string runLineBench(const EngineRegistry& engines, const LineBenchOptions& options,
                         const BenchProgress& progress) {
    if (options.iterations < 1) {
        throw WrongUse("a benchmark needs at least one iteration");
    }
    return LineRun(engines, options, progress).run();
}

std::string ringBenchTable(const std::string& text) {
    const Json root = Json::parse(text);
    std::string out = fmt::format("{:<44} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "MLEM, ms per iteration",
                                  "iteration", "forward", "ratio", "back", "update");
    for (const Json& r : root["results"]) {
        const Json& s = r["stages_ms"];
        const auto stage = [&](Stage which) { return s[stageName(which)].get<double>(); };
        out += fmt::format("{:<44} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.3f}\n",
                           r["name"].get<std::string>(), r["median_ms"].get<double>(), stage(Stage::Forward),
                           stage(Stage::Discrepancy), stage(Stage::Back), stage(Stage::Update));
    }
    out +=
        "paper 003, its best CPU (one thread)         128: 238200   256: 395500   256, 200 mm: 309300\n"
        "paper 003, GTX 480 racy                      128: 2800     256: 8500     256, 200 mm: 6900\n"
        "paper 003, GTX 480 with atomics              128: 13600    256: 16700    256, 200 mm: 23300\n";
    for (const Json& r : root["list"]) {
        out += fmt::format("{:<44} {:>10.1f} M events/s (forward {:.1f} ms, back {:.1f} ms, {} events)\n",
                           r["name"].get<std::string>(), r["events_per_s"].get<double>() / 1e6,
                           r["forward_ms"].get<double>(), r["back_ms"].get<double>(),
                           r["events"].get<std::size_t>());
    }
    return out + studyBenchTable(root["study"]);
}

}  // namespace tof
