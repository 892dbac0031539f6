// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/kit/controls.h"
#include "ui/lab/kernel_lab.h"
#include "ui/pictures/solid_pane.h"
#include "viz/slice_pipeline.h"

class QLabel;

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
    void refresh() {
        solid_->refresh();
        update();
    }

  Q_SIGNALS:
    void kindChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { solid_->setGeometry(rect()); }

  private:
    void paintSlice(QPainter& painter, const LabKernel& kernel);
    void paintIds(QPainter& painter, const LabKernel& kernel);
    void paintIdLegend(QPainter& painter, const KernelOutline& outline, const QRectF& room) const;
    void draw(QPainter& painter, const std::shared_ptr<const Volume>& volume, QSize size, double mmPerPixel,
              double high, const viz::ColourMap& map);

    KernelLab& lab_;
    Kind kind_ = Kind::Slice;
    SolidPane* solid_;
    viz::SlicePipeline pipeline_;
};

/// What the legend of the map of ids says at a height: 0 at its foot, 1 at its top.
struct IdMark {
    double height = 0;
    QString text;
};
/// Ids and the distances they serve: of kernels with sides, s > 0 in the lower half and s < 0 above it.
[[nodiscard]] std::vector<IdMark> idMarks(int radialIds, int rows, double step_mm);

/// Milliseconds per view of every strategy, as bars; one that cannot run has none.
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
        QString note;  ///< Projector::note() where it was computed: what it leaves out
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
    void showLevel() {
        level_->setValue(lab_.surfacePercent());
        level_->setEnabled(picture_->kind() == KernelPicture::Kind::Surface);
    }
    [[nodiscard]] QString reasons() const;
    [[nodiscard]] QString notes() const;

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
    QLabel* reasons_;
};

}  // namespace tof::ui
