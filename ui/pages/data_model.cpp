// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_model.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/pages/data_words.h"

namespace tof::ui {

namespace {

int nearest(const ViewAxis& axis, double value) {
    const auto& all = axis.values;
    const auto nearer = [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); };
    return static_cast<int>(std::min_element(all.begin(), all.end(), nearer) - all.begin());
}

int clampIndex(int index, const ViewAxis& axis) {
    return std::clamp(index, 0, std::max(0, static_cast<int>(axis.values.size()) - 1));
}

}  // namespace

/// What the worker hands back.
struct DataModel::Result {
    std::shared_ptr<Volume> shown;
    std::optional<ViewFit> fit;
    std::vector<double> totals;
};

DataModel::DataModel(const EngineRegistry& engines, RunList& runs, Threading threading, QObject* parent)
    : QObject(parent), engines_(engines), runs_(runs), worker_(threading) {}

void DataModel::setOpen(std::shared_ptr<const Measurement> data, const Form* form) {
    if (data == data_) {
        return;
    }
    data_ = std::move(data);
    form_ = form;
    layout_ = data_ != nullptr ? data_->layout() : ViewLayout();
    first_ = clampIndex(first().start.value_or(first_), first());
    second_ = clampIndex(second().start.value_or(second_), second());
    shown_.reset();
    fit_.reset();
    totals_.clear();
    fault_.clear();
    made_ = {};
    scales_ = {};
    Q_EMIT changed();
}

DataWords DataModel::words() const {
    return data_ != nullptr ? dataWords(*data_, form_) : usualWords();
}

std::optional<std::size_t> DataModel::viewAt(int first, int second) const {
    const auto a = static_cast<std::size_t>(std::max(0, first));
    const auto b = static_cast<std::size_t>(std::max(0, second));
    const std::size_t across = this->first().values.size();
    return a < across && b < this->second().values.size() ? layout_.views[b * across + a] : std::nullopt;
}

void DataModel::setView(int first, int second) {
    first = clampIndex(first, this->first());
    second = clampIndex(second, this->second());
    if (first != first_ || second != second_) {
        first_ = first;
        second_ = second;
        Q_EMIT changed();
    }
}

void DataModel::stepFirst(int step) {
    const auto n = static_cast<int>(first().values.size());
    if (n > 0) {
        setView(((first_ + step) % n + n) % n, second_);
    }
}

void DataModel::setPlace(double first, double second) {
    if (!this->first().values.empty()) {
        setView(nearest(this->first(), first), nearest(this->second(), second));
    }
}

void DataModel::setQuantity(DataQuantity quantity) {
    if (quantity != quantity_) {
        quantity_ = quantity;
        shown_.reset();
        Q_EMIT changed();
    }
}

QString DataModel::whyNot(DataQuantity quantity) const {
    if (data_ == nullptr) {
        return tr("Open a study, data or list-mode first");
    }
    if (!data_->shows(quantity)) {
        if (!data_->shows(DataQuantity::Expected)) {
            return words().countsAlone;
        }
        if (quantity == DataQuantity::Att) {
            return tr("These data do not keep attenuation apart");
        }
        return quantity == DataQuantity::Mult
                   ? tr("These data have no multiplicative corrections: 1 everywhere")
                   : tr("These data have no additive term: 0 everywhere");
    }
    if (needsExpectation(quantity)) {
        const auto image = runs_.image();
        if (image == nullptr) {
            return tr("What is expected is projected from an image: run a reconstruction first (F5)");
        }
        if (!(image->lattice == data_->lattice())) {
            return tr("The image on screen is on another lattice than the data");
        }
    }
    return {};
}

std::size_t DataModel::scaleIndex(DataQuantity quantity) {
    switch (quantity) {
        case DataQuantity::Counts:
        case DataQuantity::Expected: return 0;
        case DataQuantity::Residual: return 1;
        case DataQuantity::Weighted: return 2;
        case DataQuantity::Mult: return 3;
        case DataQuantity::Add: return 4;
        case DataQuantity::Att: return 5;
    }
    return 0;
}

bool DataModel::diverging() const {
    return quantity_ == DataQuantity::Residual || quantity_ == DataQuantity::Weighted;
}

void DataModel::setRange(DisplayRange range) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
        return;
    }
    if (diverging()) {
        // The limits are coupled: what counts is how far apart they are.
        const double limit = (range.high - range.low) / 2;
        range = {-limit, limit};
    }
    if (range.high > range.low) {
        scale() = {range, false, true};
        Q_EMIT changed();
    }
}

