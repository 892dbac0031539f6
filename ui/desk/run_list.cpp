// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_list.h"

#include <algorithm>

namespace tof::ui {

RunList::RunList(QObject* parent)
    : QObject(parent),
      coalescer_(new Coalescer(
          [this] {
              Q_EMIT changed();
              settling_.start();
          },
          this)) {
    constexpr int kSettles_ms = 24;
    settling_.setSingleShot(true);
    settling_.setInterval(kSettles_ms);
    connect(&settling_, &QTimer::timeout, this, &RunList::settled);
}

void RunList::flush() {
    coalescer_->flush();
    if (settling_.isActive()) {
        settling_.stop();
        Q_EMIT settled();
    }
}

RunItem* RunList::find(int id) {
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->id() == id; });
    return it != items_.end() ? it->get() : nullptr;
}

RunItem* RunList::find(const QString& label) {
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->label() == label; });
    return it != items_.end() ? it->get() : nullptr;
}

RunItem* RunList::onScreen() {
    RunItem* item = selected();
    if (item == nullptr || !item->awaitsFirstImage()) {
        return item;
    }
    RunItem* before = find(before_);
    const bool fits = before != nullptr && before->volume() != nullptr &&
                      (item->lattice().voxels() == 0 || before->lattice() == item->lattice());
    return fits ? before : item;
}

int RunList::indexOf(int id) const {
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->id() == id; });
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
        if (item.volume() != nullptr && item.lattice() == mine->lattice()) {
            return &item;
        }
    }
    return nullptr;
}

QString RunList::freeLabel() {
    QString label;
    do {
        const int n = nextLabel_++;
        label = n < 26 ? QString(QChar('A' + n)) : QString(QChar('A' + n / 26 - 1)) + QChar('A' + n % 26);
    } while (find(label) != nullptr);
    return label;
}

RunItem& RunList::add(RunKind kind, const QString& name, const QString& label) {
    items_.push_back(std::make_unique<RunItem>(nextId_++, kind, label.isEmpty() ? freeLabel() : label, name));
    if (selected_ == 0) {
        selected_ = items_.back()->id();
    }
    touch();
    return *items_.back();
}

int RunList::addVolume(const QString& name, std::shared_ptr<const Volume> volume, const QString& label,
                       std::optional<ImageKind> madeAs) {
    RunItem& item = add(RunKind::Volume, name, find(label) == nullptr ? label : QString());
    item.open(std::move(volume));
    if (madeAs) {
        item.setMadeAs(*madeAs);
    }
    return item.id();
}

std::unique_ptr<RunItem> RunList::take(int id) {
    const int index = indexOf(id);
    if (index < 0) {
        return nullptr;
    }
    std::unique_ptr<RunItem> item = std::move(items_[static_cast<std::size_t>(index)]);
    items_.erase(items_.begin() + index);
    if (selected_ == id) {
        selected_ =
            items_.empty() ? 0 : items_[std::min(items_.size() - 1, static_cast<std::size_t>(index))]->id();
    }
    touch();
    return item;
}

void RunList::insert(std::unique_ptr<RunItem> item, int index) {
    const int id = item->id();
    items_.insert(items_.begin() + std::clamp(index, 0, static_cast<int>(items_.size())), std::move(item));
    select(id);
    touch();
}

void RunList::rename(int id, const QString& name) {
    RunItem* item = find(id);
    const QString plain = name.simplified();
    if (item != nullptr && !plain.isEmpty() && item->name() != plain) {
        item->rename(plain);
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
        if (const RunItem* item = onScreen(); item != nullptr) {
            before_ = item->id();
        }
        selected_ = id;
        Q_EMIT selectionChanged();
        touch();
    }
}

void RunList::selectNext(int step) {
    const int index = indexOf(selected_);
    if (index >= 0) {
        select(
            items_[static_cast<std::size_t>(std::clamp(index + step, 0, static_cast<int>(items_.size()) - 1))]
                ->id());
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
    const bool shown = item != nullptr && item->shown() == iteration &&
                       (item->framesWanted() == item->framesShown() && item->framesShown().one());
    if (item == nullptr || shown) {
        return;
    }
    const auto all = item->iterates();
    if (iteration == 0 || std::binary_search(all.begin(), all.end(), iteration)) {
        item->show(iteration);
        touch();
    }
}

void RunList::showFrames(int id, FrameRange frames) {
    if (RunItem* item = find(id); item != nullptr && item->dynamic() != nullptr) {
        item->showFrames(frames);
        touch();
    }
}

void RunList::stepIterate(int step) {
    RunItem* item = selected();
    if (item == nullptr || !(item->hasIterates() || item->dynamic() != nullptr)) {
        return;
    }
    const auto all = item->iterates();
    if (all.empty()) {
        return;
    }
    if (item->dynamic() != nullptr && item->shown() == 0) {  // from the mean to the first frame, or the last
        showIterate(item->id(), step > 0 ? all.front() : all.back());
        return;
    }
    const auto at = std::lower_bound(all.begin(), all.end(), item->shownIterate()) - all.begin();
    const auto next = std::clamp<std::ptrdiff_t>(at + step, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    // Stepping past the end follows the run again.
    const bool follow = isActive(item->state()) && at + step > next;
    showIterate(item->id(), follow ? 0 : all[static_cast<std::size_t>(next)]);
}

void RunList::trim(std::size_t bytes) {
    std::size_t held = 0;
    for (const auto& item : items_) {
        for (const auto& [iteration, image] : item->images()) {
            held += image->data.size() * sizeof(float);
        }
    }
    std::size_t excess = held - std::min(held, bytes);
    for (const auto& item : items_) {
        excess = item->dropImages(excess);
    }
}

}  // namespace tof::ui
