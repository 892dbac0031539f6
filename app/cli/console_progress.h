// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "recon/base/work_progress.h"

namespace tof {

/// A workflow's stages as bars, its remarks as notes; an interrupt cancels it.
class ConsoleProgress : public WorkProgress {
  public:
    explicit ConsoleProgress(Console& console) : console_(console) {}

    void stage(const std::string& name) override;
    void report(double share) override;
    void note(Remark about, const std::string& sentence) override;
    void heed() override { throwIfInterrupted(); }
    /// Takes the bar away.
    void done() { bar_.reset(); }

  private:
    Console& console_;
    std::string stage_;
    std::optional<ProgressBar> bar_;
};

}  // namespace tof
