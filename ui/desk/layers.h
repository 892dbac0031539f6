// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QUndoStack>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

/// One image in the stack that the pictures show.
struct Layer {
    QString image;  ///< letter of a run or volume; empty: whichever is selected of those that are no layers
    bool visible = true;
    double opacity = 1;  ///< 0..1
    QString name{};      ///< a name of one's own; empty: that of the image
    QString colour{};    ///< "#rrggbb": from the ground to this one instead of the look's map; empty: the map
    [[nodiscard]] bool operator==(const Layer&) const = default;
};

/// A layer as it is painted.
struct ShownLayer {
    RunItem* item = nullptr;
    std::shared_ptr<const Volume> volume;  ///< on its own lattice
    DisplayRange range;                    ///< in stored values
    viz::ColourMap map;
    DisplayUnit unit;
    double opacity = 1;
    bool active = false;  ///< its look is the one that the view bar changes
};

/// The stack of images in the pictures, bottom first: those that stay there, a mu-map or CT, and among them
/// the run or volume that is gone through with the list. Which look each image has is the view's: select it
/// to change map and range. Every change is one step of undo. No widgets.
class LayerModel : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive the model.
    LayerModel(RunList& runs, ViewModel& view, Screen& screen, QUndoStack& undo);

    /// Bottom first; one of them is without a letter.
    [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
    /// True while there is more to show than the one image.
    [[nodiscard]] bool stacked() const { return layers_.size() > 1; }
    /// The run or volume of a layer, or null while it is not there.
    [[nodiscard]] RunItem* itemOf(const Layer& layer);
    /// What is visible and has an image, bottom first.
    [[nodiscard]] std::vector<ShownLayer> shown();
    /// The place of an image, -1: it is no layer of its own.
    [[nodiscard]] int find(const QString& image) const;
    /// The place of the layer that shows an image now; -1: none does.
    [[nodiscard]] int indexOf(const QString& image);
    /// The place of the layer above which there is no other visible one: what a fusion slider fades.
    [[nodiscard]] int top() const;

    /// Empty when the image can become a layer of its own, else the reason.
    [[nodiscard]] QString whyNotPin(const QString& image);
    /// Puts an image under the others, where it stays while one goes through the runs.
    void pin(const QString& image);
    void unpin(const QString& image);
    void setVisible(int index, bool visible);
    /// Clamped to 0..1. Steps of one drag, or of held keys, are one step of undo.
    void setOpacity(int index, double opacity);
    void endDrag() { ++drag_; }
    /// An empty name gives it that of its image again.
    void setName(int index, const QString& name);
    /// "#rrggbb", or empty for the colour map of its look. Throws WrongUse for another text.
    void setColour(int index, const QString& colour);
    /// To another place in the stack, the others closing up.
    void moveTo(int index, int place);
    /// Up in the stack, or down; without effect at the ends.
    void move(int index, int step);
    /// Nothing is open any more.
    void clear();

    [[nodiscard]] nlohmann::json toJson() const;
    /// Images that are not there yet get their layer when they come.
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();

  private:
    void push(std::vector<Layer> after, const QString& text, int mergeKey = -1);
    void restore(const std::vector<Layer>& layers);
    void follow();

    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    QUndoStack& undo_;
    std::vector<Layer> layers_{Layer{}};
    QString foreground_;  ///< the one on screen last of those that are no layers
    QString before_;      ///< the one before that
    int drag_ = 0;        ///< number of the drag that opacities are merged in
};

}  // namespace tof::ui
