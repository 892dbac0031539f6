// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/cpu_panel_projector.h"

#include <fmt/format.h>

#include <algorithm>

#include "recon/base/instruction_set.h"

namespace tof {

namespace {

constexpr std::size_t kVector = 16;  // floats of the widest

std::size_t paddedLength(int length) {
    return (static_cast<std::size_t>(length) + kVector - 1) / kVector * kVector;
}

std::vector<std::uint32_t> planeStartsOf(const PanelMatrix& matrix, int kernel) {
    const std::span<const std::uint32_t> places = matrix.placesOf(kernel);
    std::vector<std::uint32_t> starts;
    for (int x = 0; x <= matrix.geometry.planes; ++x) {
        starts.push_back(static_cast<std::uint32_t>(
            std::lower_bound(places.begin(), places.end(), PanelPlace::pack(x, 0, 0)) - places.begin()));
    }
    return starts;
}

}  // namespace

CpuPanelProjector::CpuPanelProjector(const PanelModel& model, std::shared_ptr<HostSpace> space)
    : model_(model), space_(std::move(space)) {
    const PanelGeometry& g = model_.matrix->geometry;
    row_ = static_cast<std::size_t>(g.crystals[0]);
    slab_ =
        row_ * static_cast<std::size_t>(g.crystals[1] * g.voxelsPerPitch * g.voxelsPerPitch) + kPanelOverrun;
    std::size_t largest = 0;
    for (const std::vector<int>& classes : model_.parts->classes) {
        std::vector<Task>& tasks = tasks_.emplace_back();
        std::size_t data = 0;
        std::size_t padded = 0;
        for (const int c : classes) {
            const PanelClass orientation = PanelClass::at(g, c);
            const auto rows = static_cast<std::size_t>(orientation.shiftsZ(g));
            for (int sign = 0; sign < orientation.signs(); ++sign) {
                tasks.push_back({orientation, sign, data, padded});
                data += rows * static_cast<std::size_t>(orientation.shiftsY(g));
                padded += rows * paddedLength(orientation.shiftsY(g));
            }
        }
        largest = std::max(largest, padded);
    }
    for (std::size_t k = 0; k < model_.matrix->kernels.size(); ++k) {
        planeStarts_.push_back(planeStartsOf(*model_.matrix, static_cast<int>(k)));
    }
    apart_ = space_->allocate(slab_ * static_cast<std::size_t>(g.planes));
    padded_ = space_->allocate(largest);
    space_->fill(apart_.view(), 0);
    forward_ = baseline::panelForward;
    back_ = baseline::panelBack;
#if defined(__x86_64__)
    const InstructionSet set = availableInstructionSets().back();
    if (set == InstructionSet::Avx512) {
        forward_ = avx512::panelForward;
        back_ = avx512::panelBack;
    } else if (set == InstructionSet::Avx2) {
        forward_ = avx2::panelForward;
        back_ = avx2::panelBack;
    }
#endif
}

std::size_t CpuPanelProjector::memoryBytes() const {
    return model_.matrix->memoryBytes() + (apart_.size() + padded_.size()) * sizeof(float);
}

int CpuPanelProjector::kernelOf(const Task& task) const {
    const PanelMatrix& matrix = *model_.matrix;
    return matrix.ofClass[static_cast<std::size_t>(task.orientation.index(matrix.geometry))].kernel;
}

double CpuPanelProjector::multiplyAdds(std::size_t part) const {
    const PanelMatrix& matrix = *model_.matrix;
    double sum = 0;
    for (const Task& task : tasks_[part]) {
        sum += static_cast<double>(matrix.valuesOf(kernelOf(task)).size()) *
               task.orientation.shiftsY(matrix.geometry) * task.orientation.shiftsZ(matrix.geometry);
    }
    return sum;
}

void CpuPanelProjector::apart(const float* image) {
    const PanelGeometry& g = model_.matrix->geometry;
    const int d = g.voxelsPerPitch;
    const auto planes = static_cast<std::size_t>(g.planes);
    float* const rows = apart_.view().data;
    space_->pool().forRange(static_cast<std::size_t>(model_.lattice.size[2]), 1,
                            [&](std::size_t begin, std::size_t end) {
                                for (auto z = static_cast<int>(begin); z < static_cast<int>(end); ++z) {
                                    for (int y = 0; y < model_.lattice.size[1]; ++y) {
                                        const float* const from = image + model_.lattice.index(0, y, z);
                                        float* const to = rows + rowPlace(0, z % d, y % d, z / d) + y / d;
                                        for (std::size_t x = 0; x < planes; ++x) {
                                            to[x * slab_] = from[x];
                                        }
                                    }
                                }
                            });
}

void CpuPanelProjector::together(float* image, bool add) const {
    const PanelGeometry& g = model_.matrix->geometry;
    const int d = g.voxelsPerPitch;
    const auto planes = static_cast<std::size_t>(g.planes);
    const float* const rows = apart_.view().data;
    space_->pool().forRange(
        static_cast<std::size_t>(model_.lattice.size[2]), 1, [&](std::size_t begin, std::size_t end) {
            for (auto z = static_cast<int>(begin); z < static_cast<int>(end); ++z) {
                for (int y = 0; y < model_.lattice.size[1]; ++y) {
                    float* const to = image + model_.lattice.index(0, y, z);
                    const float* const from = rows + rowPlace(0, z % d, y % d, z / d) + y / d;
                    for (std::size_t x = 0; x < planes; ++x) {
                        to[x] = add ? to[x] + from[x * slab_] : from[x * slab_];
                    }
                }
            }
        });
}

PanelRun CpuPanelProjector::run(const Task& task, std::size_t begin, std::size_t end, std::size_t from,
                                std::vector<std::int32_t>& offsets) const {
    const PanelMatrix& matrix = *model_.matrix;
    const PanelGeometry& g = matrix.geometry;
    const PanelClass& c = task.orientation;
    const PanelKernelRef ref = matrix.ofClass[static_cast<std::size_t>(c.index(g))];
    const std::span<const std::uint32_t> places = matrix.placesOf(ref.kernel);
    const int d = g.voxelsPerPitch;
    const int lastY = d * (c.dy + 1) - 1;
    const int lastZ = d * (c.dz + 1) - 1;
    const bool backY = c.negativeY(task.sign);
    const bool backZ = c.negativeZ(task.sign);
    offsets.resize(end - begin);
    for (std::size_t e = begin; e < end; ++e) {
        const std::uint32_t place = places[e];
        int y = ref.exchanged ? PanelPlace::z(place) : PanelPlace::y(place);
        int z = ref.exchanged ? PanelPlace::y(place) : PanelPlace::z(place);
        y = backY ? lastY - y : y;
        z = backZ ? lastZ - z : z;
        offsets[e - begin] = static_cast<std::int32_t>(rowPlace(PanelPlace::x(place), z % d, y % d, z / d) +
                                                       static_cast<std::size_t>(y / d) - from);
    }
    return {offsets.data(),
            matrix.valuesOf(ref.kernel).data() + begin,
            static_cast<int>(end - begin),
            c.shiftsZ(g),
            c.shiftsY(g),
            static_cast<std::int64_t>(row_)};
}

void CpuPanelProjector::forward(std::size_t part, ConstView x, MutableView p) {
    apart(x.data);
    const std::vector<Task>& tasks = tasks_[part];
    const float* const rows = apart_.view().data;
    space_->pool().forRange(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int32_t> offsets;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t entries = model_.matrix->valuesOf(kernelOf(tasks[i])).size();
            forward_(run(tasks[i], 0, entries, 0, offsets), rows, p.data + tasks[i].data);
        }
    });
    const Task& last = tasks.back();
    const PanelGeometry& g = model_.matrix->geometry;
    const std::size_t used = last.data + static_cast<std::size_t>(last.orientation.shiftsY(g)) *
                                             static_cast<std::size_t>(last.orientation.shiftsZ(g));
    std::fill(p.data + used, p.data + dataSize(part), 0.0F);
}

