// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_list.h"

#include <algorithm>
#include <numeric>

#include "recon/base/error.h"
#include "ui/kit/text.h"

namespace tof::ui {

bool isActive(RunState state) {
    return state == RunState::Preparing || state == RunState::Running || state == RunState::Paused;
}

int RunItem::lastIterate() const {
    return images.empty() ? 0 : images.rbegin()->first;
}

double RunItem::seconds() const {
    if (workSeconds > 0) {
        return earlierSeconds + workSeconds;
    }
    return std::accumulate(timing.begin(), timing.end(), 0.0,
                           [](double sum, const StoredIterate& iterate) { return sum + iterate.seconds; });
}

int RunItem::shownIterate() const {
    if (shown > 0) {
        return shown;
    }
    return images.empty() && !imagesOnDisk.empty() ? imagesOnDisk.back() : lastIterate();
}

std::shared_ptr<const Volume> RunItem::volume() const {
    if (shown > 0) {
        const auto it = images.find(shown);
        return it != images.end() ? it->second : nullptr;
    }
    if (live != nullptr) {
        return live;
    }
    return images.empty() ? nullptr : images.rbegin()->second;
}

int RunItem::missingImage() const {
    if (file.isEmpty() || volume() != nullptr) {
        return 0;
    }
    return shown > 0 ? shown : imagesOnDisk.empty() ? 0 : imagesOnDisk.back();
}

const Figures* RunItem::figuresOf(int iteration) const {
    const auto it = std::find_if(figures.begin(), figures.end(),
                                 [&](const Figures& f) { return f.iteration == iteration; });
    return it != figures.end() ? &*it : nullptr;
}

QString RunItem::shownText() const {
    if (isVolume) {
        return name;
    }
    if (shown == 0 && live != nullptr) {
        return Text::tr("iterate %1 in work").arg(progress.iteration);
    }
    const int iteration = shownIterate();
    return iteration > 0 ? Text::tr("iterate %1").arg(iteration) : QString();
}

std::vector<int> RunItem::iterates() const {
    std::vector<int> all = imagesOnDisk;
    for (const auto& [iteration, image] : images) {
        all.push_back(iteration);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

RunList::RunList(QObject* parent)
    : QObject(parent), coalescer_(new Coalescer([this] { Q_EMIT changed(); }, this)) {}

RunItem* RunList::find(int id) {
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->id == id; });
    return it != items_.end() ? it->get() : nullptr;
}

int RunList::indexOf(int id) const {
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->id == id; });
    return it != items_.end() ? static_cast<int>(it - items_.begin()) : -1;
}

RunItem* RunList::other() {
    RunItem* mine = selected();
    if (mine == nullptr) {
        return nullptr;
    }
    const auto start = static_cast<std::size_t>(indexOf(selected_));
    for (std::size_t i = 1; i < items_.size(); ++i) {
        RunItem& item = *items_[(start + i) % items_.size()];
        if (item.volume() != nullptr && item.lattice == mine->lattice) {
            return &item;
        }
    }
    return nullptr;
}

RunItem& RunList::add(const QString& name, const QString& label) {
    auto item = std::make_unique<RunItem>();
    item->id = nextId_++;
    item->label = label;
    if (label.isEmpty()) {
        const auto taken = [&](const QString& candidate) {
            return std::any_of(items_.begin(), items_.end(),
                               [&](const auto& other) { return other->label == candidate; });
        };
        do {
            const int n = nextLabel_++;
            item->label =
                n < 26 ? QString(QChar('A' + n)) : QString(QChar('A' + n / 26 - 1)) + QChar('A' + n % 26);
        } while (taken(item->label));
    }
    item->name = name;
    items_.push_back(std::move(item));
    if (selected_ == 0) {
        selected_ = items_.back()->id;
    }
    touch();
    return *items_.back();
}

void RunList::remove(int id) {
    const int index = indexOf(id);
    if (index < 0) {
        return;
    }
    items_.erase(items_.begin() + index);
    if (selected_ == id) {
        selected_ =
            items_.empty() ? 0 : items_[std::min(items_.size() - 1, static_cast<std::size_t>(index))]->id;
    }
    touch();
}

void RunList::rename(int id, const QString& name) {
    RunItem* item = find(id);
    const QString plain = name.simplified();
    if (item != nullptr && !plain.isEmpty() && item->name != plain) {
        item->name = plain;
        item->renamed = true;
        touch();
    }
}

void RunList::clear() {
    items_.clear();
    selected_ = 0;
    nextLabel_ = 0;
    touch();
}

void RunList::select(int id) {
    if (id != selected_ && find(id) != nullptr) {
        selected_ = id;
        touch();
    }
}

void RunList::selectNext(int step) {
    const int index = indexOf(selected_);
    if (index >= 0) {
        select(
            items_[static_cast<std::size_t>(std::clamp(index + step, 0, static_cast<int>(items_.size()) - 1))]
                ->id);
    }
}

void RunList::arrange(const std::vector<int>& ids) {
    std::vector<int> places;
    std::transform(ids.begin(), ids.end(), std::back_inserter(places),
                   [this](int id) { return indexOf(id); });
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::swap(items_[static_cast<std::size_t>(places[i])],
                  items_[static_cast<std::size_t>(indexOf(ids[i]))]);
    }
    touch();
}

void RunList::showIterate(int id, int iteration) {
    RunItem* item = find(id);
    if (item == nullptr || item->shown == iteration) {
        return;
    }
    const auto all = item->iterates();
    if (iteration == 0 || std::binary_search(all.begin(), all.end(), iteration)) {
        item->shown = iteration;
        touch();
    }
}

void RunList::stepIterate(int step) {
    RunItem* item = selected();
    if (item == nullptr || item->isVolume) {
        return;
    }
    const auto all = item->iterates();
    if (all.empty()) {
        return;
    }
    const auto at = std::lower_bound(all.begin(), all.end(), item->shownIterate()) - all.begin();
    const auto next = std::clamp<std::ptrdiff_t>(at + step, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    // Stepping past the end follows the run again.
    const bool follow = isActive(item->state) && at + step > next;
    showIterate(item->id, follow ? 0 : all[static_cast<std::size_t>(next)]);
}

void RunList::trim(std::size_t bytes) {
    std::size_t held = 0;
    for (const auto& item : items_) {
        for (const auto& [iteration, image] : item->images) {
            held += image->data.size() * sizeof(float);
        }
    }
    for (const auto& item : items_) {
        for (auto it = item->images.begin(); it != item->images.end() && held > bytes;) {
            const bool keep = it->first == item->shown || std::next(it) == item->images.end();
            if (keep) {
                ++it;
                continue;
            }
            held -= it->second->data.size() * sizeof(float);
            it = item->images.erase(it);
        }
    }
}

}  // namespace tof::ui
