// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "recon/work/data_view.h"
#include "recon/work/job_data.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// One view of the open data: which one, which quantity, its display range. Whatever has to be computed is
/// computed away from the window. No widgets.
class DataModel : public QObject {
    Q_OBJECT

  public:
    DataModel(const EngineRegistry& engines, RunList& runs, Threading threading, QObject* parent = nullptr);

    /// The data that are open, or null. Views stay where they are as far as the new data have them.
    void setData(std::shared_ptr<const HistoData> data);
    /// Sinograms instead: what azimuths are to histo-images are segments here, what tilts are time bins.
    void setRing(std::shared_ptr<const SinogramData> data);
    /// Lines of response instead: what azimuths are to histo-images are tilts of lines here.
    void setLines(std::shared_ptr<const LineData> data);
    /// Whichever is open.
    void setOpen(const std::optional<JobData>& data);
    [[nodiscard]] const std::shared_ptr<const HistoData>& data() const { return data_; }
    [[nodiscard]] const std::shared_ptr<const SinogramData>& ring() const { return ring_; }
    [[nodiscard]] const std::shared_ptr<const LineData>& lines() const { return lines_; }
    /// Sinograms or lines: the picture is [plane][azimuth][radial] and not in the image's space.
    [[nodiscard]] bool radial() const { return ring_ != nullptr || lines_ != nullptr; }
    /// Number of views there are.
    [[nodiscard]] std::size_t viewCount() const { return grid_.size(); }

    // Which view. Angles are ascending, in degrees; of sinograms the numbers of segments and time
    // bins, of lines their tilts in degrees and 0.
    [[nodiscard]] const std::vector<double>& azimuths() const { return azimuths_; }
    [[nodiscard]] const std::vector<double>& tilts() const { return tilts_; }
    [[nodiscard]] int azimuth() const { return azimuth_; }
    [[nodiscard]] int tilt() const { return tilt_; }
    /// Indices are clamped to what there is.
    void setView(int azimuth, int tilt);
    /// Steps through the azimuths, wrapping at 180 degrees.
    void stepAzimuth(int step);
    void stepTilt(int step) { setView(azimuth_, tilt_ + step); }
    /// The view nearest to a direction, degrees.
    void setAngles(double azimuth_deg, double tilt_deg);
    /// Index into the data's views; empty where no view has this azimuth and tilt.
    [[nodiscard]] std::optional<std::size_t> view() const { return viewAt(azimuth_, tilt_); }
    [[nodiscard]] std::optional<std::size_t> viewAt(int azimuth, int tilt) const;

    // What of it.
    [[nodiscard]] DataQuantity quantity() const { return quantity_; }
    void setQuantity(DataQuantity quantity);
    /// Empty when a quantity can be shown, else the reason.
    [[nodiscard]] QString whyNot(DataQuantity quantity) const;
    /// The histo-image on screen; null until there is one.
    [[nodiscard]] std::shared_ptr<const Volume> shown() const { return shown_; }
    /// Of the view on screen, when it was compared with an image.
    [[nodiscard]] const std::optional<ViewFit>& fit() const { return fit_; }
    /// Counts of every view; empty until they are added up.
    [[nodiscard]] const std::vector<double>& totals() const { return totals_; }
    /// Why the last computation failed, or empty.
    [[nodiscard]] const QString& fault() const { return fault_; }

    // Display range: one for counts and expected, symmetric for differences. Kept from view to view.
    [[nodiscard]] bool diverging() const;
    [[nodiscard]] DisplayRange range() const { return scale().range; }
    [[nodiscard]] bool autoRange() const { return scale().isAuto; }
    void setRange(DisplayRange range);
    void resetRange();

    /// View, quantity and every display range.
    [[nodiscard]] QJsonObject toJson() const;
    /// For the data that are set.
    void fromJson(const QJsonObject& saved);

    [[nodiscard]] bool busy() const { return worker_.busy(); }
    /// Looks at data and runs again and computes what is out of date.
    void refresh();

  Q_SIGNALS:
    void changed();

  private:
    struct Scale {
        DisplayRange range;
        bool isAuto = true;
        bool settled = false;  ///< was taken from a picture
    };
    /// What a picture was made from; equal: nothing to do.
    struct Made {
        std::shared_ptr<const HistoData> data;
        std::shared_ptr<const SinogramData> ring;
        std::shared_ptr<const LineData> lines;
        std::size_t view = 0;
        DataQuantity quantity = DataQuantity::Counts;
        std::shared_ptr<const Volume> image;
        bool operator==(const Made&) const = default;
    };
    struct Result;
    /// Forgets what was made from other data.
    void startOver();
    static void compute(const Made& wanted, const RunSettings& settings, const EngineRegistry& engines,
                        Result& result);
    [[nodiscard]] static std::size_t scaleIndex(DataQuantity quantity);
    [[nodiscard]] Scale& scale() { return scales_[scaleIndex(quantity_)]; }
    [[nodiscard]] const Scale& scale() const { return scales_[scaleIndex(quantity_)]; }
    void adoptScale();

    const EngineRegistry& engines_;
    RunList& runs_;
    Worker worker_;
    std::shared_ptr<const HistoData> data_;
    std::shared_ptr<const SinogramData> ring_;
    std::shared_ptr<const LineData> lines_;
    std::vector<double> azimuths_;
    std::vector<double> tilts_;
    std::vector<std::optional<std::size_t>> grid_;  ///< [tilt][azimuth]
    int azimuth_ = 0;
    int tilt_ = 0;
    DataQuantity quantity_ = DataQuantity::Counts;
    std::shared_ptr<const Volume> shown_;
    std::optional<ViewFit> fit_;
    std::vector<double> totals_;
    QString fault_;
    Made made_;
    std::array<Scale, 5> scales_;
};

}  // namespace tof::ui
