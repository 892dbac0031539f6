// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/reconstruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>

#include "recon/algorithm/part_shares.h"
#include "recon/base/error.h"
#include "recon/seam/element_math.h"

namespace tof {

namespace {

/// Thrown inside a sequence to leave it; never escapes run().
struct FinishRequested {};

std::uint64_t nextGeneration() {
    static std::atomic<std::uint64_t> counter{0};
    return ++counter;
}

/// How long a run waits for an image on its way where a device is at work: not at all between blocks, a part
/// of a group's 25 ms after it.
constexpr std::chrono::milliseconds kNone{0};
constexpr std::chrono::milliseconds kLittle{5};
/// Images of more voxels are taken by a thread of their own; smaller ones, in a ms, where they are handed
/// over.
constexpr std::size_t kLarge = std::size_t{1} << 22U;

/// x, x of the last whole iterate, the correction and s.
constexpr std::size_t kImagesOfAll = 4;

std::size_t blocksOf(const AlgorithmSettings& settings, std::size_t parts) {
    if (settings.algorithm->grouping == Grouping::AllData) {
        return 1;
    }
    return settings.subsets > 0 ? static_cast<std::size_t>(settings.subsets) : parts;
}

/// By block SecondShare::first.
std::vector<std::size_t> firstsOfSecondShares(const std::vector<std::vector<std::size_t>>& blocks,
                                              const Projector& projector) {
    std::vector<std::size_t> seconds(blocks.size(), 0);
    if (projector.addsInShares()) {
        const std::vector<std::vector<std::size_t>> begins = shareBegins(blocks, 2);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            seconds[b] = blocks[b].size() > 1 ? begins[b][1] : 0;
        }
    }
    return seconds;
}

/// Where the back projection of a part goes that has place `place` in its block.
struct Addend {
    MutableView image;
    Write write;
};
Addend addend(std::size_t place, MutableView sum, const SecondShare& second) {
    const bool ofFirst = second.first == 0 || place < second.first;
    const bool begins = place == 0 || place == second.first;
    return {ofFirst ? sum : second.image, begins ? Write::Overwrite : Write::Add};
}

/// List-mode sums only over observed bins: the "-1" of the others is no part of the projection, so the
/// block's sensitivity is subtracted after it.
bool subtractsSensitivity(const Algorithm& algorithm, const DataSource& data) {
    return algorithm.discrepancy == Discrepancy::RatioMinusOne && data.listMode();
}

void requireRunnable(const AlgorithmSettings& settings) {
    if (settings.iterations < 1 || settings.iterations > 100000) {
        throw WrongUse("{} iterations: choose 1 to 100000", settings.iterations);
    }
    if (!(settings.psi > 0) || !(settings.lowerBound > 0) ||
        !std::isfinite(settings.psi + settings.lowerBound)) {
        throw WrongUse("psi is {} and the lower bound {}; both must be positive", settings.psi,
                       settings.lowerBound);
    }
    if (!(settings.relaxation > 0) || !(settings.gamma >= 0) ||
        !std::isfinite(settings.relaxation + settings.gamma)) {
        throw WrongUse("the relaxation must be positive and gamma not negative");
    }
    if (!(settings.filterSteps >= 1) || !(settings.resolution_mm >= 0) ||
        !std::isfinite(settings.filterSteps + settings.resolution_mm)) {
        throw WrongUse("the filter has {} steps and blurs by {} mm; it takes 1 step or more and 0 mm or more",
                       settings.filterSteps, settings.resolution_mm);
    }
    if (!(settings.stop >= 0) || !std::isfinite(settings.stop)) {
        throw WrongUse("stop is {}; it must be 0 or more", settings.stop);
    }
    requirePrior(settings);
}

}  // namespace

std::size_t largestPart(const Projector& projector) {
    std::size_t largest = 0;
    for (std::size_t part = 0; part < projector.parts(); ++part) {
        largest = std::max(largest, projector.dataSize(part));
    }
    return largest;
}

int subsetsByCounts(double counts, double voxelsPerCount, std::size_t voxels, std::size_t parts) {
    constexpr double kMost = 20;
    constexpr double kPartsOfBlock = 6;
    const double fit = counts * voxelsPerCount / static_cast<double>(std::max<std::size_t>(voxels, 1));
    const auto most = static_cast<std::size_t>(
        std::max(1.0, std::min({kMost, fit, static_cast<double>(parts) / kPartsOfBlock})));
    for (std::size_t subsets = most; 2 * subsets > most; --subsets) {
        if (parts % subsets == 0) {
            return static_cast<int>(subsets);
        }
    }
    return static_cast<int>(most);
}

