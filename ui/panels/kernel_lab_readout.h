// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/commands.h"
#include "ui/models/kernel_lab.h"
#include "ui/widgets/basic.h"
#include "ui/widgets/number_row.h"
#include "ui/widgets/solid_pane.h"
#include "viz/slice_renderer.h"

namespace tof::ui {

/// The kernel itself: the transverse slice through its middle, its surface at a level, or the map of
/// kernel ids.
class KernelPicture : public QWidget {
    Q_OBJECT

  public:
    enum class Kind { Slice, Surface, Ids };
    KernelPicture(KernelLab& lab, Threading threading, QWidget* parent = nullptr);
    void setKind(Kind kind);
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] SolidPane* solid() const { return solid_; }
    /// The kernel has changed.
    void refresh();

  Q_SIGNALS:
    void kindChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void paintSlice(QPainter& painter, const LabKernel& kernel);
    void paintIds(QPainter& painter, const LabKernel& kernel);
    void draw(QPainter& painter, const std::shared_ptr<const Volume>& volume, double mmPerPixel, double high,
              const viz::ColourMap& map);

    KernelLab& lab_;
    Kind kind_ = Kind::Slice;
    SolidPane* solid_;
    std::unique_ptr<viz::SliceRenderer> renderer_;
};

/// Milliseconds per view of every strategy, as bars; a strategy that cannot run says why.
class StrategyBars : public QWidget {
    Q_OBJECT

  public:
    StrategyBars(KernelLab& lab, ProjectionKind kind, QWidget* parent = nullptr);
    void refresh();

    struct Row {
        QString name;
        double ms = 0;  ///< 0: not known
        QString whyNot;
        bool inUse = false;
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    KernelLab& lab_;
    ProjectionKind kind_;
    std::vector<Row> rows_;
};

/// The right side of the lab: the kernel's picture and figures, the times of the strategies.
class KernelLabReadout : public QWidget {
    Q_OBJECT

  public:
    KernelLabReadout(KernelLab& lab, Threading threading, CommandRegistry& commands,
                     QWidget* parent = nullptr);
    void refresh();
    [[nodiscard]] KernelPicture* picture() const { return picture_; }
    [[nodiscard]] StrategyBars* bars(ProjectionKind kind) const {
        return kind == ProjectionKind::Forward ? forward_ : back_;
    }

  private:
    void showLevel();

    KernelLab& lab_;
    KernelPicture* picture_;
    NumberRow* level_;
    ValueRow* taps_;
    ValueRow* ids_;
    ValueRow* table_;
    ValueRow* sum_;
    ValueRow* fwhm_;
    StrategyBars* forward_;
    StrategyBars* back_;
    ElidedLabel* caption_;
};

}  // namespace tof::ui
