// SPDX-License-Identifier: Apache-2.0
#include "recon/sources/list_source.h"

#include "recon/base/error.h"

namespace tof {

namespace {

Array placed(Space& space, const std::vector<float>& values) {
    if (values.empty()) {
        return {};
    }
    Array array = space.allocate(values.size());
    space.upload(values, array.view());
    return array;
}

}  // namespace

ListSource::ListSource(std::shared_ptr<const LineEvents> events, const std::vector<float>& sensitivity,
                       const std::vector<float>& mult, const std::vector<float>& add, double totalAdd,
                       std::shared_ptr<Space> space, const std::optional<WholeList>& whole)
    : events_(std::move(events)),
      whole_(whole.value_or(WholeList{events_->pairs.size(), events_->eventsPerPart})),
      space_(std::move(space)),
      totalAdd_(totalAdd) {
    const std::size_t count = events_->pairs.size();
    if (count == 0) {
        throw BadInput("the list holds no events that the scanner can have recorded");
    }
    if ((!mult.empty() && mult.size() != count) || (!add.empty() && add.size() != count)) {
        throw InternalError("corrections of list-mode do not fit its events");
    }
    ones_ = space_->allocate(events_->partSize(0));
    space_->fill(ones_.view(), 1.0F);
    mult_ = placed(*space_, mult);
    add_ = placed(*space_, add);
    sensitivity_ = placed(*space_, sensitivity);
    share_ = space_->allocate(sensitivity.size());
}

PartData ListSource::part(std::size_t index) {
    const std::size_t first = events_->firstOf(index);
    const std::size_t size = events_->partSize(index);
    const auto slice = [&](const Array& all) {
        return all.size() == 0 ? ConstView{} : all.view().part(first, size);
    };
    return {ConstView(ones_.view()).part(0, size), slice(mult_), slice(add_)};
}

ConstView ListSource::knownSensitivity(std::span<const std::size_t> parts) {
    std::size_t events = 0;
    for (const std::size_t part : parts) {
        events += whole_.partSize(part);
    }
    space_->fill(share_.view(), static_cast<float>(events) / static_cast<float>(whole_.events));
    space_->multiply(share_.view(), sensitivity_.view(), share_.view());
    return share_.view();
}

}  // namespace tof
