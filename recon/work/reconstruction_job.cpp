// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruction_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/binning/line_binning.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/line_data_io.h"
#include "recon/io/volume_io.h"
#include "recon/seam/host_space.h"
#include "recon/settings/version.h"
#include "recon/sources/line_histogram.h"
#include "recon/sources/list_source.h"
#include "recon/sources/resident_source.h"
#include "recon/work/line_model.h"

namespace tof {

namespace {

/// What a job needs to know of its data, whatever their kind.
struct Acquisition {
    Lattice lattice;
    std::string hash;
    std::string scannerJson;
    std::string phantom;
    PartedData arrays;
    std::vector<View> views;  ///< of the parts; their order of use follows from them
    SystemModel model;
    nlohmann::ordered_json modelJson;      ///< for the run file: what the settings made of the model
    std::string sensitivityContent;        ///< equal text, equal sensitivities
    std::shared_ptr<const LineData> list;  ///< list-mode instead of arrays
};

Acquisition acquisitionOf(const std::shared_ptr<const HistoData>& data, const RunSettings& settings) {
    const KernelSpec kernel = settings.kernel();
    const nlohmann::ordered_json json{{"kernel", nlohmann::ordered_json::parse(kernel.toJson())}};
    return {data->lattice,
            data->hash,
            data->scannerJson,
            data->phantom,
            partsOf(data),
            data->views,
            DirectModel{data->lattice, data->views, kernel},
            json,
            data->hash,
            nullptr};
}

nlohmann::ordered_json ringModelJson(const LineModel& model, const RunSettings& settings) {
    return {{"projector", settings.projector},
            {"rays", model.radialRays},
            {"psf_mm", model.psfFwhm_mm},
            {"fov_radius_mm", model.fovRadius_mm}};
}

Acquisition acquisitionOf(const std::shared_ptr<const SinogramData>& data, const RunSettings& settings) {
    LineModel model = ringModel(data->lattice, settings);
    model.lines = data->michelogram;
    const Michelogram& m = *data->michelogram;
    std::vector<View> views;
    for (std::size_t part = 0; part < m.parts(); ++part) {
        const int angle = m.angleOfSlot(static_cast<int>(part) * m.spec().anglesPerPart);
        views.push_back({angle * kPi / m.angles(), 0});
    }
    const std::string scanner = m.spec().toJson();
    return {data->lattice,   data->hash, scanner, data->phantom,
            partsOf(data),   views,      model,   ringModelJson(model, settings),
            multHash(*data), nullptr};
}

Acquisition acquisitionOf(const std::shared_ptr<const LineData>& data, const RunSettings& settings) {
    LineModel model = ringModel(data->lattice, settings);
    std::shared_ptr<const LineEvents> lines = data->events;
    PartedData arrays;
    if (!data->counts.empty()) {
        const auto histogram = std::make_shared<const LineHistogram>(
            lineHistogram(*data->events, data->counts, data->mult, data->add));
        lines = histogram->lines;
        arrays = partsOf(histogram);
    }
    model.lines = lines;
    // Parts are stretches of time, or chosen at random: any order of use will do.
    const std::size_t parts = lines->parts();
    std::vector<View> views;
    for (std::size_t part = 0; part < parts; ++part) {
        views.push_back({kPi * static_cast<double>(part) / static_cast<double>(parts), 0});
    }
    return {data->lattice,
            data->hash,
            data->scannerJson(),
            data->phantom,
            std::move(arrays),
            views,
            model,
            ringModelJson(model, settings),
            data->hash,
            data->counts.empty() ? data : nullptr};
}

std::unique_ptr<DataSource> makeSource(const PartedData& data, const std::shared_ptr<Space>& space,
                                       std::size_t reserveBytes) {
    if (dynamic_cast<const HostSpace*>(space.get()) != nullptr) {
        return std::make_unique<HostHistoSource>(data);
    }
    const std::size_t free = space->bytesFree();
    return std::make_unique<SpaceHistoSource>(data, space, free > reserveBytes ? free - reserveBytes : 0);
}

/// F^T mult over all lines that list-mode could have recorded.
std::vector<float> listSensitivity(const LineData& list, LineModel model, const Engine& engine,
                                   const std::shared_ptr<Space>& space, const EngineOptions& options) {
    const AllLines all = allLines(list, ThreadPool(options.threads));
    model.lines = all.lines;
    if (!list.michelogram) {
        model.radialRays = 1;
        model.axialRays = 1;
    }
    const std::unique_ptr<Projector> projector = requireProjector(engine, model, space, options);
    const std::unique_ptr<DataSource> source = makeSource(all.data, space, 0);
    std::vector<std::size_t> parts(projector->parts());
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    Array scratch = space->allocate(projector->dataSize(0));
    Array image = space->allocate(projector->imageSize());
    backMult(*projector, *source, parts, scratch.view(), image.view());
    std::vector<float> sensitivity(image.size());
    space->download(image.view(), sensitivity);
    return sensitivity;
}

std::unique_ptr<DataSource> makeListSource(const Acquisition& data, const Engine& engine,
                                           const std::shared_ptr<Space>& space, const EngineOptions& options,
                                           SensitivityCache* cache) {
    const std::string key = fmt::format("list {} {} {} {}", engine.name(), options.strategy,
                                        data.modelJson.dump(), data.sensitivityContent);
    std::optional<std::vector<float>> sensitivity =
        cache != nullptr ? cache->find(key) : std::optional<std::vector<float>>();
    if (!sensitivity) {
        sensitivity = listSensitivity(*data.list, std::get<LineModel>(data.model), engine, space, options);
        if (cache != nullptr) {
            cache->put(key, *sensitivity);
        }
    }
    return std::make_unique<ListSource>(data.list->events, *sensitivity, data.list->mult, data.list->add,
                                        data.list->possible.totalAdd, space);
}

RunMemory memoryOf(const Acquisition& data, const Space& space, std::size_t freeBefore,
                   const Projector& projector) {
    const PartedData& arrays = data.arrays;
    std::size_t held = (arrays.counts.size() + arrays.mult.size() + arrays.add.size()) * sizeof(float);
    if (data.list) {
        const LineData& list = *data.list;
        held += list.events->pairs.size() * sizeof(list.events->pairs.front());
        held += (list.events->dt_ps.size() + list.counts.size() + list.mult.size() + list.add.size()) *
                sizeof(float);
    }
    const std::size_t free = space.bytesFree();
    const std::size_t taken = freeBefore > free ? freeBefore - free : 0;
    if (dynamic_cast<const HostSpace*>(&space) != nullptr) {
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
    Recorder(JobListener& listener, const Acquisition& data, const JobOutput& output,
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
        writer_.emplace(output_.runFile, data_.lattice, settingsJson_, data_.scannerJson, data_.phantom);
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
        Checkpoint checkpoint{settingsJson_, data_.hash, last_.iteration, last_.image, history_};
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
    const Acquisition& data_;
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

Checkpoint loadCheckpoint(const JobOutput& output, const Acquisition& data, const RunSettings& settings) {
    const std::string& path = output.checkpointFile;
    if (!std::filesystem::exists(path)) {
        throw BadInput(fmt::format("{}: no checkpoint to resume from; run without --resume", path));
    }
    Checkpoint checkpoint = readCheckpoint(path);
    if (checkpoint.dataHash != data.hash) {
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

std::string describe(const RunSettings& settings, const Acquisition& data, const Engine& engine,
                     std::size_t memoryBytes) {
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
                               {"data_hash", data.hash},
                               {"views", data.views.size()},
                               {"projector_bytes", memoryBytes}};
    out.update(data.modelJson);
    return out.dump();
}

/// Equal keys: the same data, placed in the same way. The address tells data apart that are alive together.
std::string placementKey(const Engine& engine, const EngineOptions& options, const JobData& data) {
    const void* const address = std::visit([](const auto& held) -> const void* { return held.get(); }, data);
    return fmt::format("{} {} {} {} {} {} {}", engine.name(), options.device, options.memoryLimitBytes,
                       options.threads, options.background, hashOf(data), address);
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

ReconstructionJob::ReconstructionJob(JobData data, RunSettings settings, const EngineRegistry& engines,
                                     JobOutput output, std::optional<RoiSet> rois)
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
    const std::string key = placementKey(*engine, engineOptions(), data_);
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
    const Acquisition data =
        std::visit([&](const auto& held) { return acquisitionOf(held, settings_); }, data_);

    std::optional<Checkpoint> earlier;
    if (output_.resume) {
        earlier = loadCheckpoint(output_, data, settings_);
    }
    std::optional<Volume> start;
    if (!output_.startFile.empty()) {
        start = readVolume(output_.startFile);
        if (start->lattice.size != data.lattice.size) {
            throw BadInput(fmt::format("{}: the start image is {} and the data are {}; resample it first",
                                       output_.startFile, start->lattice.text(), data.lattice.text()));
        }
    }

    listener.preparing("kernel tables");
    const std::unique_ptr<Projector> projector = makeRoomAndProjector(engine, data.model, options, placed);
    const std::shared_ptr<Space> space = placed.space;
    listener.checkpoint();

    listener.preparing("data");
    const std::vector<std::size_t> order = geometricOrder(data.views, settings_.seed);
    const std::size_t headRoom = data.lattice.voxels() * sizeof(float);
    const std::size_t reserve = workingBytes(*projector, algorithm) + headRoom;
    std::shared_ptr<DataSource> source = placed.source;
    if (data.list) {
        source = makeListSource(data, engine, space, options, output_.sensitivities.get());
    } else if (source == nullptr) {
        source = makeSource(data.arrays, space, reserve);
        placed.source = source;
    }
    if (output_.sensitivities != nullptr && !data.list) {
        source = std::make_shared<CachedSensitivitySource>(
            std::move(source), output_.sensitivities,
            fmt::format("{} {} {} {}", engine.name(), options.strategy, data.modelJson.dump(),
                        data.sensitivityContent),
            space);
    }
    listener.checkpoint();

    const std::string description = describe(settings_, data, engine, projector->memoryBytes());
    std::optional<FigureEvaluator> evaluator;
    if (rois_ && !rois_->rois.empty()) {
        evaluator.emplace(*rois_, data.lattice);
    }
    const auto memory = [&] { return memoryOf(data, *space, placed.bytesFree, *projector); };
    Recorder recorder(listener, data, output_, description, algorithm.iterations, std::move(evaluator),
                      memory);
    recorder.open(earlier);
    listener.memory(memory());

    listener.preparing("sensitivities");
    Reconstruction reconstruction(*projector, *source, data.lattice, algorithm, order, recorder);
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
