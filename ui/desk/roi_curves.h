// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <memory>

#include "ui/desk/image_facts.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// Keeps the figures of all iterates of all runs those of the ROIs as they are now.
///
/// After an edit every iterate is measured again, away from the window: during a drag those in memory, after
/// it those on disk, too. A newer edit makes the work under way stop. What has been measured comes back as a
/// whole per run.
class RoiCurves : public QObject {
    Q_OBJECT

  public:
    RoiCurves(RunList& runs, RoiModel& rois, Threading threading, std::shared_ptr<ImageFacts> facts,
              QObject* parent = nullptr);
    ~RoiCurves() override;

    /// Begins with what is out of date; without effect while nothing is.
    void refresh();
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    /// Stops and waits.
    void stop();

  Q_SIGNALS:
    /// Figures of some runs are new.
    void changed();
    /// An iterate could not be read; one sentence.
    void failed(const QString& sentence);

  private:
    struct Work;
    [[nodiscard]] std::shared_ptr<Work> outOfDate();
    void take(const Work& work);
    void giveUp(const Work& work);

    RunList& runs_;
    RoiModel& rois_;
    std::shared_ptr<ImageFacts> facts_;
    Worker worker_;
    Wish wish_;                  ///< for the work under way, until a newer edit comes
    std::uint64_t started_ = 0;  ///< revision of the work under way
    bool stopped_ = false;
};

}  // namespace tof::ui
