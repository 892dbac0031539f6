// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <iterator>
#include <numeric>
#include <sstream>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/frames/frame_list.h"
#include "recon/io/format_table.h"
#include "recon/ranks/ranked_projector.h"
#include "recon/settings/image_grid.h"
#include "recon/work/anatomy.h"
#include "recon/work/direct_patlak.h"
#include "recon/work/frames_of_ranks.h"
#include "recon/work/joint_frames.h"
#include "recon/work/ranked_run.h"
#include "recon/work/run_description.h"
#include "recon/work/run_recorder.h"

namespace tof {

namespace {

std::string nameWithDevice(const Engine& engine) {
    return fmt::format("{}, {}", engine.name(), engine.device().name);
}

RunMemory memoryOf(const Measurement& data, const Space& space, std::size_t freeBefore,
                   const Projector& projector) {
    const std::size_t held = data.memoryBytes();
    const std::size_t free = space.bytesFree();
    const std::size_t taken = freeBefore > free ? freeBefore - free : 0;
    if (space.hostMemory()) {
        return {held + taken + projector.memoryBytes(), 0};
    }
    return {held, taken};
}

/// Nothing when no file is named.
std::optional<Volume> startImage(const std::string& file, const Lattice& lattice,
                                 std::function<void()> heed) {
    if (file.empty()) {
        return std::nullopt;
    }
    Volume start = readVolume(file, std::move(heed));
    if (start.lattice.size != lattice.size) {
        throw BadInput("{}: the start image is {} and the data are {}; resample it first", file,
                       start.lattice.text(), lattice.text());
    }
    return start;
}

/// Makes an image with negative values, as an analytic one, a start for algorithms that multiply.
void raiseNegative(Volume& image, JobListener& listener) {
    constexpr double kOfMean = 1e-3;  // 0 would be final
    const auto negative =
        std::count_if(image.data.begin(), image.data.end(), [](float value) { return value < 0; });
    if (negative == 0) {
        return;
    }
    const double sum = std::accumulate(image.data.begin(), image.data.end(), 0.0);
    if (!std::isfinite(sum)) {
        return;  // it is refused where it is taken
    }
    if (sum <= 0) {
        throw BadInput("the start image has no positive total; give another");
    }
    const double least = kOfMean * sum / static_cast<double>(image.data.size());
    for (float& value : image.data) {
        value = std::max(value, static_cast<float>(least));
    }
    listener.notice(fmt::format(
        "the start image is negative in {} voxels; values below {:.3g}, {} of its mean, begin there",
        negative, least, kOfMean));
}

/// Equal keys: the same data, placed in the same way. The address tells data apart that are alive together.
std::string placementKey(const Engine& engine, const EngineOptions& options, const Measurement& data) {
    return fmt::format("{} {} {} {} {} {} {} {}", engine.name(), options.device, options.memoryLimitBytes,
                       options.threads, static_cast<int>(options.priority), data.hash(),
                       data.lattice().text(), static_cast<const void*>(&data));
}

/// A projector in the space that the data are in, or in a new one. Data kept from another job give way when
/// the tables do not fit beside them.
std::unique_ptr<Projector> makeRoomAndProjector(const Engine& engine, const SystemModel& model,
                                                const EngineOptions& options, PlacedData& placed) {
    if (placed.space != nullptr) {
        try {
            return requireProjector(engine, model, placed.space, options);
        } catch (const Unavailable&) {
            placed = {};
        }
    }
    placed.space = engine.makeSpace(options);
    placed.bytesFree = placed.space->bytesFree();
    return requireProjector(engine, model, placed.space, options);
}

/// Whether this process reads and writes the files of the run.
bool keepsFiles(const ReconstructRequest& request) {
    return request.ranks->first();
}

/// What this rank does of the data; nothing for one process alone.
std::optional<RankShare> shareOfRank(const ReconstructRequest& request,
                                     const std::vector<std::size_t>& order) {
    if (request.ranks->alone()) {
        return std::nullopt;
    }
    if (request.replicates > 0) {
        throw WrongUse("replicates are made in one process; start it without mpirun");
    }
    if (const Algorithm& algorithm = *request.settings.algorithm().algorithm;
        algorithm.processes == Processes::One) {
        throw WrongUse("algorithm '{}' works in one process; start it without mpirun", algorithm.name);
    }
    Communicator& ranks = *request.ranks;
    ranks.requireSame("data set", request.data->hash());
    const auto blocks = makeBlocks(request.settings.algorithm(), order);
    return request.data->share({ranks.rank(), ranks.size(), blocks, request.settings});
}

std::string textOfNumbers(const std::vector<int>& numbers) {
    return fmt::format("{}", fmt::join(numbers, " "));
}

std::vector<int> numbersFromText(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<int>(in), {}};
}

void requireDirect(const ReconstructRequest& request, const AlgorithmSettings& algorithm) {
    if (!request.ranks->alone()) {
        throw WrongUse("--direct is made in one process; start it without mpirun");
    }
    if (!request.frames->only.empty() || request.frames->start == FrameStart::Sum) {
        throw WrongUse(
            "--direct takes all frames from --direct-start on; leave --only and --frames-from out");
    }
    requireEm("--direct", algorithm);
}

/// A sentence on gates that are compared.
constexpr const char* kGatesCompared[] = {"", ", gates in a row", ", gates in a cycle"};

/// What an image of a frame says of how it was made.
std::string wayOf(const FramesAsked& frames, int iterations) {
    const char* const start = frames.start == FrameStart::Sum ? "sum" : "uniform";
    const TemporalPrior& temporal = frames.temporal;
    const std::string joined =
        temporal.prior != nullptr
            ? fmt::format(", {} along time, beta {:g}{}, with frames {}", temporal.prior->name, temporal.beta,
                          kGatesCompared[static_cast<std::size_t>(temporal.gates)],
                          frames.only.empty() ? "of all times" : frames.only)
            : std::string();
    return fmt::format("{} iterations from {}{}", iterations, start, joined);
}

/// What takes long of the model. Of several ranks the first makes it and the others take it from where it is
/// kept.
void prepareModel(const ReconstructRequest& request, JobListener& listener, const Engine& engine,
                  const EngineOptions& options) {
    const auto prepare = [&] {
        request.data->prepare(request.settings, {engine, options, [&](const std::string& what, double share) {
                                                     listener.checkpoint();
                                                     listener.shareReady(what, share);
                                                 }});
    };
    const bool first = request.ranks->first();
    if (first) {
        prepare();
    }
    request.ranks->barrier();
    if (!first) {
        prepare();
    }
}

StartPoint startOf(const std::optional<Checkpoint>& earlier, const std::optional<Volume>& start,
                   Communicator& ranks) {
    StartPoint point;
    if (earlier) {
        point = {earlier->iteration, earlier->image->data, {}};
        if (earlier->coefficients != nullptr) {
            point.coefficients = earlier->coefficients->data;
        }
    } else if (start) {
        point.image = start->data;
    }
    return sharedStart(std::move(point), ranks);
}

/// One run, from its files to its last image, with its data in `placed`.
class PlacedRun {
  public:
    /// Keeps references.
    PlacedRun(const ReconstructRequest& request, JobListener& listener, const Engine& engine,
              const EngineOptions& options, PlacedData& placed)
        : request_(request),
          listener_(listener),
          engine_(engine),
          options_(options),
          placed_(placed),
          data_(*request.data),
          algorithm_(request.settings.algorithm()),
          order_(data_.order(request.settings.seed)),
          share_(shareOfRank(request, order_)),
          sensitivities_(request.sensitivities) {
        if (request.replicates > 0) {
            requireReplicable(data_);
            if (algorithm_.stop > 0) {
                throw WrongUse("replicates have as many iterations each; leave 'stop' at 0");
            }
        }
        if (request.frames) {
            requireFrames(data_);
            if (sensitivities_ == nullptr && data_.framesStandAlone()) {
                sensitivities_ = std::make_shared<SensitivityCache>();  // one for all frames
            }
            numbers_ = frameNumbers("--only", request.frames->only, frameCount(data_));
            if (request.frames->direct) {
                requireDirect(request, algorithm_);
                numbers_.clear();
            }
            if (const TemporalPrior& temporal = request.frames->temporal; temporal.prior != nullptr) {
                requireEm("--temporal-prior", algorithm_);
                static_cast<void>(framePairs(*data_.frames(), numbers_, temporal.gates));
            }
        }
        algorithm_.chosen = neighboursByAnatomy(request.settings, data_.lattice(),
                                                share_ ? share_->division.slab : std::nullopt, *request.ranks,
                                                options.threads);
    }

