// SPDX-License-Identifier: Apache-2.0
#include "recon/work/stored_run.h"

#include <algorithm>
#include <numeric>

#include "recon/io/format_table.h"
#include "recon/work/read_measurement.h"
#include "recon/work/run_journal.h"

namespace tof {

double StoredRun::seconds() const {
    return std::accumulate(summary.iterates.begin(), summary.iterates.end(), 0.0,
                           [](double sum, const StoredIterate& i) { return sum + i.seconds; });
}

StoredRun describeRun(const std::string& file) {
    StoredRun run;
    run.file = file;
    run.interrupted = fileKind(file) == FileKind::Checkpoint;
    if (run.interrupted) {
        Checkpoint checkpoint = readWithJournal(file);
        run.made = describedBy(checkpoint.settingsJson, file);
        run.made.dataHash = std::move(checkpoint.dataHash);
        run.lastIteration = checkpoint.iteration;
        run.last = std::move(checkpoint.image);
        run.summary = {run.last->lattice,
                       run.last->units,
                       std::move(checkpoint.settingsJson),
                       {},
                       {},
                       std::move(checkpoint.metricsJson),
                       std::move(checkpoint.history),
                       {},
                       {}};
        return run;
    }
    run.summary = readRunSummary(file);
    run.made = describedBy(run.summary.settingsJson, file);
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
    stored.name = run;
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
