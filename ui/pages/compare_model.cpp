// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/metrics/image_math.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"
#include "ui/kit/names.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::pair<CompareMode, const char*> kModes[] = {{CompareMode::SideBySide, "side-by-side"},
                                                          {CompareMode::Swipe, "swipe"},
                                                          {CompareMode::Checkerboard, "checkerboard"}};

constexpr std::pair<IterateLink, const char*> kLinks[] = {{IterateLink::None, "none"},
                                                          {IterateLink::Same, "same-iterate"},
                                                          {IterateLink::MatchedNoise, "matched-noise"}};

}  // namespace

QString modeName(CompareMode mode) {
    return nameIn(kModes, mode);
}

CompareMode modeFromName(const QString& name) {
    return valueIn(kModes, name, "no comparison '%1'; there are side-by-side, swipe and checkerboard");
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
    const auto images = std::count_if(runs_.items().begin(), runs_.items().end(),
                                      [&](const auto& item) { return hasImage(*item); });
    return images >= 2 ? QString() : tr("Two runs or volumes with images are needed");
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
        if (item->volume() != nullptr) {
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

void CompareModel::chooseIterate(int operand, int iteration) {
    if (const RunItem* item = operand == 0 ? a() : b()) {
        if (operand == 1) {
            link_ = IterateLink::None;  // it was chosen by itself
        }
        runs_.showIterate(item->id(), iteration);
        Q_EMIT changed();
    }
}

void CompareModel::setLink(IterateLink link) {
    if (link != link_) {
        link_ = link;
        followLink();
        Q_EMIT changed();
    }
}

/// Finds among the iterates there are the one for which `distance` is smallest; 0 for none.
template <typename Distance>
int nearestIterate(const RunItem& item, Distance distance) {
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const int iteration : item.iterates()) {
        const double d = distance(iteration);
        if (d < least) {
            least = d;
            best = iteration;
        }
    }
    return best;
}

void CompareModel::followLink() {
    const RunItem* one = a();
    const RunItem* two = b();
    if (link_ == IterateLink::None || one == nullptr || two == nullptr || one->isVolume() ||
        two->isVolume()) {
        return;
    }
    const int at = one->shownIterate();
    const Figures* figures = one->figuresOf(at);
    const auto noise = [two](int iteration) {
        const Figures* of = two->figuresOf(iteration);
        return of != nullptr ? of->noise : std::numeric_limits<double>::quiet_NaN();
    };
    const int wanted = link_ == IterateLink::Same
                           ? nearestIterate(*two, [at](int i) { return std::abs(i - at); })
                       : figures != nullptr
                           ? nearestIterate(*two, [&](int i) { return std::abs(noise(i) - figures->noise); })
                           : 0;
    if (wanted > 0 && wanted != two->shownIterate()) {
        runs_.showIterate(two->id(), wanted);
    }
}

std::array<QString, 2> CompareModel::names() const {
    const auto label = [](const RunItem* item) { return item != nullptr ? item->label() : QString(); };
    return {label(a()), label(b())};
}

QString CompareModel::differenceName() const {
    return names()[0] + " " + QChar(0x2212) + " " + names()[1];
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
    return {
        {"a", label(a())}, {"b", label(b())},     {"mode", modeName(mode_)}, {"split", split_},
        {"limit", limit_}, {"auto_limit", auto_}, {"relative", relative_},   {"link", nameIn(kLinks, link_)}};
}

void CompareModel::fromJson(const nlohmann::json& saved) {
    for (const auto& item : runs_.items()) {
        idA_ = item->label() == savedIn<QString>(saved, "a") ? item->id() : idA_;
        idB_ = item->label() == savedIn<QString>(saved, "b") ? item->id() : idB_;
    }
    mode_ = valueIn(kModes, savedIn<QString>(saved, "mode"), mode_);
    split_ = std::clamp(savedIn(saved, "split", split_), 0.0, 1.0);
    const double limit = savedIn(saved, "limit", limit_);
    limit_ = limit > 0 ? limit : limit_;
    auto_ = savedIn(saved, "auto_limit", auto_);
    relative_ = savedIn(saved, "relative", relative_);
    link_ = valueIn(kLinks, savedIn<QString>(saved, "link"), link_);
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
    if (a() == nullptr || b() == nullptr || a() == b()) {
        // The selected run against the next one on its lattice, else against any.
        RunItem* selected = runs_.onScreen();
        RunItem* other = runs_.other();
        for (const auto& item : runs_.items()) {
            if ((other == nullptr || other == selected) && item.get() != selected &&
                item->volume() != nullptr) {
                other = item.get();
            }
        }
        idA_ = selected != nullptr ? selected->id() : 0;
        idB_ = other != nullptr ? other->id() : 0;
        if (idA_ > idB_ && idB_ > 0) {
            std::swap(idA_, idB_);
        }
    }
    followLink();
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
            const auto second =
                one->lattice == two->lattice
                    ? two
                    : std::make_shared<const Volume>(resampled(*two, one->lattice, Sampling::Trilinear));
            *result = {differenceOf(*one, *second), compareVolumes(*one, *second), 0};
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
