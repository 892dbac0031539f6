// SPDX-License-Identifier: Apache-2.0
#include "recon/sources/sensitivity_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tof {

std::optional<std::vector<float>> SensitivityCache::find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto it =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (it == entries_.end()) {
        return std::nullopt;
    }
    entries_.splice(entries_.begin(), entries_, it);
    return entries_.front().image;
}

void SensitivityCache::put(const std::string& key, std::vector<float> image) {
    const std::lock_guard lock(mutex_);
    const auto old =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (old != entries_.end()) {
        bytes_ -= old->image.size() * sizeof(float);
        entries_.erase(old);
    }
    bytes_ += image.size() * sizeof(float);
    entries_.push_front({key, std::move(image)});
    while (bytes_ > limitBytes_) {
        bytes_ -= entries_.back().image.size() * sizeof(float);
        entries_.pop_back();
    }
}

std::size_t SensitivityCache::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

CachedSensitivitySource::CachedSensitivitySource(std::shared_ptr<DataSource> source,
                                                 std::shared_ptr<SensitivityCache> cache, std::string content,
                                                 std::shared_ptr<Space> space)
    : source_(std::move(source)),
      cache_(std::move(cache)),
      content_(std::move(content)),
      space_(std::move(space)) {}

std::string CachedSensitivitySource::keyOf(std::span<const std::size_t> parts) const {
    // The order of the parts changes rounding alone, but equal results are promised to the last bit.
    return fmt::format("{} parts {}", content_, fmt::join(parts, ","));
}

ConstView CachedSensitivitySource::knownSensitivity(std::span<const std::size_t> parts) {
    const ConstView known = source_->knownSensitivity(parts);
    if (!known.empty()) {
        return known;
    }
    const auto image = cache_->find(keyOf(parts));
    if (!image) {
        return {};
    }
    if (found_.size() != image->size()) {
        found_ = space_->allocate(image->size());
    }
    space_->upload(*image, found_.view());
    return found_.view();
}

void CachedSensitivitySource::sensitivityFound(std::span<const std::size_t> parts, ConstView sensitivity) {
    std::vector<float> image(sensitivity.size);
    space_->download(sensitivity, image);
    cache_->put(keyOf(parts), std::move(image));
}

}  // namespace tof
