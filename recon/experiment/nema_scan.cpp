// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_scan.h"

#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/experiment/quiet_run.h"
#include "recon/forms/forms.h"
#include "recon/io/format_table.h"
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
    ScanSteps(const ExperimentContext& context, const ScanOrder& order)
        : context_(context), order_(order), at_(order.from) {}
    void stage(const std::string& name) override {
        stage_ = name;
        report(0);
    }
    void report(double /*share*/) override { context_.progress(order_.what + ": " + stage_, at_); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
    /// What follows begins so far through the scan.
    void now(double share) { at_ = order_.from + share * (order_.to - order_.from); }

  private:
    const ExperimentContext& context_;
    const ScanOrder& order_;
    double at_;
    std::string stage_ = "simulation";
};

/// What the scanner measured.
struct Lists {
    EventList prompts;
    EventList delayeds;
    CrystalSingles singles;
};

Lists simulated(const Scanner& scanner, const ScanOrder& order, const ThreadPool& pool,
                const ExperimentContext& context, ScanSteps& steps) {
    constexpr double kShare = 0.5;  // of the scan's progress
    SimulationSettings settings;
    settings.events = order.prompts;
    settings.seed = order.seed;
    settings.activity_MBq = order.activity_MBq;
    settings.physics = Physics::of(scanner);
    Lists lists;
    SimulationHooks hooks;
    hooks.delayed = &lists.delayeds;
    hooks.singles = &lists.singles;
    hooks.slices = slicesBy(context.engines, context.engine == "cuda" ? "cuda" : "cpu");
    hooks.progress = [&](std::uint64_t made) {
        steps.now(kShare * static_cast<double>(made) / static_cast<double>(settings.events));
        steps.report(0);
    };
    steps.report(0);
    lists.prompts = simulateWith(scanner, order.phantom, settings, pool, hooks, nullptr);
    steps.now(kShare);
    return lists;
}

/// Randoms of delayeds and scatter; dead time where it is asked for and blocks have any.
CorrectRequest correctionOf(const ScanOrder& order, Lists& lists) {
    CorrectRequest request;
    request.delayeds = "the simulated delayeds";
    request.delayedList = std::make_shared<const EventList>(std::move(lists.delayeds));
    request.scatter = true;
    if (order.deadTime == DeadTimeOf::Corrected && !lists.singles.busy.empty()) {
        request.singles = "the simulated singles";
        request.knownSingles = std::make_shared<const CrystalSingles>(std::move(lists.singles));
        request.switches.randoms = RandomsBy::Delayeds;
        request.switches.deadTime = true;
    }
    return request;
}

}  // namespace

ListScan listScan(const Scanner& scanner, const ScanOrder& order, const ExperimentContext& context) {
    if (!(scanner.timing_fwhm_ps > 0)) {
        throw WrongUse(
            "scanner '{}' measures no times of flight, which corrections of lists need; give it "
            "'timing_fwhm_ps', or "
            "leave the tests image-quality and accuracy out",
            scanner.name);
    }
    const ThreadPool pool(context.threads);
    ScanSteps steps(context, order);
    ListScan made;
    made.iterations = kIterations;
    BinRequest binning;
    binning.input = "the simulated list";
    binning.form = kForm;
    Lists lists = simulated(scanner, order, pool, context, steps);
    made.duration_s = lists.prompts.duration_s;
    CorrectRequest correction = correctionOf(order, lists);
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
    constexpr double kCorrected = 0.8;
    const QuietRun run = runQuietly(
        context, builtInForms().named(kForm).measure(std::move(data.data)),
        settingsOf("osem", context.engine, kIterations), std::nullopt, -1, order.what + ": reconstruction",
        order.from + kCorrected * (order.to - order.from), order.to, {kIterations / 2});
    made.image = run.image;
    made.early = run.iterates.at(kIterations / 2);
    return made;
}

}  // namespace tof
