// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUndoCommand>
#include <concepts>
#include <functional>
#include <utility>

namespace tof::ui {

/// A step of undo from one state to another, each put back as a whole. States are small or shared, so that
/// copies are cheap and no edit needs an inverse of its own.
template <class State>
class UndoStep : public QUndoCommand {
  public:
    using Put = std::function<void(const State&)>;
    /// `put` is called with `after` as the step is pushed. Steps of one text and one key from 0 that come in
    /// a row are one step.
    UndoStep(const QString& text, State before, State after, Put put, int key = -1)
        : QUndoCommand(text),
          before_(std::move(before)),
          after_(std::move(after)),
          put_(std::move(put)),
          key_(key) {}

    void undo() override { put_(before_); }
    void redo() override { put_(after_); }
    [[nodiscard]] int id() const override { return key_; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* later = dynamic_cast<const UndoStep*>(next);
        if (later == nullptr || later->text() != text()) {
            return false;
        }
        after_ = later->after_;
        if constexpr (std::equality_comparable<State>) {
            setObsolete(before_ == after_);  // there and back again is no step
        }
        return true;
    }

  private:
    State before_;
    State after_;
    Put put_;
    int key_;
};

}  // namespace tof::ui
