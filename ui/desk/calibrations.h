// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QUndoStack>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "recon/systems/measurement.h"
#include "recon/work/calibration.h"
#include "ui/desk/run_item.h"

namespace tof::ui {

/// By what values of runs of the open data are shown in Bq/ml: a calibration that was made or read, or the
/// factor that the data's own file states. No widgets.
class Calibrations : public QObject {
    Q_OBJECT

  public:
    struct State {
        std::shared_ptr<const Calibration> made{};  ///< null: by the file's own factor, where it states one
        bool shown = true;
        [[nodiscard]] bool operator==(const State&) const = default;
    };

    explicit Calibrations(QUndoStack& undo) : undo_(undo) {}

    [[nodiscard]] const State& state() const { return state_; }
    /// By the user: one step of undo.
    void set(const State& state);
    /// Nothing is open any more.
    void clear();

    /// What a stored value of 1 is in Bq/ml, whether that is shown or not; 0 where it is not known.
    [[nodiscard]] double bqMlPerStored(const RunItem& item, const Measurement& data) const;
    /// Why values of an image are in no Bq/ml, one sentence; empty: they can be.
    [[nodiscard]] QString whyNot(const RunItem& item, const Measurement* data) const;

    /// What the data's scanner is called; empty: they do not say.
    [[nodiscard]] const std::string& scannerOf(const Measurement& data) const;

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();

  private:
    void restore(const State& state);
    /// What is taken for images of these data; null where neither is known.
    [[nodiscard]] std::shared_ptr<const Calibration> of(const Measurement& data) const;

    QUndoStack& undo_;
    State state_;
    /// What the data say, which takes time to find out.
    struct Facts {
        std::string hash{};  ///< hash of the data
        std::string scanner{};
        std::shared_ptr<const Calibration> stated{};
    };
    [[nodiscard]] const Facts& factsOf(const Measurement& data) const;
    mutable Facts facts_;
};

}  // namespace tof::ui
