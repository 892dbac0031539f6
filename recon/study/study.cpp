// SPDX-License-Identifier: Apache-2.0
#include "recon/study/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/copy_file.h"
#include "recon/io/hdf5/run_io.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

constexpr int kStudyVersion = 1;
constexpr const char* kDescription = "study.json";

/// What a run's name is followed by in the names of its files.
constexpr std::array kFilesOfARun{".ckpt", ".ckpt.kept", ".h5.suspended", ".h5.part", ".h5"};

/// A, B, ..., Z, AA, AB, ...
std::string runLabel(std::size_t index) {
    std::string label;
    for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
        label.insert(label.begin(), static_cast<char>('A' + (rest - 1) % 26));
    }
    return label;
}

/// Refuses what stands in the place of a file or folder of the study and is another thing.
void requireOwn(const fs::path& place, fs::file_type needed) {
    std::error_code ignored;
    const fs::file_type type = fs::symlink_status(place, ignored).type();
    if (type == needed || type == fs::file_type::not_found || type == fs::file_type::none) {
        return;
    }
    throw BadInput(
        "{}: is {}, and a study holds files and folders of its own; replace it by what it stands for",
        place.string(),
        type == fs::file_type::symlink     ? "a link"
        : needed == fs::file_type::regular ? "no plain file"
                                           : "no folder");
}

/// Every name through which something is read, written, moved or deleted.
void requireOwnFiles(const fs::path& folder) {
    for (const char* const file : {kDescription, "data.h5", ".lock"}) {
        requireOwn(folder / file, fs::file_type::regular);
    }
    for (const char* const inner : {"runs", "deleted"}) {
        requireOwn(folder / inner, fs::file_type::directory);
        std::error_code fault;
        for (fs::directory_iterator at(folder / inner, fault), end; !fault && at != end;
             at.increment(fault)) {
            const bool isFolder = at->symlink_status(fault).type() == fs::file_type::directory;
            requireOwn(at->path(), isFolder ? fs::file_type::directory : fs::file_type::regular);
        }
    }
}

/// True where something has the name, be it a link that leads nowhere.
bool isThere(const std::string& file) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(file, ignored));
}

}  // namespace

Study Study::open(const std::string& folder, Data data) {
    requireOwnFiles(folder);
    const std::string path = (fs::path(folder) / kDescription).string();
    const nlohmann::json root = parseJson(readTextFile(path), path);
    const JsonFields fields(root, path, {"version", "rois", "true_ratio", "settings", "view", "queue"});
    if (fields.integer("version", 1, 1000) > kStudyVersion) {
        throw BadInput(fmt::format("{}: written by a newer version of Tofscope; update this one", path));
    }
    Study study(folder);
    if (fields.has("rois")) {
        study.rois.rois = roisFromJson(jsonText(fields.raw("rois")), path);
    }
    study.rois.trueRatio = fields.number("true_ratio", 0, 0, 1e9);
    if (fields.has("settings")) {
        study.settings = RunSettings::fromJson(fields.raw("settings"), path);
    }
    if (fields.has("view")) {
        study.viewJson = jsonText(fields.raw("view"));
    }
    if (fields.has("queue")) {
        study.readQueue(fields.raw("queue"), path);
    }
    if (data == Data::Needed && !fs::exists(study.dataFile())) {
        throw BadInput(
            fmt::format("{}: the study has no data.h5; copy its data file back into the folder", folder));
    }
    return study;
}

Study Study::begin(const std::string& folder) {
    std::error_code fault;
    if (fs::exists(folder, fault)) {
        throw BadInput(fmt::format("{}: exists already; choose another name", folder));
    }
    const fs::path place =
        fs::path(folder).has_filename() ? fs::path(folder) : fs::path(folder).parent_path();
    if (place.has_parent_path()) {
        fs::create_directories(place.parent_path(), fault);
    }
    // One of several programs makes it: what another makes is not this one's to remove.
    if (!fault && !fs::create_directory(place, fault) && !fault) {
        throw BadInput(fmt::format("{}: exists already; choose another name", folder));
    }
    if (!fault && !fs::create_directory(place / "runs", fault)) {
        std::error_code ignored;
        fs::remove(place, ignored);
    }
    if (fault) {
        throw CannotWrite(fmt::format("{}: cannot be created ({})", folder, fault.message()));
    }
    flushFolderOf(folder);
    flushFolderOf((fs::path(folder) / "runs").string());
    return Study(folder);
}

