// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruction_job.h"

#include <fmt/format.h>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/io/volume_io.h"
#include "recon/work/resumption.h"
#include "recon/work/run_description.h"
#include "recon/work/run_recorder.h"

namespace tof {

namespace {

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
    return fmt::format("{} {} {} {} {} {} {}", engine.name(), options.device, options.memoryLimitBytes,
                       options.threads, options.background, data.hash(), static_cast<const void*>(&data));
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

}  // namespace

ReconstructionJob::ReconstructionJob(std::shared_ptr<const Measurement> data, RunSettings settings,
                                     const EngineRegistry& engines, JobOutput output,
                                     std::optional<RoiSet> rois)
    : data_(std::move(data)),
      settings_(std::move(settings)),
      engines_(engines),
      output_(std::move(output)),
      rois_(std::move(rois)) {}

EngineOptions ReconstructionJob::engineOptions() const {
    EngineOptions options = settings_.engineOptions();
    options.background = output_.background;
    return options;
}

ReconstructionJob::Result ReconstructionJob::run(JobListener& listener) {
    const std::shared_ptr<const Engine> engine = engines_.choose(settings_.engine);
    if (output_.placedData == nullptr) {
        PlacedData placed;
        return run(listener, *engine, placed);
    }
    DataHold& hold = *output_.placedData;
    const std::string key = placementKey(*engine, engineOptions(), *data_);
    DataHold::Loan loan = hold.borrow(key);
    try {
        Result result = run(listener, *engine, loan.data);
        hold.giveBack(key, std::move(loan));
        return result;
    } catch (const Cancelled&) {
        hold.giveBack(key, std::move(loan));
        throw;
    }
}

ReconstructionJob::Result ReconstructionJob::run(JobListener& listener, const Engine& engine,
                                                 PlacedData& placed) {
    const AlgorithmSettings algorithm = settings_.algorithm();
    const EngineOptions options = engineOptions();
    const Measurement& data = *data_;
    const SystemModel model = data.model(settings_);

    std::optional<Checkpoint> earlier;
    if (output_.resume) {
        earlier = checkpointToResume(output_.checkpointFile, data, settings_);
    }
    const std::optional<Volume> start = startImage(output_.startFile, data.lattice());

    listener.preparing("kernel tables");
    const std::unique_ptr<Projector> projector = makeRoomAndProjector(engine, model, options, placed);
    const std::shared_ptr<Space> space = placed.space;
    listener.checkpoint();

    listener.preparing("data");
    const std::vector<std::size_t> order = data.order(settings_.seed);
    const std::size_t headRoom = data.lattice().voxels() * sizeof(float);
    const std::size_t reserve = workingBytes(*projector, algorithm) + headRoom;
    const std::shared_ptr<DataSource> source =
        data.source(settings_, {engine, options, placed, reserve, output_.sensitivities});
    listener.checkpoint();

    const std::string description = describe(settings_, data, engine, order.size(), projector->memoryBytes());
    std::optional<FigureEvaluator> evaluator;
    if (rois_ && !rois_->rois.empty()) {
        evaluator.emplace(*rois_, data.lattice());
    }
    const auto memory = [&] { return memoryOf(data, *space, placed.bytesFree, *projector); };
    RunRecorder recorder(listener, data, output_, description, algorithm.iterations, std::move(evaluator),
                         memory);
    recorder.open(earlier);
    listener.memory(memory());

    listener.preparing("sensitivities");
    Reconstruction reconstruction(*projector, *source, data.lattice(), algorithm, order, recorder);
    if (earlier) {
        reconstruction.startFrom(earlier->image->data, earlier->iteration);
    } else if (start) {
        reconstruction.startFrom(start->data, 0);
    }
    int last = 0;
    try {
        last = reconstruction.run(recorder);
    } catch (...) {
        recorder.suspend();
        throw;
    }
    recorder.close();

    Result result;
    result.lastIteration = last;
    result.image = recorder.lastImage();
    if (result.image == nullptr) {
        result.image = std::make_shared<const Volume>(reconstruction.image());
    }
    result.engine = fmt::format("{}, {}", engine.name(), engine.device().name);
    result.finishedEarly = last < algorithm.iterations;
    return result;
}

}  // namespace tof
