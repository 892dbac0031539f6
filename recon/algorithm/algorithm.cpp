// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>

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

}  // namespace

const char* algorithmName(AlgorithmKind kind) {
    switch (kind) {
        case AlgorithmKind::Ramla: return "ramla";
        case AlgorithmKind::Osem: return "osem";
        case AlgorithmKind::Mlem: return "mlem";
    }
    return "";
}

AlgorithmKind algorithmFromName(const std::string& name) {
    for (const AlgorithmKind kind : {AlgorithmKind::Ramla, AlgorithmKind::Osem, AlgorithmKind::Mlem}) {
        if (name == algorithmName(kind)) {
            return kind;
        }
    }
    throw WrongUse(fmt::format("no algorithm '{}'; algorithms: ramla, osem, mlem", name));
}

std::vector<std::vector<std::size_t>> makeBlocks(const AlgorithmSettings& settings,
                                                 std::span<const std::size_t> order) {
    const auto parts = static_cast<int>(order.size());
    if (settings.subsets < 0 || settings.subsets > parts) {
        throw WrongUse(fmt::format("{} subsets of {} views: choose 0 (one view per block) to {}",
                                   settings.subsets, parts, parts));
    }
    const int subsets = settings.kind == AlgorithmKind::Mlem ? 1
                        : settings.subsets > 0               ? settings.subsets
                                                             : parts;
    std::vector<std::vector<std::size_t>> blocks(static_cast<std::size_t>(subsets));
    for (std::size_t i = 0; i < order.size(); ++i) {
        blocks[i % blocks.size()].push_back(order[i]);
    }
    return blocks;
}

void backMult(Projector& projector, DataSource& data, std::span<const std::size_t> parts, MutableView scratch,
              MutableView sensitivity) {
    Space& space = projector.space();
    Write write = Write::Overwrite;
    for (const std::size_t part : parts) {
        ConstView mult = data.sensitivityWeights(part);
        if (mult.empty()) {
            const MutableView ones = scratch.part(0, projector.dataSize(part));
            space.fill(ones, 1.0F);
            mult = ones;
        }
        projector.back(part, mult, sensitivity, write);
        write = Write::Add;
    }
}

Reconstruction::Reconstruction(Projector& projector, DataSource& data, const Lattice& lattice,
                               const AlgorithmSettings& settings, std::vector<std::size_t> order,
                               RunControl& control)
    : projector_(projector),
      data_(data),
      lattice_(lattice),
      settings_(settings),
      blocks_(makeBlocks(settings, order)),
      generation_(nextGeneration()) {
    if (settings.iterations < 1 || settings.iterations > 100000) {
        throw WrongUse(fmt::format("{} iterations: choose 1 to 100000", settings.iterations));
    }
    if (!(settings.relaxation > 0) || !(settings.gamma >= 0) ||
        !std::isfinite(settings.relaxation + settings.gamma)) {
        throw WrongUse("the relaxation must be positive and gamma not negative");
    }
    if (data.parts() != projector.parts() || order.size() != projector.parts()) {
        throw InternalError("data, projector and order do not have the same number of parts");
    }
    if (lattice.voxels() != projector.imageSize()) {
        throw InternalError("the lattice is not that of the projector's image");
    }
    Space& space = projector.space();
    std::size_t largest = 0;
    for (std::size_t part = 0; part < projector.parts(); ++part) {
        largest = std::max(largest, projector.dataSize(part));
    }
    const std::size_t n = projector.imageSize();
    image_ = space.allocate(n);
    lastWhole_ = space.allocate(n);
    correction_ = space.allocate(n);
    sensitivity_ = space.allocate(n);
    scratch_ = space.allocate(largest);
    relaxation_ = space.allocate(1);

    const bool perBlock = blocks_.size() > 1 && (settings.kind != AlgorithmKind::Ramla || data.listMode());
    if (perBlock) {
        findBlockSensitivities(control);
    } else {
        findSensitivity(order, control);
    }
    floor_ = kSensitivityFloor * space.maximum(sensitivity_.view());
    startUniform();
}

/// Of every block, and their sum.
void Reconstruction::findBlockSensitivities(RunControl& control) {
    Space& space = projector_.space();
    space.fill(sensitivity_.view(), 0.0F);
    for (const std::vector<std::size_t>& block : blocks_) {
        control.checkpoint();
        blockSensitivity_.push_back(space.allocate(projector_.imageSize()));
        const MutableView target = blockSensitivity_.back().view();
        if (const ConstView known = data_.knownSensitivity(block); !known.empty()) {
            space.copy(known, target);
        } else {
            backMult(projector_, data_, block, scratch_.view(), target);
            data_.sensitivityFound(block, target);
        }
        space.accumulate(target, sensitivity_.view());
        blockFloor_.push_back(kSensitivityFloor * space.maximum(target));
    }
}

