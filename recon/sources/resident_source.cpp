// SPDX-License-Identifier: Apache-2.0
#include "recon/sources/resident_source.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "recon/base/parallel.h"

namespace tof {

namespace {

/// Sum over fixed chunks: the same bits for any number of threads.
double total(const ThreadPool& pool, std::span<const float> values) {
    constexpr std::size_t kGrain = std::size_t{1} << 16U;
    return pool.sumRange(values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(end), 0.0,
                               [](double sum, float v) { return sum + static_cast<double>(v); });
    });
}

std::span<const float> partOf(const PartedData& data, std::span<const float> all, std::size_t index) {
    return all.empty() ? all : all.subspan(data.firstOf(index), data.sizeOf(index));
}

}  // namespace

PartedData partsOf(std::shared_ptr<const HistoData> data) {
    const HistoData& d = *data;
    return {d.counts, d.mult, d.add, d.views.size(), d.voxels(), std::move(data), d.att};
}

PartedData partsOf(std::shared_ptr<const SinogramData> data) {
    const SinogramData& d = *data;
    return {d.counts, d.mult, d.add, d.michelogram->parts(), d.michelogram->partSize(), std::move(data)};
}

HostHistoSource::HostHistoSource(PartedData data, int threads) : data_(std::move(data)) {
    const ThreadPool pool(threads);
    totalCounts_ = total(pool, data_.counts);
    totalAdd_ = total(pool, data_.add);
}

PartData HostHistoSource::part(std::size_t index) {
    const auto view = [&](std::span<const float> all) {
        const auto span = partOf(data_, all, index);
        return ConstView{span.data(), span.size()};
    };
    return {view(data_.counts), view(data_.mult), view(data_.add), view(data_.att)};
}

bool HostHistoSource::addCounts(std::span<const std::uint64_t> places, float value) {
    totalCounts_ += static_cast<double>(value) * static_cast<double>(places.size());
    return true;
}

/// Where the arrays of the parts live in the space: whole, or two that take turns and then those that stay.
struct SpaceHistoSource::Impl {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    struct Turn {
        std::size_t holds = kNone;
        bool onItsWay = false;
    };

    PartedData data;
    std::shared_ptr<Space> space;
    bool resident = false;
    Array y;
    Array mult;
    Array add;
    Array att;
    std::array<Turn, 2> turns;
    std::vector<std::size_t> places;  ///< the place of each part among those that stay; kNone: it is streamed
    std::size_t latest = 1;           ///< turn 0 is the first
    double totalCounts = 0;
    double totalAdd = 0;

    [[nodiscard]] bool stays(std::size_t part) const { return places[part] != kNone; }

    /// Chooses the parts that stay, where `budgetBytes` hold them beside the two that take turns.
    void choose(std::size_t budgetBytes) {
        places.assign(data.parts, kNone);
        std::size_t arrays = 0;
        forEachArray([&](std::span<const float>, Array&) { ++arrays; });
        const std::size_t part = arrays * data.partSize * sizeof(float);
        const std::size_t fit = part > 0 ? std::min(budgetBytes / part, data.parts) : data.parts;
        resident = arrays * data.counts.size() * sizeof(float) <= budgetBytes;
        const std::size_t beside = resident ? 0 : turns.size();
        const std::size_t staying = fit > beside ? fit - beside : 0;
        std::size_t next = beside;
        for (std::size_t i = 0; i < data.parts; ++i) {  // evenly, so that there is work beside every copy
            if ((i + 1) * staying / data.parts > i * staying / data.parts) {
                places[i] = next++;
            }
        }
        const std::size_t kept = std::max(next, std::min(beside, data.parts));
        forEachArray([&](std::span<const float> host, Array& array) {
            array = space->allocate(resident ? host.size() : kept * data.partSize);
            for (std::size_t i = 0; i < data.parts; ++i) {
                if (!resident && stays(i)) {
                    space->upload(partOf(data, host, i),
                                  array.view().part(places[i] * data.partSize, data.sizeOf(i)));
                }
            }
            if (resident) {
                space->upload(host, array.view());
            }
        });
    }

