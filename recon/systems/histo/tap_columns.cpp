// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/tap_columns.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

#include "recon/base/error.h"

namespace tof {

namespace {

int roundUp(int n, int step) {
    return (n + step - 1) / step * step;
}

bool connects(const KernelTap& tap, const std::array<int, 3>& size) {
    return std::abs(tap.x) < size[0] && std::abs(tap.y) < size[1] && std::abs(tap.z) < size[2];
}

/// Height of the support over each (x, y) of an untilted view; there the run of z is -h .. h.
std::map<std::pair<int, int>, int> heights(const std::vector<KernelTap>& taps, int nz) {
    std::map<std::pair<int, int>, int> result;
    for (const KernelTap& tap : taps) {
        int& h = result[{tap.y, tap.x}];
        h = std::max(h, std::min<int>(tap.z, nz - 1));
    }
    return result;
}

/// A source of a group, ordered by where it lies in memory, with the output it feeds and the weight's slot.
struct Use {
    int plane;
    int y;
    int x;
    int z;
    int output;
    std::int32_t slot;

    [[nodiscard]] auto source() const { return std::tie(plane, y, x, z); }
};

/// The outputs that one source feeds: positions[p], or the zero slot.
struct Gathered {
    Use source;
    std::array<std::int32_t, kMaxGroup> positions;
    int first;
    int last;  // one past
    int run;
};

/// Number of the smallest run that covers outputs [first, last): see ColumnJob.
int runOf(int first, int last, int group) {
    if (last <= group - first) {
        return group - last;  // the first `last` outputs
    }
    return first == 0 ? 0 : group - 1 + first;
}

std::vector<Gathered> gather(std::vector<Use> uses, int group, std::int32_t zeroSlot) {
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
        return std::tuple_cat(a.source(), std::tie(a.output)) <
               std::tuple_cat(b.source(), std::tie(b.output));
    });
    std::vector<Gathered> result;
    for (const Use& use : uses) {
        if (result.empty() || result.back().source.source() != use.source()) {
            Gathered fresh{use, {}, use.output, use.output + 1, 0};
            fresh.positions.fill(zeroSlot);
            result.push_back(fresh);
        }
        result.back().positions[static_cast<std::size_t>(use.output)] = use.slot;
        result.back().last = use.output + 1;
    }
    for (Gathered& g : result) {
        g.run = runOf(g.first, g.last, group);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.run < b.run; });
    return result;
}

/// First and one past the last output of a run.
std::pair<int, int> outputsOf(int run, int group) {
    return run < group ? std::pair{0, group - run} : std::pair{run - group + 1, group};
}

}  // namespace

ColumnLayout makeLayout(const std::array<int, 3>& size, const ColumnReach& reach, int group, int lanes) {
    ColumnLayout layout;
    layout.size = size;
    layout.planes = reach.planes;
    layout.vectors = (size[2] + lanes - 1) / lanes;
    // Zeros after a column serve the shifts of both neighbours.
    layout.columnStride =
        roundUp(layout.vectors * lanes + std::max(reach.offset[2], reach.planes - 1), lanes);
    layout.margin = {reach.offset[0] + group, reach.offset[1] + group};
    // An odd number of columns per row spreads the rows over the sets of the caches.
    layout.rowStride = (size[0] + 2 * layout.margin[0]) | 1;
    layout.columns = layout.rowStride * (size[1] + 2 * layout.margin[1]);
    layout.planeFloats = layout.columns * layout.columnStride;
    if (layout.planeFloats * layout.planes > std::numeric_limits<std::int32_t>::max()) {
        throw Unavailable(
            "the volume and its kernel are too large for engine cpu; take larger voxels or a smaller "
            "cutoff");
    }
    return layout;
}

void ColumnTable::fillRows(int begin, int end, float* out) const {
    const RadialArrays radial = outline->radial();
    const RadialModel model = radial.model();
    const auto length = static_cast<std::ptrdiff_t>(rowLength);
    for (int row = begin; row < end; ++row, out += length) {
        if (row > begin && outline->repeatsPrevious(row)) {
            std::copy(out - length, out, out);
            continue;
        }
        const std::vector<double> factors = outline->factorsOf(model, row);
        float* const last = std::transform(kept.begin(), kept.end(), out, [&](std::size_t tap) {
            return static_cast<float>(outline->tap(factors, tap));
        });
        *last = 0;
    }
}

