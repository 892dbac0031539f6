// SPDX-License-Identifier: Apache-2.0
#include "gpu/direct/column_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace tof {

namespace {

constexpr int kClasses = 8;
constexpr int kClassSkew = 3;
constexpr std::size_t kLookAhead = 64;
constexpr std::int16_t kFarOutside = -30000;

/// A rectangle of ints around the origin, for sets and maps of small offsets.
class OffsetGrid {
  public:
    OffsetGrid(int lowA, int highA, int lowB, int highB, int value)
        : lowA_(lowA),
          lowB_(lowB),
          width_(highA - lowA + 1),
          height_(highB - lowB + 1),
          cells_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), value) {}

    [[nodiscard]] bool contains(int a, int b) const {
        return a >= lowA_ && b >= lowB_ && a < lowA_ + width_ && b < lowB_ + height_;
    }
    int& at(int a, int b) {
        return cells_[static_cast<std::size_t>(b - lowB_) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(a - lowA_)];
    }
    [[nodiscard]] int valueOr(int a, int b, int otherwise) { return contains(a, b) ? at(a, b) : otherwise; }
    /// Calls visit(a, b, value) in order of b, a.
    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (int b = 0; b < height_; ++b) {
            for (int a = 0; a < width_; ++a) {
                visit(a + lowA_, b + lowB_,
                      cells_[static_cast<std::size_t>(b) * static_cast<std::size_t>(width_) +
                             static_cast<std::size_t>(a)]);
            }
        }
    }

  private:
    int lowA_;
    int lowB_;
    int width_;
    int height_;
    std::vector<int> cells_;
};

struct Bounds {
    int lowA = 0;
    int highA = 0;
    int lowB = 0;
    int highB = 0;
};

/// Sources of one group that share a value of dz (or one of the two kinds of the filtered form).
struct Layer {
    std::vector<std::array<int, 2>> pixels;  ///< in order of b, a
    int z = 0;
};

}  // namespace

class ColumnPlanner::Impl {
  public:
    Impl(std::span<const PlanTap> taps, std::span<const int> index, const PlanLine& line, bool filtered)
        : taps_(taps.begin(), taps.end()), index_(index.begin(), index.end()), line_(line) {
        plan_.alongY = line.alongY;
        plan_.filtered = filtered;
        for (std::size_t t = 0; t < taps.size(); ++t) {
            bounds_.lowA = std::min(bounds_.lowA, taps[t].a);
            bounds_.highA = std::max(bounds_.highA, taps[t].a);
            bounds_.lowB = std::min(bounds_.lowB, taps[t].b);
            bounds_.highB = std::max(bounds_.highB, taps[t].b);
            plan_.reach = std::max(plan_.reach, std::abs(taps[t].z));
            if (!filtered || taps[t].z == 0) {
                plan_.taps = std::max(plan_.taps, index[t] + 1);
            }
        }
        fits_ = plan_.taps * 4 <= std::numeric_limits<std::uint16_t>::max();
        if (!fits_) {
            return;
        }
        findLayers();
        for (int split = 0; split < kPlanSplit; ++split) {
            plan_.firstChunk[static_cast<std::size_t>(split)] = plan_.chunks;
            listSegments(split);
        }
    }

    [[nodiscard]] int chunks() const { return plan_.chunks; }

    std::optional<ColumnPlan> plan(PlanShape shape) {
        if (!fits_) {
            return std::nullopt;
        }
        plan_.shape = shape;
        plan_.lineOffset.clear();
        for (int i = 0; i < kPlanLine * shape.along; ++i) {
            plan_.lineOffset.push_back(
                static_cast<std::int16_t>(rise(i / kPlanLine * kPlanLine) + rise(i % kPlanLine)));
        }
        makeTile();
        if (plan_.tile.size() > std::numeric_limits<std::uint16_t>::max()) {
            return std::nullopt;
        }
        makeTargets();
        plan_.sources.clear();
        for (int group = 0; group < shape.groups(); ++group) {
            const int along = kPlanLine * (group % shape.along);
            const int across = plan_.lineOffset[static_cast<std::size_t>(along)] + 2 * (group / shape.along);
            for (const Source& s : chunkSources_) {
                plan_.sources.push_back(s.real ? slotOf(s.a + along, s.b + across) : std::uint16_t{0});
            }
        }
        return plan_;
    }

