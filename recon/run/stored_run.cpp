// SPDX-License-Identifier: Apache-2.0
#include "recon/run/stored_run.h"

#include <filesystem>
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
    const std::string file = study.runFile(run);
    return describeRun(std::filesystem::exists(file) ? file : study.checkpointFile(run));
}

}  // namespace tof
