// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/binning/binning.h"
#include "recon/binning/event_places.h"
#include "recon/data/scan_totals.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/rank_range.h"

namespace tof {

namespace {

constexpr std::size_t kEventsPerChunk = std::size_t{1} << 14U;
constexpr std::uint32_t kNoView = std::numeric_limits<std::uint32_t>::max();

/// Where an event goes: continuous voxel index of its most likely point; whole numbers for the nearest voxel.
struct Placed {
    float x = 0;
    float y = 0;
    float z = 0;
};

void requireTimesOfFlight(const EventList& part) {
    if (part.dt_ps.empty() && part.size() > 0) {
        throw BadInput(
            "the list has no times of flight, so its events have no places in histo-images; bin it --to "
            "sinogram or --to lors");
    }
}

/// A contiguous part of a batch, sorted by one thread.
struct Chunk {
    std::vector<std::uint32_t> offsets;  ///< per view: where this chunk's events of it go in the batch
    std::uint64_t outside = 0;
    std::uint64_t rejected = 0;
};

}  // namespace

HistoData emptyViews(const Scanner& scanner, const BinningSettings& settings) {
    const bool moves = settings.endPoints == EndPoints::Face && scanner.facesKnown;
    HistoData data;
    data.deposit = nameOf(moves ? EndPoints::Face : EndPoints::Centre);
    data.depositSeed = moves ? settings.seed : 0;
    data.motion = settings.motion != nullptr && !settings.motion->still() ? "rigid" : "";
    data.lattice = settings.lattice;
    data.views = viewGridOf(scanner, settings).views();
    return data;
}

class EventDeposit::Depositor {
  public:
    Depositor(const Scanner& scanner, const BinningSettings& settings, const ThreadPool& pool,
              std::shared_ptr<Communicator> ranks)
        : settings_(settings),
          pool_(pool),
          ranks_(std::move(ranks)),
          grid_(viewGridOf(scanner, settings)),
          places_(scanner, settings, pool) {
        data_ = emptyViews(scanner, settings);
        own_ = viewsOf(ranks_->rank());
        // The first rank's views are the first ones: those of the others come behind them in the end.
        const std::size_t kept = ranks_->first() ? grid_.count() : own_.size();
        data_.counts = largeArray<float>(kept * settings.lattice.voxels(), pool);
    }

    /// Events [first, first + events.size()) of the list.
    void add(std::uint64_t first, const EventList& events, const std::function<void(double)>& progress) {
        events_ = &events;
        first_ = first;
        places_.requireMoments(events);
        if (!ranks_->alone() && events.size() > kBatch) {
            throw InternalError("ranks deposit at most {} events at a time", kBatch);
        }
        std::size_t begin = 0;
        do {  // ranks without events have those of others
            const std::size_t end = std::min(events.size(), begin + kBatch);
            addBatch(begin, end);
            if (progress) {
                progress(events.size() > 0 ? static_cast<double>(end) / static_cast<double>(events.size())
                                           : 1.0);
            }
            begin = end;
        } while (begin < events.size());
        next_ = first + events.size();
        events_ = nullptr;
    }
    [[nodiscard]] std::uint64_t next() const { return next_; }
    void setListener(std::function<void(const DepositedBatch&)> listener) { listener_ = std::move(listener); }

    [[nodiscard]] HistoData take() {
        join();
        return std::move(data_);
    }

