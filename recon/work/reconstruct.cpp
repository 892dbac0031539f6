// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/ranks/ranked_projector.h"
#include "recon/settings/image_grid.h"
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
std::optional<Volume> startImage(const std::string& file, const Lattice& lattice) {
    if (file.empty()) {
        return std::nullopt;
    }
    Volume start = readVolume(file);
    if (start.lattice.size != lattice.size) {
        throw BadInput(fmt::format("{}: the start image is {} and the data are {}; resample it first", file,
                                   start.lattice.text(), lattice.text()));
    }
    return start;
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
    Communicator& ranks = *request.ranks;
    ranks.requireSame("data set", request.data->hash());
    const auto blocks = makeBlocks(request.settings.algorithm(), order);
    return request.data->share({ranks.rank(), ranks.size(), blocks, request.settings});
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
        point = {earlier->iteration, earlier->image->data};
    } else if (start) {
        point.image = start->data;
    }
    return sharedStart(std::move(point), ranks);
}

ReconstructResult run(const ReconstructRequest& request, JobListener& listener, const Engine& engine,
                      const EngineOptions& options, PlacedData& placed) {
    const AlgorithmSettings algorithm = request.settings.algorithm();
    const Measurement& data = *request.data;
    const std::vector<std::size_t> order = data.order(request.settings.seed);
    const std::optional<RankShare> share = shareOfRank(request, order);
    if (request.replicates > 0) {
        requireReplicable(data);
    }

    std::optional<Checkpoint> earlier;
    if (request.from && keepsFiles(request)) {
        earlier = checkpointToResume(request.files.checkpointFile, data, request.settings);
    }
    const std::optional<Volume> start =
        keepsFiles(request) ? startImage(request.startFile, data.lattice()) : std::nullopt;

    std::future<FigureEvaluator> evaluating;
    if (keepsFiles(request) && request.rois && !request.rois->rois.empty()) {
        evaluating = std::async(std::launch::async,
                                [&request, &data] { return FigureEvaluator(*request.rois, data.lattice()); });
    }
    prepareModel(request, listener, engine, options);
    const SystemModel model = share ? share->model(request.settings) : data.model(request.settings);
    listener.preparing("kernel tables");
    std::unique_ptr<Projector> projector = makeRoomAndProjector(engine, model, options, placed);
    if (share) {
        projector = std::make_unique<RankedProjector>(std::move(projector), share->division, *request.ranks);
    }
    const std::shared_ptr<Space> space = placed.space;
    listener.checkpoint();

    listener.preparing("data");
    // On a device an image for display and an iterate may be on their way to the host at once.
    const std::size_t leaving = space->hostMemory() ? 1 : 2;
    const std::size_t headRoom = leaving * data.lattice().voxels() * sizeof(float);
    const std::size_t reserve = workingBytes(*projector, algorithm) + headRoom;
    const SourcePlace place{engine,       options, placed, reserve, share ? nullptr : request.sensitivities,
                            request.ranks};
    std::shared_ptr<DataSource> source =
        share ? share->source(request.settings, place) : data.source(request.settings, place);
    if (share) {
        source = std::make_shared<RankedSource>(source, share->division, *request.ranks);
    }
    listener.checkpoint();

    const std::string description = describe(request.settings, data, engine, order.size(), *projector);
    std::optional<FigureEvaluator> evaluator;
    if (evaluating.valid()) {
        evaluator = evaluating.get();
    }
    const std::optional<FigureEvaluator> ofReplicates =
        request.replicates > 0 ? evaluator : std::optional<FigureEvaluator>();
    const auto memory = [&] { return memoryOf(data, *space, placed.bytesFree, *projector); };
    const RunFiles files = keepsFiles(request) ? request.files : RunFiles();
    RunRecorder recorder(listener, data, files, {description, algorithm.iterations, !space->hostMemory()},
                         std::move(evaluator), memory);
    recorder.open(earlier);
    listener.memory(memory());
    std::optional<RankedControl> ranked;
    if (share) {
        ranked.emplace(recorder, *request.ranks, share->division.slab, projector->makesWhole());
    }
    RunControl& control = ranked ? static_cast<RunControl&>(*ranked) : recorder;

    listener.preparing("sensitivities");
    const std::optional<AxialSlab> slab = share ? share->division.slab : std::nullopt;
    Reconstruction reconstruction(*projector, *source, slab ? slab->lattice() : data.lattice(), algorithm,
                                  order, control);
    reconstruction.setUnits(data.units());
    if (projector->makesWhole()) {
        reconstruction.setWhole(data.lattice());
    }
    const StartPoint begin = startOf(earlier, start, *request.ranks);
    if (!begin.image.empty()) {
        reconstruction.startFrom(planesOf(begin.image, slab), begin.iteration);
    }
    int last = 0;
    double replicateSeconds = 0;
    try {
        last = reconstruction.run(control);
        if (request.replicates > 0 && last == algorithm.iterations) {
            listener.preparing("replicates");
            const auto began = std::chrono::steady_clock::now();
            const ReplicateRequest what{request.replicates, request.settings.seed, options.threads, order,
                                        algorithm,          data.units(),          ofReplicates};
            recorder.addReplicates(makeReplicates(what, data, *projector, source, listener));
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
            replicateSeconds = seconds.count();
        }
    } catch (...) {
        recorder.suspend();
        throw;
    }
    recorder.close();

    std::shared_ptr<const Volume> image = recorder.lastImage();
    if (ranked && last == begin.iteration) {
        image = std::make_shared<const Volume>(ranked->whole(reconstruction.image()));
    } else if (image == nullptr) {
        image = std::make_shared<const Volume>(reconstruction.image());
    }
    return {last, image, nameWithDevice(engine), last < algorithm.iterations, replicateSeconds};
}

/// The engine that the settings name. `auto` goes by the model where that is made at once.
std::shared_ptr<const Engine> engineOf(const ReconstructRequest& request, const EngineRegistry& engines,
                                       const EngineOptions& options) {
    const RunSettings& settings = request.settings;
    return request.data->modelsAtOnce()
               ? engines.choose(settings.engine, request.data->model(settings), options)
               : engines.choose(settings.engine);
}

/// The same where the data are placed already, if they are kept from run to run.
ReconstructResult runPlaced(const ReconstructRequest& request, const EngineRegistry& engines,
                            JobListener& listener) {
    if (request.from && keepsFiles(request)) {
        listener.preparing("last iterate");
        prepareToResume(*request.from, request.files);
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
        return run(request, listener, *engine, options, placed);
    }
    DataHold& hold = *request.placedData;
    const std::string key = placementKey(*engine, options, *request.data);
    DataHold::Loan loan = hold.borrow(key);
    try {
        ReconstructResult result = run(request, listener, *engine, options, loan.data);
        hold.giveBack(key, std::move(loan));
        return result;
    } catch (const Cancelled&) {
        hold.giveBack(key, std::move(loan));
        throw;
    }
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
        fitted.data = onImageLattice(request.data, request.settings);
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
            info.key == "kernel" && std::find(presets.begin(), presets.end(), value) == presets.end();
        if (!value.empty()) {
            line += fmt::format("{}{} {}", line.empty() ? "" : ", ", info.key, named ? "*" : value);
        }
    }
    return line;
}

}  // namespace tof
