// SPDX-License-Identifier: Apache-2.0
// PETRIC's rule (recon/experiment/petric_rule.h) on a lattice that is too large for a file: histo-images of
// the phantom nema-iq by its own projections with Poisson noise, made in memory by every rank for its own
// views, and SVRG by one process or several (docs/measurements/gpu.md). usage: [mpirun -n N] petric_bench X Y
// Z MM AZIMUTHS TILTS ACCEPTANCE EVENTS SUBSETS ITERATIONS ENGINE
//        REFERENCE
// REFERENCE is the algorithm that makes the converged image, lbfgsb, or `last`: the last iterate stands for
// it.
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/bench/stopwatch.h"
#include "recon/experiment/petric_rule.h"
#include "recon/phantom/phantom.h"
#include "recon/ranks/loader/mpi_loader.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/ranked_run.h"
#include "recon/work/reconstruct.h"

using namespace tof;

namespace {

constexpr const char* kPhantom = "nema-iq";

/// Views that are made when a rank asks for its own, the same whichever rank that is.
class ProjectedViews : public HistoMeasurement {
  public:
    ProjectedViews(HistoData outline, double events)
        : HistoMeasurement(std::move(outline)),
          events_(events),
          object_(Phantom::fromNameOrText(kPhantom, "phantom").emissionOn(data_->lattice)) {}

    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override {
        std::vector<std::size_t> all(data_->views.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return sourceOf(all, model(settings), place);
    }
    [[nodiscard]] RankShare share(const RankRequest& request) const override {
        HistoShare share = histoShare(*data_, request);
        if (share.division.slab) {
            throw WrongUse("give every rank whole views: fewer subsets");
        }
        const auto mine = std::make_shared<const HistoMeasurement>(std::move(share.own));
        return {std::move(share.division),
                [mine](const RunSettings& settings) { return mine->model(settings); },
                [this, mine, views = std::move(share.views)](const RunSettings& settings,
                                                             const SourcePlace& place) {
                    return sourceOf(views, mine->model(settings), place);
                }};
    }

  private:
    [[nodiscard]] std::shared_ptr<DataSource> sourceOf(const std::vector<std::size_t>& views,
                                                       const SystemModel& model,
                                                       const SourcePlace& place) const {
        if (views != made_ || counts_ == nullptr) {
            counts_.reset();
            counts_ = std::make_shared<const std::vector<float>>(make(views, model, place));
            made_ = views;
        }
        return sourceOfParts({*counts_, {}, {}, views.size(), data_->voxels(), counts_}, place, {});
    }
    [[nodiscard]] std::vector<float> make(const std::vector<std::size_t>& views, const SystemModel& model,
                                          const SourcePlace& place) const {
        const auto space = place.engine.makeSpace(place.options);
        auto made = place.engine.makeProjector(model, space, place.options);
        Projector& projector = *std::get<std::unique_ptr<Projector>>(made);
        const std::size_t voxels = data_->voxels();
        std::vector<float> counts(views.size() * voxels);
        Array x = space->allocate(voxels);
        Array p = space->allocate(voxels);
        space->upload(object_.data, x.view());
        double total = 0;
        for (std::size_t v = 0; v < views.size(); ++v) {
            projector.forward(v, x.view(), p.view());
            total += space->sum(p.view());
            space->download(p.view(), std::span(counts).subspan(v * voxels, voxels));
        }
        const double scale = events_ / place.ranks->sum(total);
        const ThreadPool pool(place.options.threads);
        constexpr std::size_t kGrain = std::size_t{1} << 18U;
        for (std::size_t v = 0; v < views.size(); ++v) {
            float* const view = counts.data() + v * voxels;
            pool.forRange(voxels, kGrain, [&](std::size_t begin, std::size_t end) {
                std::mt19937_64 random(views[v] * voxels + begin);
                for (std::size_t i = begin; i < end; ++i) {
                    const double mean = scale * static_cast<double>(view[i]);
                    view[i] = mean > 0 ? static_cast<float>(std::poisson_distribution<int>(mean)(random)) : 0;
                }
            });
        }
        return counts;
    }

    double events_;
    Volume object_;
    mutable std::vector<std::size_t> made_;
    mutable std::shared_ptr<const std::vector<float>> counts_;
};

/// Keeps every iterate with the time that it took.
class Watch : public JobListener {
  public:
    void iterateDone(Iterate iterate) override {
        std::printf("  iterate %d: %.3f s\n", iterate.iteration, iterate.seconds);
        std::fflush(stdout);
        iterates_.push_back(std::move(iterate));
    }
    [[nodiscard]] const Volume& last() const { return *iterates_.back().image; }
    /// How far every iterate is from the reference, and when ten in a row pass.
    void tell(const PetricRule& rule) const {
        std::vector<PetricDistance> distances;
        std::vector<double> seconds;
        for (const Iterate& iterate : iterates_) {
            distances.push_back(rule.distance(*iterate.image));
            seconds.push_back((seconds.empty() ? 0.0 : seconds.back()) + iterate.seconds);
            const PetricDistance& d = distances.back();
            std::printf("  iterate %d, %.3f s: VOI %.5f, object %.5f, background %.5f\n", iterate.iteration,
                        seconds.back(), d.voi, d.object, d.background);
        }
        const int first = PetricRule::firstOfTen(distances);
        if (first < 0) {
            std::printf("no ten iterates in a row pass\n");
        } else {
            std::printf("ten iterates in a row pass from iterate %d on, after %.3f s\n", first + 1,
                        seconds[static_cast<std::size_t>(first)]);
        }
    }

