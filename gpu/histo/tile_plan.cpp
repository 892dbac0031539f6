// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/tile_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>

namespace tof {

namespace {

constexpr int kClasses = 8;
constexpr int kClassSkew = 4;
constexpr int kBanks = 32;
/// The bank of a tap grows by these per pixel across and per plane, that of a row of the table by the last:
/// found by counting the conflicts of all views of 40 x 3.
constexpr int kBankAcross = 24;
constexpr int kBankAxial = 8;
constexpr int kBankRow = 16;
constexpr int kOctets = 2;  ///< eights of a chunk that are read together
/// What a chunk costs its warp, whatever its strips, and what each of them adds; roughly clocks.
constexpr int kChunkCost = 27;
constexpr int kStripCost = 10;
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

struct Source {
    int a = 0;
    int b = 0;
    bool real = false;
};

/// Sources that are multiplied by one matrix instruction, and the strips (bits) that need any of them.
struct Chunk {
    std::array<Source, kPlanChunk> sources{};
    unsigned strips = 0;
    [[nodiscard]] int cost() const { return kChunkCost + kStripCost * std::popcount(strips); }
};

int costOf(std::span<const Chunk> chunks) {
    return std::accumulate(chunks.begin(), chunks.end(), 0,
                           [](int sum, const Chunk& chunk) { return sum + chunk.cost(); });
}

/// Chunks of one group that share a value of dz (or one of the two kinds of the filtered form).
struct Layer {
    std::vector<Chunk> chunks;
    int z = 0;
};

/// Which of eight places in shared memory a pixel's column takes: eight columns of different classes are
/// read without conflict. A shift of a group shifts all classes alike.
int classOf(int a, int b) {
    return (a + kClassSkew * b) & (kClasses - 1);
}

/// Deals sources out to chunks.
class Packer {
  public:
    /// A source, and the strips that need it.
    void add(int a, int b, unsigned strips) { pools_[strips].push_back({a, b, true}); }

    /// Sources of equal strips share chunks; what is left over joins those that ask for the fewest more.
    std::vector<Chunk> pack() {
        std::vector<Chunk> chunks;
        for (auto& [strips, pool] : pools_) {
            while (pool.size() >= kPlanChunk) {
                Batch batch;
                batch.take(pool, kPlanChunk);
                chunks.push_back(batch.chunk(strips));
            }
        }
        while (const auto seed = largestPool()) {
            unsigned strips = *seed;
            Batch batch;
            batch.take(pools_[strips], kPlanChunk);
            while (batch.size() < kPlanChunk) {
                const auto next = nearestPool(strips);
                if (!next) {
                    break;
                }
                strips |= *next;
                batch.take(pools_[*next], kPlanChunk);
            }
            chunks.push_back(batch.chunk(strips));
        }
        return chunks;
    }

  private:
    /// The sources of a chunk in the making.
    class Batch {
      public:
        [[nodiscard]] std::size_t size() const { return sources_.size(); }
        /// Moves sources here until there are `most`: those of classes that are not there twice first, and of
        /// these the classes that are left most often.
        void take(std::vector<Source>& pool, std::size_t most) {
            std::array<int, kClasses> left{};
            for (const Source& s : pool) {
                ++left[mine(s)];
            }
            while (!pool.empty() && size() < most) {
                const auto rank = [&](const Source& s) {
                    return std::pair(count_[mine(s)] < kOctets ? 1 : 0, left[mine(s)]);
                };
                auto best = pool.begin();
                for (auto s = pool.begin(); s != pool.end(); ++s) {
                    best = rank(*s) > rank(*best) ? s : best;
                }
                ++count_[mine(*best)];
                --left[mine(*best)];
                sources_.push_back(*best);
                pool.erase(best);
            }
        }
        /// Both halves with as few classes twice as can be.
        [[nodiscard]] Chunk chunk(unsigned strips) const {
            std::array<std::vector<Source>, kOctets> halves;
            std::array<std::array<int, kClasses>, kOctets> seen{};
            for (const Source& s : sources_) {
                std::size_t half = seen[1][mine(s)] < seen[0][mine(s)] ? 1 : 0;
                half = halves[half].size() < kClasses ? half : 1 - half;
                ++seen[half][mine(s)];
                halves[half].push_back(s);
            }
            Chunk result;
            result.strips = strips;
            for (std::size_t half = 0; half < kOctets; ++half) {
                std::sort(halves[half].begin(), halves[half].end(), [](const Source& l, const Source& r) {
                    return std::pair(l.b, l.a) < std::pair(r.b, r.a);
                });
                std::copy(halves[half].begin(), halves[half].end(),
                          result.sources.begin() + static_cast<std::ptrdiff_t>(half * kClasses));
            }
            return result;
        }

