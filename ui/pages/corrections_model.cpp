// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr double kLeastFactor = 1e-6;  ///< what is divided by

/// Counts with a part taken out of them.
Volume corrected(const Volume& counts, const Volume& part, DataQuantity quantity) {
    Volume result = counts;
    double mean = 1;
    if (quantity == DataQuantity::Mult) {
        // Over its mean: what is left is how much more or less a place sees than others.
        double sum = 0;
        double number = 0;
        for (const float value : part.data) {
            sum += static_cast<double>(value);
            number += value > 0 ? 1 : 0;
        }
        mean = number > 0 ? sum / number : 1;
    }
    for (std::size_t i = 0; i < result.data.size(); ++i) {
        const auto factor = static_cast<double>(part.data[i]);
        const auto value = static_cast<double>(counts.data[i]);
        result.data[i] = static_cast<float>(quantity == DataQuantity::Add ? value - factor
                                            : factor > kLeastFactor       ? value * mean / factor
                                                                          : 0.0);
    }
    return result;
}

}  // namespace

/// What the worker hands back.
struct CorrectionsModel::Result {
    std::array<std::shared_ptr<Volume>, 3> pictures;
    std::optional<Sizes> sizes;
};

CorrectionsModel::CorrectionsModel(Threading threading, QObject* parent)
    : QObject(parent), worker_(threading) {}

const std::array<DataQuantity, 3>& CorrectionsModel::parts() {
    static constexpr std::array<DataQuantity, 3> kParts{DataQuantity::Att, DataQuantity::Mult,
                                                        DataQuantity::Add};
    return kParts;
}

std::size_t CorrectionsModel::place(DataQuantity part) {
    const auto& all = parts();
    const auto found = std::find(all.begin(), all.end(), part);
    if (found == all.end()) {
        throw InternalError("no correction");
    }
    return static_cast<std::size_t>(found - all.begin());
}

void CorrectionsModel::setOpen(std::shared_ptr<const Measurement> data, const Form* form) {
    if (data == data_) {
        return;
    }
    wish_.end();
    wish_ = Wish();
    data_ = std::move(data);
    views_.clear();
    corrections_ = form != nullptr ? form->corrections : FormCorrections();
    if (data_ != nullptr) {
        for (const auto& view : data_->layout().views) {
            if (view) {
                views_.push_back(*view);
            }
        }
        std::sort(views_.begin(), views_.end());
        const auto has = [this](DataQuantity part) { return whyNot(part).isEmpty(); };
        if (!has(part_)) {
            const auto found = std::find_if(parts().begin(), parts().end(), has);
            part_ = found != parts().end() ? *found : part_;
        }
    }
    view_ = std::clamp(view_, 0, std::max(0, viewCount() - 1));
    pictures_ = {};
    sizes_ = {};
    made_ = {};
    fault_.clear();
    Q_EMIT changed();
}

void CorrectionsModel::setPart(DataQuantity part) {
    static_cast<void>(place(part));
    if (part != part_) {
        part_ = part;
        pictures_ = {};
        Q_EMIT changed();
    }
}

CorrectionsModel::~CorrectionsModel() {
    wish_.end();
}

void CorrectionsModel::setView(int view) {
    view = std::clamp(view, 0, std::max(0, viewCount() - 1));
    if (view != view_) {
        view_ = view;
        Q_EMIT changed();
    }
}

std::optional<std::size_t> CorrectionsModel::viewIndex() const {
    return views_.empty() ? std::nullopt : std::optional(views_[static_cast<std::size_t>(view_)]);
}

QString CorrectionsModel::whyNot(DataQuantity part) const {
    if (data_ == nullptr) {
        return tr("Open a study, data or list-mode first");
    }
    if (data_->shows(part)) {
        return {};
    }
    if (corrections_.shown == PartsShown::InSum) {
        return tr(
            "Every line of a list has corrections of its own: no view shows them, their sizes are below");
    }
    switch (part) {
        case DataQuantity::Att: return tr("These data do not keep attenuation apart");
        case DataQuantity::Mult: return tr("These data have no efficiencies: 1 everywhere");
        default: return tr("These data have no randoms and no scatter: 0 everywhere");
    }
}

