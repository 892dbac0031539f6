// SPDX-License-Identifier: Apache-2.0
#include "recon/sources/data_hold.h"

#include <utility>

namespace tof {

DataHold::Loan DataHold::borrow(const std::string& key) {
    PlacedData other;  // freed after the lock is
    const std::lock_guard lock(mutex_);
    PlacedData kept = std::exchange(kept_, {});
    if (key != key_) {
        other = std::exchange(kept, {});
    }
    return {std::move(kept), round_};
}

void DataHold::giveBack(const std::string& key, Loan loan) {
    PlacedData old;
    const std::lock_guard lock(mutex_);
    old = std::move(loan.data);
    if (loan.round == round_) {
        std::swap(old, kept_);
        key_ = key;
    }
}

void DataHold::change(const std::function<bool(DataSource&)>& change) {
    PlacedData old;
    const std::lock_guard lock(mutex_);
    if (kept_.source != nullptr && !change(*kept_.source)) {
        old = std::exchange(kept_, {});
    }
}

void DataHold::clear() {
    PlacedData old;
    const std::lock_guard lock(mutex_);
    old = std::exchange(kept_, {});
    ++round_;
}

}  // namespace tof
