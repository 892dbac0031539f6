// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/stack_cpu.h"

#include <algorithm>

#include "recon/base/target_clones.h"

namespace tof {

namespace {

constexpr int kWidth = PlaneStack::kPadding;  // floats that are added at once
constexpr std::size_t kLineGrain = 8;
constexpr std::size_t kColumnGrain = 256;

/// One family on one path.
struct Run {
    PlaneLine line;
    float perHeight;
    int places;
    int half[2];  ///< voxels of each parity in a column
    std::size_t pitch;
};

/// Calls add(step, parity, first z / 2, first place, last place, length) for what the family meets.
template <class Add>
inline void forEachCrossing(const Run& run, const PathStep* begin, const PathStep* end, const Add& add) {
    for (const PathStep* step = begin; step != end; ++step) {
        ColumnCrossing crossing(run.line, *step, run.perHeight);
        do {
            const int z = crossing.voxel();
            const int parity = z & 1;
            const int offset = z >> 1;
            const int first = std::max(0, -offset);
            const int last = std::min(run.places, run.half[parity] - offset);
            if (first < last) {
                add(*step, parity, offset, first, last, crossing.length());
            }
        } while (crossing.next());
    }
}

/// sums[place] += lengths x voxels.
TOF_CLONES void addVoxels(const Run& run, const PathStep* begin, const PathStep* end, const float* columns,
                          float* sums) {
    forEachCrossing(run, begin, end,
                    [&](const PathStep& step, int parity, int offset, int first, int last, float length) {
                        const float* const from = columns + (2 * static_cast<std::size_t>(step.column) +
                                                             static_cast<std::size_t>(parity)) *
                                                                run.pitch;
                        for (int i = first; i < last; i += kWidth) {
                            for (int k = 0; k < kWidth; ++k) {
                                sums[i + k] += length * from[offset + i + k];
                            }
                        }
                    });
}

/// voxels += lengths x data[place].
TOF_CLONES void addData(const Run& run, const PathStep* begin, const PathStep* end, const float* data,
                        float* columns) {
    forEachCrossing(run, begin, end,
                    [&](const PathStep& step, int parity, int offset, int first, int last, float length) {
                        float* const to = columns + (2 * static_cast<std::size_t>(step.column) +
                                                     static_cast<std::size_t>(parity)) *
                                                        run.pitch;
                        for (int i = first; i < last; i += kWidth) {
                            for (int k = 0; k < kWidth; ++k) {
                                to[offset + i + k] += length * data[i + k];
                            }
                        }
                    });
}

}  // namespace

struct StackCpu::Line {
    const std::vector<PathStep>& path;
    float transverse_mm;
    std::size_t slot;
    std::size_t radial;
};

StackCpu::StackCpu(PlaneStack stack, const LineTable& lines, const Lattice& lattice)
    : stack_(std::move(stack)),
      lines_(lines),
      lattice_(lattice),
      pitch_(static_cast<std::size_t>(stack_.half()) + 2 * kWidth),
      columns_(2 * pitch_ * static_cast<std::size_t>(lattice.size[0]) *
               static_cast<std::size_t>(lattice.size[1])),
      paths_(linesOfPart()),
      rows_(linesOfPart() * stack_.paddedSize()) {}

std::size_t StackCpu::linesOfPart() const {
    const Michelogram& m = *lines_.michelogram();
    return static_cast<std::size_t>(m.spec().anglesPerPart) * static_cast<std::size_t>(m.radialBins()) *
           static_cast<std::size_t>(lines_.radialRays());
}

std::size_t StackCpu::memoryBytes() const {
    std::size_t steps = 0;
    for (const std::vector<PathStep>& path : paths_) {
        steps += path.capacity();
    }
    return (columns_.size() + rows_.size()) * sizeof(float) + steps * sizeof(PathStep);
}

void StackCpu::followPaths(std::size_t part, const ThreadPool& pool) {
    pool.forRange(paths_.size(), kLineGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            paths_[i].clear();
            stack_.appendPath(lines_.transverse()[part * paths_.size() + i], paths_[i]);
        }
    });
}

StackCpu::Line StackCpu::lineOf(std::size_t part, std::size_t index) const {
    const auto radials = static_cast<std::size_t>(lines_.michelogram()->radialBins());
    const std::size_t bin = index / static_cast<std::size_t>(lines_.radialRays());
    return {paths_[index], PlaneStack::transverseLength(lines_.transverse()[part * paths_.size() + index]),
            bin / radials, bin % radials};
}

namespace {

Run runOf(const PlaneStack& stack, const PlaneFamily& family, float transverse_mm, int height,
          std::size_t pitch) {
    return {family.line,
            lengthPerHeight(family.line, transverse_mm),
            family.places,
            {stack.half(), height / 2},
            pitch};
}

}  // namespace

void StackCpu::forwardLine(const Line& line, float* sums) const {
    const PathStep* const begin = line.path.data();
    for (const PlaneFamily& family : stack_.families()) {
        addVoxels(runOf(stack_, family, line.transverse_mm, lattice_.size[2], pitch_), begin,
                  begin + line.path.size(), columns_.data(), sums + family.base);
    }
}

