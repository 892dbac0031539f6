// SPDX-License-Identifier: Apache-2.0
// HostSpace::penalise: row by row of the lattice, one neighbour of a whole row after the other, so that the
// inner loops run along memory.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/target_clones.h"
#include "recon/seam/host_space.h"

namespace tof {

namespace {

constexpr std::size_t kRowsAtOnce = 16;

/// One row of voxels and the row of their neighbours; what is null is 1.
struct NeighbourRow {
    const float* own;
    const float* other;
    const float* kappa;  ///< that of the neighbours
    const float* ownVector;
    const float* otherVector;
    const float* ownChoice;
    const float* otherChoice;
    int bit;
    float weight;
    std::size_t count;
};

template <PenaltyPart kPart, typename Pair>
[[gnu::always_inline]] inline void addRow(const Pair& potential, const NeighbourRow& row,
                                          float* __restrict sum) {
    const Pair pair = potential;
    const float* const own = row.own;
    const float* const other = row.other;
    const float* const kappa = row.kappa;
    const float weight = row.weight;
    const std::size_t count = row.count;
    if constexpr (kPart == PenaltyPart::Product) {
        const float* const ownVector = row.ownVector;
        const float* const otherVector = row.otherVector;
        for (std::size_t i = 0; i < count; ++i) {
            const float strength = kappa == nullptr ? weight : weight * kappa[i];
            sum[i] += strength * pairTerm<kPart>(pair, own[i], other[i], ownVector[i], otherVector[i]);
        }
    } else if (kappa == nullptr) {
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += weight * pairTerm<kPart>(pair, own[i], other[i], 0.0F, 0.0F);
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += weight * kappa[i] * pairTerm<kPart>(pair, own[i], other[i], 0.0F, 0.0F);
        }
    }
}

// Gradients, which every update takes, are compiled for the instruction sets that there are; nothing is
// fused, so the bits are the same. Templates cannot be.
template <PenaltyPart kPart, typename Pair>
void addAnyRow(const Pair& potential, const NeighbourRow& row, float* sum) {
    addRow<kPart>(potential, row, sum);
}
TOF_CLONES void addGradientRow(const RelativeDifference& potential, const NeighbourRow& row, float* sum) {
    addRow<PenaltyPart::Gradient>(potential, row, sum);
}
TOF_CLONES void addGradientRow(const Quadratic& potential, const NeighbourRow& row, float* sum) {
    addRow<PenaltyPart::Gradient>(potential, row, sum);
}
TOF_CLONES void addGradientRow(const Huber& potential, const NeighbourRow& row, float* sum) {
    addRow<PenaltyPart::Gradient>(potential, row, sum);
}
TOF_CLONES void addGradientRow(const LogCosh& potential, const NeighbourRow& row, float* sum) {
    addRow<PenaltyPart::Gradient>(potential, row, sum);
}
TOF_CLONES void addGradientRow(const TotalVariation& potential, const NeighbourRow& row, float* sum) {
    addRow<PenaltyPart::Gradient>(potential, row, sum);
}

/// sum += other where `bits` have `bit`.
TOF_CLONES void addChosenRow(const float* bits, int bit, const float* other, std::size_t count,
                             float* __restrict sum) {
    for (std::size_t i = 0; i < count; ++i) {
        sum[i] += chosenBy(bits[i], bit) * other[i];
    }
}

/// strength = kappa times what is chosen, for a row that looks at choices.
TOF_CLONES void strengthOfRow(const NeighbourRow& row, float* __restrict strength) {
    const float* const kappa = row.kappa;
    const float* const own = row.ownChoice;
    const float* const other = row.otherChoice;
    for (std::size_t i = 0; i < row.count; ++i) {
        const float share = chosenShare(own[i], other[i], row.bit);
        strength[i] = kappa == nullptr ? share : share * kappa[i];
    }
}

/// Where a row's neighbours begin: null arrays stay null.
const float* at(ConstView view, std::size_t place) {
    return view.empty() ? nullptr : view.data + place;
}

struct Rows {
    const Neighbourhood& neighbours;
    const PenaltyTerms& terms;

    [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(neighbours.size[0]); }
    [[nodiscard]] std::size_t count() const {
        return static_cast<std::size_t>(neighbours.size[1]) * static_cast<std::size_t>(neighbours.size[2]);
    }

