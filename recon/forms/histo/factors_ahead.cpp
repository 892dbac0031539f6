// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/factors_ahead.h"

#include <chrono>
#include <utility>

#include "recon/base/error.h"

namespace tof {

FactorsAhead::FactorsAhead(HistoData outline, const Scanner& scanner, const std::optional<Volume>& mu,
                           int threads)
    : factors_(std::move(outline)) {
    made_ = std::async(std::launch::async, [this, &scanner, &mu, threads] {
        computeFactors(factors_, scanner, mu ? &*mu : nullptr, ThreadPool(threads), [this](double share) {
            if (unwanted_) {
                throw Cancelled();
            }
            share_ = share;
        });
    });
}

void FactorsAhead::addTo(HistoData& data, const std::function<void(double)>& progress) {
    constexpr std::chrono::milliseconds kBetweenReports{20};
    while (made_.wait_for(kBetweenReports) != std::future_status::ready) {
        progress(share_);
    }
    made_.get();
    progress(1);
    data.multGrid = factors_.multGrid;
    data.attGrid = factors_.attGrid;
}

}  // namespace tof
