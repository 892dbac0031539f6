// SPDX-License-Identifier: Apache-2.0
#include "recon/work/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/plain_text.h"
#include "recon/base/text_file.h"
#include "recon/data/data_hash.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/anatomy.h"
#include "recon/work/read_measurement.h"
#include "recon/work/replicates.h"
#include "recon/work/stored_run.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostRuns = 100000;

using Values = std::vector<std::pair<std::string, std::string>>;

/// As a setting takes it: a kernel may be written out.
std::string valueText(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : jsonText(value);
}

Values valuesOf(const nlohmann::ordered_json& object, const std::string& source) {
    if (!object.is_object()) {
        throw BadInput(source + ": must be an object of settings and their values");
    }
    Values values;
    for (const auto& [key, value] : object.items()) {
        values.emplace_back(key, valueText(value));
    }
    return values;
}

/// Every combination of the lists, the last one fastest.
std::vector<Values> combinations(const nlohmann::ordered_json& vary, const std::string& source) {
    if (!vary.is_object()) {
        throw BadInput(source + ": must be an object of settings, each with a list of values");
    }
    std::vector<Values> all{{}};
    for (const auto& [key, list] : vary.items()) {
        if (!list.is_array() || list.empty()) {
            throw BadInput("{}.{}: must be a list of values", source, key);
        }
        if (all.size() * list.size() > kMostRuns) {
            throw BadInput("{}: makes more than {} runs", source, kMostRuns);
        }
        std::vector<Values> longer;
        for (const Values& values : all) {
            for (const auto& value : list) {
                longer.push_back(values);
                longer.back().emplace_back(key, valueText(value));
            }
        }
        all = std::move(longer);
    }
    return all;
}

void apply(RunSettings& settings, const Values& values, const std::string& source) {
    for (const auto& [key, value] : values) {
        try {
            settings.set(key, value);
        } catch (const WrongUse& fault) {
            throw BadInput("{}: {}", source, fault.what());
        }
    }
}

bool haveEqualBytes(const std::string& one, const std::string& other) {
    std::error_code fault;
    if (fs::file_size(one, fault) != fs::file_size(other, fault) || fault) {
        return false;
    }
    std::ifstream first(one, std::ios::binary);
    std::ifstream second(other, std::ios::binary);
    constexpr std::size_t kPiece = 1U << 20U;
    std::vector<char> a(kPiece);
    std::vector<char> b(kPiece);
    while (first && second) {
        first.read(a.data(), static_cast<std::streamsize>(a.size()));
        second.read(b.data(), static_cast<std::streamsize>(b.size()));
        if (first.gcount() != second.gcount() ||
            !std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(first.gcount()), b.begin())) {
            return false;
        }
    }
    return first.eof() && second.eof();
}

/// The study of a sweep holds its data: a copy, or the same values in another file. Where the file is gone
/// the copy speaks for itself.
void requireData(const Sweep& sweep, const Study& study) {
    if (!fs::exists(sweep.data) || haveEqualBytes(sweep.data, study.dataFile())) {
        return;
    }
    if (readMeasurement(sweep.data)->hash() != readMeasurement(study.dataFile())->hash()) {
        throw BadInput("{}: was made from other data than {}; give the sweep another study", study.folder(),
                       sweep.data);
    }
}