void CpuPanelProjector::pad(const std::vector<Task>& tasks, const float* data) {
    const PanelGeometry& g = model_.matrix->geometry;
    float* const padded = padded_.view().data;
    space_->pool().forRange(tasks.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto length = static_cast<std::size_t>(tasks[i].orientation.shiftsY(g));
            const std::size_t stride = paddedLength(tasks[i].orientation.shiftsY(g));
            for (std::size_t row = 0; row < static_cast<std::size_t>(tasks[i].orientation.shiftsZ(g));
                 ++row) {
                float* const to = padded + tasks[i].padded + row * stride;
                const float* const from = data + tasks[i].data + row * length;
                std::copy(from, from + length, to);
                std::fill(to + length, to + stride, 0.0F);
            }
        }
    });
}

void CpuPanelProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    const std::vector<Task>& tasks = tasks_[part];
    const PanelGeometry& g = model_.matrix->geometry;
    pad(tasks, p.data);
    float* const rows = apart_.view().data;
    const float* const data = padded_.view().data;
    space_->pool().forRange(static_cast<std::size_t>(g.planes), 1, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int32_t> offsets;
        for (std::size_t plane = begin; plane < end; ++plane) {
            float* const slab = rows + plane * slab_;
            std::fill(slab, slab + slab_, 0.0F);
            for (const Task& task : tasks) {
                const std::vector<std::uint32_t>& starts =
                    planeStarts_[static_cast<std::size_t>(kernelOf(task))];
                const PanelRun entries = run(task, starts[plane], starts[plane + 1], plane * slab_, offsets);
                back_(entries, data + task.padded,
                      static_cast<std::int64_t>(paddedLength(task.orientation.shiftsY(g))), slab);
            }
        }
    });
    together(x.data, write == Write::Add);
}

ProjectorOrWhyNot makeCpuProjector(const PanelModel& model, std::shared_ptr<HostSpace> space,
                                   const EngineOptions& options) {
    if (!options.strategy.empty() && options.strategy != PanelModel::kSystem) {
        return Unsupported{
            fmt::format("it projects panels by 'panel' and not by strategy '{}'", options.strategy)};
    }
    return std::unique_ptr<Projector>(std::make_unique<CpuPanelProjector>(model, std::move(space)));
}

}  // namespace tof