bool goesByCounts(const AlgorithmSettings& settings) {
    return settings.subsets == 0 && settings.algorithm->voxelsPerCount > 0;
}

int subsetsOfRun(const AlgorithmSettings& settings, double counts, std::size_t voxels, std::size_t parts) {
    return goesByCounts(settings) ? subsetsByCounts(counts, settings.algorithm->voxelsPerCount, voxels, parts)
                                  : settings.subsets;
}

std::vector<std::vector<std::size_t>> makeBlocks(const AlgorithmSettings& settings,
                                                 std::span<const std::size_t> order) {
    const auto parts = static_cast<int>(order.size());
    if (settings.subsets < 0 || settings.subsets > parts) {
        throw WrongUse(
            "{} subsets, but the data have {} parts (views; of list-mode pieces of many events): choose 0 "
            "(one part "
            "per block) to {}",
            settings.subsets, parts, parts);
    }
    std::vector<std::vector<std::size_t>> blocks(blocksOf(settings, order.size()));
    for (std::size_t i = 0; i < order.size(); ++i) {
        blocks[i % blocks.size()].push_back(order[i]);
    }
    return blocks;
}

std::size_t workingBytes(const Projector& projector, const AlgorithmSettings& settings) {
    const Algorithm& algorithm = *settings.algorithm;
    const std::size_t blocks = blocksOf(settings, projector.parts());
    const std::size_t perBlock = algorithm.sensitivity == Sensitivity::OfBlock && blocks > 1 ? blocks : 0;
    const std::size_t images = kImagesOfAll + perBlock + algorithm.images + algorithm.imagesPerBlock * blocks;
    const std::size_t attenuated = projector.attenuates() ? 1 : 0;
    const std::size_t chosen = settings.chosen != nullptr ? 1 : 0;
    const std::size_t second = projector.addsInShares() && blocks < projector.parts() ? 1 : 0;
    return ((images + attenuated + chosen + second) * projector.imageSize() +
            (1 + algorithm.dataArrays) * largestPart(projector)) *
           sizeof(float);
}

void backMult(Projector& projector, DataSource& data, std::span<const std::size_t> parts, MutableView scratch,
              const SecondShare& second, MutableView sensitivity, const std::function<void()>& heed) {
    Space& space = projector.space();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (heed) {
            heed();
        }
        auto [mult, att] = data.sensitivityWeights(parts[i]);
        if (mult.empty()) {
            const MutableView ones = scratch.part(0, projector.dataSize(parts[i]));
            space.fill(ones, 1.0F);
            mult = ones;
        }
        const auto [image, write] = addend(i, sensitivity, second);
        projector.backAttenuated(parts[i], att, mult, image, write);
    }
    if (second.first > 0) {
        space.accumulate(second.image, sensitivity);
    }
    projector.complete(sensitivity);
}

Reconstruction::Reconstruction(Projector& projector, DataSource& data, const Lattice& lattice,
                               const AlgorithmSettings& settings, std::vector<std::size_t> order,
                               RunControl& control)
    : projector_(projector),
      data_(data),
      lattice_(lattice),
      settings_(settings),
      blocks_(makeBlocks(settings, order)),
      secondShares_(firstsOfSecondShares(blocks_, projector)),
      generation_(nextGeneration()),
      whole_(lattice),
      spare_(std::make_shared<SpareImages>()) {
    requireRunnable(settings);
    if (data.parts() != projector.parts() || order.size() != projector.parts()) {
        throw InternalError("data, projector and order do not have the same number of parts");
    }
    if (lattice.voxels() != projector.imageSize()) {
        throw InternalError("the lattice is not that of the projector's image");
    }
    if (settings.algorithm->residuals == Residuals::OfUpdate && data.listMode()) {
        throw InternalError("an update with residuals of its own was given a list");
    }
    Space& space = projector.space();
    const Heeding heeding(space, [&] { control.heed(); });
    const std::size_t n = projector.imageSize();
    image_ = space.allocate(n);
    lastWhole_ = space.allocate(n);
    correction_ = space.allocate(n);
    const bool shared =
        std::any_of(secondShares_.begin(), secondShares_.end(), [](std::size_t at) { return at > 0; });
    secondImage_ = space.allocate(shared ? n : 0);
    attenuated_ = space.allocate(projector.attenuates() ? n : 0);
    sensitivity_ = space.allocate(n);
    scratch_ = space.allocate(largestPart(projector));
    const Algorithm& algorithm = *settings_.algorithm;
    update_ = algorithm.makeUpdate(
        {projector, data, space, lattice_, settings_, blocks_.size(), [this] { return objective(); }});

    if (blocks_.size() > 1 &&
        (algorithm.sensitivity == Sensitivity::OfBlock || subtractsSensitivity(algorithm, data))) {
        findBlockSensitivities(control);
    } else {
        findSensitivity(order, control);
    }
    control.checkpoint();  // ranks know together whether the sensitivity is whole
    floor_ = kSensitivityFloor * projector.maximum(sensitivity_.view());
    startUniform();
    prepareUpdate();
    tellFewCounts(control);
}

