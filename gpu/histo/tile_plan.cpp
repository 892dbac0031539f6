// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/tile_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace tof {

namespace {

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

constexpr std::int16_t kFarOutside = -30000;

struct Bounds {
    int lowA = 0;
    int highA = 0;
    int lowB = 0;
    int highB = 0;
};

/// Chunks of one group that share a value of dz (or one of the two kinds of the filtered form).
struct Layer {
    std::vector<PlanChunk> chunks;
    int z = 0;
};

/// The first chunks of a layer, for half 0, such that both halves cost about the same when half 0 has `ahead`
/// more to do elsewhere.
std::size_t shareOf(const Layer& layer, int ahead) {
    int left = costOf(layer.chunks) - ahead;
    std::size_t share = 0;
    while (share < layer.chunks.size() && left >= costOf(layer.chunks[share])) {
        left -= 2 * costOf(layer.chunks[share++]);
    }
    return share;
}

/// Puts pixels in order of y, x; those far outside come first. By their places in a rectangle: comparing them
/// took a fifth of all planning.
void sortXFastest(std::vector<TilePlan::Pixel>& pixels, bool alongY) {
    const auto inner = std::stable_partition(pixels.begin(), pixels.end(), isFarOutside);
    if (inner == pixels.end()) {
        return;
    }
    const auto [lowA, highA] =
        std::minmax_element(inner, pixels.end(), [](const auto& l, const auto& r) { return l.a < r.a; });
    const auto [lowB, highB] =
        std::minmax_element(inner, pixels.end(), [](const auto& l, const auto& r) { return l.b < r.b; });
    const Bounds box{lowA->a, highA->a, lowB->b, highB->b};
    const int width = alongY ? box.highB - box.lowB + 1 : box.highA - box.lowA + 1;
    const int height = alongY ? box.highA - box.lowA + 1 : box.highB - box.lowB + 1;
    constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();
    std::vector<TilePlan::Pixel> sorted(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                        {0, 0, 0, kNone});
    std::for_each(inner, pixels.end(), [&](const TilePlan::Pixel& p) {
        const int column = alongY ? p.b - box.lowB : p.a - box.lowA;
        const int row = alongY ? p.a - box.lowA : p.b - box.lowB;
        sorted[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(column)] = p;
    });
    std::copy_if(sorted.begin(), sorted.end(), inner,
                 [](const TilePlan::Pixel& p) { return p.unused != kNone; });
}

/// Sorts the targets and says where each has gone.
void orderTargets(TilePlan& plan) {
    sortXFastest(plan.targets, plan.alongY);
    plan.targetOf.resize(plan.targets.size());
    for (std::size_t t = 0; t < plan.targets.size(); ++t) {
        plan.targetOf[plan.targets[t].slot] = static_cast<std::uint16_t>(t);
    }
}

}  // namespace

bool isFarOutside(const TilePlan::Pixel& pixel) {
    return std::abs(pixel.a) == -kFarOutside;
}

class TilePlanner::Impl {
  public:
    Impl(std::span<const PlanTap> taps, PlanTable table, const PlanLine& line, PlanForm form, int lines)
        : taps_(taps.begin(), taps.end()), position_(std::move(table.position)), line_(line) {
        plan_.taps = table.taps;
        plan_.rowStride = table.rowStride;
        plan_.shape.lines = lines;
        plan_.alongY = line.alongY;
        plan_.form = form;
        for (const PlanTap& tap : taps) {
            bounds_.lowA = std::min(bounds_.lowA, tap.a);
            bounds_.highA = std::max(bounds_.highA, tap.a);
            bounds_.lowB = std::min(bounds_.lowB, tap.b);
            bounds_.highB = std::max(bounds_.highB, tap.b);
            plan_.reach = std::max(plan_.reach, std::abs(tap.z));
        }
        fits_ = (plan_.taps + kPlanZeros) * 4 <= std::numeric_limits<std::uint16_t>::max();
        if (!fits_) {
            return;
        }
        findLayers();
        for (int split = 0; split < kPlanSplit; ++split) {
            plan_.firstChunk[static_cast<std::size_t>(split)] = plan_.chunks;
            listRuns(split);
        }
    }

