// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "recon/metrics/observer_task.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// What a model observer makes of the spheres in replicates, as curves.
///
/// Runs that have ended with equal settings of unlike data on one lattice count as replicates of one object.
/// Each such group is a curve, which stands at the first of its runs. Images are read and rated away from the
/// window, while somebody wants the curves.
class ObserverCurves : public QObject {
    Q_OBJECT

  public:
    ObserverCurves(RunList& runs, RoiModel& rois, Threading threading, QObject* parent = nullptr);
    ~ObserverCurves() override;

    struct Point {
        int runId = 0;  ///< the first of the group
        int images = 0;
        ObserverRow row;
    };
    /// Begins with what is out of date while wanted.
    void setWanted(bool wanted);
    [[nodiscard]] const ObserverRequest& request() const { return request_; }
    void setRequest(const ObserverRequest& request);
    /// Those of the selected ROI where it is a sphere, else of the smallest sphere: by group, iterates
    /// ascending.
    [[nodiscard]] std::vector<Point> points() const;
    /// That sphere's name; empty: there is none.
    [[nodiscard]] QString sphere() const;
    /// Why there are no points; empty: they are on their way, or there.
    [[nodiscard]] const QString& whyNone() const { return whyNone_; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }

  Q_SIGNALS:
    void changed();

  private:
    struct Work;
    void refresh();
    [[nodiscard]] std::shared_ptr<Work> outOfDate();
    [[nodiscard]] std::vector<std::vector<const RunItem*>> groups() const;
    void take(const Work& work, const std::exception_ptr& fault);

    RunList& runs_;
    RoiModel& rois_;
    ObserverRequest request_;
    bool wanted_ = false;
    QString done_;  ///< names what points_ were made of
    std::vector<Point> points_;
    QString whyNone_;
    Wish wish_;  ///< for the work under way, until something else is wanted
    Worker worker_;
};

}  // namespace tof::ui