    PlacedRun(const PlacedRun&) = delete;
    PlacedRun& operator=(const PlacedRun&) = delete;
    ~PlacedRun() { over_ = true; }

    ReconstructResult run() {
        readFiles();
        makeProjector();
        placeData();
        const std::string description =
            describe(request_.settings, data_, engine_, order_.size(), *projector_, request_.dataNote);
        std::optional<FigureEvaluator> evaluator;
        if (evaluating_.valid()) {
            evaluator = evaluating_.get();
        }
        if (request_.replicates > 0 && evaluator) {
            ofReplicates_.emplace(*evaluator);
        }
        const auto memory = [this] {
            return memoryOf(data_, *placed_.space, placed_.bytesFree, *projector_);
        };
        const RunFiles files = keepsFiles(request_) ? request_.files : RunFiles();
        RunRecorder recorder(listener_, data_, files,
                             {description, algorithm_.iterations, !placed_.space->hostMemory()},
                             std::move(evaluator), memory);
        recorder.open(earlier_);
        listener_.memory(memory());
        return iterate(recorder);
    }

  private:
    /// What the run begins with; figures of merit get ready meanwhile.
    void readFiles() {
        if (!keepsFiles(request_)) {
            return;
        }
        if (request_.from) {
            earlier_ = checkpointToResume(request_.files.checkpointFile, data_, request_.settings);
        }
        start_ = request_.startImage != nullptr ? std::optional(*request_.startImage)
                                                : startImage(request_.startFile, data_.lattice(), heed());
        if (start_ && !earlier_ && algorithm_.algorithm->values == ImageValues::NotNegative) {
            raiseNegative(*start_, listener_);
        }
        if (request_.rois && !request_.rois->rois.empty()) {
            evaluating_ = std::async(std::launch::async, [this] {
                const ThreadPool pool(options_.threads, options_.priority, [this] {
                    if (over_) {
                        throw Cancelled();
                    }
                });
                return FigureEvaluator(*request_.rois, data_.lattice(), pool);
            });
        }
    }