  private:
    /// Sorts a batch by view, keeping the order of events, then adds view by view: the sums come out the same
    /// whatever the number of threads.
    void addBatch(std::size_t begin, std::size_t end) {
        const std::size_t n = end - begin;
        if (views_.size() < n) {
            views_ = largeArray<std::uint32_t>(n, pool_);
            points_ = largeArray<Placed>(n, pool_);
            sorted_ = largeArray<Placed>(n, pool_);
        }
        std::vector<Chunk> chunks((n + kEventsPerChunk - 1) / kEventsPerChunk);
        pool_.forRange(n, kEventsPerChunk, [&](std::size_t from, std::size_t to) {
            place(begin, from, to, chunks[from / kEventsPerChunk]);
        });
        const std::vector<std::uint32_t> starts = layOut(chunks);
        pool_.forRange(n, kEventsPerChunk, [&](std::size_t from, std::size_t to) {
            sort(from, to, chunks[from / kEventsPerChunk]);
        });
        data_.kept += starts.back();
        DepositedBatch batch;
        for (const Chunk& chunk : chunks) {
            batch.outside += chunk.outside;
            batch.rejected += chunk.rejected;
        }
        data_.outside += batch.outside;
        data_.rejected += batch.rejected;
        if (listener_) {
            tell(starts, batch);
        }
        exchange(starts);
    }

    void tell(const std::vector<std::uint32_t>& starts, DepositedBatch batch) {
        told_.resize(starts.back());
        pool_.forRange(told_.size(), kEventsPerChunk, [&](std::size_t from, std::size_t to) {
            std::transform(sorted_.begin() + static_cast<std::ptrdiff_t>(from),
                           sorted_.begin() + static_cast<std::ptrdiff_t>(to),
                           told_.begin() + static_cast<std::ptrdiff_t>(from),
                           [this](Placed at) { return static_cast<std::uint32_t>(nearest(at)); });
        });
        batch.starts = starts;
        batch.voxels = told_;
        listener_(batch);
    }

    /// Adds to every view of this rank its events: of `events[k]`, one behind the other, those between two of
    /// the k-th row of `starts`, which has one for each view and an end.
    void depositViews(const std::vector<const Placed*>& events, const std::vector<std::uint32_t>& starts) {
        const std::size_t row = grid_.count() + 1;
        pool_.forRange(own_.size(), 1, [&](std::size_t place, std::size_t) {
            const std::size_t view = own_.begin + place;
            for (std::size_t k = 0; k < events.size(); ++k) {
                const std::uint32_t* const of = starts.data() + k * row;
                for (std::size_t i = of[view]; i < of[view + 1]; ++i) {
                    deposit(place, events[k][i - of[own_.begin]]);
                }
            }
        });
    }

    /// Hands every other rank the events of its views, which lie together, and deposits what comes for own
    /// ones in the order of ranks.
    void exchange(const std::vector<std::uint32_t>& starts) {
        const std::vector<std::uint32_t> all = ranks_->numbersOfAll(std::span(starts));
        const auto size = static_cast<std::size_t>(ranks_->size());
        const auto mine = static_cast<std::size_t>(ranks_->rank());
        const std::size_t row = starts.size();
        std::vector<std::size_t> begins(size + 1, 0);  // where what comes from each begins
        for (std::size_t k = 0; k < size; ++k) {
            const std::size_t comes = k == mine ? 0 : all[k * row + own_.end] - all[k * row + own_.begin];
            begins[k + 1] = begins[k] + comes;
        }
        arrived_.resize(std::max(arrived_.size(), begins.back()));
        std::vector<Sent> sent;
        std::vector<Received> received;
        std::vector<const Placed*> events;
        for (std::size_t k = 0; k < size; ++k) {
            const RankRange theirs = viewsOf(static_cast<int>(k));
            const Placed* const forThem = sorted_.data() + starts[theirs.begin];
            events.push_back(k == mine ? forThem : arrived_.data() + begins[k]);
            if (k != mine) {
                sent.push_back({static_cast<int>(k), forThem,
                                (starts[theirs.end] - starts[theirs.begin]) * sizeof(Placed)});
                received.push_back({static_cast<int>(k), arrived_.data() + begins[k],
                                    (begins[k + 1] - begins[k]) * sizeof(Placed)});
            }
        }
        ranks_->exchange(sent, received);
        depositViews(events, all);
    }

