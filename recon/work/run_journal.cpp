// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_journal.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/work/run_files.h"

namespace tof {

namespace {

using Json = nlohmann::json;

/// Less than this is written in the time that a thread takes to begin.
constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 20U;

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

/// Both lists, which ascend, in one; where both have an iterate, `known` says it.
template <class Each>
std::vector<Each> joined(const std::vector<Each>& known, const std::vector<Each>& more) {
    std::vector<Each> all;
    std::set_union(known.begin(), known.end(), more.begin(), more.end(), std::back_inserter(all),
                   [](const Each& a, const Each& b) { return a.iteration < b.iteration; });
    return all;
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

RunJournal::~RunJournal() {
    most_ = 0;
}

void RunJournal::add(const StoredIterate& iterate, const std::optional<Figures>& figures,
                     std::shared_ptr<const Volume> image) {
    Json json = journalText(iterate, figures);
    if (image != nullptr) {
        json["units"] = image->units;
    }
    waiting_.push_back({jsonText(json), std::move(image), true});
}

void RunJournal::add(const RunFrame& frame, const Volume& image) {
    waiting_.push_back({jsonText(Json{{"frame", journalText(frame)}, {"units", image.units}}),
                        std::make_shared<const Volume>(image)});
}

std::uint64_t RunJournal::waitingBytes() const {
    std::uint64_t bytes = 0;
    for (const std::vector<Waiting>* some : {&writing_, &waiting_}) {
        for (const Waiting& each : *some) {
            bytes += each.text.size() + each.view().values.size_bytes();
        }
    }
    return bytes;
}

std::size_t RunJournal::due(const std::vector<Waiting>& all) {
    const bool inCheckpoint = !all.empty() && all.back().ofIterate && all.back().image != nullptr;
    return all.size() - (inCheckpoint ? 1 : 0);
}

void RunJournal::saveBeside() {
    if (beside_.valid()) {
        if (beside_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
            return;
        }
        endBeside(writing_.size());
    }
    if (waitingBytes() < kWorthAThread) {
        return;
    }
    writing_ = std::exchange(waiting_, {});
    written_ = 0;
    most_ = writing_.size();
    beside_ = std::async(std::launch::async, [this] {
        for (; written_ < most_; ++written_) {
            const RecordView record = writing_[written_].view();
            const std::uint64_t end = file_.append(end_, record, [&] { return written_ < most_; });
            if (end == end_) {
                return;
            }
            end_ = end;
        }
    });
}

void RunJournal::endBeside(std::size_t most) {
    if (!beside_.valid()) {
        return;
    }
    most_ = most;
    beside_.wait();
    const auto left = writing_.begin() + static_cast<std::ptrdiff_t>(written_);
    waiting_.insert(waiting_.begin(), std::make_move_iterator(left), std::make_move_iterator(writing_.end()));
    writing_.clear();
    beside_.get();
}

void RunJournal::save() {
    endBeside(waiting_.empty() ? due(writing_) : writing_.size());
    const std::size_t count = due(waiting_);
    std::vector<RecordView> records;
    for (std::size_t i = 0; i < count; ++i) {
        records.push_back(waiting_[i].view());
    }
    end_ = file_.append(end_, records);  // of none, too: what another run left behind the end goes
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
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
    checkpoint.history = joined(checkpoint.history, journal.iterates());
    const std::vector<Figures> figures = joined(figuresFromJson(checkpoint.metricsJson), journal.figures());
    checkpoint.metricsJson = figures.empty() ? std::string() : jsonText(figuresJson(figures));
    return checkpoint;
}

}  // namespace tof