    void makeProjector() {
        prepareModel(request_, listener_, engine_, options_);
        const SystemModel model = share_ ? share_->model(request_.settings) : data_.model(request_.settings);
        listener_.preparing("kernel tables");
        EngineOptions heeding = options_;
        heeding.heed = [this] { listener_.checkpoint(); };
        unlessOneLeaves([&] { projector_ = makeRoomAndProjector(engine_, model, heeding, placed_); });
        if (share_) {
            auto ranked = std::make_unique<RankedProjector>(std::move(projector_), share_->division,
                                                            *request_.ranks, heeding.heed);
            ranked_ = ranked.get();
            projector_ = std::move(ranked);
        }
        listener_.checkpoint();
    }

    /// Calls make(), by which ranks do not meet. Where one of them is told to end meanwhile, all end.
    template <typename Make>
    void unlessOneLeaves(const Make& make) {
        bool leaves = false;
        try {
            make();
        } catch (const Cancelled&) {
            leaves = true;
        }
        if (request_.ranks->any(leaves)) {
            throw Cancelled();
        }
    }

    /// What asks while projectors are made and data are placed. Ranks do not: they wait for each other there,
    /// and agree afterwards.
    [[nodiscard]] std::function<void()> heed() const {
        return [this] {
            if (request_.ranks->alone()) {
                listener_.checkpoint();
            }
        };
    }

