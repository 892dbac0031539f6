// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "recon/metrics/profile.h"
#include "ui/charts/axes.h"
#include "ui/charts/voxel_counts.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

class RunItem;
class RunList;
class Screen;

/// Values along a line of voxels through the cursor, or along a drawn line, of several runs as steps; or a
/// histogram of the image on screen, whose voxels are counted away from the window. What is shown is the
/// ViewModel's.
class ProfileChart : public QWidget {
    Q_OBJECT

  public:
    enum class Content { Values, Difference };
    ProfileChart(RunList& runs, ViewModel& view, Screen& screen, Threading threading,
                 Content content = Content::Values, QWidget* parent = nullptr);
    /// Which runs are drawn, by id, each on its own lattice; all that fit the selected one unless told
    /// otherwise. With Content::Difference: the first minus the second.
    void setRuns(std::function<std::vector<int>()> runs) { choose_ = std::move(runs); }
    /// Draws the difference of images on different lattices from this one; null while there is none.
    void setDifference(std::function<std::shared_ptr<const Volume>()> volume,
                       std::function<DisplayUnit()> unit);

    struct Curve {
        std::optional<int> mark{};  ///< RunItem::mark(); none: a difference
        QString label;
        QString name{};
        Profile profile;  ///< values as shown, in `unit`
        QString unit;
        std::optional<ProfilePeak> peak;  ///< at the cursor, or the highest along a drawn line; as shown
        QString whyNoWidth;               ///< where there is none

        [[nodiscard]] std::optional<double> fwhm_mm() const {
            return peak ? std::optional(peak->width_mm()) : std::nullopt;
        }
    };
    [[nodiscard]] std::vector<Curve> curves() const;
    /// Position, then one column per curve; a curve at other positions has a column of them before its own.
    /// Writes a histogram's bins and their voxels.
    [[nodiscard]] QString toCsv() const;
    /// "along x through the cursor".
    [[nodiscard]] QString caption() const;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] bool alongLine() const { return view_.profileAxis() == ViewModel::kAlongLine; }
    [[nodiscard]] Profile profileOf(const Volume& volume) const;
    /// The peak and, where there is none, why.
    [[nodiscard]] std::pair<std::optional<ProfilePeak>, QString> peakOf(const Profile& profile) const;
    [[nodiscard]] std::vector<RunItem*> runs() const;
    [[nodiscard]] std::vector<Curve> differenceOf(std::vector<Curve> curves) const;
    void paintProfile(QPainter& painter);
    /// What the width of the selected image's peak is taken from: base, half height, both points there.
    void paintPeak(QPainter& painter, const Plot& plot, const std::vector<Curve>& curves) const;
    void paintLegend(QPainter& painter, const QRectF& plot, const std::vector<Curve>& curves);
    [[nodiscard]] QString histogramCsv() const;
    void paintHistogram(QPainter& painter);
    /// The lower end of a bin, as shown.
    [[nodiscard]] double edgeOf(const VoxelCounts::Histogram& counted, std::size_t bin) const;
    [[nodiscard]] QRectF plotArea() const { return {42, 26, width() - 42.0 - 24, height() - 26.0 - 40}; }
    /// The stretch that the pictures show, too.
    [[nodiscard]] std::array<double, 2> shownEnds() const;

    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    Content content_;
    std::function<std::vector<int>()> choose_;
    std::function<std::shared_ptr<const Volume>()> difference_;  ///< or none
    std::function<DisplayUnit()> differenceUnit_;
    VoxelCounts counts_;
};

}  // namespace tof::ui