std::string labelOf(const Values& values) {
    std::vector<std::string> words;
    for (const auto& [key, value] : values) {
        words.push_back(fmt::format("{} {}", key, value));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// Takes the iterations out of what varies: a run to the last of them passes the others.
std::vector<int> iterationsOf(nlohmann::ordered_json& vary, const std::string& source) {
    std::vector<int> iterations;
    if (vary.is_object() && vary.contains("iterations")) {
        for (const auto& value : vary["iterations"]) {
            if (!value.is_number_integer() || value.get<int>() < 1 || value.get<int>() > 100000) {
                throw BadInput(source + ".vary.iterations: must be a list of whole numbers from 1 to 100000");
            }
            iterations.push_back(value.get<int>());
        }
        vary.erase("iterations");
        std::sort(iterations.begin(), iterations.end());
    }
    return iterations;
}

std::string besideSpec(const std::string& spec, const std::string& file) {
    return fs::path(file).is_absolute() ? file : (fs::path(spec).parent_path() / file).string();
}

double numberAt(const nlohmann::json& row, const char* key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_number() ? found->get<double>()
                                                    : std::numeric_limits<double>::quiet_NaN();
}

std::string cell(double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
}

/// What a run has at a key; a run of another list may not have it.
std::string variedValue(const SweepRun& run, const std::string& key) {
    const auto found = std::find_if(run.varied.begin(), run.varied.end(),
                                    [&](const auto& pair) { return pair.first == key; });
    return found != run.varied.end() ? found->second : run.settings.get(key);
}

/// When anything in a folder, or the folder itself, was changed last.
fs::file_time_type lastChangeIn(const fs::path& folder) {
    fs::file_time_type last = fs::last_write_time(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        last = std::max(last, entry.last_write_time());
    }
    return last;
}

constexpr std::string_view kAside = ".part";

/// Where this process makes the folder of a sweep.
std::string asideOf(const std::string& folder) {
    return fmt::format("{}.{}{}", folder, ::getpid(), kAside);
}

/// Whether some process makes the folder under that name.
bool isAside(const std::string& name, const std::string& folder) {
    const std::size_t process = folder.size() + 1;
    const std::size_t end = name.find_first_not_of("0123456789", std::min(process, name.size()));
    return name.starts_with(folder + ".") && end != process && end != std::string::npos &&
           name.substr(end) == kAside;
}

/// Removes what programs have left that were killed while they made the folder: processes on other machines
/// may be at theirs, so that its name does not tell, but a minute without a byte does.
void removeLeftFolders(const std::string& folder) {
    const fs::path made = fs::absolute(folder);
    try {
        for (const auto& entry : fs::directory_iterator(made.parent_path())) {
            if (isAside(entry.path().filename().string(), made.filename().string()) &&
                entry.symlink_status().type() == fs::file_type::directory &&
                fs::file_time_type::clock::now() - lastChangeIn(entry.path()) > std::chrono::minutes(1)) {
                fs::remove_all(entry.path());
            }
        }
    } catch (const fs::filesystem_error&) {
        return;  // somebody else removes it, or nobody may
    }
}

void nameRuns(Sweep& sweep, const std::vector<Values>& settings, const RunSettings& common, int replicates,
              const std::string& source) {
    const std::size_t digits = std::max<std::size_t>(3, std::to_string(settings.size()).size());
    for (std::size_t i = 0; i < settings.size(); ++i) {
        for (int replicate = 0; replicate <= replicates; ++replicate) {
            SweepRun run;
            run.settings = common;
            apply(run.settings, settings[i], fmt::format("{}, run {}", source, i + 1));
            run.varied = settings[i];
            run.replicate = replicate;
            run.name = fmt::format("S{:0{}}", i + 1, digits);
            run.label = labelOf(settings[i]);
            if (replicate > 0) {
                run.name += fmt::format("-r{}", replicate);
                run.label += fmt::format("{}replicate {}", run.label.empty() ? "" : ", ", replicate);
            }
            sweep.runs.push_back(std::move(run));
        }
    }
}

}  // namespace

Sweep readSweep(const std::string& path) {
    const std::string text = readTextFile(path);
    const nlohmann::json checked = parseJson(text, path);
    const JsonFields fields(checked, path, {"data", "study", "settings", "vary", "runs", "replicates"});
    nlohmann::ordered_json root = parseOrderedJson(text, path);
    Sweep sweep;
    sweep.data = besideSpec(path, fields.text("data"));
    if (fs::is_directory(sweep.data)) {
        sweep.data = Study::open(sweep.data).dataFile();
    }
    sweep.folder = besideSpec(path, fields.text("study", fs::path(path).stem().string() + ".tofstudy"));
    RunSettings common;
    if (fields.has("settings")) {
        apply(common, valuesOf(root["settings"], path + ": settings"), path + ": settings");
    }
    if (fields.has("vary") == fields.has("runs")) {
        throw BadInput(path +
                       ": give either 'vary', lists of values to combine, or 'runs', a list of settings");
    }
    std::vector<Values> settings;
    if (fields.has("vary")) {
        sweep.iterations = iterationsOf(root["vary"], path);
        settings = combinations(root["vary"], path + ": vary");
    } else {
        if (!root["runs"].is_array() || root["runs"].empty() || root["runs"].size() > kMostRuns) {
            throw BadInput(path + ": 'runs' must be a list of objects of settings");
        }
        for (const auto& run : root["runs"]) {
            settings.push_back(valuesOf(run, path + ": runs"));
        }
    }
    if (!sweep.iterations.empty()) {
        common.set("iterations", std::to_string(sweep.iterations.back()));
    }
    const int replicates = fields.has("replicates") ? fields.integer("replicates", 0, 1000) : 0;
    nameRuns(sweep, settings, common, replicates, path);
    for (const Values& values : settings) {
        for (const auto& [key, value] : values) {
            if (std::find(sweep.keys.begin(), sweep.keys.end(), key) == sweep.keys.end()) {
                sweep.keys.push_back(key);
            }
        }
    }
    return sweep;
}

Study studyOf(const Sweep& sweep, const std::function<void()>& heed) {
    if (fs::exists(sweep.folder)) {
        Study study = Study::open(sweep.folder);
        requireData(sweep, study);
        return study;
    }
    removeLeftFolders(sweep.folder);
    // Made aside: another process may be at it, and the first one wins.
    const std::string aside = asideOf(sweep.folder);
    Study study = Study::create(aside, sweep.data, heed);
    study.settings = sweep.runs.front().settings;
    study.save();
    std::error_code fault;
    fs::rename(aside, sweep.folder, fault);
    if (fault) {
        fs::remove_all(aside);
        if (!fs::exists(sweep.folder)) {
            throw CannotWrite("{}: cannot be created ({})", sweep.folder, fault.message());
        }
    }
    flushFolderOf(sweep.folder);
    return Study::open(sweep.folder);
}

bool isDone(const Study& study, const SweepRun& run, const std::string& dataHash,
            const std::function<void()>& heed) {
    const std::string file = study.runFile(run.name);
    if (!fs::exists(file)) {
        return false;
    }
    const StoredRun stored = describeRun(file);
    for (const SettingInfo& info : settingsTable()) {
        if (!info.mayDiffer && info.read(stored.made.settings) != info.read(run.settings)) {
            throw BadInput(
                "{}: was made with {} '{}', and the sweep asks for '{}'; give the sweep another study", file,
                info.key, info.read(stored.made.settings), info.read(run.settings));
        }
    }
    if (!dataHash.empty() && run.replicate == 0 && stored.made.dataHash != dataHash) {
        throw BadInput("{}: was made from other data than the study holds; give the sweep another study",
                       file);
    }
    RunSettings asked = run.settings;
    keepAnatomy(asked, heed);
    if (stored.made.anatomyHash != anatomyHash(asked)) {
        throw BadInput("{}: went by another image than {} holds now; give the sweep another study", file,
                       asked.anatomy);
    }
    return !stored.summary.iterates.empty() &&
           stored.summary.iterates.back().iteration >= run.settings.iterations;
}

std::shared_ptr<const Measurement> replicateOf(const std::shared_ptr<const Measurement>& data,
                                               const SweepRun& run) {
    if (run.replicate == 0) {
        return data;
    }
    requireReplicable(*data);
    auto drawn = std::make_shared<HistoData>(*histoData(data.get()));
    const std::vector<float> counts = drawn->counts;
    poissonInto(counts, 1, run.settings.seed, RandomUse::Replicates,
                static_cast<std::uint32_t>(run.replicate), ThreadPool(run.settings.threads), drawn->counts);
    drawn->hash = dataHash(*drawn);
    return std::make_shared<HistoMeasurement>(std::move(drawn));
}

std::vector<SweepRow> tableOf(const Sweep& sweep, const Study& study, const std::function<void()>& heed) {
    std::vector<SweepRow> rows;
    std::string dataHash;  // one for all runs but replicates
    for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
        const SweepRun& run = sweep.runs[i];
        if (!isDone(study, run, dataHash, heed)) {
            continue;
        }
        if (run.replicate == 0) {
            dataHash = describeRun(study.runFile(run.name)).made.dataHash;
        }
        const RunSummary summary = readRunSummary(study.runFile(run.name));
        const nlohmann::json metrics = tryJson(summary.metricsJson);
        const std::vector<int> shown =
            sweep.iterations.empty() ? std::vector<int>{run.settings.iterations} : sweep.iterations;
        for (const int iteration : shown) {
            SweepRow row{i, iteration};
            for (const StoredIterate& one : summary.iterates) {
                row.seconds += one.iteration <= iteration ? one.seconds : 0;
            }
            nlohmann::json figures = nlohmann::json::object();
            if (metrics.is_object() && metrics.contains("iterations")) {
                for (const auto& each : metrics["iterations"]) {
                    if (each.value("iteration", 0) == iteration) {
                        figures = each;
                    }
                }
            }
            row.crc = numberAt(figures, "crc");
            row.noise = numberAt(figures, "noise");
            row.nsr = numberAt(figures, "nsr");
            rows.push_back(row);
        }
    }
    return rows;
}