    /// What projectors are made with.
    [[nodiscard]] EngineOptions heeding() const {
        EngineOptions options = options_;
        options.heed = heed();
        return options;
    }

    void placeData() {
        listener_.preparing("data");
        // On a device an image for display and an iterate may be on their way to the host at once.
        const std::size_t leaving = placed_.space->hostMemory() ? 1 : 2;
        const std::size_t headRoom = leaving * data_.lattice().voxels() * sizeof(float);
        const std::size_t reserve = workingBytes(*projector_, algorithm_) + headRoom;
        const SourcePlace place{engine_,        options_, placed_, reserve, share_ ? nullptr : sensitivities_,
                                request_.ranks, heed()};
        source_ = share_ ? share_->source(request_.settings, place) : data_.source(request_.settings, place);
        if (share_) {
            source_ = std::make_shared<RankedSource>(source_, share_->division, *request_.ranks);
        }
        listener_.checkpoint();
    }

    ReconstructResult iterate(RunRecorder& recorder) {
        std::optional<RankedControl> ranked;
        if (share_) {
            ranked.emplace(recorder, *request_.ranks, share_->division.slab, *ranked_);
        }
        RunControl& control = ranked ? static_cast<RunControl&>(*ranked) : recorder;

        listener_.preparing("sensitivities");
        const std::optional<AxialSlab> slab = share_ ? share_->division.slab : std::nullopt;
        Reconstruction reconstruction(*projector_, *source_, slab ? slab->lattice() : data_.lattice(),
                                      algorithm_, order_, control);
        reconstruction.setUnits(data_.units());
        if (projector_->makesWhole()) {
            reconstruction.setWhole(data_.lattice());
        }
        const StartPoint begin = startOf(earlier_, start_, *request_.ranks);
        if (!begin.image.empty()) {
            reconstruction.startFrom(planesOf(begin.image, slab), begin.iteration,
                                     planesOf(begin.coefficients, slab));
        }
        ReconstructResult result;
        int& last = result.lastIteration;
        try {
            last = reconstruction.run(control);
            if (request_.replicates > 0 && last == algorithm_.iterations) {
                result.replicateSeconds = replicate(recorder);
            }
            if (request_.frames && !finishesHere()) {
                frames(recorder, sumOf(reconstruction, ranked), result);
            }
        } catch (...) {
            recorder.suspend();
            throw;
        }
        std::vector<Volume> prior;
        for (const PriorImage which : {PriorImage::Kappa, PriorImage::Pull}) {
            if (std::optional<Volume> shown = reconstruction.image(which)) {
                prior.push_back(ranked ? ranked->whole(std::move(*shown)) : std::move(*shown));
            }
        }
        if (!prior.empty() && keepsFiles(request_)) {
            recorder.addPrior(prior.front(), prior.back());
        }
        recorder.close();

        std::shared_ptr<const Volume> image = recorder.lastImage();
        if (ranked && last == begin.iteration) {
            image = std::make_shared<const Volume>(ranked->whole(reconstruction.image()));
        } else if (image == nullptr) {
            image = std::make_shared<const Volume>(reconstruction.image());
        }
        result.image = std::move(image);
        result.engine = nameWithDevice(engine_);
        result.finishedEarly =
            last < algorithm_.iterations || result.frames < static_cast<int>(numbers_.size());
        return result;
    }

    /// Whether the first rank is to finish; asked by all.
    bool finishesHere() {
        return request_.ranks->any(request_.ranks->first() && listener_.finishRequested());
    }

    /// The image of all frames, on every rank.
    std::shared_ptr<const Volume> sumOf(Reconstruction& reconstruction,
                                        std::optional<RankedControl>& ranked) {
        Volume sum = reconstruction.image();
        if (ranked) {
            sum = ranked->whole(std::move(sum));
            sum.data = sharedStart({0, std::move(sum.data), {}}, *request_.ranks).image;
            sum.lattice = data_.lattice();
        }
        return std::make_shared<const Volume>(std::move(sum));
    }

