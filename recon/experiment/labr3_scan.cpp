// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/labr3_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "recon/base/error.h"
#include "recon/experiment/temporary_file.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/work/bin.h"
#include "recon/work/correct.h"
#include "recon/work/simulate.h"

namespace tof {

namespace {

constexpr std::uint64_t kPaperPrompts = 430'000'000;

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
    constexpr double kMargin_mm = 8;  // of each end, for blurring
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
    scan.slices = context.slices ? context.slices(context.engine == "cuda" ? "cuda" : "cpu") : SliceMaker();
    BinRequest binning;
    std::optional<Scanner> scanner;
    std::optional<PartwiseHistoImages> images;
    std::uint64_t taken = 0;
    scan.take = [&](EventList& events, const Scanner& of) {
        if (!images) {
            images.emplace(scanner.emplace(of), binning, pool, progress);
        }
        images->add(events);
        taken += events.size();
        progress.now(
            from + 0.6 * (to - from) *
                       std::min(1.0, static_cast<double>(taken) / static_cast<double>(scan.settings.events)));
        events.crystals.clear();
        events.dt_ps.clear();
        events.kind.clear();
        events.scatters.clear();
        events.energy_keV.clear();
    };
    const SimulatedScan made = simulateScan(scan, pool, progress);
    if (!images || !made.delayeds) {
        throw InternalError("the scan of the LaBr3 scanner came without events or delayeds");
    }
    progress.now(from + 0.6 * (to - from));
    HistoData data = images->finish(std::get<EventList>(made.data));
    images.reset();
    const TemporaryFile delayeds;
    writeEvents(delayeds.path, *made.delayeds);
    progress.now(from + 0.7 * (to - from));
    CorrectRequest corrections;
    corrections.delayeds = delayeds.path;
    corrections.scatter = true;
    static_cast<void>(correct(data, "the scan", corrections, pool, progress));
    data.phantom = "spheres";
    return std::make_shared<const HistoData>(std::move(data));
}

}  // namespace tof
