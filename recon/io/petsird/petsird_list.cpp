// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/petsird_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

using nlohmann::json;

/// The scanner of the header, which the reader stands behind then.
PetsirdScanner headerOf(YardlReader& reader) {
    const YardlSchema& schema = reader.schema();
    requirePetsird(reader.path(), schema);
    const YardlType& header = schema.type(schema.step("header"));
    json scanner;
    for (std::size_t i = 0; i < header.parts.size(); ++i) {
        if (i < header.names.size() && header.names[i] == "scanner") {
            scanner = reader.value(header.parts[i]);
        } else {
            reader.skip(header.parts[i]);
        }
    }
    try {
        return {reader.path(), scanner};
    } catch (const json::exception&) {
        throw BadInput("{}: its scanner is not laid out as in PETSIRD 0.9 or 0.10; write it so",
                       reader.path());
    }
}

}  // namespace

void requirePetsird(const std::string& path, const YardlSchema& schema) {
    if (schema.protocol() != "PETSIRD") {
        throw BadInput("{}: holds '{}' of yardl, not PETSIRD; give a list of PETSIRD", path,
                       schema.protocol());
    }
    if (!schema.hasType("LowerTriangular")) {
        throw BadInput(
            "{}: is of PETSIRD 0.8 or older (its model has no lower-triangular lists); convert it to 0.9 or "
            "0.10 with the tools of PETSIRD",
            path);
    }
}

PetsirdList::PetsirdList(YardlReader reader, const ListReadOptions& options)
    : reader_(std::move(reader)), scanner_(headerOf(reader_)) {
    scanner_.useCalibration(options.factor);
    scan_.scannerJson = scanner_.scanner().toJson();
    readBlocks(options);
    finish();
}

void PetsirdList::readBlocks(const ListReadOptions& options) {
    const YardlSchema& schema = reader_.schema();
    const YardlType& block = schema.type(schema.step("timeBlocks"));
    std::uint64_t left = 0;
    for (bool more = true; more;) {
        const std::size_t runs = runs_.size();
        const std::uint64_t events = size_;
        try {
            left = left > 0 ? left : reader_.count();
            more = left > 0;
            if (more) {
                --left;
                const std::uint64_t one = reader_.number();
                if (block.kind != YardlKind::Union || one >= block.parts.size()) {
                    throw BadInput("{}: has a time block of no known kind; write it as PETSIRD 0.9 or 0.10",
                                   reader_.path());
                }
                if (block.names[one] == "EventTimeBlock") {
                    readBlock(block.parts[one]);
                } else {
                    reader_.skip(block.parts[one]);
                    ++others_;
                }
            }
        } catch (const BadInput&) {
            if (!options.partial) {
                throw;
            }
            runs_.resize(runs);
            size_ = events;
            cut_ = true;
            return;
        }
    }
    behind_ = reader_.left();
}

void PetsirdList::readBlock(std::size_t type) {
    const YardlType& block = reader_.schema().type(type);
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < block.parts.size(); ++i) {
        if (block.names[i] == "timeInterval") {
            const json interval = reader_.value(block.parts[i]);
            start = interval.is_object() ? interval.value("start", std::uint64_t{0}) : 0;
            const std::uint64_t stop = interval.is_object() ? interval.value("stop", start) : start;
            if (stop < start || stop > std::numeric_limits<std::uint32_t>::max()) {
                throw BadInput("{}: has a time block from {} to {} ms; correct it", reader_.path(), start,
                               stop);
            }
            start_ms_ = std::min(start_ms_.value_or(start), start);
            stop_ms_ = std::max(stop_ms_, stop);
        } else if (block.names[i] == "promptEvents") {
            size_ += readRuns(block.parts[i], static_cast<std::uint32_t>(start), &runs_);
        } else if (block.names[i] == "delayedEvents") {
            delayeds_ += readRuns(block.parts[i], 0, nullptr);
        } else {
            reader_.skip(block.parts[i]);
        }
    }
}