    /// Makes those frames that the run file does not have yet.
    void frames(RunRecorder& recorder, std::shared_ptr<const Volume> sum, ReconstructResult& result) {
        const auto began = std::chrono::steady_clock::now();
        FrameRunRequest what{numbers_,      request_.frames->start, order_,          algorithm_,
                             data_.units(), std::move(sum),         options_.threads};
        what.placed = [this](const Measurement& frame) { return alone(frame); };
        if (request_.frames->direct) {
            makeDirectPatlak(*request_.frames->direct, what, data_, *projector_, source_, listener_);
            return;
        }
        what.begun = [&](int number) -> std::optional<FramePoint> {
            const std::optional<FrameBegun> begun = recorder.takeBegun(runFrame(number));
            return begun ? std::optional(FramePoint{begun->iteration, begun->image, begun->coefficients})
                         : std::nullopt;
        };
        what.reached = [&](const std::vector<FrameAt>& frames) {
            std::vector<FrameBegun> begun;
            begun.reserve(frames.size());
            for (const auto& [number, at] : frames) {
                begun.push_back({runFrame(number), at.iteration, at.image, at.coefficients});
            }
            recorder.setBegun(std::move(begun));
        };
        const TemporalPrior& temporal = request_.frames->temporal;
        const bool joint = temporal.prior != nullptr;
        const auto isThere = [&](int number) { return recorder.hasFrame(runFrame(number)); };
        // Frames that are made together are there together, or all are made.
        if (!joint || std::all_of(numbers_.begin(), numbers_.end(), isThere)) {
            std::erase_if(what.numbers, [&](int number) { return recorder.takeFrame(runFrame(number)); });
        }
        const auto keep = [&](int number, const Volume& image) {
            recorder.addFrame(runFrame(number), image);
        };
        FrameAlone whole;
        if (!request_.ranks->alone()) {
            what.numbers = numbersFromText(request_.ranks->ofFirst(textOfNumbers(what.numbers)));
            what.algorithm.chosen = neighboursByAnatomy(request_.settings, data_.lattice(), std::nullopt,
                                                        *request_.ranks, options_.threads);
            if (!data_.framesStandAlone()) {
                whole = alone(data_);
            }
        }
        Projector& projector = whole.projector ? *whole.projector : *projector_;
        const std::shared_ptr<DataSource>& source = whole.source ? whole.source : source_;
        int found = 0;
        if (joint && !what.numbers.empty()) {
            found =
                makeJointFrames(temporal, what, data_, projector, source, *request_.ranks, listener_, keep);
        } else if (request_.ranks->alone()) {
            found = makeFrames(what, data_, projector, source, listener_, keep);
        } else {
            found = makeFramesOnRanks(what, data_, projector, source, *request_.ranks, listener_, keep);
        }
        result.frames = static_cast<int>(numbers_.size() - what.numbers.size()) + found;
        result.frameSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }

    /// What the run file says of a frame.
    [[nodiscard]] RunFrame runFrame(int number) const {
        const FramedCounts& all = *data_.frames();
        const auto index = static_cast<std::size_t>(number - 1);
        const auto& edge = data_.lattice().spacing_mm;
        const bool absolute = data_.units() == kEmissionsPerVoxel;
        return {number,
                all.frames[index].time,
                absolute ? all.concentrationPerEmission(index, edge[0] * edge[1] * edge[2])
                         : all.perSecond(index),
                all.halfLife_s(),
                wayOf(*request_.frames, algorithm_.iterations),
                all.frames[index].gate};
    }

