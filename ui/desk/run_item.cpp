// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_item.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "recon/base/json_text.h"
#include "recon/io/format_table.h"
#include "recon/work/stored_run.h"
#include "ui/desk/run_news.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::size_t kMostLeft = 64;  ///< settings that a curve along them shows

/// Giving hundreds of MB back takes the system tens of ms, many times a second while pictures come from
/// inside an iteration: elsewhere than in the window's thread.
void letGo(const Volume* volume) {
    constexpr std::size_t kLarge = std::size_t{16} << 20U;  ///< voxels
    if (volume->data.size() < kLarge) {
        delete volume;
        return;
    }
    std::thread([volume] { delete volume; }).detach();
}

}  // namespace

bool isActive(RunState state) {
    return state == RunState::Preparing || state == RunState::Running || state == RunState::Paused;
}

const char* orderName(RunOrder order) {
    switch (order) {
        case RunOrder::None: return "";
        case RunOrder::Pause: return "pausing";
        case RunOrder::Finish: return "finishing";
        case RunOrder::Cancel: return "cancelling";
    }
    return "";
}

RunItem::RunItem(int id, RunKind kind, QString label, QString name)
    : id_(id),
      kind_(kind),
      label_(std::move(label)),
      name_(std::move(name)),
      units_(kind == RunKind::Volume ? "" : kEmissionsPerVoxel) {}

int RunItem::mark() const {
    constexpr unsigned kLetters = 26;
    constexpr unsigned kMost = 0xffff;  // names of runs may be longer than two letters
    unsigned place = 0;
    for (const QChar c : label_) {
        place = place * kLetters + c.unicode() - 'A' + 1;
    }
    const int mark = static_cast<int>((place - 1) & kMost);
    return isVolume() ? -1 - mark : mark;
}

std::shared_ptr<const Volume> KeptImage::get(const std::function<void()>& heed) const {
    return volume != nullptr ? volume
           : choice          ? std::make_shared<const Volume>(recognise(file, heed).readVolume(*choice))
                             : std::make_shared<const Volume>(readIterate(file, iteration, heed));
}

// ---- what it has made, and what is on screen of it ----

KeptImage RunItem::kept(int iteration) const {
    if (frames_ && iteration == 0) {
        return {0, frames_->all};
    }
    const auto held = images_.find(iteration);
    std::optional<VolumeReadOptions> choice = frames_ ? frames_->choice : std::nullopt;
    if (choice) {
        choice->frame = iteration;
    }
    return {iteration, held != images_.end() ? held->second : nullptr, file_.toStdString(), choice};
}

int RunItem::lastIterate() const {
    return images_.empty() ? 0 : images_.rbegin()->first;
}

double RunItem::seconds() const {
    if (workSeconds_ > 0) {
        return earlierSeconds_ + workSeconds_;
    }
    return std::accumulate(timing_.begin(), timing_.end(), 0.0,
                           [](double sum, const StoredIterate& iterate) { return sum + iterate.seconds; });
}

int RunItem::shownIterate() const {
    if (shown_ > 0 || frames_) {
        return shown_;
    }
    return images_.empty() && !imagesOnDisk_.empty() ? imagesOnDisk_.back() : lastIterate();
}

void RunItem::show(int iteration) {
    shown_ = iteration;
    if (frames_) {
        frames_->last = iteration;
        frames_->mean.reset();
        frames_->wanted = {};
    }
}

FrameRange RunItem::framesShown() const {
    if (!frames_) {
        return {};
    }
    return shown_ > 0 ? FrameRange{shown_, frames_->last}
                      : FrameRange{1, static_cast<int>(frames_->info.frames.size())};
}

FrameRange RunItem::framesWanted() const {
    return frames_ && frames_->wanted.first > 0 ? frames_->wanted : framesShown();
}

void RunItem::showFrames(FrameRange frames) {
    const int count = static_cast<int>(frames_->info.frames.size());
    frames.first = std::clamp(frames.first, 1, count);
    frames.last = std::clamp(frames.last, frames.first, count);
    if (frames.one()) {
        show(frames.first);
    } else if (frames == FrameRange{1, count}) {
        show(0);
    } else {
        frames_->wanted = frames == framesShown() ? FrameRange{} : frames;
    }
}

