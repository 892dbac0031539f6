// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/bench/machine.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// One engine with the arrays that all its cases share.
struct Bench {
    std::shared_ptr<const Engine> engine;
    EngineOptions options;
    std::shared_ptr<Space> space;
    Array image;
    Array data;
    Array result;
};

/// Milliseconds per projection of one round.
struct Times {
    double forward = 0;
    double back = 0;
    [[nodiscard]] double mean() const { return 0.5 * (forward + back); }
};

struct Case {
    std::string name;
    Bench* bench = nullptr;
    std::string strategy;
    std::string kernel;
    bool invariant = false;
    double tilt_deg = 0;
    std::unique_ptr<Projector> projector;
    double usefulTaps = 0;  // mean over the views
    std::vector<Times> rounds;
};

double milliseconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

Times measure(Case& item) {
    Projector& projector = *item.projector;
    Bench& bench = *item.bench;
    const auto views = static_cast<double>(projector.parts());
    bench.space->finish();
    const auto start = Clock::now();
    for (std::size_t part = 0; part < projector.parts(); ++part) {
        projector.forward(part, bench.image.view(), bench.data.view());
    }
    bench.space->finish();
    const auto between = Clock::now();
    for (std::size_t part = 0; part < projector.parts(); ++part) {
        projector.back(part, bench.image.view(), bench.result.view(), Write::Overwrite);
    }
    bench.space->finish();
    return {milliseconds(start, between) / views, milliseconds(between, Clock::now()) / views};
}

/// Everything of one runBench call.
class Run {
  public:
    Run(const EngineRegistry& engines, const BenchOptions& options, const BenchProgress& progress)
        : options_(options),
          progress_(progress),
          lattice_(Lattice::centred(options.size, {options.voxel_mm, options.voxel_mm, options.voxel_mm})),
          pool_(options.threads) {
        if (options.rounds < 1 || options.azimuths < 1) {
            throw WrongUse("a benchmark needs at least one round and one azimuth");
        }
        openEngines(engines);
        makeCases();
        if (cases_.empty()) {
            throw WrongUse("no case is left to measure; check the engine names and --only");
        }
    }

    [[nodiscard]] std::string run() {
        const double total = static_cast<double>(cases_.size()) * (options_.rounds + 1);
        double done = 0;
        for (int round = 0; round <= options_.rounds; ++round) {
            for (Case& item : cases_) {
                progress_(item.name, done++ / total);
                const Times times = measure(item);
                if (round > 0) {  // the first warms caches, plans and clocks up
                    item.rounds.push_back(times);
                }
            }
        }
        return report();
    }

  private:
    void openEngines(const EngineRegistry& engines) {
        const std::vector<std::string> names = options_.engines.empty() ? engines.names() : options_.engines;
        for (const std::string& name : names) {
            auto found = engines.find(name);
            if (const auto* why = std::get_if<Unsupported>(&found)) {
                unavailable_.push_back({{"engine", name}, {"why", why->why}});
                continue;
            }
            Bench bench;
            bench.engine = std::get<std::shared_ptr<const Engine>>(found);
            bench.options.threads = options_.threads;
            bench.options.mostInstructions = options_.mostInstructions;
            bench.options.padding.mode = Padding::Mode::Off;
            bench.space = bench.engine->makeSpace(bench.options);
            const std::size_t voxels = lattice_.voxels();
            bench.image = bench.space->allocate(voxels);
            bench.data = bench.space->allocate(voxels);
            bench.result = bench.space->allocate(voxels);
            std::vector<float> values(voxels);
            for (std::size_t i = 0; i < voxels; ++i) {  // positive and not smooth
                values[i] = 0.5F + static_cast<float>(i * 2654435761U % 1024U) / 1024.0F;
            }
            bench.space->upload(values, bench.image.view());
            benches_.push_back(std::make_unique<Bench>(std::move(bench)));
        }
    }

    void makeCases() {
        for (const auto& bench : benches_) {
            for (const std::string& strategy : bench->engine->strategyNames(DirectModel::kSystem)) {
                for (const std::string& kernel : options_.kernels) {
                    for (const double tilt : {0.0, options_.tilt_deg}) {
                        addCase(*bench, strategy, kernel, tilt);
                    }
                }
            }
        }
    }