    std::optional<TilePlan> plan(int along, int across) {
        if (!arrange(along, across)) {
            return std::nullopt;
        }
        listSources();
        return plan_;
    }

    std::optional<TilePlan> outline(int along, int across) {
        plan_.sources.clear();
        return arrange(along, across) ? std::optional(plan_) : std::nullopt;
    }

    /// All but the sources; false when offsets do not fit.
    bool arrange(int along, int across) {
        if (!fits_) {
            return false;
        }
        plan_.shape.along = along;
        plan_.shape.across = across;
        const int length = plan_.shape.lineLength();
        plan_.lineOffset.clear();
        for (int i = 0; i < length * along; ++i) {
            plan_.lineOffset.push_back(
                static_cast<std::int16_t>(rise(i / length * length) + rise(i % length)));
        }
        makeTile();
        if (plan_.tile.size() > static_cast<std::size_t>(kPlanMostSlots)) {
            return false;
        }
        makeTargets();
        return true;
    }

    std::vector<std::uint16_t> weights() {
        std::vector<std::uint16_t> result;
        result.reserve(chunks_.size() * kPlanGroup * kPlanChunk);
        for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
            addWeights(layerOfChunk_[chunk], chunks_[chunk], result);
        }
        return result;
    }

  private:
    /// How far a line has climbed across, `a` pixels along it: c(a) of the header.
    [[nodiscard]] int rise(int a) const { return static_cast<int>(std::floor(a * line_.slope + 0.5)); }
    /// Pixel i of a strip, relative to the group.
    [[nodiscard]] std::array<int, 2> pixelOf(int strip, int i) const {
        const int perLine = kPlanStrips / plan_.shape.lines;
        const int a = strip % perLine * kPlanStrip + i;
        return {a, strip / perLine + rise(a)};
    }

    /// All of them.
    using StripPixels = std::array<std::array<int, 2>, kPlanStrip>;
    [[nodiscard]] StripPixels pixelsOf(int strip) const {
        StripPixels pixels{};
        for (int i = 0; i < kPlanStrip; ++i) {
            pixels[static_cast<std::size_t>(i)] = pixelOf(strip, i);
        }
        return pixels;
    }

    [[nodiscard]] bool filtered() const { return plan_.form == PlanForm::Filtered; }
    /// True for taps that are no part of the table.
    [[nodiscard]] bool isFilteredOut(const PlanTap& tap) const { return filtered() && tap.z != 0; }
    /// The layer that a tap belongs to: its plane, or in the filtered form how far its pixel reaches.
    [[nodiscard]] int layerOf(const PlanTap& tap) { return filtered() ? reaches_->at(tap.a, tap.b) : tap.z; }

    void findReaches() {
        reaches_.emplace(bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB, -1);
        for (const PlanTap& tap : taps_) {
            int& reach = reaches_->at(tap.a, tap.b);
            reach = std::max(reach, std::abs(tap.z));
        }
    }

    /// By layer, the positions in a table row of its taps.
    void makeLookups() {
        for (std::size_t t = 0; t < taps_.size(); ++t) {
            if (!isFilteredOut(taps_[t])) {
                lookups_
                    .try_emplace(layerOf(taps_[t]), bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB,
                                 -1)
                    .first->second.at(taps_[t].a, taps_[t].b) = position_[t];
            }
        }
    }

    /// By layer, which strips (bits) need a pixel.
    [[nodiscard]] std::map<int, OffsetGrid> stripsThatNeed() {
        const int length = plan_.shape.lineLength() - 1;
        const int lowRise = std::min(0, rise(length)) - 1;
        const int highRise = std::max(0, rise(length)) + plan_.shape.lines;
        std::array<StripPixels, kPlanStrips> pixels{};
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            pixels[static_cast<std::size_t>(strip)] = pixelsOf(strip);
        }
        std::map<int, OffsetGrid> needs;
        for (const PlanTap& tap : taps_) {
            if (isFilteredOut(tap)) {
                continue;
            }
            OffsetGrid& needed = needs
                                     .try_emplace(layerOf(tap), bounds_.lowA, bounds_.highA + length,
                                                  bounds_.lowB + lowRise, bounds_.highB + highRise, 0)
                                     .first->second;
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                for (const auto& [a, b] : pixels[static_cast<std::size_t>(strip)]) {
                    needed.at(tap.a + a, tap.b + b) |= 1 << strip;
                }
            }
        }
        return needs;
    }

    void findLayers() {
        findReaches();
        makeLookups();
        for (const auto& [layer, needed] : stripsThatNeed()) {
            SourcePacker packer;
            needed.forEach([&](int a, int b, int strips) {
                if (strips != 0) {
                    packer.add(a, b, static_cast<unsigned>(strips));
                }
            });
            std::vector<PlanChunk> chunks = packer.pack();
            std::stable_sort(chunks.begin(), chunks.end(),
                             [](const PlanChunk& l, const PlanChunk& r) { return l.strips > r.strips; });
            layers_.push_back({std::move(chunks), layer});
        }
    }

    /// Calls visit(a, b) for every source of a group.
    template <typename Visit>
    void forEachSource(const Visit& visit) const {
        for (const Layer& layer : layers_) {
            for (const PlanChunk& chunk : layer.chunks) {
                for (const PlanSource& s : chunk.sources) {
                    if (s.real()) {
                        visit(s.a, s.b);
                    }
                }
            }
        }
    }

    /// Marks the source pixels of all groups of a block.
    void markSources() {
        const PlanShape& shape = plan_.shape;
        int lowB = std::numeric_limits<int>::max();
        int highB = std::numeric_limits<int>::min();
        forEachSource([&](int /*a*/, int b) {
            lowB = std::min(lowB, b);
            highB = std::max(highB, b);
        });
        const int last = originOf(shape.along - 1)[1];
        slots_.emplace(bounds_.lowA, bounds_.highA + shape.lineLength() * shape.along - 1,
                       lowB + std::min(0, last), highB + std::max(0, last) + shape.lines * (shape.across - 1),
                       -1);
        for (int group = 0; group < shape.groups(); ++group) {
            const auto origin = originOf(group);
            forEachSource([&](int a, int b) { slots_->at(a + origin[0], b + origin[1]) = 0; });
        }
    }

    /// Gives every source pixel of a block a slot of its bank class.
    void makeTile() {
        markSources();
        plan_.tile.clear();
        std::array<int, kBankClasses> used{};
        slots_->forEach([&](int a, int b, int wanted) {
            if (wanted == 0) {
                const int mine = bankClass(a, b);
                const int slot = kBankClasses * used[static_cast<std::size_t>(mine)]++ + mine;
                plan_.tile.push_back({static_cast<std::int16_t>(a), static_cast<std::int16_t>(b),
                                      static_cast<std::uint16_t>(slot), 0});
            }
        });
        for (const TilePlan::Pixel& p : plan_.tile) {
            slots_->at(p.a, p.b) = p.slot;
        }
        fillSlots(used);
        sortXFastest(plan_.tile, plan_.alongY);
    }

    /// Slots that no pixel takes stand for one far outside, which is zero.
    void fillSlots(const std::array<int, kBankClasses>& used) {
        const int most = *std::max_element(used.begin(), used.end());
        for (int c = 0; c < kBankClasses; ++c) {
            for (int i = used[static_cast<std::size_t>(c)]; i < most; ++i) {
                plan_.tile.push_back(
                    {kFarOutside, kFarOutside, static_cast<std::uint16_t>(kBankClasses * i + c), 0});
            }
        }
    }

    void makeTargets() {
        const PlanShape& shape = plan_.shape;
        plan_.targets.clear();
        for (int group = 0; group < shape.groups(); ++group) {
            const auto [along, across] = originOf(group);
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                for (int i = 0; i < kPlanStrip; ++i) {
                    const auto [a, b] = pixelOf(strip, i);
                    plan_.targets.push_back({static_cast<std::int16_t>(along + a),
                                             static_cast<std::int16_t>(across + b),
                                             static_cast<std::uint16_t>(plan_.targets.size()), 0});
                }
            }
        }
        orderTargets(plan_);
    }

    /// Where a group begins, relative to its block.
    [[nodiscard]] std::array<int, 2> originOf(int group) const {
        const PlanShape& shape = plan_.shape;
        const int a = shape.lineLength() * (group % shape.along);
        return {a, plan_.lineOffset[static_cast<std::size_t>(a)] + shape.lines * (group / shape.along)};
    }

    void listSources() {
        plan_.sources.clear();
        for (int group = 0; group < plan_.shape.groups(); ++group) {
            const auto [along, across] = originOf(group);
            for (const PlanChunk& chunk : chunks_) {
                for (const PlanSource& s : chunk.sources) {
                    const int slot = s.real() ? slots_->at(s.a + along, s.b + across) : 0;
                    plan_.sources.push_back(static_cast<std::uint16_t>(slot));
                }
            }
        }
        plan_.sources.resize(plan_.sources.size() + std::size_t{kPlanAhead} * kPlanChunk, 0);
    }

    /// Appends chunks, and what follows the last of them.
    void addChunks(int split, const Layer& layer, std::span<const PlanChunk> chunks, PlanStep after) {
        auto& runs = plan_.runs[static_cast<std::size_t>(split)];
        const std::size_t before = runs.size();
        for (const PlanChunk& chunk : chunks) {
            chunks_.push_back(chunk);
            layerOfChunk_.push_back(layer.z);
            plan_.products += std::popcount(chunk.strips);
            if (runs.size() == before || runs.back().strips != chunk.strips) {
                runs.push_back({0, chunk.strips, PlanStep::Keep});
            }
            ++runs.back().chunks;
        }
        plan_.chunks += static_cast<int>(chunks.size());
        if (runs.size() == before) {
            runs.emplace_back();
        }
        runs.back().after = after;
    }

    void addWeights(int z, const PlanChunk& chunk, std::vector<std::uint16_t>& weights) {
        OffsetGrid& lookup = lookups_.at(z);
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            const StripPixels pixels = pixelsOf(strip);
            std::array<std::array<int, kPlanLanes>, 4> positions{};
            for (std::size_t n = 0; n < positions.size(); ++n) {
                for (int lane = 0; lane < kPlanLanes; ++lane) {
                    const auto [a, b] = pixels[static_cast<std::size_t>(lane / 4)];
                    const std::size_t k = static_cast<std::size_t>(2 * (lane % 4)) + n % 2 + n / 2 * 8;
                    const PlanSource& s = chunk.sources[k];
                    positions[n][static_cast<std::size_t>(lane)] =
                        s.real() ? lookup.valueOr(s.a - a, s.b - b, -1) : -1;
                }
                // Lanes without a weight are sent to the zero in the bank that the others use least.
                std::replace(positions[n].begin(), positions[n].end(), -1,
                             freestZero(plan_.taps, positions[n]));
            }
            for (std::size_t lane = 0; lane < kPlanLanes; ++lane) {
                for (const auto& position : positions) {
                    weights.push_back(static_cast<std::uint16_t>(4 * position[lane]));
                }
            }
        }
    }

    /// What one of the two halves takes of a layer of which half 0 takes the first `share` chunks.
    [[nodiscard]] static std::span<const PlanChunk> partOf(int split, const Layer& layer, std::size_t share) {
        const std::span<const PlanChunk> all(layer.chunks);
        return split == 0 ? all.first(share) : all.subspan(share);
    }

    void listRuns(int split) {
        if (filtered()) {
            listFiltered(split);
        } else {
            listShifted(split);
        }
    }

    /// Layers are reaches: those that reach one plane first, then those that do not.
    void listFiltered(int split) {
        int ahead = 0;
        for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
            const std::size_t share = shareOf(*layer, ahead);
            ahead += 2 * costOf(partOf(0, *layer, share)) - costOf(layer->chunks);
            addChunks(split, *layer, partOf(split, *layer, share),
                      layer->z > 0 ? PlanStep::Filter : PlanStep::Keep);
        }
    }

    /// Layers are values of dz: half 0 comes down from the highest, half 1 up from the lowest; both share 0.
    void listShifted(int split) {
        int ahead = 0;
        const Layer* middle = nullptr;
        for (const Layer& layer : layers_) {
            middle = layer.z == 0 ? &layer : middle;
            ahead += layer.z > 0 ? costOf(layer.chunks) : layer.z < 0 ? -costOf(layer.chunks) : 0;
        }
        if (split == 0) {
            for (auto layer = layers_.rbegin(); layer != layers_.rend() && layer->z > 0; ++layer) {
                addChunks(split, *layer, layer->chunks, PlanStep::FromAbove);
            }
        } else {
            for (auto layer = layers_.begin(); layer != layers_.end() && layer->z < 0; ++layer) {
                addChunks(split, *layer, layer->chunks, PlanStep::FromBelow);
            }
        }
        addChunks(split, *middle, partOf(split, *middle, shareOf(*middle, ahead)), PlanStep::Keep);
    }

    std::vector<PlanTap> taps_;
    std::vector<int> position_;  ///< in a row of the table, by tap
    PlanLine line_;
    bool fits_ = true;
    TilePlan plan_;
    Bounds bounds_;
    std::optional<OffsetGrid> reaches_;
    std::optional<OffsetGrid> slots_;
    std::vector<Layer> layers_;  ///< in order of z
    std::map<int, OffsetGrid> lookups_;
    std::vector<PlanChunk> chunks_;  ///< in the order of the plan
    std::vector<int> layerOfChunk_;
};

