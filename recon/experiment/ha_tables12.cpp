// SPDX-License-Identifier: Apache-2.0
// Paper 000, Tables I and II: the device, and what it says of every projection kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/seam/device_kernel.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

namespace {

/// The number that a property begins with; kMissing for one that the device does not tell.
double propertyOf(const DeviceInfo& device, const std::string& name) {
    for (const auto& [key, value] : device.properties) {
        if (key == name) {
            return std::strtod(value.c_str(), nullptr);
        }
    }
    return kMissing;
}

/// A row of Table II.
struct PrintedKernel {
    const char* strategy;
    const char* constant;
    const char* shared;
    const char* threads;
    const char* registers;
    const char* occupancy;
    const char* forward_s;
    const char* back_s;
    const char* local;
};
constexpr PrintedKernel kPrinted[] = {{"tlp", "36", "64", "512", "14 (13 back)", "100", "4.94", "4.37", "0"},
                                      {"ilp", "36", "64", "384", "42", "38", "2.59", "2.56", "0"}};

/// What a device says of a strategy's kernel for one kind of projection, beside what the paper printed.
void addKernel(ExperimentReport& report, const std::vector<DeviceKernel>& kernels,
               const std::string& strategy, ProjectionKind kind, double seconds, const std::string& why) {
    const bool isForward = kind == ProjectionKind::Forward;
    const std::string what = isForward ? "forward" : "back";
    const auto known = std::find_if(kernels.begin(), kernels.end(), [&](const DeviceKernel& k) {
        return k.strategy == strategy && k.projection == what;
    });
    const bool one = known != kernels.end();  // else several kernels make a projection
    const DeviceKernel k = one ? *known : DeviceKernel();
    const auto told = [one](double value) { return one ? value : kMissing; };
    report.data.rows.push_back({strategy, what, told(k.constantBytes), told(k.localBytesPerThread),
                                told(k.sharedBytesPerBlock), told(k.threadsPerBlock),
                                told(k.registersPerThread), told(k.occupancy), seconds});
    const auto* const inPaper = std::find_if(std::begin(kPrinted), std::end(kPrinted),
                                             [&](const PrintedKernel& p) { return p.strategy == strategy; });
    const PrintedKernel printed =
        inPaper != std::end(kPrinted) ? *inPaper : PrintedKernel{"", "", "", "", "", "", "", "", ""};
    const auto add = [&](const char* name, const char* unit, const char* paper, double value,
                         const std::string& remark) {
        report.comparisons.push_back(
            {fmt::format("{}, {}: {}", strategy, what, name), unit, paper, value, remark});
    };
    const auto attribute = [&](const char* name, const char* unit, const char* paper, double value,
                               const char* remark) {
        add(name, unit, paper, told(value), one ? remark : "several kernels, one after the other");
    };
    add("seconds per view", "s", isForward ? printed.forward_s : printed.back_s, seconds, why);
    attribute("registers per thread", "", printed.registers, k.registersPerThread, "");
    attribute("threads per block", "", printed.threads, k.threadsPerBlock, "");
    attribute("occupancy", "%", printed.occupancy, 100 * k.occupancy, "");
    attribute("shared memory per block", "bytes", printed.shared, k.sharedBytesPerBlock, "");
    attribute("constant memory", "bytes", printed.constant, k.constantBytes, "");
    attribute("local memory per thread", "bytes", printed.local, k.localBytesPerThread,
              "what registers have spilled");
}

}  // namespace

ExperimentReport runHaTable1(const ExperimentContext& context) {
    context.progress("device", 0);
    const DeviceInfo device = context.engines.require(kDevice)->device();
    struct Printed {
        const char* property;
        const char* quantity;
        const char* unit;
        const char* paper;
    };
    constexpr Printed kRows[] = {
        {"streaming multiprocessors", "multiprocessors", "", "30 (10 x 3)"},
        {"shader clock", "clock", "GHz", "1.48"},
        {"memory clock", "memory clock", "GHz", "1.24"},
        {"memory bus width", "memory bus", "bit", "512"},
        {"registers per multiprocessor", "registers per multiprocessor", "", "16384"},
        {"shared memory per multiprocessor", "shared memory per multiprocessor", "KiB", "16"},
        {"warp size", "warp", "threads", "32"},
        {"max threads per block", "threads of a block, at most", "", "512"},
        {"global memory", "global memory", "GiB", "1"},
        {"constant memory", "constant memory", "KiB", "64"}};
    ExperimentReport report;
    report.conditions = fmt::format("{} beside the paper's GTX 285.", device.name);
    report.data.columns = {"property", "value"};
    for (const auto& [key, value] : device.properties) {
        report.data.rows.push_back({key, value});
    }
    for (const Printed& row : kRows) {
        const double ours = propertyOf(device, row.property);
        report.comparisons.push_back({row.quantity, row.unit, row.paper, ours, ""});
        report.checks.push_back({fmt::format("the device tells: {}", row.quantity), above(0, row.unit), ours,
                                 "paper 000, Table I"});
    }
    return report;
}