    void addCase(Bench& bench, const std::string& strategy, const std::string& kernel, double tilt_deg) {
        Case item;
        item.name = fmt::format("{}/{}/{}/{}", bench.engine->name(), strategy, kernel,
                                tilt_deg == 0 ? "untilted" : "tilted");
        if (item.name.find(options_.only) == std::string::npos) {
            return;
        }
        DirectModel model{lattice_, {}, options_.findKernel(kernel)};
        for (int i = 0; i < options_.azimuths; ++i) {
            model.views.push_back({i * kPi / options_.azimuths, tilt_deg * kRadPerDeg});
        }
        EngineOptions options = bench.options;
        options.strategy = strategy;
        progress_(item.name, 0);
        auto made = bench.engine->makeProjector(model, bench.space, options);
        if (std::holds_alternative<Unsupported>(made)) {
            return;  // a strategy that does not take the kernel: not a case
        }
        item.projector = std::move(std::get<std::unique_ptr<Projector>>(made));
        item.bench = &bench;
        item.strategy = strategy;
        item.kernel = kernel;
        item.invariant = model.kernel.invariant();
        item.tilt_deg = tilt_deg;
        item.usefulTaps = meanTaps(kernel, model, tilt_deg);
        cases_.push_back(std::move(item));
    }

    double meanTaps(const std::string& kernel, const DirectModel& model, double tilt_deg) {
        const auto key = std::pair{kernel, tilt_deg};
        if (!taps_.contains(key)) {
            std::vector<std::size_t> taps(model.views.size());
            pool_.forRange(taps.size(), 1, [&](std::size_t i, std::size_t) {
                taps[i] = buildKernelTables(model.kernel, model.lattice, model.views[i]).taps.size();
            });
            double sum = 0;
            for (const std::size_t n : taps) {
                sum += static_cast<double>(n);
            }
            taps_[key] = sum / static_cast<double>(taps.size());
        }
        return taps_[key];
    }

    [[nodiscard]] const Case* fftwAt(double tilt_deg) const {
        const auto it = std::find_if(cases_.begin(), cases_.end(), [&](const Case& c) {
            return c.bench->engine->name() == "fftw" && c.invariant && c.tilt_deg == tilt_deg;
        });
        return it != cases_.end() ? &*it : nullptr;
    }

