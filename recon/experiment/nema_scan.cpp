// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_scan.h"

#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/experiment/quiet_run.h"
#include "recon/forms/forms.h"
#include "recon/io/format_table.h"
#include "recon/nema/image_quality.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/bin.h"
#include "recon/work/correct.h"

namespace tof {

namespace {

constexpr const char* kForm = "lors";
constexpr int kIterations = 10;  ///< few events have few subsets, so that four do not converge

/// A list that was never written, for those who read files.
class ListInMemory : public FormatFile {
  public:
    explicit ListInMemory(EventList list) : list_(std::move(list)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& /*options*/) const override {
        return ListReadResult{list_, list_.size(), {}};
    }

  private:
    EventList list_;
};

/// Tells the context which step is being done.
class ScanSteps : public WorkProgress {
  public:
    ScanSteps(const ExperimentContext& context, double at) : context_(context), at_(at) {}
    void stage(const std::string& name) override {
        stage_ = name;
        report(0);
    }
    void report(double /*share*/) override { context_.progress("image quality: " + stage_, at_); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
    void now(double at) { at_ = at; }

  private:
    const ExperimentContext& context_;
    double at_;
    std::string stage_ = "simulation";
};

struct Lists {
    EventList prompts;
    EventList delayeds;
};

Lists simulated(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                const ThreadPool& pool, const ExperimentContext& context, ScanSteps& steps, double share) {
    Lists lists;
    SimulationHooks hooks;
    hooks.delayed = &lists.delayeds;
    hooks.slices = slicesBy(context.engines, context.engine == "cuda" ? "cuda" : "cpu");
    hooks.progress = [&](std::uint64_t made) {
        context.progress("image quality: simulation",
                         share * static_cast<double>(made) / static_cast<double>(settings.events));
    };
    steps.report(0);
    lists.prompts = simulateWith(scanner, phantom, settings, pool, hooks, nullptr);
    return lists;
}

}  // namespace

QualityScan qualityScan(const Scanner& scanner, std::uint64_t prompts, std::uint64_t seed,
                        const ExperimentContext& context, double from, double to) {
    if (!(scanner.timing_fwhm_ps > 0)) {
        throw WrongUse(
            "scanner '{}' measures no times of flight, which corrections of lists need; give it "
            "'timing_fwhm_ps', or "
            "leave the test image-quality out",
            scanner.name);
    }
    const ThreadPool pool(context.threads);
    const auto at = [&](double share) { return from + share * (to - from); };
    ScanSteps steps(context, from);
    const Phantom phantom = Phantom::find("nema-iq-scan");
    QualityScan made;
    made.activity_MBq = nemaScanActivity_MBq(phantom);
    made.iterations = kIterations;
    SimulationSettings settings;
    settings.events = prompts;
    settings.seed = seed;
    settings.activity_MBq = made.activity_MBq;
    settings.physics = Physics::of(scanner);
    BinRequest binning;
    binning.input = "the simulated list";
    binning.form = kForm;
    CorrectRequest correction;
    correction.delayeds = "the simulated delayeds";
    correction.scatter = true;
    Lists lists = simulated(scanner, phantom, settings, pool, context, steps, at(0.5));
    made.duration_s = lists.prompts.duration_s;
    correction.delayedList = std::make_shared<const EventList>(std::move(lists.delayeds));
    steps.now(at(0.5));
    PartedCorrections data{kForm, {}, {}};
    {
        const RecognisedFile list(binning.input, "simulation",
                                  std::make_shared<ListInMemory>(std::move(lists.prompts)));
        data.data = binEvents(binning, list, pool, steps).data;
    }
    sumScatterBy(*context.engines.choose("auto"), correction);
    const Corrected corrected = correctData(data, binning.input, correction, pool, steps, {});
    made.randoms = corrected.result.randoms;
    made.scatter = corrected.result.scatter;
    const QuietRun run = runQuietly(context, builtInForms().named(kForm).measure(std::move(data.data)),
                                    settingsOf("osem", context.engine, kIterations), std::nullopt, -1,
                                    "image quality: reconstruction", at(0.8), to, {kIterations / 2});
    made.image = run.image;
    made.early = run.iterates.at(kIterations / 2);
    return made;
}

}  // namespace tof