ColumnTable makeColumnTable(const DirectModel& model, const View& view) {
    const auto& size = model.lattice.size;
    ColumnTable out;
    out.outline = std::make_shared<const KernelOutline>(model.kernel, model.lattice, view);
    const std::vector<KernelTap>& taps = out.outline->taps();
    std::map<std::pair<int, int>, int> height;
    if (!view.tilted()) {
        height = heights(taps, size[2]);
    }
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const KernelTap tap = taps[i];
        if (!connects(tap, size) || (!view.tilted() && tap.z != 0)) {
            continue;
        }
        const int plane = view.tilted() ? 0 : height.at({tap.y, tap.x});
        out.taps.push_back({tap.x, tap.y, tap.z, plane, static_cast<std::int32_t>(out.kept.size())});
        out.kept.push_back(i);
        out.reach.offset = {std::max(out.reach.offset[0], std::abs(tap.x)),
                            std::max(out.reach.offset[1], std::abs(tap.y)),
                            std::max(out.reach.offset[2], std::abs(tap.z))};
        out.reach.planes = std::max(out.reach.planes, plane + 1);
    }
    out.rowLength = static_cast<int>(out.kept.size()) + 1;
    out.outline->refuseLarge(out.kept.size() + 1);
    out.rows = 1;
    if (!model.kernel.invariant()) {
        out.rows = out.outline->rows();
        out.ids = out.outline->ids();
    }
    return out;
}

GroupShape makeGroupShape(const View& view, int group) {
    const Vec3 u = view.axes().u;
    GroupShape shape;
    shape.group = group;
    shape.alongX = std::abs(u.x) >= std::abs(u.y);
    const double slope = shape.alongX ? u.y / u.x : u.x / u.y;
    for (int p = 0; p < group; ++p) {
        shape.side[static_cast<std::size_t>(p)] = static_cast<int>(std::lround(slope * p));
    }
    shape.slope = slope;
    return shape;
}

ColumnStream makeStream(const ColumnTable& table, const ColumnLayout& layout, const GroupShape& shape,
                        Direction direction, StreamWeights weights) {
    const bool fixed = weights == StreamWeights::Fixed;
    const int sign = direction == Direction::Back ? 1 : -1;
    std::vector<Use> uses;
    uses.reserve(table.taps.size() * static_cast<std::size_t>(shape.group));
    for (int p = 0; p < shape.group; ++p) {
        const auto [dx, dy] = shape.offset(p);
        for (const ColumnTap& tap : table.taps) {
            uses.push_back({tap.plane, dy + sign * tap.y, dx + sign * tap.x, sign * tap.z, p, tap.slot});
        }
    }
    std::vector<float> values(fixed ? table.values() : 0);
    if (fixed) {
        table.fillRows(0, 1, values.data());
    }
    ColumnStream stream;
    for (const Gathered& g : gather(std::move(uses), shape.group, table.rowLength - 1)) {
        const std::int64_t column = g.source.y * layout.rowStride + g.source.x;
        const std::int64_t offset =
            column * layout.columnStride + g.source.z + g.source.plane * layout.planeFloats;
        stream.entries.push_back({static_cast<std::int32_t>(offset), static_cast<std::int32_t>(column)});
        stream.farthest = std::max(stream.farthest, shape.alongX ? g.source.x : g.source.y);
        const auto [first, last] = outputsOf(g.run, shape.group);
        for (int p = first; p < last; ++p) {
            const std::int32_t slot = g.positions[static_cast<std::size_t>(p)];
            if (fixed) {
                stream.fixed.push_back(values[static_cast<std::size_t>(slot)]);
            } else {
                stream.positions.push_back(slot);
            }
        }
        const auto run = static_cast<std::size_t>(g.run);
        stream.runEnds[run] = static_cast<std::int32_t>(stream.entries.size());
    }
    for (std::size_t run = 1; run < kMaxRuns; ++run) {  // runs without entries end where the one before does
        stream.runEnds[run] = std::max(stream.runEnds[run], stream.runEnds[run - 1]);
    }
    return stream;
}

}  // namespace tof