Study Study::create(const std::string& folder, const std::string& dataFile,
                    const std::function<void()>& heed) {
    Study study = begin(folder);
    UnfinishedStudy made(study);
    writeAside(study.dataFile(), [&](const std::string& temporary) { copyFile(dataFile, temporary, heed); });
    study.save();
    made.keep();
    return study;
}

Study Study::take(const std::string& folder, const std::string& dataFile) {
    Study study = begin(folder);
    UnfinishedStudy made(study);
    std::error_code fault;
    fs::rename(dataFile, study.dataFile(), fault);
    if (fault) {
        throw CannotWrite("{}: cannot be moved to {} ({})", dataFile, study.dataFile(), fault.message());
    }
    flushFolderOf(study.dataFile());
    study.save();
    made.keep();
    return study;
}

UnfinishedStudy::~UnfinishedStudy() {
    if (!folder_.empty()) {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
}

std::string Study::name() const {
    const fs::path path = fs::path(folder_).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).stem().string();
}

std::string Study::dataFile() const {
    return (fs::path(folder_) / "data.h5").string();
}

bool Study::isRunName(const std::string& run) {
    constexpr std::size_t kLongest = 200;
    return !run.empty() && run.size() <= kLongest && run.front() != '.' &&
           std::none_of(run.begin(), run.end(),
                        [](unsigned char c) { return c == '/' || c < ' ' || c == 127; });
}

std::string Study::runOfFile(const std::string& name) {
    for (const char* kind : kFilesOfARun) {
        const std::string_view end = kind;
        if (name.size() > end.size() && name.ends_with(end)) {
            std::string run = name.substr(0, name.size() - end.size());
            return isRunName(run) ? run : std::string();
        }
    }
    return {};
}

std::vector<std::string> Study::filesOf(const std::string& run) const {
    std::vector<std::string> files;
    files.reserve(kFilesOfARun.size());
    for (const char* kind : kFilesOfARun) {
        files.push_back(placeOf(run, kind));
    }
    return files;
}

std::string Study::placeOf(const std::string& run, const char* extension) const {
    if (!isRunName(run)) {
        throw BadInput("{}: no run can be called '{}'; give its letter, as in A", folder_, run);
    }
    return (fs::path(folder_) / "runs" / (run + extension)).string();
}

std::string Study::runFile(const std::string& run) const {
    return placeOf(run, ".h5");
}

std::string Study::checkpointFile(const std::string& run) const {
    return placeOf(run, ".ckpt");
}

std::string Study::claimFile(const std::string& run) const {
    return placeOf(run, ".claim");
}