/// Of all the data at once: one image to look up and to keep, however many blocks there are.
void Reconstruction::findSensitivity(const std::vector<std::size_t>& order, RunControl& control) {
    Space& space = projector_.space();
    if (const ConstView known = data_.knownSensitivity(order); !known.empty()) {
        space.copy(known, sensitivity_.view());
        return;
    }
    space.fill(sensitivity_.view(), 0.0F);
    for (const std::vector<std::size_t>& block : blocks_) {
        control.checkpoint();
        backMult(projector_, data_, block, scratch_.view(), correction_.view());
        space.accumulate(correction_.view(), sensitivity_.view());
    }
    data_.sensitivityFound(order, sensitivity_.view());
}

void Reconstruction::startUniform() {
    Space& space = projector_.space();
    const double sensitivity = space.sum(sensitivity_.view());
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

void Reconstruction::startFrom(std::span<const float> image, int iteration) {
    if (image.size() != image_.size()) {
        throw BadInput(
            fmt::format("the start image has {} voxels and the data need {}", image.size(), image_.size()));
    }
    if (!std::all_of(image.begin(), image.end(), [](float v) { return std::isfinite(v) && v >= 0; })) {
        throw BadInput("the start image holds negative or infinite values; clip it at zero first");
    }
    projector_.space().upload(image, image_.view());
    iterationsDone_ = iteration;
}

Volume Reconstruction::image() {
    Volume result(lattice_);
    result.units = kEmissionsPerVoxel;
    projector_.space().download(image_.view(), result.data);
    return result;
}

std::vector<float> Reconstruction::sensitivity() {
    std::vector<float> image(sensitivity_.size());
    projector_.space().download(sensitivity_.view(), image);
    return image;
}

void Reconstruction::update(std::size_t block, bool resident) {
    Space& space = projector_.space();
    const bool ramla = settings_.kind == AlgorithmKind::Ramla;
    // List-mode sums only over observed bins: the "-1" of unobserved ones comes as -s_b after the projection.
    const bool explicitSensitivity = ramla && data_.listMode();
    const Discrepancy kind = ramla && !explicitSensitivity ? Discrepancy::RatioMinusOne : Discrepancy::Ratio;
    Write write = Write::Overwrite;
    const auto& parts = blocks_[block];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        space.stage(Stage::Upload);
        const PartData part = data_.part(parts[i]);
        if (!resident) {
            data_.prefetch(i + 1 < parts.size() ? parts[i + 1]
                                                : blocks_[(block + 1) % blocks_.size()].front());
        }
        projector_.backDiscrepancy(parts[i], part, kind, image_.view(), scratch_.view(), correction_.view(),
                                   write);
        write = Write::Add;
    }
    space.stage(Stage::Update);
    const ConstView blockSensitivity = blockSensitivity_.empty() ? ConstView(sensitivity_.view())
                                                                 : ConstView(blockSensitivity_[block].view());
    if (explicitSensitivity) {
        space.subtract(blockSensitivity, correction_.view());
    }
    if (ramla) {
        space.ramlaUpdate(correction_.view(), sensitivity_.view(), static_cast<float>(blocks_.size()), floor_,
                          relaxation_.view(), image_.view());
    } else {
        space.emUpdate(correction_.view(), blockSensitivity,
                       blockFloor_.empty() ? floor_ : blockFloor_[block], image_.view());
    }
    space.stageEnd();
}

bool Reconstruction::iterate(int iteration, RunControl& control) {
    using Clock = std::chrono::steady_clock;
    Space& space = projector_.space();
    const auto start = Clock::now();
    const std::array<float, 1> lambda{
        static_cast<float>(settings_.relaxation / (1.0 + settings_.gamma * (iteration - 1)))};
    space.upload(lambda, relaxation_.view());
    space.copy(image_.view(), lastWhole_.view());
    const bool resident = data_.resident();
    RunProgress progress{iteration, settings_.iterations, 0, blocks_.size()};
    const SequenceKey key{resident ? "iteration" : "", generation_};
    Clock::duration waited{};  // pauses are no work
    try {
        space.sequence(
            key, blocks_.size(), [&](std::size_t block) { update(block, resident); },
            [&](std::size_t done) {
                progress.block = done;
                control.progress(progress);
                if (done < blocks_.size() && control.wantsSnapshot()) {
                    control.offer(progress, space.snapshot(image_.view()));
                }
                const auto asked = Clock::now();
                control.checkpoint();
                waited += Clock::now() - asked;
                if (done < blocks_.size() && control.finishRequested()) {
                    throw FinishRequested{};
                }
            });
    } catch (const FinishRequested&) {
        space.copy(lastWhole_.view(), image_.view());
        return false;
    }
    Iterate result;
    result.iteration = iteration;
    space.stage(Stage::Download);
    result.image = std::make_shared<const Volume>(image());
    result.stageSeconds = space.takeStageSeconds();
    result.seconds = std::chrono::duration<double>(Clock::now() - start - waited).count();
    iterationsDone_ = iteration;
    control.iterateDone(std::move(result));
    return true;
}

int Reconstruction::run(RunControl& control) {
    static_cast<void>(projector_.space().takeStageSeconds());
    while (iterationsDone_ < settings_.iterations) {
        control.checkpoint();
        if (control.finishRequested() || !iterate(iterationsDone_ + 1, control)) {
            break;
        }
    }
    return iterationsDone_;
}

}  // namespace tof
