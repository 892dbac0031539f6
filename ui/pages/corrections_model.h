// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "recon/forms/form/form.h"
#include "recon/metrics/robust_range.h"
#include "recon/systems/measurement.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// A correction of the open data: what it is by view, and one view without it, itself and with it. Whatever
/// has to be computed is computed away from the window. No widgets.
class CorrectionsModel : public QObject {
    Q_OBJECT

  public:
    explicit CorrectionsModel(Threading threading, QObject* parent = nullptr);
    /// Ends what is being computed.
    ~CorrectionsModel() override;

    /// Att, Mult and Add, in this order.
    [[nodiscard]] static const std::array<DataQuantity, 3>& parts();
    /// The data that are open, or null, and what is known of their form, or null.
    void setOpen(std::shared_ptr<const Measurement> data, const Form* form);
    [[nodiscard]] const std::shared_ptr<const Measurement>& data() const { return data_; }
    [[nodiscard]] DataQuantity part() const { return part_; }
    /// One of parts().
    void setPart(DataQuantity part);
    /// How such data are corrected; nothing is asked of it without data.
    [[nodiscard]] const FormCorrections& corrections() const { return corrections_; }
    /// Empty when the data have this part, else the reason.
    [[nodiscard]] QString whyNot(DataQuantity part) const;

    [[nodiscard]] int viewCount() const { return static_cast<int>(views_.size()); }
    [[nodiscard]] int view() const { return view_; }
    /// Among all views, in the order of their numbers; clamped to what there is.
    void setView(int view);
    /// Its number in the data; none without views.
    [[nodiscard]] std::optional<std::size_t> viewIndex() const;

    /// Size of a part in every view: of Att and Mult the mean, events by events, of the factor; of Add its
    /// sum over that of the counts. Empty until it is known; NaN where a view has no counts.
    [[nodiscard]] const std::vector<double>& sizes(DataQuantity part) const;
    /// The size in all views together; NaN until it is known.
    [[nodiscard]] double size(DataQuantity part) const;

    /// The view without the part, the part, and the view with it: counts / att, counts / (mult over its
    /// mean), counts - add; null until they are there.
    [[nodiscard]] std::shared_ptr<const Volume> picture(int column) const;
    /// Display ranges; the same without and with an additive part.
    [[nodiscard]] DisplayRange range(int column) const;
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// Computes what is out of date.
    void refresh();

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();

  private:
    struct Sizes {
        std::vector<double> byView;
        double whole = 0;
    };
    struct Made {
        std::shared_ptr<const Measurement> data;
        DataQuantity part = DataQuantity::Att;
        int view = 0;
        bool operator==(const Made&) const = default;
    };
    struct Result;
    static void compute(const Made& wanted, std::size_t index, Result& result);
    static Sizes sizesOf(const Measurement& data, const std::vector<std::size_t>& views, DataQuantity part,
                         const Wish& wish);
    [[nodiscard]] static std::size_t place(DataQuantity part);

    Worker worker_;
    Wish wish_;  ///< for what is computed of these data
    std::shared_ptr<const Measurement> data_;
    FormCorrections corrections_{};
    std::vector<std::size_t> views_;  ///< numbers of the views there are
    DataQuantity part_ = DataQuantity::Att;
    int view_ = 0;
    std::array<std::shared_ptr<const Volume>, 3> pictures_;
    std::array<Sizes, 3> sizes_;
    Made made_;
    QString fault_;
};

}  // namespace tof::ui