TilePlanner::TilePlanner(std::span<const PlanTap> taps, PlanTable table, const PlanLine& line, PlanForm form,
                         int lines)
    : impl_(std::make_unique<Impl>(taps, std::move(table), line, form, lines)) {}
TilePlanner::~TilePlanner() = default;
std::optional<TilePlan> TilePlanner::plan(int along, int across) {
    return impl_->plan(along, across);
}

std::optional<TilePlan> TilePlanner::outline(int along, int across) {
    return impl_->outline(along, across);
}

std::vector<std::uint16_t> TilePlanner::weights() {
    return impl_->weights();
}

PlanLine planLine(double ux, double uy, double spacingX, double spacingY) {
    const double x = ux / spacingX;
    const double y = uy / spacingY;
    if (std::abs(y) > std::abs(x)) {
        return {true, x / y};
    }
    return {false, x == 0 ? 0 : y / x};
}

std::vector<std::array<std::int16_t, 2>> planBlocks(const TilePlan& plan, int sizeA, int sizeB) {
    const int length = plan.shape.lineLength() * plan.shape.along;
    const int lines = plan.shape.lines * plan.shape.across;
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

TilePlan mirroredPlan(const TilePlan& plan, PlanMirror mirror, StepAxis axis) {
    TilePlan result;
    result.shape = plan.shape;
    result.alongY = axis == StepAxis::Y;
    result.form = plan.form;
    result.reach = plan.reach;
    result.taps = plan.taps;
    result.rowStride = plan.rowStride;
    result.chunks = plan.chunks;
    result.products = plan.products;
    result.firstChunk = plan.firstChunk;
    result.runs = plan.runs;
    const auto turn = [&](const std::vector<TilePlan::Pixel>& pixels) {
        std::vector<TilePlan::Pixel> turned(pixels);
        for (TilePlan::Pixel& p : turned) {
            p.a = static_cast<std::int16_t>(mirror.signA * p.a);
            p.b = static_cast<std::int16_t>(mirror.signB * p.b);
        }
        return turned;
    };
    result.tile = turn(plan.tile);
    result.targets = turn(plan.targets);
    sortXFastest(result.tile, result.alongY);
    orderTargets(result);
    return result;
}

std::vector<std::array<std::int16_t, 2>> mirroredBlocks(std::vector<std::array<std::int16_t, 2>> blocks,
                                                        PlanMirror mirror, int sizeA, int sizeB) {
    for (auto& [a, l] : blocks) {
        a = static_cast<std::int16_t>(mirror.signA < 0 ? sizeA - 1 - a : a);
        l = static_cast<std::int16_t>(mirror.signB < 0 ? sizeB - 1 - l : l);
    }
    return blocks;
}

}  // namespace tof