      private:
        [[nodiscard]] static std::size_t mine(const Source& s) {
            return static_cast<std::size_t>(classOf(s.a, s.b));
        }
        std::vector<Source> sources_;
        std::array<int, kClasses> count_{};
    };

    /// The strips of those left over that most strips need.
    [[nodiscard]] std::optional<unsigned> largestPool() const {
        std::optional<unsigned> best;
        for (const auto& [strips, pool] : pools_) {
            if (!pool.empty() && (!best || std::popcount(strips) > std::popcount(*best))) {
                best = strips;
            }
        }
        return best;
    }
    /// Of those left over, the ones that add the fewest strips; among these, the ones that most strips need.
    [[nodiscard]] std::optional<unsigned> nearestPool(unsigned strips) const {
        std::optional<unsigned> best;
        const auto rank = [&](unsigned other) {
            return std::pair(std::popcount(other & ~strips), -std::popcount(other));
        };
        for (const auto& [other, pool] : pools_) {
            if (!pool.empty() && (!best || rank(other) < rank(*best))) {
                best = other;
            }
        }
        return best;
    }

    std::map<unsigned, std::vector<Source>> pools_;
};

}  // namespace

class ColumnPlanner::Impl {
  public:
    Impl(std::span<const PlanTap> taps, PlanTable table, const PlanLine& line, bool filtered, int lines)
        : taps_(taps.begin(), taps.end()), index_(std::move(table.place)), line_(line) {
        plan_.taps = table.taps;
        plan_.rowStride = table.rowStride;
        plan_.shape.lines = lines;
        plan_.alongY = line.alongY;
        plan_.filtered = filtered;
        for (std::size_t t = 0; t < taps.size(); ++t) {
            bounds_.lowA = std::min(bounds_.lowA, taps[t].a);
            bounds_.highA = std::max(bounds_.highA, taps[t].a);
            bounds_.lowB = std::min(bounds_.lowB, taps[t].b);
            bounds_.highB = std::max(bounds_.highB, taps[t].b);
            plan_.reach = std::max(plan_.reach, std::abs(taps[t].z));
        }
        fits_ = (plan_.taps + kPlanZeros) * 4 <= std::numeric_limits<std::uint16_t>::max();
        if (!fits_) {
            return;
        }
        findLayers();
        for (int split = 0; split < kPlanSplit; ++split) {
            plan_.firstChunk[static_cast<std::size_t>(split)] = plan_.chunks;
            listSegments(split);
        }
    }