std::vector<std::string> Study::namesWith(const std::string& extension) const {
    std::vector<std::string> names;
    std::error_code fault;
    for (const auto& entry : fs::directory_iterator(fs::path(folder_) / "runs", fault)) {
        if (entry.path().extension() == extension && isRunName(entry.path().stem().string()) &&
            entry.symlink_status().type() == fs::file_type::regular) {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> Study::runs() const {
    return namesWith(".h5");
}

bool Study::hasFiles(const std::string& run) const {
    return isThere(runFile(run)) || isThere(checkpointFile(run));
}

void Study::readQueue(const nlohmann::json& list, const std::string& path) {
    if (!list.is_array()) {
        throw BadInput(fmt::format("{}: 'queue' must be a list of runs; remove it", path));
    }
    for (const nlohmann::json& each : list) {
        const JsonFields fields(each, path + ", queue", {"run", "settings", "continues"});
        QueuedRun waiting;
        waiting.run = fields.text("run");
        if (waiting.run.empty() || waiting.run.find_first_of("/.") != std::string::npos) {
            throw BadInput(
                fmt::format("{}: 'queue' names a run '{}'; letters are needed, as in C", path, waiting.run));
        }
        waiting.settings = RunSettings::fromJson(fields.raw("settings"), path);
        waiting.continues = fields.has("continues") && fields.raw("continues") == true;
        if (waiting.continues == hasFiles(waiting.run) && placeInQueue(waiting.run) < 0) {
            queue.push_back(std::move(waiting));
        }
    }
}

int Study::placeInQueue(const std::string& run) const {
    const auto it = std::find_if(queue.begin(), queue.end(),
                                 [&](const QueuedRun& waiting) { return waiting.run == run; });
    return it == queue.end() ? -1 : static_cast<int>(it - queue.begin());
}

std::vector<std::string> Study::interruptedRuns() const {
    const auto isBehind = [this](const std::string& run) {
        if (!fs::exists(runFile(run))) {
            return true;
        }
        try {
            const std::vector<StoredIterate> whole = readRunSummary(runFile(run)).iterates;
            return whole.empty() || readCheckpoint(checkpointFile(run)).iteration > whole.back().iteration;
        } catch (const Error&) {
            return false;  // what cannot be read cannot go on; the run file speaks for itself
        }
    };
    std::vector<std::string> names = namesWith(".ckpt");
    std::erase_if(names, [&](const auto& run) { return !isBehind(run); });
    return names;
}

std::string Study::nextRunName(const std::set<std::string>& taken) const {
    for (std::size_t i = 0;; ++i) {
        std::string label = runLabel(i);
        if (!hasFiles(label) && placeInQueue(label) < 0 && taken.count(label) == 0) {
            return label;
        }
    }
}

std::vector<std::string> Study::allRuns() const {
    std::vector<std::string> all = runs();
    const std::vector<std::string> interrupted = interruptedRuns();
    all.insert(all.end(), interrupted.begin(), interrupted.end());
    std::transform(queue.begin(), queue.end(), std::back_inserter(all),
                   [](const QueuedRun& waiting) { return waiting.run; });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

void Study::requireRun(const std::string& run) const {
    if (!hasFiles(run) && placeInQueue(run) < 0) {
        const std::vector<std::string> all = allRuns();
        throw BadInput(fmt::format("{}: no run '{}'; there are {}", folder_, run,
                                   all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "))));
    }
}

namespace {

/// A text in the window's state; empty when it is not there.
std::string textIn(const std::string& viewJson, const nlohmann::json::json_pointer& at) {
    const auto view = tryJson(viewJson.empty() ? "{}" : viewJson);
    return view.is_object() && view.contains(at) && view[at].is_string() ? view[at].get<std::string>()
                                                                         : std::string();
}

/// The object that another one holds by a name; what else is there goes.
nlohmann::json& objectIn(nlohmann::json& parent, const std::string& name) {
    nlohmann::json& held = parent[name];
    if (!held.is_object()) {
        held = nlohmann::json::object();
    }
    return held;
}

}  // namespace

std::string Study::givenName(const std::string& run) const {
    return textIn(viewJson, nlohmann::json::json_pointer("/runs/each") / run / "name");
}

std::string Study::shownRun() const {
    return textIn(viewJson, nlohmann::json::json_pointer("/runs/selected"));
}

void Study::rename(const std::string& run, const std::string& name) {
    requireRun(run);
    auto view = tryJson(viewJson.empty() ? "{}" : viewJson);
    if (!view.is_object()) {
        view = nlohmann::json::object();
    }
    objectIn(objectIn(objectIn(view, "runs"), "each"), run)["name"] = name;
    viewJson = jsonText(view);
}

void Study::remove(const std::string& run) {
    requireRun(run);
    for (const std::string& file : {runFile(run), checkpointFile(run)}) {
        removeLeftTemporaries(file);
    }
    std::vector<std::string> files = filesOf(run);
    files.push_back(claimFile(run));
    for (const std::string& file : files) {
        std::error_code fault;
        fs::remove(file, fault);
        if (fault) {
            throw CannotWrite(fmt::format("{}: cannot be deleted ({})", file, fault.message()));
        }
    }
    if (const int place = placeInQueue(run); place >= 0) {
        queue.erase(queue.begin() + place);
    }
}

void Study::save() const {
    nlohmann::ordered_json root{
        {"version", kStudyVersion}, {"settings", settings.json()}, {"true_ratio", rois.trueRatio}};
    root["rois"] = parseOrderedJson(roisToJson(rois.rois), folder_)["rois"];
    for (const QueuedRun& waiting : queue) {
        root["queue"].push_back(
            {{"run", waiting.run}, {"settings", waiting.settings.json()}, {"continues", waiting.continues}});
    }
    if (!viewJson.empty()) {
        root["view"] = parseOrderedJson(viewJson, folder_);
    }
    writeTextAside((fs::path(folder_) / kDescription).string(), jsonText(root, 2) + "\n");
}

}  // namespace tof
