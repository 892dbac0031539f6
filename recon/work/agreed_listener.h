// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/ranks/communicator.h"
#include "recon/work/job_listener.h"

namespace tof {

/// Passes on what concerns one rank; all finish when the first one has said so where they agree.
class AgreedListener : public JobListener {
  public:
    /// Keeps references.
    AgreedListener(JobListener& listener, Communicator& ranks) : listener_(listener), ranks_(ranks) {}

    void checkpoint() override { listener_.checkpoint(); }
    /// Alone at any time, else what was agreed on.
    [[nodiscard]] bool finishRequested() override {
        return ranks_.alone() ? listener_.finishRequested() : finish_;
    }
    void notice(const std::string& sentence) override {
        if (ranks_.first()) {
            listener_.notice(sentence);
        }
    }
    void shareReady(const std::string& what, double share) override { listener_.shareReady(what, share); }

    /// Called by all ranks.
    void agree() { finish_ = ranks_.any(ranks_.first() && listener_.finishRequested()); }

  private:
    JobListener& listener_;
    Communicator& ranks_;
    bool finish_ = false;
};

}  // namespace tof
