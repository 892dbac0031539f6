// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/cpu_line_projector.h"

#include <fmt/format.h>

#include <algorithm>

namespace tof {

namespace {

constexpr std::size_t kPartialBudget = std::size_t{512} << 20U;  // bytes of partial images, at most
constexpr std::size_t kMostChunks = 16;
constexpr std::size_t kLeastPerChunk = 2048;  // data; fewer are not worth a partial image
constexpr std::size_t kForwardGrain = 512;
constexpr std::size_t kReduceGrain = std::size_t{1} << 13U;

/// Depends on the problem alone, never on the machine: results must not.
std::size_t chunkCount(const Lattice& lattice, const LineTable& lines) {
    const std::size_t byMemory = kPartialBudget / (lattice.voxels() * sizeof(float));
    const std::size_t byWork = lines.largestPart() / kLeastPerChunk;
    return std::clamp<std::size_t>(std::min(byMemory, byWork), 1, kMostChunks);
}

std::optional<StackCpu> stackOf(const LineModel& model, const LineTable& lines) {
    std::optional<PlaneStack> stack = PlaneStack::of(model, lines);
    return stack ? std::make_optional<StackCpu>(std::move(*stack), lines, model.lattice) : std::nullopt;
}

}  // namespace

CpuLineProjector::CpuLineProjector(const LineModel& model, std::shared_ptr<HostSpace> space)
    : model_(model),
      space_(std::move(space)),
      lines_(model, space_->pool()),
      op_{rayGrid(model.lattice, model.fovRadius_mm), rayTof(lines_.tof()),
          model.method == RayMethod::Joseph},
      stack_(stackOf(model, lines_)),
      chunks_(stack_ ? 1 : chunkCount(model.lattice, lines_)),
      partial_(space_->allocate(chunks_ * model.lattice.voxels())) {
    if (model.psfFwhm_mm > 0) {
        blur_.emplace(model.lattice, model.psfFwhm_mm);
        blurred_ = space_->allocate(model.lattice.voxels());
        blurScratch_ = space_->allocate(model.lattice.voxels());
    }
}

std::size_t CpuLineProjector::memoryBytes() const {
    return lines_.memoryBytes() + (stack_ ? stack_->memoryBytes() : 0) +
           (partial_.size() + blurred_.size() + blurScratch_.size()) * sizeof(float);
}

void CpuLineProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const float* image = x.data;
    if (blur_) {
        blur_->apply(x.data, blurScratch_.view().data, blurred_.view().data, space_->pool());
        image = blurred_.view().data;
    }
    if (stack_) {
        stack_->forward(part, image, p.data, space_->pool());
        return;
    }
    const float share = 1.0F / static_cast<float>(lines_.rays());
    space_->pool().forRange(lines_.partSize(part), kForwardGrain, [&](std::size_t begin, std::size_t end) {
        std::fill(p.data + begin, p.data + end, 0.0F);
        lines_.forEachRay(part, begin, end, [&](Vec3 one, Vec3 two, int timeBin, std::size_t datum) {
            double sum = 0;
            followLine(op_, one, two, timeBin,
                       [&](int voxel, float length) { sum += static_cast<double>(length * image[voxel]); });
            p.data[datum] += share * static_cast<float>(sum);
        });
    });
}

std::size_t CpuLineProjector::chunkLimit(std::size_t part, std::size_t chunk) const {
    return lines_.partSize(part) * chunk / chunks_;
}

void CpuLineProjector::scatter(std::size_t part, ConstView p, std::size_t chunk) {
    const std::size_t voxels = imageSize();
    float* const image = partial_.view().data + chunk * voxels;
    std::fill(image, image + voxels, 0.0F);
    const float share = 1.0F / static_cast<float>(lines_.rays());
    lines_.forEachRay(part, chunkLimit(part, chunk), chunkLimit(part, chunk + 1),
                      [&](Vec3 one, Vec3 two, int timeBin, std::size_t datum) {
                          const float value = share * p.data[datum];
                          if (value != 0.0F) {
                              followLine(op_, one, two, timeBin,
                                         [&](int voxel, float length) { image[voxel] += length * value; });
                          }
                      });
}

void CpuLineProjector::backSharp(std::size_t part, ConstView p, Write write, float* target) {
    const ThreadPool& pool = space_->pool();
    if (stack_) {
        stack_->back(part, p.data, write, target, pool);
        return;
    }
    const std::size_t voxels = imageSize();
    pool.forRange(chunks_, 1, [&](std::size_t chunk, std::size_t) { scatter(part, p, chunk); });
    const float* const partial = partial_.view().data;
    pool.forRange(voxels, kReduceGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            float sum = write == Write::Add ? target[i] : 0.0F;
            for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
                sum += partial[chunk * voxels + i];
            }
            target[i] = sum;
        }
    });
}

void CpuLineProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    if (!blur_) {
        backSharp(part, p, write, x.data);
        return;
    }
    // The sum over chunks takes the place of the first partial image, which is still to be blurred.
    float* const target = partial_.view().data;
    backSharp(part, p, Write::Overwrite, target);
    blur_->apply(target, blurScratch_.view().data, blurred_.view().data, space_->pool());
    if (write == Write::Add) {
        space_->accumulate(blurred_.view(), x);
    } else {
        space_->copy(blurred_.view(), x);
    }
}

ProjectorOrWhyNot makeCpuProjector(const LineModel& model, std::shared_ptr<HostSpace> space,
                                   const EngineOptions& options) {
    const char* const method = model.method == RayMethod::Joseph ? "joseph" : "siddon";
    if (!options.strategy.empty() && options.strategy != method) {
        return Unsupported{
            fmt::format("it follows lines by '{}' and not by strategy '{}'", method, options.strategy)};
    }
    return std::unique_ptr<Projector>(std::make_unique<CpuLineProjector>(model, std::move(space)));
}

}  // namespace tof
