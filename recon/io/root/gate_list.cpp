// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/gate_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

using Q = GateQuantity;

constexpr std::size_t kPiece = std::size_t{1} << 17U;
constexpr std::size_t kGrain = std::size_t{1} << 12U;
constexpr double kPsPerS = 1e12;

/// Calls visit(first, count) for pieces that together are the events [begin, begin + all).
template <typename Visit>
void inPieces(std::uint64_t begin, std::uint64_t all, const Visit& visit) {
    for (std::uint64_t done = 0; done < all; done += kPiece) {
        visit(begin + done, static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, all - done)));
    }
}

Scanner scannerOf(const std::string& path, const std::string& given) {
    if (given.empty()) {
        throw BadInput(
            "{}: says where photons were detected, but not the scanner's crystals; give the scanner that was "
            "simulated with --scanner (its JSON or a built-in name); for sinograms of rings 'convert' it to "
            ".h5 with that scanner first",
            path);
    }
    return Scanner::find(given);
}

}  // namespace

GateList::GateList(const RootFile& file, const ListReadOptions& options)
    : path_(file.path()),
      columns_(file),
      scanner_(scannerOf(path_, options.scannerFile)),
      finder_(scanner_),
      size_(columns_.present()),
      pool_(size_ > kPiece ? std::make_unique<ThreadPool>() : nullptr),
      timed_(columns_.has(Q::Time) && scanner_.timing_fwhm_ps > 0) {
    const std::uint64_t announced = columns_.tree().entries;
    if (size_ < announced && !options.partial) {
        throw BadInput(
            "{}: {} of the {} coincidences of tree '{}' are there; let GATE finish, or read it with "
            "--partial",
            path_, size_, announced, columns_.tree().name);
    }
    scan_.scannerJson = scanner_.toJson();
    noteWhatIsMissing();
    measureTime();
    noteHowTheyFit();
}

void GateList::measureTime() {
    if (!columns_.has(Q::Time) || size_ == 0) {
        return;
    }
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    inPieces(0, size_, [&](std::uint64_t first, std::size_t count) {
        columns_.read({Q::Time}, first, count, pool_.get());
        for (const double time : columns_.values(Q::Time, 0)) {
            if (!std::isfinite(time)) {
                throw BadInput("{}: '{}' holds times that are no finite numbers; remove these coincidences",
                               path_, columns_.branchName(Q::Time, 0));
            }
            low = std::min(low, time);
            high = std::max(high, time);
        }
    });
    const double unit = columns_.names().secondsPerTime;
    start_s_ = unit * low;
    scan_.duration_s = unit * (high - low);
}

void GateList::noteWhatIsMissing() {
    if (size_ < columns_.tree().entries) {
        note_ = fmt::format("{} of {} coincidences are there", size_, columns_.tree().entries);
    }
    if (!columns_.others().empty()) {
        note_ = joinedNotes(note_, fmt::format("of its trees '{}' is read, not '{}'", columns_.tree().name,
                                               fmt::join(columns_.others(), "', '")));
    }
    if (!columns_.has(Q::Time)) {
        note_ = joinedNotes(note_, "it has no times");
    } else if (!timed_) {
        note_ = joinedNotes(note_, fmt::format("times of flight are left out, as scanner '{}' has no "
                                               "timing_fwhm_ps",
                                               scanner_.name));
    }
    if (!columns_.kinds()) {
        note_ = joinedNotes(note_,
                            "it does not say for every coincidence whether it is true, scattered or "
                            "random (eventID, comptonPhantom and RayleighPhantom do)");
    }
}

void GateList::noteHowTheyFit() {
    constexpr double kFew = 0.01;
    const auto sample = static_cast<std::size_t>(std::min<std::uint64_t>(size_, kPiece));
    columns_.read({Q::X, Q::Y, Q::Z}, 0, sample, pool_.get());
    std::size_t outside = 0;
    double farthest = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        for (const std::size_t photon : {std::size_t{0}, std::size_t{1}}) {
            const double distance =
                finder_
                    .find({columns_.values(Q::X, photon)[i], columns_.values(Q::Y, photon)[i],
                           columns_.values(Q::Z, photon)[i]})
                    .outside_mm;
            outside += distance > 1e-3 ? 1 : 0;
            farthest = std::max(farthest, distance);
        }
    }
    const double share = static_cast<double>(outside) / std::max(2.0 * static_cast<double>(sample), 1.0);
    if (scanner_.facesKnown && share > kFew && std::isfinite(farthest)) {
        note_ = joinedNotes(
            note_,
            fmt::format("{:.0f} % of its photons lie up to {:.1f} mm outside of the crystals of scanner "
                        "'{}' and are taken to the nearest ones",
                        100 * share, farthest, scanner_.name));
    }
    note_ = note_.empty() ? note_ : path_ + ": " + note_;
}

std::uint32_t GateList::crystalAt(std::uint64_t event, std::size_t i, std::size_t photon) const {
    const Vec3 place{columns_.values(Q::X, photon)[i], columns_.values(Q::Y, photon)[i],
                     columns_.values(Q::Z, photon)[i]};
    const CrystalFinder::Found found = finder_.find(place);
    if (!std::isfinite(found.outside_mm)) {
        throw BadInput(
            "{}: a photon of coincidence {} lies at ({:.1f}, {:.1f}, {:.1f}) mm, more than {} mm from every "
            "crystal of scanner '{}'; give the scanner that was simulated with --scanner",
            path_, event, place.x, place.y, place.z, CrystalFinder::kReach_mm, scanner_.name);
    }
    return found.crystal;
}

