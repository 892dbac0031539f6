// SPDX-License-Identifier: Apache-2.0
// A sweep: many runs of the same data, one for each setting in turn, kept as the runs of one study.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "recon/settings/settings.h"
#include "recon/study/study.h"
#include "recon/systems/measurement.h"
#include "recon/work/reconstruct.h"

namespace tof {

/// One run of a sweep.
struct SweepRun {
    std::string name;   ///< name of the run in the study: "S003", "S003-r2"
    std::string label;  ///< what tells it from the others: "kernel variant1, relaxation 0.1"
    RunSettings settings;
    std::vector<std::pair<std::string, std::string>> varied;  ///< key and value, in the order of the file
    int replicate = 0;  ///< 1, 2, ...: of counts drawn anew (replicateOf); 0: the counts as measured
};

/// What the file of a sweep says (docs/ranks.md).
struct Sweep {
    std::string data;               ///< data file; that of a study where the specification names one
    std::string folder;             ///< study that gets the runs
    std::vector<SweepRun> runs;     ///< in the order of the file, the last of the varied settings fastest
    std::vector<int> iterations;    ///< those that the table shows; the runs go to the last
    std::vector<std::string> keys;  ///< varied, in the order of the file; without iterations and replicates
};

/// Reads {"data", "study", "settings": {key: value}, "vary": {key: [values]} or "runs": [{key: value}],
/// "replicates"}; files are relative to the folder of `path`. Throws BadInput naming the field.
[[nodiscard]] Sweep readSweep(const std::string& path);

/// The study of a sweep: opened, or made of its data with a name and settings for every run. Several
/// processes may call it at once. Throws BadInput where the study was made from other data.
[[nodiscard]] Study studyOf(const Sweep& sweep, const std::function<void()>& heed = {});

/// Whether a run is there, whole and made with these settings. Throws BadInput for a run file of other
/// settings, or of other data where `dataHash` is given, and what `heed` does while the run's anatomy is
/// read.
[[nodiscard]] bool isDone(const Study& study, const SweepRun& run, const std::string& dataHash,
                          const std::function<void()>& heed);

/// Data whose counts are Poisson numbers about the data's, by seed and replicate. Throws WrongUse for data
/// without replicates.
[[nodiscard]] std::shared_ptr<const Measurement> replicateOf(const std::shared_ptr<const Measurement>& data,
                                                             const SweepRun& run);

/// A row of the table: figures of a run at one iteration, NaN where there are none.
struct SweepRow {
    std::size_t run = 0;  ///< in Sweep::runs
    int iteration = 0;
    double crc = 0;
    double noise = 0;
    double nsr = 0;
    double seconds = 0;  ///< seconds of the iterations up to this one
};
/// The table of the runs that are done.
[[nodiscard]] std::vector<SweepRow> tableOf(const Sweep& sweep, const Study& study,
                                            const std::function<void()>& heed);
[[nodiscard]] std::string tableAsCsv(const Sweep& sweep, const std::vector<SweepRow>& rows);
[[nodiscard]] nlohmann::ordered_json tableAsJson(const Sweep& sweep, const std::vector<SweepRow>& rows);

/// The sweep as a Slurm job array: a script for sbatch, which calls `program` once per run and then once for
/// the table.
[[nodiscard]] std::string slurmScript(const Sweep& sweep, const std::string& specFile,
                                      const std::string& program);

}  // namespace tof
