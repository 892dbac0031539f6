// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/cpu_histo_projector.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "recon/base/error.h"
#include "recon/kernel/voxel_average.h"

namespace tof {

namespace {

/// Reads reach a little past the last column, by a z shift.
constexpr std::size_t kSlack = 1024;
/// Share of columns that are not zero below which looking at each before it is read pays.
constexpr double kSparse = 0.9;

std::size_t bytesOf(const ColumnStream& stream) {
    return stream.entries.size() * sizeof(ColumnEntry) + stream.weights() * sizeof(float);
}

ColumnReach widest(const std::vector<ColumnTable>& tables) {
    ColumnReach reach;
    for (const ColumnTable& table : tables) {
        for (std::size_t d = 0; d < 3; ++d) {
            reach.offset[d] = std::max(reach.offset[d], table.reach.offset[d]);
        }
        reach.planes = std::max(reach.planes, table.reach.planes);
    }
    return reach;
}

/// Position of the table row of every column of the padded grid; columns outside the lattice take row 0.
std::vector<std::int32_t> rowStartsOf(const ColumnTable& table, const ColumnLayout& layout) {
    std::vector<std::int32_t> starts(static_cast<std::size_t>(layout.columns), 0);
    for (int y = 0; y < layout.size[1]; ++y) {
        for (int x = 0; x < layout.size[0]; ++x) {
            const std::int64_t id =
                table.ids[static_cast<std::size_t>(y) * static_cast<std::size_t>(layout.size[0]) +
                          static_cast<std::size_t>(x)];
            starts[static_cast<std::size_t>(layout.column(x, y))] =
                static_cast<std::int32_t>(id * table.rowLength);
        }
    }
    return starts;
}

}  // namespace

CpuProjector::CpuProjector(const DirectModel& direct, std::shared_ptr<HostSpace> space, InstructionSet set)
    : HistoProjector(direct), space_(std::move(space)), kernels_(columnKernels(set)) {
    makePlans();
    for (int h = 0; h < layout_.planes; ++h) {
        gains_.push_back(static_cast<float>(axialGain(model().kernel, model().lattice, h)));
    }
    const auto plane = static_cast<std::size_t>(layout_.planeFloats);
    source_ = space_->allocate(kSlack + plane * static_cast<std::size_t>(layout_.planes) + kSlack);
    target_ = space_->allocate(plane);
    filled_.assign(static_cast<std::size_t>(layout_.columns), 0);
    space_->fill(source_.view(), 0);  // the margins stay so
    space_->fill(target_.view(), 0);
}

void CpuProjector::makePlans() {
    const bool fixed = model().kernel.invariant();
    const StreamWeights weights = fixed ? StreamWeights::Fixed : StreamWeights::OfSource;
    const std::size_t views = model().views.size();
    std::vector<ColumnTable> tables(views);
    space_->pool().forRange(views, 1, [&](std::size_t i, std::size_t) {
        tables[i] = makeColumnTable(model(), model().views[i]);
    });
    layout_ = makeLayout(model().lattice.size, widest(tables), kernels_.group, kernels_.lanes);

    plans_.resize(views);
    space_->pool().forRange(views, 1, [&](std::size_t i, std::size_t) {
        ViewPlan& plan = plans_[i];
        plan.shape = makeGroupShape(model().views[i], kernels_.group);
        plan.back = makeStream(tables[i], layout_, plan.shape, Direction::Back, weights);
        plan.filtered = tables[i].reach.planes > 1;
        if (!fixed) {
            plan.forward = makeStream(tables[i], layout_, plan.shape, Direction::Forward, weights);
        }
    });
    if (fixed) {
        return;
    }
    // Views of one azimuth share their ids, and where their tables have equal rows, the positions of the
    // rows.
    std::map<std::pair<double, int>, std::shared_ptr<const std::vector<std::int32_t>>> shared;
    for (std::size_t i = 0; i < views; ++i) {
        if (tables[i].values() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
            throw Unavailable("the kernel's table is too large for engine cpu; take a wider id_step_mm");
        }
        auto& starts = shared[{model().views[i].phi, tables[i].rowLength}];
        if (starts == nullptr) {
            starts = std::make_shared<const std::vector<std::int32_t>>(rowStartsOf(tables[i], layout_));
        }
        plans_[i].rowStarts = starts;
    }
    fillValues(tables);
}

/// All rows of all views side by side: a view of the kernel lab is alone, and its table is as large as a
/// volume.
void CpuProjector::fillValues(const std::vector<ColumnTable>& tables) {
    constexpr int kRowsAtOnce = 16;
    std::vector<std::pair<std::size_t, int>> tasks;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        plans_[i].values = space_->allocate(tables[i].values());
        for (int row = 0; row < tables[i].rows; row += kRowsAtOnce) {
            tasks.emplace_back(i, row);
        }
    }
    space_->pool().forRange(tasks.size(), 1, [&](std::size_t task, std::size_t) {
        const auto [i, row] = tasks[task];
        const ColumnTable& table = tables[i];
        table.fillRows(row, std::min(row + kRowsAtOnce, table.rows),
                       plans_[i].values.view().data + std::ptrdiff_t{row} * table.rowLength);
    });
}