    /// Calls visit(host values, device array) for the arrays that exist.
    template <typename Visit>
    void forEachArray(const Visit& visit) {
        const std::array<std::pair<std::span<const float>, Array*>, 4> arrays{
            {{data.counts, &y}, {data.mult, &mult}, {data.add, &add}, {data.att, &att}}};
        for (const auto& [all, array] : arrays) {
            if (!all.empty()) {
                visit(all, *array);
            }
        }
    }

    /// The part, in arrays that have it from `first` on.
    [[nodiscard]] PartData at(std::size_t part, std::size_t first) const {
        const auto view = [&](const Array& array) {
            return array.size() == 0 ? ConstView() : array.view().part(first, data.sizeOf(part));
        };
        return {view(y), view(mult), view(add), view(att)};
    }

    void fetch(std::size_t turn, std::size_t part) {
        forEachArray([&](std::span<const float> all, Array& array) {
            space->uploadAside(partOf(data, all, part),
                               array.view().part(turn * data.partSize, data.sizeOf(part)));
        });
        turns[turn] = {part, true};
    }
};

SpaceHistoSource::SpaceHistoSource(PartedData data, std::shared_ptr<Space> space, std::size_t budgetBytes,
                                   int threads)
    : impl_(std::make_unique<Impl>()) {
    {
        const ThreadPool pool(threads);
        impl_->totalCounts = total(pool, data.counts);
        impl_->totalAdd = total(pool, data.add);
    }
    impl_->data = std::move(data);
    impl_->space = std::move(space);
    impl_->choose(budgetBytes);
}

SpaceHistoSource::~SpaceHistoSource() {
    const auto onItsWay = [](const auto& turn) { return turn.onItsWay; };
    if (std::any_of(impl_->turns.begin(), impl_->turns.end(), onItsWay)) {
        try {
            impl_->space->joinAside();  // no copy arrives in memory that is gone
        } catch (...) {
            return;  // it has ended, which is all that matters here
        }
    }
}

std::size_t SpaceHistoSource::parts() const {
    return impl_->data.parts;
}
bool SpaceHistoSource::resident() const {
    return impl_->resident;
}

PartData SpaceHistoSource::part(std::size_t index) {
    if (!impl_->resident) {
        impl_->space->beginAside();  // the other turn's work was given before
    }
    if (impl_->stays(index)) {
        return impl_->at(index, impl_->resident ? impl_->data.firstOf(index)
                                                : impl_->places[index] * impl_->data.partSize);
    }
    auto& turns = impl_->turns;
    const auto held =
        std::find_if(turns.begin(), turns.end(), [&](const auto& t) { return t.holds == index; });
    impl_->latest = held != turns.end() ? static_cast<std::size_t>(held - turns.begin()) : 1 - impl_->latest;
    if (held == turns.end()) {
        impl_->fetch(impl_->latest, index);
    }
    if (turns[impl_->latest].onItsWay) {
        impl_->space->joinAside();
        turns[impl_->latest].onItsWay = false;
    }
    return impl_->at(index, impl_->latest * impl_->data.partSize);
}

bool SpaceHistoSource::streamed(std::size_t index) const {
    return !impl_->stays(index);
}

void SpaceHistoSource::prefetch(std::size_t index) {
    const std::size_t other = 1 - impl_->latest;
    if (impl_->stays(index) || impl_->data.parts < 2 || impl_->turns[other].holds == index ||
        impl_->turns[impl_->latest].holds == index) {
        return;
    }
    impl_->fetch(other, index);
}

bool SpaceHistoSource::addCounts(std::span<const std::uint64_t> places, float value) {
    if (!impl_->resident) {
        return false;
    }
    impl_->space->addAt(places, value, impl_->y.view());
    impl_->totalCounts += static_cast<double>(value) * static_cast<double>(places.size());
    return true;
}

double SpaceHistoSource::totalCounts() const {
    return impl_->totalCounts;
}
double SpaceHistoSource::totalAdd() const {
    return impl_->totalAdd;
}

std::unique_ptr<DataSource> placedSource(const PartedData& data, const std::shared_ptr<Space>& space,
                                         std::size_t budgetBytes, int threads) {
    if (space->hostMemory()) {
        return std::make_unique<HostHistoSource>(data, threads);
    }
    return std::make_unique<SpaceHistoSource>(data, space, budgetBytes, threads);
}

}  // namespace tof
