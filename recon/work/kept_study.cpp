// SPDX-License-Identifier: Apache-2.0
#include "recon/work/kept_study.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/forms/forms.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/copy_file.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

void writeMeasurement(const Destination& to, const Measurement& data, const FormTable& forms) {
    const Form* const form = forms.of(data);
    if (form == nullptr || form->write == nullptr) {
        throw WrongUse("data of this kind cannot be kept in a study");
    }
    form->write(to, data);
}

void writeRun(const std::string& path, const Measurement& data, const HeldRun& run,
              const std::function<void()>& heed) {
    if (!run.file.empty()) {
        writeAside(path, [&](const std::string& temporary) { copyFile(run.file, temporary, heed); });
        return;
    }
    const Lattice& lattice = run.images.begin()->second->lattice;
    RunWriter writer(path, lattice, run.description, data.scannerJson(), data.phantom(), data.totals());
    for (const auto& [iteration, image] : run.images) {
        StoredIterate stored{iteration, {}, 0};
        for (const StoredIterate& each : run.timing) {
            stored = each.iteration == iteration ? each : stored;
        }
        writer.addIterate(stored, image, KeepImage::Yes);
    }
    writer.setMetrics(jsonText(figuresJson(run.figures)));
    writer.finish();
}

void linkOrCopy(const fs::path& from, const fs::path& to, const std::function<void()>& heed) {
    std::error_code fault;
    fs::create_hard_link(from, to, fault);
    if (fault) {
        copyFile(from.string(), to.string(), heed);
    }
}

/// Everything in `runs/` but what is being written.
template <typename Take>
void takeRuns(const Study& from, const Study& to, const Take& take) {
    try {
        for (const auto& entry : fs::directory_iterator(fs::path(from.folder()) / "runs")) {
            const fs::path name = entry.path().filename();
            if (entry.symlink_status().type() == fs::file_type::regular && name.extension() != ".part" &&
                name.extension() != ".claim") {
                take(entry.path(), fs::path(to.folder()) / "runs" / name);
            }
        }
    } catch (const fs::filesystem_error& fault) {
        throw CannotWrite(to.folder() + ": the runs cannot be copied (" + fault.code().message() + ")");
    }
}

void takeState(const Study& from, Study& to) {
    to.rois = from.rois;
    to.settings = from.settings;
    to.viewJson = from.viewJson;
    to.save();
}

}  // namespace

Study keepDraft(const Study& draft, const std::string& folder, const Measurement& data,
                const std::vector<HeldRun>& runs, const std::function<void()>& heed) {
    Study study = Study::begin(folder);
    UnfinishedStudy made(study);
    writeMeasurement({study.dataFile(), heed}, data, builtInForms());
    takeRuns(draft, study, [&heed](const fs::path& one, const fs::path& to) { linkOrCopy(one, to, heed); });
    for (const HeldRun& run : runs) {
        writeRun(study.runFile(run.name), data, run, heed);
    }
    study.queue = draft.queue;
    takeState(draft, study);
    made.keep();
    return study;
}

Study copyStudy(const Study& study, const std::string& folder, const std::function<void()>& heed) {
    Study copy = Study::create(folder, study.dataFile(), heed);
    UnfinishedStudy made(copy);
    takeRuns(study, copy,
             [&heed](const fs::path& one, const fs::path& to) { copyFile(one.string(), to.string(), heed); });
    takeState(study, copy);
    made.keep();
    return copy;
}

}  // namespace tof