    /// sum = the part of a row over all its neighbours, but for the voxels' own kappa; as much again behind
    /// it is for work.
    template <PenaltyPart kPart, typename Pair>
    void add(const Pair& potential, std::size_t row, float* sum) const {
        const int ny = neighbours.size[1];
        const int y = static_cast<int>(row) % ny;
        const int z = static_cast<int>(row) / ny;
        std::fill(sum, sum + width(), 0.0F);
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                const bool inside = y + dy >= 0 && y + dy < ny && z + dz >= 0 && z + dz < neighbours.size[2];
                for (int dx = -1; inside && dx <= 1; ++dx) {
                    addShifted<kPart>(potential, row, {dx, dy, dz}, sum);
                }
            }
        }
    }

    template <PenaltyPart kPart, typename Pair>
    void addShifted(const Pair& potential, std::size_t row, const std::array<int, 3>& d, float* sum) const {
        const int kind = std::abs(d[0]) + 2 * std::abs(d[1]) + 4 * std::abs(d[2]);
        const float weight = neighbours.weights[kind];
        if (kind == 0 || weight == 0.0F) {
            return;
        }
        const auto first = static_cast<std::size_t>(std::max(0, -d[0]));
        const std::size_t other = row * width() + first +
                                  static_cast<std::size_t>(static_cast<std::ptrdiff_t>(d[0]) +
                                                           static_cast<std::ptrdiff_t>(width()) *
                                                               (d[1] + neighbours.size[1] * d[2]));
        const std::size_t own = row * width() + first;
        NeighbourRow pairs{at(terms.x, own),
                           at(terms.x, other),
                           at(terms.kappa, other),
                           at(terms.vector, own),
                           at(terms.vector, other),
                           at(terms.chosen, own),
                           at(terms.chosen, other),
                           neighbourBit(d[0], d[1], d[2]),
                           weight,
                           width() - static_cast<std::size_t>(std::abs(d[0]))};
        if (pairs.ownChoice != nullptr) {
            float* const strength = sum + width();
            strengthOfRow(pairs, strength);
            pairs.kappa = strength;
        }
        if constexpr (kPart == PenaltyPart::Gradient) {
            addGradientRow(potential, pairs, sum + first);
        } else {
            addAnyRow<kPart>(potential, pairs, sum + first);
        }
    }

    void store(std::size_t row, const float* sum, MutableView out) const {
        const float* const kappa = at(terms.kappa, row * width());
        float* const to = out.data + row * width();
        const bool adds = terms.write == Write::Add;
        for (std::size_t i = 0; i < width(); ++i) {
            const float scaled = terms.factor * (kappa == nullptr ? 1.0F : kappa[i]) * sum[i];
            to[i] = adds ? to[i] + scaled : scaled;
        }
    }
};

template <PenaltyPart kPart, typename Pair>
void penaliseRows(const ThreadPool& pool, const Rows& rows, const Pair& potential, MutableView out) {
    pool.forRange(rows.count(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
        std::vector<float> sum(2 * rows.width());
        for (std::size_t row = begin; row < end; ++row) {
            rows.add<kPart>(potential, row, sum.data());
            rows.store(row, sum.data(), out);
        }
    });
}

/// Voxels whose medians are found beside each other.
using Lanes = float __attribute__((vector_size(kClonedVectorBytes)));
constexpr std::size_t kLanes = kClonedVectorBytes / sizeof(float);

[[gnu::always_inline]] inline void order(Lanes& low, Lanes& high) {
    const Lanes a = low;
    const Lanes b = high;
    low = b < a ? b : a;
    high = b < a ? a : b;
}

/// Medians of 27 values each: of 15 the least and the largest cannot be it and go, another comes, until one
/// is left. `values` are written over.
TOF_CLONES void medians(std::array<Lanes, 27>& values) {
    constexpr std::size_t kEnough = 15;
    std::size_t next = kEnough;
    for (std::size_t held = kEnough; held >= 3; --held) {
        // The held ones begin at 0; after this the least is the first and the largest the last of them.
        for (std::size_t i = 0; i < held / 2; ++i) {
            order(values[i], values[held - 1 - i]);
        }
        const std::size_t half = (held + 1) / 2;
        for (std::size_t i = 1; i < half; ++i) {
            order(values[0], values[i]);
        }
        for (std::size_t i = held / 2; i + 1 < held; ++i) {
            order(values[i], values[held - 1]);
        }
        if (next == values.size()) {
            values[0] = values[1];
            return;
        }
        values[0] = values[next++];  // in the place of the least; the largest is left behind
    }
}

