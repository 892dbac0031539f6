// SPDX-License-Identifier: Apache-2.0
#include "recon/data/resident_source.h"

#include <array>
#include <numeric>
#include <vector>

namespace tof {

namespace {

double total(std::span<const float> values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, float v) { return sum + static_cast<double>(v); });
}

std::span<const float> partOf(std::span<const float> all, std::size_t index, std::size_t size) {
    return all.empty() ? all : all.subspan(index * size, size);
}

}  // namespace

PartedData partsOf(std::shared_ptr<const HistoData> data) {
    const HistoData& d = *data;
    return {d.counts, d.mult, d.add, d.views.size(), d.voxels(), std::move(data)};
}

PartedData partsOf(std::shared_ptr<const RingData> data) {
    const RingData& d = *data;
    return {d.counts, d.mult, d.add, d.michelogram->parts(), d.michelogram->partSize(), std::move(data)};
}

HostHistoSource::HostHistoSource(PartedData data)
    : data_(std::move(data)), totalCounts_(total(data_.counts)), totalAdd_(total(data_.add)) {}

PartData HostHistoSource::part(std::size_t index) {
    const auto view = [&](std::span<const float> all) {
        const auto span = partOf(all, index, data_.partSize);
        return ConstView{span.data(), span.size()};
    };
    return {view(data_.counts), view(data_.mult), view(data_.add)};
}

/// Where the three arrays of one view live in the space.
struct SpaceHistoSource::Impl {
    struct Slot {
        Array y;
        Array mult;
        Array add;
        std::size_t holds = static_cast<std::size_t>(-1);
    };

    PartedData data;
    std::shared_ptr<Space> space;
    std::vector<Slot> slots;  ///< one per part when resident, else two
    std::size_t latest = 0;
    double totalCounts = 0;
    double totalAdd = 0;

    [[nodiscard]] bool resident() const { return slots.size() == data.parts; }

    void fill(Slot& slot, std::size_t view) {
        const std::array<std::pair<std::span<const float>, Array*>, 3> arrays{
            {{data.counts, &slot.y}, {data.mult, &slot.mult}, {data.add, &slot.add}}};
        for (const auto& [all, array] : arrays) {
            if (!all.empty()) {
                space->upload(partOf(all, view, data.partSize), array->view());
            }
        }
        slot.holds = view;
    }

    Slot& holding(std::size_t view) {
        if (resident()) {
            return slots[view];
        }
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].holds == view) {
                latest = i;
                return slots[i];
            }
        }
        latest = 1 - latest;
        fill(slots[latest], view);
        return slots[latest];
    }
};

SpaceHistoSource::SpaceHistoSource(PartedData data, std::shared_ptr<Space> space, std::size_t budgetBytes)
    : impl_(std::make_unique<Impl>()) {
    impl_->totalCounts = total(data.counts);
    impl_->totalAdd = total(data.add);
    const std::size_t voxels = data.partSize;
    const std::size_t arrays = 1U + (data.mult.empty() ? 0U : 1U) + (data.add.empty() ? 0U : 1U);
    const bool fits = arrays * voxels * sizeof(float) * data.parts <= budgetBytes;
    const std::size_t count = fits ? data.parts : std::min<std::size_t>(2, data.parts);
    for (std::size_t i = 0; i < count; ++i) {
        Impl::Slot slot;
        slot.y = space->allocate(voxels);
        slot.mult = data.mult.empty() ? Array() : space->allocate(voxels);
        slot.add = data.add.empty() ? Array() : space->allocate(voxels);
        impl_->slots.push_back(std::move(slot));
    }
    impl_->data = std::move(data);
    impl_->space = std::move(space);
    if (impl_->resident()) {
        for (std::size_t view = 0; view < impl_->slots.size(); ++view) {
            impl_->fill(impl_->slots[view], view);
        }
    }
}

SpaceHistoSource::~SpaceHistoSource() = default;

std::size_t SpaceHistoSource::parts() const {
    return impl_->data.parts;
}
bool SpaceHistoSource::resident() const {
    return impl_->resident();
}

PartData SpaceHistoSource::part(std::size_t index) {
    const Impl::Slot& slot = impl_->holding(index);
    return {slot.y.view(), slot.mult.view(), slot.add.view()};
}

void SpaceHistoSource::prefetch(std::size_t index) {
    if (impl_->resident() || impl_->slots.size() < 2 || impl_->slots[1 - impl_->latest].holds == index) {
        return;
    }
    impl_->fill(impl_->slots[1 - impl_->latest], index);
}

double SpaceHistoSource::totalCounts() const {
    return impl_->totalCounts;
}
double SpaceHistoSource::totalAdd() const {
    return impl_->totalAdd;
}

}  // namespace tof
