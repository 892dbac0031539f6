// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_model.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::pair<CompareMode, const char*> kModes[] = {{CompareMode::SideBySide, "side-by-side"},
                                                          {CompareMode::Swipe, "swipe"},
                                                          {CompareMode::Checkerboard, "checkerboard"}};

}  // namespace

QString modeName(CompareMode mode) {
    const auto* const found = std::find_if(std::begin(kModes), std::end(kModes),
                                           [&](const auto& entry) { return entry.first == mode; });
    return found->second;
}

CompareMode modeFromName(const QString& name) {
    for (const auto& [mode, text] : kModes) {
        if (name == text) {
            return mode;
        }
    }
    throw WrongUse("no comparison '" + name.toStdString() +
                   "'; there are side-by-side, swipe and checkerboard");
}

CompareModel::CompareModel(RunList& runs, Threading threading, QObject* parent)
    : QObject(parent), runs_(runs), worker_(threading) {}

RunItem* CompareModel::a() const {
    return runs_.find(idA_);
}

RunItem* CompareModel::b() const {
    return runs_.find(idB_);
}

QString CompareModel::whyNot() const {
    // An iterate that is being read counts: the page does not close while one goes through them.
    const auto hasImage = [](const RunItem& item) {
        return item.volume() != nullptr || item.missingImage() > 0;
    };
    for (const auto& one : runs_.items()) {
        for (const auto& two : runs_.items()) {
            if (one != two && hasImage(*one) && hasImage(*two) && one->lattice() == two->lattice()) {
                return {};
            }
        }
    }
    return tr("Two runs or volumes with images on the same lattice are needed");
}

void CompareModel::choose(int idA, int idB) {
    if (idA != idA_ || idB != idB_) {
        idA_ = idA;
        idB_ = idB;
        refresh();
        Q_EMIT changed();
    }
}

void CompareModel::swap() {
    choose(idB_, idA_);
}

void CompareModel::step(int operand, int step) {
    RunItem* const changed = operand == 0 ? a() : b();
    if (changed == nullptr) {
        return;
    }
    std::vector<int> ids;
    for (const auto& item : runs_.items()) {
        if (item->volume() != nullptr && item->lattice() == changed->lattice()) {
            ids.push_back(item->id());
        }
    }
    const auto here = std::find(ids.begin(), ids.end(), changed->id());
    if (here == ids.end()) {
        return;
    }
    const auto last = static_cast<std::ptrdiff_t>(ids.size()) - 1;
    const std::ptrdiff_t at = std::clamp<std::ptrdiff_t>(here - ids.begin() + step, 0, last);
    const int id = ids[static_cast<std::size_t>(at)];
    choose(operand == 0 ? id : idA_, operand == 0 ? idB_ : id);
}

void CompareModel::setRelative(bool relative) {
    if (relative != relative_) {
        relative_ = relative;
        Q_EMIT changed();
    }
}

void CompareModel::setMode(CompareMode mode) {
    if (mode != mode_) {
        mode_ = mode;
        Q_EMIT changed();
    }
}

void CompareModel::setSplit(double split) {
    split_ = std::clamp(split, 0.0, 1.0);
    Q_EMIT changed();
}

void CompareModel::setLimit(double limit) {
    if (limit > 0 && std::isfinite(limit)) {
        limit_ = limit;
        auto_ = false;
        Q_EMIT changed();
    }
}

void CompareModel::setAutoLimit() {
    auto_ = true;
    useFigures();
    Q_EMIT changed();
}

nlohmann::json CompareModel::toJson() const {
    const auto label = [](RunItem* item) { return item != nullptr ? item->label() : QString(); };
    return {{"a", label(a())}, {"b", label(b())},     {"mode", modeName(mode_)}, {"split", split_},
            {"limit", limit_}, {"auto_limit", auto_}, {"relative", relative_}};
}

void CompareModel::fromJson(const nlohmann::json& saved) {
    for (const auto& item : runs_.items()) {
        idA_ = item->label() == savedIn<QString>(saved, "a") ? item->id() : idA_;
        idB_ = item->label() == savedIn<QString>(saved, "b") ? item->id() : idB_;
    }
    for (const auto& [mode, name] : kModes) {
        mode_ = savedIn<QString>(saved, "mode") == name ? mode : mode_;
    }
    split_ = std::clamp(savedIn(saved, "split", split_), 0.0, 1.0);
    const double limit = savedIn(saved, "limit", limit_);
    limit_ = limit > 0 ? limit : limit_;
    auto_ = savedIn(saved, "auto_limit", auto_);
    relative_ = savedIn(saved, "relative", relative_);
    Q_EMIT changed();
}

void CompareModel::useFigures() {
    if (auto_ && figures_) {
        const double limit =
            roundUpTwoDigits(figures_->percentile999 > 0 ? figures_->percentile999 : figures_->largest);
        limit_ = limit > 0 ? limit : 1;
    }
}

void CompareModel::refresh() {
    if (a() == nullptr || b() == nullptr || !(a()->lattice() == b()->lattice())) {
        // The selected run against the next one that fits.
        RunItem* selected = runs_.selected();
        RunItem* other = runs_.other();
        idA_ = selected != nullptr ? selected->id() : 0;
        idB_ = other != nullptr ? other->id() : 0;
        if (idA_ > idB_ && idB_ > 0) {
            std::swap(idA_, idB_);
        }
    }
    if (a() == nullptr || b() == nullptr || worker_.busy()) {
        return;
    }
    const auto one = a()->volume();
    const auto two = b()->volume();
    if (one == nullptr || two == nullptr || (one == volumeA_ && two == volumeB_)) {
        return;
    }
    struct Result {
        Volume difference;
        DifferenceFigures figures;
        double largestB = 0;
    };
    const auto result = std::make_shared<Result>();
    worker_.start(
        [one, two, result] {
            *result = {differenceOf(*one, *two), compareVolumes(*one, *two), 0};
            for (const float v : two->data) {
                result->largestB = std::max(result->largestB, std::abs(static_cast<double>(v)));
            }
        },
        [this, one, two, result](const std::exception_ptr& fault) {
            volumeA_ = one;
            volumeB_ = two;
            difference_.reset();
            figures_.reset();
            if (fault == nullptr) {
                difference_ = std::make_shared<const Volume>(std::move(result->difference));
                figures_ = result->figures;
                largestB_ = result->largestB;
                useFigures();
            }
            Q_EMIT changed();
            refresh();  // the images may have changed meanwhile
        });
}

}  // namespace tof::ui