std::uint64_t PetsirdList::readRuns(std::size_t lists, std::uint32_t time_ms, std::vector<Run>* runs) {
    std::size_t items = lists;
    for (int depth = 0; depth < 3; ++depth) {
        const YardlType& list = reader_.schema().type(items);
        if (list.kind != YardlKind::Vector) {
            throw BadInput(
                "{}: its coincidences are not in lists for pairs of module types; write it as PETSIRD "
                "0.9 or 0.10",
                reader_.path());
        }
        items = list.parts.front();
    }
    learnCoincidence(items);
    std::uint64_t events = 0;
    const std::uint64_t rows = reader_.count();
    for (std::uint64_t one = 0; one < rows; ++one) {
        const std::uint64_t columns = reader_.count();
        for (std::uint64_t two = 0; two < columns; ++two) {
            const std::uint64_t count = reader_.count();
            if (count > 0 && (one >= scanner_.types().size() || two > one)) {
                throw BadInput(
                    "{}: has coincidences of module types {} and {}, and its scanner has {} types; "
                    "correct it",
                    reader_.path(), one, two, scanner_.types().size());
            }
            if (runs != nullptr && count > 0) {
                runs->push_back({size_ + events,
                                 count,
                                 reader_.at(),
                                 time_ms,
                                 {static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(two)}});
            }
            for (std::uint64_t i = 0; i < count; ++i) {
                static_cast<void>(coincidence());
            }
            events += count;
        }
    }
    return events;
}

void PetsirdList::learnCoincidence(std::size_t type) {
    const YardlType& record = reader_.schema().type(type);
    if (!fields_.empty()) {
        return;
    }
    const auto isNumber = [&](std::size_t part) {
        return reader_.schema().type(part).kind == YardlKind::Unsigned;
    };
    for (std::size_t i = 0; record.kind == YardlKind::Record && i < record.parts.size(); ++i) {
        const YardlType& part = reader_.schema().type(record.parts[i]);
        const bool bins = record.names[i] == "detectionBins" && part.kind == YardlKind::Fixed &&
                          part.count == 2 && isNumber(part.parts.front());
        const bool time = record.names[i] == "tofIdx" && isNumber(record.parts[i]);
        fields_.emplace_back(bins ? Field::Bins : time ? Field::Time : Field::Other, record.parts[i]);
    }
    const auto has = [&](Field field) {
        return std::any_of(fields_.begin(), fields_.end(),
                           [&](const auto& one) { return one.first == field; });
    };
    if (!has(Field::Bins) || !has(Field::Time)) {
        fields_.clear();
        throw BadInput(
            "{}: its coincidences have no 'detectionBins' or no 'tofIdx'; write it as PETSIRD 0.9 or "
            "0.10",
            reader_.path());
    }
}

PetsirdList::Coincidence PetsirdList::coincidence() const {
    Coincidence one;
    for (const auto& [field, type] : fields_) {
        if (field == Field::Bins) {
            one.bins[0] = reader_.number();
            one.bins[1] = reader_.number();
        } else if (field == Field::Time) {
            one.time = reader_.number();
        } else {
            reader_.skip(type);
        }
    }
    return one;
}

std::array<std::uint32_t, 2> PetsirdList::crystalsOf(const Run& run, const Coincidence& one,
                                                     std::uint64_t event) const {
    std::array<std::uint32_t, 2> crystals{};
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const PetsirdScanner::Type& type = scanner_.types()[run.types.at(side)];
        const std::uint64_t crystal = one.bins.at(side) / type.energies;
        if (crystal >= type.crystals) {
            throw BadInput(
                "{}: coincidence {} names detection bin {}, and its type of modules has {}; correct it",
                reader_.path(), event, one.bins.at(side), std::uint64_t{type.crystals} * type.energies);
        }
        crystals.at(side) = type.firstCrystal + static_cast<std::uint32_t>(crystal);
    }
    if (one.time >= scanner_.pair(run.types[0], run.types[1]).time_bins) {
        throw BadInput("{}: coincidence {} names time bin {}, beyond 'tofBinEdges'; correct it",
                       reader_.path(), event, one.time);
    }
    return crystals;
}

