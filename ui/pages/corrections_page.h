// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "ui/charts/axes.h"
#include "ui/kit/basic.h"
#include "ui/kit/figure_strip.h"
#include "ui/kit/page.h"
#include "ui/pages/corrections_model.h"
#include "ui/pages/corrections_parts.h"
#include "ui/pictures/slice_pane.h"

class QLabel;
class QScrollArea;

namespace tof::ui {

class Desk;

/// Size of a correction in every view; a click chooses the view.
class CorrectionChart : public QWidget {
    Q_OBJECT

  public:
    explicit CorrectionChart(CorrectionsModel& model, QWidget* parent = nullptr);
    /// Where a view is in this widget.
    [[nodiscard]] QPointF place(int view) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] Plot plot() const;

    CorrectionsModel& model_;
};

/// The corrections of the open data: a view without one, the correction, and the view with it side by side;
/// its size in every view below, the parts that the data hold, each to be switched, and what the file says
/// that they were made from. What is missing is made from here.
class CorrectionsPage : public Page {
    Q_OBJECT

  public:
    CorrectionsPage(Desk& desk, QWidget* parent = nullptr);
    ~CorrectionsPage() override;
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override;
    [[nodiscard]] QString whyNot() const override;
    [[nodiscard]] bool isEmpty() const override { return !whyNot().isEmpty(); }
    [[nodiscard]] bool busy() const override { return model_.busy(); }
    [[nodiscard]] QString whyNoPicture() const override { return {}; }
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override { model_.setView(model_.view() + step); }
    [[nodiscard]] CorrectionsModel& model() { return model_; }
    [[nodiscard]] CorrectionChart* chart() const { return chart_; }
    [[nodiscard]] SlicePane* pane(int column) const { return panes()[static_cast<std::size_t>(column)]; }
    [[nodiscard]] FigureStrip* strip() const { return strip_; }
    [[nodiscard]] CorrectionsParts* parts() const { return parts_; }
    /// What the file says, in words.
    [[nodiscard]] QString origin() const;

  protected:
    void arrange() override;
    void paintEvent(QPaintEvent* event) override;

  private:
    /// Asks for the parts, with one switched or none, and has them made.
    void make(std::optional<PartName> turned);
    void showParts();
    /// In front again when the study is open that was asked for here.
    void comeBack();
    /// Where the view is among those of the data.
    void addPlace(std::vector<FigureStrip::Figure>& figures) const;
    [[nodiscard]] SlicePane* makePane(Plane plane, int column);
    /// Those of the plane that the pictures of a view lie in.
    [[nodiscard]] const std::array<SlicePane*, 3>& panes() const;
    /// Else the data have no pictures of their corrections, which a sentence says in their place.
    [[nodiscard]] bool showsViews() const;
    [[nodiscard]] QString caption(int column) const;
    [[nodiscard]] std::vector<FigureStrip::Figure> figures() const;

    Desk& desk_;
    CorrectionsModel model_;
    std::array<SlicePane*, 3> transverse_{};
    std::array<SlicePane*, 3> sagittal_{};
    QWidget* bar_;
    CorrectionChart* chart_;
    CorrectionsParts* parts_;
    std::shared_ptr<const Measurement> partsOf_;  ///< whose parts are shown
    QString awaited_;                             ///< folder of the study that is being made
    QLabel* origin_;
    QScrollArea* originArea_;  ///< where a low window has no room for all of it
    FigureStrip* strip_;
};

}  // namespace tof::ui