void StackCpu::forward(std::size_t part, const float* image, float* p, const ThreadPool& pool) {
    const auto columns =
        static_cast<std::size_t>(lattice_.size[0]) * static_cast<std::size_t>(lattice_.size[1]);
    pool.forRange(columns, kColumnGrain, [&](std::size_t begin, std::size_t end) {
        // What lies between the columns counts as voxels beyond the lattice: zero.
        std::fill(columns_.data() + begin * 2 * pitch_, columns_.data() + end * 2 * pitch_, 0.0F);
        for (int z = 0; z < lattice_.size[2]; ++z) {
            const float* const plane = image + static_cast<std::size_t>(z) * columns;
            float* const to = columns_.data() + static_cast<std::size_t>(z & 1) * pitch_ + z / 2;
            for (std::size_t c = begin; c < end; ++c) {
                to[c * 2 * pitch_] = plane[c];
            }
        }
    });
    followPaths(part, pool);
    const auto rays = static_cast<std::size_t>(lines_.radialRays());
    const float share = 1.0F / static_cast<float>(rays);
    const std::size_t sinograms = stack_.planes().size();
    const auto radials = static_cast<std::size_t>(lines_.michelogram()->radialBins());
    pool.forRange(paths_.size() / rays, kLineGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<float> sums(stack_.paddedSize());
        std::vector<float> bins(sinograms);
        for (std::size_t bin = begin; bin < end; ++bin) {
            std::fill(bins.begin(), bins.end(), 0.0F);
            for (std::size_t ray = 0; ray < rays; ++ray) {
                const Line line = lineOf(part, bin * rays + ray);
                std::fill(sums.begin(), sums.end(), 0.0F);
                forwardLine(line, sums.data());
                for (std::size_t s = 0; s < sinograms; ++s) {
                    bins[s] += share * relativeLength(stack_.rises()[s], line.transverse_mm) *
                               sums[static_cast<std::size_t>(stack_.places()[s])];
                }
            }
            for (std::size_t s = 0; s < sinograms; ++s) {
                p[(bin / radials * sinograms + s) * radials + bin % radials] = bins[s];
            }
        }
    });
}

void StackCpu::backLine(const Line& line, const float* data, int firstRow, int lastRow) {
    // Rows come in order along a path, rising or falling.
    const int width = lattice_.size[0];
    const bool rises = line.path.front().column / width <= line.path.back().column / width;
    const auto before = [&](int row) {
        return std::partition_point(line.path.begin(), line.path.end(), [&](const PathStep& step) {
            return rises ? step.column / width < row : step.column / width >= row;
        });
    };
    const auto one = before(rises ? firstRow : lastRow) - line.path.begin();
    const auto two = before(rises ? lastRow : firstRow) - line.path.begin();
    const PathStep* const begin = line.path.data();
    for (const PlaneFamily& family : stack_.families()) {
        addData(runOf(stack_, family, line.transverse_mm, lattice_.size[2], pitch_), begin + one, begin + two,
                data + family.base, columns_.data());
    }
}

void StackCpu::back(std::size_t part, const float* p, Write write, float* image, const ThreadPool& pool) {
    followPaths(part, pool);
    const auto rays = static_cast<std::size_t>(lines_.radialRays());
    const float share = 1.0F / static_cast<float>(rays);
    const std::size_t sinograms = stack_.planes().size();
    const auto radials = static_cast<std::size_t>(lines_.michelogram()->radialBins());
    const std::size_t padded = stack_.paddedSize();
    pool.forRange(paths_.size(), kLineGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Line line = lineOf(part, i);
            float* const row = rows_.data() + i * padded;
            for (std::size_t s = 0; s < sinograms; ++s) {
                row[stack_.places()[s]] = share * relativeLength(stack_.rises()[s], line.transverse_mm) *
                                          p[(line.slot * sinograms + s) * radials + line.radial];
            }
        }
    });
    // One thread per range of rows: nobody else adds to their columns.
    const auto height = static_cast<std::size_t>(lattice_.size[1]);
    const std::size_t ranges = std::min(height, 2 * static_cast<std::size_t>(pool.threads()));
    std::fill(columns_.begin(), columns_.end(), 0.0F);
    pool.forRange(ranges, 1, [&](std::size_t range, std::size_t) {
        const auto firstRow = static_cast<int>(height * range / ranges);
        const auto lastRow = static_cast<int>(height * (range + 1) / ranges);
        for (std::size_t i = 0; i < paths_.size(); ++i) {
            if (!paths_[i].empty()) {
                backLine(lineOf(part, i), rows_.data() + i * padded, firstRow, lastRow);
            }
        }
    });
    const std::size_t columns = static_cast<std::size_t>(lattice_.size[0]) * height;
    pool.forRange(columns, kColumnGrain, [&](std::size_t begin, std::size_t end) {
        for (int z = 0; z < lattice_.size[2]; ++z) {
            float* const plane = image + static_cast<std::size_t>(z) * columns;
            const float* const from = columns_.data() + static_cast<std::size_t>(z & 1) * pitch_ + z / 2;
            for (std::size_t c = begin; c < end; ++c) {
                plane[c] = (write == Write::Add ? plane[c] : 0.0F) + from[c * 2 * pitch_];
            }
        }
    });
}

}  // namespace tof