  private:
    std::vector<Iterate> iterates_;
};

std::shared_ptr<const Volume> made(ReconstructRequest request, const char* algorithm, int iterations,
                                   JobListener& listener, const std::shared_ptr<const Volume>& start) {
    request.settings.set("algorithm", algorithm);
    request.settings.iterations = iterations;
    request.startImage = start;
    const auto begin = std::chrono::steady_clock::now();
    const ReconstructResult result = reconstruct(request, makeEngineRegistry(), listener);
    if (request.ranks->first()) {
        std::printf("%s: %d iterations, %.1f s with all around them, %s\n", algorithm, result.lastIteration,
                    secondsSince(begin), result.engine.c_str());
        std::fflush(stdout);
    }
    return result.image;
}

void measure(const std::vector<std::string>& words, const std::shared_ptr<Communicator>& ranks) {
    HistoData outline;
    const double mm = std::stod(words[3]);
    outline.lattice =
        Lattice::centred({std::stoi(words[0]), std::stoi(words[1]), std::stoi(words[2])}, {mm, mm, mm});
    outline.views =
        ViewGrid(std::stoi(words[4]), std::stoi(words[5]), std::stod(words[6]) * kRadPerDeg).views();
    outline.hash = "projected views";
    const double events = std::stod(words[7]);
    outline.kept = static_cast<std::uint64_t>(events);

    ReconstructRequest request;
    request.ranks = ranks;
    request.data = std::make_shared<ProjectedViews>(std::move(outline), events);
    request.settings.set("kernel", "invariant");
    request.settings.set("engine", words[10]);
    request.settings.set("subsets", words[8]);
    request.settings.beta = 0.01;
    JobListener nobody;
    const auto start = made(request, "osem", 1, nobody, nullptr);
    std::shared_ptr<const Volume> best;
    if (words[11] != "last") {
        ReconstructRequest sure = request;
        sure.settings.stop = 1e-5;
        best = made(sure, words[11].c_str(), 25, nobody, start);
    }
    Watch watch;
    const bool first = ranks->first();
    static_cast<void>(
        made(request, "svrg", std::stoi(words[9]), first ? static_cast<JobListener&>(watch) : nobody, start));
    if (first) {
        watch.tell(PetricRule(best != nullptr ? *best : watch.last(), autoRois(kPhantom)));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
    try {
        if (words.size() != 12) {
            throw WrongUse("usage: see petric_bench.cpp");
        }
        if (launched().several) {
            ranks = joinRanks();
        }
        measure(words, ranks);
        ranks->barrier();
        return 0;
    } catch (const Error& fault) {
        if (ranks->leave(fault.kind())) {
            std::fprintf(stderr, "petric_bench: %s\n", fault.what());
        }
        return 1;
    }
}
