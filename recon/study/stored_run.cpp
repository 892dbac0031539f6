// SPDX-License-Identifier: Apache-2.0
#include "recon/study/stored_run.h"

#include <algorithm>
#include <numeric>

#include "recon/io/format_table.h"
#include "recon/work/read_measurement.h"
#include "recon/work/resume.h"

namespace tof {

double StoredRun::seconds() const {
    return std::accumulate(iterates.begin(), iterates.end(), 0.0,
                           [](double sum, const StoredIterate& i) { return sum + i.seconds; });
}

StoredRun describeRun(const std::string& file) {
    StoredRun run;
    run.file = file;
    run.interrupted = fileKind(file) == FileKind::Checkpoint;
    if (run.interrupted) {
        InterruptedRun left = readInterrupted(file);
        run.made = std::move(left.made);
        run.iterates = std::move(left.last.history);
    } else {
        RunSummary summary = readRunSummary(file);
        run.made = describedBy(summary.settingsJson, file);
        run.iterates = std::move(summary.iterates);
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
        stored.made.settings = study.queue[static_cast<std::size_t>(place)].settings;
        stored.made.system = systemOfData(study.dataFile());
        if (stored.made.engine.empty()) {
            stored.made.engine = stored.made.settings.engine;
        }
    }
    return stored;
}

}  // namespace tof
