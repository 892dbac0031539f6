// SPDX-License-Identifier: Apache-2.0
// Measures reconstructions over ranks, or of one process, of data made in memory: what
// docs/measurements/ranks.md quotes. usage: [mpirun -n N] ranks_bench list EVENTS SUBSETS ITERATIONS ENGINE
//        [mpirun -n N] ranks_bench views X Y Z MM AZIMUTHS TILTS ACCEPTANCE SUBSETS ITERATIONS ENGINE
//        LIMIT_GIB
//        ranks_bench share N list|views ...
//        mpirun -n N ranks_bench same ENGINE[:STRATEGY] ITERATIONS DATA...
// With LIMIT_GIB `fits` views are on the device once and stand for all: the time if the data had fitted.
// SUBSETS 0 is RAMLA view by view. `share` does what the first of N ranks does, without the others: of its
// times those of stages count, as sums and halos only go through the host's memory. `same` reconstructs files
// by each rank alone and by all together, with every algorithm, and says how far the images are apart.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/bench/stopwatch.h"
#include "recon/ranks/loader/mpi_loader.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/ranked_run.h"
#include "recon/work/read_measurement.h"
#include "recon/work/read_share.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"

using namespace tof;
using Clock = std::chrono::steady_clock;

namespace {

/// Views that are different from each other; all others repeat them.
constexpr std::size_t kDifferent = 4;

/// An array of many views that takes the memory of a few: their pages appear again and again.
class RepeatedArray {
  public:
    /// `views` a multiple of kDifferent; values between `low` and `high`.
    RepeatedArray(std::size_t voxels, std::size_t views, float low, float high, const ThreadPool& pool)
        : size_(voxels * views) {
        const std::size_t block = kDifferent * voxels * sizeof(float);
        const int file = ::memfd_create("views", 0);
        if (block % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) != 0 || file < 0 ||
            ::ftruncate(file, static_cast<off_t>(block)) != 0) {
            throw InternalError("views cannot be repeated: not whole pages, or no such memory");
        }
        all_ = static_cast<char*>(::mmap(nullptr, size_ * sizeof(float), PROT_NONE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        for (std::size_t begin = 0; begin < size_ * sizeof(float); begin += block) {
            if (::mmap(all_ + begin, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
                MAP_FAILED) {
                throw InternalError("views cannot be repeated");
            }
        }
        ::close(file);
        auto* const values = reinterpret_cast<float*>(all_);
        constexpr std::size_t kGrain = std::size_t{1} << 20U;
        pool.forRange(kDifferent * voxels, kGrain, [&](std::size_t begin, std::size_t end) {
            std::minstd_rand random(static_cast<unsigned>(begin / kGrain + 1));
            for (std::size_t i = begin; i < end; ++i) {
                values[i] = low + (high - low) * static_cast<float>(random() % 1024) / 1024.0F;
            }
        });
    }
    ~RepeatedArray() { ::munmap(all_, size_ * sizeof(float)); }
    RepeatedArray(const RepeatedArray&) = delete;
    RepeatedArray& operator=(const RepeatedArray&) = delete;
    [[nodiscard]] std::span<const float> values() const {
        return {reinterpret_cast<const float*>(all_), size_};
    }

  private:
    std::size_t size_;
    char* all_ = nullptr;
};

struct RepeatedViews {
    RepeatedArray counts;
    RepeatedArray mult;
    RepeatedArray add;
};

/// The few views on the device, as if all were there.
class AsIfFitted : public DataSource {
  public:
    AsIfFitted(const PartedData& data, std::shared_ptr<Space> space, int threads)
        : parts_(data.parts), few_(fewOf(data), std::move(space), SIZE_MAX, threads) {}
    [[nodiscard]] std::size_t parts() const override { return parts_; }
    [[nodiscard]] bool resident() const override { return true; }
    [[nodiscard]] PartData part(std::size_t index) override { return few_.part(index % kDifferent); }
    [[nodiscard]] double totalCounts() const override { return few_.totalCounts() * share(); }
    [[nodiscard]] double totalAdd() const override { return few_.totalAdd() * share(); }

  private:
    static PartedData fewOf(PartedData data) {
        const std::size_t size = kDifferent * data.partSize;
        data.counts = data.counts.first(size);
        data.mult = data.mult.first(size);
        data.add = data.add.first(size);
        data.parts = kDifferent;
        return data;
    }
    [[nodiscard]] double share() const {
        return static_cast<double>(parts_) / static_cast<double>(kDifferent);
    }

    std::size_t parts_;
    SpaceHistoSource few_;
};

/// Views without what makes them whole pages.
class WithoutPadding : public DataSource {
  public:
    WithoutPadding(std::shared_ptr<DataSource> padded, std::size_t voxels)
        : padded_(std::move(padded)), voxels_(voxels) {}
    [[nodiscard]] std::size_t parts() const override { return padded_->parts(); }
    [[nodiscard]] bool resident() const override { return padded_->resident(); }
    [[nodiscard]] PartData part(std::size_t index) override {
        const PartData data = padded_->part(index);
        return {data.y.part(0, voxels_), data.mult.part(0, voxels_), data.add.part(0, voxels_)};
    }
    [[nodiscard]] bool streamed(std::size_t index) const override { return padded_->streamed(index); }
    void prefetch(std::size_t index) override { padded_->prefetch(index); }
    [[nodiscard]] double totalCounts() const override { return padded_->totalCounts(); }
    [[nodiscard]] double totalAdd() const override { return padded_->totalAdd(); }

  private:
    std::shared_ptr<DataSource> padded_;
    std::size_t voxels_;
};

enum class Held { AsTheyFit, AsIfFitted };

class GeneratedViews : public HistoMeasurement {
  public:
    GeneratedViews(HistoData outline, Held held) : HistoMeasurement(std::move(outline)), held_(held) {}

    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings&,
                                                     const SourcePlace& place) const override {
        return sourceOf(data_->views.size(), data_->voxels(), place);
    }
    [[nodiscard]] RankShare share(const RankRequest& request) const override {
        HistoShare share = histoShare(*data_, request);
        const std::size_t views = share.views.size();
        const std::size_t voxels = share.division.slab ? share.division.slab->size() : data_->voxels();
        const auto mine = std::make_shared<const HistoMeasurement>(std::move(share.own));
        return {std::move(share.division),
                [mine](const RunSettings& settings) { return mine->model(settings); },
                [this, views, voxels](const RunSettings&, const SourcePlace& place) {
                    return sourceOf(views, voxels, place);
                }};
    }

  private:
    [[nodiscard]] std::shared_ptr<DataSource> sourceOf(std::size_t views, std::size_t voxels,
                                                       const SourcePlace& place) const {
        constexpr std::size_t kWholePages = 256;  // voxels of a view, of which there are kDifferent
        const std::size_t padded = (voxels + kWholePages - 1) / kWholePages * kWholePages;
        const std::shared_ptr<DataSource> source = paddedSourceOf(views, padded, place);
        return padded == voxels ? source : std::make_shared<WithoutPadding>(source, voxels);
    }
    [[nodiscard]] std::shared_ptr<DataSource> paddedSourceOf(std::size_t views, std::size_t voxels,
                                                             const SourcePlace& place) const {
        const ThreadPool pool(place.options.threads);
        const std::size_t whole = (views + kDifferent - 1) / kDifferent * kDifferent;
        const std::shared_ptr<const RepeatedViews> made(
            new RepeatedViews{{voxels, whole, 0, 3, pool},
                              {voxels, whole, 0.3F, 0.8F, pool},
                              {voxels, whole, 0.05F, 0.06F, pool}});
        const PartedData data{
            made->counts.values(), made->mult.values(), made->add.values(), views, voxels, made};
        if (held_ == Held::AsIfFitted) {
            return std::make_shared<AsIfFitted>(data, place.placed.space, place.options.threads);
        }
        return sourceOfParts(data, place, {});
    }

    Held held_;
};

/// Lines through a cylinder of 350 mm, as tofscope-cli bench draws them.
std::shared_ptr<const Measurement> generatedList(std::size_t count, const ThreadPool& pool) {
    LineData data;
    data.lattice = Lattice::centred({144, 144, 48}, {4, 4, 4});
    MichelogramSpec spec = MichelogramSpec::find("ge-ste");
    constexpr double kFwhm_ps = 400;
    constexpr double kRadius_mm = 175;
    spec.tof = {41, kFwhm_ps / kFwhmPerSigma, kFwhm_ps, 3};
    data.michelogram = std::make_shared<const Michelogram>(spec);
    auto events = std::make_shared<LineEvents>();
    events->points = ringPoints(spec.scanner);
    events->tof = spec.tof;
    events->eventsPerPart = usualPartSize(count);
    events->pairs.resize(count);
    events->dt_ps.resize(count);
    constexpr std::size_t kGrain = std::size_t{1} << 20U;
    pool.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
        std::mt19937_64 random(begin / kGrain + 1);
        std::uniform_real_distribution<double> unit(0, 1);
        const auto crystals = static_cast<std::uint32_t>(events->points.size());
        for (std::size_t i = begin; i < end;) {
            const auto c1 = static_cast<std::uint32_t>(random() % crystals);
            const auto c2 = static_cast<std::uint32_t>(random() % crystals);
            const Vec3 one = events->points[c1];
            const Vec3 two = events->points[c2];
            const double across = std::hypot(two.x - one.x, two.y - one.y);
            const double s = across > 0 ? (one.x * two.y - one.y * two.x) / across : kRadius_mm;
            if (std::abs(s) >= kRadius_mm) {
                continue;
            }
            const double half = std::sqrt(kRadius_mm * kRadius_mm - s * s) * norm(two - one) / across;
            events->pairs[i] = {c1, c2};
            events->dt_ps[i] = static_cast<float>(half * (2 * unit(random) - 1) / kMmPerPs);
            ++i;
        }
    });
    data.events = events;
    data.hash = "generated list";
    return std::make_shared<const LineMeasurement>(std::move(data));
}

