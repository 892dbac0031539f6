// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <optional>

#include "recon/binning/binning.h"

namespace tof {

/// Factors of histo-images that are computed while events are still counted.
class FactorsAhead {
  public:
    /// `outline`: the views without counts. Keeps references.
    FactorsAhead(HistoData outline, const Scanner& scanner, const std::optional<Volume>& mu, int threads);
    FactorsAhead(const FactorsAhead&) = delete;
    FactorsAhead& operator=(const FactorsAhead&) = delete;
    ~FactorsAhead() { unwanted_ = true; }

    /// Waits for them; `progress` gets the share done and may throw.
    void addTo(HistoData& data, const std::function<void(double)>& progress);

  private:
    HistoData factors_;
    std::atomic<double> share_ = 0;
    std::atomic<bool> unwanted_ = false;
    std::future<void> made_;  ///< last: waits before what it uses goes
};

}  // namespace tof
