// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tof::ui {

/// Everything that is to be as it was when a study or the program is opened again, by parts: whoever has
/// state adds a part. The text goes into study.json and into the file of the last session.
class Session {
  public:
    struct Part {
        std::string key;
        std::function<nlohmann::json()> save;
        std::function<void(const nlohmann::json&)> restore;  ///< missing fields keep their values
        std::function<void()> clear{};  ///< takes away what belongs to the study alone; empty: nothing does
    };
    /// Throws InternalError for a key that is taken. Parts are restored in the order they were added.
    void add(Part part);
    /// A part that is all of what a model has.
    template <typename Model>
    void add(const std::string& key, Model& model) {
        add({key, [&model] { return model.toJson(); },
             [&model](const nlohmann::json& saved) { model.fromJson(saved); }});
    }
    /// Keeps a part's present state in the place of its owner, who goes.
    void freeze(const std::string& key);
    [[nodiscard]] nlohmann::json toJson() const;
    /// The study is closed: what belongs to it alone goes.
    void clear() const;
    /// Parts that are missing, and parts nobody knows, change nothing.
    void restore(const nlohmann::json& saved) const;

  private:
    std::vector<Part> parts_;
};

class RunList;
/// Which run is selected, which iterates are shown, what runs were renamed to; by the runs' letters.
[[nodiscard]] nlohmann::json runsToJson(const RunList& runs);
void runsFromJson(RunList& runs, const nlohmann::json& saved);

}  // namespace tof::ui