void GateList::takeCrystals(std::uint64_t first, std::size_t count, EventList& out, std::size_t at) const {
    const double unit_ps = kPsPerS * columns_.names().secondsPerTime;
    const auto some = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            out.crystals[at + i] = {crystalAt(first + i, i, 0), crystalAt(first + i, i, 1)};
        }
        for (std::size_t i = begin; timed_ && i < end; ++i) {
            const double dt = unit_ps * (columns_.values(Q::Time, 0)[i] - columns_.values(Q::Time, 1)[i]);
            if (!(std::abs(dt) <= 1e9)) {
                throw BadInput(
                    "{}: the times of coincidence {} differ by {:g} ps; give prompt coincidences alone",
                    path_, first + i, dt);
            }
            out.dt_ps[at + i] = static_cast<float>(dt);
        }
    };
    if (pool_) {
        pool_->forRange(count, kGrain, some);
    } else {
        some(0, count);
    }
}

void GateList::read(std::uint64_t first, std::uint64_t count, EventList& block) const {
    block.crystals.resize(count);
    block.dt_ps.resize(timed_ ? count : 0);
    inPieces(first, count, [&](std::uint64_t begin, std::size_t piece) {
        if (timed_) {
            columns_.read({Q::X, Q::Y, Q::Z, Q::Time}, begin, piece, pool_.get());
        } else {
            columns_.read({Q::X, Q::Y, Q::Z}, begin, piece, pool_.get());
        }
        takeCrystals(begin, piece, block, begin - first);
    });
}

bool GateList::tellsMoments() const {
    return columns_.has(Q::Time) && scan_.duration_s < 1e-3 * std::numeric_limits<std::uint32_t>::max();
}

void GateList::readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const {
    block.time_ms.resize(count);
    inPieces(first, count, [&](std::uint64_t begin, std::size_t piece) {
        columns_.read({Q::Time}, begin, piece, pool_.get());
        takeMoments(piece, block, begin - first);
    });
}

void GateList::takeMoments(std::size_t count, EventList& out, std::size_t at) const {
    for (std::size_t i = 0; i < count; ++i) {
        const double s = columns_.values(Q::Time, 0)[i] * columns_.names().secondsPerTime - start_s_;
        out.time_ms[at + i] = static_cast<std::uint32_t>(1e3 * s);
    }
}

void GateList::takeRest(std::uint64_t first, std::size_t count, EventList& out) const {
    constexpr double kMost = 255;
    constexpr double kKeVPerMeV = 1e3;
    constexpr double kMostMeV = 1e6;
    const std::size_t at = first;
    if (!out.time_ms.empty()) {
        takeMoments(count, out, at);
    }
    for (std::size_t i = 0; i < count && !out.energy_keV.empty(); ++i) {
        for (const std::size_t photon : {std::size_t{0}, std::size_t{1}}) {
            const double energy = columns_.values(Q::Energy, photon)[i];
            if (!(std::abs(energy) <= kMostMeV)) {
                throw BadInput("{}: '{}' of coincidence {} is {:g} MeV; remove that coincidence", path_,
                               columns_.branchName(Q::Energy, photon), first + i, energy);
            }
            out.energy_keV[at + i][photon] = static_cast<float>(kKeVPerMeV * energy);
        }
    }
    for (std::size_t i = 0; i < count && !out.kind.empty(); ++i) {
        const double scatters = columns_.scatters(i);
        if (scatters < 0) {  // GATE does not know them of this list
            out.kind.clear();
            out.scatters.clear();
            break;
        }
        out.kind[at + i] = columns_.kind(i);
        out.scatters[at + i] = static_cast<std::uint8_t>(std::min(scatters, kMost));
    }
}

ListReadResult GateList::all() const {
    constexpr std::uint64_t kBytesPerEvent = 26;  // crystals, time of flight, kind, scatters, energies, time
    requireMemory(path_, size_ * kBytesPerEvent);
    ListReadResult result{scan_, columns_.tree().entries, note_};
    EventList& events = result.events;
    events.crystals.resize(size_);
    events.dt_ps.resize(timed_ ? size_ : 0);
    events.kind.resize(columns_.kinds() ? size_ : 0);
    events.scatters.resize(events.kind.size());
    events.energy_keV.resize(columns_.has(Q::Energy) ? size_ : 0);
    events.time_ms.resize(tellsMoments() ? size_ : 0);
    inPieces(0, size_, [&](std::uint64_t first, std::size_t count) {
        columns_.read({Q::X, Q::Y, Q::Z, Q::Time, Q::Energy, Q::Event, Q::Compton, Q::Rayleigh}, first, count,
                      pool_.get());
        takeCrystals(first, count, events, first);
        takeRest(first, count, events);
    });
    if (columns_.kinds() && events.kind.empty() && size_ > 0) {
        result.note = joinedNotes(result.note, path_ +
                                                   ": it has coincidences whose scatters GATE did not count, "
                                                   "so that their kinds are not known");
    }
    return result;
}

}  // namespace tof