std::shared_ptr<const Measurement> generatedViews(const std::vector<std::string>& words) {
    HistoData outline;
    const double mm = std::stod(words[4]);
    outline.lattice =
        Lattice::centred({std::stoi(words[1]), std::stoi(words[2]), std::stoi(words[3])}, {mm, mm, mm});
    outline.views =
        ViewGrid(std::stoi(words[5]), std::stoi(words[6]), std::stod(words[7]) * kRadPerDeg).views();
    outline.hash = "generated views";
    return std::make_shared<const GeneratedViews>(std::move(outline),
                                                  words[11] == "fits" ? Held::AsIfFitted : Held::AsTheyFit);
}

/// The first of several ranks, of which the others have nothing and agree to all.
class AloneOfSeveral : public Transport {
  public:
    explicit AloneOfSeveral(int size) : size_(size) {}
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] int localRank() const override { return 0; }
    [[nodiscard]] int localSize() const override { return 1; }
    void gatherAll(const void* mine, void* all, std::size_t bytes) override {
        for (int r = 0; r < size_; ++r) {
            std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes, mine, bytes);
        }
    }
    void exchange(std::span<const Sent> /*sent*/, std::span<const Received> received) override {
        for (const Received& one : received) {
            std::memset(one.data, 0, one.bytes);
        }
    }

  private:
    int size_;
};

