// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/cpu_panel_projector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/instruction_set.h"

namespace tof {

namespace {

constexpr std::size_t kVector = 16;  // floats of the widest

/// Lines per voxel, in the mean, that back projection adds in single precision before the sum goes on in
/// double: with thousands of them the image would depend on their order, and so on the number of ranks, in
/// its sixth digit.
constexpr double kAddedInFloat = 8;

/// sum += value, with what rounding takes from it kept in `lost`.
void addKeeping(float value, float& sum, float& lost) {
    const double whole = static_cast<double>(sum) + static_cast<double>(lost) + static_cast<double>(value);
    sum = static_cast<float>(whole);
    lost = static_cast<float>(whole - static_cast<double>(sum));
}

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
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const PanelClass orientation = PanelClass::at(g, classes[i]);
            const auto rows = static_cast<std::size_t>(orientation.shiftsZ(g));
            for (int sign = 0; sign < orientation.signs(); ++sign) {
                tasks.push_back({orientation, sign, i % model_.parts->shares, data, padded});
                data += rows * static_cast<std::size_t>(orientation.shiftsY(g));
                padded += rows * paddedLength(orientation.shiftsY(g));
            }
        }
        largest = std::max(largest, padded);
        windows_.resize(std::max(windows_.size(), tasks.size()));
    }
    for (std::size_t k = 0; k < model_.matrix->kernels.size(); ++k) {
        planeStarts_.push_back(planeStartsOf(*model_.matrix, static_cast<int>(k)));
    }
    apart_ = space_->allocate(model_.parts->shares * slab_ * static_cast<std::size_t>(g.planes));
    padded_ = space_->allocate(largest);
    for (std::size_t share = 0; share < model_.parts->shares; ++share) {
        sums_.push_back({space_->allocate(imageSize()), space_->allocate(imageSize())});
        space_->fill(sums_.back().sum.view(), 0);
        space_->fill(sums_.back().lost.view(), 0);
    }
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
    const std::size_t images = 2 * sums_.size() * imageSize();
    return model_.matrix->memoryBytes() + (apart_.size() + padded_.size() + images) * sizeof(float);
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

void CpuPanelProjector::addShares(std::size_t voxel, std::size_t place, Write write, float& image) {
    float before = 0;
    for (ShareSum& share : sums_) {
        before += share.sum.view().data[voxel];
    }
    const bool add = write == Write::Add;
    const bool goesOn = add && before == image;
    float after = 0;
    for (std::size_t s = 0; s < sums_.size(); ++s) {
        float& sum = sums_[s].sum.view().data[voxel];
        float& lost = sums_[s].lost.view().data[voxel];
        if (!goesOn) {
            sum = add && s == 0 ? image : 0.0F;  // what other work has made counts as the first share's
            lost = 0;
        }
        addKeeping(rowsOf(s)[place], sum, lost);
        after += sum;
    }
    image = after;
}