    /// The first rank gets the views and numbers of all.
    void join() {
        const std::size_t voxels = settings_.lattice.voxels();
        std::vector<Sent> sent;
        std::vector<Received> received;
        if (!ranks_->first()) {
            sent.push_back({0, data_.counts.data(), data_.counts.size() * sizeof(float)});
        }
        for (int other = 1; ranks_->first() && other < ranks_->size(); ++other) {
            const RankRange theirs = viewsOf(other);
            received.push_back(
                {other, data_.counts.data() + theirs.begin * voxels, theirs.size() * voxels * sizeof(float)});
        }
        ranks_->exchange(sent, received);
        for (std::uint64_t* const number : {&data_.kept, &data_.outside, &data_.rejected}) {
            const std::vector<std::uint64_t> all = ranks_->numbersOfAll(*number);
            *number = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
        }
        if (!ranks_->first()) {
            data_.counts = {};
        }
    }

    [[nodiscard]] RankRange viewsOf(int rank) const { return rangeOf(grid_.count(), rank, ranks_->size()); }

    /// Finds view and place of the events [from, to) of the batch at `begin`, and counts them per view.
    void place(std::size_t begin, std::size_t from, std::size_t to, Chunk& chunk) {
        chunk.offsets.assign(grid_.count(), 0);
        EventPlaces::Walk walk(places_, *events_, first_);
        for (std::size_t i = from; i < to; ++i) {
            views_[i] = kNoView;
            switch (walk.find(begin + i)) {
                case EventPlaces::Fate::Rejected: ++chunk.rejected; continue;
                case EventPlaces::Fate::Outside: ++chunk.outside; continue;
                case EventPlaces::Fate::Kept: break;
            }
            const std::size_t cell = places_.cell(walk.line());
            views_[i] = static_cast<std::uint32_t>(cell);
            points_[i] = placed(walk.at());
            ++chunk.offsets[cell];
        }
    }

    /// The nearest voxel is chosen in double: float would move points that lie close to a voxel's face.
    [[nodiscard]] Placed placed(Vec3 at) const {
        // Inside the lattice v + 0.5 is not negative: cutting off its fraction rounds down.
        const auto coordinate = [this](double v) {
            return settings_.trilinear ? static_cast<float>(v)
                                       : static_cast<float>(static_cast<int>(v + 0.5));
        };
        return {coordinate(at.x), coordinate(at.y), coordinate(at.z)};
    }

    /// Turns the counts of the chunks into places in the sorted batch; returns where each view begins.
    [[nodiscard]] std::vector<std::uint32_t> layOut(std::vector<Chunk>& chunks) const {
        std::vector<std::uint32_t> starts(grid_.count() + 1, 0);
        std::uint32_t next = 0;
        for (std::size_t view = 0; view < grid_.count(); ++view) {
            starts[view] = next;
            for (Chunk& chunk : chunks) {
                const std::uint32_t count = chunk.offsets[view];
                chunk.offsets[view] = next;
                next += count;
            }
        }
        starts.back() = next;
        return starts;
    }

    void sort(std::size_t from, std::size_t to, Chunk& chunk) {
        for (std::size_t i = from; i < to; ++i) {
            if (views_[i] != kNoView) {
                sorted_[chunk.offsets[views_[i]]++] = points_[i];
            }
        }
    }

    /// `place`: of the view among this rank's.
    void deposit(std::size_t place, Placed at) {
        float* counts = data_.counts.data() + place * settings_.lattice.voxels();
        if (settings_.trilinear) {
            spread(counts, at);
            return;
        }
        counts[nearest(at)] += 1.0F;
    }

    [[nodiscard]] std::size_t nearest(Placed at) const {
        const auto& n = settings_.lattice.size;
        const auto index = [](float v, int size) { return std::clamp(static_cast<int>(v), 0, size - 1); };
        return settings_.lattice.index(index(at.x, n[0]), index(at.y, n[1]), index(at.z, n[2]));
    }

