// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console_progress.h"

namespace tof {

void ConsoleProgress::stage(const std::string& name) {
    bar_.reset();
    stage_ = name;
    console_.drawLine(name);
}

void ConsoleProgress::report(double share) {
    throwIfInterrupted();
    if (!bar_) {
        bar_.emplace(console_, stage_);
    }
    bar_->update(share);
}

void ConsoleProgress::note(Remark /*about*/, const std::string& sentence) {
    bar_.reset();
    console_.note(sentence);
}

}  // namespace tof