/// The times of iterations after the first few, in which memory for images on their way is made.
class Times : public JobListener {
  public:
    explicit Times(int iterations) : first_(std::min(3, iterations - 1)) {}
    void preparing(const std::string& what) override {
        std::printf("  %.1f s: %s\n", secondsSince(begin_), what.c_str());
        std::fflush(stdout);
    }
    void iterateDone(Iterate iterate) override {
        std::printf(
            "  iteration %d: %.4f s; upload %.4f, forward %.4f, discrepancy %.4f, back %.4f, update %.4f\n",
            iterate.iteration, iterate.seconds, iterate.stageSeconds[0], iterate.stageSeconds[1],
            iterate.stageSeconds[2], iterate.stageSeconds[3], iterate.stageSeconds[4]);
        std::fflush(stdout);
        lastCame_ = Clock::now();
        if (iterate.iteration == first_) {
            firstCame_ = lastCame_;
        }
        if (iterate.iteration > first_) {
            alone_ += iterate.seconds;
            ++count_;
            for (const double stage : iterate.stageSeconds) {
                stages_ += stage;
            }
        }
    }
    void memory(const RunMemory& memory) override { memory_ = memory; }
    /// Called when the run has ended. Wall time is that from image to image as they come to the host; what
    /// ending takes, is once for a run.
    void tell(int ranks) const {
        const double wall = std::chrono::duration<double>(lastCame_ - firstCame_).count();
        std::printf(
            "%d ranks: %.4f s an iteration by its clock, %.4f in its stages, %.4f of wall time with images "
            "(mean of %d), %.2f s after the last; %.1f GB on the device\n",
            ranks, alone_ / count_, stages_ / count_, wall / count_, count_, secondsSince(lastCame_),
            static_cast<double>(memory_.device) / 1e9);
    }