std::string tableAsCsv(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    std::vector<std::string> head{"run"};
    head.insert(head.end(), sweep.keys.begin(), sweep.keys.end());
    for (const char* const column : {"replicate", "iteration", "crc", "noise", "nsr", "seconds"}) {
        head.emplace_back(column);
    }
    std::string out = fmt::format("{}\n", fmt::join(head, ","));
    for (const SweepRow& row : rows) {
        const SweepRun& run = sweep.runs[row.run];
        std::vector<std::string> cells{run.name};
        for (const std::string& key : sweep.keys) {
            cells.push_back(csvCell(variedValue(run, key)));
        }
        cells.push_back(std::to_string(run.replicate));
        cells.push_back(std::to_string(row.iteration));
        for (const double value : {row.crc, row.noise, row.nsr, row.seconds}) {
            cells.push_back(cell(value));
        }
        out += fmt::format("{}\n", fmt::join(cells, ","));
    }
    return out;
}

nlohmann::ordered_json tableAsJson(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    nlohmann::ordered_json table = nlohmann::ordered_json::array();
    for (const SweepRow& row : rows) {
        const SweepRun& run = sweep.runs[row.run];
        nlohmann::ordered_json one{{"run", run.name}};
        for (const std::string& key : sweep.keys) {
            one[key] = variedValue(run, key);
        }
        one["replicate"] = run.replicate;
        one["iteration"] = row.iteration;
        one["crc"] = row.crc;
        one["noise"] = row.noise;
        one["nsr"] = row.nsr;
        one["seconds"] = row.seconds;
        table.push_back(std::move(one));
    }
    return table;
}

