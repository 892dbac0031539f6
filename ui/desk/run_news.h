// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "ui/desk/run_channel.h"
#include "ui/desk/run_list.h"

namespace tof::ui {

/// Carries what a run has told into its row of the list.
class RunNews {
  public:
    /// Takes the channel's news; true when the row has changed. `beforeResults` is called before an image or
    /// figures go into the row.
    bool take(
        RunChannel& channel, RunItem& item, const std::function<void()>& beforeResults = [] {});
    /// Forgets a snapshot that is still on its way.
    void drop() { pending_.reset(); }

  private:
    std::unique_ptr<Snapshot> pending_;
};

}  // namespace tof::ui
