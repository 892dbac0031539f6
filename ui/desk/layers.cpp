// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/layers.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

namespace {

constexpr double kFusion = 0.6;  ///< opacity of what lies over the first layer

/// The colour of "#rrggbb"; black for any other text.
viz::Rgb rgbOf(const QString& colour) {
    const unsigned value = colour.mid(1).toUInt(nullptr, 16);
    const auto part = [value](unsigned shift) { return static_cast<std::uint8_t>(value >> shift & 0xffU); };
    return {part(16), part(8), part(0)};
}

}  // namespace

LayerModel::LayerModel(RunList& runs, ViewModel& view, Screen& screen, QUndoStack& undo)
    : runs_(runs), view_(view), screen_(screen), undo_(undo) {
    connect(&runs_, &RunList::changed, this, &LayerModel::follow);
    connect(&runs_, &RunList::selectionChanged, this, &LayerModel::follow);
}

/// Follows what is gone through with the list: the last image stays where a layer is selected to change its
/// look.
void LayerModel::follow() {
    const RunItem* item = runs_.onScreen();
    if (item == nullptr || find(item->label()) >= 0 || item->label() == foreground_) {
        return;
    }
    before_ = foreground_;
    foreground_ = item->label();
}

RunItem* LayerModel::itemOf(const Layer& layer) {
    if (!layer.image.isEmpty()) {
        return runs_.find(layer.image);
    }
    RunItem* item = runs_.onScreen();
    const bool own = item != nullptr && find(item->label()) < 0;
    return own ? item : runs_.find(foreground_);
}

int LayerModel::find(const QString& image) const {
    const auto it = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& layer) {
        return !image.isEmpty() && layer.image == image;
    });
    return it != layers_.end() ? static_cast<int>(it - layers_.begin()) : -1;
}

int LayerModel::indexOf(const QString& image) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const RunItem* item = itemOf(layers_[i]);
        if (item != nullptr && item->label() == image) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

int LayerModel::top() const {
    for (int i = static_cast<int>(layers_.size()) - 1; i >= 0; --i) {
        if (layers_[static_cast<std::size_t>(i)].visible) {
            return i;
        }
    }
    return static_cast<int>(layers_.size()) - 1;
}

std::vector<ShownLayer> LayerModel::shown() {
    std::vector<ShownLayer> out;
    const RunItem* active = runs_.onScreen();
    for (const Layer& layer : layers_) {
        RunItem* item = layer.visible ? itemOf(layer) : nullptr;
        const auto volume = item != nullptr ? item->volume() : nullptr;
        if (volume == nullptr) {
            continue;
        }
        const QString key = screen_.lookKey(*item);
        const Look look = screen_.lookOf(*item);
        const bool automatic = look.isAuto && key != view_.lookKey();
        const viz::ColourMap map = layer.colour.isEmpty() ? viz::ColourMap::find(look.map.toStdString())
                                                          : viz::ColourMap::ofColour(rgbOf(layer.colour));
        out.push_back({item, volume, automatic ? screen_.automaticRange(volume, look.range) : look.range,
                       look.inverted ? map.inverted() : map, screen_.unitOf(*item), layer.opacity,
                       item == active});
    }
    return out;
}

QString LayerModel::whyNotPin(const QString& image) {
    const RunItem* item = runs_.find(image);
    if (item == nullptr || item->volume() == nullptr) {
        return tr("There is no image yet");
    }
    return runs_.items().size() < 2 ? tr("There is no other image to lie over it") : QString();
}

void LayerModel::pin(const QString& image) {
    RunItem* item = runs_.find(image);
    if (item == nullptr || find(image) >= 0) {
        return;
    }
    if (foreground_ == image) {
        foreground_ = before_;
    }
    RunItem* over = runs_.find(foreground_);
    for (const auto& other : runs_.items()) {
        if (over == nullptr && other->label() != image && find(other->label()) < 0) {
            over = other.get();
            foreground_ = over->label();
        }
    }
    std::vector<Layer> after = layers_;
    after.insert(after.begin(), Layer{image});
    if (!stacked()) {
        after.back().opacity = kFusion;
    }
    push(after, tr("Layer %1").arg(image));
    if (over == nullptr) {
        return;
    }
    const QString key = screen_.lookKey(*over);
    Look look = screen_.lookOf(*over);
    if (key != screen_.lookKey(*item) && !look.picked) {
        look.map = "hot-metal";  // two greys over each other cannot be told apart
        look.picked = true;      // a session brings it back
        view_.setLook(key, look);
    }
    runs_.select(over->id());
}

