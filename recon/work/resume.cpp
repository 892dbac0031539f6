// SPDX-License-Identifier: Apache-2.0
#include "recon/work/resume.h"

#include <algorithm>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/copy_file.h"
#include "recon/io/format_table.h"
#include "recon/study/run_claim.h"
#include "recon/study/study.h"
#include "recon/work/anatomy.h"
#include "recon/work/run_description.h"
#include "recon/work/run_journal.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

/// The last iterate in a run file.
Checkpoint lastOf(const std::string& runFile, const std::function<void()>& heed) {
    RunSummary summary = readRunSummary(runFile);
    if (summary.savedImages.empty() || summary.iterates.empty()) {
        throw BadInput(runFile + ": has no iterate to continue from");
    }
    const std::string dataHash = describedBy(summary.settingsJson, runFile).dataHash;
    if (dataHash.empty()) {
        throw BadInput(runFile + ": does not say which data it was made from; start a new run instead");
    }
    Checkpoint last{std::move(summary.settingsJson), dataHash, summary.savedImages.back(), nullptr, {}};
    last.metricsJson = std::move(summary.metricsJson);
    last.image = std::make_shared<const Volume>(readIterate(runFile, last.iteration, heed));
    if (last.iteration == summary.iterates.back().iteration) {
        last.coefficients = readCoefficients(runFile);
    }
    std::copy_if(summary.iterates.begin(), summary.iterates.end(), std::back_inserter(last.history),
                 [&](const StoredIterate& each) { return each.iteration <= last.iteration; });
    return last;
}

/// A link costs nothing and the file is only read; where links are not possible a copy does.
void offerIterates(const std::string& runFile, const std::string& suspendedFile,
                   const std::function<void()>& heed) {
    std::error_code fault;
    fs::remove(suspendedFile, fault);
    fs::create_hard_link(runFile, suspendedFile, fault);
    if (fault) {
        copyFile(runFile, suspendedFile, heed);
    }
}

/// What another checkpoint has beside it.
void takeJournal(const std::string& from, const RunFiles& files, const std::function<void()>& heed) {
    const fs::path journal = journalOf(files.checkpointFile);
    std::error_code fault;
    fs::remove(journal, fault);
    if (!from.empty() && fs::is_regular_file(fs::symlink_status(from, fault))) {
        copyFile(from, journal.string(), heed);
    }
}

}  // namespace

void prepareToResume(const ResumeFrom& from, const RunFiles& files, const std::function<void()>& heed) {
    if (const auto* const inMemory = std::get_if<Checkpoint>(&from)) {
        takeJournal("", files, heed);
        writeCheckpoint(files.checkpointFile, *inMemory);
        return;
    }
    const auto& file = std::get<std::string>(from);
    if (file == files.checkpointFile) {
        return;
    }
    if (fileKind(file) == FileKind::Checkpoint) {
        leavingNoJournalAlone(files.checkpointFile, [&] {
            takeJournal(journalOf(file), files, heed);
            writeCheckpoint(files.checkpointFile, readCheckpoint(file));
        });
        return;
    }
    const Checkpoint last = lastOf(file, heed);
    try {
        if (!files.runFile.empty()) {
            offerIterates(file, files.suspendedFile(), heed);
        }
        takeJournal("", files, heed);
        writeCheckpoint(files.checkpointFile, last);
    } catch (...) {
        // A later run that goes on from another checkpoint would take these iterates for its own.
        std::error_code ignored;
        fs::remove(files.suspendedFile(), ignored);
        throw;
    }
}

Checkpoint checkpointToResume(const std::string& path, const Measurement& data, const RunSettings& settings) {
    if (!fs::exists(path)) {
        throw BadInput("{}: no checkpoint to resume from; run without --resume", path);
    }
    Checkpoint checkpoint = readWithJournal(path);
    if (checkpoint.dataHash != data.hash()) {
        throw BadInput("{}: the checkpoint belongs to other data; resume with the data it was made from",
                       path);
    }
    const RunDescription made = describedBy(checkpoint.settingsJson, path);
    const RunSettings& earlier = made.settings;
    for (const SettingInfo& info : settingsTable()) {
        if (!info.mayDiffer && info.read(earlier) != info.read(settings)) {
            throw BadInput(
                "{}: the interrupted run had {} '{}' and this one has '{}'; resume with the "
                "same settings",
                path, info.key, info.read(earlier), info.read(settings));
        }
    }
    if (made.anatomyHash != anatomyHash(settings)) {
        throw BadInput(
            "{}: the interrupted run went by another image than {} holds now; resume with that one", path,
            settings.anatomy);
    }
    if (earlier.algorithm().algorithm->anatomy == UsesAnatomy::Always && checkpoint.coefficients == nullptr) {
        throw BadInput("{}: does not hold the coefficients that '{}' goes on from; start the run anew", path,
                       earlier.algorithmName);
    }
    return checkpoint;
}

void discardLeftovers(const Study& study) {
    for (const std::string& run : study.runs()) {
        RunFiles files;
        files.runFile = study.runFile(run);
        removeLeftTemporaries(files.runFile);
        files.checkpointFile = study.checkpointFile(run);
        if (!fs::exists(files.checkpointFile)) {
            continue;
        }
        try {
            const RunClaim claim(study, run);
            const Checkpoint left = readCheckpoint(files.checkpointFile);
            const RunSummary whole = readRunSummary(files.runFile);
            const bool alike = left.settingsJson == whole.settingsJson;  // which name the data, too
            if (alike && !whole.iterates.empty() && left.iteration <= whole.iterates.back().iteration) {
                discardCheckpoint(files);
            }
        } catch (const Error&) {
            // Another program has it, or it cannot be read and says so when it is asked for.
        }
    }
}

void discardCheckpoint(const RunFiles& files) {
    std::error_code ignored;
    fs::remove(files.checkpointFile, ignored);
    fs::remove(journalOf(files.checkpointFile), ignored);
    if (!files.runFile.empty()) {
        fs::remove(files.suspendedFile(), ignored);
        removeLeftTemporaries(files.runFile);
    }
}

}  // namespace tof