  private:
    struct Source {
        int a = 0;
        int b = 0;
        int z = 0;
        bool real = false;
    };

    /// c(a) of the file's head.
    [[nodiscard]] int rise(int a) const { return static_cast<int>(std::floor(a * line_.slope + 0.5)); }

    [[nodiscard]] int layerKey(std::size_t tap) {
        if (!plan_.filtered) {
            return taps_[tap].z;
        }
        return reaches_->at(taps_[tap].a, taps_[tap].b);
    }

    void findLayers() {
        const int length = kPlanLine - 1;
        const int lowRise = std::min(0, rise(length)) - 1;
        const int highRise = std::max(0, rise(length)) + 2;
        reaches_.emplace(bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB, -1);
        for (const PlanTap& tap : taps_) {
            int& reach = reaches_->at(tap.a, tap.b);
            reach = std::max(reach, std::abs(tap.z));
        }
        std::map<int, OffsetGrid> found;
        for (std::size_t t = 0; t < taps_.size(); ++t) {
            if (plan_.filtered && taps_[t].z != 0) {
                continue;
            }
            auto [entry, created] = found.try_emplace(layerKey(t), bounds_.lowA, bounds_.highA + length,
                                                      bounds_.lowB + lowRise, bounds_.highB + highRise, 0);
            for (int lineIndex = 0; lineIndex < 2; ++lineIndex) {
                for (int i = 0; i < kPlanLine; ++i) {
                    entry->second.at(taps_[t].a + i, taps_[t].b + lineIndex + rise(i)) = 1;
                }
            }
        }
        for (const auto& [key, grid] : found) {
            Layer layer;
            layer.z = key;
            grid.forEach([&](int a, int b, int used) {
                if (used != 0) {
                    layer.pixels.push_back({a, b});
                }
            });
            layer.pixels = withoutConflicts(layer.pixels);
            layers_.push_back(std::move(layer));
            // Taps of this layer by offset, for the weights.
            auto& lookup =
                lookups_.try_emplace(key, bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB, -1)
                    .first->second;
            for (std::size_t t = 0; t < taps_.size(); ++t) {
                if ((!plan_.filtered || taps_[t].z == 0) && layerKey(t) == key) {
                    lookup.at(taps_[t].a, taps_[t].b) = index_[t];
                }
            }
        }
    }

    void makeTile() {
        const PlanShape& shape = plan_.shape;
        int lowB = std::numeric_limits<int>::max();
        int highB = std::numeric_limits<int>::min();
        for (const Layer& layer : layers_) {
            for (const auto& [a, b] : layer.pixels) {
                lowB = std::min(lowB, b);
                highB = std::max(highB, b);
            }
        }
        const int last = plan_.lineOffset[static_cast<std::size_t>(kPlanLine * (shape.along - 1))];
        slots_.emplace(bounds_.lowA, bounds_.highA + kPlanLine * shape.along - 1, lowB + std::min(0, last),
                       highB + std::max(0, last) + 2 * (shape.across - 1), -1);
        for (int along = 0; along < shape.along; ++along) {
            const int offset = plan_.lineOffset[static_cast<std::size_t>(kPlanLine * along)];
            for (int across = 0; across < shape.across; ++across) {
                for (const Layer& layer : layers_) {
                    for (const auto& [a, b] : layer.pixels) {
                        slots_->at(a + kPlanLine * along, b + offset + 2 * across) = 0;
                    }
                }
            }
        }
        plan_.tile.clear();
        std::array<int, kClasses> used{};
        slots_->forEach([&](int a, int b, int wanted) {
            if (wanted == 0) {
                const int mine = classOf(a, b);
                const int slot = kClasses * used[static_cast<std::size_t>(mine)]++ + mine;
                plan_.tile.push_back({static_cast<std::int16_t>(a), static_cast<std::int16_t>(b),
                                      static_cast<std::uint16_t>(slot), 0});
            }
        });
        for (const ColumnPlan::Pixel& p : plan_.tile) {
            slots_->at(p.a, p.b) = p.slot;
        }
        // Slots that no pixel takes stand for one far outside, which is zero.
        const int most = *std::max_element(used.begin(), used.end());
        for (int c = 0; c < kClasses; ++c) {
            for (int i = used[static_cast<std::size_t>(c)]; i < most; ++i) {
                plan_.tile.push_back(
                    {kFarOutside, kFarOutside, static_cast<std::uint16_t>(kClasses * i + c), 0});
            }
        }
        sortXFastest(plan_.tile);
    }