std::size_t CpuProjector::memoryBytes() const {
    std::size_t bytes = (source_.size() + target_.size()) * sizeof(float);
    std::map<const void*, std::size_t> shared;
    for (const ViewPlan& plan : plans_) {
        bytes += bytesOf(plan.back) + bytesOf(plan.forward) + plan.values.size() * sizeof(float);
        if (plan.rowStarts != nullptr) {
            shared[plan.rowStarts.get()] = plan.rowStarts->size() * sizeof(std::int32_t);
        }
    }
    for (const auto& [vector, size] : shared) {
        bytes += size;
    }
    return bytes;
}

CpuProjector::Groups CpuProjector::groupsOf(const GroupShape& shape) const {
    const std::size_t along = shape.alongX ? 0 : 1;
    const int length = layout_.size[along];
    const int breadth = layout_.size[1 - along];
    const auto [low, high] = std::minmax_element(shape.side.begin(), shape.side.begin() + shape.group);
    // Every output of the lattice is in exactly one group; some groups reach into the margin.
    return {(length + shape.group - 1) / shape.group, -*high, breadth + *high - *low};
}

double CpuProjector::multiplyAdds(std::size_t part) const {
    const ViewPlan& plan = plans_[part];
    const Groups groups = groupsOf(plan.shape);
    return static_cast<double>(plan.back.weights()) * groups.blocks * groups.perBlock * layout_.vectors *
           kernels_.lanes;
}

void CpuProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const ViewPlan& plan = plans_[part];
    const bool fixed = plan.values.size() == 0;
    readColumns(plan, x);
    project(plan, fixed ? plan.back : plan.forward, fixed ? Weights::Fixed : Weights::OfSource);
    writeColumns(p, {}, Write::Overwrite);
}

void CpuProjector::backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) {
    const ViewPlan& plan = plans_[part];
    readColumns(plan, p);
    project(plan, plan.back, plan.values.size() == 0 ? Weights::Fixed : Weights::OfTarget);
    writeColumns(x, att, write);
}

