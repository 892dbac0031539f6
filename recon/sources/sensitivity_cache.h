// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "recon/seam/data_source.h"

namespace tof {

/// Sensitivity images by what they were made from, in host memory; the ones unused longest go first when
/// `limitBytes` is exceeded. Thread-safe.
class SensitivityCache {
  public:
    explicit SensitivityCache(std::size_t limitBytes = std::size_t{1} << 30U) : limitBytes_(limitBytes) {}

    [[nodiscard]] std::optional<std::vector<float>> find(const std::string& key);
    void put(const std::string& key, std::vector<float> image);
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Entry {
        std::string key;
        std::vector<float> image;
    };
    std::size_t limitBytes_;
    std::size_t bytes_ = 0;
    std::list<Entry> entries_;  ///< newest first
    mutable std::mutex mutex_;
};

/// A data source that asks a cache for its sensitivities before they are computed.
class CachedSensitivitySource : public DataSource {
  public:
    /// `content` names system model, mult and att: equal text, equal sensitivities.
    CachedSensitivitySource(std::shared_ptr<DataSource> source, std::shared_ptr<SensitivityCache> cache,
                            std::string content, std::shared_ptr<Space> space);

    [[nodiscard]] std::size_t parts() const override { return source_->parts(); }
    [[nodiscard]] bool resident() const override { return source_->resident(); }
    [[nodiscard]] bool listMode() const override { return source_->listMode(); }
    [[nodiscard]] PartData part(std::size_t index) override { return source_->part(index); }
    [[nodiscard]] bool streamed(std::size_t index) const override { return source_->streamed(index); }
    void prefetch(std::size_t index) override { source_->prefetch(index); }
    [[nodiscard]] SensitivityWeights sensitivityWeights(std::size_t index) override {
        return source_->sensitivityWeights(index);
    }
    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override;
    void sensitivityFound(std::span<const std::size_t> parts, ConstView sensitivity) override;
    [[nodiscard]] double totalCounts() const override { return source_->totalCounts(); }
    [[nodiscard]] double totalAdd() const override { return source_->totalAdd(); }

  private:
    [[nodiscard]] std::string keyOf(std::span<const std::size_t> parts) const;

    std::shared_ptr<DataSource> source_;
    std::shared_ptr<SensitivityCache> cache_;
    std::string content_;
    std::shared_ptr<Space> space_;
    Array found_;
};

}  // namespace tof
