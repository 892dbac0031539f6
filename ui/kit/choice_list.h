// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ui/kit/basic.h"

namespace tof::ui {

/// A field of choices, each with a line that explains it in the open list; one that cannot be had now is grey
/// and says why there, and titles stand between groups.
class ChoiceList : public ComboBox {
    Q_OBJECT

  public:
    struct Choice {
        QString text;      ///< "column"
        QVariant value;    ///< the item's
        QString what;      ///< one line
        QString whyNot{};  ///< not empty: grey, and this in the place of `what`
        bool title = false;
    };

    explicit ChoiceList(QWidget* parent = nullptr);
    /// Replaces all; the value that was chosen stays where there is one like it.
    void setChoices(const std::vector<Choice>& choices);
    /// Asked each time before the list opens: what can be had may have changed, and may take a moment to find
    /// out.
    void setSource(std::function<std::vector<Choice>()> source) { source_ = std::move(source); }

  protected:
    void showPopup() override;

  private:
    std::function<std::vector<Choice>()> source_;
};

}  // namespace tof::ui
