// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "recon/systems/measurement.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/worker.h"
#include "ui/pages/data_words.h"

namespace tof::ui {

/// One view of the open data: which one, which quantity, its display range. Whatever has to be computed is
/// computed away from the window. No widgets.
class DataModel : public QObject {
    Q_OBJECT

  public:
    DataModel(const EngineRegistry& engines, RunList& runs, Threading threading, QObject* parent = nullptr);

    /// The data that are open, or null, and what is known of their form. Views stay where they are as far as
    /// the new data say nothing else.
    void setOpen(std::shared_ptr<const Measurement> data, const Form* form = nullptr);
    [[nodiscard]] const std::shared_ptr<const Measurement>& data() const { return data_; }
    [[nodiscard]] const Form* form() const { return form_; }
    /// How one speaks of the open data.
    [[nodiscard]] DataWords words() const;
    /// Number of views there are.
    [[nodiscard]] std::size_t viewCount() const { return layout_.views.size(); }

    // Which view: a value on each of the two axes along which the data are laid out.
    [[nodiscard]] const ViewAxis& first() const { return layout_.axes[0]; }
    [[nodiscard]] const ViewAxis& second() const { return layout_.axes[1]; }
    [[nodiscard]] int firstIndex() const { return first_; }
    [[nodiscard]] int secondIndex() const { return second_; }
    /// Indices are clamped to what there is.
    void setView(int first, int second);
    /// Steps along the first axis, from its end to its beginning.
    void stepFirst(int step);
    void stepSecond(int step) { setView(first_, second_ + step); }
    /// The view nearest to two values.
    void setPlace(double first, double second);
    /// Index into the data's views; empty where there is none.
    [[nodiscard]] std::optional<std::size_t> view() const { return viewAt(first_, second_); }
    [[nodiscard]] std::optional<std::size_t> viewAt(int first, int second) const;

    // What of it.
    [[nodiscard]] DataQuantity quantity() const { return quantity_; }
    void setQuantity(DataQuantity quantity);
    /// Empty when a quantity can be shown, else the reason.
    [[nodiscard]] QString whyNot(DataQuantity quantity) const;
    /// The picture of the view on screen; null until there is one.
    [[nodiscard]] std::shared_ptr<const Volume> shown() const { return shown_; }
    /// The fit of the view on screen, when it was compared with an image.
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
    [[nodiscard]] nlohmann::json toJson() const;
    /// For the data that are set.
    void fromJson(const nlohmann::json& saved);

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
        std::shared_ptr<const Measurement> data;
        std::size_t view = 0;
        DataQuantity quantity = DataQuantity::Counts;
        std::shared_ptr<const Volume> image;
        bool operator==(const Made&) const = default;
    };
    struct Result;
    static void compute(const Made& wanted, const RunSettings& settings, const EngineRegistry& engines,
                        Result& result);
    [[nodiscard]] static std::size_t scaleIndex(DataQuantity quantity);
    [[nodiscard]] Scale& scale() { return scales_[scaleIndex(quantity_)]; }
    [[nodiscard]] const Scale& scale() const { return scales_[scaleIndex(quantity_)]; }
    void adoptScale();

    const EngineRegistry& engines_;
    RunList& runs_;
    Worker worker_;
    std::shared_ptr<const Measurement> data_;
    const Form* form_ = nullptr;  ///< the data's, where it is known
    ViewLayout layout_;
    int first_ = 0;
    int second_ = 0;
    DataQuantity quantity_ = DataQuantity::Counts;
    std::shared_ptr<const Volume> shown_;
    std::optional<ViewFit> fit_;
    std::vector<double> totals_;
    QString fault_;
    Made made_;
    std::array<Scale, 6> scales_;
};

}  // namespace tof::ui
