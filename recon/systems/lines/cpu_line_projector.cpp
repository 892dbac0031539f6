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
constexpr std::size_t kRowGrain = 64;

/// Depends on the problem alone, never on the machine: results must not.
std::size_t chunkCount(const LineWalk& walk, const LineTable& lines) {
    const std::size_t byMemory = kPartialBudget / (walk.paddedSize() * sizeof(float));
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
      walk_(model, rayTof(lines_.tof())),
      stack_(stackOf(model, lines_)),
      chunks_(stack_ ? 1 : chunkCount(walk_, lines_)),
      partial_(space_->allocate(chunks_ * walk_.paddedSize())),
      blur_(lineBlur(model_, space_->pool())) {
    if (!stack_) {
        padded_ = space_->allocate(walk_.paddedSize());
        space_->fill(padded_.view(), 0.0F);
    }
    if (blur_) {
        const std::size_t images = std::visit([](const auto& blur) { return blur.kScratchImages; }, *blur_);
        blurred_ = space_->allocate(model.lattice.voxels());
        blurScratch_ = space_->allocate(images * model.lattice.voxels());
    }
}

std::size_t CpuLineProjector::memoryBytes() const {
    return lines_.memoryBytes() + (stack_ ? stack_->memoryBytes() : 0) +
           (partial_.size() + padded_.size() + blurred_.size() + blurScratch_.size()) * sizeof(float);
}

void CpuLineProjector::pad(const float* image) {
    const auto width = static_cast<std::size_t>(model_.lattice.size[0]);
    float* const padded = padded_.view().data;
    space_->pool().forRange(walk_.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            std::copy_n(image + row * width, width, padded + walk_.rowStart(row));
        }
    });
}

void CpuLineProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const float* image = x.data;
    if (blur_) {
        std::visit(
            [&](const auto& blur) {
                blur.forward(x.data, blurScratch_.view().data, blurred_.view().data, space_->pool());
            },
            *blur_);
        image = blurred_.view().data;
    }
    if (stack_) {
        stack_->forward(part, image, p.data, space_->pool());
        return;
    }
    pad(image);
    const float* const padded = padded_.view().data;
    const float share = 1.0F / static_cast<float>(lines_.rays());
    space_->pool().forRange(lines_.partSize(part), kForwardGrain, [&](std::size_t begin, std::size_t end) {
        std::fill(p.data + begin, p.data + end, 0.0F);
        lines_.forEachRay(part, begin, end, [&](Vec3 one, Vec3 two, int timeBin, std::size_t datum) {
            p.data[datum] += share * walk_.project({one, two, timeBin}, padded);
        });
    });
}

std::size_t CpuLineProjector::chunkLimit(std::size_t part, std::size_t chunk) const {
    return lines_.partSize(part) * chunk / chunks_;
}

void CpuLineProjector::scatter(std::size_t part, ConstView p, std::size_t chunk) {
    const std::size_t size = walk_.paddedSize();
    float* const image = partial_.view().data + chunk * size;
    std::fill(image, image + size, 0.0F);
    const float share = 1.0F / static_cast<float>(lines_.rays());
    lines_.forEachRay(part, chunkLimit(part, chunk), chunkLimit(part, chunk + 1),
                      [&](Vec3 one, Vec3 two, int timeBin, std::size_t datum) {
                          const float value = share * p.data[datum];
                          if (value != 0.0F) {
                              walk_.spread({one, two, timeBin}, value, image);
                          }
                      });
}

void CpuLineProjector::backSharp(std::size_t part, ConstView p, Write write, float* target) {
    const ThreadPool& pool = space_->pool();
    if (stack_) {
        stack_->back(part, p.data, write, target, pool);
        return;
    }
    pool.forRange(chunks_, 1, [&](std::size_t chunk, std::size_t) { scatter(part, p, chunk); });
    const auto width = static_cast<std::size_t>(model_.lattice.size[0]);
    const float* const partial = partial_.view().data;
    pool.forRange(walk_.rows(), kRowGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            float* const sums = target + row * width;
            if (write == Write::Overwrite) {
                std::fill(sums, sums + width, 0.0F);
            }
            for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
                const float* const from = partial + chunk * walk_.paddedSize() + walk_.rowStart(row);
                for (std::size_t x = 0; x < width; ++x) {
                    sums[x] += from[x];
                }
            }
        }
    });
}

void CpuLineProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    if (!blur_) {
        backSharp(part, p, write, x.data);
        return;
    }
    // Partial images are added up before the blur, which then has their place.
    const MutableView blurred = partial_.view().part(0, imageSize());
    backSharp(part, p, Write::Overwrite, blurred_.view().data);
    std::visit(
        [&](const auto& blur) {
            blur.back(blurred_.view().data, blurScratch_.view().data, blurred.data, space_->pool());
        },
        *blur_);
    if (write == Write::Add) {
        space_->accumulate(blurred, x);
    } else {
        space_->copy(blurred, x);
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