void CpuPanelProjector::together(float* image, Write write) {
    const PanelGeometry& g = model_.matrix->geometry;
    const int d = g.voxelsPerPitch;
    const auto planes = static_cast<std::size_t>(g.planes);
    space_->pool().forRange(
        static_cast<std::size_t>(model_.lattice.size[2]), 1, [&](std::size_t begin, std::size_t end) {
            for (auto z = static_cast<int>(begin); z < static_cast<int>(end); ++z) {
                for (int y = 0; y < model_.lattice.size[1]; ++y) {
                    const auto first = static_cast<std::size_t>(model_.lattice.index(0, y, z));
                    const std::size_t row =
                        rowPlace(0, z % d, y % d, z / d) + static_cast<std::size_t>(y / d);
                    for (std::size_t x = 0; x < planes; ++x) {
                        addShares(first + x, row + x * slab_, write, image[first + x]);
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
            static_cast<std::int64_t>(row_),
            c.shiftsY(g)};
}

CpuPanelProjector::Window CpuPanelProjector::allOf(const Task& task) const {
    const PanelGeometry& g = model_.matrix->geometry;
    return {0, task.orientation.shiftsZ(g), 0, task.orientation.shiftsY(g)};
}

std::vector<CpuPanelProjector::Window> CpuPanelProjector::windowsOf(const Task& task, const float* data,
                                                                    std::size_t stride) const {
    constexpr int kRows = 4;  // rows of a tile of lines
    const Window all = allOf(task);
    std::vector<Window> windows;
    for (int row = 0; row < all.rows; row += kRows) {
        const int rows = std::min(kRows, all.rows - row);
        int first = all.columns;
        int last = -1;
        for (int r = row; r < row + rows; ++r) {
            const float* const from = data + static_cast<std::size_t>(r) * stride;
            const auto there = [](float value) { return value != 0.0F; };
            const auto begin = static_cast<int>(std::find_if(from, from + first, there) - from);
            first = std::min(first, begin);
            for (int i = all.columns - 1; i > last; --i) {
                last = there(from[i]) ? i : last;
            }
        }
        if (last < 0) {
            continue;
        }
        first = first / static_cast<int>(kVector) * static_cast<int>(kVector);
        const Window window{row, rows, first, last + 1 - first};
        Window* const before = windows.empty() ? nullptr : &windows.back();
        if (before != nullptr && before->row + before->rows == row && before->column == window.column &&
            before->columns == window.columns) {
            before->rows += rows;
        } else {
            windows.push_back(window);
        }
    }
    return windows;
}

void CpuPanelProjector::forward(std::size_t part, ConstView x, MutableView p) {
    forwardWhere(part, x, nullptr, p);
}

void CpuPanelProjector::forwardWhere(std::size_t part, ConstView x, const float* measured, MutableView p) {
    apart(x.data);
    const std::vector<Task>& tasks = tasks_[part];
    const float* const rows = apart_.view().data;
    space_->pool().forRange(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int32_t> offsets;
        for (std::size_t i = begin; i < end; ++i) {
            const Window all = allOf(tasks[i]);
            float* const to = p.data + tasks[i].data;
            std::vector<Window> windows{all};
            if (measured != nullptr) {
                windows =
                    windowsOf(tasks[i], measured + tasks[i].data, static_cast<std::size_t>(all.columns));
                std::fill(to, to + static_cast<std::ptrdiff_t>(all.rows) * all.columns, 0.0F);
            }
            if (windows.empty()) {
                continue;
            }
            const std::size_t entries = model_.matrix->valuesOf(kernelOf(tasks[i])).size();
            PanelRun lines = run(tasks[i], 0, entries, 0, offsets);
            for (const Window& window : windows) {
                lines.rows = window.rows;
                lines.length = window.columns;
                forward_(lines, rows + window.row * lines.rowStride + window.column,
                         to + window.row * lines.dataStride + window.column);
            }
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
            windows_[i] = windowsOf(tasks[i], padded + tasks[i].padded, stride);
        }
    });
}

void CpuPanelProjector::backPlane(const std::vector<Task>& tasks, std::size_t share, std::size_t plane,
                                  PlaneWork& work) {
    const PanelGeometry& g = model_.matrix->geometry;
    const float* const data = padded_.view().data;
    float* const slab = rowsOf(share) + plane * slab_;
    std::vector<double>& sums = work.sums;
    std::fill(slab, slab + slab_, 0.0F);
    sums.assign(slab_, 0.0);
    double added = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const Task& task = tasks[i];
        if (task.share != share || windows_[i].empty()) {
            continue;
        }
        const std::vector<std::uint32_t>& starts = planeStarts_[static_cast<std::size_t>(kernelOf(task))];
        PanelRun lines = run(task, starts[plane], starts[plane + 1], plane * slab_, work.offsets);
        lines.dataStride = static_cast<std::int64_t>(paddedLength(task.orientation.shiftsY(g)));
        for (const Window& window : windows_[i]) {
            lines.rows = window.rows;
            lines.length = window.columns;
            back_(lines, data + task.padded + window.row * lines.dataStride + window.column,
                  slab + window.row * lines.rowStride + window.column);
            added += static_cast<double>(lines.entries) * window.rows * window.columns;
        }
        if (added > kAddedInFloat * static_cast<double>(slab_)) {
            std::transform(sums.begin(), sums.end(), slab, sums.begin(),
                           [](double sum, float more) { return sum + static_cast<double>(more); });
            std::fill(slab, slab + slab_, 0.0F);
            added = 0;
        }
    }
    std::transform(sums.begin(), sums.end(), slab, slab, [](double sum, float more) {
        return static_cast<float>(sum + static_cast<double>(more));
    });
}

void CpuPanelProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    const std::vector<Task>& tasks = tasks_[part];
    pad(tasks, p.data);
    const auto planes = static_cast<std::size_t>(model_.matrix->geometry.planes);
    space_->pool().forRange(sums_.size() * planes, 1, [&](std::size_t begin, std::size_t end) {
        PlaneWork work;
        for (std::size_t i = begin; i < end; ++i) {
            backPlane(tasks, i / planes, i % planes, work);
        }
    });
    together(x.data, write);
}

void CpuPanelProjector::backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind,
                                        ConstView seen, MutableView scratch, MutableView out, Write write) {
    if (kind != Discrepancy::Ratio) {
        Projector::backDiscrepancy(part, data, kind, seen, scratch, out, write);
        return;
    }
    const MutableView p = scratch.part(0, dataSize(part));
    space_->stage(Stage::Forward);
    forwardWhere(part, seen, data.y.data, p);
    space_->stage(Stage::Discrepancy);
    space_->discrepancy(data, kind, p);
    space_->stage(Stage::Back);
    back(part, p, out, write);
    space_->stageEnd();
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
