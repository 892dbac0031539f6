// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/study_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/percentile.h"
#include "recon/bench/random_events.h"
#include "recon/bench/stopwatch.h"
#include "recon/sources/list_source.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

enum class Form { List, Streamed, Direct };

const char* nameOf(Form form) {
    return form == Form::List ? "list" : (form == Form::Streamed ? "list-streamed" : "direct");
}

class Study {
  public:
    Study(const StudyBenchOptions& options, const BenchProgress& progress)
        : options_(options),
          progress_(progress),
          lattice_(Lattice::centred(options.size, {options.voxel_mm, options.voxel_mm, options.voxel_mm})) {}

    void measure(const std::shared_ptr<const Engine>& engine) {
        for (const Form form : {Form::List, Form::Streamed, Form::Direct}) {
            const std::string name = fmt::format("{}/osem/{}", engine->name(), nameOf(form));
            const bool serves =
                !engine->strategies(form == Form::Direct ? DirectModel::kSystem : LineModel::kSystem).empty();
            if (serves && name.find(options_.only) != std::string::npos) {
                progress_(name, 0);
                try {
                    if (form == Form::Direct) {
                        measureDirect(name, *engine);
                    } else {
                        measureList(name, *engine, form);
                    }
                } catch (const Unavailable& reason) {  // the others are worth having
                    results_.push_back({{"name", name},
                                        {"engine", engine->name()},
                                        {"form", nameOf(form)},
                                        {"why", reason.what()}});
                }
            }
        }
        addBreakEven(engine->name());
    }

    [[nodiscard]] Json results() const { return results_; }

  private:
    void measureList(const std::string& name, const Engine& engine, Form form) {
        EngineOptions options;
        options.threads = options_.threads;
        if (form == Form::Streamed) {
            // Half of what the events alone take, and room for images and a part.
            constexpr std::size_t kRoom = std::size_t{1} << 30U;
            options.memoryLimitBytes = kRoom + 8 * options_.events;
        }
        const std::shared_ptr<Space> space = engine.makeSpace(options);
        if (form == Form::Streamed && space->hostMemory()) {
            return;
        }
        LineModel model;
        model.lattice = lattice_;
        model.lines = events();
        const auto begin = Clock::now();
        auto made = engine.makeProjector(model, space, options);
        if (std::holds_alternative<Unsupported>(made)) {
            return;
        }
        const auto projector = std::move(std::get<std::unique_ptr<Projector>>(made));
        ListSource source(events_, std::vector<float>(lattice_.voxels(), 1.0F), {}, {}, 0, space);
        space->finish();
        add(name, engine, form, *projector, source, secondsSince(begin));
        results_.back()["events"] = options_.events;
    }

    void measureDirect(const std::string& name, const Engine& engine) {
        EngineOptions options;
        options.threads = options_.threads;
        const std::shared_ptr<Space> space = engine.makeSpace(options);
        DirectModel model{lattice_, views(), KernelSpec::preset("variant1")};
        const auto begin = Clock::now();
        auto made = engine.makeProjector(model, space, options);
        if (std::holds_alternative<Unsupported>(made)) {
            return;
        }
        const auto projector = std::move(std::get<std::unique_ptr<Projector>>(made));
        const auto counts = std::make_shared<std::vector<float>>(model.views.size() * lattice_.voxels());
        for (std::size_t i = 0; i < counts->size(); ++i) {
            (*counts)[i] = static_cast<float>(i * 2654435761U % 1024U) / 512.0F;
        }
        const std::unique_ptr<DataSource> source =
            placedSource({*counts, {}, {}, model.views.size(), lattice_.voxels(), counts}, space, SIZE_MAX);
        space->finish();
        add(name, engine, Form::Direct, *projector, *source, secondsSince(begin));
        results_.back()["views"] = model.views.size();
    }

