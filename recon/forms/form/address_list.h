// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/binning/randoms.h"
#include "recon/forms/form/bin_context.h"

namespace tof {

/// List-mode whose events are bins, as Siemens ECAT8 writes it, on the rings and the image that were asked
/// for, with its randoms.
class AddressList {
  public:
    enum class Keep { Sinograms, Events };

    /// Reads it and says what its words are. Throws BadInput.
    AddressList(const BinContext& context, Keep keep);

    [[nodiscard]] Ecat8Result& read() { return read_; }
    /// Null where they are not wanted.
    [[nodiscard]] const RandomsEstimate* randoms() const { return randoms_ ? &*randoms_ : nullptr; }
    [[nodiscard]] BinResult result(MeasuredData data) const {
        return {std::move(data), read_.words, randoms_ ? randoms_->total() : 0.0};
    }

  private:
    Ecat8Result read_;
    std::optional<RandomsEstimate> randoms_;
};

}  // namespace tof
