// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "recon/metrics/figures_of_merit.h"
#include "ui/desk/view_model.h"
#include "ui/kit/coalescer.h"

namespace tof::ui {

/// How the clipboard carries ROIs beside another text.
inline constexpr const char* kRoisMime = "application/x-tofscope-rois+json";

/// The study's ROIs and every way to change them. No widgets.
///
/// Each change is one step of undo(), a whole drag included; whatever is dragged can be put back. Which ROI
/// is selected is the view's. changed() comes once per event-loop turn, live during a drag.
class RoiModel : public QObject {
    Q_OBJECT

  public:
    explicit RoiModel(ViewModel& view, QObject* parent = nullptr);

    [[nodiscard]] const RoiSet& set() const { return set_; }
    [[nodiscard]] const std::vector<Roi>& rois() const { return set_.rois; }
    [[nodiscard]] bool isEmpty() const { return set_.rois.empty(); }
    [[nodiscard]] int count() const { return static_cast<int>(set_.rois.size()); }
    /// The ROI of an index, or null.
    [[nodiscard]] const Roi* at(int index) const;
    /// Index of the selected ROI, -1: none.
    [[nodiscard]] int selected() const;
    [[nodiscard]] const Roi* selectedRoi() const { return at(selected()); }
    /// Index of the first ROI of that name, -1: none.
    [[nodiscard]] int find(const QString& name) const;
    /// Grows with every change; never 0, never used twice.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    /// What a study brings, or nothing: forgets all undo steps.
    void reset(RoiSet set);
    /// What was measured, or null: the truth of every set from the next reset() on, whatever it brings.
    void setTruth(std::shared_ptr<const Phantom> truth) { truth_ = std::move(truth); }
    [[nodiscard]] QUndoStack& undo() { return undo_; }

    // Edits; `text` is what the undo command calls the step.
    void add(std::vector<Roi> rois, const QString& text);
    void change(int index, const Roi& roi, const QString& text);
    /// Like change(), but joined to the step before when that had the same text and ROI: for held keys.
    void nudge(int index, const Roi& roi, const QString& text);
    void remove(int index);
    void setTrueRatio(double ratio);
    /// Any change of several ROIs as one step; the selection stays while its index exists.
    void edit(const QString& text, const std::function<void(RoiSet&)>& change);
    /// Everything at once: from a file, from the phantom.
    void replaceAll(RoiSet set, const QString& text);
    /// A copy of an ROI, displaced so that both are seen.
    void duplicate(int index);

    // A drag: begin, any number of moves, then end or abandon.
    void beginDrag(const QString& text);
    /// Appends and selects an ROI as part of the drag that draws it.
    void dragAdd(const Roi& roi);
    void dragTo(int index, const Roi& roi);
    void endDrag();
    /// Puts back what was dragged; false when nothing was.
    bool abandonDrag();
    [[nodiscard]] bool dragging() const { return before_.has_value(); }

    /// The shape that the next press in a picture draws.
    [[nodiscard]] std::optional<Roi::Shape> tool() const { return tool_; }
    void setTool(std::optional<Roi::Shape> tool);
    /// The shape of that kind drawn last, so that a click repeats it; 20 mm wide at first.
    [[nodiscard]] Roi lastDrawn(Roi::Shape shape) const;
    void rememberDrawn(const Roi& roi);

    /// "circle 3": the next free name of its kind.
    [[nodiscard]] std::string freeName(const std::string& stem) const;
    /// JSON of one ROI or of all, for the clipboard and for files.
    [[nodiscard]] QString toJson(int index) const;
    [[nodiscard]] QString toJson() const;

    void flush() { coalescer_->flush(); }

  Q_SIGNALS:
    void changed();
    void toolChanged();

  private:
    struct State {
        RoiSet set;
        int selected = -1;
    };
    [[nodiscard]] State state() const { return {set_, selected()}; }
    void restore(const State& state);
    void replace(int index, const Roi& roi, const QString& text, int mergeKey);
    void push(State after, const QString& text, int mergeKey = -1);
    void pushStep(State before, State after, const QString& text, int mergeKey = -1);
    void touch();

    ViewModel& view_;
    RoiSet set_;
    std::shared_ptr<const Phantom> truth_;
    QUndoStack undo_;
    std::optional<State> before_;  ///< while dragging
    QString dragText_;
    std::optional<Roi::Shape> tool_;
    std::vector<Roi> drawn_;
    std::uint64_t revision_ = 1;
    Coalescer* coalescer_;
};

/// "circle", "sphere"...: the shape's name with a capital.
[[nodiscard]] QString shapeTitle(Roi::Shape shape);

}  // namespace tof::ui
