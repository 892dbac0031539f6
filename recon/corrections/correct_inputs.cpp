// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/correct_inputs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/sum.h"
#include "recon/corrections/correct_request.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/io/rdf9_format.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

/// All but the events of a list, where that is to be had without reading them. Throws WrongUse where the file
/// is no list, an empty one, or one of other crystals.
std::optional<EventList> outlineOfList(const std::string& path, const Scanner& scanner) {
    const RecognisedFile file = recognise(path);
    if (file.kind() != FileKind::List) {
        throw WrongUse("{}: is no list-mode; give the list of a scan", path);
    }
    const auto stream = file.eventStream();
    if (stream == nullptr) {
        return std::nullopt;
    }
    if (stream->size() == 0) {
        throw WrongUse("{}: holds no events; give the list of a scan that has some", path);
    }
    const EventList& list = stream->scan();
    if (!list.scannerJson.empty()) {
        const std::shared_ptr<const Scanner> known = list.scannerJson.scanner(path);
        const Scanner& own = *known;
        if (own.crystals.size() != scanner.crystals.size()) {
            throw WrongUse("{}: is of scanner '{}' with {} crystals, the data are of '{}' with {}", path,
                           own.name, own.crystals.size(), scanner.name, scanner.crystals.size());
        }
    }
    return list;
}

}  // namespace

EventList readNormalisation(const std::string& path, std::function<void()> heed) {
    EventList events = recognise(path, std::move(heed)).readEvents({}).events;
    if (events.phantom.empty()) {
        throw WrongUse(
            "{}: does not say what was measured; a normalisation needs a list that names its phantom", path);
    }
    if (!events.kind.empty()) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.kind[i] == EventKind::True) {
                events.crystals[kept++] = events.crystals[i];
            }
        }
        events.crystals.resize(kept);
    }
    return events;
}

double deviationOf(const std::vector<double>& efficiencies) {
    double squares = 0;
    for (const double efficiency : efficiencies) {
        squares += (efficiency - 1) * (efficiency - 1);
    }
    return std::sqrt(squares / static_cast<double>(efficiencies.size()));
}

double partnersLeave(const std::vector<double>& rates, const Scanner& scanner, std::uint64_t prompts,
                     double randoms, double duration_s, double busyPerRecorded) {
    const double coincidences = std::max(0.0, static_cast<double>(prompts) - randoms) / duration_s;
    return randomsThatPartnersLeave(rates, scanner, coincidences, busyPerRecorded);
}

double busyPerRecorded(const CrystalSingles& singles) {
    const double recorded = sumOf(singles.recorded);
    const double busy = sumOf(singles.busy);
    return busy > 0 ? busy / recorded : 1;
}

Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom, const Lattice& lattice,
                     double spacing_mm, const std::string& source, WorkProgress& progress) {
    const auto heed = [&progress] { progress.heed(); };
    if (!mu.empty()) {
        AttenuationMap map = readAttenuationMap(mu, units, heed);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        throw WrongUse("{}: names no phantom that would say what attenuates; give --mu FILE", source);
    }
    return Phantom::fromNameOrText(phantom, source, volumeReader(heed))
        .wholeAttenuation(lattice, spacing_mm, progress.pool());
}

void requireNormalisation(const std::string& path, const Scanner& scanner) {
    if (const auto stored = rdf9Efficiencies(path)) {
        if (stored->size() != scanner.crystals.size()) {
            throw WrongUse("{}: has efficiencies of {} crystals, the scanner '{}' has {}", path,
                           stored->size(), scanner.name, scanner.crystals.size());
        }
        return;
    }
    const auto list = outlineOfList(path, scanner);
    if (list && list->phantom.empty()) {
        throw WrongUse(
            "{}: does not say what was measured; a normalisation needs a list that names its phantom", path);
    }
}

void requireDelayeds(const std::string& path, const Scanner& scanner) {
    static_cast<void>(outlineOfList(path, scanner));
}

std::shared_ptr<const EventList> delayedsOf(const CorrectRequest& request, const ThreadPool& pool) {
    if (request.delayedList) {
        return request.delayedList;
    }
    const RecognisedFile file = recognise(request.delayeds, [&pool] { pool.heed(); });
    const auto stream = file.eventStream();
    if (stream == nullptr) {
        return std::make_shared<const EventList>(file.readEvents({}).events);
    }
    auto events = std::make_shared<EventList>(stream->scan());
    events->crystals = largeArray<std::array<std::uint32_t, 2>>(stream->size(), pool);
    events->dt_ps = largeArray<float>(stream->size(), pool);
    events->dt_ps.clear();  // the room stays; a list may have no times of flight
    stream->read(0, stream->size(), *events);
    return events;
}

std::vector<std::uint32_t> momentsOfDelayeds(const CorrectRequest& request, std::function<void()> heed) {
    return request.delayedList ? request.delayedList->time_ms
                               : recognise(request.delayeds, std::move(heed)).readEvents({}).events.time_ms;
}

CrystalSingles measuredSingles(const std::string& path) {
    std::optional<CrystalSingles> listed = rdf9Singles(path);
    return listed ? std::move(*listed) : readSingles(path);
}

CrystalSingles singlesOf(const std::string& path, const Scanner& scanner) {
    CrystalSingles singles = measuredSingles(path);
    if (singles.recorded.size() != scanner.crystals.size()) {
        throw WrongUse("{}: has singles of {} crystals, the scanner '{}' has {}", path,
                       singles.recorded.size(), scanner.name, scanner.crystals.size());
    }
    return singles;
}

}  // namespace tof
