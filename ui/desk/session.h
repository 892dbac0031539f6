// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QString>
#include <functional>
#include <vector>

namespace tof::ui {

/// Everything that is to be as it was when a study or the program is opened again, by parts: whoever has
/// state adds a part. The text goes into study.json and into the file of the last session.
class Session {
  public:
    struct Part {
        QString key;
        std::function<QJsonObject()> save;
        std::function<void(const QJsonObject&)> restore;  ///< missing fields keep their values
    };
    /// Throws InternalError for a key that is taken. Parts are restored in the order they were added.
    void add(Part part);
    /// Keeps a part's present state in the place of its owner, who goes.
    void freeze(const QString& key);
    [[nodiscard]] QJsonObject toJson() const;
    /// Parts that are missing, and parts nobody knows, change nothing. A text of version 0.1's first builds,
    /// the view alone, is understood.
    void restore(const QJsonObject& saved) const;

  private:
    std::vector<Part> parts_;
};

class RunList;
/// Which run is selected, which iterates are shown, what runs were renamed to; by the runs' letters.
[[nodiscard]] QJsonObject runsToJson(const RunList& runs);
void runsFromJson(RunList& runs, const QJsonObject& saved);

}  // namespace tof::ui