    FrameAlone alone(const Measurement& frame) {
        PlacedData placed{placed_.space, placed_.bytesFree, nullptr};
        FrameAlone own;
        own.projector = requireProjector(engine_, frame.model(request_.settings), placed_.space, heeding());
        const std::size_t reserve = workingBytes(*own.projector, algorithm_);
        const SourcePlace place{engine_, options_, placed, reserve, sensitivities_, communicatorOfOne(),
                                heed()};
        own.source = frame.source(request_.settings, place);
        own.order = frame.order(request_.settings.seed);
        return own;
    }

    /// Returns how long that took, s.
    double replicate(RunRecorder& recorder) {
        listener_.preparing("replicates");
        const auto began = std::chrono::steady_clock::now();
        const ReplicateRequest what{request_.replicates, request_.settings.seed, options_.threads, order_,
                                    algorithm_,          data_.units(),          ofReplicates_};
        recorder.addReplicates(makeReplicates(what, data_, *projector_, source_, listener_));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        return seconds.count();
    }

    const ReconstructRequest& request_;
    JobListener& listener_;
    const Engine& engine_;
    const EngineOptions& options_;
    PlacedData& placed_;
    const Measurement& data_;
    AlgorithmSettings algorithm_;
    const std::vector<std::size_t> order_;
    const std::optional<RankShare> share_;
    std::optional<Checkpoint> earlier_;
    std::optional<Volume> start_;
    std::atomic<bool> over_ = false;
    std::future<FigureEvaluator> evaluating_;  ///< asks whether this is over
    std::optional<FigureEvaluator> ofReplicates_;
    std::vector<int> numbers_;  ///< frames that are asked for
    std::shared_ptr<SensitivityCache> sensitivities_;
    std::unique_ptr<Projector> projector_;
    const RankedProjector* ranked_ = nullptr;  ///< projector_, where there are several ranks
    std::shared_ptr<DataSource> source_;
};

/// The engine that the settings name. `auto` goes by the model where that is made at once.
std::shared_ptr<const Engine> engineOf(const ReconstructRequest& request, const EngineRegistry& engines,
                                       const EngineOptions& options) {
    const RunSettings& settings = request.settings;
    return request.data->modelsAtOnce()
               ? engines.choose(settings.engine, request.data->model(settings), options)
               : engines.choose(settings.engine);
}

/// Runs where the data are placed already, if they are kept from run to run.
ReconstructResult runPlaced(const ReconstructRequest& request, const EngineRegistry& engines,
                            JobListener& listener) {
    if (request.from && keepsFiles(request)) {
        listener.preparing("last iterate");
        prepareToResume(*request.from, request.files, [&] {
            if (request.ranks->alone()) {  // others would wait for this one
                listener.checkpoint();
            }
        });
    }
    EngineOptions options = request.settings.engineOptions();
    options.priority = request.priority;
    options.threads = threadsOfProcess(options.threads, *request.ranks);
    const std::shared_ptr<const Engine> engine = engineOf(request, engines, options);
    if (!request.ranks->alone()) {  // a device for every rank of a machine, as far as there are any
        options.device = (options.device + request.ranks->localRank()) % engine->devices();
    }
    listener.engineChosen(nameWithDevice(*engine));
    if (request.placedData == nullptr) {
        PlacedData placed;
        return PlacedRun(request, listener, *engine, options, placed).run();
    }
    DataHold& hold = *request.placedData;
    const std::string key = placementKey(*engine, options, *request.data);
    DataHold::Loan loan = hold.borrow(key);
    try {
        ReconstructResult result = PlacedRun(request, listener, *engine, options, loan.data).run();
        hold.giveBack(key, std::move(loan));
        return result;
    } catch (const Cancelled&) {
        hold.giveBack(key, std::move(loan));
        throw;
    }
}

/// Counts of all data; views have those of a rank's share alone.
double countsOf(const Measurement& data, const Communicator& ranks) {
    return ranks.alone() ? data.counts() : data.events().kept;
}

/// The subsets of the run. Those of frames go by the counts of one: a sum does well with fewer subsets, but
/// a frame does badly with more.
int subsetsOfRequest(const ReconstructRequest& request) {
    const AlgorithmSettings algorithm = request.settings.algorithm();
    const Measurement& data = *request.data;
    const std::size_t parts = data.order(request.settings.seed).size();
    if (!request.frames || !goesByCounts(algorithm)) {
        return subsetsOfRun(data, algorithm, parts, *request.ranks);
    }
    const double counts = countsOf(data, *request.ranks) / std::max(1, frameCount(data));
    return subsetsOfRun(algorithm, counts, data.lattice().voxels(), parts);
}

Lattice askedLattice(const Measurement& data, const RunSettings& settings) {
    const bool fixed = !appliesTo(settingInfo("grid"), data.system());
    return fixed ? data.lattice() : imageLattice(settings.grid, settings.voxel, data.lattice());
}

}  // namespace

