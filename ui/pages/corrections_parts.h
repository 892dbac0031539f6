// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/desk/correct_data.h"
#include "ui/kit/basic.h"

namespace tof::ui {

/// The parts of the corrections of the open data, a row each: a switch that is on where a reconstruction
/// takes the part, and what was found with it. A switch changes nothing by itself: it asks.
class CorrectionsParts : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kRow = 24;  ///< px

    explicit CorrectionsParts(QWidget* parent = nullptr);
    /// `why`: why nothing can be switched; empty: what can be says each part.
    void follow(const CorrectionStates& states, const QString& why);
    [[nodiscard]] Switch* of(PartName part) const;
    [[nodiscard]] QString text(PartName part) const;

  Q_SIGNALS:
    /// The user wants a part switched.
    void turned(PartName part);

  private:
    struct Row {
        PartName part = PartName::Scatter;
        QWidget* line = nullptr;
        Switch* on = nullptr;
        ElidedLabel* text = nullptr;
    };
    void addRow(PartName part);
    [[nodiscard]] const Row& row(PartName part) const;

    std::vector<Row> rows_;
    CorrectionStates states_;
};

}  // namespace tof::ui
