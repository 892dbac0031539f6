// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "recon/base/parallel.h"

namespace tof {

/// What a remark is about; whoever shows it may have words of its own for some.
enum class Remark {
    Data,           ///< what a file says or lacks
    NoAttenuation,  ///< nothing is known of what attenuates
    TimesReversed,  ///< times of flight seem to have the other sign
};

/// Who a workflow (open, bin, simulate) works for: a command, a window, a test. Calls but heed() come
/// from the thread that runs the workflow.
class WorkProgress {
  public:
    virtual ~WorkProgress() = default;
    /// A stage begins: "deposit", "reading FILE".
    virtual void stage(const std::string& name) = 0;
    /// The share done of the stage, 0..1. Throws Cancelled when the work is not wanted any more.
    virtual void report(double share) = 0;
    /// One sentence for a person.
    virtual void note(Remark about, const std::string& sentence) = 0;

    /// Throws Cancelled when the work is not wanted any more, as report() does; called by any thread, several
    /// at a time.
    virtual void heed() {}

    /// Threads whose loops heed it. This outlives them.
    [[nodiscard]] ThreadPool pool(int threads = 0, Priority priority = Priority::Normal) {
        return ThreadPool(threads, priority, [this] { heed(); });
    }
    /// Begins a stage and gives what its steps report to.
    [[nodiscard]] std::function<void(double)> begin(const std::string& name) {
        stage(name);
        return [this](double share) { report(share); };
    }
};

}  // namespace tof