std::string slurmScript(const Sweep& sweep, const std::string& specFile, const std::string& program) {
    std::error_code ignored;
    const std::string spec = shellWord("the file", fs::absolute(specFile, ignored).string());
    const std::string folder = shellWord("the study", fs::absolute(sweep.folder, ignored).string());
    const std::string command = shellWord("the program", program);
    return fmt::format(
        "#!/bin/bash\n"
        "# {0} runs of one sweep, one task each: sbatch SCRIPT. A task that is there already ends at once,\n"
        "# one that was killed goes on from its checkpoint. The table and the page: sbatch\n"
        "#   --dependency=afterany:JOB --wrap={4}\n"
        "#SBATCH --job-name=tofscope-sweep\n"
        "#SBATCH --array=1-{0}\n"
        "#SBATCH --ntasks=1\n"
        "#SBATCH --cpus-per-task=8\n"
        "#SBATCH --requeue\n"
        "# For a card per task: #SBATCH --gpus-per-task=1\n"
        "# Runs and checkpoints: {3}\n"
        "set -euo pipefail\n"
        "exec {1} sweep {2} --only \"$SLURM_ARRAY_TASK_ID\" --quiet\n",
        sweep.runs.size(), command, spec, folder,
        shellWord("the command", command + " sweep " + spec + " --table"));
}

}  // namespace tof
