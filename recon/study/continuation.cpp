// SPDX-License-Identifier: Apache-2.0
#include "recon/study/continuation.h"

#include <filesystem>

#include "recon/base/error.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

std::string suspendedFile(const JobOutput& output) {
    return output.runFile + ".suspended";
}

}  // namespace

void prepareContinuation(const std::string& runFile, const JobOutput& output) {
    const RunSummary summary = readRunSummary(runFile);
    if (summary.savedImages.empty() || summary.iterates.empty()) {
        throw BadInput(runFile + ": has no iterate to continue from");
    }
    Checkpoint checkpoint;
    checkpoint.settingsJson = summary.settingsJson;
    checkpoint.dataHash = describedBy(summary.settingsJson, runFile).dataHash;
    if (checkpoint.dataHash.empty()) {
        throw BadInput(runFile + ": does not say which data it was made from; start a new run instead");
    }
    checkpoint.iteration = summary.savedImages.back();
    checkpoint.metricsJson = summary.metricsJson;
    checkpoint.image = std::make_shared<const Volume>(readIterate(runFile, checkpoint.iteration));
    for (const StoredIterate& iterate : summary.iterates) {
        if (iterate.iteration <= checkpoint.iteration) {
            checkpoint.history.push_back(iterate);
        }
    }
    if (!output.runFile.empty()) {
        // A link costs nothing and the file is only read; where links are not possible a copy does.
        std::error_code fault;
        fs::remove(suspendedFile(output), fault);
        fs::create_hard_link(runFile, suspendedFile(output), fault);
        if (fault) {
            fs::copy_file(runFile, suspendedFile(output), fs::copy_options::overwrite_existing, fault);
        }
        if (fault) {
            throw CannotWrite(suspendedFile(output) + ": cannot be written (" + fault.message() + ")");
        }
    }
    writeCheckpoint(output.checkpointFile, checkpoint);
}

void discardContinuation(const JobOutput& output) {
    std::error_code ignored;
    fs::remove(output.checkpointFile, ignored);
    if (!output.runFile.empty()) {
        fs::remove(suspendedFile(output), ignored);
        fs::remove(output.runFile + ".part", ignored);  // of a program that was killed
    }
}

InterruptedRun readInterrupted(const std::string& checkpointFile) {
    Checkpoint checkpoint = readCheckpoint(checkpointFile);
    InterruptedRun run;
    run.made = describedBy(checkpoint.settingsJson, checkpointFile);
    run.iteration = checkpoint.iteration;
    run.image = std::move(checkpoint.image);
    run.history = std::move(checkpoint.history);
    run.metricsJson = std::move(checkpoint.metricsJson);
    run.made.dataHash = std::move(checkpoint.dataHash);
    return run;
}

}  // namespace tof