void DataModel::resetRange() {
    scale().isAuto = true;
    scale().settled = false;
    adoptScale();
    Q_EMIT changed();
}

void DataModel::adoptScale() {
    Scale& s = scale();
    if (!s.isAuto || s.settled || shown_ == nullptr) {
        return;
    }
    if (diverging()) {
        const double limit = roundUpTwoDigits(fit_ ? fit_->percentile999 : 0);
        s.range = limit > 0 ? DisplayRange{-limit, limit} : DisplayRange{-1, 1};
    } else {
        s.range = robustRange(*shown_);
    }
    s.settled = true;
}

nlohmann::json DataModel::toJson() const {
    nlohmann::json scales = nlohmann::json::array();
    for (const Scale& s : scales_) {
        scales.push_back(
            {{"range", std::array{s.range.low, s.range.high}}, {"auto", s.isAuto}, {"settled", s.settled}});
    }
    const auto value = [](const ViewAxis& axis, int index) {
        return axis.values.empty() ? 0.0 : axis.values[static_cast<std::size_t>(index)];
    };
    // Named after the first data there were.
    return {{"azimuth_deg", value(first(), first_)},
            {"tilt_deg", value(second(), second_)},
            {"quantity", quantityName(quantity_)},
            {"ranges", scales}};
}

void DataModel::fromJson(const nlohmann::json& saved) {
    setPlace(savedIn(saved, "azimuth_deg", 0.0), savedIn(saved, "tilt_deg", 0.0));
    const auto scales = savedIn<std::vector<nlohmann::json>>(saved, "ranges");
    for (std::size_t i = 0; i < scales_.size() && i < scales.size(); ++i) {
        const auto [low, high] = savedIn<std::array<double, 2>>(scales[i], "range");
        if (high > low) {
            scales_[i] = {
                {low, high}, savedIn(scales[i], "auto", true), savedIn(scales[i], "settled", false)};
        }
    }
    try {
        setQuantity(quantityFromName(savedIn<std::string>(saved, "quantity")));
    } catch (const WrongUse&) {
        setQuantity(DataQuantity::Counts);  // another version wrote it
    }
    Q_EMIT changed();
}

void DataModel::compute(const Made& wanted, const RunSettings& settings, const EngineRegistry& engines,
                        Result& result) {
    const Measurement& data = *wanted.data;
    if (wanted.image == nullptr) {
        result.shown = std::make_shared<Volume>(data.view(wanted.view, wanted.quantity));
        return;
    }
    const Volume expected = data.expected(wanted.view, *wanted.image, settings, engines);
    const Volume counts = data.view(wanted.view, DataQuantity::Counts);
    result.shown = std::make_shared<Volume>(comparedCounts(counts, expected, wanted.quantity));
    result.fit = fitOfCounts(counts, expected, *result.shown);
}

void DataModel::refresh() {
    const auto index = view();
    if (data_ == nullptr || !index || worker_.busy()) {
        return;
    }
    if (!whyNot(quantity_).isEmpty()) {
        shown_.reset();
        fit_.reset();
        made_ = {};
        return;
    }
    RunItem* item = runs_.selected();
    const Made wanted{data_, *index, quantity_,
                      needsExpectation(quantity_) ? item->volume() : std::shared_ptr<const Volume>()};
    if (wanted == made_) {
        return;
    }
    const auto result = std::make_shared<Result>();
    const RunSettings settings =
        wanted.image != nullptr && !item->isVolume() ? item->settings() : RunSettings();
    worker_.start(
        [wanted, settings, result, &engines = engines_, add = totals_.empty()] {
            compute(wanted, settings, engines, *result);
            if (add) {
                result->totals = wanted.data->viewTotals();
            }
        },
        [this, wanted, result](const std::exception_ptr& fault) {
            if (wanted.data != data_) {
                refresh();
                return;
            }
            made_ = wanted;
            fault_ = fault != nullptr ? sentence(fault) : QString();
            shown_ = result->shown;
            fit_ = result->fit;
            if (!result->totals.empty()) {
                totals_ = result->totals;
            }
            if (wanted.quantity == quantity_) {
                adoptScale();
            } else {
                shown_.reset();
            }
            Q_EMIT changed();
            refresh();  // view, quantity or image may have changed meanwhile
        });
}

}  // namespace tof::ui
