// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruction_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/io/volume_io.h"
#include "recon/settings/version.h"

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

/// Joins the figures of an earlier part of the run with those of this one.
class MetricsLog {
  public:
    void continueFrom(const std::string& earlierJson, int lastIteration) {
        if (earlierJson.empty()) {
            return;
        }
        const nlohmann::ordered_json earlier = nlohmann::ordered_json::parse(earlierJson, nullptr, false);
        if (!earlier.is_object() || !earlier.contains("iterations") || !earlier["iterations"].is_array()) {
            return;
        }
        for (const auto& row : earlier["iterations"]) {
            if (row.is_object() && row.value("iteration", lastIteration + 1) <= lastIteration) {
                rows_.push_back(row);
            }
        }
    }
    void add(const Figures& figures) {
        rows_.push_back(nlohmann::ordered_json::parse(figuresToJson({figures}))["iterations"][0]);
    }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string json() const { return nlohmann::ordered_json{{"iterations", rows_}}.dump(); }

  private:
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

/// Stands between the algorithm and the listener: figures, run file and checkpoint of every whole iterate.
class Recorder : public RunControl {
  public:
    Recorder(JobListener& listener, const Measurement& data, const JobOutput& output,
             const std::string& settingsJson, int iterations, std::optional<FigureEvaluator> evaluator,
             std::function<RunMemory()> memory)
        : listener_(listener),
          data_(data),
          output_(output),
          settingsJson_(settingsJson),
          iterations_(iterations),
          evaluator_(std::move(evaluator)),
          memory_(std::move(memory)) {}

    /// Opens the run file; takes over what an interrupted run left.
    void open(const std::optional<Checkpoint>& earlier) {
        if (earlier) {
            history_ = earlier->history;
            metrics_.continueFrom(earlier->metricsJson, earlier->iteration);
        }
        if (output_.runFile.empty()) {
            return;
        }
        writer_.emplace(output_.runFile, data_.lattice(), settingsJson_, data_.scannerJson(),
                        data_.phantom());
        std::error_code ignored;
        if (earlier && std::filesystem::exists(suspendedFile(), ignored)) {
            takeOver(earlier->iteration);
        }
        if (earlier) {
            writer_->continueFrom(*earlier);
        }
    }

    /// Of the last whole iterate; null when there is none yet.
    [[nodiscard]] const std::shared_ptr<const Volume>& lastImage() const { return last_.image; }

    /// The run ends well: the run file appears, the checkpoint goes.
    void close() {
        if (writer_) {
            writer_->setMetrics(metrics_.json());
            writer_->finish();
        }
        std::error_code ignored;
        if (!output_.checkpointFile.empty()) {
            std::filesystem::remove(output_.checkpointFile, ignored);
            std::filesystem::remove(suspendedFile(), ignored);
        }
    }

    /// The run was interrupted: leaves the checkpoint of the last whole iterate and the iterates kept so far.
    void suspend() {
        if (output_.checkpointFile.empty() || last_.iteration == 0) {
            return;
        }
        saveCheckpoint();
        if (writer_) {
            writer_->setMetrics(metrics_.json());
            writer_->suspendAs(suspendedFile());
        }
    }

    void checkpoint() override { listener_.checkpoint(); }
    bool finishRequested() override { return listener_.finishRequested(); }
    void progress(const RunProgress& progress) override { listener_.progress(progress); }
    bool wantsSnapshot() override { return listener_.wantsSnapshot(); }
    void offer(const RunProgress& progress, std::unique_ptr<Snapshot> snapshot) override {
        listener_.offer(progress, std::move(snapshot));
    }
    void iterateDone(Iterate iterate) override {
        if (evaluator_) {
            const Figures figures = evaluator_->evaluate(iterate.iteration, iterate.image->data.data());
            metrics_.add(figures);
            listener_.figures(figures);
        }
        history_.push_back({iterate.iteration, iterate.stageSeconds, iterate.seconds});
        if (writer_) {
            const int every = std::max(output_.saveEvery, 1);
            writer_->addIterate(history_.back(), iterate.image,
                                iterate.iteration % every == 0 || iterate.iteration == iterations_
                                    ? KeepImage::Yes
                                    : KeepImage::No);
        }
        last_ = iterate;
        listener_.memory(memory_());
        if (!output_.checkpointFile.empty() && Clock::now() - saved_ >= output_.checkpointInterval) {
            saveCheckpoint();
        }
        listener_.iterateDone(std::move(iterate));
    }

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string suspendedFile() const { return output_.runFile + ".suspended"; }

