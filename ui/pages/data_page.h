// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include "ui/kit/worker.h"

#include <array>

#include "ui/kit/basic.h"
#include "ui/kit/figure_strip.h"
#include "ui/kit/page.h"
#include "ui/pages/data_model.h"
#include "ui/pages/frame_table.h"
#include "ui/pages/view_chart.h"
#include "ui/pictures/slice_pane.h"

class QLabel;
class QLineEdit;
class QSlider;

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class Messages;

/// The open data by view: histo-images of counts, of what the image on screen makes expected, of the
/// residual and of the corrections, in three planes through the shared cursor; azimuth and tilt by sliders;
/// counts of every view below. Sinograms likewise, by segment and time bin: the panes show azimuth, plane and
/// azimuth again over radial, radial and plane.
class DataPage : public Page {
    Q_OBJECT

  public:
    DataPage(const PictureModels& models, const EngineRegistry& engines, Messages& messages,
             Threading threading, QWidget* parent = nullptr);
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override;
    /// The scanner of the data beside the view.
    [[nodiscard]] bool showsScanner() const;
    void setScannerShown(bool shown);
    [[nodiscard]] QString whyNot() const override { return model_.whyNot(DataQuantity::Counts); }
    [[nodiscard]] bool isEmpty() const override { return !whyNot().isEmpty(); }
    [[nodiscard]] QString whyNoPicture() const override { return {}; }
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override { pane(Plane::Transverse)->stepImage(step); }
    [[nodiscard]] DataModel& model() { return model_; }
    [[nodiscard]] SlicePane* pane(Plane plane) const { return panes_[static_cast<std::size_t>(plane)]; }
    [[nodiscard]] ViewChart* chart() const { return chart_; }
    /// The frames of data that are cut by time, beside the chart.
    [[nodiscard]] FrameTable* frames() const { return frames_; }
    [[nodiscard]] FigureStrip* strip() const { return strip_; }
    /// "residual of view 4".
    [[nodiscard]] QString shownText() const;

  protected:
    void arrange() override;
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] viz::ColourMap map() const;
    [[nodiscard]] std::vector<FigureStrip::Figure> figures() const;
    /// One of the two axes along which views are laid out.
    struct AxisRow {
        QLabel* name = nullptr;
        QSlider* slider = nullptr;
        ElidedLabel* text = nullptr;
    };
    void commitRange();
    void showSliders();
    /// The pictures are not in the image's space.
    [[nodiscard]] bool radial() const;
    [[nodiscard]] FigureStrip::Figure figureAtCursor(const Volume& shown, int x, int y, int z) const;

    PictureModels models_;
    Messages& messages_;
    DataModel model_;
    std::array<SlicePane*, 3> panes_{};
    QWidget* bar_;
    QWidget* angles_;
    ViewChart* chart_;
    FrameTable* frames_;
    FigureStrip* strip_;
    AxisRow first_;
    AxisRow second_;
    QLineEdit* low_ = nullptr;
    QLineEdit* high_ = nullptr;
    ElidedLabel* unit_ = nullptr;
    ElidedLabel* limitLabel_ = nullptr;
    SlicePane* alone_ = nullptr;  ///< maximised by a double-click
};

}  // namespace tof::ui
