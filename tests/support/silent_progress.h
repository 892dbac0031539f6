// SPDX-License-Identifier: Apache-2.0
// Work whose progress nobody watches.
#pragma once

#include <string>

#include "recon/base/work_progress.h"

namespace tof::test {

class SilentProgress : public WorkProgress {
  public:
    void stage(const std::string& /*name*/) override {}
    void report(double /*share*/) override {}
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
};

/// Counts the parts of corrections that were not found anew.
class KeptParts : public SilentProgress {
  public:
    void note(Remark /*about*/, const std::string& sentence) override {
        kept += sentence.find("kept from before") != std::string::npos ? 1 : 0;
    }
    int kept = 0;
};

}  // namespace tof::test
