// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "recon/binning/randoms.h"
#include "recon/data/framed_counts.h"
#include "recon/forms/form/bin_context.h"
#include "recon/frames/waiting_events.h"

namespace tof {

/// List-mode whose events are bins, as Siemens ECAT8 writes it, on the rings and the image that were asked
/// for, with its randoms.
class AddressList {
  public:
    enum class Keep { Sinograms, Events };

    /// Reads it and says what its words are. Throws BadInput.
    AddressList(const BinContext& context, Keep keep);

    [[nodiscard]] Ecat8Result& read() { return read_; }
    /// Those of a list that is to be cut; else they are in read().
    [[nodiscard]] const WaitingEvents& prompts() const { return prompts_; }
    /// The binning, which knows the list's triggers.
    [[nodiscard]] const BinContext& context() const { return context_; }
    /// Null where they are not wanted.
    [[nodiscard]] const RandomsEstimate* randoms() const { return randoms_ ? &*randoms_ : nullptr; }
    /// Every frame expects the randoms that its delayeds say.
    template <class Data>
    void shareRandoms(Data& data) const {
        if (randoms_ && !delayedsOfFrames_.empty()) {
            data.frames = withAddShares(*data.frames, delayedsOfFrames_);
        }
    }
    [[nodiscard]] BinResult result(MeasuredData data) const {
        return {std::move(data), read_.words, randoms_ ? randoms_->total() : 0.0};
    }

  private:
    [[nodiscard]] Ecat8Result readList(const BinContext& context, Keep keep);
    /// Those delayeds that are in a frame, which it counts.
    [[nodiscard]] DelayedSums cutDelayeds();

    WaitingEvents prompts_;
    WaitingEvents delayeds_;
    Ecat8Result read_;
    BinRequest request_;
    BinContext context_;
    std::optional<RandomsEstimate> randoms_;
    std::vector<double> delayedsOfFrames_;  ///< how many; empty where there are no frames, or none at all
};

}  // namespace tof
