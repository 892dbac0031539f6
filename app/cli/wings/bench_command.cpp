// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "app/cli/wings/wing_commands.h"
#include "recon/base/error.h"
#include "recon/bench/bench.h"
#include "recon/bench/line_bench.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace {

/// "cpu,fftw" as a list; empty pieces are left out.
std::vector<std::string> splitList(const std::string& text) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        if (comma > at) {
            pieces.push_back(text.substr(at, comma - at));
        }
        at = comma + 1;
    }
    return pieces;
}

void writeText(const std::string& path, const std::string& text) {
    writeAside(path, [&](const std::string& temporary) {
        std::ofstream file(temporary, std::ios::binary);
        file.exceptions(std::ios::badbit | std::ios::failbit);
        file << text << '\n';
        file.close();
    });
}

class BenchCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.choice("system", system_, {"direct", "ring"},
                         "What is measured: views of DIRECT, or MLEM and list-mode of a ring scanner");
        arguments.text("engine", engines_, "Engines, as cpu,fftw; empty takes every one that is there");
        arguments.text("only", options_.only, "Measure only cases whose name contains this");
        arguments.text("kernels", kernels_,
                       "SR kernels: presets, preset:NAME or files, as invariant,variant1");
        arguments.custom(
            "grid", "XxYxZ", "144x144x48",
            [this](const std::string& text) {
                const std::vector<int> sizes = sizesFromText("--grid", text, 3, 1, 4096);
                std::copy(sizes.begin(), sizes.end(), options_.size.begin());
            },
            "Voxels along x, y and z");
        arguments.number("voxel", options_.voxel_mm, 0.01, 1000, "Voxel edge in mm");
        arguments.number("tilt", options_.tilt_deg, -89, 89, "Tilt of the tilted cases in degrees");
        arguments.integer("azimuths", options_.azimuths, 1, 4096, "Views that a time is the mean over");
        arguments.integer("rounds", options_.rounds, 1, 100000,
                          "Times each case is measured after a warm-up");
        arguments.integer("threads", options_.threads, 0, 1024,
                          "Threads of host engines; 0 takes every core");
        arguments.choice("instructions", instructions_, {"all", "avx2", "baseline"},
                         "Richest vector instructions of the cpu engine's strategy column");
        arguments.text("scanner", ring_.scanner, "Ring scanner: ge-ste or a JSON file");
        arguments.integer("iterations", ring_.iterations, 1, 1000, "Ring scanner: iterations of MLEM");
        arguments.integer("events", ring_.events, 0, std::size_t{1} << 30U,
                          "Ring scanner: time-of-flight list-mode events; 0 leaves them out");
        arguments.integer("study-events", ring_.studyEvents, 0, std::size_t{1} << 31U,
                          "Ring scanner: events of list-mode OSEM, which is compared with DIRECT; 0: none");
        arguments.integer("study-part", ring_.studyPart, 0, std::size_t{1} << 31U,
                          "Ring scanner: events of a part of these; 0: as many as usual");
        arguments.text("out", output_, "Write the JSON to this file too");
    }

    void run(CommandContext& context) override {
        if (!output_.empty()) {
            requireWritable(output_);
        }
        options_.engines = splitList(engines_);
        options_.kernels = splitList(kernels_);
        options_.mostInstructions = mostInstructions();
        options_.findKernel = [library = ownKernels()](const std::string& k) { return library.find(k); };
        ring_.engines = options_.engines;
        ring_.only = options_.only;
        ring_.threads = options_.threads;
        const bool ring = system_ == "ring";
        const std::string json = [&] {
            ProgressBar bar(context.console, "bench");
            const BenchProgress progress = [&](const std::string& what, double done) {
                throwIfInterrupted();
                bar.update(done, what);
            };
            return ring ? runLineBench(context.engines, ring_, progress)
                        : runBench(context.engines, options_, progress);
        }();
        if (!output_.empty()) {
            writeText(output_, json);
        }
        context.console.result(context.console.json() ? json
                               : ring                 ? ringBenchTable(json)
                                                      : benchTable(json));
    }

  private:
    [[nodiscard]] std::optional<InstructionSet> mostInstructions() const {
        if (instructions_ == "all") {
            return std::nullopt;
        }
        const InstructionSet most = instructions_ == "avx2" ? InstructionSet::Avx2 : InstructionSet::Baseline;
        if (availableInstructionSets().back() < most) {
            throw WrongUse("--instructions avx2: this processor has {} at most; leave the option out",
                           instructionSetName(availableInstructionSets().back()));
        }
        return most;
    }

    std::string engines_;
    std::string instructions_ = "all";
    std::string kernels_ = "invariant,variant1";
    std::string output_;
    BenchOptions options_;
    std::string system_ = "direct";
    LineBenchOptions ring_;
};

}  // namespace

CommandInfo benchCommand() {
    return {"bench", "Measure the engines against each other and this machine's limits",
            []() -> std::unique_ptr<Command> { return std::make_unique<BenchCommand>(); }};
}

}  // namespace tof