const std::vector<double>& CorrectionsModel::sizes(DataQuantity part) const {
    return sizes_[place(part)].byView;
}

double CorrectionsModel::size(DataQuantity part) const {
    const Sizes& sizes = sizes_[place(part)];
    return sizes.byView.empty() ? std::nan("") : sizes.whole;
}

std::shared_ptr<const Volume> CorrectionsModel::picture(int column) const {
    return pictures_[static_cast<std::size_t>(column)];
}

DisplayRange CorrectionsModel::range(int column) const {
    const auto of = column == 2 && part_ == DataQuantity::Add ? picture(0) : picture(column);
    return of != nullptr ? robustRange(*of) : DisplayRange();
}

CorrectionsModel::Sizes CorrectionsModel::sizesOf(const Measurement& data,
                                                  const std::vector<std::size_t>& views, DataQuantity part,
                                                  const Wish& wish) {
    Sizes sizes;
    double all = 0;
    double allCounts = 0;
    for (const std::size_t view : views) {
        wish();
        const Volume counts = data.view(view, DataQuantity::Counts);
        const Volume values = data.view(view, part);
        double sum = 0;
        double weight = 0;
        for (std::size_t i = 0; i < counts.data.size(); ++i) {
            const auto count = static_cast<double>(counts.data[i]);
            const auto value = static_cast<double>(values.data[i]);
            sum += part == DataQuantity::Add ? value : count * value;
            weight += count;
        }
        sizes.byView.push_back(weight > 0 ? sum / weight : std::nan(""));
        all += sum;
        allCounts += weight;
    }
    sizes.whole = allCounts > 0 ? all / allCounts : std::nan("");
    return sizes;
}

void CorrectionsModel::compute(const Made& wanted, std::size_t index, Result& result) {
    const Measurement& data = *wanted.data;
    result.pictures[0] = std::make_shared<Volume>(data.view(index, DataQuantity::Counts));
    result.pictures[1] = std::make_shared<Volume>(data.view(index, wanted.part));
    result.pictures[2] =
        std::make_shared<Volume>(corrected(*result.pictures[0], *result.pictures[1], wanted.part));
}

void CorrectionsModel::refresh() {
    if (data_ == nullptr || worker_.busy() || views_.empty()) {
        return;
    }
    if (!whyNot(part_).isEmpty()) {
        pictures_ = {};
        made_ = {};
        return;
    }
    const Made wanted{data_, part_, view_};
    if (wanted == made_) {
        return;
    }
    const auto result = std::make_shared<Result>();
    worker_.start(
        [wanted, result, views = views_, add = sizes(part_).empty(), wish = wish_] {
            compute(wanted, views[static_cast<std::size_t>(wanted.view)], *result);
            if (add) {
                result->sizes = sizesOf(*wanted.data, views, wanted.part, wish);
            }
        },
        [this, wanted, result](const std::exception_ptr& fault) {
            if (wanted.data == data_ && !isCancelled(fault)) {
                fault_ = fault != nullptr ? sentence(fault) : QString();
                made_ = wanted;
                if (result->sizes) {
                    sizes_[place(wanted.part)] = *result->sizes;
                }
                if (wanted.part == part_) {
                    std::copy(result->pictures.begin(), result->pictures.end(), pictures_.begin());
                }
                Q_EMIT changed();
            }
            refresh();  // data, part or view may have changed meanwhile
        });
}

nlohmann::json CorrectionsModel::toJson() const {
    return {{"part", quantityName(part_)}, {"view", view_}};
}

void CorrectionsModel::fromJson(const nlohmann::json& saved) {
    const auto name = savedIn<std::string>(saved, "part", "");
    for (const DataQuantity part : parts()) {
        if (quantityName(part) == name) {
            setPart(part);
        }
    }
    setView(savedIn(saved, "view", view_));
}

}  // namespace tof::ui