void CpuProjector::project(const ViewPlan& plan, const ColumnStream& stream, Weights weights) {
    ColumnJob job{};
    job.source = source_.view().data + kSlack;
    job.target = target_.view().data;
    job.columnStride = layout_.columnStride;
    job.vectors = layout_.vectors;
    job.weights = weights;
    job.entries = stream.entries.data();
    job.fixed = stream.fixed.data();
    job.positions = stream.positions.data();
    job.values = plan.values.view().data;
    job.rowStarts = plan.rowStarts != nullptr ? plan.rowStarts->data() : nullptr;
    job.filled = sparse_ ? filled_.data() : nullptr;
    std::copy(stream.runEnds.begin(), stream.runEnds.end(), job.runEnds);
    for (int p = 0; p < plan.shape.group; ++p) {
        const auto [dx, dy] = plan.shape.offset(p);
        job.groupColumns[p] = dy * layout_.rowStride + dx;
        const auto [ax, ay] = plan.shape.offsetAhead(stream.farthest + 1 + p);
        job.aheadColumns[p] = ay * layout_.rowStride + ax;
    }
    job.planes = plan.filtered ? layout_.planes : 1;
    job.planeFloats = layout_.planeFloats;

    const Groups groups = groupsOf(plan.shape);
    // A stripe of groups side by side runs along the whole line: the sources of one block are still in the
    // second level cache when the next block wants most of them again.
    constexpr int kStripe = 16;
    const auto stripes = static_cast<std::size_t>((groups.perBlock + kStripe - 1) / kStripe);
    space_->pool().forRange(2 * stripes, 1, [&](std::size_t task, std::size_t) {
        const int start = static_cast<int>(task / 2) * kStripe;
        const int side = groups.firstSide + start;
        const int half = (groups.blocks + 1) / 2;
        const int end = task % 2 == 0 ? half : groups.blocks;
        std::vector<float> kept(stream.positions.size());
        for (int block = task % 2 == 0 ? 0 : half; block < end; ++block) {
            const int along = block * plan.shape.group;
            GroupRange range{};
            range.first = plan.shape.alongX ? layout_.column(along, side) : layout_.column(side, along);
            range.step = plan.shape.alongX ? layout_.rowStride : 1;
            range.count = std::min(kStripe, groups.perBlock - start);
            range.kept = kept.data();
            kernels_.projectGroups(job, range);
        }
    });
}

void CpuProjector::readColumns(const ViewPlan& plan, ConstView from) {
    const auto& size = layout_.size;
    const RowCopy shape{size[0], size[2], std::int64_t{size[0]} * size[1], layout_.columnStride};
    std::atomic<int> filled = 0;
    space_->pool().forRange(static_cast<std::size_t>(size[1]), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            const std::size_t row = y * static_cast<std::size_t>(size[0]);
            const std::int64_t first = layout_.column(0, static_cast<int>(y));
            float* const columns = source_.view().data + kSlack + first * layout_.columnStride;
            kernels_.gatherRow(shape, from.data + row, columns);
            filled += kernels_.markFilled(shape, columns, filled_.data() + first);
            if (plan.filtered) {
                const RowFilter filter{layout_.planes, gains_.data(), layout_.planeFloats, layout_.vectors};
                kernels_.filterRow(shape, filter, columns);
            }
        }
    });
    sparse_ = filled < kSparse * size[0] * size[1];
}

void CpuProjector::writeColumns(MutableView to, ConstView att, Write write) {
    const auto& size = layout_.size;
    const RowCopy shape{size[0], size[2], std::int64_t{size[0]} * size[1], layout_.columnStride};
    const auto scatter = write == Write::Overwrite ? kernels_.scatterRow : kernels_.scatterRowAdding;
    space_->pool().forRange(static_cast<std::size_t>(size[1]), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            const std::size_t row = y * static_cast<std::size_t>(size[0]);
            const float* const columns =
                target_.view().data + layout_.column(0, static_cast<int>(y)) * layout_.columnStride;
            scatter(shape, columns, att.empty() ? nullptr : att.data + row, to.data + row);
        }
    });
}

ProjectorOrWhyNot makeCpuProjector(const DirectModel& model, std::shared_ptr<HostSpace> space,
                                   const EngineOptions& options) {
    if (!options.strategy.empty() && options.strategy != "column") {
        return Unsupported{fmt::format(
            "it has no strategy '{}' for histo-images; its one strategy there is column", options.strategy)};
    }
    return std::unique_ptr<Projector>(std::make_unique<CpuProjector>(
        model, std::move(space), richestInstructionSet(options.mostInstructions)));
}

}  // namespace tof