    void sortXFastest(std::vector<ColumnPlan::Pixel>& pixels) const {
        std::sort(pixels.begin(), pixels.end(), [&](const ColumnPlan::Pixel& l, const ColumnPlan::Pixel& r) {
            const auto [ly, lx] = plan_.alongY ? std::pair{l.a, l.b} : std::pair{l.b, l.a};
            const auto [ry, rx] = plan_.alongY ? std::pair{r.a, r.b} : std::pair{r.b, r.a};
            return ly != ry ? ly < ry : lx < rx;
        });
    }

    void makeTargets() {
        const PlanShape& shape = plan_.shape;
        plan_.targets.clear();
        for (int group = 0; group < shape.groups(); ++group) {
            for (int lineIndex = 0; lineIndex < 2; ++lineIndex) {
                for (int i = 0; i < kPlanLine; ++i) {
                    const int a = kPlanLine * (group % shape.along) + i;
                    const int b =
                        plan_.lineOffset[static_cast<std::size_t>(a)] + 2 * (group / shape.along) + lineIndex;
                    plan_.targets.push_back({static_cast<std::int16_t>(a), static_cast<std::int16_t>(b),
                                             static_cast<std::uint16_t>(plan_.targets.size()), 0});
                }
            }
        }
        sortXFastest(plan_.targets);
        plan_.place.resize(plan_.targets.size());
        for (std::size_t t = 0; t < plan_.targets.size(); ++t) {
            plan_.place[plan_.targets[t].slot] = static_cast<std::uint16_t>(t);
        }
    }

    [[nodiscard]] std::uint16_t slotOf(int a, int b) { return static_cast<std::uint16_t>(slots_->at(a, b)); }

    /// Which of eight places in shared memory a pixel's column takes: eight columns of different classes are
    /// read without conflict. A shift of a group shifts all classes alike.
    [[nodiscard]] static int classOf(int a, int b) { return (a + kClassSkew * b) & (kClasses - 1); }

    /// The pixels in nearly their order, but every eight in a row of different classes as far as that goes.
    [[nodiscard]] static std::vector<std::array<int, 2>> withoutConflicts(
        const std::vector<std::array<int, 2>>& pixels) {
        std::vector<std::array<int, 2>> result;
        std::vector<char> taken(pixels.size(), 0);
        std::size_t first = 0;
        while (result.size() < pixels.size()) {
            unsigned seen = 0;
            int count = 0;
            const auto take = [&](std::size_t i) {
                result.push_back(pixels[i]);
                taken[i] = 1;
                ++count;
            };
            for (std::size_t i = first; i < pixels.size() && count < kClasses && i < first + kLookAhead;
                 ++i) {
                const unsigned bit = 1U << static_cast<unsigned>(classOf(pixels[i][0], pixels[i][1]));
                if (taken[i] == 0 && (seen & bit) == 0) {
                    seen |= bit;
                    take(i);
                }
            }
            for (std::size_t i = first; i < pixels.size() && count < kClasses; ++i) {
                if (taken[i] == 0) {
                    take(i);
                }
            }
            while (first < pixels.size() && taken[first] != 0) {
                ++first;
            }
        }
        return result;
    }

    /// Adds part `part` of `parts` of a layer as chunks and as a segment.
    void addSegment(int split, const Layer& layer, int part, int parts, PlanStep after) {
        const auto n = static_cast<int>(layer.pixels.size());
        const int all = (n + kPlanLine - 1) / kPlanLine;
        const int begin = all * part / parts;
        const int end = all * (part + 1) / parts;
        for (int k = begin * kPlanLine; k < end * kPlanLine; ++k) {
            if (k < n) {
                const auto& [a, b] = layer.pixels[static_cast<std::size_t>(k)];
                chunkSources_.push_back({a, b, layer.z, true});
            } else {
                chunkSources_.push_back({});
            }
        }
        for (int chunk = begin; chunk < end; ++chunk) {
            addWeights(layer.z, plan_.chunks++);
        }
        plan_.segments[static_cast<std::size_t>(split)].push_back({end - begin, after});
    }