DataScale dataScale(Projector& projector, const DataSource& data, ConstView sensitivity,
                    MutableView scratch) {
    const float floor = kSensitivityFloor * projector.maximum(sensitivity);
    projector.space().fillSeen(sensitivity, floor, 1.0F, scratch);
    const double seen = projector.sum(scratch);
    const double total = projector.sum(sensitivity);
    // Additive counts that exceed the measured ones leave no estimate of the emissions: all counts do then.
    const double counts = data.totalCounts() - data.totalAdd();
    return {sensitivity, floor, (counts > 0 ? counts : data.totalCounts()) / total, total / seen};
}

void Reconstruction::prepareUpdate() {
    update_->prepare(dataScale(projector_, data_, sensitivity_.view(), correction_.view()));
}

double Reconstruction::countsOf(std::size_t block) {
    double counts = 0;
    for (const std::size_t part : blocks_[block]) {
        counts += projector_.counts(data_.part(part));
    }
    return counts;
}

bool Reconstruction::multipliesByBlocks() const {
    return settings_.algorithm->discrepancy == Discrepancy::Ratio && blocks_.size() > 1;
}

void Reconstruction::tellFewCounts(RunControl& control) {
    if (!multipliesByBlocks()) {
        return;
    }
    projector_.space().fillSeen(sensitivity_.view(), floor_, 1.0F, correction_.view());
    const double enough = projector_.sum(correction_.view()) / kVoxelsPerCount;
    std::size_t few = 0;
    double fewest = enough;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
        const double counts = countsOf(block);
        if (counts < enough) {
            fewest = std::min(fewest, counts);
            ++few;
        }
    }
    if (few > 0) {
        control.notice(fmt::format(
            "{} of {} subsets have few counts, {:.0f} in one of them where {:.0f} would do: noise grows with "
            "every update; take fewer subsets",
            few, blocks_.size(), fewest, std::ceil(enough)));
    }
}

ObjectiveValue Reconstruction::objective() {
    Space& space = projector_.space();
    ObjectiveValue value;
    for (std::size_t index = 0; index < data_.parts(); ++index) {
        const PartData part = data_.part(index);
        const MutableView p = scratch_.view().part(0, projector_.dataSize(index));
        projector_.forward(index, seen(part, Attenuating::Here), p);
        // What a list expects is that of all lines, not of those that events lie on.
        value.logLikelihood += projector_.logLikelihood(
            part, p, data_.listMode() ? Projector::Expected::LeftOut : Projector::Expected::Subtracted);
    }
    value.logLikelihood = projector_.ofAll(value.logLikelihood);
    if (data_.listMode()) {
        space.multiply(sensitivity_.view(), image_.view(), correction_.view());
        value.logLikelihood -= projector_.sum(correction_.view());
    }
    value.penalty = update_->penalty(image_.view(), correction_.view());
    return value;
}

/// Finds the sensitivity of every block, and their sum.
void Reconstruction::findBlockSensitivities(RunControl& control) {
    Space& space = projector_.space();
    space.fill(sensitivity_.view(), 0.0F);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::vector<std::size_t>& block = blocks_[b];
        control.checkpoint();
        blockSensitivity_.push_back(space.allocate(projector_.imageSize()));
        const MutableView target = blockSensitivity_.back().view();
        if (const ConstView known = data_.knownSensitivity(block); !known.empty()) {
            space.copy(known, target);
        } else {
            backMult(projector_, data_, block, scratch_.view(), secondShare(b), target,
                     [&] { control.heed(); });
            data_.sensitivityFound(block, target);
        }
        space.accumulate(target, sensitivity_.view());
        blockFloor_.push_back(kSensitivityFloor * projector_.maximum(target));
    }
}