void LayerModel::unpin(const QString& image) {
    const int index = find(image);
    if (index < 0) {
        return;
    }
    std::vector<Layer> after = layers_;
    after.erase(after.begin() + index);
    if (after.size() == 1) {
        after.front() = Layer{};
    }
    push(after, tr("Remove layer %1").arg(image));
}

void LayerModel::setVisible(int index, bool visible) {
    std::vector<Layer> after = layers_;
    after.at(static_cast<std::size_t>(index)).visible = visible;
    push(after, tr("Show or hide layer"), index);  // a blink leaves no steps
}

void LayerModel::setOpacity(int index, double opacity) {
    std::vector<Layer> after = layers_;
    after.at(static_cast<std::size_t>(index)).opacity =
        std::isfinite(opacity) ? std::clamp(opacity, 0.0, 1.0) : 1.0;
    constexpr int kMostLayers = 1000;
    push(after, tr("Opacity"), drag_ * kMostLayers + index);
}

void LayerModel::setName(int index, const QString& name) {
    std::vector<Layer> after = layers_;
    after.at(static_cast<std::size_t>(index)).name = name.simplified();
    push(after, tr("Name of layer"));
}

void LayerModel::setColour(int index, const QString& colour) {
    static const QRegularExpression form("^#[0-9a-fA-F]{6}$");
    if (!colour.isEmpty() && !form.match(colour).hasMatch()) {
        throw WrongUse("'" + colour.toStdString() + "' is no colour; #rrggbb, as in #ff8000, is one");
    }
    std::vector<Layer> after = layers_;
    after.at(static_cast<std::size_t>(index)).colour = colour;
    push(after, tr("Colour of layer"));
}

void LayerModel::moveTo(int index, int place) {
    const int last = static_cast<int>(layers_.size()) - 1;
    if (index < 0 || index > last || place < 0 || place > last) {
        return;
    }
    std::vector<Layer> after = layers_;
    const Layer moved = after[static_cast<std::size_t>(index)];
    after.erase(after.begin() + index);
    after.insert(after.begin() + place, moved);
    push(after, tr("Order of layers"));
}

void LayerModel::move(int index, int step) {
    moveTo(index, index + step);
}

void LayerModel::push(std::vector<Layer> after, const QString& text, int mergeKey) {
    if (after != layers_) {
        undo_.push(new UndoStep<std::vector<Layer>>(
            text, layers_, std::move(after), [this](const auto& layers) { restore(layers); }, mergeKey));
    }
}

void LayerModel::restore(const std::vector<Layer>& layers) {
    layers_ = layers;
    follow();
    Q_EMIT changed();
}

void LayerModel::clear() {
    layers_ = {Layer{}};
    foreground_.clear();
    before_.clear();
    Q_EMIT changed();
}

nlohmann::json LayerModel::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const Layer& layer : layers_) {
        list.push_back({{"image", layer.image},
                        {"visible", layer.visible},
                        {"opacity", layer.opacity},
                        {"name", layer.name},
                        {"colour", layer.colour}});
    }
    return {{"stack", list}, {"over", foreground_}};
}

void LayerModel::fromJson(const nlohmann::json& saved) {
    std::vector<Layer> layers;
    for (const nlohmann::json& o : savedIn(saved, "stack", nlohmann::json::array())) {
        layers.push_back({savedIn(o, "image", QString()), savedIn(o, "visible", true),
                          std::clamp(savedIn(o, "opacity", 1.0), 0.0, 1.0), savedIn(o, "name", QString()),
                          savedIn(o, "colour", QString())});
    }
    const auto moving =
        std::count_if(layers.begin(), layers.end(), [](const Layer& layer) { return layer.image.isEmpty(); });
    if (moving == 1) {
        foreground_ = savedIn(saved, "over", foreground_);
        restore(layers);
    }
}

}  // namespace tof::ui
