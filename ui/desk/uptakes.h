// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QUndoStack>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "recon/physics/uptake.h"
#include "ui/desk/run_item.h"

namespace tof::ui {

/// Body weight and dose of images, so that they can be shown as SUV: from their files or by hand. The runs of
/// the open data, and what is made of them, have one; every other image its own. No widgets.
class Uptakes : public QObject {
    Q_OBJECT

  public:
    struct Entry {
        Uptake uptake;
        bool shown = true;  ///< values are shown as SUV
        [[nodiscard]] bool operator==(const Entry&) const = default;
    };

    /// Which images have one entry: a letter, or empty for the runs.
    [[nodiscard]] static QString keyOf(const RunItem& item);

    explicit Uptakes(QUndoStack& undo) : undo_(undo) {}

    /// Null where nothing is known.
    [[nodiscard]] const Entry* of(const RunItem& item) const;
    /// What a file says; no step of undo.
    void found(const RunItem& item, const Uptake& uptake);
    /// By the user: one step of undo. Throws WrongUse for numbers that make no SUV.
    void set(const RunItem& item, const Entry& entry);
    /// Nothing is open any more.
    void clear();

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();

  private:
    using Entries = std::map<QString, Entry>;
    void restore(const Entries& entries);

    QUndoStack& undo_;
    Entries entries_;
};

}  // namespace tof::ui