/// Finds the sensitivity of all the data at once: one image to look up and to keep, whatever the blocks are.
void Reconstruction::findSensitivity(const std::vector<std::size_t>& order, RunControl& control) {
    Space& space = projector_.space();
    if (const ConstView known = data_.knownSensitivity(order); !known.empty()) {
        space.copy(known, sensitivity_.view());
        return;
    }
    space.fill(sensitivity_.view(), 0.0F);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        control.checkpoint();
        backMult(projector_, data_, blocks_[b], scratch_.view(), secondShare(b), correction_.view(),
                 [&] { control.heed(); });
        space.accumulate(correction_.view(), sensitivity_.view());
    }
    data_.sensitivityFound(order, sensitivity_.view());
}

void Reconstruction::startUniform() {
    Space& space = projector_.space();
    const double sensitivity = projector_.sum(sensitivity_.view());
    const double counts = data_.totalCounts() - data_.totalAdd();
    if (!(sensitivity > 0)) {
        throw BadInput(
            "the sensitivity is zero everywhere: no view of the data can record anything; check 'mult'");
    }
    if (!(data_.totalCounts() > 0)) {
        throw BadInput(
            "the data hold no counts; check that events lie inside the lattice and the acceptance");
    }
    // Additive counts that exceed the measured ones leave no estimate of the total; start from all counts
    // then.
    const double total = counts > 0 ? counts : data_.totalCounts();
    // No update can bring what is not seen to its value, so it would stay as a grey frame around the image.
    space.fillSeen(sensitivity_.view(), floor_, static_cast<float>(total / sensitivity), image_.view());
    iterationsDone_ = 0;
}

void Reconstruction::startFrom(std::span<const float> image, int iteration,
                               std::span<const float> coefficients) {
    if (image.size() != image_.size()) {
        throw BadInput("the start image has {} voxels and the data need {}", image.size(), image_.size());
    }
    const bool any = settings_.algorithm->values == ImageValues::Any;
    if (!std::all_of(image.begin(), image.end(),
                     [any](float v) { return std::isfinite(v) && (any || v >= 0); })) {
        throw BadInput("the start image holds negative or infinite values; clip it at zero first");
    }
    projector_.space().upload(image, image_.view());
    update_->goOnFrom(coefficients);
    iterationsDone_ = iteration;
}

Volume Reconstruction::image() {
    Volume result(lattice_);
    result.units = units_;
    projector_.space().download(image_.view(), result.data);
    return result;
}

std::optional<Volume> Reconstruction::image(PriorImage which) {
    if (!update_->show(which, image_.view(), correction_.view())) {
        return std::nullopt;
    }
    Volume result(lattice_);
    result.units = which == PriorImage::Kappa ? "" : units_;
    projector_.space().download(correction_.view(), result.data);
    return result;
}

std::vector<float> Reconstruction::sensitivity() {
    std::vector<float> image(sensitivity_.size());
    projector_.space().download(sensitivity_.view(), image);
    return image;
}

Attenuated Reconstruction::seenBy(std::size_t block) {
    if (attenuated_.size() == 0) {
        return {};
    }
    return {data_.part(blocks_[block].front()).att, attenuated_.view()};
}

ConstView Reconstruction::seen(const PartData& part, Attenuating by) {
    if (part.att.empty()) {
        return image_.view();
    }
    if (by == Attenuating::Here) {
        projector_.space().multiply(part.att, image_.view(), attenuated_.view());
    }
    return attenuated_.view();
}

SecondShare Reconstruction::secondShare(std::size_t block) {
    return {secondShares_[block], secondImage_.view()};
}

template <typename Ask>
void Reconstruction::pauseFor(const Ask& ask) {
    const auto asked = std::chrono::steady_clock::now();
    ask();
    waited_ += std::chrono::steady_clock::now() - asked;
}

