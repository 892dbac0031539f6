// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/calibrations.h"

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

void Calibrations::set(const State& state) {
    if (state != state_) {
        undo_.push(new UndoStep<State>(tr("Bq/ml by calibration"), state_, state,
                                       [this](const State& put) { restore(put); }));
    }
}

void Calibrations::restore(const State& state) {
    state_ = state;
    Q_EMIT changed();
}

void Calibrations::clear() {
    restore({});
}

std::shared_ptr<const Calibration> Calibrations::of(const Measurement& data) const {
    if (state_.made != nullptr) {
        return state_.made;
    }
    return factsOf(data).stated;
}

const Calibrations::Facts& Calibrations::factsOf(const Measurement& data) const {
    if (facts_.hash == data.hash()) {
        return facts_;
    }
    Facts facts{data.hash(), savedIn<std::string>(parsedJson(data.scannerJson()), "name", "")};
    const double factor = data.units() == kCountsPerMm ? savedIn(nlohmann::json(data.describe(RunSettings())),
                                                                 "calibration_factor", 0.0)
                                                       : 0;
    if (factor > 0) {
        auto stated = std::make_shared<Calibration>(calibrationOfCastor(factor));
        stated->scanner = facts.scanner;
        facts.stated = std::move(stated);
    }
    return facts_ = std::move(facts);
}

const std::string& Calibrations::scannerOf(const Measurement& data) const {
    return factsOf(data).scanner;
}

double Calibrations::bqMlPerStored(const RunItem& item, const Measurement& data) const {
    return whyNot(item, &data).isEmpty() ? of(data)->factor / data.duration_s() : 0;
}

QString Calibrations::whyNot(const RunItem& item, const Measurement* data) const {
    if (data == nullptr || item.dataHash() != data->hash()) {
        return tr("The data of this image are not open");
    }
    if (!(data->duration_s() > 0)) {
        return tr("The data do not say how long was measured");
    }
    const auto known = of(*data);
    if (known == nullptr) {
        return tr("No scan of known activity says what a value is: Tools > Calibrate");
    }
    return QString::fromStdString(
        whyNotCalibrated(*known, item.units().toStdString(), item.lattice(), scannerOf(*data), known->made));
}

nlohmann::json Calibrations::toJson() const {
    nlohmann::json saved{{"shown", state_.shown}};
    if (state_.made != nullptr) {
        saved["made"] = calibrationText(*state_.made);
        saved["any_scanner"] = state_.made->ofAnyScanner;
    }
    return saved;
}

void Calibrations::fromJson(const nlohmann::json& saved) {
    State state;
    state.shown = savedIn(saved, "shown", true);
    if (const auto text = savedIn<std::string>(saved, "made", ""); !text.empty()) {
        try {
            Calibration made = calibrationFrom(text, "the session");
            made.ofAnyScanner = savedIn(saved, "any_scanner", false);
            state.made = std::make_shared<const Calibration>(std::move(made));
        } catch (const BadInput&) {
            return;  // a session that somebody edited keeps the rest
        }
    }
    restore(state);
}

}  // namespace tof::ui
