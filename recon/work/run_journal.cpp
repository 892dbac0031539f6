// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_journal.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/work/run_files.h"

namespace tof {

namespace {

using Json = nlohmann::json;

Json journalText(const StoredIterate& iterate, const std::optional<Figures>& figures) {
    Json json{
        {"iteration", iterate.iteration}, {"stages", iterate.stageSeconds}, {"seconds", iterate.seconds}};
    if (iterate.objective) {
        json["objective"] = {iterate.objective->logLikelihood, iterate.objective->penalty};
    }
    if (iterate.change) {
        json["change"] = *iterate.change;
    }
    if (figures) {
        json["figures"] = jsonText(figuresJson({*figures}));
    }
    return json;
}

StoredIterate iterateFrom(const Json& json) {
    StoredIterate iterate{json.at("iteration"), json.at("stages").get<std::vector<double>>(),
                          json.at("seconds")};
    if (const auto told = json.find("objective"); told != json.end()) {
        iterate.objective = ObjectiveValue{told->at(0), told->at(1)};
    }
    if (const auto told = json.find("change"); told != json.end()) {
        iterate.change = told->get<double>();
    }
    return iterate;
}

Json journalText(const RunFrame& frame) {
    return {{"number", frame.number},
            {"start_s", frame.time.start_s},
            {"duration_s", frame.time.duration_s},
            {"per_emission", frame.perEmission},
            {"half_life_s", frame.halfLife_s},
            {"made", frame.made},
            {"gate", frame.gate}};
}

RunFrame frameFrom(const Json& json) {
    return {json.at("number"),       {json.at("start_s"), json.at("duration_s")},
            json.at("per_emission"), json.at("half_life_s"),
            json.at("made"),         json.at("gate")};
}

}  // namespace

RunJournal::RunJournal(std::string path, const Lattice& lattice, std::optional<int> last)
    : file_(std::move(path)), lattice_(lattice) {
    if (last == 0) {
        return;
    }
    const int most = last.value_or(std::numeric_limits<int>::max());
    end_ = file_.each([&](std::uint64_t at, const Record& record) {
        try {
            note(at, record);
        } catch (const Json::exception&) {
            return false;
        }
        if (iterates_.empty() || iterates_.back().iteration <= most) {
            return true;
        }
        images_.erase(iterates_.back().iteration);
        iterates_.pop_back();
        return false;
    });
    std::erase_if(figures_, [&](const Figures& each) { return each.iteration > most; });
}

void RunJournal::note(std::uint64_t at, const Record& record) {
    const Json json = tryJson(record.text);
    const std::size_t voxels = lattice_.voxels();
    if (!record.values.empty() && record.values.size() != voxels) {
        throw Json::other_error::create(500, "no image of the run", nullptr);
    }
    if (const auto frame = json.find("frame"); frame != json.end()) {
        frames_.emplace_back(frameFrom(*frame), at);
    } else {
        const StoredIterate iterate = iterateFrom(json);
        if (!iterates_.empty() && iterate.iteration <= iterates_.back().iteration) {
            throw Json::other_error::create(500, "iterates do not ascend", nullptr);
        }
        iterates_.push_back(iterate);
        if (!record.values.empty()) {
            images_[iterate.iteration] = at;
        }
        if (const auto told = json.find("figures"); told != json.end()) {
            const std::vector<Figures> figures = figuresFromJson(told->get<std::string>());
            figures_.insert(figures_.end(), figures.begin(), figures.end());
        }
    }
}

std::shared_ptr<const Volume> RunJournal::volumeAt(std::uint64_t at) const {
    Record record = file_.read(at);
    auto image = std::make_shared<Volume>();
    image->lattice = lattice_;
    image->units = tryJson(record.text).value("units", "");
    image->data = std::move(record.values);
    return image;
}

std::shared_ptr<const Volume> RunJournal::imageOf(int iteration) const {
    const auto found = images_.find(iteration);
    return found == images_.end() ? nullptr : volumeAt(found->second);
}

std::shared_ptr<const Volume> RunJournal::imageOf(const RunFrame& frame) const {
    const auto found = placeOf(frame);
    return found == frames_.end() ? nullptr : volumeAt(found->second);
}

void RunJournal::add(const StoredIterate& iterate, const std::optional<Figures>& figures,
                     const std::shared_ptr<const Volume>& image) {
    Json json = journalText(iterate, figures);
    if (image != nullptr) {
        json["units"] = image->units;
    }
    wait({jsonText(json), image != nullptr ? image->data : std::vector<float>()});
}

void RunJournal::add(const RunFrame& frame, const Volume& image) {
    wait({jsonText(Json{{"frame", journalText(frame)}, {"units", image.units}}), image.data});
}

void RunJournal::wait(Record record) {
    waitingBytes_ += record.text.size() + record.values.size() * sizeof(float);
    waiting_.push_back(std::move(record));
}

void RunJournal::save() {
    end_ = file_.append(end_, waiting_);
    waiting_.clear();
    waitingBytes_ = 0;
}

void leavingNoJournalAlone(const std::string& checkpointFile, const std::function<void()>& write) {
    try {
        write();
    } catch (...) {
        std::error_code ignored;
        if (!std::filesystem::exists(checkpointFile, ignored)) {
            std::filesystem::remove(journalOf(checkpointFile), ignored);
        }
        throw;
    }
}

Checkpoint readWithJournal(const std::string& checkpointFile) {
    Checkpoint checkpoint = readCheckpoint(checkpointFile);
    const RunJournal journal(journalOf(checkpointFile), checkpoint.image->lattice, checkpoint.iteration);
    std::vector<StoredIterate>& history = checkpoint.history;
    for (const StoredIterate& iterate : journal.iterates()) {
        if (history.empty() || iterate.iteration > history.back().iteration) {
            history.push_back(iterate);
        }
    }
    std::vector<Figures> figures = figuresFromJson(checkpoint.metricsJson);
    for (const Figures& each : journal.figures()) {
        if (figures.empty() || each.iteration > figures.back().iteration) {
            figures.push_back(each);
        }
    }
    checkpoint.metricsJson = figures.empty() ? std::string() : jsonText(figuresJson(figures));
    return checkpoint;
}

}  // namespace tof
