// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ui/desk/view_model.h"
#include "ui/pages/viewer_lines.h"
#include "ui/pictures/slice_pane.h"

class QBoxLayout;
class QToolButton;

namespace tof::ui {

class CommandRegistry;

/// A window with planes of the image on screen, side by side or one below the other as its shape asks for,
/// and the line above each; gone when it is closed. Linked, it has the cursor, range and zoom of all
/// pictures; unlinked, it has its own, and everything else is as in all pictures.
class PaneWindow : public QWidget {
    Q_OBJECT

  public:
    PaneWindow(std::vector<Plane> planes, const PictureModels& models, const CommandRegistry& commands,
               QWidget* parent);
    /// The first of its pictures.
    [[nodiscard]] SlicePane& pane() const { return *panes_.front(); }
    [[nodiscard]] const std::vector<SlicePane*>& panes() const { return panes_; }
    [[nodiscard]] bool linked() const { return own_ == nullptr; }
    void setLinked(bool linked);
    [[nodiscard]] ViewModel& view() { return own_ != nullptr ? *own_ : models_.view; }

    [[nodiscard]] nlohmann::json toJson() const;
    /// What toJson() said, but for planes and place.
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    /// There is another picture, in the place of one before or new.
    void paneMade(SlicePane* pane);
    void linkedChanged();

  protected:
    void resizeEvent(QResizeEvent*) override { refresh(); }
    void showEvent(QShowEvent*) override { refresh(); }
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void makePanes();
    void takeKeys();
    void followView();
    void refresh();

    std::vector<Plane> planes_;
    PictureModels models_;
    const CommandRegistry& commands_;
    std::unique_ptr<ViewModel> own_;  ///< null: linked
    QToolButton* link_;
    QWidget* body_ = nullptr;
    QBoxLayout* pictures_ = nullptr;
    std::vector<PaneHeader*> headers_;
    std::vector<SlicePane*> panes_;
};

}  // namespace tof::ui
