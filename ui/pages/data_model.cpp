// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_model.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof::ui {

namespace {

/// Angles closer than this are one.
constexpr double kSameAngle_deg = 1e-6;

void addAngle(std::vector<double>& angles, double degrees) {
    const auto same = [&](double other) { return std::abs(other - degrees) < kSameAngle_deg; };
    if (std::none_of(angles.begin(), angles.end(), same)) {
        angles.push_back(degrees);
    }
}

int indexOf(const std::vector<double>& angles, double degrees) {
    const auto nearer = [&](double a, double b) { return std::abs(a - degrees) < std::abs(b - degrees); };
    return static_cast<int>(std::min_element(angles.begin(), angles.end(), nearer) - angles.begin());
}

int clampIndex(int index, const std::vector<double>& angles) {
    return std::clamp(index, 0, std::max(0, static_cast<int>(angles.size()) - 1));
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

void DataModel::setData(std::shared_ptr<const HistoData> data) {
    if (data == data_ && !radial()) {
        return;
    }
    startOver();
    data_ = std::move(data);
    if (data_ != nullptr) {
        for (const View& view : data_->views) {
            addAngle(azimuths_, view.phi / kRadPerDeg);
            addAngle(tilts_, view.theta / kRadPerDeg);
        }
        std::sort(azimuths_.begin(), azimuths_.end());
        std::sort(tilts_.begin(), tilts_.end());
        grid_.assign(azimuths_.size() * tilts_.size(), std::nullopt);
        for (std::size_t v = 0; v < data_->views.size(); ++v) {
            const auto a = static_cast<std::size_t>(indexOf(azimuths_, data_->views[v].phi / kRadPerDeg));
            const auto t = static_cast<std::size_t>(indexOf(tilts_, data_->views[v].theta / kRadPerDeg));
            grid_[t * azimuths_.size() + a] = v;
        }
        azimuth_ = clampIndex(azimuth_, azimuths_);
        tilt_ = indexOf(tilts_, 0);  // the untilted view is the one that reads like a slice
    }
    Q_EMIT changed();
}

void DataModel::startOver() {
    data_.reset();
    ring_.reset();
    lines_.reset();
    azimuths_.clear();
    tilts_.clear();
    grid_.clear();
    shown_.reset();
    fit_.reset();
    totals_.clear();
    fault_.clear();
    made_ = {};
    scales_ = {};
}

void DataModel::setRing(std::shared_ptr<const SinogramData> data) {
    if (data == ring_) {
        return;
    }
    startOver();
    ring_ = std::move(data);
    const Michelogram& m = *ring_->michelogram;
    for (std::size_t segment = 0; segment < m.spec().segments.size(); ++segment) {
        azimuths_.push_back(static_cast<double>(segment));
    }
    for (int bin = 0; bin < m.timeBins(); ++bin) {
        tilts_.push_back(bin);
    }
    for (std::size_t view = 0; view < azimuths_.size() * tilts_.size(); ++view) {
        grid_.emplace_back(view);
    }
    azimuth_ = 0;  // the direct planes
    tilt_ = m.timeBins() / 2;
    Q_EMIT changed();
}

void DataModel::setLines(std::shared_ptr<const LineData> data) {
    if (data == lines_) {
        return;
    }
    startOver();
    lines_ = std::move(data);
    azimuths_ = lineTilts(*lines_);
    tilts_ = {0};
    for (std::size_t view = 0; view < azimuths_.size(); ++view) {
        grid_.emplace_back(view);
    }
    azimuth_ = static_cast<int>(azimuths_.size()) / 2;  // the flat ones
    tilt_ = 0;
    Q_EMIT changed();
}

void DataModel::setOpen(const std::optional<JobData>& data) {
    const auto* const ring = data ? std::get_if<std::shared_ptr<const SinogramData>>(&*data) : nullptr;
    const auto* const lines = data ? std::get_if<std::shared_ptr<const LineData>>(&*data) : nullptr;
    if (ring != nullptr) {
        setRing(*ring);
    } else if (lines != nullptr) {
        setLines(*lines);
    } else {
        setData(data ? histoOf(*data) : nullptr);
    }
}

std::optional<std::size_t> DataModel::viewAt(int azimuth, int tilt) const {
    const auto a = static_cast<std::size_t>(std::max(0, azimuth));
    const auto t = static_cast<std::size_t>(std::max(0, tilt));
    return a < azimuths_.size() && t < tilts_.size() ? grid_[t * azimuths_.size() + a] : std::nullopt;
}

void DataModel::setView(int azimuth, int tilt) {
    azimuth = clampIndex(azimuth, azimuths_);
    tilt = clampIndex(tilt, tilts_);
    if (azimuth != azimuth_ || tilt != tilt_) {
        azimuth_ = azimuth;
        tilt_ = tilt;
        Q_EMIT changed();
    }
}

void DataModel::stepAzimuth(int step) {
    const auto n = static_cast<int>(azimuths_.size());
    if (n > 0) {
        setView(((azimuth_ + step) % n + n) % n, tilt_);
    }
}

void DataModel::setAngles(double azimuth_deg, double tilt_deg) {
    if (!azimuths_.empty()) {
        setView(indexOf(azimuths_, azimuth_deg), indexOf(tilts_, tilt_deg));
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
    if (data_ == nullptr && !radial()) {
        return tr("Open a study, data or list-mode first");
    }
    if (lines_ != nullptr && quantity != DataQuantity::Counts) {
        return tr("Lines of response are shown as counts; bin them into sinograms for the rest");
    }
    const bool hasMult = data_ != nullptr ? !data_->mult.empty() : ring_ != nullptr && !ring_->mult.empty();
    const bool hasAdd = data_ != nullptr ? !data_->add.empty() : ring_ != nullptr && !ring_->add.empty();
    if (quantity == DataQuantity::Mult && !hasMult) {
        return tr("These data have no multiplicative corrections: 1 everywhere");
    }
    if (quantity == DataQuantity::Add && !hasAdd) {
        return tr("These data have no additive term: 0 everywhere");
    }
    if (needsExpectation(quantity)) {
        RunItem* item = runs_.selected();
        const auto image = item != nullptr ? item->volume() : nullptr;
        if (image == nullptr) {
            return tr("What is expected is projected from an image: run a reconstruction first (F5)");
        }
        if (!(image->lattice == (data_ != nullptr ? data_->lattice : ring_->lattice))) {
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

QJsonObject DataModel::toJson() const {
    QJsonArray scales;
    for (const Scale& s : scales_) {
        scales.append(QJsonObject{
            {"range", QJsonArray{s.range.low, s.range.high}}, {"auto", s.isAuto}, {"settled", s.settled}});
    }
    const auto angle = [](const std::vector<double>& angles, int index) {
        return angles.empty() ? 0.0 : angles[static_cast<std::size_t>(index)];
    };
    return {{"azimuth_deg", angle(azimuths_, azimuth_)},
            {"tilt_deg", angle(tilts_, tilt_)},
            {"quantity", QString::fromStdString(quantityName(quantity_))},
            {"ranges", scales}};
}

void DataModel::fromJson(const QJsonObject& saved) {
    setAngles(saved["azimuth_deg"].toDouble(), saved["tilt_deg"].toDouble());
    const QJsonArray scales = saved["ranges"].toArray();
    for (std::size_t i = 0; i < scales_.size() && static_cast<qsizetype>(i) < scales.size(); ++i) {
        const QJsonObject o = scales[static_cast<qsizetype>(i)].toObject();
        const QJsonArray range = o["range"].toArray();
        if (range.size() == 2 && range[1].toDouble() > range[0].toDouble()) {
            scales_[i] = {{range[0].toDouble(), range[1].toDouble()},
                          o["auto"].toBool(true),
                          o["settled"].toBool(false)};
        }
    }
    try {
        setQuantity(quantityFromName(saved["quantity"].toString().toStdString()));
    } catch (const WrongUse&) {
        setQuantity(DataQuantity::Counts);  // of another version
    }
    Q_EMIT changed();
}

void DataModel::compute(const Made& wanted, const RunSettings& settings, const EngineRegistry& engines,
                        Result& result) {
    if (wanted.lines != nullptr) {
        result.shown = std::make_shared<Volume>(lineView(*wanted.lines, wanted.view));
        return;
    }
    const auto segments = wanted.ring != nullptr ? wanted.ring->michelogram->spec().segments.size() : 1;
    const std::size_t segment = wanted.view % segments;
    const auto timeBin = static_cast<int>(wanted.view / segments);
    const auto measured = [&](DataQuantity quantity) {
        return wanted.ring != nullptr ? ringView(*wanted.ring, segment, timeBin, quantity)
                                      : dataView(*wanted.data, wanted.view, quantity);
    };
    if (wanted.image == nullptr) {
        result.shown = std::make_shared<Volume>(measured(wanted.quantity));
        return;
    }
    const Volume expected =
        wanted.ring != nullptr
            ? expectedSinogramView(*wanted.ring, segment, timeBin, *wanted.image, settings, engines)
            : expectedView(*wanted.data, wanted.view, *wanted.image, settings, engines);
    const Volume counts = measured(DataQuantity::Counts);
    result.shown = std::make_shared<Volume>(comparedCounts(counts, expected, wanted.quantity));
    result.fit = fitOfCounts(counts, expected, *result.shown);
}

void DataModel::refresh() {
    const auto index = view();
    if ((data_ == nullptr && !radial()) || !index || worker_.busy()) {
        return;
    }
    if (!whyNot(quantity_).isEmpty()) {
        shown_.reset();
        fit_.reset();
        made_ = {};
        return;
    }
    RunItem* item = runs_.selected();
    const Made wanted{
        data_,  ring_,     lines_,
        *index, quantity_, needsExpectation(quantity_) ? item->volume() : std::shared_ptr<const Volume>()};
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
                result->totals = wanted.data != nullptr   ? viewTotals(*wanted.data)
                                 : wanted.ring != nullptr ? ringViewTotals(*wanted.ring)
                                                          : lineViewTotals(*wanted.lines);
            }
        },
        [this, wanted, result](const std::exception_ptr& fault) {
            if (wanted.data != data_ || wanted.ring != ring_ || wanted.lines != lines_) {
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