    void addWeights(int z, int chunk) {
        const auto none = static_cast<std::uint16_t>(plan_.taps * 4);
        const Source* const sources = chunkSources_.data() + static_cast<std::size_t>(chunk) * kPlanLine;
        OffsetGrid& lookup = lookups_.at(z);
        for (int lane = 0; lane < kPlanLanes; ++lane) {
            for (int lineIndex = 0; lineIndex < 2; ++lineIndex) {
                for (int reg = 0; reg < 4; ++reg) {
                    for (int pair = 0; pair < 2; ++pair) {
                        const int row = lane / 4 + 8 * (reg % 2);
                        const Source& s = sources[2 * (lane % 4) + pair + 8 * (reg / 2)];
                        const int tap =
                            s.real ? lookup.valueOr(s.a - row, s.b - lineIndex - rise(row), -1) : -1;
                        plan_.weights.push_back(tap < 0 ? none : static_cast<std::uint16_t>(tap * 4));
                    }
                }
            }
        }
    }

    void listSegments(int split) {
        if (plan_.filtered) {
            // Keys are reaches: those that reach one plane first, then those that do not.
            for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
                addSegment(split, *layer, split, kPlanSplit,
                           layer->z > 0 ? PlanStep::Filter : PlanStep::Keep);
            }
            return;
        }
        const Layer* middle = nullptr;
        if (split == 0) {
            for (auto layer = layers_.rbegin(); layer != layers_.rend() && layer->z > 0; ++layer) {
                addSegment(split, *layer, 0, 1, PlanStep::FromAbove);
            }
        } else {
            for (auto layer = layers_.begin(); layer != layers_.end() && layer->z < 0; ++layer) {
                addSegment(split, *layer, 0, 1, PlanStep::FromBelow);
            }
        }
        for (const Layer& layer : layers_) {
            middle = layer.z == 0 ? &layer : middle;
        }
        addSegment(split, *middle, split, kPlanSplit, PlanStep::Keep);
    }

    std::vector<PlanTap> taps_;
    std::vector<int> index_;
    PlanLine line_;
    bool fits_ = true;
    ColumnPlan plan_;
    Bounds bounds_;
    std::optional<OffsetGrid> reaches_;
    std::optional<OffsetGrid> slots_;
    std::vector<Layer> layers_;  ///< in order of z
    std::map<int, OffsetGrid> lookups_;
    std::vector<Source> chunkSources_;
};

ColumnPlanner::ColumnPlanner(std::span<const PlanTap> taps, std::span<const int> index, const PlanLine& line,
                             bool filtered)
    : impl_(std::make_unique<Impl>(taps, index, line, filtered)) {}
ColumnPlanner::~ColumnPlanner() = default;
int ColumnPlanner::chunks() const {
    return impl_->chunks();
}
std::optional<ColumnPlan> ColumnPlanner::plan(PlanShape shape) {
    return impl_->plan(shape);
}

PlanLine planLine(double ux, double uy, double spacingX, double spacingY) {
    const double x = ux / spacingX;
    const double y = uy / spacingY;
    if (std::abs(y) > std::abs(x)) {
        return {true, x / y};
    }
    return {false, x == 0 ? 0 : y / x};
}

std::vector<std::array<std::int16_t, 2>> planBlocks(const ColumnPlan& plan, int sizeA, int sizeB) {
    const int length = kPlanLine * plan.shape.along;
    const int lines = 2 * plan.shape.across;
    std::vector<std::array<std::int16_t, 2>> best;
    for (int phase = 0; phase < lines; ++phase) {
        std::vector<std::array<std::int16_t, 2>> blocks;
        for (int a0 = 0; a0 < sizeA; a0 += length) {
            const int columns = std::min(length, sizeA - a0);
            const auto [low, high] =
                std::minmax_element(plan.lineOffset.begin(), plan.lineOffset.begin() + columns);
            // Line l covers rows l + low .. l + high; every line that touches 0 .. sizeB-1 is needed.
            for (int l = -*high - phase; l + *low < sizeB; l += lines) {
                bool any = false;
                for (int i = 0; i < columns && !any; ++i) {
                    const int b = l + plan.lineOffset[static_cast<std::size_t>(i)];
                    any = b < sizeB && b + lines > 0;
                }
                if (any) {
                    blocks.push_back({static_cast<std::int16_t>(a0), static_cast<std::int16_t>(l)});
                }
            }
        }
        if (best.empty() || blocks.size() < best.size()) {
            best = std::move(blocks);
        }
    }
    return best;
}

}  // namespace tof
