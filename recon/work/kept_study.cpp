// SPDX-License-Identifier: Apache-2.0
#include "recon/work/kept_study.h"

#include <filesystem>

#include "recon/base/error.h"
#include "recon/forms/forms.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// What is made goes again unless it is said to be whole.
class Unfinished {
  public:
    explicit Unfinished(std::string path) : path_(std::move(path)) {}
    ~Unfinished() {
        if (!path_.empty()) {
            std::error_code ignored;
            fs::remove_all(path_, ignored);
        }
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    void keep() { path_.clear(); }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

void writeMeasurement(const std::string& path, const Measurement& data, const FormTable& forms) {
    const Form* const form = forms.of(data);
    if (form == nullptr) {
        throw WrongUse("data of this kind cannot be kept in a study");
    }
    form->write(path, data);
}

void writeRun(const std::string& path, const Measurement& data, const HeldRun& run) {
    const Lattice& lattice = run.images.begin()->second->lattice;
    RunWriter writer(path, lattice, run.description, data.scannerJson(), data.phantom(), data.totals());
    for (const auto& [iteration, image] : run.images) {
        StoredIterate stored{iteration, {}, 0};
        for (const StoredIterate& each : run.timing) {
            stored = each.iteration == iteration ? each : stored;
        }
        writer.addIterate(stored, image, KeepImage::Yes);
    }
    writer.setMetrics(figuresToJson(run.figures));
    writer.finish();
}

void requireFree(const std::string& folder) {
    std::error_code ignored;
    if (fs::exists(folder, ignored)) {
        throw BadInput(folder + ": exists already; choose another name");
    }
}

}  // namespace

Study keepAsStudy(const std::string& folder, const Measurement& data, const std::vector<HeldRun>& runs) {
    requireFree(folder);
    const Unfinished file(folder + ".data.h5");
    writeMeasurement(file.path(), data, builtInForms());
    Unfinished made(folder);
    Study study = Study::create(folder, file.path());
    for (const HeldRun& run : runs) {
        writeRun(study.runFile(run.name), data, run);
    }
    made.keep();
    return study;
}

Study copyStudy(const Study& study, const std::string& folder) {
    requireFree(folder);
    Unfinished made(folder);
    Study copy = Study::create(folder, study.dataFile());
    try {
        for (const auto& entry : fs::directory_iterator(fs::path(study.folder()) / "runs")) {
            const fs::path name = entry.path().filename();
            if (entry.is_regular_file() && name.extension() != ".part") {
                fs::copy_file(entry.path(), fs::path(folder) / "runs" / name);
            }
        }
    } catch (const fs::filesystem_error& fault) {
        throw CannotWrite(folder + ": the runs cannot be copied (" + fault.code().message() + ")");
    }
    copy.rois = study.rois;
    copy.settings = study.settings;
    copy.viewJson = study.viewJson;
    copy.save();
    made.keep();
    return copy;
}

}  // namespace tof