    /// Eight shares that sum to one; what would fall outside the lattice stays in its outermost voxels.
    void spread(float* counts, Placed at) const {
        struct Side {
            std::array<int, 2> index;
            std::array<float, 2> weight;
        };
        const auto side = [](float v, int size) {
            const float below = std::floor(v);
            const float above = v - below;
            const auto clamped = [size](float index) {
                return std::clamp(static_cast<int>(index), 0, size - 1);
            };
            return Side{{clamped(below), clamped(below + 1)}, {1 - above, above}};
        };
        const auto& n = settings_.lattice.size;
        const Side x = side(at.x, n[0]);
        const Side y = side(at.y, n[1]);
        const Side z = side(at.z, n[2]);
        for (std::size_t k = 0; k < 2; ++k) {
            for (std::size_t j = 0; j < 2; ++j) {
                for (std::size_t i = 0; i < 2; ++i) {
                    counts[settings_.lattice.index(x.index[i], y.index[j], z.index[k])] +=
                        x.weight[i] * y.weight[j] * z.weight[k];
                }
            }
        }
    }

    const EventList* events_ = nullptr;
    std::uint64_t first_ = 0;  ///< place of their first one in the list
    std::uint64_t next_ = 0;   ///< the event that follows all that were added
    BinningSettings settings_;
    const ThreadPool& pool_;
    std::shared_ptr<Communicator> ranks_;
    ViewGrid grid_;
    EventPlaces places_;
    HistoData data_;
    std::vector<std::uint32_t> views_;
    std::vector<Placed> points_;
    std::vector<Placed> sorted_;
    RankRange own_;  ///< views
    std::vector<Placed> arrived_;
    std::function<void(const DepositedBatch&)> listener_;
    std::vector<std::uint32_t> told_;
};

EventDeposit::EventDeposit(const Scanner& scanner, const BinningSettings& settings, const ThreadPool& pool,
                           std::shared_ptr<Communicator> ranks)
    : scannerJson_(scanner.toJson()) {
    if (settings.lattice.voxels() == 0) {
        throw WrongUse("binning needs a lattice");
    }
    depositor_ = std::make_unique<Depositor>(scanner, settings, pool, std::move(ranks));
}

EventDeposit::~EventDeposit() = default;

void EventDeposit::add(const EventList& part, const std::function<void(double)>& progress) {
    addAt(depositor_->next(), part, progress);
}

void EventDeposit::addAt(std::uint64_t first, const EventList& part,
                         const std::function<void(double)>& progress) {
    requireTimesOfFlight(part);
    depositor_->add(first, part, progress);
}

void EventDeposit::tell(std::function<void(const DepositedBatch&)> listener) {
    depositor_->setListener(std::move(listener));
}

HistoData EventDeposit::take(const EventList& scan) {
    HistoData data = depositor_->take();
    data.scannerJson = scannerJson_;
    data.phantom = scan.phantom;
    copyScanTotals(scan, data);
    return data;
}

HistoData depositEvents(const EventList& events, const Scanner& scanner, const BinningSettings& settings,
                        const ThreadPool& pool, const std::function<void(double)>& progress) {
    EventDeposit deposit(scanner, settings, pool);
    deposit.add(events, progress);
    return deposit.take(events);
}

std::uint64_t eventsOnLattice(const EventList& events, const Scanner& scanner,
                              const BinningSettings& settings, const ThreadPool& pool) {
    requireTimesOfFlight(events);
    const EventPlaces places(scanner, settings, pool);
    places.requireMoments(events);
    const double kept =
        pool.sumRange(events.size(), kEventsPerChunk, [&](std::size_t begin, std::size_t end) {
            EventPlaces::Walk walk(places, events, 0);
            std::size_t count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                count += walk.keeps(i) ? 1U : 0U;
            }
            return static_cast<double>(count);
        });
    return static_cast<std::uint64_t>(kept);
}

}  // namespace tof