    [[nodiscard]] std::optional<double> peakOf(const Bench& bench) const {
        if (bench.space->hostMemory()) {
            return hostPeak_;
        }
        for (const auto& [key, value] : bench.engine->device().properties) {
            if (key == "mac_per_s") {
                return std::stod(value);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Json machine() {
        const InstructionSet taken = richestInstructionSet(options_.mostInstructions);
        Json peaks = Json::array();
        for (const InstructionSet set : availableInstructionSets()) {
            const double peak = measureMultiplyAddPeak(pool_, set);
            peaks.push_back({{"instruction_set", instructionSetName(set)}, {"mac_per_s", peak}});
            hostPeak_ = set == taken ? peak : hostPeak_;
        }
        return {{"threads", pool_.threads()},
                {"instruction_set", instructionSetName(taken)},
                {"fma_peak", peaks},
                {"copy_bytes_per_s", measureCopyBandwidth(pool_)}};
    }

    [[nodiscard]] Json result(const Case& item) const {
        const auto collect = [&](auto pick) {
            std::vector<double> values;
            std::transform(item.rounds.begin(), item.rounds.end(), std::back_inserter(values), pick);
            return values;
        };
        const std::vector<double> means = collect([](const Times& t) { return t.mean(); });
        const double median_ms = median(means);
        const double voxels = static_cast<double>(lattice_.voxels());
        const double useful = item.usefulTaps * voxels / (median_ms * 1e-3);
        double issued = 0;
        for (std::size_t part = 0; part < item.projector->parts(); ++part) {
            issued += item.projector->multiplyAdds(part) / static_cast<double>(item.projector->parts());
        }
        issued /= median_ms * 1e-3;
        const std::optional<double> peak = peakOf(*item.bench);
        Json out{{"name", item.name},
                 {"engine", item.bench->engine->name()},
                 {"strategy", item.strategy},
                 {"kernel", item.kernel},
                 {"tilt", item.tilt_deg},
                 {"shape", options_.size},
                 {"median_ms", median_ms},
                 {"min_ms", *std::min_element(means.begin(), means.end())},
                 {"runs", item.rounds.size()},
                 {"forward_ms", median(collect([](const Times& t) { return t.forward; }))},
                 {"back_ms", median(collect([](const Times& t) { return t.back; }))},
                 {"useful_taps", item.usefulTaps},
                 {"mac_per_s", useful}};
        if (const std::string note = item.projector->note(); !note.empty()) {
            out["note"] = note;
        }
        out["issued_mac_per_s"] = issued > 0 ? Json(issued) : Json(nullptr);
        out["fraction_of_peak"] = peak ? Json((issued > 0 ? issued : useful) / *peak) : Json(nullptr);
        out["ratio_to_fftw"] = nullptr;
        if (const Case* fftw = fftwAt(item.tilt_deg)) {
            std::vector<double> ratios;
            std::transform(item.rounds.begin(), item.rounds.end(), fftw->rounds.begin(),
                           std::back_inserter(ratios),
                           [](const Times& a, const Times& b) { return a.mean() / b.mean(); });
            out["ratio_to_fftw"] = median(ratios);
        }
        return out;
    }

    [[nodiscard]] std::string report() {
        Json out{{"machine", machine()}, {"unavailable", unavailable_}, {"results", Json::array()}};
        for (const Case& item : cases_) {
            out["results"].push_back(result(item));
        }
        return jsonText(out, 1);
    }

    const BenchOptions& options_;
    const BenchProgress& progress_;
    Lattice lattice_;
    ThreadPool pool_;
    double hostPeak_ = 0;  // the peak of the best instruction set, measured last
    Json unavailable_ = Json::array();
    std::vector<std::unique_ptr<Bench>> benches_;
    std::vector<Case> cases_;
    std::map<std::pair<std::string, double>, double> taps_;
};

std::string orDash(const Json& value, const char* format, double scale) {
    return value.is_null() ? "-" : fmt::format(fmt::runtime(format), value.get<double>() * scale);
}

}  // namespace

std::string runBench(const EngineRegistry& engines, const BenchOptions& options,
                     const BenchProgress& progress) {
    return Run(engines, options, progress).run();
}

std::string benchTable(const std::string& json) {
    const Json report = Json::parse(json);
    const Json& machine = report.at("machine");
    std::string text = fmt::format("{} threads, {}, copy {:.1f} GB/s\n", machine.at("threads").get<int>(),
                                   machine.at("instruction_set").get<std::string>(),
                                   machine.at("copy_bytes_per_s").get<double>() * 1e-9);
    for (const Json& peak : machine.at("fma_peak")) {
        text +=
            fmt::format("multiply-add peak, {}: {:.1f} G/s\n", peak.at("instruction_set").get<std::string>(),
                        peak.at("mac_per_s").get<double>() * 1e-9);
    }
    text += fmt::format("{:<38}{:>11}{:>9}{:>10}{:>11}{:>11}{:>9}{:>9}\n", "case", "median ms", "min ms",
                        "fwd/back", "useful G/s", "issued G/s", "of peak", "/ fftw");
    for (const Json& r : report.at("results")) {
        text += fmt::format(
            "{:<38}{:>11.3f}{:>9.3f}{:>10}{:>11.1f}{:>11}{:>9}{:>9}\n", r.at("name").get<std::string>(),
            r.at("median_ms").get<double>(), r.at("min_ms").get<double>(),
            fmt::format("{:.2f}", r.at("forward_ms").get<double>() / r.at("back_ms").get<double>()),
            r.at("mac_per_s").get<double>() * 1e-9, orDash(r.at("issued_mac_per_s"), "{:.1f}", 1e-9),
            orDash(r.at("fraction_of_peak"), "{:.0f} %", 100), orDash(r.at("ratio_to_fftw"), "{:.2f}", 1));
    }
    for (const Json& absent : report.at("unavailable")) {
        text += fmt::format("{}: not measured, {}\n", absent.at("engine").get<std::string>(),
                            absent.at("why").get<std::string>());
    }
    return text;
}

}  // namespace tof
