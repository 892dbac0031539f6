// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/run_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/volume_hdf5.h"
#include "recon/seam/space.h"

namespace tof {

namespace {

constexpr std::size_t kIterationLimit = 1000000;
constexpr std::uint64_t kGateLimit = 100000;

std::string iterateGroup(int iteration) {
    return fmt::format("/iterates/{:04d}", iteration);
}
std::string iterateImage(int iteration) {
    return iterateGroup(iteration) + "/image";
}

/// Rows of /timing: [iteration][stage] in seconds, with the numbers and wall times of the iterations beside
/// them.
void writeHistory(h5::Writer& file, const std::vector<StoredIterate>& history) {
    std::vector<std::int32_t> numbers;
    std::vector<double> seconds;
    std::vector<double> stages;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> objectives;  // log-likelihood and penalty, NaN where an iterate has none
    std::vector<double> changes;     // likewise
    bool told = false;
    bool watched = false;
    for (const StoredIterate& iterate : history) {
        const ObjectiveValue objective = iterate.objective.value_or(ObjectiveValue{kNone, kNone});
        objectives.insert(objectives.end(), {objective.logLikelihood, objective.penalty});
        changes.push_back(iterate.change.value_or(kNone));
        told = told || iterate.objective.has_value();
        watched = watched || iterate.change.has_value();
        numbers.push_back(iterate.iteration);
        seconds.push_back(iterate.seconds);
        std::vector<double> row = iterate.stageSeconds;
        row.resize(kStages, 0.0);
        stages.insert(stages.end(), row.begin(), row.end());
    }
    std::vector<std::string> names;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        names.emplace_back(stageName(static_cast<Stage>(stage)));
    }
    const std::uint64_t n = history.size();
    file.write("/timing", {n, kStages}, stages.data());
    file.attribute("/timing", "stages", names);
    file.write("/iteration", {n}, numbers.data());
    file.write("/seconds", {n}, seconds.data());
    if (told) {
        file.write("/objective", {n, 2}, objectives.data());
    }
    if (watched) {
        file.write("/change", {n}, changes.data());
    }
}

std::vector<StoredIterate> readHistory(const h5::Reader& file) {
    const h5::Shape shape = file.shape("/timing");
    if (shape.size() != 2 || shape[0] > kIterationLimit || shape[1] > 64) {
        throw BadInput("{}: '/timing' must be [iteration][stage]; make the file again", file.path());
    }
    const std::vector<double> stages = file.read<double>("/timing", shape);
    const std::vector<std::int32_t> numbers = file.read<std::int32_t>("/iteration", {shape[0]});
    const std::vector<double> seconds = file.read<double>("/seconds", {shape[0]});
    const std::vector<double> objectives =
        file.has("/objective") ? file.read<double>("/objective", {shape[0], 2}) : std::vector<double>();
    const std::vector<double> changes =
        file.has("/change") ? file.read<double>("/change", {shape[0]}) : std::vector<double>();
    std::vector<StoredIterate> history;
    for (std::size_t i = 0; i < shape[0]; ++i) {
        const auto row = stages.begin() + static_cast<std::ptrdiff_t>(i * shape[1]);
        history.push_back({numbers[i], {row, row + static_cast<std::ptrdiff_t>(shape[1])}, seconds[i]});
        if (!objectives.empty() && std::isfinite(objectives[2 * i])) {
            history.back().objective = ObjectiveValue{objectives[2 * i], objectives[2 * i + 1]};
        }
        if (!changes.empty() && std::isfinite(changes[i])) {
            history.back().change = changes[i];
        }
        if (numbers[i] < 0 || (i > 0 && numbers[i] <= numbers[i - 1])) {
            throw BadInput("{}: the numbers in '/iteration' do not ascend; make the file again", file.path());
        }
    }
    return history;
}

/// The numbers that the children of a group are named after, ascending; `what` they count.
std::vector<int> numbersIn(const h5::Reader& file, const char* group, const char* what) {
    std::vector<int> numbers;
    for (const std::string& name : file.children(group, kIterationLimit)) {
        int number = 0;
        const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (fault != std::errc() || end != name.data() + name.size() || number < 0 ||
            name != fmt::format("{:04d}", number)) {
            throw BadInput("{}: '{}/{}' is not named after {}; make the file again", file.path(), group, name,
                           what);
        }
        numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::vector<int> savedIterations(const h5::Reader& file) {
    return numbersIn(file, "/iterates", "an iteration");
}

std::string frameGroup(int number) {
    return fmt::format("/frames/{:04d}", number);
}

RunFrame frameOf(const h5::Reader& file, const std::string& group, int number) {
    const auto needed = [&](const char* name) {
        const auto value = file.numbers(group, name, 1);
        if (!value) {
            throw BadInput("{}: '{}' does not say '{}'; make the file again", file.path(), group, name);
        }
        return value->front();
    };
    const TimeFrame time{needed("start_s"), needed("duration_s")};
    if (!(time.duration_s > 0)) {
        throw BadInput("{}: '{}' says a duration of {:g} s; make the file again", file.path(), group,
                       time.duration_s);
    }
    const std::uint64_t gate = file.whole(group, "gate").value_or(0);
    if (gate > kGateLimit) {
        throw BadInput("{}: attribute 'gate' of '{}' is {}, more than {}; make the file again", file.path(),
                       group, gate, kGateLimit);
    }
    return {number,
            time,
            needed("per_emission"),
            file.number(group, "half_life_s", 0),
            file.textAttribute(group, "made").value_or(""),
            static_cast<int>(gate)};
}

void writeFrame(h5::Writer& file, const std::string& group, const RunFrame& frame, const Lattice& lattice,
                const Volume& image) {
    writeVolumeDataset(file, group + "/image", lattice, image.data, image.units);
    file.attribute(group, "start_s", frame.time.start_s);
    file.attribute(group, "duration_s", frame.time.duration_s);
    file.attribute(group, "per_emission", frame.perEmission);
    file.attribute(group, "half_life_s", frame.halfLife_s);
    file.attribute(group, "made", frame.made);
    if (frame.gate > 0) {
        file.attribute(group, "gate", static_cast<std::uint64_t>(frame.gate));
    }
}

std::string begunGroup(int number) {
    return fmt::format("/begun/{:04d}", number);
}

void writeBegun(h5::Writer& file, const FrameBegun& begun, const Lattice& lattice) {
    const std::string group = begunGroup(begun.frame.number);
    writeFrame(file, group, begun.frame, lattice, *begun.image);
    file.attribute(group, "iteration", static_cast<std::uint64_t>(begun.iteration));
    if (begun.coefficients != nullptr) {
        writeVolumeDataset(file, group + "/coefficients", lattice, begun.coefficients->data, "");
    }
}

/// An image of the lattice of the checkpoint's own. Throws BadInput where it is of another.
std::shared_ptr<const Volume> imageOn(const h5::Reader& file, const std::string& dataset,
                                      const Lattice& lattice) {
    auto image = std::make_shared<const Volume>(readVolumeDataset(file, dataset));
    if (!(image->lattice == lattice)) {
        throw BadInput("{}: '{}' has another lattice than '/image'; start the run again", file.path(),
                       dataset);
    }
    return image;
}

std::vector<FrameBegun> readBegun(const h5::Reader& file, const Lattice& lattice) {
    std::vector<FrameBegun> frames;
    if (!file.has("/begun")) {
        return frames;
    }
    const auto imageOf = [&](const std::string& dataset) { return imageOn(file, dataset, lattice); };
    for (const int number : numbersIn(file, "/begun", "a frame")) {
        const std::string group = begunGroup(number);
        const auto iteration = file.whole(group, "iteration");
        if (!iteration || *iteration < 1 || *iteration > kIterationLimit) {
            throw BadInput("{}: attribute 'iteration' of '{}' is missing or absurd; start the run again",
                           file.path(), group);
        }
        frames.push_back(
            {frameOf(file, group, number), static_cast<int>(*iteration), imageOf(group + "/image")});
        if (file.has(group + "/coefficients")) {
            frames.back().coefficients = imageOf(group + "/coefficients");
        }
    }
    return frames;
}

}  // namespace

struct RunWriter::Impl {
    Impl(const std::string& target, const Lattice& grid)
        : temporary(target), file(temporary.name(), target), lattice(grid) {}

    void add(const StoredIterate& iterate, std::shared_ptr<const Volume> image, KeepImage keep) {
        if (!history.empty() && iterate.iteration <= history.back().iteration) {
            throw InternalError("iterates of a run must ascend");
        }
        history.push_back(iterate);
        lastKept = keep == KeepImage::Yes;
        if (image == nullptr && !lastKept) {
            return;
        }
        if (image == nullptr || image->data.size() != lattice.voxels()) {
            throw InternalError("an iterate does not fit the lattice of its run");
        }
        if (lastKept) {
            writeVolumeDataset(file, iterateImage(iterate.iteration), lattice, image->data, image->units);
        }
        last = std::move(image);
    }

    void addFrame(const RunFrame& frame, const Volume& image) {
        writeFrame(file, frameGroup(frame.number), frame, lattice, image);
    }

    /// Writes what is known only at the end and closes the file.
    void close() {
        if (lastKept) {
            file.link(iterateImage(history.back().iteration), "/image");
        } else {
            const auto image = last != nullptr ? last : std::make_shared<const Volume>(lattice);
            writeVolumeDataset(file, "/image", lattice, image->data, image->units);
        }
        writeHistory(file, history);
        file.text("/metrics", metrics);
        file.close();
    }

    TemporaryFile temporary;
    h5::Writer file;
    Lattice lattice;
    std::vector<StoredIterate> history;
    std::shared_ptr<const Volume> last;
    bool lastKept = false;
    std::string metrics;
    std::string earlierRun;  ///< continueFrom()
    std::vector<RunFrame> earlierFrames;
};

RunWriter::RunWriter(const std::string& path, const Lattice& lattice, const std::string& settingsJson,
                     const std::string& scannerJson, const std::string& phantom, const ScanTotals& totals)
    : impl_(std::make_unique<Impl>(path, lattice)) {
    impl_->file.text("/settings", settingsJson);
    impl_->file.group("/iterates");
    impl_->file.attribute("/", "scanner", scannerJson);
    impl_->file.attribute("/", "phantom", phantom);
    writeTotals(impl_->file, totals);
}

RunWriter::~RunWriter() = default;

void RunWriter::addIterate(const StoredIterate& iterate, std::shared_ptr<const Volume> image,
                           KeepImage keep) {
    impl_->add(iterate, std::move(image), keep);
}

void RunWriter::continueFrom(const std::string& earlierRun) {
    const RunSummary earlier = readRunSummary(earlierRun);
    if (!(earlier.lattice == impl_->lattice)) {
        throw BadInput("{}: has a lattice of {}, this run one of {}; continue with the same lattice",
                       earlierRun, earlier.lattice.text(), impl_->lattice.text());
    }
    for (const int iteration : earlier.savedImages) {
        const Volume image = readIterate(earlierRun, iteration);
        writeVolumeDataset(impl_->file, iterateImage(iteration), impl_->lattice, image.data, image.units);
    }
    const h5::Reader file(earlierRun);
    impl_->earlierRun = earlierRun;
    impl_->earlierFrames = readRunFrames(file);
    impl_->history = earlier.iterates;
    impl_->metrics = earlier.metricsJson;
    impl_->last = std::make_shared<const Volume>(readVolumeDataset(h5::Reader(earlierRun), "/image"));
    impl_->lastKept = !earlier.savedImages.empty() && !earlier.iterates.empty() &&
                      earlier.savedImages.back() == earlier.iterates.back().iteration;
}

void RunWriter::addFrame(const RunFrame& frame, const Volume& image) {
    impl_->addFrame(frame, image);
}

bool RunWriter::hasFrame(const RunFrame& frame) const {
    const std::vector<RunFrame>& there = impl_->earlierFrames;
    return std::find(there.begin(), there.end(), frame) != there.end();
}

bool RunWriter::takeFrame(const RunFrame& frame) {
    if (!hasFrame(frame)) {
        return false;
    }
    addFrame(frame, readRunFrame(h5::Reader(impl_->earlierRun), frame.number));
    return true;
}

int RunWriter::lastIteration() const {
    return impl_->history.empty() ? 0 : impl_->history.back().iteration;
}

void RunWriter::setMetrics(const std::string& metricsJson) {
    impl_->metrics = metricsJson;
}

void RunWriter::addReplicates(int iteration, const Volume& mean, const Volume& sd) {
    const std::string group = fmt::format("/replicates/{:04d}", iteration);
    writeVolumeDataset(impl_->file, group + "/mean", impl_->lattice, mean.data, mean.units);
    writeVolumeDataset(impl_->file, group + "/sd", impl_->lattice, sd.data, sd.units);
}

void RunWriter::setBands(const std::string& bandsJson) {
    impl_->file.text("/replicates/bands", bandsJson);
}

void RunWriter::addCoefficients(const Volume& coefficients) {
    writeVolumeDataset(impl_->file, "/coefficients", impl_->lattice, coefficients.data, coefficients.units);
}

void RunWriter::addPrior(const Volume& kappa, const Volume& pull) {
    writeVolumeDataset(impl_->file, "/prior/kappa", impl_->lattice, kappa.data, kappa.units);
    writeVolumeDataset(impl_->file, "/prior/pull", impl_->lattice, pull.data, pull.units);
}

void RunWriter::finish() {
    impl_->close();
    impl_->temporary.renameIntoPlace();
}

std::vector<RunFrame> readRunFrames(const h5::Reader& file) {
    std::vector<RunFrame> frames;
    if (!file.has("/frames")) {
        return frames;
    }
    for (const int number : numbersIn(file, "/frames", "a frame")) {
        frames.push_back(frameOf(file, frameGroup(number), number));
    }
    return frames;
}

Volume readRunFrame(const h5::Reader& file, int number) {
    return readVolumeDataset(file, frameGroup(number) + "/image");
}

RunSummary readRunSummary(const std::string& path) {
    return readRunSummary(h5::Reader(path));
}

RunSummary readRunSummary(const h5::Reader& file) {
    RunSummary run;
    run.lattice = readLattice(file, "/image");
    run.units = file.textAttribute("/image", "units").value_or("");
    run.settingsJson = file.text("/settings");
    run.scannerJson = file.textAttribute("/", "scanner").value_or("");
    run.phantom = file.textAttribute("/", "phantom").value_or("");
    run.totals = readTotals(file, "/");
    run.metricsJson = file.has("/metrics") ? file.text("/metrics") : "";
    run.bandsJson = file.has("/replicates/bands") ? file.text("/replicates/bands") : "";
    run.iterates = readHistory(file);
    run.savedImages = savedIterations(file);
    return run;
}

Volume readIterate(const std::string& path, int iteration, std::function<void()> heed) {
    const h5::Reader file(path, std::move(heed));
    const std::vector<int> saved = savedIterations(file);
    if (std::find(saved.begin(), saved.end(), iteration) == saved.end()) {
        throw BadInput("{}: the image of iteration {} is not in the file; saved are {}", path, iteration,
                       saved.empty() ? "none" : fmt::format("{}", fmt::join(saved, ", ")));
    }
    return readVolumeDataset(file, iterateImage(iteration));
}

Volume readReplicates(const std::string& path, int iteration, ReplicateImage which) {
    const h5::Reader file(path);
    const std::string dataset =
        fmt::format("/replicates/{:04d}/{}", iteration, which == ReplicateImage::Mean ? "mean" : "sd");
    if (!file.has(dataset)) {
        throw BadInput("{}: holds no replicates of iteration {}; reconstruct with --replicates", path,
                       iteration);
    }
    return readVolumeDataset(file, dataset);
}

Volume readPrior(const std::string& path, StoredPrior which, std::function<void()> heed) {
    const h5::Reader file(path, std::move(heed));
    const std::string dataset = which == StoredPrior::Kappa ? "/prior/kappa" : "/prior/pull";
    if (!file.has(dataset)) {
        throw BadInput("{}: holds no images of a prior; reconstruct with bsrem, svrg, osl or lbfgsb", path);
    }
    return readVolumeDataset(file, dataset);
}

std::shared_ptr<const Volume> readCoefficients(const std::string& path) {
    const h5::Reader file(path);
    return file.has("/coefficients")
               ? std::make_shared<const Volume>(readVolumeDataset(file, "/coefficients"))
               : nullptr;
}

void writeCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
    h5::writeFile(path, [&](h5::Writer& file) {
        file.group("/checkpoint");
        file.attribute("/checkpoint", "iteration", static_cast<std::uint64_t>(checkpoint.iteration));
        file.attribute("/checkpoint", "data_hash", checkpoint.dataHash);
        file.text("/settings", checkpoint.settingsJson);
        const Volume& image = *checkpoint.image;
        writeVolumeDataset(file, "/image", image.lattice, image.data, image.units);
        writeHistory(file, checkpoint.history);
        file.text("/metrics", checkpoint.metricsJson);
        if (checkpoint.coefficients != nullptr) {
            writeVolumeDataset(file, "/coefficients", image.lattice, checkpoint.coefficients->data, "");
        }
        for (const FrameBegun& begun : checkpoint.frames) {
            writeBegun(file, begun, image.lattice);
        }
    });
}

Checkpoint readCheckpoint(const std::string& path) {
    const h5::Reader file(path);
    const auto iteration = file.whole("/checkpoint", "iteration");
    if (!iteration || *iteration > kIterationLimit) {
        throw BadInput(
            "{}: attribute 'iteration' of '/checkpoint' is missing or absurd; this is no checkpoint, start "
            "the run again without --resume",
            path);
    }
    Checkpoint checkpoint;
    checkpoint.iteration = static_cast<int>(*iteration);
    checkpoint.dataHash = file.textAttribute("/checkpoint", "data_hash").value_or("");
    checkpoint.settingsJson = file.text("/settings");
    checkpoint.image = std::make_shared<const Volume>(readVolumeDataset(file, "/image"));
    checkpoint.history = readHistory(file);
    checkpoint.metricsJson = file.has("/metrics") ? file.text("/metrics") : std::string();
    if (file.has("/coefficients")) {
        checkpoint.coefficients = imageOn(file, "/coefficients", checkpoint.image->lattice);
    }
    checkpoint.frames = readBegun(file, checkpoint.image->lattice);
    return checkpoint;
}

}  // namespace tof