  private:
    int first_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point firstCame_ = begin_;  ///< the image of iteration `first_`
    Clock::time_point lastCame_ = begin_;
    double alone_ = 0;
    double stages_ = 0;
    int count_ = 0;
    RunMemory memory_;
};

void measure(const std::vector<std::string>& words, const std::shared_ptr<Communicator>& ranks) {
    const bool list = words.front() == "list";
    const std::size_t rest = list ? 2 : 8;
    ReconstructRequest request;
    request.ranks = ranks;
    request.settings.set("algorithm", words[rest] == "0" ? "ramla" : "osem");
    request.settings.set("subsets", words[rest]);
    request.settings.set("iterations", words[rest + 1]);
    request.settings.set("engine", words[rest + 2]);
    if (!list && words[11] != "fits") {
        request.settings.set("memory-limit", words[11]);
    }
    const ThreadPool pool(threadsOfProcess(0, *ranks));
    request.data = list ? generatedList(std::stoull(words[1]), pool) : generatedViews(words);
    Times told(request.settings.iterations);
    JobListener silent;
    const bool first = ranks->first();
    const ReconstructResult result =
        reconstruct(request, makeEngineRegistry(), first ? static_cast<JobListener&>(told) : silent);
    if (first) {
        told.tell(ranks->size());
        double sum = 0;
        for (const float value : result.image->data) {
            sum += static_cast<double>(value);
        }
        std::printf("  %s, sum of the image %.7g\n", result.engine.c_str(), sum);
    }
}

/// The image after the last iteration; of ranks on the first one.
std::shared_ptr<const Volume> imageOf(const std::string& file, const RunSettings& settings,
                                      const std::shared_ptr<Communicator>& ranks) {
    ReconstructRequest request;
    request.settings = settings;
    request.ranks = ranks;
    std::string note;
    request.data = readMeasurementOfRank(file, settings, *ranks, note);
    JobListener silent;
    return reconstruct(request, makeEngineRegistry(), silent).image;
}

void compare(const std::vector<std::string>& words, const std::shared_ptr<Communicator>& ranks) {
    struct Row {
        const char* algorithm;
        const char* subsets;
    };
    for (std::size_t i = 3; i < words.size(); ++i) {
        for (const auto& [algorithm, subsets] :
             {Row{"mlem", "0"}, {"osem", "2"}, {"ramla", "2"}, {"ramla", "0"}}) {
            RunSettings settings;
            const std::size_t colon = words[1].find(':');
            settings.set("engine", words[1].substr(0, colon));
            if (colon != std::string::npos) {
                settings.set("strategy", words[1].substr(colon + 1));
            }
            settings.set("iterations", words[2]);
            settings.set("algorithm", algorithm);
            settings.set("subsets", subsets);
            const auto one = imageOf(words[i], settings, communicatorOfOne());
            const auto several = imageOf(words[i], settings, ranks);
            if (!ranks->first()) {
                continue;
            }
            std::printf("%d ranks, %s, %s, subsets %s: %.2g apart\n", ranks->size(), words[i].c_str(),
                        algorithm, subsets, fixtures::relativeToMaximum(several->data, one->data));
            std::fflush(stdout);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
    try {
        if (words.size() > 3 && words.front() == "same") {
            ranks = joinRanks();
            compare(words, ranks);
            ranks->barrier();
            return 0;
        }
        if (words.size() > 2 && words.front() == "share") {
            ranks = std::make_shared<Communicator>(std::make_unique<AloneOfSeveral>(std::stoi(words[1])));
            words.erase(words.begin(), words.begin() + 2);
        }
        const bool list = words.size() == 5 && words.front() == "list";
        if (!list && (words.size() != 12 || words.front() != "views")) {
            throw WrongUse("usage: see ranks_bench.cpp");
        }
        if (ranks->alone() && launched().several) {
            ranks = joinRanks();
        }
        measure(words, ranks);
        ranks->barrier();
        return 0;
    } catch (const Error& fault) {
        if (ranks->leave(fault.kind())) {
            std::fprintf(stderr, "ranks_bench: %s\n", fault.what());
        }
        return 1;
    }
}