void Reconstruction::backBlock(std::size_t block, RunControl& control) {
    const bool resident = data_.resident();
    Space& space = projector_.space();
    const Algorithm& algorithm = *settings_.algorithm;
    const Discrepancy kind =
        subtractsSensitivity(algorithm, data_) ? Discrepancy::Ratio : algorithm.discrepancy;
    const SecondShare second = secondShare(block);
    const auto& parts = blocks_[block];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // A device is done with a part soon, and what it records has no questions in it.
        if (space.hostMemory()) {
            pauseFor([&] { control.heed(); });
        }
        space.stage(Stage::Upload);
        const PartData part = data_.part(parts[i]);
        space.stage(Stage::Forward);
        const ConstView from = seen(part, resident && i == 0 ? Attenuating::UpdateBefore : Attenuating::Here);
        const auto [image, write] = addend(i, correction_.view(), second);
        if (algorithm.residuals == Residuals::OfUpdate) {
            const std::size_t share = second.first > 0 && i >= second.first ? 1 : 0;
            update_->backPart({parts[i], part, from, scratch_.view(), image, write, share});
        } else {
            projector_.backDiscrepancy(parts[i], part, kind, from, scratch_.view(), image, write);
        }
        if (!resident) {
            prefetchAfter(block, i);
        }
    }
    if (second.first > 0) {
        space.stage(Stage::Back);
        space.accumulate(second.image, correction_.view());
        space.stageEnd();
    }
    projector_.complete(correction_.view());
}

void Reconstruction::update(std::size_t block, std::size_t pass, RunControl& control) {
    Space& space = projector_.space();
    const Algorithm& algorithm = *settings_.algorithm;
    backBlock(block, control);
    space.stage(Stage::Update);
    const Attenuated next = data_.resident() ? seenBy((block + 1) % blocks_.size()) : Attenuated{};
    // What no count of a block reaches is not 0 for the others, and from 0 nothing could bring it back; what
    // no count of all data reaches is 0 by maximum likelihood.
    const float least = multipliesByBlocks() ? kSmallestFactor : 0;
    BlockTerms terms{correction_.view(), sensitivity_.view(), floor_, next, least, block, pass};
    const bool known = !blockSensitivity_.empty();
    if (subtractsSensitivity(algorithm, data_)) {
        space.addScaled(known ? blockSensitivity_[block].view() : sensitivity_.view(), -1.0F,
                        correction_.view());
    }
    if (known && algorithm.sensitivity == Sensitivity::OfBlock) {
        terms.sensitivity = blockSensitivity_[block].view();
        terms.floor = blockFloor_[block];
    }
    update_->apply(terms, image_.view());
    space.stageEnd();
}

void Reconstruction::prefetchAfter(std::size_t block, std::size_t place) {
    for (std::size_t looked = 0; looked < data_.parts(); ++looked) {
        if (++place == blocks_[block].size()) {
            place = 0;
            block = (block + 1) % blocks_.size();
        }
        if (const std::size_t part = blocks_[block][place]; data_.streamed(part)) {
            data_.prefetch(part);
            return;
        }
    }
}