ExperimentReport runHaTable2(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 5.1 and Table II";
    const std::shared_ptr<const Engine> engine = context.engines.require(kDevice);
    const auto* const teller = engine->offers<TellsKernels>();
    if (teller == nullptr) {
        throw Unavailable("nobody here knows the attributes of the device's kernels");
    }
    const std::vector<DeviceKernel> kernels = teller->kernels();
    const Lattice lattice = paperLattice(context);
    const ProjectionInput input{lattice, pointsAlongY(lattice, kWellInside_mm), nullptr};
    EngineOptions options;
    ViewProjections projections(context.engines, options);
    ExperimentReport report;
    report.conditions = fmt::format(
        "{}, {}, kernel 'ha-test' (900 ps, 10 to 100 mm radially, 10 mm axially), view at "
        "30 degrees; the paper: GTX 285.",
        engine->device().name, latticeText(lattice));
    report.data.columns = {"strategy",    "projection",   "constant_bytes",
                           "local_bytes", "shared_bytes", "threads_per_block",
                           "registers",   "occupancy",    "seconds_per_view"};
    const std::vector<std::string> strategies = engine->strategyNames(DirectModel::kSystem);
    std::vector<double> seconds;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
        const std::string& strategy = strategies[i];
        const auto checkpoint = [&] {
            context.progress(strategy, static_cast<double>(i) / static_cast<double>(strategies.size()));
        };
        checkpoint();
        double both = 0;
        for (const ProjectionKind kind : {ProjectionKind::Forward, ProjectionKind::Back}) {
            const auto timed =
                projections.time({kind, kDevice, strategy, KernelSpec::preset("ha-test")}, input,
                                 View{30 * kRadPerDeg, 0}, context.pick(1, 3, 15), checkpoint);
            const auto* const timing = std::get_if<StrategyTiming>(&timed);
            const double once = timing != nullptr ? 1e-3 * timing->median_ms : kMissing;
            both += once;
            const std::string why = timing != nullptr ? "" : std::get<Unsupported>(timed).why;
            addKernel(report, kernels, strategy, kind, once, why);
        }
        seconds.push_back(both);
    }
    const auto of = [&](const char* strategy) {
        const auto at = std::find(strategies.begin(), strategies.end(), strategy);
        return at != strategies.end() ? seconds[static_cast<std::size_t>(at - strategies.begin())] : kMissing;
    };
    const auto registersOf = [&](const char* strategy) {
        const auto at = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const DeviceKernel& k) { return k.strategy == strategy; });
        return at != kernels.end() ? *at : DeviceKernel();
    };
    // A multiprocessor that starts 128 operations in a cycle, each of some 4 cycles of arithmetic or 500 of
    // memory: what Table I and section 3.2 say, with this device's threads.
    const double threads = propertyOf(engine->device(), "threads per multiprocessor");
    constexpr double kOperationsPerCycle = 128;
    constexpr double kArithmeticLatency = 4;
    constexpr double kMemoryLatency = 500;
    report.comparisons.push_back({"needed parallelism per multiprocessor, arithmetic", "operations",
                                  "8 x latency", kArithmeticLatency * kOperationsPerCycle,
                                  "latency x throughput: 4 cycles x 128 operations a cycle"});
    report.comparisons.push_back(
        {"needed parallelism per multiprocessor, memory", "operations", "8 x latency",
         kMemoryLatency * kOperationsPerCycle,
         fmt::format("500 cycles x 128; {:g} threads are resident at most", threads)});
    report.checks = {
        {"ilp over tlp, time of both projections", below(1), of("ilp") / of("tlp"), kPaper},
        {"ilp over tlp, registers per thread", above(1),
         static_cast<double>(registersOf("ilp").registersPerThread) / registersOf("tlp").registersPerThread,
         kPaper},
        {"ilp over tlp, occupancy", below(1), registersOf("ilp").occupancy / registersOf("tlp").occupancy,
         kPaper},
        {"local memory of tlp and ilp", atMost(0, "bytes per thread"),
         std::max(registersOf("tlp").localBytesPerThread, registersOf("ilp").localBytesPerThread), kPaper},
        {"tlp over two-stage, time of both projections, \"about 10 times faster\"", atLeast(10),
         of("tlp") / of("two-stage"), "paper 002, section I"}};
    return report;
}

}  // namespace tof
