// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ui/desk/run_list.h"
#include "ui/kit/basic.h"
#include "ui/kit/page.h"
#include "ui/pictures/slice_pane.h"

class QLineEdit;

namespace tof::ui {

class RoiCurves;
class Screen;
class TaskQueue;

/// The iterate of a run whose noise is nearest to a level.
struct MatchedIterate {
    /// Whether the run comes near at all: within a tenth of the level, or past it from one iterate to the
    /// next.
    enum class Reach { Near, StaysBelow, StaysAbove };
    int runId = 0;
    int iteration = 0;
    double noise = 0;  ///< noise of that iterate, a fraction
    double crc = 0;    ///< NaN where there is none
    Reach reach = Reach::Near;
};

/// One per run that has noise figures and the iterate's image, in the order of the list; of two iterates
/// equally near the earlier one.
[[nodiscard]] std::vector<MatchedIterate> matchedIterates(const RunList& runs, double noise);

/// Noise of the iterate on screen of the selected run; empty when it has none.
[[nodiscard]] std::optional<double> noiseOnScreen(RunList& runs);

/// The iterates of all runs that are equally noisy, side by side, as papers compare kernels: one slice per
/// run through the shared cursor, in the plane with the frame, in one display range.
class MatchedPage : public Page {
    Q_OBJECT

  public:
    MatchedPage(const PictureModels& models, Screen& screen, const RoiCurves& curves, TaskQueue& tasks,
                QWidget* parent = nullptr);
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override;
    [[nodiscard]] QString whyNot() const override;
    [[nodiscard]] QString whyNoPicture() const override;
    /// Pictures with their captions.
    [[nodiscard]] QWidget& pictures() override { return *pictures_; }
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override { models_.runs.selectNext(step); }

    /// A fraction; empty: that of the iterate on screen when the page was opened.
    [[nodiscard]] std::optional<double> level() const { return level_; }
    void setLevel(double noise);
    [[nodiscard]] const std::vector<MatchedIterate>& shown() const { return shown_; }
    /// The picture of the n-th run shown.
    [[nodiscard]] SlicePane* pane(std::size_t n) const { return cells_.at(n).pane; }
    /// "A variant1, iterate 6: noise 19.8 %, CRC 41.2 %", or shorter if it is wider than so many pixels:
    /// without the name, then without words. A run that never comes near the level says so.
    [[nodiscard]] QString caption(const MatchedIterate& matched, int width) const;
    /// What stands above the n-th picture.
    [[nodiscard]] QString captionShown(std::size_t n) const { return cells_.at(n).caption->text(); }

  Q_SIGNALS:
    void levelChanged();

  protected:
    void arrange() override;
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Cell {
        SlicePane* pane = nullptr;
        ElidedLabel* caption = nullptr;
    };
    void rebuild(std::size_t count);
    void writeCaptions();
    [[nodiscard]] std::shared_ptr<const Volume> volumeOf(std::size_t n);
    [[nodiscard]] DisplayUnit unitOf(std::size_t n) const;
    void fetch(const MatchedIterate& matched);

    PictureModels models_;
    Screen& screen_;
    TaskQueue& tasks_;
    QWidget* bar_;
    QWidget* pictures_;
    QLineEdit* field_ = nullptr;
    ElidedLabel* note_ = nullptr;
    std::optional<double> level_;
    std::vector<MatchedIterate> shown_;
    std::vector<Cell> cells_;
    Plane plane_ = Plane::Transverse;
    std::map<std::pair<int, int>, std::shared_ptr<const Volume>> read_;  ///< run and iterate, from disk
    std::set<std::pair<int, int>> reading_;
};

}  // namespace tof::ui