void RunItem::setMean(FrameRange frames, std::shared_ptr<const Volume> mean) {
    if (frames_ && frames_->wanted == frames) {
        show(frames.first);
        frames_->last = frames.last;
        frames_->mean = std::move(mean);
    }
}

std::shared_ptr<const Volume> RunItem::volume() const {
    if (frames_ && !framesShown().one()) {
        return shown_ == 0 ? frames_->all : frames_->mean;
    }
    if (shown_ > 0) {
        const auto it = images_.find(shown_);
        return it != images_.end() ? it->second : nullptr;
    }
    if (live_ != nullptr) {
        return live_;
    }
    return images_.empty() ? nullptr : images_.rbegin()->second;
}

bool RunItem::awaitsFirstImage() const {
    const bool comes = isActive(state_) || state_ == RunState::Queued ||
                       (isLive() && state_ == RunState::Cancelled);  // it begins again
    return comes && images_.empty() && imagesOnDisk_.empty();
}

std::shared_ptr<const Volume> RunItem::wholeVolume() const {
    if (shown_ == 0 && live_ != nullptr) {
        return images_.empty() ? nullptr : images_.rbegin()->second;
    }
    return volume();
}

int RunItem::missingImage() const {
    if (file_.isEmpty() || volume() != nullptr) {
        return 0;
    }
    return shown_ > 0 ? shown_ : imagesOnDisk_.empty() ? 0 : imagesOnDisk_.back();
}

const Figures* RunItem::figuresOf(int iteration) const {
    const auto it = std::find_if(figures_.begin(), figures_.end(),
                                 [&](const Figures& f) { return f.iteration == iteration; });
    return it != figures_.end() ? &*it : nullptr;
}

std::vector<Figures> RunItem::figuresUpTo(int iteration) const {
    std::vector<Figures> those;
    std::copy_if(figures_.begin(), figures_.end(), std::back_inserter(those),
                 [&](const Figures& f) { return f.iteration <= iteration; });
    return those;
}

QString RunItem::shownText() const {
    if (frames_) {
        return name_ + ", " + framesText(frames_->info, framesShown());
    }
    if (isVolume()) {
        return iterates_ && images_.size() > 1 ? Text::tr("%1, iterate %2").arg(name_).arg(shownIterate())
                                               : name_;
    }
    if (shown_ == 0 && live_ != nullptr) {
        return Text::tr("iterate %1 in work").arg(progress_.iteration);
    }
    const int iteration = shownIterate();
    return iteration > 0 ? Text::tr("iterate %1").arg(iteration) : QString();
}

