// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/labr3_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "recon/base/error.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/data/event_part.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/work/simulate.h"

namespace tof {

namespace {

constexpr std::uint64_t kPaperPrompts = 430'000'000;

/// Leaves what binning and rates of singles need: a hundred million events lie in memory at once.
void keepPairs(EventList& events) {
    const auto drop = [](auto& column) { std::decay_t<decltype(column)>().swap(column); };
    drop(events.kind);
    drop(events.scatters);
    drop(events.energy_keV);
}

/// Hands what workflows tell to the context.
class ToContext : public WorkProgress {
  public:
    ToContext(const ExperimentContext& context, double at) : context_(context), at_(at) {}
    void stage(const std::string& name) override {
        stage_ = name;
        report(0);
    }
    void report(double /*share*/) override { context_.progress(stage_, at_); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
    void now(double at) { at_ = at; }

  private:
    const ExperimentContext& context_;
    double at_;
    std::string stage_;
};

}  // namespace

Phantom spheresWithin(const Lattice& lattice) {
    constexpr double kMargin_mm = 8;  // margin of each end, for blurring
    Phantom phantom = Phantom::find("spheres");
    PhantomShape& body = phantom.shapes.front();
    const double length = std::min(body.size_mm.z, lattice.size[2] * lattice.spacing_mm[2] - 2 * kMargin_mm);
    if (length < body.size_mm.z) {
        body.size_mm.z = length;
        phantom.name = fmt::format("spheres in {:g} mm of water", length);
        phantom.description.clear();
    }
    return phantom;
}

std::shared_ptr<const HistoData> labr3Scan(const ExperimentContext& context, double from, double to) {
    const ThreadPool pool(context.threads);
    ToContext progress(context, from);
    SimulateRequest scan;
    scan.scanner = "labr3";
    scan.phantom = "spheres";
    scan.settings.events = context.events > 0 ? context.events : kPaperPrompts;
    scan.settings.seed = kLabr3ScanSeed;
    scan.delayeds = true;
    scan.slices = slicesBy(context.engines, context.engine == "cuda" ? "cuda" : "cpu");
    BinRequest binning;
    std::optional<Scanner> scanner;
    std::optional<PartwiseHistoImages> images;
    std::uint64_t taken = 0;
    scan.take = [&](EventList& events, const Scanner& of, std::uint64_t /*all*/) {
        if (!images) {
            images.emplace(scanner.emplace(of), binning, pool, progress);
        }
        images->add(events);
        taken += events.size();
        progress.now(
            from + 0.6 * (to - from) *
                       std::min(1.0, static_cast<double>(taken) / static_cast<double>(scan.settings.events)));
        clearEvents(events);
    };
    SimulatedScan made = simulateScan(scan, pool, progress);
    if (!images || !made.delayeds) {
        throw InternalError("the scan of the LaBr3 scanner came without events or delayeds");
    }
    progress.now(from + 0.6 * (to - from));
    HistoData data = images->finish(std::get<EventList>(made.data));
    images.reset();
    // As `correct` does from a file; a hundred million delayeds take longer to write than to use.
    context.progress("randoms", from + 0.6 * (to - from));
    EventList& delayeds = *made.delayeds;
    keepPairs(delayeds);
    const std::vector<double> rates = ratesOfDelayeds(
        delayeds, *scanner, delayeds.duration_s > 0 ? delayeds.duration_s : data.duration_s, pool);
    data.add =
        randomsOfViews(rates, *scanner, data, eventsKept(delayeds, *scanner, data.lattice, pool), pool);
    made.delayeds.reset();
    const double begin = from + 0.7 * (to - from);
    const Volume mu = Phantom::find(scan.phantom).wholeAttenuation(data.lattice, 2 * kAttenuationSpacing_mm);
    const ScatterFound found = findScatter(data, *scanner, mu, {}, pool, [&](double share) {
        context.progress("scatter", begin + (to - begin) * std::clamp(share, 0.0, 1.0));
    });
    std::transform(data.add.begin(), data.add.end(), found.scatter.begin(), data.add.begin(), std::plus<>());
    data.phantom = "spheres";
    return std::make_shared<const HistoData>(std::move(data));
}

}  // namespace tof
