// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/desk/run_list.h"
#include "ui/kit/coalescer.h"
#include "ui/kit/worker.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <tuple>

#include "ui/kit/figure_strip.h"
#include "ui/kit/page.h"
#include "ui/lab/kernel_lab_controls.h"
#include "ui/lab/kernel_lab_readout.h"
#include "ui/lab/lab_head.h"
#include "ui/lab/lab_pane.h"
#include "ui/lab/radius_plot.h"

class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class LiveTuning;
class Messages;
class OpenStudy;
class RunList;
class SettingsModel;
class ViewModel;

/// The kernel lab: what a kernel is and does, live while it is edited. Left its settings, right its picture,
/// figures and times; in the middle its width against the radius, below that two projections of point sources
/// and their difference in three planes.
class KernelLabPage : public Page {
    Q_OBJECT

  public:
    /// What the KernelLabPage shows and changes; all of it outlives it.
    struct Models {
        const EngineRegistry& engines;
        RunList& runs;
        ViewModel& view;
        const OpenStudy& study;
        SettingsModel& settings;
        LiveTuning& live;
        Messages& messages;
    };
    explicit KernelLabPage(const Models& models, Threading threading, QWidget* parent = nullptr);
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    /// Follows the desk: lattice and image.
    void refresh() override;
    bool abandonDrag() override;
    [[nodiscard]] bool standsAlone() const override { return true; }
    [[nodiscard]] QString whyNoPicture() const override { return {}; }
    [[nodiscard]] QString shownName() override { return "kernel lab"; }
    [[nodiscard]] QUndoStack* undoStack() override { return &lab_.undoStack(); }
    void stepImage(int step) override { models_.runs.selectNext(step); }

    [[nodiscard]] KernelLab& lab() { return lab_; }
    [[nodiscard]] RadiusPlot* plot() const { return plot_; }
    [[nodiscard]] KernelLabReadout* readout() const { return readout_; }
    /// Column 0 = A, 1 = B, 2 = difference.
    [[nodiscard]] LabPane* pane(int column, Plane plane) const {
        return panes_[static_cast<std::size_t>(column)][static_cast<std::size_t>(plane)];
    }
    /// True while what is shown is not what is set.
    [[nodiscard]] bool busy() const override {
        const SolidPane* solid = readout_->picture()->solid();
        return lab_.results().busy() || (solid->isVisible() && solid->busy());
    }
    /// What a narrow window shows beside the pictures; a wide one shows both.
    enum class Side { Settings, Kernel };
    [[nodiscard]] Side side() const { return side_; }
    void showSide(Side side) {
        side_ = side;
        arrangeSides();
    }
    [[nodiscard]] bool narrow() const { return narrow_; }
    [[nodiscard]] bool mip() const { return view_.mip; }
    void setMip(bool on) {
        view_.mip = on;
        redraw();
    }
    /// Symmetric limit of the difference, per cent of A's peak.
    [[nodiscard]] bool autoLimit() const { return autoLimit_; }
    void setLimitPercent(double percent);
    void setAutoLimit() {
        autoLimit_ = true;
        redraw();
    }
    void resetView();
    /// Projects the image on screen in place of the point sources, or no longer.
    void setProjectsImage(bool on);
    [[nodiscard]] QString whyNoImage() const;
    /// Everything that is set on the page, for sessions.
    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);
    [[nodiscard]] QString figuresText() const { return strip_->text(); }

  Q_SIGNALS:
    /// Two projections were put beside the runs, to be compared.
    void compareRequested(int a, int b);

  protected:
    void arrange() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent*) override { lab_.setActive(false); }

  private:
    /// Adds rows that act on what is seen: none can run while another page is in front.
    void addRows(CommandRegistry& commands, const QString& menu, std::vector<Command> rows);
    void addFormCommands(CommandRegistry& commands);
    void addFileCommands(CommandRegistry& commands);
    void addPictureCommands(CommandRegistry& commands);
    void savePreset();
    void deletePreset();
    void loadKernel();
    void useForNextRun();
    void compareProjections();
    void showEdited();
    void showComputed();
    void updatePanes();
    void redraw() {
        updatePanes();
        showComputed();
    }
    [[nodiscard]] QList<LabPane*> allPanes() const { return centre_->findChildren<LabPane*>(); }
    void buildSides(CommandRegistry& commands);
    void arrangeSides();
    void orderTabStops();
    [[nodiscard]] LabPaneSource source(int column, Plane plane);
    [[nodiscard]] std::vector<FigureStrip::Figure> figures() const;

    Models models_;
    Threading threading_;
    KernelLab lab_;
    LabView view_;
    double limit_ = 1;
    bool autoLimit_ = true;
    bool begun_ = false;         ///< has taken over the kernel of the next run
    bool wantsImage_ = false;    ///< a session did project the image, which is not there yet
    bool restoredView_ = false;  ///< zoom and middle are a session's, for the lattice to come
    std::string restored_;       ///< JSON of the lab to be taken once more when the data have come, or empty
    QScrollArea* left_ = nullptr;
    QScrollArea* right_ = nullptr;
    QWidget* sideTabs_ = nullptr;
    QVBoxLayout* leftColumn_ = nullptr;
    QWidget* rightLine_ = nullptr;
    Side side_ = Side::Settings;
    bool narrow_ = false;
    KernelLabControls* controls_ = nullptr;
    KernelLabReadout* readout_ = nullptr;
    QWidget* centre_;
    QWidget* plotBar_ = nullptr;
    RadiusPlot* plot_;
    std::array<LabHead*, 2> heads_{};
    QWidget* differenceHead_ = nullptr;
    QLineEdit* limitField_ = nullptr;
    std::array<std::array<LabPane*, 3>, 3> panes_{};
    FigureStrip* strip_;
    Coalescer* shown_;
    std::shared_ptr<const LabPictures> picturesDrawn_;
    QString faultDrawn_;
    /// Number of sources, the selected one, the cursor, whether an image is projected.
    std::tuple<std::size_t, int, double, double, double, bool> marksDrawn_;
};

}  // namespace tof::ui