std::vector<int> RunItem::iterates() const {
    std::vector<int> all = imagesOnDisk_;
    for (const auto& [iteration, image] : images_) {
        all.push_back(iteration);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Checkpoint RunItem::checkpoint(int iteration, const std::string& dataHash) const {
    const nlohmann::json described{{"settings", settings_.json()}, {"engine", engine_.toStdString()}};
    Checkpoint checkpoint;
    checkpoint.settingsJson = jsonText(described);
    checkpoint.dataHash = dataHash;
    checkpoint.iteration = iteration;
    std::copy_if(timing_.begin(), timing_.end(), std::back_inserter(checkpoint.history),
                 [&](const StoredIterate& each) { return each.iteration <= iteration; });
    return checkpoint;
}

void RunItem::rename(const QString& name) {
    name_ = name;
    renamed_ = true;
}

// ---- it waits ----

void RunItem::plan(const RunSettings& settings, int replicates) {
    settings_ = settings;
    replicates_ = replicates;
    engine_ = QString::fromStdString(settings.engine);
    progress_ = {0, settings.iterations, 0, 1};
    state_ = RunState::Queued;
}

void RunItem::planMore(const RunSettings& settings, int before) {
    settings_ = settings;
    before_ = before;
    resumes_ = true;
    replicates_ = 0;
    progress_.iterations = settings.iterations;
    error_.clear();
    shown_ = 0;
    state_ = RunState::Queued;
}

void RunItem::withdraw() {
    if (!resumes_) {
        return;
    }
    resumes_ = false;
    if (before_ == 0) {
        state_ = RunState::Interrupted;  // its checkpoint is still there
        return;
    }
    state_ = RunState::Finished;
    const auto later = [this](int iteration) { return iteration > before_; };
    std::erase_if(images_, [&](const auto& entry) { return later(entry.first); });
    std::erase_if(timing_, [&](const auto& entry) { return later(entry.iteration); });
    std::erase_if(figures_, [&](const auto& entry) { return later(entry.iteration); });
    settings_.iterations = before_;
    shown_ = 0;
}

// ---- it is in work ----

void RunItem::begin(const std::string& dataHash, const Lattice& lattice, std::uint64_t roiRevision) {
    state_ = RunState::Preparing;
    dataHash_ = dataHash;
    lattice_ = lattice;
    error_.clear();
    if (isLive()) {
        return;  // what it has made stays on screen until there is something newer
    }
    earlierSeconds_ = seconds();
    workSeconds_ = 0;
    if (figures_.empty()) {
        roiRevision_ = roiRevision;
    }
}

bool RunItem::give(RunOrder order) {
    if (isLive()) {
        return false;
    }
    order_ = order;
    return true;
}

bool RunItem::report(const RunNews& news) {
    bool changed = false;
    preparing_ = QString::fromStdString(news.preparing);
    changed = preparedShare_ != news.preparedShare;
    preparedShare_ = news.preparedShare;
    if (!news.engine.empty()) {
        engine_ = QString::fromStdString(news.engine);
        changed = true;
    }
    if (news.progress) {
        progress_ = *news.progress;
        remainingSeconds_ = news.remainingSeconds;
        changed = true;
    }
    if (news.memory) {
        memory_ = *news.memory;
        peak_.host = std::max(peak_.host, memory_.host);
        peak_.device = std::max(peak_.device, memory_.device);
        changed = true;
    }
    if (news.workSeconds > 0) {
        workSeconds_ = news.workSeconds;
    }
    const RunState state = news.paused               ? RunState::Paused
                           : !preparing_.isEmpty()   ? RunState::Preparing
                           : progress_.iteration > 0 ? RunState::Running
                                                     : RunState::Preparing;
    if (isActive(state_) && state != state_) {
        state_ = state;
        changed = true;
    }
    if (news.paused && order_ == RunOrder::Pause) {
        order_ = RunOrder::None;
        changed = true;
    }
    return changed;
}

void RunItem::addIterate(Iterate iterate) {
    addImage(iterate.iteration, std::move(iterate.image));
    timing_.push_back({iterate.iteration, std::move(iterate.stageSeconds), iterate.seconds, iterate.objective,
                       iterate.change});
    live_.reset();
}

void RunItem::showWork(std::vector<float> image) {
    const std::shared_ptr<Volume> volume(new Volume, letGo);
    volume->lattice = lattice_;
    volume->units = units_.toStdString();
    volume->data = std::move(image);
    live_ = std::move(volume);
}

void RunItem::rewrite(const RunSettings& settings, const QString& name, std::uint64_t roiRevision) {
    if (!figures_.empty() && figures_.back().iteration == settings_.iterations) {
        left_.push_back({settings_, figures_.back(), roiRevision_});
    }
    std::erase_if(left_, [&](const Left& each) {
        return each.roiRevision != roiRevision || each.settings == settings;
    });
    if (left_.size() > kMostLeft) {
        left_.erase(left_.begin());
    }
    images_.clear();
    timing_.clear();
    live_.reset();
    setFigures({}, roiRevision);
    settings_ = settings;
    name_ = name;
}

// ---- it has ended ----

void RunItem::end(RunState state) {
    state_ = state;
    order_ = RunOrder::None;
    preparing_.clear();
    remainingSeconds_.reset();
    resumes_ = false;
    if (!isLive() || images_.empty()) {
        live_.reset();
    }
    if (isLive() && (state == RunState::Done || state == RunState::Finished)) {
        live_.reset();
    }
}

void RunItem::fail(const QString& error) {
    end(RunState::Failed);
    error_ = error;
}

void RunItem::cancel() {
    const bool continued = resumes_;
    end(RunState::Cancelled);
    resumes_ = continued;
    withdraw();
}

void RunItem::putBack() {
    end(RunState::Queued);
    held_ = true;
    progress_ = {0, settings_.iterations, 0, 1};
}

void RunItem::setFile(const QString& file, std::vector<int> imagesOnDisk) {
    file_ = file;
    imagesOnDisk_ = std::move(imagesOnDisk);
}

void RunItem::keepBands(const std::string& json) {
    bands_ = json.empty() ? nullptr : std::make_shared<const std::string>(json);
}

// ---- it comes from elsewhere ----

void RunItem::open(const StoredRun& run) {
    state_ = run.interrupted ? RunState::Interrupted : RunState::Opened;
    settings_ = run.made.settings;
    engine_ = QString::fromStdString(run.made.engine);
    system_ = run.made.system;
    dataHash_ = run.made.dataHash;
    lattice_ = run.summary.lattice;
    units_ = QString::fromStdString(run.summary.units);
    timing_ = run.summary.iterates;
    figures_ = figuresFromJson(run.summary.metricsJson);
    const int reached = run.interrupted ? run.lastIteration : timing_.empty() ? 0 : timing_.back().iteration;
    if (reached > 0) {
        progress_ = {reached, settings_.iterations, 0, 1};
    }
    if (!run.interrupted) {
        setFile(QString::fromStdString(run.file), run.summary.savedImages);
    }
    // A checkpoint says nothing of replicates: what the run file before it said stays.
    if (!run.interrupted || !run.summary.bandsJson.empty()) {
        keepBands(run.summary.bandsJson);
    }
    if (run.last != nullptr) {
        addImage(run.lastIteration, run.last);
    }
}

void RunItem::follow(const StoredRun& run) {
    std::vector<Figures> before = std::move(figures_);
    open(run);
    if (figures_.empty()) {
        figures_ = std::move(before);
    }
    elsewhere_ = run.interrupted;
    if (!run.interrupted) {
        images_.clear();  // the file has the last one, which came after the last checkpoint
    }
}

void RunItem::open(std::shared_ptr<const Volume> volume) {
    state_ = RunState::Opened;
    lattice_ = volume->lattice;
    units_ = QString::fromStdString(volume->units);
    addImage(1, std::move(volume));
}

void RunItem::measuredAs(const RunItem& other) {
    dataHash_ = other.dataHash();
    uptakeOf_ = other.uptakeOf();
}

void RunItem::openIterates(const std::vector<std::pair<int, std::shared_ptr<const Volume>>>& iterates) {
    images_.clear();
    for (const auto& [iteration, image] : iterates) {
        addImage(iteration, image);
    }
    iterates_ = true;
}

void RunItem::openFrames(const OpenedFrames& opened, const std::optional<VolumeReadOptions>& choice) {
    images_.clear();
    imagesOnDisk_.clear();
    for (const auto& frame : opened.frames) {
        addImage(static_cast<int>(images_.size()) + 1, frame);
    }
    if (choice) {
        imagesOnDisk_.resize(opened.info.frames.size());
        std::iota(imagesOnDisk_.begin(), imagesOnDisk_.end(), 1);
    }
    frames_ = Frames{opened.info, choice, opened.mean};
    show(0);
}

// ---- images and figures ----

void RunItem::addImage(int iteration, std::shared_ptr<const Volume> image) {
    images_[iteration] = std::move(image);
}

std::size_t RunItem::dropImages(std::size_t excess) {
    if (iterates_ || (frames_ && !frames_->choice)) {
        return excess;  // they are in memory only
    }
    for (auto it = images_.begin(); it != images_.end() && excess > 0;) {
        if (it->first == shown_ || std::next(it) == images_.end()) {
            ++it;
            continue;
        }
        excess -= std::min(excess, it->second->data.size() * sizeof(float));
        it = images_.erase(it);
    }
    return excess;
}

void RunItem::measured(const Figures& figures, std::uint64_t roiRevision) {
    const auto at = std::lower_bound(figures_.begin(), figures_.end(), figures.iteration,
                                     [](const Figures& f, int iteration) { return f.iteration < iteration; });
    if (at != figures_.end() && at->iteration == figures.iteration) {
        *at = figures;
    } else {
        figures_.insert(at, figures);
    }
    roiRevision_ = roiRevision == roiRevision_ ? roiRevision : 0;
}

void RunItem::setFigures(std::vector<Figures> figures, std::uint64_t roiRevision) {
    figures_ = std::move(figures);
    roiRevision_ = roiRevision;
}

double RunItem::share() const {
    const double blocks = static_cast<double>(std::max<std::size_t>(1, progress_.blocks));
    return (std::max(0, progress_.iteration - 1) + static_cast<double>(progress_.block) / blocks) /
           std::max(1, progress_.iterations);
}

}  // namespace tof::ui