    void add(const std::string& name, const Engine& engine, Form form, Projector& projector,
             DataSource& source, double setup) {
        std::vector<std::size_t> order(projector.parts());
        std::iota(order.begin(), order.end(), std::size_t{0});
        AlgorithmSettings settings;
        settings.algorithm = &osem();
        settings.iterations = options_.iterations;
        settings.subsets = static_cast<int>(std::min(options_.subsets, order.size()));
        Stopwatch watch;
        Reconstruction reconstruction(projector, source, lattice_, settings, order, watch);
        static_cast<void>(reconstruction.run(watch));
        // The first iterations record what the later ones replay.
        const std::vector<Iterate>& all = watch.iterates;
        const std::size_t first = all.size() > 2 ? 2 : all.size() - 1;
        std::vector<double> wall;
        Json stages;
        for (std::size_t i = first; i < all.size(); ++i) {
            wall.push_back(all[i].seconds);
        }
        for (std::size_t s = 0; s < kStages; ++s) {
            std::vector<double> times;
            for (std::size_t i = first; i < all.size(); ++i) {
                times.push_back(1e3 * all[i].stageSeconds[s]);
            }
            stages[stageName(static_cast<Stage>(s))] = median(times);
        }
        results_.push_back({{"name", name},
                            {"engine", engine.name()},
                            {"form", nameOf(form)},
                            {"parts", order.size()},
                            {"subsets", settings.subsets},
                            {"seconds", median(wall)},
                            {"stages_ms", stages},
                            {"setup_s", setup},
                            {"memory_mib", static_cast<double>(projector.memoryBytes()) / 1048576.0}});
    }

    /// Views cost the same whatever they hold; lists cost by the event.
    void addBreakEven(const std::string& engine) {
        const auto direct = std::find_if(results_.begin(), results_.end(), [&](const Json& r) {
            return r["engine"] == engine && r["form"] == nameOf(Form::Direct) && r.contains("seconds");
        });
        for (Json& r : results_) {
            if (direct != results_.end() && r["engine"] == engine && r.contains("events")) {
                r["break_even"] = r["events"].get<double>() * (*direct)["seconds"].get<double>() /
                                  r["seconds"].get<double>();
            }
        }
    }

    [[nodiscard]] std::shared_ptr<const LineEvents> events() {
        if (events_ == nullptr) {
            const ThreadPool pool(options_.threads);
            const MichelogramSpec spec = MichelogramSpec::find(options_.scanner);
            const auto made = randomEvents(spec.scanner, options_.events, pool);
            made->eventsPerPart =
                options_.eventsPerPart > 0 ? options_.eventsPerPart : usualPartSize(options_.events);
            events_ = made;
        }
        return events_;
    }

    [[nodiscard]] std::vector<View> views() const {
        constexpr double kTilt = 10 * kRadPerDeg;
        const auto [azimuths, tilts] = options_.views;
        std::vector<View> views;
        for (int t = 0; t < tilts; ++t) {
            const double tilt = tilts > 1 ? kTilt * (2.0 * t / (tilts - 1) - 1) : 0;
            for (int a = 0; a < azimuths; ++a) {
                views.push_back({a * kPi / azimuths, tilt});
            }
        }
        return views;
    }

    StudyBenchOptions options_;
    BenchProgress progress_;
    Lattice lattice_;
    std::shared_ptr<const LineEvents> events_;
    Json results_ = Json::array();
};

}  // namespace

nlohmann::ordered_json runStudyBench(const EngineRegistry& engines, const StudyBenchOptions& options,
                                     const BenchProgress& progress) {
    Study study(options, progress);
    for (const std::string& name : options.engines.empty() ? engines.names() : options.engines) {
        const auto found = engines.find(name);
        if (const auto* engine = std::get_if<std::shared_ptr<const Engine>>(&found)) {
            study.measure(*engine);
        }
    }
    return study.results();
}

std::string studyBenchTable(const nlohmann::ordered_json& study) {
    std::string out;
    for (const Json& r : study) {
        if (r.contains("why")) {
            out += fmt::format("{:<44} {}\n", r["name"].get<std::string>(), r["why"].get<std::string>());
            continue;
        }
        out += fmt::format("{:<44} {:>10.2f} ms per iteration of OSEM, ", r["name"].get<std::string>(),
                           1e3 * r["seconds"].get<double>());
        if (!r.contains("events")) {
            out += fmt::format("{} views\n", r["views"].get<std::size_t>());
            continue;
        }
        const auto events = r["events"].get<double>();
        out += fmt::format("{:.2f} M events ({:.3f} G events/s)", events / 1e6,
                           events / r["seconds"].get<double>() / 1e9);
        if (r.contains("break_even")) {
            out += fmt::format("; as long as histo-images at {:.2f} M events",
                               r["break_even"].get<double>() / 1e6);
        }
        out += '\n';
    }
    return out;
}

}  // namespace tof