std::shared_ptr<const Measurement> onImageLattice(const std::shared_ptr<const Measurement>& data,
                                                  const RunSettings& settings) {
    const Lattice lattice = askedLattice(*data, settings);
    return lattice == data->lattice() ? data : data->onLattice(lattice);
}

std::shared_ptr<const Measurement> inBlocks(const std::shared_ptr<const Measurement>& data,
                                            const AlgorithmSettings& settings) {
    const bool all = settings.algorithm->grouping == Grouping::AllData;
    const auto blocks = static_cast<std::size_t>(all ? 1 : std::max(settings.subsets, 0));
    const std::shared_ptr<const Measurement> other = data->inBlocks(blocks);
    return other == nullptr ? data : other;
}

int subsetsOfRun(const Measurement& data, const AlgorithmSettings& settings, std::size_t parts,
                 const Communicator& ranks) {
    const double counts = goesByCounts(settings) ? countsOf(data, ranks) : 0;
    return subsetsOfRun(settings, counts, data.lattice().voxels(), parts);
}

Lattice latticeOfRun(const Measurement& data, const RunSettings& settings) {
    try {
        return askedLattice(data, settings);
    } catch (const WrongUse&) {
        return data.lattice();
    }
}

ReconstructResult reconstruct(const ReconstructRequest& request, const EngineRegistry& engines,
                              JobListener& listener) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    request.log->write(LogLevel::Info, "run begins: " + settingsWithoutNames(request.settings));
    try {
        ReconstructRequest fitted = request;
        fitted.settings.keepKernel(request.data->system());
        fitted.data = onImageLattice(request.data, request.settings);
        if (request.ranks->first()) {
            keepAnatomy(fitted.settings, [&listener] { listener.checkpoint(); });
            requireAnatomyOn(fitted.settings, fitted.data->lattice());
        }
        fitted.settings.subsets = subsetsOfRequest(fitted);
        fitted.data = inBlocks(fitted.data, fitted.settings.algorithm());
        ReconstructResult result = runPlaced(fitted, engines, listener);
        request.log->write(
            LogLevel::Info,
            fmt::format("run ends: iteration {}{} by {} in {:.3f} s", result.lastIteration,
                        result.finishedEarly ? ", finished early," : "", result.engine, seconds()));
        return result;
    } catch (...) {
        const Failure failure = failureOf(std::current_exception());
        request.log->write(
            failure.kind == ErrorKind::Cancelled ? LogLevel::Info : LogLevel::Error,
            fmt::format("run ends after {:.3f} s: {}", seconds(), withoutNames(failure.sentence())));
        throw;
    }
}

std::string settingsWithoutNames(const RunSettings& settings) {
    const std::vector<std::string> presets = KernelSpec::presetNames();
    std::string line;
    for (const SettingInfo& info : settingsTable()) {
        const std::string value = info.read(settings);
        const bool named =
            info.key == "anatomy" ||
            (info.key == "kernel" && std::find(presets.begin(), presets.end(), value) == presets.end());
        if (!value.empty()) {
            line += fmt::format("{}{} {}", line.empty() ? "" : ", ", info.key, named ? "*" : value);
        }
    }
    return line;
}

}  // namespace tof
