// SPDX-License-Identifier: Apache-2.0
#include "recon/work/open.h"

#include <algorithm>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/work/bin.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace {

enum class LastImage { Leave, Read };

/// A run file. One with settings of another version is still shown, as if it had the usual ones.
StoredRun readRun(const std::string& file, LastImage image, const std::function<void()>& heed) {
    StoredRun run;
    run.file = file;
    run.summary = readRunSummary(file);
    try {
        run.made = describedBy(run.summary.settingsJson, file);
    } catch (const Error&) {
        run.made = {};
    }
    if (image == LastImage::Read && !run.summary.savedImages.empty()) {
        run.lastIteration = run.summary.savedImages.back();
        run.last = std::make_shared<const Volume>(readIterate(file, run.lastIteration, heed));
    }
    return run;
}

/// A run that was interrupted, with what images its run file holds if it was being continued.
StoredRun readInterrupted(const Study& study, const std::string& name) {
    StoredRun run = describeRun(study.checkpointFile(name));
    if (std::filesystem::exists(study.runFile(name))) {
        RunSummary before = readRunSummary(study.runFile(name));
        run.summary.savedImages = std::move(before.savedImages);
        run.summary.bandsJson = std::move(before.bandsJson);
    }
    return run;
}

void readRuns(Opened& opened, const std::function<void()>& heed) {
    const Study& study = *opened.study;
    const std::vector<std::string> interrupted = study.interruptedRuns();
    std::vector<std::string> whole;
    const std::vector<std::string> withFile = study.runs();
    std::set_difference(withFile.begin(), withFile.end(), interrupted.begin(), interrupted.end(),
                        std::back_inserter(whole));
    std::string shown = study.shownRun();
    if (!std::binary_search(whole.begin(), whole.end(), shown) && !whole.empty()) {
        shown = whole.back();
    }
    const auto add = [&](const std::string& name, const auto& read) {
        try {
            opened.runs.push_back(read());
            opened.runs.back().name = name;
        } catch (const BadInput& fault) {
            opened.notes.emplace_back(fault.what());  // one damaged run does not close the study
        }
    };
    for (const std::string& name : whole) {
        const LastImage image = name == shown ? LastImage::Read : LastImage::Leave;
        add(name, [&] { return readRun(study.runFile(name), image, heed); });
    }
    for (const std::string& name : interrupted) {
        add(name, [&] { return readInterrupted(study, name); });
    }
}

/// Addresses, and sinograms of STIR, which their corrections and an image are chosen for.
bool isImported(const RecognisedFile& file) {
    return file.foreignBins() == ForeignBins::Addresses || file.foreignBins() == ForeignBins::Imported;
}

/// Frames that say their times, or those of a series that was chosen, and none of them alone.
bool isDynamic(const RecognisedFile& file, const VolumeReadOptions& choice) {
    if (choice.frame > 0 || file.file() == nullptr) {
        return false;
    }
    if (choice.series.empty()) {
        return file.holdsFrames();
    }
    const std::vector<VolumeSeries> all = file.file()->series();
    return std::any_of(all.begin(), all.end(),
                       [&](const VolumeSeries& one) { return one.id == choice.series && one.frames > 1; });
}

/// Several series, or one of several frames, of which none was chosen; else empty.
std::vector<VolumeSeries> toChooseFrom(const RecognisedFile& file, const VolumeReadOptions& choice) {
    if (!choice.series.empty() || choice.frame > 0 || file.file() == nullptr) {
        return {};
    }
    std::vector<VolumeSeries> all = file.file()->series();
    const bool several = all.size() > 1 || (all.size() == 1 && all.front().frames > 1);
    return several ? all : std::vector<VolumeSeries>();
}

}  // namespace

Opened openPath(const std::string& path, const std::optional<BinRequest>& binning, const ThreadPool& pool,
                WorkProgress& progress, const VolumeReadOptions& choice, const FormTable& forms) {
    const auto heed = [&progress] { progress.heed(); };
    const RecognisedFile file = recognise(path, heed);
    Opened opened;
    opened.kind = isImported(file) ? FileKind::List : file.kind();
    switch (opened.kind) {
        case FileKind::Study:
            opened.study = Study::open(path);
            readRuns(opened, heed);
            break;
        case FileKind::Data: {
            std::string note;
            opened.data = file.isOwn() ? readMeasurement(file) : readMeasurement(path, note, heed);
            if (!note.empty()) {
                opened.notes.push_back(std::move(note));
            }
            break;
        }
        case FileKind::List:
            if (binning) {
                MeasuredData data = binEvents(*binning, file, pool, progress, forms).data;
                opened.data = forms.named(binning->form).measure(std::move(data));
            } else {
                opened.list = choiceFor(file);
            }
            break;
        case FileKind::Run: opened.runs.push_back(readRun(path, LastImage::Read, heed)); break;
        case FileKind::Volume: {
            if (isDynamic(file, choice)) {
                opened.frames = readFrames(file, choice, progress);
                opened.volume = opened.frames->mean;
                opened.uptake = opened.frames->uptake;
                opened.statedFactor = opened.frames->statedFactor;
                opened.volumeName = opened.frames->name;
                if (!opened.frames->note.empty()) {
                    opened.notes.push_back(opened.frames->note);
                }
                break;
            }
            opened.series = toChooseFrom(file, choice);
            if (!opened.series.empty()) {
                break;
            }
            VolumeReadResult read = file.readVolumeResult(choice);
            opened.uptake = read.uptake;
            opened.statedFactor = read.statedFactor;
            opened.volumeName = std::move(read.name);
            opened.volume = std::make_shared<const Volume>(std::move(read.volume));
            if (!read.note.empty()) {
                opened.notes.push_back(std::move(read.note));
            }
            break;
        }
        case FileKind::Checkpoint: opened.volume = readCheckpoint(path).image; break;
        case FileKind::Unknown: file.requireKnown(); break;
    }
    return opened;
}

}  // namespace tof
