// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/work_progress.h"
#include "ui/desk/tasks.h"

namespace tof::ui {

/// A workflow as a task of the window: its stages make one share, its remarks are kept for the window's
/// thread.
class TaskProgress : public WorkProgress {
  public:
    /// `weights`: of the stages that take time, their share of the whole.
    TaskProgress(TaskControl& control, std::vector<std::pair<std::string, double>> weights)
        : control_(control), weights_(std::move(weights)) {}

    void stage(const std::string& name) override;
    void report(double share) override;
    void note(Remark about, const std::string& sentence) override;
    void heed() override { control_.checkpoint(); }

    [[nodiscard]] const QStringList& notes() const { return notes_; }

  private:
    TaskControl& control_;
    std::vector<std::pair<std::string, double>> weights_;
    double done_ = 0;    ///< share of the stages before
    double weight_ = 0;  ///< weight of this one
    QStringList notes_;
};

}  // namespace tof::ui