    std::optional<ColumnPlan> plan(int along, int across) {
        if (!fits_) {
            return std::nullopt;
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
        if (plan_.tile.size() > (std::size_t{1} << static_cast<unsigned>(kPlanSlotBits))) {
            return std::nullopt;
        }
        makeTargets();
        listSources();
        return plan_;
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
    /// c(a) of the file's head.
    [[nodiscard]] int rise(int a) const { return static_cast<int>(std::floor(a * line_.slope + 0.5)); }
    /// Pixel i of a strip, relative to the group.
    [[nodiscard]] std::array<int, 2> pixelOf(int strip, int i) const {
        const int perLine = kPlanStrips / plan_.shape.lines;
        const int a = strip % perLine * kPlanStrip + i;
        return {a, strip / perLine + rise(a)};
    }

    [[nodiscard]] int layerKey(std::size_t tap) {
        if (!plan_.filtered) {
            return taps_[tap].z;
        }
        return reaches_->at(taps_[tap].a, taps_[tap].b);
    }

    void findLayers() {
        const int length = plan_.shape.lineLength() - 1;
        const int lowRise = std::min(0, rise(length)) - 1;
        const int highRise = std::max(0, rise(length)) + plan_.shape.lines;
        reaches_.emplace(bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB, -1);
        for (const PlanTap& tap : taps_) {
            int& reach = reaches_->at(tap.a, tap.b);
            reach = std::max(reach, std::abs(tap.z));
        }
        std::map<int, OffsetGrid> found;  // the strips that need a pixel
        for (std::size_t t = 0; t < taps_.size(); ++t) {
            if (plan_.filtered && taps_[t].z != 0) {
                continue;
            }
            const int key = layerKey(t);
            auto [entry, created] = found.try_emplace(key, bounds_.lowA, bounds_.highA + length,
                                                      bounds_.lowB + lowRise, bounds_.highB + highRise, 0);
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                for (int i = 0; i < kPlanStrip; ++i) {
                    const auto [a, b] = pixelOf(strip, i);
                    entry->second.at(taps_[t].a + a, taps_[t].b + b) |= 1 << strip;
                }
            }
            auto& lookup =
                lookups_.try_emplace(key, bounds_.lowA, bounds_.highA, bounds_.lowB, bounds_.highB, -1)
                    .first->second;
            lookup.at(taps_[t].a, taps_[t].b) = index_[t];
        }
        for (const auto& [key, grid] : found) {
            Packer packer;
            grid.forEach([&](int a, int b, int strips) {
                if (strips != 0) {
                    packer.add(a, b, static_cast<unsigned>(strips));
                }
            });
            layers_.push_back({packer.pack(), key});
        }
    }

    /// Calls visit(a, b) for every source of a group.
    template <typename Visit>
    void forEachSource(const Visit& visit) const {
        for (const Layer& layer : layers_) {
            for (const Chunk& chunk : layer.chunks) {
                for (const Source& s : chunk.sources) {
                    if (s.real) {
                        visit(s.a, s.b);
                    }
                }
            }
        }
    }

    void makeTile() {
        const PlanShape& shape = plan_.shape;
        const int length = shape.lineLength();
        int lowB = std::numeric_limits<int>::max();
        int highB = std::numeric_limits<int>::min();
        forEachSource([&](int /*a*/, int b) {
            lowB = std::min(lowB, b);
            highB = std::max(highB, b);
        });
        const auto offsetOf = [&](int along) {
            return plan_.lineOffset[static_cast<std::size_t>(length) * static_cast<std::size_t>(along)];
        };
        const int last = offsetOf(shape.along - 1);
        slots_.emplace(bounds_.lowA, bounds_.highA + length * shape.along - 1, lowB + std::min(0, last),
                       highB + std::max(0, last) + shape.lines * (shape.across - 1), -1);
        for (int along = 0; along < shape.along; ++along) {
            const int offset = offsetOf(along);
            for (int across = 0; across < shape.across; ++across) {
                forEachSource([&](int a, int b) {
                    slots_->at(a + length * along, b + offset + shape.lines * across) = 0;
                });
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
        sortXFastest(plan_.targets);
        plan_.place.resize(plan_.targets.size());
        for (std::size_t t = 0; t < plan_.targets.size(); ++t) {
            plan_.place[plan_.targets[t].slot] = static_cast<std::uint16_t>(t);
        }
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
            for (const Chunk& chunk : chunks_) {
                const unsigned strips = chunk.strips << static_cast<unsigned>(kPlanSlotBits);
                for (const Source& s : chunk.sources) {
                    const int slot = s.real ? slots_->at(s.a + along, s.b + across) : 0;
                    plan_.sources.push_back(static_cast<std::uint16_t>(static_cast<unsigned>(slot) | strips));
                }
            }
        }
    }

    /// Appends chunks as a segment.
    void addSegment(int split, const Layer& layer, std::span<const Chunk> chunks, PlanStep after) {
        for (const Chunk& chunk : chunks) {
            chunks_.push_back(chunk);
            layerOfChunk_.push_back(layer.z);
            plan_.products += std::popcount(chunk.strips);
        }
        plan_.chunks += static_cast<int>(chunks.size());
        plan_.segments[static_cast<std::size_t>(split)].push_back({static_cast<int>(chunks.size()), after});
    }

    void addWeights(int z, const Chunk& chunk, std::vector<std::uint16_t>& weights) {
        OffsetGrid& lookup = lookups_.at(z);
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            std::array<std::array<int, kPlanLanes>, 4> places{};
            for (std::size_t n = 0; n < places.size(); ++n) {
                for (int lane = 0; lane < kPlanLanes; ++lane) {
                    const auto [a, b] = pixelOf(strip, lane / 4);
                    const std::size_t k = static_cast<std::size_t>(2 * (lane % 4)) + n % 2 + n / 2 * 8;
                    const Source& s = chunk.sources[k];
                    places[n][static_cast<std::size_t>(lane)] =
                        s.real ? lookup.valueOr(s.a - a, s.b - b, -1) : -1;
                }
                fillUp(places[n]);
            }
            for (std::size_t lane = 0; lane < kPlanLanes; ++lane) {
                for (const auto& place : places) {
                    weights.push_back(static_cast<std::uint16_t>(4 * place[lane]));
                }
            }
        }
    }

    /// Sends the lanes without a weight to the zero in the bank that the others use least.
    void fillUp(std::array<int, kPlanLanes>& places) const {
        std::array<int, kBanks> used{};
        for (const int place : places) {
            if (place >= 0) {
                ++used[static_cast<std::size_t>(place % kBanks)];
            }
        }
        int best = plan_.taps;
        for (int zero = plan_.taps; zero < plan_.taps + kPlanZeros; ++zero) {
            // Rows of the table lie half the banks apart, and the lanes need two or three of them.
            const auto usedBy = [&](int place) {
                return used[static_cast<std::size_t>(place % kBanks)] +
                       used[static_cast<std::size_t>((place + kBankRow) % kBanks)];
            };
            best = usedBy(zero) < usedBy(best) ? zero : best;
        }
        std::replace(places.begin(), places.end(), -1, best);
    }

    /// The first chunks of a layer, for half 0, such that both halves cost about the same when half 0 has
    /// `ahead` more to do elsewhere.
    [[nodiscard]] static std::size_t shareOf(const Layer& layer, int ahead) {
        int left = costOf(layer.chunks) - ahead;
        std::size_t share = 0;
        while (share < layer.chunks.size() && left >= layer.chunks[share].cost()) {
            left -= 2 * layer.chunks[share++].cost();
        }
        return share;
    }

    void listSegments(int split) {
        const auto part = [&](const Layer& layer, std::size_t share) {
            const std::span<const Chunk> all(layer.chunks);
            return split == 0 ? all.first(share) : all.subspan(share);
        };
        if (plan_.filtered) {
            // Keys are reaches: those that reach one plane first, then those that do not.
            int ahead = 0;
            for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
                const std::size_t share = shareOf(*layer, ahead);
                ahead +=
                    2 * costOf(std::span<const Chunk>(layer->chunks).first(share)) - costOf(layer->chunks);
                addSegment(split, *layer, part(*layer, share),
                           layer->z > 0 ? PlanStep::Filter : PlanStep::Keep);
            }
            return;
        }
        int ahead = 0;
        const Layer* middle = nullptr;
        for (const Layer& layer : layers_) {
            middle = layer.z == 0 ? &layer : middle;
            ahead += layer.z > 0 ? costOf(layer.chunks) : layer.z < 0 ? -costOf(layer.chunks) : 0;
        }
        if (split == 0) {
            for (auto layer = layers_.rbegin(); layer != layers_.rend() && layer->z > 0; ++layer) {
                addSegment(split, *layer, layer->chunks, PlanStep::FromAbove);
            }
        } else {
            for (auto layer = layers_.begin(); layer != layers_.end() && layer->z < 0; ++layer) {
                addSegment(split, *layer, layer->chunks, PlanStep::FromBelow);
            }
        }
        addSegment(split, *middle, part(*middle, shareOf(*middle, ahead)), PlanStep::Keep);
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
    std::vector<Chunk> chunks_;  ///< in the order of the plan
    std::vector<int> layerOfChunk_;
};

ColumnPlanner::ColumnPlanner(std::span<const PlanTap> taps, PlanTable table, const PlanLine& line,
                             bool filtered, int lines)
    : impl_(std::make_unique<Impl>(taps, std::move(table), line, filtered, lines)) {}
ColumnPlanner::~ColumnPlanner() = default;
std::optional<ColumnPlan> ColumnPlanner::plan(int along, int across) {
    return impl_->plan(along, across);
}

std::vector<std::uint16_t> ColumnPlanner::weights() {
    return impl_->weights();
}

PlanTable planTable(std::span<const PlanTap> taps, bool filtered) {
    // Places are counted from that of the tap at 0, so that mirror images differ in sign only.
    PlanTable table;
    std::map<std::array<int, 3>, std::size_t> tapAt;
    for (std::size_t t = 0; t < taps.size(); ++t) {
        if (!filtered || taps[t].z == 0) {
            tapAt[{taps[t].z, taps[t].b, taps[t].a}] = t;
        }
    }
    table.place.assign(taps.size(), -1);
    std::vector<int> offset(taps.size(), 0);
    std::array<int, kBanks> next{};  // the first free offset above 0 of every bank
    std::iota(next.begin(), next.end(), 0);
    next[0] = kBanks;
    int largest = 0;
    for (const auto& [at, t] : tapAt) {
        const auto mirror = tapAt.find({-at[0], -at[1], -at[2]});
        if (!(std::array{0, 0, 0} < at) || mirror == tapAt.end()) {
            continue;
        }
        const int bank = (at[2] + kBankAcross * at[1] + kBankAxial * at[0]) & (kBanks - 1);
        int& above = next[static_cast<std::size_t>(bank)];
        int& below = next[static_cast<std::size_t>((kBanks - bank) % kBanks)];
        const int sign = above <= below ? 1 : -1;
        int& free = sign > 0 ? above : below;
        offset[t] = sign * free;
        offset[mirror->second] = -offset[t];
        largest = std::max(largest, free);
        free += kBanks;
    }
    for (const auto& [at, t] : tapAt) {
        table.place[t] = largest + offset[t];
    }
    table.taps = 2 * largest + 1;
    table.rowStride = table.taps + 2 * kPlanZeros;
    table.rowStride += (kBankRow - table.rowStride % kBanks + kBanks) % kBanks;
    return table;
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

}  // namespace tof