bool Reconstruction::iterate(int iteration, RunControl& control) {
    using Clock = std::chrono::steady_clock;
    Space& space = projector_.space();
    const auto start = Clock::now();
    update_->begin(iteration, image_.view());
    space.copy(image_.view(), lastWhole_.view());
    const bool resident = data_.resident();
    if (const Attenuated first = resident ? seenBy(0) : Attenuated{}; !first.att.empty()) {
        space.multiply(first.att, image_.view(), first.image);
    }
    const std::size_t passes = update_->passes(iteration);
    const std::size_t steps = passes * blocks_.size();
    RunProgress progress{iteration, settings_.iterations, 0, steps};
    const bool replays = resident && settings_.algorithm->steps == Steps::Recorded;
    const SequenceKey key{replays ? fmt::format("iteration of {}", passes) : "", generation_,
                          projector_.recordable() ? Repeat::Replayed : Repeat::GivenAnew};
    waited_ = {};  // pauses are no work
    // Steps of so many blocks each; the last may have fewer.
    const auto updates = [&](std::size_t each) {
        space.sequence(
            key, (steps + each - 1) / each,
            [&](std::size_t group) {
                const std::size_t end = std::min((group + 1) * each, steps);
                for (std::size_t step = group * each; step < end; ++step) {
                    update(step % blocks_.size(), step / blocks_.size(), control);
                    handOver(control, kNone);  // while the device is busy with the block
                }
            },
            [&](std::size_t done) {
                handOver(control, kLittle);  // while the device is busy with the group
                progress.block = std::min(done * each, steps);
                control.progress(progress);
                if (progress.block < steps && control.wantsSnapshot()) {
                    control.offer(progress, space.snapshot(image_.view()));
                }
                pauseFor([&] { control.checkpoint(); });
                if (progress.block < steps && control.finishRequested()) {
                    throw FinishRequested{};
                }
            });
    };
    try {
        // Ranks look at the control together, however many blocks would be a group on each.
        updates(projector_.recordable()
                    ? 1
                    : projector_.blocksAtOnce(
                          steps, resident ? lastSeconds_ : std::numeric_limits<double>::infinity()));
    } catch (const FinishRequested&) {
        space.copy(lastWhole_.view(), image_.view());
        return false;
    }
    Iterate result;
    result.iteration = iteration;
    if (settings_.objective == TellsObjective::On) {
        result.objective = objective();
        pauseFor([&] { control.checkpoint(); });  // ranks know together whether it is that of all parts
    }
    if (settings_.objective == TellsObjective::On || settings_.stop > 0) {
        space.update(Distance{}, {image_.view(), image_.view()}, lastWhole_.view());
        const float largest = projector_.maximum(image_.view());
        lastChange_ = projector_.maximum(lastWhole_.view()) / (largest > 0 ? largest : 1.0F);
        result.change = lastChange_;
    }
    if (const ConstView known = update_->coefficients(); !known.empty()) {
        result.coefficients = downloaded(known);
    }
    const ImagesAre images = control.images();
    std::unique_ptr<Snapshot> leaving;
    space.stage(Stage::Download);
    if (images == ImagesAre::HandedOverAtOnce) {
        result.image = std::make_shared<const Volume>(image());
    } else if (const ConstView whole = projector_.whole(image_.view());
               images == ImagesAre::HandedOverBesideTheNext) {
        leaving = space.snapshot(whole);
    }
    result.stageSeconds = space.takeStageSeconds();
    result.seconds = std::chrono::duration<double>(Clock::now() - start - waited_).count();
    lastSeconds_ = result.seconds;
    iterationsDone_ = iteration;
    if (leaving != nullptr) {
        handOver(control);
        letLeave(std::move(result), std::move(leaving));
    } else {
        control.iterateDone(std::move(result));
    }
    return true;
}

std::shared_ptr<const Volume> Reconstruction::downloaded(ConstView image) {
    const ConstView all = projector_.makesWhole() ? projector_.whole(image) : image;
    if (all.empty()) {
        return nullptr;  // the first rank has it
    }
    auto kept = std::make_shared<Volume>(projector_.makesWhole() ? whole_ : lattice_);
    projector_.space().download(all, kept->data);
    return kept;
}

void Reconstruction::letLeave(Iterate iterate, std::unique_ptr<Snapshot> image) {
    const std::shared_ptr<Volume> volume = spare_->volume();
    volume->lattice = whole_;
    volume->units = units_;
    const auto how = whole_.voxels() > kLarge ? std::launch::async : std::launch::deferred;
    leaving_.emplace(
        Leaving{std::move(iterate),
                std::async(how, [volume, image = std::move(image)]() -> std::shared_ptr<const Volume> {
                    image->takeInto(volume->data);
                    return volume;
                })});
}

void Reconstruction::handOver(RunControl& control, std::chrono::milliseconds patience) {
    if (leaving_ && leaving_->image.wait_for(patience) != std::future_status::timeout) {
        handOver(control);
    }
}

void Reconstruction::handOver(RunControl& control) {
    if (!leaving_) {
        return;
    }
    Leaving leaving = std::move(*leaving_);
    leaving_.reset();
    leaving.iterate.image = leaving.image.get();
    control.iterateDone(std::move(leaving.iterate));
}

int Reconstruction::run(RunControl& control) {
    static_cast<void>(projector_.space().takeStageSeconds());
    const Heeding heeding(projector_.space(), [&] { pauseFor([&] { control.heed(); }); });
    try {
        while (iterationsDone_ < settings_.iterations) {
            control.checkpoint();
            if (control.finishRequested() || !iterate(iterationsDone_ + 1, control) ||
                (settings_.stop > 0 && lastChange_ <= settings_.stop)) {
                break;
            }
        }
    } catch (const Cancelled&) {
        handOver(control);
        throw;
    }
    handOver(control);
    return iterationsDone_;
}

}  // namespace tof