    void saveCheckpoint() {
        Checkpoint checkpoint{settingsJson_, data_.hash(), last_.iteration, last_.image, history_};
        checkpoint.metricsJson = metrics_.empty() ? std::string() : metrics_.json();
        writeCheckpoint(output_.checkpointFile, checkpoint);
        saved_ = Clock::now();
    }

    void takeOver(int lastIteration) {
        if (metrics_.empty()) {  // a checkpoint of version 0.1's first builds
            metrics_.continueFrom(readRunSummary(suspendedFile()).metricsJson, lastIteration);
        }
        writer_->continueFrom(suspendedFile());
    }

    JobListener& listener_;
    const Measurement& data_;
    const JobOutput& output_;
    const std::string& settingsJson_;
    int iterations_;
    std::optional<FigureEvaluator> evaluator_;
    std::function<RunMemory()> memory_;
    std::optional<RunWriter> writer_;
    MetricsLog metrics_;
    std::vector<StoredIterate> history_;
    Iterate last_;
    Clock::time_point saved_ = Clock::now();
};

Checkpoint loadCheckpoint(const JobOutput& output, const Measurement& data, const RunSettings& settings) {
    const std::string& path = output.checkpointFile;
    if (!std::filesystem::exists(path)) {
        throw BadInput(fmt::format("{}: no checkpoint to resume from; run without --resume", path));
    }
    Checkpoint checkpoint = readCheckpoint(path);
    if (checkpoint.dataHash != data.hash()) {
        throw BadInput(fmt::format(
            "{}: the checkpoint belongs to other data; resume with the data it was made from", path));
    }
    const nlohmann::json stored = parseJson(checkpoint.settingsJson, path);
    const RunSettings earlier =
        RunSettings::fromJson(stored.contains("settings") ? stored["settings"].dump() : "{}", path);
    for (const SettingInfo& info : settingsTable()) {
        if (!info.mayDiffer && info.read(earlier) != info.read(settings)) {
            throw BadInput(
                fmt::format("{}: the interrupted run had {} '{}' and this one has '{}'; resume with the "
                            "same settings",
                            path, info.key, info.read(earlier), info.read(settings)));
        }
    }
    return checkpoint;
}

std::string describe(const RunSettings& settings, const Measurement& data, std::size_t parts,
                     const Engine& engine, std::size_t memoryBytes) {
    const DeviceInfo device = engine.device();
    nlohmann::ordered_json properties = nlohmann::ordered_json::object();
    for (const auto& [name, value] : device.properties) {
        properties[name] = value;
    }
    nlohmann::ordered_json out{{"settings", nlohmann::ordered_json::parse(settings.toJson())},
                               {"engine", engine.name()},
                               {"device", device.name},
                               {"device_properties", properties},
                               {"seed", settings.seed},
                               {"version", kVersion},
                               {"data_hash", data.hash()},
                               {"views", parts},
                               {"projector_bytes", memoryBytes}};
    out.update(data.describe(settings));
    return out.dump();
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
        earlier = loadCheckpoint(output_, data, settings_);
    }
    std::optional<Volume> start;
    if (!output_.startFile.empty()) {
        start = readVolume(output_.startFile);
        if (start->lattice.size != data.lattice().size) {
            throw BadInput(fmt::format("{}: the start image is {} and the data are {}; resample it first",
                                       output_.startFile, start->lattice.text(), data.lattice().text()));
        }
    }

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

    const std::string description = describe(settings_, data, order.size(), engine, projector->memoryBytes());
    std::optional<FigureEvaluator> evaluator;
    if (rois_ && !rois_->rois.empty()) {
        evaluator.emplace(*rois_, data.lattice());
    }
    const auto memory = [&] { return memoryOf(data, *space, placed.bytesFree, *projector); };
    Recorder recorder(listener, data, output_, description, algorithm.iterations, std::move(evaluator),
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
