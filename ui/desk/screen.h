// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "recon/metrics/figures_of_merit.h"
#include "ui/desk/calibrations.h"
#include "ui/desk/display_unit.h"
#include "ui/desk/image_facts.h"
#include "ui/desk/image_kind.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/tasks.h"
#include "ui/desk/uptakes.h"
#include "ui/desk/view_model.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// What is on screen of the runs: images, the unit that their values are shown in, and their figures.
///
/// Follows the list: the image of the selected run goes into the view, and one that is in its file alone is
/// read first, away from the window. Until a new run has its first whole iterate the image before stays.
class Screen : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive the screen.
    Screen(ViewModel& view, RunList& runs, const RoiModel& rois, const OpenStudy& study,
           const Uptakes& uptakes, const Calibrations& calibrations, TaskQueue& tasks,
           std::shared_ptr<ImageFacts> facts);
    ~Screen() override;

    /// While something of an image is being found out away from the window.
    [[nodiscard]] bool busy() const {
        return ranging_.busy() || sampling_.busy() || averaging_.busy() || measuring_.busy();
    }
    /// Stops and waits; nothing is begun any more.
    void stop();
    /// For whoever brings images: what it finds of them away from the window is not waited for in it.
    [[nodiscard]] const std::shared_ptr<ImageFacts>& facts() const { return facts_; }

    /// How the values of a run or volume are shown. Bq/ml only where every reconstruction in the list was
    /// made from the open data and these say how long was measured: values side by side have one unit. SUV
    /// where body weight and dose are known and wanted, else Bq/ml by a calibration that is known and wanted.
    [[nodiscard]] DisplayUnit unitOf(const RunItem& item) const;
    /// Why values are in no Bq/ml, or in no unit, one sentence; empty: they are, or SUV, or as a file says.
    [[nodiscard]] QString whyNoActivity(const RunItem& item) const;
    /// What may be said of a run or volume.
    [[nodiscard]] KindRow kindOf(const RunItem& item) const;
    /// That of the one on screen.
    [[nodiscard]] KindRow kind();
    /// The unit of standardised uptake values with these numbers; empty where the activity per ml of the
    /// image is not known.
    [[nodiscard]] std::optional<DisplayUnit> suvOf(const RunItem& item, const Uptake& uptake) const;
    /// That of the selected one.
    [[nodiscard]] DisplayUnit unit();
    /// In what values are shown from now on; per voxel at the start.
    void setUnits(UnitsShown units);

    /// Figures of what is on screen of a run, with the ROIs as they are. Empty rois when there is no image.
    /// Where the ROIs hold many voxels it is measured away from the window, and the list is touched then:
    /// until that the last ones of that run are returned, or empty rois where it has none of these ROIs.
    [[nodiscard]] Figures figures(const RunItem& item);
    /// Those of the selected one.
    [[nodiscard]] Figures figures();
    /// Those of the selected one, never older ones: for what is written down and for what is done once. They
    /// are measured here and now unless they are known.
    [[nodiscard]] Figures exactFigures();
    /// Figures of any image, with the ROIs as they are; nothing where these hold so many voxels that the
    /// window would wait: RoiCurves measures iterates whose figures are not those of the ROIs.
    [[nodiscard]] std::optional<Figures> measure(int iteration, const Volume& image);
    /// True when the figures that were read with a run are known to be those of the ROIs as they are. Where
    /// that takes long to find out it is not.
    [[nodiscard]] bool figuresAreOfRois(const RunItem& item);

    /// Under which key the view keeps the look of an image: one for all whose values can be compared, unless
    /// looks are not linked.
    [[nodiscard]] QString lookKey(const RunItem& item) const;
    /// What Auto gives for an image: its robustRange(), which depends on nothing else.
    /// Where it is not known yet it is found away from the window, the list is touched then, and `meanwhile`
    /// is returned.
    [[nodiscard]] DisplayRange automaticRange(const std::shared_ptr<const Volume>& volume,
                                              DisplayRange meanwhile);

    /// The look of an image that is under that key, or how it looks at first.
    [[nodiscard]] Look lookOf(const RunItem& item) const;

    /// Puts the selected run into the view.
    void refresh();
    /// Nothing is open any more.
    void clear();

  private:
    /// The duration of the scan; 0 where it is not known, or not for all of one unit.
    [[nodiscard]] double duration_s(const RunItem& item) const;
    void fetchMissing();
    /// Makes the mean of frames that somebody wants to see.
    void averageFrames();
    /// Empty while it is being found.
    [[nodiscard]] std::optional<DisplayRange> rangeOf(const std::shared_ptr<const Volume>& volume);
    /// The ROIs with what is known of their truth on a lattice; without it while it is being sampled.
    [[nodiscard]] RoiSet roisOn(const Lattice& lattice);
    /// Whether the window would wait for figures on that lattice.
    [[nodiscard]] bool takesLong(const Lattice& lattice) const;
    using Evaluator = std::shared_ptr<const FigureEvaluator>;
    /// Makes the evaluator of the ROIs as they are on a lattice, in whatever thread it is called.
    [[nodiscard]] std::function<Evaluator()> evaluatorOn(const Lattice& lattice);
    /// Evaluates here and now.
    [[nodiscard]] Figures measureNow(int iteration, const Volume& image);
    /// Evaluates the image of a run away from the window, unless something older is to be ended first.
    void measureAway(const RunItem& item);
    void startMeasuring(const RunItem& item);
    /// What figures are of. It keeps no image in memory.
    struct MeasuredOf {
        std::weak_ptr<const Volume> volume;
        std::uint64_t revision = 0;  ///< that of the ROIs
        [[nodiscard]] bool is(const std::shared_ptr<const Volume>& other, std::uint64_t rois) const {
            return volume.lock() == other && revision == rois;
        }
    };
    struct Measured {
        MeasuredOf of;
        Figures figures;
    };
    /// Takes what was measured away from the window; nothing where that failed.
    void takeMeasured(std::optional<Figures> figures);
    /// Keeps the last figures of a run, which evaluator_ has made.
    void keep(const RunItem& item, MeasuredOf of, Figures figures);

    [[nodiscard]] std::shared_ptr<const Volume> imageOf(const RangeSource& source);

    ViewModel& view_;
    RunList& runs_;
    const RoiModel& rois_;
    const OpenStudy& study_;
    const Uptakes& uptakes_;
    const Calibrations& calibrations_;
    TaskQueue& tasks_;
    UnitsShown units_ = UnitsShown::PerVoxel;
    Evaluator evaluator_;
    std::uint64_t evaluatorRevision_ = 0;  ///< revision of the ROIs that evaluator_ has
    std::map<int, Measured> measured_;     ///< by run, its last figures
    int underWayRun_ = 0;
    MeasuredOf underWay_;
    bool overtaken_ = false;  ///< what was being measured last was ended for something newer
    bool stopped_ = false;
    std::pair<int, int> fetching_{0, 0};  ///< run and iterate being read from disk
    std::shared_ptr<ImageFacts> facts_;
    Wish wish_;           ///< for sampling and for means of frames
    Wish measuringWish_;  ///< for what is being measured
    Worker ranging_;
    Worker sampling_;
    Worker averaging_;
    Worker measuring_;
};

}  // namespace tof::ui