/// The gradient of what has none but in name.
void pullToMedian(const ThreadPool& pool, const Rows& rows, const MedianRoot& median, MutableView out) {
    const std::size_t nx = rows.width();
    const int ny = rows.neighbours.size[1];
    const int nz = rows.neighbours.size[2];
    const float* const image = rows.terms.x.data;
    pool.forRange(rows.count(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
        const std::size_t wide = (nx + kLanes - 1) / kLanes * kLanes + 2;
        std::vector<float> sum(nx);
        std::vector<float> around(9 * wide);  // the rows around one, with the voxel at the edge beyond it
        alignas(kClonedVectorBytes) std::array<Lanes, 27> values{};
        for (std::size_t row = begin; row < end; ++row) {
            const int y = static_cast<int>(row) % ny;
            const int z = static_cast<int>(row) / ny;
            for (int k = 0; k < 9; ++k) {
                const int nearY = std::clamp(y + k % 3 - 1, 0, ny - 1);
                const int nearZ = std::clamp(z + k / 3 - 1, 0, nz - 1);
                const float* const from =
                    image + (static_cast<std::size_t>(nearZ) * static_cast<std::size_t>(ny) +
                             static_cast<std::size_t>(nearY)) *
                                nx;
                float* const to = around.data() + static_cast<std::size_t>(k) * wide;
                to[0] = from[0];
                std::copy(from, from + nx, to + 1);
                std::fill(to + 1 + nx, to + wide, from[nx - 1]);
            }
            for (std::size_t x = 0; x < nx; x += kLanes) {
                for (std::size_t k = 0; k < 27; ++k) {
                    std::memcpy(&values[k], around.data() + k / 3 * wide + x + k % 3, sizeof(Lanes));
                }
                medians(values);
                for (std::size_t lane = 0; lane < kLanes && x + lane < nx; ++lane) {
                    const std::size_t own = row * nx + x + lane;
                    const float kappa = rows.terms.kappa.empty() ? 1.0F : rows.terms.kappa.data[own];
                    sum[x + lane] = kappa * median.pull(image[own], values[0][lane]);
                }
            }
            rows.store(row, sum.data(), out);
        }
    });
}

}  // namespace

void HostSpace::penalise(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                         MutableView out) {
    requirePenalisable(penalty, part, terms, out);
    const Rows rows{penalty.neighbours, terms};
    std::visit(
        [&](const auto& potential) {
            if constexpr (std::is_same_v<std::decay_t<decltype(potential)>, MedianRoot>) {
                pullToMedian(pool_, rows, potential, out);
            } else {
                switch (part) {
                    case PenaltyPart::Value:
                        penaliseRows<PenaltyPart::Value>(pool_, rows, potential, out);
                        return;
                    case PenaltyPart::Gradient:
                        penaliseRows<PenaltyPart::Gradient>(pool_, rows, potential, out);
                        return;
                    case PenaltyPart::Curvature:
                        penaliseRows<PenaltyPart::Curvature>(pool_, rows, potential, out);
                        return;
                    case PenaltyPart::Product:
                        penaliseRows<PenaltyPart::Product>(pool_, rows, potential, out);
                        return;
                }
            }
        },
        penalty.potential);
}

void HostSpace::gather(const Neighbourhood& neighbours, ConstView chosen, ChosenBy by, ConstView x,
                       MutableView out) {
    requireGatherable(neighbours, chosen, x, out);
    const int ny = neighbours.size[1];
    const auto width = static_cast<std::size_t>(neighbours.size[0]);
    const std::size_t rows = out.size / std::max<std::size_t>(width, 1);
    pool_.forRange(rows, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const int y = static_cast<int>(row) % ny;
            const int z = static_cast<int>(row) / ny;
            std::copy_n(x.data + row * width, width, out.data + row * width);
            for (int k = 0; k < 27; ++k) {
                const int dx = k % 3 - 1;
                const int dy = k / 3 % 3 - 1;
                const int dz = k / 9 - 1;
                if (k == 13 || y + dy < 0 || y + dy >= ny || z + dz < 0 || z + dz >= neighbours.size[2]) {
                    continue;
                }
                const auto first = static_cast<std::size_t>(std::max(0, -dx));
                const std::size_t own = row * width + first;
                const std::size_t other =
                    own + static_cast<std::size_t>(dx + static_cast<std::ptrdiff_t>(width) *
                                                            (dy + static_cast<std::ptrdiff_t>(ny) * dz));
                const std::size_t count = width - static_cast<std::size_t>(std::abs(dx));
                const bool mine = by == ChosenBy::Itself;
                addChosenRow(chosen.data + (mine ? own : other), mine ? k : 26 - k, x.data + other, count,
                             out.data + own);
            }
        }
    });
}

void requireGatherable(const Neighbourhood& neighbours, ConstView chosen, ConstView x, MutableView out) {
    const std::size_t voxels = neighbours.voxels();
    if (x.size != voxels || out.size != voxels || chosen.size != voxels) {
        throw InternalError("gather: views of different sizes");
    }
}

void requirePenalisable(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                        MutableView out) {
    const std::size_t voxels = penalty.neighbours.voxels();
    const bool fits = terms.x.size == voxels && out.size == voxels &&
                      (terms.kappa.empty() || terms.kappa.size == voxels) &&
                      (terms.chosen.empty() || terms.chosen.size == voxels) &&
                      (part != PenaltyPart::Product || terms.vector.size == voxels);
    if (!fits) {
        throw InternalError("penalise: views of different sizes");
    }
    if (std::holds_alternative<MedianRoot>(penalty.potential) &&
        (part != PenaltyPart::Gradient || !terms.chosen.empty())) {
        throw InternalError("penalise: the median root is no objective, and of all neighbours");
    }
}

}  // namespace tof