template <typename Take>
void PetsirdList::forEvents(std::uint64_t first, std::uint64_t count, const Take& take) const {
    auto run = std::upper_bound(runs_.begin(), runs_.end(), first,
                                [](std::uint64_t event, const Run& one) { return event < one.first; });
    for (std::uint64_t event = first; event < first + count;) {
        const Run& here = *std::prev(run);
        if (nextEvent_ != event || event == here.first) {
            reader_.moveTo(here.at);
            for (std::uint64_t passed = here.first; passed < event; ++passed) {
                static_cast<void>(coincidence());
            }
        } else {
            reader_.moveTo(nextAt_);
        }
        for (const std::uint64_t end = std::min(first + count, here.first + here.count); event < end;
             ++event) {
            const Coincidence one = coincidence();
            take(here, one, event);
        }
        nextEvent_ = event;
        nextAt_ = reader_.at();
        ++run;
    }
}

void PetsirdList::read(std::uint64_t first, std::uint64_t count, EventList& block) const {
    block.crystals.resize(count);
    block.dt_ps.resize(scanner_.timed() ? count : 0);
    forEvents(first, count, [&](const Run& run, const Coincidence& one, std::uint64_t event) {
        block.crystals[event - first] = crystalsOf(run, one, event);
        if (scanner_.timed()) {
            const std::vector<float>& dt_ps = scanner_.pair(run.types[0], run.types[1]).dt_ps;
            block.dt_ps[event - first] = dt_ps.empty() ? 0 : dt_ps[one.time];
        }
    });
}

ListReadResult PetsirdList::all() const {
    constexpr std::uint64_t kBytesPerEvent = 20;  // crystals, time of flight, mult, time
    requireMemory(reader_.path(), size_ * kBytesPerEvent);
    ListReadResult result{scan_, size_, note_};
    EventList& events = result.events;
    read(0, size_, events);
    events.time_ms.reserve(size_);
    for (const Run& run : runs_) {
        events.time_ms.insert(events.time_ms.end(), run.count,
                              run.time_ms - static_cast<std::uint32_t>(start_ms_.value_or(0)));
    }
    if (scanner_.weighted()) {
        events.mult.resize(size_);
        forEvents(0, size_, [&](const Run& run, const Coincidence& one, std::uint64_t event) {
            events.mult[event] = scanner_.efficiency(run.types[0], run.types[1], one.bins);
        });
    }
    return result;
}

void PetsirdList::finish() {
    scan_.duration_s = 1e-3 * static_cast<double>(stop_ms_ - std::min(stop_ms_, start_ms_.value_or(0)));
    note_ = scanner_.note();
    if (cut_) {
        note_ = joinedNotes(note_, fmt::format("it ends within a block, behind {} coincidences", size_));
    }
    if (behind_ > 0) {
        note_ = joinedNotes(note_, fmt::format("{} bytes behind its end are passed over", behind_));
    }
    if (delayeds_ > 0) {
        note_ = joinedNotes(note_, fmt::format("{} delayed coincidences are left out", delayeds_));
    }
    if (others_ > 0) {
        note_ =
            joinedNotes(note_, fmt::format("{} blocks of signals, movements, dead time or singles are passed "
                                           "over",
                                           others_));
    }
    const auto& types = scanner_.types();
    if (std::any_of(types.begin(), types.end(), [](const auto& type) { return type.energies > 1; })) {
        note_ = joinedNotes(note_, "its energy windows are left out");
    }
    if (scanner_.weighted()) {
        note_ = joinedNotes(note_,
                            "its efficiencies come with the events, which change no image unless the "
                            "sensitivity holds them, too; bin with --corrections");
    }
    note_ = note_.empty() ? note_ : reader_.path() + ": " + note_;
}

}  // namespace tof
