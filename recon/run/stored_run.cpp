// SPDX-License-Identifier: Apache-2.0
#include "recon/run/stored_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/core/json_fields.h"
#include "recon/io/file_kind.h"

namespace tof {

double StoredRun::seconds() const {
    return std::accumulate(iterates.begin(), iterates.end(), 0.0,
                           [](double sum, const StoredIterate& i) { return sum + i.seconds; });
}

StoredRun describeRun(const std::string& file) {
    StoredRun run;
    run.file = file;
    run.interrupted = fileKind(file) == FileKind::Checkpoint;
    std::string text;
    if (run.interrupted) {
        Checkpoint checkpoint = readCheckpoint(file);
        text = std::move(checkpoint.settingsJson);
        run.iterates = std::move(checkpoint.history);
    } else {
        RunSummary summary = readRunSummary(file);
        text = std::move(summary.settingsJson);
        run.iterates = std::move(summary.iterates);
    }
    const nlohmann::json described = parseJson(text, file);
    if (described.contains("settings")) {
        run.settings = RunSettings::fromJson(described["settings"].dump(), file);
    }
    run.engine = described.value("engine", std::string());
    if (described.contains("device") && described["device"].is_string()) {
        run.engine += ", " + described["device"].get<std::string>();
    }
    return run;
}

StoredRun describeRun(const Study& study, const std::string& run) {
    study.requireRun(run);
    const int place = study.placeInQueue(run);
    StoredRun stored;
    if (place < 0 || study.queue[static_cast<std::size_t>(place)].continues) {
        const std::vector<std::string> interrupted = study.interruptedRuns();
        const bool behind = std::binary_search(interrupted.begin(), interrupted.end(), run);
        stored = describeRun(behind ? study.checkpointFile(run) : study.runFile(run));
    }
    if (place >= 0) {
        stored.queued = true;
        stored.settings = study.queue[static_cast<std::size_t>(place)].settings;
        if (stored.engine.empty()) {
            stored.engine = stored.settings.get("engine");
        }
    }
    return stored;
}

}  // namespace tof
