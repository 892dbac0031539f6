// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/task_progress.h"

#include <algorithm>

#include "ui/kit/text.h"

namespace tof::ui {

void TaskProgress::stage(const std::string& name) {
    control_.checkpoint();
    done_ += weight_;
    const auto known =
        std::find_if(weights_.begin(), weights_.end(), [&](const auto& one) { return one.first == name; });
    weight_ = known == weights_.end() ? 0 : known->second;
    control_.report(done_);
}

void TaskProgress::report(double share) {
    control_.checkpoint();
    control_.report(done_ + weight_ * share);
}

void TaskProgress::note(Remark about, const std::string& sentence) {
    // Sentences that name options of the command are said in the window's words.
    switch (about) {
        case Remark::Data: notes_ << QString::fromStdString(sentence); break;
        case Remark::NoAttenuation:
            notes_ << Text::tr(
                "Nothing attenuates: the list names no phantom. Open it again and name an attenuation volume "
                "if something does.");
            break;
        case Remark::TimesReversed:
            notes_ << Text::tr(
                "The times of flight look reversed. Open the list again and have them turned round.");
            break;
    }
}

}  // namespace tof::ui
