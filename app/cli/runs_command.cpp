// SPDX-License-Identifier: Apache-2.0
// What the list of runs in the window does, for studies on disk.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/text_table.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/work/stored_run.h"
#include "recon/work/systems.h"

namespace tof {

namespace {

nlohmann::ordered_json rowOf(const Study& study, const std::string& run) {
    const StoredRun stored = describeRun(study, run);
    const std::string given = study.givenName(run);
    return {{"run", run},
            {"name", given.empty() ? runName(stored.made.settings, stored.made.system) : given},
            {"state", stored.queued        ? "queued"
                      : stored.interrupted ? "interrupted"
                                           : "done"},
            {"iterations", stored.summary.iterates.empty() ? 0 : stored.summary.iterates.back().iteration},
            {"of", stored.made.settings.iterations},
            {"algorithm", stored.made.settings.algorithmName},
            {"engine", stored.made.engine},
            {"seconds", stored.seconds()},
            {"file", stored.file},
            {"place", study.placeInQueue(run) + 1}};
}

/// "queued, number 2": the place that counts is that in the queue, not in the table.
std::string stateOf(const nlohmann::ordered_json& row) {
    const std::string state = row["state"];
    return state == "queued" ? fmt::format("queued, number {}", row["place"].get<int>()) : state;
}

std::string tableOf(const std::vector<nlohmann::ordered_json>& rows) {
    std::vector<std::vector<std::string>> table{
        {"run", "name", "algorithm", "engine", "iterations", "seconds", "state"}};
    for (const auto& row : rows) {
        table.push_back({row["run"], row["name"], row["algorithm"], row["engine"],
                         fmt::format("{} of {}", row["iterations"].get<int>(), row["of"].get<int>()),
                         fmt::format("{:.2f}", row["seconds"].get<double>()), stateOf(row)});
    }
    return rows.empty() ? "no runs" : textTable(table);
}

class RunsCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("STUDY", folder_, "Study folder NAME.tofstudy");
        arguments.text("rename", rename_, "RUN=NAME: give a run another name; its letter and file stay");
        arguments.text("delete", remove_, "Delete a run and its file, or take it out of the queue");
        arguments.text("settings", settings_,
                       "Print the settings of a run as JSON; 'reconstruct --like' makes another run of them");
    }

    void run(CommandContext& context) override {
        Study study = Study::open(folder_);
        std::optional<StudyLock> lock;
        if (!rename_.empty() || !remove_.empty()) {
            lock.emplace(folder_, StudyLock::Use::Writes);
            study = Study::open(folder_);  // as it is now that nobody else writes
        }
        if (!rename_.empty()) {
            const std::size_t equals = rename_.find('=');
            if (equals == std::string::npos || equals == 0 || equals + 1 == rename_.size()) {
                throw WrongUse("--rename '" + rename_ + "': RUN=NAME is needed, as in A=wide kernel");
            }
            study.rename(rename_.substr(0, equals), rename_.substr(equals + 1));
            study.save();
        }
        if (!remove_.empty()) {
            study.remove(remove_);
            study.save();
        }
        if (!settings_.empty()) {
            const std::string text = describeRun(study, settings_).made.settings.toJson();
            context.console.resultAsJson(parseOrderedJson(text, folder_));
            return;
        }
        std::vector<nlohmann::ordered_json> rows;
        for (const std::string& run : study.allRuns()) {
            rows.push_back(rowOf(study, run));
        }
        if (context.console.json()) {
            context.console.resultAsJson({{"study", study.name()}, {"runs", rows}});
        } else {
            context.console.result(tableOf(rows));
        }
    }

  private:
    std::string folder_;
    std::string rename_;
    std::string remove_;
    std::string settings_;
};

}  // namespace

std::unique_ptr<Command> makeRunsCommand() {
    return std::make_unique<RunsCommand>();
}

}  // namespace tof
